"""Which arcs may be turned round, told for every graph of four nodes; and what follows from those that are known."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest

from likely.networks import asia
from likely.networks.trust.arc_directions import ASSUMED, CAUSES, Directions
from likely.networks.trust.arc_strength import ArcStrengths
from likely.structures.graph import Graph
from likely.structures.search.orientation import class_of
from likely.structures.search.rules import read_rules

Arcs = frozenset[tuple[int, int]]


def all_graphs(size: int) -> list[Arcs]:
    """Every set of arcs without a circle."""
    pairs = list(combinations(range(size), 2))
    found = []
    for turns in product((None, False, True), repeat=len(pairs)):
        arcs = {pair[::-1] if turn else pair for pair, turn in zip(pairs, turns, strict=True) if turn is not None}
        if sorted_out(size, arcs):
            found.append(frozenset(arcs))
    return found


def sorted_out(size: int, arcs: set[tuple[int, int]]) -> bool:
    left = set(range(size))
    while free := left - {child for parent, child in arcs if parent in left}:
        left -= free
    return not left


def looks(arcs: Arcs) -> tuple[Any, Any]:
    """Which pairs are joined, and where two parents that are not joined meet: what a class has in common."""
    joined = frozenset(map(frozenset, arcs))
    meets = {
        (frozenset((one, other)), child)
        for (one, child), (other, same) in combinations(arcs, 2)
        if child == same and frozenset((one, other)) not in joined
    }
    return joined, frozenset(meets)


def classes(size: int) -> list[list[Arcs]]:
    members: dict[Any, list[Arcs]] = defaultdict(list)
    for arcs in all_graphs(size):
        members[looks(arcs)].append(arcs)
    return list(members.values())


def named(arcs: Arcs, size: int) -> Graph:
    names = "abcde"[:size]
    return Graph(tuple(names), tuple(tuple(names[a] for a, b in sorted(arcs) if b == at) for at in range(size)))


def shared(members: list[Arcs]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The arcs that all members have, and the other pairs."""
    fixed = set.intersection(*map(set, members))
    return fixed, {tuple(sorted(arc)) for arc in members[0] if arc not in fixed}  # type: ignore[misc]


@pytest.mark.parametrize("size", [3, 4])
def test_compelled_arcs_are_those_of_all_members_and_reasons_are_true(size: int):
    for members in classes(size):
        fixed, _ = shared(members)
        names = "abcde"
        for arcs in members:
            graph = named(arcs, size)
            found = Directions(graph)
            assert {*found.compelled, *found.reversible} == set(found) == set(graph.edges)
            assert set(found.compelled) == {(names[one], names[other]) for one, other in fixed}
            for arc in found.compelled:
                check(graph, found, arc)


def check(graph: Graph, found: Directions, arc: tuple[str, str]) -> None:
    """What is said of an arc is true of the graph."""
    parent, child = arc
    joined = set(map(frozenset, graph.edges))
    if told := re.fullmatch(r"(\w) and (\w) meet in (\w), and are not joined", found[arc]):
        assert told[1] == parent
        assert told[3] == child
        assert graph.connection(parent, child, told[2]) == "collider"
        assert frozenset((parent, told[2])) not in joined
    elif told := re.fullmatch(r"turned round, (\w) and (\w) would meet in (\w)", found[arc]):
        assert (told[1], told[3]) == (child, parent)
        assert (told[2], parent) in found.compelled
        assert frozenset((child, told[2])) not in joined
    elif told := re.fullmatch(r"turned round, it would close a circle with (\w) -> (\w) -> (\w)", found[arc]):
        assert (told[1], told[3]) == arc
        assert {(parent, told[2]), (told[2], child)} <= set(found.compelled)
    else:
        assert found[arc] == f"turned round, other pairs around {parent} would have to meet or to close a circle"
        both = [name for name in graph.parents_of(child) if frozenset((name, parent)) in joined]
        assert any(frozenset(pair) not in joined for pair in combinations(both, 2))


def test_words_of_asia():
    found = asia().directions()
    lines = repr(found).splitlines()
    assert lines[0] == "8 arcs: 5 compelled, 3 may point either way"
    assert lines[-2:] == [ASSUMED, CAUSES]
    assert found["either", "xray"] == "turned round, xray and tub would meet in either"
    assert found["smoke", "lung"].startswith("either way")
    frame = found.frame()
    assert list(frame.columns) == ["from", "to", "compelled", "why"]
    assert frame["compelled"].sum() == 5
    assert [one["why"] for one in found.to_dict()] == list(found.values())


def test_edge_cases():
    empty = Directions(Graph.of({"a": [], "b": []}))
    assert repr(empty) == "no arcs: no node tells of another"
    assert len(empty.frame()) == 0
    assert ("a", "b") not in empty
    with pytest.raises(KeyError, match="O543"):
        empty["a", "b"]
    names = [f"x{at}" for at in range(100)]
    assert "... and 39 more" in repr(Directions(Graph.of(list(pairwise(names)))))


@pytest.mark.parametrize("size", [4, 5])
def test_what_is_known_settles_what_follows_from_it(size: int):
    rng, names = np.random.default_rng(size), tuple("abcde"[:size])
    every = classes(size)
    chosen = every if size == 4 else [every[at] for at in rng.choice(len(every), 300, replace=False)]
    for members in chosen:
        fixed, free = shared(members)
        for known in range(min(len(free), 3) + 1):
            mine = members[rng.integers(len(members))]
            arcs = sorted(mine - fixed)
            told = {arcs[at] for at in rng.choice(len(arcs), known, replace=False)} if known else set()
            rules = read_rules(names, required=[(names[one], names[other]) for one, other in told])
            parents = tuple(tuple(sorted(one for one, other in mine if other == at)) for at in range(size))
            found = class_of(Graph.placed(names, parents), rules)
            expected, rest = shared([other for other in members if told <= other])
            assert pairs(found.arrows) == expected
            assert pairs(np.triu(found.loose)) == rest
            one = ArcStrengths(names, found.linked.astype(int), found.arrows.astype(int), 1, 1)
            assert frozenset((names.index(a), names.index(b)) for a, b in one.consensus().edges) in members


def pairs(flags: np.ndarray) -> set[tuple[int, int]]:
    return set(map(tuple, np.argwhere(flags).tolist()))
