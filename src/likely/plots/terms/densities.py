"""What a model believes of one column: densities, probabilities of counts, shares of levels, class by class."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.explanations.columns import column_place, independent_model, terms_of
from likely.output.class_order import reading_order
from likely.plots.column_scale import ZERO_BAND, ColumnScale, lay_out_powers
from likely.plots.legends import MOST_LEGEND_ENTRIES, legend
from likely.plots.style import (
    Axes,
    Figure,
    bar,
    head,
    label_levels,
    line,
    marker,
    picture,
    place,
    plain_log,
    tiny_densities,
    whole_numbers,
)
from likely.plots.typeface import number, short, shorts

_MOST_LEVELS_SHOWN = 24  # levels or words that are shown: those that tell the classes apart best
MOST_FILLED = 3  # classes: the areas of more are a blur
CUT_DIGITS = 5
UNEVEN_STEPS = 3.0  # times the shortest step: then values are laid by their logarithm
LEAST_SEEN = 1e-3  # of the highest density: what lies lower next to zero is not drawn
_MOST_BARS = 40  # bars in one picture


@picture
def densities(model: Any, column: Any, *, ax: Axes | None = None) -> Figure:
    """How a fitted model sees a column in each class: the very numbers that its predictions multiply.

    Curves for numbers, marks for counts, bars for levels, steps for parts into which a column is cut; of a text the
    chance of each word, on a logarithmic scale. Skewed columns are on such a scale, too, with zero in a band apart.

    >>> import likely
    >>> model = likely.NaiveBayes().fit([["sun"], ["sun"], ["rain"]], ["out", "out", "in"])
    >>> densities(model, "x0").axes[0].get_title()
    'x0 in each class'
    """
    from likely.explanations import axis

    found = axis(model, column)
    cuts = getattr(model, "descriptions_", {}).get(found.name)
    with np.errstate(over="ignore"):
        heights = np.exp(found.terms)
    if found.kind in ("binary", "category", "text"):
        return _levels(found, heights, ax)
    if isinstance(cuts, tuple) and cuts:
        return _parts(model, found, np.asarray(cuts, dtype=np.float64), ax)
    return _numbers(found, heights, ax)


def _numbers(found: Any, heights: Floats, ax: Axes | None) -> Figure:
    """Curves; marks at whole numbers; of what is laid by powers of ten the density for each, and zero apart."""
    figure, ax = place(ax, height=3.4)
    values = np.asarray(found.values, dtype=np.float64)
    counts, classes = found.kind == "count", len(found.classes)
    scale = _scale(values)
    whole = bool((values == np.rint(values)).all())
    marked = scale.even and ((len(values) <= 40 and whole) or len(values) == 1)
    if not scale.even:
        heights = np.where(values[:, None] == 0, heights, heights * scale.slopes(values)[:, None])
    if scale.zero:
        seen = np.flatnonzero((heights[1:] > LEAST_SEEN * heights[1:].max(axis=0)).any(axis=1))
        values, heights = np.delete(values, np.s_[1 : 1 + seen[0]]), np.delete(heights, np.s_[1 : 1 + seen[0]], axis=0)
        scale = ColumnScale(float(values[1]), zero=True)
        _zero(ax, scale, heights[0])
    across, up = (values[1:], heights[1:]) if scale.zero else (values, heights)
    for at, name in enumerate(shorts(found.classes)):
        look = line(at)
        ax.plot(across, up[:, at], label=name, marker=marker(at) if marked else "", **look)
        if not counts and classes <= MOST_FILLED:
            ax.fill_between(across, up[:, at], color=look["color"], alpha=0.08, linewidth=0)
    density = "density" if scale.even else "density for each factor of 10" + ", at 0 probability" * scale.zero
    ax.set(xlabel=short(found.name, 40), ylabel="probability of the count" if counts else density)
    ax.set_ylim(bottom=0)
    if not scale.even:
        low, high = float(values[int(scale.zero)]), float(values[-1])
        ax.set_xlim(*scale.box(0.0 if scale.zero else low, high, 0.03))
        lay_out_powers(ax, "x", scale)
    elif whole:
        whole_numbers(ax.xaxis)
    if scale.even:
        tiny_densities(ax)
    return _titled(figure, ax, found)


def _scale(values: Floats) -> ColumnScale:
    """Even, but for values that are laid by their logarithm; zero before them stands apart."""
    above, steps = values[values > 0], np.diff(values)
    if len(values) < 3 or values[0] < 0 or steps.max() < UNEVEN_STEPS * steps.min():
        return ColumnScale()
    return ColumnScale(float(above[0]), len(above) < len(values))


def _zero(ax: Axes, scale: ColumnScale, shares: Floats) -> None:
    """The probability of zero in each class, as a mark in its band."""
    spots = scale.values(scale.places(0.0) + ZERO_BAND * np.linspace(-0.6, 0.6, len(shares) + 2)[1:-1])
    for at, (spot, share) in enumerate(zip(spots, shares, strict=True)):
        colour = line(at)["color"]
        ax.vlines(spot, 0, share, color=colour, linewidth=1.2)
        ax.plot(spot, share, marker(at), color=colour, markersize=5)


def _parts(model: Any, found: Any, cuts: Floats, ax: Axes | None) -> Figure:
    """Steps as wide as each other: the probability of each part of a column that is cut into parts."""
    figure, ax = place(ax, height=3.4)
    model = independent_model(model)
    inside = np.concatenate([[cuts[0] - 1.0], (cuts[1:] + cuts[:-1]) / 2.0, [cuts[-1] + 1.0]])
    at = column_place(model.schema, found.name)
    heights, edges = np.exp(terms_of(model, {at: inside})[at]), np.arange(len(inside) + 1)
    for turn, name in enumerate(shorts(found.classes)):
        look, steps = line(turn), np.append(heights[:, turn], heights[-1, turn])
        ax.plot(edges, steps, label=name, drawstyle="steps-post", **look)
        if len(found.classes) <= MOST_FILLED:
            ax.fill_between(edges, steps, color=look["color"], alpha=0.08, linewidth=0, step="post")
    turned: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if len(cuts) > 8 else {}
    ax.set_xticks(edges[1:-1], [number(cut, CUT_DIGITS) for cut in cuts], **turned)
    ax.set(xlabel=f"{short(found.name, 40)}, cut into {len(inside)} parts", ylabel="probability of the part")
    ax.set(xlim=(0, len(inside)))
    ax.set_ylim(bottom=0)
    return _titled(figure, ax, found)


def _levels(found: Any, heights: Floats, ax: Axes | None) -> Figure:
    """Bars; dots where there would be too many, or where chances are as different as those of words."""
    words, classes = found.kind == "text", len(found.classes)
    kept = _telling(found.terms)
    if not words:  # months, grades and the like as people read them
        kept = kept[reading_order(found.values[kept].tolist())]
    dots = words or len(kept) * classes > _MOST_BARS
    figure, ax = place(ax, height=1.3 + len(kept) * (0.22 if dots else classes * 0.15 + 0.14))
    spots = np.arange(len(kept))
    for at, name in enumerate(shorts(found.classes)):
        if dots:
            ax.plot(heights[kept, at], spots, marker(at), color=line(at)["color"], label=name, clip_on=False)
        else:
            each = 0.84 / classes
            ax.barh(spots - 0.42 + (at + 0.5) * each, heights[kept, at], each * 0.92, label=name, **bar(at))
    label_levels(ax, found.values[kept])
    ax.grid(dots, axis="y")
    ax.set_xlabel("probability of the word" if words else "share of the class")
    if words and (heights[kept] > 0).any():
        ax.set_xscale("log")
        plain_log(ax.xaxis)
    else:
        ax.set_xlim(left=0)
    if len(kept) < len(found.values):
        ax.set_ylabel(f"the {len(kept)} of {len(found.values)} that tell most")
    return _titled(figure, ax, found)


def _titled(figure: Figure, ax: Axes, found: Any) -> Figure:
    """The title, and a legend where that leaves room."""
    head(ax, f"{short(found.name, 32)} in each class")
    legend(
        ax,
        corners=("upper right", "upper left", "lower right"),
        title="class",
        ncols=1 + (min(len(found.classes), MOST_LEGEND_ENTRIES) - 1) // 12,
    )
    return figure


def _telling(terms: Floats) -> Array:
    """The levels that tell the classes apart best, in their own order; all of them where they are few."""
    if len(terms) <= _MOST_LEVELS_SHOWN:
        return np.arange(len(terms))
    possible = np.where(np.isneginf(terms), terms[np.isfinite(terms)].min(initial=0.0), terms)
    return np.sort(np.argsort(-np.ptp(possible, axis=1), kind="stable")[:_MOST_LEVELS_SHOWN])
