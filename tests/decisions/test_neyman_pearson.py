"""Neyman-Pearson: against every threshold there is, published sample sizes, and its promise in simulation."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.metrics import roc_curve

from likely.decisions import best_threshold, neyman_pearson
from likely.errors import LikelyError, OptionError

SCORES = st.lists(
    st.tuples(st.booleans(), st.integers(-3, 3) | st.floats(allow_nan=False, width=16)), min_size=2, max_size=30
)


def brute(hits: np.ndarray, scores: np.ndarray, rate: float) -> tuple[float, float]:
    """(true, false) positive rate: most detection, then fewest alarms, over all thresholds and none."""
    points = [(0.0, 0.0)]
    for threshold in scores:
        above = scores >= threshold
        alarms, found = (above & ~hits).sum() / (~hits).sum(), (above & hits).sum() / hits.sum()
        if alarms <= rate:
            points.append((found, -alarms))
    best = max(points)
    return best[0], -best[1]


@settings(deadline=None, max_examples=300)
@given(SCORES, st.sampled_from([0, 0.05, 0.1, 0.25, 1 / 3, 0.3, 0.5, 0.9, 1]))
def test_equals_brute_force_also_with_ties(pairs: list[tuple[bool, float]], rate: float) -> None:
    hits = np.array([hit for hit, _ in pairs])
    scores = np.array([score for _, score in pairs], dtype=np.float64)
    if hits.all() or not hits.any():
        return
    point = neyman_pearson(hits, scores, True, rate)
    assert (point.true_positive_rate, point.false_positive_rate) == brute(hits, scores, rate)
    above = point.flags(scores)
    assert (above == (np.zeros(len(scores), bool) if point.threshold is None else scores >= point.threshold)).all()
    assert (above & hits).sum() == point.true_positives
    assert (above & ~hits).sum() == point.false_positives
    assert point.false_positive_rate <= rate
    assert (point.positives, point.negatives) == (hits.sum(), (~hits).sum())


def test_lies_on_the_roc_curve_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 500)
    scores = np.round(rng.normal(y, 1), 1)
    false, true, _ = roc_curve(y, scores, drop_intermediate=False)
    for rate in (0.01, 0.05, 0.1, 0.5):
        point = neyman_pearson(y, scores, 1, rate)
        assert point.true_positive_rate == true[false <= rate].max()


def test_the_published_least_number_of_negatives() -> None:
    """Tong, Feng & Li (2018): at a rate and a risk of 5 % each, 59 negative rows are needed."""
    scores = np.arange(60.0)
    with pytest.raises(OptionError, match="at least 59") as caught:
        neyman_pearson([0] * 58 + [1], scores[:59], 1, 0.05, confidence=0.95)
    assert caught.value.code == "O315"
    point = neyman_pearson([0] * 59 + [1], scores, 1, 0.05, confidence=0.95)
    assert (point.threshold, point.false_positives, point.true_positives) == (59.0, 0, 1)


@pytest.mark.parametrize("ties", [False, True])
def test_the_promise_is_kept(ties: bool) -> None:
    """Over many samples the true false positive rate exceeds the bound no more often than promised."""
    rng = np.random.default_rng(1)
    rate, confidence, broken, plain = 0.1, 0.9, 0, 0
    y = np.repeat([0, 1], 150)
    for _ in range(400):
        scores = rng.normal(2 * y, 1)
        scores = np.round(scores, 1) if ties else scores
        for kind in (confidence, None):
            threshold = neyman_pearson(y, scores, 1, rate, kind).threshold
            over = norm.sf(threshold - 0.05 if ties else threshold) > rate
            broken, plain = broken + (kind is not None and over), plain + (kind is None and over)
    assert broken / 400 <= 0.1 + 0.045
    assert ties or broken / 400 > 0.02
    assert plain / 400 > 0.3  # the observed rate alone promises nothing


@settings(deadline=None, max_examples=60)
@given(st.integers(20, 400), st.sampled_from([0.05, 0.1, 0.3]), st.sampled_from([0.5, 0.8, 0.95]))
def test_allows_as_many_alarms_as_the_binomial_tail(negatives: int, rate: float, confidence: float) -> None:
    tail, allowed = 0.0, -1
    for count in range(negatives + 1):
        tail += math.comb(negatives, count) * rate**count * (1 - rate) ** (negatives - count)
        if tail > 1 - confidence:
            break
        allowed = count
    y, scores = [0] * negatives + [1], [*range(negatives), -1]  # detected only if all are
    if allowed < 0:
        with pytest.raises(OptionError):
            neyman_pearson(y, scores, 1, rate, confidence)
        return
    scores[-1] = negatives - allowed  # the last place that may be detected, tied with a negative row
    assert neyman_pearson(y, scores, 1, rate, confidence).true_positives == 1
    scores[-1] -= 1
    assert neyman_pearson(y, scores, 1, rate, confidence).true_positives == 0


def test_no_threshold_is_allowed() -> None:
    point = neyman_pearson(["n", "y"], [2.0, 1.0], "y", 0.0)
    assert (point.threshold, point.true_positive_rate, point.false_positive_rate) == (None, 0, 0)
    assert json.loads(json.dumps(point.to_dict(), allow_nan=False))["threshold"] is None
    endless = neyman_pearson(["n", "y"], [math.inf, math.inf], "y", 0.0)
    assert endless.threshold is None
    for nowhere in (point, endless):
        assert not nowhere.flags([0.0, math.inf]).any()


def test_infinite_scores_are_scores() -> None:
    point = neyman_pearson([0, 1, 0, 1], [-math.inf, math.inf, 0.0, 1.0], 1, 0)
    assert (point.threshold, point.true_positive_rate) == (1.0, 1.0)


def test_an_infinite_threshold_is_one() -> None:
    point = neyman_pearson([0, 1], [0.0, math.inf], 1, 0)
    assert point.threshold == math.inf
    assert point.flags([1e300, math.inf]).tolist() == [False, True]
    assert json.loads(json.dumps(point.to_dict(), allow_nan=False))["threshold"] == "inf"


@settings(deadline=None, max_examples=100)
@given(SCORES, st.data(), st.sampled_from([0, 0.1, 0.25, 0.5, 1]))
def test_weights_are_as_many_rows(pairs: list[tuple[bool, float]], data: Any, rate: float) -> None:
    hits = np.array([hit for hit, _ in pairs])
    scores = np.array([score for _, score in pairs], dtype=np.float64)
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(hits), max_size=len(hits))))
    many, often = np.repeat(hits, times), np.repeat(scores, times)
    if many.all() or not many.any():
        return
    weighted, plain = neyman_pearson(hits, scores, True, rate, weights=times), neyman_pearson(many, often, True, rate)
    assert weighted == plain
    assert best_threshold(hits, scores, True, weights=times) == best_threshold(many, often, True)


LOSS = st.lists(st.integers(-3, 9), min_size=4, max_size=4).map(lambda costs: np.reshape(costs, (2, 2)))


@settings(deadline=None, max_examples=300)
@given(SCORES, st.none() | LOSS, st.booleans())
def test_the_best_threshold_equals_brute_force_also_with_ties(
    pairs: list[tuple[bool, float]], loss: np.ndarray | None, positive: bool
) -> None:
    y = np.array([hit for hit, _ in pairs])
    scores = np.array([score for _, score in pairs], dtype=np.float64)
    if y.all() or not y.any():
        return
    matrix = 1 - np.eye(2) if loss is None else loss
    point = best_threshold(y, scores, positive, loss)
    costs = {}
    for threshold in [None, *scores]:
        flagged = np.zeros(len(y), bool) if threshold is None else scores >= threshold
        decided = np.where(flagged, positive, not positive)
        costs[threshold] = matrix[y.astype(int), decided.astype(int)].mean(), flagged.sum()
    assert costs[point.threshold] == min(costs.values())
    assert point.risk == pytest.approx(costs[point.threshold][0])
    flagged = point.flags(scores)
    assert (flagged & (y == positive)).sum() == point.true_positives
    assert (flagged & (y != positive)).sum() == point.false_positives


def test_the_best_threshold_by_names_and_of_many_classes() -> None:
    y, scores = ["well", "ill", "well", "ill"], [0.1, 0.2, 0.3, 0.4]
    assert best_threshold(y, scores, "ill").threshold == 0.4
    point = best_threshold(y, scores, "ill", {("ill", "well"): 9})
    assert (point.threshold, point.risk) == (0.2, 0.25)
    assert json.dumps(point.to_dict())
    assert best_threshold(["a", "b", "c"], [1, 3, 2], "b").threshold == 3
    for code, call in (
        ("O307", lambda: best_threshold(["a", "b", "c"], [1, 3, 2], "b", {("a", "b"): 2})),
        ("O330", lambda: best_threshold(y, scores, "il")),
        ("O321", lambda: best_threshold(y, scores, "ill", {("il", "well"): 9})),
        ("D122", lambda: best_threshold(y, scores, "ill", weights=[1, 2])),
        ("O330", lambda: neyman_pearson(y, scores, "ill", 0.1, weights=[1, 0, 1, 0])),
        ("O318", lambda: neyman_pearson(y, scores, "ill", 0.1, 0.5, weights=[1, 1, 1, 1])),
        ("O325", lambda: point.flags("high")),
        ("O323", lambda: point.flags([[0.1]])),
    ):
        with pytest.raises(LikelyError) as caught:
            call()
        assert caught.value.code == code


def test_any_labels() -> None:
    scores = [0.1, 0.9, 0.4, 0.8]
    for y, positive in (([0.0, 1.0, 0.0, 1.0], 1), (["a", "b", "c", "b"], "b"), ([False, True, False, True], np.True_)):
        assert neyman_pearson(y, scores, positive, 0).threshold == 0.8
    assert json.dumps(neyman_pearson([0, 1, 0, 1], scores, 1, 0).to_dict())


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (([0, 1], [0.1, float("nan")], 1, 0.1), "O325"),
        (([0, 1], [[0.1], [0.2]], 1, 0.1), "O323"),
        (([0, 1], ["a", "b"], 1, 0.1), "O325"),
        (([0, 1, 1], [0.1, 0.2], 1, 0.1), "O323"),
        (([0, None], [0.1, 0.2], 0, 0.1), "D105"),
        (([[0], [1, 2]], [0.1, 0.2], 0, 0.1), "D125"),
        (([0, float("nan")], [0.1, 0.2], 0, 0.1), "D105"),
        ((["no", "yes"], [0.1, 0.2], "yess", 0.1), "O330"),
        (([1, 1], [0.1, 0.2], 1, 0.1), "O330"),
        (([], [], 1, 0.1), "D117"),
        (([0, 1], [0.1, 0.2], 1, 1.1), "O313"),
        (([0, 1], [0.1, 0.2], 1, "5%"), "O313"),
        (([0, 1], [0.1, 0.2], 1, 0, 0.95), "O313"),
        (([0, 1], [0.1, 0.2], 1, 0.1, 1.0), "O314"),
        (([0, 1], [0.1, 0.2], 1, 0.1, 0.95), "O315"),
    ],
)
def test_refused(arguments: tuple[Any, ...], code: str) -> None:
    with pytest.raises(LikelyError) as caught:
        neyman_pearson(*arguments)
    assert caught.value.code == code
    assert caught.value.place
    assert caught.value.hint


def test_a_class_close_by_is_suggested() -> None:
    with pytest.raises(OptionError, match="Did you mean 'yes'"):
        neyman_pearson(["no", "yes"], [0.1, 0.2], "yess", 0.1)
