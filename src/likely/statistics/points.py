"""The rows themselves by cell: what kernel densities need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from likely.core.numerics import Array, Floats
from likely.statistics.statistic import LEFT_BEHIND_SHARE, Statistic


@dataclass(frozen=True, eq=False)
class Points(Statistic):
    """values (points, columns), NaN where missing; cells (points,); weights (points,): rows, equal ones joined.

    They are sorted by cell, then by value, column by column, NaN last: neither the order of rows nor that of parts can
    be seen. Minus zero is zero. A row that was taken out and never in stays, with a weight below zero.

    >>> part = Points.of([[2.0], [1.0], [2.0]], [0, 1, 0])
    >>> part.values.tolist(), part.cells.tolist(), part.weights.tolist()
    ([[2.0], [1.0]], [0, 1], [2, 1])
    >>> (part - part).values.shape
    (0, 1)
    """

    values: Floats
    cells: Array
    weights: Array

    @classmethod
    def of(cls, values: npt.ArrayLike, cells: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Self:
        """The points of rows: values (rows, columns), cells (rows,) and weights (rows,), ones if there are none."""
        given = np.asarray(values, dtype=np.float64) + 0.0  # minus zero is zero
        given[np.isnan(given)] = np.nan  # of which there are many
        mass = np.ones(len(given), dtype=np.int64) if weights is None else np.asarray(weights)
        return cls._joined(given, np.asarray(cells, dtype=np.int64), mass)

    @classmethod
    def _joined(cls, values: Floats, cells: Array, weights: Array) -> Self:
        """Rows in any order, sorted, those of no weight left out."""
        order = _order(values, cells)
        values, cells, weights = values[order], cells[order], weights[order]
        starts = np.flatnonzero(_begins(values, cells))
        if len(starts) < len(values):
            values, cells, sizes = values[starts], cells[starts], np.add.reduceat(np.abs(weights), starts)
            weights = np.add.reduceat(weights, starts)
        else:
            sizes = np.abs(weights)
        left = np.abs(weights) > (LEFT_BEHIND_SHARE * sizes if weights.dtype.kind == "f" else 0)
        return cls(values, cells, weights) if left.all() else cls(values[left], cells[left], weights[left])

    def _with(self, other: Self, weights: Array) -> Self:
        both = np.concatenate([self.values, other.values]), np.concatenate([self.cells, other.cells])
        return self._joined(*both, np.concatenate([self.weights, weights]))

    def __add__(self, other: Self) -> Self:
        return self._with(other, other.weights)

    def __sub__(self, other: Self) -> Self:
        return self._with(other, -other.weights)

    def __mul__(self, factor: float) -> Self:
        whole = float(factor).is_integer() and self.weights.dtype.kind == "i"
        weights = self.weights * (int(factor) if whole else float(factor))
        return type(self)(self.values, self.cells, weights) if factor else self.empty()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        same = np.array_equal(self.cells, other.cells) and np.array_equal(self.weights, other.weights)
        return same and np.array_equal(self.values, other.values, equal_nan=True)

    def empty(self) -> Self:
        """No points, of as many columns."""
        return type(self)(self.values[:0], self.cells[:0], self.weights[:0])

    def possible(self) -> bool:
        """Whether any rows could be these points: none may weigh less than nothing."""
        return bool((self.weights > 0).all())

    def embed(self, cells: Array, columns: Array, shape: tuple[int, int]) -> Self:
        """The same points in a larger table: cell i is cells[i] there, column j columns[j], other columns missing."""
        values = np.full((len(self.values), shape[1]), np.nan)
        values[:, columns] = self.values
        return self._joined(values, np.asarray(cells, dtype=np.int64)[self.cells], self.weights)

    def take(self, cells: Array, columns: Array) -> Self:
        """The points of some cells, numbered in their order, in some columns."""
        places = np.full(max(self.cells.max(initial=-1), np.max(cells, initial=-1)) + 1, -1, dtype=np.int64)
        places[cells] = np.arange(len(cells))
        mine = places[self.cells]
        at = np.flatnonzero(mine >= 0)
        return self._joined(self.values[at][:, columns], mine[at], self.weights[at])

    def weight_of(self, values: Floats, cells: Array) -> Array:
        """(rows,): the weight of the points that rows (rows, columns) of these cells stand on; zero without one."""
        together, at = np.concatenate([self.values, values]), np.concatenate([self.cells, cells])
        order = _order(together, at)
        place = np.empty(len(at), dtype=np.int64)
        place[order] = np.cumsum(_begins(together[order], at[order])) - 1
        known = np.zeros(len(at), dtype=self.weights.dtype)
        known[place[: len(self.cells)]] = self.weights
        return known[place[len(self.cells) :]]

    def fits(self, cells: int, columns: int) -> bool:
        """Whether the arrays, as read from anywhere, can be points of so many cells and columns."""
        values, at, weights = self.values, self.cells, self.weights
        return (
            values.shape == (len(at), columns)
            and at.shape == weights.shape == (len(at),)
            and values.dtype == np.float64
            and at.dtype == np.int64
            and weights.dtype in (np.float64, np.int64)
            and not np.isinf(values).any()
            and bool(np.isfinite(weights).all() and (weights > 0).all())
            and bool((at >= 0).all() and (at < cells).all())
        )


def _order(values: Floats, cells: Array) -> Array:
    """(rows,): rows by cell, then by value, column by column, NaN last."""
    if not values.shape[1]:
        return np.argsort(cells, kind="stable")
    order = np.lexsort((values[:, 0], cells))  # parts are sorted so already, which makes it a merge
    if values.shape[1] > 1:
        begins = _begins(values[order, :1], cells[order])
        tied = ~(begins & np.append(begins[1:], True))
        among = order[tied]
        keys = (*values[among, 1:].T[::-1], np.cumsum(begins)[tied])
        order[tied] = among[np.lexsort(keys)]
    return order


def _begins(values: Floats, cells: Array) -> Array:
    """(rows,): whether a row of sorted ones differs from the one before."""
    begins = np.ones(len(cells), dtype=bool)
    np.not_equal(cells[1:], cells[:-1], out=begins[1:])
    for column in values.T:
        missing = np.isnan(column)
        begins[1:] |= (column[1:] != column[:-1]) & ~(missing[1:] & missing[:-1])
    return begins
