"""What every statistic can do: add, subtract, scale, start from nothing, and be written down exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import ClassVar, Self

import numpy as np

from likely.core.numerics import Array

LEFT_BEHIND_SHARE = 1e-12  # of what was there: what fractional weights may leave behind when all rows are taken back


class Statistic:
    """Arrays whose first axis is the cell and whose further axes are columns; the sum of two parts is the whole.

    Subclasses are frozen dataclasses of arrays. Whole weights are counted in int64, others in float64.
    """

    AXES: ClassVar[Mapping[str, int]] = {}  # of the arrays that have other than two, cells and columns

    def arrays(self) -> dict[str, Array]:
        """The fields by name, for storing; `type(self)(**arrays)` gives the statistic back, bit for bit."""
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]

    def _map(self, change: Callable[[Array], Array]) -> Self:
        return type(self)(**{name: change(array) for name, array in self.arrays().items()})

    def __add__(self, other: Self) -> Self:
        theirs = other.arrays()
        return type(self)(**{name: array + theirs[name] for name, array in self.arrays().items()})

    def taking(self, other: Self) -> Self:
        """The sum; of a large table, in its own room."""
        return self + other

    def __sub__(self, other: Self) -> Self:
        theirs = other.arrays()
        return type(self)(**{name: subtract(array, theirs[name]) for name, array in self.arrays().items()})

    def __mul__(self, factor: float) -> Self:
        whole = float(factor).is_integer()
        return self._map(lambda array: array * (int(factor) if whole and array.dtype.kind == "i" else float(factor)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        theirs = other.arrays()
        return all(np.array_equal(array, theirs[name]) for name, array in self.arrays().items())

    __hash__ = None  # type: ignore[assignment]

    def empty(self) -> Self:
        """The identity: the statistic of no rows, of the same shape."""
        return self._map(np.zeros_like)

    def possible(self) -> bool:
        """Whether any rows could have this statistic; after a subtraction, False says the rows were never there."""
        return all(bool((array >= 0).all()) for array in self.arrays().values())

    def fits(self, cells: int, columns: int) -> bool:
        """Whether the arrays, as read from anywhere, can be those of so many cells and columns, and of any rows."""
        shapes = (cells,), (cells, columns), (cells, columns, columns)
        shaped = all(
            array.shape == shapes[self.AXES.get(name, 2) - 1]
            and array.dtype in (np.float64, np.int64)
            and bool(np.isfinite(array).all())
            for name, array in self.arrays().items()
        )
        return shaped and self.possible()

    def embed(self, cells: Array, columns: Array, shape: tuple[int, int]) -> Self:
        """The same answers in a larger table: cell i goes to cells[i], column j to columns[j], the rest is empty."""

        grid = _grids(cells, columns)

        def place(array: Array) -> Array:
            out = np.zeros((shape[0], *(shape[1],) * (array.ndim - 1)), dtype=array.dtype)
            out[grid(array.ndim)] = array
            return out

        return self._map(place)

    def take(self, cells: Array, columns: Array) -> Self:
        """The answers of some cells and columns only."""
        grid = _grids(cells, columns)
        return self._map(lambda array: array[grid(array.ndim)])


def _grids(cells: Array, columns: Array) -> Callable[[int], tuple[Array, ...]]:
    """The places of cells by columns in an array of so many axes, found once for all arrays of a statistic."""
    return cache(lambda axes: np.ix_(cells, *(columns,) * (axes - 1)))


def subtract(whole: Array, part: Array) -> Array:
    """whole - part, where what remains of fractional weights through rounding alone is nothing.

    >>> subtract(np.array([0.1 + 0.2]), np.array([0.3]))
    array([0.])
    """
    rest = whole - part
    if rest.dtype.kind == "f":
        rest[np.abs(rest) <= LEFT_BEHIND_SHARE * np.abs(whole)] = 0.0
    return np.asarray(rest)
