"""Every error code with its one meaning, how it comes about and the way out; the table itself is `codes.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Entry:
    """What one code means, in words; `section` and `topic` say where it stands on the page of errors."""

    code: str
    meaning: str
    cause: str
    way_out: str
    section: str
    topic: str


@cache
def registry() -> dict[str, Entry]:
    """Code to entry, in the order of the page.

    >>> registry()["D202"].meaning
    'no such file'
    """
    table = tomllib.loads(files("likely.errors").joinpath("codes.toml").read_text("utf-8"))
    entries = [
        Entry(code, meaning, cause, way_out, section, topic)
        for section, topics in table.items()
        for topic, codes in topics.items()
        for code, (meaning, cause, way_out) in codes.items()
    ]
    found = {entry.code: entry for entry in entries}
    assert len(found) == len(entries), "a code has two meanings"
    return found
