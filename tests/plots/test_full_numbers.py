"""Numbers at axes and in labels are those that people write, and as many as have room."""

from __future__ import annotations

import numpy as np
import pandas as pd

import likely
from likely import plots
from likely.evaluation import evaluate, evaluate_regression
from likely.explanations import profile
from likely.plots.legends import lay_out
from likely.plots.terms.nomogram import scales
from tests.plots.layout import cut_off, overlapping

rng = np.random.default_rng(7)
LARGE = rng.normal(120_000, 60_000, 400)
PRICE = 1e5 + 3.0 * LARGE + rng.normal(0, 4e4, 400)


def test_large_numbers_have_commas_and_room() -> None:
    model = likely.LinearRegression().fit(LARGE[:, None], PRICE)
    figure = evaluate_regression(model, LARGE[:, None], PRICE).plot()
    assert not overlapping(figure)
    texts = [tick.get_text() for tick in figure.axes[0].get_xticklabels()]
    assert any("," in text for text in texts)
    assert not any("e" in text for text in texts)


def test_densities_of_large_numbers_are_told_for_many_units() -> None:
    model = likely.NaiveBayes(kinds="real").fit(LARGE[:, None], np.where(LARGE > 1e5, "a", "b"))
    (ax,) = plots.densities(model, 0).axes
    assert ax.get_ylabel() == "density, per 100,000"
    lay_out(ax.figure)
    assert max(float(tick.get_text()) for tick in ax.get_yticklabels()) > 0.1
    assert not ax.yaxis.get_offset_text().get_text()


def test_thresholds_of_a_tree_are_short_and_in_full() -> None:
    X = np.column_stack([LARGE, LARGE + rng.normal(0, 1e-7, 400)])
    figure = likely.DecisionTree().fit(X, np.where(rng.random(400) < 0.5, "a", "b")).plot()
    asked = [text.get_text() for text in figure.axes[0].texts if text.get_text()[:1] in "≤>"]
    assert asked
    assert all("e+" not in text and len(text) < 14 for text in asked)
    assert not cut_off(figure)  # in the first drawing, which is the one that is saved


def test_parts_of_a_column_are_told_from_where_to_where() -> None:
    X = pd.DataFrame({"x": rng.uniform(0, 100, 3000)})
    y = np.where((X["x"] // 20 % 2 == 0) ^ (rng.random(3000) < 0.1), "a", "b")
    model = likely.NaiveBayes().fit(X, y)
    assert isinstance(model.descriptions_["x"], tuple)
    scale = next(one for one in scales(likely.explanations.nomogram(model)) if one.name == "x")
    assert len(scale.labels) <= len(model.descriptions_["x"]) + 1  # parts that tell the same may be one
    assert sum(" to " in label.text for label in scale.labels) > 4
    (ax,) = plots.densities(model, "x").axes
    heights = np.asarray(ax.lines[0].get_ydata(), dtype=float)[:-1]
    assert abs(heights.sum() - 1) < 1e-9
    assert ax.get_xlabel() == f"x, cut into {len(heights)} parts"


def test_the_ends_of_a_scale_are_told() -> None:
    X = pd.DataFrame({"x": np.exp(rng.normal(0, 1.0, 500)), "z": rng.normal(size=500)})
    model = likely.LogisticRegression().fit(X, np.where(X["x"] + X["z"] > 1.5, "a", "b"))
    for scale in scales(likely.explanations.nomogram(model))[1:-2]:
        spots = [label.at for label in scale.labels]
        assert min(spots) - scale.start < 0.06
        assert scale.stop - max(spots) < 0.06


def test_columns_that_tell_nothing_have_no_bars() -> None:
    X = pd.DataFrame({"x": rng.normal(size=200), "same": 1.0, "one": "level"})
    model = likely.NaiveBayes().fit(X, np.where(X["x"] > 0, "a", "b"))
    (ax,) = plots.profile(profile(model)).axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x"]
    assert "not shown: 2 columns that tell nothing" in [text.get_text() for text in ax.texts]


def test_one_calibration_has_no_legend_to_hide_it() -> None:
    found = evaluate(
        list("aabbab"), [[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.4, 0.6], [0.3, 0.7], [0.6, 0.4]], ["a", "b"]
    )
    (ax,) = plots.calibration(found.calibration).axes
    assert ax.get_legend() is None
    assert ax.get_title().startswith("Calibration of P(b): mean gap ")


def test_levels_of_a_column_stand_as_people_read_them() -> None:
    months = np.array(["january", "february", "march", "april", "may", "june"])[rng.integers(6, size=300)]
    model = likely.NaiveBayes().fit(pd.DataFrame({"month": months}), np.where(rng.random(300) < 0.5, "a", "b"))
    labels = [label.get_text() for label in plots.densities(model, "month").axes[0].get_yticklabels()]
    assert labels == ["january", "february", "march", "april", "may", "june"]


def test_a_mark_beyond_the_picture_is_an_arrow() -> None:
    figure = plots.beliefs(likely.Gamma(2, 1), likely.Gamma(50_002, 11))
    assert "5000 ▶" in [text.get_text() for text in figure.axes[0].texts]
