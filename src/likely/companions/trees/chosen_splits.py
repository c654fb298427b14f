"""The splits that were chosen for a level, and the rows that go down them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from likely.companions.trees.candidate_splits import Cuts
from likely.companions.trees.growth_options import Growth
from likely.companions.trees.open_nodes import Instances, OpenNodes
from likely.companions.trees.presorted import Presorted
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.kernels.trees.partition import ALL_CHILDREN, IN_A_LEAF, lump, send


@dataclass(frozen=True, eq=False)
class ChosenSplits:
    """(nodes,) of each: the `column` of the split or -1, and its `place` among the numeric or the discrete ones.

    Then `threshold`, `levels`, `holed` (missing values have a branch of their own), how many `children` there are, and
    the `first` of them in the next level.
    """

    column: Array
    place: Array
    threshold: Floats
    levels: Array
    holed: Array
    children: Array
    first: Array

    @classmethod
    def of(cls, presorted: Presorted, growth: Growth, cuts: Cuts, column: Array) -> ChosenSplits:
        """The splits of the columns that were chosen."""
        levels, holed = presorted.levels, presorted.holed(growth)
        split = column >= 0
        threshold = np.where(split, cuts.thresholds(column, np.arange(len(column))), np.nan)
        children = np.where(split, (levels + holed)[column], 0).astype(np.int32)
        first = (np.cumsum(children) - children).astype(np.int32)
        return cls(column, presorted.place[column], threshold, levels[column], holed[column], children, first)

    @property
    def split(self) -> Array:
        """(nodes,): whether the node is split."""
        return np.asarray(self.column >= 0)

    @property
    def below(self) -> int:
        """How many children there are in all."""
        return int(self.children.sum())

    def send(self, front: OpenNodes, presorted: Presorted, instances: Instances, to: Array) -> Array:
        """(nodes,): how many missing values go to all children; `to` (instances,) is told where the others go."""
        holes = np.zeros(front.nodes, dtype=np.int64)
        what = self.split, self.place, self.threshold, self.first, self.children, self.holed, self.levels
        send(front.members, front.bounds, *what, presorted.codes, presorted.values, instances.rows, to, holes)
        return holes

    def shares(self, weight: Floats) -> Floats:
        """(children,): the part of the known weight of its parent that came to each."""
        total = np.zeros(len(self.column))
        parent = np.repeat(np.arange(len(self.column)), self.children)
        np.add.at(total, parent, weight)
        return np.asarray(weight / np.where(total > 0, total, 1.0)[parent])

    def usable(self, front: OpenNodes) -> Array:
        """(nodes, discrete columns): what may be split by below each node: a category, once used, says no more."""
        out = front.open.copy()
        levels = np.flatnonzero(self.split & np.isnan(self.threshold))
        out[levels, self.place[levels]] = False
        return out


@dataclass(frozen=True, eq=False)
class SplitAssignment:
    """How instances of a front go down splits: `to` (instances,) is the child, ALL_CHILDREN where it is all of them.

    `share` (children,): the part of a missing value that goes to each. The parts are made at last, and only of those
    that go on.
    """

    front: OpenNodes
    fork: ChosenSplits
    share: Floats
    to: Array

    @property
    def _where(self) -> tuple[Array, ...]:
        return self.front.members, self.front.bounds, self.fork.first, self.fork.children, self.share

    @property
    def parent(self) -> Array:
        """(children,): the node above each."""
        return np.repeat(np.arange(self.front.nodes), self.fork.children)

    @property
    def holes(self) -> Array:
        """(instances,): the node of those with a missing value, else IN_A_LEAF."""
        return np.where(self.to == ALL_CHILDREN, self._node, np.int32(IN_A_LEAF))

    @property
    def holed(self) -> tuple[Array, Array]:
        """(holes,), twice: the instances with a missing value, and the node of each."""
        at = np.flatnonzero(self.to == ALL_CHILDREN)
        return at, self._node[at]

    @cached_property
    def _node(self) -> Array:
        """(instances,): the node that each is in; IN_A_LEAF where it is in none of the front."""
        out = np.full(len(self.to), IN_A_LEAF, dtype=np.int32)
        out[self.front.members] = np.repeat(np.arange(self.front.nodes, dtype=np.int32), np.diff(self.front.bounds))
        return out

    def lump(self, shares: Floats, smallest: float) -> None:
        """Send those with a missing value of which less is left down the largest branch whole."""
        lump(*self._where, smallest, shares, self.to)

    def going(self, slot: Array) -> Array:
        """(instances,): how many parts of each go to children with a slot in the next level."""
        known = np.asarray(self.to >= 0)
        known[known] = slot[self.to[known]] >= 0
        out, holes = known.astype(np.int32), np.flatnonzero(self.to == ALL_CHILDREN)
        if len(holes):
            begin, end = self._open_children(slot)[1:]
            node = self._node[holes]
            out[holes] = end[node] - begin[node]
        return out

    def _open_children(self, slot: Array) -> tuple[Array, Array, Array]:
        """The children with a slot to which parts of rows go, and where those of each node begin and end among them."""
        children = np.flatnonzero((slot[: len(self.share)] >= 0) & (self.share > 0.0))
        first = self.fork.first
        return children, np.searchsorted(children, first), np.searchsorted(children, first + self.fork.children)

    def parted(self, instances: Instances, slot: Array) -> tuple[Instances, Array, Array]:
        """The parts that go to children with a slot, the child of each, and (instances + 1,) where those of each stand.

        Other instances are gone.
        """
        starts = np.concatenate([[0], np.cumsum(self.going(slot))]).astype(np.int32)
        mine = np.repeat(np.arange(len(self.to), dtype=np.int32), np.diff(starts))
        into, rows, marks = self.to[mine], instances.rows[mine], instances.marks[mine]
        weights, shares = instances.weights[mine], instances.shares[mine]
        parts = np.flatnonzero(into == ALL_CHILDREN)
        if len(parts):
            children, begin, _ = self._open_children(slot)
            into[parts] = children[begin[self._node[mine[parts]]] + parts - starts[mine[parts]]]
            weights[parts] *= self.share[into[parts]]
            shares[parts] *= self.share[into[parts]]
        holed = bool((self.to == ALL_CHILDREN).any())
        unit, counted = instances.unit and not holed, instances.counted or holed
        made = replace(instances, rows=rows, marks=marks, weights=weights, shares=shares, unit=unit, counted=counted)
        return made, into, starts
