"""Separated classes are found, named and said; those that overlap are left alone."""

import itertools
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize
from scipy.optimize import linprog

from likely.companions.regression.log_loss import LogLoss
from likely.companions.regression.separation import separation
from likely.errors import SeparationWarning, SingularWarning
from likely.estimators.companions.logistic_regression import LogisticRegression


def found(X, y, classes=2, at=None):
    X = np.asarray(X, dtype=np.float64)
    loss = LogLoss(X, np.asarray(y, dtype=np.int32), None, X.mean(axis=0), classes)
    at = np.zeros(loss.size) if at is None else at
    return separation(loss, at, [f"x{j}" for j in range(X.shape[1])], [f"c{k}" for k in range(classes)])


def by_all_rows(X, y, classes):
    """None, 'quasi' or 'complete': one linear programme over every row and every other class at once."""
    rows = np.column_stack([X, np.ones(len(X))])
    width, walls = rows.shape[1], []
    for row, own in zip(rows, y, strict=True):
        for other in set(range(classes)) - {own}:
            wall = np.zeros((classes, width))
            wall[own], wall[other] = row, -row
            walls.append(wall.ravel())
    walls, bounds = np.array(walls), [(-1, 1)] * (classes * width)
    if -linprog(-walls.sum(axis=0), A_ub=-walls, b_ub=np.zeros(len(walls)), bounds=bounds).fun <= 1e-7:
        return None
    least = np.column_stack([-walls, np.ones(len(walls))])
    goal = np.append(np.zeros(classes * width), -1.0)
    best = -linprog(goal, A_ub=least, b_ub=np.zeros(len(walls)), bounds=[*bounds, (0, 1)]).fun
    return "complete" if best > 1e-7 else "quasi"


@settings(derandomize=True, deadline=None, max_examples=80)
@given(
    st.integers(2, 3).flatmap(
        lambda k: st.tuples(
            st.just(k),
            st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(0, k - 1)), min_size=4, max_size=14),
        )
    )
)
def test_as_one_programme_over_all_rows_says(drawn):
    classes, rows = drawn
    X, y = np.array(rows)[:, :2].astype(float), np.array(rows)[:, 2]
    if len(set(y)) < classes:
        return
    mine, theirs = found(X, y, classes), by_all_rows(X, y, classes)
    assert (None if mine is None else "complete" if mine.complete else "quasi") == theirs


def test_complete_separation_by_one_column():
    with pytest.warns(
        SeparationWarning, match=r"completely separated, 'x0' alone tells '1' from the rest.*penalty='l2'"
    ):
        model = LogisticRegression(penalty=None).fit([[0.5, 1], [1.0, 2], [2.0, 1], [2.5, 2.0]], [0, 0, 1, 1])
    assert any("completely separated" in note.text for note in model.notes_)
    assert model.predict([[0.4, 1], [2.6, 2]]).tolist() == [0, 1]


def test_separation_but_for_ties_names_the_level():
    frame = pd.DataFrame({"port": list("ABABABC"), "age": [1.0, 2, 3, 4, 5, 6, 3.5]})
    with pytest.warns(SeparationWarning, match=r"quasi-completely.*'port\[C\]' alone tells 'yes'"):
        LogisticRegression(penalty=None).fit(frame, ["no", "yes", "yes", "no", "no", "yes", "yes"])


def test_columns_that_separate_only_together():
    X = np.array(list(itertools.product(range(4), range(4))), dtype=float)
    told = found(X, X.sum(axis=1) > 3)
    assert told is not None
    assert told.complete
    assert not told.alone
    assert told.columns == ("x0", "x1")
    assert "'x0', 'x1' together" in told.words


def test_many_rows_are_looked_at_a_few_at_a_time():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30_000, 4))
    score = X @ [1.0, -2.0, 0.5, 0.0]
    kept = np.abs(score) > 0.02
    assert found(X[kept], score[kept] > 0).complete
    y = score > 0
    y[7] = not y[7]
    assert found(X, y) is None


def test_many_classes_are_told_apart_in_little_room():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(6000, 3))
    scores = X @ rng.normal(size=(3, 12))
    kept = np.ptp(np.partition(scores, -2, axis=1)[:, -2:], axis=1) > 0.02
    X, y = X[kept], np.unique(scores[kept].argmax(axis=1), return_inverse=True)[1]
    tracemalloc.start()
    assert found(X, y, y.max() + 1).complete
    y[5] = (y[5] + 1) % (y.max() + 1)
    assert found(X, y, y.max() + 1) is None
    assert tracemalloc.get_traced_memory()[1] < 60 << 20
    tracemalloc.stop()


@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_a_penalty_keeps_coefficients_finite_and_says_nothing(penalty):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LogisticRegression(penalty=penalty).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    assert 0 < model.coef_[0, 0] < 10
    assert model.notes_ == () or all("separated" not in note.text for note in model.notes_)


def test_three_classes_of_which_one_stands_apart():
    X = np.array([[0.0], [1], [0], [1], [5], [6]])
    told = found(X, [0, 0, 1, 1, 2, 2], 3)
    assert told is not None
    assert not told.complete
    assert ("x0", "c2") in told.alone


def test_columns_that_follow_from_each_other_are_named():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] + rng.logistic(size=60) > 0).astype(int)
    double = np.column_stack([X, 2 * X[:, 0] - X[:, 1], np.full(60, 7.0)])
    with pytest.warns(SingularWarning, match="'x0', 'x1', 'x2' follow from each other"):
        model = LogisticRegression(penalty=None).fit(double, y)
    plain = LogisticRegression(penalty=None).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(double), plain.predict_proba(X), atol=1e-9)
    end = np.array([2.0, -1.0, -1.0])  # along which nothing changes: the smallest coefficients have no part of it
    assert model.coef_[0, :3] @ end == pytest.approx(0.0, abs=1e-9)
    assert model.coef_[0, 3] == 0.0
    wide = np.linalg.lstsq(double[:, :3], double[:, :3] @ model.coef_[0, :3], rcond=None)[0]
    np.testing.assert_allclose(model.coef_[0, :3], wide, atol=1e-9)


def test_programmes_of_many_classes_take_a_bounded_number_of_pivots(monkeypatch):
    """Two hundred rows that are a class each took thirty programmes, and minutes."""
    taken, solve = [], optimize.linprog

    def counted(*what, **options):
        answer = solve(*what, **options)
        taken.append(int(answer.nit))
        return answer

    monkeypatch.setattr(optimize, "linprog", counted)
    monkeypatch.setattr("likely.companions.regression.separation.MOST_PIVOTS", 2000)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    assert found(X, np.arange(200), 200).complete is None  # it is not said what was not found out
    assert sum(taken) < 2 * 2000 + 200
    told = found(
        X,
        np.arange(200),
        200,
        at=np.column_stack([2 * (X - X.mean(axis=0)), -((X - X.mean(axis=0)) ** 2).sum(axis=1)]).ravel(),
    )
    assert told is not None  # each is nearest to itself, which the start shows by itself
    assert told.complete


def test_what_the_solver_could_not_tell_is_not_said(monkeypatch):
    """A programme that met numerical difficulties was taken to say that no direction separates all rows."""
    solve, calls = optimize.linprog, []

    def failing(*what, **options):
        calls.append(1)
        answer = solve(*what, **options)
        if len(calls) == 1:
            answer.status, answer.x, answer.fun = 4, None, None
        return answer

    monkeypatch.setattr(optimize, "linprog", failing)
    X = np.random.default_rng(0).normal(size=(40, 2))
    told = found(X, (X[:, 0] > 0).astype(int), 2)
    assert told is not None
    assert told.complete is None
