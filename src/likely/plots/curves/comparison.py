"""Models side by side: their scores over the same folds."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.errors.options import choose
from likely.evaluation.comparisons.comparison import MEASURE_OF_LOSS
from likely.plots.named_results import expect
from likely.plots.style import COLOURS, FAINT, INK, Axes, Figure, bare, head, label_levels, new_figure, picture, place
from likely.plots.typeface import number, short, shorts

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

MODEL_NAME_LETTERS = 22  # of a model
TABLE_HEADS = {"log_loss": "log loss", "accuracy": "accuracy", "brier": "Brier", "auc": "AUC"}
TABLE_HEADS |= {"squared": "MSE", "absolute": "MAE", "rmse": "RMSE", "r2": "R²"}


@picture
def comparison(compared: Any, *, measure: str | None = None, ax: Axes | None = None) -> Figure:
    """A Comparison: the mean score of each model as a diamond, and a dot for each fold; the best first, in blue.

    The score is the loss that the best has least of, or the `measure` that is said: "log_loss", "accuracy", "brier" or
    "auc" of classifiers, "squared", "absolute", "rmse" or "r2" of regressors. The others stand beside it as a table,
    with the seconds that each model took, unless `ax` is given. What is told of every row alike is a line.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [5.0], [6.0], [5.5]], list("aaabbb")
    >>> models = {"real": likely.NaiveBayes(), "parzen": likely.NaiveBayes(kinds="parzen")}
    >>> comparison(likely.evaluation.compare(models, X, y, folds=3)).axes[0].get_xlabel()
    'log loss (lower is better)'
    """
    expect(compared, "pairs", "comparison(compared)", "a Comparison: likely.evaluation.compare(models, X, y)")
    known = [name for name in _MEASURES if name in compared.rows[0].measures]
    if measure is not None:
        choose(measure, known, "measure", "O376", place="comparison(measure=)")
    decisive = MEASURE_OF_LOSS[compared.loss]
    alone, shown = ax is None, measure or decisive
    tall = 1.6 + 0.34 * len(compared.rows)
    if alone:
        figure = new_figure(9.4, tall)
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        ax = place(left)[1]
        _table(place(right)[1], compared, [name for name in known if name != shown])
    else:
        figure, ax = place(ax, height=tall)
    _panel(ax, compared, shown, decisive)
    if alone:
        right.set_ylim(ax.get_ylim())
    folds = compared.folds * compared.repeats
    head(ax, f"Scores over {folds} folds: {short(compared.best, 30)} {_best(compared)}")
    return figure


def _panel(ax: Axes, compared: Any, measure: str, decisive: str) -> None:
    rng = np.random.default_rng(0)  # the same jitter each time
    rows = compared.ranked
    for at, row in enumerate(rows):
        values, mean = np.asarray(getattr(row, measure)), row.mean(measure)
        known = values[np.isfinite(values)]
        colour = COLOURS[0] if row.name == compared.best else FAINT
        jitter = at + rng.uniform(-0.16, 0.16, len(known))
        ax.plot(known, jitter, "o", color=colour, alpha=0.35, markersize=3.5, markeredgewidth=0)
        if np.isfinite(mean):
            ax.plot(mean, at, "D", color=colour, markersize=7, markeredgecolor="white")
            told = _told(compared, mean)
            ax.annotate(told, (mean, at), xytext=(0, 6), textcoords="offset points", ha="center", fontsize=7.5)
        else:
            edge, told = ("axes fraction", "data"), "∞" if np.isinf(mean) else "none"
            ax.annotate(told, (1, at), xycoords=edge, ha="right", va="center", fontsize=9)
    lined = measure == decisive and np.isfinite(compared.baseline)
    if lined:
        same = "the shares of the classes" if compared.loss == "log" else "the mean"
        ax.axvline(
            compared.baseline,
            color=INK,
            linewidth=1.0,
            linestyle=":",
            label=f"always {same}: {_told(compared, compared.baseline)}",
        )
        left, right = ax.get_xlim()
        ax.set_xlim(left, right + 0.02 * (right - left))
        ax.legend(loc="lower left", fontsize=8)
    names = [
        ("▶ " if row.name == compared.best else "") + name
        for row, name in zip(rows, shorts((row.name for row in rows), MODEL_NAME_LETTERS), strict=True)
    ]
    label_levels(ax, names, room=1.1 if lined else 0.0)
    ax.set_xlabel(_MEASURES[measure])


def _table(ax: Axes, compared: Any, measures: list[str]) -> None:
    """The other scores and the seconds, right of the picture, a line with each model."""
    columns = [(TABLE_HEADS[name], [_told(compared, row.mean(name)) for row in compared.ranked]) for name in measures]
    columns.append(("seconds", [f"{row.seconds:.2g}" if np.isfinite(row.seconds) else "" for row in compared.ranked]))
    bare(ax, xlim=(-1, len(columns) - 0.8), xticks=[], yticks=[])
    for x, (title, cells) in enumerate(columns):
        ax.text(x, -0.55, title, ha="right", va="bottom", fontsize=8, color=FAINT)
        for at, cell in enumerate(cells):
            colour = COLOURS[0] if compared.ranked[at].name == compared.best else INK
            ax.text(x, at, cell, ha="right", va="center", fontsize=8, color=colour)


def _told(compared: Any, value: float) -> str:
    if not np.isfinite(value):
        return "∞" if np.isinf(value) else "–"
    return f"{value:.3f}" if compared.loss == "log" else number(value)


def _best(compared: Any) -> str:
    """What the best model is best in: where every log loss is infinite, it is the most accurate one."""
    least = compared[compared.best].mean(MEASURE_OF_LOSS[compared.loss])
    return f"has the least {compared.loss} loss" if least < float("inf") else "is the most accurate"
