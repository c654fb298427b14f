"""The coefficients of a line as a table: what each is, how sure that is, and what it says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import stdtrit

from likely.core.numerics import Floats
from likely.errors.options import share
from likely.output.display_width import display_width, padded


@dataclass(frozen=True, eq=False)
class Coefficients:
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
        return tuple(
            "none" if low == high == 0 or estimate == 0 else "more" if low > 0 else "less" if high < 0 else "unclear"
            for estimate, (low, high) in zip(self.estimates, np.nan_to_num(self.intervals), strict=True)
        )

    def to_dict(self) -> dict[str, Any]:
        """Estimate, sd and interval of each, by name, as plain data."""
        from likely.output.jsonable import to_jsonable

        return dict(
            to_jsonable(
                {
                    name: {"estimate": estimate, "sd": sd, "interval": interval.tolist(), "level": self.level}
                    for name, estimate, sd, interval in zip(
                        self.names, self.estimates, self.sds, self.intervals, strict=True
                    )
                }
            )
        )

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        percent = f"{100 * self.level:.4g}% from"
        heads, numbers = ["estimate"], [self.estimates]
        if not np.isnan(self.sds).all():
            heads, numbers = ["estimate", "sd", percent, "to"], [self.estimates, self.sds, *self.intervals.T]
        cells = [[head, *(f"{value:.4g}" for value in column)] for head, column in zip(heads, numbers, strict=True)]
        wide = [max(map(len, column)) for column in cells]
        names = ["", *self.names]
        room = max(map(display_width, names))
        words = ["", *self.words] if len(heads) > 1 else [""] * len(names)
        lines = []
        for at, name in enumerate(names):
            row = "  ".join(f"{column[at]:>{size}}" for column, size in zip(cells, wide, strict=True))
            lines.append(f"{padded(name, room)}  {row}  {words[at]}".rstrip())
        return "\n".join(lines)


def read_level(level: object) -> float:
    """The share that an interval is to hold."""
    return share(level, "level", "O116")
