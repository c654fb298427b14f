"""Real values binned on a grid, by class or by cell: their spread, the windows laid on them, one row taken out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import KERNEL_NAMES, Grid, Parzen
from likely.families.numeric import own_moments
from likely.families.predictor import never_learnt_error
from likely.kernels.densities import parzen_windows
from likely.statistics import Moments

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
SMALLEST_DRAW = 1e-200  # a source of next to no weight may draw less than a double can hold
NO_TABLES = parzen_windows.DensityTables(np.zeros(0), np.zeros(1, np.int64), np.zeros(0), np.zeros(0))


@dataclass(frozen=True)
class SourceSummary:
    """(..., sources): what bandwidths are made of; those that lean on another, as by rule, on the last."""

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


@dataclass(frozen=True)
class BinnedValues:
    """counts (sources, nodes) on a grid, and moments (sources, 1)."""

    counts: Floats
    moments: Moments
    grid: Grid
    form: Parzen

    @cached_property
    def kernel(self) -> int:
        return int(KERNEL_CODES[self.form.kernel])

    @cached_property
    def summary(self) -> SourceSummary:
        """(sources,)."""
        nobody = np.zeros(1)
        quartiles = [self.quartiles(source, nobody, nobody) for source in range(len(self.counts))]
        moments = self.moments
        parts = moments.count[:, 0], moments.mean[:, 0], self._spread(moments)
        return SourceSummary(*parts, np.concatenate([np.zeros(0), *quartiles]))

    def _spread(self, moments: Moments) -> Floats:
        """(sources,): the spread of moments (sources, 1); zero where the grid cannot tell the values apart."""
        some = np.where(moments.count > 0, moments.count, 1.0)
        apart = moments.spread / some > (SMALLEST_DEVIATION * self.grid.spacing) ** 2
        return np.where(apart, moments.spread, 0.0)[:, 0]

    def quartiles(self, source: int, places: Floats, taken: Floats) -> Floats:
        """(rows,): the distance between the quartiles of a source, without what is taken at each place."""
        nodes = np.empty(len(places))
        parzen_windows.interquartile(np.cumsum(self.counts[source]), places, taken, nodes)
        return np.where(nodes > LEAST_QUARTILE_DISTANCE, nodes * self.grid.spacing, 0.0)

    def summary_without(self, sources: Array, values: Floats, places: Floats, taken: Floats) -> SourceSummary:
        """(rows,): of the source of each row (rows,), without what is taken of the row's value, at its place."""
        rest = self.moments.take(sources, np.array([0])) - own_moments(values[:, None], taken)
        quartiles = np.zeros(len(sources))
        for source in np.unique(sources):
            mine = np.flatnonzero(sources == source)
            quartiles[mine] = self.quartiles(source, places[mine], taken[mine])
        return SourceSummary(rest.count[:, 0], rest.mean[:, 0], self._spread(rest), quartiles)

    def check(self, sources: Array, places: Floats, taken: Floats, start: int) -> None:
        """An error if what is taken at a place was never in its source."""
        node = np.clip(places, 0, self.grid.nodes - 2).astype(np.int64)
        part = places - node
        left = np.minimum(
            self.counts[sources, node] - taken * (1 - part), self.counts[sources, node + 1] - taken * part
        )
        never = (left < -1e-9) | (part < 0) | (part > 1)
        if never.any():
            raise never_learnt_error(start + int(np.argmax(never)), "its class has no such value of a parzen column")

    def cross_validated(self, source: int, start: float) -> float:
        """The bandwidth that `cv` finds for a source, beginning from one."""
        return parzen_windows.cross_validated(self.counts[source], self.kernel, self.grid.spacing, start)

    def tables(self, counts: Floats, widths: Floats) -> parzen_windows.DensityTables:
        """The densities of counts (..., nodes), one width each."""
        if not len(counts):
            return NO_TABLES
        return parzen_windows.DensityTables.of(counts, widths, self.kernel, self.grid.origin, self.grid.spacing)

    def smooth(self, source: int, places: Floats, taken: Floats, widths: Floats) -> Floats:
        """(rows,): mass a unit of length at each place, in windows of each row's own width."""
        steps, out = parzen_windows.steps_of(widths, self.grid.spacing), np.empty(len(places))
        for step in np.unique(steps):
            mine, spacing = np.flatnonzero(steps == step), float(step) * self.grid.spacing
            counts, mass = parzen_windows.coarsen(self.counts[source], float(step)), np.empty(len(mine))
            parzen_windows.smooth_without(
                counts, places[mine] / step, taken[mine], self.kernel, spacing / widths[mine], mass
            )
            out[mine] = mass / spacing
        return out

    def bootstrap(self, rng: np.random.Generator) -> Floats:
        """(sources, nodes): the Bayesian bootstrap, gamma weights for the values on each node."""
        drawn = rng.standard_gamma(self.counts)
        lost = drawn.sum(axis=1) < SMALLEST_DRAW
        drawn[lost] = self.counts[lost]
        return drawn

    def around(self, source: int, width: float, size: int, rng: np.random.Generator) -> Floats:
        """Values drawn from the windows laid on a source."""
        sums = np.cumsum(self.counts[source])
        node = np.searchsorted(sums, rng.random(size) * sums[-1], "right")
        values = self.grid.origin + self.grid.spacing * np.minimum(node, len(sums) - 1)
        return np.asarray(values + width * _noise(self.form.kernel, size, rng))


def _noise(kernel: str, size: int, rng: np.random.Generator) -> Floats:
    """Draws from a kernel of bandwidth one: all but two are widened beta densities."""
    if kernel == "gaussian":
        return rng.standard_normal(size)
    if kernel == "triangular":
        return rng.random(size) - rng.random(size)
    bend = {"box": 1.0, "epanechnikov": 2.0, "biweight": 3.0}[kernel]
    return 2.0 * rng.beta(bend, bend, size) - 1.0
