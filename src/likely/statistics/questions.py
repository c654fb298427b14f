"""Questions are values: what a model wants to know of the rows, and how a block of rows answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from likely.block import Block, coded, parent_cells
from likely.numerics import Array
from likely.schema import DISCRETE, NUMERIC, Schema
from likely.statistics.counts import Counts
from likely.statistics.grid import GridCounts
from likely.statistics.moments import Moments
from likely.statistics.pairs import Pairs, Triples, triple_starts
from likely.statistics.points import Points
from likely.statistics.quartics import Quartics
from likely.statistics.scatter import Scatter
from likely.statistics.statistic import Statistic
from likely.statistics.totals import Totals

EXACT = 2.0**53  # whole numbers up to here are exact in a double


@dataclass(frozen=True)
class Question:
    """'The counts (moments, totals, ...) of these columns, by class': columns are positions in the schema.

    `by` are parents: the answer is then by class and the cell of the parents together, the class running slowest, and
    rows of which a parent is missing do not count. `pairs` and `triples` count every two and every three columns.
    """

    of: str
    columns: tuple[int, ...] = ()
    by: tuple[int, ...] = ()

    @property
    def dependent(self) -> bool:
        """Whether it asks of several columns together."""
        return bool(self.by) or self.of in ("pairs", "triples")

    def cells(self, schema: Schema) -> int:
        """How many cells the answer has."""
        return len(schema.classes) * int(schema.parts(self.by).prod())


def answer(question: Question, schema: Schema, block: Block) -> Statistic:
    """The statistic that a block of rows gives to a question."""
    return ANSWERS[question.of](question, schema, _within(question, schema, block) if question.by else block)


def _within(question: Question, schema: Schema, block: Block) -> Block:
    """The rows that have a cell among the parents', in the cells of class and parents."""
    cells = parent_cells(block, schema, question.by)
    together = _cells(block) * schema.parts(question.by).prod() + cells
    if (cells >= 0).all():
        return replace(block, cells=together)
    at = np.flatnonzero(cells >= 0)
    return replace(block.take(at), cells=together[at])


def size(question: Question, schema: Schema) -> int:
    """How many numbers the answer holds."""
    cells, parts = question.cells(schema), schema.parts(question.columns)
    if question.of == "pairs":
        return cells * int(parts.sum()) ** 2
    if question.of == "triples":  # all products of three different parts, from the sums of powers
        one, two, three = (int((parts.astype(object) ** power).sum()) for power in (1, 2, 3))
        return cells * ((one**3 - 3 * one * two + 2 * three) // 6)
    if question.of in ("scatter", "quartics"):
        return cells * 6 * len(question.columns) ** 2
    if question.of == "points":
        return 0  # the rows themselves: no schema knows how many
    if question.of == "counts":
        return cells * int(schema.offsets(question.columns)[-1])
    grid = schema.columns[question.columns[0]].grid if question.of == "grid" else None
    return cells * (grid.nodes if grid else 6 * len(question.columns))


def _cells(block: Block) -> Array:
    if block.cells is None:
        raise ValueError("a block without a target cannot answer questions")
    return block.cells


def _counts(question: Question, schema: Schema, block: Block) -> Counts:
    from likely.kernels.counting import count

    cells, offsets = _cells(block), schema.offsets(question.columns)
    size = question.cells(schema)
    table = np.zeros((size, offsets[-1]), dtype=np.int64 if block.weights is None else np.float64)
    if question.columns:
        codes = _select(block.codes, question.columns, schema.of(*DISCRETE))
        count(codes, cells, offsets[:-1], block.weights, table)
    rows = np.bincount(cells, weights=block.weights, minlength=size)
    return Counts(*_whole(block, rows, table))


def _whole(block: Block, *arrays: Array) -> list[Array]:
    """Whole weights are counted in whole numbers, which add and subtract without rounding for ever."""
    weights = block.weights
    if weights is not None and ((weights != np.floor(weights)).any() or weights.sum() > EXACT):
        return list(arrays)
    return [array.astype(np.int64, copy=False) for array in arrays]


def _moments(question: Question, schema: Schema, block: Block) -> Moments:
    from likely.kernels.moments import moments

    values = _select(block.reals, question.columns, schema.of(*NUMERIC))
    out = np.zeros((6, question.cells(schema), values.shape[1]))
    moments(values, _cells(block), block.weights, out)
    return Moments(_whole(block, out[0])[0], *out[1:])


def _scatter(question: Question, schema: Schema, block: Block) -> Scatter:
    values = _select(block.reals, question.columns, schema.of(*NUMERIC))
    part = Scatter.of(values, _cells(block), block.weights, question.cells(schema))
    return replace(part, count=_whole(block, part.count)[0])


def _quartics(question: Question, schema: Schema, block: Block) -> Quartics:
    values = _select(block.reals, question.columns, schema.of(*NUMERIC))
    part = Quartics.of(values, _cells(block), block.weights, question.cells(schema))
    return replace(part, count=_whole(block, part.count)[0])


def _points(question: Question, schema: Schema, block: Block) -> Points:
    values = _select(block.reals, question.columns, schema.of(*NUMERIC))
    weights = None if block.weights is None else _whole(block, block.weights)[0]
    return Points.of(values, _cells(block), weights)


def _grid(question: Question, schema: Schema, block: Block) -> GridCounts:
    from likely.kernels.grids import bin_linear

    (at,) = question.columns
    grid = schema.columns[at].grid
    assert grid is not None, "a parzen column has a grid"
    out = np.zeros((question.cells(schema), grid.nodes))
    values = np.ascontiguousarray(block.reals[:, schema.of(*NUMERIC).index(at)])
    bin_linear(values, _cells(block), block.weights, grid.origin, grid.spacing, out)
    return GridCounts(out)


def _pairs(question: Question, schema: Schema, block: Block) -> Pairs:
    from likely.kernels.pairs import count_pairs

    parts = schema.parts(question.columns)
    size = int(parts.sum())
    out: Array = np.zeros((len(schema.classes), size, size), dtype=np.int64 if block.weights is None else np.float64)
    count_pairs(coded(block, schema, question.columns), _cells(block), parts, block.weights, out)
    return Pairs(*_whole(block, out))


def _triples(question: Question, schema: Schema, block: Block) -> Triples:
    from likely.kernels.pairs import count_triples

    parts = schema.parts(question.columns)
    out = np.zeros(
        (len(schema.classes), triple_starts(parts)[-1]), dtype=np.int64 if block.weights is None else np.float64
    )
    count_triples(coded(block, schema, question.columns), _cells(block), parts, block.weights, out)
    return Triples(*_whole(block, out))


def _totals(question: Question, schema: Schema, block: Block) -> Totals:
    from likely.kernels.bags import totals

    (at,) = question.columns
    bag = block.bags[schema.of("text").index(at)]
    out = np.zeros((len(schema.columns[at].levels), len(schema.classes)))
    totals(bag.indptr, bag.indices, bag.data, _cells(block), block.weights, out)
    rows = np.bincount(_cells(block), weights=block.weights, minlength=len(schema.classes))
    return Totals(_whole(block, rows)[0], out.T)


ANSWERS: dict[str, Callable[[Question, Schema, Block], Statistic]] = {
    "counts": _counts,
    "moments": _moments,
    "scatter": _scatter,
    "quartics": _quartics,
    "points": _points,
    "grid": _grid,
    "totals": _totals,
    "pairs": _pairs,
    "triples": _triples,
}

STATISTICS: dict[str, type[Statistic]] = {
    "counts": Counts,
    "moments": Moments,
    "scatter": Scatter,
    "quartics": Quartics,
    "points": Points,
    "grid": GridCounts,
    "totals": Totals,
    "pairs": Pairs,
    "triples": Triples,
}


def _select(matrix: Array, columns: Sequence[int], available: Sequence[int]) -> Array:
    """The asked columns of a block's matrix; the matrix itself, uncopied, where all are asked."""
    if tuple(columns) == tuple(available):
        return matrix
    return np.ascontiguousarray(matrix[:, [available.index(at) for at in columns]])
