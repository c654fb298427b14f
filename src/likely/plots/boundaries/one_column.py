"""One column: the joint densities of the classes, the points below them, and every value where the decision changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.plots.boundaries.view import SurfaceView
from likely.plots.column_scale import lay_out_powers
from likely.plots.points import point_look, ring_look
from likely.plots.style import COLOURS, INK, Axes, head, line, tiny_densities, whole_numbers
from likely.plots.typeface import number, short

_FLOOR = 0.24  # of the height of the axes: the points are below it, the densities above
_BAND = 0.03
_ROOM = 1.22  # above the highest density, for the values at the lines
BOUNDARY_DASHES = (0, (4, 2))  # dashes of the lines where the decision changes
MOST_CLASSES_FILLED = 6  # the areas of more are a blur
_LABELS = 9  # values written; more of them cannot be read


def draw_line(ax: Axes, view: SurfaceView) -> None:
    """The panel of one column; `level` then gives all panels the same height."""
    (x,) = view.nodes
    heights = np.exp(view.log_drawn)
    for at in range(len(view.classes)):
        ax.plot(x, heights[:, at], gid="density", **line(at))
        if len(view.classes) <= MOST_CLASSES_FILLED:
            ax.fill_between(x, heights[:, at], color=COLOURS[at % len(COLOURS)], alpha=0.12, linewidth=0, gid="density")
    _regions(ax, view)
    _roots(ax, view)
    _strips(ax, view)
    (scale,) = view.scales
    ax.set(xlim=view.box[0], xlabel=short(view.features[0], 40), ylabel=_height(view))
    head(ax, view.title)
    ax.grid(False, axis="x")
    if not scale.even:
        lay_out_powers(ax, "x", scale)
    elif view.whole[0]:
        whole_numbers(ax.xaxis)


def _height(view: SurfaceView) -> str:
    """What is drawn upwards."""
    if not view.dense:
        return "probability of the part × prior" if view.binned else "probability"
    return "density × prior" if view.scales[0].even else "density for each factor of 10, × prior"


def level(panels: Sequence[tuple[Axes, SurfaceView]]) -> None:
    """The same height for all panels, and ticks from zero on only."""
    from matplotlib.ticker import MaxNLocator

    top = max(float(np.exp(view.log_drawn.max())) for _, view in panels) or 1.0
    for ax, _ in panels:
        ax.set_ylim(-top * _ROOM * _FLOOR / (1 - _FLOOR), top * _ROOM)
        ax.set_yticks([tick for tick in MaxNLocator(5).tick_values(0, top) if 0 <= tick <= 1.05 * top])
        tiny_densities(ax)
        ax.axhline(0, color=INK, linewidth=0.8, zorder=2.5)


def _regions(ax: Axes, view: SurfaceView) -> None:
    """A thin band in the colour of the class that is predicted; none where no class has any density."""
    (x,), joints = view.nodes, view.log_joints
    best = np.where(np.isneginf(joints).all(axis=1), -1, joints.argmax(axis=1))
    changes = np.flatnonzero(np.diff(best)) + 1
    (scale,) = view.scales
    places = scale.places(x)
    edges = scale.values(np.array([places[0], *(places[changes - 1] + places[changes]) / 2, places[-1]]))
    for code, low, high in zip(best[[0, *changes]], edges[:-1], edges[1:], strict=True):
        if code >= 0:
            colour = COLOURS[code % len(COLOURS)]
            ax.axvspan(low, high, _FLOOR - _BAND, _FLOOR, color=colour, linewidth=0, alpha=0.75, gid="regions")


def _roots(ax: Axes, view: SurfaceView) -> None:
    low, high = view.box[0]
    roots = np.unique(view.surface.vertices[:, 0])
    roots = roots[(roots >= low) & (roots <= high)]
    (scale,), (ends,) = view.scales, view.ends
    places, near, steps = scale.places(roots), 0.11 * float(np.ptp(ends)), 0
    digits = max(0, 2 - int(np.floor(np.log10((high - low) / 2))))
    for at, root in enumerate(roots):
        thick = 1.4 if len(roots) <= _LABELS else 0.6
        ax.axvline(
            root, _FLOOR - _BAND, color=INK, linewidth=thick, linestyle=BOUNDARY_DASHES, zorder=3, gid="boundary"
        )
        steps = (steps + 1) % 3 if at and places[at] - places[at - 1] < near else 0
        if len(roots) <= _LABELS:
            box = {"facecolor": "white", "edgecolor": "none", "pad": 1.2, "alpha": 0.85}
            where: Any = ax.get_xaxis_transform()
            text = f"{root:,.{digits}f}".replace("-", "−") if scale.even else number(root)
            ax.text(root, 0.985 - 0.055 * steps, text, transform=where, ha="center", va="top", fontsize=8.5, bbox=box)


def _strips(ax: Axes, view: SurfaceView) -> None:
    """The points below the axis, a strip for each class; up and down in it means nothing."""
    points = view.marks
    strip = (_FLOOR - _BAND) / (len(view.classes) if points.labelled else 1)
    jitter = 0.2 + 0.6 * np.random.default_rng(1).random(len(points.codes))
    heights = _FLOOR - _BAND - strip * (np.maximum(points.codes, 0) + jitter)
    where, size = ax.get_xaxis_transform(), 0.7 * points.size
    for at in np.unique(points.codes):
        mine = points.codes == at
        ax.plot(points.values[mine, 0], heights[mine], **point_look(at, size), transform=where)
    ax.plot(points.values[points.wrong, 0], heights[points.wrong], **ring_look(size), transform=where)
