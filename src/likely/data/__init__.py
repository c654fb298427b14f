"""Engines answer questions: `open_source` wraps arrays, frames, files and SQL alike."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.data.arrays import ArraySource
from likely.data.arrow import ArrowSource
from likely.data.arrow_columns import as_arrow
from likely.data.files.source import file_source, relation_source
from likely.data.fold import SCORED, Blocks, Source, ask, score
from likely.data.frames import column_names, frame_source, table_source
from likely.data.labels import Labels
from likely.data.numeric_target import Amounts
from likely.errors import DataError

__all__ = [
    "SCORED",
    "Amounts",
    "ArrowSource",
    "Blocks",
    "Labels",
    "Source",
    "ask",
    "column_names",
    "open_source",
    "score",
]


def open_source(
    rows: Any, target: str | None = None, labels: Labels | Amounts | None = None, weights: Floats | None = None
) -> Source:
    """Rows of any origin as a source; the target is a column of theirs, or labels beside them."""
    if isinstance(rows, str | os.PathLike):
        return file_source(rows, target)
    if type(rows).__module__.partition(".")[0] in ("duckdb", "_duckdb"):
        return relation_source(rows, target)
    if hasattr(rows, "collect") and not hasattr(rows, "shape"):  # a lazy frame
        rows = rows.collect()
    if hasattr(rows, "tocsr"):
        matrix = rows.tocsr()
        if not matrix.has_canonical_format:  # a word twice in a row is that word with both counts
            matrix = matrix.copy()
            matrix.sum_duplicates()
        return ArraySource(matrix, labels, weights)
    if isinstance(rows, np.ndarray):
        return _array_source(rows, labels, weights)
    if _is_frame(rows):
        return frame_source(rows, target, labels, weights)
    if hasattr(rows, "__array__"):
        return _array_source(np.asarray(rows), labels, weights)
    raise DataError(
        "D112",
        f"likely cannot read rows from a {type(rows).__name__}",
        place="X",
        hint="give a NumPy or sparse array, a data frame, a DuckDB relation, or the path of a file",
    )


def _is_frame(rows: Any) -> bool:
    import narwhals.dependencies as nwd

    return bool(nwd.is_into_dataframe(rows))


def _array_source(matrix: Any, labels: Labels | Amounts | None, weights: Floats | None) -> Source:
    if matrix.dtype.kind in "fiub":
        if matrix.dtype.kind == "f" and matrix.dtype.itemsize > 8:
            matrix = matrix.astype(np.float64)
        return ArraySource(matrix, labels, weights)
    names = [f"x{at}" for at in range(matrix.shape[1])]
    arrays = [as_arrow(matrix[:, at], name) for at, name in enumerate(names)]
    return table_source(arrays, names, None, labels, weights, {}, named=False)
