"""How gradient descent went: the loss against the steps, and the way over the contours of two parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.plots.named_results import expect
from likely.plots.style import (
    COLOURS,
    FAINT,
    FIGURE_WIDTH,
    Axes,
    Figure,
    below,
    head,
    new_figure,
    picture,
    place,
    plain_log,
)
from likely.plots.typeface import short


@picture
def descent(path: Any, *, ax: Axes | None = None) -> Figure:
    """A Path: the loss after each step and, where two parameters were sought, where they were on the loss's slopes.

    Axes that are given hold the first alone.

    >>> from likely.companions.regression.gradient_descent import descend
    >>> path = descend(lambda at: (float(at @ at), 2 * at), np.array([1.0, 2.0]), 0.25, 100, 1e-6)
    >>> descent(path).axes[0].get_title()
    'Converged after 20 steps'
    """
    expect(path, "learning_rate", "descent(path)", "the path of a model: model.path_")
    if ax is None and path.chart is not None:
        figure = new_figure(2 * FIGURE_WIDTH, 4.0)
        ax, beside = figure.subplots(1, 2)
        place(beside)
        _slopes(beside, path)
        place(ax)
    else:
        figure, ax = place(ax)
    _losses(ax, path)
    return figure


def _losses(ax: Axes, path: Any) -> None:
    known = np.isfinite(path.losses)
    ax.plot(
        path.steps[known], path.losses[known], color=COLOURS[path.stopped == "diverged"], marker="o", markersize=2.5
    )
    low, high = path.losses[known].min(), path.losses[known].max()
    if low > 0 and high > 30 * low:
        ax.set_yscale("log")
        plain_log(ax.yaxis)
    ax.set(xlabel="steps", ylabel="loss (lower is better)")
    ending = {"converged": "Converged after", "diverged": "Diverged in", "steps": "Not converged after"}[path.stopped]
    head(ax, f"{ending} {path.taken:,} steps")
    below(ax, path.words)


def _slopes(ax: Axes, path: Any) -> None:
    """Contours that crowd towards the bottom, and the way to it."""
    (left, low), (right, high) = path.corners
    across, up = (np.linspace(*ends, len(path.chart)) for ends in ((left, right), (low, high)))
    bottom, top = path.chart.min(), path.chart.max()
    levels = bottom + (top - bottom) * np.linspace(0.0, 1.0, 14)[1:] ** 3
    if top > bottom:
        ax.contour(across, up, path.chart, levels=levels, colors=FAINT, linewidths=0.7)
    ax.plot(*path.parameters.T, color=COLOURS[0], marker="o", markersize=2.5, linewidth=1.2, label="way")
    ax.plot(*path.parameters[0], "s", color=COLOURS[2], markersize=6, label="start")
    ax.plot(*path.parameters[-1], "X", color=COLOURS[1], markersize=8, label="end")
    names = [short(name, 24) for name in path.names or ("first parameter", "second parameter")]
    ax.set(xlim=(left, right), ylim=(low, high), xlabel=names[0], ylabel=names[1])
    ax.grid(False)
    ax.legend(loc="best")
    head(ax, "Loss over the two parameters")
