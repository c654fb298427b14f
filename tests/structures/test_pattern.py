"""Equivalence classes are those that all graphs of four and five nodes fall into."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from likely.structures.graph import Graph

Arcs = tuple[tuple[str, str], ...]


def graphs(nodes: int) -> Iterator[Arcs]:
    """The arcs of all graphs without a circle."""
    names = "abcde"[:nodes]
    pairs = list(itertools.combinations(names, 2))
    for turns in itertools.product((None, False, True), repeat=len(pairs)):
        arcs = tuple(pair[::-1] if turn else pair for pair, turn in zip(pairs, turns, strict=True) if turn is not None)
        if not turning(names, arcs):
            yield arcs


def turning(names: str, arcs: Arcs) -> bool:
    left = set(names)
    while free := left - {child for parent, child in arcs if parent in left}:
        left -= free
    return bool(left)


def looks(arcs: Arcs) -> tuple[Any, Any]:
    """Which pairs are joined, and where two parents that are not joined meet."""
    joined = frozenset(map(frozenset, arcs))
    meets = frozenset(
        (frozenset((one, other)), child)
        for (one, child), (other, same) in itertools.combinations(arcs, 2)
        if child == same and frozenset((one, other)) not in joined
    )
    return joined, meets


@pytest.mark.parametrize(("nodes", "count", "classes"), [(3, 25, 11), (4, 543, 185), (5, 29281, 8782)])
def test_patterns_are_what_all_members_share(nodes: int, count: int, classes: int):
    members: dict[Any, list[Arcs]] = defaultdict(list)
    for arcs in graphs(nodes):
        members[looks(arcs)].append(arcs)
    assert sum(map(len, members.values())) == count  # as published: OEIS A003024 and A007984
    assert len(members) == classes
    for same in members.values():
        shared = set(same[0]).intersection(*same)
        rest = {frozenset(arc) for arc in same[0]} - {frozenset(arc) for arc in shared}
        for arcs in same if nodes < 5 else same[-1:]:
            graph = Graph.of({name: [one for one, other in arcs if other == name] for name in "abcde"[:nodes]})
            pattern = graph.equivalence_class()
            assert set(pattern.directed) == shared
            assert {frozenset(pair) for pair in pattern.undirected} == rest
            assert len(pattern.undirected) == len(rest)


def test_members_and_others():
    chain = Graph.of([("a", "b"), ("b", "c")])
    fork = Graph.of({"c": ["b"], "b": [], "a": ["b"]})
    collider = Graph.of([("a", "b"), ("c", "b")])
    assert chain.equivalent(fork)
    assert fork in chain.equivalence_class()
    assert not chain.equivalent(collider)
    assert collider not in chain.equivalence_class()
    assert not chain.equivalent(Graph.of([("a", "b"), ("b", "d")]))
    assert not chain.equivalent(Graph.of({"a": [], "b": ["a"], "c": ["b"], "d": []}))


def test_a_pattern_is_printed_and_handed_to_networkx():
    pattern = Graph.of([("a", "c"), ("b", "c"), ("c", "d"), ("e", "a")]).equivalence_class()
    assert repr(pattern).splitlines()[1:] == ["a -> c", "b -> c", "c -> d", "a - e"]
    assert repr(Graph.of({}).equivalence_class()).startswith("pattern of 0 nodes: 0 arcs")
    pytest.importorskip("networkx")
    digraph = pattern.to_networkx()
    assert {(one, other) for one, other, fixed in digraph.edges(data="directed") if fixed} == set(pattern.directed)
    assert {(one, other) for one, other, fixed in digraph.edges(data="directed") if not fixed} == {
        ("a", "e"),
        ("e", "a"),
    }
