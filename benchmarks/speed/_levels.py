"""What the scripts of the semi-naive models share: a table of levels, a call to time, a peer that is not installed."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

ROWS, COLUMNS, LEVELS, CLASSES = 100_000, 30, 5, 5


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Levels at random, one in ten set by the class and one in five by the column before."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, rows)
    X = rng.integers(0, LEVELS, (rows, COLUMNS), dtype=np.uint8)
    chance = rng.random(X.shape)
    for j in range(COLUMNS):
        X[:, j] = np.where(chance[:, j] < 0.1, (y + j) % LEVELS, X[:, j])
        if j:
            X[:, j] = np.where(chance[:, j] > 0.8, X[:, j - 1], X[:, j])
    return X, y


def missing(module: str, package: str) -> bool:
    """Whether a peer is not here, and then how to get it."""
    if find_spec(module) is not None:
        return False
    print(f"not compared: `pip install {package}` brings the peer")
    return True


def call(model: Any, method: str, X: np.ndarray, y: np.ndarray) -> Callable[[], Any]:
    """`fit` of rows and classes, or another method of the rows."""
    work = getattr(model, method)
    return (lambda: work(X, y)) if method == "fit" else (lambda: work(X))
