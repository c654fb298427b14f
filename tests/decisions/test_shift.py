"""Prior shift: against brute-force maximum likelihood, the published EM written out, and known shifts in simulation."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar
from scipy.stats import chi2, kstest, norm

import likely
from likely.decisions import decide, estimate_priors, reweigh
from likely.errors import LikelyError


def drawn(seed: int, rows: int, true: Any, old: Any, apart: float = 1.5) -> tuple[np.ndarray, np.ndarray]:
    """Posteriors under the old priors of rows that come under the true ones; normals `apart` from each other."""
    rng = np.random.default_rng(seed)
    y = rng.choice(len(true), size=rows, p=true)
    x = rng.normal(apart * y, 1)
    joint = np.asarray(old) * norm.pdf(x[:, None], apart * np.arange(len(true)), 1)
    return joint / joint.sum(axis=1, keepdims=True), y


def likelihood(priors: Any, proba: np.ndarray, old: Any, weights: Any = 1.0) -> float:
    return float(np.sum(weights * np.log(proba @ (np.asarray(priors) / np.asarray(old)))))


@pytest.mark.parametrize("true", [[0.9, 0.1], [0.5, 0.5], [0.02, 0.98]])
@pytest.mark.parametrize("apart", [0.5, 1.5, 4.0])
def test_two_classes_against_a_line_search(true: list[float], apart: float) -> None:
    old = [0.3, 0.7]
    proba, _ = drawn(1, 400, true, old, apart)
    found = estimate_priors(proba, old)
    best = minimize_scalar(
        lambda p: -likelihood([p, 1 - p], proba, old), bounds=(0, 1), method="bounded", options={"xatol": 1e-10}
    )
    assert found.converged
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-7)
    assert found.log_likelihood >= -best.fun - 1e-9
    assert found.priors[0] == pytest.approx(best.x, abs=1e-4)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [3, 5])
def test_many_classes_against_scipy(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    old, true = rng.dirichlet(np.full(size, 5)), rng.dirichlet(np.full(size, 1))
    proba, _ = drawn(seed, 300, true, old, 1.2)
    weights = rng.integers(0, 4, 300)
    found = estimate_priors(proba, old, weights=weights)
    best = minimize(
        lambda p: -likelihood(p, proba, old, weights),
        np.full(size, 1 / size),
        jac=lambda p: -(weights / (proba @ (p / old))) @ (proba / old),
        bounds=[(0, 1)] * size,
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(size)},
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-13},
    )
    assert found.converged
    assert found.log_likelihood >= -best.fun - 1e-7
    assert found.log_likelihood == pytest.approx(likelihood(found.priors, proba, old, weights), abs=1e-9)
    assert np.abs(found.priors - best.x).max() < 2e-3


def test_the_published_steps_lead_to_the_same_priors() -> None:
    old = np.array([0.2, 0.3, 0.5])
    proba, _ = drawn(3, 500, [0.6, 0.3, 0.1], old, 2.5)
    priors = old
    for _ in range(5000):
        priors = reweigh(proba, old, priors).mean(axis=0)
    assert estimate_priors(proba, old).priors == pytest.approx(priors, abs=1e-9)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 4), st.floats(0.1, 3))
def test_the_likelihood_never_falls_and_ends_at_the_top(seed: int, size: int, apart: float) -> None:
    rng = np.random.default_rng(seed)
    old, true = rng.dirichlet(np.ones(size) * 3), rng.dirichlet(np.ones(size))
    proba, _ = drawn(seed, 60, true, old, apart)
    path = [estimate_priors(proba, old, iterations=most).log_likelihood for most in range(1, 12)]
    assert path[0] >= -1e-12
    assert (np.diff(path) >= -1e-11).all()
    whole = estimate_priors(proba, old)
    assert whole.log_likelihood >= path[-1] - 1e-11
    assert whole.priors.sum() == pytest.approx(1, abs=1e-12)
    others = rng.dirichlet(np.ones(size), 200)
    assert max(likelihood(p, proba, old) for p in others) <= whole.log_likelihood + 1e-7


@pytest.mark.parametrize("true", [[0.9, 0.05, 0.05], [0.1, 0.2, 0.7]])
def test_a_known_shift_is_recovered(true: list[float]) -> None:
    old = [1 / 3, 1 / 3, 1 / 3]
    proba, y = drawn(7, 6000, true, old, 2.0)
    found = estimate_priors(proba, old, ["a", "b", "c"])
    assert np.abs(found.priors - np.bincount(y) / len(y)).max() < 0.03
    assert found.p_value < 1e-12
    assert (found.interval()[:, 0] < true).all()
    assert (found.interval()[:, 1] > true).all()
    blind = (decide(proba, [0, 1, 2]) == y).mean()
    adjusted = (decide(proba, [0, 1, 2], priors=found.priors, learnt=old) == y).mean()
    assert adjusted > blind + 0.02


def test_without_a_shift_the_p_values_are_even() -> None:
    old = [0.3, 0.7]
    values = [estimate_priors(drawn(seed, 300, old, old)[0], old).p_value for seed in range(300)]
    assert kstest(values, "uniform").pvalue > 0.01


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    old, true = [0.5, 0.5], [0.2, 0.8]
    held = 0
    for seed in range(200):
        low, high = estimate_priors(drawn(seed, 200, true, old)[0], old).interval(0.9)[0]
        held += low <= true[0] <= high
    assert 0.84 < held / 200 < 0.96


def test_the_interval_is_where_the_profile_falls_by_half_the_quantile() -> None:
    old = [0.3, 0.7]
    proba, _ = drawn(2, 150, [0.6, 0.4], old)
    found = estimate_priors(proba, old)
    low, high = found.interval(0.95)[0]
    for limit in (low, high):
        assert 2 * (found.log_likelihood - likelihood([limit, 1 - limit], proba, old)) == pytest.approx(
            chi2.ppf(0.95, 1), abs=1e-4
        )
    assert found.interval(0.95)[1] == pytest.approx([1 - high, 1 - low], abs=1e-6)
    three, _ = drawn(5, 150, [0.6, 0.3, 0.1], [0.3, 0.3, 0.4])
    bounds = estimate_priors(three, [0.3, 0.3, 0.4]).interval(0.95)
    grid = np.array([(a, b) for a in np.linspace(0, 1, 81) for b in np.linspace(0, 1, 81) if a + b <= 1])
    peak = estimate_priors(three, [0.3, 0.3, 0.4]).log_likelihood
    heights = np.array([likelihood([a, b, 1 - a - b], three, [0.3, 0.3, 0.4]) for a, b in grid])
    inside = grid[2 * (peak - heights) <= chi2.ppf(0.95, 1)]
    assert bounds[0] == pytest.approx([inside[:, 0].min(), inside[:, 0].max()], abs=0.02)


def test_weights_count_rows() -> None:
    proba, _ = drawn(4, 80, [0.6, 0.4], [0.5, 0.5])
    counts = np.random.default_rng(0).integers(0, 4, 80)
    weighted = estimate_priors(proba, [0.5, 0.5], weights=counts)
    repeated = estimate_priors(np.repeat(proba, counts, axis=0), [0.5, 0.5])
    assert weighted.priors == pytest.approx(repeated.priors, abs=1e-9)
    assert weighted.log_likelihood == pytest.approx(repeated.log_likelihood, abs=1e-9)
    assert weighted.p_value == pytest.approx(repeated.p_value)


def test_rows_that_leave_no_doubt_are_counted() -> None:
    found = estimate_priors(np.repeat(np.eye(3), [5, 3, 2], axis=0), [0.1, 0.1, 0.8])
    assert found.priors == pytest.approx([0.5, 0.3, 0.2], abs=1e-12)
    assert found.converged
    assert (found.interval()[:, 0] < found.priors).all()
    assert (found.interval()[:, 1] > found.priors).all()


def test_rows_that_say_nothing_move_nothing() -> None:
    found = estimate_priors(np.tile([0.3, 0.7], (20, 1)), [0.3, 0.7])
    assert found.priors == pytest.approx([0.3, 0.7])
    assert (found.log_likelihood, found.p_value, found.converged) == (pytest.approx(0, abs=1e-12), 1.0, True)
    assert found.interval().tolist() == [[0, 1], [0, 1]]


def test_all_of_one_class() -> None:
    found = estimate_priors([[1.0, 0.0]] * 30, [0.5, 0.5])
    assert found.priors == pytest.approx([1, 0], abs=1e-9)
    low, high = found.interval(0.95)[0]
    assert (high, low) == (1.0, pytest.approx(np.exp(-chi2.ppf(0.95, 1) / 60), abs=1e-6))


def test_one_class_and_a_class_that_was_ruled_out() -> None:
    one = estimate_priors([[1.0], [1.0]], [1.0])
    assert (one.priors.tolist(), one.p_value, one.interval().tolist()) == ([1.0], 1.0, [[1.0, 1.0]])
    two = estimate_priors([[0.9, 0.0, 0.1]] * 3 + [[0.2, 0.0, 0.8]] * 9, [0.5, 0, 0.5])
    assert two.priors[1] == 0
    assert two.interval()[1].tolist() == [0, 0]
    assert two.priors[[0, 2]] == pytest.approx(
        estimate_priors([[0.9, 0.1]] * 3 + [[0.2, 0.8]] * 9, [1, 1]).priors, abs=1e-9
    )


def test_extreme_old_priors_do_not_overflow() -> None:
    found = estimate_priors([[1.0, 1e-300]] * 4 + [[1e-300, 1.0]] * 4, [1.0, 1e-308])
    # Under the second class even the first rows are 1e8 times as likely as under the first.
    assert found.converged
    assert found.priors == pytest.approx([0, 1], abs=1e-7)
    assert np.isfinite(found.log_likelihood)
    for old in ([1, 5e-324], [1, 1e-310]):
        found = estimate_priors([[1.0, 0.0], [0.0, 1.0]], old)
        assert found.priors == pytest.approx([0.5, 0.5])
        assert found.converged
        assert (np.diff(found.interval(), axis=1) > 0.5).all()


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 100_000), st.floats(-3, 3), st.floats(-1, 1))
def test_converges_from_hazy_to_certain_rows_and_for_twins(seed: int, spread: float, evenness: float) -> None:
    """Also where two classes are the same, so that their shares cannot be told apart."""
    rng = np.random.default_rng(seed)
    size, rows = rng.integers(2, 10), rng.integers(1, 40)
    old = rng.dirichlet(np.full(size, 10.0**evenness)) + 1e-9
    log_ratios = rng.normal(0, 10.0**spread, (rows, size))
    log_ratios[:, 1] = log_ratios[:, 0]
    joint = log_ratios + np.log(old)
    proba = np.exp(joint - joint.max(axis=1, keepdims=True))
    found = estimate_priors(proba / proba.sum(axis=1, keepdims=True), old)
    assert found.converged
    assert found.iterations < 200
    assert found.log_likelihood >= -1e-9
    low, high = found.interval().T
    assert (low <= found.priors + 1e-6).all()
    assert (high >= found.priors - 1e-6).all()


def test_with_a_model_of_likely() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(2000, 2)) + np.repeat([[0, 0], [1.5, 1]], 1000, axis=0)
    y = np.repeat(["no", "yes"], 1000)
    model = likely.NaiveBayes().fit(X, y)
    few = np.concatenate([X[:1000], X[1000:1100]]) + rng.normal(0, 1e-9, (1100, 2))
    found = estimate_priors(model.predict_proba(few), np.exp(model.model_.log_prior), model.classes_)
    assert found.priors[1] == pytest.approx(100 / 1100, abs=0.03)
    assert found.classes == ("no", "yes")
    assert model.with_priors(found.priors).predict_proba(few).mean(axis=0) == pytest.approx(found.priors, abs=1e-9)
    assert json.loads(json.dumps(found.to_dict()))["priors"]["yes"] == found.priors[1]
    assert "yes  0.5000 -> 0.0" in repr(found)


def test_an_end_too_early_is_said() -> None:
    proba, _ = drawn(1, 200, [0.6, 0.3, 0.1], [0.2, 0.2, 0.6])
    early = estimate_priors(proba, [0.2, 0.2, 0.6], iterations=1)
    assert not early.converged
    assert "not converged after 1" in repr(early)


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        (lambda: estimate_priors([[0.5, 0.5]], [1, 0]), "O306"),
        (lambda: estimate_priors([[0.5, 0.5]], None), "O305"),
        (lambda: estimate_priors([[0.5, 0.5]], {"a": 1, "b": 1}), "O305"),
        (lambda: estimate_priors([[0.5, 0.5]], {"a": 1, "c": 1}, ["a", "b"]), "O107"),
        (lambda: estimate_priors(np.empty((0, 2)), [1, 1]), "D117"),
        (lambda: estimate_priors([[float("nan"), 0.5]], [1, 1]), "O324"),
        (lambda: estimate_priors([[0.5, 0.5]], [1, 1], weights=[-1]), "D113"),
        (lambda: estimate_priors([[0.5, 0.5]], [1, 1], weights=[0]), "D123"),
        (lambda: estimate_priors([[0.5, 0.5]], [1, 1], weights=[1, 2]), "D122"),
        (lambda: estimate_priors([[0.5, 0.5]], [1, 1], weights=["x"]), "D129"),
        (lambda: estimate_priors([[0.5, 0.5]], [1, 1], iterations=0), "O319"),
        (lambda: estimate_priors([[0.5, 0.5]], [1, 1]).interval(95), "O316"),
    ],
)
def test_refused(deed: Any, code: str) -> None:
    with pytest.raises(LikelyError) as caught:
        deed()
    assert caught.value.code == code
    assert caught.value.place
    assert caught.value.hint


def test_weights_of_any_size_end_where_weights_of_one_do() -> None:
    """Heavy rows left no share at all, then NaN; and limits closer together than their likelihood is rounded."""
    proba, _ = drawn(3, 40, [0.7, 0.2, 0.1], [1 / 3] * 3)
    plain = estimate_priors(proba, [1 / 3] * 3)
    for size in (1e-300, 1e-8, 1e8, 1e150, 1e300):
        heavy = estimate_priors(proba, [1 / 3] * 3, weights=np.full(40, size))
        assert heavy.converged
        assert heavy.iterations < 50
        np.testing.assert_allclose(heavy.priors, plain.priors, atol=1e-5)
        low, high = heavy.interval().T
        assert ((low <= heavy.priors + 1e-6) & (heavy.priors <= high + 1e-6)).all()


def test_a_likelihood_that_rounding_makes_negative_has_a_p_value() -> None:
    proba = drawn(0, 20, [0.5, 0.5], [0.5, 0.5])[0]
    found = replace(estimate_priors(proba, [0.5, 0.5]), log_likelihood=-1e-12)
    assert found.p_value == 1.0
