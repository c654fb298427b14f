"""Three columns: the boundary as a translucent mesh, all its sheets, among the points."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.plots.boundaries.scaled_surface import places_of
from likely.plots.boundaries.view import SurfaceView
from likely.plots.points import draw_points
from likely.plots.style import COLOURS, GRID, INK
from likely.plots.typeface import families, number, short

LABEL_PAD, FEW_LETTERS = 2.5, 3  # points between the labels of ticks and a name, for each letter more than so many
_LIGHT = np.array([-0.4, -0.7, 0.6]) / np.linalg.norm([-0.4, -0.7, 0.6])


def draw_space(ax: Any, view: SurfaceView) -> None:
    """The panel of three columns."""
    from matplotlib.ticker import MaxNLocator

    low, high = view.ends.T
    _mesh(ax, view)
    marks = view.marks
    draw_points(ax, replace(marks, values=places_of(view.scales, marks.values)), 2)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    axes = zip((ax.xaxis, ax.yaxis, ax.zaxis), view.features, view.scales, view.box, strict=True)
    for axis, name, scale, (least, most) in axes:
        axis.set_label_text(short(name, 26), fontfamily=families(), parse_math=False)
        axis.set_rotate_label(True)
        if scale.even:
            round_ones = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(least, most)
            ticks = round_ones[(round_ones >= least) & (round_ones <= most)]
        else:
            ticks = scale.ticks(least, most)
        texts = [number(tick, 6) for tick in ticks]
        axis.set_ticks(scale.places(ticks), texts)
        axis.labelpad = LABEL_PAD * max(max(map(len, texts), default=0) - FEW_LETTERS, 0)  # the layout knows no labels
        axis.set_pane_color("white")
        axis.line.set_color(INK)
        axis._axinfo["grid"].update(color=GRID, linewidth=0.6)
    ax.computed_zorder = False  # points are seen through the mesh
    ax.set_title(view.title, x=0.0, y=0.95, ha="left")  # the corners of the square are empty
    ax.set_anchor("N")
    ax.view_init(elev=20, azim=-56)
    ax.set_box_aspect(None, zoom=0.88)  # room for the names of the axes, of which the layout knows nothing


def _mesh(ax: Any, view: SurfaceView) -> None:
    """All sheets in one: what is further away is drawn first."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    low, high = view.ends.T
    pieces = [(piece, places_of(view.scales, piece.vertices)) for piece in view.surface.pieces if len(piece.cells)]
    if pieces:
        triangles = np.concatenate([places[piece.cells] for piece, places in pieces])
        colours = np.concatenate([np.tile(_colour(view, piece.classes), (len(piece.cells), 1)) for piece, _ in pieces])
        lights = [_light((places - low) / (high - low), piece.cells) for piece, places in pieces]
        light = np.concatenate(lights)[:, None]
        opacity = np.full_like(light, 0.42 if len(view.classes) == 2 else 0.3)
        mesh = Poly3DCollection(triangles, facecolors=np.hstack([colours * light, opacity]), edgecolors="none")
        mesh.set(gid="boundary", zorder=1)
        ax.add_collection3d(mesh, autolim=False)


def _colour(view: SurfaceView, between: tuple[Any, Any]) -> Floats:
    """(3,): grey between two classes; of more, the mixture of those that a sheet lies between."""
    from matplotlib.colors import to_rgb

    if len(view.classes) == 2:
        return np.full(3, 0.75)
    places = [view.classes.index(level) for level in between]
    return np.asarray(np.mean([to_rgb(COLOURS[at % len(COLOURS)]) for at in places], axis=0))


def _light(vertices: Floats, cells: Array) -> Floats:
    """(triangles,): the brighter, the more the mesh about a triangle faces the light or turns its back to it."""
    corners = vertices[cells]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.repeat(np.linalg.norm(across, axis=1), 3)
    lit = np.repeat(np.abs(across @ _LIGHT), 3)  # by area: of thin triangles the side that they turn is chance
    areas, lights = (np.bincount(cells.ravel(), one, len(vertices)) for one in (area, lit))
    mean = np.divide(lights, areas, out=np.zeros_like(lights), where=areas > 0)
    return np.asarray(0.35 + 0.65 * mean[cells].mean(axis=1))
