"""Rules in the user's words: what they allow, and what they cannot say."""

from __future__ import annotations

from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likely
from likely.errors import OptionError
from likely.structures.graph import Graph
from likely.structures.search.rules import Rules, read_rules
from tests.structures.search_rows import no_rules

NODES = ["age", "sex", "risk", "claim", "色"]


def arcs(flags):
    return {(NODES[a], NODES[b]) for a, b in np.argwhere(flags).tolist()}


def every(*but):
    return set(permutations(NODES, 2)) - {*but}


def refused(code, *told, **rules):
    with pytest.raises(OptionError) as error:
        read_rules(NODES, **rules)
    assert error.value.code == code
    assert error.value.hint
    for word in told:
        assert word in str(error.value)
    return error.value


def test_nothing_said_allows_everything():
    for rules in (read_rules(NODES), no_rules(5), read_rules(NODES, None, None, None, None), read_rules(NODES, {}, {})):
        assert arcs(rules.allowed) == every()
        assert not rules.required.any()
        assert rules.most == rules.size == 5
        assert rules.start() == [set() for _ in NODES]


def test_arcs_are_required_and_forbidden():
    rules = read_rules(NODES, [("age", "risk"), ["色", "claim"]], (("sex", "risk"), ("sex", "age")))
    assert arcs(rules.required) == {("age", "risk"), ("色", "claim")}
    assert arcs(rules.allowed) == every(("sex", "risk"), ("sex", "age"), ("risk", "age"), ("claim", "色"))
    assert rules.start() == [set(), set(), {0}, {4}, set()]


@pytest.mark.parametrize(
    "said",
    [
        {"risk": ["age", "sex"], "claim": ["risk"]},
        Graph.of({"risk": ["age", "sex"], "claim": ["risk"]}),
        Graph.of([("age", "risk"), ("sex", "risk"), ("risk", "claim")]),
        likely.Network({"risk": ["age", "sex"], "claim": ["risk"]}),
        nx.DiGraph([("age", "risk"), ("sex", "risk"), ("risk", "claim")]),
        iter([("age", "risk"), ("sex", "risk"), ("risk", "claim")]),
        [("age", "risk"), ("sex", "risk"), ("risk", "claim"), ("age", "risk")],
        {("age", "risk"): None, ("sex", "risk"): None, ("risk", "claim"): None}.keys(),
    ],
    ids=lambda said: type(said).__name__,
)
def test_arcs_come_in_many_forms(said):
    want = {("age", "risk"), ("sex", "risk"), ("risk", "claim")}
    assert arcs(read_rules(NODES, said).required) == want


@pytest.mark.parametrize("form", [dict, Graph.of, likely.Network])
def test_forbidden_arcs_come_in_the_same_forms(form):
    assert arcs(read_rules(NODES, forbidden=form({"risk": ["age"]})).allowed) == every(("age", "risk"))


def test_tiers_forbid_the_way_back():
    rules = read_rules(NODES, tiers=[["sex", "age"], "risk", ("claim",)])
    back = [("risk", "age"), ("risk", "sex"), ("claim", "age"), ("claim", "sex"), ("claim", "risk")]
    assert arcs(rules.allowed) == every(*back)  # 色 is in no tier, and free
    assert arcs(read_rules(NODES, tiers=[]).allowed) == every()
    assert arcs(read_rules(NODES, tiers=[NODES]).allowed) == every()
    assert arcs(read_rules(NODES, tiers=(iter(tier) for tier in [["age"], ["sex"]])).allowed) == every(("sex", "age"))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.lists(st.sampled_from([None, 0, 1, 2]), min_size=5, max_size=5))
def test_tiers_are_an_order(tiers):
    rules = read_rules(
        NODES, tiers=[[name for name, at in zip(NODES, tiers, strict=True) if at == k] for k in range(3)]
    )
    for a, b in permutations(range(5), 2):
        later = tiers[a] is not None and tiers[b] is not None and tiers[a] > tiers[b]
        assert rules.allowed[a, b] == (not later)


def test_how_many_parents():
    assert read_rules(NODES, max_parents=0).most == 0
    assert read_rules(NODES, max_parents=np.int64(2)).most == 2
    assert read_rules(NODES, {"risk": ["age", "sex"]}, max_parents=2).most == 2


def test_narrowing_takes_nothing_that_is_required():
    rules = read_rules(NODES, [("age", "risk")], [("sex", "claim")], max_parents=3)
    only = np.zeros((5, 5), dtype=bool)
    only[1, 3] = only[1, 2] = True
    less = rules.narrowed(only)
    assert isinstance(less, Rules)
    assert arcs(less.allowed) == {("age", "risk"), ("sex", "risk")}
    assert arcs(less.required) == {("age", "risk")}
    assert less.most == 3


@pytest.mark.parametrize("place", ["required", "forbidden"])
@pytest.mark.parametrize("said", ["age", 3, ["age"], [("age",)], [("age", "sex", "risk")], [3], [None]])
def test_what_is_no_arc(place, said):
    assert refused("O501", f"{place}=", **{place: said}).place == f"{place}="


@pytest.mark.parametrize("place", ["required", "forbidden"])
def test_unknown_names_are_told_with_the_nearest(place):
    refused("O509", "there is no column 'Rsik'", "Did you mean 'risk'", f"{place}=", **{place: [("age", "Rsik")]})
    refused("O509", "there is no column 'ages'", "Did you mean 'age'", **{place: {"risk": ["ages"]}})
    refused("O509", "there is no column '7'", **{place: [("age", 7)]})
    refused("O509", "no column", **{place: [("age", ["risk"])]})
    refused("O501", "'age' to itself", **{place: [("age", "age")]})


def test_other_ways_to_say_the_same():
    one = read_rules(["0", "1", "2"], ("0", "1"), tiers={2: ["2"], 1: ["0", "1"]})
    other = read_rules(["0", "1", "2"], [(0, 1)], tiers=[["0", "1"], ["2"]])
    assert (one.allowed == other.allowed).all()
    assert (one.required == other.required).all()
    assert np.argwhere(read_rules(["0", "1"], forbidden={"0": ["1"], "1": "0"}).allowed).tolist() == []


def test_a_circle_of_required_arcs():
    round_ = [("age", "risk"), ("risk", "claim"), ("claim", "age"), ("sex", "age")]
    error = refused("O512", "required", "circle: age -> risk -> claim -> age", required=round_)
    assert error.place == "required="
    refused("O512", "circle", required=[("age", "risk"), ("risk", "age")])


def test_required_and_forbidden_at_once():
    error = refused("O502", "'age' -> 'risk'", "both", required=[("age", "risk")], forbidden=[("age", "risk")])
    assert error.place == "forbidden="


@pytest.mark.parametrize("tiers", ["age", 3, [3], [["age"], 7], [None]])
def test_what_is_no_tier(tiers):
    refused("O503", "tiers=", tiers=tiers)


def test_tiers_that_cannot_be():
    refused("O509", "there is no column 'agee'", "Did you mean 'age'", tiers=[["agee"]])
    refused("O509", "there is no column 1", tiers=[[1]])
    refused("O503", "'age' is in two tiers", tiers=[["age"], ["risk", "age"]])
    refused("O503", "'age' is in two tiers", tiers=[["age", "age"]])
    refused("O513", "'risk' -> 'age'", "earlier tier", required=[("risk", "age")], tiers=[["age"], ["risk"]])


@pytest.mark.parametrize("most", [-1, 1.0, True, "2", float("inf"), [2]])
def test_what_is_no_number_of_parents(most):
    assert refused("O504", "max_parents", max_parents=most).place == "max_parents="


def test_more_parents_required_than_allowed():
    refused("O514", "'risk' has 2 required parents, and may have 1", required={"risk": ["age", "sex"]}, max_parents=1)
