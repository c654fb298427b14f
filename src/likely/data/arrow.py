"""Arrow columns as rows: what data frames, files and SQL all become."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.reading import Reading
from likely.core.schema import DISCRETE, NUMERIC, Column, Level, Schema, Text, in_order, plain
from likely.core.threads import in_threads
from likely.core.tokens import encode_texts, tokens, vocabulary
from likely.core.unusable_rows import refuse_holes
from likely.data.arrow_columns import arrow_type, dates_only, level_codes, numbered, numbers, words_only
from likely.data.blocks import Task
from likely.data.levels.column_kinds import Summary, Wish, infer_parts, read_kinds
from likely.data.levels.date_parts import date_part, days, parts_among
from likely.data.levels.level_text import text_codes
from likely.data.readings.schema_readings import with_readings
from likely.data.targets.labels import Labels, never_learnt_class, odd_labels, refuse_amounts
from likely.data.targets.numeric_target import NumericTarget, amount_column, amounts
from likely.data.weights import check_weights, every_weight_is_zero, no_numbers
from likely.errors import DataError, SchemaError, listed, nearest

ROWS_OF_A_BLOCK = 1 << 16  # rows of a block
MOST_KEPT = 5 << 25  # bytes of batches that are kept in memory; a file that needs more is read each time


class Texts(Protocol):
    """Columns of text that are read as values."""

    @property
    def readings(self) -> Mapping[str, Reading]:
        """How each of them is read."""

    def read(self) -> Iterator[Any]:
        """The batches, columns of text as values."""

    def numbered(self) -> Iterator[Any]:
        """The same, words being numbered where they are already."""


@dataclass(frozen=True)
class ArrowSource:
    """Record batches that can be read again and again; the target is a column of theirs, or labels beside them."""

    read: Callable[[], Iterable[Any]]  # -> record batches
    columns: tuple[str, ...]
    target: str | None = None
    labels: Labels | NumericTarget | None = None
    weights: Floats | None = None
    rows: int | None = None
    place: str = "the table"
    named: bool = True
    declared: Mapping[str, tuple[Level, ...]] = field(default_factory=dict)
    weight: str | None = None  # the column that holds the weights, where they are not beside the rows
    numeric: bool = False  # whether the target column holds amounts rather than classes
    complete: bool = False  # whether a hole is an error
    notes: tuple[str, ...] = ()  # what a person should know of how a file is read
    nameless: bool = False  # whether the first line of a file is a row
    texts: Texts | None = None  # how columns of text were read
    by_text: bool = False  # whether levels go by their text: "1" is 1, another value is refused, a column may be absent

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in self.columns if name not in (self.target, self.weight))

    def kept(self) -> ArrowSource:
        """The same rows, which are read from their file once if they fit into memory, however often they are asked."""
        if self.rows is not None or isinstance(self.read, KeptBatches):
            return self
        texts = self.texts
        read = self.read if texts is None or self.read != texts.read else texts.numbered
        return replace(self, read=KeptBatches(read))

    def renamed(self, names: Sequence[str]) -> ArrowSource:
        """The same columns by position, under other names: rows without names for a model with them, or the reverse."""
        read = self.read
        return replace(self, read=lambda: (batch.rename_columns(list(names)) for batch in read()), columns=tuple(names))

    def weighed(self, name: str | None) -> ArrowSource:
        """The rows to learn from with their weights in a column, if any: rows of no weight are no rows."""
        if name is None or name not in self.columns:
            return replace(self, weight=name)
        read = partial(_of_weight, self.read, name)
        if self.rows is not None and sum(batch.num_rows for batch in read()) == self.rows:
            return replace(self, weight=name)
        return replace(self, weight=name, read=read, rows=None)

    def with_holes(self, names: Sequence[str]) -> ArrowSource:
        """The same rows with more columns, in which every value is missing."""
        import pyarrow as pa

        if not names:
            return self
        read = self.read

        def wider() -> Iterator[Any]:
            for batch in read():
                holes = [pa.nulls(batch.num_rows)] * len(names)
                yield pa.record_batch([*batch.columns, *holes], names=[*batch.schema.names, *names])

        return replace(self, read=wider, columns=(*self.columns, *names))

    def survey(self, kinds: object, classes: Sequence[object] = ()) -> Schema:
        return self.surveyed(kinds, classes)[0]

    def surveyed(self, kinds: object, classes: Sequence[object] = ()) -> tuple[Schema, list[Summary]]:
        """The schema, and what is seen of each column, the target last."""
        for named in (self.target, self.weight):
            if named is not None and named not in self.columns:
                hint = f"the columns are {listed(self.columns)}.{nearest(named, self.columns)}"
                raise SchemaError("S207", f"there is no column {named!r}", place=self.place, hint=hint)
        said = dict(kinds) if isinstance(kinds, Mapping) else {}
        parts = parts_among(said, self.names) if said else {}
        if parts:
            kinds = {key: value for key, value in said.items() if key not in parts}
        wishes = read_kinds(kinds, self.names)
        of_parts = dict(zip(parts, read_kinds(parts, tuple(parts)), strict=True))
        seen = self.look(wishes)
        told = zip(self.names, seen, wishes, strict=False)
        columns = tuple(column for name, one, wish in told for column in infer_parts(name, one, wish, of_parts))
        schema = Schema(columns, self._target(seen, classes), self.named)
        return (schema if self.texts is None else with_readings(schema, self.texts.readings)), seen

    def look(self, wishes: Sequence[Wish]) -> list[Summary]:
        """What is seen of each column, the target last."""
        asked = list(zip(self.names, wishes, strict=True))
        if self.target is not None and not self.numeric:
            asked.append((self.target, "category"))

        def look(batch: Any) -> list[Summary]:
            if not batch.num_rows:
                for name, _ in asked:
                    arrow_type(batch.schema.field(name).type, name)
                return []
            return [summary(batch.column(name), wish, name) for name, wish in asked]

        total: list[Summary] = []
        for part in in_threads(look, self.read()):
            total = [one + other for one, other in zip(total, part, strict=True)] if total and part else total or part
        total = total or [Summary()] * len(asked)
        if not self.declared:
            return total
        return [replace(one, declared=self.declared.get(name, ())) for one, (name, _) in zip(total, asked, strict=True)]

    def _target(self, seen: Sequence[Summary], classes: Sequence[object]) -> Column:
        if self.labels is not None:
            return self.labels.column(classes)
        if self.target is None:
            return Column("y", "category")
        if self.numeric:
            return amount_column(self.target)
        levels = seen[-1].declared or seen[-1].levels
        if seen[-1].type == "date":
            raise odd_labels("date", self.target)
        refuse_amounts(levels, self.target)
        declared = {*seen[-1].declared, *(plain(level) for level in classes)}
        place = f"target {self.target!r}"
        return Column(self.target, "category", in_order({*levels, *declared}, place), in_order(declared, place))

    def tasks(self, schema: Schema, target: bool, rows: int, least: int = 0) -> Iterator[Task]:
        cells = self.labels.under(schema.classes) if target and self.labels else None
        words = [{str(word): at for at, word in enumerate(schema.columns[j].levels)} for j in schema.of("text")]
        start = 0
        for batch in _at_least_one(self.read()):
            for offset in range(0, max(batch.num_rows, 1), min(rows, ROWS_OF_A_BLOCK)):
                part = batch.slice(offset, min(rows, ROWS_OF_A_BLOCK))
                yield EncodedBatch(self, schema, part, start, cells, target, words)
                start += part.num_rows


def _of_weight(read: Callable[[], Iterable[Any]], name: str) -> Iterator[Any]:
    """The batches without the rows of weight 0; an error where there are no others."""
    import pyarrow as pa

    total = left = 0
    for batch in read():
        column = batch.column(name)
        told = arrow_type(column.type, name)
        keep = numbers(column, name) != 0 if told in ("number", "bool") else np.ones(batch.num_rows, dtype=bool)
        total, left = total + batch.num_rows, left + int(np.count_nonzero(keep))
        yield batch if keep.all() else batch.filter(pa.array(keep))
    if total and not left:
        raise every_weight_is_zero(f"column {name!r}")


def _at_least_one(batches: Iterable[Any]) -> Iterator[Any]:
    for at, batch in enumerate(batches):
        if batch.num_rows or at == 0:
            yield batch


@dataclass(frozen=True)
class EncodedBatch:
    """A task: a batch, to be encoded under a schema."""

    source: ArrowSource
    schema: Schema
    batch: Any
    start: int
    cells: Array | None
    target: bool
    words: Sequence[Mapping[str, int]]
    step: int = 1  # of rows whose places are no multiples of it nothing is encoded

    def thinned(self, step: int) -> EncodedBatch:
        """The same of every second, third, ... row alone, counted from the first of the table."""
        return replace(self, step=step)

    def __call__(self) -> Block:
        schema, batch, some = self.schema, self.batch, self._some
        rows = len(range(*some.indices(batch.num_rows)))
        at = slice(self.start + some.start, self.start + batch.num_rows, self.step)
        discrete = [schema.columns[j] for j in schema.of(*DISCRETE)]
        most = max((column.slots for column in discrete), default=0)
        codes = np.empty((rows, len(discrete)), dtype=np.uint8 if most <= 256 else np.int32)
        for place, column in enumerate(discrete):
            codes[:, place] = self._codes(column)[some]
        numeric = [schema.columns[j] for j in schema.of(*NUMERIC)]
        reals = np.empty((rows, len(numeric)))
        for place, column in enumerate(numeric):
            values = self._values(column)
            if column.empty:  # of a column never seen nothing is known, whatever comes; only that it comes
                reals[:, place] = np.where(values.is_null().to_numpy(zero_copy_only=False), np.nan, 0.0)[some]
            else:
                reals[:, place] = numbers(values, column.name)[some]
        texts = [words_only(batch.column(schema.columns[j].name), schema.columns[j].name) for j in schema.of("text")]
        bags = tuple(encode_texts(text.to_pylist()[some], words) for text, words in zip(texts, self.words, strict=True))
        cells = None if self.cells is None else self.cells[at]
        if cells is None and (self.target or self.source.by_text):
            cells = self._classes()[some]
        weights = None if self.source.weights is None else self.source.weights[at]
        amounts_ = self._amounts(at) if self.target else None
        if self.source.weight is not None and (self.target or self.source.by_text):
            weights = self._weights(self.source.weight)[some]
        block = Block(rows, codes, reals, bags, cells, weights, self.start, amounts_)
        if self.source.complete and self.step == 1:  # all rows are looked at sooner or later
            refuse_holes(block, schema)
        return block

    @property
    def _some(self) -> slice:
        """The rows of the batch that are encoded."""
        return slice(-self.start % self.step, self.batch.num_rows, self.step)

    def _values(self, column: Column) -> Any:
        """The values of a column, which may be a part of a column of dates."""
        if not column.date_part:
            return self.batch.column(column.name)
        return date_part(dates_only(self.batch.column(column.origin), column.origin), column.date_part)

    def _codes(self, column: Column) -> Array:
        """(rows,): the place of each value among the levels, then missing."""
        if not self.source.by_text:
            return level_codes(self._values(column), column)
        if column.name not in self.batch.schema.names:
            return np.full(self.batch.num_rows, len(column.levels), dtype=np.int32)
        return text_codes(self.batch.column(column.name), column.name, column.levels, self.start)

    def _weights(self, name: str) -> Floats:
        """(rows,): from the column of weights."""
        column = self.batch.column(name)
        if arrow_type(column.type, name) in ("word", "date") and column.null_count < len(column):
            raise no_numbers(f"column {name!r}")
        weights = np.array(numbers(column, name), dtype=np.float64)
        return check_weights(weights, f"column {name!r}", self.start)

    def _amounts(self, at: slice) -> Floats | None:
        """(rows,): the target where it is a number, from beside the rows or from its column."""
        if isinstance(self.source.labels, NumericTarget):
            return self.source.labels.values[at]
        if not self.source.numeric or self.source.target is None:
            return None
        return amounts(self.batch.column(self.source.target), self.source.target, self.start)[self._some]

    def _classes(self) -> Array:
        """(rows,): class codes from the target column; without classes, all rows are of the one cell that there is."""
        target = self.schema.target
        if self.source.target is None or self.source.numeric:
            return np.zeros(self.batch.num_rows, dtype=np.int32)
        codes = level_codes(self.batch.column(target.name), target).astype(np.int32)
        for slot in (0, 1):
            bad = np.flatnonzero(codes == len(target.levels) + slot)
            if len(bad):
                label = self.batch.column(target.name)[int(bad[0])].as_py()
                place = f"target {target.name!r}, row {self.start + int(bad[0])}"
                if label is None:
                    raise DataError("D105", "a label is missing", place=place, hint="leave such rows out")
                raise never_learnt_class(label, target.levels, place, f"a class was never learnt: {label!r}")
        return codes


def summary(column: Any, wish: Wish, name: str) -> Summary:
    """What a batch shows of a column."""
    import pyarrow.compute as pc

    kind = arrow_type(column.type, name)
    if kind == "empty" or column.null_count == len(column):
        return Summary("empty")
    observed = len(column) - column.null_count
    if kind in ("number", "bool"):
        return _number_summary(column, kind, wish, name)
    if kind == "date":
        since = days(column)
        known = since[~np.isnan(since)]
        whole = bool((known == np.floor(known)).all())
        return Summary("date", float(known.min()), float(known.max()), whole, observed)
    distinct = column.dictionary if hasattr(column, "dictionary") else pc.unique(column).drop_null()
    levels = [plain(value) for value in distinct.to_pylist() if value is not None]
    if wish == "text" or isinstance(wish, Text):
        return Summary("word", observed=observed, vocabulary=frozenset(vocabulary([str(level) for level in levels])))
    few = levels[:200]
    words = sum(len(tokens(str(level))) for level in few) / max(len(few), 1) * observed
    return Summary("word", observed=observed, levels=frozenset(levels), words=round(words))


def _number_summary(column: Any, kind: str, wish: Wish, name: str) -> Summary:
    values = numbers(column, name)
    missing = np.isnan(values)
    known = values[~missing] if missing.any() else values
    if not len(known):
        return Summary("empty")
    levels: frozenset[Level] = frozenset()
    if wish in ("binary", "category"):
        found = column.dictionary if hasattr(column, "dictionary") else column.unique()
        levels = frozenset(plain(value) for value in found.to_pylist() if value is not None and value == value)
    first, last = float(known[0]), float(known[-1])
    whole = bool(first == np.floor(first) and (known == np.floor(known)).all())
    rising = wish is None and len(known) == len(values) and (len(known) < 2 or float(known[1]) - first == 1)
    if rising and len(known) > 1:
        with np.errstate(over="ignore", invalid="ignore"):  # numbers that are too large are refused later, in words
            rising = bool((np.diff(known) == 1).all())
    return Summary(kind, float(known.min()), float(known.max()), whole, len(known), levels, rising=rising, last=last)


class KeptBatches:
    """Reads batches, words numbered; from the second time on from memory, if the first was to the end and they fit."""

    def __init__(self, read: Callable[[], Iterable[Any]]) -> None:
        self._read = read
        self._kept: list[Any] | None = None

    def __call__(self) -> Iterator[Any]:
        return iter(self._kept) if self._kept is not None else self._first()

    def _first(self) -> Iterator[Any]:
        kept: list[Any] | None = []
        room = MOST_KEPT
        for batch in self._read():
            batch = _numbered(batch)
            room -= batch.nbytes
            if room < 0:
                kept = None
            if kept is not None:
                kept.append(batch)
            yield batch
        self._kept = kept


def _numbered(batch: Any) -> Any:
    """A batch whose words are numbered: they are looked up once a batch instead of once a row, and take less room."""
    import pyarrow as pa

    columns = [numbered(column) for column in batch.columns]
    return pa.record_batch(columns, names=batch.schema.names)
