"""How a search came to its graph: how the score rose from graph to graph, and how soon little was left to gain."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.output.phrases import plural
from likely.plots.named_results import expect
from likely.plots.style import COLOURS, DASHES, Axes, Figure, head, new_figure, picture, place, plain_log

LEAST_SECONDS_DRAWN = 1e-4  # seconds: a logarithmic axis has no zero


@picture
def trace(found: Any, *, ax: Axes | None = None) -> Figure:
    """The score of each graph that was better than all before it; below it, how much was still to be gained by when.

    The first arcs take hardly any time and gain so much that nothing of the rest is seen beside them: hence steps
    instead of seconds, and a second panel with logarithmic scales. Axes that are given hold the first alone.

    >>> from likely.structures.search.result import Progress
    >>> from types import SimpleNamespace
    >>> steps = (Progress(0.0, -120.0, 1, 0, "start"), Progress(0.5, -100.0, 2, 1, "climbing"))
    >>> trace(SimpleNamespace(trace=steps, score=-100.0, seconds=1.0, interrupted=False)).axes[0].get_title()
    'Score −100 with 1 arc, found after 0.5 of 1 s'
    """
    expect(found, "trace", "trace(found)", "the report of a search: network.search_")
    steps = [one for one in found.trace if np.isfinite(one.score)]
    seconds, scores = (np.array([getattr(one, name) for one in steps]) for name in ("seconds", "score"))
    if ax is None and np.unique(scores).size > 2:
        figure = new_figure(height=5.4)
        ax, below = figure.subplots(2, 1, height_ratios=[3, 2])
        _left(below, np.append(seconds, max(found.seconds, seconds[-1])), scores)
        place(below)
    else:
        figure, ax = place(ax, height=3.4)
    place(ax)
    _score(ax, scores, found.interrupted)
    head(ax, _title(found, steps))
    return figure


def _score(ax: Axes, scores: Floats, interrupted: bool) -> None:
    from matplotlib.ticker import MaxNLocator

    if len(scores):
        numbers = np.arange(len(scores), dtype=np.float64)
        _steps(ax, numbers, scores)
        mark, word = ("X", "interrupted here") if interrupted else ("o", "end of the search")
        ax.plot(numbers[-1], scores[-1], mark, color=COLOURS[1], markersize=8 if interrupted else 6, label=word)
        ax.legend(loc="lower right")
    ax.set(xlabel="better graphs, one after the other", ylabel="score (higher is better)")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(lambda value, _: _number(value))


def _left(ax: Axes, ends: Floats, scores: Floats) -> None:
    """What was still to be gained, as long as it was something, and when the search ended."""
    gap = scores[-1] - scores
    open_ = gap > 0
    ends = np.maximum(ends, LEAST_SECONDS_DRAWN)
    _steps(ax, ends[: open_.sum() + 1], np.append(gap[open_], gap[open_][-1]))
    ax.axvline(ends[-1], color=COLOURS[1], linestyle=DASHES[1])
    ax.set(xscale="log", yscale="log", xlabel="seconds", ylabel="score still to gain")
    plain_log(ax.xaxis)
    plain_log(ax.yaxis)
    ax.yaxis.set_major_formatter(lambda value, _: _number(value))


def _steps(ax: Axes, ends: Floats, heights: Floats) -> None:
    """Each height from its own place to the next."""
    dots: dict[str, Any] = {"marker": "o", "markersize": 3.5 if len(ends) <= 40 else 2.0}
    ax.plot(ends, heights, color=COLOURS[0], drawstyle="steps-post", **dots)


def _title(found: Any, steps: list[Any]) -> str:
    if not steps:
        return "A search that reached no graph"
    best = steps[-1]
    what = f"Score {_number(found.score)} with {plural(best.arcs, 'arc')}"
    return f"{what}, found after {best.seconds:.2g} of {found.seconds:.2g} s"


def _number(score: float) -> str:
    return f"{score:,.7g}".replace("-", "−")
