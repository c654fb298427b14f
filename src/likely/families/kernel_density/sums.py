"""Kernel densities: sums of kernels laid on points, by grids, running sums or trees, within a relative error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.cache import Cache, cached_property
from likely.core.numerics import Floats, log
from likely.families.kernel_density.grids import LEAST_GRID_POINTS, Smoothed, SpreadPoints
from likely.families.kernel_density.lines import Line
from likely.families.kernel_density.profiles import KernelProfile
from likely.families.kernel_density.trees import NO_WEIGHTS, BoxTree, grow, log_sums
from likely.kernels.densities.radial import GAUSSIAN_PROFILE

GRID_OCTAVES = (0, 3, 1, 1)  # by columns: on a line the many nodes that wide kernels do not need cost little
LEAST_SHARE_OF_OTHERS = 1e-2  # of a sum: others that are less are summed without the point itself


@dataclass(frozen=True, eq=False)
class KernelSum:
    """The density of kernels of these widths (columns,) on points (points, columns), one to three columns.

    `whole` is how many columns the kernel had before all but these were summed out. The relative error of a density is
    at most `tolerance`, wherever it is; 0 adds up every kernel that a double can feel.

    Gaussians of many points go by way of a grid, piecewise polynomials of one column by running sums; the rest, and
    what these cannot tell exactly enough, by a tree that leaves out only what is too far to matter.

    >>> kernels = KernelSum(np.array([[0.0], [1.0]]), np.ones(2), np.ones(1), "gaussian", 1)
    >>> kernels.log_density(np.array([[0.5], [1000.0]])).round(6).tolist()
    [-1.043939, -499002.112086]
    """

    points: Floats
    weights: Floats
    widths: Floats
    kernel: str
    whole: int
    tolerance: float = 1e-6
    asked: int = 0  # queries to expect, by which the fastest way is chosen; 0: as many as there are points

    @cached_property
    def _spreads(self) -> Cache[float, SpreadPoints | None]:
        return Cache()

    @cached_property
    def profile(self) -> KernelProfile:
        return KernelProfile.of(self.kernel, self.points.shape[1], self.whole)

    @cached_property
    def total(self) -> float:
        return float(self.weights.sum())

    @cached_property
    def _laid(self) -> tuple[Floats, Floats]:
        """The points that weigh something."""
        some = self.weights != 0
        return np.ascontiguousarray(self.points[some], np.float64), np.ascontiguousarray(self.weights[some], np.float64)

    @cached_property
    def _tree(self) -> BoxTree:
        return grow(*self._laid)

    @property
    def _allowed(self) -> float:
        """The relative error of what goes by the tree: few points are added up exactly, which costs next to nothing."""
        return self.tolerance if len(self._laid[0]) >= LEAST_GRID_POINTS else 0.0

    @cached_property
    def _fast(self) -> Smoothed | Line | None:
        return self._fast_at(1.0, Cache())  # what was spread is as large as what is made of it, and not kept

    def _fast_at(self, factor: float, spreads: Cache[float, SpreadPoints | None]) -> Smoothed | Line | None:
        """The fast sums under `factor` times the widths; points are spread once for all factors of a few octaves."""
        points, weights = self._laid
        if self.profile.shape == GAUSSIAN_PROFILE:
            octaves = GRID_OCTAVES[points.shape[1]]
            scale = 2.0 ** (np.floor(np.log2(factor) / octaves) * octaves)
            asked = self.asked or len(points)
            spread = spreads.get(
                scale, lambda: SpreadPoints.of(points, weights, self.widths * scale, self.tolerance, asked)
            )
            return None if spread is None else spread.smoothed(factor / scale)
        polynomial = self.profile.polynomial
        if points.shape[1] > 1 or polynomial is None:
            return None
        return Line.of(points[:, 0], weights, float(self.widths[0]) * factor, polynomial, self.tolerance)

    def log_density(self, queries: Floats) -> Floats:
        """(queries,): log densities at queries (queries, columns)."""
        return self._log_density(
            self._fast, np.ascontiguousarray(queries, np.float64), self.widths[None], NO_WEIGHTS, self._allowed
        )

    def log_density_at(self, factor: float, queries: Floats, own: Floats) -> Floats:
        """(queries,): log densities under `factor` times the widths, had `own` (queries,) not been on each query."""
        fast = self._fast_at(factor, self._spreads)
        return self._log_density(fast, queries, self.widths[None] * factor, own, self._allowed)

    def log_density_without(self, queries: Floats, own: Floats, widths: Floats) -> Floats:
        """(queries,): log densities of the points but for `own` (queries,), the weight of a point on each query.

        Each query has widths (queries, columns) of its own. Every kernel is added up.
        """
        return self._log_density(None, np.ascontiguousarray(queries, np.float64), widths, own, 0.0)

    def _log_density(
        self, fast: Smoothed | Line | None, queries: Floats, widths: Floats, own: Floats, tolerance: float
    ) -> Floats:
        if not len(self._laid[0]):
            return np.full(len(queries), -np.inf)
        sums = np.zeros(len(queries)) if fast is None else fast.sums(queries)
        others = sums - own if len(own) else sums
        rest = ~(others > LEAST_SHARE_OF_OTHERS * sums)
        logs = log(np.where(rest, 0.0, others))
        if rest.any():
            wide = widths if len(widths) == 1 else np.ascontiguousarray(widths[rest])
            mine = own[rest] if len(own) else NO_WEIGHTS
            logs[rest] = log_sums(self._tree, self.profile, queries[rest], wide, tolerance, mine)
        left = np.maximum(self.total - own, 0.0) if len(own) else np.full(1, self.total)
        constant = self.profile.log_peak - np.log(widths).sum(axis=1)
        return np.asarray(np.subtract(logs + constant, log(left), out=logs, where=logs > -np.inf))
