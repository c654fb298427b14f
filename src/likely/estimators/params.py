"""The options of a classifier, written down in a model file and read back as they were given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.schema import Parzen, Text, plain
from likely.structures import Structure


def write_params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Options as JSON."""
    return {name: _write(value) for name, value in params.items()}


def read_params(page: Mapping[str, Any]) -> dict[str, Any]:
    """Options from JSON.

    >>> read_params(write_params({"kinds": {"x": Parzen("box"), 1: ["a", "b"]}, "smoothing": 1.0}))
    {'kinds': {'x': Parzen(kernel='box', bandwidth='silverman'), 1: ['a', 'b']}, 'smoothing': 1.0}
    """
    return {name: _read(value) for name, value in page.items()}


def _write(value: Any) -> Any:
    if isinstance(value, Parzen):
        return {"parzen": [value.kernel, value.bandwidth]}
    if isinstance(value, Text):
        return {"text": [value.bag]}
    if isinstance(value, Structure):
        return {"structure": value.to_dict()}
    if isinstance(value, Mapping):
        return {"pairs": [[plain(key), _write(item)] for key, item in value.items()]}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    return None if value is None else plain(value) if isinstance(value, np.generic) else value


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if "pairs" in value:
        return {key: _read(item) for key, item in value["pairs"]}
    if "structure" in value:
        return Structure.from_dict(value["structure"])
    return Parzen(*value["parzen"]) if "parzen" in value else Text(*value["text"])
