"""Sums of piecewise polynomial kernels of one column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats
from likely.families.kernel_density.blocks import in_blocks
from likely.kernels.densities.running_sums import reach, run

SUM_ROUNDING = 1e-12  # of the weight in the boxes: the most that a sum may be wrong, measured ten times less
FINEST_LINE_TOLERANCE = 1e-10  # a smaller tolerance would leave too many sums too small
LEAST_LINE_POINTS = 1024  # points


@dataclass(frozen=True, eq=False)
class Line:
    """Sorted points in boxes of a width, and running sums of their powers in each."""

    values: Floats
    width: float
    begins: Array
    ends: Array
    running: Floats
    profile: Floats
    tolerance: float

    @classmethod
    def of(cls, values: Floats, weights: Floats, width: float, profile: Floats, tolerance: float) -> Line | None:
        """profile: coefficients of the powers of |u|. Nothing where points are so few that a tree is faster."""
        if tolerance < FINEST_LINE_TOLERANCE or len(values) < LEAST_LINE_POINTS:
            return None
        order = np.argsort(values, kind="stable")
        values, weights = values[order], weights[order]
        begins, ends = (np.empty(len(values), dtype=np.int64) for _ in range(2))
        running = np.empty((len(values), len(profile)))
        run(values, weights, width, begins, ends, running)
        return cls(values, width, begins, ends, running, profile, tolerance)

    def sums(self, queries: Floats) -> Floats:
        """(queries,): sums of kernels, at queries (queries, 1); zero where they are too small to be exact."""
        out, least = np.empty(len(queries)), SUM_ROUNDING / self.tolerance

        def work(block: slice) -> None:
            at = np.ascontiguousarray(queries[block, 0])
            reach(self.values, self.begins, self.ends, self.running, at, self.width, self.profile, least, out[block])

        in_blocks(work, len(queries), 2048)
        return out
