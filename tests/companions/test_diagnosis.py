"""Diagnoses of models made to under-fit, to over-fit and to be fine: the four fields, and what they say to do."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from likely import NaiveBayes
from likely.errors import LikelyError
from likely.evaluation import Diagnosis, LearningCurve, diagnose

Rows = tuple[np.ndarray, np.ndarray]


@pytest.fixture(autouse=True)
def few_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """The forest is a yardstick: of a few trees it is about as long."""
    monkeypatch.setattr("likely.evaluation.risks.reference.FOREST_TREES", 20)


def line(seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 3))
    return X, X @ [1.0, 2.0, 3.0] + rng.normal(size=150)


def noise(seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(150, 3)), rng.normal(size=150)


def circle(seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (150, 2))
    return X, (X**2).sum(axis=1) + rng.normal(0, 0.02, 150)


def ring(seed: int) -> Rows:
    X, radius = circle(seed)
    return X, np.where(radius < 0.6, "in", "out")


def coin(seed: int) -> Rows:
    X, y = noise(seed)
    return X, np.where(y + X[:, 0] > 0, "a", "b")


def waves(seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (40, 1))
    return X, np.sin(3 * X[:, 0]) + rng.normal(0, 0.3, 40)


POLYNOMIAL = make_pipeline(PolynomialFeatures(14), StandardScaler(), LinearRegression())


@pytest.mark.parametrize(
    ("model", "case", "verdict", "named"),
    [
        (LinearRegression(), line, "fine", ""),
        (LinearRegression(), noise, "fine", ""),
        (LinearRegression(), circle, "under-fitting", "powers and products"),
        (DecisionTreeRegressor(max_depth=1), circle, "under-fitting", "raise max_depth (now 1)"),
        (Ridge(1e4), line, "under-fitting", "lower alpha (now 10000.0)"),
        (DecisionTreeRegressor(random_state=0), noise, "over-fitting", "set max_depth (now None, no limit)"),
        (KNeighborsRegressor(1), noise, "over-fitting", "raise n_neighbors (now 1)"),
        (POLYNOMIAL, waves, "over-fitting", "lower polynomialfeatures__degree (now 14)"),
        (LogisticRegression(), ring, "under-fitting", "raise C (now 1.0)"),
    ],
)
def test_verdicts(model: Any, case: Any, verdict: str, named: str) -> None:
    X, y = case(2)
    most = int(0.8 * len(y))
    found = diagnose(model, X, y, sizes=[most // 2, most])
    assert found.verdict == verdict
    assert (
        found.field
        == {
            "fine": ("small", "small"),
            "over-fitting": ("small", "large"),
            "under-fitting": ("large", "large"),
        }[verdict]
    )
    assert named in found.next
    assert found.words.lower().startswith(verdict)
    assert f"[{'generalises well' if verdict == 'fine' else verdict}]" in repr(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_classifiers_by_another_loss() -> None:
    found = diagnose(DecisionTreeClassifier(random_state=0), *coin(0), loss="zero-one", sizes=[60, 120])
    assert found.verdict == "over-fitting"
    assert found.empirical == 0
    assert found.option == "max_depth"
    assert "option='max_depth'" in found.words


def test_an_infinite_loss_asks_for_smoothing() -> None:
    X, y = coin(0)
    lucky = np.where(np.arange(150) % 10 == 3, y, "usual")[:, None]  # a level that only one class has
    lucky[7] = "a" if y[7] == "b" else "b"
    found = diagnose(NaiveBayes(kinds="category", estimate="mle"), lucky, y, sizes=[60, 120])
    assert found.verdict == "over-fitting"
    assert "smooth it (estimate='bayes')" in found.next
    nearest = diagnose(KNeighborsClassifier(1), X, y, sizes=[60, 120])
    assert nearest.verdict == "over-fitting"
    assert "raise n_neighbors" in nearest.next
    json.dumps(nearest.to_dict(), allow_nan=False)


def made(training: list[float], held_out: list[float], reference: list[float], loss: str = "squared") -> Diagnosis:
    curve = LearningCurve(
        np.array([10]), np.array([training]), np.array([held_out]), loss, 0.0, np.array(reference), 1.0
    )
    return Diagnosis("Model", curve, ("lower size (now 3)",), "size")


def test_a_large_empirical_and_a_small_expected_risk_are_luck() -> None:
    found = made([0.5, 0.52, 0.48, 0.5], [0.1, 0.11, 0.1, 0.09], [0.1, 0.1, 0.1, 0.1])
    assert (found.verdict, found.field) == ("fine", ("large", "small"))
    assert "luck" in found.next
    assert "[luck]" in repr(found)


def test_one_wild_fold_hides_no_over_fitting_of_amounts() -> None:
    found = made([0.1] * 5, [0.3, 0.25, 0.3, 90.0, 0.2], [0.3, 0.25, 0.3, 0.3, 0.2])
    assert found.verdict == "over-fitting"


def test_folds_that_disagree_are_told() -> None:
    found = made([0.1, 0.1, 0.1, 0.1], [0.05, 0.08, 0.9, 0.1], [0.1, 0.1, 0.9, 0.1])
    assert found.verdict == "fine"
    assert "folds disagree" in found.next


def test_folds_that_hold_out_a_class() -> None:
    X, y = coin(0)
    found = diagnose(NaiveBayes(), X[:40], y[:40], sizes=[10], folds=(y[:40] == "a").astype(int))
    assert "No verdict" in found.words
    assert "were never learnt" in found.words
    assert "Deal folds" in found.next


def test_ticks_and_defaults() -> None:
    ticks: list[int] = []
    found = diagnose(LinearRegression(), *line(0), folds=3, tick=lambda: ticks.append(1))
    assert len(ticks) == (len(found.curve.sizes) + 1) * 3
    assert found.plot().axes[1].get_title() == "LinearRegression: fine"


def test_refusals() -> None:
    X, y = line(0)
    for call, code in (
        (lambda: diagnose(LinearRegression, X, y), "O342"),
        (lambda: diagnose(LinearRegression(), X, y, loss="sqared"), "O356"),
        (lambda: diagnose(LinearRegression(), X, ["x"] * 150), "D446"),
    ):
        with pytest.raises(LikelyError) as error:
            call()
        assert error.value.code == code


def test_a_gap_of_a_model_that_leads_is_told_as_such() -> None:
    found = made([0.1] * 4, [0.5, 0.52, 0.48, 0.5], [0.6, 0.62, 0.58, 0.6])
    assert found.verdict == "over-fitting"
    assert "Yet a random forest (0.6) does no better" in found.words
