"""What values are taken out of when each is left out, laid out for the compiled loop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Flags, Floats, Ints
from likely.kernels.arithmetic.double import divide2, subtract2
from likely.kernels.densities.leave_one_out import leave, peaks
from likely.kernels.memory import aligned_zeros, classes_last

TABLE_LOGARITHMS_AT_A_TIME = 1024  # logarithms taken in one loop, long enough to vectorise


@dataclass(frozen=True)
class GroupMoments:
    """Moments of groups of rows: count, mean in two doubles, and spread."""

    count: Floats
    mean: Floats
    mean_low: Floats
    spread: Floats

    @classmethod
    def of(cls, count: Floats, count_low: Floats, total: Floats, total_low: Floats, spread: Floats) -> GroupMoments:
        """From counts and totals in two doubles."""
        some = np.where(count > 0, count, 1.0)
        mean, low = divide2(total, total_low, some, count_low)
        return cls(np.asarray(count, dtype=np.float64), mean, low, spread)

    def laid(self, classes: int) -> GroupMoments:
        """(cells + 1, columns, classes) from (classes * cells, columns); the last cell has no rows."""
        return GroupMoments(
            *(classes_last(part, classes) for part in (self.count, self.mean, self.mean_low, self.spread))
        )

    def __getitem__(self, cell: int) -> GroupMoments:
        return GroupMoments(self.count[cell], self.mean[cell], self.mean_low[cell], self.spread[cell])

    def about(self, centre: Floats) -> Floats:
        """The means less a centre, for groups that have one."""
        high, low = subtract2(self.mean, self.mean_low, centre, np.zeros_like(centre))
        return np.where(self.count > 0, high + low, 0.0)


@dataclass(frozen=True)
class TakenValue:
    """What a value is taken out of: its column, its class, and the cell of its parents.

    `whole` (columns, [count, mean, low, spread]); `level` (columns, 7, classes) and `below` (cells + 1, columns, 9,
    classes), the last of which is no cell: see `leave` for what they hold.
    """

    whole: Floats
    level: Floats
    below: Floats
    strength: float

    @classmethod
    def of(
        cls,
        whole: GroupMoments,
        level: GroupMoments,
        below: GroupMoments,
        others: Floats,
        classes: int,
        strength: float,
    ) -> TakenValue:
        """From moments of columns (1, columns), classes (classes, columns) and cells (classes * cells, columns).

        others (columns, classes): the spread within all other classes.
        """
        level, below, centre = level.laid(classes)[0], below.laid(classes), whole.mean.T
        worth = strength + level.count
        held = (level.count, level.about(centre), level.spread, 1.0 / worth, level.mean, level.mean_low, others)
        some = below.count > 0
        seen = np.where(some, strength + below.count, worth)
        height = np.ascontiguousarray(seen / 2.0)
        peaks(height.reshape(-1))
        cells = (
            below.count,
            below.about(centre),
            below.spread,
            np.where(some, below.count / seen, 0.0),
            1.0 + 1.0 / seen,
            (seen + 1.0) / 2.0,
            height,
            below.mean,
            below.mean_low,
        )
        column = np.stack([whole.count[0], whole.mean[0], whole.mean_low[0], whole.spread[0]], axis=1)
        return cls(column, np.stack(held, axis=1), np.stack(cells, axis=2), strength)

    def terms(self, values: Floats, own: Ints, weights: Floats, cells: Ints, counted: Flags) -> tuple[Floats, Flags]:
        """(rows, columns, classes), (rows, columns): log densities, and where they are unsure: to be found exactly.

        A missing value and a column without spread say nothing. cells (rows,) of the parents, -1 if a row has none;
        `counted` (rows,): whether the row is to be taken out of its cell.
        """
        columns, classes = self.level.shape[0], self.level.shape[2]
        out, unsure = np.empty((len(values), columns, classes)), np.zeros((len(values), columns), dtype=np.bool_)
        assert not len(own) or (own.min() >= 0 and own.max() < classes and cells.max() < len(self.below) - 1)
        at = np.where(cells < 0, len(self.below) - 1, cells)
        step = max(1, TABLE_LOGARITHMS_AT_A_TIME // max(1, columns * classes))
        leave(
            values, own, weights, at, counted & (cells >= 0), self.whole, self.level, self.below, self.strength,
            *aligned_zeros((3, step * columns * classes)), unsure, out.reshape(-1),
        )  # fmt: skip
        return out, unsure
