"""Regression judged: scores as scikit-learn's, cross-validation, comparisons and learning curves of regressors."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import PredefinedSplit, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from likely import NaiveBayes
from likely.errors import LikelyError
from likely.estimators.companions.linear_regression import LinearRegression as Addable
from likely.evaluation import (
    Comparison,
    RegressionCrossValidation,
    compare,
    cross_validate,
    evaluate_model,
    evaluate_regression,
    learning_curve,
    split,
)
from likely.evaluation.rows.evaluation_rows import weighted_median

RNG = np.random.default_rng(1)
X = RNG.normal(size=(90, 3))
Y = 50 + 10 * X @ [1.0, -2.0, 0.5] + RNG.normal(0, 5, 90)
WEIGHTS = RNG.uniform(0, 2, 90).round(1)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_scores_are_those_of_scikit_learn(weights: Any) -> None:
    model = LinearRegression().fit(X[:40], Y[:40])
    found, said = evaluate_regression(model, X, Y, weights), model.predict(X)
    assert np.isclose(found.r2, metrics.r2_score(Y, said, sample_weight=weights))
    assert np.isclose(found.rmse, metrics.root_mean_squared_error(Y, said, sample_weight=weights))
    assert np.isclose(found.mae, metrics.mean_absolute_error(Y, said, sample_weight=weights))
    assert np.isclose(found.bias, np.average(said - Y, weights=weights))
    if weights is None:
        assert np.isclose(found.median, metrics.median_absolute_error(Y, said))
    assert np.allclose(found.residuals, Y - said)
    assert found.coverage is None
    json.dumps(found.to_dict(), allow_nan=False)
    assert "R²" in repr(found)


def test_the_weighted_median_is_nearest_to_all() -> None:
    values, weights = RNG.normal(size=31), RNG.uniform(0, 3, 31)
    found = weighted_median(values, weights)
    reached = [np.dot(weights, np.abs(values - one)) for one in values]
    assert np.isclose(np.dot(weights, np.abs(values - found)), min(reached))


class Wide(LinearRegression):
    """Intervals of a known normal spread."""

    spread = 5.0

    def interval(self, X: Any, level: float = 0.95) -> np.ndarray:
        half = stats.norm.ppf(0.5 + level / 2) * self.spread
        return np.column_stack([self.predict(X) - half, self.predict(X) + half])


def test_coverage_of_intervals() -> None:
    model = Wide().fit(X, Y)
    for level in (0.5, 0.95):
        found = evaluate_regression(model, X, Y, level=level).coverage
        half = stats.norm.ppf(0.5 + level / 2) * 5
        assert found is not None
        assert np.isclose(found.share, np.mean(np.abs(Y - model.predict(X)) <= half))
        assert np.isclose(found.width, 2 * half)
        assert "as they should" in found.words
    model.spread = 0.5
    assert "too few" in repr(evaluate_regression(model, X, Y))
    model.spread = 500.0
    assert "too many" in repr(evaluate_regression(model, X, Y, level=0.5))


def test_equal_amounts_have_no_r2_and_bad_forecasts_a_note() -> None:
    flat = evaluate_regression(LinearRegression().fit(X, np.full(90, 0.1)), X, np.full(90, 0.1))
    assert np.isnan(flat.r2)
    assert "every value is the same" in repr(flat)
    json.dumps(flat.to_dict(), allow_nan=False)
    assert "worse than always saying the mean" in repr(evaluate_regression(LinearRegression().fit(X, -Y), X, Y))


def test_cross_validation_is_that_of_scikit_learn() -> None:
    fold = np.arange(90) % 6
    found = cross_validate(Ridge(), X, Y, folds=fold)
    assert isinstance(found, RegressionCrossValidation)
    assert np.allclose(found.predicted, cross_val_predict(Ridge(), X, Y, cv=PredefinedSplit(fold)))
    assert np.allclose(found.scores()["r2"], cross_val_score(Ridge(), X, Y, cv=PredefinedSplit(fold), scoring="r2"))
    assert found.method == "refit"
    assert "cannot forget" in found.why
    assert np.isclose(found.evaluate().r2, metrics.r2_score(Y, found.predicted))
    assert "90 rows in 6 folds" in repr(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_fold_of_one_row_has_no_r2() -> None:
    found = cross_validate(Ridge(), X[:5], Y[:5], folds=5)
    assert np.isnan(found.scores()["r2"]).all()
    assert "r2        undefined" in repr(found)


def test_folds_of_amounts_are_even_and_depend_on_the_seed() -> None:
    first, second = (cross_validate(Ridge(), X, Y, seed=seed).fold for seed in (0, 1))
    assert set(np.bincount(first)) == {9}
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("form", ["frame", "lists"])
def test_tables_of_any_form(form: str) -> None:
    table: Any = pd.DataFrame(X, columns=list("abc")) if form == "frame" else X.tolist()
    amounts: Any = pd.Series(Y, index=np.arange(90)[::-1]) if form == "frame" else Y.tolist()
    assert np.allclose(cross_validate(Ridge(), table, amounts).predicted, cross_validate(Ridge(), X, Y).predicted)


def test_comparison_of_regressors() -> None:
    ticks: list[int] = []
    models = {"ridge": Ridge(), "树": DecisionTreeRegressor(random_state=0), "mean": Ridge(1e9)}
    found = compare(models, X, Y, folds=5, repeats=2, tick=lambda: ticks.append(1))
    assert (found.best, found.loss, len(ticks)) == ("ridge", "squared", 30)
    folds = [split(np.zeros(90, dtype=int), 5, seed) for seed in (0, 1)]
    for name, model in models.items():
        for measure, scoring in (("squared", "neg_mean_squared_error"), ("absolute", "neg_mean_absolute_error")):
            known = [cross_val_score(model, X, Y, cv=PredefinedSplit(fold), scoring=scoring) for fold in folds]
            assert np.allclose(getattr(found[name], measure), -np.concatenate(known))
        assert np.allclose(found[name].rmse, np.sqrt(found[name].squared))
    pair = found.pairs[0]
    differences = found["ridge"].squared - found["树"].squared
    statistic = differences.mean() / np.sqrt(differences.var(ddof=1) * (1 / 10 + 0.2 / 0.8))
    assert np.isclose(pair.squared.statistic, statistic)
    assert np.isclose(pair.squared.p_value, 2 * stats.t.sf(abs(statistic), 9))
    assert pair.bayes.right > 0.9  # the R² of the first is larger
    assert "least squared loss" in found.words
    assert "R²" in repr(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_best_by_absolute_loss() -> None:
    """A line through most of the points has the least absolute loss where a few are far off."""
    x = np.linspace(0, 1, 60)[:, None]
    y = np.where(np.arange(60) % 10 == 5, 30.0, 0.0)
    models: dict[str, Any] = {"mean": KNeighborsRegressor(40), "nearest": KNeighborsRegressor(2)}
    by = {loss: compare(models, x, y, folds=5, loss=loss) for loss in ("squared", "absolute")}
    for loss, found in by.items():
        assert found.best == min(models, key=lambda name: found[name].mean(loss))
        assert f"least {loss} loss" in found.words
    assert "has an absolute loss" in compare({"one": Ridge()}, X, Y, loss="absolute").words


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: compare({"a": Ridge(), "b": NaiveBayes()}, X, Y), "O652"),
        (lambda: compare({"a": Ridge(), "b": None}, X, Y), "O342"),
        (lambda: compare({"a": Ridge()}, X, Y, loss="log"), "O356"),
        (lambda: compare({"a": NaiveBayes()}, X, Y > 50, loss="brier"), "O356"),
        (lambda: compare({"a": Ridge()}, X, ["x"] * 90), "D446"),
        (lambda: compare({"a": Ridge()}, X, np.full(90, np.inf)), "D447"),
        (lambda: evaluate_regression(Ridge(), X, Y), "M308"),
        (lambda: evaluate_regression(Ridge, X, Y), "O654"),
        (lambda: evaluate_regression(LogisticRegression().fit(X, Y > 50), X, Y), "O654"),
        (lambda: evaluate_regression(Ridge().fit(X, Y), X, Y, level=1), "O116"),
        (lambda: evaluate_regression(Ridge().fit(X, np.column_stack([Y, Y])), X, Y), "O653"),
        (lambda: evaluate_model(Ridge().fit(X, Y), X, Y), "O342"),
        (lambda: learning_curve(Ridge(), X, Y, sizes=[0, 5]), "O357"),
        (lambda: learning_curve(Ridge(), X, Y, loss="log"), "O356"),
        (lambda: cross_validate(KNeighborsRegressor(), X, Y, weights=WEIGHTS), "O343"),
        (lambda: compare({"a": Ridge()}, X, Y).plot(measure="accuracy"), "O376"),
    ],
)
def test_refusals(call: Any, code: str) -> None:
    with pytest.raises(LikelyError) as error:
        call()
    assert error.value.code == code
    assert error.value.hint


@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_learning_curves_are_those_of_scikit_learn(loss: str) -> None:
    """With one size, all that a fold leaves, the rows learnt from are known."""
    fold = np.arange(90) % 3
    found = learning_curve(Ridge(), X, Y, sizes=[60], folds=fold, loss=loss)
    measure = {"squared": metrics.mean_squared_error, "absolute": metrics.mean_absolute_error}[loss]
    for part in range(3):
        learnt, held = fold != part, fold == part
        model = Ridge().fit(X[learnt], Y[learnt])
        assert np.isclose(found.training[0, part], measure(Y[learnt], model.predict(X[learnt])))
        assert np.isclose(found.held_out[0, part], measure(Y[held], model.predict(X[held])))
        forest = RandomForestRegressor(100, min_samples_leaf=2, random_state=0)
        known = measure(Y[held], forest.fit(X[learnt], Y[learnt]).predict(X[held]))
        assert np.isclose(found.reference[part], known, rtol=0.3)  # the same forest, of rows in another order
    centre = Y.mean() if loss == "squared" else np.median(Y)
    assert np.isclose(found.guess, measure(Y, np.full(90, centre)))
    assert isinstance(repr(found), str)
    json.dumps(found.to_dict(), allow_nan=False)


def test_rows_of_weight_zero_are_not_there() -> None:
    weights = np.where(np.arange(90) % 3 == 0, 0.0, 1.0)
    fold = np.arange(90) % 4
    found = learning_curve(Ridge(), X, Y, sizes=[40], folds=fold, weights=weights)
    there = weights > 0
    one = learning_curve(Ridge(), X[there], Y[there], sizes=[40], folds=fold[there])
    assert np.allclose(found.held_out, one.held_out)
    assert np.isclose(found.guess, one.guess)


def test_pictures() -> None:
    models = {"好": Ridge(), "tree": DecisionTreeRegressor()}
    found: Comparison = compare(models, X, Y, folds=3)
    assert found.plot().axes[0].get_xlabel() == "mean squared error (lower is better)"
    assert found.plot(measure="r2").axes[0].get_xlabel().startswith("R²")
    cross_validate(Ridge(), X, Y).plot().draw_without_rendering()


def test_a_regressor_that_can_forget_is_judged_by_subtraction() -> None:
    found, known = cross_validate(Addable(), X, Y), cross_validate(LinearRegression(), X, Y)
    assert found.method == "subtraction"
    assert np.allclose(found.predicted, known.predicted, rtol=1e-9)
    covered = evaluate_regression(Addable().fit(X, Y), X, Y).coverage
    assert covered is not None
    assert "as they should" in covered.words


def test_copies_do_not_repeat_what_a_fit_has_to_say() -> None:
    """Warnings are errors here: every fold of a singular design would warn."""
    twice = np.column_stack([X, X[:, 0]])
    assert np.isfinite(cross_validate(Addable(), twice, Y, folds=3).predicted).all()
