"""Kernels on the points of each cell, with a wide base beside them: log densities, and their split into terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from scipy.special import gammaln

from likely.core.block import Block
from likely.core.cache import Cache, cached_property
from likely.core.numerics import Array, Floats, log
from likely.families.kernel_density import KernelSum
from likely.statistics import Points

WINDOW_BASE_DEGREES = 3.0  # of the base: the heaviest whole tail that still has a variance
ALL_CELLS = -1  # the cell of all rows together
Columns = tuple[int, ...]


@dataclass(frozen=True)
class WindowDensities:
    """Kernels of these widths (cells, columns) on points, and a base worth `base` (cells,) rows.

    `groups` are the columns, of those that speak, whose density is joint; centre and scale (columns,) are the base's;
    presence (columns, cells) is None where a missing value says nothing.
    """

    points: Points
    widths: Floats
    base: Floats
    centre: Floats
    scale: Floats
    groups: tuple[Columns, ...]
    kernel: str
    tolerance: float
    presence: tuple[Floats, Floats] | None
    at: Array | slice

    @cached_property
    def _built(self) -> Cache[Any, Any]:
        return Cache()

    def _having(self, columns: Columns) -> tuple[Floats, Floats, Array]:
        """values (points, columns) and weights (points,) of those that have all of these columns; where cells start."""

        def build() -> tuple[Floats, Floats, Array]:
            points = self.points.take(np.arange(len(self.base)), np.array(columns))
            whole = ~np.isnan(points.values).any(axis=1)
            starts = np.searchsorted(points.cells[whole], np.arange(len(self.base) + 1))
            return points.values[whole], points.weights[whole].astype(np.float64), starts

        return self._built.get(columns, build)  # type: ignore[no-any-return]

    def mass(self, columns: Columns) -> Floats:
        """(cells,): the weight of the points that have all of these columns."""
        cells = range(len(self.base))

        def build() -> Floats:
            return np.array([self.rows_of(cell, columns)[1].sum() for cell in cells])

        return self._built.get((columns, "mass"), build)  # type: ignore[no-any-return]

    def rows_of(self, cell: int, columns: Columns) -> tuple[Floats, Floats]:
        """values (points, columns) and weights (points,) of a cell, or of all."""
        values, weights, starts = self._having(columns)
        if cell == ALL_CELLS:
            every = self._built.get((columns, "all"), lambda: Points.of(values, np.zeros(len(values)), weights))
            return every.values, every.weights
        mine = slice(starts[cell], starts[cell + 1])
        return values[mine], weights[mine]

    def kernels(self, cell: int, columns: Columns, widths: Floats, whole: int) -> KernelSum:
        """The kernels on the points of a cell, those of `whole` columns summed over all but these."""

        def build() -> KernelSum:
            return KernelSum(*self.rows_of(cell, columns), widths, self.kernel, whole, self.tolerance)

        return self._built.get((cell, columns, widths.tobytes()), build)  # type: ignore[no-any-return]

    def lender(self, cell: int, columns: Columns) -> int:
        """The cell whose rows stand for a cell: itself, or all where it has none and no base."""
        return cell if self.mass(columns)[cell] > 0 or self.base[cell] > 0 else ALL_CELLS

    def log_density(self, values: Floats, columns: Columns, whole: int) -> Floats:
        """(rows, cells): log densities of values (rows, columns), none missing, under kernels of `whole` columns."""
        mass = self.mass(columns)
        if not mass.any() and not self.base.any():  # no row has them together
            parts = [self.log_density(values[:, [at]], (column,), whole) for at, column in enumerate(columns)]
            return np.asarray(np.sum(parts, axis=0))
        out = np.full((len(values), len(mass)), -np.inf)
        for cell in range(len(mass)):
            lender = self.lender(cell, columns)
            if lender == ALL_CELLS or mass[cell] > 0:
                widths = np.ascontiguousarray(self.widths[cell, columns])
                out[:, cell] = self.kernels(lender, columns, widths, whole).log_density(values)
        at = list(columns)
        return mixed(out, mass, self.base, values, self.centre[at], self.scale[at])

    def scores(self, values: Floats) -> Floats:
        """(rows, cells): log densities of values (rows, all columns), summed over what is missing."""
        out = np.zeros((len(values), len(self.base)))
        for group in self.groups:
            for rows, columns in patterns(values, group):
                out[rows] += self.log_density(queries(values, rows, columns), columns, len(group))
        return out

    def said(self, values: Floats) -> Floats:
        """(rows, cells): the scores, and what missing values say."""
        scores = self.scores(values)
        return scores if self.presence is None else scores + missing_terms(values, *self.presence).sum(axis=1)

    def add(self, block: Block, out: Floats) -> None:
        out += self.said(block.reals[:, self.at])

    def terms(self, block: Block) -> Floats:
        values = block.reals[:, self.at]
        out = np.zeros((*values.shape, len(self.base)))
        for group in self.groups:
            for rows, columns in patterns(values, group):
                for column, part in self._split(queries(values, rows, columns), columns, len(group)).items():
                    out[rows, column] = part
        return out if self.presence is None else out + missing_terms(values, *self.presence)

    def _split(self, values: Floats, columns: Columns, whole: int) -> dict[int, Floats]:
        """Each column's share (rows, cells) of the log density: what it adds, in the mean over all orders."""
        size = len(columns)
        known: dict[Columns, Floats] = {(): np.zeros((len(values), len(self.base)))}
        for some in range(1, size + 1):
            for at in combinations(range(size), some):
                columns_at = tuple(columns[place] for place in at)
                known[at] = self.log_density(np.ascontiguousarray(values[:, at]), columns_at, whole)
        whole_density = known[tuple(range(size))]
        # -inf is no one's share more than another's; and rows that were borrowed may allow what own rows do not
        split = np.all([np.isfinite(part) for part in known.values()], axis=0)
        out = {}
        for place, column in enumerate(columns):
            out[column] = np.where(split, 0.0, whole_density / size)
            for at in (at for at in known if place not in at):
                with_it, zero = known[tuple(sorted((*at, place)))], np.zeros(split.shape)
                out[column] += np.subtract(with_it, known[at], zero, where=split) / (size * comb(size - 1, len(at)))
        return out


def patterns(values: Floats, group: Columns) -> Iterator[tuple[Any, Columns]]:
    """The rows (an index) that have some columns of a group and no others of it, with these columns."""
    missing = np.isnan(values[:, group])
    if not missing.any():
        yield slice(None), group
        return
    kinds = missing @ (1 << np.arange(len(group)))
    for kind in np.unique(kinds):
        columns = tuple(column for place, column in enumerate(group) if not kind >> place & 1)
        if columns:
            yield np.flatnonzero(kinds == kind), columns


def queries(values: Floats, rows: Any, columns: Columns) -> Floats:
    """(rows, columns): the values there."""
    return np.ascontiguousarray(values[rows][:, columns])


def mixed(kernels: Floats, mass: Floats, base: Floats, values: Floats, centre: Floats, scale: Floats) -> Floats:
    """(rows, cells): the log of (mass p + base p0) / (mass + base), from the logs of p (rows, cells).

    p0 is the Student-t with these centres and scales, at values (rows, columns).
    """
    if not base.any():
        return kernels
    size = values.shape[1]
    half = (WINDOW_BASE_DEGREES + size) / 2.0
    constant = gammaln(half) - gammaln(WINDOW_BASE_DEGREES / 2.0) - size / 2.0 * np.log(WINDOW_BASE_DEGREES * np.pi)
    # the square of a value may not be a double, its hypotenuse is
    slope = log(np.hypot(1.0, np.hypot.reduce((values - centre) / scale, axis=1) / np.sqrt(WINDOW_BASE_DEGREES)))
    wide = constant - np.log(np.broadcast_to(scale, values.shape)).sum(axis=1) - 2.0 * half * slope
    return np.asarray(np.logaddexp(kernels + log(mass), wide[:, None] + log(base)) - log(mass + base))


def missing_terms(values: Floats, here: Floats, gone: Floats) -> Floats:
    """(rows, columns, cells): what values say by being there or missing."""
    return np.where(np.isnan(values)[:, :, None], gone, here)
