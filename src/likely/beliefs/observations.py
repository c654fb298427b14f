"""The sufficient statistics of rows at hand: count, mean and centred second moment, never Σx² − n·mean²."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from likely.beliefs.forms import Array, shape_error, together
from likely.beliefs.limits import nonnegative, numbers


def moments(values: ArrayLike, weights: ArrayLike | None = None) -> tuple[Array, Array, Array]:
    """(count, mean, spread), each (...), of values (..., n) with weights that broadcast to them.

    >>> [float(part) for part in moments([1.0, 2.0, 6.0])]
    [3.0, 3.0, 14.0]
    """
    seen = np.atleast_1d(numbers("values", values))
    weighing = np.ones(()) if weights is None else nonnegative("weights", weights)
    x, w = together(values=seen, weights=weighing)
    count = w.sum(axis=-1)
    mean = (w * x).sum(axis=-1) / np.where(count > 0, count, 1.0)
    spread = (w * (x - mean[..., None]) ** 2).sum(axis=-1)
    return count, mean, spread


def scatter(values: ArrayLike, columns: int, weights: ArrayLike | None = None) -> tuple[Array, Array, Array]:
    """(count (...), mean (..., d), scatter (..., d, d)) of values (..., n, d) with weights (..., n).

    >>> count, mean, spread = scatter([[0.0, 0.0], [2.0, 4.0]], columns=2)
    >>> float(count), mean.tolist(), spread.tolist()
    (2.0, [1.0, 2.0], [[2.0, 4.0], [4.0, 8.0]])
    """
    x = numbers("values", values)
    if x.ndim < 2 or x.shape[-1] != columns:
        hint = f"values must be (..., n, {columns}); for one row, values[None, :]"
        raise shape_error({"values": x.shape, "columns": (columns,)}, hint)
    weighing = np.ones(()) if weights is None else nonnegative("weights", weights)
    x, w = together(values=x, weights=weighing[..., None])  # the columns of a row share its weight
    count = w[..., 0].sum(axis=-1)
    mean = (w * x).sum(axis=-2) / np.where(count > 0, count, 1.0)[..., None]
    away = x - mean[..., None, :]
    return count, mean, np.swapaxes(w * away, -1, -2) @ away
