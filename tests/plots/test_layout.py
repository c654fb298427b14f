"""Nothing is cut off, nothing overlaps, and no legend hides what is drawn: on names, classes and numbers that are awkward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.plots.layout import cut_off, hidden, overlapping
from matplotlib.figure import Figure

import likely
from likely import plots
from likely.evaluation import evaluate_model

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
JUDGED, MANY_JUDGED = evaluate_model(MODEL, AWKWARD, NAMES), evaluate_model(MANY_MODEL, MANY, MANY_NAMES)

LAID: dict[str, Callable[[], Figure]] = {
    "evaluation of long names": JUDGED.plot,
    "evaluation of 15 classes": MANY_JUDGED.plot,
    "roc": lambda: plots.roc(JUDGED.roc),
    "roc of 15 classes": lambda: plots.roc(MANY_JUDGED.roc),
    "precision and recall of 15 classes": lambda: plots.precision_recall(MANY_JUDGED.precision_recall),
    "calibration": lambda: plots.calibration(JUDGED.calibration),
    "confusion of 15 classes": lambda: plots.confusion(MANY_JUDGED.confusion),
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
