"""A network's whole content as one immutable value: P(all nodes) is a product of tables, one for each node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.data.levels.level_text import place_of, spellings
from likely.errors import OptionError, nearest
from likely.structures.graph import Graph


@dataclass(frozen=True, eq=False)
class FlatTables:
    """The tables one after the other, as compiled loops read them; all int64, `values` float64.

    The table of node i begins at `starts[i]`; its own level has stride 1 and its parents, at
    `parent_starts[i] : parent_starts[i + 1]` of `parents`, have `parent_strides`. The same for the children of i:
    `child_strides` are those of i in the tables of its children.
    """

    sizes: Array
    order: Array
    values: Floats
    starts: Array
    parents: Array
    parent_strides: Array
    parent_starts: Array
    children: Array
    child_strides: Array
    child_starts: Array


@dataclass(frozen=True, eq=False)
class Factored:
    """levels of each node of the graph; tables (levels of parents ..., own levels) whose rows sum to one.

    >>> coin = Factored(Graph(("coin",), ((),)), (("heads", "tails"),), (np.array([0.5, 0.5]),))
    >>> coin.sizes, coin.parameters
    ((2,), 1)
    """

    graph: Graph
    levels: tuple[tuple[Level, ...], ...]
    tables: tuple[Floats, ...]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many levels each node has."""
        return tuple(map(len, self.levels))

    @cached_property
    def labels(self) -> tuple[tuple[tuple[str], tuple[tuple[Level, ...]]], ...]:
        """Of each node, its name and its levels, as an answer about it alone is labelled."""
        return tuple(((name,), (mine,)) for name, mine in zip(self.graph.nodes, self.levels, strict=True))

    @property
    def parameters(self) -> int:
        """How many numbers are free: one less than the levels in each row of each table."""
        return sum(table.size - table.size // size for table, size in zip(self.tables, self.sizes, strict=True))

    @cached_property
    def _spelt(self) -> tuple[dict[str, int], ...]:
        return tuple(map(spellings, self.levels))

    def same(self, other: Factored) -> bool:
        """Whether graph, levels and tables are equal, to the last bit."""
        pairs = zip(self.tables, other.tables, strict=False)
        return (self.graph, self.levels) == (other.graph, other.levels) and all((a == b).all() for a, b in pairs)

    def code(self, at: int, level: object, place: str = "") -> int:
        """The place of a level of a node; 1, 1.0, True and "1" are the same where the text is."""
        found = place_of(level, self._spelt[at])
        if found < 0:
            node, mine = self.graph.nodes[at], self.levels[at]
            hint = f"its levels are {', '.join(map(repr, mine))}.{nearest(level, mine)}"
            raise OptionError(
                "O461", f"{node!r} has no level {level!r}", place=place or f"evidence of {node!r}", hint=hint
            )
        return found

    @cached_property
    def flat(self) -> FlatTables:
        """The arrays for compiled loops."""
        sizes = np.array(self.sizes, dtype=np.int64)
        counts = np.array([table.size for table in self.tables], dtype=np.int64)
        parents, strides, heads, tails = [], [], [], []
        for at, mine in enumerate(self.graph.parent_places):
            for place, parent in enumerate(mine):
                parents.append(parent)
                strides.append(int(np.prod([self.sizes[other] for other in mine[place + 1 :]])) * self.sizes[at])
                heads.append(at)
                tails.append(parent)
        by_parent = np.argsort(np.array(tails, dtype=np.int64), kind="stable")
        return FlatTables(
            sizes,
            np.array([self.graph.places[name] for name in self.graph.order], dtype=np.int64),
            np.concatenate([table.reshape(-1) for table in self.tables]) if self.tables else np.zeros(0),
            starts(counts)[:-1],
            np.array(parents, dtype=np.int64),
            np.array(strides, dtype=np.int64),
            starts(np.bincount(np.array(heads, dtype=np.int64), minlength=len(sizes))),
            np.array(heads, dtype=np.int64)[by_parent],
            np.array(strides, dtype=np.int64)[by_parent],
            starts(np.bincount(np.array(tails, dtype=np.int64), minlength=len(sizes))),
        )


def starts(counts: Sequence[int] | Array) -> Array:
    """Where each of so many begin one after the other, and where the last ends, as compiled loops read it."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
