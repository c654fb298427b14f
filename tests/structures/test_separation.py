"""d-separation is what its definition says, trail by trail, and what the numbers of random tables show."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from likely.errors import LikelyError
from likely.structures.graph import Graph

XIGUA = Graph.of({"x1": [], "x2": [], "x3": ["x1"], "x4": ["x1", "x2"], "x5": ["x2"]})


def drawn(seed: int, most: int = 7) -> tuple[Graph, str, str, list[str]]:
    """A random graph, two of its nodes and some that are given."""
    random_ = random.Random(seed)
    names = [f"n{at}" for at in range(random_.randint(2, most))]
    chance = 0.1 + 0.6 * random_.random() ** 2
    ranks = random_.sample(names, len(names))
    arcs = [(one, other) for one, other in itertools.combinations(ranks, 2) if random_.random() < chance]
    graph = Graph.of({name: [one for one, other in arcs if other == name] for name in names})
    one, other, *rest = random_.sample(names, len(names))
    return graph, one, other, random_.sample(rest, random_.randint(0, len(rest)))


def trails(arcs: set[tuple[str, str]], way: list[str], end: str) -> Iterator[list[str]]:
    """All trails that meet no node twice."""
    if way[-1] == end:
        yield way
        return
    around = {one for arc in arcs if way[-1] in arc for one in arc}
    for node in sorted(around.difference(way)):
        yield from trails(arcs, [*way, node], end)


def below(arcs: set[tuple[str, str]], node: str) -> set[str]:
    return {node}.union(*(below(arcs, child) for parent, child in arcs if parent == node))


def is_open(arcs: set[tuple[str, str]], way: list[str], known: list[str]) -> bool:
    """By definition: each node where arrows meet is given or above one that is, and no other node is given."""
    for one, middle, other in zip(way, way[1:], way[2:], strict=False):
        meets = (one, middle) in arcs and (other, middle) in arcs
        if meets and not below(arcs, middle) & set(known):
            return False
        if not meets and middle in known:
            return False
    return True


def test_separation_is_that_of_the_definition_on_500_graphs():
    random_ = random.Random(0)
    seen = set()
    for seed in range(500):
        graph, *_ = drawn(seed)
        for _ in range(6):
            one, other, *rest = random_.sample(graph.nodes, len(graph.nodes))
            seen.add(agree(graph, one, other, random_.sample(rest, random_.randint(0, len(rest)))))
    assert seen >= {0, 2, 3, 4, 5}  # separated, and joined by trails of many lengths


def agree(graph: Graph, one: str, other: str, known: list[str]) -> int:
    """The nodes of a shortest open trail, found in both ways."""
    arcs = set(graph.edges)
    ways = [way for way in trails(arcs, [one], other) if is_open(arcs, way, known)]
    trail = graph.active_trail(one, other, known)
    assert graph.d_separated(one, other, known) is graph.d_separated(other, one, known) is (not ways)
    if trail is None:
        assert not ways
        return 0
    assert list(trail.nodes) in ways
    assert len(trail.nodes) == min(map(len, ways))
    steps = zip(trail.arrows, itertools.pairwise(trail.nodes), strict=True)
    assert all((pair if arrow == "->" else pair[::-1]) in arcs for arrow, pair in steps)
    assert len(trail.reasons) == max(1, len(trail.nodes) - 2)
    return len(trail.nodes)


def test_separation_of_groups_is_that_of_networkx():
    networkx = pytest.importorskip("networkx")
    random_ = random.Random(1)
    for seed in range(300):
        graph, *_ = drawn(seed, 9)
        groups: dict[int, set[str]] = {0: set(), 1: set(), 2: set(), 3: set()}
        for name in graph.nodes:
            groups[random_.randrange(4)].add(name)
        if groups[0] and groups[1]:
            expected = networkx.is_d_separator(graph.to_networkx(), groups[0], groups[1], groups[2])
            assert graph.d_separated(groups[0], groups[1], groups[2]) is expected
            trail = graph.active_trail(groups[0], groups[1], groups[2])
            assert (trail is None) is expected
            assert trail is None or not (set(trail.nodes[1:-1]) & (groups[0] | groups[1]))


def dependence(graph: Graph, one: str, other: str, known: list[str], seed: int) -> float:
    """The largest difference between p(one, other | known) and the product of both, tables drawn at random."""
    draws = np.random.default_rng(seed)
    axes = {name: at for at, name in enumerate(graph.nodes)}
    joint = np.ones((2,) * len(axes))
    for name, parents in zip(graph.nodes, graph.parents, strict=True):
        table = draws.dirichlet([0.7, 0.7], size=(2,) * len(parents))
        inside = [axes[parent] for parent in parents] + [axes[name]]
        joint = joint * np.einsum(table, inside, sorted(inside)).reshape(
            [2 if at in inside else 1 for at in range(len(axes))]
        )
    kept = [axes[one], axes[other], *(axes[name] for name in known)]
    pair = np.einsum(joint, list(range(len(axes))), kept).reshape(2, 2, -1)
    pair = pair / pair.sum(axis=(0, 1))
    return float(abs(pair - pair.sum(axis=1, keepdims=True) * pair.sum(axis=0, keepdims=True)).max())


def test_separated_nodes_are_independent_in_numbers_and_connected_ones_are_not():
    answers = []
    for seed in range(300):
        graph, one, other, known = drawn(seed, 6)
        apart = graph.d_separated(one, other, known)
        told = dependence(graph, one, other, known, seed)
        assert told < 1e-12 if apart else told > 1e-9
        answers.append(apart)
    assert 60 < sum(answers) < 240


def test_the_network_of_five_nodes():
    assert XIGUA.d_separated("x3", "x4", given="x1")
    assert XIGUA.d_separated("x4", "x5", given=["x2"])
    assert XIGUA.d_separated("x1", "x2")
    assert not XIGUA.d_separated("x1", "x2", given="x4")
    assert repr(XIGUA.active_trail("x3", "x4")) == "x3 <- x1 -> x4"
    assert repr(XIGUA.active_trail("x3", "x5", "x4")) == "x3 <- x1 -> x4 <- x2 -> x5"
    assert XIGUA.active_trail("x3", "x4", "x1") is None


def test_trails_say_why_they_are_open():
    graph = Graph.of([("a", "b"), ("b", "c"), ("d", "c"), ("d", "e"), ("c", "f")])
    assert graph.active_trail("a", "e", "f").reasons == (
        "b passes news on between a and c (chain), and is not given",
        "b and d meet in c (collider), and f below it is given",
        "d is a parent of c and e (fork), and is not given",
    )
    assert graph.active_trail("b", "d", "c").reasons == ("b and d meet in c (collider), which is given",)
    assert graph.active_trail("b", "a").reasons == ("an arc joins b and a: nothing can block it",)
    assert repr(graph.active_trail("b", "a")) == "b <- a"


def test_connections_of_triples():
    assert XIGUA.connection("x3", "x1", "x4") == "fork"
    assert XIGUA.connection("x1", "x4", "x2") == "collider"
    assert XIGUA.connection("x1", "x2", "x4") is None
    assert Graph.of([("a", "b"), ("b", "c")]).connection("c", "b", "a") == "chain"
    assert XIGUA.connections() == (
        ("x3", "x1", "x4", "fork"),
        ("x4", "x2", "x5", "fork"),
        ("x1", "x4", "x2", "collider"),
    )
    for seed in range(40):
        graph, *_ = drawn(seed)
        told = {(middle, frozenset((one, other))): kind for one, middle, other, kind in graph.connections()}
        for one, middle, other in itertools.permutations(graph.nodes, 3):
            assert graph.connection(one, middle, other) == told.get((middle, frozenset((one, other))))
        chains = [(one, middle, other) for one, middle, other, kind in graph.connections() if kind == "chain"]
        assert all({(one, middle), (middle, other)} <= set(graph.edges) for one, middle, other in chains)


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("O454", ("x1", "x1")),
        ("O454", ("x1", ["x2", "x1"])),
        ("O454", ("x1", "x2", "x1")),
        ("O454", (["x1", "x3"], "x2", ["x4", "x2"])),
        ("O454", ([], "x2")),
        ("O454", ("x1", ())),
        ("O452", ("x1", "X2")),
        ("O452", ("x1", "x2", ["x 3"])),
        ("O452", ("x1", 2)),
    ],
)
def test_questions_without_sense_are_refused(code: str, asked: Any):
    for ask in (XIGUA.d_separated, XIGUA.active_trail):
        with pytest.raises(LikelyError) as caught:
            ask(*asked)
        assert caught.value.code == code
        assert caught.value.hint


def test_a_triple_is_three_nodes():
    with pytest.raises(LikelyError, match="O458"):
        XIGUA.connection("x1", "x4", "x1")


def test_long_chains_are_followed_to_their_end():
    graph = Graph.of([(f"n{at}", f"n{at + 1}") for at in range(5000)])
    assert len(graph.active_trail("n0", "n5000").nodes) == 5001
    assert graph.d_separated("n0", "n5000", given="n2500")
