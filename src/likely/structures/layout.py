"""Where to draw columns and arcs: in layers, every arc from one layer to the next, with few crossings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from likely.core.numerics import Array, Floats

LAYOUT_SWEEPS = 12


@dataclass(frozen=True)
class Layout:
    """layers (columns,), across (columns,): places along and across the layers, and where arcs bend on their way.

    `bends[parent, child]` has the place across of each layer between the two.
    """

    layers: tuple[int, ...]
    across: tuple[float, ...]
    bends: dict[tuple[int, int], tuple[float, ...]]


@dataclass(frozen=True)
class _Net:
    """Columns and the lanes on which arcs pass a layer; links go from a layer to the next only."""

    layers: list[int]
    sizes: list[float]
    links: Array  # (links, 2): from, to
    ways: dict[tuple[int, int], list[int]]  # the lanes of each arc


def layered(
    parents: Sequence[Sequence[int]], sizes: Sequence[float], lane: float, most: float = float("inf")
) -> Layout:
    """The layout of columns with these parents, of these sizes across; an arc that passes a layer takes a lane.

    Layers wider than `most` pass on what can as well be drawn further down.

    >>> layered([(), (0,), (0,), (2,)], [1.0] * 4, 0.5)
    Layout(layers=(0, 1, 1, 2), across=(0.5, 0.0, 1.0, 1.0), bends={})
    """
    net = _net(parents, _spread(parents, _layers(parents), sizes, most), sizes, lane)
    rows = _ordered(net)
    places = _placed(net, rows)
    bends = {arc: tuple(float(places[at]) for at in way) for arc, way in net.ways.items() if way}
    return Layout(tuple(net.layers[: len(parents)]), tuple(places[: len(parents)].tolist()), bends)


def _layers(parents: Sequence[Sequence[int]]) -> list[int]:
    """Each column one below the lowest of its parents; a column without parents just above its children."""
    layers, before = [0] * len(parents), [-1] * len(parents)
    while layers != before:  # at most as many rounds as there are layers
        before = layers
        layers = [1 + max((before[one] for one in mine), default=-1) for mine in parents]
    for at, mine in enumerate(parents):
        under = [layers[child] for child, others in enumerate(parents) if at in others]
        if not mine and under:
            layers[at] = min(under) - 1
    return layers


def _spread(parents: Sequence[Sequence[int]], before: list[int], sizes: Sequence[float], most: float) -> list[int]:
    """Layers none of which is wider than `most`, as far as columns can leave those that are: one is left in each."""
    layers, children = list(before), [[] for _ in parents]  # type: tuple[list[int], list[list[int]]]
    for child, mine in enumerate(parents):
        for parent in mine:
            children[parent].append(child)
    for layer in range(len(layers)):
        row = [at for at, mine in enumerate(layers) if mine == layer]
        free = [at for at in row if all(layers[child] > layer + 1 for child in children[at])]
        # What has few parents makes few long arcs; of those alike the last ones go, so that the others stay in order.
        free.sort(key=lambda at: (-len(parents[at]), at))
        while len(row) > 1 and free and sum(sizes[at] for at in row) > most:
            gone = free.pop()
            row.remove(gone)
            layers[gone] += 1
    return layers if layers == before else _spread(parents, layers, sizes, most)


def _net(parents: Sequence[Sequence[int]], layers: list[int], sizes: Sequence[float], lane: float) -> _Net:
    layers, sizes = list(layers), list(sizes)
    lanes: dict[tuple[int, int], int] = {}  # arcs of one parent share a lane through a layer
    ways: dict[tuple[int, int], list[int]] = {}
    links: dict[tuple[int, int], None] = {}
    for child, mine in enumerate(parents):
        for parent in mine:
            way = []
            for layer in range(layers[parent] + 1, layers[child]):
                if (parent, layer) not in lanes:
                    lanes[parent, layer] = len(layers)
                    layers.append(layer)
                    sizes.append(lane)
                way.append(lanes[parent, layer])
            ways[parent, child] = way
            stops = [parent, *way, child]
            links |= dict.fromkeys(pairwise(stops))
    return _Net(layers, sizes, np.array(list(links), dtype=np.int64).reshape(-1, 2), ways)


def _ordered(net: _Net) -> list[list[int]]:
    """The columns and lanes of each layer, each near the middle of its links; the sweep with the fewest crossings."""
    rows = _first_order(net)
    best, fewest = rows, _crossings(net, rows)
    for sweep in range(LAYOUT_SWEEPS):
        if not fewest:
            break
        down = sweep % 2 == 0
        rows = [list(row) for row in rows]
        spots = _spots(net, rows)
        for row in rows[1:] if down else rows[-2::-1]:
            row.sort(key=_means(net, spots, down).__getitem__)
            spots[row] = np.arange(len(row))
        crossings = _crossings(net, rows)
        if crossings < fewest:
            best, fewest = rows, crossings
    return best


def _first_order(net: _Net) -> list[list[int]]:
    """Along the branches, so that a tree has no crossings from the start."""
    after: list[list[int]] = [[] for _ in net.layers]
    for one, other in net.links.tolist():
        after[one].append(other)
    lanes = {at for way in net.ways.values() for at in way}
    after = [_lane_amid(some, lanes) for some in after]
    tops = sorted(set(range(len(net.layers))) - set(net.links[:, 1].tolist()))
    rows: list[list[int]] = [[] for _ in range(max(net.layers, default=-1) + 1)]
    waiting, reached = tops[::-1], set()
    while waiting:
        at = waiting.pop()
        if at not in reached:
            reached.add(at)
            rows[net.layers[at]].append(at)
            waiting += reversed(after[at])
    return rows


def _lane_amid(after: list[int], lanes: set[int]) -> list[int]:
    """What comes after one, with the arc that goes on in the middle, lest it drift aside from layer to layer."""
    ends, on = [at for at in after if at not in lanes], [at for at in after if at in lanes]
    half = (len(ends) + 1) // 2
    return [*ends[:half], *on, *ends[half:]]


def _spots(net: _Net, rows: list[list[int]]) -> Floats:
    spots = np.zeros(len(net.layers))
    for row in rows:
        spots[row] = np.arange(len(row))
    return spots


def _crossings(net: _Net, rows: list[list[int]]) -> int:
    spots, starts = _spots(net, rows), np.array(net.layers)[net.links[:, 0]]
    total = 0
    for layer in range(len(rows)):
        one, other = spots[net.links[starts == layer]].T
        total += int(((one[:, None] < one) & (other[:, None] > other)).sum())
    return total


def _means(net: _Net, places: Floats, down: bool) -> Floats:
    """The mean place of what each is linked to in the layer before (`down`) or after; its own without links."""
    mine, others = (net.links[:, 1], net.links[:, 0]) if down else (net.links[:, 0], net.links[:, 1])
    counts = np.bincount(mine, minlength=len(places))
    sums = np.bincount(mine, weights=places[others], minlength=len(places))
    return np.divide(sums, counts, out=places.copy(), where=counts > 0)


def _placed(net: _Net, rows: list[list[int]]) -> Floats:
    """(columns and lanes,): places across, in order and apart, each as near as can be to what it is linked to."""
    from scipy.optimize import isotonic_regression

    sizes, places = np.array(net.sizes), np.zeros(len(net.sizes))
    offsets = []
    for row in rows:
        halves = sizes[row] / 2
        offsets.append(np.cumsum(halves) + np.cumsum(np.concatenate([[0.0], halves[:-1]])))
        places[row] = offsets[-1]
    for sweep in range(LAYOUT_SWEEPS + 1):
        down = sweep % 2 == 0
        for row, offset in list(zip(rows, offsets, strict=True))[:: 1 if down else -1]:
            wanted = _means(net, places, down)[row]
            # Least squares under the order and the room that each takes.
            places[row] = isotonic_regression(wanted - offset).x + offset
    return np.asarray(places - places.min(initial=np.inf)) if len(places) else places
