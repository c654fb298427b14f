"""Nothing is cut off or overlaps, and no legend hides what is drawn: names, classes and numbers are awkward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from scipy.stats import rankdata

import likely
from likely import plots
from likely.evaluation import Ranking, compare, confusion, evaluate_model
from likely.explanations import nomogram, profile
from likely.plots.terms.nomogram import scales
from tests.plots.layout import cut_off, hidden, overlapping

rng = np.random.default_rng(3)
SIDE = rng.integers(2, size=300)
NAMES = np.array(["不会购买, a very long class name which goes on", "会购买_$5%_product <b>"])[SIDE]
AWKWARD = pd.DataFrame(
    {
        "income $ per year (gross, before tax & deductions)": 10 ** rng.uniform(-3, 6, 300),
        "price_in_$_per_kg%": rng.normal(SIDE),
        "<b>bold</b> & $x$ and $y$": rng.choice(["<i>", "$x$ and $y$", "&amp;"], 300),
        "收入（每年，税前）人民币": rng.choice(["北京市朝阳区", "上海", "一个名字非常长的类别用来测试版面"], 300),
        "rooms": rng.integers(1, 6, 300) + SIDE,
    }
)
MODEL = likely.NaiveBayes().fit(AWKWARD, NAMES)
CLASS = rng.integers(15, size=600)
MANY_NAMES = np.array([f"class {chr(65 + at)} with a long name" for at in range(15)])[CLASS]
MANY = pd.DataFrame({"x": rng.normal(CLASS, 1.5), "word": rng.choice(list("abc"), 600)})
MANY_MODEL = likely.NaiveBayes().fit(MANY, MANY_NAMES)
ALIKE = pd.DataFrame(
    {f"measurement of sensor number {at} in hall {at % 5} (°C)": rng.normal(SIDE * (at % 3), 1.0) for at in range(30)}
)
ALIKE_MODEL = likely.NaiveBayes().fit(ALIKE, NAMES)
CITY = pd.DataFrame({"city": [f"city number {at} 市" for at in np.repeat(range(100), 6)], "x": rng.normal(size=600)})
PRICE = 300_000.0 + 20_000.0 * AWKWARD["rooms"] + rng.normal(size=300)
COMPARED = compare(
    {"a tree, without pruning and of a very long name": likely.DecisionTree(), "naive": likely.NaiveBayes()},
    AWKWARD,
    NAMES,
    folds=3,
)
JUDGED, MANY_JUDGED = evaluate_model(MODEL, AWKWARD, NAMES), evaluate_model(MANY_MODEL, MANY, MANY_NAMES)


def ranking(names: list[str], tables: int = 12, digits: int = 6) -> Ranking:
    """Models that are about as good as their place among the names."""
    scores = np.random.default_rng(0).normal(np.arange(len(names)), 1.5, (tables, len(names))).round(digits)
    found = rankdata(scores if digits else scores * 0, axis=1)
    none = np.zeros((len(names), len(names)), dtype=np.int64)
    return Ranking(tuple(map(str, range(tables))), tuple(names), "log_loss", scores, found, none, none, ())


LAID: dict[str, Callable[[], Figure]] = {
    "evaluation of long names": JUDGED.plot,
    "evaluation of 15 classes": MANY_JUDGED.plot,
    "roc": lambda: plots.roc(JUDGED.roc),
    "roc of 15 classes": lambda: plots.roc(MANY_JUDGED.roc),
    "precision and recall of 15 classes": lambda: plots.precision_recall(MANY_JUDGED.precision_recall),
    "calibration": lambda: plots.calibration(JUDGED.calibration),
    "confusion of 15 classes": lambda: plots.confusion(MANY_JUDGED.confusion),
    "importance of alike names": lambda: ALIKE_MODEL.feature_importance(ALIKE, NAMES, repeats=2).plot(),
    "profile of alike names": lambda: plots.profile(profile(ALIKE_MODEL)),
    "coefficients of alike names": lambda: likely.LinearRegression().fit(ALIKE, PRICE).plot(),
    "explanation of alike names": lambda: ALIKE_MODEL.explain(ALIKE).plot(3),
    "regression explained": lambda: likely.LinearRegression().fit(AWKWARD, PRICE).explain(AWKWARD).plot(3),
    "comparison": COMPARED.plot,
    "ranks of long names": lambda: ranking(
        [
            "HistGradientBoostingClassifier",
            "naive",
            "a model of a very long name, too long for a picture",
            "朴素贝叶斯分类器",
            "树",
        ]
    ).plot(),
    "ranks of 20 models": lambda: ranking([f"model {at}" for at in range(20)]).plot(),
    "ranks over two tables": lambda: ranking(["a", "b"], tables=2).plot(),
    "equal ranks": lambda: ranking(["first", "second", "third"], digits=0).plot(),
    "nomogram of 100 levels": lambda: likely.NaiveBayes().fit(CITY, CITY["city"].str.len() + np.arange(600) % 2).plot(),
    "nomogram": MODEL.plot,
    "belief beyond the likelihood": lambda: plots.beliefs(likely.Gamma(2, 1), likely.Gamma(5e6, 10)),
    "belief of 15 levels": lambda: plots.beliefs(likely.Dirichlet([1] * 15), likely.Dirichlet(range(1, 16))),
    "hypotheses": lambda: plots.hypotheses({"$x$ 假设": 0.1, "$y$": 0.9}, {"$x$ 假设": 0.9, "$y$": 0.2}),
    **{f"densities of {name}": lambda name=name: plots.densities(MODEL, name) for name in AWKWARD},
    **{f"densities of {name} in 15 classes": lambda name=name: plots.densities(MANY_MODEL, name) for name in MANY},
}


@pytest.mark.parametrize("name", LAID)
def test_nothing_is_cut_off_overlaps_or_is_hidden(name: str) -> None:
    figure: Any = LAID[name]()
    assert not cut_off(figure)
    assert not overlapping(figure)
    assert not hidden(figure)


def test_a_title_ends_where_the_next_panel_begins() -> None:
    from likely.plots.style import head, new_figure, styled

    with styled():
        figure = new_figure(8.0, 3.0)
        left, _ = figure.subplots(1, 2)
        head(left, "costs of $5 and of $6 and more words than there is room for above one of two panels")
    figure.draw_without_rendering()
    box = left.title.get_window_extent()
    assert box.x1 < figure.axes[1].get_window_extent().x0
    assert "\n" in left.title._get_wrapped_text()  # type: ignore[attr-defined]
    assert "\n" not in left.get_title()


def test_names_that_are_cut_are_told_apart_in_trees_and_reasons() -> None:
    tree = likely.DecisionTree().fit(ALIKE, NAMES)
    asked = {text.get_text() for text in tree.plot().axes[0].texts if text.get_text().endswith("?")}
    assert len({text.removeprefix("… ") for text in asked}) > 3
    assert all("in hall" in text for text in asked)
    reasons = [label.get_text() for label in ALIKE_MODEL.explain(ALIKE).plot(3).axes[0].get_yticklabels()[:10]]
    assert all(" in h" in text for text in reasons if " = " in text)


def test_a_column_that_spans_powers_of_ten_is_drawn_by_them() -> None:
    name = AWKWARD.columns[0]
    figure = plots.densities(MODEL, name)
    (ax,) = figure.axes
    assert ax.get_xscale() == "log"
    across, up = (np.asarray(values, dtype=float) for values in ax.lines[0].get_data())
    assert np.trapezoid(up, np.log10(across)) == pytest.approx(1.0, abs=0.25)  # what was seen is most of it
    scale = next(one for one in scales(nomogram(MODEL)) if one.name == name)
    values = [float(label.text.replace(",", "")) for label in scale.labels]
    others = [value for value in values if value not in 10.0 ** np.arange(-3, 7)]
    assert len(values) - len(others) > 4
    assert len(others) <= 4  # the ends of the scale, and where it turns


def test_whole_numbers_are_moved_apart_and_stay_within_the_picture() -> None:
    rooms = AWKWARD[["rooms"]]
    line = likely.LinearRegression().fit(rooms, PRICE).plot(rooms, PRICE).axes[0]
    assert len(np.unique(np.asarray(line.lines[0].get_xdata(), dtype=float))) == len(rooms)
    assert all(float(tick).is_integer() for tick in line.get_xticks())
    model = likely.GaussianBayes().fit(rooms, NAMES)
    panel = plots.decision_surface(model, rooms, NAMES).axes[0]
    for points in (one for one in panel.lines if one.get_gid() == "points"):
        across, up = (np.asarray(values, dtype=float) for values in points.get_data())
        low, high = panel.get_xlim()
        assert ((across > low) & (across < high)).all()
        assert abs(np.corrcoef(across - np.rint(across), up)[0, 1]) < 0.3


def test_numbers_are_written_in_full() -> None:
    figure = likely.LinearRegression().fit(AWKWARD, PRICE).explain(AWKWARD).plot(3)
    assert not any("e+" in text.get_text() for text in [*figure.axes[0].texts, figure.axes[0].title])


def test_very_many_classes_make_no_large_picture() -> None:
    names = [f"class number {at}" for at in range(300)]
    figure = plots.confusion(confusion(names, names[::-1], names))
    assert max(figure.get_size_inches()) < 30
    assert not overlapping(figure)
    assert not figure.axes[0].texts
    model = likely.NaiveBayes().fit(pd.DataFrame({"x": np.arange(300.0)}), names)
    legend = plots.densities(model, "x").axes[0].get_legend()
    assert legend is not None
    assert legend.get_texts()[-1].get_text() == "and 260 more"
