"""Tables as people write them down too: columns by name, records, lists; and weights beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.reading import Reading
from likely.core.schema import Level
from likely.data import ArrowSource, open_source
from likely.data.arrow_columns import one_array
from likely.data.frames import read_table, refuse_duplicates
from likely.data.levels.interval_levels import cuts_of
from likely.data.readings.missing_marks import MARK_SET
from likely.data.readings.truth import tell_truth
from likely.data.weights import read_row_weights
from likely.errors import DataError, SchemaError, listed, nearest


def open_rows(
    data: Any,
    nodes: Sequence[str] | None,
    weights: Any = None,
    *,
    place: str = "data",
    strangers: str = "refuse",
    levels: Mapping[str, Sequence[Any]] | None = None,
) -> ArrowSource:
    """The source of rows: a frame, columns by name, records, an array in order of the nodes, a path or a relation.

    Without `nodes` every column is one; those of an array are called x0, x1, ... `weights` are numbers, one a row, or
    the name of a column. Text is read as values; as it stands, where `levels` are known that are words.
    """
    source = _opened(data, nodes, place, readings_of_levels(levels or {}))
    if isinstance(weights, str):
        if weights not in source.columns:
            hint = f"the columns are {listed(source.columns)}.{nearest(weights, source.columns)}"
            raise SchemaError("S207", f"there is no column {weights!r} of weights", place=place, hint=hint)
        source = replace(source, weight=weights)
    elif weights is not None:
        source = replace(source, weights=read_row_weights(weights, source.rows, "weights="))
    if nodes is not None:
        _refuse_strangers(source.names, nodes, place, strangers)
    return source


def readings_of_levels(levels: Mapping[str, Sequence[Any]]) -> dict[str, Reading]:
    """How text is read whose levels are known: as it stands, where these are words and not plainly yes and no.

    A mark of missing values that is a level is a word.

    >>> sorted(readings_of_levels({"wind": ["None", "5-12"], "rain": ["yes", "no"], "size": [1, 2]}))
    ['wind']
    """
    found = ((name, _reading_of_words(tuple(own))) for name, own in levels.items())
    return {name: reading for name, reading in found if reading is not None}


@lru_cache(maxsize=1 << 12)
def _reading_of_words(levels: tuple[Level, ...]) -> Reading | None:
    """How text of these levels is read as it stands; none where they are not words, or are yes and no in a language."""
    if cuts_of(levels) is not None or not any(isinstance(level, str) for level in levels):
        return None
    truth = tell_truth(dict.fromkeys(map(str, levels), 1))
    if truth is not None and truth.words:
        return None
    return Reading(all_marks=truth is not None, spared=tuple(str(level) for level in levels if level in MARK_SET))


def _opened(
    data: Any, nodes: Sequence[str] | None, place: str, readings: Mapping[str, Reading] | None = None
) -> ArrowSource:
    if isinstance(data, ArrowSource):
        return data
    if isinstance(data, Mapping):
        return _columns(data, place, readings)
    if nodes is not None and getattr(data, "shape", ())[1:] == (0,):  # a frame of rows of which nothing is known
        return _columns({name: [None] * len(data) for name in nodes}, place, readings)
    if isinstance(data, list | tuple):
        if data and all(isinstance(row, Mapping) for row in data):
            named = dict.fromkeys(name for row in data for name in row)
            names = list(named or nodes or ())  # a row of which nothing is known is a row too
            return _columns({name: [row.get(name) for row in data] for name in names}, place, readings)
        return _matrix(_table(data, place), nodes, place)
    if isinstance(data, np.ndarray) or (hasattr(data, "__array__") and not hasattr(data, "columns")):
        return _matrix(data, nodes, place)
    source = open_source(_told_in_words(data), readings=readings, text="digits")
    return source.kept() if isinstance(source, ArrowSource) else _matrix(data.toarray(), nodes, place)


def _columns(columns: Mapping[Any, Any], place: str, readings: Mapping[str, Reading] | None) -> ArrowSource:
    for name, values in columns.items():
        if isinstance(values, str) or not hasattr(values, "__len__"):
            hint = f"give a list for each column, as in {{{name!r}: [{values!r}]}}"
            raise DataError("D423", f"column {name!r} is no list of values", place=place, hint=hint)
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        least, most = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
        what = f"column {least!r} has {lengths[least]} values and {most!r} has {lengths[most]}"
        raise DataError("D423", what, place=place, hint="give every column one value a row")
    names = [str(name) for name in columns]
    refuse_duplicates(names)
    told = (
        _in_words(values) if _of_intervals(getattr(values, "dtype", None)) else values for values in columns.values()
    )
    arrays = [one_array(values, name) for name, values in zip(names, told, strict=True)]
    return replace(read_table(arrays, names, readings=readings, text="digits"), place=place)


def _told_in_words(data: Any) -> Any:
    """A frame whose columns of intervals, as pandas.cut gives them, hold their texts; anything else as it is."""
    if not hasattr(data, "iloc") or not hasattr(data, "columns") or not data.columns.is_unique:
        return data
    cut = [name for name, kind in data.dtypes.items() if _of_intervals(kind)]
    words = data.copy(deep=False) if cut else data
    for name in cut:
        words[name] = _in_words(data[name])
    return words


def _of_intervals(kind: Any) -> bool:
    return type(getattr(getattr(kind, "categories", None), "dtype", None)).__name__ == "IntervalDtype"


def _in_words(column: Any) -> Any:
    categories = column.cat if hasattr(column, "cat") else column
    return categories.rename_categories(str)


def _table(rows: Sequence[Any], place: str) -> Array:
    """Plain lists as an array of objects: NumPy would turn numbers beside words into words."""
    widths = {len(row) if hasattr(row, "__len__") and not isinstance(row, str | Mapping) else -1 for row in rows}
    if len(widths) > 1 or widths == {-1}:
        hint = "give a list of records {node: level}, or of rows with one level for each node"
        raise DataError("D423", "the rows are no table", place=place, hint=hint)
    out = np.empty((len(rows), widths.pop() if widths else 0), dtype=object)
    for at, row in enumerate(rows):
        out[at] = list(row)
    return out


def _matrix(given: Any, nodes: Sequence[str] | None, place: str) -> ArrowSource:
    import pyarrow as pa

    matrix = np.asarray(given)
    if nodes is None:
        nodes = [f"x{at}" for at in range(matrix.shape[1] if matrix.ndim == 2 else 1)]
    if np.ma.is_masked(given):
        matrix = matrix.astype(object)
        matrix[np.ma.getmaskarray(given)] = None
    if matrix.shape == (0, 0):  # an empty list has no width
        matrix = np.empty((0, len(nodes)), dtype=object)
    if matrix.ndim != 2 or matrix.shape[1] != len(nodes):
        hint = f"give (rows, {len(nodes)}), columns in the order of the nodes, or a frame with names"
        raise DataError("D424", f"an array of shape {matrix.shape}", place=place, hint=hint)
    batch = pa.record_batch([one_array(matrix[:, at], name) for at, name in enumerate(nodes)], names=list(nodes))
    return ArrowSource(lambda: [batch], tuple(nodes), rows=batch.num_rows, place=place, named=False)


def _refuse_strangers(names: Sequence[str], nodes: Sequence[str], place: str, strangers: str) -> None:
    """A column that is no node is refused; where strangers are welcome, still not all of them."""
    known = set(nodes)
    odd = [name for name in names if name not in known]
    if not odd or (strangers == "ignore" and len(odd) < len(names)):
        return
    close = next((name for name in odd if nearest(name, nodes)), odd[0])
    what = f"column {close!r} is no node" if len(odd) == 1 else f"{len(odd)} columns are no nodes, such as {close!r}"
    hint = f"leave it out, or rename it; the nodes are {listed(nodes, 12)}.{nearest(close, nodes)}"
    raise DataError("D421", what, place=place, hint=hint)
