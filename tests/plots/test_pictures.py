"""Pictures show the numbers they are given, are labelled, and leave nothing behind."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import combinations
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

import likely
from likely import Beta, Dirichlet, Gamma, NormalInverseGamma, plots
from likely.errors import LikelyError
from likely.evaluation import (
    calibration,
    compare,
    confusion,
    evaluate,
    evaluate_model,
    learning_curve,
    precision_recall,
    roc,
    roc_of,
)
from likely.explanations import axis, nomogram

rng = np.random.default_rng(0)
Y = np.where(rng.random(120) < 0.4, "好瓜", "a bad melon, $5 or $6")
X = np.column_stack(
    [rng.normal(Y == "好瓜", 1.0), rng.poisson(2 + 2 * (Y == "好瓜")), rng.integers(3, size=120)]
).astype(object)
X[:, 2] = np.array(["清晰", "稍糊", "a level with a very long name indeed"])[X[:, 2].astype(int)]
KINDS = {"x0": "real", "x1": "count", "x2": "category"}
MODEL = likely.NaiveBayes(kinds=KINDS).fit(X, Y)
PROBA = MODEL.predict_proba(X)
LONG = [f"column number {at} with a long name 很长" for at in range(30)]


def wide() -> Any:
    import pandas as pd

    frame = pd.DataFrame({name: rng.normal(size=60) + (np.arange(60) < 30) * (at % 5) for at, name in enumerate(LONG)})
    return likely.NaiveBayes().fit(frame, np.where(np.arange(60) < 30, "yes", "no")), frame


PICTURES: dict[str, Callable[..., Figure]] = {
    "roc": lambda **o: plots.roc(MODEL, X, Y, priors=[0.1, 0.5], **o),
    "precision_recall": lambda **o: plots.precision_recall(precision_recall(Y, PROBA[:, 1], "好瓜"), **o),
    "calibration": lambda **o: plots.calibration(calibration(Y, PROBA, MODEL.classes_), **o),
    "confusion": lambda **o: plots.confusion(confusion(Y, MODEL.predict(X), MODEL.classes_), **o),
    "densities of reals": lambda **o: plots.densities(MODEL, "x0", **o),
    "densities of counts": lambda **o: plots.densities(MODEL, "x1", **o),
    "densities of levels": lambda **o: plots.densities(MODEL, "x2", **o),
    "beta": lambda **o: plots.beliefs(Beta(1, 1), Beta(8, 4), observed="7 of 10", **o),
    "dirichlet": lambda **o: plots.beliefs(Dirichlet([1, 1]), Dirichlet([2, 5]), levels=["好", "坏"], **o),
    "explanation": lambda **o: plots.explanation(MODEL.explain(X), 3, **o),
    "nomogram": lambda **o: plots.nomogram(nomogram(MODEL), **o),
    "structure": lambda **o: plots.structure(likely.TAN(kinds=KINDS).fit(X, Y).structure_, **o),
    "average": lambda **o: plots.structure(likely.AODE(kinds=KINDS).fit(X, Y).structure_, **o),
    "learning_curve": lambda **o: plots.learning_curve(
        learning_curve(likely.NaiveBayes(kinds=KINDS), X, Y, sizes=[20, 60], folds=3), **o
    ),
    "critical_difference": lambda **o: plots.critical_difference(
        likely.compare({"一": (X, Y), "b": (X, Y)}, models={"好": "naive", "b": "prior"}, folds=2), **o
    ),
    "comparison": lambda **o: plots.comparison(
        compare(
            {"好": likely.NaiveBayes(kinds=KINDS), "b": likely.NaiveBayes(kinds=KINDS, smoothing=9)}, X, Y, folds=3
        ),
        measure="auc",
        **o,
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_title_labels_and_given_axes(name: str) -> None:
    before = dict(matplotlib.rcParams)
    own = PICTURES[name]()
    own.draw_without_rendering()
    ax = own.axes[0]
    assert ax.get_title()
    assert name == "nomogram" or ax.get_xlabel()
    shared = Figure(figsize=(12, 5))
    left, right = shared.subplots(1, 2)
    assert PICTURES[name](ax=right) is shared
    assert right.get_title() == ax.get_title()
    assert not left.has_data()
    shared.draw_without_rendering()
    assert dict(matplotlib.rcParams) == before


def test_results_draw_themselves() -> None:
    found = evaluate_model(MODEL, X, Y)
    for result in (
        found,
        found.roc,
        found.precision_recall,
        found.calibration,
        found.confusion,
        nomogram(MODEL),
        MODEL.explain(X[:2]),
    ):
        assert isinstance(result.plot(), Figure)


def test_no_window_and_nothing_heavy() -> None:
    code = (
        "import sys, likely.plots; assert not {'matplotlib', 'sklearn', 'pandas'} & set(sys.modules)\n"
        "likely.plots.images([[1.0]]); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_settings_survive_threads() -> None:
    before = dict(matplotlib.rcParams)
    threads = [threading.Thread(target=lambda: [PICTURES["calibration"]() for _ in range(5)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert dict(matplotlib.rcParams) == before


def test_the_look_is_ours_whatever_the_user_set() -> None:
    with matplotlib.rc_context({"text.usetex": True, "axes.facecolor": "black", "font.size": 30}):
        figure = PICTURES["confusion"]()
    assert figure.axes[0].get_facecolor() == (1, 1, 1, 1)
    figure.draw_without_rendering()


def test_priors_move_along_the_one_curve() -> None:
    """Each mark is where the model under that prior decides; the curve itself never changes."""
    figure = plots.roc(MODEL, X, Y, priors=[0.02, 0.3, 0.9])
    marks = [line for line in figure.axes[0].lines if "decided" in str(line.get_label())]
    curve = roc_of(MODEL, X, Y)
    for prior, mark in zip([0.02, 0.3, 0.9], marks, strict=True):
        other = MODEL.with_priors({"好瓜": prior, "a bad melon, $5 or $6": 1 - prior})
        found = other.predict(X) == "好瓜"
        point = (found[Y != "好瓜"].mean(), found[Y == "好瓜"].mean())
        assert (mark.get_xdata()[0], mark.get_ydata()[0]) == pytest.approx(point)
        np.testing.assert_array_equal(roc_of(other, X, Y).true_positive_rate, curve.true_positive_rate)


def test_many_models_and_classes() -> None:
    three = likely.NaiveBayes(kinds=KINDS).fit(X, X[:, 2])
    assert len(plots.roc([MODEL, MODEL], X, Y).axes[0].lines) == 3
    assert len(plots.roc({"one": MODEL, "two": MODEL}, X, Y).axes[0].lines) == 3
    assert len(plots.roc(three, X, X[:, 2]).axes[0].lines) == 4
    labels = [text.get_text() for text in plots.roc([three, three], X, X[:, 2]).axes[0].get_legend().get_texts()]
    assert len(set(labels)) == 7
    page = plots.evaluation(evaluate_model(three, X, X[:, 2]))
    assert len(page.axes) == 4
    page.draw_without_rendering()


def test_an_evaluation_of_one_class_says_why() -> None:
    page = plots.evaluation(evaluate(["a"] * 3, [[0.7, 0.3]] * 3, ["a", "b"]))
    assert "no row is 'b'" in page.axes[0].texts[0].get_text()


def test_densities_are_the_terms() -> None:
    lines = plots.densities(MODEL, "x0").axes[0].lines
    found = axis(MODEL, "x0")
    for at, line in enumerate(lines):
        np.testing.assert_allclose(line.get_ydata(), np.exp(found.terms[:, at]))
    bars = plots.densities(MODEL, "x2").axes[0].patches
    np.testing.assert_allclose(
        sorted(bar.get_width() for bar in bars), np.sort(np.exp(axis(MODEL, "x2").terms), axis=None)
    )


def test_densities_of_many_levels_and_words() -> None:
    many = likely.NaiveBayes(kinds="category").fit([[f"level {at % 90}"] for at in range(400)], np.arange(400) % 7 < 3)
    figure = plots.densities(many, "x0")
    assert "24 of 90" in figure.axes[0].get_ylabel()
    assert not overlapping(figure, figure.axes[0].get_yticklabels())
    texts = likely.NaiveBayes(kinds="text").fit(
        [["win a prize"], ["win now"], ["see you now"]], ["spam", "spam", "ham"]
    )
    words = plots.densities(texts, "x0")
    assert words.axes[0].get_xscale() == "log"
    words.draw_without_rendering()
    assert not any("$" in label.get_text() for label in words.axes[0].get_xticklabels())


def overlapping(figure: Figure, texts: Any) -> list[tuple[str, str]]:
    figure.draw_without_rendering()
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts if text.get_text() and text.get_visible()]
    return [
        (one, two) for (one, a), (two, b) in combinations(boxes, 2) if a.shrunk(0.98, 0.9).overlaps(b.shrunk(0.98, 0.9))
    ]


def test_thirty_long_columns_do_not_overlap() -> None:
    model, frame = wide()
    why = plots.explanation(model.explain(frame), top=30)
    assert not overlapping(why, why.axes[0].get_yticklabels())
    chart = plots.nomogram(nomogram(model, top=30))
    assert not overlapping(chart, chart.axes[0].get_yticklabels())
    assert not overlapping(chart, chart.axes[0].texts)
    table = plots.confusion(confusion(LONG, LONG[::-1], LONG))
    assert not overlapping(table, table.axes[0].get_yticklabels())
    for figure in (why, chart, table):
        high = figure.bbox.height
        for label in figure.axes[0].get_yticklabels():
            box = label.get_window_extent()
            assert box.x0 >= 0
            assert box.y1 <= high


def test_the_bars_of_an_explanation_add_up() -> None:
    model, frame = wide()
    for top in (3, 14, 40):
        bars = [bar.get_width() for bar in plots.explanation(model.explain(frame), 1, top=top).axes[0].patches]
        assert sum(bars[:-1]) == pytest.approx(bars[-1])
        speaking = sum(not at or abs(odds) > 1e-9 for at, odds in model.explain(frame).ranked(1))  # others have no bar
        assert len(bars) == min(top, speaking) + (top < speaking) + 1


def test_infinite_terms_are_drawn() -> None:
    model = likely.NaiveBayes(estimate="mle").fit([["a", "c"], ["a", "d"], ["b", "d"]], ["x", "x", "y"])
    for row in ([["b", "d"]], [["b", "c"]], [["a", "c"]]):
        plots.explanation(model.explain(row)).draw_without_rendering()
    plots.nomogram(nomogram(model)).draw_without_rendering()
    plots.densities(model, "x0").draw_without_rendering()


@pytest.mark.parametrize(
    ("prior", "posterior"),
    [
        (Beta(2, 2), Beta(9, 5)),
        (Beta(0.5, 0.5), Beta(1.5, 0.5)),
        (Beta(2, 2), Beta(70_000, 30_000)),
        (Gamma(0.5, 0.1), Gamma(9, 4)),
        (Gamma(2, 1), Gamma(5e6, 1)),
        (NormalInverseGamma(0, 1, 0.5, 1), NormalInverseGamma(3, 9, 5, 4)),
        (Dirichlet([1, 1, 1]), Dirichlet([5, 2, 1])),
        (Dirichlet([1]), Dirichlet([4])),
        (Gamma(3, 2), None),
    ],
)
@pytest.mark.parametrize("ahead", [0, 7, 500])
def test_beliefs(prior: Any, posterior: Any, ahead: int) -> None:
    figure = plots.beliefs(prior, posterior, predictive=ahead)
    assert len(figure.axes) == 1 + isinstance(prior, NormalInverseGamma) + bool(ahead)
    figure.draw_without_rendering()


@pytest.mark.parametrize("belief", [Beta(3, 4), Gamma(3, 2), NormalInverseGamma(1, 4, 3, 2)])
def test_the_area_under_a_belief_is_one(belief: Any) -> None:
    line = plots.beliefs(belief).axes[0].lines[0]
    assert np.trapezoid(line.get_ydata(), line.get_xdata()) == pytest.approx(1, abs=0.02)


def test_the_mean_of_a_normal_inverse_gamma_is_a_student() -> None:
    from scipy import stats

    belief = NormalInverseGamma(1, 4, 3, 2)
    line = plots.beliefs(belief).axes[0].lines[0]
    oracle = stats.t(6, loc=1, scale=np.sqrt(2 / 3 / 4)).pdf(line.get_xdata())
    np.testing.assert_allclose(line.get_ydata(), oracle)


def test_predictive_bars_are_the_predictive() -> None:
    bars = plots.beliefs(Beta(2, 3), predictive=6).axes[1].patches
    np.testing.assert_allclose([bar.get_height() for bar in bars], Beta(2, 3).predictive(6).pmf(range(7)))


def test_infinite_losses_in_curves_and_comparisons() -> None:
    import pandas as pd

    frame = pd.DataFrame({"a": [f"level {at}" for at in range(30)]})
    y = np.arange(30) % 2
    sure = likely.NaiveBayes(estimate="mle")
    plots.learning_curve(learning_curve(sure, frame, y, sizes=[6, 15], folds=3)).draw_without_rendering()
    plots.comparison(compare({"sure": sure, "fair": likely.NaiveBayes()}, frame, y, folds=3)).draw_without_rendering()


def test_grids_of_images() -> None:
    figure = plots.images(np.arange(36.0).reshape(4, 9), labels=np.array(["一", "二", "三", "四"]), columns=3)
    shown = [ax for ax in figure.axes if ax.images]
    assert len(shown) == 4
    assert [ax.get_title() for ax in shown] == ["一", "二", "三", "四"]
    np.testing.assert_array_equal(shown[1].images[0].get_array(), np.arange(9.0, 18.0).reshape(3, 3))
    maps = plots.images([[[-1.0, 0.5, np.inf], [np.nan, 0.0, -np.inf]]])
    assert maps.axes[0].images[0].get_clim() == (-1.0, 1.0)
    assert "log odds" in maps.axes[-1].get_xlabel()
    maps.draw_without_rendering()


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: plots.images([[1.0, 2.0]]), "O375"),
        (lambda: plots.images([]), "O375"),
        (lambda: plots.images([["a"]]), "O375"),
        (lambda: plots.images([[1.0]], labels=["a", "b"]), "O581"),
        (lambda: plots.images([[1.0]], columns=0), "O582"),
        (lambda: plots.roc(MODEL), "O377"),
        (lambda: plots.roc(None), "O374"),
        (lambda: plots.roc([]), "O374"),
        (lambda: plots.roc("text"), "O374"),
        (lambda: plots.confusion(3), "O374"),
        (lambda: plots.evaluation(3), "O374"),
        (lambda: plots.nomogram(3), "O374"),
        (lambda: plots.explanation(MODEL), "O374"),
        (lambda: plots.learning_curve(3), "O374"),
        (lambda: plots.comparison(3), "O374"),
        (lambda: plots.roc(MODEL, X, Y, priors=[1.0]), "O583"),
        (lambda: plots.roc(MODEL, X, Y, priors=["a"]), "O583"),
        (lambda: plots.roc(roc(Y, PROBA[:, 1], "好瓜"), priors=[0.5]), "O378"),
        (lambda: plots.roc(likely.NaiveBayes(kinds=KINDS).fit(X, X[:, 2]), X, X[:, 2], priors=[0.5]), "O378"),
        (lambda: plots.beliefs(Beta(1, 1), Gamma(1, 1)), "O379"),
        (lambda: plots.beliefs(Beta([1, 2], 1)), "O379"),
        (lambda: plots.beliefs(3), "O379"),
        (lambda: plots.beliefs(Beta(1, 1), levels=["a"]), "O585"),
        (lambda: plots.beliefs(Dirichlet([1, 1]), levels=["a"]), "O585"),
        (lambda: plots.beliefs(Dirichlet([1, 1]), Dirichlet([1, 1, 1])), "O585"),
        (lambda: plots.beliefs(Beta(1, 1), predictive=2, ax=Figure().subplots()), "O586"),
        (
            lambda: plots.comparison(compare({"a": likely.NaiveBayes(kinds=KINDS)}, X, Y, folds=2), measure="acuracy"),
            "O376",
        ),
        (lambda: plots.densities(MODEL, "x9"), "O363"),
        (lambda: plots.explanation(MODEL.explain(X), 999), "O362"),
    ],
)
def test_refusals(call: Callable[[], object], code: str) -> None:
    with pytest.raises(LikelyError) as caught:
        call()
    assert caught.value.code == code
    assert caught.value.hint
