"""Rows of a table that should sum to one, and do so only up to the digits that were written down."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Floats

EXACT_WITHIN = 1e-14  # a sum as near to one is one: rounding alone is as large, and scaling would not come to rest
UNSAID = 1e-9  # as near to one, a row is scaled without a word
SCALED_WITHIN = 1e-3  # as near to one, it is scaled, and that is said; what is further off is no distribution


def to_one(rows: Floats) -> tuple[Floats, Floats]:
    """rows (rows, levels) that sum to one, and (rows,) how far off they were; beyond `SCALED_WITHIN` they stay.

    >>> rows, off = to_one(np.array([[0.333, 0.333, 0.333], [0.25, 0.25, 0.5]]))
    >>> rows.sum(axis=1).tolist(), off.round(4).tolist()
    ([1.0, 1.0], [0.001, 0.0])
    """
    with np.errstate(over="ignore"):
        sums = rows.sum(axis=1)
    off = np.abs(sums - 1.0)
    scale = (off > EXACT_WITHIN * max(1, rows.shape[1] // 8)) & (off <= SCALED_WITHIN)
    if not scale.any():
        return rows, off
    return np.where(scale[:, None], rows / np.where(scale, sums, 1.0)[:, None], rows), off
