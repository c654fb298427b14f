"""Sums of Gaussians by way of an even grid, each as exact as a share of itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from likely.core.numerics import Array, Floats
from likely.families.kernel_density.blocks import in_blocks
from likely.kernels.densities.gaussian_grid import read, smooth, spread

WINDOW_DEVIATIONS = (0.0, 0.3, 0.3, 0.4)  # deviation of the windows, in widths, by columns: wider ones need fewer nodes
LEAST_LOG_KERNEL = 20.0  # a mean kernel of exp(-LEAST_LOG_KERNEL) is still read off the grid
MARGIN_WIDTHS = 4.0  # widths around the points in which queries are read off the grid
FINEST_GRID_TOLERANCE = 1e-11  # the least tolerance that a grid can keep
MOST_GRID_NODES = 1 << 23  # nodes, 64 MB
LEAST_GRID_POINTS = 1024  # points: a tree adds up fewer ones exactly in next to no time
NODES_A_VECTOR = 4  # windows and halves of the smoothing are whole vectors
REACH_SAMPLE = 64, 2048  # points that are asked, and those they ask, for how many are in reach
# Nanoseconds: a node under a window, a node smoothed by a tap, a kernel in a tree
NODE_NANOSECONDS, TAP_NANOSECONDS, PAIR_NANOSECONDS = 0.5, 0.1, 2.5


@dataclass(frozen=True)
class GridPlan:
    """How far windows and smoothing must reach, in widths, for a relative error.

    exp(-D²/2) is three Gaussians on end: a window from the point to nodes, smoothing from node to node, a window to the
    query. They are a Brownian bridge: each makes a step of mean D s² and deviation s sqrt(1 - s²), s² its variance.
    What lies beyond `far` may be lost, which a sum above `least` of the weight does not feel.
    """

    columns: int
    narrow: float  # deviation of the windows
    spacing: float  # of the nodes
    size: int  # nodes in a window
    far: float
    least: float
    deviations: float  # beyond which a step may not be found

    @classmethod
    def of(cls, tolerance: float, columns: int) -> GridPlan:
        """The error is halved between what lies too far and the rest: two sums and three steps in each column."""
        half, narrow = tolerance / 2.0, WINDOW_DEVIATIONS[columns]
        share = half / (6.0 * columns)
        deviations = -float(ndtri(share))
        far = np.sqrt(2.0 * (LEAST_LOG_KERNEL - np.log(half)))
        middle = 1.0 - 2.0 * narrow**2
        product = narrow * np.sqrt(middle / (narrow**2 + middle))  # deviation of a window times the smoothing
        # a sum over nodes every δ differs from the integral by 2 exp(-2 (π s / δ)²)
        spacing = product * np.pi * np.sqrt(2.0 / np.log(2.0 / share))
        reach = far * narrow**2 + deviations * narrow * np.sqrt(1.0 - narrow**2)
        size = int(np.ceil(2.0 * reach / spacing / NODES_A_VECTOR)) * NODES_A_VECTOR
        return cls(columns, narrow, float(spacing), size, float(far), float(np.exp(-LEAST_LOG_KERNEL)), deviations)

    @property
    def fall(self) -> float:
        """The windows are exp(-fall u²), u in nodes."""
        return 0.5 * (self.spacing / self.narrow) ** 2

    def taps(self, factor: float) -> Floats:
        """(taps,): the smoothing for `factor` >= 1 times the widths of the plan; a kernel is then one at its centre."""
        middle = 1.0 - 2.0 * (self.narrow / factor) ** 2
        reach = self.far * middle + self.deviations * np.sqrt(middle * (1.0 - middle))
        count = int(np.ceil(reach * factor / self.spacing / NODES_A_VECTOR)) * NODES_A_VECTOR + 1
        steps = np.arange(count) * self.spacing / factor
        whole = (self.spacing / self.narrow) ** 2 / (2.0 * np.pi * np.sqrt(middle))
        return np.asarray(whole * np.exp(-0.5 * steps**2 / middle))

    def pays(self, points: Floats, widths: Floats, nodes: float, asked: int) -> bool:
        """Whether a grid of so many nodes is faster than a tree for so many queries."""
        some, others = (points[:: max(1, len(points) // size)] for size in REACH_SAMPLE)
        away = sum((((some[:, None, j] - others[:, j]) / widths[j]) ** 2 for j in range(self.columns)), np.zeros(()))
        tree = PAIR_NANOSECONDS * asked * len(points) * float(np.mean(away < self.far**2))
        windows = NODE_NANOSECONDS * (asked + len(points)) * self.size**self.columns
        return bool(TAP_NANOSECONDS * nodes * self.columns * 2 * len(self.taps(1.0)) + windows < tree)


@dataclass(frozen=True, eq=False)
class SmoothingGrid:
    """A flat grid of this shape, its first node at `origin`, planned for Gaussians of `widths` on so much weight."""

    plan: GridPlan
    widths: Floats
    origin: Floats
    shape: Array
    weight: float
    nodes: Floats


@dataclass(frozen=True, eq=False)
class SpreadPoints(SmoothingGrid):
    """Points spread on a grid."""

    @classmethod
    def of(cls, points: Floats, weights: Floats, widths: Floats, tolerance: float, asked: int) -> SpreadPoints | None:
        """Nothing where the tolerance is too small for a grid, or a tree is faster for so many queries."""
        if tolerance < FINEST_GRID_TOLERANCE or len(points) < LEAST_GRID_POINTS:
            return None
        plan = GridPlan.of(tolerance, points.shape[1])
        low, high = points.min(axis=0), points.max(axis=0)
        margin = np.ceil(MARGIN_WIDTHS / plan.spacing) + plan.size // 2
        with np.errstate(over="ignore"):
            sides = np.ceil((high - low) / widths / plan.spacing) + 2.0 * margin + 1.0
            count = float(np.prod(sides))
        if not (count <= MOST_GRID_NODES and plan.pays(points, widths, count, asked)):
            return None
        shape, spacing = sides.astype(np.int64), plan.spacing * widths
        origin, nodes = low - margin * spacing, np.zeros(np.prod(shape))
        spread(points, weights, origin, spacing, plan.fall, plan.size, shape, nodes)
        return cls(plan, widths, origin, shape, float(weights.sum()), nodes)

    def smoothed(self, factor: float = 1.0) -> Smoothed:
        """Gaussians of `factor` >= 1 times the widths."""
        taps, here = self.plan.taps(factor), self.nodes
        for j in range(len(self.shape)):
            here = _smoothed(here, int(np.prod(self.shape[j + 1 :])), int(self.shape[j]), taps)
        return Smoothed(self.plan, self.widths, self.origin, self.shape, self.weight, here)


@dataclass(frozen=True, eq=False)
class Smoothed(SmoothingGrid):
    """The sums of Gaussians on a grid, up to a last window."""

    def sums(self, queries: Floats) -> Floats:
        """(queries,): sums of kernels that are one at their centres; zero where they are too small to be exact."""
        plan, spacing, out = self.plan, self.plan.spacing * self.widths, np.empty(len(queries))

        def work(block: slice) -> None:
            read(self.nodes, queries[block], self.origin, spacing, plan.fall, plan.size, self.shape, out[block])

        in_blocks(work, len(queries), 2048)
        out[out < plan.least * self.weight] = 0.0
        return out


def _smoothed(nodes: Floats, step: int, length: int, taps: Floats) -> Floats:
    """A flat grid smoothed along a column of `length` nodes, every `step`."""
    line, edge, out = length * step, (len(taps) - 1) * step, np.empty_like(nodes)
    padded = np.pad(nodes.reshape(-1, line), ((0, 0), (edge, edge))).ravel()
    in_blocks(lambda block: smooth(padded, step, taps, line, block.start, block.stop, out), len(nodes), 1 << 16)
    return out
