"""Models side by side: their scores over the same folds."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.errors.options import choose
from likely.evaluation.comparisons.comparison import MEASURE_OF_LOSS
from likely.plots.named_results import expect
from likely.plots.style import COLOURS, FAINT, Axes, Figure, head, label_levels, new_figure, picture, place
from likely.plots.typeface import short

_MEASURES = {
    "log_loss": "log loss (lower is better)",
    "accuracy": "accuracy (higher is better)",
    "brier": "Brier score (lower is better)",
    "auc": "area under ROC (higher is better)",
    "squared": "mean squared error (lower is better)",
    "absolute": "mean absolute error (lower is better)",
    "rmse": "root mean squared error (lower is better)",
    "r2": "R², share of variance explained (higher is better)",
}


@picture
def comparison(compared: Any, *, measure: str | None = None, ax: Axes | None = None) -> Figure:
    """A Comparison: the mean score of each model as a diamond, and a dot for each fold; the best in blue.

    All four measures, or one: "log_loss", "accuracy", "brier" or "auc" of classifiers, "squared", "absolute", "rmse" or
    "r2" of regressors (the loss that the best has least of where `ax` is given).

    >>> import likely
    >>> from likely.evaluation import compare
    >>> X, y = [[1.0], [2.0], [1.5], [5.0], [6.0], [5.5]], list("aaabbb")
    >>> models = {"real": likely.NaiveBayes(), "parzen": likely.NaiveBayes(kinds="parzen")}
    >>> len(comparison(compare(models, X, y, folds=3)).axes)
    4
    """
    expect(compared, "pairs", "comparison(compared)", "a Comparison: likely.evaluation.compare(models, X, y)")
    known = [name for name in _MEASURES if name in compared.rows[0].measures]
    if measure is not None:
        choose(measure, known, "measure", "O376", place="comparison(measure=)")
    if measure is not None or ax is not None:
        figure, ax = place(ax, height=1.5 + 0.4 * len(compared.rows))
        _panel(ax, compared, measure or MEASURE_OF_LOSS[compared.loss])
        head(ax, f"Scores over {compared.folds * compared.repeats} folds")
        return figure
    figure = new_figure(8.4, 1.2 + 2 * (0.8 + 0.34 * len(compared.rows)))
    axes = figure.subplots(2, 2, sharey=True)
    for one, name in zip(axes.flat, known, strict=True):
        _panel(place(one)[1], compared, name)
    figure.suptitle(
        f"Scores over {compared.folds * compared.repeats} folds: {short(compared.best, 30)} {_best(compared)}",
        x=0.01,
        ha="left",
    )
    return figure


def _panel(ax: Axes, compared: Any, measure: str) -> None:
    rng = np.random.default_rng(0)  # the same jitter each time
    for at, row in enumerate(compared.rows):
        values, mean = np.asarray(getattr(row, measure)), row.mean(measure)
        known = values[np.isfinite(values)]
        colour = COLOURS[0] if row.name == compared.best else FAINT
        ax.plot(
            known,
            at + rng.uniform(-0.16, 0.16, len(known)),
            "o",
            color=colour,
            alpha=0.35,
            markersize=3.5,
            markeredgewidth=0,
        )
        if np.isfinite(mean):
            ax.plot(mean, at, "D", color=colour, markersize=7, markeredgecolor="white")
            told = f"{mean:.3f}" if compared.loss == "log" else f"{mean:.4g}"
            ax.annotate(told, (mean, at), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=7.5)
        else:
            ax.annotate(
                "∞" if np.isinf(mean) else "none",
                (1, at),
                xycoords=("axes fraction", "data"),
                ha="right",
                va="center",
                fontsize=9,
            )
    label_levels(ax, [("▶ " if row.name == compared.best else "") + row.name for row in compared.rows])
    ax.set_xlabel(_MEASURES[measure])


def _best(compared: Any) -> str:
    """What the best model is best in: where every log loss is infinite, it is the most accurate one."""
    least = compared[compared.best].mean(MEASURE_OF_LOSS[compared.loss])
    return f"has the least {compared.loss} loss" if least < float("inf") else "is the most accurate"
