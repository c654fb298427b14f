"""Reliability diagrams: whether of the rows given 70 %, 70 % are so."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.plots.legends import legend
from likely.plots.named_results import named
from likely.plots.style import FAINT, Axes, Figure, head, line, marker, picture, place, unit_square
from likely.plots.typeface import short


@picture
def calibration(curves: Any, *, ax: Axes | None = None) -> Figure:
    """Observed shares over mean predicted probabilities (a Calibration, or several by name or in a list).

    Bars are the 95 % intervals of the shares, the area of a mark is the rows behind it.

    >>> from likely.evaluation import calibration as bins
    >>> figure = calibration(bins([0, 1, 1, 1], [[0.5, 0.5], [0.5, 0.5], [0.1, 0.9], [0.1, 0.9]], [0, 1]))
    >>> figure.axes[0].get_title()
    'Calibration of P(1): mean gap 0.050, largest 0.100'
    """
    found = named(curves, "ece", "calibration(curves)", _of)
    figure, ax = place(ax, height=5.2)
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1, linestyle=(0, (2, 3)), label="perfect", zorder=1)
    for at, (name, curve) in enumerate(found):
        look = line(at)
        reach = np.stack([curve.observed - curve.low, curve.high - curve.observed])
        label = f"{name} ({curve.ece:.3f}, {curve.mce:.3f})"
        ax.errorbar(
            curve.forecast, curve.observed, yerr=reach, capsize=2.5, elinewidth=1, linewidth=1.3, label=label, **look
        )
        area = 15 + 85 * np.asarray(curve.rows) / np.max(curve.rows)
        ax.scatter(
            curve.forecast,
            curve.observed,
            s=area,
            marker=marker(at),
            color=look["color"],
            zorder=3,
            edgecolor="white",
            linewidth=0.6,
        )
    unit_square(ax)
    ax.set(xlabel="predicted probability (mean of the bin)", ylabel="observed share, with its 95 % interval")
    names = {_of(curve) for _, curve in found}
    of = names.pop() if len(names) == 1 else "predicted probabilities"
    (name, only), *others = found
    if others or name != of:
        head(ax, f"Calibration of {of}")
        legend(ax, corners=("lower right", "upper left"), title="mean gap, largest gap")
    else:  # what one curve has to say does not hide it
        head(ax, f"Calibration of {of}: mean gap {only.ece:.3f}, largest {only.mce:.3f}")
    return figure


def _of(curve: Any) -> str:
    return "the chosen class" if curve.positive is None else f"P({short(curve.positive)})"
