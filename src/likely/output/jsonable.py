"""Numbers as every JSON reader takes them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def to_jsonable(value: Any) -> Any:
    """Numbers, arrays, tuples and mappings as plain Python; undefined (NaN) is None, infinity the word 'inf'.

    >>> to_jsonable({"a": np.array([1.0, np.nan, -np.inf])})
    {'a': [1.0, None, '-inf']}
    """
    if isinstance(value, dict):
        return {key: to_jsonable(one) for key, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [to_jsonable(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
