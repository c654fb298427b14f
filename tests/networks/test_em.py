"""Holes filled in by EM: the likelihood rises, up to where a direct search finds its top."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar

from likely.data.level_rows import join_equal
from likely.errors import ModelError
from likely.networks.learning.em import EMOptions, EMReport, exact, fill_in, first_tables
from likely.networks.learning.learnt_tables import fit
from likely.networks.tables.joint import Factored
from likely.structures.graph import Graph

CHAIN = Graph.of({"a": [], "b": ["a"], "c": ["a", "b"]})
SIZES = (2, 3, 2)
LEVELS = {name: list(range(size)) for name, size in zip(CHAIN.nodes, SIZES, strict=True)}


def joint(factored):
    """(levels of every node ...): the product of all tables, by enumeration."""
    out = np.ones(factored.sizes)
    for whole in np.ndindex(*factored.sizes):
        for at, parents in enumerate(factored.graph.parent_places):
            out[whole] *= factored.tables[at][(*(whole[parent] for parent in parents), whole[at])]
    return out


def brute(factored, codes, weights):
    """Expected counts and log likelihood by enumeration of all that each row may be."""
    whole = joint(factored)
    counts, total = [np.zeros(table.shape) for table in factored.tables], 0.0
    for row, weight in zip(codes, weights, strict=True):
        can_be = list(
            product(*(range(size) if value < 0 else [value] for value, size in zip(row, factored.sizes, strict=True)))
        )
        mass = sum(whole[one] for one in can_be)
        total += weight * np.log(mass)
        for one in can_be:
            for at, parents in enumerate(factored.graph.parent_places):
                counts[at][(*(one[parent] for parent in parents), one[at])] += weight * whole[one] / mass
    return counts, total


def rows(n, seed=0, holes=0.3, graph=CHAIN, sizes=SIZES):
    """Codes drawn from tables drawn at random, -1 where there is a hole."""
    rng = np.random.default_rng(seed)
    codes = np.zeros((n, len(sizes)), dtype=int)
    for at, parents in enumerate(graph.parent_places):
        table = rng.dirichlet(np.ones(sizes[at]) * 0.7, [sizes[parent] for parent in parents])
        for row in codes:
            row[at] = rng.choice(sizes[at], p=table[tuple(row[list(parents)])])
    codes[rng.random(codes.shape) < holes] = -1
    return codes


def framed(codes, graph=CHAIN):
    return pd.DataFrame(codes, columns=graph.nodes).replace(-1, np.nan)


@pytest.mark.parametrize("estimate", ["mle", "bayes"])
def test_by_enumeration_and_by_junction_tree_it_is_the_same(estimate):
    frame = framed(rows(80))
    options = {"estimate": estimate, "tolerance": 1e-6}
    one, other = fit(CHAIN, LEVELS, frame, **options), fit(CHAIN, LEVELS, frame, expected=brute, **options)
    assert one.report.iterations == other.report.iterations
    np.testing.assert_allclose(one.report.objectives, other.report.objectives, rtol=1e-11)
    for mine, theirs in zip(one.factored().tables, other.factored().tables, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-9)


@settings(derandomize=True, deadline=None, max_examples=12)
@given(
    st.integers(0, 10**6),
    st.sampled_from([0.1, 0.5, 0.9]),
    st.sampled_from(["mle", "bayes"]),
    st.sampled_from(["uniform", "bdeu", "backoff"]),
)
def test_the_objective_never_falls(seed, holes, estimate, prior):
    learnt = fit(CHAIN, LEVELS, framed(rows(60, seed, holes)), estimate=estimate, prior=prior)
    report = learnt.report
    assert report.monotone
    assert len(report.log_likelihoods) == len(report.objectives) == report.iterations
    assert report.objectives[-1] > report.objectives[0]
    if estimate == "mle":
        assert report.objectives == report.log_likelihoods
    assert sum(mine.sum() for mine in learnt.counts) == pytest.approx(60 * 3)
    assert learnt.weight == pytest.approx(60)


def test_one_parameter_is_where_the_likelihood_has_its_top():
    graph, levels = Graph.of({"a": [], "b": ["a"]}), {"a": [0, 1], "b": [0, 1]}
    table = np.array([[0.9, 0.1], [0.3, 0.7]])
    b = np.array([0] * 13 + [1] * 9)
    seen = np.array([3.0, 1.0])  # complete rows of a, beside

    def loss(share):
        told = np.array([1 - share, share]) @ table
        return -(np.log(told[b]).sum() + seen @ np.log([1 - share, share]))

    best = minimize_scalar(loss, bounds=(1e-6, 1 - 1e-6), method="bounded", options={"xatol": 1e-10})
    start = Factored(graph, tuple(map(tuple, levels.values())), (np.array([0.5, 0.5]), table))
    codes = np.column_stack([np.full(len(b), -1), b]).astype(np.int32)

    def held(*asked):
        counts, told = brute(*asked)
        return [counts[0], np.zeros((2, 2))], told  # nothing moves the second table

    nothing = [np.zeros(2), np.zeros((2, 2))]
    found, report = fill_in(start, codes, np.ones(len(b)), [seen, table], nothing, held, EMOptions(tolerance=1e-14))
    assert report.converged
    assert found[0][1] / found[0].sum() == pytest.approx(best.x, abs=1e-6)


def test_all_parameters_are_where_the_likelihood_has_its_top():
    graph = Graph.of({"a": [], "b": ["a"]})
    codes = rows(60, 3, 0.3, graph, (2, 2))
    learnt = fit(
        graph, {"a": [0, 1], "b": [0, 1]}, framed(codes, graph), estimate="mle", tolerance=1e-13, iterations=5000
    )

    def tables(logits):
        odds = 1 / (1 + np.exp(-logits))
        return np.array([1 - odds[0], odds[0]]), np.array([[1 - odds[1], odds[1]], [1 - odds[2], odds[2]]])

    def loss(logits):
        return -brute(Factored(graph, ((0, 1), (0, 1)), tables(logits)), codes, np.ones(len(codes)))[1]

    best = minimize(loss, np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-11, "maxiter": 4000})
    assert learnt.report.log_likelihoods[-1] == pytest.approx(-best.fun, abs=1e-6)
    for mine, theirs in zip(learnt.factored().tables, tables(best.x), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-3)


def test_posterior_means_are_the_top_of_the_penalised_likelihood():
    graph = Graph.of({"a": [], "b": ["a"]})
    codes = rows(40, 5, 0.4, graph, (2, 2))
    learnt = fit(
        graph, {"a": [0, 1], "b": [0, 1]}, framed(codes, graph), strength=1.5, tolerance=1e-13, iterations=5000
    )

    def objective(tables):
        factored = Factored(graph, ((0, 1), (0, 1)), tables)
        return brute(factored, codes, np.ones(40))[1] + sum(1.5 * np.log(table).sum() for table in tables)

    tables = learnt.factored().tables
    top = objective(tables)
    assert learnt.report.objectives[-1] == pytest.approx(top, abs=1e-9)
    for at, change in product(range(2), (-0.01, 0.01)):
        moved = [table.copy() for table in tables]
        moved[at][..., 0] += change
        moved[at][..., 1] -= change
        assert objective(moved) < top


def test_without_holes_there_is_no_em():
    learnt = fit(CHAIN, LEVELS, framed(rows(30, holes=0.0)))
    assert learnt.report is None
    assert learnt.certain


def test_weights_are_rows_as_often_and_equal_rows_are_joined():
    codes = rows(40, 7)
    weights = np.random.default_rng(0).integers(0, 4, 40)
    once = fit(CHAIN, LEVELS, framed(codes), weights)
    often = fit(CHAIN, LEVELS, framed(np.repeat(codes, weights, axis=0)))
    assert once.report.log_likelihoods[-1] == pytest.approx(often.report.log_likelihoods[-1], rel=1e-12)
    for mine, theirs in zip(once.factored().tables, often.factored().tables, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 10**6))
def test_rows_are_joined_as_numpy_does(n, columns, seed):
    rng = np.random.default_rng(seed)
    codes, weights = rng.integers(0, 3, (n, columns)) * (rng.random(columns) < 0.1), rng.random(n)
    mine, sums = join_equal(codes, [3] * columns, weights)
    theirs, inverse = np.unique(codes, axis=0, return_inverse=True)
    order = np.lexsort(mine.T[::-1])
    np.testing.assert_array_equal(mine[order], theirs)
    np.testing.assert_allclose(sums[order], np.bincount(inverse.reshape(-1), weights))


def test_a_node_never_observed_is_found_again():
    graph = Graph.of({"kind": [], "x": ["kind"], "y": ["kind"], "z": ["kind"]})
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 2, 600)
    seen = {name: np.where(rng.random(600) < 0.9, kind, 1 - kind) for name in "xyz"}
    learnt = fit(graph, {"kind": ["one", "other"]}, seen, seed=1)
    table = learnt.factored().tables[1]
    assert abs(table[0, 0] - table[1, 0]) > 0.6  # the two kinds differ, as a symmetric start never would
    assert learnt.report.monotone
    assert learnt.report.objectives == fit(graph, {"kind": ["one", "other"]}, seen, seed=1).report.objectives
    assert learnt.report.objectives != fit(graph, {"kind": ["one", "other"]}, seen, seed=2).report.objectives


def test_rows_that_no_table_of_seen_rows_allows_are_still_possible():
    data = {"a": [0, 1, 1, None], "b": [0, None, None, 1], "c": [0, None, 1, 1]}
    learnt = fit(CHAIN, LEVELS, data, estimate="mle")
    assert np.isfinite(learnt.report.objectives).all()


def test_more_rows_add_to_expected_counts_and_taking_back_is_refused():
    codes = rows(100, 11)
    whole = fit(CHAIN, LEVELS, framed(codes))
    halves = fit(CHAIN, LEVELS, framed(codes[:50])).partial_fit(framed(codes[50:]))
    merged = fit(CHAIN, LEVELS, framed(codes[:50])).merge(fit(CHAIN, LEVELS, framed(codes[50:])))
    for other in (halves, merged):
        assert not other.certain
        assert other.weight == pytest.approx(100)
        for mine, theirs in zip(other.factored().tables, whole.factored().tables, strict=True):
            np.testing.assert_allclose(mine, theirs, atol=0.15)
        with pytest.raises(ModelError, match="M342"):
            other.forget(framed(codes[:5]))


def test_it_ticks_and_the_best_so_far_is_kept_when_interrupted():
    frame, ticks = framed(rows(60, 2, 0.6)), []
    learnt = fit(CHAIN, LEVELS, frame, tick=lambda: ticks.append(1), iterations=7, tolerance=0)
    assert len(ticks) == learnt.report.iterations == 7
    assert not learnt.report.converged

    def interrupt():
        ticks.append(1)
        if len(ticks) == 7 + 3:
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted"):
        stopped = fit(CHAIN, LEVELS, frame, tick=interrupt, iterations=7, tolerance=0)
    assert stopped.report.interrupted
    assert stopped.report.objectives == learnt.report.objectives[:3]
    assert "was interrupted after 3 turns" in stopped.notes[0]

    def at_once(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(CHAIN, LEVELS, frame, expected=at_once)


def test_the_report_says_how_it_went():
    assert repr(EMReport((-3.0,), (-3.0,), False)) == "EM did not converge after 1 turn: log likelihood -3 -> -3"
    fell = EMReport((-3.0, -4.0), (-3.0, -4.0), True)
    assert not fell.monotone
    assert "fell" in repr(fell)


def test_the_expected_counts_of_the_junction_tree_are_those_of_enumeration():
    codes = rows(25, 4, 0.5).astype(np.int32)
    weights = np.random.default_rng(1).random(25)
    nothing, alone = [np.zeros(SIZES[: at + 1]) for at in range(3)], [np.zeros(size) for size in SIZES]
    start = first_tables(CHAIN, list(LEVELS.values()), nothing, alone, 3)
    mine, theirs = exact(start, codes, weights), brute(start, codes, weights)
    assert mine[1] == pytest.approx(theirs[1], rel=1e-12)
    for one, other in zip(mine[0], theirs[0], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
