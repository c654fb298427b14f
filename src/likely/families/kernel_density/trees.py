"""Points in the leaves of a balanced tree of boxes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from likely.core.numerics import Array, Floats
from likely.families.kernel_density.blocks import in_blocks
from likely.families.kernel_density.profiles import KernelProfile
from likely.kernels.densities.radial import MOST_POINTS_A_LEAF, add_up

FINEST_TREE_TOLERANCE = 1e-17  # of a sum: what rounding takes anyhow
NO_WEIGHTS = np.empty(0)
# Queries of many points, and queries times points: what is worth a thread, whose start takes longer than a few kernels
LEAST_QUERIES, KERNELS_WORTH_A_THREAD = 64, 1 << 16


class BoxTree(NamedTuple):
    """Node 1 is the root, 2k and 2k + 1 are the children of k; the leaves come last and cut the points into runs."""

    low: Floats  # (nodes, columns): corners of the boxes
    high: Floats
    starts: Array  # (leaves + 1,): where the points of each leaf begin
    points: Floats  # (columns, points)
    weights: Floats  # (points,)


def grow(points: Floats, weights: Floats) -> BoxTree:
    """The tree of points (points, columns), at least one: they are sorted by a column, cut into equal parts, and so on.

    >>> tree = grow(np.arange(100.0)[::-1, None], np.ones(100))
    >>> tree.starts.tolist(), tree.low[1:, 0].tolist(), tree.high[1:, 0].tolist()
    ([0, 50, 100], [0.0, 0.0, 50.0], [99.0, 49.0, 99.0])
    """
    count, columns = points.shape
    levels = max(0, int(np.ceil(np.log2(count / MOST_POINTS_A_LEAF))))
    part, order = np.zeros(count, dtype=np.int64), np.arange(count)
    done = 0
    for j in range(columns):
        done += (levels - done) // (columns - j)
        order = order[np.lexsort((points[order, j], part))]
        part = np.arange(count) * 2**done // count
    starts = np.searchsorted(part, np.arange(2**levels + 1))
    points, weights = points[order], weights[order]
    low, high = (np.empty((2 ** (levels + 1), columns)) for _ in range(2))
    low[2**levels :] = np.minimum.reduceat(points, starts[:-1])
    high[2**levels :] = np.maximum.reduceat(points, starts[:-1])
    for level in range(levels - 1, -1, -1):
        first, beyond = 2**level, 2 ** (level + 1)
        low[first:beyond] = low[beyond : 2 * beyond].reshape(first, 2, columns).min(axis=1)
        high[first:beyond] = high[beyond : 2 * beyond].reshape(first, 2, columns).max(axis=1)
    return BoxTree(low, high, starts, np.ascontiguousarray(points.T), weights)


def log_sums(
    tree: BoxTree, profile: KernelProfile, queries: Floats, widths: Floats, tolerance: float, own: Floats = NO_WEIGHTS
) -> Floats:
    """(queries,): logs of the sums of kernels that are one at their centres, each with a relative error in bounds.

    widths (queries, columns), or (1, columns) for all; own (queries,): weights taken from the points on each query.
    """
    out = np.empty(len(queries))
    loss = max(tolerance, FINEST_TREE_TOLERANCE) / float(tree.weights.sum())

    def work(block: slice) -> None:
        wide, mine = widths if len(widths) == 1 else widths[block], own[block]
        add_up(tree, queries[block], wide, mine, profile.shape, profile.bend, loss, out[block])

    in_blocks(work, len(queries), max(LEAST_QUERIES, KERNELS_WORTH_A_THREAD // len(tree.weights)))
    return out
