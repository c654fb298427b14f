"""Columns that span powers of ten are drawn by them, zero in a band apart; the model is asked as it is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely import plots
from likely.plots.column_scale import ColumnScale
from tests.plots.layout import cut_off, overlapping

rng = np.random.default_rng(5)
SIDE = rng.integers(2, size=600)
GAIN = np.where(rng.random(600) < 0.7 - 0.3 * SIDE, 0.0, np.round(np.exp(rng.normal(7.0 + SIDE, 1.5))))
SKEWED = pd.DataFrame(
    {"gain": GAIN, "price": np.exp(rng.normal(SIDE, 2.0, 600)), "age": rng.normal(40 + 5 * SIDE, 9.0, 600)}
)
NAMES = np.array(["no", "yes"])[SIDE]
MODEL = likely.NaiveBayes().fit(SKEWED, NAMES)


@pytest.mark.parametrize("scale", [ColumnScale(), ColumnScale(0.02), ColumnScale(30.0, zero=True)])
def test_places_and_values_undo_each_other(scale: ColumnScale) -> None:
    values = np.concatenate([[0.0] if scale.zero else [], np.geomspace(0.02 if not scale.zero else 30.0, 1e6, 50)])
    places = scale.places(values)
    assert (np.diff(places) > 0).all()
    np.testing.assert_allclose(scale.values(places), values, rtol=1e-12, atol=1e-12)


def test_only_skewed_columns_leave_the_even_scale() -> None:
    assert ColumnScale.of(SKEWED["age"]).even
    assert ColumnScale.of(np.arange(5000.0)).even
    assert ColumnScale.of(SKEWED["price"] - 5).even
    assert ColumnScale.of(GAIN) == ColumnScale(float(GAIN[GAIN > 0].min()), zero=True)
    assert ColumnScale.of(10.0 ** rng.uniform(-3, 3, 100)).least > 0
    assert ColumnScale.of([np.nan, np.inf]).even


def test_ticks_are_round_and_within() -> None:
    assert ColumnScale(100.0, zero=True).ticks(-5.0, 150_000.0).tolist() == [0.0, 1e2, 1e3, 1e4, 1e5]
    assert ColumnScale(3.0).ticks(3.0, 70.0).tolist() == [5.0, 10.0, 20.0, 50.0]


@pytest.mark.parametrize("model", [MODEL, likely.GaussianBayes().fit(SKEWED, NAMES)])
def test_regions_of_skewed_columns_are_the_decisions(model: Any) -> None:
    figure = plots.decision_surface(model, SKEWED, NAMES, ["price", "age"])
    (ax,) = figure.axes
    assert not cut_off(figure)
    assert not overlapping(figure)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    assert left > 0
    spots = np.column_stack([np.exp(rng.uniform(np.log(left), np.log(right), 200)), rng.uniform(low, high, 200)])
    rows = pd.DataFrame({"gain": np.nan, "price": spots[:, 0], "age": spots[:, 1]})
    said, odds = model.predict(rows), np.diff(model.predict_log_proba(rows), axis=1)[:, 0]
    fills = [one for one in ax.collections if one.get_gid() == "regions"]
    assert len(fills) == 2
    for level, fill in zip(model.classes_, fills, strict=True):
        (path,) = fill.get_paths()
        inside = path.contains_points(spots)
        sure = np.abs(odds) > 0.05  # near the boundary the grid of the fill decides
        assert (inside == (said == level))[sure].all()


def test_the_boundary_along_powers_of_ten_is_where_classes_tie() -> None:
    figure = plots.decision_surface(MODEL, SKEWED, NAMES, ["price", "age"])
    lines = [one for one in figure.axes[0].collections if one.get_gid() == "boundary"]
    points = np.concatenate([np.concatenate(one.get_segments()) for one in lines])
    rows = pd.DataFrame({"gain": np.nan, "price": points[:, 0], "age": points[:, 1]})
    odds = np.diff(MODEL.predict_log_proba(rows), axis=1)
    assert np.abs(odds).max() < 1e-6


def test_zero_stands_in_a_band_with_its_points() -> None:
    figure = plots.decision_surface(MODEL, SKEWED, NAMES, ["gain", "age"])
    (ax,) = figure.axes
    assert ax.get_xticklabels()[0].get_text() == "0"
    least = GAIN[GAIN > 0].min()
    across = np.concatenate([one.get_xdata() for one in ax.lines if one.get_gid() == "points"])
    assert (across < least / 2).sum() == (GAIN == 0).sum()
    assert len(np.unique(across[across < least / 2])) > 0.9 * (GAIN == 0).sum()  # they do not hide each other
    assert across.min() > ax.get_xlim()[0]


def test_one_skewed_column_has_probabilities_where_zero_has_one_of_its_own() -> None:
    (ax,) = plots.decision_surface(MODEL, SKEWED, NAMES, ["gain"]).axes
    curves = [one for one in ax.lines if one.get_gid() == "density"]
    heights = np.array([one.get_ydata() for one in curves])
    if "part" not in ax.get_ylabel():
        np.testing.assert_allclose(heights.sum(axis=0), 1.0)


def test_a_density_by_powers_of_ten_has_the_area_of_its_prior() -> None:
    model = likely.NaiveBayes(descriptions="auto").fit(SKEWED[["price"]], NAMES)
    (ax,) = plots.decision_surface(model, SKEWED[["price"]], NAMES, ["price"]).axes
    assert "factor of 10" in ax.get_ylabel()
    for prior, curve in zip(
        np.bincount(SIDE) / 600, (one for one in ax.lines if one.get_gid() == "density"), strict=True
    ):
        across, up = (np.asarray(values, dtype=float) for values in curve.get_data())
        assert np.trapezoid(up, np.log10(across)) == pytest.approx(prior, abs=0.02)


def test_three_columns_and_the_page_have_the_same_ticks() -> None:
    names = ["gain", "price", "age"]
    (ax,) = plots.decision_surface(MODEL, SKEWED, NAMES, names).axes
    texts = [text.get_text() for text in ax.get_xticklabels()]
    assert texts[0] == "0"
    assert "1000" in texts
    page = plots.interactive_surface(MODEL, SKEWED, NAMES, names).html
    assert all(f'"text":"{text}"' in page for text in texts)
