"""A decision tree as arrays over its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema


@dataclass(frozen=True, eq=False)
class Tree:
    """(nodes,) of each, the root first; the children of a node stand in a row, after it.

    `column`: the place in schema.columns of the split, -1 at a leaf. `threshold`: of a number, whose first child takes
    the values up to it; NaN elsewhere. `first`: the first child, or -1. `children`: how many: 0 at a leaf, 2 of a
    number, the levels of a category; one more, the last, where missing values have a branch of their own. `counts`
    (nodes, classes): the weight of the learnt rows of each class that came to the node; of numbers (nodes, 3): their
    weight, the mean (or median) and the sum of the squares (or of the distances) about it, and where none came, the
    mean of the parent. `gain`: what the criterion gave the split, NaN at a leaf. `share`: the part of the known weight
    of the parent that came here; a row with a missing value goes on in such parts.

    >>> tree = Tree(*map(np.array, ([0, -1, -1], [0.5, np.nan, np.nan], [1, -1, -1], [2, 0, 0])),
    ...             counts=np.array([[3.0, 2.0], [3.0, 0.0], [0.0, 2.0]]), gain=np.array([0.48, np.nan, np.nan]),
    ...             share=np.array([1.0, 0.6, 0.4]))
    >>> tree.depth, tree.leaves, tree.kept(np.array([0])).leaves
    (1, 2, 1)
    """

    column: Array
    threshold: Floats
    first: Array
    children: Array
    counts: Floats
    gain: Floats
    share: Floats

    @classmethod
    def joined(cls, parts: Sequence[Tree]) -> Tree:
        """The nodes of all parts, one part after the other; which nodes are their children is as the parts say."""
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))

    def part(self, at: Any) -> Tree:
        """Some of the nodes as they are."""
        return Tree(*(getattr(self, one.name)[at] for one in fields(self)))

    @property
    def nodes(self) -> int:
        """How many nodes it has."""
        return len(self.column)

    @property
    def leaf(self) -> Array:
        """(nodes,): whether the node is a leaf."""
        return np.asarray(self.children == 0)

    @property
    def leaves(self) -> int:
        """How many leaves it has."""
        return int(np.count_nonzero(self.leaf))

    def thresholds(self, column: int) -> Floats:
        """The numbers that nodes split a column at, in their order."""
        return np.unique(self.threshold[(self.column == column) & ~np.isnan(self.threshold)])

    def sons(self, nodes: Array) -> Array:
        """The children of these nodes, one node's after the other's."""
        many = self.children[nodes]
        turn = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
        return np.asarray(np.repeat(self.first[nodes], many) + turn)

    @cached_property
    def parent(self) -> Array:
        """(nodes,): the node above, -1 at the root."""
        out = np.full(self.nodes, -1, dtype=np.int32)
        inner = np.flatnonzero(self.children)
        out[self.sons(inner)] = np.repeat(inner, self.children[inner])
        return out

    @cached_property
    def level(self) -> Array:
        """(nodes,): how many splits lie above the node."""
        out = np.zeros(self.nodes, dtype=np.int32)
        here, depth = np.array([0]), 0
        while len(here := self.sons(here)):
            out[here] = depth = depth + 1
        return out

    @property
    def depth(self) -> int:
        """How many splits lie above the deepest leaf."""
        return int(self.level.max())

    @cached_property
    def evidence(self) -> Floats:
        """(nodes, classes): the counts that a node answers by: its own, or its parent's where no row came to it."""
        empty = np.flatnonzero(self.counts.sum(axis=1) <= 0)
        out = self.counts.copy() if len(empty) else self.counts
        for node in empty[empty > 0].tolist():  # parents stand before their children
            out[node] = out[self.parent[node]]
        return out

    def holed(self, schema: Schema) -> Array:
        """(nodes,): whether the last branch of the node is that of the rows whose value is missing."""
        levels = np.array([len(column.levels) or 2 for column in schema.columns] + [0])
        return np.asarray(self.children > np.where(np.isnan(self.threshold), levels[self.column], 2))

    def kept(self, nodes: Array) -> Tree:
        """The tree with these nodes made leaves; what stood below them is gone."""
        cut = np.zeros(self.nodes, dtype=bool)
        cut[nodes] = True
        stays = np.zeros(self.nodes, dtype=bool)
        here = np.array([0])
        while len(here):
            stays[here] = True
            here = self.sons(here[~cut[here]])
        place = np.cumsum(stays) - 1  # brothers stay or go together: their order is kept
        inner = (self.children > 0) & ~cut
        return replace(
            self,
            column=np.where(inner, self.column, -1).astype(np.int32),
            threshold=np.where(inner, self.threshold, np.nan),
            first=np.where(inner, place[self.first], -1).astype(np.int32),
            children=np.where(inner, self.children, 0).astype(np.int32),
            gain=np.where(inner, self.gain, np.nan),
        ).part(stays)

    def votes(self) -> Floats:
        """(nodes, classes): 1 for the class that a node decides for, the first of equals."""
        out = np.zeros(self.counts.shape)
        out[np.arange(len(out)), self.evidence.argmax(axis=1)] = 1.0
        return out

    def class_shares(self, smoothing: float) -> Floats:
        """(nodes, classes): the shares of the classes at a node, so much added to each count."""
        counts = self.evidence + smoothing
        counts /= counts.sum(axis=1, keepdims=True)
        return np.asarray(counts)
