"""Advice that holds options as data, so that Python and the command line each say them in their own way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Option:
    """An option, and the value to give it where there is one.

    >>> str(Option("max_parents", 3)), str(Option("missing", "em")), str(Option("weights"))
    ('max_parents=3', "missing='em'", 'weights=')
    """

    name: str
    value: Any = None

    def __str__(self) -> str:
        return f"{self.name}=" + ("" if self.value is None else repr(self.value))


@dataclass(frozen=True)
class Kind:
    """The kind of a column; without one, the place where it is said.

    >>> str(Kind("status code", "category")), str(Kind("age"))
    ("kinds={'status code': 'category'}", "kinds['age']")
    """

    column: Any
    kind: str = ""

    def __str__(self) -> str:
        return f"kinds={{{self.column!r}: {self.kind!r}}}" if self.kind else f"kinds[{self.column!r}]"


@dataclass(frozen=True)
class LeaveOut:
    """To leave a column out."""

    column: str

    def __str__(self) -> str:
        return "leave it out"


@dataclass(frozen=True)
class InPython:
    """What is said to those who write Python; `shell` is what the others are told instead."""

    text: str
    shell: str = ""

    def __str__(self) -> str:
        return self.text


Part = str | Option | Kind | LeaveOut | InPython


class Advice(str):
    """A text in the words of Python that still knows its parts.

    >>> advice = Advice("say ", Option("max_parents", 3), " or fewer")
    >>> advice
    'say max_parents=3 or fewer'
    >>> advice.told(lambda part: f"--{part.name} {part.value}")
    'say --max_parents 3 or fewer'
    """

    parts: tuple[Part, ...]

    def __new__(cls, *parts: Part) -> Advice:
        made = super().__new__(cls, "".join(map(str, parts)))
        made.parts = tuple(own for part in parts for own in (part.parts if isinstance(part, Advice) else (part,)))
        return made

    def told(self, say: Callable[[Any], str]) -> str:
        """The text with every part that is no plain text as `say` says it."""
        return "".join(part if isinstance(part, str) else say(part) for part in self.parts)


def joined(texts: Iterable[str], sign: str) -> Advice:
    """Texts as one that knows the parts of each.

    >>> joined([Advice("say ", Option("k", 2)), "or nothing"], ", ").parts
    ('say ', Option(name='k', value=2), ', ', 'or nothing')
    """
    return Advice(*[part for text in texts for part in (sign, text)][1:])
