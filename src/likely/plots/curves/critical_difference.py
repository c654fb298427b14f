"""Models on a line of their mean ranks over tables, those that the tables cannot tell apart joined by a bar."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.evaluation.comparisons.measures import SENTENCE_NAMES
from likely.plots.named_results import expect
from likely.plots.style import COLOURS, FAINT, INK, Axes, Figure, bare, below, head, picture, place
from likely.plots.typeface import shorts, text_width

NAME_LETTERS = 30
WIDTH = 8.2  # inches
NAME_LINE = 0.26  # inches of a name
POINTS = 8.5  # of a name


@picture
def critical_difference(found: Any, *, ax: Axes | None = None) -> Figure:
    """A Ranking: each model at its mean rank, the best on the left; a bar joins models that are not told apart.

    The bar on top is the critical difference (Nemenyi): mean ranks that are as far apart differ by more than chance.
    Where the tables are too few for it there are no bars, and the picture says so.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [5.0], [6.0], [5.5]], list("aaabbb")
    >>> found = likely.compare({"one": (X, y), "two": (X[::-1], y)}, models=["naive", "prior"], folds=3)
    >>> critical_difference(found).axes[0].get_title()
    'Mean ranks over 2 tables: naive is first'
    """
    expect(found, "mean_ranks", "critical_difference(found)", "a Ranking: likely.compare({name: (X, y), ...})")
    names = list(found.ranked)
    of = dict(zip(found.models, found.mean_ranks.tolist(), strict=True))
    shown = dict(zip(names, shorts(names, NAME_LETTERS), strict=True))
    half = (len(names) + 1) // 2
    bars = _levels(found.groups, of)
    first = 0.55 + 0.24 * (1 + max(bars, default=-1))  # lines below the axis where the names begin
    figure, ax = place(ax, WIDTH, 1.1 + NAME_LINE * (half + first + 1.5))
    most = len(names)
    left, right = _margins([shown[name] for name in names[:half]], [shown[name] for name in names[half:]], most)
    bare(ax, xlim=(1 - left, most + right), ylim=(first + half - 0.3, -1.5), xticks=[], yticks=[])
    _axis(ax, most)
    for at, name in enumerate(names):
        here = at < half
        y = first + (at if here else len(names) - 1 - at) + 0.35
        end = 1 - 0.02 * (most - 1) if here else most + 0.02 * (most - 1)
        colour = COLOURS[0] if name == found.best else INK
        ax.plot([of[name], of[name], end], [0, y, y], "-", color=colour, linewidth=0.9, solid_joinstyle="miter")
        told = f"{shown[name]}  {of[name]:.2f}" if here else f"{of[name]:.2f}  {shown[name]}"
        side = "right" if here else "left"
        ax.annotate(
            told,
            (end, y),
            xytext=(-4 if here else 4, 0),
            textcoords="offset points",
            ha=side,
            va="center",
            fontsize=POINTS,
            color=colour,
        )
    for group, level in zip(found.groups, bars, strict=True):
        low, high = of[group[0]], of[group[-1]]
        ax.plot([low - 0.04, high + 0.04], [0.3 + 0.26 * level] * 2, "-", color=COLOURS[1], linewidth=3.5)
    if found.enough:
        _difference(ax, found.critical_difference, most)
    head(ax, f"Mean ranks over {len(found.tables)} tables: {shorts([found.best], NAME_LETTERS)[0]} is first")
    below(ax, _note(found), 120)
    return figure


def _margins(left: list[str], right: list[str], most: int) -> tuple[float, float]:
    """The room for names on both sides of the axis, in ranks: as wide as the longest needs."""
    wide = [max(text_width(f"{name}  10.00", POINTS) for name in names) + 0.3 for names in (left, right)]
    axis = max(WIDTH - 0.2 - sum(wide), 2.0)
    return (most - 1) * wide[0] / axis, (most - 1) * wide[1] / axis


def _axis(ax: Axes, most: int) -> None:
    ax.plot([1, most], [0, 0], "-", color=INK, linewidth=1.2)
    step = max(1, -(-most // 12))
    for rank in range(1, most + 1):
        long = (rank - 1) % step == 0
        ax.plot([rank, rank], [0, -0.22 if long else -0.12], "-", color=INK, linewidth=0.8)
        if long:
            ax.annotate(str(rank), (rank, -0.27), ha="center", va="bottom", fontsize=8, color=FAINT)


def _difference(ax: Axes, wide: float, most: int) -> None:
    """The critical difference, drawn to scale above the axis."""
    ax.plot([1, 1 + wide], [-1.05, -1.05], "-", color=COLOURS[1], linewidth=1.6)
    for end in (1, 1 + wide):
        ax.plot([end, end], [-1.17, -0.93], "-", color=COLOURS[1], linewidth=1.2)
    told = f"critical difference {wide:.2f}"
    ax.annotate(told, (1 + wide, -1.05), xytext=(5, 0), textcoords="offset points", va="center", fontsize=8)


def _levels(groups: Any, of: dict[str, float]) -> list[int]:
    """On which line the bar of each group is drawn: those that would touch are below each other."""
    ends: list[float] = []
    out = []
    for group in groups:
        low, high = of[group[0]], of[group[-1]]
        level = next((at for at, end in enumerate(ends) if end + 0.12 < low), len(ends))
        ends[level : level + 1] = [high]
        out.append(level)
    return out


def _note(found: Any) -> str:
    if not found.enough:
        return (
            f"{len(found.tables)} tables are too few to say that a difference is more than chance: it takes "
            f"{found.tables_needed} (Nemenyi's test). Ranks are of the {SENTENCE_NAMES[found.measure]}, 1 the best."
        )
    p = found.friedman.p_value
    told = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    alike = "A bar joins models that the tables do not tell apart"
    if p >= 0.05:
        alike = "Friedman's test finds no difference, so that one bar joins all"
    ranked = f"Ranks are of the {SENTENCE_NAMES[found.measure]}, 1 the best."
    return f"{alike} (Nemenyi, 5 %; Friedman {told}). {ranked}" if np.isfinite(p) else ranked
