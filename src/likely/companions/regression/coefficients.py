"""The coefficients of a line as a table: what each is, how sure that is, and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import stdtrit

from likely.core.numerics import Floats
from likely.errors.options import share
from likely.output.display_width import display_width, padded
from likely.output.draw import Drawn
from likely.output.frames import FrameResult


@dataclass(frozen=True, eq=False)
class Coefficients(FrameResult, Drawn):
    """names (1 + width,), the intercept first; estimates, sds (1 + width,): Student-t beliefs of so much `freedom`.

    Where there is no telling how sure they are, sds and intervals are NaN.

    >>> Coefficients(("intercept", "age"), np.array([2.0, 0.5]), np.array([1.0, 0.1]), freedom=60.0)
               estimate   sd    95% from  to
    intercept         2    1  -0.0002978    4  unclear
    age             0.5  0.1         0.3  0.7  more
    """

    names: tuple[str, ...]
    estimates: Floats
    sds: Floats
    freedom: float
    level: float = 0.95
    _picture = "coefficients"

    @property
    def intervals(self) -> Floats:
        """(1 + width, 2): what holds each coefficient, equal tails."""
        reach = stdtrit(self.freedom, (1 + self.level) / 2) * self.sds
        return np.column_stack([self.estimates - reach, self.estimates + reach])

    def at(self, level: float) -> Coefficients:
        """The same with intervals of another level."""
        return replace(self, level=read_level(level))

    @property
    def words(self) -> tuple[str, ...]:
        """(1 + width,): 'more', 'less' or, where zero is within the interval, 'unclear'; of a coefficient 0, 'none'."""
        ends = np.nan_to_num(self.intervals)
        return tuple(word(estimate, low, high) for estimate, (low, high) in zip(self.estimates, ends, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Estimate, sd and interval of each, by name, as plain data."""
        from likely.output.jsonable import to_jsonable

        told = zip(self.names, self.estimates, self.sds, self.intervals.tolist(), strict=True)
        page = {name: {"estimate": at, "sd": sd, "interval": ends, "level": self.level} for name, at, sd, ends in told}
        return dict(to_jsonable(page))

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        if np.isnan(self.sds).all():
            return coefficient_table(self.names, {"estimate": self.estimates})
        low, high = self.intervals.T
        columns = {"estimate": self.estimates, "sd": self.sds, f"{100 * self.level:.4g}% from": low, "to": high}
        return coefficient_table(self.names, columns, self.words)


def coefficient_table(names: Sequence[str], columns: Mapping[str, Floats], words: Sequence[str] = ()) -> str:
    """A line for each name: its numbers, a column each under its head, and the word that is said of it."""
    cells = [[head, *(f"{value:.4g}" for value in column)] for head, column in columns.items()]
    wide, names = [max(map(len, column)) for column in cells], ["", *names]
    room, lines = max(map(display_width, names)), []
    for name, word, *row in zip(names, ["", *words] if words else [""] * len(names), *cells, strict=True):
        numbers = "  ".join(f"{cell:>{size}}" for cell, size in zip(row, wide, strict=True))
        lines.append(f"{padded(name, room)}  {numbers}  {word}".rstrip())
    return "\n".join(lines)


def word(estimate: float, low: float, high: float) -> str:
    """What a coefficient does to the answer, as far as its interval tells; one that is exactly zero does nothing."""
    if estimate == 0 or low == high == 0:
        return "none"
    return "more" if low > 0 else "less" if high < 0 else "unclear"


def read_level(level: object) -> float:
    """The share that an interval is to hold."""
    return share(level, "level", "O116")
