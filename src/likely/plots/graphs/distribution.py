"""Answers of networks: bars of the levels of a node, a map of two nodes, the likeliest combinations of more."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.plots.graphs.node_cards import percent
from likely.plots.named_results import expect
from likely.plots.style import (
    FAINT,
    FIGURE_WIDTH,
    INK,
    Axes,
    Figure,
    bar,
    head,
    label_levels,
    picture,
    place,
    shaded_table,
)
from likely.plots.typeface import short, shorts, text_width

MOST_BARS, MOST_COMBINATIONS = 30, 20  # of one node, and of several
MOST_MAP_LEVELS = 16  # the most levels of a node on a map
MOST_FINDINGS = 4  # in a title


@picture
def distribution(found: Any, *, ax: Axes | None = None) -> Figure:
    """A Distribution: bars of one target's levels, a map of two targets, the likeliest combinations of more.

    Sampled answers have whiskers of one standard error.

    >>> from likely.networks.methods.distribution import Distribution
    >>> rain = Distribution(("rain",), (("yes", "no"),), np.array([0.25, 0.75]), evidence={"grass": "wet"})
    >>> distribution(rain).axes[0].get_title()
    'rain given grass = wet'
    """
    expect(found, "targets", "distribution(found)", "a Distribution: network.query(targets, evidence)")
    small = len(found.targets) == 2 and max(map(len, found.levels)) <= MOST_MAP_LEVELS
    figure, ax = (_map if small else _bars)(found, ax)
    head(ax, _title(found))
    return figure


def _title(found: Any) -> str:
    said = [f"{short(name, 16)} {_known(told)}" for name, told in found.evidence.items()]
    more = [f"{len(said) - MOST_FINDINGS} more findings"] if len(said) > MOST_FINDINGS + 1 else said[MOST_FINDINGS:]
    given = ", ".join([*said[:MOST_FINDINGS], *more])
    names = ", ".join(short(name) for name in found.targets)
    return f"{names} given {given}" if given else names


def _known(told: Any) -> str:
    if isinstance(told, Mapping | np.ndarray):
        return "(likelihood)"
    if isinstance(told, list | tuple | set | frozenset):
        return f"= {short(' or '.join(map(str, told)), 24)}"
    return "(fixed)" if hasattr(told, "probabilities") else f"= {short(told, 12)}"


def _bars(found: Any, ax: Axes | None) -> tuple[Figure, Axes]:
    """One target, or combinations of several, the likeliest of many first."""
    one, shares = len(found.targets) == 1, np.asarray(found.probabilities, dtype=np.float64).reshape(-1)
    labels = [str(key) for key in found.levels[0]] if one else [", ".join(map(str, k)) for k in product(*found.levels)]
    most = MOST_BARS if one else MOST_COMBINATIONS
    shown = np.arange(len(shares)) if one and len(shares) <= most else np.argsort(-shares, kind="stable")[:most]
    names = shorts((labels[at] for at in shown), 24 if one else 48)
    broad = max((text_width(name, 8.5) for name in names), default=0.0)
    figure, ax = place(ax, max(FIGURE_WIDTH, 3.4 + broad), 1.2 + 0.27 * len(shown))
    errors = None if found.errors is None else np.asarray(found.errors, dtype=np.float64).reshape(-1)[shown]
    _draw(ax, shares[shown], errors)
    label_levels(ax, names)
    ax.set_yticks(range(len(names)), names)  # in full, as they were measured
    ax.set_xlabel(_caption(found, shares, shown), loc="left")
    return figure, ax


def _draw(ax: Axes, shares: Floats, errors: Floats | None) -> None:
    from matplotlib.ticker import PercentFormatter

    widths = np.nan_to_num(shares)
    reach = widths if errors is None else np.minimum(widths + np.nan_to_num(errors), 1.0)
    spots = np.arange(len(shares))
    ax.barh(spots, widths, 0.72, **bar(0))
    if errors is not None:
        low = np.minimum(np.nan_to_num(errors), widths)
        ax.errorbar(widths, spots, xerr=[low, reach - widths], fmt="none", ecolor=INK, elinewidth=1.2, capsize=3)
    for at, share in enumerate(shares.tolist()):
        text = percent(share) if np.isfinite(share) else "not known"
        ax.annotate(text, (reach[at], at), (5, 0), textcoords="offset points", va="center", fontsize=8)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    ax.set_xlim(0, 1.16 * max(reach.max(initial=0.0), 0.02))


def _caption(found: Any, shares: Floats, shown: Any) -> str:
    words = "probability"
    if len(shown) < len(shares):
        words += f": the likeliest {len(shown)} of {len(shares)}, together {percent(float(shares[shown].sum()))}"
    return f"{words}, ± one standard error ({found.method})" if found.errors is not None else words


def _map(found: Any, ax: Axes | None) -> tuple[Figure, Axes]:
    """Two targets: levels of the first down, of the second across."""
    shares = np.nan_to_num(np.asarray(found.probabilities, dtype=np.float64))
    down, across = (shorts(levels, 18) for levels in found.levels)
    broad = max(text_width(name, 8.5) for name in down)
    cell = max(0.62, (FIGURE_WIDTH - 1.0 - broad) / len(across))
    tilted = max(text_width(name, 8.5) for name in across) > cell - 0.06
    figure, ax = place(ax, 1.0 + broad + cell * len(across), 1.3 + 0.42 * len(down) + 0.8 * tilted)
    top = float(shares.max(initial=0.0)) or 1.0
    shaded_table(ax, shares, (down, across), 1.15 * top, tilted)
    for (row, column), share in np.ndenumerate(shares):
        text = percent(share) + ("" if found.errors is None else _give_or_take(found.errors[row, column]))
        colour = "white" if share > 0.6 * top else INK if share else FAINT
        ax.text(column, row, text, ha="center", va="center", fontsize=8, color=colour, linespacing=1.1)
    ax.set(xlabel=short(found.targets[1], 40), ylabel=short(found.targets[0], 40))
    return figure, ax


def _give_or_take(error: float) -> str:
    """A standard error below a percentage."""
    return f"\n± {100 * error:.1f}" if error >= 0.0005 else "\n± <0.1"
