"""Nomograms: points for each value of each column, to be added up by hand and read off as a probability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likely import explanations
from likely.plots.named_results import expect
from likely.plots.style import COLOURS, FAINT, GRID, INK, head, picture, place
from likely.plots.terms.nomogram_scales import Scale, scales
from likely.plots.typeface import short, shorts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 7.0  # inches: values of many columns stand side by side
_INCH = 0.36  # of height for each unit up the picture
_LANE = 0.33  # the height of a label


@picture
def nomogram(chart: Any, *, ax: Axes | None = None) -> Figure:
    """A Nomogram: find each value on the scale of its column, read its points on top, add them up, go to the total.

    Along a scale of numbers that runs to and fro, the values above the line rise with the points and those below fall.

    >>> import likely
    >>> from likely.explanations import nomogram as chart
    >>> model = likely.NaiveBayes().fit([["sun", "a"], ["sun", "b"], ["rain", "a"]], ["out", "out", "in"])
    >>> nomogram(chart(model)).axes[0].get_title()
    'Points for out against in'
    """
    if hasattr(chart, "model_"):  # the model itself will do
        chart = explanations.nomogram(chart)
    expect(chart, "totals", "nomogram(chart)", "a Nomogram, or a fitted classifier that has one")
    found = scales(chart)
    heights, y = [], 0.0
    for scale in found:
        y -= 0.5 + _LANE * scale.up
        heights.append(y)
        y -= 0.25 + _LANE * scale.down
    figure, ax = place(ax, _WIDTH, 0.5 - _INCH * y)
    for label in found[0].labels:
        ax.vlines(label.at, heights[-3] - 0.2, heights[0], color=GRID, linewidth=0.6, zorder=0)
    for scale, height in zip(found, heights, strict=True):
        _draw(ax, height, scale)
    ax.set(xlim=(-0.05, 1.05), ylim=(y, 0.0))
    ax.set_xticks([])
    ax.set_yticks(heights, shorts((scale.name for scale in found), 30))
    ax.tick_params(axis="y", length=0)
    ax.grid(False)
    ax.spines[:].set_visible(False)
    more = f" ({chart.others} columns not shown)" if chart.others else ""
    head(ax, f"Points for {short(chart.for_)} against {short(chart.against)}{more}")
    return figure


def _draw(ax: Axes, y: float, scale: Scale) -> None:
    colour = INK if scale.ruler else COLOURS[0]
    ax.hlines(y, scale.start, scale.stop, color=colour, linewidth=1.0 if scale.ruler else 1.8)
    for label in scale.labels:
        ax.vlines(label.at, y, y + 0.14 * label.side, color=colour, linewidth=1.0)
    for label, lane in scale.laid:
        lift = label.side * (0.17 + _LANE * (abs(lane) - 1))
        if abs(lane) > 1:
            ax.vlines(label.at, y, y + lift, color=FAINT, linewidth=0.4, zorder=1)
        ax.text(
            label.at,
            y + lift,
            label.text,
            ha="center",
            va="bottom" if lane > 0 else "top",
            fontsize=7.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
            zorder=2 - 0.1 * abs(lane),
        )
