"""NumPy arrays and scipy.sparse matrices as rows; whole matrices are used where they lie, without a copy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.identifiers import ENOUGH_VALUES
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Column, Level, Schema, Text, plain
from likely.core.threads import cores, in_threads
from likely.core.tokens import Bag
from likely.core.unusable_rows import LARGEST_NUMBER, refuse_holes
from likely.data.blocks import ANY_ROWS, Task, shares
from likely.data.levels.column_kinds import MOST_WHOLE_LEVELS, Summary, Wish, infer, read_kinds
from likely.data.targets.labels import Labels
from likely.data.targets.numeric_target import NumericTarget
from likely.errors import DataError
from likely.errors.advice import Advice, Option

BYTES_OF_A_COPIED_BLOCK = 1 << 21  # bytes of a block that has to be copied: it stays in the cache
LEAST_ROWS_SHARED_OUT = 256  # rows of a block: fewer are sooner done than handed to a thread
ROWS_LOOKED_AT = 4096  # rows that settle most questions of kind
ROWS_SURVEYED_AT_A_TIME = 1 << 17  # rows looked at by one thread at a time
VALUES_SURVEYED_IN_CACHE = 1 << 15  # values looked at together where several passes go over them


@dataclass(frozen=True)
class ArraySource:
    """A matrix (rows, columns), dense or in compressed rows, with labels and weights beside it."""

    matrix: Any
    labels: Labels | NumericTarget | None = None
    weights: Floats | None = None
    complete: bool = False  # whether a hole is an error

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(f"x{at}" for at in range(self.matrix.shape[1]))

    @property
    def rows(self) -> int:
        return int(self.matrix.shape[0])

    @property
    def sparse(self) -> bool:
        return not isinstance(self.matrix, np.ndarray)

    def survey(self, kinds: object, classes: Sequence[object] = ()) -> Schema:
        target = self.labels.column(classes) if self.labels else Column("y", "category")
        text = _whole_text(kinds, self.matrix)
        if text is not None:
            column = Column("words", "text", range(self.matrix.shape[1]), fixed=True, form=text, wide=True)
            refuse_negative(self.matrix.data if self.sparse else self.matrix)
            return Schema((column,), target)
        wishes = read_kinds(kinds, self.names)
        summaries = self._summaries(wishes)
        columns = tuple(infer(name, seen, wish) for name, seen, wish in zip(self.names, summaries, wishes, strict=True))
        return Schema(columns, target)

    def _summaries(self, wishes: Sequence[Wish]) -> list[Summary]:
        """What the user did not say is looked for; a few rows settle most of it, the rest is looked at in threads."""
        rows = self.matrix.shape[0]
        low, high, whole = self._look(slice(0, min(ROWS_LOOKED_AT, rows)), np.arange(len(self.names)))
        if set(wishes) == {"real"}:
            bounded = rows <= ROWS_LOOKED_AT
            return [
                Summary("number", *_ends(float(a), float(b)), bool(one), bounded=bounded)
                for a, b, one in zip(low, high, self._whole(whole), strict=True)
            ]
        with np.errstate(invalid="ignore", over="ignore"):
            span = high - low
        # a real, whatever follows
        amount = np.array([wish is None for wish in wishes]) & (~whole | (span > MOST_WHOLE_LEVELS))
        open_, amount_only = np.flatnonzero(~amount), amount
        if len(open_):
            step = min(ROWS_SURVEYED_AT_A_TIME, max(256, (BYTES_OF_A_COPIED_BLOCK << 3) // max(1, 8 * len(self.names))))
            chunks = [slice(start, start + step) for start in range(ROWS_LOOKED_AT, rows, step)]
            for least, most, round_ in in_threads(lambda at: self._look(at, open_), chunks):
                low[open_], high[open_] = np.fmin(low[open_], least), np.fmax(high[open_], most)
                whole[open_] &= round_
        type_ = "bool" if self.matrix.dtype.kind == "b" else "number"
        with np.errstate(invalid="ignore", over="ignore"):
            amount = whole & np.isfinite(high - low) & (high - low > MOST_WHOLE_LEVELS)
        rising = [
            wish is None and bool(one) and self._counts_rows(at)
            for at, (wish, one) in enumerate(zip(wishes, amount, strict=True))
        ]
        whole = self._whole(whole)
        return [
            Summary("empty")
            if a > b
            else Summary(
                type_,
                float(a),
                float(b),
                bool(w),
                self.rows,
                self._levels(at, a, b, bool(w), wishes[at]),
                rising=rising[at],
                bounded=rows <= ROWS_LOOKED_AT or not amount_only[at],
            )
            for at, (a, b, w) in enumerate(zip(low, high, whole, strict=True))
        ]

    def _look(self, rows: slice, columns: Array) -> tuple[Floats, Floats, Array]:
        """Least, largest, and whether all are whole numbers, of some rows of some columns."""
        some = _dense(self.matrix[rows])
        some = some if len(columns) == some.shape[1] else some[:, columns]
        whole = np.ones(len(columns), dtype=bool)
        if some.dtype.kind == "f":
            with np.errstate(invalid="ignore"):
                whole = ~((some != np.floor(some)) & ~np.isnan(some)).any(axis=0)
        least, most = _range(some)
        nothing = np.isnan(least)  # every value missing
        return np.where(nothing, np.inf, least), np.where(nothing, -np.inf, most), whole

    def _whole(self, first: Array) -> Array:
        """(columns,): whether all numbers are whole, of columns whose first ones are."""
        columns = np.flatnonzero(first)
        if self.matrix.dtype.kind != "f" or not len(columns):
            return first

        def look(rows: slice) -> Array:
            some = _dense(self.matrix[rows])
            some = some if len(columns) == some.shape[1] else some[:, columns]
            odd = (some != np.rint(some)) & (some == some)
            return np.asarray(~(odd | (np.abs(some) >= 2.0**53)).any(axis=0))

        out, step = first.copy(), max(1, VALUES_SURVEYED_IN_CACHE // len(first))
        for part in in_threads(look, (slice(start, start + step) for start in range(0, self.rows, step))):
            out[columns] &= part
        return out

    def _counts_rows(self, at: int) -> bool:
        """Whether a column just counts the rows: a few rows tell of most that it does not."""
        values = self._column(at)
        return all(bool((np.diff(part.astype(np.float64)) == 1).all()) for part in (values[:ENOUGH_VALUES], values))

    def _column(self, at: int) -> Array:
        return self.matrix[:, at] if not self.sparse else np.asarray(self._by_columns[:, [at]].toarray())[:, 0]

    @cached_property
    def _by_columns(self) -> Any:
        return self.matrix.tocsc()

    def _levels(self, at: int, low: float, high: float, whole: bool, wish: Wish) -> frozenset[Level]:
        """The levels of a column that is to be discrete; of small whole numbers all in between, pruned once counted."""
        if wish not in ("binary", "category"):
            return frozenset()
        if whole and high - low < (256 if wish == "category" else 2) and max(abs(low), abs(high)) < 2**53:
            return frozenset(range(int(low), int(high) + 1))
        values = np.unique(self._column(at))
        return frozenset(plain(value) for value in values if value == value)

    def tasks(self, schema: Schema, target: bool, rows: int, least: int = 0) -> Iterator[Task]:
        encode = _encoder(self, schema)
        check = (lambda block: refuse_holes(block, schema)) if self.complete else None
        cells = self.labels.under(schema.classes) if target and self.labels else None
        amounts = self.labels.values if target and isinstance(self.labels, NumericTarget) else None
        all_rows = self.matrix.shape[0]
        step = min(rows, max(self._step(schema, target or rows == ANY_ROWS), least))
        for start in range(0, max(all_rows, 1), step):
            yield _Slice(encode, slice(start, min(start + step, all_rows)), cells, self.weights, amounts, check)

    def _step(self, schema: Schema, summed: bool) -> int:
        """Rows of a block: what is used in place goes out a large share at a time, copies in small blocks.

        Sums are in the same parts however many threads there are. Whole counts of words are the same in any parts, and
        their tables large: each thread has one.
        """
        rows, columns = self.matrix.shape
        kinds = {column.kind for column in schema.columns}
        counted = kinds == {"text"} and self.matrix.dtype.kind in "iub" and self.weights is None
        if summed and not counted:
            share = -(-max(rows, 1) // shares(rows, columns))
        else:
            share = max(LEAST_ROWS_SHARED_OUT, -(-rows // cores()))
        if self.sparse:
            in_place = kinds == {"text"}
        else:
            bytes_ = self.matrix.dtype.itemsize == 1 and kinds <= set(DISCRETE)
            in_place = self.matrix.flags.c_contiguous and (
                bytes_ or (self.matrix.dtype == np.float64 and kinds <= set(NUMERIC))
            )
        copied = max(LEAST_ROWS_SHARED_OUT, min(share, BYTES_OF_A_COPIED_BLOCK // max(1, 8 * columns)))
        return int(share if in_place else copied)


@dataclass(frozen=True)
class _Slice:
    """A task: rows start..stop, encoded."""

    encode: Callable[[slice], Block]
    at: slice
    cells: Array | None
    weights: Floats | None
    amounts: Floats | None
    check: Callable[[Block], None] | None

    def __call__(self) -> Block:
        block = self.encode(self.at)
        cells = None if self.cells is None else self.cells[self.at]
        weights = None if self.weights is None else self.weights[self.at]
        amounts = None if self.amounts is None else self.amounts[self.at]
        block = replace(block, cells=cells, weights=weights, start=self.at.start, amounts=amounts)
        if self.check is not None:
            self.check(block)
        return block


def _encoder(source: ArraySource, schema: Schema) -> Callable[[slice], Block]:
    if schema.columns and schema.columns[0].wide:
        return lambda at: _bag_block(source.matrix, at)
    numeric, code = schema.of(*NUMERIC), _coder(source.matrix, schema)

    def encode(at: slice) -> Block:
        matrix = _dense(source.matrix[at])
        reals = matrix if len(numeric) == matrix.shape[1] else matrix[:, numeric]
        bags = tuple(_no_text(matrix[:, at], schema.columns[at].name) for at in schema.of("text"))
        return Block(len(matrix), code(matrix), np.ascontiguousarray(reals, dtype=np.float64), bags)

    return encode


def _no_text(values: Array, name: str) -> Bag:
    """A text column of a matrix of numbers, which can only be missing."""
    missing = values != values
    if not missing.all():
        hint = "text needs strings: give an object array or a data frame, or NaN where there is no text"
        raise DataError("D108", "numbers in a text column", place=f"column {name!r}", hint=hint)
    nothing = np.zeros(0, dtype=np.int32)
    return Bag(np.zeros(len(values) + 1, dtype=np.int64), nothing, nothing.astype(np.float64), missing)


def _coder(whole: Any, schema: Schema) -> Callable[[Array], Array]:
    """The codes of the discrete columns of some rows; what hangs on the schema alone is asked once for all rows."""
    columns = schema.of(*DISCRETE)
    if not columns:
        return lambda matrix: np.zeros((len(matrix), 0), dtype=np.uint8)
    described = [schema.columns[at] for at in columns]
    levels = [column.levels for column in described]
    sizes = np.array([len(each) for each in levels])
    kind = np.dtype(np.uint8 if max(column.slots for column in described) <= 256 else np.int32)
    in_a_row = all(map(_in_a_row, levels))
    bytes_ = whole.dtype.kind in "bu" and whole.dtype.itemsize == 1
    plain_codes = bytes_ and all(tuple(each) == tuple(range(len(each))) for each in levels)
    first = np.array([float(each[0]) for each in levels]) if in_a_row else np.empty(0)

    def code(matrix: Array) -> Array:
        if len(columns) < matrix.shape[1]:
            matrix = matrix[:, columns]
        if bytes_:
            matrix = np.ascontiguousarray(matrix).view(np.uint8)
            if plain_codes and (not len(matrix) or (_range(matrix)[1] < sizes).all()):
                return matrix  # the values are the codes
        if in_a_row:
            return _places(matrix, first, sizes, kind)
        codes = np.empty(matrix.shape, dtype=kind)
        for place, column in enumerate(described):
            values = matrix[:, place]
            codes[:, place] = column.part(values) if column.kind == "cut" else _codes(values, column.levels)
        return codes

    return code


def _in_a_row(levels: Sequence[Level]) -> bool:
    """Whether levels are whole numbers, one after the other."""
    if not levels or not isinstance(levels[0], int) or abs(levels[0]) > 2**52:  # beyond, floats skip whole numbers
        return False
    return levels == (0, 1) or tuple(levels) == tuple(range(levels[0], levels[0] + len(levels)))


def _places(matrix: Array, first: Floats, sizes: Array, kind: np.dtype[Any]) -> Array:
    """(rows, columns): codes of whole numbers in a row, of all columns at once."""
    at = matrix - first
    with np.errstate(invalid="ignore"):
        codes = at.astype(kind)
    if ((codes == at) & (codes < sizes)).all():  # as a rule: nothing is missing or unseen
        return codes
    known = (at >= 0) & (at < sizes) & (at == np.floor(at))
    return np.where(known, at, np.where(np.isnan(at), sizes, sizes + 1)).astype(kind)


def _codes(values: Array, levels: Sequence[Level]) -> Array:
    """(rows,): numbers as level codes; levels in any order, missing and unseen behind them."""
    missing, unseen = len(levels), len(levels) + 1
    if not len(levels):
        return np.where(np.isnan(values), missing, unseen)
    if values.dtype.kind in "iu" and all(isinstance(level, int) for level in levels):
        numbers = np.array(levels)  # whole numbers beyond 2**53 are no floats
    else:
        numbers = np.array([np.nan if isinstance(level, str) else float(level) for level in levels])
    order = np.argsort(numbers)
    at = np.minimum(np.searchsorted(numbers[order], values), len(levels) - 1)
    codes = np.where(numbers[order][at] == values, order[at], unseen)
    return np.where(np.isnan(values), missing, codes)


def _bag_block(matrix: Any, at: slice) -> Block:
    rows = at.stop - at.start
    empty = np.zeros((rows, 0))
    return Block(rows, empty.astype(np.uint8), empty, (bag_of(matrix, at),))


def bag_of(matrix: Any, at: slice) -> Bag:
    """Word counts as compressed rows, from sparse rows (where they lie) or dense ones."""
    if isinstance(matrix, np.ndarray):
        some = refuse_negative(matrix[at])
        rows, words = np.nonzero(some)
        indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(some)))])
        return Bag(indptr, words.astype(np.int32), some[rows, words].astype(np.float64))
    indptr = matrix.indptr[at.start : at.stop + 1]
    refuse_negative(matrix.data[indptr[0] : indptr[-1]])
    return Bag(indptr, matrix.indices, matrix.data)


def _dense(matrix: Any) -> Array:
    return matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.toarray())


def _whole_text(kinds: object, matrix: Any) -> Text | None:
    """The bag that the whole matrix is, if it is one: said so, or sparse with nothing below zero."""
    if isinstance(kinds, Text):
        return kinds
    if isinstance(kinds, str) and kinds == "text":
        return Text()
    sparse = not isinstance(matrix, np.ndarray)
    return Text() if sparse and kinds == "auto" and not (matrix.data < 0).any() else None


def refuse_negative(values: Array) -> Array:
    """The values, unless one is no word count."""
    if not (values.min(initial=0) >= 0 and values.max(initial=0) < np.inf):
        what = "word counts must be finite and not negative: Negative values in data passed to NaiveBayes"
        hint = Advice("for numbers that may be negative or missing say ", Option("kinds", "real"))
        raise DataError("D109", what, place="X", hint=hint)
    return values


def _range(matrix: Array) -> tuple[Array, Array]:
    """Least and largest of each column, ignoring what is missing."""
    rows, columns = matrix.shape
    least, most = (np.minimum, np.maximum) if matrix.dtype.kind != "f" else (np.fmin, np.fmax)
    if rows == 0:
        return np.full(columns, np.inf), np.full(columns, -np.inf)
    fold = max(1, min(rows, 4096 // max(columns, 1)))
    if matrix.flags.c_contiguous and fold > 1:  # long rows keep the processor's vectors full
        head = matrix[: rows // fold * fold].reshape(-1, fold * columns)
        tail = matrix[rows // fold * fold :]
        low, high = least.reduce(head).reshape(fold, columns), most.reduce(head).reshape(fold, columns)
        matrix_low, matrix_high = np.concatenate([low, tail]), np.concatenate([high, tail])
        return least.reduce(matrix_low), most.reduce(matrix_high)
    return least.reduce(matrix), most.reduce(matrix)


def _ends(low: float, high: float) -> tuple[float, float]:
    """The least and the largest number; none where there is none, or where learning will refuse it."""
    return (low, high) if abs(low) <= LARGEST_NUMBER >= abs(high) else (np.inf, -np.inf)
