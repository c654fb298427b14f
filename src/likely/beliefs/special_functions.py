"""The special functions of the beliefs in log space, to full precision also where the arguments are huge."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from likely.beliefs.forms import Array

# Stirling's series is exact to a rounding error from here on with the six terms below.
_LARGE = 10.0
_SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)

# Beyond this, 1 + x² is x² to the last digit.
_LOG_OF_SQUARE_FROM = 1e8


def log_rising(start: ArrayLike, steps: ArrayLike) -> Array:
    """log Γ(start + steps) − log Γ(start), elementwise; steps need not be whole.

    The difference of two `gammaln` loses all its digits when `start` is large: both terms grow like start·log(start).
    Stirling's formula for the two lets the large parts cancel on paper instead.

    >>> float(log_rising(3.0, 2.0)) == float(np.log(3 * 4))
    True
    >>> bool(np.isclose(log_rising(1e12, 1.0), np.log(1e12), rtol=1e-15))
    True
    """
    low = np.asarray(start, dtype=np.float64)
    step = np.asarray(steps, dtype=np.float64)
    high = low + step
    large = np.minimum(low, high) >= _LARGE
    if not large.any():
        return np.asarray(special.gammaln(high) - special.gammaln(low))
    # The branch that does not apply is computed on a harmless 10 in place of its argument.
    safe_low, safe_high = np.where(large, low, _LARGE), np.where(large, high, _LARGE)
    safe_step = np.where(large, step, 0.0)
    by_stirling = (
        (safe_low - 0.5) * np.log1p(safe_step / safe_low)
        + safe_step * (np.log(safe_high) - 1.0)
        + (_stirling(safe_high) - _stirling(safe_low))
    )
    if large.all():
        return by_stirling
    return np.where(large, by_stirling, special.gammaln(high) - special.gammaln(low))


def log_beta(a: ArrayLike, b: ArrayLike) -> Array:
    """log of the beta function B(a, b), elementwise.

    >>> round(float(log_beta(2.0, 3.0)), 12) == round(float(np.log(1 / 12)), 12)
    True
    """
    small, large = np.minimum(a, b), np.maximum(a, b)
    return np.asarray(special.gammaln(small) - log_rising(large, small))


def log1p_square(x: Array) -> Array:
    """log(1 + x²), elementwise, with no overflow: the tail of a Student density is finite however far out.

    >>> round(float(log1p_square(np.array(1e200))), 9) == round(2 * 200 * float(np.log(10)), 9)
    True
    """
    size = np.abs(x)
    if (size < _LOG_OF_SQUARE_FROM).all():
        return np.asarray(np.log1p(size * size))
    near = np.minimum(size, _LOG_OF_SQUARE_FROM)
    return np.where(
        size < _LOG_OF_SQUARE_FROM, np.log1p(near * near), 2.0 * np.log(np.maximum(size, _LOG_OF_SQUARE_FROM))
    )


def _stirling(x: Array) -> Array:
    """log Γ(x) − [(x − ½) log x − x + ½ log 2π] for x of at least 10."""
    inverse = 1.0 / x
    total = np.zeros_like(x)
    for term in reversed(_SERIES):
        total = total * (inverse * inverse) + term
    return total * inverse
