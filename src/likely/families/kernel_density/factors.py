"""The factor on bandwidths under which points are likeliest: which points are asked, and the search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, sqrt

import numpy as np

from likely.core.numerics import Array, Floats

NARROWEST_FACTOR, WIDEST_FACTOR = 1.0 / 30.0, 3.0  # factors that are tried
# The narrowest where no two points are one: clumps far apart have a spread that says little of them
NARROWEST_OF_SEPARATE_POINTS = 1e-3
FACTOR_TRIALS, FACTOR_REFINEMENTS = 14, 8
GOLDEN_SECTION = (sqrt(5.0) - 1.0) / 2.0
POINTS_WORTH_JOINING = 1 << 12  # points above which those that lie together are asked as one
JOINING_WIDTHS = 0.2  # widths within which they do
# Points asked on a grid; by a tree, or as many as make so many pairs
MOST_GRID_QUERIES, MOST_TREE_QUERIES, MOST_TREE_PAIRS = 1 << 17, 1 << 10, 1 << 27
TRIAL_THINNING, LEAST_TRIAL_QUERIES = 32, 1 << 9  # times fewer, and the least, that choose a trial
Group = tuple[Floats, Floats, Floats]  # points (points, columns), weights (points,), widths (columns,)
Score = tuple[float, float]  # minus the weight that is impossible, then a sum over the rest: the greater is better


@dataclass(frozen=True)
class QueryPoints:
    """points (rows, columns), cells (rows,), own (rows,), weights (rows,): those asked how likely the others make them.

    `cells` are their groups. `own` is what leaving one out takes from a point: one of those that are joined in it.
    `weights` are of all points that it speaks for.
    """

    points: Floats
    cells: Array
    own: Floats
    weights: Floats

    @classmethod
    def of(cls, groups: Sequence[Group], near: float, most: int) -> QueryPoints:
        """The middle one of the sorted points in each box of `near` widths; at equal steps, if they are too many."""
        parts = [_together(*group, near) for group in groups]
        step = -(-sum(len(own) for _, own, _ in parts) // most)
        cells = np.repeat(np.arange(len(groups)), [len(own[::step]) for _, own, _ in parts])
        points, own, weights = (
            np.concatenate([part[::step] for part in column]) for column in zip(*parts, strict=True)
        )
        return cls(points, cells, np.minimum(own, 1.0), weights)


def _together(points: Floats, weights: Floats, widths: Floats, near: float) -> tuple[Floats, Floats, Floats]:
    """Of each box the middle one of its sorted points, its weight, and that of the box."""
    weights = weights.astype(np.float64)
    if near == 0.0:
        return points, weights, weights
    boxes = np.floor((points - points.min(axis=0)) / (near * widths))
    order = np.lexsort(boxes.T)
    boxes, weights = boxes[order], weights[order]
    starts = np.flatnonzero(np.append(True, (boxes[1:] != boxes[:-1]).any(axis=1)))
    middle = (starts + np.append(starts[1:], len(boxes))) // 2
    return points[order[middle]], weights[middle], np.add.reduceat(weights, starts)


def most_asked(groups: Sequence[Group], kernel: str) -> int:
    """How many points may be asked."""
    columns = groups[0][0].shape[1]
    fast = columns == 1 or (columns == 2 and kernel == "gaussian")
    return MOST_GRID_QUERIES if fast else max(MOST_TREE_QUERIES, MOST_TREE_PAIRS // _count(groups))


def score_of(logs: Floats, weights: Floats) -> Score:
    """The score of log likelihoods (rows,)."""
    possible = np.isfinite(logs)
    return -float(weights[~possible].sum()), float((weights * np.where(possible, logs, 0.0)).sum())


def best_factor(score: Callable[[float, QueryPoints], Score], groups: Sequence[Group], kernel: str) -> float:
    """The factor with the best score: of a log grid, chosen by few points, then by golden section around it."""
    most, groups = most_asked(groups, kernel), [_sorted(*group) for group in groups]
    few = QueryPoints.of(groups, 0.0, max(LEAST_TRIAL_QUERIES, most // TRIAL_THINNING))
    tried = np.linspace(np.log(NARROWEST_FACTOR), np.log(WIDEST_FACTOR), FACTOR_TRIALS).tolist()
    scores = [score(exp(at), few) for at in tried]
    if max(scores) == min(scores):
        return 1.0
    while scores[0] == max(scores) and tried[0] > np.log(NARROWEST_OF_SEPARATE_POINTS) and not any(map(_tied, groups)):
        tried.insert(0, 2.0 * tried[0] - tried[1])
        scores.insert(0, score(exp(tried[0]), few))
    best = scores.index(max(scores))
    more = QueryPoints.of(
        groups, JOINING_WIDTHS * exp(tried[best]) if _count(groups) > POINTS_WORTH_JOINING else 0.0, most
    )
    known: dict[float, Score] = {}

    def ask(at: float) -> Score:
        if at not in known:
            known[at] = score(exp(at), more)
        return known[at]

    low, high = _bracket(ask, tried, best)
    left, right = high - (high - low) * GOLDEN_SECTION, low + (high - low) * GOLDEN_SECTION
    for _ in range(FACTOR_REFINEMENTS):
        downhill = ask(left) >= ask(right)
        top = max(known, key=lambda at: known[at])
        # where points come into reach the score leaps: what is best so far stays within
        if top <= left or (top < right and downhill):
            high, right, left = right, left, right - (right - low) * GOLDEN_SECTION
        else:
            low, left, right = left, right, left + (high - left) * GOLDEN_SECTION
    return exp(max(known, key=lambda at: known[at]))


def _bracket(ask: Callable[[float], Score], tried: list[float], best: int) -> tuple[float, float]:
    """The trials around the best one, which more points may see in another place."""
    while True:
        around = range(max(best - 1, 0), min(best + 2, len(tried)))
        better = max(around, key=lambda place: ask(tried[place]))
        if ask(tried[better]) <= ask(tried[best]):
            return tried[around[0]], tried[around[-1]]
        best = better


def _sorted(points: Floats, weights: Floats, widths: Floats) -> Group:
    """The same points in an order that does not depend on that of the rows."""
    order = np.lexsort(points.T[::-1])
    return points[order], weights[order], widths


def _tied(group: Group) -> bool:
    """Whether some sorted points are one: they are ever likelier under ever narrower windows."""
    points, weights, _ = group
    return bool((weights > 1.0).any() or (points[1:] == points[:-1]).all(axis=1).any())


def _count(groups: Sequence[Group]) -> int:
    return sum(len(points) for points, _, _ in groups)
