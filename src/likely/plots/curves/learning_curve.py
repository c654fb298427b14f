"""Learning curves: the loss on rows learnt from and on rows held out, as the rows grow."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.plots.named_results import expect
from likely.plots.style import COLOURS, DASHES, FAINT, Axes, Figure, below, head, picture, place, plain_log
from likely.plots.typeface import number

ROOM_FOR_LEGEND = 0.4  # of the height of the curves, above them
FAR_ABOVE = 20.0  # times the least loss: then losses are on a logarithmic axis


@picture
def learning_curve(curve: Any, *, ax: Axes | None = None) -> Figure:
    """A LearningCurve: mean losses over the folds, the band from the least to the largest fold, and what it means.

    >>> import likely
    >>> from likely.evaluation import learning_curve as curve
    >>> X, y = [[value] for value in [1.0, 2.0, 1.5, 2.5, 5.0, 6.0, 5.5, 6.5]], list("aaaabbbb")
    >>> figure = learning_curve(curve(likely.NaiveBayes(), X, y, sizes=[4, 6], folds=4))
    >>> figure.axes[0].get_ylabel()
    'log loss (lower is better)'
    """
    expect(curve, "held_out", "learning_curve(curve)", "a LearningCurve of likely.evaluation")
    figure, ax = place(ax, height=4.4)
    draw_curve(ax, curve, curve.words)
    return figure


def draw_curve(ax: Axes, curve: Any, words: str) -> None:
    """Both curves, and some words below them."""
    _line(ax, curve.sizes, curve.held_out, "rows held out", color=COLOURS[1], linestyle="-", marker="o")
    _line(ax, curve.sizes, curve.training, "rows learnt from", color=COLOURS[0], linestyle=DASHES[1], marker="s")
    for height, name, dashes in ((curve.guess, "guessing", DASHES[3]), (curve.floor, "best seen", DASHES[2])):
        if np.isfinite(height):
            ax.axhline(
                height, color=FAINT, linewidth=1.2, linestyle=dashes, label=f"{name} ({number(height, 3)})", zorder=1
            )
    ax.set_xscale("log")
    plain_log(ax.xaxis)
    seen, learnt = (means[np.isfinite(means) & (means > 0)] for means in _means(curve))
    if len(seen) and seen.max() > FAR_ABOVE * seen.min():  # one bad start would hide the rest
        low, top = 0.7 * min(seen.min(), *learnt[learnt > seen.min() / FAR_ABOVE]), float(ax.dataLim.y1)
        ax.set_yscale("log")
        ax.set_ylim(low, top * (top / low) ** ROOM_FOR_LEGEND)
        plain_log(ax.yaxis)
    else:
        ax.set_ylim(0, 1.3 * ax.dataLim.y1)  # room for the legend
    ax.set(xlabel="rows learnt from", ylabel=f"{curve.loss} loss (lower is better)")
    head(ax, f"Learning curve: {curve.verdict}")
    ax.legend(
        title=f"mean and range of {curve.held_out.shape[1]} folds",
        title_fontsize=8.5,
        alignment="left",
        ncols=2,
        loc="upper right",
    )
    below(ax, words)


def _means(curve: Any) -> list[Floats]:
    """(sizes,) each: of rows held out and of rows learnt from."""
    return [curve.held_out.mean(axis=1), curve.training.mean(axis=1)]


def _line(ax: Axes, sizes: Any, losses: Floats, name: str, **look: Any) -> None:
    """Infinite losses cannot be drawn: the line has a gap there, and the words say why."""
    mean = losses.mean(axis=1)
    there = np.isfinite(mean)
    ax.plot(sizes[there], mean[there], label=name, **look)
    low, high = losses[there].min(axis=1, initial=np.inf), losses[there].max(axis=1, initial=-np.inf)
    ax.fill_between(sizes[there], low, high, color=look["color"], alpha=0.12, linewidth=0)
