"""Learning curves: what they measure, and verdicts on cases made to be over-fitted, under-fitted and neither."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from likely import NaiveBayes
from likely.errors import LikelyError
from likely.evaluation import LearningCurve, learning_curve, split
from likely.evaluation.risks.reference import numbers

SIZES = [20, 32]


@pytest.fixture(autouse=True)
def few_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """The forest is a yardstick: of a few trees it is about as long."""
    monkeypatch.setattr("likely.evaluation.risks.reference.FOREST_TREES", 20)


def noisy(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Forty rows, of whose 120 columns one says something."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 120)), np.arange(40) % 2
    X[:, 0] += y
    return X, y


def crossed(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Exclusive or: each column alone says nothing."""
    X = np.random.default_rng(seed).uniform(-1, 1, (240, 2))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def clean(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Independent normal columns, which a naive model describes exactly."""
    y = np.arange(300) % 2
    return np.random.default_rng(seed).normal(2.0 * y[:, None], 1.0, (300, 2)), np.array(["a", "b"])[y]


def empty(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns that say nothing at all."""
    return np.random.default_rng(seed).normal(size=(300, 2)), np.arange(300) % 2


@pytest.mark.parametrize(("case", "verdict"), [(noisy, "over-fitting"), (crossed, "under-fitting"), (clean, "fine")])
@pytest.mark.parametrize("loss", ["log", "zero-one", "brier"])
def test_verdicts(case: Any, verdict: str, loss: str) -> None:
    X, y = case(1)
    most = int(0.8 * len(y))
    found = learning_curve(NaiveBayes(), X, y, sizes=[most // 2, most], loss=loss)
    assert found.verdict == verdict
    assert found.words.lower().startswith(verdict)
    json.dumps(found.to_dict(), allow_nan=False)


def test_columns_that_say_nothing_are_no_fault_of_the_model() -> None:
    found = learning_curve(NaiveBayes(), *empty(0), sizes=[60, 240])
    assert found.verdict == "fine"
    assert "the columns tell little" in found.words


def made(training: list[list[float]], held_out: list[list[float]], reference: list[float]) -> LearningCurve:
    sizes = np.arange(1, 1 + len(held_out)) * 10
    return LearningCurve(sizes, np.array(training), np.array(held_out), "log", 0.0, np.array(reference), 0.7)


def test_the_verdict_minds_the_spread_of_the_folds() -> None:
    steady, shaky = [0.5, 0.52, 0.48, 0.5], [1.6, 0.1, 0.0, 0.3]
    low = [0.1] * 4
    assert made([low], [steady], steady).verdict == "over-fitting"
    assert made([low], [shaky], shaky).verdict == "fine"
    assert made([steady], [steady], low).verdict == "under-fitting"
    assert made([shaky], [shaky], low).verdict == "fine"
    assert made([[0.49, 0.5, 0.47, 0.5]], [steady], steady).verdict == "fine"  # agreed upon, but small


def test_what_is_mostly_a_gap_is_over_fitting_and_what_is_mostly_not_is_under_fitting() -> None:
    held, forest = [0.6, 0.62, 0.58, 0.6], [0.2, 0.22, 0.19, 0.2]
    assert made([[0.3, 0.31, 0.3, 0.3]], [held], forest).verdict == "over-fitting"
    assert made([[0.5, 0.51, 0.5, 0.49]], [held], forest).verdict == "under-fitting"


def test_a_loss_that_still_falls() -> None:
    early, late = [0.6, 0.62, 0.58, 0.6], [0.5, 0.51, 0.5, 0.49]
    assert made([late, late], [early, late], late).still_falling
    assert "More rows would still help" in made([late, late], [early, late], late).words
    assert not made([late, late], [late, early], late).still_falling
    assert not made([late], [late], late).still_falling


def test_an_infinite_loss_is_over_fitting() -> None:
    X, y = clean(0)
    found = learning_curve(KNeighborsClassifier(1), X, y, sizes=[100])
    assert np.isinf(found.held_out).any()
    assert found.verdict == "over-fitting"
    assert "probability 0" in found.words
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("loss", ["log", "zero-one", "brier"])
def test_losses_are_those_of_scikit_learn(loss: str) -> None:
    """With one size, all that a fold leaves, the rows learnt from are known."""
    X, y = clean(3)
    found = learning_curve(GaussianNB(), X, y, sizes=[240], seed=5, loss=loss)
    fold = split(y, 5, 5)
    for part in range(5):
        model = GaussianNB().fit(X[fold != part], y[fold != part])
        for rows, value in ((fold != part, found.training[0, part]), (fold == part, found.held_out[0, part])):
            proba = model.predict_proba(X[rows])
            known = {
                "log": log_loss(y[rows], proba),
                "zero-one": 1 - model.score(X[rows], y[rows]),
                "brier": brier_score_loss(y[rows] == "b", proba[:, 1]),
            }
            assert np.isclose(value, known[loss])
    guess = {"log": np.log(2), "zero-one": 0.5, "brier": 0.25}
    assert np.isclose(found.guess, guess[loss])
    assert found.floor == min(found.held_out.mean(), found.reference.mean())


def test_sizes_by_default_grow_and_reach_all_rows() -> None:
    X, y = clean(0)
    ticks: list[int] = []
    found = learning_curve(NaiveBayes(), X, y, folds=3, tick=lambda: ticks.append(1))
    assert found.sizes[-1] == 200
    assert (np.diff(found.sizes) > 0).all()
    assert found.training.shape == found.held_out.shape == (len(found.sizes), 3)
    assert len(ticks) == (len(found.sizes) + 1) * 3


def test_every_class_is_there_from_the_start() -> None:
    """A class of few rows: a model that never met it would give it probability 0."""
    X, y = clean(0)
    y = y.astype(object)
    y[:6] = "rare"
    found = learning_curve(NaiveBayes(), X, y, sizes=[3, 5, 9])
    assert np.isfinite(found.held_out).all()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"loss": "zeroone"}, "O356"),
        ({"sizes": []}, "O357"),
        ({"sizes": [1, 10]}, "O357"),
        ({"sizes": [10, 241]}, "O357"),
        ({"sizes": [0.5]}, "O357"),
        ({"folds": 1}, "O341"),
        ({"loss": ["log"]}, "O356"),
        ({"sizes": 5}, "O357"),
        ({"sizes": [[20]]}, "O357"),
        ({"sizes": "20"}, "O357"),
        ({"seed": -1}, "O348"),
        ({"seed": "a"}, "O348"),
        ({"weights": [1.0]}, "D122"),
    ],
)
def test_refusals(options: dict[str, Any], code: str) -> None:
    with pytest.raises(LikelyError) as error:
        learning_curve(NaiveBayes(), *clean(0), **options)
    assert error.value.code == code
    if code == "O356":
        assert "zero-one" in error.value.hint


def test_tables_as_numbers() -> None:
    frame = pd.DataFrame({"a": [1.5, None, 2.0], "b": ["x", None, "w"], "c": [True, False, True]})
    wanted = np.array([[1.5, 1, 1], [np.nan, np.nan, 0], [2, 0, 1]])
    polar = pl.from_pandas(frame)
    lists = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    for table in (frame, polar, polar.to_arrow(), lists, frame.astype({"b": "category"})):
        assert np.array_equal(numbers(table), wanted, equal_nan=True)
    assert np.array_equal(numbers(np.array([[1], [2]])), [[1.0], [2.0]])
    assert numbers(["b", "a"]).tolist() == [[1.0], [0.0]]


@pytest.mark.parametrize("form", ["frame", "sparse"])
def test_other_tables(form: str) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    words = rng.poisson(0.3 + y[:, None], (60, 5))
    tables = {
        "frame": pd.DataFrame({"w": words[:, 0].astype(float), "c": np.where(y, "x", "z")}),
        "sparse": sparse.csr_array(words),
    }
    kinds = {"frame": "auto", "sparse": "text"}
    found = learning_curve(NaiveBayes(kinds=kinds[form]), tables[form], y, sizes=SIZES, folds=3)
    assert np.isfinite(found.held_out).all()
    assert "rows" in repr(found)


def test_a_class_that_was_never_learnt_is_not_over_fitting() -> None:
    X, y = clean(0)
    y = np.where(np.arange(300) == 5, "z", y)
    found = learning_curve(NaiveBayes(), X, y, sizes=[100, 200])
    assert np.isinf(found.held_out).any()
    assert (found.unlearnt, found.impossible) == (("z",), 0)
    assert found.verdict == "fine"
    assert "Class 'z' was never learnt in some folds" in found.words
    assert "smoothing" not in found.words
    assert "inf" not in found.words
    assert found.floor < 0.3
    assert found.plot().axes
    json.dumps(found.to_dict(), allow_nan=False)
    both = learning_curve(KNeighborsClassifier(1), X, y, sizes=[200])
    assert both.impossible > 0
    assert both.verdict == "over-fitting"
    assert "Use more smoothing" in both.words
    assert "never learnt" in both.words


def test_every_fold_may_hold_out_a_class() -> None:
    X, y = clean(0)
    found = learning_curve(NaiveBayes(), X[:40], y[:40], sizes=[20], folds=(y[:40] == "a").astype(int))
    assert found.words.startswith("No verdict")
    assert "Classes 'a', 'b' were never learnt" in found.words


def test_weights() -> None:
    """A weight of 0 is no row, and the same weight everywhere changes nothing about a model without priors."""
    X, y = clean(3)
    weights = np.where(np.arange(300) % 3 == 0, 0.0, 1.0)
    found = learning_curve(GaussianNB(), X, y, sizes=[100], seed=5, weights=weights)
    fold = split(y, 5, 5)[weights > 0]
    one = learning_curve(GaussianNB(), X[weights > 0], y[weights > 0], sizes=[100], folds=fold, seed=5)
    assert np.allclose(found.held_out, one.held_out)
    assert np.allclose(found.training, one.training)
    assert np.isclose(found.guess, one.guess)
    rare = learning_curve(GaussianNB(), X, y, sizes=[240], weights=np.where(y == "a", 1.0, 9.0), loss="zero-one")
    assert np.isclose(rare.guess, 0.1)


@pytest.mark.parametrize("model", [None, NaiveBayes, KNeighborsRegressor()])
def test_what_is_no_classifier(model: Any) -> None:
    with pytest.raises(LikelyError) as error:
        learning_curve(model, *clean(0))
    assert error.value.code == ("D446" if isinstance(model, KNeighborsRegressor) else "O342")
