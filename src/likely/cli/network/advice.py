"""Advice of the library as a command line that learns arcs says it."""

from __future__ import annotations

from shlex import quote

from likely.errors import LikelyError
from likely.errors.advice import Advice, InPython, LeaveOut, Option

OWN = {  # options that have a word of their own; all others are said with --set
    **{name: f"--{name}" for name in ("score", "search", "missing", "strength", "required", "forbidden", "tiers")},
    "max_parents": "--max-parents",
    "threshold": "--threshold",
    "weights": "--weight",
}


def speak(error: LikelyError) -> None:
    """Put the place and the hint of an error in the words of the command line."""
    error.hint = as_words(error.hint)
    error.place = as_words(error.place) if error.option is None else _said(Option(error.option))


def as_words(text: str) -> str:
    """Advice as it is said on the command line; a text without parts is the same everywhere.

    >>> as_words(Advice("say ", Option("max_parents", 3), " or fewer, or ", Option("test", "g2")))
    'say --max-parents 3 or fewer, or --set test=g2'
    >>> as_words(Advice(LeaveOut("my id"), InPython(", or declare levels={'my id': [...]}")))
    "leave it out (--skip 'my id')"
    """
    return text.told(_said) if isinstance(text, Advice) else text


def _said(part: Option | LeaveOut | InPython) -> str:
    if isinstance(part, LeaveOut):
        return f"{part} (--skip {quote(part.column)})"
    if isinstance(part, InPython):
        return part.shell
    value = "" if part.value is None else str(part.value)
    if part.name in OWN:
        return f"{OWN[part.name]} {value}".rstrip()
    return f"--set {part.name}" + (f"={value}" if value else "")
