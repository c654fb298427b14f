"""Every public name says what it takes, has and gives, in the sections of numpydoc."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any

import pytest

import likely
from likely.core.docstrings import describe
from likely.core.parameter_words import PARAMETER_WORDS

HEADS = re.compile(r"^(Parameters|Attributes|Returns|Yields|Examples)\n(-+)$", re.MULTILINE)


def public(name: str, thing: object) -> Iterator[tuple[str, Any]]:
    """(name, function or class) of all that can be reached from `likely.`."""
    if isinstance(thing, ModuleType):
        for own in sorted(thing.__all__):
            yield from public(f"{name}.{own}", getattr(thing, own))
    elif inspect.isclass(thing):
        yield name, thing
        for own, member in inspect.getmembers(thing):
            function = getattr(member, "__func__", member)
            ours = isinstance(function, FunctionType) and function.__module__.startswith("likely.")
            if ours and not own.startswith("_"):
                yield f"{name}.{own}", function
    elif isinstance(thing, FunctionType):
        yield name, thing


PUBLIC = dict(pair for name in likely.__all__ for pair in public(f"likely.{name}", getattr(likely, name)))


def section(text: str, title: str) -> str:
    found = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n[A-Z]\w+\n-+\n|\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_taken_and_given_is_said(name: str) -> None:
    thing = PUBLIC[name]
    text = inspect.getdoc(thing) or ""
    assert text, "no docstring"
    assert all(len(line) == len(title) for title, line in HEADS.findall(text))
    assert len({title for title, _ in HEADS.findall(text)}) == len(HEADS.findall(text)), "a section stands twice"
    if ">>>" in text:
        assert ">>>" in section(text, "Examples"), "examples have a heading"
    if inspect.isclass(thing):
        told = section(text, "Parameters") + "\n" + section(text, "Attributes")
        fields = [field for field in getattr(thing, "__dataclass_fields__", ()) if not field.startswith("_")]
        properties = [own for own, one in inspect.getmembers(thing) if isinstance(one, property | cached_property)]
        for own in [*fields, *(own for own in properties if not own.startswith("_") and not hasattr(thing, "fit"))]:
            assert re.search(rf"^{own}\b.* :", told, re.MULTILINE), own
        return
    assert section(text, "Returns") or section(text, "Yields")
    taken = section(text, "Parameters")
    for one in inspect.signature(thing).parameters.values():
        if one.name not in ("self", "cls"):
            assert re.search(rf"^(\*\*|\*|[\w, ]*\b)?{one.name}\b.* :", taken + " :", re.MULTILINE), one.name
            entry = re.search(rf"^\**{one.name} : .*\n {{4}}\S", taken, re.MULTILINE)
            assert entry or one.name in ("required", "forbidden"), f"{one.name} is said to mean nothing"


def test_every_public_name_has_an_example() -> None:
    assert [name for name, thing in PUBLIC.items() if ">>>" not in (inspect.getdoc(thing) or "")] == []


def test_words_of_parameters_are_of_parameters() -> None:
    known = {one for thing in PUBLIC.values() for one in getattr(inspect.signature(thing), "parameters", ())}
    assert {name.rpartition(".")[2] for name in PARAMETER_WORDS} <= known


def test_a_docstring_is_described_once_and_examples_get_a_heading() -> None:
    def halved(x: float, top: int = 3) -> float:
        """Half of a number.

        >>> halved(2.0)
        1.0
        """
        return x / 2 + 0 * top

    once = describe(halved).__doc__
    assert describe(halved).__doc__ == once
    assert [title for title, _ in HEADS.findall(once)] == ["Parameters", "Returns", "Examples"]
    assert "top : int, default=3\n    At most so many; None: all." in once
