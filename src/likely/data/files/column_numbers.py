"""Columns by number, counted from 1 as people count: names where a file has none, and numbers said for names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from likely.core.reading import Reading
from likely.core.schema import Schema
from likely.data.readings.schema_readings import readings_of


class _Columns(Protocol):
    @property
    def columns(self) -> tuple[str, ...]: ...


S = TypeVar("S", bound=_Columns)
_NUMBERED_NAME = re.compile(r"c[1-9][0-9]*")


def numbered_name(at: int) -> str:
    """What the column at this place is called where the file has no name for it.

    >>> numbered_name(0), numbered_name(14)
    ('c1', 'c15')
    """
    return f"c{at + 1}"


def are_numbered(names: Sequence[str]) -> bool:
    """Whether all names are such that a file without names gives."""
    return bool(names) and all(map(_NUMBERED_NAME.fullmatch, names))


def column_said(word: str, columns: Sequence[str]) -> str:
    """The column that a word means: the one of that name, or of that number where no column is called so.

    >>> [column_said(word, ("age", "2", "sex")) for word in ("age", "2", "3", "4")]
    ['age', '2', 'sex', '4']
    """
    if word in columns or not (word.isascii() and word.isdecimal()):
        return word
    return columns[int(word) - 1] if len(word) < 10 and 1 <= int(word) <= len(columns) else word


def are_without_target(columns: Sequence[str], names: Sequence[str]) -> bool:
    """Whether columns without names of their own are those of these names, from which the target was taken away.

    >>> are_without_target(("c1", "c2"), ("c2", "c3")), are_without_target(("c1", "c2"), ("c1", "c2"))
    (True, False)
    """
    mine = tuple(map(numbered_name, range(len(names))))
    return tuple(columns) == mine and are_numbered(names) and {*names} != {*mine}


def opened_as_learnt(schema: Schema, open_: Callable[[Mapping[str, Reading]], S]) -> S:
    """What `open_` makes of the rows under a model's readings; of a file without names and target, by number."""
    readings = readings_of(schema)
    source = open_(readings)
    if not are_without_target(source.columns, schema.origins):
        return source
    known = zip(source.columns, schema.origins, strict=True)
    return open_({mine: readings[name] for mine, name in known if name in readings})
