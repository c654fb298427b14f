"""Cross-validation of models whose columns depend on each other: held-out rows must not have taught the structure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from likely import AODE, KDB, SPODE, TAN, AnDE
from likely.evaluation import CrossValidation, compare, cross_validate

WHY = "structure and cut points are learnt from the rows"
EDGES = {"x": (0.0, 0.5), "z": ()}


def table(numbers: bool) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.integers(0, 3, (90, 3)).astype(str), columns=list("abc"))
    frame.loc[4, "a"] = "rare"  # gone with the fold that holds it out
    frame.loc[rng.random(90) < 0.1, "b"] = None
    y = np.where((frame["a"] > frame["c"]) ^ (rng.random(90) < 0.2), "yes", "no")
    if numbers:
        frame["x"] = rng.normal(np.where(y == "yes", 0.4, 0.0), 1.0)
        frame["z"] = rng.normal(size=90)
    return frame, y


def refit(model: Any, X: pd.DataFrame, y: np.ndarray, found: CrossValidation) -> np.ndarray:
    out = np.empty(found.log_proba.shape)
    for part in range(found.folds):
        held = found.fold == part
        out[held] = clone(model).fit(X[~held], y[~held]).predict_log_proba(X[held])
    return out


@pytest.mark.parametrize(
    ("model", "numbers", "method"),
    [
        (AODE(), False, "subtraction"),
        (AnDE(), False, "subtraction"),
        (SPODE(parent="b"), False, "subtraction"),
        (AODE(cuts=EDGES, numbers="levels"), True, "subtraction"),
        (AnDE(cuts=EDGES, numbers="density"), True, "subtraction"),
        (SPODE(parent="x", cuts=EDGES, numbers="density"), True, "subtraction"),
        (AODE(), True, "refit"),
        (AODE(select=True), False, "refit"),
        (AODE(weights="information"), False, "refit"),
        (SPODE(), False, "refit"),
        (TAN(), False, "refit"),
        (KDB(), False, "refit"),
        (KDB(select=True, cuts=EDGES), True, "refit"),
    ],
    ids=str,
)
def test_every_fold_is_judged_by_a_model_that_never_saw_it(model: Any, numbers: bool, method: str) -> None:
    X, y = table(numbers)
    found = cross_validate(model, X, y, folds=4)
    assert found.method == method
    assert found.why == ("" if method == "subtraction" else WHY)
    np.testing.assert_allclose(found.log_proba, refit(model, X, y, found), rtol=0, atol=1e-9)


def test_a_comparison_says_how_it_was_done() -> None:
    X, y = table(False)
    ticks: list[int] = []
    told = compare({"aode": AODE(), "tan": TAN()}, X, y, folds=3, tick=lambda: ticks.append(1))
    assert [row.method for row in told.rows] == ["subtraction", "refit"]
    assert len(ticks) == 6
