"""A graph on paper: boxes with names and the routes of the arcs between them, in inches; x goes right and y down."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.output.display_width import display_width
from likely.plots.style import Axes, Figure, bare, place
from likely.structures.layout import layered

BOX_HEIGHT = 0.28  # of a box
BOX_GAP, ARC_LANE = 0.1, 0.14  # between boxes side by side, and for an arc that passes a layer
PAGE_HEIGHT = 8.0  # what is not longer than that fits a page, and the flattest of what fits is drawn
LANDSCAPE = 1.4  # the width of a large page by its height
LAYER_WIDTHS = (20.0, 16.0, 14.0, 12.0, 10.0, 8.0, 6.0)  # of broken layers, which are tried one by one
WORTH_BREAKING = 0.75  # of the paper is left when layers are worth breaking
LETTER_WIDTH, NAME_INSET = 0.08, 0.2  # letters of 9 points, and the room around a name
LABELS_APART = 0.03  # inches that labels keep from each other where there is room
WORDS_WEIGHT = 2.0  # of what a label hides of a box or of another label, as against arcs
LABEL_ROUNDS = 4  # in which each label is placed
ARROW_HEAD = 0.32  # around the end of an arc: its head is kept free of labels
LINE_SAMPLING = 0.03  # between the points at which lines are looked at
# Of an arc: where its label may be, the best first
LABEL_PLACES = 0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75, 0.2, 0.8, 0.15, 0.85, 0.1, 0.9


@dataclass(frozen=True)
class LayoutGaps:
    """Between layers, at least: down the page, across it, and for each inch that an arc goes aside; of arrow heads."""

    down: float
    right: float
    slope: float
    heads: float


NAME_GAPS, CARD_GAPS = LayoutGaps(0.6, 0.9, 0.12, 0.0), LayoutGaps(0.45, 0.9, 0.08, 0.16)
LABEL_GAPS = LayoutGaps(0.75, 1.2, 0.08, 0.2)  # a label and a head, and enough of the line to be seen


@dataclass(frozen=True)
class Box:
    """Its middle and its size."""

    x: float
    y: float
    wide: float
    high: float = BOX_HEIGHT

    def hides(self, other: Box) -> float:
        """How much of the other is under this one, in square inches."""
        across = (self.wide + other.wide) / 2 - abs(self.x - other.x)
        down = (self.high + other.high) / 2 - abs(self.y - other.y)
        return max(across, 0.0) * max(down, 0.0)

    def holds(self, points: Floats) -> int:
        """How many of these (points, 2) are under it."""
        return int((np.abs(points - (self.x, self.y)) < (self.wide / 2, self.high / 2)).all(axis=1).sum())


@dataclass(frozen=True)
class GraphDrawing:
    """The boxes, and each arc from edge to edge as (points, 2): a start, and three points for each further curve."""

    boxes: tuple[Box, ...]
    arcs: dict[tuple[int, int], Floats]
    wide: float
    tall: float


def box_width(name: str) -> float:
    """The width of a box with that name."""
    return NAME_INSET + LETTER_WIDTH * display_width(name)


def draw(names: Sequence[str], arcs: Iterable[tuple[int, int]]) -> GraphDrawing:
    """Columns and (parent, child) arcs in layers: across the page or down, whichever is the more compact.

    >>> found = draw(["a", "b"], [(0, 1)])
    >>> [(round(box.x, 2), round(box.y, 2)) for box in found.boxes]
    [(0.14, 0.14), (1.32, 0.14)]
    """
    sizes, parents = [(box_width(name), BOX_HEIGHT) for name in names], _parents(len(names), arcs)
    both = [_drawn(sizes, parents, down, NAME_GAPS) for down in (False, True)]
    return min(both, key=lambda one: (max(one.wide, one.tall, PAGE_HEIGHT), one.tall))


def arrange(
    sizes: Sequence[tuple[float, float]], arcs: Iterable[tuple[int, int]], gaps: LayoutGaps = CARD_GAPS
) -> GraphDrawing:
    """Boxes of these widths and heights with (parent, child) arcs, which end side by side on the edge of a box.

    Layers go down the page where that fits, otherwise down or across, whichever makes the smaller page. Layers are
    broken, which makes for longer arcs, where that saves much.
    """
    parents = _parents(len(sizes), arcs)
    whole = min((_drawn(sizes, parents, down, gaps) for down in (True, False)), key=_paper)
    if not _paper(whole):
        return whole
    broken = min(
        (_drawn(sizes, parents, down, gaps, most) for most in LAYER_WIDTHS for down in (True, False)), key=_paper
    )
    return broken if _paper(broken) < WORTH_BREAKING * _paper(whole) else whole


def centred(drawing: GraphDrawing, wide: float) -> GraphDrawing:
    """The same in the middle of a page of that width."""
    aside = np.array([(wide - drawing.wide) / 2, 0.0])
    boxes = tuple(replace(box, x=box.x + float(aside[0])) for box in drawing.boxes)
    return GraphDrawing(boxes, {arc: points + aside for arc, points in drawing.arcs.items()}, wide, drawing.tall)


def _paper(drawing: GraphDrawing) -> float:
    """How much paper is used, in square inches: by the drawing itself, and by a page for it; none where it fits one."""
    longest = max(drawing.wide / LANDSCAPE, drawing.tall)
    return 0.0 if longest <= PAGE_HEIGHT else LANDSCAPE * longest**2 + drawing.wide * drawing.tall


def _parents(boxes: int, arcs: Iterable[tuple[int, int]]) -> list[list[int]]:
    parents: list[list[int]] = [[] for _ in range(boxes)]
    for parent, child in arcs:
        parents[child].append(parent)
    return parents


def _drawn(
    sizes: Sequence[tuple[float, float]],
    parents: Sequence[Sequence[int]],
    down: bool,
    gaps: LayoutGaps,
    most: float = math.inf,
) -> GraphDrawing:
    """In the words of a layout: `along` goes from layer to layer, `across` within one."""
    wide, high = np.array(sizes).reshape(-1, 2).T
    long, broad = (high, wide) if down else (wide, high)
    laid = layered(parents, (broad + BOX_GAP).tolist(), ARC_LANE, most)
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
    _fan(ways, broad, gaps.heads)
    thick = np.array([long[layers == at].max() for at in range(max(laid.layers, default=-1) + 1)])
    after = np.full(len(thick), gaps.down if down else gaps.right)
    for (parent, _), way in ways.items():
        between = slice(layers[parent], layers[parent] + len(way) - 1)
        after[between] = np.maximum(after[between], gaps.slope * np.abs(np.diff(way)))
    starts = np.cumsum(thick + after) - thick - after
    arcs = {}
    for (parent, child), way in ways.items():
        # From the box to the end of its layer, and straight through the layers on the way.
        stops = [(starts[layers[parent]] + long[parent], way[0])]
        for layer, (here, there) in enumerate(pairwise(way), start=layers[parent]):
            stops += [(starts[layer] + thick[layer], here), (starts[layer + 1], there)]
        arcs[parent, child] = _curve(stops, down)
    middles = np.column_stack([starts[layers] + long / 2, across])
    x, y = middles[:, :: -1 if down else 1].T.tolist()
    boxes = tuple(map(Box, x, y, wide.tolist(), high.tolist()))
    ends = [
        float((starts + thick).max(initial=0.0)),
        float(max([0.0, *(across + broad / 2), *map(max, ways.values())])),
    ]
    return GraphDrawing(boxes, arcs, *(ends[::-1] if down else ends))


def _fan(ways: dict[tuple[int, int], Floats], broad: Floats, apart: float) -> None:
    """Move the ends of arcs to one box aside, so that they lie side by side in the order in which they come."""
    coming: dict[int, list[Floats]] = {}
    for (_, child), way in ways.items():
        coming.setdefault(child, []).append(way)
    for child, mine in coming.items():
        step = min(apart, 0.8 * broad[child] / len(mine))
        for rank, way in enumerate(sorted(mine, key=lambda one: float(one[-2]))):
            way[-1] += (rank - (len(mine) - 1) / 2) * step


def _curve(stops: Sequence[tuple[float, float]], down: bool) -> Floats:
    """(1 + 3 curves, 2): cubic curves through the stops, along the layers at each."""
    points = [stops[0]]
    for (a, b), (c, d) in pairwise(stops):
        points += [((a + c) / 2, b), ((a + c) / 2, d), (c, d)]
    return np.array(points)[:, ::-1] if down else np.array(points)


def lines(sizes: Sequence[tuple[float, float]], wide: float, top: float) -> tuple[Box, ...]:
    """Boxes of these widths and heights one after the other in lines of that width, from `top` down."""
    boxes: list[Box] = []
    x, deep = 0.0, 0.0  # the width and the height of the line so far
    for size, high in sizes:
        if x and x + size > wide:
            x, top, deep = 0.0, top + deep + BOX_GAP, 0.0
        boxes.append(Box(x + size / 2, top + high / 2, size, high))
        x, deep = x + size + BOX_GAP, max(deep, high)
    return tuple(boxes)


def label_spots(
    arcs: dict[tuple[int, int], Floats], labels: dict[tuple[int, int], str], boxes: Iterable[Box]
) -> dict[tuple[int, int], Box]:
    """A place for the label of each arc, near its middle, where it hides as little of all else as can be.

    Labels keep apart where there is room; each is placed again once all others are.
    """
    ways = {arc: _walked(points) for arc, points in arcs.items()}
    named, heads = [*boxes], [_around(points[-1], ARROW_HEAD, ARROW_HEAD) for points in arcs.values()]
    costs: dict[tuple[int, int], list[tuple[Box, float]]] = {}
    for arc, label in labels.items():
        others = np.vstack([np.empty((0, 2)), *(way for other, way in ways.items() if other != arc)])
        spots = [
            _around(ways[arc][round(part * (len(ways[arc]) - 1))], 0.04 + 0.065 * display_width(label), 0.14)
            for part in LABEL_PLACES
        ]
        costs[arc] = [
            (
                spot,
                WORDS_WEIGHT * sum(map(spot.hides, named))
                + sum(map(spot.hides, heads))
                + LINE_SAMPLING**2 * spot.holds(others),
            )
            for spot in spots
        ]
    found: dict[tuple[int, int], Box] = {}
    for _ in range(LABEL_ROUNDS):
        for arc, places in costs.items():
            near = [
                replace(other, wide=other.wide + LABELS_APART, high=other.high + LABELS_APART)
                for mine, other in found.items()
                if mine != arc
            ]
            found[arc] = min(places, key=lambda one: one[1] + WORDS_WEIGHT * sum(map(one[0].hides, near)))[0]
    return found


def _around(point: Floats, wide: float, high: float) -> Box:
    return Box(float(point[0]), float(point[1]), wide, high)


def _walked(points: Floats) -> Floats:
    """(points, 2): cubic curves as points that are equally far from one another."""
    t = np.linspace(0, 1, 33)[:, None]
    curves = [
        (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
        for a, b, c, d in (points[at : at + 4] for at in range(0, len(points) - 1, 3))
    ]
    line = np.vstack(curves)
    far = np.append(0.0, np.cumsum(np.hypot(*np.diff(line, axis=0).T)))
    stops = np.linspace(0, far[-1], 2 + int(far[-1] / LINE_SAMPLING))
    return np.column_stack([np.interp(stops, far, line[:, axis]) for axis in (0, 1)])


def arrow(ax: Axes, points: Floats, style: str, head: float, **look: Any) -> None:
    """The curves of an arc, as `GraphDrawing` has them, with a head of that size where the style has one."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    path = Path(points, [Path.MOVETO] + [Path.CURVE4] * (len(points) - 1))
    ax.add_patch(FancyArrowPatch(path=path, arrowstyle=style, mutation_scale=head, capstyle="butt", **look))


def page(
    ax: Axes | None,
    drawing: GraphDrawing,
    lone: Sequence[tuple[float, float]],
    wide: float,
    apart: float,
    room: float,
    anchor: str,
    above: float = 0.0,
) -> tuple[Figure, Axes, list[Box], float]:
    """Axes in inches, for a drawing and boxes of the sizes `lone` so far below it: all boxes, and the scale of letters.

    `room` is that for a title and a legend, `above` what is kept free over the drawing.
    """
    below = lines(lone, wide, drawing.tall + (apart if drawing.boxes else 0.0))
    tall = max([drawing.tall, *(box.y + box.high / 2 for box in below)])
    scale = 1.0 if ax is None else shrink(ax, wide, above + tall)
    figure, ax = place(ax, wide + 0.4, above + tall + room)
    bare(ax, xlim=(-0.1, wide + 0.1), ylim=(tall + 0.1, -above - 0.1), xticks=[], yticks=[])
    ax.set(aspect="equal", anchor=anchor)
    return figure, ax, [*drawing.boxes, *below], scale


def shrink(ax: Axes, wide: float, tall: float) -> float:
    """How much smaller letters must be in axes that were given, for so many inches to fit."""
    size, spot = ax.get_figure(root=True).get_size_inches(), ax.get_position()  # type: ignore[union-attr]
    return float(min(1.0, size[0] * spot.width / wide, size[1] * spot.height / tall))
