"""Trees and forests are the best there are: those of networkx, or of all that can be tried."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.errors import LikelyError
from likely.structures.graph import Graph
from likely.structures.search import trees
from likely.structures.search.maximum_branching import branching
from likely.structures.search.result import SearchResult, Track
from likely.structures.search.rules import Rules, read_rules
from tests.structures.search_rows import no_rules

from .search_rows import Rows, random_graph, random_rows


def search(rows: Any, rules: Rules, which: Any) -> SearchResult:
    track = Track()
    which(rows, rules, track)
    return track.found()


def weight(worth: Any, parents: Any) -> float:
    return float(sum(worth[parent, child] for child, parent in enumerate(parents) if parent >= 0))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 9999), st.integers(1, 12), st.sampled_from([0.2, 0.6, 1.0]), st.booleans(), st.booleans())
def test_branchings_are_as_heavy_as_those_of_networkx(seed: int, size: int, share: float, joined: bool, same: bool):
    draw = np.random.default_rng(seed)
    worth = np.where(draw.random((size, size)) < share, draw.integers(-5, 20, (size, size)).astype(float), -np.inf)
    worth = np.maximum(worth, worth.T) if same else worth
    np.fill_diagonal(worth, -np.inf)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size + 1))  # the last is the parent of the roots
    graph.add_weighted_edges_from((size, at, -1000.0 if joined else 0.0) for at in range(size))
    graph.add_weighted_edges_from(
        (a, b, worth[a, b]) for a, b in itertools.permutations(range(size), 2) if np.isfinite(worth[a, b])
    )
    oracle = nx.maximum_spanning_arborescence(graph)
    best = sum(value for one, _, value in oracle.edges(data="weight") if one < size)
    parents = branching(worth, np.zeros(size, dtype=bool), joined)
    assert weight(worth, parents) == pytest.approx(best)
    if joined:
        assert (parents < 0).sum() == oracle.out_degree(size)
    for node in range(size):  # no circle
        for _ in range(size):
            node = parents[node] if node >= 0 else node
        assert node < 0


def all_forests(rules: Rules) -> Any:
    """The parents of all graphs with one parent at most that obey."""
    size = rules.size
    for parents in itertools.product(range(-1, size), repeat=size):
        arcs = np.zeros((size, size), dtype=bool)
        for child, parent in enumerate(parents):
            if parent >= 0:
                arcs[parent, child] = True
        obeys = not (arcs & ~rules.allowed).any() and not (rules.required & ~arcs).any()
        if obeys and not np.linalg.matrix_power(arcs.astype(int), size).any():
            yield [(parent,) if parent >= 0 else () for parent in parents]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["bic", "k2"])
def test_no_tree_of_the_rules_scores_higher(seed: int, kind: str):
    names, sizes = "abcd", (2, 3, 2, 4)
    rows = Rows(random_rows(seed, random_graph(seed, 4, 0.6), 60, sizes), sizes, kind)
    for rules in (
        no_rules(4),
        read_rules(names, [("c", "a")], [("b", "d"), ("a", "b")]),
        read_rules(names, tiers=["d", ["a", "b"]]),
    ):
        found = search(rows, rules, trees.tree)
        score = {
            (node, mine): rows.score(node, mine)
            for node in range(4)
            for mine in [(), (0,), (1,), (2,), (3,)]
            if node not in mine
        }
        best = max(sum(score[node, mine] for node, mine in enumerate(parents)) for parents in all_forests(rules))
        assert found.score == pytest.approx(best, abs=1e-9)


def test_chow_and_liu_find_the_tree_that_made_the_rows():
    truth = nx.random_labeled_tree(9, seed=4)
    oriented = nx.bfs_tree(truth, 0)
    graph = Graph.of({f"n{at}": [f"n{up}" for up in oriented.predecessors(at)] for at in range(9)})
    rows = Rows(random_rows(2, graph, 4000, [2] * 9), [2] * 9)
    for which in (trees.chow_liu, trees.forest, trees.tree):
        found = search(rows, no_rules(9), which)
        assert {frozenset((*mine, at)) for at, mine in enumerate(found.parents) if mine} == set(
            map(frozenset, truth.edges)
        )
        assert found.parents[0] == ()  # of trees that say the same, the one that hangs from the first column


def test_independent_columns_stay_alone_unless_all_are_joined():
    codes = np.array(list(itertools.product(range(2), repeat=4)) * 3)
    rows = Rows(codes, (2, 2, 2, 2))
    assert search(rows, no_rules(4), trees.forest).parents == ((), (), (), ())
    assert search(rows, no_rules(4), trees.tree).parents == ((), (), (), ())
    joined = search(rows, no_rules(4), trees.chow_liu)
    assert sum(map(len, joined.parents)) == 3
    assert joined.score < rows.scores([(at, ()) for at in range(4)]).sum()  # kept all the same


def test_rules_that_leave_no_single_tree_are_told():
    rows = Rows(np.random.default_rng(0).integers(0, 2, (50, 4)), (2, 2, 2, 2))
    pairs = [(one, other) for one in "ab" for other in "cd"]
    found = search(rows, read_rules("abcd", forbidden=pairs + [pair[::-1] for pair in pairs]), trees.chow_liu)
    assert found.notes == ("the rules leave 2 trees: no single tree obeys them",)
    found = search(rows, read_rules("abcd", max_parents=0), trees.chow_liu)
    assert found.parents == ((), (), (), ())


def test_two_required_parents_make_no_tree():
    rows = Rows(np.zeros((5, 3), dtype=int), (2, 2, 2))
    for which in (trees.chow_liu, trees.forest, trees.tree):
        with pytest.raises(LikelyError, match=r"2 required parents") as caught:
            search(rows, read_rules("abc", [("a", "c"), ("b", "c")]), which)
        assert caught.value.code == "O525"


@pytest.mark.parametrize("size", [0, 1, 2])
def test_few_columns(size: int):
    rows = Rows(np.zeros((5, size), dtype=int), [1] * size)
    for which in (trees.chow_liu, trees.forest, trees.tree):
        found = search(rows, no_rules(size), which)
        assert len(found.parents) == size
