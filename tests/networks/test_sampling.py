"""Ancestral draws and likelihood weighting, beside exact answers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from likely.data import blocks
from likely.errors import LikelyError, ModelError, OptionError, SamplingWarning
from likely.networks.inference.evidence import Findings, Fixed, read_evidence
from likely.networks.sampling.likelihood_weighting import Sampled, draw, weighting
from likely.networks.tables.joint import Factored
from likely.structures.graph import Graph
from tests.networks import oracles


def factored(plain: oracles.Plain) -> Factored:
    names = plain.nodes
    graph = Graph(names, tuple(tuple(plain.parents[name]) for name in names))
    return Factored(graph, tuple(tuple(plain.levels[name]) for name in names), tuple(plain.tables[n] for n in names))


def exact(plain: oracles.Plain, evidence: Mapping[str, Any], targets: list[str]) -> np.ndarray:
    """P(targets, evidence): nodes are summed out one after the other, the one that makes the smallest table first."""
    axes = {name: at for at, name in enumerate(plain.nodes)}
    factors = [(plain.tables[name], [axes[one] for one in (*plain.parents[name], name)]) for name in plain.nodes]
    for name, said in evidence.items():
        told = said if isinstance(said, Mapping) else {said: 1.0}
        factors.append((np.array([told.get(level, 0.0) for level in plain.levels[name]]), [axes[name]]))
    sizes = [len(plain.levels[name]) for name in plain.nodes]
    left = set(range(len(sizes))) - {axes[name] for name in targets}

    def around(node: int) -> set[int]:
        return {one for _, mine in factors if node in mine for one in mine}

    while left:
        node = min(left, key=lambda one: int(np.prod([sizes[other] for other in around(one)])))
        kept = sorted(around(node) - {node})
        operands = [part for factor in factors if node in factor[1] for part in factor]
        factors = [factor for factor in factors if node not in factor[1]] + [(np.einsum(*operands, kept), kept)]
        left.remove(node)
    return np.einsum(*[part for factor in factors for part in factor], [axes[name] for name in targets])


def marginals(plain: oracles.Plain, evidence: Mapping[str, Any]) -> list[np.ndarray]:
    found = [exact(plain, evidence, [name]) for name in plain.nodes]
    return [one / one.sum() for one in found]


def distances(sampled: Sampled, expected: list[np.ndarray]) -> np.ndarray:
    """Of every level of every node, how many standard errors it is off."""
    mine, errors = np.concatenate(sampled.marginals), np.concatenate(sampled.marginal_errors)
    off = np.abs(mine - np.concatenate(expected)) - 1e-12
    return np.where(off > 0.0, off / np.maximum(errors, 1e-300), 0.0)


def trusted(runs: list[np.ndarray]) -> bool:
    """Whether runs keep to three standard errors, as far as chance lets hundreds of numbers."""
    every = np.concatenate(runs)
    return bool((every > 3).mean() < 0.01 and every.max() < 4.5 and np.sqrt((every**2).mean()) < 1.2)


def case(name: str, seed: int, many: int) -> tuple[oracles.Plain, Factored, dict[str, Any], Findings]:
    """A network and findings of a row that it can give."""
    plain, rng = oracles.read(name), np.random.default_rng(seed)
    row = plain.sample(rng)
    evidence = {plain.nodes[at]: row[plain.nodes[at]] for at in rng.choice(len(plain.nodes), many, replace=False)}
    found = factored(plain)
    return plain, found, evidence, read_evidence(found, evidence)


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance"])
def test_rows_have_the_shares_of_the_tables(name: str) -> None:
    plain = oracles.read(name)
    net = factored(plain)
    rows = draw(net, 60_000, seed=1)
    assert rows.dtype == np.uint8
    worst = 1.0
    for node, table in enumerate(net.tables):
        cells = np.zeros(len(rows), dtype=np.int64)
        for parent in net.graph.parent_places[node]:
            cells = cells * net.sizes[parent] + rows[:, parent]
        shares = table.reshape(-1, net.sizes[node])
        seen = np.bincount(cells * net.sizes[node] + rows[:, node], minlength=shares.size).reshape(shares.shape)
        assert (seen[shares == 0.0] == 0).all()
        expected = seen.sum(axis=1, keepdims=True) * shares
        enough = (np.where(shares > 0, expected, np.inf).min(axis=1) >= 5) & ((shares > 0).sum(axis=1) > 1)
        if enough.any():
            off = (seen - expected)[enough] ** 2 / np.where(shares > 0, expected, 1.0)[enough]
            worst = min(worst, chi2.sf(off.sum(), ((shares[enough] > 0).sum(axis=1) - 1).sum()))
    assert worst > 1e-4


def test_rows_are_independent_of_each_other() -> None:
    coin = Factored(Graph.of({"a": []}), (("x", "y", "z"),), (np.array([0.2, 0.3, 0.5]),))
    rows = draw(coin, 200_000, seed=3)[:, 0].astype(float)
    for lag in (1, 2, 63, 512, 4096):
        assert abs(np.corrcoef(rows[lag:], rows[:-lag])[0, 1]) < 4 / np.sqrt(len(rows))


def test_a_seed_gives_the_same_rows_however_many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    net = factored(oracles.read("alarm"))
    first = draw(net, 20_000, seed=7)
    monkeypatch.setattr(blocks, "cores", lambda: 1)
    assert np.array_equal(first, draw(net, 20_000, seed=7))
    assert not np.array_equal(first, draw(net, 20_000, seed=8))
    assert not np.array_equal(draw(net, 100), draw(net, 100))


@pytest.mark.parametrize(("levels", "dtype"), [(256, np.uint8), (257, np.int16), (40_000, np.int32)])
def test_nodes_with_many_levels(levels: int, dtype: type) -> None:
    table = np.zeros(levels)
    table[[3, levels - 2]] = 0.25, 0.75
    net = Factored(Graph.of({"a": []}), (tuple(range(levels)),), (table,))
    rows = draw(net, 2000, seed=0)
    assert rows.dtype == dtype
    assert set(np.unique(rows)) == {3, levels - 2}


def test_one_level_and_no_rows() -> None:
    net = Factored(Graph.of({"a": [], "b": ["a"]}), (("x",), ("y", "z")), (np.ones(1), np.array([[0.5, 0.5]])))
    assert draw(net, 0, seed=0).shape == (0, 2)
    assert set(draw(net, 100, seed=0)[:, 0]) == {0}


@pytest.mark.parametrize("many", [0, 4])
@pytest.mark.parametrize("name", ["asia", "child", "alarm", "insurance"])
def test_weighting_is_within_three_standard_errors(name: str, many: int) -> None:
    plain, net, evidence, findings = case(name, 5, many)
    runs = [weighting(net, findings, None, seed=seed) for seed in range(5)]
    expected = marginals(plain, evidence)
    assert trusted([distances(run, expected) for run in runs])
    for run in runs:
        assert run.log_evidence is not None
        assert run.log_evidence_error is not None
        assert abs(run.log_evidence - np.log(exact(plain, evidence, []))) < 3 * run.log_evidence_error + 1e-9
        assert run.rhat is None


def test_weighting_of_joint_and_soft_findings() -> None:
    plain = oracles.read("asia")
    evidence = {"xray": {"yes": 0.9, "no": 0.2}, "smoke": "yes"}
    net = factored(plain)
    targets = tuple(net.graph.at(name) for name in ("lung", "bronc", "tub"))
    found = weighting(net, read_evidence(net, evidence), targets, draws=50_000, seed=1)
    whole = exact(plain, evidence, ["lung", "bronc", "tub"])
    assert found.probabilities is not None
    assert found.errors is not None
    assert found.probabilities.shape == (2, 2, 2)
    assert found.probabilities.sum() == pytest.approx(1.0)
    assert (np.abs(found.probabilities - whole / whole.sum()) < 3 * found.errors).all()
    assert found.log_evidence == pytest.approx(np.log(whole.sum()), abs=0.02)


def test_standard_errors_are_those_of_many_runs() -> None:
    _, net, _, findings = case("child", 5, 4)
    runs = [weighting(net, findings, None, draws=1000, seed=seed) for seed in range(80)]
    shares = np.array([np.concatenate(run.marginals) for run in runs])
    errors = np.sqrt((np.array([np.concatenate(run.marginal_errors) for run in runs]) ** 2).mean(axis=0))
    often = (shares.mean(axis=0) > 0.1) & (shares.mean(axis=0) < 0.9)
    assert 0.85 < (shares.std(axis=0, ddof=1)[often] / errors[often]).mean() < 1.15


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.integers(0, 10_000))
def test_weighting_of_random_networks(seed: int) -> None:
    plain = oracles.random_plain(seed, 6)
    evidence = plain.findings(np.random.default_rng(seed), 3)
    net = factored(plain)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SamplingWarning)
        found = weighting(net, read_evidence(net, evidence), None, draws=4000, seed=seed)
    expected = oracles.Joint(plain).marginals(evidence)
    assert distances(found, [np.asarray(expected[name], float) for name in plain.nodes]).max() < 4.5


def test_what_is_seen_has_no_error() -> None:
    _, net, evidence, findings = case("asia", 2, 2)
    found = weighting(net, findings, None, seed=0)
    for name, level in evidence.items():
        at = net.graph.at(name)
        assert found.marginals[at][net.code(at, level)] == 1.0
        assert (found.marginal_errors[at] == 0.0).all()


def test_impossible_evidence_is_named() -> None:
    net = factored(oracles.read("asia"))
    with pytest.raises(ModelError, match="M331") as caught:
        weighting(net, read_evidence(net, {"lung": "yes", "either": "no"}), (0,), seed=0)
    assert "exact" in caught.value.hint


def test_weights_worth_few_draws_are_told() -> None:
    tables = np.array([0.001, 0.999]), np.array([[1.0, 0.0], [0.0001, 0.9999]])
    net = Factored(Graph.of({"a": [], "b": ["a"]}), (("yes", "no"),) * 2, tables)
    with pytest.warns(SamplingWarning, match="worth"):
        found = weighting(net, read_evidence(net, {"b": "yes"}), (0,), draws=3000, seed=0)
    assert found.effective < 100
    assert found.notes


def test_progress_adds_up_and_an_interrupt_comes_through() -> None:
    net = factored(oracles.read("asia"))
    done: list[int] = []
    draw(net, 100_000, seed=0, tick=done.append)
    assert sum(done) == 100_000
    assert len(done) >= 20
    done.clear()
    weighting(net, read_evidence(net, {}), None, draws=12_345, seed=0, tick=done.append)
    assert sum(done) == 12_345
    assert len(done) >= 20

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        draw(net, 100_000, seed=0, tick=stop)


@pytest.mark.parametrize("bad", [-1, 1.5, "many", True, None])
def test_bad_numbers_of_draws(bad: Any) -> None:
    net = factored(oracles.read("asia"))
    with pytest.raises(OptionError, match="O471"):
        draw(net, bad)
    with pytest.raises(OptionError, match="O471"):
        weighting(net, read_evidence(net, {}), None, draws=bad)


@pytest.mark.parametrize("bad", [-1, 0.5, "x", True])
def test_bad_seeds(bad: Any) -> None:
    net = factored(oracles.read("asia"))
    with pytest.raises(OptionError, match="O475"):
        draw(net, 5, seed=bad)


def test_what_draws_cannot_do_is_refused() -> None:
    net = factored(oracles.read("alarm"))
    with pytest.raises(LikelyError, match="M332"):
        weighting(net, read_evidence(net, {}), tuple(range(20)))
    with pytest.raises(LikelyError, match="M333"):
        weighting(net, read_evidence(net, {"CO": Fixed({"LOW": 0.5, "NORMAL": 0.5})}), (0,))
