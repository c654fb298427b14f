"""Numbers as every JSON reader takes them."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

import numpy as np

from likely.output.frames import FrameResult


def to_jsonable(value: Any) -> Any:
    """Numbers, arrays, tuples, mappings and results as plain Python; undefined (NaN) is None, infinity the word 'inf'.

    >>> to_jsonable({"a": np.array([1.0, np.nan, -np.inf])})
    {'a': [1.0, None, '-inf']}
    """
    if isinstance(value, dict):
        return {key: to_jsonable(one) for key, one in value.items()}
    if isinstance(value, Written):
        return value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: to_jsonable(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [to_jsonable(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


class Written(FrameResult):
    """A result that is written down: its fields, or the fields and properties that `_written` names, as plain data."""

    _written: ClassVar[tuple[str, ...]] = ()

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data.

        >>> from likely.decisions import best_threshold
        >>> found = best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.6, 0.8], 1).to_dict()
        >>> found["threshold"], found["true_positive_rate"], found["positive"]
        (0.6, 1.0, 1)
        """
        names = self._written or [one.name for one in fields(self)]  # type: ignore[arg-type]
        return {name: to_jsonable(getattr(self, name)) for name in names}
