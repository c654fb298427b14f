"""Accuracy, log loss, the Brier score and its parts, and Wilson's interval."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.stats import binomtest
from sklearn import metrics

from likely.errors import LikelyError
from likely.evaluation import accuracy, brier, brier_parts, log_loss, wilson

RNG = np.random.default_rng(1)
CLASSES = {2: ["no", "yes"], 4: ["a", "b", "c", "d"]}


def forecasts(classes: int, rows: int = 400) -> tuple[list[str], np.ndarray, np.ndarray]:
    return RNG.choice(CLASSES[classes], rows).tolist(), RNG.dirichlet(np.ones(classes), rows), RNG.uniform(0, 2, rows)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_are_scikit_learns(classes: int, weighted: bool) -> None:
    y, proba, weights = forecasts(classes)
    given = weights if weighted else None
    levels = CLASSES[classes]
    decided = np.array(levels)[proba.argmax(axis=1)]
    assert accuracy(y, proba, levels, given) == pytest.approx(metrics.accuracy_score(y, decided, sample_weight=given))
    expected = metrics.log_loss(y, proba, labels=levels, sample_weight=given)
    assert log_loss(y, proba, levels, given) == pytest.approx(expected, rel=1e-12)
    shown = proba[:, 1] if classes == 2 else proba
    options = {"pos_label": "yes"} if classes == 2 else {"labels": levels}
    expected = metrics.brier_score_loss(y, shown, sample_weight=given, **options)
    assert brier(y, proba, levels, given) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("score", [accuracy, log_loss, brier])
def test_weight_two_is_the_row_twice(score) -> None:
    y, proba, _ = forecasts(4, 60)
    times = RNG.integers(0, 4, 60)
    repeated = score(np.repeat(y, times), np.repeat(proba, times, axis=0), CLASSES[4])
    assert score(y, proba, CLASSES[4], times) == pytest.approx(repeated, rel=1e-12)


def test_labels_may_come_in_any_container() -> None:
    proba = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    expected = log_loss([0, 1, 1], proba, [0, 1])
    for y in (
        np.array([0.0, 1.0, 1.0]),
        np.array([0, 1, 1], dtype=np.uint8),
        np.array([False, True, True]),
        pd.Series([0, 1, 1], dtype="Int64"),
        pd.Series([0, 1, 1], dtype="category"),
        pl.Series([0, 1, 1]),
        (0, 1, 1),
    ):
        assert log_loss(y, proba, np.array([0, 1])) == expected
    words = [
        np.array(["n", "y", "y"]),
        np.array([b"n", b"y", b"y"]),
        pd.Series(["n", "y", "y"]),
        pl.Series(["n", "y", "y"]),
    ]
    for y in words:
        assert log_loss(y, proba, np.array(["n", "y"])) == expected


def test_the_log_loss_of_the_impossible_is_infinite() -> None:
    assert log_loss([1, 0], [[1.0, 0.0], [1.0, 0.0]], [0, 1]) == np.inf
    assert log_loss([1, 0], [[1.0, 0.0], [1.0, 0.0]], [0, 1], weights=[0, 1]) == 0


def test_the_parts_are_murphys_where_forecasts_are_equal() -> None:
    """Brute force over the distinct forecasts, the textbook formula."""
    forecast = RNG.choice([0.1, 0.3, 0.8], 200)
    hits = RNG.random(200) < forecast
    parts = brier_parts(hits, np.column_stack([1 - forecast, forecast]), [False, True])
    reliability = resolution = 0.0
    for value in (0.1, 0.3, 0.8):
        here = hits[forecast == value]
        reliability += len(here) / 200 * (value - here.mean()) ** 2
        resolution += len(here) / 200 * (here.mean() - hits.mean()) ** 2
    assert parts.reliability == pytest.approx(reliability, abs=1e-14)
    assert parts.resolution == pytest.approx(resolution, abs=1e-14)
    assert parts.uncertainty == pytest.approx(hits.mean() * (1 - hits.mean()), abs=1e-14)
    assert parts.within == pytest.approx(0, abs=1e-16)


@st.composite
def any_forecasts(draw) -> tuple[np.ndarray, np.ndarray, np.ndarray, int | None]:
    classes, rows = draw(st.integers(1, 4)), draw(st.integers(1, 40))
    raw = draw(arrays.arrays(np.float64, (rows, classes), elements=st.sampled_from([0.0, 0.1, 1e-9, 0.5, 1.0, 3.7])))
    raw[raw.sum(axis=1) == 0] = 1
    codes = draw(arrays.arrays(np.int64, rows, elements=st.integers(0, classes - 1)))
    weights = draw(arrays.arrays(np.float64, rows, elements=st.sampled_from([0.0, 0.25, 1.0, 3.0])))
    weights[0] = 1
    return codes, raw / raw.sum(axis=1, keepdims=True), weights, draw(st.sampled_from([None, 1, 2, 10]))


@settings(max_examples=300, deadline=None)
@given(any_forecasts())
def test_the_parts_add_up_to_the_score(case) -> None:
    codes, proba, weights, bins = case
    classes = list(range(proba.shape[1]))
    for given_weights in (None, weights):
        parts = brier_parts(codes, proba, classes, bins, given_weights)
        total = parts.reliability - parts.resolution + parts.uncertainty + parts.within
        assert abs(parts.score - total) < 1e-12
        assert parts.score == brier(codes, proba, classes, given_weights)
        assert min(parts.reliability, parts.resolution, parts.uncertainty) >= -1e-15
        if bins is None:
            assert abs(parts.within) < 1e-14


@pytest.mark.parametrize(
    ("hits", "rows", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_is_that_of_newcombe_1998(hits: int, rows: int, low: float, high: float) -> None:
    found = wilson(hits / rows, rows)
    assert [round(float(end), 4) for end in found] == [low, high]


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_wilson_is_scipys(level: float) -> None:
    for hits, rows in [(3, 7), (0, 5), (9, 9), (480, 1000)]:
        expected = binomtest(hits, rows).proportion_ci(level, method="wilson")
        np.testing.assert_allclose(wilson(hits / rows, rows, level), expected, atol=1e-12)


PROBA = [[0.9, 0.1], [0.2, 0.8]]


@pytest.mark.parametrize(
    ("code", "y", "proba", "classes", "weights"),
    [
        ("O321", ["no", "yse"], PROBA, ["no", "yes"], None),
        ("O321", [0, 0.5], PROBA, [0, 1], None),
        ("D105", ["no", None], PROBA, ["no", "yes"], None),
        ("D105", [0.0, np.nan], PROBA, [0, 1], None),
        ("D105", pd.Series([0, None], dtype="Int64"), PROBA, [0, 1], None),
        ("O323", [0], PROBA, [0, 1], None),
        ("O323", [0, 1], PROBA, [0, 1, 2], None),
        ("O323", [0, 1], [0.1, 0.8], [0, 1], None),
        ("D122", [0, 1], PROBA, [0, 1], [1, 1, 1]),
        ("O324", [0, 1], [[0.9, 0.1], [0.2, 0.9]], [0, 1], None),
        ("O324", [0, 1], [[0.9, 0.1], [-0.2, 1.2]], [0, 1], None),
        ("O324", [0, 1], [[0.9, 0.1], [np.nan, 1]], [0, 1], None),
        ("O324", [0, 1], [["a", "b"], ["c", "d"]], [0, 1], None),
        ("D113", [0, 1], PROBA, [0, 1], [1, -1]),
        ("D113", [0, 1], PROBA, [0, 1], [1, np.nan]),
        ("D123", [0, 1], PROBA, [0, 1], [0, 0]),
        ("O327", [0, 1], PROBA, [0, 0], None),
        ("O327", [0, 1], PROBA, [], None),
        ("O327", [0, 1], PROBA, None, None),
        ("O327", [0, 1], PROBA, 2, None),
        ("O327", ["0", "1"], PROBA, "01", None),
        ("D117", [], np.empty((0, 2)), [0, 1], None),
        ("D110", [[0], [1]], PROBA, [0, 1], None),
    ],
)
def test_what_cannot_be_judged_is_refused(code: str, y, proba, classes, weights) -> None:
    for score in (accuracy, log_loss, brier, brier_parts):
        options = {} if weights is None else {"weights": weights}
        with pytest.raises(LikelyError) as caught:
            score(y, proba, classes, **options)
        assert caught.value.code == code
        assert caught.value.place
        assert caught.value.hint


def test_a_label_that_is_no_class_is_named_with_its_row_and_the_nearest_class() -> None:
    with pytest.raises(LikelyError, match=r"row 1\n.*Did you mean 'yes'"):
        accuracy(["no", "yse"], PROBA, ["no", "yes"])


@pytest.mark.parametrize("bins", [0, -1, 2.5, True, "ten"])
def test_bins_are_whole_numbers(bins) -> None:
    with pytest.raises(LikelyError) as caught:
        brier_parts([0, 1], PROBA, [0, 1], bins)
    assert caught.value.code == "O332"


@pytest.mark.parametrize("level", [0, 1, -0.5, "0.95", np.nan])
def test_a_level_is_a_share(level) -> None:
    with pytest.raises(LikelyError) as caught:
        wilson(0.5, 10, level)
    assert caught.value.code == "O334"


@pytest.mark.parametrize(("share", "rows"), [(1.5, 10), (-0.1, 10), (np.nan, 10), (0.5, -1), (0.5, np.inf), ("a", 10)])
def test_wilson_wants_a_share_of_rows(share, rows) -> None:
    with pytest.raises(LikelyError) as caught:
        wilson(share, rows)
    assert caught.value.code == "O335"


def test_the_interval_of_no_rows_is_everything() -> None:
    np.testing.assert_allclose(wilson(0.5, 0), (0, 1))
    np.testing.assert_allclose(wilson(0.5, 1e-300), (0, 1))


def test_probabilities_within_the_slack_are_normalised() -> None:
    assert log_loss([0], [[1.0009, 0.0]], [0, 1]) == 0
    rough = np.array([[0.667, 0.3335], [0.2, 0.7995]])
    exact = rough / rough.sum(axis=1, keepdims=True)
    assert log_loss([0, 1], rough, [0, 1]) == pytest.approx(log_loss([0, 1], exact, [0, 1]), rel=1e-12)
    assert brier([0, 1], rough, [0, 1]) == pytest.approx(brier([0, 1], exact, [0, 1]), rel=1e-12)


@pytest.mark.parametrize("weight", [1e-320, 1e-160, 1e160, 1e308])
@pytest.mark.parametrize("score", [accuracy, log_loss, brier])
def test_only_the_ratios_of_weights_matter(score, weight: float) -> None:
    y, proba, _ = forecasts(4, 50)
    expected = score(y, proba, CLASSES[4])
    assert score(y, proba, CLASSES[4], np.full(50, weight)) == pytest.approx(expected, rel=1e-12)


def test_text_that_reads_like_a_number_is_told_from_the_number() -> None:
    with pytest.raises(LikelyError, match="'1' is text, the class 1 is a number"):
        accuracy(["1", "7"], PROBA, [1, 2])  # the first row is named
    with pytest.raises(LikelyError, match="the class '1' is text, 1 is a number"):
        accuracy([1, 1], PROBA, ["1", "2"])
