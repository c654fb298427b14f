"""What the columns can tell of the class, as far as a random forest finds out: a yardstick for under-fitting."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.evaluation.labelled import Labelled
from likely.forecasts.labels import is_missing
from likely.numerics import Array, Floats, log

TREES = 100
ROWS = 5_000  # to learn from: the yardstick is to be quick


def forest_log_proba(X: Any, rows: Labelled, kept: Array, held: Array, seed: int) -> Floats:
    """(held rows, classes): log probabilities from a forest of the kept rows, and a tree's worth of class shares.

    `X` is the table as `numbers` gives it.
    """
    from sklearn.ensemble import RandomForestClassifier

    kept = kept[:ROWS]
    weights = None if rows.weights is None else rows.weights[kept]
    forest = RandomForestClassifier(TREES, min_samples_leaf=2, random_state=seed)
    forest.fit(X[kept], rows.codes[kept], weights)
    votes = np.zeros((len(held), len(rows.classes)))
    votes[:, forest.classes_] = TREES * forest.predict_proba(X[held])
    shares = np.bincount(rows.codes[kept], weights, minlength=len(rows.classes))
    return log((votes + shares / shares.sum()) / (TREES + 1))


def numbers(X: Any) -> Any:
    """(rows, columns): the values of a table as numbers, NaN where missing; words are numbered in their order.

    >>> numbers([["b", 1], ["a", None]]).tolist()
    [[1.0, 1.0], [0.0, nan]]
    """
    if hasattr(X, "tocsr"):
        return X
    table = np.asarray(X) if hasattr(X, "shape") else np.asarray(X, dtype=object)
    table = table.reshape(len(table), -1)
    if table.dtype.kind in "biuf":
        return table.astype(np.float64)
    return np.column_stack([_column(column) for column in table.T.tolist()])


def _column(values: list[Any]) -> Floats:
    try:
        return np.array([np.nan if is_missing(value) else float(value) for value in values])
    except (TypeError, ValueError):
        words = sorted({str(value) for value in values if not is_missing(value)})
        at = {word: float(place) for place, word in enumerate(words)}
        return np.array([np.nan if is_missing(value) else at[str(value)] for value in values])
