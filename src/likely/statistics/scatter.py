"""Means and scatter matrices by cell: what multivariate Gaussians need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from likely.core.numerics import Array, Floats
from likely.kernels.arithmetic.double import Pair, add2, divide2, multiply2, subtract2
from likely.statistics.moments import LEAST_VARIANCE, SPREAD_ROUNDING, SQUARES_ROUNDING, DoubleSums, Moments, clear
from likely.statistics.statistic import LEFT_BEHIND_SHARE


@dataclass(frozen=True, eq=False)
class Scatter(DoubleSums):
    """All (cells, columns, columns), [j, k] of the rows that have both columns, and each held in two doubles.

    The count of rows, the totals of column j, and the totals of products. (The count is a whole number and its low part
    zero where the weights are whole.) As the sums of `Moments`, they are plainly addable, lose nothing where the mean
    is large, and let go of a row that was a billion times larger than all that remain.

    >>> part = Scatter.of(np.array([[1e8, 2.0], [1e8 + 2, 6.0]]))
    >>> part.mean.tolist(), part.centred.tolist()
    ([[100000001.0, 4.0]], [[[2.0, 4.0], [4.0, 8.0]]])
    """

    AXES: ClassVar[Mapping[str, int]] = dict.fromkeys(
        ("count", "total", "total_low", "product", "product_low", "count_low"), 3
    )

    count: Array
    total: Floats
    total_low: Floats
    product: Floats
    product_low: Floats
    count_low: Floats

    @classmethod
    def of(cls, values: Floats, cells: Array | None = None, weights: Floats | None = None, n_cells: int = 1) -> Scatter:
        """The scatter of rows (rows, columns) in cells (rows,): the first, if none are given; NaN is missing."""
        from likely.kernels.counting.scatter import scatter

        out = np.zeros((6, n_cells, values.shape[1], values.shape[1]))
        scatter(values, np.zeros(len(values), dtype=np.int32) if cells is None else cells, weights, out)
        return cls(*out)

    def moments(self) -> Moments:
        """(cells, columns): what the same rows say of each column alone."""
        parts = (self.count, self.total, self.total_low, self.product, self.product_low, self.count_low)
        return Moments(*(np.ascontiguousarray(_diagonal(part)) for part in parts))

    def __sub__(self, other: Self) -> Self:
        rest = type(self)(*self._together(other, subtract2))
        count, total, product = rest.count, rest._total, rest._product
        # Where no row is left, what rounding left behind is nothing; anything larger shows in `impossible`.
        size = np.sqrt(np.maximum(_diagonal(self.product), 0.0))
        around = size[:, :, None] * np.sqrt(np.maximum(self.count, 0.0))
        clear((count == 0) & (np.abs(total[0]) <= LEFT_BEHIND_SHARE * around), *total)
        clear((count == 0) & (np.abs(product[0]) <= LEFT_BEHIND_SHARE * size[:, :, None] * size[:, None, :]), *product)
        return rest._flattened(self)

    def _flattened(self, whole: Self) -> Self:
        """What a subtraction left, without the spread of columns that is but the rounding of the whole.

        No spread is less than none, and one row alone has none; elsewhere only what two doubles lose can be told.
        """
        spread = self._spread()
        sure = spread < 0
        if self.count.dtype.kind == "i":
            sure |= _diagonal(self.count) == 1
        flat = np.abs(spread) <= SQUARES_ROUNDING * _diagonal(whole.product)
        flat |= sure & (np.abs(spread) <= LEFT_BEHIND_SHARE * np.abs(whole._spread()))
        flat = (flat[:, :, None] | flat[:, None, :]) & (self.count > 0)
        if not flat.any():
            return self
        high, low = self._about()
        flat &= ~self._lost(high, low)
        return replace(
            self, product=np.where(flat, high, self.product), product_low=np.where(flat, low, self.product_low)
        )

    def impossible(self) -> Array:
        squares, spread = _diagonal(self.product), self._spread()
        gone = (self.count == 0) & ((self.total != 0) | (self.product != 0))
        found = ((self.count < 0) | gone).any(axis=2) | (spread < -LEFT_BEHIND_SHARE * squares)
        if self.count.dtype.kind == "i":  # one value alone has no spread; two of weight a half may
            found |= (_diagonal(self.count) == 1) & (spread > 1e-9 * squares)
        return np.asarray(found)

    @property
    def whole(self) -> bool:
        """Whether no row had a missing value: one that has nothing at all is no row."""
        return all(bool((part == part[:, :1, :1]).all()) for part in (self.count, self.count_low))

    @property
    def mean(self) -> Floats:
        """(cells, columns): over the rows that have the column; zero where none does."""
        return np.where(_diagonal(self.count) > 0, self._mean()[0], 0.0)

    @property
    def centred(self) -> Floats:
        """(cells, columns, columns): sums of products of distances from the means.

        Zero where they are below what the values, or two doubles, can resolve.
        """
        high, low = self.centred_pair
        return high + low

    @property
    def centred_pair(self) -> Pair:
        """The same in two doubles: what tells columns apart that are nearly sums of others."""
        about = self._about()
        lost = self._lost(*about)
        high, low = subtract2(*self._product, *about)
        least = ((SPREAD_ROUNDING * self.mean) ** 2 + LEAST_VARIANCE) * _diagonal(self.count)
        flat = _diagonal(lost) | (_diagonal(high) <= least)
        nothing = lost | flat[:, :, None] | flat[:, None, :]
        return np.where(nothing, 0.0, high), np.where(nothing, 0.0, low)

    @property
    def _total(self) -> Pair:
        return self.total, self.total_low

    @property
    def _product(self) -> Pair:
        return self.product, self.product_low

    def _mean(self) -> Pair:
        count = np.where(_diagonal(self.count) > 0, _diagonal(self.count), 1.0)
        return divide2(_diagonal(self.total), _diagonal(self.total_low), count, _diagonal(self.count_low))

    def _spread(self) -> Floats:
        """(cells, columns): the centred sums of squares, as they come."""
        about = multiply2(_diagonal(self.total), _diagonal(self.total_low), *self._mean())
        high, low = subtract2(_diagonal(self.product), _diagonal(self.product_low), *about)
        return np.asarray(high + low)

    def _about(self) -> Pair:
        """The products that would leave no scatter: m_j t_kj + m_k t_jk - m_j m_k n_jk."""
        high, low = self._mean()
        mine, theirs = (high[:, :, None], low[:, :, None]), (high[:, None, :], low[:, None, :])
        across = multiply2(self.total.swapaxes(1, 2), self.total_low.swapaxes(1, 2), *mine)
        rows = multiply2(self.count.astype(np.float64), self.count_low, *mine)
        rest = subtract2(*self._total, *rows)  # of column j about its mean: nothing, where no row has a missing value
        above = add2(*across, *multiply2(*rest, *theirs))
        return _mirrored(above[0]), _mirrored(above[1])

    def _lost(self, high: Floats, low: Floats) -> Array:
        """Where the products are these, as far as two doubles can tell."""
        size = np.sqrt(np.abs(_diagonal(self.product)))
        raw, _ = subtract2(*self._product, high, low)
        return np.asarray(np.abs(raw) <= SQUARES_ROUNDING * size[:, :, None] * size[:, None, :])


def _diagonal(matrices: Array) -> Array:
    """(cells, columns) of (cells, columns, columns)."""
    return np.asarray(np.diagonal(matrices, axis1=1, axis2=2))


def _mirrored(matrices: Floats) -> Floats:
    """Of [j, k] and [k, j], which may have been rounded differently, the one above the diagonal."""
    return np.asarray(np.triu(matrices) + np.triu(matrices, 1).swapaxes(1, 2))
