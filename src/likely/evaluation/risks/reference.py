"""What the columns can tell of the target, as far as a random forest finds out: a yardstick for under-fitting."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.data.targets.label_codes import is_missing
from likely.evaluation.rows.evaluation_rows import Judged, Labelled, Measured

FOREST_TREES = 100
FOREST_ROWS = 5_000  # to learn from: the yardstick is to be quick


def forest(X: Any, rows: Judged, kept: Array, held: Array, seed: int) -> Floats:
    """(held rows, ...): what a forest of the kept rows says; `X` is the table as `numbers` gives it."""
    if isinstance(rows, Labelled):
        return _classes(X, rows, kept[:FOREST_ROWS], held, seed)
    return _amounts(X, rows, kept[:FOREST_ROWS], held, seed)


def _amounts(X: Any, rows: Measured, kept: Array, held: Array, seed: int) -> Floats:
    """(held rows,): the means of the leaves."""
    from sklearn.ensemble import RandomForestRegressor

    grown = RandomForestRegressor(FOREST_TREES, min_samples_leaf=2, random_state=seed)
    grown.fit(X[kept], rows.y[kept], None if rows.weights is None else rows.weights[kept])
    return np.asarray(grown.predict(X[held]))


def _classes(X: Any, rows: Labelled, kept: Array, held: Array, seed: int) -> Floats:
    """(held rows, classes): log probabilities of the votes, and a tree's worth of class shares."""
    from sklearn.ensemble import RandomForestClassifier

    weights = None if rows.weights is None else rows.weights[kept]
    grown = RandomForestClassifier(FOREST_TREES, min_samples_leaf=2, random_state=seed)
    grown.fit(X[kept], rows.codes[kept], weights)
    votes = np.zeros((len(held), len(rows.classes)))
    votes[:, grown.classes_] = FOREST_TREES * grown.predict_proba(X[held])
    shares = np.bincount(rows.codes[kept], weights, minlength=len(rows.classes))
    return log((votes + shares / shares.sum()) / (FOREST_TREES + 1))


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
