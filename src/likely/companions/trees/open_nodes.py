"""The rows of the nodes that are still to be split, and how they move on to the nodes below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likely.companions.trees.presorted import Presorted
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.threads import cores, in_threads
from likely.kernels.trees.partition import count_dealt, deal

PIECES_A_THREAD = 3  # of the work for each thread
ENTRIES_WORTH_A_PIECE = 1 << 19  # entries of a piece, at least: handing out less takes longer than doing it
MOST_CLASSES_IN_A_BYTE = 127  # classes whose places fit into a byte, of which many are in the cache
NO_PARTS = np.empty(0, dtype=np.int32)  # where the parts of instances stand if none is in parts


@dataclass(frozen=True, eq=False)
class Instances:
    """(instances,) of each: a row, or a part of an incomplete one. `marks`: the place of its class, or its number.

    `shares`: how many rows it counts as: a whole weight is a row repeated, other weights only say what a row is worth.
    `unit`: each weighs one, and so none is a part. `counted`: not each counts as one. `present` (rows of the block,):
    whether a row weighs anything; None: all do.
    """

    rows: Array
    marks: Array
    weights: Floats
    shares: Floats
    amounts: bool
    unit: bool
    counted: bool = False
    present: Array | None = None

    @classmethod
    def of(cls, block: Block, weights: Floats | None, middle: float) -> Instances:
        """The rows of a block, their numeric targets about the middle."""
        if block.amounts is not None:
            marks: Array = block.amounts - middle
        else:
            assert block.cells is not None, "a tree is grown from rows with classes or a numeric target"
            marks = block.cells.astype(np.int8) if block.cells.max(initial=0) <= MOST_CLASSES_IN_A_BYTE else block.cells
        rows, ones = np.arange(block.rows, dtype=np.int32), np.ones(block.rows)
        if weights is None or (weights == 1.0).all():
            return cls(rows, marks, ones, ones, block.amounts is not None, True)
        weights = np.ascontiguousarray(weights, dtype=np.float64)
        whole = bool((weights == np.floor(weights)).all())
        present = weights > 0
        shares, some = weights if whole else ones, None if present.all() else present
        return cls(rows, marks, weights, shares, block.amounts is not None, False, whole, some)

    def take(self, at: Array) -> Instances:
        """Some of them, to be counted."""
        told = self.rows[at], self.marks[at], self.weights[at], self.shares[at]
        return Instances(*told, self.amounts, self.unit, self.counted)

    @property
    def weighed(self) -> Floats:
        """The weights, or none where each is one: kernels are compiled once for both."""
        return self.weights[:0] if self.unit else self.weights


@dataclass(frozen=True, eq=False)
class OpenNodes:
    """The nodes of a level that may be split; `members`: the instances of node k from bounds[k] to bounds[k + 1].

    `orders`: the same for all numeric columns, one after the other, sorted by each, missing values left out; those of
    column c and node k stand from spans[c, k] to spans[c, k + 1], and live[c, k] says whether the column has several
    values there: where it has but one, it has no more to say at any node below, and what is below holds nothing of it.
    `holed` (numeric columns,): whether there are missing values. `counts` (nodes, classes), of numbers (weight, sum);
    `sizes` (nodes,): how many rows; `loss` (nodes,): all there is to gain, a row; `open` (nodes, discrete columns):
    worth splitting by.
    """

    members: Array
    bounds: Array
    orders: Array
    spans: Array
    live: Array
    holed: Array
    counts: Floats
    sizes: Floats
    loss: Floats
    open: Array

    @property
    def nodes(self) -> int:
        """How many nodes it has."""
        return len(self.sizes)

    @classmethod
    def first(
        cls, presorted: Presorted, instances: Instances, counts: Floats, sizes: Floats, loss: Floats
    ) -> OpenNodes:
        """The root alone, of the rows that weigh anything."""
        rows = instances.rows
        spans = np.stack([presorted.starts[:-1], presorted.starts[1:]], axis=1)
        live = _live(presorted.orders, spans, presorted, rows)
        holed = presorted.holes[list(presorted.numeric)]
        usable = np.ones((1, len(presorted.discrete)), dtype=bool)
        told = counts, sizes, loss, usable
        root = cls(rows, np.array([0, len(rows)]), presorted.orders, spans, live, holed, *told)
        if instances.present is None:
            return root
        slot = np.where(instances.present, 0, -1).astype(np.int32)
        move = FrontMove(np.ones(1, dtype=bool), slot, np.zeros(1, dtype=np.int64), NO_PARTS)
        return move.front(root, presorted, instances, *told, threads=1)

    def each(self, work: Callable[[int, int], None], columns: int, entries: int, threads: int | None) -> None:
        """work(begin, end) of stretches that make up all columns, in threads where there are entries enough."""
        threads = threads or cores()
        pieces = min(PIECES_A_THREAD * threads, entries // ENTRIES_WORTH_A_PIECE) if threads > 1 else 1
        if pieces < 2:
            if columns:
                work(0, columns)
            return
        many = -(-columns // pieces)
        for _ in in_threads(lambda at: work(at, min(at + many, columns)), range(0, columns, many), threads):
            pass


def _live(orders: Array, spans: Array, presorted: Presorted, rows: Array) -> Array:
    """(numeric columns, nodes): whether a column has several values among the instances, whose rows are given."""
    first, last = spans[:, :-1], spans[:, 1:] - 1
    out = np.asarray(last > first)
    at, node = np.nonzero(out & presorted.tied[:, None])
    low, high = (presorted.ranks[at, rows[orders[place[at, node]]]] for place in (first, last))
    out[at, node] = low < high
    return out


@dataclass(frozen=True, eq=False)
class FrontMove:
    """(nodes,) `split`: whether the node is; (instances,) `slot`: the node of the next front it goes to, or -1.

    `parent`: of each node of that front. `starts` (instances + 1,): where the parts of each instance stand that go on,
    and then `slot` is of those; empty where instances stay what they are.
    """

    split: Array
    slot: Array
    parent: Array
    starts: Array

    def front(
        self,
        old: OpenNodes,
        presorted: Presorted,
        instances: Instances,
        counts: Floats,
        sizes: Floats,
        loss: Floats,
        usable: Array,
        threads: int | None,
    ) -> OpenNodes:
        """The nodes below, with their instances, as they are there, in order."""
        every, nodes = self.split[None, :], len(self.parent)
        many = np.bincount(self.slot[self.slot >= 0], minlength=nodes)[None, :]
        bounds = _spans(many)
        members = np.empty(bounds[0, -1], dtype=np.int32)
        deal(old.members, old.bounds[None, :], every, 0, 1, self.slot, self.starts, bounds[:, :-1].copy(), members)
        going = old.live & self.split
        what = old.orders, old.spans, going
        below = going.take(self.parent, axis=1)  # in rows, as everything else: one layout, compiled once
        dealt = np.where(below & ~old.holed[:, None], many, 0)  # with no missing value, as many as there are
        for at in np.flatnonzero(old.holed).tolist():
            count_dealt(*what, at, at + 1, self.slot, self.starts, dealt)
        spans = _spans(dealt)
        orders, into = np.empty(dealt.sum(), dtype=np.int32), spans[:, :-1].copy()

        def work(begin: int, end: int) -> None:
            deal(*what, begin, end, self.slot, self.starts, into, orders)

        old.each(work, len(spans), len(old.orders), threads)
        live = _live(orders, spans, presorted, instances.rows)
        return OpenNodes(members, bounds[0], orders, spans, live, old.holed, counts, sizes, loss, usable)


def _spans(counts: Array) -> Array:
    """(columns, nodes + 1): where the entries of each column and node begin, and end, if all stand in one row."""
    ends = np.cumsum(counts).reshape(counts.shape)
    return np.concatenate([ends[:, :1] - counts[:, :1], ends], axis=1)
