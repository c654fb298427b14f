"""What a belief expects next: probabilities of counts, the density of a value, expected counts of levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from likely.beliefs import Dirichlet, Gamma, NormalInverseGamma
from likely.core.numerics import Array
from likely.plots.style import BEFORE_AFTER, DASHES, Axes, head, label_levels

Drawn = list[tuple[Any, str]]  # beliefs, each with when it is held: "before" and "after", or "now"
_MOST_COUNT_BARS = 40  # counts that still have a bar each


def curve_look(when: str) -> dict[str, Any]:
    """How the curve of a belief is drawn."""
    if when == "before":
        return {"color": BEFORE_AFTER[0], "linestyle": DASHES[1], "linewidth": 1.5}
    return {"color": BEFORE_AFTER[1], "linewidth": 2.0}


def bar_look(when: str) -> dict[str, Any]:
    """How the bars of a belief are drawn."""
    before = when == "before"
    return {
        "facecolor": BEFORE_AFTER[not before],
        "hatch": "////" if before else "",
        "edgecolor": "white",
        "linewidth": 0.5,
    }


def side_by_side(drawn: Drawn) -> Iterator[tuple[Array, float, tuple[Any, str]]]:
    """(middles, thickness, belief and when) of the bars of Dirichlet beliefs."""
    each = 0.8 / len(drawn)
    for at, one in enumerate(drawn):
        yield np.arange(len(one[0].concentration)) - 0.4 + (at + 0.5) * each, 0.92 * each, one


def next_values(ax: Axes, drawn: Drawn, ahead: float, levels: Sequence[object]) -> None:
    """The predictive distributions of beliefs."""
    kind = type(drawn[0][0])
    if kind is NormalInverseGamma:
        _value(ax, drawn)
        head(ax, "The next value")
        return
    (_levels if kind is Dirichlet else _counts)(ax, drawn, ahead, levels)
    what = "unit" if kind is Gamma else "draw"
    head(ax, f"The next {what}" if ahead == 1 else f"The next {ahead:g} {what}s")


def _value(ax: Axes, drawn: Drawn) -> None:
    out = 0.02 if drawn[-1][0].shape < 2 else 0.001  # the tails of a vague belief go on and on
    low, high = drawn[-1][0].predictive().ppf([out, 1 - out])
    x = np.linspace(low, high, 401)
    for belief, when in drawn:
        ax.plot(x, belief.predictive().pdf(x), label=when, **curve_look(when))
    ax.set(xlim=(x[0], x[-1]), xlabel="value", ylabel="density")
    ax.set_ylim(bottom=0)
    ax.legend(loc="upper left")


def _counts(ax: Axes, drawn: Drawn, ahead: float, levels: Sequence[object]) -> None:
    """Bars of the probability of each count; a line where there are too many for bars."""
    from matplotlib.ticker import MaxNLocator

    futures = [(belief.predictive(ahead), when) for belief, when in drawn]
    low, high = 0, int(ahead)
    if isinstance(drawn[0][0], Gamma):
        low, high = int(0.75 * futures[-1][0].ppf(0.005)), int(1.25 * futures[-1][0].ppf(0.995)) + 1
        low = 0 if high <= _MOST_COUNT_BARS else low
    k = np.unique(np.linspace(low, high, min(high - low + 1, 1000)).round())
    each = 0.8 / len(drawn)
    for at, (future, when) in enumerate(futures):
        if high - low <= _MOST_COUNT_BARS:
            ax.bar(k - 0.4 + (at + 0.5) * each, future.pmf(k), 0.92 * each, label=when, **bar_look(when))
        else:
            ax.plot(k, future.pmf(k), label=when, **curve_look(when))
    ax.set(xlabel="events" if isinstance(drawn[0][0], Gamma) else "successes", ylabel="probability")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylim(bottom=0)
    ax.grid(False, axis="x")
    ax.legend()


def _levels(ax: Axes, drawn: Drawn, ahead: float, levels: Sequence[object]) -> None:
    for spots, thick, (belief, when) in side_by_side(drawn):
        ax.barh(spots, ahead * belief.mean, thick, label=when, **bar_look(when))
    label_levels(ax, levels or range(len(drawn[0][0].concentration)), room=1.0)
    ax.set_xlabel("probability" if ahead == 1 else "expected count")
    ax.legend(loc="lower right")
