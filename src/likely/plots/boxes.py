"""A graph on paper: boxes with names and the routes of the arcs between them, in inches; x goes right and y down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from likely.numerics import Floats
from likely.structures.layout import layered
from likely.widths import width

HIGH = 0.28  # of a box
APART, LANE = 0.1, 0.14  # between boxes side by side, and for an arc that passes a layer
DOWN, RIGHT, SLOPE = 0.6, 0.9, 0.12  # between layers, at least, and for each inch that an arc goes across
PAGE = 8.0  # what is not longer than that fits a page, and the flattest of what fits is drawn
LETTER, INSET = 0.08, 0.2  # letters of 9 points, and the room around a name


@dataclass(frozen=True)
class Box:
    """Its middle and its size."""

    x: float
    y: float
    wide: float
    high: float = HIGH

    def hides(self, other: Box) -> float:
        """How much of the other is under this one, in square inches."""
        across = (self.wide + other.wide) / 2 - abs(self.x - other.x)
        down = (self.high + other.high) / 2 - abs(self.y - other.y)
        return max(across, 0.0) * max(down, 0.0)


@dataclass(frozen=True)
class Drawing:
    """The boxes, and each arc from edge to edge as (points, 2): a start, and three points for each further curve."""

    boxes: tuple[Box, ...]
    arcs: dict[tuple[int, int], Floats]
    wide: float
    tall: float


def room(name: str) -> float:
    """The width of a box with that name."""
    return INSET + LETTER * width(name)


def draw(names: Sequence[str], arcs: Iterable[tuple[int, int]]) -> Drawing:
    """Columns and (parent, child) arcs in layers: across the page or down, whichever is the more compact.

    >>> found = draw(["a", "b"], [(0, 1)])
    >>> [(round(box.x, 2), round(box.y, 2)) for box in found.boxes]
    [(0.14, 0.14), (1.32, 0.14)]
    """
    parents: list[list[int]] = [[] for _ in names]
    for parent, child in arcs:
        parents[child].append(parent)
    both = [_drawn(names, parents, down) for down in (False, True)]
    return min(both, key=lambda one: (max(one.wide, one.tall, PAGE), one.tall))


def _drawn(names: Sequence[str], parents: Sequence[Sequence[int]], down: bool) -> Drawing:
    """In the words of a layout: `along` goes from layer to layer, `across` within one."""
    wide, high = np.array([room(name) for name in names]), np.full(len(names), HIGH)
    long, broad = (high, wide) if down else (wide, high)
    laid = layered(parents, (broad + APART).tolist(), LANE)
    layers, across = np.array(laid.layers, dtype=np.int64), np.array(laid.across)
    low = min([0.0, *(across - broad / 2)])
    across = across - low
    ways = {
        (parent, child): np.array(
            [across[parent], *(at - low for at in laid.bends.get((parent, child), ())), across[child]]
        )
        for child, mine in enumerate(parents)
        for parent in mine
    }
    thick = np.array([long[layers == at].max() for at in range(max(laid.layers, default=-1) + 1)])
    gaps = np.full(len(thick), DOWN if down else RIGHT)  # after each layer
    for (parent, _), way in ways.items():
        between = slice(layers[parent], layers[parent] + len(way) - 1)
        gaps[between] = np.maximum(gaps[between], SLOPE * np.abs(np.diff(way)))
    starts = np.cumsum(thick + gaps) - thick - gaps
    arcs = {}
    for (parent, child), way in ways.items():
        # From the box to the end of its layer, and straight through the layers on the way.
        stops = [(starts[layers[parent]] + long[parent], way[0])]
        for layer, (before, after) in enumerate(pairwise(way), start=layers[parent]):
            stops += [(starts[layer] + thick[layer], before), (starts[layer + 1], after)]
        arcs[parent, child] = _curve(stops, down)
    middles = np.column_stack([starts[layers] + long / 2, across])
    x, y = middles[:, :: -1 if down else 1].T.tolist()
    boxes = tuple(map(Box, x, y, wide.tolist()))
    ends = [
        float((starts + thick).max(initial=0.0)),
        float(max([0.0, *(across + broad / 2), *map(max, ways.values())])),
    ]
    return Drawing(boxes, arcs, *(ends[::-1] if down else ends))


def _curve(stops: Sequence[tuple[float, float]], down: bool) -> Floats:
    """(1 + 3 curves, 2): cubic curves through the stops, along the layers at each."""
    points = [stops[0]]
    for (a, b), (c, d) in pairwise(stops):
        points += [((a + c) / 2, b), ((a + c) / 2, d), (c, d)]
    return np.array(points)[:, ::-1] if down else np.array(points)


def flow(names: Sequence[str], wide: float, top: float) -> tuple[Box, ...]:
    """Boxes one after the other in lines of that width, from `top` down."""
    boxes: list[Box] = []
    x, y = 0.0, top + HIGH / 2
    for name in names:
        size = room(name)
        if x and x + size > wide:
            x, y = 0.0, y + HIGH + APART
        boxes.append(Box(x + size / 2, y, size))
        x += size + APART
    return tuple(boxes)


def beside(
    arcs: dict[tuple[int, int], Floats], labels: dict[tuple[int, int], str], boxes: Iterable[Box]
) -> dict[tuple[int, int], Box]:
    """A place for the label of each arc, on its last curve, where it hides as few boxes and other labels as can be."""
    taken, found = list(boxes), {}
    for arc, label in labels.items():
        a, b, c, d = arcs[arc][-4:]
        spots = []
        for t in (0.6, 0.5, 0.7, 0.4, 0.8, 0.3, 0.9, 0.2, 0.1):
            x, y = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
            spots.append(Box(float(x), float(y), 0.04 + 0.065 * width(label), 0.14))
        found[arc] = min(spots, key=lambda spot: sum(map(spot.hides, taken)))
        taken.append(found[arc])
    return found
