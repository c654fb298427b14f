"""What each column could do for each node of a front, and which one is chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.companions.trees.amounts import Ranked, distances_apart
from likely.companions.trees.front import Front, Instances
from likely.companions.trees.growth import Growth
from likely.companions.trees.presorted import Presorted
from likely.kernels.medians import scan_distances, split_distances
from likely.kernels.splitting import (
    ENTROPY,
    GINI,
    NOISE,
    SUMS,
    scan_entropy,
    scan_gini,
    scan_sums,
    split_levels,
    tally,
    tally_sums,
)
from likely.numerics import Array, Floats

CLOSE = 2.0**-36  # relative: scores no further apart are equal, and the first column is taken
WEKA = 1e-6  # what J48 takes for nothing
APART = 1e-5  # how far apart it wants the values beside a cut
AVERAGE = 1e-3  # how far below the average a gain may lie
MANY = 0.3  # a category with so many levels a row has no say in the average


@dataclass(frozen=True, eq=False)
class Cuts:
    """(columns of the schema, nodes) of each: `gain`, `information` of the split in bits, `threshold` of a number.

    `gain`: the decrease of the impurity a row, of all rows of the node: those with a hole gain nothing; -inf where no
    split is allowed.
    """

    gain: Floats
    information: Floats
    threshold: Floats

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
        allowed = self.gain >= (max(growth.min_gain, WEKA) if quinlan else growth.min_gain)
        score = self.gain
        if quinlan or growth.criterion == "gain-ratio":
            voices = allowed & average[:, None]
            many = voices.sum(axis=0)
            mean = np.where(voices, self.gain, 0.0).sum(axis=0) / np.maximum(many, 1)
            slack = AVERAGE if quinlan else CLOSE * np.abs(mean)
            allowed &= (self.gain >= mean - slack) & (many > 0)
            score = self.ratio
        return _first_of_best(np.where(allowed, score, -np.inf), WEKA if quinlan else 0.0)


def _first_of_best(score: Floats, slack: float) -> tuple[Array, Floats]:
    nodes = score.shape[1]
    best, column = np.full(nodes, 0.0 if slack else -np.inf), np.full(nodes, -1, dtype=np.int32)
    for at, mine in enumerate(score):
        with np.errstate(invalid="ignore"):
            better = mine > best + np.maximum(CLOSE * np.abs(best), slack)
        better |= (column < 0) & (mine > (slack if slack else -np.inf))
        best, column = np.where(better, mine, best), np.where(better, at, column).astype(np.int32)
    return column, np.where(column >= 0, best, np.nan)


def cuts_of(front: Front, instances: Instances, presorted: Presorted, growth: Growth, threads: int | None) -> Cuts:
    """The best split by each column at each node."""
    work = _Scan(front, instances, presorted, growth)
    shape = len(presorted.schema.columns), front.nodes
    out = Cuts(np.full(shape, -np.inf), np.zeros(shape), np.full(shape, np.nan))
    tasks = [(True, at) for at in range(len(presorted.numeric))] + [
        (False, at) for at in range(len(presorted.discrete))
    ]
    places = (*presorted.numeric, *presorted.discrete)
    found = front.each(lambda task: work.numeric(task[1]) if task[0] else work.levels(task[1]), tasks, threads)
    for at, (gain, information, threshold) in zip(places, found, strict=True):
        out.gain[at], out.information[at], out.threshold[at] = gain, information, threshold
    return out


def voices(presorted: Presorted, growth: Growth) -> Array:
    """(columns,): whether the column has a say in the average gain; J48 asks no category that has very many levels."""
    columns = presorted.schema.columns
    few = [not column.levels or len(column.levels) < MANY * presorted.rows for column in columns]
    return np.array(few if growth.criterion == "c4.5" and any(few) else [True] * len(columns), dtype=bool)


Found = tuple[Floats, Floats, Floats]


class _Scan:
    """The columns of a front, one at a time."""

    def __init__(self, front: Front, instances: Instances, presorted: Presorted, growth: Growth) -> None:
        self.front, self.instances, self.presorted, self.growth = front, instances, presorted, growth
        self.quinlan = growth.criterion == "c4.5"
        self.measure = SUMS if instances.amounts else GINI if growth.criterion == "gini" else ENTROPY
        self.weight = front.counts[:, 0] if instances.amounts else front.counts.sum(axis=1)
        self.ranked = Ranked.of(front, instances) if growth.criterion == "absolute" else None
        self.table = None
        if instances.unit and self.measure == ENTROPY:
            self.table = _xlogx(np.arange(front.sizes.max(initial=0.0) + 1.0))

    def numeric(self, at: int) -> Found:
        """(nodes,) of each: gain, split information, threshold, of the best cut of a numeric column."""
        front, counts, sizes = self.front, self.front.counts, self.front.sizes
        if not front.whole(at):
            counts, sizes = np.zeros_like(counts), np.zeros_like(sizes)
            count = tally_sums if self.instances.amounts else tally
            mine = self.instances
            count(front.orders[at], front.spans[at], mine.marks, mine.weights, mine.shares, counts, sizes)
        drop, left, place, tried = self._scanned(at, counts, sizes)
        known = counts[:, 0] if self.instances.amounts else counts.sum(axis=1)
        found = place >= 0
        if self.quinlan:
            drop = drop - np.log2(np.maximum(tried, 1.0))
        information = _xlogx(self.weight) - _xlogx(left) - _xlogx(known - left) - _xlogx(self.weight - known)
        if self.presorted.holed(self.growth, self.presorted.numeric[at]):
            drop = drop + self._apart(at, counts)
        return (*self._told(found, drop, information), self._thresholds(at, place, found))

    def _scanned(self, at: int, counts: Floats, sizes: Floats) -> Floats:
        """[drop, left, place, tried] (nodes,) of the best cut."""
        front, mine, growth = self.front, self.instances, self.growth
        out = np.zeros((4, front.nodes))
        what = front.orders[at], front.spans[at], mine.marks, mine.weighed, mine.shares, mine.counted
        where = self.presorted.values[at], mine.rows, self.presorted.tied[at]
        least = growth.min_samples_leaf - (WEKA if mine.counted else 0.0)
        if self.ranked is not None:
            scan_distances(*what[:3], mine.weights, mine.shares, sizes, least, *where, *self.ranked, front.bounds, out)
        elif self.measure == ENTROPY:
            gap, slack = (APART, WEKA) if self.quinlan else (0.0, NOISE)
            tied = where[2] or self.quinlan
            scan_entropy(*what, counts, sizes, least, gap, slack, self.quinlan, self.table, *where[:2], tied, out)
        elif self.measure == GINI and counts.shape[1] != 2:
            scan_gini(*what, counts, sizes, least, *where, out)
        else:  # of two classes Gini's impurity is twice the variance of one of them
            known = counts[:, 0] if mine.amounts else counts.sum(axis=1)
            mean = counts[:, 1] / np.where(known > 0, known, 1.0)
            scan_sums(*what, known, mean, sizes, least, NOISE * front.loss, *where, out)
            out[0] *= 1.0 if mine.amounts else 2.0
        return out

    def _apart(self, at: int, counts: Floats) -> Floats:
        """(nodes,): the drop when the rows with a hole are set apart from the others."""
        if self.ranked is not None:
            return distances_apart(self.front, self.instances, at)
        whole, holes = self.front.counts, self.front.counts - counts
        return self._worth(counts) + self._worth(holes) - self._worth(whole)

    def _worth(self, bags: Floats) -> Floats:
        if self.measure == ENTROPY:
            return np.asarray(_xlogx(bags).sum(axis=1) - _xlogx(bags.sum(axis=1)))
        weight = bags[:, 0] if self.instances.amounts else bags.sum(axis=1)
        squares = bags[:, 1] ** 2 if self.instances.amounts else (bags**2).sum(axis=1)
        return np.asarray(squares / np.where(weight > 0, weight, 1.0))

    def _thresholds(self, at: int, place: Floats, found: Array) -> Floats:
        """(nodes,): the middle between the values beside each cut; J48 goes down to the nearest value of any row."""
        values, rows, order = self.presorted.values[at], self.instances.rows, self.front.orders[at]
        if not found.any():
            return np.full(len(place), np.nan)
        left = np.where(found, place, 0).astype(np.int64)
        low, high = values[rows[order[left]]], values[rows[order[np.minimum(left + 1, len(order) - 1)]]]
        middle = low / 2 + high / 2
        middle = np.where(middle >= high, low, middle)
        if self.quinlan:
            whole = self.presorted.orders[at]
            present = self.instances.present
            whole = values[whole if present is None else whole[present[whole]]]
            middle = whole[np.searchsorted(whole, middle, side="right") - 1]
        return np.where(found, middle, np.nan)

    def levels(self, at: int) -> Found:
        """(nodes,) of each: gain, split information, NaN, of the split by the levels of a discrete column."""
        front, mine, presorted = self.front, self.instances, self.presorted
        column = presorted.schema.columns[presorted.discrete[at]]
        levels = len(column.levels) + self.presorted.holed(self.growth, presorted.discrete[at])
        out = np.zeros((4, front.nodes))
        mean = front.counts[:, 1] / np.where(self.weight > 0, self.weight, 1.0) if mine.amounts else self.weight
        width = 2 if mine.amounts else front.counts.shape[1]
        least = self.growth.min_samples_leaf - WEKA
        useful = front.open[:, at]
        what = front.members, front.bounds, presorted.codes[:, at], levels, mine.marks, mine.weights, mine.shares
        if self.ranked is None:
            split_levels(*what, mean, width, self.measure, least, useful, mine.rows, out)
        else:
            split_distances(self.ranked.ranked, *what[1:], least, useful, mine.rows, out)
        drop, information, known, branches = out
        information = _xlogx(self.weight) + information - _xlogx(self.weight - known)
        return (*self._told(useful & (branches >= 2), drop, information), np.full(front.nodes, np.nan))

    def _told(self, found: Array, drop: Floats, information: Floats) -> tuple[Floats, Floats]:
        """The gain, -inf where there is no split, and the split information, a row."""
        weight = np.where(self.weight > 0, self.weight, 1.0)
        gain = np.where(drop > NOISE * weight * self.front.loss, drop / weight, 0.0)
        return np.where(found, drop / weight if self.quinlan else gain, -np.inf), information / weight


def _xlogx(values: Floats) -> Floats:
    some = np.maximum(values, 0.0)
    return np.asarray(some * np.log2(np.where(some > 0, some, 1.0)))
