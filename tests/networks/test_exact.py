"""Exact answers: the same as enumerating every assignment, whatever is asked and whatever is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import likely
from likely.networks import Fixed

from . import oracles
from .oracles import SMALL, Joint, Plain

EXACT = {"rtol": 0.0, "atol": 1e-12}
SEEDS = st.integers(0, 2**32 - 1)
small_files = pytest.mark.skipif(not SMALL, reason="the shared networks are not here")


def network(plain: Plain) -> likely.Network:
    return likely.Network(plain.spec(), levels=plain.levels)


def agree(net: likely.Network, joint: Joint, evidence: dict[str, Any], rng: np.random.Generator) -> None:
    """Marginals, queries of one to three targets in any order, the probability and the best assignment."""
    nodes = joint.plain.nodes
    marginals, expected = net.marginals(evidence), joint.marginals(evidence)
    assert list(marginals) == list(nodes)
    for node in nodes:
        np.testing.assert_allclose(marginals[node].probabilities, expected[node], **EXACT)
    for count in (1, 2, 3):
        targets = [nodes[at] for at in rng.permutation(len(nodes))[:count]]
        found = net.query(targets if len(targets) > 1 else targets[0], evidence)
        assert found.targets == tuple(targets)
        np.testing.assert_allclose(found.probabilities, joint.query(targets, evidence), **EXACT)
    probability = joint.probability(evidence)
    assert net.probability(evidence) == pytest.approx(probability, rel=1e-12)
    assert net.log_probability(evidence) == pytest.approx(math.log(probability), rel=1e-12, abs=1e-12)
    best = net.most_probable(evidence)
    assert list(best) == list(nodes)
    assert best.probability == pytest.approx(joint.best(evidence), rel=1e-12)
    assert best.posterior == pytest.approx(joint.best(evidence) / probability, rel=1e-12)
    assert joint.at(best, evidence) == pytest.approx(joint.best(evidence), rel=1e-12)


@small_files
@pytest.mark.parametrize("name", SMALL)
def test_small_files_agree_with_enumeration(name: str) -> None:
    net, joint, rng = likely.Network.read(oracles.bif(name)), oracles.joint(name), np.random.default_rng(7)
    for _ in range(3 if name == "sachs" else 15):
        agree(net, joint, joint.plain.findings(rng, 10), rng)
    for _ in range(3 if name == "sachs" else 15):
        agree(net, joint, joint.plain.mixed(rng, 6), rng)


@given(seed=SEEDS, nodes=st.integers(1, 8), arcs=st.sampled_from([0.0, 0.2, 0.5, 0.9]))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_random_networks_agree_with_enumeration(seed: int, nodes: int, arcs: float) -> None:
    plain, rng = oracles.random_plain(seed, nodes, arcs), np.random.default_rng(seed)
    net, joint = network(plain), Joint(plain)
    for evidence in ({}, plain.findings(rng, nodes), plain.mixed(rng, nodes)):
        agree(net, joint, evidence, rng)


@given(seed=SEEDS, nodes=st.integers(2, 6))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_fixed_evidence_is_proportional_fitting_of_the_joint(seed: int, nodes: int) -> None:
    plain, rng = oracles.random_plain(seed, nodes, zeros=0.0), np.random.default_rng(seed)
    net, joint = network(plain), Joint(plain)
    evidence = plain.mixed(rng, nodes)
    for node in [node for node in plain.nodes if node not in evidence][:2]:
        levels = plain.levels[node]
        shares = rng.dirichlet(np.ones(len(levels))) if rng.random() < 0.8 else np.eye(len(levels))[-1]
        evidence[node] = Fixed(dict(zip(levels, shares.tolist(), strict=True)))
    told = {
        node: oracles.Fixed(said.probabilities) if isinstance(said, Fixed) else said for node, said in evidence.items()
    }
    expected, found = joint.marginals(told), net.marginals(evidence)
    for node in plain.nodes:
        np.testing.assert_allclose(found[node].probabilities, expected[node], rtol=0, atol=1e-10)
    targets = list(plain.nodes[:2])
    np.testing.assert_allclose(net.query(targets, evidence).probabilities, joint.query(targets, told), atol=1e-10)


@small_files
@pytest.mark.parametrize("name", ["alarm", "win95pts", "hailfinder", "insurance"])
def test_most_probable_of_larger_files(name: str) -> None:
    plain, net = oracles.read(name), likely.Network.read(oracles.bif(name))
    rng = np.random.default_rng(4)
    for _ in range(5):
        evidence = plain.findings(rng, 8)
        best = net.most_probable(evidence)
        assert best.log_probability == pytest.approx(oracles.log_best(plain, evidence), rel=1e-9, abs=1e-9)
        assert best.log_probability == pytest.approx(net.log_probability(dict(best)), rel=1e-9, abs=1e-9)
        assert all(best[node] == level for node, level in evidence.items())


@small_files
def test_jeffrey_on_asia_by_hand() -> None:
    """P(x) = sum over the levels of the fixed node of P(x | level) times its share."""
    net, joint = likely.Network.read(oracles.bif("asia")), oracles.joint("asia")
    found = net.query("lung", {"xray": Fixed({"yes": 0.7, "no": 0.3})})
    by_hand = 0.7 * joint.query("lung", {"xray": "yes"}) + 0.3 * joint.query("lung", {"xray": "no"})
    np.testing.assert_allclose(found.probabilities, by_hand, **EXACT)


@small_files
def test_likelihoods_count_up_to_scale_and_zero_excludes() -> None:
    net = likely.Network.read(oracles.bif("asia"))
    first = net.query("lung", {"xray": {"yes": 0.9, "no": 0.2}})
    np.testing.assert_allclose(net.query("lung", {"xray": np.array([9e-200, 2e-200])}).probabilities, first, **EXACT)
    np.testing.assert_allclose(net.query("lung", {"xray": {"yes": 5.0}}), net.query("lung", {"xray": "yes"}), **EXACT)
    every = net.query("lung", {"xray": ["yes", "no"]})
    np.testing.assert_allclose(every.probabilities, net.query("lung").probabilities, **EXACT)


IMPOSSIBLE: list[dict[str, Any]] = [
    {"tub": "yes", "either": "no"},
    {"tub": "no", "lung": "no", "either": "yes", "asia": "no"},
    {"lung": ["yes"], "either": {"no": 0.5}},
]


@small_files
@pytest.mark.parametrize("evidence", IMPOSSIBLE)
def test_impossible_evidence_is_named(evidence: dict[str, Any]) -> None:
    net = likely.Network.read(oracles.bif("asia"))
    asked = {
        "query": lambda: net.query("dysp", evidence),
        "query apart": lambda: net.query("smoke", evidence),
        "joint query": lambda: net.query(["bronc", "xray"], evidence),
        "marginals": lambda: net.marginals(evidence),
        "most_probable": lambda: net.most_probable(evidence),
        "sample": lambda: net.sample(10, seed=0, given=evidence),
    }
    for name, ask in asked.items():
        with pytest.raises(likely.LikelyError) as refusal:
            ask()
        assert refusal.value.code == "M321", name
        assert "either" in str(refusal.value), name


@small_files
def test_what_cannot_be_fixed_is_named() -> None:
    net = likely.Network.read(oracles.bif("asia"))
    with pytest.raises(likely.LikelyError, match="'tub' cannot be 'yes'") as refusal:
        net.query("dysp", {"tub": Fixed({"yes": 0.5, "no": 0.5}), "either": "no"})
    assert refusal.value.code == "M323"
    with pytest.raises(likely.LikelyError) as refusal:
        net.query("dysp", {"either": Fixed({"yes": 0.9, "no": 0.1}), "tub": Fixed({"yes": 0.95, "no": 0.05})})
    assert refusal.value.code == "M323"


@small_files
def test_impossible_evidence_has_probability_zero() -> None:
    net = likely.Network.read(oracles.bif("asia"))
    assert net.probability({"tub": "yes", "either": "no"}) == 0.0
    assert net.log_probability({"tub": "yes", "either": "no"}) == -math.inf
    assert net.probability({}) == pytest.approx(1.0, rel=1e-12)
    assert net.log_probability({}) == pytest.approx(0.0, abs=1e-12)


def test_impossible_evidence_of_another_component_is_not_overlooked() -> None:
    net = likely.Network({"a": {"x": 1.0, "y": 0.0}, "b": {"x": 0.5, "y": 0.5}})
    with pytest.raises(likely.LikelyError) as refusal:
        net.query("b", {"a": "y"})
    assert refusal.value.code == "M321"
    net = likely.Network({"a": {"x": 1.0, "y": 0.0}, "b": {"x": 0.5, "y": 0.5}, "c": {"x": 0.5, "y": 0.5}})
    with pytest.raises(likely.LikelyError) as refusal:
        net.query(["b", "c"], {"a": "y"})
    assert refusal.value.code == "M321"


def test_tiny_probabilities_do_not_vanish() -> None:
    plain = oracles.chain(2_000, 1e-9)
    net, evidence = network(plain), dict.fromkeys(plain.nodes, "yes")
    assert net.log_probability(evidence) == pytest.approx(2_000 * math.log(1e-9), rel=1e-12)
    assert net.probability(evidence) == 0.0
    some = dict.fromkeys(plain.nodes[::2], "yes")
    assert net.log_probability(some) == pytest.approx(1_000 * math.log(1e-9), rel=1e-12)
    assert net.query("x1", some)["yes"] == pytest.approx(1e-9, rel=1e-9)
    assert net.marginals(some)["x1999"]["yes"] == pytest.approx(1e-9, rel=1e-9)
    assert net.most_probable(some)["x1"] == "no"
    assert net.most_probable(some).log_probability == pytest.approx(1_000 * math.log(1e-9), rel=1e-9)
    assert net.most_probable(some).posterior == pytest.approx(1.0, abs=1e-5)


@given(seed=SEEDS)
@settings(derandomize=True, deadline=None, max_examples=30)
def test_separated_findings_and_barren_nodes_change_nothing(seed: int) -> None:
    plain, rng = oracles.random_plain(seed, 8, arcs=0.3, zeros=0.0), np.random.default_rng(seed)
    net, evidence = network(plain), plain.findings(rng, 3)
    target = plain.nodes[0]
    before = net.query(target, evidence).probabilities
    known = [node for node in evidence if node != target]
    for node in plain.nodes[1:]:
        if node not in evidence and net.d_separated(target, node, given=known):
            for level in plain.levels[node]:
                after = net.query(target, {**evidence, node: level}).probabilities
                np.testing.assert_allclose(after, before, **EXACT)
    above = {target, *evidence} | set(net.graph.ancestors([target, *evidence]))
    kept = Plain(*({node: one[node] for node in plain.nodes if node in above} for one in _parts(plain)))
    np.testing.assert_allclose(network(kept).query(target, evidence).probabilities, before, **EXACT)


def _parts(plain: Plain) -> tuple[Any, ...]:
    return plain.levels, plain.parents, plain.tables


@small_files
def test_rows_drawn_given_evidence_have_the_exact_distribution() -> None:
    net, joint = likely.Network.read(oracles.bif("asia")), oracles.joint("asia")
    evidence = {"xray": "yes", "smoke": "no"}
    drawn = net.sample(20_000, seed=1, given=evidence)
    assert set(drawn["xray"]) == {"yes"}
    for targets in (["lung", "tub"], ["bronc", "dysp"]):
        expected = joint.query(targets, evidence).astype(float).reshape(-1)
        levels = [list(joint.plain.levels[node]) for node in targets]
        place = sum(
            np.array([mine.index(level) for level in drawn[node]]) * size
            for node, mine, size in zip(targets, levels, (2, 1), strict=True)
        )
        counts = np.bincount(place, minlength=4)
        assert (counts[expected == 0] == 0).all()
        assert chisquare(counts[expected > 0], 20_000 * expected[expected > 0]).pvalue > 1e-3


def test_a_wide_network_is_refused_before_the_work_and_can_be_sampled(calls: Callable[..., int]) -> None:
    net = network(oracles.grid(40))
    for ask in (
        lambda: net.query("g39_39"),
        lambda: net.query("g20_20", {"g39_39": "yes"}),
        lambda: net.marginals(),
        lambda: net.sample(5, given={"g39_39": "yes"}),
        lambda: net.query_many({"g39_39": ["yes"]}),
        lambda: net.most_probable({"g39_39": "yes"}),
    ):
        with pytest.raises(likely.LikelyError) as refusal:
            ask()
        assert refusal.value.code == "M322"
        assert "TiB" in refusal.value.message
        assert int(refusal.value.message.rsplit(" ", 1)[1]) >= 39
        assert "weighting" in refusal.value.hint
    assert calls(lambda: network(oracles.grid(40)).cost()) < 5e6  # enough to look for an order of 1,600 nodes
    cost = net.cost()
    assert not cost.feasible
    assert cost.width >= 39
    found = net.query("g39_39", {"g0_0": "yes"}, method="weighting", draws=2_000, seed=0)
    assert sum(found.values()) == pytest.approx(1.0)
    assert found.errors is not None


def test_what_does_not_need_the_whole_of_a_wide_network_is_answered() -> None:
    plain = oracles.grid(40)
    net = network(plain)
    np.testing.assert_allclose(net.query("g0_0").probabilities, plain.tables["g0_0"], **EXACT)
    first, second = plain.tables["g0_0"], plain.tables["g0_1"]
    np.testing.assert_allclose(net.query("g0_1", {"g0_0": "yes"}).probabilities, second[1], **EXACT)
    assert net.probability({"g0_0": "no", "g0_1": "yes"}) == pytest.approx(first[0] * second[0, 1], rel=1e-12)


def test_what_is_fixed_sums_to_one_and_what_is_none_is_not_known() -> None:
    net = likely.networks.asia()
    with pytest.raises(likely.LikelyError, match=r"sum to 0\.8") as refusal:
        net.query("lung", {"tub": Fixed({"yes": 0.8})})
    assert refusal.value.code == "O463"
    assert dict(net.query("lung", {"xray": None, "tub": float("nan")})) == dict(net.query("lung"))


def test_an_answer_is_read_by_any_spelling_of_a_level() -> None:
    coin = likely.Network({"coin": {"0": 0.25, "1": 0.75}}).query("coin")
    assert coin[1] == coin["1"] == coin[1.0] == 0.75
    with pytest.raises(KeyError, match="O464"):
        coin["2"]


def test_many_small_factors_in_one_clique_do_not_vanish() -> None:
    rng = np.random.default_rng(0)
    classes, features = 10, 400
    names = [f"x{at}" for at in range(features)]
    tables = rng.dirichlet(np.ones(2), size=(features, classes))
    net = likely.Network(
        {"class": np.full(classes, 1 / classes)} | {name: ("class", tables[at]) for at, name in enumerate(names)},
        levels={"class": range(classes)} | dict.fromkeys(names, ("a", "b")),
    )
    seen = rng.integers(0, 2, features)
    evidence = dict(zip(names, np.array(["a", "b"])[seen], strict=True))
    logs = np.log(tables[np.arange(features), :, seen]).sum(axis=0) - np.log(classes)
    whole = np.logaddexp.reduce(logs)
    for method in ("junction", "elimination"):
        np.testing.assert_allclose(net.query("class", evidence, method).probabilities, np.exp(logs - whole), atol=1e-12)
    assert net.log_probability(evidence) == pytest.approx(whole, rel=1e-12)
    np.testing.assert_allclose(net.query_many([evidence] * 9, "class")["class"][8], np.exp(logs - whole), atol=1e-12)
    assert net.most_probable(evidence)["class"] == logs.argmax()


def test_likelihoods_of_any_size_are_the_same_evidence() -> None:
    net = likely.networks.asia()
    usual = net.query("lung", {"xray": {"yes": 2.0, "no": 1.0}, "dysp": {"yes": 1.0, "no": 3.0}})
    for scale in (1e-310, 1e-300, 1e300):
        told = {"xray": {"yes": 2.0 * scale, "no": scale}, "dysp": {"yes": scale, "no": 3.0 * scale}}
        np.testing.assert_allclose(net.query("lung", told).probabilities, usual.probabilities, rtol=1e-9)


def test_rows_of_which_nothing_is_known_are_rows() -> None:
    found = likely.networks.asia().query_many([{}, {}], "lung")
    np.testing.assert_allclose(found["lung"], [[0.055, 0.945]] * 2, atol=1e-12)
    assert "tub" not in found


def test_declared_levels_stay_whatever_rows_hold() -> None:
    rows = {"a": ["x", "y", "x"], "b": [0, 1, 1]}
    net = likely.Network({"a": [], "b": ["a"]}, levels={"a": ["x", "y", "z"]})
    before = net.score(rows)
    assert net.fit(rows).levels("a") == ("x", "y", "z")
    assert net.score(rows) == before
    counts = {"a": [1, 1, 0], "b": [[1, 0], [0, 1], [0, 0]]}
    made = likely.Network.from_counts({"a": [], "b": ["a"]}, counts, {"a": ["x", "y", "z"], "b": [0, 1]})
    assert made.fit(rows).levels("a") == ("x", "y", "z")


def test_a_row_of_a_frame_is_evidence() -> None:
    pd = pytest.importorskip("pandas")
    net = likely.networks.asia()
    row = pd.DataFrame({"xray": ["yes"], "tub": [pd.NA], "dysp": [None]}).iloc[0]
    assert dict(net.query("lung", row)) == dict(net.query("lung", {"xray": "yes"}))


def test_networks_are_equal_by_their_content() -> None:
    net = likely.networks.asia()
    assert net == likely.networks.asia()
    assert net != likely.Network(net.edges)
    assert likely.Network(net.edges) == likely.Network(net.edges)
    assert net.table("lung") == likely.networks.asia().table("lung")
    for kind in ("bif", "json"):
        assert likely.Network.loads(net.dumps(kind), kind) == net
    typed = likely.Network({"a": {0: 0.25, 1: 0.75}, "b": ("a", {0: {True: 0.5, False: 0.5}, 1: {True: 1, False: 0}})})
    assert likely.Network.loads(typed.dumps("json"), "json") == typed


def test_what_would_not_fit_is_refused() -> None:
    causes = {f"c{at}": 0.5 for at in range(40)}
    nodes = {name: {"no": 0.5, "yes": 0.5} for name in causes} | {"e": likely.NoisyOr(causes)}
    for ask, code in ((lambda: likely.Network(nodes), "O489"), (lambda: likely.networks.asia().sample(10**13), "O499")):
        with pytest.raises(likely.LikelyError, match=code):
            ask()


def test_a_batch_leaves_out_what_does_not_matter_where_all_is_too_much() -> None:
    side = 32
    arcs = [((r, c), (r + 1, c)) for r in range(side - 1) for c in range(side)]
    arcs += [((r, c), (r, c + 1)) for r in range(side) for c in range(side - 1)]
    graph = likely.Network([(f"{a}", f"{b}") for a, b in arcs]).graph
    rng = np.random.default_rng(0)
    net = likely.Network(
        {
            name: (list(mine), rng.dirichlet([1, 1], size=(2,) * len(mine)))
            for name, mine in zip(graph.nodes, graph.parents, strict=True)
        },
        levels=dict.fromkeys(graph.nodes, ("n", "y")),
    )
    assert not net.cost().feasible
    found = net.query_many({"(1, 1)": ["y", None]}, "(0, 1)")
    np.testing.assert_allclose(found["(0, 1)"][0], net.query("(0, 1)", {"(1, 1)": "y"}).probabilities, atol=1e-12)
