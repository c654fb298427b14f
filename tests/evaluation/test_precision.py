"""Precision-recall curves."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from likely.errors import LikelyError
from likely.evaluation import precision_recall

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("decimals", [1, 12])
def test_curve_and_average_are_scikit_learns(weighted: bool, decimals: int) -> None:
    hits = RNG.random(300) < 0.3
    scores = (RNG.normal(size=300) + hits).round(decimals)
    weights = RNG.uniform(0.1, 2, 300) if weighted else None
    found = precision_recall(hits, scores, True, weights)
    precision, recall, thresholds = metrics.precision_recall_curve(hits, scores, sample_weight=weights)
    np.testing.assert_allclose(found.precision, precision[:-1][::-1])  # scikit-learn's walk goes up and adds an end
    np.testing.assert_allclose(found.recall, recall[:-1][::-1])
    np.testing.assert_array_equal(found.thresholds, thresholds[::-1])
    average = metrics.average_precision_score(hits, scores, sample_weight=weights)
    assert found.average_precision == pytest.approx(average, rel=1e-12)
    assert found.share == pytest.approx(np.average(hits, weights=weights))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(-3, 3), st.integers(0, 3)), min_size=1))
def test_weight_two_is_the_row_twice(rows) -> None:
    hits, scores, times = (np.array(part) for part in zip(*[*rows, (True, 0, 1)], strict=True))
    weighted = precision_recall(hits, scores, True, times)
    repeated = precision_recall(np.repeat(hits, times), np.repeat(scores, times), True)
    np.testing.assert_array_equal(weighted.thresholds, repeated.thresholds)
    np.testing.assert_allclose(weighted.precision, repeated.precision)
    assert weighted.average_precision == pytest.approx(repeated.average_precision)


def test_everything_positive_is_a_curve_and_nothing_positive_is_not() -> None:
    assert precision_recall([1, 1], [0.2, 0.1], 1).average_precision == 1
    for weights in (None, [1, 0]):
        with pytest.raises(LikelyError) as caught:
            precision_recall([0, 1 if weights else 0], [0.2, 0.1], 1, weights)
        assert caught.value.code == "O330"


def test_infinite_scores_are_scores() -> None:
    found = precision_recall([1, 0, 1], [np.inf, -np.inf, -np.inf], 1)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["thresholds"] == ["inf", "-inf"]
    assert found.average_precision == pytest.approx(0.5 + 0.5 * 2 / 3)
