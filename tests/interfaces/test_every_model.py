"""What every fitted model has: a picture and the importance of its columns. The registry is walked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import likely
from likely.estimators.registry import ESTIMATORS, PRESETS, make
from likely.evaluation import feature_importance

RNG = np.random.default_rng(0)
ROWS = pd.DataFrame(
    {
        "身高": RNG.normal(size=80),
        "noise": RNG.normal(size=80),
        "count": RNG.integers(0, 9, 80),
        "w": RNG.choice(list("ab"), 80),
    }
)
CLASSES = np.where(ROWS["身高"] + 0.3 * RNG.normal(size=80) > 0, "yes", "no")
AMOUNTS = ROWS["身高"] * 3 + RNG.normal(size=80)
JOINT = ("GaussianBayes", "LinearDiscriminant", "ParzenBayes")  # of numbers alone
FEW = {"n_estimators": 3}


def fitted(name: str, X: Any = ROWS) -> tuple[Any, Any]:
    preset = PRESETS[name]
    settings = FEW if preset.estimator in ("AdaBoost", "Bagging", "BayesForest") else {}
    settings = {"candidates": ["naive", "lda"]} if name == "auto" else settings
    y = AMOUNTS if preset.numeric else CLASSES
    return make(name, settings).fit(X, y), y


@pytest.mark.parametrize("name", PRESETS)
def test_every_model_has_a_picture(name: str) -> None:
    only_numbers = name == "naive-parzen" or PRESETS[name].estimator in JOINT
    model, _ = fitted(name, ROWS[["身高", "noise", "count"]] if only_numbers else ROWS)
    figure = model.plot()
    assert isinstance(figure, Figure)
    assert figure.axes


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_model_of_one_column_or_one_class_has_a_picture_too(name: str) -> None:
    X = ROWS[["身高"]]
    numeric = ESTIMATORS[name].numeric
    kind = getattr(likely, name)
    assert kind().fit(X, AMOUNTS if numeric else CLASSES).plot().axes
    if not numeric:
        assert kind().fit(X, ["only"] * len(X)).plot().axes


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_numbers_together_are_drawn_as_regions_or_by_what_they_tell(columns: int) -> None:
    X = RNG.normal(size=(60, columns))
    y = X[:, 0] > 0
    assert likely.GaussianBayes().fit(X, y).plot(X, y).axes


@pytest.mark.parametrize("name", [name for name, one in PRESETS.items() if not one.variant])
def test_every_model_tells_how_much_it_hangs_on_each_column(name: str) -> None:
    only_numbers = name == "naive-parzen" or PRESETS[name].estimator in JOINT
    X = ROWS[["身高", "noise", "count"]] if only_numbers else ROWS
    model, y = fitted(name, X)
    found = model.feature_importance(X, y, repeats=2)
    assert found.names[0] == "身高"
    assert set(found.names) == set(X.columns)
    assert list(found.means) == sorted(found.means, reverse=True)
    assert found.plot().axes
    assert found.frame()["name"].tolist() == list(found.names)


def test_importance_is_the_rise_of_the_loss() -> None:
    """By hand: each order shuffles the column, and the loss is that of scikit-learn's."""
    from sklearn.metrics import log_loss

    model = likely.NaiveBayes().fit(ROWS, CLASSES)
    found = feature_importance(model, ROWS, CLASSES, repeats=3, seed=7)
    rng = np.random.default_rng(7)
    before = log_loss(CLASSES, model.predict_proba(ROWS))
    orders = [rng.permutation(len(ROWS)) for _ in range(3)]
    rises = []
    for order in orders:
        other = ROWS.assign(身高=ROWS["身高"].to_numpy()[order])
        rises.append(log_loss(CLASSES, model.predict_proba(other)) - before)
    assert found.means[found.names.index("身高")] == pytest.approx(np.mean(rises))
    assert found.baseline == pytest.approx(before)


@pytest.mark.parametrize("kind", ["list", "array", "arrow", "polars", "sparse"])
def test_tables_of_any_kind_give_one_importance(kind: str) -> None:
    numbers = ROWS[["身高", "count"]].astype(float)
    model = likely.LogisticRegression().fit(numbers.to_numpy(), CLASSES)
    wanted = model.feature_importance(numbers.to_numpy(), CLASSES).means
    if kind == "list":
        X: Any = numbers.to_numpy().tolist()
    elif kind == "array":
        X = numbers.to_numpy()
    elif kind == "sparse":
        X = pytest.importorskip("scipy.sparse").csr_array(numbers.to_numpy())
    else:
        model = likely.LogisticRegression().fit(numbers, CLASSES)
        module = pytest.importorskip("pyarrow" if kind == "arrow" else kind)
        X = module.table(numbers.to_dict("list")) if kind == "arrow" else module.DataFrame(numbers.to_dict("list"))
    assert model.feature_importance(X, CLASSES).means == pytest.approx(wanted)


def test_a_truth_held_impossible_is_counted_as_an_error() -> None:
    X = [["a"], ["a"], ["b"], ["b"]]
    model = likely.NaiveBayes(estimate="mle").fit(X, list("xxyy"))
    assert model.feature_importance(X, list("xyyy")).loss == "zero-one"


def test_importance_of_a_recalibrated_model_and_of_rows_that_lack_a_class() -> None:
    X, model = ROWS[["身高", "noise"]], likely.NaiveBayes().fit(ROWS[["身高", "noise"]], CLASSES)
    bent = likely.evaluation.recalibrate(model, X, CLASSES)
    found = bent.feature_importance(X, CLASSES)
    assert found.names[0] == "身高"
    assert found.baseline == pytest.approx(likely.evaluation.log_loss(CLASSES, bent.predict_proba(X), bent.classes_))
    some = CLASSES == "yes"
    assert model.feature_importance(X[some], CLASSES[some]).names[0] == "身高"
    with pytest.raises(likely.LikelyError, match="M308"):
        feature_importance(likely.NaiveBayes(), X, CLASSES)
