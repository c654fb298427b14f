"""Models side by side: their scores over the same folds."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.errors.options import choose
from likely.evaluation.comparisons.measures import HIGHER_IS_BETTER, SENTENCE_NAMES, standing
from likely.output.phrases import duration, peak_size
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

    The score is the one that decides, or the `measure` that is said: "log_loss", "accuracy", "brier" or
    "auc" of classifiers, "squared", "absolute", "rmse" or "r2" of regressors. The others stand beside it as a table,
    with the seconds that each model took, unless `ax` is given. What is told of every row alike is a line. The axis is
    for the models that are better than that: what lies beyond stands at its edge.

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
    alone, shown = ax is None, measure or compared.measure
    rows = _in_order(compared, shown)
    tall = 1.6 + 0.34 * len(compared.rows)
    if alone:
        figure = new_figure(10.4, tall)
        left, right = figure.subplots(1, 2, width_ratios=(5, 4))
        ax = place(left)[1]
        _table(place(right)[1], compared, [name for name in known if name != shown], rows)
    else:
        figure, ax = place(ax, height=tall)
    _panel(ax, compared, shown, rows)
    if alone:
        right.set_ylim(ax.get_ylim())
    folds = compared.folds * compared.repeats
    head(ax, f"Scores over {folds} folds: {short(rows[0].name, 30)} {_best(rows[0], shown)}")
    return figure


def _panel(ax: Axes, compared: Any, measure: str, rows: list[Any]) -> None:
    rng = np.random.default_rng(0)  # the same jitter each time
    low, high = _limits(compared, measure)
    baseline = compared.baselines.get(measure, float("nan"))
    ax.set_xlim(low, high)
    for at, row in enumerate(rows):
        values, mean = np.asarray(getattr(row, measure)), row.mean(measure)
        known = values[np.isfinite(values)]
        colour = COLOURS[0] if row is rows[0] else FAINT
        jitter = at + rng.uniform(-0.16, 0.16, len(known))
        there = (low <= known) & (known <= high)
        ax.plot(known[there], jitter[there], "o", color=colour, alpha=0.35, markersize=3.5, markeredgewidth=0)
        if low <= mean <= high:
            ax.plot(mean, at, "D", color=colour, markersize=7, markeredgecolor="white")
            told = _told(compared, mean)
            ax.annotate(told, (mean, at), xytext=(0, 6), textcoords="offset points", ha="center", fontsize=7.5)
        else:
            _at_edge(ax, at, mean < low, _told(compared, mean))
    lined = np.isfinite(baseline)
    if lined:
        same = "the shares of the classes" if compared.loss == "log" else "the mean"
        label = f"always {same}: {_told(compared, baseline)}"
        if low <= baseline <= high:
            ax.axvline(baseline, color=INK, linewidth=1.0, linestyle=":", label=label)
        else:  # beyond the axis: a legend without a line in the picture
            arrow = "→" if baseline > high else "←"
            ax.plot([], [], " ", label=f"{label} {arrow}")
        inside = low <= baseline <= high
        ax.legend(loc="lower left", fontsize=8, **({} if inside else {"handlelength": 0.0, "handletextpad": 0.0}))
    names = [
        ("▶ " if row is rows[0] else "") + name
        for row, name in zip(rows, shorts((row.name for row in rows), MODEL_NAME_LETTERS), strict=True)
    ]
    label_levels(ax, names, room=1.1 if lined else 0.0)
    ax.set_xlabel(_MEASURES[measure])


def _in_order(compared: Any, measure: str) -> list[Any]:
    """The rows by the score that is drawn, the best first."""
    return (
        compared.ranked
        if measure == compared.measure
        else sorted(compared.rows, key=lambda row: standing(row, measure))
    )


def _limits(compared: Any, measure: str) -> tuple[float, float]:
    """The ends of the axis: around the folds of models that are better than the baseline, where there are two such.

    One fold that is far from all others does not stretch it either: the middle nine tenths of the folds are within.
    """
    means = {row.name: row.mean(measure) for row in compared.rows if np.isfinite(row.mean(measure))}
    sign = -1.0 if measure in HIGHER_IS_BETTER else 1.0
    base = compared.baselines.get(measure, float("nan"))
    better = [
        name for name, mean in means.items() if sign * mean < sign * base - 0.02 * abs(base - _best_of(means, sign))
    ]
    kept = better if len(better) > 1 else list(means)
    folds = np.concatenate([np.zeros(0), *(np.asarray(getattr(compared[name], measure)) for name in kept)])
    folds = folds[np.isfinite(folds)]
    if not len(folds):
        return 0.0, 1.0
    ends = [*np.quantile(folds, (0.05, 0.95)), *(means[name] for name in kept)]
    near = [value for value in folds if min(ends) - 0.5 * np.ptp(ends) <= value <= max(ends) + 0.5 * np.ptp(ends)]
    low, high = min(*ends, *near), max(*ends, *near)
    if len(kept) == len(means) and np.isfinite(base):
        low, high = min(low, base), max(high, base)
    room = 0.06 * (high - low) or 0.05 * abs(high) or 0.05
    return float(low - room), float(high + room)


def _best_of(means: dict[str, float], sign: float) -> float:
    return sign * min(sign * mean for mean in means.values())


def _at_edge(ax: Axes, at: int, left: bool, told: str) -> None:
    """A score beyond the axis, at the edge where it lies."""
    if told == "–":
        ax.annotate("none", (1, at), xycoords=("axes fraction", "data"), ha="right", va="center", fontsize=8)
        return
    said, place_ = (f"◀ {told}", 0.0) if left else (f"{told} ▶", 1.0)
    side = "left" if left else "right"
    ax.annotate(said, (place_, at), xycoords=("axes fraction", "data"), ha=side, va="center", fontsize=8, color=FAINT)


def _table(ax: Axes, compared: Any, measures: list[str], rows: list[Any]) -> None:
    """The other scores and what each model costs, right of the picture, a line with each model."""
    columns = [(TABLE_HEADS[name], [_told(compared, row.mean(name)) for row in rows]) for name in measures]
    columns.append(("fit", [duration(row.fit_seconds) for row in rows]))
    columns.append(("predict", [duration(row.predict_seconds) for row in rows]))
    if any(np.isfinite(row.peak_memory) for row in rows):
        columns.append(("memory", [peak_size(row.peak_memory) for row in rows]))
    bare(ax, xlim=(-1, len(columns) - 0.8), xticks=[], yticks=[])
    for x, (title, cells) in enumerate(columns):
        ax.text(x, -0.55, title, ha="right", va="bottom", fontsize=8, color=FAINT)
        for at, cell in enumerate(cells):
            colour = COLOURS[0] if at == 0 else INK
            ax.text(x, at, cell, ha="right", va="center", fontsize=8, color=colour)


def _told(compared: Any, value: float) -> str:
    if not np.isfinite(value):
        return "∞" if np.isinf(value) else "–"
    return f"{value:.3f}" if compared.loss == "log" else number(value)


def _best(row: Any, measure: str) -> str:
    """What the best model is best in: where every log loss is infinite, it is the most accurate one."""
    if not np.isfinite(row.mean(measure)):
        return "is the most accurate"
    return f"has the {'highest' if measure in HIGHER_IS_BETTER else 'least'} {SENTENCE_NAMES[measure]}"
