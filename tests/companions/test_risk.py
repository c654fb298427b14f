"""Expected and structural risk: the numbers of scikit-learn, the laws of a penalty, and the choice of its strength."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from likely import GaussianBayes, NaiveBayes, NetworkClassifier
from likely.errors import LikelyError
from likely.estimators.companions.linear_regression import LinearRegression as Linear
from likely.estimators.companions.logistic_regression import LogisticRegression as Logistic
from likely.evaluation import ExpectedRisk, StructuralRisk, cross_validated_risk, split, structural_risk
from likely.evaluation.risks.complexity import advice, options_of

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
AMOUNTS = X @ [1.0, -2.0, 0.0] + RNG.normal(size=80)
LABELS = np.where(AMOUNTS > 0, "yes", "no")


class Told(Ridge):
    """A ridge regression that says what its penalty adds to the mean squared error."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Told:
        self.rows_ = len(y)
        super().fit(X, y, sample_weight)
        return self

    def penalty_value(self) -> float:
        return float(self.alpha * (self.coef_**2).sum() / self.rows_)


@pytest.mark.parametrize(
    ("loss", "scoring"), [("squared", "neg_mean_squared_error"), ("absolute", "neg_mean_absolute_error")]
)
def test_expected_risk_of_regressors_is_that_of_scikit_learn(loss: str, scoring: str) -> None:
    fold = np.arange(80) % 7
    found = cross_validated_risk(Ridge(), X, AMOUNTS, loss, folds=fold)
    known = -cross_val_score(Ridge(), X, AMOUNTS, cv=PredefinedSplit(fold), scoring=scoring)
    assert np.allclose(found.folds, known, rtol=1e-12)
    assert np.isclose(found.mean, known.mean())
    assert np.isclose(found.spread, known.std(ddof=1))
    low, high = found.interval
    assert low < found.mean < high


@pytest.mark.parametrize(("loss", "scoring"), [("log", "neg_log_loss"), ("zero-one", "accuracy")])
def test_expected_risk_of_classifiers_is_that_of_scikit_learn(loss: str, scoring: str) -> None:
    fold = split(LABELS, 5, 3)
    found = cross_validated_risk(GaussianNB(), X, LABELS, loss, folds=5, seed=3)
    known = cross_val_score(GaussianNB(), X, LABELS, cv=PredefinedSplit(fold), scoring=scoring)
    assert np.allclose(found.folds, 1 - known if loss == "zero-one" else -known)


def test_the_usual_loss_and_words() -> None:
    assert cross_validated_risk(Ridge(), X, AMOUNTS).loss == "squared"
    found = cross_validated_risk(NaiveBayes(), X, LABELS)
    assert found.loss == "log"
    assert "log loss, 10 folds" in repr(found)
    assert float(found) == found.mean
    json.dumps(found.to_dict(), allow_nan=False)


def test_an_infinite_risk_has_no_interval() -> None:
    found = cross_validated_risk(KNeighborsClassifier(1), X, LABELS)
    assert np.isinf(found.mean)
    assert np.isnan(found.interval[0])
    assert np.isnan(found.spread)
    assert "interval" not in repr(found)
    json.dumps(found.to_dict(), allow_nan=False)
    assert np.isnan(ExpectedRisk("log", np.array([0.3])).spread)


def test_a_weight_of_two_is_a_row_twice() -> None:
    fold, twice = np.arange(80) % 4, np.arange(80) % 3 == 0
    weighted = cross_validated_risk(Ridge(), X, AMOUNTS, folds=fold, weights=1.0 + twice)
    rows = np.repeat(np.arange(80), 1 + twice)
    assert np.allclose(weighted.folds, cross_validated_risk(Ridge(), X[rows], AMOUNTS[rows], folds=fold[rows]).folds)


@settings(derandomize=True, deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_a_stronger_penalty_raises_the_empirical_and_the_structural_risk(seed: int, columns: int) -> None:
    """The least of a sum, one part of which has a larger factor, is larger; the other part is given more way."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(30, columns))
    amounts = table.sum(axis=1) + rng.normal(size=30)
    found = structural_risk(Told(), table, amounts, [0.01, 0.1, 1, 10, 100], folds=2)
    assert (np.diff(found.empirical) >= -1e-12).all()
    assert found.structural is not None
    assert (np.diff(found.structural) >= -1e-12).all()
    assert (found.structural >= found.empirical).all()


def test_structural_risk_by_hand() -> None:
    fold = np.arange(80) % 5
    found = structural_risk(Told(), X, AMOUNTS, [10.0, 0.1], folds=fold)
    assert (found.option, found.values, found.loss) == ("alpha", (0.1, 10.0), "squared")
    for at, strength in enumerate(found.values):
        model = Ridge(strength).fit(X, AMOUNTS)
        empirical = np.mean((AMOUNTS - model.predict(X)) ** 2)
        assert np.isclose(found.empirical[at], empirical)
        assert np.isclose(found.structural[at], empirical + strength * np.sum(model.coef_**2) / 80)
        scores = cross_val_score(
            Ridge(strength), X, AMOUNTS, cv=PredefinedSplit(fold), scoring="neg_mean_squared_error"
        )
        assert np.allclose(found.expected[at], -scores)
    assert found.best == found.values[int(np.argmin(found.expected.mean(axis=1)))]


def test_a_penalty_in_other_units_is_not_added() -> None:
    assert structural_risk(Told(), X, AMOUNTS, [1.0, 2.0], loss="absolute").structural is None
    assert structural_risk(Ridge(), X, AMOUNTS, [1.0, 2.0]).penalty is None
    piped = structural_risk(make_pipeline(StandardScaler(), Told()), X, AMOUNTS, [1.0, 2.0], option="told__alpha")
    assert piped.penalty is not None


def made(empirical: list[float], expected: list[list[float]], values: tuple[Any, ...] = (1, 2, 4, 8)) -> StructuralRisk:
    return StructuralRisk("size", values, "squared", np.array(empirical), np.array(expected))


def test_the_simplest_within_one_standard_error() -> None:
    expected = [[5.0, 5.2], [2.1, 2.3], [1.0, 3.0], [4.0, 4.2]]  # the third is best, with a standard error of 1
    rich = made([4.0, 2.0, 1.0, 0.5], expected)
    assert (rich.best, rich.simplest) == (4, 2)
    assert np.allclose(rich.errors[2], 1.0)
    turned = made([0.5, 1.0, 2.0, 4.0], expected)  # larger values are simpler
    assert (turned.best, turned.simplest) == (4, 4)
    assert (made([1.0] * 4, expected).best, made([1.0] * 4, expected).simplest) == (4, 4)
    assert "At size=1 it under-fits" in rich.words
    assert "At size=8 it over-fits" in rich.words
    assert "size=2 is simpler" in rich.words


def test_words_at_the_ends() -> None:
    assert "try less" in made([4, 3, 2, 1], [[1, 1.1], [2, 2.1], [3, 3.1], [4, 4.1]]).words
    assert "try more" in made([4, 3, 2, 1], [[4, 4.1], [3, 3.1], [2, 2.1], [1, 1.1]]).words
    named = made([4, 3], [[4, 4.1], [3, 3.1]], values=("few", None))
    assert (named.best, named.simplest) == (None, None)
    assert "try" not in named.words
    endless = made([np.inf, 1, 1, 0], [[np.inf, 1]] * 4)
    assert "No choice" in endless.words
    assert isinstance(repr(endless), str)
    json.dumps(endless.to_dict(), allow_nan=False)


def test_depth_of_a_tree_and_ticks() -> None:
    ticks: list[int] = []
    found = structural_risk(
        DecisionTreeClassifier(random_state=0), X, LABELS, loss="zero-one", folds=4, tick=lambda: ticks.append(1)
    )
    assert (found.option, found.values) == ("max_depth", tuple(range(1, 11)))
    assert len(ticks) == 10 * 5
    assert found.empirical[-1] == 0
    assert np.isclose(found.empirical[0], 1 - DecisionTreeClassifier(max_depth=1).fit(X, LABELS).score(X, LABELS))
    assert "max_depth" in repr(found)
    assert found.plot().axes


def test_an_exact_best_degree() -> None:
    x = np.linspace(-1, 1, 60)[:, None]
    y = x[:, 0] ** 3 - x[:, 0] + np.random.default_rng(1).normal(0, 0.02, 60)
    found = structural_risk(make_pipeline(PolynomialFeatures(1), LinearRegression()), x, y)
    assert found.option == "polynomialfeatures__degree"
    assert found.simplest == 3


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (NaiveBayes(), ["smoothing"]),
        (NaiveBayes(estimate="mle"), []),
        (GaussianBayes(), []),
        (NetworkClassifier(), ["max_parents", "smoothing"]),
        (AdaBoostClassifier(DecisionTreeClassifier(max_depth=1)), ["n_estimators", "estimator__max_depth"]),
        (BaggingClassifier(DecisionTreeClassifier()), ["estimator__max_depth", "estimator__min_samples_leaf"]),
        (LogisticRegression(), ["C"]),
        (None, []),
    ],
)
def test_options_of_complexity(model: Any, names: list[str]) -> None:
    assert [option.name for option in options_of(model)][: len(names) or None] == names


def test_advice_names_options_that_can_go_further() -> None:
    assert advice(DecisionTreeRegressor(max_depth=1), simpler=True)[0] == "raise min_samples_leaf (now 1)"
    assert advice(DecisionTreeRegressor(max_depth=1), simpler=False)[0] == "raise max_depth (now 1)"
    assert advice(DecisionTreeRegressor(), simpler=True)[0] == "set max_depth (now None, no limit)"
    assert "max_depth" not in " ".join(advice(DecisionTreeRegressor(), simpler=False))
    assert "estimate='bayes'" in " ".join(advice(NaiveBayes(estimate="mle"), simpler=True))
    assert "covariance='shared'" in " ".join(advice(GaussianBayes(), simpler=True))


class Penalised(Ridge):
    """A model whose strength has no effect until there is a penalty."""

    def __init__(self, penalty: str | None = None, strength: float = 1.0) -> None:
        super().__init__()
        self.penalty, self.strength = penalty, strength


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: structural_risk(Ridge(), X, AMOUNTS, option="alpa"), "O656"),
        (lambda: structural_risk(LinearRegression(), X, AMOUNTS), "O656"),
        (lambda: structural_risk(Penalised(), X, AMOUNTS, option="strength"), "O657"),
        (lambda: structural_risk(NaiveBayes(estimate="mle"), X, LABELS, option="smoothing"), "O657"),
        (lambda: structural_risk(Ridge(), X, AMOUNTS, [1.0]), "O658"),
        (lambda: structural_risk(Ridge(), X, AMOUNTS, [1.0, 1.0]), "O658"),
        (lambda: structural_risk(Ridge(), X, AMOUNTS, 3), "O658"),
        (lambda: structural_risk(Ridge(), X, AMOUNTS, option="solver"), "O658"),
        (lambda: structural_risk(Ridge(), X, AMOUNTS, loss="log"), "O356"),
        (lambda: cross_validated_risk(NaiveBayes(), X, LABELS, "squared"), "O356"),
        (lambda: cross_validated_risk(Ridge, X, AMOUNTS), "O342"),
        (lambda: cross_validated_risk(Ridge(), X, LABELS), "D446"),
        (lambda: cross_validated_risk(Ridge(), X, np.where(X[:, 0] > 2, np.nan, 1.0)), "D447"),
        (lambda: cross_validated_risk(Ridge(), X, [None, *AMOUNTS[1:]]), "D447"),
        (lambda: cross_validated_risk(Ridge(), X[:5], AMOUNTS), "D126"),
        (lambda: cross_validated_risk(LinearRegression(), X, np.column_stack([AMOUNTS, AMOUNTS])), "D110"),
        (lambda: cross_validated_risk(Ridge(), X, AMOUNTS, folds=1), "O341"),
    ],
)
def test_refusals(call: Any, code: str) -> None:
    with pytest.raises(LikelyError) as error:
        call()
    assert error.value.code == code
    assert error.value.hint


def test_frames_with_gaps_in_the_amounts_are_told_where() -> None:
    frame = pd.DataFrame(X, columns=list("abc"))
    with pytest.raises(LikelyError) as error:
        cross_validated_risk(Ridge(), frame, pd.array([1, None, *range(78)], dtype="Int64"))
    assert (error.value.code, error.value.place) == ("D447", "y, row 1")


def test_the_penalties_of_our_own_models_obey_the_law() -> None:
    for model, y in ((Linear(penalty="l2"), AMOUNTS), (Linear(penalty="l1"), AMOUNTS), (Logistic(), LABELS)):
        found = structural_risk(model, X, y, [0.01, 1.0], folds=2)
        assert found.option == "strength"
        assert found.structural is not None
        assert (np.diff(found.empirical) >= -1e-8).all()
        assert (np.diff(found.structural) >= -1e-8).all()
    with pytest.raises(LikelyError) as error:
        structural_risk(Linear(), X, AMOUNTS)
    assert "penalty=" in error.value.hint
