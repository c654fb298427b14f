"""Parzen columns: real values whose density in a class or cell is a sum of kernels, one on each training value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import NUMERIC, Parzen
from likely.families.binned_values import SMALLEST_DRAW, BinnedValues, SourceSummary
from likely.families.draws import Draws
from likely.families.numeric import rows_without
from likely.families.parzen_densities import (
    BASE_DEGREES,
    CellDensities,
    DrawnCellDensities,
    DrawnGridDensity,
    DrawnTables,
    GridDensities,
    drawn_nodes,
    mixed,
    over_column,
)
from likely.families.predictor import Evidence, Setting, own_weights, presence, with_missing
from likely.statistics import GridCounts, Moments, Question

RULES_OF_THUMB = ("silverman", "scott")


@dataclass(frozen=True)
class ParzenWindow:
    """Kernel densities p̂ on a grid: values are binned linearly, smoothed at the nodes, and read off linearly between.

    A bandwidth h is the standard deviation of the Gaussian, and half the support (|u| <= h) of the other kernels. It is
    a number, or one rule in each class: `scott` 1.06 sd n^(-1/5), `silverman` 0.9 min(sd, IQR / 1.34) n^(-1/5) (sd
    alone where the quartiles fall together; sd divides by n - 1); both are meant for the Gaussian, and the other
    kernels get its standard deviation. `cv` maximises the leave-one-out likelihood of the binned values. A class with
    fewer than two values that the grid tells apart takes the column's spread. No window is narrower than the grid's
    spacing.

    `bayes`: the predictive (n p̂ + s p0) / (n + s) of a Dirichlet process whose base p0 is a Student-t of three degrees
    with the column's mean and standard deviation as centre and scale, so that no value is impossible; `map` and `mle`:
    p̂, and zero where no kernel reaches; a class without values borrows the p̂ of the whole column. A column without any
    spread says nothing.

    In a cell of the parents the base is the predictive of its class, and the bandwidth rule is that of the cell; one
    whose values the grid cannot tell apart takes the spread of its class, or of the column where the class cannot
    either. `map` and `mle`: the cell's p̂, or the predictive of the class where the cell has no values.

    Leaving one out takes the row out of counts, bandwidths and base alike; only `cv` keeps its bandwidths.
    """

    kinds: tuple[str, ...] = ("parzen",)
    together: bool = False

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        return (Question("grid", tuple(columns)), Question("moments", tuple(columns)))

    def predictor(self, evidence: Evidence) -> ParzenPredictor:
        column, place = evidence.column, evidence.schema.of(*NUMERIC).index(evidence.columns[0])
        assert column.grid is not None, "a parzen column has a grid"
        form = column.form if isinstance(column.form, Parzen) else Parzen()
        counts, moments = evidence.answer(GridCounts).table, evidence.answer(Moments)
        whole = moments.pooled().arrays()
        every = Moments(**{name: np.concatenate([array, whole[name]]) for name, array in moments.arrays().items()})
        classes = BinnedValues(np.vstack([counts, counts.sum(axis=0)]), every, column.grid, form)
        cells = BinnedValues(evidence.below(GridCounts).table, evidence.below(Moments), column.grid, form)
        return ParzenPredictor(classes, cells, evidence.rows, place, evidence.setting)


@dataclass(frozen=True)
class LeftOut:
    """(rows,): values, their places on the grid and the weights taken there; (rows, classes): what the others say."""

    values: Floats
    places: Floats
    taken: Floats
    missing: Array
    summary: SourceSummary
    log_density: Floats
    presence: tuple[Floats, Floats]


@dataclass(frozen=True)
class ParzenPredictor:
    """One column of a block's reals, its values binned by class and, flat [class][cell], in the cells of its parents.

    The last source of the classes is the whole column.
    """

    classes: BinnedValues
    cells: BinnedValues
    rows: Array
    column: int
    setting: Setting

    @property
    def parents(self) -> int:
        """How many cells the parents make."""
        return len(self.cells.counts) // len(self.rows)

    @property
    def spacing(self) -> float:
        """The distance of the nodes."""
        return self.classes.grid.spacing

    @property
    def bandwidth(self) -> str | float:
        """The rule, or the bandwidth itself."""
        return self.classes.form.bandwidth

    @cached_property
    def cell_summary(self) -> SourceSummary:
        """(cells + 1, classes): of each cell; nothing of the last, which is none."""
        laid = (np.reshape(part, (len(self.rows), self.parents)).T for part in vars(self.cells.summary).values())
        return SourceSummary(*(np.vstack([part, np.zeros((1, len(self.rows)))]) for part in laid))

    @cached_property
    def widths(self) -> Floats:
        """(classes + 1,): the bandwidths."""
        widths = self.classes.summary.widths(self.classes.form, self.spacing)
        if self.bandwidth == "cv":
            for at in np.flatnonzero(self.classes.summary.spread > 0).tolist():
                widths[at] = self.classes.cross_validated(at, float(widths[at]))
        return widths

    @cached_property
    def cell_widths(self) -> Floats:
        """(cells + 1, classes): the bandwidths."""
        widths = self._cell_widths(self.cell_summary, self.classes.summary)
        if self.bandwidth == "cv":
            for cell, at in np.argwhere(self.cell_summary.spread > 0).tolist():
                widths[cell, at] = self.cells.cross_validated(at * self.parents + cell, float(widths[cell, at]))
        return widths

    def _cell_widths(self, cells: SourceSummary, level: SourceSummary) -> Floats:
        """(..., classes): the bandwidths of cells by rule, from (..., classes) and (..., classes + 1)."""
        able = level.spread[..., :-1] > 0
        pairs = {}
        for name, part in vars(level).items():
            leant_on = np.where(able, part[..., :-1], part[..., -1:])
            pairs[name] = np.stack(np.broadcast_arrays(getattr(cells, name), leant_on), axis=-1)
        return SourceSummary(**pairs).widths(self.classes.form, self.spacing)[..., 0]

    @cached_property
    def base(self) -> Floats:
        """(classes,): the values that a base is worth, be it of the column in a class or of the class in a cell."""
        worth = self.setting.smoothing if self.setting.estimate == "bayes" else 0.0
        return np.full(len(self.rows), worth)

    @cached_property
    def _cell_base(self) -> Floats:
        return np.broadcast_to(self.base, (self.parents + 1, len(self.rows)))

    @cached_property
    def source(self) -> Array:
        """(classes,): whose values stand for a class: its own, or those of the whole column."""
        borrows = (self.classes.summary.count[:-1] == 0) & (self.base == 0)
        return np.where(borrows, len(self.rows), np.arange(len(self.rows)))

    @cached_property
    def presence(self) -> tuple[Floats, Floats]:
        """(classes,): log probabilities that a value is present, and that it is missing."""
        return presence(self.setting, self.rows, self.classes.summary.count[:-1])

    def _densities(self, counts: Floats, base: Floats) -> GridDensities:
        some = counts[self.source]
        tables = self.classes.tables(some, self.widths[self.source])
        return GridDensities(tables, some.sum(axis=1), base, self.classes.summary, self.presence, self.column)

    def _cell_densities(self, level: GridDensities, counts: Floats, base: Floats) -> CellDensities:
        tables = self.cells.tables(counts, self.cell_widths[:-1].T.reshape(-1))
        mass = counts.sum(axis=1).reshape(len(self.rows), self.parents).T
        return CellDensities(level, tables, np.vstack([mass, np.zeros((1, len(self.rows)))]), base)

    @cached_property
    def described(self) -> GridDensities:
        return self._densities(self.classes.counts, self.base)

    @cached_property
    def described_cells(self) -> CellDensities:
        return self._cell_densities(self.described, self.cells.counts, self._cell_base)

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        if cells is None:
            self.described.add(block, out)
        else:
            self.described_cells.add(block, out, cells, skip)

    def terms(self, block: Block, cells: Array | None = None) -> Floats:
        return self.described.terms(block) if cells is None else self.described_cells.terms(block, cells)

    def mass(self, place: int, edges: tuple[float, ...]) -> Floats:
        return self.described_cells.log_masses(np.array(edges, dtype=np.float64))

    def drawn(self, draws: Draws) -> GridDensities:
        """The Bayesian bootstrap, many times, of the nodes that have values."""
        rng, grid, sources = draws.rng, self.classes.grid, self.classes.counts
        base = rng.standard_gamma(self.base, (draws.times, len(self.base)))
        base = np.where(self.base > 0, np.maximum(base, 1e-300), 0.0)
        made: dict[int, tuple[DrawnGridDensity, Floats]] = {}  # classes that lend from one source share its draws
        for source in dict.fromkeys(self.source):
            nodes = np.flatnonzero(sources[source])
            known = sources[source, nodes]
            drawn = rng.standard_gamma(known, (draws.times, len(nodes)))
            drawn[drawn.sum(axis=1) < SMALLEST_DRAW] = known
            width = float(self.widths[source])
            made[source] = (
                DrawnGridDensity.of(nodes, drawn, width, self.classes.kernel, grid.origin, grid.spacing),
                drawn.sum(axis=1),
            )
        tables, mass = zip(*(made[source] for source in self.source), strict=True)
        here, gone = (draws.repeated(part) for part in self.presence)
        whole, summary = np.stack(mass, axis=1).reshape(-1), self.classes.summary
        return GridDensities(DrawnTables(tables), whole, base.reshape(-1), summary, (here, gone), self.column)

    def drawn_cells(self, draws: Draws) -> DrawnCellDensities:
        """The Bayesian bootstrap: gamma weights for the values on each node and for the base; the bandwidths stay."""
        rng, each = draws.rng, []
        for _ in range(draws.times):
            counts = self.cells.bootstrap(rng)
            level = self._densities(self.classes.bootstrap(rng), rng.standard_gamma(self.base))
            each.append(self._cell_densities(level, counts, rng.standard_gamma(self._cell_base)))
        return DrawnCellDensities(tuple(each))

    @property
    def drawn_size(self) -> float:
        """Of each source the nodes that have values, which weigh what is drawn, or those of its table."""
        size = 0
        for source in dict.fromkeys(self.source):
            nodes = np.flatnonzero(self.classes.counts[source])
            size += max(len(nodes), drawn_nodes(nodes, float(self.widths[source]), self.spacing))
        return float(size)

    def sample(self, classes: Array, rng: np.random.Generator, cells: Array | None = None) -> Array:
        """(rows, 1): from the class, missing values too, then from the windows of the cell as often as they count."""
        out = self._sample(classes, rng)
        if cells is None:
            return out
        mass, base = self.described_cells.mass[cells, classes], self.base[classes]
        own = ~np.isnan(out[:, 0]) & (rng.random(len(out)) * (mass + base) < mass) & (not self.described.silent)
        flat = classes * self.parents + cells
        for source in np.unique(flat[own]):
            rows = np.flatnonzero(own & (flat == source))
            width = self.cell_widths[cells[rows[0]], classes[rows[0]]]
            out[rows, 0] = self.cells.around(source, width, len(rows), rng)
        return out

    def _sample(self, classes: Array, rng: np.random.Generator) -> Array:
        summary = self.classes.summary
        centre, scale = summary.mean[-1], summary.deviation[-1]
        out = np.full(len(classes), centre)
        for one in np.unique(classes) if scale > 0 else ():
            rows = np.flatnonzero(classes == one)
            mass, base = self.described.mass[one], self.base[one]
            source = one if self.classes.counts[one].any() else -1
            values = self.classes.around(source, self.widths[source], len(rows), rng)
            wide = centre + scale * rng.standard_t(BASE_DEGREES, len(rows))
            out[rows] = np.where(rng.random(len(rows)) * (mass + base) < mass, values, wide)
        return with_missing(out[:, None], self.presence[1][None, :], self.setting, classes, rng)

    def without(self, block: Block) -> Floats:
        rest = self._left_out(block)
        here, away = rest.presence
        return np.where(rest.missing[:, None], away, rest.log_density + here)

    def _left_out(self, block: Block) -> LeftOut:
        """Each row of a block, and the others of its class without it."""
        own, weights = own_weights(block)
        grid, values = self.classes.grid, block.reals[:, self.column]
        missing = np.isnan(values)
        values = np.where(missing, grid.origin, values)
        taken = np.where(missing, 0.0, weights)
        places = (values - grid.origin) / grid.spacing
        self.classes.check(own, places, taken, block.start)
        summary = self._summary_without(own, values, places, taken)
        widths = summary.widths(self.classes.form, self.spacing)
        if self.bandwidth == "cv":
            widths = np.broadcast_to(self.widths, widths.shape)
        density = self.described.tables.at(values)
        for one in range(len(self.rows)):
            mine = own == one
            borrows = (summary.count[:, one] == 0) & (self.base[one] == 0)
            # other classes change only where they lean on the whole column, which has lost the row too
            leans = (summary.spread[:, one] == 0) & (self.bandwidth in RULES_OF_THUMB)
            for source, rows in ((one, (mine | leans) & ~borrows), (-1, borrows)):
                rows &= ~missing
                gone = np.where(mine | (source == -1), taken, 0.0)[rows]
                mass = self.classes.smooth(source, places[rows], gone, widths[rows, source])
                density[rows, one] = mass / np.maximum(summary.count[rows, source], 1e-300)
        known = presence(self.setting, rows_without(self.rows, own, weights), summary.count[:, :-1])
        terms = over_column(summary, values, density, summary.count[:, :-1], self.base)
        return LeftOut(values, places, taken, missing, summary, terms, known)

    def _summary_without(self, own: Array, values: Floats, places: Floats, taken: Floats) -> SourceSummary:
        """(rows, classes + 1): the summary without the row, in its own class and in the whole column."""
        rows, last = np.arange(len(values)), np.full(len(values), len(self.rows))
        found = {name: np.tile(part, (len(values), 1)) for name, part in vars(self.classes.summary).items()}
        for at in (own, last):
            rest = self.classes.summary_without(at, values, places, taken)
            for name, part in found.items():
                part[rows, at] = getattr(rest, name)
        return SourceSummary(**found)

    def terms_without(self, block: Block, cells: Array, counted: Array) -> Floats:
        own, _ = own_weights(block)
        rest = self._left_out(block)
        here, away = rest.presence
        at = np.flatnonzero(counted & (cells >= 0) & ~rest.missing)
        summary = self._cell_summary_without(own, cells, at, rest, block.start)
        density = self.described_cells.density(rest.values, cells)
        cross_validated = self.bandwidth == "cv"
        widths = self.cell_widths[cells] if cross_validated else self._cell_widths(summary, rest.summary)
        # other cells change only where they lean on a class, or through it on the column, that has lost the row
        gone = np.zeros(density.shape)
        gone[at, own[at]] = rest.taken[at]
        changed = (gone > 0) | ((self.bandwidth in RULES_OF_THUMB) & (summary.spread == 0))
        changed &= (summary.count > 0) & ~rest.missing[:, None]
        flat = np.arange(len(self.rows)) * self.parents + cells[:, None]
        for source in np.unique(flat[changed]):
            mine = changed & (flat == source)
            row = np.nonzero(mine)[0]
            mass = self.cells.smooth(source, rest.places[row], gone[mine], widths[mine])
            density[mine] = mass / summary.count[mine]
        said = mixed(density, summary.count, rest.log_density, self._cell_base[cells])
        said = np.where((rest.summary.deviation[:, -1:] > 0), said, 0.0)
        return np.where(rest.missing[:, None], away, said + here)[:, None, :]

    def _cell_summary_without(self, own: Array, cells: Array, at: Array, rest: LeftOut, start: int) -> SourceSummary:
        """(rows, classes): the cells of the rows, and those of the rows `at` without them."""
        found = {name: part[cells] for name, part in vars(self.cell_summary).items()}
        flat = own[at] * self.parents + cells[at]
        self.cells.check(flat, rest.places[at], rest.taken[at], start)
        left = self.cells.summary_without(flat, rest.values[at], rest.places[at], rest.taken[at])
        for name, part in found.items():
            part[at, own[at]] = getattr(left, name)
        return SourceSummary(**found)
