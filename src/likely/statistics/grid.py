"""Counts on a fine grid by cell (linear binning): what Parzen columns need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from likely.core.numerics import Floats
from likely.core.schema import Grid
from likely.statistics.statistic import Statistic

NODE_ROUNDING = 1e-10  # of a cell's mass: what a node may be off after subtraction


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
