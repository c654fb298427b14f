"""A tree made smaller by what must be feared of the rows that it was grown from, as C4.5 does."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtri

from likely.companions.trees.traversal import places_of, sums_below
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema
from likely.errors.options import number
from likely.kernels.trees.subtree_raising import deal_out, feared, push

LEAST_ERRORS_SAVED = 1e-3  # errors: a split that saves no more is taken back before any bound is asked for
BRANCH_ERRORS_SAVED = 0.1  # errors: a branch must save more than that to be worth its leaves
EQUAL_SUM_OF_PARTS = 1e-6  # sums of parts of rows that are no further apart are equal

Instances = tuple[Array, Floats]


def check_confidence(confidence: Any) -> float:
    """How sure to be: a number above 0 and at most 0.5; the smaller, the smaller the tree."""
    hint = "choose a number above 0 and at most 0.5; 0.25 is usual, and a smaller one prunes more"
    return number(confidence, "confidence", "O632", above=0, most=0.5, hint=hint)


def pessimistic(tree: Tree, schema: Schema, block: Block, confidence: float = 0.25) -> Tree:
    """The tree of the block's rows, pruned by the upper confidence bound of the error at each leaf.

    From the leaves up, a branch becomes a leaf, or its own largest branch takes its place, wherever no more errors are
    to be feared then; Weka's J48 does the same.
    """
    work = _Work(tree, schema, block, check_confidence(confidence))
    work.collapse()
    work.prune()
    return work.tree()


class _Work:
    """A tree while it is pruned: its arrays are changed in place, and nodes that are cut off stay there to the end."""

    def __init__(self, tree: Tree, schema: Schema, block: Block, confidence: float) -> None:
        assert block.cells is not None, "the rows that a tree was grown from have classes"
        self.schema, self.block, self.bound = schema, block, np.array([confidence, ndtri(1 - confidence)])
        self.column, self.threshold, self.gain = tree.column.copy(), tree.threshold.copy(), tree.gain.copy()
        self.first, self.children = tree.first.copy(), tree.children.copy()
        self.counts, self.share = tree.counts.copy(), tree.share.copy()
        self.spare = np.empty_like(tree.counts), np.empty_like(tree.share)
        self.places, self.levels = places_of(tree, schema)
        self.whole = np.arange(block.rows), np.ones(block.rows) if block.weights is None else block.weights
        self._push(0, self.whole, np.inf, self.counts, self.share)
        self.errors = np.zeros(len(tree.column))  # feared below each node, once it is pruned

    def _push(self, node: int, instances: Instances, limit: float, counts: Floats, share: Floats) -> float:
        where = self.places, self.levels, self.threshold, self.first, self.children
        rows = self.block.codes, self.block.reals, self.block.cells
        return float(push(node, *instances, limit, *where, *rows, self.bound, counts, share))

    def _alone(self, node: int) -> float:
        """The errors that are to be feared of a node if it is a leaf."""
        weight = self.counts[node].sum()
        return float(feared(weight, weight - self.counts[node].max(), *self.bound))

    def _below(self, node: int) -> range:
        return range(self.first[node], self.first[node] + self.children[node])

    def _leaf(self, node: int) -> None:
        self.column[node], self.first[node], self.children[node] = -1, -1, 0
        self.threshold[node], self.gain[node] = np.nan, np.nan

    def collapse(self) -> None:
        """From the root down: a branch that saves no error on the rows learnt becomes a leaf."""
        alone = self.counts.sum(axis=1) - self.counts.max(axis=1)
        together = sums_below(self.first, self.children, alone)
        waiting = [0]
        while waiting:
            node = waiting.pop()
            if self.children[node] and together[node] >= alone[node] - LEAST_ERRORS_SAVED:
                self._leaf(node)
            waiting.extend(self._below(node))

    def prune(self) -> None:
        """From the leaves up; what is raised is pruned again where it comes to stand."""
        waiting: list[tuple[int, Instances, bool]] = [(0, self.whole, False)]
        while waiting:
            node, instances, ready = waiting.pop()
            if self.children[node] == 0:
                self.errors[node] = self._alone(node)
            elif not ready:
                waiting.append((node, instances, True))
                waiting.extend((child, part, False) for child, part in self._parts(node, instances))
            elif self._raised(node, instances):
                waiting.append((node, instances, False))

    def _parts(self, node: int, instances: Instances) -> list[tuple[int, Instances]]:
        below = self._below(node)
        asked = self.places[node], self.levels[node], self.threshold[node], self.share[below.start : below.stop]
        rows, weights, ends = deal_out(*instances, *asked, self.block.codes, self.block.reals)
        parts = (slice(*ends[at : at + 2]) for at in range(len(below)))
        return [(child, (rows[part], weights[part])) for child, part in zip(below, parts, strict=True)]

    def _raised(self, node: int, instances: Instances) -> bool:
        """Whether the largest branch of a node took its place; else it may have become a leaf, or stays."""
        below = self._below(node)
        weights = self.counts[below.start : below.stop].sum(axis=1)
        largest = below[int(np.flatnonzero(weights >= weights.max() - EQUAL_SUM_OF_PARTS)[-1])]  # the last of equals
        alone, together = self._alone(node), float(self.errors[below.start : below.stop].sum())
        enough = min(
            alone, together + BRANCH_ERRORS_SAVED + EQUAL_SUM_OF_PARTS
        )  # a branch of more errors changes nothing
        branch = self._push(largest, instances, enough, *self.spare)
        if alone < min(together, branch) + BRANCH_ERRORS_SAVED + EQUAL_SUM_OF_PARTS:
            self._leaf(node)
        elif branch < together + BRANCH_ERRORS_SAVED + EQUAL_SUM_OF_PARTS:
            asked = self.column, self.places, self.levels, self.threshold
            for mine in (*asked, self.gain, self.first, self.children):
                mine[node] = mine[largest]
            share = self.share[node]
            self._push(node, instances, np.inf, self.counts, self.share)
            self.share[node] = share
            return True
        self.errors[node] = alone if self.children[node] == 0 else together
        return False

    def tree(self) -> Tree:
        """What is still reached from the root, a level after the other."""
        order, at = [0], 0
        while at < len(order):
            order.extend(self._below(order[at]))
            at += 1
        found = np.array(order)
        many = self.children[found]
        first = np.where(many > 0, 1 + np.cumsum(many) - many, -1).astype(self.first.dtype)
        said = (one[found] for one in (self.counts, self.gain, self.share))
        return Tree(self.column[found], self.threshold[found], first, many, *said)
