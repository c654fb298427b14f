"""Drawn values as rows that a person would hand in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.schema import DISCRETE, SKIP, Column, Schema


def as_table(schema: Schema, drawn: Mapping[tuple[int, ...], Array], n: int, holes: bool) -> Any:
    """Drawn values, some perhaps missing, as rows: numbers in an array, or a frame with the names of the columns."""
    if schema.columns and schema.columns[0].wide:
        return next(iter(drawn.values()))
    columns: dict[str, Array] = {column.name: np.full(n, None, dtype=object) for column in schema.columns}
    for places, values in drawn.items():
        for place, at in enumerate(places):
            column = schema.columns[at]
            if column.kind in DISCRETE and column.kind != "cut":
                names = np.empty(len(column.levels) + 1, dtype=object)
                names[:-1] = column.levels
                columns[column.name] = names[values[:, place]]
            else:
                columns[column.name] = _numbers(column, values[:, place], holes)
    if schema.named:
        return _frame(columns)
    table = np.column_stack([values.astype(object) for values in columns.values()])
    words = any(
        column.kind in (SKIP, "text") or any(isinstance(x, str) for x in column.levels) for column in schema.columns
    )
    return table if words else table.astype(np.float64)


def _numbers(column: Column, values: Array, holes: bool) -> Array:
    """(rows,): integers where the column has only these and values cannot be missing; else floats."""
    drawn = column.rounded(values)
    integers = column.whole and not holes and (np.abs(drawn) < 2**53).all()
    return drawn.astype(np.int64) if integers else drawn


def _frame(columns: Mapping[str, Array]) -> Any:
    try:
        import pandas as pd

        return pd.DataFrame(columns)
    except ImportError:
        import pyarrow as pa

        return pa.table({name: pa.array(values.tolist(), from_pandas=True) for name, values in columns.items()})
