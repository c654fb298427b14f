"""The sections of docstrings that follow from the code, as numpydoc names them: what is taken, had and given."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from textwrap import wrap
from types import FunctionType
from typing import Any

from likely.core.cache import cached_property
from likely.core.parameter_words import PARAMETER_WORDS

DOC_WIDTH = 110  # letters a line
TYPES = {
    "Floats": "ndarray",
    "Array": "ndarray",
    "Any": "object",
    "ArrayLike": "array",
}  # names that tell others more
Entry = tuple[str, str, str]  # the name, the type, and what it means


def describe_public(package: str) -> None:
    """Put the sections into the docstrings of all public names of a package, and of what classes can do."""
    module = sys.modules[package]
    for name in module.__all__:
        describe(getattr(module, name))


def describe(thing: Any) -> Any:
    """The same function or class, with Parameters, Attributes and Returns in its docstring; what has them is left."""
    home = getattr(thing, "__module__", "")
    if isinstance(thing, FunctionType):
        _describe_function(thing, thing.__name__)
    elif isinstance(thing, type) and home.startswith("likely.") and thing.__doc__ and not _has_sections(thing.__doc__):
        own = vars(thing).get("__init__")
        takes = parameters(own, thing.__name__) if isinstance(own, FunctionType) and not _has_fields(thing) else []
        insert(thing, section("Parameters", takes) + section("Attributes", attributes(thing)))
        for name, method in public_methods(thing):
            _describe_function(method, name)
    return thing


def _describe_function(function: FunctionType, name: str) -> None:
    if function.__doc__ and not _has_sections(function.__doc__):
        insert(function, section("Parameters", parameters(function, name)) + section(*returned(function)))


def public_methods(cls: type[Any]) -> Iterator[tuple[str, FunctionType]]:
    """What the class and those of ours below it can do."""
    for home in cls.__mro__:
        if home.__module__.startswith("likely."):
            for name, member in vars(home).items():
                function = getattr(member, "__func__", member)
                if not name.startswith("_") and isinstance(function, FunctionType):
                    yield name, function


def attributes(cls: type[Any]) -> list[Entry]:
    """The fields of a value, then its properties with the first line of what they say."""
    found: dict[str, Entry] = {}
    homes = [home for home in cls.__mro__ if home.__module__.startswith("likely.")]
    for home in reversed(homes):
        for name, kind in vars(home).get("__annotations__", {}).items():
            if not name.startswith("_") and _has_fields(cls) and not str(kind).startswith("ClassVar"):
                found[name] = (name, spelt(str(kind)), "")
    for home in homes:
        for name, member in vars(home).items():
            getter = member.fget if isinstance(member, property) else getattr(member, "func", None)
            if isinstance(member, property | cached_property) and not name.startswith("_") and name not in found:
                words = inspect.cleandoc(getter.__doc__ or "").partition("\n")[0] if getter else ""
                found[name] = (name, kind_given(getter), words)
    return list(found.values())


def parameters(function: Callable[..., Any], name: str) -> list[Entry]:
    """(name, type, meaning) of what a function takes; words of its own go before those that all share."""
    told = []
    for one in inspect.signature(function).parameters.values():
        if one.name not in ("self", "cls"):
            usual, words = PARAMETER_WORDS.get(f"{name}.{one.name}") or PARAMETER_WORDS.get(one.name, ("", ""))
            said = spelt(str(one.annotation))
            kind = usual if usual and said in ("object", "array") else said
            default = "" if one.default is one.empty else f", default={one.default!r}"
            star = "**" if one.kind is one.VAR_KEYWORD else "*" if one.kind is one.VAR_POSITIONAL else ""
            told.append((star + one.name, f"{kind}{default}", words))
    return told


def returned(function: Callable[..., Any]) -> tuple[str, list[Entry]]:
    """What a function gives: the type, and the shape that its docstring begins with."""
    kind = kind_given(function)
    each = re.fullmatch(r"Iterator\[(.*)\]", kind)
    kind = each[1] if each else kind
    first = inspect.cleandoc(function.__doc__ or "").partition("\n")[0]
    shape = re.match(r"\([^)]*\)", first) if kind == "ndarray" and first.count("(rows") == 1 else None
    return ("Yields" if each else "Returns"), [("", f"{kind} of shape {shape[0]}" if shape else kind, "")]


def kind_given(function: Any) -> str:
    """The type that a function gives."""
    return spelt(str(getattr(function, "__annotations__", {}).get("return", "object")))


def spelt(kind: str) -> str:
    """A type as others know it.

    >>> spelt("dict[str, Floats] | npt.ArrayLike")
    'dict[str, ndarray] | array'
    """
    return re.sub(r"\w+", lambda word: TYPES.get(word[0], word[0]), kind.replace("npt.", ""))


def insert(owner: Any, sections: str) -> None:
    """Put sections before the examples of a docstring, which get a heading."""
    text = inspect.cleandoc(owner.__doc__)
    before, mark, after = text.partition("\nExamples\n")
    if not mark and (bare := re.search(r"^>>> ", text, re.MULTILINE)):
        before, mark, after = text[: bare.start()], "\nExamples\n", f"--------\n{text[bare.start() :]}"
    owner.__doc__ = f"{before.rstrip()}\n\n{sections}{mark.lstrip()}{after}".rstrip()


def section(title: str, entries: Iterable[Entry]) -> str:
    """A section, or nothing where it would be empty."""
    lines = [line for name, kind, words in entries for line in (f"{name} : {kind}".strip(" :"), *_indented(words))]
    return "\n".join([title, "-" * len(title), *lines, "", ""]) if lines else ""


def _indented(words: str) -> list[str]:
    return wrap(words, DOC_WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def _has_sections(text: str) -> bool:
    return re.search(r"^ *(Parameters|Attributes|Returns|Yields)\n *---", text, re.MULTILINE) is not None


def _has_fields(cls: type[Any]) -> bool:
    """Whether it is a dataclass or a named tuple."""
    return hasattr(cls, "__dataclass_fields__") or hasattr(cls, "_fields")
