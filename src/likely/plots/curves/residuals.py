"""Residuals: how far predicted numbers are off, along what is predicted."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.plots.legends import legend, legend_of_figure
from likely.plots.named_results import expect
from likely.plots.style import COLOURS, DASHES, FAINT, Axes, Figure, head, new_figure, picture, place
from likely.plots.typeface import number

MOST_DOTS = 4_000  # dots: more make a picture heavy, and show no more
RESIDUAL_GROUPS = 12  # of the rows in order of their prediction, whose mean residuals are joined


@picture
def residuals(found: Any, *, ax: Axes | None = None) -> Figure:
    """A RegressionEvaluation: actual against predicted, and residuals against predicted with their running mean.

    Only the residuals where `ax` is given.

    >>> from sklearn.linear_model import LinearRegression
    >>> from likely.evaluation import evaluate_regression
    >>> X, y = [[0.0], [1.0], [2.0]], [1.0, 3.0, 5.5]
    >>> [ax.get_xlabel() for ax in residuals(evaluate_regression(LinearRegression().fit(X, y), X, y)).axes]
    ['predicted', 'predicted']
    """
    expect(
        found,
        "residuals",
        "residuals(found)",
        "a RegressionEvaluation: evaluate_regression(model, X, y)",
    )
    drawn = _drawn(found.rows)
    if ax is not None:
        figure, ax = place(ax)
        _residuals(ax, found, drawn)
        legend(ax)
        return figure
    figure = new_figure(9.6, 4.2)
    left, right = figure.subplots(1, 2)
    panels = [place(left)[1], place(right)[1]]
    _against(panels[0], found, drawn)
    _residuals(panels[1], found, drawn)
    clear = [legend(panel) for panel in panels]
    if not all(clear):
        _together(figure, panels)
    return figure


def _together(figure: Figure, panels: list[Axes]) -> None:
    """One legend of both panels below them, where dots leave no corner free."""
    handles: list[Any] = []
    labels: list[str] = []
    for panel in panels:
        known, words = panel.get_legend_handles_labels()
        handles += known
        labels += words
        panel.legend_ = None
    legend_of_figure(figure, handles, labels, "")


def _against(ax: Axes, found: Any, drawn: Array) -> None:
    _dots(ax, found.predicted[drawn], found.y[drawn])
    ends = [min(found.y.min(), found.predicted.min()), max(found.y.max(), found.predicted.max())]
    ax.plot(ends, ends, color=FAINT, linewidth=1.2, linestyle=DASHES[1], label="predicted = actual")
    ax.set(xlabel="predicted", ylabel="actual")
    head(ax, f"{_counted(found.rows)}: R² {found.r2:.3f}, root mean square error {number(found.rmse)}")


def _residuals(ax: Axes, found: Any, drawn: Array) -> None:
    _dots(ax, found.predicted[drawn], found.residuals[drawn])
    ax.axhline(0, color=FAINT, linewidth=1.2, linestyle=DASHES[1])
    across, means = _running(found.predicted, found.residuals)
    ax.plot(across, means, color=COLOURS[1], label="mean of neighbours")
    ax.set(xlabel="predicted", ylabel="residual: actual − predicted")
    head(ax, f"Residuals: bias {found.told_bias}, median distance {number(found.median)}")


def _dots(ax: Axes, across: Floats, up: Floats) -> None:
    ax.plot(across, up, "o", color=COLOURS[0], alpha=0.35, markersize=3.5, markeredgewidth=0)


def _drawn(rows: int) -> Array:
    """Which rows get a dot: all, or as many as a picture bears, the same each time."""
    return np.arange(rows) if rows <= MOST_DOTS else np.random.default_rng(0).choice(rows, MOST_DOTS, replace=False)


def _counted(rows: int) -> str:
    return f"{rows:,} rows" if rows <= MOST_DOTS else f"{rows:,} rows, {MOST_DOTS:,} drawn"


def _running(across: Floats, residuals: Floats) -> tuple[Floats, Floats]:
    """The mean prediction and the mean residual of parts of the rows in order of their prediction."""
    parts = np.array_split(np.argsort(across, kind="stable"), max(1, min(RESIDUAL_GROUPS, len(across) // 5)))
    return np.array([across[part].mean() for part in parts]), np.array([residuals[part].mean() for part in parts])
