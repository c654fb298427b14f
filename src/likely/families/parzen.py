"""Parzen columns: real values whose density in each cell is a sum of kernels, one on each training value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log
from likely.core.schema import KERNEL_NAMES, NUMERIC, Grid, Parzen
from likely.families.draws import Draws
from likely.families.numeric import own_moments, rows_without
from likely.families.parzen_draws import DrawnGridDensity, DrawnTables, drawn_nodes
from likely.families.predictor import Evidence, Setting, never_learnt_error, own_weights, presence, with_missing
from likely.kernels.densities import parzen_windows
from likely.statistics import GridCounts, Moments, Question

KERNEL_DEVIATIONS = {
    "gaussian": 1.0,
    "epanechnikov": 5**-0.5,
    "box": 3**-0.5,
    "triangular": 6**-0.5,
    "biweight": 7**-0.5,
}
KERNEL_CODES = {kernel: getattr(parzen_windows, kernel.upper()) for kernel in KERNEL_NAMES}
# Nodes: quartiles that are nearer are one value, which linear binning has put on two
LEAST_QUARTILE_DISTANCE = 2 - 1e-6
# Of the spacing: a smaller deviation is one value to the grid, or rounding of fractional weights
SMALLEST_DEVIATION = 2.0**-10
BASE_DEGREES = 3.0  # of the base: the heaviest whole tail that still has a variance
LOG_STUDENT = np.log(2.0 / (np.pi * np.sqrt(3.0)))  # its log density at the centre, at scale one
SMALLEST_DRAW = 1e-200  # a cell of next to no weight may draw less than a double can hold


@dataclass(frozen=True)
class ParzenWindow:
    """Kernel densities p̂ on a grid: values are binned linearly, smoothed at the nodes, and read off linearly between.

    A bandwidth h is the standard deviation of the Gaussian, and half the support (|u| <= h) of the other kernels. It is
    a number, or one rule in each cell: `scott` 1.06 sd n^(-1/5), `silverman` 0.9 min(sd, IQR / 1.34) n^(-1/5) (sd alone
    where the quartiles fall together; sd divides by n - 1); both are meant for the Gaussian, and the other kernels get
    its standard deviation. `cv` maximises the leave-one-out likelihood of the binned values. A cell with fewer than two
    values that the grid tells apart takes the column's spread. No window is narrower than the grid's spacing.

    `bayes`: the predictive (n p̂ + s p0) / (n + s) of a Dirichlet process whose base p0 is a Student-t of three degrees
    with the column's mean and standard deviation as centre and scale, so that no value is impossible; `map` and `mle`:
    p̂, and zero where no kernel reaches; a cell without values borrows the p̂ of the whole column. A column without any
    spread says nothing.

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
        return ParzenPredictor(counts, moments, evidence.rows, place, column.grid, form, evidence.setting)


@dataclass(frozen=True)
class CellSummary:
    """(..., cells + 1): what bandwidths and base are made of, for each cell and last for the whole column."""

    count: Floats
    mean: Floats
    spread: Floats
    quartiles: Floats  # the distance between them; zero where they are one value

    @property
    def deviation(self) -> Floats:
        """The standard deviation, over n - 1; over n / 2 where the weights sum to less than two."""
        return np.sqrt(self.spread / np.maximum(np.maximum(self.count - 1.0, self.count / 2.0), 1e-300))

    def widths(self, form: Parzen, spacing: float) -> Floats:
        """The bandwidths; those that `cv` starts from are Scott's."""
        if not isinstance(form.bandwidth, str):
            return np.full(self.count.shape, max(float(form.bandwidth), spacing))
        able, deviation = self.spread > 0, self.deviation
        scale = np.where(able, deviation, deviation[..., -1:])
        factor = (4 / 3) ** 0.2
        if form.bandwidth == "silverman":
            quartiles = np.where(able, self.quartiles, self.quartiles[..., -1:])
            factor, scale = 0.9, np.where(quartiles > 0, np.minimum(scale, quartiles / 1.34), scale)
        widths = factor * scale * np.maximum(self.count, 1.0) ** -0.2 / KERNEL_DEVIATIONS[form.kernel]
        return np.asarray(np.maximum(widths, spacing))

    def log_density(self, values: Floats, density: Floats, mass: Floats, base: Floats) -> Floats:
        """(rows, cells): log of (mass p̂ + base p0) / (mass + base); zero where the column has no spread."""
        scale = self.deviation[..., -1]
        silent = ~(scale > 0)
        if not base.any():
            return np.where(silent[..., None], 0.0, log(density))
        scale = np.where(silent, 1.0, scale)
        # the square of a value may not be a double, its hypotenuse is
        slope = log(np.hypot(1.0, (values - self.mean[..., -1]) / scale / np.sqrt(BASE_DEGREES)))
        wide = (LOG_STUDENT - log(scale) - (BASE_DEGREES + 1.0) * slope)[:, None]
        mixed = np.logaddexp(log(density) + log(mass), wide + log(base)) - log(mass + base)
        return np.where(silent[..., None], 0.0, mixed)


@dataclass(frozen=True)
class GridDensities:
    """What the cells say of a value: kernels worth `mass` (cells,) values and a base worth `base`."""

    tables: parzen_windows.DensityTables | DrawnTables
    mass: Floats
    base: Floats
    summary: CellSummary
    presence: tuple[Floats, Floats]
    column: int

    def add(self, block: Block, out: Floats) -> None:
        out += self.terms(block)[:, 0]

    def terms(self, block: Block) -> Floats:
        here, gone = self.presence
        missing = np.isnan(block.reals[:, self.column])
        terms = self.log_density(np.where(missing, 0.0, block.reals[:, self.column]))
        return np.where(missing[:, None], gone, terms + here)[:, None, :]

    def log_density(self, values: Floats) -> Floats:
        """(rows, cells): log densities of values that are there."""
        return self.summary.log_density(values, self.tables.at(values), self.mass, self.base)

    @property
    def silent(self) -> bool:
        """Whether the column says nothing."""
        return not self.summary.deviation[-1] > 0


@dataclass(frozen=True)
class LeftOut:
    """(rows,): values, their places on the grid and the weights taken there; (rows, cells): what the others say."""

    values: Floats
    places: Floats
    taken: Floats
    missing: Array
    summary: CellSummary
    log_density: Floats
    presence: tuple[Floats, Floats]


@dataclass(frozen=True)
class ParzenPredictor:
    """counts (cells, nodes) on the grid, and moments (cells, 1), of one column of a block's reals."""

    counts: Floats
    moments: Moments
    rows: Array
    column: int
    grid: Grid
    form: Parzen
    setting: Setting

    @cached_property
    def kernel(self) -> int:
        return int(KERNEL_CODES[self.form.kernel])

    @cached_property
    def sources(self) -> Floats:
        """(cells + 1, nodes): the counts of each cell, and last of the whole column."""
        return np.vstack([self.counts, self.counts.sum(axis=0)])

    @cached_property
    def summary(self) -> CellSummary:
        whole, nobody = self.moments.pooled(), np.zeros(1)
        quartiles = [self.quartiles(source, nobody, nobody) for source in range(len(self.sources))]
        return CellSummary(
            np.append(self.moments.count, whole.count),
            np.append(self.moments.mean, whole.mean),
            np.append(self.spread(self.moments), self.spread(whole)),
            np.concatenate(quartiles),
        )

    def spread(self, moments: Moments) -> Floats:
        """The spread of moments; zero where the grid cannot tell the values apart."""
        some = np.where(moments.count > 0, moments.count, 1.0)
        return np.where(moments.spread / some > (SMALLEST_DEVIATION * self.grid.spacing) ** 2, moments.spread, 0.0)

    def quartiles(self, source: int, places: Floats, taken: Floats) -> Floats:
        """(rows,): the distance between the quartiles of a source, without what is taken at each place."""
        nodes = np.empty(len(places))
        parzen_windows.interquartile(np.cumsum(self.sources[source]), places, taken, nodes)
        return np.where(nodes > LEAST_QUARTILE_DISTANCE, nodes * self.grid.spacing, 0.0)

    @cached_property
    def widths(self) -> Floats:
        """(cells + 1,): the bandwidths."""
        spacing = self.grid.spacing
        widths = self.summary.widths(self.form, spacing)
        if self.form.bandwidth == "cv":
            for at in np.flatnonzero(self.summary.spread > 0):
                widths[at] = parzen_windows.cross_validated(self.sources[at], self.kernel, spacing, float(widths[at]))
        return widths

    @cached_property
    def base(self) -> Floats:
        """(cells,): the values that the base is worth."""
        worth = self.setting.smoothing if self.setting.estimate == "bayes" else 0.0
        return np.full(len(self.counts), worth)

    @cached_property
    def _source(self) -> Array:
        """(cells,): whose counts stand for a cell: its own, or those of the whole column."""
        borrows = (self.summary.count[:-1] == 0) & (self.base == 0)
        return np.where(borrows, len(self.counts), np.arange(len(self.counts)))

    def _densities(self, sources: Floats, base: Floats) -> GridDensities:
        source, grid = self._source, self.grid
        tables = parzen_windows.DensityTables.of(
            sources[source], self.widths[source], self.kernel, grid.origin, grid.spacing
        )
        known = presence(self.setting, self.rows, self.summary.count[:-1])
        return GridDensities(tables, sources[source].sum(axis=1), base, self.summary, known, self.column)

    @cached_property
    def described(self) -> GridDensities:
        return self._densities(self.sources, self.base)

    def add(self, block: Block, out: Floats) -> None:
        self.described.add(block, out)

    def terms(self, block: Block) -> Floats:
        return self.described.terms(block)

    def drawn(self, draws: Draws) -> GridDensities:
        """As `draw`, many times, of the nodes that have values."""
        rng, grid = draws.rng, self.grid
        base = rng.standard_gamma(self.base, (draws.times, len(self.base)))
        base = np.where(self.base > 0, np.maximum(base, 1e-300), 0.0)
        made: dict[int, tuple[DrawnGridDensity, Floats]] = {}  # cells that lend from one source share its draws
        for source in dict.fromkeys(self._source):
            nodes = np.flatnonzero(self.sources[source])
            known = self.sources[source, nodes]
            drawn = rng.standard_gamma(known, (draws.times, len(nodes)))
            drawn[drawn.sum(axis=1) < SMALLEST_DRAW] = known
            width = float(self.widths[source])
            made[source] = (
                DrawnGridDensity.of(nodes, drawn, width, self.kernel, grid.origin, grid.spacing),
                drawn.sum(axis=1),
            )
        cells, mass = zip(*(made[source] for source in self._source), strict=True)
        there = presence(self.setting, self.rows, self.summary.count[:-1])
        here, gone = (draws.repeated(part) for part in there)
        whole = np.stack(mass, axis=1).reshape(-1)
        return GridDensities(DrawnTables(cells), whole, base.reshape(-1), self.summary, (here, gone), self.column)

    @property
    def drawn_size(self) -> float:
        """Of each source the nodes that have values, which weigh what is drawn, or those of its table."""
        size = 0
        for source in dict.fromkeys(self._source):
            nodes = np.flatnonzero(self.sources[source])
            size += max(len(nodes), drawn_nodes(nodes, float(self.widths[source]), self.grid.spacing))
        return float(size)

    def draw(self, rng: np.random.Generator) -> GridDensities:
        """The Bayesian bootstrap: gamma weights for the values on each node and for the base; the bandwidths stay."""
        drawn = rng.standard_gamma(self.sources)
        lost = drawn.sum(axis=1) < SMALLEST_DRAW
        drawn[lost] = self.sources[lost]
        return self._densities(drawn, rng.standard_gamma(self.base))

    def sample(self, cells: Array, rng: np.random.Generator) -> Array:
        centre, scale = self.summary.mean[-1], self.summary.deviation[-1]
        out = np.full(len(cells), centre)
        for cell in np.unique(cells) if scale > 0 else ():
            rows = np.flatnonzero(cells == cell)
            mass, base = self.described.mass[cell], self.base[cell]
            source = cell if self.sources[cell].any() else -1
            values = self.around(source, self.widths[source], len(rows), rng)
            wide = centre + scale * rng.standard_t(BASE_DEGREES, len(rows))
            out[rows] = np.where(rng.random(len(rows)) * (mass + base) < mass, values, wide)
        gone = presence(self.setting, self.rows, self.summary.count[:-1])[1]
        return with_missing(out[:, None], gone[None, :], self.setting, cells, rng)

    def around(self, source: int, width: float, size: int, rng: np.random.Generator) -> Floats:
        """Values drawn from the windows laid on a source."""
        sums = np.cumsum(self.sources[source])
        node = np.searchsorted(sums, rng.random(size) * sums[-1], "right")
        values = self.grid.origin + self.grid.spacing * np.minimum(node, len(sums) - 1)
        return np.asarray(values + width * _noise(self.form.kernel, size, rng))

    def without(self, block: Block) -> Floats:
        rest = self.left_out(block)
        here, away = rest.presence
        return np.where(rest.missing[:, None], away, rest.log_density + here)

    def left_out(self, block: Block) -> LeftOut:
        """Each row of a block, and the others without it."""
        own, weights = own_weights(block)
        missing = np.isnan(block.reals[:, self.column])
        values = np.where(missing, self.grid.origin, block.reals[:, self.column])
        taken = np.where(missing, 0.0, weights)
        places = (values - self.grid.origin) / self.grid.spacing
        self.check(own, places, taken, block.start)
        summary = self._summary_without(own, values, places, taken)
        widths = summary.widths(self.form, self.grid.spacing)
        if self.form.bandwidth == "cv":
            widths = np.broadcast_to(self.widths, widths.shape)
        density = self.described.tables.at(values)
        for cell in range(len(self.counts)):
            mine = own == cell
            borrows = (summary.count[:, cell] == 0) & (self.base[cell] == 0)
            # other cells change only where they lean on the whole column, which has lost the row too
            leans = (summary.spread[:, cell] == 0) & (self.form.bandwidth in ("silverman", "scott"))
            for source, rows in ((cell, (mine | leans) & ~borrows), (-1, borrows)):
                rows &= ~missing
                gone = np.where(mine | (source == -1), taken, 0.0)[rows]
                mass = self.smooth(source, places[rows], gone, widths[rows, source])
                density[rows, cell] = mass / np.maximum(summary.count[rows, source], 1e-300)
        known = presence(self.setting, rows_without(self.rows, own, weights), summary.count[:, :-1])
        terms = summary.log_density(values, density, summary.count[:, :-1], self.base)
        return LeftOut(values, places, taken, missing, summary, terms, known)

    def check(self, own: Array, places: Floats, taken: Floats, start: int) -> None:
        """An error if what is taken at a place was never in its cell."""
        node = np.clip(places, 0, self.grid.nodes - 2).astype(np.int64)
        part = places - node
        left = np.minimum(self.counts[own, node] - taken * (1 - part), self.counts[own, node + 1] - taken * part)
        never = (left < -1e-9) | (part < 0) | (part > 1)
        if never.any():
            raise never_learnt_error(start + int(np.argmax(never)), "its class has no such value of a parzen column")

    def _summary_without(self, own: Array, values: Floats, places: Floats, taken: Floats) -> CellSummary:
        """(rows, cells + 1): the summary without the row, in its own cell and in the whole column."""
        rows, zero, column = np.arange(len(values)), np.zeros(len(values), dtype=np.int64), np.array([0])
        single = own_moments(values[:, None], taken)
        parts = {name: np.tile(part, (len(values), 1)) for name, part in vars(self.summary).items()}
        whole = self.moments.pooled().take(zero, column)
        for at, moments in ((own, self.moments.take(own, column)), (zero - 1, whole)):
            rest = moments - single
            for name, part in (("count", rest.count), ("mean", rest.mean), ("spread", self.spread(rest))):
                parts[name][rows, at] = part[:, 0]
        for cell in range(-1, len(self.counts)):
            mine = np.flatnonzero((own == cell) | (cell == -1))
            parts["quartiles"][mine, cell] = self.quartiles(cell, places[mine], taken[mine])
        return CellSummary(**parts)

    def smooth(self, source: int, places: Floats, taken: Floats, widths: Floats) -> Floats:
        """(rows,): mass a unit of length at each place, in windows of each row's own width."""
        steps, out = parzen_windows.steps_of(widths, self.grid.spacing), np.empty(len(places))
        for step in np.unique(steps):
            mine, spacing = np.flatnonzero(steps == step), float(step) * self.grid.spacing
            counts, mass = parzen_windows.coarsen(self.sources[source], float(step)), np.empty(len(mine))
            parzen_windows.smooth_without(
                counts, places[mine] / step, taken[mine], self.kernel, spacing / widths[mine], mass
            )
            out[mine] = mass / spacing
        return out


def _noise(kernel: str, size: int, rng: np.random.Generator) -> Floats:
    """Draws from a kernel of bandwidth one: all but two are widened beta densities."""
    if kernel == "gaussian":
        return rng.standard_normal(size)
    if kernel == "triangular":
        return rng.random(size) - rng.random(size)
    bend = {"box": 1.0, "epanechnikov": 2.0, "biweight": 3.0}[kernel]
    return 2.0 * rng.beta(bend, bend, size) - 1.0
