"""Gibbs sampling beside exact answers, and what it says where it cannot be trusted."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.errors import ModelError, OptionError, SamplingWarning
from likely.networks.inference.evidence import Findings, read_evidence
from likely.networks.sampling import gibbs as module
from likely.networks.sampling.gibbs import gibbs
from likely.networks.sampling.likelihood_weighting import Sampled
from likely.networks.tables.joint import Factored
from likely.structures.graph import Graph
from tests.networks import oracles
from tests.networks.test_sampling import case, distances, exact, factored, marginals, trusted


def quietly(net: Factored, findings: Findings, targets: tuple[int, ...] | None, **options: Any) -> Sampled:
    """The warnings of tables with zeros are looked at in tests of their own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SamplingWarning)
        return gibbs(net, findings, targets, **options)


def ring(length: int) -> Factored:
    """Coins, of which each two neighbours must be alike: all heads or all tails, and no way from one to the other."""
    parents = {f"c{at}": [] for at in range(length)}
    parents |= {f"same{at}": [f"c{at}", f"c{at + 1}"] for at in range(length - 1)}
    graph = Graph.of(parents)
    alike = np.array([[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]])
    tables = [np.array([0.5, 0.5])] * length + [alike] * (length - 1)
    return Factored(graph, (("no", "yes"),) * len(graph.nodes), tuple(tables))


def held(length: int) -> dict[str, str]:
    return {f"same{at}": "yes" for at in range(length - 1)}


@pytest.mark.parametrize("many", [0, 4])
@pytest.mark.parametrize("name", ["asia", "child", "alarm", "insurance"])
def test_gibbs_is_within_three_standard_errors(name: str, many: int) -> None:
    plain, net, evidence, findings = case(name, 5, many)
    runs = [quietly(net, findings, None, draws=60_000, seed=seed) for seed in range(4)]
    expected = marginals(plain, evidence)
    assert trusted([distances(run, expected) for run in runs])
    assert all(run.log_evidence is None for run in runs)


def test_joint_and_soft_findings() -> None:
    plain = oracles.read("asia")
    evidence = {"xray": {"yes": 0.9, "no": 0.2}, "smoke": "yes", "dysp": "yes"}
    net = factored(plain)
    targets = tuple(net.graph.at(name) for name in ("lung", "bronc"))
    found = quietly(net, read_evidence(net, evidence), targets, draws=40_000, seed=0)
    whole = exact(plain, evidence, ["lung", "bronc"])
    assert found.probabilities is not None
    assert found.errors is not None
    assert found.probabilities.shape == (2, 2)
    assert (np.abs(found.probabilities - whole / whole.sum()) < 3 * found.errors).all()


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.2]))
def test_random_networks(seed: int, zeros: float) -> None:
    plain = oracles.random_plain(seed, 6, zeros=zeros)
    evidence = plain.findings(np.random.default_rng(seed), 3)
    net = factored(plain)
    found = quietly(net, read_evidence(net, evidence), None, draws=8000, seed=seed)
    expected = oracles.Joint(plain).marginals(evidence)
    assert distances(found, [np.asarray(expected[name], float) for name in plain.nodes]).max() < 4.5


def test_standard_errors_are_those_of_many_runs() -> None:
    _, net, _, findings = case("child", 5, 4)
    runs = [quietly(net, findings, None, draws=2000, seed=seed) for seed in range(60)]
    shares = np.array([np.concatenate(run.marginals) for run in runs])
    errors = np.sqrt((np.array([np.concatenate(run.marginal_errors) for run in runs]) ** 2).mean(axis=0))
    often = (shares.mean(axis=0) > 0.1) & (shares.mean(axis=0) < 0.9)
    assert 0.75 < (shares.std(axis=0, ddof=1)[often] / errors[often]).mean() < 1.15


def test_sweeps_alone_are_right_where_no_table_has_zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FRESH", 1 << 40)  # no fresh start is ever offered but before the first sweep
    plain = oracles.random_plain(11, 8, zeros=0.0)
    net = factored(plain)
    evidence = plain.findings(np.random.default_rng(3), 2)
    found = gibbs(net, read_evidence(net, evidence), None, draws=40_000, seed=0)
    expected = oracles.Joint(plain).marginals(evidence)
    assert distances(found, [np.asarray(expected[name], float) for name in plain.nodes]).max() < 3.5
    assert found.notes == ()


def test_a_deterministic_node_is_named() -> None:
    net = factored(oracles.read("asia"))
    with pytest.warns(SamplingWarning, match="'either'"):
        found = gibbs(net, read_evidence(net, {"xray": "yes"}), (net.graph.at("lung"),), seed=0)
    assert any("zeros in the tables of 'either'" in note for note in found.notes)


def test_no_warning_where_zeros_do_not_matter() -> None:
    net = factored(oracles.read("asia"))
    # 'either' and what follows from it say nothing of lung; nor does it where all its parents are seen
    gibbs(net, read_evidence(net, {"smoke": "yes"}), (net.graph.at("lung"),), seed=0)
    seen = read_evidence(net, {"tub": "no", "lung": "yes", "xray": "yes"})
    assert gibbs(net, seen, (net.graph.at("bronc"),), seed=0).notes == ()


def test_chains_that_are_stuck_say_so() -> None:
    net, evidence = ring(12), held(12)
    with pytest.warns(SamplingWarning, match="do not agree"):
        found = gibbs(net, read_evidence(net, evidence), (0,), seed=0)
    assert found.probabilities is not None
    assert found.errors is not None
    assert found.rhat is not None
    assert found.rhat > 1.01
    assert found.effective < 20
    assert (np.abs(found.probabilities - 0.5) < 3 * found.errors).all()
    text = " ".join(found.notes)
    assert re.search(r"zeros in the tables of 'same0'.* 'c0', 'c1'.* could never move alone", text)


def test_chains_stuck_in_the_same_place_have_large_errors() -> None:
    net, evidence = ring(12), held(12)
    for seed in range(12):
        with pytest.warns(SamplingWarning, match="tie hidden nodes"):
            found = gibbs(net, read_evidence(net, evidence), (0,), seed=seed)
        assert found.errors is not None
        assert found.rhat is not None
        assert (found.errors > 0.1).all()
        assert np.isnan(found.rhat) or found.rhat > 1.01


def test_fresh_starts_free_a_small_knot() -> None:
    net, evidence = ring(2), held(2)
    found = quietly(net, read_evidence(net, evidence), (0, 1), seed=0)
    assert found.probabilities is not None
    assert found.errors is not None
    assert (np.abs(found.probabilities - np.eye(2) / 2) <= 3 * found.errors).all()
    assert found.effective > 100


def test_many_children_do_not_make_a_product_vanish() -> None:
    children = 400
    parents = {"a": [], **{f"b{at}": ["a"] for at in range(children)}}
    row = np.array([[1e-3, 1 - 1e-3], [1.001e-3, 1 - 1.001e-3]])
    net = Factored(Graph.of(parents), (("x", "y"),) * (children + 1), (np.array([0.6, 0.4]), *[row] * children))
    evidence = {f"b{at}": "x" for at in range(children)}
    found = gibbs(net, read_evidence(net, evidence), (0,), draws=10_000, seed=0)
    odds = 0.4 / 0.6 * 1.001**children
    assert found.probabilities is not None
    assert found.errors is not None
    assert abs(found.probabilities[1] - odds / (1 + odds)) < 3 * found.errors[1]


def test_options_change_what_is_drawn_and_seeds_reproduce() -> None:
    net = factored(oracles.read("child"))
    findings = read_evidence(net, {})
    first, again = (quietly(net, findings, None, draws=1000, seed=5) for _ in range(2))
    pairs = zip(first.marginals + first.marginal_errors, again.marginals + again.marginal_errors, strict=True)
    assert all(np.array_equal(one, other) for one, other in pairs)
    other = quietly(net, findings, None, draws=1000, seed=6)
    assert not all(np.array_equal(one, two) for one, two in zip(first.marginals, other.marginals, strict=True))
    found = quietly(net, findings, None, draws=1001, chains=3, burn_in=0, thin=4, seed=5)
    assert found.draws == 1002
    assert all(one.sum() == pytest.approx(1.0) for one in found.marginals)


@pytest.mark.parametrize(("draws", "chains"), [(1, 1), (1, 4), (7, 2), (600, 1)])
def test_short_runs(draws: int, chains: int) -> None:
    net = factored(oracles.read("cancer"))
    found = quietly(net, read_evidence(net, {}), None, draws=draws, chains=chains, seed=0)
    assert found.effective <= found.draws
    assert all(np.isfinite(one).all() for one in found.marginal_errors)


def test_progress_adds_up_and_an_interrupt_comes_through() -> None:
    net = factored(oracles.read("cancer"))
    done: list[int] = []
    found = quietly(net, read_evidence(net, {}), None, draws=10_001, thin=3, seed=0, tick=done.append)
    assert sum(done) == found.draws
    assert len(done) >= 20

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        quietly(net, read_evidence(net, {}), None, tick=stop)


def test_impossible_evidence_is_named() -> None:
    net = factored(oracles.read("asia"))
    with pytest.raises(ModelError, match="M331"):
        gibbs(net, read_evidence(net, {"lung": "yes", "either": "no"}), None, seed=0)


@pytest.mark.parametrize(
    ("option", "bad", "code"),
    [
        ("draws", 0, "O471"),
        ("chains", 0, "O472"),
        ("burn_in", -1, "O473"),
        ("thin", 0, "O474"),
        ("thin", 1.5, "O474"),
        ("seed", "x", "O475"),
    ],
)
def test_bad_options(option: str, bad: Any, code: str) -> None:
    net = factored(oracles.read("cancer"))
    with pytest.raises(OptionError, match=code):
        gibbs(net, read_evidence(net, {}), None, **{option: bad})


def test_nothing_hidden_and_a_target_that_was_seen() -> None:
    net = factored(oracles.read("cancer"))
    row = {name: levels[0] for name, levels in zip(net.graph.nodes, net.levels, strict=True)}
    found = gibbs(net, read_evidence(net, row), None, draws=400, seed=0)
    assert all(np.array_equal(one, [1.0, 0.0]) for one in found.marginals)
    assert all((one == 0.0).all() for one in found.marginal_errors)
    name = net.graph.nodes[1]
    joint = gibbs(net, read_evidence(net, {name: row[name]}), (0, 1), seed=0)
    assert joint.probabilities is not None
    assert joint.probabilities[:, 0].sum() == 1.0
