"""What windows on a grid say of values: in classes, in cells below them, and under drawn weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from likely.core.block import Block
from likely.core.numerics import Array, Floats, log
from likely.families.binned_values import SourceSummary
from likely.families.numeric import log_masses
from likely.kernels.densities import parzen_windows
from likely.kernels.scoring.nested import interpolate_cells

BASE_DEGREES = 3.0  # of the base: the heaviest whole tail that still has a variance
LOG_STUDENT = np.log(2.0 / (np.pi * np.sqrt(3.0)))  # its log density at the centre, at scale one


@dataclass(frozen=True)
class GridDensities:
    """What the classes say of a value: windows worth `mass` (classes,) values and a base worth `base`.

    `summary` is of the classes, and last of the whole column.
    """

    tables: parzen_windows.DensityTables | DrawnTables
    mass: Floats
    base: Floats
    summary: SourceSummary
    presence: tuple[Floats, Floats]
    column: int

    def add(self, block: Block, out: Floats) -> None:
        out += self.terms(block)[:, 0]

    def terms(self, block: Block) -> Floats:
        """(rows, 1, classes)."""
        return with_presence(self.presence, block.reals[:, self.column], self.log_density)

    def log_density(self, values: Floats) -> Floats:
        """(rows, classes): log densities of values that are there."""
        return over_column(self.summary, values, self.tables.at(values), self.mass, self.base)

    @property
    def silent(self) -> bool:
        """Whether the column says nothing."""
        return not self.summary.deviation[-1] > 0

    def tails(self, edges: Floats) -> tuple[Floats, Floats]:
        """(classes, edges), twice: the mass below and beyond each edge."""
        assert isinstance(self.tables, parzen_windows.DensityTables), "what is learnt has tables"
        away = (edges - self.summary.mean[-1]) / self.summary.deviation[-1]
        worth, base = self.mass[:, None], self.base[:, None]
        wide = stdtr(BASE_DEGREES, away), stdtr(BASE_DEGREES, -away)
        below, above = (
            (worth * windows + base * base_mass) / (worth + base)
            for windows, base_mass in zip(_tails(self.tables, edges), wide, strict=True)
        )
        return below, above


@dataclass(frozen=True)
class CellDensities:
    """tables, flat [class][cell]; (cells + 1, classes): the worth of windows and of their base; the last is no cell."""

    level: GridDensities
    tables: parzen_windows.DensityTables
    mass: Floats
    base: Floats

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        """out (rows, classes) += the terms; the only column is at place 0."""
        if not skip:
            out += self.terms(block, np.full(block.rows, -1) if cells is None else cells)[:, 0]

    def terms(self, block: Block, cells: Array) -> Floats:
        """(rows, 1, classes)."""
        level, mass, base = self.level, self.mass[cells], self.base[cells]

        def said(values: Floats) -> Floats:
            above = level.log_density(values)
            return np.zeros(above.shape) if level.silent else mixed(self.density(values, cells), mass, above, base)

        return with_presence(level.presence, block.reals[:, level.column], said)

    def density(self, values: Floats, cells: Array) -> Floats:
        """(rows, classes): of the windows alone; zero without a cell."""
        out, tables = np.empty((len(values), self.mass.shape[1])), self.tables
        parents = len(self.mass) - 1
        interpolate_cells(values, cells, parents, tables.tables, tables.starts, tables.origins, tables.spacings, out)
        return out

    def log_masses(self, edges: Floats) -> Floats:
        """(classes, cells + 1, edges + 1): log probability of each part between edges; last, of no cell."""
        parents, classes = len(self.mass) - 1, self.mass.shape[1]
        if self.level.silent:
            below = np.broadcast_to((edges >= self.level.summary.mean[-1]) * 1.0, (classes, parents + 1, len(edges)))
            return log_masses(below, 1.0 - below)
        mass, base = self.mass[:-1].T[:, :, None], self.base[:-1].T[:, :, None]
        some, sides = mass > 0, []
        for windows, above in zip(_tails(self.tables, edges), self.level.tails(edges), strict=True):
            own = windows.reshape(classes, parents, len(edges))
            mean = (mass * own + base * above[:, None]) / np.where(some, mass + base, 1.0)
            inside = np.where(some, mean, above[:, None])
            sides.append(np.concatenate([inside, above[:, None]], axis=1))
        return log_masses(*sides)


@dataclass(frozen=True)
class DrawnCellDensities:
    """Densities drawn from their posterior, one of each draw."""

    each: tuple[CellDensities, ...]

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        """out (rows, draws * classes) += the terms; the only column is at place 0."""
        classes = out.shape[1] // len(self.each)
        for at, densities in enumerate(self.each):
            densities.add(block, out[:, at * classes : (at + 1) * classes], cells, skip)


@dataclass(frozen=True, eq=False)
class DrawnTables:
    """A `DrawnGridDensity` a cell: `at` gives the densities of all draws, the cells of one draw beside each other."""

    cells: tuple[DrawnGridDensity, ...]

    def at(self, values: Floats) -> Floats:
        """(rows, draws * cells)."""
        return np.stack([cell.at(values) for cell in self.cells], axis=-1).reshape(len(values), -1)


@dataclass(frozen=True, eq=False)
class DrawnGridDensity:
    """Shares (nodes, draws) of a cell on every `spacing` from `origin` on, and the window (2 far + 3,) laid on each."""

    shares: Floats
    window: Floats
    origin: float
    spacing: float

    @classmethod
    def of(
        cls, nodes: Array, drawn: Floats, width: float, kernel: int, origin: float, spacing: float
    ) -> DrawnGridDensity:
        """From drawn weights (draws, nodes) of some nodes of a grid, binned on fewer nodes as for a table."""
        from scipy.sparse import csr_array  # slow to import, and not needed to learn or to score

        step = float(parzen_windows.steps_of(np.array(width), spacing))
        ratio = step * spacing / width
        masses = parzen_windows.window(kernel, ratio, parzen_windows.reach(kernel, ratio))
        place = (nodes / step).astype(np.int64)
        part, each = nodes / step - place, np.arange(len(nodes))
        shared = np.concatenate([1.0 - part, part]), (np.append(place, place + 1), np.append(each, each))
        bins = csr_array(shared, shape=(drawn_nodes(nodes, width, spacing), len(nodes)))
        whole = np.maximum(drawn.sum(axis=1) * step * spacing, 1e-300)
        return cls(bins @ (drawn / whole[:, None]).T, np.pad(masses, 1), origin, step * spacing)

    def at(self, values: Floats) -> Floats:
        """(rows, draws): densities, linear between nodes."""
        far = len(self.window) // 2
        away = ((values - self.origin) / self.spacing)[:, None] - np.arange(len(self.shares))
        return np.asarray(np.interp(away, np.arange(-far, far + 1), self.window) @ self.shares)


def drawn_nodes(nodes: Array, width: float, spacing: float) -> int:
    """How many nodes a table has under windows of that width, of values on some nodes of a grid.

    >>> drawn_nodes(np.array([3, 100]), 1.0, 1 / 256), drawn_nodes(np.array([3, 100]), 1.0, 1.0)
    (27, 102)
    """
    step = float(parzen_windows.steps_of(np.array(width), spacing))
    return int(nodes.max(initial=0) / step) + 2


def with_presence(presence: tuple[Floats, Floats], values: Floats, said: Callable[[Floats], Floats]) -> Floats:
    """(rows, 1, classes): what is said of values (rows,) that are there, and what it says that they are or are not."""
    missing, (here, gone) = np.isnan(values), presence
    if not missing.any():
        return (said(values) + here)[:, None, :]
    return np.where(missing[:, None], gone, said(np.where(missing, 0.0, values)) + here)[:, None, :]


def over_column(summary: SourceSummary, values: Floats, density: Floats, mass: Floats, base: Floats) -> Floats:
    """(rows, classes): windows of a density mixed with the base of the column; zero where that has no spread."""
    scale = summary.deviation[..., -1]
    silent = ~(scale > 0)
    if not base.any():
        return np.where(silent[..., None], 0.0, log(density))
    scale = np.where(silent, 1.0, scale)
    # the square of a value may not be a double, its hypotenuse is
    slope = log(np.hypot(1.0, (values - summary.mean[..., -1]) / scale / np.sqrt(BASE_DEGREES)))
    wide = (LOG_STUDENT - log(scale) - (BASE_DEGREES + 1.0) * slope)[:, None]
    terms = mixed(density, mass, wide, base)
    return np.where(silent[..., None], 0.0, terms) if silent.any() else terms


def mixed(density: Floats, mass: Floats, above: Floats, base: Floats) -> Floats:
    """log of (mass density + base exp(above)) / (mass + base); what is above where there is no mass."""
    some = mass > 0
    both = np.logaddexp(log(density) + log(mass), above + log(base))
    if some.all():
        return both - log(mass + base)
    return np.where(some, both - log(np.where(some, mass + base, 1.0)), above)


def _tails(tables: parzen_windows.DensityTables, edges: Floats) -> tuple[Floats, Floats]:
    """(cells, edges): the mass below and beyond each edge, of densities that are linear between nodes."""
    below, above = np.empty((2, len(tables.origins), len(edges)))
    for cell, (origin, spacing) in enumerate(zip(tables.origins, tables.spacings, strict=True)):
        heights = tables.tables[tables.starts[cell] : tables.starts[cell + 1]]
        places = np.clip((edges - origin) / spacing, 0.0, len(heights) - 1.0)
        below[cell] = spacing * _areas(heights, places)
        above[cell] = spacing * _areas(heights[::-1], len(heights) - 1.0 - places)
    return below, above


def _areas(heights: Floats, places: Floats) -> Floats:
    """(edges,): the area under heights up to each place, in nodes."""
    sums = np.concatenate([[0.0], np.cumsum((heights[1:] + heights[:-1]) / 2.0)])
    node = np.minimum(places.astype(np.int64), len(heights) - 2)
    part = places - node
    return np.asarray(sums[node] + part * (heights[node] + part / 2.0 * (heights[node + 1] - heights[node])))
