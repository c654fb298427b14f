"""What users hand in, checked before any of it is used; errors say what is wrong, where, and what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from likely.data import Labels, NumericTarget
from likely.data.origin import collected
from likely.data.targets.labels import held, refuse_amounts
from likely.errors import DataError


def check_rows(rows: Any, owner: str) -> Any:
    """Rows with at least one row and one column; plain lists become arrays."""
    if isinstance(rows, list | tuple):
        rows = _listed(rows)
    rows = collected(rows)
    if isinstance(rows, np.ma.MaskedArray):
        rows = np.where(np.ma.getmaskarray(rows), np.nan, rows.data) if np.ma.is_masked(rows) else rows.data
    if not hasattr(rows, "shape"):
        if not hasattr(rows, "__array__"):
            hint = "give a NumPy or sparse array, or a data frame; files and relations go to likely.fit"
            raise DataError("D112", f"likely cannot read rows from a {type(rows).__name__}", place="X", hint=hint)
        rows = np.asarray(rows)
    shape = rows.shape
    if len(shape) != 2:
        hint = "Reshape your data: one row a case, one column a feature, as in X.reshape(-1, 1)"
        raise DataError("D115", f"Expected 2D array, got {len(shape)}D array instead", place="X", hint=hint)
    kind = getattr(getattr(rows, "dtype", None), "kind", "")
    if kind == "c":
        raise DataError(
            "D116", "Complex data not supported", place="X", hint="split real and imaginary parts into columns"
        )
    for count, what, need in ((shape[0], "sample", "row"), (shape[1], "feature", "column")):
        if count == 0:
            what = f"Found array with 0 {what}(s) (shape={tuple(shape)}) while a minimum of 1 is required by {owner}."
            raise DataError("D117", what, place="X", hint=f"give at least one {need}")
    return rows


def _listed(rows: Any) -> Any:
    """A list of rows as an array; where NumPy would turn numbers into words, everything stays as it is."""
    lengths = {len(row) for row in rows if isinstance(row, list | tuple)}
    if len(lengths) > 1:
        raise DataError("D118", "the rows have different lengths", place="X", hint="give every row the same columns")
    values = (value for row in rows if isinstance(row, list | tuple) for value in row)
    words = any(isinstance(value, str) or value is None for value in values)
    try:
        return np.asarray(rows, dtype=object) if words else np.asarray(rows)
    except (ValueError, TypeError):
        raise DataError("D118", "the rows are no table", place="X", hint="give every row the same columns") from None


def check_labels(target: Any, owner: str, rows: int) -> Labels:
    """The target, one label a row."""
    labels = Labels.read(_column(target, owner))
    refuse_amounts(labels.levels, labels.name)
    _refuse_other_length(len(labels.codes), rows, "label")
    return labels


def check_amounts(target: Any, owner: str, rows: int) -> NumericTarget:
    """The target, one number a row."""
    amounts = NumericTarget.read(_column(target, owner))
    _refuse_other_length(len(amounts.values), rows, "number")
    return amounts


def _column(target: Any, owner: str) -> Any:
    """A target that is there, as a column."""
    if target is None:
        what = f"{owner} requires y to be passed, but the target y is None"
        raise DataError("D119", what, place="y", hint="say fit(X, y)")
    target = held(target)
    return column_or_1d(target, warn=True) if len(np.shape(target)) == 2 and np.shape(target)[1] == 1 else target


def _refuse_other_length(found: int, rows: int, of: str) -> None:
    if found != rows:
        what = f"Found input variables with inconsistent numbers of samples: {[rows, found]}"
        raise DataError("D121", what, place="y", hint=f"give one {of} for each row of X")
