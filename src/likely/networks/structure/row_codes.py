"""Rows in memory, one byte a value: counts of any nodes under any others, as often as a search asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import NamedTuple

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import Level, Schema
from likely.core.threads import cores, in_threads
from likely.data.arrow import ROWS_OF_A_BLOCK
from likely.data.blocks import Blocks
from likely.data.level_rows import join_equal
from likely.kernels.counting.cells import cells_of, count_cells, renumber, under
from likely.kernels.counting.level_counts import count_one_by_one
from likely.structures.search.scorer import Family

LEAST_ROWS_OF_A_THREAD = 1 << 15  # rows that a thread should have at least
WEIGHED_SHARES = 8  # that weighed rows are dealt into
CELLS_ALWAYS_KEPT = 64  # cells that are all kept, whether they were seen or not
ROWS_OF_A_KEPT_CELL = 16  # and more of them where each has so many rows
MOST_COUNTS_AT_ONCE = 1 << 23  # entries of a table of counts that is made at once
MOST_CELLS_LOOKED_UP = 1 << 24  # cells that are looked up in a table when they are numbered anew


class CountsByColumn(NamedTuple):
    """Counts (cells × levels of a node, slots) of some columns side by side, and where each begins."""

    columns: Sequence[int]
    table: Array
    starts: Array


@dataclass(frozen=True, eq=False)
class Coded:
    """(rows, nodes): the place of each value among the levels of its node, and their number where it is missing."""

    names: tuple[str, ...]
    levels: tuple[tuple[Level, ...], ...]
    codes: Array
    weights: Floats | None = None

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many levels each node has."""
        return tuple(map(len, self.levels))

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.codes)

    @cached_property
    def weight(self) -> float:
        """The weight of all rows."""
        return float(self.rows if self.weights is None else self.weights.sum())

    @property
    def each_weight(self) -> Floats:
        """(rows,): the weight of each row."""
        return np.ones(self.rows) if self.weights is None else self.weights

    @cached_property
    def holes(self) -> bool:
        """Whether any value is missing."""
        return bool((self.codes.max(axis=0, initial=0) >= np.array(self.sizes)).any())

    @cached_property
    def columns(self) -> Array:
        """(nodes, rows): the codes, each node's in one piece."""
        return np.ascontiguousarray(self.codes.T)

    @cached_property
    def open_codes(self) -> Array:
        """(rows, nodes) int32: the codes with -1 for a missing value, as exact inference reads them."""
        codes = self.codes.astype(np.int32)
        codes[codes == np.array(self.sizes)] = -1
        return codes

    def _starts(self, columns: Sequence[int]) -> Array:
        """(columns + 1,): where the counts of some nodes begin side by side, missing values after levels."""
        return np.cumsum([0, *(self.sizes[at] + self.holes for at in columns)])

    def take(self, rows: Array) -> Coded:
        """Some of the rows, some perhaps more than once."""
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, codes=np.ascontiguousarray(self.codes[rows]), weights=weights)

    def joined(self) -> Coded:
        """Each different row once, with the weight of all that are equal to it.

        >>> rows = Coded(("a",), (("no", "yes"),), np.array([[1], [0], [1]], dtype=np.uint8)).joined()
        >>> rows.codes.tolist(), rows.weights.tolist()
        ([[0], [1]], [1.0, 2.0])
        """
        codes, weights = join_equal(self.codes, [size + 1 for size in self.sizes], self.weights)
        return replace(self, codes=np.ascontiguousarray(codes), weights=weights)

    def tasks(self, schema: Schema, target: bool, rows: int, least: int = 0) -> Iterator[Callable[[], Block]]:
        """The rows in blocks, all in one cell: an engine that answers questions."""
        step = min(rows, LEAST_ROWS_OF_A_THREAD)
        for start in range(0, max(self.rows, 1), step):
            yield partial(self._block, slice(start, start + step))

    def _block(self, part: slice) -> Block:
        codes = self.codes[part]
        weights = None if self.weights is None else self.weights[part]
        cells = np.zeros(len(codes), dtype=np.int32)
        return Block(len(codes), codes, np.empty((len(codes), 0)), (), cells, weights, part.start)

    def counts(self, node: int, parents: Sequence[int]) -> Array:
        """(levels of parents ..., own levels): the rows that have all of them."""
        shape = tuple(self.sizes[at] for at in (*parents, node))
        return self._alone(self._numbered((*parents, node)), prod(shape), None).reshape(shape)

    def seen(self, node: int, parents: Sequence[int], threads: int | None = None) -> Array:
        """(cells of the parents, own levels): the same; where there are too many cells, only those that were seen."""
        cells, number = self.cells(parents, node)
        return self._alone(cells, number, threads).reshape(-1, self.sizes[node])

    def cells(self, parents: Sequence[int], node: int) -> tuple[Array, int]:
        """(rows,): the cell of the parents and of the node, which runs fastest; and how many there are.

        Where a row has none, it is that number. Of many cells only those that were seen are numbered.
        """
        levels = self.sizes[node]
        above = prod(self.sizes[at] for at in parents)
        if above <= CELLS_ALWAYS_KEPT or above <= self.rows // ROWS_OF_A_KEPT_CELL:
            return self._numbered((*parents, node)), above * levels
        cells, seen = self._few(parents, above)
        under(cells, self.codes, node, levels, seen * levels)
        return cells, seen * levels

    def prepare(self, families: Sequence[Family], alone: bool = False) -> None:
        """Rows in memory are counted when they are asked."""

    def beside(self, node: int, parents: Sequence[int], threads: int | None = None) -> Iterator[CountsByColumn]:
        """The counts of all nodes by the cells of the parents and of the node, in parts that fit into memory."""
        cells, number = self.cells(parents, node)
        whole = self._starts(range(len(self.sizes)))
        most, first = MOST_COUNTS_AT_ONCE // max(number, 1), 0
        for at in range(1, len(self.sizes) + 1):
            if at == len(self.sizes) or whole[at + 1] - whole[first] > most:
                yield CountsByColumn(range(first, at), *self._crossed(cells, number, range(first, at), threads))
                first = at

    def crossed(self, node: int, others: Sequence[int], given: Sequence[int]) -> tuple[Array, Array]:
        """(cells of those given and levels of the node, slots of the others), and where each of the others begins."""
        return self._crossed(*self.cells(given, node), others, None)

    def _crossed(self, cells: Array, number: int, columns: Sequence[int], threads: int | None) -> tuple[Array, Array]:
        codes = self.codes if columns == range(len(self.sizes)) else np.ascontiguousarray(self.codes[:, list(columns)])
        starts = self._starts(columns)

        def work(part: slice, weights: Floats | None, out: Array) -> None:
            count_one_by_one(codes[part], cells[part], starts[:-1], weights, out)

        return self._counted((number + 1, int(starts[-1])), work, threads)[:-1], starts[:-1]

    def _alone(self, cells: Array, number: int, threads: int | None) -> Array:
        def work(part: slice, weights: Floats | None, out: Array) -> None:
            count_cells(cells[part], weights, out)

        return self._counted((number + 1,), work, threads)[:-1]

    def _counted(
        self, shape: tuple[int, ...], work: Callable[[slice, Floats | None, Array], None], threads: int | None
    ) -> Array:
        """What `work` counts in parts of the rows, added; the last cell is for rows that have none."""

        def counted(part: slice) -> Array:
            weights = None if self.weights is None else self.weights[part]
            out = np.zeros(shape, dtype=np.int64 if weights is None else np.float64)
            work(part, weights, out)
            return out

        shares = (
            WEIGHED_SHARES if self.weights is not None else threads or cores()
        )  # fractions add up in the same parts only
        share = max(LEAST_ROWS_OF_A_THREAD, -(-self.rows // shares))
        parts = [slice(start, start + share) for start in range(0, max(self.rows, 1), share)]
        if len(parts) == 1:
            return counted(parts[0])
        first, *others = in_threads(counted, parts)
        for other in others:
            first += other
        return first

    def _numbered(self, family: Sequence[int]) -> Array:
        """(rows,): the cell of each row, and how many there are where it has none."""
        cells = np.empty(self.rows, dtype=np.int32)
        sizes = np.array([self.sizes[at] for at in family], dtype=np.int64)
        cells_of(self.codes, np.array(family, dtype=np.int64), sizes, int(sizes.prod()), cells)
        return cells

    def _few(self, nodes: Sequence[int], number: int) -> tuple[Array, int]:
        """(rows,): which of the cells that were seen each row is in, -1 where it has none; and how many were seen."""
        if number <= MOST_CELLS_LOOKED_UP:
            cells = self._numbered(nodes)
            return cells, renumber(cells, number, np.zeros(number, dtype=np.int32))
        first, last = nodes[:-1], nodes[-1]
        size = self.sizes[last]
        cells = self._few(first, number // size)[0].astype(np.int64)
        under(cells, self.codes, last, size, -1)
        values, places = np.unique(cells, return_inverse=True)
        none = int(len(values) > 0 and values[0] < 0)
        return (places - none).astype(np.int32), len(values) - none


def hold(rows: Blocks, schema: Schema) -> Coded:
    """All rows of a source in memory, under a schema."""
    blocks = list(in_threads(lambda task: task(), rows.tasks(schema, False, ROWS_OF_A_BLOCK)))
    held = [block.weights for block in blocks if block.weights is not None]
    names, levels = zip(*((column.name, tuple(column.levels)) for column in schema.columns), strict=True)
    return Coded(
        names, levels, np.concatenate([block.codes for block in blocks]), np.concatenate(held) if held else None
    )
