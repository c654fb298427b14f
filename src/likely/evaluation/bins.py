"""Predicted probabilities sorted into bins; equal ones always share one."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors.options import choose, whole

STRATEGIES = ("quantile", "width")
CALIBRATION_BINS = 10  # where nobody says how many


def read_bins(bins: Any) -> int:
    """How many bins: a whole number from 1 on."""
    whole(bins, "bins", "O332", least=1, hint="say how many bins: a whole number from 1 on")
    return int(bins)


def binned(forecast: Floats, bins: int, strategy: str = "quantile", weights: Floats | None = None) -> Array:
    """(rows,): the bin of each probability, numbered from 0 without gaps.

    "quantile": bins of about the same number of rows, or one for each probability where there are no more than `bins`
    different ones; "width": bins of the same width over 0..1, an edge belonging to the lower one.

    >>> binned(np.array([0.1, 0.1, 0.2, 0.7]), 2).tolist()
    [0, 0, 1, 1]
    """
    choose(strategy, STRATEGIES, "strategy", "O333")
    if strategy == "width":
        inner = np.linspace(0, 1, bins + 1)[1:-1]
    else:
        different = np.unique(forecast)
        shares = np.arange(1, bins) / bins
        few = len(different) <= bins
        inner = different[:-1] if few else np.quantile(forecast, shares, method="inverted_cdf", weights=weights)
    return np.asarray(np.unique(np.searchsorted(inner, forecast), return_inverse=True)[1])
