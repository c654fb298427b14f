"""Rows are read one way: what cannot be learnt from cannot be judged by, and is refused by the same code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from likely import LinearRegression, NaiveBayes
from likely.errors import DataError
from likely.evaluation import cross_validate, evaluate, evaluate_regression

ROWS, LABELS = np.arange(4.0)[:, None], ["no", "yes", "no", "yes"]
PROBA = np.full((4, 2), 0.5)


@pytest.mark.parametrize(
    ("y", "code"),
    [
        (["no", None, "no", "yes"], "D105"),
        ([["no"], ["no", "yes"], "no", "yes"], "D125"),
        (np.array([LABELS, LABELS]).T, "D110"),
    ],
)
def test_labels(y: Any, code: str) -> None:
    for read in (
        lambda: NaiveBayes().fit(ROWS, y),
        lambda: evaluate(y, PROBA, ["no", "yes"]),
        lambda: cross_validate(NaiveBayes(), ROWS, y, 2),
    ):
        with pytest.raises(DataError) as caught:
            read()
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("weights", "code"),
    [
        ([1, -1, 1, 1], "D113"),
        ([1, np.inf, 1, 1], "D113"),
        ([0, 0, 0, 0], "D123"),
        ([1, 1, 1], "D122"),
        (["a", "b", "c", "d"], "D129"),
    ],
)
def test_weights(weights: Any, code: str) -> None:
    for read in (
        lambda: NaiveBayes().fit(ROWS, LABELS, sample_weight=weights),
        lambda: evaluate(LABELS, PROBA, ["no", "yes"], weights=weights),
        lambda: cross_validate(NaiveBayes(), ROWS, LABELS, 2, weights=weights),
    ):
        with pytest.raises(DataError) as caught:
            read()
        assert caught.value.code == code


@pytest.mark.parametrize(("y", "code"), [([1.0, np.nan, 2.0, 3.0], "D447"), (["a", "b", "c", "d"], "D446")])
def test_numeric_targets(y: Any, code: str) -> None:
    fitted = LinearRegression().fit(ROWS, [1.0, 2.0, 2.5, 4.5])
    for read in (
        lambda: LinearRegression().fit(ROWS, y),
        lambda: evaluate_regression(fitted, ROWS, y),
        lambda: cross_validate(LinearRegression(), ROWS, y, 2),
    ):
        with pytest.raises(DataError) as caught:
            read()
        assert caught.value.code == code
