"""What windows on the rows predict: their bandwidths, their densities, draws and samples."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.families.draws import Draws
from likely.families.kernel_density.bandwidths import rule
from likely.families.predictor import Setting, presence, with_missing
from likely.families.windows.densities import Columns, WindowDensities
from likely.families.windows.drawn import DrawnWindowDensities, gamma_weights
from likely.families.windows.leave_one_out import without
from likely.families.windows.sampling import sample
from likely.families.windows.search import searched_bandwidths
from likely.families.windows.spread import CellSpread, moments_of
from likely.statistics import Moments, Points


@dataclass(frozen=True)
class WindowsPredictor:
    """Windows on points, of the columns `at` of a block's reals; rows (cells,) is the weight of all rows.

    `together` are the columns whose density is joint; `bandwidth` is a rule, or the bandwidths (cells, columns).
    """

    points: Points
    rows: Array
    at: Array | slice
    together: tuple[Columns, ...]
    bandwidth: str | Floats
    kernel: str
    shared: bool
    tolerance: float
    setting: Setting

    @cached_property
    def moments(self) -> Moments:
        """(cells, columns)."""
        return moments_of(self.points, len(self.rows))

    @cached_property
    def whole(self) -> Moments:
        """(1, columns): all cells together."""
        return self.moments.pooled()

    @cached_property
    def spread(self) -> CellSpread:
        return CellSpread.of(self.moments, self.whole)

    @cached_property
    def groups(self) -> tuple[Columns, ...]:
        """The columns that speak, those together whose density is joint."""
        speaks = self.spread.speaks
        found = (tuple(column for column in group if speaks[column]) for group in self.together)
        return tuple(group for group in found if group)

    def by_rule(self, spread: CellSpread) -> Floats:
        """(..., cells, columns): the bandwidths that a rule gives; zero in columns that say nothing."""
        assert isinstance(self.bandwidth, str), "given bandwidths follow no rule"
        out = np.zeros(spread.count.shape)
        name = self.bandwidth if self.bandwidth in ("silverman", "scott") else "silverman"
        scales, counts = spread.scales(self.shared)
        for group in self.groups:
            out[..., group] = rule(name, scales[..., group], counts[..., group], len(group), self.kernel)
        return out

    @property
    def follows_rule(self) -> bool:
        """Whether bandwidths follow from counts and spreads alone."""
        return isinstance(self.bandwidth, str) and self.bandwidth in ("silverman", "scott")

    @cached_property
    def widths(self) -> Floats:
        """(cells, columns): the bandwidths; zero in columns that say nothing."""
        if self.follows_rule or not isinstance(self.bandwidth, str):
            return self._started.widths
        return searched_bandwidths(self._started, self.bandwidth, self.shared)

    @cached_property
    def base(self) -> Floats:
        """(cells,): the rows that the base is worth."""
        return np.full(len(self.rows), self.setting.smoothing if self.setting.estimate == "bayes" else 0.0)

    @cached_property
    def presence(self) -> tuple[Floats, Floats]:
        """(columns, cells): log probabilities that a value is present, and that it is missing."""
        return presence(self.setting, self.rows, self.spread.count.T)

    @cached_property
    def _started(self) -> WindowDensities:
        """The densities under the bandwidths that a search starts from."""
        return WindowDensities(
            self.points,
            self.by_rule(self.spread) if isinstance(self.bandwidth, str) else self.bandwidth,
            self.base,
            self.spread.total_mean,
            self.spread.scale,
            self.groups,
            self.kernel,
            self.tolerance,
            self.presence if self.setting.missing == "informative" else None,
            self.at,
        )

    @cached_property
    def described(self) -> WindowDensities:
        return replace(self._started, widths=self.widths)

    def log_density(self, values: Floats) -> Floats:
        """(rows, cells): log densities of values (rows, columns); what is missing is summed out."""
        return self.described.scores(values)

    def add(self, block: Block, out: Floats) -> None:
        self.described.add(block, out)

    compare = add

    def terms(self, block: Block) -> Floats:
        return self.described.terms(block)

    def without(self, block: Block) -> Floats:
        return without(self, block)

    def drawn(self, draws: Draws) -> DrawnWindowDensities:
        """The Bayesian bootstrap: gamma weights for the points and for the base; the bandwidths stay."""
        rng, points = draws.rng, self.points
        weights = gamma_weights(points.weights, draws.times, rng, points.cells)
        base = rng.standard_gamma(self.base, (draws.times, len(self.base)))
        return DrawnWindowDensities(self.described, weights, np.where(self.base > 0, np.maximum(base, 1e-300), 0.0))

    @property
    def drawn_size(self) -> float:
        return float(len(self.points.weights))

    def sample(self, cells: Array, rng: np.random.Generator) -> Array:
        out = np.tile(self.spread.total_mean, (len(cells), 1))
        for cell in np.unique(cells):
            rows = np.flatnonzero(cells == cell)
            for group in self.groups:
                out[rows[:, None], group] = sample(self.described, int(cell), group, len(rows), rng)
        return with_missing(out, self.presence[1], self.setting, cells, rng)
