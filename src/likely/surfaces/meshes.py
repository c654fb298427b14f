"""Segments and triangles: cut where a function is below zero, split into the parts that hang together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from likely.core.numerics import Array, Floats

EDGE_HALVINGS = 60

Mesh = tuple[Floats, Array]  # vertices (n, k) and cells: segments (m, 2) or triangles (m, 3)


def bisect(inside: Floats, outside: Floats, holds: Callable[[Floats], Array]) -> tuple[Floats, Floats]:
    """(n, k) twice: the two ends drawn together, one where something holds and one where it does not."""
    for _ in range(EDGE_HALVINGS if len(inside) else 0):
        middle = (inside + outside) / 2.0
        held = holds(middle)[:, None]
        inside, outside = np.where(held, middle, inside), np.where(held, outside, middle)
    return inside, outside


def clip(vertices: Floats, cells: Array, value: Callable[[Floats], Floats]) -> Mesh:
    """The part of a mesh where a value is not negative; new vertices lie where it is zero."""
    return cut(vertices, cells, value)[:2]


def cut(vertices: Floats, cells: Array, value: Callable[[Floats], Floats]) -> tuple[Floats, Array, Array]:
    """The same, and (n,) which vertices are new."""
    inside = value(vertices) >= 0
    count, width, first = inside[cells].sum(axis=1), cells.shape[1], len(vertices)
    kept, ends = [cells[count == width]], np.zeros((0, 2), dtype=np.intp)
    for own in range(1, width):
        mixed = cells[count == own]
        mixed = np.take_along_axis(mixed, np.argsort(~inside[mixed], axis=1, kind="stable"), axis=1)  # inside first
        for corners in _LEFT[width, own]:
            columns = []
            for corner in corners:
                if len(corner) == 1:
                    columns.append(mixed[:, corner[0]])
                else:
                    columns.append(first + len(ends) + np.arange(len(mixed)))
                    ends = np.concatenate([ends, mixed[:, list(corner)]])
            kept.append(np.stack(columns, axis=1))
    edges, place = np.unique(ends, axis=0, return_inverse=True)
    new, _ = bisect(vertices[edges[:, 0]], vertices[edges[:, 1]], lambda at: value(at) >= 0)
    moved = np.concatenate([np.arange(first), first + place.ravel()])
    found, left = compact(np.concatenate([vertices, new]), moved[np.concatenate(kept)])
    return found, left, np.arange(len(found)) >= len(found) - len(new)  # the used ones keep their order


# What is left of a cell with so many corners, of which so many are inside and come first: corners and cut edges.
_LEFT: dict[tuple[int, int], list[tuple[tuple[int, ...], ...]]] = {
    (2, 1): [((0,), (0, 1))],
    (3, 1): [((0,), (0, 1), (0, 2))],
    (3, 2): [((0,), (1,), (1, 2)), ((0,), (1, 2), (0, 2))],
}


def compact(vertices: Floats, cells: Array) -> Mesh:
    """The mesh without vertices that no cell has."""
    used, place = np.unique(cells, return_inverse=True)
    return vertices[used], place.reshape(cells.shape)


def parts(vertices: Floats, cells: Array) -> list[Mesh]:
    """The parts of a mesh that hang together."""
    if not len(cells):
        return []
    count = len(vertices)
    ends = np.concatenate([cells[:, [0, at]] for at in range(1, cells.shape[1])])
    graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(count, count))
    number, label = connected_components(graph, directed=False)
    own = label[cells[:, 0]]
    return [compact(vertices, cells[own == at]) for at in range(number) if (own == at).any()]


def in_order(vertices: Floats, cells: Array) -> Mesh:
    """A connected part made of segments with its vertices in order along it; a closed one ends where it begins."""
    beside: list[list[int]] = [[] for _ in vertices]
    for one, other in cells.tolist():
        beside[one].append(other)
        beside[other].append(one)
    ends = [at for at, others in enumerate(beside) if len(others) == 1]
    path, before = [ends[0] if ends else 0], -1
    while True:
        onward = [other for other in beside[path[-1]] if other != before]
        if not onward or onward[0] == path[0]:
            break
        before = path[-1]
        path.append(onward[0])
    return vertices[path], chain(len(path), closed=not ends)


def chain(count: int, closed: bool) -> Array:
    """(segments, 2): one vertex to the next."""
    at = np.arange(count if closed else count - 1)
    return np.stack([at, (at + 1) % count], axis=1)
