"""The rows of the nodes that are still to be split, and how they move on to the nodes below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from likely.block import Block
from likely.companions.trees.presorted import Presorted
from likely.kernels.sending import count_dealt, deal
from likely.numerics import Array, Floats
from likely.threads import cores, in_threads

S = TypeVar("S")
T = TypeVar("T")
PIECES = 3  # of the work for each thread
WORTH = 1 << 16  # entries from which on threads are worth their start
BYTE = 127  # classes whose places fit into a byte, of which many are in the cache


@dataclass(frozen=True, eq=False)
class Instances:
    """(instances,) of each: a row, or a part of one that has a hole. `marks`: the place of its class, or its amount.

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
        """The rows of a block, their amounts about the middle."""
        if block.amounts is not None:
            marks: Array = block.amounts - middle
        else:
            assert block.cells is not None, "a tree is grown from rows with classes or amounts"
            marks = block.cells.astype(np.int8) if block.cells.max(initial=0) <= BYTE else block.cells
        rows, ones = np.arange(block.rows, dtype=np.int32), np.ones(block.rows)
        if weights is None or (weights == 1.0).all():
            return cls(rows, marks, ones, ones, block.amounts is not None, True)
        weights = np.ascontiguousarray(weights, dtype=np.float64)
        whole = bool((weights == np.floor(weights)).all())
        present = weights > 0
        shares, some = weights if whole else ones, None if present.all() else present
        return cls(rows, marks, weights, shares, block.amounts is not None, False, whole, some)

    @property
    def weighed(self) -> Floats | None:
        """The weights, or None where each is one."""
        return None if self.unit else self.weights


@dataclass(frozen=True, eq=False)
class Front:
    """The nodes of a level that may be split; `members`: the instances of node k from bounds[k] to bounds[k + 1].

    `orders`, `spans`: the same for each numeric column, sorted by it, holes left out. `counts` (nodes, classes), of
    amounts (weight, sum); `sizes` (nodes,): how many rows; `loss` (nodes,): all there is to gain, a row; `open` (nodes,
    discrete columns): not yet split by.
    """

    members: Array
    bounds: Array
    orders: tuple[Array, ...]
    spans: tuple[Array, ...]
    counts: Floats
    sizes: Floats
    loss: Floats
    open: Array

    @property
    def nodes(self) -> int:
        """How many nodes it has."""
        return len(self.sizes)

    @classmethod
    def first(cls, presorted: Presorted, instances: Instances, counts: Floats, sizes: Floats, loss: Floats) -> Front:
        """The root alone, of the rows that weigh anything."""
        members, orders = instances.rows, presorted.orders
        if (present := instances.present) is not None:
            members, orders = members[present], tuple(order[present[order]] for order in orders)
        spans = tuple(np.array([0, len(order)]) for order in orders)
        usable = np.ones((1, len(presorted.discrete)), dtype=bool)
        return cls(members, np.array([0, len(members)]), orders, spans, counts, sizes, loss, usable)

    def whole(self, at: int) -> bool:
        """Whether the numeric column has no hole in any of the nodes."""
        return len(self.orders[at]) == len(self.members)

    def each(self, work: Callable[[S], T], tasks: Sequence[S], threads: int | None) -> list[T]:
        """work(task) of each task, in threads where there is enough to do."""
        if threads == 1 or len(self.members) * len(tasks) < WORTH:
            return [work(task) for task in tasks]
        many = -(
            -len(tasks) // (PIECES * (threads or cores()))
        )  # a thread takes several at a time: each has little to do
        pieces = [tasks[at : at + many] for at in range(0, len(tasks), many)]
        return [
            one for piece in in_threads(lambda some: [work(task) for task in some], pieces, threads) for one in piece
        ]


@dataclass(frozen=True, eq=False)
class Move:
    """(nodes,) `split`: whether the node is; (instances,) `slot`: the node of the next front it goes to, or -1.

    `nodes`: how many nodes that front has. `starts` (instances + 1,): where the parts of each instance stand that go
    on, and then `slot` is of those; None where instances stay what they are.
    """

    split: Array
    slot: Array
    nodes: int
    starts: Array | None

    def dealt(self, order: Array, bounds: Array, counts: Array | None) -> tuple[Array, Array]:
        """The order and the bounds of the next front; `counts` (nodes,): how many come to each, where it is known."""
        if counts is None:
            counts = np.zeros(self.nodes, dtype=np.int64)
            count_dealt(order, bounds, self.split, self.slot, self.starts, counts)
        ends = np.concatenate([[0], np.cumsum(counts)])
        out = np.empty(ends[-1], dtype=np.int32)
        deal(order, bounds, self.split, self.slot, self.starts, ends[:-1].copy(), out)
        return out, ends

    def front(
        self, old: Front, counts: Floats, sizes: Floats, loss: Floats, usable: Array, threads: int | None
    ) -> Front:
        """The nodes below, with their rows in order."""
        members, bounds = self.dealt(old.members, old.bounds, None)

        def work(at: int) -> tuple[Array, Array]:
            known = np.diff(bounds) if old.whole(at) else None
            return self.dealt(old.orders[at], old.spans[at], known)

        found = old.each(work, range(len(old.orders)), threads)
        orders, spans = tuple(order for order, _ in found), tuple(span for _, span in found)
        return Front(members, bounds, orders, spans, counts, sizes, loss, usable)
