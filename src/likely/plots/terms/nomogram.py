"""Nomograms: points for each value of each column, to be added up by hand and read off as a probability.

Ticks stand where the points are, and labels are laid so that no two touch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from likely import explanations
from likely.core.numerics import Array, Floats
from likely.output.display_width import display_width
from likely.output.phrases import plural
from likely.plots.named_results import expect
from likely.plots.style import COLOURS, FAINT, GRID, INK, Axes, Figure, bare, head, picture, place, wide_apart
from likely.plots.typeface import number, short, shorts

_WIDTH = 7.0  # inches: values of many columns stand side by side
_INCH = 0.36  # of height for each unit up the picture
_LANE = 0.33  # the height of a label
_LETTER_SHARE = 0.0135  # of a scale's length: the width of a letter
_DEEP = 3  # labels above one another on each side of a scale; more are left out, their ticks stay
_NEAR = 1e-9
VALUES_A_PART = 4  # values for each of its parts, at least, of a column that is cut into parts
APART = 3.0  # steps from zero to the least number above it: then there is nothing in between
PART_DIGITS = (2, 3, 4, 5, 6)  # as many as tell the parts apart
BARE_END = 0.05  # of a scale's length: an end further than that from a tick has one of its own
FEWER_HOLES = 0.75  # times the longest bare part: ticks by powers of ten are taken where they leave less
_SQUEEZE = 3.0  # times the second widest scale: what is wider runs out of the picture, with its points in words


class Label(NamedTuple):
    """A tick: where (0 to 1 along the picture), what, and on which side of the line (1 above, -1 below)."""

    at: float
    text: str
    side: int = 1


class Scale(NamedTuple):
    """A line with ticks; `laid` are the labels that have room, each with its lane: 1, 2, ... up, -1, -2, ... down."""

    name: str
    start: float
    stop: float
    labels: list[Label]
    laid: list[tuple[Label, int]]
    ruler: bool

    @property
    def up(self) -> int:
        """How many lanes there are above the line."""
        return max((lane for _, lane in self.laid if lane > 0), default=0)

    @property
    def down(self) -> int:
        """How many lanes there are below the line."""
        return -min((lane for _, lane in self.laid if lane < 0), default=0)


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
    bare(ax, xlim=_ends_of_labels(found), ylim=(y, 0.0), xticks=[])
    ax.set_yticks(heights, shorts((scale.name for scale in found), 30))
    ax.tick_params(axis="y", length=0)
    more = f" ({plural(chart.others, 'column')} not shown)" if chart.others else ""
    of = "" if chart.target == "y" else f" of {short(chart.target)}"
    head(ax, f"Points for {short(chart.for_)} against {short(chart.against)}{of}{more}")
    return figure


def _ends_of_labels(found: list[Scale]) -> tuple[float, float]:
    """From the first label to the last one: names of columns are left of them."""
    ends = [
        (label.at - half, label.at + half)
        for scale in found
        for label, _ in scale.laid
        for half in [_LETTER_SHARE * (display_width(label.text) + 1.5) / 2]
    ]
    return min(-0.05, *(low for low, _ in ends)), max(1.05, *(high for _, high in ends))


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


def scales(chart: Any) -> list[Scale]:
    """Points on top, a scale for each column, the total and the probability."""
    known = [column.points[np.isfinite(column.points)] for column in chart.columns]
    points = np.concatenate([[0.0, 100.0], *known])
    low, high = float(points.min()), min(float(points.max()), _room(known))
    bottom, top = _ends(chart)
    totals = [(total, f"{share:g}") for total, share in zip(chart.totals, chart.probabilities, strict=True)]
    if_two = " of the two" if len(chart.classes) > 2 else ""
    return [
        _ruler("points", low, high, _rounds(low, high)),
        *(_column(column, low, high) for column in chart.columns),
        _ruler("total points", bottom, top, _rounds(bottom, top)),
        _ruler(f"P({short(chart.for_, 12)}){if_two}", bottom, top, totals),
    ]


def _room(known: Iterable[Floats]) -> float:
    """The points that have room beside one scale that is far wider than the others, and would squeeze them."""
    widths = sorted((float(points.max(initial=0.0)) for points in known), reverse=True)
    rest = widths[1] if len(widths) > 1 else 0.0
    return _SQUEEZE * rest if rest and widths[0] > 2 * _SQUEEZE * rest else float(np.inf)


def _ends(chart: Any) -> tuple[float, float]:
    """The part of the total that is worth showing: from a probability of 0.001 to one of 0.999."""
    low, high = chart.limits
    bottom, top = max(low, float(chart.totals[0])), min(high, float(chart.totals[-1]))
    return (bottom, top) if bottom < top else (low, max(high, low + 1.0))


def _rounds(low: float, high: float) -> list[tuple[float, str]]:
    from matplotlib.ticker import MaxNLocator

    return [(tick, number(tick, 6)) for tick in MaxNLocator(11, steps=[1, 2, 5, 10]).tick_values(low, high)]


def _ruler(name: str, low: float, high: float, ticks: Iterable[tuple[float, str]]) -> Scale:
    span = high - low
    labels = [Label((tick - low) / span, text) for tick, text in ticks if low - _NEAR <= tick <= high + _NEAR * span]
    return Scale(name, 0.0, 1.0, labels, labels_with_room(labels), True)


def _column(column: Any, low: float, high: float) -> Scale:
    # A value that decides alone stands beyond the ends.
    spots = np.clip((np.nan_to_num(column.points, posinf=1e300, neginf=-1e300) - low) / (high - low), -0.03, 1.03)
    if column.kind in ("binary", "category", "text"):
        labels = _levels(column, spots, high)
    else:
        labels = _numbers(
            np.asarray(column.values, dtype=np.float64), column.points, (low, high), column.kind == "count"
        )
    return Scale(column.name, min(spots, default=0.0), max(spots, default=0.0), labels, labels_with_room(labels), False)


def _levels(column: Any, spots: Floats, high: float) -> list[Label]:
    """The levels, above and below the line by turns."""
    names = [
        name
        if np.isfinite(points) and points <= high
        else f"{name} ({f'{points:.0f}' if np.isfinite(points) else '+∞' if points > 0 else '−∞'})"
        for name, points in zip(shorts(column.values, 16), column.points, strict=True)
    ]
    order = np.argsort(spots, kind="stable")
    return [Label(float(spots[at]), names[at], -1 if turn % 2 else 1) for turn, at in enumerate(order)]


def _numbers(values: Floats, points: Floats, ends: tuple[float, float], whole: bool) -> list[Label]:
    """Round values; of a scale that runs to and fro, those where more is worth fewer points are below the line."""
    from matplotlib.ticker import MaxNLocator

    low, high = ends
    spots = np.clip((np.nan_to_num(points, posinf=1e300, neginf=-1e300) - low) / (high - low), -0.03, 1.03)
    whole = whole or bool((values == np.rint(values)).all())
    if len(values) < 2:
        return [Label(float(at), number(value, 6)) for at, value in zip(spots, values, strict=True)]
    if (edges := np.flatnonzero(np.diff(points))).size * VALUES_A_PART < len(values):  # the same for many values: parts
        return _parts(values, spots, points, edges, high)
    wanted = int(np.clip(22 * np.ptp(spots), 3, 10))  # on a short scale there is room for few
    ticks = np.asarray(MaxNLocator(wanted, integer=whole).tick_values(values[0], values[-1]))
    ticks = ticks[(ticks >= values[0]) & (ticks <= values[-1])]
    if values[0] == 0 and len(values) > 2 and values[1] > APART * (values[2] - values[1]):
        ticks = ticks[(ticks == 0) | (ticks >= values[1])]  # nothing is between zero and the least number above it
    powers = _powers(values, whole)
    if _hole(powers, values, spots) < FEWER_HOLES * _hole(ticks, values, spots):
        ticks = powers
    shown = _with_ends(ticks, values, spots)
    slopes = np.interp(shown, values, np.gradient(spots, values))
    folded = bool((slopes > 0).any() and (slopes < 0).any())
    places = np.interp(shown, values, spots)
    return [
        Label(
            float(at),
            number(value, 6) if worth <= high else f"{number(value, 6)} ({worth:.0f})",
            -1 if folded and slope < 0 else 1,
        )
        for at, value, slope, worth in zip(places, shown, slopes, np.interp(shown, values, points), strict=True)
    ]


def _powers(values: Floats, whole: bool) -> Floats:
    """1, 2 and 5 times powers of ten within the values, and zero if it is one of them."""
    above = values[values > 0]
    if not len(above):
        return np.zeros(0)
    first, last = np.floor(np.log10(above[0])), np.ceil(np.log10(above[-1]))
    steps = [1.0] if wide_apart(above) else [1.0, 2.0, 5.0]
    times = np.outer(10.0 ** np.arange(max(first, 0.0) if whole else first, last + 1), steps).ravel()
    found = times[(times >= above[0]) & (times <= above[-1])]
    return np.concatenate([[0.0], found]) if values[0] == 0 else found


def _hole(ticks: Floats, values: Floats, spots: Floats) -> float:
    """The longest part of a scale without a tick."""
    places = np.interp(ticks, values, spots)
    return float(np.diff(np.sort([spots.min(), spots.max(), *places])).max())


def _with_ends(ticks: Floats, values: Floats, spots: Floats) -> Floats:
    """The ticks, and the values at which a scale begins and ends, where no tick is near."""
    for at in {0, len(values) - 1, int(spots.argmin()), int(spots.argmax())}:
        if not len(ticks) or np.abs(np.interp(ticks, values, spots) - spots[at]).min() > BARE_END:
            ticks = np.append(ticks, values[at])
    return np.sort(ticks)


def _parts(values: Floats, spots: Floats, points: Floats, edges: Array, high: float) -> list[Label]:
    """From where to where each part of a column goes that is cut into parts."""
    starts, stops = [0, *(edges + 1).tolist()], [*edges.tolist(), len(values) - 1]
    found = []
    digits = next(
        (more for more in PART_DIGITS if len({number(values[at], more) for at in starts}) == len(starts)),
        PART_DIGITS[-1],
    )
    for turn, at in enumerate(sorted(range(len(starts)), key=lambda one: spots[starts[one]])):
        first, last = (number(values[end], digits) for end in (starts[at], stops[at]))
        worth = points[starts[at]]
        text = (first if first == last else f"{first} to {last}") + ("" if worth <= high else f" ({worth:.0f})")
        found.append(Label(float(spots[starts[at]]), text, -1 if turn % 2 else 1))
    return found


def labels_with_room(labels: Iterable[Label]) -> list[tuple[Label, int]]:
    """The labels that have room, each in the lane next to the line where it touches no other.

    >>> labels = [Label(0.1, "a"), Label(0.1, "below", -1), Label(0.11, "near"), Label(0.9, "far")]
    >>> [lane for _, lane in labels_with_room(labels)]
    [1, -1, 2, 1]
    """
    ends: dict[int, float] = {}
    found = []
    for label in sorted(labels, key=lambda label: label.at):
        half = (display_width(label.text) + 1.5) * _LETTER_SHARE / 2
        free = (step for step in range(1, _DEEP + 1) if ends.get(step * label.side, -np.inf) <= label.at - half)
        step = next(free, None)
        if step is not None:
            ends[step * label.side] = label.at + half
            found.append((label, step * label.side))
    return found
