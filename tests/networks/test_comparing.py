"""Graphs beside each other: differences, distances and shares as networkx, scikit-learn and pyAgrum count them."""

from __future__ import annotations

from itertools import combinations, permutations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from likely import Network
from likely.errors import LikelyError, OptionError
from likely.networks import asia
from likely.networks.trust.structure_comparison import Agreement, compare_structures
from likely.structures.graph import Graph
from tests.networks.oracles import gum

NAMES = "abcdefg"


@st.composite
def graphs(draw: st.DrawFn, names: str = NAMES) -> Graph:
    order = draw(st.permutations(names))
    arcs = draw(st.sets(st.sampled_from(list(combinations(order, 2))), max_size=12))
    return Graph(tuple(names), tuple(tuple(one for one, other in sorted(arcs) if other == name) for name in names))


def essential(graph: Graph) -> set[tuple[str, str]]:
    """The arcs of the equivalence class, a pair that may point either way as two; by pyAgrum."""
    net = gum.BayesNet()
    for name in graph.nodes:
        net.add(gum.LabelizedVariable(name, name, 2))
    for one, other in graph.edges:
        net.addArc(one, other)
    found = gum.EssentialGraph(net)
    names = {net.idFromName(name): name for name in graph.nodes}
    lines = [(names[one], names[other]) for one, other in found.edges()]
    return {(names[one], names[other]) for one, other in found.arcs()} | {*lines, *(line[::-1] for line in lines)}


def apart(one: set[tuple[str, str]], other: set[tuple[str, str]]) -> int:
    """The pairs that two sets of arcs do not have alike."""
    pairs = combinations(NAMES, 2)
    return sum(any((arc in one) != (arc in other) for arc in (pair, pair[::-1])) for pair in pairs)


def flags(edges: set[frozenset[str]]) -> list[bool]:
    return [frozenset(pair) in edges for pair in combinations(NAMES, 2)]


@given(graphs(), graphs())
@settings(derandomize=True, deadline=None, max_examples=150)
def test_differences_and_distances_are_those_of_the_arcs(learnt: Graph, truth: Graph):
    found = compare_structures(learnt, truth)
    mine, theirs = set(learnt.edges), set(truth.edges)
    assert found.distance == apart(mine, theirs)
    assert found.class_distance == apart(essential(learnt), essential(truth))
    assert found.equivalent == learnt.equivalent(truth)
    assert {*found.right, *found.reversed, *found.extra} == mine
    assert {*found.right, *(arc[::-1] for arc in found.reversed), *found.missing} == theirs
    assert len(found.right) + len(found.reversed) + len(found.missing) == len(theirs)
    for arc in found.open:
        assert {arc, arc[::-1]} <= essential(learnt) & essential(truth)
    back = compare_structures(truth, learnt)
    assert (back.distance, back.class_distance) == (found.distance, found.class_distance)
    assert (back.missing, back.extra) == (found.extra, found.missing)


@given(graphs(), graphs())
@settings(derandomize=True, deadline=None, max_examples=40)
def test_shares_are_those_of_pairs(learnt: Graph, truth: Graph):
    found = compare_structures(learnt, truth)
    both = learnt.to_networkx(), truth.to_networkx()
    arcs = [[one.has_edge(*pair) for pair in permutations(NAMES, 2)] for one in both]
    skeleton = [flags(set(map(frozenset, one.edges))) for one in both]
    moral = [flags(set(map(frozenset, nx.moral_graph(one).edges))) for one in both]
    for share, (mine, theirs) in ((found.arcs, arcs), (found.skeleton, skeleton), (found.moral, moral)):
        told = precision_score, recall_score, f1_score
        expected = [one(theirs, mine, zero_division=1.0) for one in told]
        assert [share.precision, share.recall, share.f1] == pytest.approx(expected)


def test_all_ways_to_give_a_graph(tmp_path: Path):
    net = asia()
    net.write(tmp_path / "asia.bif")
    mapping = dict(zip(net.graph.nodes, net.graph.parents, strict=True))
    ways = [net, net.graph, mapping, net.edges, list(net.edges), net.to_networkx()]
    for way in [*ways, tmp_path / "asia.bif", str(tmp_path / "asia.bif"), Network(net.graph)]:
        assert compare_structures(way, net).distance == compare_structures(net, way).distance == 0
    shuffled = Graph.of({name: mapping[name] for name in reversed(net.nodes)})
    assert compare_structures(net, shuffled).distance == 0


def test_arcs_alone_leave_lonely_nodes_out():
    truth = Graph.of({"a": [], "b": ["a"], "c": []})
    assert compare_structures([], truth).missing == (("a", "b"),)
    assert compare_structures(truth, []).extra == (("a", "b"),)
    assert compare_structures([("a", "c")], [("a", "b")]).distance == 2
    assert compare_structures([], []).skeleton == Agreement(0, 0, 0)


def test_nodes_that_do_not_match_are_refused():
    truth = {"rain": [], "hose": [], "wet": ["rain", "hose"]}
    with pytest.raises(OptionError, match="O541") as error:
        compare_structures([("rian", "wet")], truth)
    assert "Did you mean 'rain'" in error.value.hint
    with pytest.raises(OptionError, match="only 'truth' has the node 'hose'"):
        compare_structures({"rain": [], "wet": ["rain"]}, truth)
    with pytest.raises(OptionError, match="only 'learnt' has the nodes 'x', 'y'"):
        compare_structures({**truth, "x": [], "y": []}, truth)


@pytest.mark.parametrize("bad", [3, None, "no such file.bif", "asia", [("a", "b"), ("b", "a")], [("a",)], nx.Graph()])
def test_what_is_no_graph_is_refused(bad: object):
    with pytest.raises(LikelyError) as error:
        compare_structures(bad, asia())
    assert error.value.hint
    with pytest.raises(LikelyError):
        compare_structures(asia(), bad)


def test_it_is_printed_framed_and_told_as_data():
    arcs = list(asia().edges)
    arcs[0] = arcs[0][::-1]
    found = compare_structures(arcs[:-1], asia())
    lines = repr(found).splitlines()
    assert lines[0] == "7 arcs learnt, 8 in the truth, 8 nodes"
    assert "  reversed  1  tub -> asia" in lines
    assert "  1 of the 1 reversed may point either way: no rows could tell" in lines
    assert "  missing   1  either -> dysp" in lines
    frame = found.frame()
    assert list(frame.columns) == ["from", "to", "arc"]
    assert frame["arc"].value_counts().to_dict() == {"right": 6, "reversed": 1, "missing": 1}
    told = found.to_dict()
    assert (told["distance"], told["class_distance"], told["reversed"]) == (2, found.class_distance, [["tub", "asia"]])
    assert told["moral"]["recall"] == found.moral.recall
    names = [f"x{at:03}" for at in range(200)]
    rng = np.random.default_rng(0)
    many = [(names[one], names[other]) for one, other in combinations(range(200), 2) if rng.random() < 0.02]
    assert max(map(len, repr(compare_structures([], many)).splitlines())) < 300
    assert "(they are one)" in repr(compare_structures(many, many))
