"""What a model believes of one column: densities, probabilities of counts, shares of levels, class by class."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.plots.legends import MOST_ENTRIES, legend
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
    whole_numbers,
    wide_apart,
)
from likely.plots.typeface import short, shorts

_MOST_LEVELS_SHOWN = 24  # levels or words that are shown: those that tell the classes apart best
_MOST_BARS = 40  # bars in one picture


@picture
def densities(model: Any, column: Any, *, ax: Axes | None = None) -> Figure:
    """How a fitted model sees a column in each class: the very numbers that its predictions multiply.

    Curves for numbers, marks for counts, bars for levels; of a text the chance of each word, on a logarithmic scale.
    Numbers that span more than a thousand times the least are on such a scale, too.

    >>> import likely
    >>> model = likely.NaiveBayes().fit([["sun"], ["sun"], ["rain"]], ["out", "out", "in"])
    >>> densities(model, "x0").axes[0].get_title()
    'x0 in each class'
    """
    from likely.explanations import axis

    found = axis(model, column)
    with np.errstate(over="ignore"):
        heights = np.exp(found.terms)
    parts = isinstance(getattr(model, "descriptions_", {}).get(found.name), tuple)
    if found.kind in ("binary", "category", "text"):
        figure, ax = _levels(found, heights, ax)
    else:
        figure, ax = _numbers(found, heights, ax, parts)
    head(ax, f"{short(found.name, 32)} in each class")
    return figure


def _numbers(found: Any, heights: Floats, ax: Axes | None, parts: bool) -> tuple[Figure, Axes]:
    """Curves; steps of a column that is cut into parts; marks at whole numbers."""
    figure, ax = place(ax, height=3.4)
    values = np.asarray(found.values, dtype=np.float64)
    counts, classes = found.kind == "count", len(found.classes)
    whole, folds = bool((values == np.rint(values)).all()), wide_apart(values)
    marked = (len(values) <= 40 and whole) or len(values) == 1
    if folds and not parts:
        heights = heights * values[:, None] * np.log(10)
    steps: dict[str, Any] = {"drawstyle": "steps-mid"} if parts and not marked else {}
    for at, name in enumerate(shorts(found.classes)):
        look = line(at)
        ax.plot(values, heights[:, at], label=name, marker=marker(at) if marked else "", **look, **steps)
        if not counts and classes <= 3:  # the areas of more are a blur
            ax.fill_between(
                values, heights[:, at], color=look["color"], alpha=0.08, linewidth=0, step="mid" if steps else None
            )
    density = "density for each factor of 10" if folds else "density"
    what = "probability of the part" if parts else "probability of the count" if counts else density
    ax.set(xlabel=short(found.name, 40), ylabel=what)
    ax.set_ylim(bottom=0)
    if folds:
        ax.set_xscale("log")
        plain_log(ax.xaxis)
    elif whole:
        whole_numbers(ax.xaxis)
    _legend(ax, classes)
    return figure, ax


def _levels(found: Any, heights: Floats, ax: Axes | None) -> tuple[Figure, Axes]:
    """Bars; dots where there would be too many, or where chances are as different as those of words."""
    words, classes = found.kind == "text", len(found.classes)
    kept = _telling(found.terms)
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
    _legend(ax, classes)
    return figure, ax


def _legend(ax: Axes, classes: int) -> None:
    legend(
        ax,
        corners=("upper right", "upper left", "lower right"),
        title="class",
        ncols=1 + (min(classes, MOST_ENTRIES) - 1) // 12,
    )


def _telling(terms: Floats) -> Array:
    """The levels that tell the classes apart best, in their own order; all of them where they are few."""
    if len(terms) <= _MOST_LEVELS_SHOWN:
        return np.arange(len(terms))
    possible = np.where(np.isneginf(terms), terms[np.isfinite(terms)].min(initial=0.0), terms)
    return np.sort(np.argsort(-np.ptp(possible, axis=1), kind="stable")[:_MOST_LEVELS_SHOWN])
