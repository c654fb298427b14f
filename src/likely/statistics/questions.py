"""Questions are values: what a model wants to know of the rows, and how a block of rows answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from likely.core.block import Block, coded, parent_cells
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.statistics.counts import Counts, GridCounts, Pairs, Totals, Triples, triple_starts
from likely.statistics.members import Member, layouts, sizes_of, widths_of
from likely.statistics.moments import Moments
from likely.statistics.points import Points
from likely.statistics.quartics import Quartics
from likely.statistics.scatter import Scatter
from likely.statistics.statistic import Statistic
from likely.statistics.transforms import described_numbers

LARGEST_EXACT_WHOLE = 2.0**53  # whole numbers up to here are exact in a double
PRODUCTS = ("products", "products and holes")
PRODUCTS_ADDED_EXACTLY = 1 << 21  # products of so few rows and columns are added exactly, one by one: it takes no time
NUMBERS_COPIED_AT_A_TIME = 1 << 20  # numbers of rows that are copied at a time
ROWS_ADDED_EXACTLY = 63  # rows at a time that the kernel adds so


@dataclass(frozen=True)
class Question:
    """'The counts (moments, totals, ...) of these columns, by class': columns are positions in the schema.

    `by` are parents: the answer is then by class and the cell of the parents together, the class running slowest, and
    rows of which a parent is missing do not count. `pairs` and `triples` count every two and every three columns.
    `products` is the scatter of numbers, of indicators of every level, and of the numeric target;
    `products and holes` has an indicator of what is missing after each column too. `transformed` are the moments of
    columns as the description that they share sees them, and `parts` the rows in each of its bins. `families` are
    counts of every column below its parents, in each of the `members` of a forest: all of them in one pass.
    """

    of: str
    columns: tuple[int, ...] = ()
    by: tuple[int, ...] = ()
    members: tuple[Member, ...] = ()

    @property
    def dependent(self) -> bool:
        """Whether it asks of several columns together."""
        return bool(self.by) or self.of in ("pairs", "triples", "families")

    def cells(self, schema: Schema) -> int:
        """How many cells the answer has."""
        return len(schema.classes) * int(schema.parts(self.by).prod())


def answer(question: Question, schema: Schema, block: Block) -> Statistic:
    """The statistic that a block of rows gives to a question."""
    return ANSWERS[question.of][1](question, schema, _within(question, schema, block) if question.by else block)


def _within(question: Question, schema: Schema, block: Block) -> Block:
    """The rows that have a cell among the parents', in the cells of class and parents."""
    cells = parent_cells(block, schema, question.by)
    together = (_cells(block) * schema.parts(question.by).prod() + cells).astype(np.int32)  # as those of classes alone
    if (cells >= 0).all():
        return replace(block, cells=together)
    at = np.flatnonzero(cells >= 0)
    return replace(block.take(at), cells=together[at])


def size(question: Question, schema: Schema) -> int:
    """How many numbers the answer holds."""
    cells, parts = question.cells(schema), schema.parts(question.columns)
    if question.of == "pairs":
        return cells * int(parts.sum()) ** 2
    if question.of == "triples":
        return cells * boxes(parts)
    if question.of == "families":
        columns = question.columns
        return cells * sum(sum(widths_of(one, sizes_of(one, columns, schema))) for one in question.members)
    if question.of in ("scatter", "quartics"):
        return cells * 6 * len(question.columns) ** 2
    if question.of in PRODUCTS:
        return cells * 6 * (int(product_bounds(question, schema)[-1]) + 1) ** 2
    if question.of == "points":
        return 0  # the rows themselves: no schema knows how many
    if question.of == "counts":
        return cells * int(schema.offsets(question.columns)[-1])
    if question.of == "parts":
        return cells * schema.columns[question.columns[0]].parts
    grid = schema.columns[question.columns[0]].grid if question.of == "grid" else None
    return cells * (grid.nodes if grid else 6 * len(question.columns))


def boxes(parts: Array) -> int:
    """How many boxes any three of some columns have together: all products of three different parts.

    >>> boxes(np.array([2, 2, 3, 1]))
    28
    """
    one, two, three = (int((parts.astype(object) ** power).sum()) for power in (1, 2, 3))
    return (one**3 - 3 * one * two + 2 * three) // 6


def _cells(block: Block) -> Array:
    if block.cells is None:
        raise ValueError("a block without a target cannot answer questions")
    return block.cells


def _counts(question: Question, schema: Schema, block: Block) -> Counts:
    from likely.kernels.counting.level_counts import count

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
    if weights is not None and (
        (weights != np.floor(weights)).any()
        or weights.max(initial=0.0) > LARGEST_EXACT_WHOLE
        or weights.sum() > LARGEST_EXACT_WHOLE
    ):  # the largest first: the sum of larger ones may overflow
        return list(arrays)
    return [array.astype(np.int64, copy=False) for array in arrays]


def _moments(question: Question, schema: Schema, block: Block) -> Moments:
    from likely.kernels.counting.moments import moments

    values = _select(block.reals, question.columns, schema.of(*NUMERIC))
    out = np.zeros((6, question.cells(schema), values.shape[1]))
    moments(values, _cells(block), block.weights, out)
    return Moments(_whole(block, out[0])[0], *out[1:])


def _transformed(question: Question, schema: Schema, block: Block) -> Moments:
    from likely.kernels.counting.moments import moments

    values = _select(block.reals, question.columns, schema.of(*NUMERIC))
    values = described_numbers(schema.columns[question.columns[0]].described, values)
    out = np.zeros((6, question.cells(schema), values.shape[1]))
    moments(np.ascontiguousarray(values), _cells(block), block.weights, out)
    return Moments(_whole(block, out[0])[0], *out[1:])


def _part_counts(question: Question, schema: Schema, block: Block) -> GridCounts:
    (at,) = question.columns
    column, cells = schema.columns[at], _cells(block)
    part, size = column.part(_numbers(at, schema, block)), column.parts + 1
    counted = np.bincount(cells * size + part, block.weights, question.cells(schema) * size)
    return GridCounts(counted.astype(np.float64).reshape(-1, size)[:, :-1].copy())


def _numbers(at: int, schema: Schema, block: Block) -> Floats:
    """(rows,): the numbers of one column."""
    return block.reals[:, schema.of(*NUMERIC).index(at)]


def _scatter(question: Question, schema: Schema, block: Block) -> Scatter:
    values = _select(block.reals, question.columns, schema.of(*NUMERIC))
    part = Scatter.of(values, _cells(block), block.weights, question.cells(schema))
    return replace(part, count=_whole(block, part.count)[0])


def _products(question: Question, schema: Schema, block: Block) -> Scatter:
    width = int(product_bounds(question, schema)[-1]) + 1
    # rows in numbers are a copy: some at a time, and enough of them to be worth a table of products
    step = (
        ROWS_ADDED_EXACTLY
        if block.rows * width**2 <= PRODUCTS_ADDED_EXACTLY
        else max(NUMBERS_COPIED_AT_A_TIME // width, 16 * width)
    )
    part: Scatter | None = None
    for start in range(0, max(block.rows, 1), step):
        some = block.piece(start, start + step)
        more = Scatter.of(_expanded(question, schema, some), _cells(some), some.weights, question.cells(schema))
        part = more if part is None else part + more
    assert part is not None, "there is always a step"
    return replace(part, count=_whole(block, part.count)[0])


def product_bounds(question: Question, schema: Schema) -> Array:
    """(columns + 1,): where the numbers of each column begin among those of a question for products."""
    holes = question.of == "products and holes"
    widths = [
        (1 if schema.columns[at].kind in NUMERIC else len(schema.columns[at].levels)) + holes for at in question.columns
    ]
    return np.concatenate([[0], np.cumsum(widths, dtype=np.int64)])


def _expanded(question: Question, schema: Schema, block: Block) -> Floats:
    """(rows, numbers + 1): numbers, indicators of levels (and missing values), NaN where missing; the target last."""
    if block.amounts is None:
        raise ValueError("a block without a numeric target cannot answer questions about it")
    bounds, discrete, numeric = product_bounds(question, schema), schema.of(*DISCRETE), schema.of(*NUMERIC)
    out = np.empty((block.rows, bounds[-1] + 1))
    out[:, -1] = block.amounts
    if question.of == "products" and question.columns == numeric:
        out[:, :-1] = block.reals
        return out
    for at, start, stop in zip(question.columns, bounds[:-1], bounds[1:], strict=True):
        size = len(schema.columns[at].levels)
        if at in numeric:
            out[:, start] = block.reals[:, numeric.index(at)]
            gone: Array = np.isnan(out[:, start])
        else:
            codes = block.codes[:, discrete.index(at)]
            gone = codes >= size
            out[:, start : start + size] = codes[:, None] == np.arange(size)
            out[gone, start : start + size] = np.nan
        if question.of != "products":
            out[:, stop - 1] = gone
    return out


def _quartics(question: Question, schema: Schema, block: Block) -> Quartics:
    values = _select(block.reals, question.columns, schema.of(*NUMERIC))
    part = Quartics.of(values, _cells(block), block.weights, question.cells(schema))
    return replace(part, count=_whole(block, part.count)[0])


def _points(question: Question, schema: Schema, block: Block) -> Points:
    values = _select(block.reals, question.columns, schema.of(*NUMERIC))
    weights = None if block.weights is None else _whole(block, block.weights)[0]
    return Points.of(values, _cells(block), weights)


def _grid(question: Question, schema: Schema, block: Block) -> GridCounts:
    from likely.kernels.counting.grid import bin_linear

    (at,) = question.columns
    grid = schema.columns[at].grid
    assert grid is not None, "a parzen column has a grid"
    out = np.zeros((question.cells(schema), grid.nodes))
    values = np.ascontiguousarray(block.reals[:, schema.of(*NUMERIC).index(at)])
    bin_linear(values, _cells(block), block.weights, grid.origin, grid.spacing, out)
    return GridCounts(out)


def _pairs(question: Question, schema: Schema, block: Block) -> Pairs:
    from likely.kernels.counting.pairs import count_pairs

    parts = schema.parts(question.columns)
    size = int(parts.sum())
    out: Array = np.zeros((len(schema.classes), size, size), dtype=np.int64 if block.weights is None else np.float64)
    count_pairs(coded(block, schema, question.columns), _cells(block), parts, block.weights, out)
    return Pairs(*_whole(block, out))


def _triples(question: Question, schema: Schema, block: Block) -> Triples:
    from likely.kernels.counting.pairs import count_triples

    parts = schema.parts(question.columns)
    out = np.zeros(
        (len(schema.classes), triple_starts(parts)[-1]), dtype=np.int64 if block.weights is None else np.float64
    )
    count_triples(coded(block, schema, question.columns), _cells(block), parts, block.weights, out)
    return Triples(*_whole(block, out))


def _families(question: Question, schema: Schema, block: Block) -> Counts:
    from likely.kernels.counting.forest import count_members

    laid, cells = layouts(question.members, question.columns, schema), _cells(block)
    width, classes = laid[-1].stop if laid else 0, len(schema.classes)
    table: Array = np.zeros((classes, width), dtype=np.int64 if block.weights is None else np.float64)
    codes = coded(block, schema, question.columns)
    count_members(codes, cells, block.weights, tuple(one.arrays for one in laid), table)
    rows = np.bincount(cells, weights=block.weights, minlength=classes)
    return Counts(*_whole(block, rows, table))


def _totals(question: Question, schema: Schema, block: Block) -> Totals:
    from likely.kernels.counting.bags_of_words import totals

    (at,) = question.columns
    bag = block.bags[schema.of("text").index(at)]
    out = np.zeros((len(schema.columns[at].levels), len(schema.classes)))
    totals(bag.indptr, bag.indices, bag.data, _cells(block), block.weights, out)
    rows = np.bincount(_cells(block), weights=block.weights, minlength=len(schema.classes))
    return Totals(_whole(block, rows)[0], out.T)


Answer = Callable[[Question, Schema, Block], Statistic]
ANSWERS: dict[str, tuple[type[Statistic], Answer]] = {  # what a question asks for, and how a block answers it
    "counts": (Counts, _counts),
    "moments": (Moments, _moments),
    "scatter": (Scatter, _scatter),
    "products": (Scatter, _products),
    "products and holes": (Scatter, _products),
    "quartics": (Quartics, _quartics),
    "points": (Points, _points),
    "grid": (GridCounts, _grid),
    "totals": (Totals, _totals),
    "pairs": (Pairs, _pairs),
    "triples": (Triples, _triples),
    "transformed": (Moments, _transformed),
    "parts": (GridCounts, _part_counts),
    "families": (Counts, _families),
}
STATISTICS = {of: statistic for of, (statistic, _) in ANSWERS.items()}


def _select(matrix: Array, columns: Sequence[int], available: Sequence[int]) -> Array:
    """The asked columns of a block's matrix; the matrix itself, uncopied, where all are asked."""
    if tuple(columns) == tuple(available):
        return matrix
    return np.ascontiguousarray(matrix[:, [available.index(at) for at in columns]])
