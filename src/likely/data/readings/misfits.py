"""Cells that are not what their column holds: missing values, told by row and value; or refused."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likely.core.reading import Reading
from likely.data.arrow_columns import another_type
from likely.data.readings.numbers import is_bound
from likely.errors import DataError, SchemaWarning, outside

MOST_NAMED = 3  # cells of a column that are named


@dataclass
class Misfits:
    """How many cells of each column are no values of its reading, and the first of them with their rows."""

    place: str
    strict: bool = False
    given: Collection[str] = ()  # columns whose reading is that of a model, not told from their own cells
    counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    readings: dict[str, Reading] = field(default_factory=dict)

    def add(self, name: str, reading: Reading, start: int, coded: Any, unfit: Any, all_unfit: bool) -> None:
        """The cells of a block, its first row being `start`, whose texts in the dictionary are unfit, or all are."""
        at = np.flatnonzero(np.append(unfit, False)[coded.indices.fill_null(len(unfit)).to_numpy()])
        named = [(start + int(row), str(coded.dictionary[coded.indices[int(row)].as_py()])) for row in at[:MOST_NAMED]]
        if name in self.given and all_unfit and start == 0 and self.is_of_another_kind(named, len(at)):
            raise another_type(name, str(reading), "word", named[0][1])
        if self.strict and len(at):
            hint = "mend the cell; unless strictness is asked for, it is taken as missing"
            what = f"{named[0][1][:60]!r} is not what the column holds: {reading}"
            raise DataError("D230", what, place=f"{self.place}, column {name!r}, row {named[0][0]}", hint=hint)
        self.counts[name] = self.counts.get(name, 0) + len(at)
        self.readings[name] = reading
        first = self.first.setdefault(name, [])
        first += named[: MOST_NAMED - len(first)]

    @staticmethod
    def is_of_another_kind(named: Sequence[tuple[int, str]], rows: int) -> bool:
        """Whether a column in which no cell fits is no slip of somebody's pen, and not only below or above limits."""
        return rows > 1 and not all(is_bound(text) for _, text in named)

    def told(self) -> list[str]:
        """A line a column."""
        lines = []
        for name, count in self.counts.items():
            some = ", ".join(f"{text[:40]!r} in row {row}" for row, text in self.first[name])
            more = ", ..." if count > len(self.first[name]) else ""
            cells = "1 cell is" if count == 1 else f"{count:,} cells are"
            lines.append(f"column {name!r} ({self.readings[name]}): {cells} taken as missing: {some}{more}")
        return lines

    def warn(self) -> None:
        """Tell whoever reads the rows."""
        for line in self.told():
            warnings.warn(line, SchemaWarning, stacklevel=outside())
