"""Log space: sums and normalisation that never leave it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Cells = npt.NDArray[np.int32]  # of each row, the cell that it is counted in: its class, or more
Codes = npt.NDArray[np.uint8] | npt.NDArray[np.uint16] | npt.NDArray[np.int16] | Cells  # levels by number


def log(values: npt.ArrayLike) -> Floats:
    """Natural logarithm with log 0 = -inf, silently: an impossible event is a value, not a warning.

    >>> log([1.0, 0.0])
    array([  0., -inf])
    """
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.asarray(values, dtype=np.float64)))


def log_sum_exp(values: npt.ArrayLike, axis: int = -1) -> Floats:
    """log of the sum of exp along an axis; -inf where every entry is -inf.

    >>> round(float(log_sum_exp([-1000.0, -1000.0])), 6)
    -999.306853
    """
    given = np.asarray(values, dtype=np.float64)
    top = np.max(given, axis=axis, keepdims=True, initial=-np.inf)
    safe = np.where(np.isfinite(top), top, 0.0)
    return np.asarray(log(np.exp(given - safe).sum(axis=axis)) + np.squeeze(safe, axis=axis))
