"""Logistic regression as users meet it: tables, terms, priors, intervals, descent, files and refusals."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

import likely
from likely.companions.regression.gradient_descent import Path
from likely.errors import LikelyError
from likely.estimators.companions.logistic_regression import LogisticRegression

ROWS = 120


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": rng.normal(40, 12, ROWS),
            "港口": rng.choice(["上海", "广州", "天津"], ROWS),
            "paid": rng.integers(0, 2, ROWS),
        }
    )
    score = 0.08 * (table["age"] - 40) + (table["港口"] == "天津") - table["paid"]
    table["ill"] = np.where(score + rng.logistic(size=ROWS) > 0, "yes", "no")
    table.loc[::17, "age"] = np.nan
    table.loc[::19, "港口"] = None
    return table


def fitted(frame, **options):
    return LogisticRegression(**options).fit(frame.drop(columns="ill"), frame["ill"])


def test_mixed_tables_with_holes(frame):
    model = fitted(frame)
    assert model.design_names_.tolist() == ["age", "港口[天津]", "港口[广州]", "paid"]
    assert model.coef_.shape == (1, 4)
    assert model.score(frame.drop(columns="ill"), frame["ill"]) > 0.6
    own = fitted(frame, missing="informative")
    assert "age[missing]" in own.design_names_.tolist()
    with pytest.raises(LikelyError, match="missing"):
        fitted(frame, missing="error")


def test_a_model_that_refuses_holes_refuses_them_later_too(frame):
    whole = frame.dropna()
    model = fitted(whole, missing="error")
    with pytest.raises(LikelyError) as caught:
        model.predict(frame.drop(columns="ill"))
    assert caught.value.code == "D124"
    with pytest.raises(LikelyError):
        model.explain(frame.drop(columns="ill"))


@pytest.mark.parametrize("coding", ["treatment", "sum", "helmert"])
def test_codings_say_the_same_without_a_penalty(frame, coding):
    X = frame.drop(columns="ill")
    plain, other = fitted(frame, penalty=None), fitted(frame, penalty=None, coding=coding)
    np.testing.assert_allclose(other.predict_proba(X), plain.predict_proba(X), atol=1e-8)


@pytest.mark.parametrize("classes", [2, 3])
def test_terms_add_up(classes):
    X, y = load_iris(return_X_y=True)
    keep = y < classes
    model = LogisticRegression().fit(X[keep], y[keep])
    told = model.explain(X[keep])
    assert told.names[0] == "prior"
    np.testing.assert_allclose(told.proba, model.predict_proba(X[keep]), atol=1e-12)
    average = model.explain(X[keep].mean(axis=0)[None])
    np.testing.assert_allclose(average.terms[:, 1:], 0.0, atol=1e-12)
    np.testing.assert_allclose(np.exp(average.terms[:, 0]), model.predict_proba(X[keep].mean(axis=0)[None]), atol=1e-12)


def test_terms_of_a_hole_say_nothing(frame):
    model = fitted(frame)
    told = model.explain(pd.DataFrame({"age": [np.nan], "港口": [None], "paid": [1]}))
    np.testing.assert_allclose(told.terms[0, 1:3], 0.0, atol=1e-12)


def test_other_priors_move_the_log_odds_by_theirs(frame):
    model, X = fitted(frame), frame.drop(columns="ill")
    rare = model.with_priors({"yes": 0.01, "no": 0.99})
    before = (frame["ill"] == "yes").mean()
    moved = logit(rare.predict_proba(X)[:, 1]) - logit(model.predict_proba(X)[:, 1])
    np.testing.assert_allclose(moved, logit(0.01) - logit(before), atol=1e-9)
    np.testing.assert_array_equal(rare.coef_, model.coef_)
    np.testing.assert_allclose(np.diff(rare.log_likelihood(X)), np.diff(model.log_likelihood(X)), atol=1e-9)
    again = rare.with_priors({"yes": before, "no": 1 - before})
    np.testing.assert_allclose(again.predict_proba(X), model.predict_proba(X), atol=1e-12)
    X3, y3 = load_iris(return_X_y=True)
    three = LogisticRegression().fit(X3, y3)
    even = three.with_priors({0: 0.2, 1: 0.2, 2: 0.6})
    odds = np.log(even.predict_proba(X3) / three.predict_proba(X3))
    np.testing.assert_allclose(odds[:, 2] - odds[:, 1], np.log(3), atol=1e-9)
    with pytest.raises(LikelyError):
        model.with_priors({"perhaps": 1.0})


def test_interval_of_two_classes_is_that_of_the_log_odds():
    rng = np.random.default_rng(3)
    X = rng.normal(2.0, 1.0, (90, 2))
    y = (X[:, 0] - 2 + rng.logistic(size=90) > 0).astype(int)
    model = LogisticRegression(penalty=None).fit(X, y)
    rows = np.column_stack([np.ones(5), X[:5]])
    share = model.predict_proba(X)[:, 1]
    all_rows = np.column_stack([np.ones(90), X])
    covariance = np.linalg.inv((all_rows * (share * (1 - share))[:, None]).T @ all_rows)
    reach = 1.6448536269514722 * np.sqrt(np.einsum("ij,jk,ik->i", rows, covariance, rows))
    score = model.decision_function(X[:5])
    found = model.interval(X[:5], level=0.9)
    np.testing.assert_allclose(found[:, 1], expit(np.column_stack([score - reach, score + reach])), atol=1e-6)
    np.testing.assert_allclose(found[:, 0], 1 - found[:, 1, ::-1], atol=1e-9)


def test_interval_of_more_classes_holds_the_probability():
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression().fit(X, y)
    found, said = model.interval(X[::10], level=0.95), model.predict_proba(X[::10])
    assert found.shape == (15, 3, 2)
    assert ((found[..., 0] <= said) & (said <= found[..., 1])).mean() > 0.95
    narrow = model.interval(X[::10], level=0.5)
    assert (narrow[..., 0] >= found[..., 0]).all()
    assert (narrow[..., 1] <= found[..., 1]).all()
    np.testing.assert_array_equal(found, model.interval(X[::10], level=0.95))


def test_the_interval_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(0)
    inside = []
    for _ in range(150):
        X = rng.normal(size=(200, 1))
        y = (0.5 + 1.0 * X[:, 0] + rng.logistic(size=200) > 0).astype(int)
        low, high = LogisticRegression(penalty=None).fit(X, y).coefficients_.at(0.9).intervals[0, 1]
        inside.append(low <= 1.0 <= high)
    assert 0.83 <= np.mean(inside) <= 0.96


def test_table_of_coefficients(frame):
    table = fitted(frame).coefficients_
    text = repr(table)
    assert text.splitlines()[0] == "log odds of 'yes'"
    assert "odds ratio" in text
    assert "港口[天津]" in text
    assert json.dumps(table.to_dict())
    assert table.names[0] == "intercept"
    np.testing.assert_allclose(np.log(table.odds_ratios), table.estimates)
    assert (table.at(0.99).intervals[..., 0] < table.intervals[..., 0]).all()
    X, y = load_iris(return_X_y=True)
    assert repr(LogisticRegression().fit(X, y).coefficients_).count("against the average") == 3


def test_descent_ends_where_newton_does():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 2))
    for classes in (2, 3):
        y = (X @ rng.normal(size=(2, classes)) + rng.gumbel(size=(80, classes))).argmax(axis=1)
        for penalty in (None, "l2"):
            slow = LogisticRegression(penalty=penalty, method="descent", max_iter=20_000, tol=1e-9).fit(X, y)
            exact = LogisticRegression(penalty=penalty).fit(X, y)
            np.testing.assert_allclose(slow.coef_, exact.coef_, atol=1e-6)
            np.testing.assert_allclose(slow.intercept_, exact.intercept_, atol=1e-6)
            assert slow.path_.stopped == "converged"
            assert (np.diff(slow.path_.losses) <= 1e-15).all()
            assert exact.path_ is None
            np.testing.assert_allclose(slow.coefficients_.errors, exact.coefficients_.errors, rtol=1e-4)


def test_the_path_is_the_textbooks():
    X, y = np.array([[0.5], [1.0], [1.5], [2.0]]), np.array([0, 1, 0, 1])
    with pytest.warns(ConvergenceWarning, match="not converged after 2 steps"):
        path = LogisticRegression(penalty=None, method="descent", learning_rate=0.4, max_iter=2).fit(X, y).path_
    assert isinstance(path, Path)
    rows, at = np.column_stack([np.ones(4), X]), np.zeros(2)
    for step in range(3):
        np.testing.assert_allclose(path.parameters[step], at, atol=1e-12)
        at = at - 0.4 * rows.T @ (expit(rows @ at) - y) / 4
    assert path.losses[0] == pytest.approx(np.log(2))
    assert path.names == ("intercept", "x0")
    assert path.chart is not None


def test_the_chart_of_many_rows_is_drawn_from_some_of_each_class():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(9000, 1))
    y = (X[:, 0] + rng.logistic(size=9000) > 4.5).astype(int)  # few of the second class
    weights = rng.integers(1, 4, 9000).astype(float)
    path = LogisticRegression(method="descent", tol=1e-3).fit(X, y, weights).path_
    across, up = (np.linspace(*path.corners[:, at], len(path.chart)) for at in range(2))
    for row, column in ((0, 0), (30, 30), (-1, 20)):
        score = across[column] + up[row] * X[:, 0]
        loss = np.average(np.logaddexp(0, score) - y * score, weights=weights) + 0.5 * up[row] ** 2 / weights.sum()
        assert path.chart[row, column] == pytest.approx(loss, rel=0.05)


def test_a_model_that_refuses_holes_has_a_nomogram(frame):
    model = fitted(frame.dropna(), missing="error")
    drawn = likely.explanations.nomogram(model, for_="yes")
    assert {column.name for column in drawn.columns} == {"age", "港口", "paid"}


def test_a_rate_that_is_too_high_is_told():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 1)) * 50
    y = (X[:, 0] + 50 * rng.logistic(size=60) > 0).astype(int)
    model = LogisticRegression(penalty="l2", strength=100.0, method="descent", learning_rate=10.0, max_iter=50)
    with pytest.warns(ConvergenceWarning, match="learning_rate"):
        model.fit(X, y)


def test_too_few_steps_are_told():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        LogisticRegression(max_iter=2).fit(X, y)


def test_one_class_alone_is_certain():
    model = LogisticRegression().fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]
    assert model.explain([[5.0]]).terms.tolist() == [[[0.0], [0.0]]]
    assert model.interval([[5.0]]).tolist() == [[[1.0, 1.0]]]


def test_penalty_in_units_of_the_mean_loss():
    X, y = load_iris(return_X_y=True)
    ridge = LogisticRegression(strength=3.0).fit(X, y)
    assert ridge.penalty_value() == pytest.approx(1.5 * (ridge.coef_**2).sum() / 150)
    lasso = LogisticRegression(penalty="l1", strength=3.0).fit(X, y)
    assert lasso.penalty_value() == pytest.approx(3.0 * np.abs(lasso.coef_).sum() / 150)
    losses = -np.log(lasso.predict_proba(X)[np.arange(150), y]).mean()
    assert lasso.model_.loss / 150 == pytest.approx(losses + lasso.penalty_value(), rel=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert LogisticRegression(penalty=None).fit(X, y).penalty_value() == 0.0


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"penalty": "l3"}, "O605"),
        ({"penalty": 2}, "O605"),
        ({"strength": -1}, "O606"),
        ({"strength": float("nan")}, "O606"),
        ({"strength": "much"}, "O606"),
        ({"method": "neuton"}, "O607"),
        ({"method": "descent", "penalty": "l1"}, "O608"),
        ({"coding": "dummy"}, "O601"),
        ({"learning_rate": 0.0}, "O602"),
        ({"max_iter": 0}, "O603"),
        ({"tol": -1.0}, "O604"),
    ],
)
def test_refusals(options, code):
    with pytest.raises(LikelyError) as caught:
        LogisticRegression(**options).fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    assert caught.value.code == code
    assert caught.value.hint


@pytest.mark.parametrize("level", [0, 1, "high", None, True])
def test_levels_that_are_none(level):
    model = LogisticRegression().fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    for ask in (lambda: model.interval([[1.0]], level=level), lambda: model.coefficients_.at(level)):
        with pytest.raises(LikelyError) as caught:
            ask()
        assert caught.value.code == "O116"


def test_files_bring_all_of_it_back(frame, tmp_path):
    for options in ({}, {"method": "descent", "max_iter": 3}):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = fitted(frame, **options)
        model.save(tmp_path / "model")
        again, X = likely.load(tmp_path / "model"), frame.drop(columns="ill")
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        np.testing.assert_array_equal(again.interval(X), model.interval(X))
        assert repr(again) == repr(model)
        assert repr(again.coefficients_) == repr(model.coefficients_)
        assert repr(again.path_) == repr(model.path_)


def test_the_nomogram_reads_the_probability(frame):
    model = fitted(frame)
    drawn, X = likely.explanations.nomogram(model, for_="yes"), frame.drop(columns="ill")
    np.testing.assert_allclose(
        drawn.probability(drawn.score(model.explain(X))), model.predict_proba(X)[:, 1], atol=1e-9
    )
    assert {column.name for column in drawn.columns} == {"age", "港口", "paid"}
    assert drawn.plot() is not None


def test_intervals_that_were_not_reckoned_are_refused():
    from dataclasses import replace

    model = LogisticRegression().fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    model.model_ = replace(model.model_, covariance=np.zeros((0, 0)))
    assert "sd" not in repr(model.coefficients_)
    with pytest.raises(LikelyError) as caught:
        model.interval([[1.0]])
    assert caught.value.code == "M378"


@pytest.mark.parametrize("penalty", [None, "l2"])
def test_errors_of_more_classes_are_against_the_average(penalty):
    """What moves all scores alike is not told apart by any row: the pseudo-inverse leaves it out."""
    X, y = load_iris(return_X_y=True)
    X, y = X[:, :2], np.roll(y, 20)  # some labels are wrong, so that nothing separates them
    model = LogisticRegression(penalty=penalty, strength=0.5).fit(X, y)
    share, design = model.predict_proba(X), np.column_stack([X, np.ones(len(X))])
    bends = np.einsum("nk,nkl,ni,nj->kilj", share, np.eye(3) - share[:, None], design, design).reshape(9, 9)
    ridge = np.tile([0.0 if penalty is None else 0.5] * 2 + [0.0], 3)
    about = np.kron(np.eye(3) - 1 / 3, np.eye(3))
    wanted = about @ np.linalg.pinv(bends + np.diag(ridge), rcond=1e-12) @ about
    found = np.roll(model.coefficients_.errors, -1, axis=1).ravel()
    np.testing.assert_allclose(found**2, np.diag(wanted), rtol=1e-5)
