"""Data frames (pandas, polars, pyarrow, and whatever narwhals knows) as rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from likely.core.numerics import Floats
from likely.core.reading import Reading
from likely.core.schema import Level, plain
from likely.core.threads import in_threads
from likely.data.arrow import ArrowSource
from likely.data.arrow_columns import another_type, numbered, one_array
from likely.data.readings.text_columns import TextColumns, is_text
from likely.data.targets.labels import Labels
from likely.data.targets.numeric_target import NumericTarget
from likely.errors import SchemaError

ROWS_WORTH_THREADS = 1 << 14  # rows from which columns are read in threads


def frame_source(
    frame: Any,
    target: str | None,
    labels: Labels | NumericTarget | None,
    weights: Floats | None,
    readings: Mapping[str, Reading] | None = None,
    text: str = "values",
    marks: Collection[str] = (),
    kinds: object = None,
) -> ArrowSource:
    """The source of a frame that narwhals can wrap; its columns of text are read as values."""
    refuse_duplicates(column_names(frame))
    columns = _columns(frame)
    declared = {name: levels for name, column in columns if (levels := _declared(column))}
    arrays = _each(lambda one: one_array(one[1], one[0]), columns, len(frame))
    names = [name for name, _ in columns]
    return read_table(arrays, names, target, labels, weights, declared, readings, text, marks, kinds)


def read_table(
    arrays: Sequence[Any],
    names: Sequence[str],
    target: str | None = None,
    labels: Labels | NumericTarget | None = None,
    weights: Floats | None = None,
    declared: dict[str, tuple[Level, ...]] | None = None,
    readings: Mapping[str, Reading] | None = None,
    text: str = "values",
    marks: Collection[str] = (),
    kinds: object = None,
) -> ArrowSource:
    """The source of named Arrow arrays, those of text read as values; text of digits stays text if `text` is digits."""
    import pyarrow as pa

    rows, declared = len(arrays[0]) if arrays else 0, declared or {}
    written = [name for name, array in zip(names, arrays, strict=True) if is_text(array.type)]
    if not written:
        return table_source(arrays, names, target, labels, weights, declared)
    batches = [pa.record_batch(_each(numbered, arrays, rows), names=list(names))]
    texts = TextColumns(
        lambda: batches,
        "the table",
        target,
        readings,
        digits=text == "digits",
        marks=marks,
        numbered=written,
        kinds=kinds,
    )
    (batch,) = texts.read()
    for name, column in zip(names, batch.columns, strict=True):
        unfit, slips = texts.misfits.first.get(name, []), texts.misfits.counts.get(name, 0)
        if readings and column.null_count == len(column) and texts.misfits.is_of_another_kind(unfit, slips):
            raise another_type(name, str(readings[name]), "word", unfit[0][1])
    texts.misfits.warn()
    return replace(table_source(batch.columns, names, target, labels, weights, declared), texts=texts)


def table_source(
    arrays: Sequence[Any],
    names: Sequence[str],
    target: str | None,
    labels: Labels | NumericTarget | None,
    weights: Floats | None,
    declared: dict[str, tuple[Level, ...]],
    named: bool = True,
    place: str = "the table",
) -> ArrowSource:
    """The source of Arrow arrays held in memory; words are numbered once, here, and counted by number ever after."""
    import pyarrow as pa

    rows = len(arrays[0]) if arrays else 0
    batch = pa.record_batch(_each(numbered, arrays, rows), names=list(names))
    return ArrowSource(
        lambda: [batch],
        tuple(names),
        target,
        labels,
        weights,
        batch.num_rows,
        place=place,
        named=named,
        declared=declared,
    )


def _each(work: Callable[[Any], Any], columns: Sequence[Any], rows: int) -> list[Any]:
    """work(column) of every column; in threads where there is enough to do that handing it over pays."""
    return list(in_threads(work, columns) if rows >= ROWS_WORTH_THREADS else map(work, columns))


def column_names(frame: Any) -> list[str]:
    """The names of a frame's columns; none for an array. pyarrow calls by `columns` the columns themselves."""
    return [str(name) for name in getattr(frame, "column_names", getattr(frame, "columns", ()))]


def refuse_duplicates(names: Sequence[str], place: str = "columns") -> None:
    """Two columns of one name cannot be told apart."""
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise SchemaError("S209", f"two columns are called {twice[0]!r}", place=place, hint="rename one of them")


def _columns(frame: Any) -> list[tuple[str, Any]]:
    """The names of a frame's columns, and what its own library holds of them."""
    if type(frame).__module__.partition(".")[0] == "pandas":  # a few rows are read in half the time narwhals takes
        return [(str(name), column) for name, column in frame.items()]
    import narwhals as nw

    table = nw.from_native(frame, eager_only=True)
    return [(str(series.name), series.to_native()) for series in table.iter_columns()]


def _declared(column: Any) -> tuple[Level, ...]:
    """The levels that the type of a column declares: pandas' categories, polars' Enum."""
    if not hasattr(getattr(column, "dtype", None), "categories"):
        return ()
    import narwhals as nw

    dtype = nw.from_native(column, series_only=True).dtype
    if isinstance(dtype, nw.Enum):
        return tuple(plain(level) for level in dtype.categories)
    if hasattr(column, "cat") and hasattr(column.cat, "categories"):
        return tuple(plain(level) for level in column.cat.categories)
    return ()
