"""Advice that holds options as data, so that Python and the command line each say them in their own way."""

from __future__ import annotations

from collections.abc import Callable
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


Part = str | Option | LeaveOut | InPython


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
        made.parts = parts
        return made

    def told(self, say: Callable[[Any], str]) -> str:
        """The text with every part that is no plain text as `say` says it."""
        return "".join(part if isinstance(part, str) else say(part) for part in self.parts)
