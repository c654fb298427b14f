"""Beliefs before and after the data, and what they expect next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from likely.beliefs import Beta, Dirichlet, Gamma, NormalInverseGamma
from likely.errors import OptionError
from likely.numerics import Floats
from likely.plots.lettering import short
from likely.plots.predictive import Drawn, bar_look, curve_look, next_values, side_by_side
from likely.plots.style import BEFORE_AFTER, INK, WIDTH, head, label_levels, new_figure, picture, place

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ABOUT = {
    Beta: "chance of a success",
    Gamma: "expected count of a unit",
    NormalInverseGamma: "mean",
    Dirichlet: "probability of the level",
}


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
    """A belief before and after data: curves of a Beta, Gamma or the mean of a NormalInverseGamma; bars of a Dirichlet.

    `observed` says in words what was seen in between, `about` what the belief is about. With `predictive`, a second
    panel shows what the beliefs expect of so many draws ahead (units of exposure for a Gamma, of the next value for a
    NormalInverseGamma); `ax` is then a pair of axes. `levels` names those of a Dirichlet.

    >>> from likely import Beta
    >>> figure = beliefs(Beta(1, 1), Beta(8, 4), observed="7 heads in 10 tosses", predictive=5)
    >>> [ax.get_title() for ax in figure.axes]
    ['Belief after 7 heads in 10 tosses', 'The next 5 draws']
    """
    given = [belief for belief in (prior, posterior) if belief is not None]
    _check(given, levels)
    bars = isinstance(prior, Dirichlet)
    tall = 1.7 + 0.42 * len(prior.concentration) if bars else 3.2
    if ax is None and predictive:
        ax = new_figure(WIDTH, 2 * tall).subplots(2, 1)
    first, second = _panels(ax) if predictive else (ax, None)
    figure, first = place(first, height=tall)
    drawn = list(zip(given, ("before", "after") if len(given) == 2 else ("now",), strict=True))
    (_shares if bars else _curves)(first, drawn, levels)
    first.set_xlabel(short(about, 60) or _ABOUT[type(prior)])
    head(first, f"Belief after {observed}" if observed else "Belief before and after" if len(given) == 2 else "Belief")
    if second is not None:
        next_values(place(second)[1], drawn, 1 if predictive is True else predictive, levels)
    return figure


def _check(given: list[Any], levels: Sequence[object]) -> None:
    kinds = (Beta, Gamma, NormalInverseGamma, Dirichlet)
    one, two = given[0], given[-1]
    if not isinstance(one, kinds) or type(one) is not type(two) or one.leading or two.leading:
        raise OptionError(
            "O379",
            f"{' and '.join(type(belief).__name__ for belief in given)} cannot be drawn together as single beliefs",
            place="beliefs(prior, posterior)",
            hint="give one or two of the same: Beta, Gamma, NormalInverseGamma or Dirichlet; of many, draw belief[i]",
        )
    counts = {len(belief.concentration) for belief in given} if isinstance(one, Dirichlet) else set()
    if len(counts) > 1 or (levels and len(levels) not in counts):
        what = f"{len(levels)} names of levels" if levels else "two beliefs of as many levels"
        raise OptionError("O379", f"{what} do not fit", place="beliefs(levels=)", hint="give one name for each level")


def _panels(ax: Any) -> tuple[Axes, Axes]:
    try:
        first, second = ax
    except (TypeError, ValueError):
        hint = "give a pair of axes, or none"
        raise OptionError("O379", "predictive needs two axes", place="beliefs(ax=)", hint=hint) from None
    return first, second


def _curves(ax: Axes, drawn: Drawn, levels: Sequence[object]) -> None:
    low, high = _window([belief for belief, _ in drawn])
    x, tops = np.linspace(low, high, 801), []
    for belief, when in drawn:
        height = np.exp(_log_density(belief, x))
        left, right = belief.interval()
        label = f"{when}: mean {belief.mean:.3g}, 95 % within {left:.3g} to {right:.3g}"
        ax.plot(x, height, label=label, **curve_look(when))
        if when != "before":
            ax.fill_between(x, height, where=(x >= left) & (x <= right), color=BEFORE_AFTER[1], alpha=0.15, linewidth=0)
        seen = height[np.isfinite(height)]
        tops.append(np.quantile(seen, 0.99) if _pole(belief) else seen.max())
    ax.set(xlim=(low, high), ylim=(0, 1.35 * max(tops)), ylabel="density")
    ax.legend(loc="upper left")


def _pole(belief: Any) -> bool:
    """Whether the density grows without bound at an end."""
    least = min(belief.a, belief.b) if isinstance(belief, Beta) else belief.shape
    return least < 1 and not isinstance(belief, NormalInverseGamma)


def _log_density(belief: Any, x: Floats) -> Floats:
    if not isinstance(belief, NormalInverseGamma):
        return np.asarray(belief.log_density(x))
    # the mean alone: a Student distribution
    width = np.sqrt(2.0 * belief.rate / belief.strength)
    peak = special.gammaln(belief.shape + 0.5) - special.gammaln(belief.shape) - 0.5 * np.log(np.pi) - np.log(width)
    return np.asarray(peak - (belief.shape + 0.5) * np.log1p(((x - belief.mean) / width) ** 2))


def _window(given: list[Any]) -> tuple[float, float]:
    """What is worth seeing: the last belief, and as much of the first as does not dwarf it."""
    ends = np.array([belief.interval(0.99) for belief in given])
    span = float(ends[-1, 1] - ends[-1, 0])
    if isinstance(given[0], Beta) and span > 0.15:
        return 0.0, 1.0
    low, high = max(ends[:, 0].min(), ends[-1, 0] - 1.5 * span), min(ends[:, 1].max(), ends[-1, 1] + 1.5 * span)
    return (0.0 if isinstance(given[0], Gamma) and low < 0.3 * high else float(low)), float(high)


def _shares(ax: Axes, drawn: Drawn, levels: Sequence[object]) -> None:
    """Mean probabilities with their 95 % intervals."""
    for spots, thick, (belief, when) in side_by_side(drawn):
        low, high = belief.interval()
        reach = np.maximum(np.stack([belief.mean - low, high - belief.mean]), 0.0)
        ax.barh(spots, belief.mean, thick, label=f"{when}, with 95 % intervals", **bar_look(when))
        ax.errorbar(belief.mean, spots, xerr=reach, fmt="none", ecolor=INK, elinewidth=1, capsize=2)
    label_levels(ax, levels or range(len(drawn[0][0].concentration)), room=1.0)
    ax.set_xlim(0, 1)
    ax.legend(loc="lower right")
