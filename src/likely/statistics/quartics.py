"""Centred sums of products up to the fourth order by cell: how sure a scatter matrix is, which shrinkage asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from likely.core.numerics import Array, Floats
from likely.kernels.arithmetic.double import Pair, add2, multiply2, subtract2, two_sum
from likely.statistics.statistic import LEFT_BEHIND_SHARE, Statistic, subtract

QUARTIC_ROWS_AT_A_TIME = 2048  # rows multiplied at a time: they stay in the cache
Sums = tuple[Floats, Floats, Floats]


@dataclass(frozen=True, eq=False)
class Quartics(Statistic):
    """count (cells,); mean (cells, columns); second, third and fourth (cells, columns, columns): of complete rows.

    The mean is held in two doubles. With a = x - mean: second[j, k] sums a_j a_k, third a_j² a_k, fourth a_j² a_k².
    Parts are added, and taken off, by moving them to the mean of the whole (Chan, Pébay).

    >>> part = Quartics.of(np.array([[0.0, 1.0], [0.0, 3.0], [3.0, 2.0]]))
    >>> part.third[0].tolist(), part.fourth[0].tolist()
    ([[6.0, 0.0], [-2.0, 0.0]], [[18.0, 2.0], [2.0, 2.0]])
    """

    AXES: ClassVar[Mapping[str, int]] = {"count": 1, "second": 3, "third": 3, "fourth": 3}

    count: Array
    mean: Floats
    second: Floats
    third: Floats
    fourth: Floats
    mean_low: Floats

    @classmethod
    def of(
        cls, values: Floats, cells: Array | None = None, weights: Floats | None = None, n_cells: int = 1
    ) -> Quartics:
        """The sums of rows (rows, columns) in cells (rows,): the first, if none are given."""
        columns = values.shape[1]
        mass = np.ones(len(values)) if weights is None else weights
        counted = (mass > 0) & ~np.isnan(values).any(axis=1)
        count, means, first = np.zeros(n_cells), np.zeros((n_cells, columns)), np.zeros((n_cells, columns))
        sums = np.zeros((3, n_cells, columns, columns))
        for cell in range(n_cells):
            mine = np.flatnonzero(counted if cells is None else counted & (cells == cell))
            if not len(mine):
                continue
            count[cell], first[cell] = mass[mine].sum(), values[mine[0]]
            for at in _chunks(mine):
                means[cell] += mass[at] @ (values[at] - first[cell]) / count[cell]
            for at in _chunks(mine):
                away = (values[at] - first[cell]) - means[cell]
                square = away * away
                weighed = square * mass[at, None]
                sums[0, cell] += (away * mass[at, None]).T @ away
                sums[1, cell] += weighed.T @ away
                sums[2, cell] += weighed.T @ square
        mean, low = two_sum(first, means)
        return cls(count, mean, *_cleared(sums[0], sums[1], sums[2], sums[0], sums[2]), low)

    @property
    def _mean(self) -> Pair:
        return self.mean, self.mean_low

    @property
    def _sums(self) -> Sums:
        return self.second, self.third, self.fourth

    def __add__(self, other: Self) -> Self:
        count = self.count + other.count
        share = np.divide(other.count, count, out=np.zeros(count.shape), where=count > 0)
        mean, low = add2(*self._mean, *multiply2(*subtract2(*other._mean, *self._mean), share[:, None]))
        sums = self._about(mean, low), other._about(mean, low)
        second, third, fourth = (mine + theirs for mine, theirs in zip(*sums, strict=True))
        return type(self)(count, mean, *_cleared(second, third, fourth, second, fourth), low)

    def __sub__(self, other: Self) -> Self:
        count = subtract(self.count, other.count)
        left = count > 0
        share = np.divide(other.count, count, out=np.zeros(count.shape), where=left)
        mean, low = add2(*self._mean, *multiply2(*subtract2(*self._mean, *other._mean), share[:, None]))
        second, third, fourth = (
            mine - theirs for mine, theirs in zip(self._sums, other._about(*self._mean), strict=True)
        )
        # What is left is about the mean of the whole; the steps by which it would have come there are taken back.
        away, _ = subtract2(mean, low, *self._mean)
        second = second - _moved_second(count, away)
        third = third - _moved_third(count, second, away)
        fourth = fourth - _moved_fourth(count, second, third, away)
        rest = _cleared(second, third, fourth, self.second, self.fourth)
        second, third, fourth = (np.where(left[:, None, None], each, 0.0) for each in rest)
        mean, low = (np.where(left[:, None], each, 0.0) for each in (mean, low))
        return type(self)(count, mean, second, third, fourth, low)

    def _about(self, point: Floats, low: Floats) -> Sums:
        """The sums about another point (cells, columns) than the mean."""
        away, _ = subtract2(*self._mean, point, low)
        return (
            self.second + _moved_second(self.count, away),
            self.third + _moved_third(self.count, self.second, away),
            self.fourth + _moved_fourth(self.count, self.second, self.third, away),
        )

    def __mul__(self, factor: float) -> Self:
        count = self.count * (int(factor) if float(factor).is_integer() and self.count.dtype.kind == "i" else factor)
        kept = float(factor != 0)
        second, third, fourth = (each * factor for each in self._sums)
        return type(self)(count, self.mean * kept, second, third, fourth, self.mean_low * kept)

    def possible(self) -> bool:
        """Counts alone can tell: what a subtraction leaves of small sums is rounding of the larger ones."""
        return bool((self.count >= 0).all())


def _moved_second(count: Array, away: Floats) -> Floats:
    """What sum (a_j + h_j)(a_k + h_k) has over sum a_j a_k, for h (cells, columns) away."""
    return np.asarray(count[:, None, None] * away[:, :, None] * away[:, None, :])


def _moved_third(count: Array, second: Floats, away: Floats) -> Floats:
    """What sum (a_j + h_j)² (a_k + h_k) has over sum a_j² a_k."""
    mine, theirs = away[:, :, None], away[:, None, :]
    squares = np.diagonal(second, axis1=1, axis2=2)[:, :, None]
    return np.asarray(theirs * squares + 2 * mine * second + count[:, None, None] * mine**2 * theirs)


def _moved_fourth(count: Array, second: Floats, third: Floats, away: Floats) -> Floats:
    """What sum (a_j + h_j)² (a_k + h_k)² has over sum a_j² a_k²."""
    mine, theirs = away[:, :, None], away[:, None, :]
    half = 2 * theirs * third + theirs**2 * np.diagonal(second, axis1=1, axis2=2)[:, :, None]
    whole = 4 * mine * theirs * second + count[:, None, None] * mine**2 * theirs**2
    return np.asarray(half + half.swapaxes(1, 2) + whole)


def _cleared(second: Floats, third: Floats, fourth: Floats, spread: Floats, quartic: Floats) -> Sums:
    """The sums, where they are more than the rounding of sums whose second and fourth orders are given."""
    two, four = (np.sqrt(np.abs(np.diagonal(each, axis1=1, axis2=2))) for each in (spread, quartic))
    sizes = two[:, :, None] * two[:, None, :], four[:, :, None] * two[:, None, :], four[:, :, None] * four[:, None, :]
    kept = [
        np.where(np.abs(each) > LEFT_BEHIND_SHARE * size, each, 0.0)
        for each, size in zip((second, third, fourth), sizes, strict=True)
    ]
    return kept[0], kept[1], kept[2]


def _chunks(rows: Array) -> list[Array]:
    return [rows[start : start + QUARTIC_ROWS_AT_A_TIME] for start in range(0, len(rows), QUARTIC_ROWS_AT_A_TIME)]
