"""What the nodes of a regression tree say: their weight, the mean or the median, and the loss about it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from likely.companions.trees.open_nodes import Instances, OpenNodes
from likely.core.numerics import Array, Floats
from likely.kernels.trees.partition import squares_about


def node_means(instances: Instances, to: Array, sums: Floats) -> Floats:
    """(nodes, 3): weight, mean and squares of the instances that went to each node; sums (nodes, 2): weight, sum."""
    value, loss = sums[:, 1] / np.where(sums[:, 0] > 0, sums[:, 0], 1.0), np.zeros(len(sums))
    squares_about(to, instances.marks, instances.weights, value, loss)
    return np.stack([sums[:, 0], value, loss], axis=1)


def node_medians(instances: Instances, to: Array, sums: Floats) -> Floats:
    """(nodes, 3): weight, median and distances of the instances that went to each node; sums (nodes, 2)."""
    return np.stack([sums[:, 0], *medians(instances.marks, instances.weights, to, len(sums))], axis=1)


def medians(values: Floats, weights: Floats, to: Array, nodes: int) -> tuple[Floats, Floats]:
    """(nodes,) of each: the weighted median, the middle of two where half of the weight lies below, and the distances.

    >>> medians(np.array([1.0, 2.0, 9.0, 5.0]), np.ones(4), np.array([0, 0, 0, 1]), 2)
    (array([2., 5.]), array([8., 0.]))
    """
    some = np.flatnonzero(to >= 0)
    some = some[np.lexsort((values[some], to[some]))]
    mine, weight, value = to[some], weights[some], values[some]
    ends = np.searchsorted(mine, np.arange(nodes + 1))
    running = np.concatenate([[0.0], np.cumsum(weight)])
    half = (running[ends[:-1]] + running[ends[1:]]) / 2
    slack = 1e-12 * running[-1]
    low = np.clip(np.searchsorted(running[1:], half - slack), ends[:-1], np.maximum(ends[1:] - 1, ends[:-1]))
    high = np.clip(np.searchsorted(running[1:], half + slack), ends[:-1], np.maximum(ends[1:] - 1, ends[:-1]))
    padded = np.append(value, 0.0)
    middle = np.where(ends[1:] > ends[:-1], (padded[low] + padded[high]) / 2, 0.0)
    return middle, np.asarray(np.bincount(mine, weight * np.abs(value - middle[mine]), nodes), dtype=np.float64)


class Ranked(NamedTuple):
    """`rank` (instances,): the place of each among those of its node, by target; `ranked`: those of each in order."""

    rank: Array
    ranked: Array

    @classmethod
    def of(cls, front: OpenNodes, instances: Instances) -> Ranked:
        """The instances of a front in order of their targets."""
        node = np.repeat(np.arange(front.nodes), np.diff(front.bounds))
        ranked = front.members[np.lexsort((instances.marks[front.members], node))]
        rank = np.zeros(len(instances.rows), dtype=np.int32)
        rank[ranked] = np.arange(len(ranked)) - front.bounds[node]
        return cls(rank, ranked)


def missing_branch_gain(front: OpenNodes, instances: Instances, at: int) -> Floats:
    """(nodes,): by how much the distances drop when the rows with a missing value in a numeric column are set apart."""
    gone = np.full(len(instances.rows), -1)
    whole, known = gone.copy(), gone.copy()
    whole[front.members] = np.repeat(np.arange(front.nodes), np.diff(front.bounds))
    there = front.orders[front.spans[at, 0] : front.spans[at, -1]]
    known[there] = whole[there]
    holes = np.where(known < 0, whole, -1)
    parts = [medians(instances.marks, instances.weights, to, front.nodes)[1] for to in (whole, known, holes)]
    return parts[0] - parts[1] - parts[2]
