"""Drawings go from layer to layer, hide nothing, and cross little."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.plots.graphs.boxes import BOX_HEIGHT, Box, box_width, draw, label_spots, lines
from likely.structures.layout import layered


def graph(seed: int, columns: int, most: int) -> list[list[int]]:
    """Columns in any order, with up to `most` parents each."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(columns)
    parents: list[list[int]] = [[] for _ in range(columns)]
    for place, at in enumerate(order):
        parents[at] = rng.permutation(order[:place])[: rng.integers(most + 1)].tolist()
    return parents


graphs = st.builds(graph, st.integers(0, 9999), st.integers(0, 25), st.integers(1, 3))


@given(graphs)
def test_every_arc_goes_down_and_has_a_lane_in_each_layer_on_its_way(parents: Any) -> None:
    sizes = np.linspace(0.5, 2.0, len(parents))
    found = layered(parents, sizes.tolist(), 0.25)
    for child, mine in enumerate(parents):
        for parent in mine:
            assert len(found.bends.get((parent, child), ())) == found.layers[child] - found.layers[parent] - 1
        assert not mine or found.layers[child] == 1 + max(found.layers[parent] for parent in mine)
    assert min(found.across, default=0.0) >= 0
    for one, other in combinations(range(len(parents)), 2):
        if found.layers[one] == found.layers[other]:
            assert abs(found.across[one] - found.across[other]) >= (sizes[one] + sizes[other]) / 2 - 1e-9
    for (parent, child), way in found.bends.items():
        for layer, place in enumerate(way, start=found.layers[parent] + 1):
            near = [at for at in range(len(parents)) if found.layers[at] == layer and at not in (parent, child)]
            assert all(abs(found.across[at] - place) >= (sizes[at] + 0.25) / 2 - 1e-9 for at in near)


@given(st.integers(0, 9999), st.integers(1, 40))
def test_a_tree_has_no_crossings(seed: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    parents = [[int(rng.integers(at))] if at else [] for at in range(columns)]
    found = layered(parents, [1.0] * columns, 0.25)
    arcs = [(mine[0], child) for child, mine in enumerate(parents) if mine]
    for (a, b), (c, d) in combinations(arcs, 2):
        if found.layers[b] == found.layers[d]:
            assert (found.across[a] - found.across[c]) * (found.across[b] - found.across[d]) >= 0


@given(graphs)
def test_boxes_hide_nothing_and_arcs_end_at_their_edges(parents: Any) -> None:
    arcs = [(parent, child) for child, mine in enumerate(parents) for parent in mine]
    names = ["名" * (at % 7) + "n" * (at % 5) for at in range(len(parents))]
    found = draw(names, arcs)
    assert not any(one.hides(other) for one, other in combinations(found.boxes, 2))
    for box in found.boxes:
        assert box.wide / 2 <= box.x + 1e-9 <= found.wide - box.wide / 2 + 2e-9
        assert box.high / 2 <= box.y + 1e-9 <= found.tall - box.high / 2 + 2e-9
    for (parent, child), points in found.arcs.items():
        assert len(points) % 3 == 1
        for box, (x, y) in ((found.boxes[parent], points[0]), (found.boxes[child], points[-1])):
            assert max(abs(x - box.x) / box.wide, abs(y - box.y) / box.high) == pytest.approx(0.5)
    labels = dict.fromkeys(found.arcs, "0.21")
    assert set(label_spots(found.arcs, labels, found.boxes)) == set(found.arcs)


def test_labels_of_a_fan_stand_apart() -> None:
    found = draw([f"column {at}" for at in range(20)], [(0, at) for at in range(1, 20)])
    spots = label_spots(found.arcs, dict.fromkeys(found.arcs, "0.21"), found.boxes).values()
    assert not any(one.hides(other) for one, other in combinations([*spots, *found.boxes], 2))


def test_lone_boxes_flow_in_lines() -> None:
    boxes = lines([(box_width("some name"), BOX_HEIGHT)] * 10, 3.0, 1.0)
    assert not any(one.hides(other) for one, other in combinations(boxes, 2))
    assert all(box.x + box.wide / 2 <= 3.0 for box in boxes)
    assert len({box.y for box in boxes}) == 4
    assert len(lines([(box_width("a name that is wider than the page"), BOX_HEIGHT)], 1.0, 0.0)) == 1


def test_hiding_is_an_area() -> None:
    assert Box(0.0, 0.0, 2.0, 2.0).hides(Box(1.0, 1.0, 2.0, 2.0)) == 1.0
    assert Box(0.0, 0.0, 2.0, 2.0).hides(Box(2.0, 0.0, 2.0, 2.0)) == 0.0


@pytest.mark.parametrize("seed", range(10))
def test_numbers_of_two_parents_each_do_not_touch(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arcs = [(int(one), child) for child in range(1, 12) for one in rng.choice(child, min(child, 2), replace=False)]
    found = draw([f"column {at}" for at in range(12)], arcs)
    spots = [*label_spots(found.arcs, dict.fromkeys(arcs, "0.12"), found.boxes).values()]
    assert not any(one.hides(other) for at, one in enumerate(spots) for other in spots[:at])
