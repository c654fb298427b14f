"""Linear regression: scikit-learn's coefficients, and the laws of what can be added."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import linear_model
from sklearn.exceptions import ConvergenceWarning

import likely
from likely.core.numerics import Floats
from likely.errors import DataError, LikelyError, ModelError, NotLearntError, SingularWarning
from likely.estimators.companions.linear_regression import LinearRegression


def table(rows: int = 300, columns: int = 5, seed: int = 0) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)) * np.geomspace(0.01, 100, columns) + rng.normal(size=columns) * 50
    return X, X @ rng.normal(size=columns) + rng.normal(size=rows) + 7


def mixed(rows: int = 400, seed: int = 1) -> tuple[pd.DataFrame, Floats]:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 9, rows),
            "port": rng.choice(["C", "Q", "S", "X"], rows),
            "smoker": rng.integers(0, 2, rows),
        }
    )
    y = frame["age"] * 0.3 + (frame["port"] == "Q") * 4 - frame["smoker"] + rng.normal(size=rows)
    return frame, y.to_numpy()


def one_hot(frame: pd.DataFrame) -> Floats:
    return np.asarray(pd.get_dummies(frame, columns=["port"], drop_first=True), dtype=np.float64)


def near(ours: Any, theirs: Any, within: float = 1e-8) -> None:
    assert np.allclose(ours.coef_, theirs.coef_, rtol=within, atol=within)
    assert np.isclose(ours.intercept_, theirs.intercept_, rtol=within, atol=within)


@pytest.mark.parametrize("rows", [30, 300, 20_000])
@pytest.mark.parametrize("weighted", [False, True])
def test_closed_form_is_scikit_learns(rows: int, weighted: bool) -> None:
    X, y = table(rows)
    weights = np.random.default_rng(2).uniform(0, 3, rows) if weighted else None
    ours = LinearRegression().fit(X, y, weights)
    near(ours, linear_model.LinearRegression().fit(X, y, weights))
    assert np.isclose(ours.r_squared_, ours.score(X, y, weights), rtol=1e-10)


@pytest.mark.parametrize("strength", [1e-3, 1.0, 300.0])
def test_ridge_and_lasso_are_scikit_learns(strength: float) -> None:
    X, y = table(200)
    weights = np.random.default_rng(3).integers(1, 4, 200).astype(float)
    near(LinearRegression(penalty="l2", strength=strength).fit(X, y), linear_model.Ridge(strength).fit(X, y))
    near(
        LinearRegression(penalty="ridge", strength=strength).fit(X, y, weights),
        linear_model.Ridge(strength).fit(X, y, weights),
    )
    lasso = linear_model.Lasso(strength, tol=1e-14, max_iter=1_000_000)
    near(LinearRegression(penalty="l1", strength=strength).fit(X, y), lasso.fit(X, y))
    near(LinearRegression(penalty="lasso", strength=strength).fit(X, y, weights), lasso.fit(X, y, weights))


def test_an_ill_conditioned_design_is_still_scikit_learns() -> None:
    x = np.linspace(0, 1, 200)
    X = np.column_stack([x**power for power in range(1, 6)])
    y = np.random.default_rng(4).normal(size=200) + x
    near(LinearRegression().fit(X, y), linear_model.LinearRegression().fit(X, y))
    far = LinearRegression().fit(X + 1000, y)  # what the addition rounds away is lost before it is fitted
    assert np.allclose(far.coef_, linear_model.LinearRegression().fit(X + 1000 - 1000, y).coef_, rtol=1e-8)
    close = np.column_stack([x, x + 1e-5 * y])
    near(LinearRegression().fit(close, y), linear_model.LinearRegression().fit(close, y))


def test_the_certified_values_of_wampler() -> None:
    # NIST StRD, Wampler1 and Wampler2: y is a polynomial of degree 5, all coefficients 1, and 10**-power
    x = np.arange(21.0)
    X = np.column_stack([x**power for power in range(1, 6)])
    for coefficients in (np.ones(5), 10.0 ** -np.arange(1, 6)):
        fitted = LinearRegression().fit(X, 1 + X @ coefficients)
        assert np.allclose(fitted.coef_, coefficients, rtol=1e-8)
        assert np.isclose(fitted.intercept_, 1, rtol=1e-6)


def test_gradient_descent_ends_at_the_closed_form() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(100, 3))
    y = X @ [1.0, -2.0, 0.5] + 3 + rng.normal(size=100)
    for penalty in (None, "l2"):
        exact = LinearRegression(penalty=penalty).fit(X, y)
        walked = LinearRegression(penalty=penalty, method="descent", tol=1e-13).fit(X, y)
        assert walked.path_.stopped == "converged"
        near(walked, exact)
    first = LinearRegression(method="descent", learning_rate=0.1, max_iter=1)
    with pytest.warns(ConvergenceWarning):
        first.fit(X, y)
    slope = np.concatenate([[-y.mean()], -X.T @ y / len(y)])  # of 1/(2m) Σ(h-y)² at zero
    assert np.allclose(first.path_.parameters[1], -0.1 * slope)
    assert np.isclose(first.path_.losses[0], (y**2).mean() / 2)


def test_divergence_is_told_with_the_largest_stable_rate() -> None:
    X, y = table(50, 2)
    whole = np.column_stack([np.ones(50), X])
    limit = 2 / np.linalg.eigvalsh(whole.T @ whole / 50)[-1]
    with pytest.warns(ConvergenceWarning, match=f"below {limit:.4g}"):
        LinearRegression(method="descent", learning_rate=limit * 1.5).fit(X, y)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(cut=st.integers(1, 59), seed=st.integers(0, 50), missing=st.sampled_from(["ignore", "informative"]))
def test_merged_parts_are_the_whole_and_forgetting_undoes(cut: int, seed: int, missing: str) -> None:
    frame, y = mixed(60, seed)
    frame.loc[::5, "age"] = np.nan
    frame.loc[2::7, "port"] = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SingularWarning)
        whole = LinearRegression(missing=missing).fit(frame, y)
        one, other = (LinearRegression(missing=missing).fit(frame[at], y[at]) for at in (slice(cut), slice(cut, None)))
        near(one.merge(other), whole)
        alone = other.coef_
        one.partial_fit(frame[cut:], y[cut:])
        near(one, whole)
        one.forget(frame[:cut], y[:cut])
    if np.isfinite(alone).all() and one.rank_ == len(one.coef_) == len(alone):
        assert np.allclose(one.coef_, alone, atol=1e-7)


def test_parts_may_widen_a_column() -> None:
    X = np.array([[0.0, 1], [1, 0], [0, 0], [1, 1], [2.5, 1], [3, 0], [-1, 1]])
    y = np.array([1.0, 2, 4, 3, 5, 9, 2])
    parts = LinearRegression().fit(X[:4], y[:4]).partial_fit(X[4:], y[4:])
    near(parts, linear_model.LinearRegression().fit(X, y))


def test_a_weight_of_two_is_a_row_twice() -> None:
    X, y = table(40)
    weights = np.random.default_rng(6).integers(0, 3, 40)
    heavy = LinearRegression().fit(X, y, weights)
    twice = LinearRegression().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    near(heavy, twice)
    assert np.isclose(heavy.residual_sd_, twice.residual_sd_)


def test_a_hole_is_the_mean_and_an_informative_one_has_its_own_coefficient() -> None:
    frame, y = mixed()
    frame.loc[::3, "age"] = np.nan
    filled = frame.fillna({"age": frame["age"].mean()})
    theirs = linear_model.LinearRegression().fit(one_hot(filled)[:, [0, 2, 3, 4, 1]], y)
    near(LinearRegression().fit(frame, y), theirs)
    both = np.column_stack([filled["age"], frame["age"].isna(), one_hot(filled)[:, [2, 3, 4, 1]]])
    near(LinearRegression(missing="informative").fit(frame, y), linear_model.LinearRegression().fit(both, y))


@pytest.mark.parametrize("coding", ["treatment", "sum", "helmert"])
def test_codings_differ_in_coefficients_only(coding: str) -> None:
    frame, y = mixed()
    ours = LinearRegression(coding=coding).fit(frame, y)
    theirs = linear_model.LinearRegression().fit(one_hot(frame), y)
    assert np.allclose(ours.predict(frame), theirs.predict(one_hot(frame)), atol=1e-9)
    if coding == "sum":  # the intercept is the mean of the means of the levels
        lonely = LinearRegression(coding="sum").fit(frame[["port"]], y)
        assert np.isclose(lonely.intercept_, pd.Series(y).groupby(frame["port"]).mean().mean())


def test_a_singular_design_has_the_smallest_coefficients_and_says_why() -> None:
    X, y = table(100, 3)
    Z = np.column_stack([X, X[:, 0] - 2 * X[:, 1], np.full(100, 4.0)])
    with pytest.warns(SingularWarning, match="is, but for a constant"):
        ours = LinearRegression().fit(Z, y)
    near(ours, linear_model.LinearRegression().fit(Z, y))
    assert (ours.rank_, ours.coef_[-1]) == (3, 0.0)
    assert any("constant" in note.text for note in ours.notes_)


def test_more_columns_than_rows_are_the_smallest_that_fit() -> None:
    X, y = table(6, 10)
    with pytest.warns(SingularWarning):
        ours = LinearRegression().fit(X, y)
    near(ours, linear_model.LinearRegression().fit(X, y), 1e-6)
    assert np.allclose(ours.predict(X), y)


def test_terms_add_up_and_start_at_the_average() -> None:
    frame, y = mixed()
    model = LinearRegression().fit(frame, y)
    why = model.explain(frame)
    assert np.allclose(why.terms.sum(axis=1), model.predict(frame), rtol=1e-12)
    assert np.allclose(why.terms[:, 0], y.mean())
    assert why.names == ("average", "age", "port", "smoker")
    assert why.to_dict(3)["prediction"] == pytest.approx(model.predict(frame)[3])


def test_a_file_streams_and_a_saved_model_comes_back(tmp_path: Path) -> None:
    frame, y = mixed()
    frame.assign(price=y).to_csv(tmp_path / "rows.csv", index=False)
    streamed = likely.fit(tmp_path / "rows.csv", target="price", model=LinearRegression())
    near(streamed, LinearRegression().fit(frame, y), 1e-10)
    walked = LinearRegression(method="descent", kinds="real", tol=1e-6, max_iter=100_000).fit(frame[["smoker"]], y)
    for model in (streamed, walked):
        model.save(tmp_path / "line.likely")
        loaded = likely.load(tmp_path / "line.likely")
        assert (loaded.coef_ == model.coef_).all()
        assert loaded.intercept_ == model.intercept_
        assert repr(loaded.coefficients_) == repr(model.coefficients_)
    assert loaded.path_.words == walked.path_.words
    streamed.forget(tmp_path / "rows.csv")
    with pytest.raises(ModelError, match="M306"):
        streamed.predict(frame)


def test_penalty_values_are_in_the_units_of_the_mean_square() -> None:
    X, y = table(50)
    ridge, lasso = (LinearRegression(penalty=name, strength=0.5).fit(X, y) for name in ("l2", "l1"))
    assert np.isclose(ridge.penalty_value(), 0.5 * (ridge.coef_**2).sum() / 50)
    assert np.isclose(lasso.penalty_value(), 2 * 0.5 * np.abs(lasso.coef_).sum())
    assert LinearRegression().fit(X, y).penalty_value() == 0


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"penalty": "l3"}, "O605"),
        ({"strength": -1}, "O606"),
        ({"method": "magic"}, "O607"),
        ({"penalty": "l1", "method": "descent"}, "O608"),
        ({"coding": "dummy"}, "O601"),
        ({"max_iter": 0}, "O603"),
        ({"missing": "drop"}, "O114"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(LikelyError, match=code):
        LinearRegression(**options).fit([[1.0], [2.0]], [1.0, 2.0])


def test_what_cannot_be_is_refused() -> None:
    X, y = table(20, 2)
    model = LinearRegression().fit(X, y)
    with pytest.raises(NotLearntError, match="M302"):
        model.forget(X + 1e6, y)
    assert model.model_.rows[0] == 20
    with pytest.raises(ModelError, match="M377"):
        model.merge(LinearRegression(penalty="l2").fit(X, y))
    with pytest.raises(ModelError, match="M305"):
        model.merge(linear_model.LinearRegression())
    with pytest.raises(LikelyError, match="O609"):
        model.interval(X, of="row")
    with pytest.raises(DataError, match="D124"):
        LinearRegression(missing="error").fit(np.where(X.mean() < X, np.nan, X), y)
    names = pd.DataFrame({"name": [f"n{at % 4500}" for at in range(9000)]})
    with pytest.raises(DataError, match="D441"):
        LinearRegression(kinds="category").fit(names, np.arange(9000.0))


@pytest.mark.parametrize("frame", [np.asarray, pd.DataFrame])
def test_columns_that_say_nothing_are_told_of(frame) -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(40, 1)), np.ones(40), np.full(40, np.nan)])
    told = " ".join(note.text for note in LinearRegression().fit(frame(X), X[:, 0]).notes_)
    assert told.count("has one value in every row") == told.count("is missing in every row") == 1
