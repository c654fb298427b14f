"""Rows in which only some columns are filled, and the columns of rows that a user hands in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.data.origin import collected
from likely.data.targets.label_codes import is_missing
from likely.errors import OptionError
from likely.surfaces.features import read_features


def rows(model: Any, features: Any, points: Array) -> Any:
    """(points, columns): rows for the model's methods that have these values (points, d); all else is missing.

    A missing column is summed out. Columns of counts get the nearest count: a boundary lies half way between two.

    >>> import likely
    >>> model = likely.NaiveBayes().fit([[1.5, 2.5], [3.5, 1.5], [5.5, 0.5]], ["a", "b", "b"])
    >>> rows(model, ["x1"], [[0.5], [2.0]]).tolist()
    [[nan, 0.5], [nan, 2.0]]
    """
    columns = model.model_.schema.columns
    values = {}
    for at, column in zip(read_features(model, features, None), np.asarray(points, dtype=np.float64).T, strict=True):
        values[at] = np.maximum(np.rint(column), 0.0) if columns[at].kind == "count" else column
    if hasattr(model, "feature_names_in_"):
        import pyarrow as pa

        empty = pa.nulls(len(points))
        names = map(str, model.feature_names_in_)
        return pa.table({name: pa.array(values[at]) if at in values else empty for at, name in enumerate(names)})
    text = any(column.kind == "text" for column in columns)
    table = np.full((len(points), len(columns)), None if text else np.nan, dtype=object if text else np.float64)
    for at, column in values.items():
        table[:, at] = column
    return table


def values_of(X: Any, model: Any, at: Sequence[int]) -> Floats:
    """(rows, d): columns of a table by the model's names, or by place where the table has none; NaN is missing."""
    names = [column.name for column in model.model_.schema.columns]
    table = collected(X)
    held = list(getattr(table, "column_names", getattr(table, "columns", ())))
    by_place = len(held) == len(names) and not hasattr(model, "feature_names_in_")
    called = dict(zip(names if by_place else map(str, held), held, strict=True))
    if held:
        columns = [table[called[names[one]]] for one in at] if all(names[one] in called for one in at) else []
    else:
        table = table.toarray() if hasattr(table, "toarray") else np.asarray(table, dtype=object)
        columns = [table[:, one] for one in at] if table.ndim == 2 and table.shape[1] == len(names) else []
    try:
        lists = [column.to_pylist() if hasattr(column, "to_pylist") else column for column in columns]
        return np.column_stack([[np.nan if is_missing(one) else float(one) for one in column] for column in lists])
    except (TypeError, ValueError):
        hint = "give rows with the columns that the model was fitted on, numbers where a surface is asked for"
        raise OptionError("O427", "X does not have these columns as numbers", place="X=", hint=hint) from None
