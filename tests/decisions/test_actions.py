"""Actions: least expected loss against explicit sums, thresholds against brute force, and beliefs left alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_iris

import likely
from likely.decisions import (
    decide,
    decide_above,
    estimate_priors,
    expected_error,
    expected_risk,
    judge,
    neyman_pearson,
    reweigh,
    thresholds,
)
from likely.errors import OptionError

NAMES = np.array(["a", "b", "c", "d"])
COST = st.integers(-8, 8)


@st.composite
def tables(draw: Any, classes: int | None = None) -> np.ndarray:
    """Probabilities with small denominators, so that ties are common."""
    size = draw(st.integers(1, 4)) if classes is None else classes
    counts = draw(arrays(np.int64, st.tuples(st.integers(1, 8), st.just(size)), elements=st.integers(0, 4)))
    counts[counts.sum(axis=1) == 0] = 1
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


@settings(deadline=None)
@given(tables(), st.data())
def test_decide_is_the_least_of_explicit_sums(proba: np.ndarray, data: Any) -> None:
    size = proba.shape[1]
    loss = data.draw(arrays(np.float64, (size, size), elements=COST))
    reject = data.draw(st.none() | st.integers(0, 8))
    for row, action in zip(proba, decide(proba, NAMES[:size], loss, reject), strict=True):
        risks = [sum(row[true] * loss[true, decided] for true in range(size)) for decided in range(size)]
        if action is None:
            assert reject is not None
            assert min(risks) > reject - 1e-12
        else:
            assert risks[NAMES.tolist().index(action)] <= min(risks) + 1e-12
            assert reject is None or min(risks) <= reject + 1e-12


@settings(deadline=None)
@given(tables())
def test_without_a_loss_the_likeliest_is_decided_also_in_ties(proba: np.ndarray) -> None:
    size = proba.shape[1]
    assert (decide(proba, NAMES[:size]) == NAMES[proba.argmax(axis=1)]).all()


def test_chow_abstains_where_the_largest_is_below_one_minus_the_cost() -> None:
    proba = np.array([[0.75, 0.25], [0.5, 0.5], [0.74, 0.26], [0.2, 0.8]])
    assert decide(proba, ["n", "y"], reject=0.25).tolist() == ["n", None, None, "y"]


def test_answers_come_in_the_type_of_the_classes() -> None:
    proba = [[0.9, 0.1], [0.2, 0.8]]
    for classes in (np.array([3, 7]), np.array([False, True]), np.array([0.5, 1.5]), np.array(["x", "y"])):
        answers = decide(proba, classes)
        assert answers.dtype == classes.dtype
        assert (answers == classes).all()
        assert decide(proba, classes, reject=0.15).tolist() == [classes.tolist()[0], None]


def test_one_class_and_no_rows() -> None:
    assert decide([[1.0], [1.0]], ["only"]).tolist() == ["only", "only"]
    assert decide(np.empty((0, 2)), ["a", "b"]).tolist() == []
    assert decide(np.empty((0, 2)), ["a", "b"], reject=0.1).tolist() == []


def test_the_estimator_decides_the_same() -> None:
    X, y = load_iris(return_X_y=True)
    model = likely.NaiveBayes().fit(X, y)
    loss = {(1, 2): 7}
    assert (model.decide(X, loss, 0.1) == decide(model.predict_proba(X), model.classes_, loss, 0.1)).all()
    assert (model.decide(X) == model.predict(X)).all()


def test_new_priors_at_decision_time_are_those_of_a_refitted_prior() -> None:
    X, y = load_iris(return_X_y=True)
    model = likely.NaiveBayes().fit(X[:, :2], y)
    learnt, now = np.exp(model.model_.log_prior), {0: 0.05, 1: 0.15, 2: 0.8}
    answers = decide(model.predict_proba(X[:, :2]), model.classes_, priors=now, learnt=learnt)
    assert (answers == model.with_priors(now).predict(X[:, :2])).all()
    assert (answers != model.predict(X[:, :2])).any()


@settings(deadline=None, max_examples=300)
@given(arrays(np.float64, (2, 2), elements=COST), st.sampled_from([0, 1]), st.none() | st.integers(0, 8))
def test_thresholds_say_what_decide_does(loss: np.ndarray, at: int, reject: int | None) -> None:
    gain, harm = loss[at, 1 - at] - loss[at, at], loss[1 - at, at] - loss[1 - at, 1 - at]
    assume(not (gain < 0 and harm < 0))
    assume(reject is None or reject >= max(loss[0, 0], loss[1, 1]))
    low, high = thresholds(loss, ["x", "y"], ["x", "y"][at], reject)
    share = np.linspace(0, 1, 241)
    share = share[(np.abs(share - low) > 1e-9) & (np.abs(share - high) > 1e-9)]  # at a limit both cost the same
    proba = np.stack([1 - share, share] if at else [share, 1 - share], axis=1)
    by_limits = decide_above(proba, ["x", "y"], ["x", "y"][at], (low, high))
    risks = proba @ loss
    by_cost = np.array(["x", "y"], dtype=object)[risks.argmin(axis=1)]
    if reject is not None:
        by_cost[risks.min(axis=1) > reject + 1e-12] = None
    indifferent = np.abs(risks[:, 0] - risks[:, 1]) < 1e-12
    same = (by_limits == by_cost) | (indifferent & (by_cost != None) & (by_limits != None))  # noqa: E711
    assert same.all()


def test_known_thresholds() -> None:
    assert thresholds(None, [0, 1]) == (0.5, 0.5)
    assert thresholds({(1, 0): 3}, [0, 1]) == (0.25, 0.25)
    assert thresholds({(1, 0): 3}, [0, 1], positive=0) == (0.75, 0.75)
    assert thresholds([[0, 0], [1, 0]], [0, 1]) == (0.0, 0.0)
    assert thresholds([[0, 1], [0, 1]], [0, 1]) == (float("inf"), float("inf"))
    assert thresholds(None, [0, 1], reject=0.2) == pytest.approx((0.2, 0.8))
    assert thresholds(None, [0, 1], reject=0.7) == (0.5, 0.5)


def test_decide_above() -> None:
    proba = np.array([[0.7, 0.3], [0.9, 0.1], [0.901, 0.099]])
    assert decide_above(proba, ["well", "ill"], "ill", 0.1).tolist() == ["ill", "ill", "well"]
    assert decide_above(proba, np.array([0, 1]), 1, 0.1).dtype.kind == "i"
    assert decide_above(proba, [0, 1], 1, (0.1, 0.3)).tolist() == [1, 0, 0]
    assert decide_above(proba, [0, 1], 1, (0.099, 0.3)).tolist() == [1, None, 0]
    assert decide_above(proba, [0, 1], 0, 0.9).tolist() == [1, 0, 0]


PROBA = np.array([[0.5, 0.5], [0.1, 0.9]])


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        (lambda: decide([0.5, 0.5], ["a", "b"]), "O323"),
        (lambda: decide([["x", "y"]], ["a", "b"]), "O324"),
        (lambda: decide(PROBA, ["a", "b", "c"]), "O323"),
        (lambda: decide([[0.5, float("nan")]], ["a", "b"]), "O324"),
        (lambda: decide([[-0.5, 1.5]], ["a", "b"]), "O324"),
        (lambda: decide([[50, 50]], ["a", "b"]), "O324"),
        (lambda: decide([[float("inf"), 0]], ["a", "b"]), "O324"),
        (lambda: decide(np.empty((3, 0)), []), "O327"),
        (lambda: decide(PROBA, ["a", "a"]), "O327"),
        (lambda: decide(PROBA, "ab"), "O327"),
        (lambda: decide(PROBA, [["a"], ["b"]]), "O327"),
        (lambda: decide(PROBA, np.array("a")), "O327"),
        (lambda: decide(PROBA, ["a", "b"], reject=-1), "O113"),
        (lambda: decide(PROBA, ["a", "b"], reject=float("nan")), "O113"),
        (lambda: decide(PROBA, ["a", "b"], reject="dear"), "O113"),
        (lambda: decide(PROBA, ["a", "b"], priors=[0.1, 0.9]), "O304"),
        (lambda: decide(PROBA, ["a", "b"], priors={"A": 1, "b": 1}, learnt=[1, 1]), "O107"),
        (lambda: decide(PROBA, ["a", "b"], priors={"a": 1}, learnt=[1, 1]), "O106"),
        (lambda: thresholds(None, ["a", "b", "c"], "a"), "O307"),
        (lambda: thresholds(None, ["a"]), "O307"),
        (lambda: thresholds(None, ["a", "b"], "B!"), "O321"),
        (lambda: thresholds([[1, 0], [0, 1]], ["a", "b"]), "O308"),
        (lambda: thresholds([[0, 9], [9, 5]], ["a", "b"], reject=1), "O308"),
        (lambda: thresholds(None, ["a", "b"], reject="x"), "O308"),
        (lambda: decide_above(PROBA, ["a", "b"], "c", 0.5), "O321"),
        (lambda: decide_above(np.full((1, 3), 1 / 3), ["a", "b", "c"], "c", 0.5), "O307"),
        (lambda: decide_above(PROBA, ["a", "b"], "b", "half"), "O309"),
        (lambda: decide_above(PROBA, ["a", "b"], "b", float("nan")), "O309"),
        (lambda: decide_above(PROBA, ["a", "b"], "b", (0.6, 0.4)), "O309"),
        (lambda: decide_above(PROBA, ["a", "b"], "b", (0.6, 0.7, 0.8)), "O309"),
    ],
)
def test_refused(deed: Any, code: str) -> None:
    with pytest.raises(OptionError) as caught:
        deed()
    assert caught.value.code == code
    assert caught.value.place
    assert caught.value.hint


def test_the_row_at_fault_is_named() -> None:
    with pytest.raises(OptionError, match="row 1"):
        decide([[0.5, 0.5], [0.6, 0.6]], ["a", "b"])


def test_belief_and_action_stay_apart() -> None:
    """No decision changes the probabilities that it is made from."""
    proba = np.array([[0.7, 0.3], [0.2, 0.8], [0.5, 0.5]])
    proba.setflags(write=False)
    kept = proba.copy()
    names = ["no", "yes"]
    decide(proba, names, {("yes", "no"): 5}, 0.2, priors=[0.9, 0.1], learnt=[0.5, 0.5])
    decide_above(proba, names, "yes", 0.3)
    reweigh(proba, [0.5, 0.5], [0.9, 0.1])
    estimate_priors(proba, [0.5, 0.5]).interval()
    expected_error(proba)
    expected_risk(proba, names, "squared", 0.1)
    judge(proba, names, reject=0.1, y=["no", "yes", "yes"], priors=[0.9, 0.1], learnt=[0.5, 0.5])
    neyman_pearson(["no", "yes", "yes"], proba[:, 1], "yes", 0.1)
    assert (proba == kept).all()


def test_at_the_cost_of_abstaining_a_class_is_decided() -> None:
    assert decide([[0.7, 0.1, 0.2]], list("abc"), reject=0.3).tolist() == ["a"]
    assert decide([[0.7, 0.3]], list("ab"), reject=0.3).tolist() == ["a"]
    assert decide([[0.7 - 1e-9, 0.3 + 1e-9]], list("ab"), reject=0.3).tolist() == [None]
    assert decide([[0.7, 0.1, 0.2]], list("abc"), 10 * (1 - np.eye(3)), reject=3.0).tolist() == ["a"]
    assert decide([[1.0, 0.0]], list("ab"), reject=0.0).tolist() == ["a"]


@settings(deadline=None, max_examples=200)
@given(st.lists(st.integers(0, 50), min_size=2, max_size=6).filter(any))
def test_chow_at_the_limit_itself(counts: list[int]) -> None:
    """The largest probability is 1 - reject exactly, but for rounding: always decided."""
    proba = np.array([counts]) / sum(counts)
    reject = (sum(counts) - max(counts)) / sum(counts)
    assert decide(proba, range(len(counts)), reject=reject).tolist() == [counts.index(max(counts))]


def test_a_pair_of_numpy_is_a_pair() -> None:
    pair = np.array([0.2, 0.8])
    proba = [[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]]
    assert decide_above(proba, ["n", "y"], "y", pair).tolist() == ["n", None, "y"]
    assert decide_above(proba, ["n", "y"], "y", np.float64(0.5)).tolist() == ["n", "y", "y"]
    for bad in (np.array([[0.2, 0.8]]), np.array([0.1, 0.2, 0.3]), [[0.1], 0.2], 10**400):
        with pytest.raises(OptionError, match="O309"):
            decide_above(proba, ["n", "y"], "y", bad)
