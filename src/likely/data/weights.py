"""Weights of rows, from beside them or from a column: finite, not negative, and not all zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors import DataError

MOST_WEIGHT_POWER = 300  # weights to judge by lie within 2^-300 and 2^300, so that products of their sums are numbers


def read_row_weights(weights: Any, rows: int | None, place: str = "sample_weight") -> Floats | None:
    """Weights (rows,) for rows to learn from; None where every row counts once. One number is that of every row."""
    if weights is None:
        return None
    try:
        values = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise no_numbers(place) from None
    if rows is None:
        hint = f"of a file or relation, name the column that holds them: {place.rstrip('=')}='column'"
        raise DataError("D130", "weights beside rows that are streamed", place=place, hint=hint)
    if values.ndim == 0:
        values = np.broadcast_to(values, (rows,))
    if values.shape != (rows,):
        said = f"{place.rstrip('=')}.shape == {values.shape}, expected {(rows,)}"
        what = f"{said}: Sample weights must be 1D array or scalar"
        raise DataError("D122", what, place=place, hint="give one weight for each row")
    check_weights(values, place)
    refuse_no_weight(values, place)
    return np.ascontiguousarray(values)


def no_numbers(place: str) -> DataError:
    """The error for weights that are words."""
    return DataError("D129", "weights must be numbers", place=place, hint="give one number a row")


def read_weights(weights: Any, rows: int) -> Floats | None:
    """The same, of rows to judge by; those beyond any count are scaled, all alike."""
    values = read_row_weights(weights, rows, "weights=")
    if values is None or not rows:
        return values
    size = int(np.frexp(values.max())[1])
    kept = int(np.clip(size, -MOST_WEIGHT_POWER, MOST_WEIGHT_POWER))
    return values if size == kept else np.ldexp(values, kept - size)


def row_weights(weights: Any, rows: int) -> Floats:
    """(rows,): what each row counts; 1 each if not said."""
    found = read_weights(weights, rows)
    return np.ones(rows) if found is None else found


def weighted_mean(values: Array, weights: Floats | None) -> float:
    """The mean of values (rows,); a row of weight 0 is not there, even where its value is infinite.

    >>> weighted_mean(np.array([1.0, np.inf]), np.array([2.0, 0.0]))
    1.0
    """
    if weights is None:
        return float(np.mean(values))
    there = weights > 0
    return float(np.dot(values[there], weights[there]) / weights[there].sum())


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
        raise every_weight_is_zero(place)


def every_weight_is_zero(place: str) -> DataError:
    """The refusal of rows none of which counts."""
    return DataError("D123", "every weight is zero", place=place, hint="give some row a weight above zero")
