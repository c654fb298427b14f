"""Calibration: forecasts in bins against what happened."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve

from likely.errors import LikelyError
from likely.evaluation import calibration

RNG = np.random.default_rng(4)


def two(forecast: np.ndarray) -> np.ndarray:
    return np.column_stack([1 - forecast, forecast])


@pytest.mark.parametrize(("strategy", "theirs"), [("width", "uniform"), ("quantile", "quantile")])
def test_bins_are_scikit_learns(strategy: str, theirs: str) -> None:
    forecast = RNG.beta(0.7, 1.3, 1000)
    hits = RNG.random(1000) < forecast**1.5
    found = calibration(hits, two(forecast), [False, True], strategy=strategy)
    observed, mean = calibration_curve(hits, forecast, n_bins=10, strategy=theirs)
    np.testing.assert_allclose(found.observed, observed)
    np.testing.assert_allclose(found.forecast, mean)
    assert found.rows.sum() == 1000
    gaps = np.abs(observed - mean)
    assert found.mce == pytest.approx(gaps.max())
    assert found.ece == pytest.approx(np.average(gaps, weights=found.rows))


def test_intervals_are_wilsons() -> None:
    forecast = RNG.random(200)
    found = calibration(RNG.random(200) < forecast, two(forecast), [False, True], bins=5)
    for observed, rows, low, high in zip(found.observed, found.rows, found.low, found.high, strict=True):
        expected = binomtest(round(observed * rows), int(rows)).proportion_ci(method="wilson")
        assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_equal_forecasts_share_a_bin() -> None:
    forecast = RNG.choice([0.2, 0.5, 0.9], 300, p=[0.9, 0.05, 0.05])
    found = calibration(RNG.random(300) < forecast, two(forecast), [False, True])
    np.testing.assert_allclose(found.forecast, [0.2, 0.5, 0.9])
    many = np.append(np.full(500, 0.25), RNG.random(100))
    found = calibration(RNG.random(600) < many, two(many), [False, True], bins=5)
    assert found.rows.max() >= 500


def test_the_likeliest_class_of_many_is_judged_or_the_one_that_is_named() -> None:
    rng = np.random.default_rng(5)
    proba = rng.dirichlet([1, 2, 3], 3000)
    codes = (rng.random(3000)[:, None] > proba.cumsum(axis=1)).sum(axis=1)
    top = calibration(codes, proba, [0, 1, 2])
    assert top.positive is None
    hits = proba.argmax(axis=1) == codes
    observed, mean = calibration_curve(hits, proba.max(axis=1), n_bins=10, strategy="quantile")
    np.testing.assert_allclose(top.observed, observed)
    np.testing.assert_allclose(top.forecast, mean)
    assert top.ece < 0.05  # the classes were drawn from the forecasts
    one = calibration(codes, proba, [0, 1, 2], positive=2)
    observed, mean = calibration_curve(codes == 2, proba[:, 2], n_bins=10, strategy="quantile")
    np.testing.assert_allclose(one.observed, observed)
    assert one.positive == 2


@pytest.mark.parametrize("strategy", ["quantile", "width"])
def test_weight_two_is_the_row_twice(strategy: str) -> None:
    forecast, times = RNG.random(100), RNG.integers(0, 4, 100)
    hits = RNG.random(100) < forecast
    weighted = calibration(hits, two(forecast), [False, True], 7, strategy=strategy, weights=times)
    hits, forecast = np.repeat(hits, times), np.repeat(forecast, times)
    repeated = calibration(hits, two(forecast), [False, True], 7, strategy=strategy)
    for name in ("forecast", "observed", "rows", "low", "high", "ece", "mce"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), rtol=1e-12)


def test_it_can_be_written_and_read() -> None:
    found = calibration([0, 1], [[0.4, 0.6], [0.4, 0.6]], [0, 1])
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["observed"] == [0.5]
    assert "P(1)" in repr(found)


@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("O332", {"bins": 0}),
        ("O332", {"bins": 1.5}),
        ("O333", {"strategy": "quantil"}),
        ("O321", {"positive": "yes"}),
        ("D123", {"weights": [0, 0]}),
    ],
)
def test_bad_options_are_refused(code: str, options) -> None:
    with pytest.raises(LikelyError) as caught:
        calibration([0, 1], [[0.4, 0.6], [0.4, 0.6]], [0, 1], **options)
    assert caught.value.code == code
    assert caught.value.hint
