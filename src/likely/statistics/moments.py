"""Count, mean and spread of real columns by cell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from likely.core.numerics import Array, Floats
from likely.kernels.arithmetic.double import Pair, add2, divide2, multiply2, subtract2
from likely.statistics.statistic import LEFT_BEHIND_SHARE, Statistic

SQUARES_ROUNDING = 2.0**-94  # of a sum of squares in two doubles
SPREAD_ROUNDING = 8 * np.finfo(np.float64).eps  # a spread below this share of the mean is rounding, not spread
LEAST_VARIANCE = 1e-290  # what is less is no spread: its digits are lost where doubles end


class DoubleSums(Statistic, ABC):
    """Counts, totals, and totals of squares or products, each held in two doubles: the low part of the count is last.

    The count is a whole number and its low part zero where the weights are whole.
    """

    count: Array

    def __add__(self, other: Self) -> Self:
        return type(self)(*self._together(other, add2))

    def _together(self, other: Self, way: Callable[..., Pair]) -> tuple[Array, ...]:
        """The fields of the sum or the difference; whole counts stay whole."""
        count, total, total_low, second, second_low, low = self.arrays().values()
        n, more, more_low, other_second, other_low, n_low = other.arrays().values()
        if count.dtype.kind == n.dtype.kind == "i":
            found = (count + n if way is add2 else count - n), low
        else:
            found = way(count, low, n, n_low)
            if way is subtract2:
                clear(np.abs(found[0]) <= LEFT_BEHIND_SHARE * count, *found)
        totals, seconds = way(total, total_low, more, more_low), way(second, second_low, other_second, other_low)
        return found[0], *totals, *seconds, found[1]

    def __mul__(self, factor: float) -> Self:
        by = np.asarray(factor, dtype=np.float64)
        count, total, total_low, second, second_low, low = self.arrays().values()
        whole = count.dtype.kind == "i" and by == np.floor(by)
        found = (count * int(by), low) if whole else multiply2(count, low, by)
        parts: tuple[Array, ...] = (
            found[0],
            *multiply2(total, total_low, by),
            *multiply2(second, second_low, by),
            found[1],
        )
        return type(self)(*parts)

    def possible(self) -> bool:
        return not self.impossible().any()

    @abstractmethod
    def impossible(self) -> Array:
        """(cells, columns): where no values could have these sums."""

    def pooled(self) -> Self:
        """(1, columns, ...): all cells together."""
        columns = np.arange(self.count.shape[1])
        whole = self._map(lambda array: np.zeros((1, *array.shape[1:]), dtype=array.dtype))
        for cell in range(len(self.count)):
            whole = whole + self.take(np.array([cell]), columns)
        return whole


def clear(where: Array, *parts: Floats) -> None:
    """Nothing in these places."""
    for part in parts:
        part[where] = 0.0


@dataclass(frozen=True, eq=False)
class Moments(DoubleSums):
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

    def __sub__(self, other: Self) -> Self:
        rest = type(self)(*self._together(other, subtract2))
        count, total, squares = rest.count, (rest.total, rest.total_low), (rest.squares, rest.squares_low)
        # Where no row is left, what rounding left behind is nothing; anything larger shows in `impossible`.
        for pair, size in ((total, np.sqrt(self.squares * self.count)), (squares, self.squares)):
            clear((count == 0) & (np.abs(pair[0]) <= LEFT_BEHIND_SHARE * size), *pair)
        # A spread below what the larger sums of the whole could resolve is rounding, not spread.
        flat = (count > 0) & (np.abs(rest._raw_spread()) <= SQUARES_ROUNDING * self.squares)
        flat_squares = multiply2(*total, *rest._mean())
        return replace(
            rest,
            squares=np.where(flat, flat_squares[0], rest.squares),
            squares_low=np.where(flat, flat_squares[1], rest.squares_low),
        )

    def impossible(self) -> Array:
        spread, floor = self._raw_spread(), LEFT_BEHIND_SHARE * self.squares
        gone = (self.count == 0) & ((self.total != 0) | (self.squares != 0))
        lone = (self.count == 1) & (spread > 1e-9 * self.squares)  # one value alone has no spread
        if self.count.dtype.kind != "i":  # two values of weight a half may
            lone[:] = False
        return np.asarray((self.count < 0) | gone | lone | (spread < -floor))

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
