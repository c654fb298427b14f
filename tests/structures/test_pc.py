"""PC gives back what made the rows: exactly where no test errs, and nearly so from many rows."""

from __future__ import annotations

import math
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.errors import LikelyError
from likely.structures.graph import Graph
from likely.structures.search.candidates import candidates
from likely.structures.search.hybrid import mmhc
from likely.structures.search.independence import ChiSquareTest
from likely.structures.search.orientation import Partial, apply_meek_rules, extended
from likely.structures.search.pc import directed, pc
from likely.structures.search.result import SearchResult, Track
from likely.structures.search.rules import Rules, read_rules
from likely.structures.search.skeleton import skeleton
from tests.structures.search_rows import no_rules

from .search_rows import Rows, Separation, clear_rows, random_graph


def named(graph: Graph, found: SearchResult) -> Graph:
    names = graph.nodes
    return Graph(names, tuple(tuple(names[at] for at in mine) for mine in found.parents))


def search(which: Any, rows: Any, rules: Rules, **options: Any) -> SearchResult:
    track = Track()
    which(rows, rules, track, **options)
    return track.found()


def blank(nodes: int) -> Rows:
    return Rows(np.zeros((1, nodes), dtype=int), [1] * nodes)


def by_oracle(graph: Graph, rules: Rules | None = None, **options: Any) -> SearchResult:
    size = len(graph.nodes)
    return search(pc, blank(size), rules or no_rules(size), test=Separation(graph), **{"max_given": None, **options})


def arcs(graph: Graph) -> Any:
    flags = np.zeros((len(graph.nodes), len(graph.nodes)), dtype=bool)
    for child, mine in enumerate(graph.parent_places):
        flags[list(mine), child] = True
    return flags


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 9999), st.integers(1, 9), st.sampled_from([0.1, 0.3, 0.5, 0.9]))
def test_a_test_that_never_errs_gives_the_true_class(seed: int, nodes: int, share: float):
    graph = random_graph(seed, nodes, share)
    track = Track()
    joined = skeleton(Separation(graph), math.log(0.05), no_rules(nodes), track, None)
    partial = directed(Separation(graph), math.log(0.05), joined, no_rules(nodes), track)
    truth = graph.equivalence_class()
    names = graph.nodes
    assert {(names[a], names[b]) for a, b in np.argwhere(partial.arrows)} == set(truth.directed)
    loose = {frozenset((names[a], names[b])) for a, b in np.argwhere(partial.loose)}
    assert loose == set(map(frozenset, truth.undirected))
    found = by_oracle(graph)
    assert graph.equivalent(named(graph, found))
    count = len(graph.edges)
    assert found.notes == (
        f"tests and rules fix the direction of {len(truth.directed)} of {count} {'arc' if count == 1 else 'arcs'}",
    )


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.integers(0, 9999), st.integers(3, 8))
def test_true_rules_are_obeyed_and_fix_what_follows_from_them(seed: int, nodes: int):
    graph = random_graph(seed, nodes, 0.5)
    edges, draw = graph.edges, np.random.default_rng(seed)
    if not edges:
        return
    known = [edges[at] for at in draw.choice(len(edges), min(2, len(edges)), replace=False)]
    rules = read_rules(graph.nodes, known[:1], [edge[::-1] for edge in known[1:]])
    found = named(graph, by_oracle(graph, rules))
    assert graph.equivalent(found)
    assert set(known) <= set(found.edges)


def test_meek_on_all_that_is_known():
    """From all true arrows but one, the rest follows where every member of the class that has them agrees."""
    for seed in range(40):
        graph = random_graph(seed, 5, 0.7)
        true = arcs(graph)
        members = [member for member in orientations(true) if graph.equivalent(member)]
        pattern = graph.equivalence_class()
        fixed = np.zeros_like(true)
        for one, other in (*pattern.directed, *graph.edges[:1]):
            fixed[graph.places[one], graph.places[other]] = True
        partial = Partial(true | true.T, fixed.copy())
        apply_meek_rules(partial)
        able = [arcs(member) for member in members if (arcs(member) >= fixed).all()]
        assert (partial.arrows == np.logical_and.reduce(able)).all()


def orientations(true: Any) -> Any:
    """All graphs without a circle that have these links."""
    names = tuple(f"n{at}" for at in range(len(true)))
    pairs = np.argwhere(np.triu(true | true.T))
    for turns in np.ndindex(*[2] * len(pairs)):
        parents: dict[str, list[str]] = {name: [] for name in names}
        for (one, other), turn in zip(pairs, turns, strict=True):
            parent, child = (other, one) if turn else (one, other)
            parents[names[child]].append(names[parent])
        try:
            yield Graph.of(parents)
        except LikelyError:
            continue


def test_a_ring_has_no_graph_without_a_new_v_structure():
    ring = np.zeros((4, 4), dtype=bool)
    for at in range(4):
        ring[at, (at + 1) % 4] = ring[(at + 1) % 4, at] = True
    parents, exact = extended(Partial(ring, np.zeros_like(ring)))
    assert not exact
    assert sum(map(len, parents)) == 4
    Graph(tuple("abcd"), tuple(tuple("abcd"[at] for at in mine) for mine in parents))


def test_rules_that_the_tests_contradict():
    collider = Graph.of({"a": [], "b": ["a", "c"], "c": []})
    found = by_oracle(collider, read_rules(collider.nodes, [("b", "a")]))
    assert "b" in named(collider, found).parents_of("a")
    assert any("V-structure left out" in note for note in found.notes)
    found = by_oracle(collider, read_rules(collider.nodes, [("a", "c")]))  # required, though independent
    assert 0 in found.parents[2]
    triangle = Graph.of({"a": [], "b": ["a"], "c": ["a", "b"]})
    found = by_oracle(triangle, read_rules(triangle.nodes, forbidden=[("b", "a"), ("c", "b"), ("a", "c")]))
    assert sum(map(len, found.parents)) == 2
    assert any("circle" in note for note in found.notes)
    found = by_oracle(triangle, read_rules(triangle.nodes, forbidden=[*permutations(triangle.nodes, 2)]))
    assert found.parents == ((), (), ())


def test_no_node_has_more_parents_than_it_may():
    graph = Graph.of({"e": ["a", "b", "c", "d"], "a": [], "b": [], "c": [], "d": []})
    found = by_oracle(graph, read_rules(graph.nodes, [("c", "e")], max_parents=2))
    assert len(found.parents[0]) == 2
    assert "c" in named(graph, found).parents_of("e")
    assert any("max_parents is 2" in note for note in found.notes)


@pytest.fixture(scope="module")
def sampled() -> tuple[Graph, Rows]:
    graph = Graph.of({"a": [], "b": [], "c": ["a", "b"], "d": ["c"], "e": ["c"], "f": ["d", "e"], "g": ["b"]})
    sizes = (2, 3, 2, 3, 2, 2, 3)
    return graph, Rows(clear_rows(0, graph, 20000, sizes), sizes)


@pytest.mark.parametrize("test", ["g2", "mi", "x2", "mi-shrink"])
def test_many_rows_give_the_class_that_made_them(sampled: tuple[Graph, Rows], test: str):
    graph, rows = sampled
    found = search(pc, rows, no_rules(7), test=test, alpha=0.01)
    assert graph.equivalent(named(graph, found))
    assert found.score == pytest.approx(sum(rows.score(at, mine) for at, mine in enumerate(found.parents)))


def test_shuffling_does_as_well_with_fewer_rows(sampled: tuple[Graph, Rows]):
    graph, rows = sampled
    few = Rows(rows.codes[:2000], rows.sizes)
    found = search(pc, few, no_rules(7), test="permutation", alpha=0.01)
    assert {frozenset(edge) for edge in named(graph, found).edges} <= {frozenset(edge) for edge in graph.edges}
    assert found.parents == search(pc, few, no_rules(7), test="permutation", alpha=0.01).parents


def test_the_order_of_the_columns_does_not_matter(sampled: tuple[Graph, Rows]):
    _, rows = sampled
    few, draw = rows.codes[:400], np.random.default_rng(0)
    want = None
    for _ in range(6):
        order = draw.permutation(7)
        test_rows = Rows(few[:, order], np.array(rows.sizes)[order])
        joined = skeleton(ChiSquareTest(test_rows), math.log(0.05), no_rules(7), Track(), 3)
        links = {frozenset((int(order[a]), int(order[b]))) for a, b in np.argwhere(joined.linked)}
        want = links if want is None else want
        assert links == want


def test_progress_is_told_and_an_interrupted_search_has_a_graph(sampled: tuple[Graph, Rows]):
    _, rows = sampled
    seen: list[Any] = []

    def tick(progress: Any) -> None:
        seen.append(progress)
        if len(seen) == 9:
            raise KeyboardInterrupt

    track = Track(tick)
    with pytest.raises(KeyboardInterrupt):
        pc(rows, no_rules(7), track)
    assert track.found(interrupted=True).parents == ((),) * 7
    assert {progress.doing for progress in seen} >= {"begin", "tests given 0"}


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.integers(0, 9999), st.integers(1, 9), st.sampled_from([0.1, 0.3, 0.5]))
def test_candidates_hold_every_true_link(seed: int, nodes: int, share: float):
    graph = random_graph(seed, nodes, share)
    able = candidates(Separation(graph), math.log(0.05), no_rules(nodes), Track(), None)
    true = arcs(graph)
    assert (able >= (true | true.T)).all()
    assert (able == able.T).all()
    for one, other in combinations(range(nodes), 2):  # whatever else they hold depends on it whatever is given of them
        if able[one, other] and not true[one, other] and not true[other, one]:
            test, near = Separation(graph), np.flatnonzero(able[one]).tolist()
            rest = [at for at in near if at != other]
            assert all(
                test.log_p(one, [other], given)[0] < 0 for k in range(len(rest) + 1) for given in combinations(rest, k)
            )


def test_candidates_obey_rules_and_bounds():
    graph = Graph.of({"a": [], "b": ["a"], "c": ["b"], "d": []})
    rules = read_rules(graph.nodes, [("d", "a")], [("a", "b"), ("b", "a")])
    able = candidates(Separation(graph), math.log(0.05), rules, Track(), None)
    assert able[0, 3]
    assert not able[0, 1]
    loose = candidates(Separation(graph), math.log(0.05), no_rules(4), Track(), 0)
    assert loose[0, 2]  # no node may be given that would part them
    assert not candidates(Separation(graph), math.log(0.05), no_rules(4), Track(), 1)[0, 2]


def test_a_narrowed_climb_finds_the_class_that_made_the_rows(sampled: tuple[Graph, Rows]):
    graph, rows = sampled
    few = Rows(rows.codes[:5000], rows.sizes)
    found = search(mmhc, few, read_rules(graph.nodes, [("a", "c")], max_parents=2), restarts=2)
    learnt = named(graph, found)
    assert {frozenset(edge) for edge in learnt.edges} == {frozenset(edge) for edge in graph.edges}
    assert ("a", "c") in learnt.edges
    assert found.notes[0].startswith("tests leave ")


def test_wrong_options_are_refused(sampled: tuple[Graph, Rows]):
    _, rows = sampled
    for which in (pc, mmhc):
        for options, code in (({"alpha": 2}, "O521"), ({"test": "chi"}, "O522"), ({"max_given": -1}, "O524")):
            with pytest.raises(LikelyError) as caught:
                search(which, rows, no_rules(7), **options)
            assert caught.value.code == code


@pytest.mark.parametrize("size", [0, 1])
def test_few_columns(size: int):
    for which in (pc, mmhc):
        assert search(which, blank(size), no_rules(size)).parents == ((),) * size
