"""Risk: against explicit sums, the Bayes error of known densities by quadrature, and the loss that is paid."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.integrate import quad
from scipy.stats import norm

from likely.decisions import decide, expected_error, expected_risk, judge, reweigh
from likely.errors import LikelyError, OptionError


def posterior(x: np.ndarray, first: float, means: tuple[float, float], spreads: tuple[float, float]) -> np.ndarray:
    joint = np.stack(
        [first * norm.pdf(x, means[0], spreads[0]), (1 - first) * norm.pdf(x, means[1], spreads[1])], axis=1
    )
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


@pytest.mark.parametrize(
    ("first", "means", "spreads"), [(0.5, (0, 2), (1, 1)), (0.9, (0, 2), (1, 1)), (0.3, (0, 1), (1, 2.5))]
)
def test_bayes_error_of_two_known_normals(
    first: float, means: tuple[float, float], spreads: tuple[float, float]
) -> None:
    def lesser(x: float) -> float:
        return min(first * norm.pdf(x, means[0], spreads[0]), (1 - first) * norm.pdf(x, means[1], spreads[1]))

    truth = sum(quad(lesser, a, a + 1, epsabs=1e-12)[0] for a in range(-30, 30))
    grid = np.linspace(-30, 30, 200_001)
    density = first * norm.pdf(grid, means[0], spreads[0]) + (1 - first) * norm.pdf(grid, means[1], spreads[1])
    assert expected_error(posterior(grid, first, means, spreads), density) == pytest.approx(truth, abs=1e-8)
    if first == 0.5:
        assert truth == pytest.approx(norm.cdf(-1), abs=1e-9)
    rng = np.random.default_rng(0)
    y = (rng.random(40_000) > first).astype(int)
    x = rng.normal(np.take(means, y), np.take(spreads, y))
    proba = posterior(x, first, means, spreads)
    assert expected_error(proba) == pytest.approx(truth, abs=4 * 0.5 / 200)
    assert (decide(proba, [0, 1]) != y).mean() == pytest.approx(truth, abs=4 * 0.5 / 200)


def test_bayes_error_keeps_what_one_minus_the_largest_would_lose() -> None:
    assert expected_error([[1.0, 1e-20]]) == 1e-20


def test_bayes_error_by_hand() -> None:
    assert expected_error([[0.9, 0.1], [0.25, 0.75]]) == pytest.approx(0.175)
    assert expected_error([[0.9, 0.1], [0.25, 0.75]], weights=[3, 1]) == pytest.approx(0.1375)
    assert expected_error([[1.0]]) == 0


@settings(deadline=None)
@given(st.integers(1, 4), st.integers(1, 6), st.none() | st.integers(0, 5), st.data())
def test_expected_and_paid_against_explicit_sums(size: int, rows: int, reject: int | None, data: Any) -> None:
    counts = data.draw(arrays(np.int64, (rows, size), elements=st.integers(1, 9)))
    proba = counts / counts.sum(axis=1, keepdims=True)
    loss = data.draw(arrays(np.float64, (size, size), elements=st.integers(-6, 9)))
    y = data.draw(st.lists(st.integers(0, size - 1), min_size=rows, max_size=rows))
    weights = data.draw(st.lists(st.integers(1, 5), min_size=rows, max_size=rows))
    judged = judge(proba, list(range(size)), loss, reject, y, weights)
    expected, paid, idle, total = 0.0, 0.0, 0.0, sum(weights)
    for row in range(rows):
        risks = [sum(proba[row, t] * loss[t, d] for t in range(size)) for d in range(size)]
        action = judged.actions[row]
        assert judged.expected[row] == pytest.approx(min([*risks, *([] if reject is None else [reject])]), abs=1e-12)
        expected += weights[row] * judged.expected[row] / total
        paid += weights[row] * (reject if action is None else loss[y[row], action]) / total
        idle += weights[row] * (action is None) / total
    assert judged.expected_risk == pytest.approx(expected, abs=1e-12)
    assert expected_risk(proba, list(range(size)), loss, reject, weights) == judged.expected_risk
    assert judged.risk == pytest.approx(paid, abs=1e-12)
    assert judged.abstained == pytest.approx(idle, abs=1e-12)
    actions = decide(proba, list(range(size)), loss, reject)
    assert judged.actions.tolist() == actions.tolist()


def test_right_probabilities_pay_what_they_expect() -> None:
    rng = np.random.default_rng(3)
    proba = rng.dirichlet([0.7, 0.7, 0.7], 60_000)
    y = (proba.cumsum(axis=1) > rng.random((60_000, 1))).argmax(axis=1)
    loss = [[0, 1, 4], [2, 0, 1], [9, 3, 0]]
    judged = judge(proba, [0, 1, 2], loss, 0.4, y)
    assert judged.risk == pytest.approx(judged.expected_risk, abs=0.02)
    assert judged.expected_risk < expected_risk(proba, [0, 1, 2], loss)


def test_words_and_plain_python() -> None:
    judged = judge([[0.9, 0.1], [0.55, 0.45]], np.array([3, 7]), reject=0.2, y=[7.0, 3.0])
    told = json.loads(json.dumps(judged.to_dict(), allow_nan=False))
    assert told["actions"] == [3, None]
    assert told["paid"] == [1, 0.2]
    assert "50.0% abstained" in repr(judged)
    silent = judge([[0.9, 0.1]], ["a", "b"])
    assert silent.risk is None
    assert silent.to_dict()["paid"] is None
    assert "paid" not in repr(silent)


def test_new_priors_are_judged_too() -> None:
    before = judge([[0.6, 0.4]], ["a", "b"])
    after = judge([[0.6, 0.4]], ["a", "b"], priors={"a": 0.1, "b": 0.9}, learnt=[0.5, 0.5])
    assert before.actions.tolist() == ["a"]
    assert after.actions.tolist() == ["b"]
    assert after.expected[0] == pytest.approx(0.06 / (0.06 + 0.36))


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        (lambda: expected_error(np.empty((0, 2))), "D117"),
        (lambda: expected_error([[0.5, 0.5]], [float("nan")]), "D113"),
        (lambda: judge([[0.5, 0.5]], ["yes", "no"], y=["yse"]), "O321"),
        (lambda: judge([[0.5, 0.5]], ["yes", "no"], y=[None]), "D105"),
        (lambda: judge([[0.5, 0.5]], ["yes", "no"], y=["yes", "no"]), "O323"),
        (lambda: judge([[0.5, 0.5]], ["yes", "no"], priors=[1, 1]), "O304"),
        (lambda: expected_risk([[0.5, 0.5]], ["yes", "no"], "hinge"), "O301"),
        (lambda: expected_risk([[0.5, 0.5]], ["yes", "no"], reject=-1), "O113"),
    ],
)
def test_refused(deed: Any, code: str) -> None:
    with pytest.raises(LikelyError) as caught:
        deed()
    assert caught.value.code == code
    assert caught.value.place
    assert caught.value.hint


def test_expected_risk_under_other_priors() -> None:
    proba, classes, priors = np.array([[0.5, 0.5], [0.9, 0.1]]), ["a", "b"], {"a": 0.1, "b": 0.9}
    there = expected_risk(proba, classes, reject=0.2, priors=priors, learnt=[0.5, 0.5])
    assert there == expected_risk(reweigh(proba, [0.5, 0.5], priors, classes), classes, reject=0.2)
    with pytest.raises(OptionError, match="O304"):
        expected_risk(proba, classes, priors=priors)
