"""A model that forgot all its rows, or all that a column said, is saved and learns again like any other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import likely

DEPENDENT = [
    likely.SPODE(),
    likely.TAN(),
    likely.KDB(),
    likely.KDB(select=True),
    likely.AODE(),
    likely.AnDE(),
    likely.NetworkClassifier(),
]
MODELS = [
    likely.BayesForest(n_estimators=2),
    likely.NaiveBayes(),
    *DEPENDENT,
    *(clone(model).set_params(numbers="levels") for model in DEPENDENT),
    likely.GaussianBayes(),
    likely.LinearDiscriminant(),
    likely.ParzenBayes(),
]


def table() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    words = {
        "a": rng.choice(list("pqr"), 40),
        "b": rng.choice(list("xy"), 40),
        "c": np.where(np.arange(40) < 30, "u", None),
    }
    X = pd.DataFrame({**words, "n": rng.normal(size=40), "k": rng.integers(0, 50, 40), "z": rng.integers(0, 2, 40)})
    return X, rng.choice(["no", "yes"], 40)


@pytest.mark.parametrize("forgotten", [30, 40])
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_what_is_left_is_saved(model: likely.TAN, forgotten: int, tmp_path: Path) -> None:
    X, y = table()
    model.fit(X, y).forget(X[:forgotten], y[:forgotten]).save(tmp_path / "m.likely")
    twin = likely.load(tmp_path / "m.likely")
    for one in (model, twin):
        one.partial_fit(X[:forgotten], y[:forgotten])
    np.testing.assert_array_equal(twin.predict_proba(X), model.predict_proba(X))
