"""Three numbers, two normal classes: the quadric on which they tie, one coordinate solved on a grid of the others.

That coordinate is the last, unless it hardly enters: then the surface stands upright over the others and is better seen
along another one. Of the two roots one is the upper sheet and one the lower; they share their vertices along the rim,
where there is one root only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.surfaces.forms import Quadratic, form_of, in_box
from likely.surfaces.meshes import Mesh, clip, cut, parts
from likely.surfaces.scores import NormalScores, is_tie, lead_over_others, onto_surface

QUADRIC_GRID_NODES = 49  # of the grid, on each side
NEWTON_STEPS_TO_RIM = 4  # steps from a chord to the rim
LEAST_ENTRY = 0.1  # of the strongest coordinate: below it the last one does not enter enough


@dataclass(frozen=True, eq=False)
class Sheets:
    """square w² + (slope·p + start) w + base(p) = 0, to be solved for w at points p of the plane."""

    square: float
    slope: Floats
    start: float
    base: Quadratic

    @cached_property
    def inner(self) -> Quadratic:
        """What is under the root: no sheet where it is negative."""
        matrix = np.outer(self.slope, self.slope) - 4.0 * self.square * self.base.square
        linear = 2.0 * self.start * self.slope - 4.0 * self.square * self.base.linear
        constant = self.start**2 - 4.0 * self.square * self.base.constant
        sizes = (float(np.abs(matrix).max()), float(np.abs(linear).max()), abs(constant))
        return Quadratic(matrix, linear, constant, sizes)

    def solved(self, at: Floats) -> Floats:
        """(n, 3): points on the quadric, from two coordinates and the sheet (1 upper, -1 lower, 0 rim).

        Neither root is lost where the square is small: it is found from the other, and the lost one is far away.
        """
        plane, sheet = at[:, :2].copy(), np.sign(at[:, 2])
        rim = (sheet == 0) | (self.inner(plane) < 0)  # a chord between vertices may leave the sheet for a moment
        plane[rim] = self._on_rim(plane[rim])
        linear, base = plane @ self.slope + self.start, self.base(plane)
        root = np.sqrt(np.maximum(linear * linear - 4.0 * self.square * base, 0.0))
        far = -linear - np.where(rim, 0.0, np.where(linear >= 0, root, -root))
        with np.errstate(divide="ignore", invalid="ignore"):
            height = np.where(rim | ((sheet > 0) == (linear < 0)), far / (2.0 * self.square), 2.0 * base / far)
        return np.column_stack([plane, np.where(np.isnan(height), np.inf, height)])

    def _on_rim(self, plane: Floats) -> Floats:
        """(n, 2): moved from nearby onto the rim."""
        for _ in range(NEWTON_STEPS_TO_RIM):
            slopes = 2.0 * plane @ self.inner.square + self.inner.linear
            steep = (slopes**2).sum(axis=1)
            step = np.divide(self.inner(plane), steep, out=np.zeros(len(plane)), where=steep > 0)[:, None] * slopes
            plane = plane - np.where(np.abs(step).max(axis=1, keepdims=True) < 0.1, step, 0.0)
        return plane


def _sheets(one: Quadratic, axis: int) -> Sheets:
    """The quadratic as one in a single coordinate; its square is positive, so that the upper root is above."""
    rest = [at for at in range(3) if at != axis]
    sign = -1.0 if one.square[axis, axis] < 0 else 1.0
    base = Quadratic(sign * one.square[np.ix_(rest, rest)], sign * one.linear[rest], sign * one.constant, one.sizes)
    slope = 2.0 * sign * one.square[axis, rest]
    return Sheets(abs(float(one.square[axis, axis])), slope, sign * float(one.linear[axis]), base)


def quadric(normals: NormalScores, a: int, b: int, box: Floats) -> tuple[str, list[Mesh]]:
    """The name of the quadric, and its pieces in the box, where no third class is better than the two."""
    one = in_box(normals, a, b, box)
    form = form_of(one)
    middle, half = box.mean(axis=1), (box[:, 1] - box[:, 0]) / 2.0
    if form.name == "none":
        return form.name, []
    if form.name == "point":
        point = (middle + half * form.centre)[None]
        kept = (np.abs(form.centre) <= 1.0).all() and lead_over_others(normals, point, a, b)[0] >= 0
        return form.name, [(point, np.zeros((0, 3), dtype=np.intp))] if kept else []
    axis = _seen_along(one)
    sheets = _sheets(one, axis)
    rest = [at for at in range(3) if at != axis]

    def lift(at: Floats) -> Floats:
        found = np.empty((len(at), 3))
        found[:, [*rest, axis]] = sheets.solved(at)
        return np.asarray(middle + half * found)

    vertices, cells = _grid(sheets.inner)
    vertices, cells = clip(vertices, cells, lambda at: 1.0 - np.abs(at[:, 0]))
    vertices, cells = clip(vertices, cells, lambda at: 1.0 - np.abs(at[:, 1]))
    vertices, cells = _both(*cut(vertices, cells, lambda at: sheets.inner(at[:, :2])))
    vertices, cells = clip(vertices, cells, lambda at: 1.0 - sheets.solved(at)[:, 2])
    vertices, cells = clip(vertices, cells, lambda at: 1.0 + sheets.solved(at)[:, 2])
    if len(normals.constant) > 2:
        vertices, cells = clip(vertices, cells, lambda at: lead_over_others(normals, lift(at), a, b))
    vertices = onto_surface(normals, a, b, lift(vertices), box)
    tied = is_tie(normals, a, b, vertices)  # a corner far up a steep sheet may be cut off at the box instead
    return form.name, parts(vertices, cells[tied[cells].all(axis=1)])


def _seen_along(one: Quadratic) -> int:
    """The coordinate to solve for."""
    enters = np.maximum(np.abs(one.square).max(axis=1), np.abs(one.linear))
    return 2 if enters[2] >= LEAST_ENTRY * enters.max() else int(np.argmax(enters))


def _grid(inner: Quadratic) -> Mesh:
    """Triangles over the part of the plane that can have a sheet, along the axes of its rim: thin ones are seen too."""
    form = form_of(inner)
    reach = np.abs(form.axes).sum(axis=0)  # of the box -1..1
    low, high = -reach, reach
    if (form.curvatures <= 0).all() and not form.slopes.any() and form.level >= 0:
        bent = form.curvatures < 0
        size = np.sqrt(form.level / np.where(bent, -form.curvatures, 1.0)) * (1.0 + 1e-6)
        around = form.axes.T @ form.centre
        low = np.where(bent, np.maximum(low, around - size), low)
        high = np.where(bent, np.minimum(high, around + size), high)
    if (low >= high).any():
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.intp)
    y = np.stack(np.meshgrid(*np.linspace(low, high, QUADRIC_GRID_NODES).T, indexing="ij"), axis=-1).reshape(-1, 2)
    corner = (
        np.arange(QUADRIC_GRID_NODES - 1)[:, None] * QUADRIC_GRID_NODES + np.arange(QUADRIC_GRID_NODES - 1)
    ).ravel()
    lower = np.stack([corner, corner + QUADRIC_GRID_NODES, corner + QUADRIC_GRID_NODES + 1], axis=1)
    upper = np.stack([corner, corner + QUADRIC_GRID_NODES + 1, corner + 1], axis=1)
    return np.column_stack([y @ form.axes.T, np.ones(len(y))]), np.concatenate([lower, upper])


def _both(vertices: Floats, cells: Array, rim: Array) -> Mesh:
    """The upper sheet and the lower one, which have the rim in common."""
    upper = np.where(rim[:, None], vertices * [1.0, 1.0, 0.0], vertices)
    place = np.where(rim, np.arange(len(rim)), len(rim) + np.cumsum(~rim) - 1)
    return np.concatenate([upper, upper[~rim] * [1.0, 1.0, -1.0]]), np.concatenate([cells, place[cells]])
