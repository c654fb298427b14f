"""ROC curves: the walk, the area, its interval, the hull, and evidence that is free of priors."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from scipy.special import log_softmax
from scipy.stats import mannwhitneyu, norm
from sklearn import metrics

from likely.errors import LikelyError
from likely.evaluation import (
    CrossValidation,
    Roc,
    Rocs,
    evaluate,
    evaluate_model,
    evidence,
    evidence_of,
    roc,
    roc_of,
    rocs,
)

RNG = np.random.default_rng(5)
ROWS = st.lists(st.tuples(st.booleans(), st.integers(-4, 4)), max_size=30)


def both_sides(rows) -> tuple[np.ndarray, np.ndarray]:
    hits, scores = zip(*[*rows, (True, 1), (False, 0)], strict=True)
    return np.array(hits), np.array(scores, dtype=float)


def some(rows: int = 300, decimals: int = 12) -> tuple[np.ndarray, np.ndarray]:
    hits = RNG.random(rows) < 0.4
    return hits, (RNG.normal(size=rows) + hits).round(decimals)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("decimals", [1, 12])
def test_the_curve_is_scikit_learns(weighted: bool, decimals: int) -> None:
    hits, scores = some(decimals=decimals)
    weights = RNG.uniform(0.1, 2, len(hits)) if weighted else None
    found = roc(hits, scores, True, weights)
    along, up, thresholds = metrics.roc_curve(hits, scores, sample_weight=weights, drop_intermediate=False)
    np.testing.assert_allclose(found.false_positive_rate, along, atol=1e-15)
    np.testing.assert_allclose(found.true_positive_rate, up, atol=1e-15)
    np.testing.assert_array_equal(found.thresholds, thresholds)
    assert found.auc == pytest.approx(metrics.roc_auc_score(hits, scores, sample_weight=weights), rel=1e-12)


def test_a_positive_row_goes_up_and_a_negative_row_goes_right() -> None:
    found = roc(["+", "-", "+"], [3.0, 2.0, 1.0], "+")
    assert found.true_positive_rate.tolist() == [0, 0.5, 0.5, 1]
    assert found.false_positive_rate.tolist() == [0, 0, 1, 1]
    assert found.auc == 0.5


def test_ties_share_one_point() -> None:
    found = roc([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5], 1)
    assert found.true_positive_rate.tolist() == found.false_positive_rate.tolist() == [0, 1]
    assert found.auc == 0.5


@settings(max_examples=200, deadline=None)
@given(ROWS)
def test_the_area_is_mann_whitneys_to_the_last_bit(rows) -> None:
    hits, scores = both_sides(rows)
    up, down = scores[hits], scores[~hits]
    pairs = [Fraction(2 * (a > b) + (a == b), 2) for a in up for b in down]
    found = roc(hits, scores, True)
    assert found.auc == float(sum(pairs) / len(pairs))
    assert found.auc == pytest.approx(mannwhitneyu(up, down).statistic / len(pairs))
    assert (found.positives, found.negatives) == (len(up), len(down))


@settings(max_examples=100, deadline=None)
@given(ROWS)
def test_the_curve_depends_on_the_order_of_scores_alone_and_turns_over_with_the_sides(rows) -> None:
    hits, scores = both_sides(rows)
    found, moved = roc(hits, scores, True), roc(hits, np.exp(scores / 3) - 7, True)
    np.testing.assert_array_equal(found.true_positive_rate, moved.true_positive_rate)
    np.testing.assert_array_equal(found.false_positive_rate, moved.false_positive_rate)
    assert roc(hits, -scores, True).auc == pytest.approx(1 - found.auc, abs=1e-15)
    assert roc(hits, -scores, False).auc == found.auc
    order = RNG.permutation(len(hits))
    np.testing.assert_array_equal(roc(hits[order], scores[order], True).true_positive_rate, found.true_positive_rate)


@settings(max_examples=100, deadline=None)
@given(ROWS, st.integers(0, 2**32 - 1))
def test_weight_two_is_the_row_twice_and_weight_zero_is_no_row(rows, seed: int) -> None:
    hits, scores = both_sides(rows)
    times = np.random.default_rng(seed).integers(0, 4, len(hits))
    times[-2:] = 2
    weighted, repeated = roc(hits, scores, True, times), roc(np.repeat(hits, times), np.repeat(scores, times), True)
    np.testing.assert_array_equal(weighted.thresholds, repeated.thresholds)
    np.testing.assert_allclose(weighted.true_positive_rate, repeated.true_positive_rate)
    assert weighted.auc == pytest.approx(repeated.auc)
    assert weighted.interval() == pytest.approx(repeated.interval(), abs=1e-9)


def delong(hits: np.ndarray, scores: np.ndarray) -> float:
    """The standard error by the definition: every pair, and the sample variances of the placements."""
    won = np.array([[float(a > b) + 0.5 * (a == b) for b in scores[~hits]] for a in scores[hits]])
    return np.sqrt(won.mean(axis=1).var(ddof=1) / hits.sum() + won.mean(axis=0).var(ddof=1) / (~hits).sum())


@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_the_standard_error_is_delongs(decimals: int) -> None:
    hits, scores = some(90, decimals)
    found = roc(hits, scores, True)
    assert found.standard_error == pytest.approx(delong(hits, scores), rel=1e-12)
    half = norm.ppf(0.95) * delong(hits, scores) / (found.auc * (1 - found.auc))
    odds = np.log(found.auc / (1 - found.auc)) + np.array([-half, half])
    assert found.interval(0.9) == pytest.approx(1 / (1 + np.exp(-odds)))


def test_the_area_of_hanley_and_mcneil_1982() -> None:
    """Ratings of 109 CT images; their area is 0.893 with a standard error of 0.032."""
    normal, abnormal = [33, 6, 6, 11, 2], [3, 2, 2, 11, 33]
    found = roc([0] * 58 + [1] * 51, [*np.repeat(range(5), normal), *np.repeat(range(5), abnormal)], 1)
    assert round(found.auc, 3) == 0.893
    assert len(found.thresholds) == 6
    assert found.standard_error == pytest.approx(0.032, abs=0.0015)


def test_intervals_hold_the_true_area_as_often_as_they_say() -> None:
    true, held, trials, rng = norm.cdf(1 / np.sqrt(2)), 0, 1500, np.random.default_rng(7)
    for _ in range(trials):
        scores = np.append(rng.normal(1, 1, 30), rng.normal(0, 1, 40))
        low, high = roc(np.arange(70) < 30, scores, True).interval(0.9)
        held += low <= true <= high
    assert 0.88 <= held / trials <= 0.93


def test_fully_apart_is_not_taken_for_certain() -> None:
    for weights in (None, RNG.uniform(1, 2, 30)):
        found = roc(np.arange(30) < 10, -np.arange(30), True, weights)
        low, high = found.interval()
        assert (found.auc, high) == pytest.approx((1.0, 1.0))
        assert low < 0.9
    # all of ten independent pairs in order: the exact binomial bound
    assert roc(np.arange(30) < 10, -np.arange(30), True).interval()[0] == pytest.approx(0.025 ** (1 / 10))
    low, high = roc([1, 0, 0], [0.5, 0.2, 0.9], 1).interval()
    assert 0 <= low < 0.1 < 0.9 < high <= 1


@settings(max_examples=150, deadline=None)
@given(ROWS)
def test_the_hull_is_the_hull(rows) -> None:
    hits, scores = both_sides(rows)
    found = roc(hits, scores, True)
    hull = found.convex_hull()
    points = np.column_stack([found.false_positive_rate, found.true_positive_rate])
    area = ConvexHull(np.vstack([points, [[1, 0]]])).volume  # scipy's, closed by the corner below
    assert hull.auc == pytest.approx(area, abs=1e-12)
    assert (np.interp(points[:, 0], hull.false_positive_rate, hull.true_positive_rate) >= points[:, 1] - 1e-12).all()
    corners = set(zip(hull.false_positive_rate, hull.true_positive_rate, strict=True))
    assert corners <= set(map(tuple, points.tolist()))
    assert {(0.0, 0.0), (1.0, 1.0)} <= corners


def test_a_point_is_where_scores_reach_the_threshold() -> None:
    hits, scores = some(60, 1)
    found = roc(hits, scores, True)
    for threshold in (*scores, -9.0, 9.0, 0.123, np.inf, -np.inf):
        called = scores >= threshold
        assert found.point(threshold) == pytest.approx((called[~hits].mean(), called[hits].mean()))
    with pytest.raises(LikelyError):
        found.point(float("nan"))


def test_infinite_scores_are_scores() -> None:
    found = roc([1, 1, 0, 0], [np.inf, 1.0, 1.0, -np.inf], 1)
    assert found.auc == 0.875
    assert found.point(np.inf) == (0.0, 0.5)
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert written["thresholds"] == ["inf", "inf", 1.0, "-inf"]


@pytest.mark.parametrize("weighted", [False, True])
def test_averages_are_scikit_learns(weighted: bool) -> None:
    codes = RNG.integers(0, 4, 400)
    proba = np.exp(log_softmax(RNG.normal(size=(400, 4)) + np.eye(4)[codes], axis=1))
    weights = RNG.uniform(0.1, 2, 400) if weighted else None
    found = rocs(codes, proba, range(4), weights)
    for name in ("macro", "weighted", "micro"):
        expected = metrics.roc_auc_score(codes, proba, multi_class="ovr", average=name, sample_weight=weights)
        assert getattr(found, name) == pytest.approx(expected, rel=1e-12)
    for level, curve in found.items():
        assert curve.auc == roc(codes, proba[:, level], level, weights).auc
    assert list(found) == [0, 1, 2, 3]
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_a_class_without_rows_has_no_curve() -> None:
    found = rocs(["a", "b", "a"], RNG.random((3, 3)), ["a", "b", "c"])
    assert list(found) == ["a", "b"]
    assert found.undefined == ("c",)
    assert found.macro == (found["a"].auc + found["b"].auc) / 2


@dataclass
class Normals:
    """Classes of unit normals around their number, under any priors."""

    priors: tuple[float, ...]
    scale: float = 1.0

    @property
    def classes_(self) -> np.ndarray:
        return np.array([f"class {at}" for at in range(len(self.priors))])

    def log_likelihood(self, X: np.ndarray) -> np.ndarray:
        return norm.logpdf(X[:, :1], np.arange(len(self.priors)), self.scale)

    def predict_log_proba(self, X: np.ndarray) -> np.ndarray:
        return log_softmax(self.log_likelihood(X) + np.log(self.priors), axis=1)

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return np.exp(self.predict_log_proba(X))


def test_the_curve_does_not_depend_on_the_priors() -> None:
    X, y = RNG.normal(size=(500, 1)), RNG.choice(["class 0", "class 1"], 500)
    X[y == "class 1"] += 1
    even, odd = roc_of(Normals((0.5, 0.5), 0.01), X, y), roc_of(Normals((1e-9, 1 - 1e-9), 0.01), X, y)
    assert isinstance(even, Roc)
    for name in ("thresholds", "true_positive_rate", "false_positive_rate"):
        assert getattr(even, name).tobytes() == getattr(odd, name).tobytes()
    assert len(even.thresholds) == 501  # no ties, where the probabilities would all be 0 or 1
    assert roc_of(Normals((0.5, 0.5)), X, y, positive="class 0").positive == "class 0"


def test_evidence_of_many_classes_is_the_log_odds_against_the_rest() -> None:
    X, model = RNG.normal(size=(200, 1)), Normals((0.25,) * 4)
    proba = model.predict_proba(X)
    np.testing.assert_allclose(evidence(model, X), np.log(proba / (1 - proba)), rtol=1e-9, atol=1e-9)
    far = evidence(Normals((0.25,) * 4, 1e-3), X)
    assert np.isfinite(far).all()
    assert isinstance(roc_of(model, X, [f"class {at}" for at in RNG.integers(0, 4, 200)]), Rocs)


def test_evidence_of_two_classes_is_the_exact_difference() -> None:
    X, model = RNG.normal(size=(50, 1)), Normals((0.5, 0.5))
    given_ones = model.log_likelihood(X)
    np.testing.assert_array_equal(evidence(model, X)[:, 1], given_ones[:, 1] - given_ones[:, 0])
    np.testing.assert_array_equal(evidence(model, X)[:, 0], given_ones[:, 0] - given_ones[:, 1])


def test_impossible_rows_are_ranked_or_say_nothing() -> None:
    inf = np.inf
    given_ones = [[-inf, -inf], [0.0, -inf], [-inf, 1.0], [inf, inf], [2.0, 1.0]]
    np.testing.assert_array_equal(evidence_of(given_ones)[:, 0], [0, inf, -inf, 0, 1])


def test_three_classes_have_the_same_curves_through_every_door() -> None:
    """Of more than two classes priors change the order of the log odds against the rest: all doors take the model's."""
    import likely

    codes = RNG.integers(0, 3, 200)
    X, y = RNG.normal(size=(200, 2)) + codes[:, None], np.array(["a", "b", "c"])[codes]
    model = likely.NaiveBayes().fit(X, y).with_priors({"a": 0.9, "b": 0.09, "c": 0.01})
    logs = model.predict_log_proba(X)
    wanted = roc_of(model, X, y).to_dict()
    assert evaluate_model(model, X, y).roc.to_dict() == wanted
    assert evaluate(y, np.exp(logs), model.classes_, log_proba=logs).roc.to_dict() == wanted
    assert rocs(y, evidence(model, X), model.classes_).to_dict() == wanted
    run = CrossValidation(logs, np.arange(200) % 2, ("a", "b", "c"), y)
    assert run.evaluate().roc.to_dict() == wanted
    flat = roc_of(model.with_priors([1 / 3] * 3), X, y)
    assert flat["b"].auc != roc_of(model, X, y)["b"].auc


def test_a_model_without_likelihoods_is_drawn_from_its_probabilities() -> None:
    from sklearn.linear_model import LogisticRegression

    X, y = RNG.normal(size=(100, 2)), np.arange(100) % 2
    model = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(evidence(model, X)[:, 1], model.decision_function(X), atol=1e-9)
    assert roc_of(model, X, y).auc == pytest.approx(metrics.roc_auc_score(y, model.decision_function(X)))

    class Bare:
        classes_ = model.classes_

        def predict_proba(self, X: np.ndarray) -> np.ndarray:
            return model.predict_proba(X)

    assert roc_of(Bare(), X, y).auc == pytest.approx(roc_of(model, X, y).auc)
    assert evaluate_model(Bare(), X, y).roc.to_dict() == roc_of(Bare(), X, y).to_dict()


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("O330", lambda: roc([0, 0], [0.1, 0.2], 1)),
        ("O330", lambda: roc([1, 1], [0.1, 0.2], 1)),
        ("O330", lambda: roc([0, 1], [0.1, 0.2], 1, [1, 0])),
        ("O330", lambda: rocs(["a", "a"], np.zeros((2, 2)), ["a", "b"])),
        ("D105", lambda: roc([0, None, 1], [0.1, 0.2, 0.3], 1)),
        ("O325", lambda: roc([0, 1], [0.1, np.nan], 1)),
        ("O325", lambda: roc([0, 1], ["low", "high"], 1)),
        ("O323", lambda: roc([0, 1], [[0.1, 0.2], [0.3, 0.4]], 1)),
        ("O323", lambda: rocs([0, 1], [0.1, 0.2], [0, 1])),
        ("D113", lambda: roc([0, 1], [0.1, 0.2], 1, [1, -1])),
        ("O321", lambda: rocs([0, 2], np.zeros((2, 2)), [0, 1])),
        ("O321", lambda: roc_of(Normals((0.5, 0.5)), np.zeros((1, 1)), ["class 0"], positive="class 2")),
        ("O334", lambda: roc([0, 1], [0.1, 0.2], 1).interval(95)),
        ("O338", lambda: evidence_of(np.zeros((2, 3)))),
        ("O338", lambda: evidence_of([1.0, 2.0])),
        ("O325", lambda: evidence_of([["a", "b"]])),
        ("O325", lambda: evidence_of([[np.nan, 0.0]])),
        ("O342", lambda: roc_of(None, np.zeros((1, 1)), ["a"])),
        ("O342", lambda: roc_of(Normals, np.zeros((1, 1)), ["a"])),
    ],
)
def test_what_has_no_curve_is_refused(code: str, call) -> None:
    with pytest.raises(LikelyError) as caught:
        call()
    assert caught.value.code == code
    assert caught.value.place
    assert caught.value.hint


def test_a_positive_label_that_is_not_there_is_answered_by_the_nearest() -> None:
    with pytest.raises(LikelyError, match="Did you mean 'survived'"):
        roc(["survived", "died"], [0.1, 0.2], "survivd")
