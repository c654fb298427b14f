"""Engines answer questions: `open_source` wraps arrays, frames, files and SQL alike."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.core.reading import Reading
from likely.data.arrays import ArraySource
from likely.data.arrow import ArrowSource
from likely.data.arrow_columns import as_arrow
from likely.data.blocks import SCORED_ROWS, Blocks, Source, ask, score
from likely.data.files.source import file_source, relation_source
from likely.data.frames import column_names, frame_source, table_source
from likely.data.origin import collected, is_frame, is_path, is_relation, is_sparse
from likely.data.targets.labels import Labels
from likely.data.targets.numeric_target import NumericTarget
from likely.errors import DataError, SchemaWarning, outside

__all__ = [
    "SCORED_ROWS",
    "ArrowSource",
    "Blocks",
    "Labels",
    "NumericTarget",
    "Source",
    "ask",
    "column_names",
    "open_source",
    "score",
]


def open_source(
    rows: Any,
    target: str | None = None,
    labels: Labels | NumericTarget | None = None,
    weights: Floats | None = None,
    header: bool = True,
    readings: Mapping[str, Reading] | None = None,
    text: str = "values",
    marks: Collection[str] = (),
    named: Collection[str] = (),
    kinds: object = None,
) -> Source:
    """Rows of any origin as a source; the target is a column of theirs, or labels beside them.

    Columns of text in files, relations and frames are read as values: as a model's `readings` say, or as they look. Of
    frames, text of digits stays text where `text` is "digits". `marks` stand for missing values in columns of text,
    beside those that are known. `named` are columns that somebody names beside the target: the first line of a file
    that holds one of them holds names.
    """
    if is_path(rows):
        source = file_source(rows, target, header=header, readings=readings, marks=marks, named=named, kinds=kinds)
        for note in source.notes:
            warnings.warn(SchemaWarning(note), stacklevel=outside())
        return source
    if not header:
        raise DataError("D224", "only files have lines without names", place="header=", hint="leave header=False out")
    if is_relation(rows):
        return relation_source(rows, target, readings=readings, marks=marks, kinds=kinds)
    rows = collected(rows)
    if is_sparse(rows):
        if not rows.has_canonical_format:  # a word twice in a row is that word with both counts
            rows = rows.copy()
            rows.sum_duplicates()
        return ArraySource(rows, labels, weights)
    if isinstance(rows, np.ndarray):
        return _array_source(rows, labels, weights)
    if is_frame(rows):
        return frame_source(rows, target, labels, weights, readings, text, marks, kinds)
    if hasattr(rows, "__array__"):
        return _array_source(np.asarray(rows), labels, weights)
    hint = "give a NumPy or sparse array, a data frame, a DuckDB relation, or the path of a file"
    raise DataError("D112", f"likely cannot read rows from a {type(rows).__name__}", place="X", hint=hint)


def _array_source(matrix: Any, labels: Labels | NumericTarget | None, weights: Floats | None) -> Source:
    if matrix.dtype.kind in "fiub":
        if matrix.dtype.kind == "f" and matrix.dtype.itemsize > 8:
            matrix = matrix.astype(np.float64)
        return ArraySource(matrix, labels, weights)
    names = [f"x{at}" for at in range(matrix.shape[1])]
    arrays = [as_arrow(matrix[:, at], name) for at, name in enumerate(names)]
    return table_source(arrays, names, None, labels, weights, {}, named=False)
