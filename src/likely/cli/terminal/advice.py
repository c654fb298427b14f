"""Advice of the library as a verb of the command line says it."""

from __future__ import annotations

import json
from collections.abc import Collection
from shlex import quote
from typing import Any

from likely.errors import LikelyError
from likely.errors.advice import Advice, InPython, Kind, LeaveOut, Option

CALLED = {"kinds": "--kind", "weights": "--weight", "sample_weight": "--weight"}  # flags with a name of their own


def speak(error: LikelyError, flags: Collection[str]) -> None:
    """Put the place and the hint of an error in the words of a verb that has these flags."""
    error.hint = as_words(error.hint, flags)
    error.place = as_words(error.place if error.option is None else Advice(Option(error.option)), flags)


def as_words(text: str, flags: Collection[str] = ()) -> str:
    """Advice as a verb with these flags says it; a text without parts is the same everywhere.

    >>> as_words(Advice("say ", Kind("status code", "category")))
    "say --kind 'status code=category'"
    >>> as_words(Advice("say ", Option("max_parents", 3), " or ", Option("test", "g2")), ("--max-parents", "--set"))
    'say --max-parents 3 or --set test=g2'
    >>> as_words(Advice(LeaveOut("my id"), InPython(", or declare levels={'my id': [...]}")), ("--skip",))
    "leave it out (--skip 'my id')"
    """
    return text.told(lambda part: _said(part, flags)) if isinstance(text, Advice) else text


def _said(part: Option | Kind | LeaveOut | InPython, flags: Collection[str]) -> str:
    if isinstance(part, InPython):
        return part.shell
    if isinstance(part, Kind):  # a model is fitted with --kind, whatever the verb that has come upon it
        return f"--kind {quote(f'{part.column}={part.kind}' if part.kind else str(part.column))}"
    if isinstance(part, LeaveOut):
        skip = f"--skip {quote(part.column)}" if "--skip" in flags else f"--kind {quote(f'{part.column}=skip')}"
        return f"{part} ({skip})"
    flag = CALLED.get(part.name, f"--{part.name.replace('_', '-')}")
    if flag in flags:
        return flag if part.value is None else f"{flag} {quote(_word(part.value))}"
    if "--set" in flags:
        return f"--set {part.name if part.value is None else quote(f'{part.name}={_word(part.value)}')}"
    return str(part)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
