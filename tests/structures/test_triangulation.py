"""Orders of elimination make graphs chordal, as cheaply as trying all orders would for small ones."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.errors import LikelyError
from likely.structures.triangulation import ELIMINATION_ORDERS, eliminate, table_sizes


def drawn(seed: int, nodes: int) -> tuple[list[set[int]], list[int]]:
    """The neighbours of each node of a random graph, and sizes."""
    random_ = random.Random(seed)
    chance = random_.random()
    neighbours: list[set[int]] = [set() for _ in range(nodes)]
    for one, other in itertools.combinations(range(nodes), 2):
        if random_.random() < chance:
            neighbours[one].add(other)
            neighbours[other].add(one)
    return neighbours, [random_.randint(1, 5) for _ in range(nodes)]


def filled(neighbours: list[set[int]], order: Any) -> list[set[int]]:
    """The graph with the edges that elimination adds, one node after the other."""
    whole, left = [set(mine) for mine in neighbours], set(range(len(neighbours)))
    for at in order:
        left.remove(at)
        for one, other in itertools.combinations(whole[at] & left, 2):
            whole[one].add(other)
            whole[other].add(one)
    return whole


def cliques(neighbours: list[set[int]], order: Any) -> set[frozenset[int]]:
    whole, turn = filled(neighbours, order), {at: when for when, at in enumerate(order)}
    found = {frozenset({at, *(other for other in whole[at] if turn[other] > turn[at])}) for at in order}
    return {one for one in found if not any(one < other for other in found)}


def cost(neighbours: list[set[int]], sizes: list[int], order: Any) -> float:
    return sum(math.prod(sizes[at] for at in clique) for clique in cliques(neighbours, order))


@given(st.integers(0, 9999), st.integers(0, 14), st.sampled_from(ELIMINATION_ORDERS))
@settings(derandomize=True, deadline=None, max_examples=120)
def test_every_way_makes_the_graph_chordal(seed: int, nodes: int, how: str):
    neighbours, sizes = drawn(seed, nodes)
    order = eliminate(neighbours, sizes, how)
    assert sorted(order) == list(range(nodes))
    assert is_chordal(filled(neighbours, order))
    assert sorted(table_sizes(neighbours, sizes, order)) == sorted(
        math.prod(sizes[at] for at in clique) for clique in cliques(neighbours, order)
    )


def is_chordal(neighbours: list[set[int]]) -> bool:
    """Whether nodes whose neighbours are all joined can be taken away until none is left."""
    left = set(range(len(neighbours)))
    while left:
        whole = [
            at for at in left if all(neighbours[at] & left <= neighbours[one] | {one} for one in neighbours[at] & left)
        ]
        if not whole:
            return False
        left.remove(whole[0])
    return True


def test_networkx_finds_the_same_cliques_in_what_it_calls_chordal():
    networkx = pytest.importorskip("networkx")
    for seed, how in itertools.product(range(30), ELIMINATION_ORDERS):
        neighbours, sizes = drawn(seed, 12)
        order = eliminate(neighbours, sizes, how)
        graph = networkx.Graph()
        graph.add_nodes_from(range(12))
        graph.add_edges_from((at, other) for at, mine in enumerate(filled(neighbours, order)) for other in mine)
        assert networkx.is_chordal(graph)
        assert cliques(neighbours, order) == set(map(frozenset, networkx.find_cliques(graph)))


def greedy(neighbours: list[set[int]], sizes: list[int], how: str) -> list[int]:
    """By the letter: at each step count anew for every node, those that add no edge first; ties by position."""
    whole, left, order = [set(mine) for mine in neighbours], set(range(len(sizes))), []

    def rank(at: int) -> tuple[bool, float, int]:
        around = whole[at] & left
        fill = sum(other not in whole[one] for one, other in itertools.combinations(around, 2))
        weight = sum(math.log2(sizes[other]) for other in (*around, at))
        return fill > 0, {"min-fill": fill, "min-weight": round(weight, 9), "min-size": len(around)}[how], at

    while left:
        at = min(left, key=rank)
        left.remove(at)
        order.append(at)
        for one, other in itertools.combinations(whole[at] & left, 2):
            whole[one].add(other)
            whole[other].add(one)
    return order


@given(st.integers(0, 9999), st.integers(1, 20), st.sampled_from(["min-fill", "min-size", "min-weight"]))
@settings(derandomize=True, deadline=None, max_examples=80)
def test_counts_that_are_kept_are_those_that_are_counted_anew(seed: int, nodes: int, how: str):
    neighbours, _ = drawn(seed, nodes)
    primes = [at for at in range(2, 80) if all(at % other for other in range(2, at))]
    sizes = random.Random(seed).sample(primes, nodes)  # no two tables are of one size, and logs round without harm
    order, expected = eliminate(neighbours, sizes, how), greedy(neighbours, sizes, how)
    assert cliques(neighbours, order) == cliques(neighbours, expected)
    assert list(order) == expected or how == "min-weight"


def test_best_is_as_good_as_the_best_of_all_orders_of_six_nodes():
    for seed in range(25):
        neighbours, sizes = drawn(seed, 6)
        sizes = [size + 1 for size in sizes]  # a node of one level may be cheaper in a larger clique
        least = min(cost(neighbours, sizes, order) for order in itertools.permutations(range(6)))
        assert cost(neighbours, sizes, eliminate(neighbours, sizes)) == least


def test_best_is_never_worse_than_any_single_way():
    for seed in range(20):
        neighbours, sizes = drawn(seed, 18)
        costs = {
            how: sum(table_sizes(neighbours, sizes, eliminate(neighbours, sizes, how))) for how in ELIMINATION_ORDERS
        }
        assert costs["best"] == min(costs.values())


def test_seeds_reproduce():
    neighbours, sizes = drawn(3, 30)
    assert eliminate(neighbours, sizes, seed=5) == eliminate(neighbours, sizes, seed=5)


def test_trees_and_chordal_graphs_gain_no_edge():
    star = [{1, 2, 3}, {0}, {0}, {0}]
    for how in ELIMINATION_ORDERS:
        assert cliques(star, eliminate(star, [9, 2, 2, 2], how)) == {frozenset({0, at}) for at in (1, 2, 3)}


def test_tables_beyond_all_bounds_are_infinite_and_no_error():
    whole = [set(range(400)) - {at} for at in range(400)]
    assert table_sizes(whole, [100] * 400, eliminate(whole, [100] * 400)) == (math.inf,)


@pytest.mark.parametrize(
    ("sizes", "how", "word"), [([2], "best", "sizes"), ([2, 0], "best", "sizes"), ([2, 2], "minfill", "min-fill")]
)
def test_what_does_not_fit_is_refused(sizes: list[int], how: str, word: str):
    with pytest.raises(LikelyError, match="O456" if word == "min-fill" else "O460") as caught:
        eliminate([{1}, {0}], sizes, how)
    assert word in str(caught.value)
