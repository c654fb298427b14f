"""The walk down the scores, which every curve over thresholds is drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats


@dataclass(frozen=True, eq=False)
class ThresholdCounts:
    """(points,) arrays: how many positive and negative rows score at least each threshold; the first point has none.

    Rows of equal scores share one point. Without weights the counts are whole numbers.
    """

    thresholds: Floats
    hits: Array
    alarms: Array

    @property
    def totals(self) -> tuple[Any, Any]:
        """How many positive and how many negative rows there are."""
        return self.hits[-1].item(), self.alarms[-1].item()


def walk(positive: Array, scores: Floats, weights: Floats | None = None) -> ThresholdCounts:
    """From the highest score to the lowest: a positive row is a hit, a negative row is a false alarm."""
    if weights is not None:
        there = weights > 0
        positive, scores, weights = positive[there], scores[there], weights[there]
    order = np.argsort(-scores, kind="stable")
    falling, positive = scores[order], positive[order]
    ends = np.flatnonzero(np.append(falling[1:] != falling[:-1], True))  # the last row of each group of equal scores
    if weights is None:
        hits = np.cumsum(positive)[ends]
        alarms = ends + 1 - hits
    else:
        each = weights[order]
        hits, alarms = np.cumsum(each * positive)[ends], np.cumsum(each * ~positive)[ends]
    return ThresholdCounts(np.append(np.inf, falling[ends]), np.append(0, hits), np.append(0, alarms))


def pooled(codes: Array, scores: Floats, weights: Floats | None = None) -> ThresholdCounts:
    """The walk over scores (rows, classes) all together; one for the true class of its row is a positive."""
    classes = scores.shape[1]
    positive = codes[:, None] == np.arange(classes)
    return walk(positive.ravel(), scores.ravel(), None if weights is None else np.repeat(weights, classes))
