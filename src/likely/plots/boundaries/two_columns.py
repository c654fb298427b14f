"""Two columns: regions, contours of the densities, the boundary between the classes, and the points."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.plots.boundaries.view import SurfaceView
from likely.plots.column_scale import lay_out_powers
from likely.plots.points import draw_points
from likely.plots.style import COLOURS, INK, Axes, head, line, whole_numbers
from likely.plots.typeface import short

_BELOW_PEAK = (4.5, 2.0, 0.5)  # of log densities: one, two and three deviations of a normal density from its middle
MOST_CLASSES_WITH_DENSITIES = 8  # of more the contours of the densities are a tangle
_CERTAIN_LOG_ODDS = 1e6  # log odds that are as good as certain


def draw_plane(ax: Axes, view: SurfaceView) -> None:
    """The panel of two columns."""
    x, y = view.nodes
    _regions(ax, x, y, view.log_joints)
    if view.dense and len(view.classes) <= MOST_CLASSES_WITH_DENSITIES:
        _contours(ax, x, y, view.log_drawn - view.log_priors)
    _boundary(ax, view)
    draw_points(ax, view.marks, 5)
    (left, right), (low, high) = view.box
    ax.set(xlim=(left, right), ylim=(low, high))
    ax.set(xlabel=short(view.features[0], 40), ylabel=short(view.features[1], 40))
    for name, scale, whole in zip("xy", view.scales, view.whole, strict=True):
        if not scale.even:
            lay_out_powers(ax, name, scale)
        elif whole:
            whole_numbers(ax.xaxis if name == "x" else ax.yaxis)
    head(ax, view.title)
    ax.grid(False)


def _regions(ax: Axes, x: Floats, y: Floats, joints: Floats) -> None:
    """Light fills where a class beats all others; white where none has any density."""
    for at in range(joints.shape[-1]):
        others = np.delete(joints, at, axis=-1).max(axis=-1, initial=-np.inf)
        with np.errstate(invalid="ignore"):
            lead = np.clip(
                joints[..., at] - others, -_CERTAIN_LOG_ODDS, _CERTAIN_LOG_ODDS
            )  # NaN where neither is possible
        colour = COLOURS[at % len(COLOURS)]
        if (lead > 0).any():
            fill = ax.contourf(x, y, lead.T, levels=[0, 2 * _CERTAIN_LOG_ODDS], colors=[colour], alpha=0.13)
            fill.set_gid("regions")


def _contours(ax: Axes, x: Floats, y: Floats, densities: Floats) -> None:
    for at in range(densities.shape[-1]):
        mine = densities[..., at]
        peak = mine.max()
        if np.isfinite(peak):
            levels = [peak - below for below in _BELOW_PEAK]
            look: dict[str, Any] = {"colors": COLOURS[at % len(COLOURS)], "linestyles": [line(at)["linestyle"]]}
            lines = ax.contour(x, y, np.maximum(mine, peak - 50).T, levels=levels, linewidths=0.9, alpha=0.8, **look)
            lines.set_gid("density")


def _boundary(ax: Axes, view: SurfaceView) -> None:
    """Dark with a white halo, so that it is seen on every colour."""
    from matplotlib.collections import LineCollection

    lines = [piece.vertices[piece.cells] for piece in view.surface.pieces]
    for gid, colour, width in (("halo", "white", 4.6), ("boundary", INK, 2.2)):
        for segments in lines:
            drawn = LineCollection(list(segments), colors=colour, linewidths=width, capstyle="round", zorder=4)
            drawn.set_gid(gid)
            ax.add_collection(drawn, autolim=False)
