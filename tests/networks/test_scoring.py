"""Log likelihoods by enumeration, scores as pgmpy gives them, holes, and a network as prior."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likely
from likely.errors import LikelyError
from likely.networks.inference.exact import Exact
from likely.networks.learning.learnt_tables import fit, from_counts
from likely.networks.structure.network_prior import expert_of
from likely.networks.structure.row_codes import Coded
from likely.networks.structure.scorer import RowScorer
from likely.networks.structure.scores import log_likelihood, node_scores, score
from likely.networks.tables.joint import Factored
from likely.structures.graph import Graph
from likely.structures.search.score_names import GRAPH_SCORES, read_score

GRAPH = Graph.of({"a": [], "b": ["a"], "c": ["a", "b"], "d": ["c"]})
SIZES = (2, 3, 2, 4)

# of each node, by pgmpy 1.1.2 on the rows of `golden`; its BDeu with an equivalent sample size of 10
PGMPY = {
    "bic": [-210.7960454053117, -340.87202801603786, -140.35882299929193, -429.70950341346145],
    "mdl": [-210.7960454053117, -340.87202801603786, -140.35882299929193, -429.70950341346145],
    "aic": [-208.9441541679836, -333.46446306672544, -129.24747557532334, -418.59815598949285],
    "log-likelihood": [-207.9441541679836, -329.46446306672544, -123.24747557532334, -412.59815598949285],
    "bdeu": [-209.685300138958, -336.5899518159621, -136.80152169195267, -423.267834532116],
    "k2": [-210.5727485109694, -337.7515896615131, -137.06241118142225, -424.00754739778927],
}


def golden():
    at = np.arange(300)
    a = (at * at // 3) % 2
    b = (at // 7 + a) % 3
    c = ((at % 5 == 0) | (a * b > 1)).astype(int)
    return pd.DataFrame({"a": a, "b": b, "c": c, "d": (at % 11 + b + c) % 4})


def drawn(seed=0):
    rng = np.random.default_rng(seed)
    shapes = [tuple(SIZES[at] for at in (*parents, node)) for node, parents in enumerate(GRAPH.parent_places)]
    tables = tuple(rng.dirichlet(np.ones(shape[-1]), shape[:-1]) for shape in shapes)
    return Factored(GRAPH, tuple(tuple(range(size)) for size in SIZES), tables)


def enumerated(factored, row):
    whole = 0.0
    for one in np.ndindex(*SIZES):
        if all(value in (-1, found) for value, found in zip(row, one, strict=True)):
            pairs = enumerate(GRAPH.parent_places)
            whole += np.prod([factored.tables[at][(*(one[p] for p in mine), one[at])] for at, mine in pairs])
    return np.log(whole)


@pytest.mark.parametrize("kind", PGMPY)
def test_as_pgmpy_scores_it(kind):
    counts = fit(GRAPH, None, golden()).counts
    np.testing.assert_allclose(node_scores(counts, kind, strength=10), PGMPY[kind], rtol=1e-12)
    assert score(GRAPH, golden(), kind, strength=10) == pytest.approx(sum(PGMPY[kind]), rel=1e-12)


def test_the_log_likelihood_score_is_that_of_the_tables_by_maximum_likelihood():
    factored = fit(GRAPH, None, golden(), estimate="mle").factored()
    told = log_likelihood(Exact(factored), golden().to_numpy())
    assert told.sum() == pytest.approx(score(GRAPH, golden(), "log-likelihood"), rel=1e-12)


def test_log_evidence_is_a_chain_of_predictions():
    frame = golden().sample(40, random_state=0)
    nothing = {name: 0 * table for name, table in zip(GRAPH.nodes, drawn().tables, strict=True)}
    chain, even = 0.0, from_counts(GRAPH, drawn().levels, nothing).factored()
    levels = {name: list(range(size)) for name, size in zip(GRAPH.nodes, SIZES, strict=True)}
    for at in range(len(frame)):
        row = frame.iloc[at : at + 1]
        told = fit(GRAPH, levels, frame.iloc[:at]).factored() if at else even
        chain += log_likelihood(Exact(told), row.to_numpy())[0]
    assert score(GRAPH, frame, "k2", levels=levels) == pytest.approx(chain, rel=1e-12)


def test_graphs_of_one_class_score_the_same():
    for kind in ("bic", "aic", "log-likelihood", "bdeu", "qnml"):
        one = score(Graph.of({"a": [], "b": ["a"], "c": ["b"], "d": ["c"]}), golden(), kind)
        other = score(Graph.of({"d": [], "c": ["d"], "b": ["c"], "a": ["b"]}), golden(), kind)
        assert one == pytest.approx(other, rel=1e-12)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.3, 1.0]))
def test_log_likelihood_is_that_of_enumeration(seed, holes):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, SIZES, (6, 4)).astype(np.int32)
    codes[rng.random(codes.shape) < holes] = -1
    factored = drawn(seed)
    np.testing.assert_allclose(
        log_likelihood(Exact(factored), codes), [enumerated(factored, row) for row in codes], atol=1e-12
    )


def test_what_cannot_be_has_no_likelihood():
    graph = Graph.of({"a": [], "b": ["a"]})
    factored = Factored(graph, ((0, 1), (0, 1)), (np.array([0.5, 0.5]), np.array([[1.0, 0.0], [0.0, 1.0]])))
    told = log_likelihood(Exact(factored), np.array([[0, 1], [0, 0], [-1, 1]]))
    assert told[0] == -np.inf
    np.testing.assert_allclose(told[1:], np.log(0.5))
    assert log_likelihood(Exact(factored), np.empty((0, 2), dtype=int)).shape == (0,)


def test_weights_count_as_rows():
    frame = golden()
    weights = np.arange(300) % 3
    often = frame.loc[np.repeat(frame.index, weights)]
    for kind in GRAPH_SCORES:
        assert score(GRAPH, frame, kind, weights=weights) == pytest.approx(score(GRAPH, often, kind), rel=1e-12)


@pytest.mark.parametrize(("kind", "strength"), [("bick", 1), ("bdeu", 0), ("bdeu", "x"), ("bic", np.nan)])
def test_options_are_checked(kind, strength):
    with pytest.raises(LikelyError, match="O488" if kind == "bick" else "O500"):
        score(GRAPH, golden(), kind, strength=strength)


def test_a_score_may_be_an_object():
    assert score(GRAPH, golden(), read_score("bdeu", 10)) == pytest.approx(sum(PGMPY["bdeu"]), rel=1e-12)
    assert node_scores(fit(GRAPH, None, golden()).counts, read_score("dirichlet", prior=1.0)).sum() == pytest.approx(
        sum(PGMPY["k2"]), rel=1e-12
    )


@pytest.mark.parametrize("kind", GRAPH_SCORES)
def test_rows_without_holes_stand_for_the_others(kind):
    frame = golden()
    more = pd.concat([frame, frame.assign(d=np.nan)])  # d, a leaf, is known of every other row
    levels = {name: list(range(size)) for name, size in zip(GRAPH.nodes, SIZES, strict=True)}
    twice = pd.concat([frame, frame])
    rest = [name for name in GRAPH.nodes if name != "d"]
    others = Graph.of({name: GRAPH.parents_of(name) for name in rest})
    of_d = score(GRAPH, frame, kind) - score(others, frame[rest], kind)
    expected = score(others, twice[rest], kind) + 2 * of_d
    assert score(GRAPH, more, kind, levels=levels) == pytest.approx(expected, rel=1e-12)


def even(levels):
    """A network that believes nothing of nodes with these levels."""
    return likely.Network({name: dict.fromkeys(mine, 1 / len(mine)) for name, mine in levels.items()})


def test_a_network_as_prior():
    names = [name for name in GRAPH.nodes if name != "a"]
    levels = {name: list(range(SIZES[GRAPH.nodes.index(name)])) for name in (*names, "a")}  # in another order
    told = score(GRAPH, golden(), "bde", prior=even(levels), strength=10)
    assert told == pytest.approx(sum(PGMPY["bdeu"]), rel=1e-12)
    turned = {name: mine[::-1] for name, mine in levels.items()}
    learnt = likely.Network(dict(zip(GRAPH.nodes, GRAPH.parents, strict=True)), levels=levels).fit(golden()[:50])
    mirror = likely.Network(dict(zip(GRAPH.nodes, GRAPH.parents, strict=True)), levels=turned).fit(golden()[:50])
    one, other = (score(GRAPH, golden(), "bde", prior=net, strength=50) for net in (learnt, mirror))
    assert one == pytest.approx(other, rel=1e-12)
    assert one > told  # fifty rows that are known already


def test_scores_under_a_prior_network_are_those_of_its_families():
    levels = tuple(tuple(range(size)) for size in SIZES)
    learnt = likely.Network(dict(zip(GRAPH.nodes, GRAPH.parents, strict=True))).fit(golden()[:50])
    kind = expert_of(learnt, GRAPH.nodes, levels, 5.0)
    scorer = RowScorer(Coded(GRAPH.nodes, levels, golden().to_numpy(dtype=np.uint8)), kind)
    told = score(GRAPH, golden(), "bde", prior=learnt, strength=5)
    assert sum(scorer.score(at, tuple(mine)) for at, mine in enumerate(GRAPH.parent_places)) == pytest.approx(told)
    row = scorer.toggled(2, (0,))
    assert row[2] == -np.inf
    others = [scorer.score(2, parents) for parents in ((), (0, 1), (0, 3))]
    np.testing.assert_allclose(row[[0, 1, 3]], others, rtol=1e-12)


@pytest.mark.parametrize(
    ("kind", "levels", "code"),
    [
        ("bde", None, "O568"),
        ("bic", {}, "O568"),
        ("bde", {"b": [0, 1, 2], "c": [0, 1], "d": [0, 1, 2, 3], "aa": [0, 1]}, "O565"),
        ("bde", {"a": [0, 1], "b": [0, 1, 2, 3], "c": [0, 1], "d": [0, 1, 2, 3]}, "O574"),
    ],
)
def test_prior_networks_that_do_not_fit(kind, levels, code):
    prior = None if levels is None else even(levels or {"a": [0, 1]})
    with pytest.raises(LikelyError, match=code):
        score(GRAPH, golden(), kind, prior=prior)
