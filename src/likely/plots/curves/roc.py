"""ROC curves: detections against false alarms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Any

import numpy as np

from likely.errors import OptionError
from likely.plots.legends import legend
from likely.plots.named_results import model_names, named
from likely.plots.style import FAINT, GRID, INK, Axes, Figure, head, line, marker, picture, place, unit_square
from likely.plots.typeface import short


@picture
def roc(
    curves: Any, X: Any = None, y: Any = None, *, priors: Sequence[float] | None = None, ax: Axes | None = None
) -> Figure:
    """ROC curves, the area under each in the legend.

    `curves`: a Roc, a Rocs, several by name or in a list; or a fitted model, or several, with the rows X and labels y
    to judge it by. `priors` are values of P(positive): each marks where the decision with the fewest expected errors
    under that prior sits. A prior moves the point along the curve and never the curve; this needs scores that are
    log-likelihood ratios, as models give.

    >>> from likely.evaluation import roc as roc_curve
    >>> figure = roc(roc_curve([0, 1, 0, 1], [-2.0, 1.0, 0.5, 3.0], 1), priors=[0.1, 0.5])
    >>> figure.axes[0].get_title()
    'ROC: 1 vs. rest'
    """
    found = _curves(curves, X, y)
    marks = [] if priors is None else list(priors)
    if marks:
        _check(marks, [curve for _, curve in found])
    figure, ax = place(ax, height=5.2)
    handles = ax.plot(
        [0, 1], [0, 1], color=FAINT, linewidth=1, linestyle=(0, (2, 3)), label="guessing (0.500)", zorder=1
    )
    for at, (name, curve) in enumerate(found):
        label = _label(name, curve, len(found))
        handles += ax.plot(curve.false_positive_rate, curve.true_positive_rate, **line(at), label=label)
        _mark(ax, curve, at, marks, size=8 + 3 * min(len(found) - 1 - at, 2))
    handles += _explained(found, marks)
    unit_square(ax)
    ax.set(xlabel="false positive rate (share of the others)", ylabel="true positive rate (share found)")
    head(ax, _title(found))
    legend(ax, handles, corners=("lower right",), title="area under the curve")
    return figure


def _curves(given: Any, X: Any, y: Any) -> list[tuple[str, Any]]:
    """(name, Roc): models are judged on X and y first."""
    things = given.values() if isinstance(given, Mapping) else given if isinstance(given, list | tuple) else [given]
    if any(hasattr(thing, "predict_proba") for thing in things):
        given = _judged(given, X, y)
    return named(given, "true_positive_rate", "roc(curves)", lambda curve: short(curve.positive), most=36)


def _judged(given: Any, X: Any, y: Any) -> Any:
    from likely.evaluation import roc_of

    if X is None or y is None:
        raise OptionError("O377", "a model needs rows to be judged by", place="roc(model, X, y)", hint="give X and y")
    if hasattr(given, "predict_proba"):
        return roc_of(given, X, y)
    pairs = given.items() if isinstance(given, Mapping) else zip(model_names(given), given, strict=True)
    out = {}
    for name, model in pairs:
        curve = roc_of(model, X, y)
        parts = curve.items() if isinstance(curve, Mapping) else [(None, curve)]
        out.update({name if level is None else f"{name}: {level}": part for level, part in parts})
    return out


def _label(name: str, curve: Any, many: int) -> str:
    """The name, where the title does not say it, and the area; its interval where there is one curve."""
    if many > 1:
        return f"{name} ({curve.auc:.3f})"
    low, high = curve.interval()
    area = f"{curve.auc:.3f}, 95 % interval {low:.3f} to {high:.3f}"
    return area if name == short(curve.positive) else f"{name} ({area})"


def _title(found: list[tuple[str, Any]]) -> str:
    positives = {curve.positive for _, curve in found}
    if len(positives) == 1:
        return f"ROC: {short(positives.pop())} vs. rest"
    return "ROC: each class vs. rest"


def _check(priors: Sequence[float], curves: list[Any]) -> None:
    if len({curve.positive for curve in curves}) > 1 or not all(map(_are_ratios, curves)):
        raise OptionError(
            "O378",
            "priors can only be marked on curves of log-likelihood ratios of two classes",
            place="roc(priors=)",
            hint="draw a two-class model with X and y, or a curve of likely.evaluation.evidence(model, X)",
        )
    for prior in priors:
        if not isinstance(prior, int | float | np.number) or not 0 < prior < 1:
            what = f"{prior!r} is not a probability between 0 and 1"
            raise OptionError("O583", what, place="roc(priors=)", hint="give values of P(positive)")


def _mark(ax: Axes, curve: Any, at: int, priors: Sequence[float], size: float) -> None:
    """Where the likelihood ratio outweighs the prior odds: log P(row | +) - log P(row | -) > log (1 - p) / p.

    Later marks are smaller: where curves decide alike, all of them are seen.
    """
    for number, prior in enumerate(priors):
        x, height = curve.point(log((1 - prior) / prior))
        look = _mark_look(number, line(at)["color"]) | {"markersize": size}
        ax.plot(x, height, label=_mark_label(curve, prior), clip_on=False, zorder=5, **look)


def _explained(found: list[tuple[str, Any]], priors: Sequence[float]) -> list[Any]:
    """What each mark means, once for all curves; of several curves in grey, as each has marks of its own colour."""
    from matplotlib.lines import Line2D

    colour = line(0)["color"] if len(found) == 1 else GRID
    return [
        Line2D([], [], label=_mark_label(found[0][1], prior), **_mark_look(number, colour))
        for number, prior in enumerate(priors)
    ]


def _mark_label(curve: Any, prior: float) -> str:
    return f"decided at P({short(curve.positive, 12)}) = {prior:g}"


def _mark_look(number: int, colour: str) -> dict[str, Any]:
    return {"marker": marker(number), "linestyle": "", "color": colour, "markeredgecolor": INK, "markersize": 8}


def _are_ratios(curve: Any) -> bool:
    """Whether scores can be log ratios: those that stay within 0 and 1 are probabilities."""
    scores = curve.thresholds[np.isfinite(curve.thresholds)]
    return bool((scores < 0).any() or (scores > 1).any())
