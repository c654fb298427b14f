"""Numbers as a description sees them, where its normal is one of something else than the numbers themselves."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Floats


def described_numbers(description: str, values: Floats) -> Floats:
    """What has a normal in each class; NaN where a value has a probability of its own instead, or is missing.

    "log": the logarithm of what is above zero; "zeros": whatever is not zero; "poisson": the nearest count, of all.

    >>> described_numbers("log", np.array([1.0, 0.0, -2.0])), described_numbers("zeros", np.array([1.0, 0.0, -2.0]))
    (array([ 0., nan, nan]), array([ 1., nan, -2.]))
    """
    if description == "poisson":
        return np.maximum(np.rint(values), 0.0)
    apart = ~(values > 0) if description == "log" else values == 0
    some = np.where(apart, 1.0, values)
    return np.where(apart, np.nan, np.log(some) if description == "log" else some)
