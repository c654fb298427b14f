"""One node given the others: only its own table and those of its children speak of it, as sums of logarithms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log
from likely.networks.tables.joint import Factored

ROWS_LOOKED_UP_AT_ONCE = 1 << 15  # looked up at a time, so that what is between two tables stays in the cache


@dataclass(frozen=True, eq=False)
class BlanketTable:
    """The table of a node, by what is not the target: logs (cells, classes), after the cells one row of zeros.

    `others` are the columns of the blanket that make up the cell, with their `strides`. A child that nothing depends on
    may be missing (`silent`): summed out, it says nothing, whatever its other parents are.
    """

    node: int
    others: tuple[int, ...]
    strides: tuple[int, ...]
    logs: Floats
    silent: int | None = None  # the column of such a child

    def cells(self, codes: Array) -> Array:
        """(rows,): the cell of each row of codes (rows, blanket); -1 where a code that is needed is missing."""
        found = np.zeros(len(codes), dtype=np.int64)
        known = np.ones(len(codes), dtype=bool)
        for column, stride in zip(self.others, self.strides, strict=True):
            found += codes[:, column] * stride
            known &= codes[:, column] >= 0
        found[~known] = -1
        if self.silent is not None:
            found[codes[:, self.silent] < 0] = len(self.logs) - 1
        return found


@dataclass(frozen=True, eq=False)
class Blanket:
    """What the nodes around a target say of it; codes (rows, blanket) are places of levels, -1 where missing.

    >>> from likely.structures.graph import Graph
    >>> tables = np.array([0.8, 0.2]), np.array([[0.9, 0.1], [0.3, 0.7]])
    >>> rain = Factored(Graph.of([("rain", "wet")]), (("no", "yes"),) * 2, tables)
    >>> np.exp(Blanket(rain, 0).joint(np.array([[1]]))).round(3).tolist()
    [[0.08, 0.14]]
    """

    factored: Factored
    target: int

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The nodes of the Markov blanket, in order."""
        graph = self.factored.graph
        return tuple(graph.places[name] for name in graph.markov_blanket(graph.nodes[self.target]))

    @cached_property
    def families(self) -> tuple[BlanketTable, ...]:
        """The target's own table, then those of its children."""
        return tuple(map(self._family, (self.target, *self.factored.graph.child_places[self.target])))

    def _family(self, node: int) -> BlanketTable:
        graph, table = self.factored.graph, self.factored.tables[node]
        axes = [*graph.parent_places[node], node]
        others = [at for at in axes if at != self.target]
        last = np.moveaxis(table, axes.index(self.target), -1).reshape(-1, self.factored.sizes[self.target])
        sizes = [self.factored.sizes[at] for at in others]
        columns = tuple(map(self.places.index, others))
        silent = columns[-1] if node != self.target and not graph.child_places[node] else None
        strides = tuple(int(np.prod(sizes[place + 1 :], dtype=np.int64)) for place in range(len(sizes)))
        logs = np.vstack([log(last), np.zeros((1, last.shape[1]))])
        return BlanketTable(node, columns, strides, logs, silent)

    def known(self, codes: Array) -> Array:
        """(rows,): whether the tables alone answer, because all that they need is there."""
        found = np.ones(len(codes), dtype=bool)
        for family in self.families:
            found &= family.cells(codes) >= 0
        return found

    def terms(self, codes: Array) -> Iterator[tuple[int, Floats]]:
        """(node, (rows, classes)): the log of each table, the target's own first; rows must be known."""
        for family in self.families:
            yield family.node, family.logs[family.cells(codes)]

    def joint(self, codes: Array) -> Floats:
        """(rows, classes): log P(class, row), up to what no class changes; rows must be known."""
        out = np.zeros((len(codes), self.factored.sizes[self.target]))
        for start in range(0, len(codes), ROWS_LOOKED_UP_AT_ONCE):
            part = out[start : start + ROWS_LOOKED_UP_AT_ONCE]
            for _, term in self.terms(codes[start : start + ROWS_LOOKED_UP_AT_ONCE]):
                part += term
        return out
