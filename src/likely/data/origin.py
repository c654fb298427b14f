"""What rows are, of all that people hand in: a path, a DuckDB relation, a lazy frame, a sparse matrix, a table.

Whoever must know asks here; whoever needs some of the rows takes them here.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from likely.core.numerics import Array


def is_path(rows: Any) -> bool:
    return isinstance(rows, str | os.PathLike)


def is_relation(rows: Any) -> bool:
    """Whether rows are a DuckDB relation."""
    return type(rows).__module__.partition(".")[0] in ("duckdb", "_duckdb")


def is_elsewhere(rows: Any) -> bool:
    """Whether rows are named or queried rather than held in memory.

    >>> is_elsewhere("rows.csv"), is_elsewhere([[1.0]])
    (True, False)
    """
    return is_path(rows) or is_relation(rows)


def is_table(rows: Any) -> bool:
    """Whether rows are held in memory, so that some of them can be taken."""
    return not is_relation(rows) and (hasattr(rows, "shape") or isinstance(rows, list | tuple))


def is_sparse(rows: Any) -> bool:
    """Whether rows are a matrix of scipy.sparse."""
    return hasattr(rows, "tocsr")


def is_frame(rows: Any) -> bool:
    """Whether rows are a data frame of any library that narwhals knows."""
    import narwhals.dependencies as nwd

    return bool(nwd.is_into_dataframe(rows))


def collected(rows: Any) -> Any:
    """Rows whose values are there: those of a lazy frame are computed, those of a sparse matrix stand row by row."""
    if hasattr(rows, "collect") and not hasattr(rows, "shape"):  # a lazy frame
        return rows.collect()
    return rows.tocsr() if is_sparse(rows) else rows


def count_rows(table: Any) -> int:
    """How many rows a table in memory has."""
    return int(table.shape[0]) if hasattr(table, "shape") else len(table)


def take(table: Any, at: Array) -> Any:
    """The rows of a table in memory at these places, in this order; a list stays a list.

    >>> take([[1], [2], [3]], np.array([2, 0]))
    [[3], [1]]
    """
    if hasattr(table, "iloc"):
        return table.iloc[at]
    if isinstance(table, list | tuple):
        return [table[row] for row in at]
    if hasattr(table, "take") and not isinstance(table, np.ndarray):  # columns and tables of Arrow
        return table.take(at)
    return table[at]


def take_in_column(table: Any, column: int, at: Array) -> Any:
    """The table with one column's values taken from the rows at these places; all others stay.

    >>> take_in_column([[1, 5], [2, 6], [3, 7]], 1, np.array([2, 0, 1]))
    [[1, 7], [2, 5], [3, 6]]
    """
    if hasattr(table, "isetitem"):
        other = table.copy()
        other.isetitem(column, table.iloc[:, column].array.take(at))
        return other
    if isinstance(table, list | tuple):
        values = [list(row) for row in table]
        for row, source in zip(values, at, strict=True):
            row[column] = table[source][column]
        return values
    if hasattr(table, "set_column"):  # of Arrow
        return table.set_column(column, table.schema.field(column), table.column(column).take(at))
    if hasattr(table, "with_columns"):  # of polars
        return table.with_columns(table.to_series(column)[at])
    if hasattr(table, "tolil"):  # of scipy, sparse
        rows = table.tolil(copy=True)
        rows[:, [column]] = table.tocsr()[at][:, [column]].toarray()
        return type(table)(rows)
    other = table.copy()
    other[:, column] = table[at, column]
    return other
