"""A Parzen column below the class: windows on the values of each cell, and the density of the class as their base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtr

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log
from likely.families.draws import Draws
from likely.families.nested import Under
from likely.families.numeric import log_masses, own_moments
from likely.families.parzen import BASE_DEGREES, CellSummary, GridDensities, ParzenPredictor, ParzenWindow
from likely.families.predictor import own_weights
from likely.kernels.densities import parzen_windows
from likely.kernels.scoring.nested import interpolate_cells
from likely.statistics import GridCounts, Moments

RULES_OF_THUMB = ("silverman", "scott")
NO_TABLES = parzen_windows.DensityTables(np.zeros(0), np.zeros(1, np.int64), np.zeros(0), np.zeros(0))


@dataclass(frozen=True)
class CellDensities:
    """tables, flat [class][cell]; (cells + 1, classes): the worth of windows and of their base; the last is no cell."""

    level: GridDensities
    tables: parzen_windows.DensityTables
    mass: Floats
    base: Floats

    def add(self, block: Block, cells: Array, out: Floats, skip: Sequence[int] = ()) -> None:
        """out (rows, classes) += the terms; the only column is at place 0."""
        if not skip:
            out += self.terms(block, cells)[:, 0]

    def terms(self, block: Block, cells: Array) -> Floats:
        """(rows, 1, classes)."""
        here, gone = self.level.presence
        missing = np.isnan(block.reals[:, self.level.column])
        values = np.where(missing, 0.0, block.reals[:, self.level.column])
        terms = mixed(self.density(values, cells), self.mass[cells], self.level.log_density(values), self.base[cells])
        said = 0.0 if self.level.silent else terms
        return np.where(missing[:, None], gone, said + here)[:, None, :]

    def density(self, values: Floats, cells: Array) -> Floats:
        """(rows, classes): of the windows alone; zero without a cell."""
        out, tables = np.empty((len(values), self.mass.shape[1])), self.tables
        parents = len(self.mass) - 1
        interpolate_cells(values, cells, parents, tables.tables, tables.starts, tables.origins, tables.spacings, out)
        return out


@dataclass(frozen=True)
class DrawnNestedDensities:
    """Densities drawn from their posterior, one of each draw."""

    each: tuple[CellDensities, ...]

    def add(self, block: Block, cells: Array, out: Floats, skip: Sequence[int] = ()) -> None:
        """out (rows, draws * classes) += the terms; the only column is at place 0."""
        if not skip:
            out += np.concatenate([densities.terms(block, cells)[:, 0] for densities in self.each], axis=1)


def mixed(density: Floats, mass: Floats, level: Floats, base: Floats) -> Floats:
    """log of (mass density + base exp(level)) / (mass + base); the level where there is no mass."""
    some = mass > 0
    whole = np.where(some, mass + base, 1.0)
    return np.where(some, np.logaddexp(log(density) + log(mass), level + log(base)) - log(whole), level)


@dataclass(frozen=True)
class NestedParzen:
    """Predictive (n p̂ + s p) / (n + s) of n values in a cell: their windows p̂, and the predictive p of the class.

    The bandwidth rule is applied to the cell; a cell whose values the grid cannot tell apart takes the spread of its
    class, or of the column where the class cannot either. `map` and `mle`: p̂, or p where a cell has no values. Leaving
    one out keeps the bandwidths of `cv`.
    """

    level: ParzenPredictor
    under: ParzenPredictor  # its cells are flat [class][cell]

    @classmethod
    def of(cls, evidence: Under) -> NestedParzen:
        """The predictor of the evidence."""
        level = ParzenWindow().predictor(evidence.level)
        return cls(level, replace(level, counts=evidence.answer(GridCounts).table, moments=evidence.answer(Moments)))

    @property
    def classes(self) -> int:
        return len(self.level.counts)

    @property
    def parents(self) -> int:
        """How many cells the parents make."""
        return len(self.under.counts) // self.classes

    @cached_property
    def summary(self) -> CellSummary:
        """(cells + 1, classes): of each cell; nothing of the last, which is none."""
        under, nobody = self.under, np.zeros(1)
        quartiles = [under.quartiles(source, nobody, nobody)[0] for source in range(len(under.counts))]
        moments = under.moments
        parts = (moments.count, moments.mean, under.spread(moments), np.array(quartiles))
        laid = (np.reshape(part, (self.classes, self.parents)).T for part in parts)
        return CellSummary(*(np.vstack([part, np.zeros((1, self.classes))]) for part in laid))

    @cached_property
    def widths(self) -> Floats:
        """(cells + 1, classes): the bandwidths."""
        widths = self._widths(self.summary, self.level.summary)
        if self.level.form.bandwidth == "cv":
            for cell, at in np.argwhere(self.summary.spread > 0):
                counts, start = self.under.counts[at * self.parents + cell], float(widths[cell, at])
                widths[cell, at] = parzen_windows.cross_validated(
                    counts, self.level.kernel, self.level.grid.spacing, start
                )
        return widths

    def _widths(self, cells: CellSummary, level: CellSummary) -> Floats:
        """(..., classes): the bandwidths of cells by rule, from (..., classes) and (..., classes + 1)."""
        able = level.spread[..., :-1] > 0
        pairs = {}
        for name, part in vars(level).items():
            leant_on = np.where(able, part[..., :-1], part[..., -1:])
            pairs[name] = np.stack(np.broadcast_arrays(vars(cells)[name], leant_on), axis=-1)
        return CellSummary(**pairs).widths(self.level.form, self.level.grid.spacing)[..., 0]

    @cached_property
    def base(self) -> Floats:
        """(cells + 1, classes): the values that the class is worth in each cell."""
        return np.broadcast_to(self.level.base, self.summary.count.shape)

    def _densities(self, level: GridDensities, counts: Floats, base: Floats) -> CellDensities:
        grid, widths = self.level.grid, self.widths[:-1].T.reshape(-1)
        tables = NO_TABLES
        if len(counts):
            tables = parzen_windows.DensityTables.of(counts, widths, self.level.kernel, grid.origin, grid.spacing)
        mass = counts.sum(axis=1).reshape(self.classes, self.parents).T
        return CellDensities(level, tables, np.vstack([mass, np.zeros((1, self.classes))]), base)

    @cached_property
    def described(self) -> CellDensities:
        return self._densities(self.level.described, self.under.counts, self.base)

    def add(self, block: Block, cells: Array, out: Floats, skip: Sequence[int] = ()) -> None:
        """out (rows, classes) += the terms, unless the column is skipped."""
        self.described.add(block, cells, out, skip)

    def terms(self, block: Block, cells: Array) -> Floats:
        """(rows, 1, classes)."""
        return self.described.terms(block, cells)

    def drawn(self, draws: Draws) -> DrawnNestedDensities:
        rng = draws.rng
        return DrawnNestedDensities(tuple(self.draw(rng) for _ in range(draws.times)))

    def draw(self, rng: np.random.Generator) -> CellDensities:
        """The Bayesian bootstrap, as in the class: gamma weights for values and base; the bandwidths stay."""
        drawn = self.under.counts.copy()
        drawn[drawn > 0] = rng.standard_gamma(drawn[drawn > 0])
        lost = drawn.sum(axis=1) < 1e-200
        drawn[lost] = self.under.counts[lost]
        return self._densities(self.level.draw(rng), drawn, rng.standard_gamma(self.base))

    def sample(self, classes: Array, cells: Array, rng: np.random.Generator) -> Array:
        """(rows, 1): from the class, missing values too, then from the windows of the cell as often as they count."""
        out = self.level.sample(classes, rng)
        mass, base = self.described.mass[cells, classes], self.base[cells, classes]
        own = ~np.isnan(out[:, 0]) & (rng.random(len(out)) * (mass + base) < mass) & (not self.level.described.silent)
        flat = classes * self.parents + cells
        for source in np.unique(flat[own]):
            rows = np.flatnonzero(own & (flat == source))
            width = self.widths[cells[rows[0]], classes[rows[0]]]
            out[rows, 0] = self.under.around(source, width, len(rows), rng)
        return out

    def mass(self, place: int, edges: tuple[float, ...]) -> Floats:
        """(classes, cells + 1, edges + 1): log probability of each part between edges; last, of no cell."""
        level, at = self.level.described, np.array(edges, dtype=np.float64)
        centre, scale = level.summary.mean[-1], level.summary.deviation[-1]
        if level.silent:
            below = np.broadcast_to((at >= centre) * 1.0, (self.classes, self.parents + 1, len(at)))
            return log_masses(below, 1.0 - below)
        assert isinstance(level.tables, parzen_windows.DensityTables), "what is learnt has tables"
        away = (at - centre) / scale
        sides = []
        for side, wide in enumerate((stdtr(BASE_DEGREES, away), stdtr(BASE_DEGREES, -away))):
            worth, base = level.mass[:, None], level.base[:, None]
            whole = (worth * _tails(level.tables, at)[side] + base * wide) / (worth + base)
            cells = _tails(self.described.tables, at)[side].reshape(self.classes, self.parents, len(at))
            mass, base = self.described.mass[:-1].T[:, :, None], self.base[:-1].T[:, :, None]
            some = mass > 0
            mean = (mass * cells + base * whole[:, None]) / np.where(some, mass + base, 1.0)
            inside = np.where(some, mean, whole[:, None])
            sides.append(np.concatenate([inside, whole[:, None]], axis=1))
        return log_masses(*sides)

    def without(self, block: Block, cells: Array, counted: Array) -> Floats:
        """(rows, 1, classes): the terms with each row taken out of column, class and, if counted, cell."""
        own, _ = own_weights(block)
        rest = self.level.left_out(block)
        here, away = rest.presence
        at = np.flatnonzero(counted & (cells >= 0) & ~rest.missing)
        summary = self._summary_without(own, cells, at, rest.values, rest.places, rest.taken, block.start)
        density = self.described.density(rest.values, cells)
        rule = self.level.form.bandwidth in RULES_OF_THUMB
        widths = self.widths[cells] if self.level.form.bandwidth == "cv" else self._widths(summary, rest.summary)
        # other cells change only where they lean on a class, or through it on the column, that has lost the row
        gone = np.zeros(density.shape)
        gone[at, own[at]] = rest.taken[at]
        changed = ((gone > 0) | (rule & (summary.spread == 0))) & (summary.count > 0) & ~rest.missing[:, None]
        flat = np.arange(self.classes) * self.parents + cells[:, None]
        for source in np.unique(flat[changed]):
            mine = changed & (flat == source)
            row = np.nonzero(mine)[0]
            density[mine] = self.under.smooth(source, rest.places[row], gone[mine], widths[mine]) / summary.count[mine]
        said = mixed(density, summary.count, rest.log_density, self.base[cells])
        said = np.where((rest.summary.deviation[:, -1:] > 0), said, 0.0)
        return np.where(rest.missing[:, None], away, said + here)[:, None, :]

    def _summary_without(
        self, own: Array, cells: Array, at: Array, values: Floats, places: Floats, taken: Floats, start: int
    ) -> CellSummary:
        """(rows, classes): the cells of the rows, and those of the rows `at` without them."""
        parts = {name: np.asarray(part, dtype=np.float64)[cells] for name, part in vars(self.summary).items()}
        flat = own * self.parents + cells
        self.under.check(flat[at], places[at], taken[at], start)
        rest = self.under.moments.take(flat[at], np.array([0])) - own_moments(values[at, None], taken[at])
        for name, part in (("count", rest.count), ("mean", rest.mean), ("spread", self.under.spread(rest))):
            parts[name][at, own[at]] = part[:, 0]
        for source in np.unique(flat[at]):
            mine = at[flat[at] == source]
            parts["quartiles"][mine, own[mine]] = self.under.quartiles(source, places[mine], taken[mine])
        return CellSummary(**parts)


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
