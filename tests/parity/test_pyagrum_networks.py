"""Every network of the shared folder: all marginals and the probability of the evidence are those of pyAgrum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import likely

from ..networks import oracles
from ..networks.oracles import gum

pytestmark = pytest.mark.skipif(not oracles.FILES, reason="the shared networks are not here")

LARGE = ("munin1",)  # of which pyAgrum needs a second where findings are many, a minute where they are few
FINDINGS, MANY = (0, 10), (20, 40)


def agree(name: str, sets: int, seed: int, findings: tuple[int, int] = FINDINGS) -> None:
    """So many sets of findings on which pyAgrum does not give up."""
    plain, rng, given_up = oracles.read(name), np.random.default_rng(seed), 0
    net, engine = likely.Network.read(oracles.bif(name)), gum.LazyPropagation(oracles.agrum(plain))
    least, most = findings
    while sets > 0:
        evidence = plain.findings(rng, most, least)
        found, log_probability = net.marginals(evidence), net.log_probability(evidence)
        if answers(engine, evidence):
            for node in plain.nodes:
                expected = engine.posterior(node).toarray()
                np.testing.assert_allclose(found[node].probabilities, expected, rtol=0, atol=1e-9)
            assert log_probability == pytest.approx(math.log(engine.evidenceProbability()), rel=1e-9, abs=1e-9)
            sets -= 1
        else:
            given_up += 1
    assert given_up == 0 or name in LARGE


def answers(engine: Any, evidence: dict[str, str]) -> bool:
    """Whether pyAgrum finds room for this evidence: it triangulates anew for each, sometimes badly."""
    engine.setEvidence(evidence)
    try:
        engine.makeInference()
    except Exception as failure:
        if "bad_alloc" not in str(failure):
            raise
        return False
    return True


@pytest.mark.parametrize("name", [name for name in oracles.FILES if name not in LARGE])
def test_five_sets_of_findings(name: str) -> None:
    agree(name, 5, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", oracles.FILES)
def test_two_hundred_sets_of_findings(name: str) -> None:
    if name in LARGE:
        agree(name, 5, seed=3)
    agree(name, 200, seed=2, findings=MANY if name in LARGE else FINDINGS)


@pytest.mark.parametrize("name", [name for name in oracles.FILES if name not in LARGE])
def test_tables_and_graph(name: str) -> None:
    plain, net = oracles.read(name), likely.Network.read(oracles.bif(name))
    peer = oracles.agrum(plain)
    assert set(net.nodes) == set(peer.names())
    assert {(parent, child) for parent, child in net.edges} == {
        (peer.variable(tail).name(), peer.variable(head).name()) for tail, head in peer.arcs()
    }


@pytest.mark.parametrize("name", ["alarm", "insurance", "water"])
def test_likelihoods_and_joint_queries(name: str) -> None:
    plain, rng = oracles.read(name), np.random.default_rng(3)
    net, peer = likely.Network.read(oracles.bif(name)), oracles.agrum(plain)
    for _ in range(5):
        evidence = plain.findings(rng, 5)
        free = [node for node in plain.nodes if node not in evidence]
        vague, *targets = rng.permutation(free)[:3].tolist()
        likelihood = 0.1 + rng.random(len(plain.levels[vague]))
        engine = gum.LazyPropagation(peer)
        engine.setEvidence({**evidence, vague: likelihood.tolist()})
        engine.addJointTarget(set(targets))
        engine.makeInference()
        tensor = engine.jointPosterior(set(targets))
        expected = tensor.toarray()  # its axes are listed from the last
        if list(reversed(tensor.names)) != targets:
            expected = expected.T
        found = net.query(targets, {**evidence, vague: likelihood})
        np.testing.assert_allclose(found.probabilities, expected, rtol=0, atol=1e-9)
