"""What each column could do for each node of a front, and which one is chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from likely.companions.trees.growth_options import Growth
from likely.companions.trees.numeric_nodes import Ranked, missing_branch_gain
from likely.companions.trees.open_nodes import Instances, OpenNodes
from likely.companions.trees.presorted import Presorted
from likely.core.numerics import Array, Floats
from likely.kernels.trees.median_splits import scan_distances, split_distances
from likely.kernels.trees.splits import (
    ENTROPY,
    GAIN_ROUNDING,
    GINI,
    SUMS,
    scan_entropy,
    scan_gini,
    scan_sums,
    split_levels,
    tally,
)

EQUAL_SCORE_RATIO = 2.0**-36  # relative: scores no further apart are equal, and the first column is taken
J48_ZERO = 1e-6  # what J48 takes for nothing
J48_LEAST_GAP = 1e-5  # how far apart it wants the values beside a threshold
AVERAGE_GAIN_SLACK = 1e-3  # how far below the average a gain may lie
RATIO_CRITERIA = ("gain-ratio", "c4.5")  # criteria that judge by the ratio of the gain to the split information
MANY_LEVELS_A_ROW = 0.3  # a category with so many levels a row has no say in the average


@dataclass(frozen=True, eq=False)
class Cuts:
    """(columns of the schema, nodes) of each: `gain`, `information` of the split in bits, `place` of a threshold.

    `gain`: the decrease of the impurity a row, of all rows of the node: incomplete rows gain nothing; -inf where no
    split is allowed. The information is told where it is asked for: at the root, and by criteria that judge by it. The
    place is that in the orders of the front before the threshold; -1: none.
    """

    gain: Floats
    information: Floats
    place: Array
    front: OpenNodes
    instances: Instances
    presorted: Presorted
    quinlan: bool

    def thresholds(self, column: Array, node: Array) -> Floats:
        """Of each column at a node: the middle between the values beside its threshold; NaN where it has none.

        J48 goes down to the nearest value of any row.
        """
        out, place = np.full(len(column), np.nan), self.place[column, node]
        some = np.flatnonzero(place >= 0)
        at, left = self.presorted.place[column[some]], place[some]
        rows, orders, values = self.instances.rows, self.front.orders, self.presorted.values
        low, high = values[at, rows[orders[left]]], values[at, rows[orders[left + 1]]]
        middle = low / 2 + high / 2
        middle = np.where(middle >= high, low, middle)
        if self.quinlan:
            for one in np.unique(at).tolist():
                mine = at == one
                middle[mine] = self.presorted.next_below(one, middle[mine], self.instances.present)
        out[some] = middle
        return out

    @property
    def ratio(self) -> Floats:
        """The gain over the split information; -inf where no split is allowed."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.information > 0, self.gain / self.information, -np.inf)

    def chosen(self, growth: Growth, average: Array) -> tuple[Array, Floats]:
        """(nodes,) of each: the column, -1 where none is worth it, and what the criterion gives it.

        `average` (columns,): whether the column has a say in the average gain.
        """
        quinlan = growth.criterion == "c4.5"
        allowed = self.gain >= (max(growth.min_gain, J48_ZERO) if quinlan else growth.min_gain)
        score = self.gain
        if quinlan or growth.criterion == "gain-ratio":
            voices = allowed & average[:, None]
            many = voices.sum(axis=0)
            mean = np.where(voices, self.gain, 0.0).sum(axis=0) / np.maximum(many, 1)
            slack = AVERAGE_GAIN_SLACK if quinlan else EQUAL_SCORE_RATIO * np.abs(mean)
            allowed &= (self.gain >= mean - slack) & (many > 0)
            score = self.ratio
        return _first_of_best(np.where(allowed, score, -np.inf), J48_ZERO if quinlan else 0.0)


def _first_of_best(score: Floats, slack: float) -> tuple[Array, Floats]:
    """(nodes,) of each: the first of the columns with the best score (columns, nodes), -1: none is above; its score.

    A later one must be better by `slack` and by the share in which scores are equal; with a slack, scores up to it are
    none. What has not risen above a column that was taken does not rise above one taken later.
    """
    best, column = np.full(score.shape[1], np.nan), np.full(score.shape[1], -1, dtype=np.int32)
    bar, nodes = np.full(score.shape[1], slack if slack > 0.0 else -np.inf), np.arange(score.shape[1])
    while len(score) and len(nodes):
        above = score > bar
        first = above.argmax(axis=0)
        some = np.flatnonzero(above[first, np.arange(len(nodes))])
        first, nodes, score = first[some], nodes[some], score if len(some) == len(nodes) else score[:, some]
        top = score[first, np.arange(len(nodes))]
        best[nodes], column[nodes] = top, first
        bar = top + np.maximum(EQUAL_SCORE_RATIO * np.abs(top), slack)
    return column, best


def best_splits(
    front: OpenNodes, instances: Instances, presorted: Presorted, growth: Growth, threads: int | None
) -> Cuts:
    """The best split by each column at each node."""
    work = _Scan(front, instances, presorted, growth)
    front.each(work.numeric, len(presorted.numeric), len(front.orders), threads)
    front.each(work.levels, len(presorted.discrete), len(front.members) * len(presorted.discrete), threads)
    return work.cuts


def in_average_gain(presorted: Presorted, growth: Growth) -> Array:
    """(columns,): whether the column has a say in the average gain; J48 asks no category that has very many levels."""
    columns = presorted.schema.columns
    few = [not column.levels or len(column.levels) < MANY_LEVELS_A_ROW * presorted.rows for column in columns]
    return np.array(few if growth.criterion == "c4.5" and any(few) else [True] * len(columns), dtype=bool)


class _Scan:
    """The columns of a front, some at a time: what is found of each is written into `cuts`."""

    def __init__(self, front: OpenNodes, instances: Instances, presorted: Presorted, growth: Growth) -> None:
        self.front, self.instances, self.presorted, self.growth = front, instances, presorted, growth
        self.quinlan = growth.criterion == "c4.5"
        self.measure = SUMS if instances.amounts else GINI if growth.criterion == "gini" else ENTROPY
        self.weight = front.counts[:, 0] if instances.amounts else front.counts.sum(axis=1)
        self.ranked = Ranked.of(front, instances) if growth.criterion == "absolute" else None
        self.table = np.empty(0)
        if instances.unit and self.measure == ENTROPY:
            self.table = _xlogx(np.arange(front.sizes.max(initial=0.0) + 1.0))
        self.informed = growth.criterion in RATIO_CRITERIA or front.nodes == 1  # the root's are shown
        shape = len(presorted.schema.columns), front.nodes
        gain, information, place = np.full(shape, -np.inf), np.zeros(shape), np.full(shape, -1, dtype=np.int64)
        self.cuts = Cuts(gain, information, place, front, instances, presorted, self.quinlan)
        self.found = np.zeros((4, max(len(presorted.numeric), len(presorted.discrete)), front.nodes))

    def numeric(self, begin: int, end: int) -> None:
        """The best thresholds of numeric columns; those with missing values, of which fewer rows are known, singly."""
        holed = np.flatnonzero(self.front.holed[begin:end]) + begin
        edges = np.unique(np.concatenate([[begin, end], holed, holed + 1])).tolist()
        for first, last in pairwise(edges):
            self._cut(first, last)

    def _cut(self, begin: int, end: int) -> None:
        front, mine, counts, sizes = self.front, self.instances, self.front.counts, self.front.sizes
        if front.holed[begin]:
            counts, sizes = np.zeros_like(counts), np.zeros_like(sizes)
            what = mine.marks, mine.weights, mine.shares, mine.amounts
            tally(front.orders, front.spans[begin], *what, counts, sizes)
        self._scan(begin, end, counts, sizes)
        drop, left, place, tried = self.found[:, begin:end]
        if self.quinlan:
            drop = drop - np.log2(np.maximum(tried, 1.0))
        columns = np.array(self.presorted.numeric[begin:end])
        if self.presorted.holed(self.growth)[columns[0]]:
            drop = drop + self._apart(begin, counts)
        known = counts[:, 0] if mine.amounts else counts.sum(axis=1)
        self.cuts.place[columns] = place
        self._tell(columns, place >= 0, drop, lambda: -_xlogx(left) - _xlogx(known - left), known)

    def _scan(self, begin: int, end: int, counts: Floats, sizes: Floats) -> None:
        """found [drop, left, place, tried] (columns, nodes) of the best thresholds."""
        front, mine, growth, out = self.front, self.instances, self.growth, self.found
        what = front.orders, front.spans, front.live, begin, end, mine.marks
        weighed = mine.weighed, mine.shares, mine.counted
        values = self.presorted.values, mine.rows, self.presorted.tied
        ranks = self.presorted.ranks, mine.rows, self.presorted.tied
        least = growth.min_samples_leaf - (J48_ZERO if mine.counted else 0.0)
        if self.ranked is not None:
            scan_distances(*what, mine.weights, mine.shares, sizes, least, *values, *self.ranked, front.bounds, out)
        elif self.measure == ENTROPY:
            gap, slack = (J48_LEAST_GAP, J48_ZERO) if self.quinlan else (0.0, GAIN_ROUNDING)
            scan_entropy(*what, *weighed, counts, sizes, least, gap, slack, self.quinlan, self.table, *values, out)
        elif self.measure == GINI and counts.shape[1] != 2:
            scan_gini(*what, *weighed, counts, sizes, least, *ranks, out)
        else:  # of two classes Gini's impurity is twice the variance of one of them
            known = counts[:, 0].copy() if mine.amounts else counts.sum(axis=1)
            mean = counts[:, 1] / np.where(known > 0, known, 1.0)
            scan_sums(*what, *weighed, known, mean, sizes, least, GAIN_ROUNDING * front.loss, *ranks, out)
            out[0, begin:end] *= 1.0 if mine.amounts else 2.0

    def _apart(self, at: int, counts: Floats) -> Floats:
        """(nodes,): the drop when the rows with a missing value are set apart from the others."""
        if self.ranked is not None:
            return missing_branch_gain(self.front, self.instances, at)
        whole, holes = self.front.counts, self.front.counts - counts
        return self._worth(counts) + self._worth(holes) - self._worth(whole)

    def _worth(self, bags: Floats) -> Floats:
        if self.measure == ENTROPY:
            return np.asarray(_xlogx(bags).sum(axis=1) - _xlogx(bags.sum(axis=1)))
        weight = bags[:, 0] if self.instances.amounts else bags.sum(axis=1)
        squares = bags[:, 1] ** 2 if self.instances.amounts else (bags**2).sum(axis=1)
        return np.asarray(squares / np.where(weight > 0, weight, 1.0))

    def levels(self, begin: int, end: int) -> None:
        """The splits by the levels of discrete columns."""
        front, mine, presorted = self.front, self.instances, self.presorted
        levels = (presorted.levels + presorted.holed(self.growth))[list(presorted.discrete)]
        mean = front.counts[:, 1] / np.where(self.weight > 0, self.weight, 1.0) if mine.amounts else self.weight
        least = self.growth.min_samples_leaf - J48_ZERO
        what = front.bounds, begin, end, presorted.codes, levels, mine.marks
        out = self.found
        out[:, begin:end] = 0.0
        if self.ranked is None:
            width = front.counts.shape[1]
            weighed = mine.weighed, mine.shares
            split_levels(front.members, *what, *weighed, mean, width, self.measure, least, front.open, mine.rows, out)
        else:
            weighed = mine.weights, mine.shares
            split_distances(self.ranked.ranked, *what, *weighed, least, front.open, mine.rows, out)
        drop, information, known, branches = out[:, begin:end]
        columns = np.array(presorted.discrete[begin:end], dtype=np.int64)
        self._tell(columns, branches >= 2, drop, lambda: information, known)

    def _tell(self, columns: Array, found: Array, drop: Floats, split: Callable[[], Floats], known: Floats) -> None:
        """The gain, -inf where there is no split, and the split information, a row."""
        weight = np.where(self.weight > 0, self.weight, 1.0)
        gain = drop / weight
        if not self.quinlan:
            gain[~(drop > GAIN_ROUNDING * weight * self.front.loss)] = 0.0
        self.cuts.gain[columns] = np.where(found, gain, -np.inf)
        if self.informed:
            told = _xlogx(self.weight) + split() - _xlogx(self.weight - known)
            self.cuts.information[columns] = told / weight


def _xlogx(values: Floats) -> Floats:
    some = np.maximum(values, 0.0)
    return np.asarray(some * np.log2(np.where(some > 0, some, 1.0)))
