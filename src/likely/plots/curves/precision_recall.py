"""Precision against recall: how pure a catch stays as it grows."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.plots.legends import legend
from likely.plots.named_results import named
from likely.plots.style import FAINT, Axes, Figure, head, line, picture, place, unit_square
from likely.plots.typeface import short


@picture
def precision_recall(curves: Any, *, ax: Axes | None = None) -> Figure:
    """Precision-recall curves (a PrecisionRecall, or several by name or in a list), average precision in the legend.

    Steps, since precision between two thresholds is not a straight line; the area under them is the average precision.

    >>> from likely.evaluation import precision_recall as curve
    >>> precision_recall(curve([0, 1, 0, 1], [0.1, 0.7, 0.4, 0.8], 1)).axes[0].get_title()
    'Precision and recall of 1'
    """
    found = named(curves, "average_precision", "precision_recall(curves)", lambda curve: short(curve.positive))
    figure, ax = place(ax, height=5.2)
    for at, (name, curve) in enumerate(found):
        recall, precision = np.append(0, curve.recall), np.append(curve.precision[0], curve.precision)
        ax.plot(recall, precision, drawstyle="steps-pre", **line(at), label=_label(name, curve, len(found)))
    shares = {round(curve.share, 12) for _, curve in found}
    if len(shares) == 1:
        share = shares.pop()
        ax.axhline(share, color=FAINT, linewidth=1, linestyle=(0, (2, 3)), label=f"guessing ({share:.3f})", zorder=1)
    positives = {curve.positive for _, curve in found}
    of = short(positives.pop()) if len(positives) == 1 else "each class"
    unit_square(ax)
    ax.set(xlabel="recall (share of the positives found)", ylabel="precision (share of the found that are positive)")
    head(ax, f"Precision and recall of {of}")
    legend(ax, corners=("lower left", "lower right", "upper right"), title="average precision")
    return figure


def _label(name: str, curve: Any, many: int) -> str:
    """The name, where the title does not say it, and the average precision."""
    alone = many == 1 and name == short(curve.positive)
    return f"{curve.average_precision:.3f}" if alone else f"{name} ({curve.average_precision:.3f})"
