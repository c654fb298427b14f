"""Handwritten digits of the fourth source: naive Bayes on binary pixels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import likely

DIGITS = Path(__file__).parents[3] / "shared/data/digits"
pytestmark = pytest.mark.skipif(not DIGITS.exists(), reason=f"the shared data are not there: {DIGITS}")

Rows = tuple[np.ndarray, np.ndarray]
K_ROW = {0.1: 773, 0.5: 770, 1: 771, 2: 766, 5: 758, 10: 755}
PER_DIGIT = [84.4, 96.3, 77.7, 79.0, 76.6, 67.4, 75.8, 72.6, 60.2, 80.0]


def read(part: str) -> Rows:
    """Images (rows, 784), a pixel on where the text has + or #; labels (rows,)."""
    labels = np.array([int(line) for line in (DIGITS / f"{part}labels").read_text().split()])
    lines = (DIGITS / f"{part}images").read_text().split("\n")[: 28 * len(labels)]
    signs = np.array([list(line.ljust(28)) for line in lines])
    return np.isin(signs, ["+", "#"]).astype(np.uint8).reshape(len(labels), 784), labels


@pytest.fixture(scope="module")
def training() -> Rows:
    return read("training")


@pytest.fixture(scope="module")
def test_rows() -> Rows:
    return read("test")


def learn(rows: Rows, smoothing: float = 1) -> likely.NaiveBayes:
    return likely.NaiveBayes(kinds="binary", priors="empirical", smoothing=smoothing).fit(*rows)


def test_there_are_as_many_images_as_said(training: Rows, test_rows: Rows) -> None:
    assert training[0].shape == (5000, 784)
    assert test_rows[0].shape == (1000, 784)


@pytest.mark.parametrize(("smoothing", "right"), K_ROW.items())
def test_right_of_a_thousand(training: Rows, test_rows: Rows, smoothing: float, right: int) -> None:
    X, y = test_rows
    assert (learn(training, smoothing).predict(X) == y).sum() == right


def test_percentages_of_each_digit(training: Rows, test_rows: Rows) -> None:
    X, y = test_rows
    right = learn(training).predict(X) == y
    assert [round(100 * right[y == digit].mean(), 1) for digit in range(10)] == PER_DIGIT


def test_map_is_the_same_number_as_full_bayes(training: Rows, test_rows: Rows) -> None:
    model = likely.NaiveBayes(kinds="binary", priors="empirical", estimate="map").fit(*training)
    np.testing.assert_allclose(
        model.predict_log_proba(test_rows[0]), learn(training).predict_log_proba(test_rows[0]), rtol=1e-12
    )


def test_parts_merged_are_the_whole(training: Rows, test_rows: Rows) -> None:
    X, y = training
    whole, merged = learn(training), learn((X[:1700], y[:1700])).merge(learn((X[1700:], y[1700:])))
    np.testing.assert_array_equal(merged.predict_proba(test_rows[0]), whole.predict_proba(test_rows[0]))


def test_leave_one_out_of_five_thousand_is_a_refit(training: Rows) -> None:
    X, y = training
    left = learn(training).leave_one_out(X, y)
    for row in (0, 1234, 4999):
        refit = learn((np.delete(X, row, axis=0), np.delete(y, row)))
        np.testing.assert_allclose(left[row], refit.predict_proba(X[row : row + 1])[0], rtol=1e-9, atol=1e-300)
    assert 0.75 < (left.argmax(axis=1) == y).mean() < 0.87


@pytest.mark.parametrize(
    ("model", "least"),
    [(likely.TAN(kinds="binary"), 845), pytest.param(likely.AODE(kinds="binary"), 880, marks=pytest.mark.slow)],
    ids=["tree", "every-pixel-in-turn"],
)
def test_dependent_pixels(training: Rows, test_rows: Rows, model: likely.TAN | likely.AODE, least: int) -> None:
    """A tree of pixels, and every pixel in turn as the parent of all others, beat the 771 of naive Bayes."""
    assert (model.fit(*training).predict(test_rows[0]) == test_rows[1]).sum() >= least
