"""Beliefs before and after the data, what the data say by themselves, and what the beliefs expect next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.beliefs import Beta, Dirichlet, Gamma, NormalInverseGamma, NormalInverseWishart
from likely.core.numerics import Floats
from likely.errors import OptionError
from likely.plots.posteriors.parameters import Quantity, quantities
from likely.plots.posteriors.predictive import Drawn, bar_look, curve_look, next_values, side_by_side
from likely.plots.style import (
    BEFORE_AFTER,
    COLOURS,
    DASHES,
    FIGURE_WIDTH,
    INK,
    Axes,
    Figure,
    head,
    label_levels,
    new_figure,
    picture,
    place,
)
from likely.plots.typeface import number, short

DATA_COLOUR = COLOURS[1]  # what the data say by themselves
CURVE_NODES = 801  # of a curve
_LEVELS = (Dirichlet, NormalInverseWishart)  # beliefs about several numbers: a line each


@picture
def beliefs(
    prior: Any,
    posterior: Any = None,
    *,
    observed: str = "",
    predictive: float = 0,
    about: str = "",
    levels: Sequence[object] = (),
    ax: Any = None,
) -> Figure:
    """A belief before and after data: curves of a Beta, Gamma or NormalInverseGamma; a line a level, or column, else.

    Beside them is what the data in between say by themselves, and where it is highest: the likelihood and the MLE. The
    likeliest value of the last belief is marked as the MAP. A NormalInverseGamma has a panel for the mean and one for
    the standard deviation, if no `ax` is given; there the likelihood is that of the best value of the other.

    `observed` says in words what was seen in between, `about` what the belief is about. With `predictive`, one more
    panel shows what the beliefs expect of so many draws ahead (units of exposure for a Gamma, of the next value for a
    NormalInverseGamma); `ax` is then a pair of axes. `levels` names those of a Dirichlet, or the columns.

    >>> from likely import Beta
    >>> figure = beliefs(Beta(1, 1), Beta(8, 4), observed="7 heads in 10 tosses", predictive=5)
    >>> [ax.get_title() for ax in figure.axes]
    ['Belief after 7 heads in 10 tosses', 'The next 5 draws']
    """
    given = [belief for belief in (prior, posterior) if belief is not None]
    _check(given, levels)
    rows = _count(prior)
    if predictive and isinstance(prior, NormalInverseWishart):
        hint = "leave predictive= out, or draw one column: belief.marginals[i].plot(predictive=1)"
        raise OptionError("O584", "the next row of several columns has no picture", place="beliefs", hint=hint)
    tall = 1.9 + 0.42 * rows if rows else 3.6
    second = ax is None and isinstance(prior, NormalInverseGamma)
    panels = 1 + second + bool(predictive)
    if ax is None and panels > 1:
        axes = list(new_figure(FIGURE_WIDTH, panels * tall).subplots(panels, 1))
    else:
        axes = list(_panels(ax)) if predictive else [ax]
    figure, first = place(axes[0], height=tall)
    axes[0] = first
    drawn = list(zip(given, ("before", "after") if len(given) == 2 else ("now",), strict=True))
    if rows:
        (_shares if isinstance(prior, Dirichlet) else _means)(first, drawn, levels)
    else:
        for one, panel in zip(quantities(type(prior))[: 1 + second], axes, strict=False):
            _curves(panel, drawn, one)
            panel.set_xlabel(short(f"{one.about} of {about}" if second and about else about, 60) or one.about)
    if about and rows:
        first.set_xlabel(short(about, 60))
    head(first, f"Belief after {observed}" if observed else "Belief before and after" if len(given) == 2 else "Belief")
    if predictive:
        next_values(place(axes[-1])[1], drawn, 1 if predictive is True else predictive, levels)
    return figure


def _count(belief: Any) -> int:
    """How many lines a picture of the belief has, a line for each number; 0 where it has curves."""
    if isinstance(belief, Dirichlet):
        return len(belief.concentration)
    return len(belief.mean) if isinstance(belief, NormalInverseWishart) else 0


def _check(given: list[Any], levels: Sequence[object]) -> None:
    kinds = (Beta, Gamma, NormalInverseGamma, *_LEVELS)
    one, two = given[0], given[-1]
    if not isinstance(one, kinds) or type(one) is not type(two) or one.leading or two.leading:
        raise OptionError(
            "O379",
            f"{' and '.join(type(belief).__name__ for belief in given)} cannot be drawn together as single beliefs",
            place="beliefs(prior, posterior)",
            hint=f"give one or two of the same: {', '.join(kind.__name__ for kind in kinds)}; of many, draw belief[i]",
        )
    counts = {_count(belief) for belief in given}
    if len(counts) > 1 or (levels and len(levels) not in counts):
        what = f"{len(levels)} names of levels" if levels else "two beliefs of as many levels"
        raise OptionError("O585", f"{what} do not fit", place="beliefs(levels=)", hint="give one name for each level")


def _panels(ax: Any) -> tuple[Axes, Axes]:
    try:
        first, second = ax
    except (TypeError, ValueError):
        hint = "give a pair of axes, or none"
        raise OptionError("O586", "predictive needs two axes", place="beliefs(ax=)", hint=hint) from None
    return first, second


def _curves(ax: Axes, drawn: Drawn, one: Quantity) -> None:
    last = drawn[-1][0]
    low, high = _window([belief for belief, _ in drawn], one)
    x, tops = np.linspace(low, high, CURVE_NODES), []
    ax.set_xlim(low, high)
    for belief, when in drawn:
        height = np.exp(one.log_density(belief, x))
        left, right = one.interval(belief, 0.95)
        mean, *ends = (_told(value, right - left) for value in (one.mean(belief), left, right))
        label = f"{when}: mean {mean}, 95 % within {ends[0]} to {ends[1]}"
        ax.plot(x, height, label=label, **curve_look(when))
        if when != "before":
            ax.fill_between(x, height, where=(x >= left) & (x <= right), color=BEFORE_AFTER[1], alpha=0.15, linewidth=0)
        seen = height[np.isfinite(height)]
        tops.append(np.quantile(seen, 0.99) if _pole(belief, one) else seen.max())
    if len(drawn) == 2:
        _evidence(ax, one, drawn, x, tops[-1])
    best = one.mode(last)
    name = "likeliest" if len(drawn) == 1 else "MAP, the likeliest after"
    peak = min(float(np.exp(one.log_density(last, np.array([best])))[0]), float(max(tops)))
    _mark(ax, best, peak, "o", BEFORE_AFTER[1], f"{name}: {_told(best, high - low)}")
    ax.set(ylim=(0, (1.35 if len(drawn) == 1 else 1.75) * max(tops)), ylabel="density")
    ax.legend(loc="upper left")


def _evidence(ax: Axes, one: Quantity, drawn: Drawn, x: Floats, top: float) -> None:
    """What the data say by themselves, as high as the belief after them, and where that is highest."""
    found = one.likelihood(drawn[0][0], drawn[-1][0])
    if found is None:
        ax.plot([], [], linestyle="", label="no data in between: no likelihood")
        return
    if found.log is not None:
        with np.errstate(divide="ignore"):
            said = found.log(x)
        name = "profile likelihood" if one.profile else "likelihood"
        look = {"color": DATA_COLOUR, "linestyle": DASHES[2], "linewidth": 1.6}
        ax.plot(x, top * np.exp(said - said.max()), label=f"{name}, scaled", **look)
    _mark(
        ax,
        found.best,
        top,
        "D",
        DATA_COLOUR,
        f"MLE, where the likelihood is highest: {_told(found.best, x[-1] - x[0])}",
    )


def _told(value: float, span: float) -> str:
    """A number in as many digits as tell it from others within a span."""
    if not np.isfinite(value) or not 0 < span < np.inf or value == 0:
        return number(value, 3)
    return number(value, max(3, int(np.ceil(np.log10(abs(value) / span))) + 2))


def _mark(ax: Axes, at: float, height: float, sign: str, colour: str, label: str) -> None:
    """A value on the axis, and a line up to the curve."""
    low, high = ax.get_xlim()
    seen = low <= at <= high  # a mark at the end of the axis is whole, one beyond it is an arrow with its number
    if np.isfinite(at) and not seen:
        right = at > high
        words = f"{number(at)} ▶" if right else f"◀ {number(at)}"
        aside: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": 8}
        ax.annotate(words, (right, 0), (-3 if right else 3, 4), ha="right" if right else "left", color=colour, **aside)
    ax.plot([at, at], [0, height], color=colour, linewidth=0.8)
    ax.plot([at], [0], marker=sign, color=colour, markersize=6, linestyle="", clip_on=not seen, zorder=3, label=label)


def _pole(belief: Any, one: Quantity) -> bool:
    """Whether the density grows without bound at an end."""
    ends = np.array([end for end in (one.lowest, one.highest) if np.isfinite(end)])
    return bool(np.isposinf(one.log_density(belief, ends)).any())


def _window(given: list[Any], one: Quantity) -> tuple[float, float]:
    """What is worth seeing: the last belief, and as much of the first as does not dwarf it."""
    ends = np.array([one.interval(belief, 0.99) for belief in given])
    span = float(ends[-1, 1] - ends[-1, 0])
    if isinstance(given[0], Beta) and span > 0.15:
        return 0.0, 1.0
    low, high = max(ends[:, 0].min(), ends[-1, 0] - 1.5 * span), min(ends[:, 1].max(), ends[-1, 1] + 1.5 * span)
    return (0.0 if one.lowest == 0 and not isinstance(given[0], Beta) and low < 0.3 * high else float(low)), float(high)


def _shares(ax: Axes, drawn: Drawn, levels: Sequence[object]) -> None:
    """Mean probabilities with their 95 % intervals, and the likeliest ones."""
    for spots, thick, (belief, when) in side_by_side(drawn):
        low, high = belief.interval()
        reach = np.maximum(np.stack([belief.mean - low, high - belief.mean]), 0.0)
        ax.barh(spots, belief.mean, thick, label=f"{when}, with 95 % intervals", **bar_look(when))
        ax.errorbar(belief.mean, spots, xerr=reach, fmt="none", ecolor=INK, elinewidth=1, capsize=2)
    last, every = drawn[-1][0], np.arange(len(drawn[0][0].concentration))
    counts = last.concentration - drawn[0][0].concentration
    if len(drawn) == 2 and (counts >= 0).all() and counts.sum() > 0:
        ax.plot(counts / counts.sum(), every, **_dots("D", DATA_COLOUR), label="MLE: shares of the counts")
    ax.plot(last.mode, every, **_dots("o", INK), label="likeliest" if len(drawn) == 1 else "MAP: likeliest after")
    label_levels(ax, levels or range(len(every)), room=1.4)
    most = min(1.0, 1.05 * max(float(belief.interval()[1].max()) for belief, _ in drawn))
    ax.set_xlim(-0.015 * most, most)  # marks at zero are beside the names
    ax.set_xlabel("probability of the level")
    ax.legend(loc="lower right", ncols=2)


def _means(ax: Axes, drawn: Drawn, levels: Sequence[object]) -> None:
    """The mean of each column with its 95 % interval."""
    last, first = drawn[-1][0], drawn[0][0]
    every = np.arange(len(last.mean))
    for at, (belief, when) in enumerate(drawn):
        low, high = belief.interval()
        look: dict[str, Any] = {"color": BEFORE_AFTER[when != "before"], "elinewidth": 2, "capsize": 3}
        reach = np.stack([belief.mean - low, high - belief.mean])
        spots = every + 0.15 * (2 * at - len(drawn) + 1)
        ax.errorbar(
            belief.mean, spots, xerr=reach, fmt="os"[at], label=f"{when}: mean (MAP too), 95 % interval", **look
        )
    count = last.strength - first.strength
    if len(drawn) == 2 and count > 0:
        best = (last.strength * last.mean - first.strength * first.mean) / count
        ax.plot(best, every, **_dots("D", DATA_COLOUR), label="MLE: mean of the rows")
    label_levels(ax, levels or range(len(every)), room=1.4)
    ax.set_xlabel("mean of the column")
    ax.legend(loc="lower right")


def _dots(sign: str, colour: str) -> dict[str, Any]:
    return {
        "marker": sign,
        "linestyle": "",
        "markerfacecolor": "none",
        "markeredgecolor": colour,
        "markersize": 6,
        "clip_on": False,
    }
