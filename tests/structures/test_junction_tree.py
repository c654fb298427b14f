"""Junction trees hold every family, share what they must along the way, and cost what they say."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.errors import LikelyError
from likely.structures.graph import Graph
from likely.structures.junction import junction_tree
from likely.structures.triangulation import ELIMINATION_ORDERS, eliminate


def drawn(seed: int, nodes: int) -> tuple[Graph, list[int]]:
    random_ = random.Random(seed)
    chance = random_.random() * 0.5
    names = [f"n{at}" for at in range(nodes)]
    ranks = random_.sample(names, nodes)
    arcs = [(one, other) for one, other in itertools.combinations(ranks, 2) if random_.random() < chance]
    graph = Graph.of({name: [one for one, other in arcs if other == name] for name in names})
    return graph, [random_.randint(1, 4) for _ in names]


@given(st.integers(0, 9999), st.integers(0, 14), st.sampled_from([*ELIMINATION_ORDERS, "any"]))
@settings(derandomize=True, deadline=None, max_examples=150)
def test_trees_are_junction_trees(seed: int, nodes: int, how: str):
    graph, sizes = drawn(seed, nodes)
    neighbours = graph.moral_graph().neighbour_places
    order = random.Random(seed).sample(range(nodes), nodes) if how == "any" else eliminate(neighbours, sizes, how)
    tree = junction_tree(neighbours, sizes, order)
    sets = list(map(set, tree.cliques))
    assert tree.order == tuple(order)
    # All families are in a clique, and no clique is in another.
    for at, parents in enumerate(graph.parent_places):
        assert any({at, *parents} <= clique for clique in sets)
    assert not any(one < other or (one == other and one is not other) for one in sets for other in sets)
    # Cliques run from the latest node to the earliest; what is shared with the parent comes first.
    turn = {at: when for when, at in enumerate(order)}
    for place, (clique, parent, shared) in enumerate(zip(tree.cliques, tree.parents, tree.separators, strict=True)):
        assert list(clique) == sorted(clique, key=turn.__getitem__, reverse=True)
        assert clique[: len(shared)] == shared
        assert parent < place
        assert set(shared) == (sets[place] & sets[parent] if parent >= 0 else set())
        assert parent < 0 or shared
    # Running intersection: the cliques of a node are joined by separators that hold it, and make one piece.
    for at in range(nodes):
        assert sum(at in clique for clique in sets) - sum(at in shared for shared in tree.separators) == 1
    assert tree.parents.count(-1) == pieces(graph)
    # What it says of itself.
    tables = [math.prod(sizes[at] for at in clique) for clique in tree.cliques]
    assert tree.cost == sum(tables)
    assert tree.largest == max(tables, default=0)
    assert tree.width == max(map(len, tree.cliques), default=0) - 1


def pieces(graph: Graph) -> int:
    """How many parts of a graph no arc joins."""
    label = {name: name for name in graph.nodes}
    for one, other in graph.edges:
        old, new = label[one], label[other]
        label = {name: new if mine == old else mine for name, mine in label.items()}
    return len(set(label.values()))


def test_no_tree_shares_more_and_ways_between_cliques_hold_what_they_share():
    networkx = pytest.importorskip("networkx")
    for seed in range(60):
        graph, sizes = drawn(seed, 12)
        tree = junction_tree(graph.moral_graph().neighbour_places, sizes)
        sets = list(map(set, tree.cliques))
        forest, meets = networkx.Graph(), networkx.Graph()
        forest.add_edges_from((place, parent) for place, parent in enumerate(tree.parents) if parent >= 0)
        for one, other in itertools.combinations(range(len(sets)), 2):
            if shared := sets[one] & sets[other]:
                meets.add_edge(one, other, weight=len(shared))
                assert all(shared <= sets[at] for at in networkx.shortest_path(forest, one, other))
        assert networkx.maximum_spanning_tree(meets).size(weight="weight") == sum(map(len, tree.separators))


def test_the_network_of_five_nodes():
    graph = Graph.of({"x1": [], "x2": [], "x3": ["x1"], "x4": ["x1", "x2"], "x5": ["x2"]})
    tree = junction_tree(graph.moral_graph().neighbour_places, [2] * 5)
    assert set(map(frozenset, tree.cliques)) == {frozenset({0, 1, 3}), frozenset({0, 2}), frozenset({1, 4})}
    assert (tree.cost, tree.largest, tree.width) == (16.0, 8.0, 2)


def test_lone_nodes_are_roots():
    tree = junction_tree([set(), {2}, {1}], [2, 3, 4])
    assert sorted(map(sorted, tree.cliques)) == [[0], [1, 2]]
    assert tree.parents == (-1, -1)
    assert tree.cost == 14.0


def test_a_family_of_all_nodes_is_one_clique():
    graph = Graph.of({"child": [f"n{at}" for at in range(9)]})
    tree = junction_tree(graph.moral_graph().neighbour_places, [2] * 10)
    assert len(tree.cliques) == 1
    assert tree.width == 9


def test_widths_of_known_graphs():
    grid = [
        {
            5 * (row + down) + column + right
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if 0 <= row + down < 5 and 0 <= column + right < 5
        }
        for row in range(5)
        for column in range(5)
    ]
    assert junction_tree(grid, [2] * 25).width == 5  # a grid of n by n has treewidth n
    ring = [{(at - 1) % 30, (at + 1) % 30} for at in range(30)]
    assert junction_tree(ring, [2] * 30).width == 2


@pytest.mark.parametrize("order", [(0, 1), (0, 1, 1), (0, 1, 3)])
def test_orders_that_leave_nodes_out_are_refused(order: tuple[int, ...]):
    with pytest.raises(LikelyError, match="O457"):
        junction_tree([{1}, {0, 2}, {1}], [2, 2, 2], order)


def test_sizes_that_do_not_fit_are_refused():
    with pytest.raises(LikelyError, match="O460"):
        junction_tree([{1}, {0}], [2])
