"""The values of one numeric column by class, thinned where they are many: what cuts are learnt from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats

MOST_DISTINCT_VALUES = 8192  # different values that are all kept; beyond, neighbours share a point


@dataclass(frozen=True, eq=False)
class Sketch:
    """values (points,) rising, and counts (points, classes): the weight of the rows at each; missing is left out.

    Up to MOST_DISTINCT_VALUES it is exact. Beyond, at most half as many points stand for bins of nearly equal weight,
    each at the largest value of its bin, and the smallest of all has a point of its own: both ends are exact. The
    weight at or below a value is then known up to `slack`: the truth is what the points say, or more by at most that.
    Each thinning adds weight / (MOST_DISTINCT_VALUES / 2 - 1) to it. Sketches add up; they cannot be taken apart again.

    >>> left, right = Sketch.of([2.0, 1.0, 2.0], [0, 1, 1], None, 2), Sketch.of([np.nan, 1.0], [0, 0], None, 2)
    >>> (left + right).values.tolist(), (left + right).counts.tolist()
    ([1.0, 2.0], [[1.0, 1.0], [1.0, 1.0]])
    """

    values: Floats
    counts: Floats
    slack: float = 0.0

    @classmethod
    def of(cls, values: Array, cells: Array, weights: Floats | None, classes: int) -> Sketch:
        """The sketch of rows: values (rows,), classes as numbers (rows,), and weights (rows,) or None."""
        values, cells = np.ascontiguousarray(values, dtype=np.float64), np.asarray(cells)
        keep = ~np.isnan(values)
        if weights is not None:
            keep &= weights > 0
        if not keep.all():
            values, cells = values[keep], cells[keep]
            weights = None if weights is None else weights[keep]
        order = np.argsort(values)
        values = values[order] + 0.0  # minus zero is zero
        weights = None if weights is None else weights[order]
        starts, slack = _points(values, weights)
        places = np.repeat(np.arange(len(starts)) * classes, np.diff(starts, append=len(values)))
        counts = np.bincount(places + cells[order], weights, len(starts) * classes).astype(np.float64, copy=False)
        return cls(_largest(values, starts), counts.reshape(len(starts), classes), slack)

    def __add__(self, other: Sketch) -> Sketch:
        values = np.concatenate([self.values, other.values])
        order = np.argsort(values, kind="stable")  # two rising runs are merged, not sorted
        values, counts = values[order], np.concatenate([self.counts, other.counts])[order]
        starts, slack = _points(values, counts.sum(axis=1))
        if len(starts) < len(values):
            counts = np.add.reduceat(counts, starts, axis=0)
        return Sketch(_largest(values, starts), counts, self.slack + other.slack + slack)

    def embed(self, cells: Array, classes: int) -> Sketch:
        """The same sketch among more classes: class i goes to cells[i]."""
        counts = np.zeros((len(self.values), classes))
        counts[:, cells] = self.counts
        return Sketch(self.values, counts, self.slack)


def _points(values: Floats, weights: Floats | None) -> tuple[Array, float]:
    """Where each point begins among rising values, and the slack that comes of thinning them."""
    begins = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    starts = np.flatnonzero(begins)
    if len(starts) <= MOST_DISTINCT_VALUES:
        return starts, 0.0
    below: Array = starts
    total = float(len(values))
    if weights is not None:
        sums = np.cumsum(weights)
        below, total = np.concatenate([[0.0], sums[starts[1:] - 1]]), float(sums[-1])
    share = total / (MOST_DISTINCT_VALUES // 2 - 1)
    # values of a bin begin within one share of the weight: what is moved up to its largest value is less than that
    firsts = np.searchsorted(below, share * np.arange(1, MOST_DISTINCT_VALUES // 2 - 1))
    return starts[np.unique(np.append(firsts[firsts < len(starts)], [0, 1]))], share


def _largest(values: Floats, starts: Array) -> Floats:
    return np.asarray(values[np.append(starts[1:], len(values))[: len(starts)] - 1])
