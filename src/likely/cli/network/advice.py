"""Advice for Python as advice for a command line that learns arcs."""

from __future__ import annotations

import re
from shlex import quote

from likely.errors import LikelyError

OPTIONS_OF_THEIR_OWN = (
    "score",
    "search",
    "missing",
    "max_parents",
    "strength",
    "required",
    "forbidden",
    "tiers",
    "threshold",
    "weights",
)
OPTIONS_BY_SET = ("restarts", "tabu", "alpha", "test", "max_given", "prior")  # said with --set
OPTION = re.compile(rf"\b({'|'.join((*OPTIONS_OF_THEIR_OWN, *OPTIONS_BY_SET))})=('[^']*'|\[.*\]|\d+(?:\.\d+)?|\w+)?")
OPTION_ALONE = re.compile(r"(\w+)=")
DECLARE_LEVELS = re.compile(r"(?:leave it out, or )?declare (?:them: )?levels=\{.*\}")
PYTHON = re.compile("; learn_network takes [^.]*")  # which are options of their own here
NOTED = re.compile(r"^(['\"])(.+)\1 has .*: leave it out")
COLUMN_PLACE = re.compile(r"(?:column|node) (['\"])(.+)\1")


def speak(error: LikelyError) -> None:
    """Put the place and the hint of an error in the words of the command line."""
    column, alone = COLUMN_PLACE.fullmatch(error.place), OPTION_ALONE.fullmatch(error.place)
    error.hint = as_words(error.hint)
    if column and re.search("leave (it|the column) out", error.hint):
        error.hint += f": --skip {quote(column[2])}"
    elif alone and alone[1] not in (*OPTIONS_OF_THEIR_OWN, *OPTIONS_BY_SET):  # a setting that no search has
        error.place = f"--set {alone[1]}"
    else:
        error.place = as_words(error.place)


def as_note(text: str) -> str:
    """What a search notes of a column, with the option that leaves it out.

    >>> as_note("'my id' has 400 levels: leave it out if they only name rows")
    "'my id' has 400 levels: leave it out (--skip 'my id') if they only name rows"
    """
    return NOTED.sub(lambda found: f"{found[0]} (--skip {quote(found[2])})", as_words(text))


def as_words(text: str) -> str:
    """Options as they are said on the command line.

    >>> as_words("say max_parents=3 or fewer, or missing='ignore'")
    'say --max-parents 3 or fewer, or --missing ignore'
    >>> as_words("raise alpha, or say test='g2'")
    'raise alpha, or say --set test=g2'
    >>> as_words("leave it out, or declare levels={'id': [...]}")
    'leave it out'
    """
    text = PYTHON.sub("", text.replace("learn_network(data)", "DATA"))
    return OPTION.sub(_option, DECLARE_LEVELS.sub("leave it out", text))


def _option(found: re.Match[str]) -> str:
    name, value = found[1], (found[2] or "").strip("'")
    if name in OPTIONS_BY_SET:
        return f"--set {name}" + (f"={value}" if value else "")
    value = "PARENT:CHILD" if value.startswith("[") else value
    return f"--{name.rstrip('s') if name == 'weights' else name.replace('_', '-')} {value}".rstrip()
