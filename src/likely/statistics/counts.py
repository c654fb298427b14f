"""Tables of counts by cell: of levels, of words, of the nodes of a grid, of two and of three columns together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Self, TypeVar

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Grid
from likely.statistics.statistic import Statistic

NODE_ROUNDING = 1e-10  # of a cell's mass: what a node may be off after subtraction
T = TypeVar("T", "Pairs", "Triples")


@dataclass(frozen=True, eq=False)
class Counts(Statistic):
    """rows (cells,); table (cells, slots): the slots of all columns side by side, each its levels, missing, unseen.

    >>> part = Counts(np.array([2]), np.array([[1, 1, 0, 0]]))
    >>> (part + part * 2 - part).table.tolist()
    [[2, 2, 0, 0]]
    """

    AXES: ClassVar[Mapping[str, int]] = {"rows": 1}

    rows: Array
    table: Array


@dataclass(frozen=True, eq=False)
class Totals(Statistic):
    """rows (cells,); table (cells, words): how often each word occurred in the rows of each cell.

    >>> part = Totals(np.array([1]), np.array([[3, 0]]))
    >>> (part - part).table.tolist()
    [[0, 0]]
    """

    AXES: ClassVar[Mapping[str, int]] = {"rows": 1}

    rows: Array
    table: Array


@dataclass(frozen=True, eq=False)
class GridCounts(Statistic):
    """table (cells, nodes): the mass at each node; a value between two nodes is shared by its distance to them.

    >>> part = GridCounts(np.array([[0.25, 0.75, 0.0]]))
    >>> (part + part).table.tolist()
    [[0.5, 1.5, 0.0]]
    """

    table: Floats

    def __sub__(self, other: Self) -> Self:
        # Shares that were carried over from a finer grid are right to rounding of the whole, not of each node.
        rest = self.table - other.table
        rest[np.abs(rest) <= NODE_ROUNDING * self.table.sum(axis=1, keepdims=True)] = 0.0
        return type(self)(rest)

    def regrid(self, old: Grid, new: Grid) -> GridCounts:
        """The same rows on a wider, coarser grid: exact, since coarse hat functions are linear between fine nodes."""
        out = np.zeros((len(self.table), new.nodes))
        at = (np.arange(old.nodes) + old.first) * (old.spacing / new.spacing) - new.first
        node = np.minimum(np.floor(at).astype(np.int64), new.nodes - 2)
        share = at - node
        for cell, mass in enumerate(self.table):
            np.add.at(out[cell], node, mass * (1.0 - share))
            np.add.at(out[cell], node + 1, mass * share)
        return GridCounts(out)


def _taking(self: T, other: T) -> T:
    """The sum, in the room of the first, which may be large."""
    if self.table.dtype != other.table.dtype:
        return self + other
    np.add(self.table, other.table, out=self.table)
    return self


@dataclass(frozen=True, eq=False)
class Pairs(Statistic):
    """table (classes, parts, parts): rows with a part of one column and a part of another, all columns side by side.

    A missing value is in no part. The table is symmetric; on its diagonal stand the counts of single parts, and the
    rest of a column against itself is empty.

    >>> part = Pairs(np.array([[[2, 0], [0, 1]]]))
    >>> (part + part).table.tolist()
    [[[4, 0], [0, 2]]]
    """

    AXES: ClassVar[Mapping[str, int]] = {"table": 3}

    table: Array
    taking = _taking


@dataclass(frozen=True, eq=False)
class Triples(Statistic):
    """table (classes, boxes): rows with a part of each of three different columns.

    The boxes of three columns i < j < k lie together, the parts of the last running fastest, and threes follow each
    other as `itertools.combinations` has them; `triple_starts` says where each begins.

    >>> part = Triples(np.array([[1, 0, 2]]))
    >>> (part - part).table.tolist()
    [[0, 0, 0]]
    """

    table: Array
    taking = _taking


def triple_starts(parts: Array) -> Array:
    """(threes + 1,): where the boxes of each three columns begin, and how many boxes there are.

    >>> triple_starts(np.array([2, 2, 3, 1])).tolist()
    [0, 12, 16, 22, 28]
    """
    threes = np.array(list(combinations(range(len(parts)), 3)), dtype=np.int64).reshape(-1, 3)
    return np.concatenate([[0], np.cumsum(np.asarray(parts, dtype=np.int64)[threes].prod(axis=1))])
