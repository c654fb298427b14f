"""Where to bin numeric columns: first by their own values, then with regard to their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, xlogy

from likely.core.numerics import Array, Floats
from likely.data.levels.interval_levels import interval_levels, short_between
from likely.families.discretization import equal_shares
from likely.kernels.search.cut_scores import add_stretches

MOST_CUT_PLACES = 200  # places among which cuts are chosen: more different values than that share them
FIRST_BINS = 5  # at first: enough to see most dependences, few enough that tables of several parents stay small
MOST_BINS = 12  # parts in the end


@dataclass(frozen=True, eq=False)
class BinnedColumn:
    """edges (places,) at which a column may be binned; steps (rows,): how many of them are below each value.

    Where a value is missing, the step is one more than there are edges.
    """

    edges: Floats
    steps: Array

    @classmethod
    def of(cls, values: Floats, weights: Floats | None = None) -> BinnedColumn:
        """Of numbers (rows,): an edge between any two values, or MOST_CUT_PLACES steps of nearly equal weight.

        >>> BinnedColumn.of(np.array([3.0, 1.0, 8.0, np.nan])).steps.tolist()
        [1, 0, 2, 3]
        """
        different, below = _below(values, weights)
        places = np.arange(len(different) - 1)
        if len(places) >= MOST_CUT_PLACES:
            places = _widest(different, below, below[-1] * np.arange(1, MOST_CUT_PLACES) / MOST_CUT_PLACES)
        edges = np.array([short_between(different[at], different[at + 1]) for at in places], dtype=np.float64)
        steps = np.searchsorted(edges, values).astype(np.uint8)
        steps[np.isnan(values)] = len(edges) + 1
        return cls(edges, steps)

    def weigh(self, weights: Floats | None) -> Floats:
        """(steps,): the weight of the rows at each step."""
        counts = np.bincount(self.steps, weights, len(self.edges) + 2)
        return counts[:-1].astype(np.float64)

    def cut(self, places: Array) -> tuple[tuple[str, ...], Array]:
        """The levels that cuts at some edges leave, and (rows,) the codes."""
        lookup = np.searchsorted(places, np.arange(len(self.edges) + 2)).astype(np.uint8)
        lookup[-1] = len(places) + 1
        return interval_levels(self.edges[places]), lookup[self.steps]


def first_cuts(amounts: BinnedColumn, weights: Floats | None = None) -> Array:
    """(cuts,): which edges leave parts of nearly equal weight, as many as the cube root of the rows, 2 to FIRST_BINS.

    >>> column = BinnedColumn.of(np.array([1.0, 2.0, 3.0, 7.0, 8.0, 9.0, np.nan]))
    >>> column.edges[first_cuts(column)].tolist()
    [5.0]
    """
    rows = np.count_nonzero(amounts.steps <= len(amounts.edges))
    parts = int(np.clip(round(rows ** (1 / 3)), 2, FIRST_BINS))
    return equal_shares(amounts.weigh(weights), parts)


def _below(values: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """The different values, rising, and the weight of the rows up to each."""
    seen = ~np.isnan(values)
    if weights is None:
        rising = np.sort(values[seen])
        sums = np.arange(1.0, len(rising) + 1)
    else:
        order = np.argsort(values[seen])
        rising, sums = values[seen][order], np.cumsum(weights[seen][order])
    last = np.append(np.flatnonzero(np.diff(rising) > 0), len(rising) - 1)
    return rising[last] + 0.0, sums[last]  # minus zero is zero


def _widest(different: Floats, below: Floats, wanted: Floats) -> Array:
    """(places,): between what is half a step before and behind of what is wanted, where values lie farthest apart."""
    half = (wanted[1] - wanted[0]) / 2
    firsts, lasts = np.searchsorted(below, wanted - half), np.searchsorted(below, wanted + half)
    gaps = np.diff(different)
    ranges = zip(firsts.tolist(), np.minimum(lasts, len(gaps)).tolist(), strict=True)
    return np.unique([first + int(np.argmax(gaps[first:last])) for first, last in ranges if first < last])


class NeighbourView(NamedTuple):
    """A family that a column is in: what a part of it tells is Σ n log n over `cells`, less that over `given`.

    Both (rows,), -1 where one of the family is missing. Each part has `price` free numbers in the family's table.
    """

    cells: Array
    given: Array
    price: float


def recut(amounts: BinnedColumn, views: Sequence[NeighbourView], weights: Floats | None = None) -> Array:
    """(cuts,): which edges make the description of a column and of its neighbours shortest.

    As Friedman and Goldszmidt (1996): what the parts tell of parents and children, in nats, less half the log of the
    weight for each free number in the tables, less the log of the ways to choose as many edges. The parts add up, so
    that the best of all choices is found, from 2 parts to MOST_BINS.

    >>> x, y = np.arange(60.0), np.repeat([0, 1, 0], 20)
    >>> column = BinnedColumn.of(x)
    >>> column.edges[recut(column, [NeighbourView(y, np.zeros(60, dtype=int), 1.0)])].tolist()
    [19.5, 39.5]
    """
    weight = float(len(amounts.steps) if weights is None else weights.sum())
    gains = sum(_gains(amounts, view, weights, weight) for view in views)
    assert not isinstance(gains, int), "a column has neighbours"
    price = 0.5 * np.log(max(weight, 2.0)) * sum(view.price for view in views)
    best, came = _chains(gains)
    parts = 2 + int(np.argmax(best - price * np.arange(2, len(best) + 2) - choices(len(amounts.edges), len(best))))
    cuts, end = [], len(amounts.edges)
    for back in range(parts - 2, -1, -1):
        end = int(came[back, end])
        cuts.append(end)
    return np.array(cuts[::-1])


def choices(edges: int, most: int) -> Floats:
    """(most,): the log of the ways to choose 1, 2, ... of the edges."""
    cuts = np.arange(1, most + 1)
    return np.asarray(gammaln(edges + 1) - gammaln(cuts + 1) - gammaln(edges - cuts + 1))


def spread(amounts: BinnedColumn, places: Array, weights: Floats | None) -> float:
    """The entropy of the parts times the weight, less the log of the ways to cut: what makes scores comparable.

    The score of a graph is of the parts alone, and fewer of them are easier to foretell; values within them cost more.
    """
    counts = np.add.reduceat(amounts.weigh(weights), np.append(0, places + 1))
    weight, known = float(len(amounts.steps) if weights is None else weights.sum()), counts.sum()
    entropy = np.log(known) - xlogy(counts, counts).sum() / known
    return float(weight * entropy - choices(len(amounts.edges), len(places))[-1])


def _gains(amounts: BinnedColumn, view: NeighbourView, weights: Floats | None, weight: float) -> Floats:
    """(steps, steps): what a part from one step to another tells, scaled up to all rows."""
    seen = (view.cells >= 0) & (amounts.steps <= len(amounts.edges))
    if weights is not None:
        seen &= weights > 0
    steps, own = amounts.steps[seen], None if weights is None else weights[seen]
    total = float(len(steps) if own is None else own.sum())
    out = np.zeros((len(amounts.edges) + 2, len(amounts.edges) + 2))
    if total > 0:
        add_stretches(*_sparse(view.cells[seen], steps, own), weight / total, out)
        add_stretches(*_sparse(view.given[seen], steps, own), -weight / total, out)
    return np.asarray(out.cumsum(axis=0).cumsum(axis=1)[:-1, :-1])


def _sparse(cells: Array, steps: Array, weights: Floats | None) -> tuple[Array, Array, Floats]:
    """Where the counts of each cell start, their steps, rising, and the counts themselves."""
    keys, place = np.unique(cells.astype(np.int64) * 256 + steps, return_inverse=True)
    starts = np.append(np.flatnonzero(np.diff(keys >> 8, prepend=-1)), len(keys))
    return starts, keys & 255, np.bincount(place, weights, len(keys)).astype(np.float64)


def _chains(gains: Floats) -> tuple[Floats, Array]:
    """(parts from 2 on,): the best sum of so many parts; and came (parts, steps): the last step of the part before."""
    steps = len(gains)
    reached, best, came = gains[0], [], []
    for _ in range(2, min(MOST_BINS, steps) + 1):
        # the part before ends at `before`, this one runs from there to `end`
        through = np.where(np.tri(steps - 1, steps, 0, dtype=bool), -np.inf, reached[:-1, None] + gains[1:])
        came.append(through.argmax(axis=0))
        reached = through.max(axis=0)
        best.append(reached[-1])
    return np.array(best), np.array(came)
