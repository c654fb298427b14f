"""Weights of rows, from beside them or from a column: finite, not negative, and not all zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.errors import DataError


def read_row_weights(weights: Any, rows: int | None, place: str = "sample_weight") -> Floats | None:
    """Weights (rows,) for rows to learn from; None where every row counts once. One number is that of every row."""
    if weights is None:
        return None
    try:
        values = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("D129", "weights must be numbers", place=place, hint="give one number a row") from None
    if rows is None:
        hint = f"of a file or relation, name the column that holds them: {place.rstrip('=')}='column'"
        raise DataError("D130", "weights beside rows that are streamed", place=place, hint=hint)
    if values.ndim == 0:
        values = np.broadcast_to(values, (rows,))
    if values.shape != (rows,):
        said = f"{place.rstrip('=')}.shape == {values.shape}, expected {(rows,)}"
        what = f"{said}: Sample weights must be 1D array or scalar"
        raise DataError("D122", what, place=place, hint="give one weight for each row of X")
    check_weights(values, place)
    refuse_no_weight(values, place)
    return np.ascontiguousarray(values)


def check_weights(weights: Floats, place: str, start: int = 0) -> Floats:
    """The weights of rows from `start` on, unless one is negative or not finite."""
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(bad):
        where, hint = f"{place}, row {start + int(bad[0])}", "weights are finite and not negative"
        raise DataError("D113", f"weight {weights[bad[0]]}", place=where, hint=hint)
    return weights


def refuse_no_weight(weights: Floats, place: str) -> None:
    """Refuse rows none of which counts."""
    if len(weights) and not weights.any():
        raise DataError("D123", "every weight is zero", place=place, hint="give some row a weight above zero")
