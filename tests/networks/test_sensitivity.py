"""Sensitivity: coefficients against answers when the entry is really changed, findings really taken out."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likely
from likely.networks.inference.evidence import Fixed
from likely.networks.inference.sensitivity import sensitivity
from likely.structures.graph import Graph
from tests.networks import oracles

SETTINGS = settings(derandomize=True, deadline=None, max_examples=25)


def network(plain):
    return likely.Network(plain.spec(), levels=plain.levels)


def changed(plain, node, level, given, value):
    """The same network with another entry, the rest of its row in proportion."""
    table = plain.tables[node].copy()
    row = table[tuple(plain.levels[parent].index(given[parent]) for parent in plain.parents[node])]
    at = plain.levels[node].index(level)
    rest = np.delete(row, at).sum()
    row *= (1.0 - value) / rest
    row[at] = value
    return replace(plain, tables={**plain.tables, node: table})


def asked(plain, found, evidence):
    """The answer by enumeration."""
    return float(oracles.Joint(plain).query(found.target, evidence)[plain.levels[found.target].index(found.level)])


def case(seed, soft):
    rng = np.random.default_rng(seed)
    plain = oracles.random_plain(seed, 6)
    target = plain.nodes[int(rng.integers(6))]
    evidence = plain.findings(rng, 3)
    evidence.pop(target, None)
    if soft:
        name = plain.nodes[int(rng.integers(6))]
        evidence[name] = {level: float(rng.uniform(0.1, 1.0)) for level in plain.levels[name]}
    return plain, target, evidence


def entries(plain):
    for node in plain.nodes:
        for at in product(*map(range, plain.tables[node].shape)):
            given = {parent: plain.levels[parent][code] for parent, code in zip(plain.parents[node], at, strict=False)}
            yield node, plain.levels[node][at[-1]], given, float(plain.tables[node][at])


@SETTINGS
@given(st.integers(0, 10_000), st.booleans())
def test_changing_an_entry_gives_what_was_foretold(seed, soft):
    plain, target, evidence = case(seed, soft)
    found = sensitivity(network(plain), target, evidence)
    assert found.posterior == pytest.approx(asked(plain, found, evidence), abs=1e-12)
    for one in found.parameters[:6]:
        a, b, c, d = one.coefficients
        assert c * one.value + d == pytest.approx(1.0, abs=1e-10)
        for odds, foretold in ((0.5, one.low), (2.0, one.high)):
            share = odds * one.value / (odds * one.value + 1.0 - one.value)
            real = asked(changed(plain, one.node, one.level, one.given, share), found, evidence)
            assert foretold == pytest.approx(real, abs=1e-10)
            assert (a * share + b) / (c * share + d) == pytest.approx(real, abs=1e-10)
            assert one.at(share) == pytest.approx(real, abs=1e-10)
        step = 1e-6 * one.value * (1.0 - one.value)
        up, down = (
            asked(changed(plain, one.node, one.level, one.given, one.value + s), found, evidence) for s in (step, -step)
        )
        assert one.derivative == pytest.approx((up - down) / (2 * step), rel=1e-6, abs=1e-6)


@SETTINGS
@given(st.integers(0, 10_000), st.booleans())
def test_what_is_left_out_does_not_matter(seed, soft):
    plain, target, evidence = case(seed, soft)
    found = sensitivity(network(plain), target, evidence)
    listed = {(one.node, one.level, *one.given.items()) for one in found.parameters}
    for node, level, by, value in entries(plain):
        if 0.0 < value < 1.0 and (node, level, *by.items()) not in listed:
            assert asked(changed(plain, node, level, by, value / 2), found, evidence) == pytest.approx(
                found.posterior, abs=1e-12
            )


@SETTINGS
@given(st.integers(0, 10_000), st.booleans())
def test_findings_are_really_taken_out(seed, soft):
    plain, target, evidence = case(seed, soft)
    found = sensitivity(network(plain), target, evidence)
    assert {one.node for one in found.findings} == set(evidence)
    for one in found.findings:
        without = asked(plain, found, {name: told for name, told in evidence.items() if name != one.node})
        assert one.posterior == pytest.approx(without, abs=1e-12)
        assert one.change == pytest.approx(found.posterior - without, abs=1e-12)
        assert one.told == evidence[one.node]
    assert [abs(one.change) for one in found.findings] == sorted(
        (abs(one.change) for one in found.findings), reverse=True
    )


def test_asia_by_hand():
    """P(lung | smoke, xray): the sensitivity to P(lung=yes | smoke=yes) worked out on paper.

    With x for that entry, either = lung or tub and t = P(tub), all smokers:
    P(lung, xray) = 0.98 x, P(xray) = 0.98 (x + t - x t) + 0.05 (1 - x)(1 - t).
    """
    net = network(oracles.read("asia"))
    found = net.sensitivity("lung", {"xray": "yes", "smoke": "yes"}, level="yes")
    top = next(one for one in found.parameters if (one.node, one.level, one.given) == ("lung", "yes", {"smoke": "yes"}))
    tub = 0.01 * 0.05 + 0.99 * 0.01

    def by_hand(x):
        return 0.98 * x / (0.98 * (x + tub - x * tub) + 0.05 * (1 - x) * (1 - tub))

    assert found.posterior == pytest.approx(by_hand(0.1), abs=1e-12)
    assert [top.at(x) for x in (0.0, 0.3, 1.0)] == pytest.approx([by_hand(x) for x in (0.0, 0.3, 1.0)], abs=1e-12)
    assert (top.low, top.high) == pytest.approx((by_hand(0.05 / 0.95), by_hand(0.2 / 1.1)), abs=1e-12)
    assert found.parameters == tuple(sorted(found.parameters, key=lambda one: -one.swing))
    assert {one.node for one in found.parameters} == {"lung", "xray", "tub", "asia"}
    assert not any(one.node == "either" for one in found.parameters), "either is an or: its entries are 0 and 1"


def test_both_entries_of_a_binary_row_are_listed_and_one_is_shown():
    found = network(oracles.read("asia")).sensitivity("lung", {"xray": "yes", "smoke": "yes"})
    assert len(found.parameters) == 2 * len(found.distinct)
    assert len({(one.node, *one.given.values()) for one in found.distinct}) == len(found.distinct)
    three = {
        "a": {"x": 0.5, "y": 0.3, "z": 0.2},
        "b": (["a"], {k: {"u": p, "v": 1 - p} for k, p in zip("xyz", (0.1, 0.5, 0.7), strict=True)}),
    }
    rows = [one for one in sensitivity(likely.Network(three), "a", {"b": "u"}).distinct if one.node == "a"]
    assert len(rows) == 3, "of three levels each entry is a number of its own"


def test_alarm_has_every_entry_that_moves_the_answer():
    plain = oracles.read("alarm")
    net = network(plain)
    evidence = {"HRBP": "HIGH", "CO": "LOW", "BP": "LOW"}
    found = net.sensitivity("LVFAILURE", evidence)
    assert found.posterior == pytest.approx(max(net.query("LVFAILURE", evidence).probabilities), abs=1e-12)
    for one in (found.parameters[0], found.parameters[7], found.parameters[40]):
        new = network(changed(plain, one.node, one.level, one.given, one.value / 3))
        assert one.at(one.value / 3) == pytest.approx(new.query("LVFAILURE", evidence)[found.level], abs=1e-10)


def test_an_answer_that_is_certain_hangs_on_no_entry():
    net = network(oracles.read("asia"))
    sure = net.sensitivity("either", {"lung": "yes"})
    assert (sure.level, sure.parameters) == ("yes", ())
    assert sure.posterior == pytest.approx(1.0, abs=1e-12)
    never = net.sensitivity("either", {"lung": "yes"}, level="no")
    assert (never.posterior, never.parameters) == (0.0, ())
    assert "no entry of a table moves it" in repr(never)


def test_without_evidence_only_what_is_above_the_target_matters():
    net = network(oracles.read("asia"))
    found = sensitivity(net, "lung")
    assert {one.node for one in found.parameters} == {"lung", "smoke"}
    assert found.findings == ()
    assert found.evidence == {}


def test_what_is_above_is_cut_off_by_what_is_known():
    net = network(oracles.read("alarm"))
    around = {name: net.levels(name)[0] for name in net.markov_blanket("LVFAILURE")}
    found = net.sensitivity("LVFAILURE", around)
    graph = Graph(tuple(net.nodes), tuple(tuple(net.parents(name)) for name in net.nodes))
    assert {one.node for one in found.parameters} <= {"LVFAILURE", *graph.children_of("LVFAILURE")}


def test_extreme_entries_keep_their_digits():
    tiny = 1e-13
    spec = {
        "ill": {"yes": tiny, "no": 1 - tiny},
        "test": (["ill"], {"yes": {"pos": 1 - 1e-9, "neg": 1e-9}, "no": {"pos": 1e-11, "neg": 1 - 1e-11}}),
    }
    found = sensitivity(likely.Network(spec), "ill", {"test": "pos"}, level="yes")
    prior = next(one for one in found.parameters if (one.node, one.level) == ("ill", "yes"))
    odds = tiny / (1 - tiny) * (1 - 1e-9) / 1e-11
    assert found.posterior == pytest.approx(odds / (1 + odds), rel=1e-12)
    assert prior.high == pytest.approx(2 * odds / (1 + 2 * odds), rel=1e-12)
    assert prior.low == pytest.approx(odds / 2 / (1 + odds / 2), rel=1e-12)


def test_it_reads_as_a_table_and_goes_into_frames_and_json():
    found = network(oracles.read("asia")).sensitivity("lung", {"xray": "yes", "smoke": "yes"})
    text = repr(found)
    assert text.startswith("P(lung=yes | xray=yes, smoke=yes) = 0.64599")
    assert "P(lung=yes | smoke=yes)" in text
    assert "odds doubled" in text
    assert "without it" in text
    frame = found.frame()
    assert list(frame.columns) == ["node", "level", "given", "value", "derivative", "low", "high"]
    assert len(frame) == len(found.parameters)
    assert frame["given"][0] == "smoke=yes"
    told = found.to_dict()
    assert told["parameters"][0]["given"] == {"smoke": "yes"}
    assert told["findings"][0]["node"] == "xray"
    assert json.loads(json.dumps(told))["target"] == "lung"


def test_mistakes_are_named():
    net = network(oracles.read("asia"))
    for code, target, evidence, level in (
        ("O498", "lung", {"lung": "yes"}, None),
        ("M353", "lung", {"xray": Fixed({"yes": 0.7, "no": 0.3})}, None),
        ("O452", "lunge", {}, None),
        ("O461", "lung", {"xray": "maybe"}, None),
        ("O461", "lung", {"xray": "yes"}, "perhaps"),
    ):
        with pytest.raises(likely.LikelyError) as caught:
            net.sensitivity(target, evidence, level=level)
        assert caught.value.code == code
        assert caught.value.hint
    with pytest.raises(likely.LikelyError) as caught:
        net.sensitivity("smoke", {"either": "no", "lung": "yes"})
    assert caught.value.code.startswith("M32")
