"""Any model in two or three numbers: triangles or tetrahedra of a grid, cut where the better of two classes changes."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from likely.core.numerics import Array, Floats
from likely.surfaces.meshes import Mesh, bisect, clip, in_order, parts
from likely.surfaces.scores import Scores, lead_over_others

CONTOUR_GRID_NODES = {2: 201, 3: 41}  # of the grid, on each side

# Edges (inside, outside) of what a cut leaves in a triangle or tetrahedron, by corners and how many are inside, first.
_CUTS: dict[tuple[int, int], list[tuple[tuple[int, int], ...]]] = {
    (3, 1): [((0, 1), (0, 2))],
    (3, 2): [((0, 2), (1, 2))],
    (4, 1): [((0, 1), (0, 2), (0, 3))],
    (4, 2): [((0, 2), (0, 3), (1, 3)), ((0, 2), (1, 3), (1, 2))],
    (4, 3): [((0, 3), (1, 3), (2, 3))],
}


def contours(scores: Scores, box: Floats) -> list[tuple[int, int, list[Mesh]]]:
    """(class a, class b, pieces): the boundaries between best classes."""
    d = len(box)
    count = CONTOUR_GRID_NODES[d]
    axes = [np.linspace(low, high, count) for low, high in box]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, d)
    logs = scores.logs(points)
    best = logs.argmax(axis=1)
    simplices = _simplices(d, count)
    own = best[simplices]
    mixed = simplices[(own != own[:, :1]).any(axis=1)]
    present = np.unique(best)
    found = []
    for at, a in enumerate(present):
        for b in present[at + 1 :]:
            pieces = _between(scores, points, logs[:, a] >= logs[:, b], mixed, int(a), int(b))
            found.append((int(a), int(b), pieces))
    return [one for one in found if one[2]]


def _between(scores: Scores, points: Floats, first: Array, mixed: Array, a: int, b: int) -> list[Mesh]:
    """The pieces between two classes; `first` (points,) says where the first of them is at least as good."""
    ends, cells = _march(first, mixed)

    def better(at: Floats) -> Array:
        logs = scores.logs(at)
        return np.asarray(logs[:, a] >= logs[:, b])

    if not len(ends):
        return []
    one, other = bisect(points[ends[:, 0]], points[ends[:, 1]], better)
    vertices, cells = clip((one + other) / 2.0, cells, lambda at: lead_over_others(scores, at, a, b))
    found = parts(vertices, cells)
    return [in_order(*part) for part in found] if points.shape[1] == 2 else found


def _simplices(d: int, count: int) -> Array:
    """(simplices, d + 1): every cell of the grid in d! parts, from its lowest corner to its highest along its edges."""
    strides = count ** np.arange(d - 1, -1, -1)
    corner = sum(np.ix_(*[np.arange(count - 1) * stride for stride in strides]), np.zeros(1, dtype=np.intp)).ravel()
    ways = [np.concatenate([[0], np.cumsum(strides[list(order)])]) for order in permutations(range(d))]
    return np.concatenate([corner[:, None] + way for way in ways])


def _march(inside: Array, simplices: Array) -> tuple[Array, Array]:
    """(edges, 2) that are cut, inside end first, and the cells (cells, d) between the cuts."""
    count, width = inside[simplices].sum(axis=1), simplices.shape[1]
    ends = []
    for own in range(1, width):
        mine = simplices[count == own]
        mine = np.take_along_axis(mine, np.argsort(~inside[mine], axis=1, kind="stable"), axis=1)
        ends += [mine[:, np.array(edges)] for edges in _CUTS[width, own]]  # (simplices, corners of a cell, 2)
    whole = np.concatenate(ends)
    found, place = np.unique(whole.reshape(-1, 2), axis=0, return_inverse=True)
    return found, place.reshape(whole.shape[:2])
