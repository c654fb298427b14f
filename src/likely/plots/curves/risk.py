"""Risks: empirical, structural and expected along an option of complexity; a diagnosis in four fields."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.errors.options import is_number
from likely.plots.curves.learning_curve import draw_curve
from likely.plots.named_results import expect
from likely.plots.style import (
    COLOURS,
    DASHES,
    FAINT,
    GRID,
    INK,
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

_WIDE = 20  # values that span more than so many times the least are drawn on a logarithmic axis


@picture
def structural_risk(found: Any, *, ax: Axes | None = None) -> Figure:
    """A StructuralRisk: the risks along the option, the spread of the folds, the best value and the simplest near it.

    >>> from sklearn.linear_model import Ridge
    >>> from likely.evaluation import structural_risk as risks
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0.1, 0.9, 2.1, 2.9, 4.2, 4.8]
    >>> structural_risk(risks(Ridge(), X, y, [0.01, 1, 100], folds=3)).axes[0].get_xlabel()
    'alpha'
    """
    expect(found, "simplest", "structural_risk(found)", "a StructuralRisk of likely.evaluation")
    figure, ax = place(ax, height=4.4)
    across = _places(ax, found)
    means, errors = found.means, np.nan_to_num(found.errors)
    there = np.isfinite(means)
    band: dict[str, Any] = {"color": COLOURS[1], "alpha": 0.12, "linewidth": 0}
    ax.fill_between(across[there], (means - errors)[there], (means + errors)[there], **band)
    _line(ax, across, means, "expected (± an error)", color=COLOURS[1], linestyle="-", marker="o")
    if found.structural is not None:
        _line(ax, across, found.structural, "structural", color=COLOURS[2], linestyle=DASHES[2], marker="D")
    _line(ax, across, found.empirical, "empirical", color=COLOURS[0], linestyle=DASHES[1], marker="s")
    _chosen(ax, found, across)
    ax.set_ylim(0, 1.3 * ax.dataLim.y1)  # room for the legend
    ax.set(xlabel=short(found.option, 40), ylabel=f"mean {found.loss} loss (lower is better)")
    head(ax, f"Risk along {short(found.option, 30)}: least at {_shown(found.best)}")
    ax.legend(ncols=2, loc="upper right")
    below(ax, found.words)
    return figure


@picture
def diagnosis(found: Any) -> Figure:
    """A Diagnosis: the learning curve, and beside it the four fields with what to do next.

    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> from likely.evaluation import diagnose
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> figure = diagnosis(diagnose(LinearRegression(), X, (X**2).sum(axis=1), sizes=[20, 40], folds=3))
    >>> figure.axes[1].get_title()
    'LinearRegression: under-fitting'
    """
    expect(found, "field", "diagnosis(found)", "a Diagnosis of likely.evaluation")
    figure = new_figure(9.6, 4.6)
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1.0))
    draw_curve(place(left)[1], found.curve, found.curve.finding)
    ax = place(right)[1]
    _fields(ax, found)
    head(ax, f"{short(found.model, 30)}: {found.verdict}")
    below(ax, found.next, 66)
    return figure


def _fields(ax: Axes, found: Any) -> None:
    """The four fields; the one that the model is in stands out."""
    from matplotlib.patches import Rectangle

    from likely.evaluation.risks.diagnosis import FIELDS

    sides = ("small", "large")
    for (empirical, expected), name in FIELDS.items():
        here = found.field == (empirical, expected)
        x, y = sides.index(expected), 1 - sides.index(empirical)
        look = {"facecolor": COLOURS[0] if here else "white", "edgecolor": GRID}
        ax.add_patch(Rectangle((x, y), 1, 1, linewidth=1.5, **look))  # type: ignore[arg-type]
        ax.text(x + 0.5, y + 0.5, name, ha="center", va="center", color="white" if here else INK)
    told = found.curve.told
    ax.set(xlim=(0, 2), ylim=(0, 2), xlabel=f"expected risk, on rows held out: {told(found.expected)}")
    ax.set_ylabel(f"empirical risk, on rows learnt from: {told(found.empirical)}")
    ax.set_xticks([0.5, 1.5], sides)
    ax.set_yticks([1.5, 0.5], sides, rotation=90, va="center")
    ax.grid(False)
    ax.tick_params(length=0)


def _places(ax: Axes, found: Any) -> Floats:
    """(values,): where the values stand: numbers at their size, on a logarithmic axis where they are wide apart."""
    values = found.values
    if not all(is_number(value) for value in values):
        ax.set_xticks(range(len(values)), [short(value, 12) for value in values])
        return np.arange(len(values), dtype=np.float64)
    across = np.asarray(values, dtype=np.float64)
    if across.min() > 0 and across.max() > _WIDE * across.min():
        ax.set_xscale("log")
        ax.set_xlim(across.min() / 1.3, across.max() * 1.3)
        plain_log(ax.xaxis)
    elif all(isinstance(value, int) for value in values) and len(values) <= 12:
        ax.set_xticks(across, [str(value) for value in values])
    return across


def _line(ax: Axes, across: Floats, risks: Floats, name: str, **look: Any) -> None:
    """Infinite risks cannot be drawn: the line has a gap there."""
    there = np.isfinite(risks)
    ax.plot(across[there], risks[there], label=name, **look)


def _chosen(ax: Axes, found: Any, across: Floats) -> None:
    """A line at the best value, and one at the simplest where it is another."""
    chosen = {"best": found.best, "simplest within an error": found.simplest}
    for (name, value), dashes in zip(chosen.items(), (DASHES[0], DASHES[3]), strict=True):
        if name == "best" or found.simplest != found.best:
            at = across[found.values.index(value)]
            ax.axvline(at, color=FAINT, linewidth=1.2, linestyle=dashes, label=f"{name}: {_shown(value)}", zorder=1)


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else short(value, 12)
