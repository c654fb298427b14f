"""The sections of an estimator's docstring that follow from its class: Parameters, and Attributes that fit brings."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from textwrap import wrap
from typing import Any

WIDTH = 110  # letters a line
TYPES = {"Floats": "ndarray", "Array": "ndarray"}  # names of types that are ours alone


def describe(cls: type[Any], parameters: Iterable[tuple[str, str, Any, str]]) -> None:
    """Put (name, type, default, meaning) of each parameter, and the attributes, into the docstring of a class."""
    if not cls.__doc__:  # python -OO
        return
    text = inspect.cleandoc(cls.__doc__)
    told = [(name, f"{kind}, default={default!r}", words) for name, kind, default, words in parameters]
    sections = _section("Parameters", told) + _section("Attributes", attributes(cls))
    before, mark, after = text.partition("\nExamples\n")
    cls.__doc__ = f"{before.rstrip()}\n\n{sections}{mark.lstrip()}{after}".rstrip()


def _section(title: str, entries: list[tuple[str, str, str]]) -> str:
    if not entries:
        return ""
    lines = [line for name, kind, words in entries for line in (f"{name} : {kind}", *_indented(words))]
    return "\n".join([title, "-" * len(title), *lines, "", ""])


def _indented(words: str) -> list[str]:
    return wrap(words, WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def attributes(cls: type[Any]) -> list[tuple[str, str, str]]:
    """(name, type, meaning) of what a fitted model has: properties, and annotations with words; its own first."""
    found: dict[str, tuple[str, str]] = {}
    for home in cls.__mro__:
        if not home.__module__.startswith("likely."):
            continue
        for name, member in vars(home).items():
            if isinstance(member, property) and _public(name) and name not in found:
                kind = str(getattr(member.fget, "__annotations__", {}).get("return", "object"))
                found[name] = (TYPES.get(kind, kind), (inspect.getdoc(member) or "").partition("\n")[0])
        for name, hint in inspect.get_annotations(home, eval_str=True).items():
            if _public(name) and hasattr(hint, "__metadata__") and name not in found:
                found[name] = hint.__metadata__
    return [(name, *told) for name, told in found.items()]


def _public(name: str) -> bool:
    return name.endswith("_") and not name.startswith("_")
