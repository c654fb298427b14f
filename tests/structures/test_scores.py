"""Scores of families: sums over all rows there might be, other packages' values, and one column more at a time."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.kernels.search.family_scores import log_of_sum, of_two, regret
from likely.structures.search.evidence import BayesianDirichletScore, PriorNetworkScore
from likely.structures.search.nml import FactorizedNML, QuotientNML, log_regret
from likely.structures.search.scores import FamilyScore, LikelihoodScore

KINDS = {
    "bic": LikelihoodScore("bic"),
    "aic": LikelihoodScore("aic", price=1.0),
    "log-likelihood": LikelihoodScore("log-likelihood", price=0.0),
    "bdeu": BayesianDirichletScore("bdeu", strength=10.0),
    "k2": BayesianDirichletScore("k2", added=1.0),
    "jeffreys": BayesianDirichletScore("jeffreys", added=0.5),
    "fnml": FactorizedNML(),
    "qnml": QuotientNML(),
}

# sums over nodes by pgmpy 1.1.2 on the rows of `golden`; BDeu with 10 rows, which PyBNesian 0.5.1 gives too (and BIC)
PGMPY = {"bic": -4329.2687929980875, "aic": -4133.6054233409695, "bdeu": -4237.8872082454645, "k2": -4209.521333212497}
SIZES = (2, 3, 4, 2, 5, 3, 2, 4)
PARENTS = ((), (0,), (0,), (1, 2), (2,), (3, 4), (0, 3, 5), (6, 1))


def golden():
    """(600, nodes): rows without chance."""
    at, columns = np.arange(600), []
    for k, (size, parents) in enumerate(zip(SIZES, PARENTS, strict=True)):
        own = at * at // (k + 3) + at * (k + 5) // 7
        if k % 2:
            columns.append((own + sum(columns[p] * (p + 1) for p in parents)) % size)
        else:
            columns.append(np.where(at % 5 < 3, sum(columns[p] for p in parents) + k, own) % size)
    return np.column_stack(columns)


def counted(rows, sizes, node, parents):
    """(levels of parents ..., own levels), one row at a time."""
    out = np.zeros([sizes[at] for at in (*parents, node)], dtype=np.int64)
    np.add.at(out, tuple(rows[:, at] for at in (*parents, node)), 1)
    return out


def family(kind, rows, sizes, node, parents):
    counts = counted(rows, sizes, node, parents)
    table = counts.reshape(-1, sizes[node])
    if kind.by_cell:
        return kind.family(node, parents, table, len(table))
    return kind.of(table[table.any(axis=1)], len(table), float(len(rows)))


def whole(kind, rows, sizes, graph):
    return sum(family(kind, rows, sizes, node, parents) for node, parents in enumerate(graph))


@pytest.mark.parametrize("kind", PGMPY)
def test_as_pgmpy_scores_it(kind):
    assert whole(KINDS[kind], golden(), SIZES, PARENTS) == pytest.approx(PGMPY[kind], rel=1e-12)


def test_as_pyagrum_scores_it():
    pd, gum = pytest.importorskip("pandas"), pytest.importorskip("pyagrum")
    rows = golden()
    learner = gum.BNLearner(pd.DataFrame({f"n{at}": rows[:, at].astype(str) for at in range(len(SIZES))}))
    for kind, choose in {"bic": learner.useScoreBIC, "log-likelihood": learner.useScoreLog2Likelihood}.items():
        choose()
        told = sum(learner.score(f"n{node}", [f"n{at}" for at in mine]) for node, mine in enumerate(PARENTS))
        assert whole(KINDS[kind], rows, SIZES, PARENTS) == pytest.approx(math.log(2) * told, rel=1e-10)  # it has bits


@pytest.mark.parametrize("kind", ["bdeu", "k2", "jeffreys", "fnml", "qnml"])
@pytest.mark.parametrize("graph", [((), ()), ((), (0,)), ((1,), ())])
def test_probabilities_of_all_rows_there_might_be_add_up_to_one(kind, graph):
    sizes, cells = (2, 3), list(product(range(2), range(3)))
    total = sum(math.exp(whole(KINDS[kind], np.array(rows), sizes, graph)) for rows in product(cells, repeat=4))
    assert total == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_graphs_of_one_class_score_the_same_where_it_is_said(kind):
    rows = golden()
    chains = [((), (0,), (1,)), ((1,), (2,), ()), ((1,), (), (1,))]
    chains = [whole(KINDS[kind], rows, SIZES, graph) for graph in chains]
    assert np.allclose(chains, chains[0], rtol=1e-12) == KINDS[kind].equivalent


def shtarkov(rows, levels):
    """The sum over all counts of multinomial x best likelihood, in fractions."""
    one = [Fraction(n**n, math.factorial(n)) for n in range(rows + 1)]
    now = one
    for _ in range(levels - 1):
        now = [sum(now[i] * one[n - i] for i in range(n + 1)) for n in range(rows + 1)]
    return now[rows] * Fraction(math.factorial(rows), rows**rows)


@pytest.mark.parametrize("rows", [1, 2, 3, 8, 21])
@pytest.mark.parametrize("levels", [1, 2, 3, 7, 12, 40])
def test_regrets_are_exact(rows, levels):
    assert log_regret(rows, levels) == pytest.approx(math.log(shtarkov(rows, levels)), rel=1e-13)


def test_regrets_of_many_rows_and_levels():
    for rows in (1000.0, 1001.0, 54321.0):
        assert of_two(rows) == pytest.approx(math.exp(log_of_sum(rows, 2.0)), rel=1e-12)
    for rows, levels in ((1000, 1000), (3000, 200), (3000, 2999), (5000, 5002)):  # the recurrence, and the sum
        assert regret(rows, levels) == pytest.approx(log_of_sum(rows, levels), rel=1e-11)
    assert log_regret(10**6, 4) == pytest.approx(1.5 * math.log(10**6 / 2) + 0.5 * math.log(math.pi), rel=1e-3)
    assert log_regret(100, 10**12) == pytest.approx(100 * math.log(10**10), rel=1e-9)  # each row a level of its own


def test_regrets_between_whole_numbers_and_of_nothing():
    assert log_regret(2.25, 3) == pytest.approx(0.75 * log_regret(2, 3) + 0.25 * log_regret(3, 3), rel=1e-13)
    assert log_regret(0, 5) == log_regret(7, 1) == 0.0
    kind, counts = FactorizedNML(), np.array([[1.5, 2.0], [0.25, 0.0]])
    fit = 1.5 * math.log(1.5 / 3.5) + 2 * math.log(2 / 3.5)
    price = 0.5 * (log_regret(3, 2) + log_regret(4, 2)) + 0.25 * math.log(2)
    assert kind.of(counts, 2, 3.75) == pytest.approx(fit - price, rel=1e-12)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(list(KINDS)), st.booleans())
def test_one_column_more_is_scored_as_if_alone(seed, name, weighted):
    rng, kind = np.random.default_rng(seed), KINDS[name]
    levels, sizes = int(rng.integers(1, 4)), rng.integers(1, 5, 4)
    starts, most = np.cumsum(sizes + 1) - sizes - 1, int(rng.choice([3, 50, 3000]))  # a slot for holes after each
    counts = rng.integers(0, most, (3 * levels, int((sizes + 1).sum())))
    counts[rng.random(counts.shape) < 0.4] = 0
    if weighted:
        counts = counts * rng.random()
    weights = np.array([1000.0, 10.0, 3.5, 0.0])
    told = kind.beside(counts, levels, starts, sizes, 5, weights)
    np.testing.assert_allclose(
        told, FamilyScore.beside(kind, counts, levels, starts, sizes, 5, weights), rtol=1e-9, atol=1e-8
    )


def believed(sizes, seed=0):
    """P(all nodes), and the joint of some."""
    table = np.random.default_rng(seed).dirichlet(np.ones(math.prod(sizes))).reshape(sizes)

    def joint(nodes):
        inside = sorted(nodes)
        gone = tuple(at for at in range(len(sizes)) if at not in nodes)
        return table.sum(axis=gone).transpose([inside.index(at) for at in nodes])

    return table, joint


def test_a_prior_network_stands_for_rows():
    sizes = (2, 3, 2)
    table, joint = believed(sizes)
    kind, rows = PriorNetworkScore("bde", joint, 7.0), golden()[:30, [0, 1, 3]]
    full = ((), (0,), (1, 0))  # a complete graph says nothing: the evidence is that of the whole table
    seen, chain = 7.0 * table, 0.0
    for row in rows:
        chain += math.log(seen[tuple(row)] / seen.sum())
        seen[tuple(row)] += 1
    assert whole(kind, rows, sizes, full) == pytest.approx(chain, rel=1e-12)
    others = ((2, 1), (2,), ()), ((1,), (), (0, 1))
    assert [whole(kind, rows, sizes, graph) for graph in others] == pytest.approx([chain, chain], rel=1e-12)


def test_a_prior_network_that_believes_nothing_is_bdeu():
    even = PriorNetworkScore(
        "bde", lambda nodes: np.full([SIZES[at] for at in nodes], 1 / math.prod(SIZES[at] for at in nodes)), 10.0
    )
    assert whole(even, golden(), SIZES, PARENTS) == pytest.approx(PGMPY["bdeu"], rel=1e-12)


def test_what_a_prior_network_holds_impossible():
    sure = PriorNetworkScore("bde", lambda nodes: np.array([[0.5, 0.0], [0.0, 0.5]]), 2.0)
    assert sure.family(1, (0,), np.array([[3, 0], [0, 2]]), 2) == 0.0
    assert sure.family(1, (0,), np.array([[3, 1], [0, 2]]), 2) == -np.inf
    with pytest.raises(NotImplementedError):
        sure.of(np.array([[3, 1]]), 1, 4.0)


@pytest.mark.parametrize("kind", KINDS)
def test_no_rows_and_one_level(kind):
    nothing = KINDS[kind].of(np.zeros((0, 3)), 4, 0.0)
    assert nothing == (-8.0 if kind == "aic" else 0.0)
    assert KINDS[kind].of(np.array([[5], [2]]), 2, 7.0) == pytest.approx(0.0, abs=1e-12)
