"""Graphs keep what they are told, refuse circles by name, and go through networkx unchanged."""

from __future__ import annotations

import itertools
import random
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.errors import LikelyError
from likely.structures.graph import Graph

XIGUA = {"x1": [], "x2": [], "x3": ["x1"], "x4": ["x1", "x2"], "x5": ["x2"]}


def drawn(seed: int, nodes: int = 7, chance: float | None = None) -> Graph:
    """A random graph, its nodes and its parents in random order."""
    random_ = random.Random(seed)
    chance = random_.random() if chance is None else chance
    names = [f"n{at}" for at in range(nodes)]
    ranks = random_.sample(names, nodes)
    parents = {name: [one for one in ranks[: ranks.index(name)] if random_.random() < chance] for name in names}
    return Graph.of({name: random_.sample(mine, len(mine)) for name, mine in parents.items()})


def refused(code: str, call: Any, *args: Any, **options: Any) -> LikelyError:
    with pytest.raises(LikelyError) as caught:
        call(*args, **options)
    assert caught.value.code == code
    assert caught.value.hint
    return caught.value


def test_nodes_parents_and_arcs_stay_in_the_order_in_which_they_are_told():
    graph = Graph.of({"b": ["c", "a"], "a": [], "d": ["b"]})
    assert graph.nodes == ("b", "a", "d", "c")
    assert graph.parents == (("c", "a"), (), ("b",), ())
    assert graph.edges == (("c", "b"), ("a", "b"), ("b", "d"))
    assert graph.parent_places == ((3, 1), (), (0,), ())
    assert graph.child_places == ((2,), (0,), (), (0,))
    assert graph.children == (("d",), ("b",), (), ("b",))
    assert graph.roots == ("a", "c")
    assert graph.leaves == ("d",)
    assert graph.order == ("a", "c", "b", "d")
    assert graph.parents_of("b") == ("c", "a")
    assert graph.children_of("a") == ("b",)
    assert Graph.of(graph) is graph


def test_arcs_name_their_nodes_one_by_one():
    graph = Graph.of([("a", "c"), ("b", "c"), ["c", "d"]])
    assert graph.nodes == ("a", "c", "b", "d")
    assert graph.parents_of("c") == ("a", "b")


def test_one_name_is_one_parent_and_no_letters():
    assert Graph.of({"wet": "rain"}).parents_of("wet") == ("rain",)


@pytest.mark.parametrize("what", [{}, [], {"alone": ()}])
def test_graphs_without_arcs(what: Any):
    graph = Graph.of(what)
    assert graph.order == graph.nodes == graph.roots == graph.leaves
    assert graph.edges == ()
    assert graph.moral_graph().edges == graph.connections() == ()
    assert "0 arcs" in repr(graph)


def test_names_may_be_any_text():
    graph = Graph.of({"色泽": ["好 瓜", " "], "a -> b": ["色泽"]})
    assert graph.ancestors("a -> b") == ("色泽", "好 瓜", " ")
    assert graph.markov_blanket(" ") == ("色泽", "好 瓜")


@given(st.integers(0, 9999), st.integers(1, 9))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_order_ancestors_and_blankets_follow_from_the_arcs(seed: int, nodes: int):
    graph = drawn(seed, nodes)
    assert all(graph.order.index(one) < graph.order.index(other) for one, other in graph.edges)
    reach = set(graph.edges)
    for middle, one, other in itertools.product(graph.nodes, repeat=3):
        if (one, middle) in reach and (middle, other) in reach:
            reach.add((one, other))
    for name in graph.nodes:
        assert graph.ancestors(name) == tuple(one for one in graph.nodes if (one, name) in reach)
        assert graph.descendants([name]) == tuple(one for one in graph.nodes if (name, one) in reach)
        blanket = graph.markov_blanket(name)
        rest = [one for one in graph.nodes if one != name and one not in blanket]
        assert not rest or graph.d_separated(name, rest, given=blanket)
        # Each node of the blanket is needed.
        assert not any(graph.d_separated(name, one, [other for other in blanket if other != one]) for one in blanket)


def test_order_leaves_nodes_alone_that_are_sorted_already():
    names = [f"n{at}" for at in range(50)]
    random_ = random.Random(0)
    graph = Graph.of({name: random_.sample(names[:at], min(at, 2)) for at, name in enumerate(names)})
    assert graph.order == graph.nodes


def test_ancestors_of_several_leave_these_out():
    graph = Graph.of([("a", "b"), ("b", "c"), ("d", "c")])
    assert graph.ancestors(["b", "c"]) == ("a", "d")
    assert graph.descendants(["a", "b"]) == ("c",)


def test_a_circle_is_named_and_it_is_the_shortest():
    told = refused("O451", Graph.of, {"a": ["d"], "b": ["a"], "c": ["b"], "d": ["c", "e"], "e": ["d", "f"], "f": ["a"]})
    assert told.message == "the arcs run in a circle: d -> e -> d"
    assert "a -> a" in refused("O451", Graph.of, {"a": ["a"]}).message
    long = refused("O451", Graph.of, [(f"n{at}", f"n{(at + 1) % 4000}") for at in range(4000)])
    assert len(long.message) < 200
    assert long.message.endswith("... -> n0")


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_circles_are_as_short_as_powers_of_the_matrix_say(arcs: set[tuple[int, int]]):
    arcs_ = [(str(one), str(other)) for one, other in sorted(arcs)]
    matrix = np.zeros((6, 6), dtype=np.int64)
    matrix[tuple(zip(*arcs, strict=True))] = 1
    steps = [count for count in range(1, 7) if np.linalg.matrix_power(matrix, count).trace()]
    if not steps:
        assert set(Graph.of(arcs_).edges) == set(arcs_)
        return
    named = refused("O451", Graph.of, arcs_).message.split(": ")[1].split(" -> ")
    assert named[0] == named[-1]
    assert set(itertools.pairwise(named)) <= set(arcs_)
    assert len(named) - 1 == steps[0]


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("O453", 3),
        ("O453", "rain"),
        ("O453", None),
        ("O453", ["ab"]),
        ("O453", [("a", "b", "c")]),
        ("O453", [("a", 1)]),
        ("O453", [("a", "b"), ("a", "b")]),
        ("O453", {"a": ["b", "b"]}),
        ("O453", {"a": 3}),
        ("O453", {"a": [3]}),
        ("O453", {"a": [["b"]]}),
        ("O453", {1: []}),
    ],
)
def test_what_is_no_graph_is_refused(code: str, what: Any):
    refused(code, Graph.of, what)


def test_nodes_and_parents_must_fit():
    refused("O453", Graph, ("a", "a"), ((), ()))
    refused("O453", Graph, ("a", "b"), ((),))
    assert "Did you mean 'rain'?" in refused("O452", Graph, ("rain", "wet"), ((), ("rian",))).hint


def test_unknown_nodes_are_refused_with_the_nearest_name():
    graph = Graph.of({"wet": ["rain"]})
    for call in (graph.at, graph.parents_of, graph.children_of, graph.markov_blanket, graph.ancestors):
        assert "Did you mean 'rain'?" in refused("O452", call, "Rain").hint
    assert "Did you mean 'rain'?" in refused("O452", graph.moral_graph().neighbours, "Rain").hint
    refused("O452", graph.at, ["rain"])
    refused("O452", graph.ancestors, 3)
    refused("O452", graph.moral_graph().neighbours, ["rain"])


def test_moral_graph_of_five_nodes_joins_exactly_the_two_parents():
    moral = Graph.of(XIGUA).moral_graph()
    assert moral.added == (("x1", "x2"),)
    assert moral.edges == (("x1", "x2"), ("x1", "x3"), ("x1", "x4"), ("x2", "x4"), ("x2", "x5"))
    assert moral.neighbours("x1") == ("x2", "x3", "x4")
    assert repr(moral) == "moral graph of 5 nodes and 5 edges; joined parents: x1 - x2"


def test_moral_graphs_are_those_of_networkx():
    networkx = pytest.importorskip("networkx")
    for seed in range(50):
        graph = drawn(seed, 8)
        moral = graph.moral_graph()
        expected = networkx.moral_graph(graph.to_networkx())
        assert {frozenset(edge) for edge in moral.edges} == {frozenset(edge) for edge in expected.edges}
        assert networkx.utils.graphs_equal(networkx.Graph(moral.to_networkx().edges), networkx.Graph(moral.edges))
        skeleton = {frozenset(edge) for edge in graph.edges}
        assert {frozenset(edge) for edge in moral.edges} - skeleton == {frozenset(edge) for edge in moral.added}
        marked = {frozenset((one, other)) for one, other, new in moral.to_networkx().edges(data="added") if new}
        assert marked == {frozenset(edge) for edge in moral.added}


def test_networkx_and_back_keeps_nodes_and_the_order_of_parents():
    networkx = pytest.importorskip("networkx")
    for seed in range(50):
        graph = drawn(seed)
        assert Graph.of(graph.to_networkx()) == graph
        assert Graph.of(networkx.DiGraph(graph.edges)).equivalent(Graph.of(graph.edges))
    changed = Graph.of({"a": [], "b": [], "c": ["b", "a"]}).to_networkx()
    changed.add_edge("d", "c")
    changed.remove_edge("b", "c")
    changed.add_edge("b", "c")
    assert Graph.of(changed).parents_of("c") == ("b", "a", "d")
    shuffled = networkx.DiGraph(reversed(list(Graph.of(XIGUA).to_networkx().edges)))
    assert set(Graph.of(shuffled).edges) == set(Graph.of(XIGUA).edges)
    odd = networkx.DiGraph([("a", "b")])
    odd.nodes["b"]["parents"] = 3  # a note of someone else's
    assert Graph.of(odd).parents_of("b") == ("a",)


def test_networkx_graphs_that_make_no_sense_are_refused():
    networkx = pytest.importorskip("networkx")
    refused("O455", Graph.of, networkx.Graph([("a", "b")]))
    refused("O453", Graph.of, networkx.DiGraph([(1, 2)]))
    refused("O451", Graph.of, networkx.DiGraph([("a", "b"), ("b", "a")]))
    assert Graph.of(networkx.MultiDiGraph([("a", "b"), ("a", "b")])).edges == (("a", "b"),)


def test_a_missing_networkx_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    assert "pip install" in refused("O459", Graph.of(XIGUA).to_networkx).hint


def test_long_graphs_are_printed_in_short():
    assert repr(Graph.of({f"n{at}": [] for at in range(100)})).endswith("n59\n... and 40 more")
