"""Count, mean and spread of real columns by cell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from likely.core.numerics import Array, Floats
from likely.kernels.arithmetic.double import add2, divide2, multiply2, subtract2
from likely.statistics.statistic import LEFT_BEHIND_SHARE, Statistic

SQUARES_ROUNDING = 2.0**-94  # of a sum of squares in two doubles
SPREAD_ROUNDING = 8 * np.finfo(np.float64).eps  # a spread below this share of the mean is rounding, not spread
LEAST_VARIANCE = 1e-290  # what is less is no spread: its digits are lost where doubles end


@dataclass(frozen=True, eq=False)
class Moments(Statistic):
    """All (cells, columns): the count of values, and the totals of values and of squares, each held in two doubles.

    (The count is a whole number and its low part zero where the weights are whole.)

    Plain sums of squares lose the spread when the mean is large. With 106 bits they do not: the spread is right to
    1e-15 where mean / spread is 1e8, and sums stay plainly addable and, what centred moments cannot offer, rows can be
    taken back even when one of them was a billion times larger than all that remains.

    >>> part = Moments.of(np.array([[1e8], [1e8 + 1], [1e8 + 2]]))
    >>> part.mean.tolist(), part.spread.tolist()
    ([[100000001.0]], [[2.0]])
    """

    count: Array
    total: Floats
    total_low: Floats
    squares: Floats
    squares_low: Floats
    count_low: Floats

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """One cell of plain rows, for examples; engines use the kernel."""
        from likely.kernels.counting.moments import moments

        out = np.zeros((6, 1, values.shape[1]))
        moments(values, np.zeros(len(values), dtype=np.int32), None, out)
        return cls(*out)

    def __add__(self, other: Self) -> Self:
        if _whole(self, other):
            count, low = self.count + other.count, self.count_low
        else:
            count, low = add2(self.count, self.count_low, other.count, other.count_low)
        return type(self)(
            count,
            *add2(self.total, self.total_low, other.total, other.total_low),
            *add2(self.squares, self.squares_low, other.squares, other.squares_low),
            low,
        )

    def __sub__(self, other: Self) -> Self:
        if _whole(self, other):
            count, low = self.count - other.count, self.count_low
        else:
            count, low = subtract2(self.count, self.count_low, other.count, other.count_low)
            nothing = np.abs(count) <= LEFT_BEHIND_SHARE * self.count
            count[nothing] = low[nothing] = 0.0
        total = subtract2(self.total, self.total_low, other.total, other.total_low)
        squares = subtract2(self.squares, self.squares_low, other.squares, other.squares_low)
        # Where no row is left, what rounding left behind is nothing; anything larger shows in `impossible`.
        for (high, part), size in ((total, np.sqrt(self.squares * self.count)), (squares, self.squares)):
            nothing = (count == 0) & (np.abs(high) <= LEFT_BEHIND_SHARE * size)
            high[nothing] = part[nothing] = 0.0
        rest = type(self)(count, *total, *squares, low)
        # A spread below what the larger sums of the whole could resolve is rounding, not spread.
        flat = (count > 0) & (np.abs(rest._raw_spread()) <= SQUARES_ROUNDING * self.squares)
        flat_squares = multiply2(*total, *rest._mean())
        return replace(
            rest,
            squares=np.where(flat, flat_squares[0], rest.squares),
            squares_low=np.where(flat, flat_squares[1], rest.squares_low),
        )

    def __mul__(self, factor: float) -> Self:
        by = np.asarray(factor, dtype=np.float64)
        if self.count.dtype.kind == "i" and by == np.floor(by):
            count, low = self.count * int(by), self.count_low
        else:
            count, low = multiply2(self.count, self.count_low, by)
        return type(self)(
            count, *multiply2(self.total, self.total_low, by), *multiply2(self.squares, self.squares_low, by), low
        )

    def possible(self) -> bool:
        return not self.impossible().any()

    def impossible(self) -> Array:
        """(cells, columns): where no values could have these moments."""
        spread, floor = self._raw_spread(), LEFT_BEHIND_SHARE * self.squares
        gone = (self.count == 0) & ((self.total != 0) | (self.squares != 0))
        lone = (self.count == 1) & (spread > 1e-9 * self.squares)  # one value alone has no spread
        if self.count.dtype.kind != "i":  # two values of weight a half may
            lone[:] = False
        return np.asarray((self.count < 0) | gone | lone | (spread < -floor))

    def pooled(self) -> Self:
        """(1, columns): all cells together."""
        if not len(self.count):
            return type(self)(*np.zeros((6, 1, self.count.shape[1])))
        whole = self.take(np.array([0]), np.arange(self.count.shape[1]))
        for cell in range(1, len(self.count)):
            whole = whole + self.take(np.array([cell]), np.arange(self.count.shape[1]))
        return whole

    @property
    def mean(self) -> Floats:
        """(cells, columns); zero where nothing was counted."""
        return np.where(self.count > 0, self._mean()[0], 0.0)

    def _mean(self) -> tuple[Floats, Floats]:
        some = np.where(self.count > 0, self.count, 1.0)
        return divide2(self.total, self.total_low, some, self.count_low)

    def _raw_spread(self) -> Floats:
        product = multiply2(self.total, self.total_low, *self._mean())
        high, low = subtract2(self.squares, self.squares_low, *product)
        return np.asarray(high + low)

    @property
    def spread(self) -> Floats:
        """(cells, columns): the centred sum of squares; zero where it is below what the values can resolve."""
        raw = self._raw_spread()
        floor = ((SPREAD_ROUNDING * self.mean) ** 2 + LEAST_VARIANCE) * self.count
        return np.where(raw > floor, raw, 0.0)


def _whole(one: Moments, other: Moments) -> bool:
    return one.count.dtype.kind == other.count.dtype.kind == "i"
