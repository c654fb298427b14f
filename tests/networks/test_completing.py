"""Rows with holes completed from a network: in proportion to what enumeration says that they can be."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.networks.inference.junction_tree import Junction
from likely.networks.sampling.likelihood_weighting import stream
from likely.networks.structure.completion import RowsByCompleteness
from likely.networks.structure.row_codes import Coded
from likely.networks.tables.joint import Factored
from likely.structures.graph import Graph

GRAPH = Graph.of({"a": [], "b": ["a"], "c": ["a", "b"], "d": ["c"], "e": ["b"], "f": []})
SIZES = (2, 3, 2, 4, 2, 3)
LEVELS = tuple(tuple(range(size)) for size in SIZES)


def network(seed, graph=GRAPH, sizes=SIZES, concentration=0.8):
    rng = np.random.default_rng(seed)
    tables = tuple(
        rng.dirichlet(np.full(sizes[at], concentration), [sizes[parent] for parent in parents])
        for at, parents in enumerate(graph.parent_places)
    )
    return Factored(graph, tuple(tuple(range(size)) for size in sizes), tables)


def probability(factored, row):
    """P(row) of a row without holes, table by table."""
    parents = factored.graph.parent_places
    return np.prod([table[(*row[list(parents[at])], row[at])] for at, table in enumerate(factored.tables)])


def completions(factored, row):
    """{completion: posterior probability} of a row, its holes -1, and P(row); by enumeration."""
    ways = product(*(range(size) if value < 0 else [value] for value, size in zip(row, factored.sizes, strict=True)))
    mass = {way: probability(factored, np.array(way)) for way in ways}
    whole = sum(mass.values())
    return {way: share / whole for way, share in mass.items()}, whole


def coded(codes, weights=None, levels=LEVELS):
    sizes = np.array([len(mine) for mine in levels])
    names = tuple("abcdefghij"[: len(sizes)])
    return Coded(names, levels, np.where(codes < 0, sizes, codes).astype(np.uint8), weights)


def holed(rows, seed, share):
    rng = np.random.default_rng(seed)
    codes = np.column_stack([rng.integers(0, size, rows) for size in SIZES])
    codes[rng.random(codes.shape) < share] = -1
    return codes


def expected(factored, codes, weights):
    """(all levels of all nodes ...): the weight that falls on each row without holes, by enumeration."""
    out = np.zeros(factored.sizes)
    for row, weight in zip(codes, weights, strict=True):
        for way, share in completions(factored, row)[0].items():
            out[way] += weight * share
    return out


def counted(rows):
    out = np.zeros(rows.sizes)
    np.add.at(out, tuple(rows.codes.T), np.ones(rows.rows) if rows.weights is None else rows.weights)
    return out


def test_draws_are_as_probable_as_enumeration_says():
    factored, many = network(1), 6000
    codes = holed(21, 2, 0.5).astype(np.int32)  # more than a few lanes, each row with holes of its own
    out = np.empty((len(codes) * many, len(SIZES)), dtype=np.uint8)
    logs = Junction.of(factored).complete(codes, np.full(len(codes), many), stream(3), out)
    for at, row in enumerate(codes):
        shares, whole = completions(factored, row)
        assert logs[at] == pytest.approx(np.log(whole), rel=1e-10)
        found, times = np.unique(out[at * many : (at + 1) * many], axis=0, return_counts=True)
        seen = {tuple(one.tolist()): time / many for one, time in zip(found, times, strict=True)}
        assert seen.keys() <= shares.keys()
        for way, share in shares.items():
            assert seen.get(way, 0.0) == pytest.approx(share, abs=5 * np.sqrt(share * (1 - share) / many) + 1e-3)


def test_what_is_impossible_is_never_drawn():
    either = np.array([[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]])
    graph = Graph.of({"a": [], "b": [], "c": ["a", "b"]})
    factored = Factored(graph, ((0, 1),) * 3, (np.array([0.5, 0.5]), np.array([1.0, 0.0]), either))
    codes = np.array([[-1, -1, 1], [-1, -1, 0], [-1, 0, -1]], dtype=np.int32)
    out = np.empty((300, 3), dtype=np.uint8)
    Junction.of(factored).complete(codes, np.full(3, 100), stream(0), out)
    assert (out[:100] == [0, 0, 1]).all()
    assert (out[100:200] == [1, 0, 0]).all()
    assert {tuple(row) for row in out[200:].tolist()} == {(0, 0, 1), (1, 0, 0)}


def test_a_seed_gives_the_same_draws_whatever_the_threads(monkeypatch):
    factored, rows = network(4), coded(holed(700, 5, 0.6))
    one, again, other = (RowsByCompleteness.of(rows).completed(factored, 2, seed) for seed in (7, 7, 8))
    monkeypatch.setattr("likely.networks.inference.junction_tree.cores", lambda: 1)
    alone = RowsByCompleteness.of(rows).completed(factored, 2, 7)
    for same in (again, alone):
        np.testing.assert_array_equal(one.codes, same.codes)
        np.testing.assert_array_equal(one.weights, same.weights)
    assert one.rows != other.rows or (one.codes != other.codes).any()


@settings(derandomize=True, deadline=None, max_examples=10)
@given(st.integers(0, 10**6), st.sampled_from([0.1, 0.3, 0.6]), st.booleans())
def test_where_all_completions_are_taken_the_weights_are_exact(seed, share, weighted):
    factored, codes = network(seed), holed(40, seed, share)
    weights = np.random.default_rng(seed).gamma(1.0, 2.0, len(codes)) if weighted else None
    done = RowsByCompleteness.of(coded(codes, weights)).completed(factored, int(np.prod(SIZES)))
    assert not done.holes
    assert len(np.unique(done.codes, axis=0)) == done.rows
    want = expected(factored, codes, np.ones(len(codes)) if weights is None else weights)
    np.testing.assert_allclose(counted(done), want, rtol=1e-9, atol=1e-12)


def test_draws_keep_what_is_seen_and_the_weight_of_each_row():
    factored, codes = network(2), holed(300, 3, 0.5)
    weights = np.random.default_rng(0).gamma(1.0, 2.0, len(codes))
    done = counted(RowsByCompleteness.of(coded(codes, weights)).completed(factored, 3))
    assert done.sum() == pytest.approx(weights.sum())
    want = expected(factored, codes, weights)
    for axis in range(len(SIZES)):
        others = tuple(at for at in range(len(SIZES)) if at != axis)
        np.testing.assert_allclose(done.sum(axis=others), want.sum(axis=others), rtol=0.15)


def test_equal_rows_share_their_completions():
    factored = network(3)
    row = np.array([[-1, 0, -1, -1, 1, -1]])
    often = RowsByCompleteness.of(coded(np.repeat(row, 12, axis=0))).completed(
        factored, 4
    )  # 12 × 4 draws, and 48 completions
    np.testing.assert_allclose(counted(often), expected(factored, row, [12.0]), rtol=1e-9)
    assert often.rows == 48
    heavy = RowsByCompleteness.of(coded(row, np.array([12.0]))).completed(factored, 4)  # one row, however heavy
    assert heavy.rows <= 4
    assert heavy.weight == pytest.approx(12.0)


def test_rows_without_holes_and_rows_without_weight():
    factored, codes = network(5), holed(30, 1, 0.0)
    done = RowsByCompleteness.of(coded(codes)).completed(factored)
    np.testing.assert_array_equal(counted(done), counted(coded(codes)))
    codes[10:, 0] = -1
    weights = np.where(np.arange(30) < 10, 1.0, 0.0)
    np.testing.assert_allclose(
        counted(RowsByCompleteness.of(coded(codes, weights)).completed(factored)), counted(coded(codes[:10])), atol=0
    )


def test_a_row_of_which_nothing_is_known_is_like_the_network_itself():
    factored = network(6)
    done = RowsByCompleteness.of(coded(np.full((2, len(SIZES)), -1))).completed(factored, 1000)
    np.testing.assert_allclose(counted(done), expected(factored, [np.full(len(SIZES), -1)], [2.0]), rtol=1e-9)


def test_more_than_256_levels():
    graph, sizes = Graph.of({"a": [], "b": ["a"]}), (300, 2)
    factored = network(0, graph, sizes, 5.0)
    codes = np.array([[300, 0], [299, 2], [300, 2]], dtype=np.int32)
    rows = Coded(("a", "b"), factored.levels, codes)
    done = RowsByCompleteness.of(rows).completed(factored, 600)
    np.testing.assert_allclose(
        counted(done), expected(factored, np.array([[-1, 0], [299, -1], [-1, -1]]), np.ones(3)), rtol=1e-9
    )
    few = RowsByCompleteness.of(rows).completed(factored, 5)
    assert few.codes.dtype == np.int32
    assert few.weight == pytest.approx(3.0)
    assert not few.holes


def test_joined_rows_weigh_what_their_rows_did():
    codes = holed(500, 0, 0.4)
    weights = np.random.default_rng(1).random(500)
    whole, one = coded(codes, weights), coded(codes, weights).joined()
    for family in ((0, ()), (3, (2,)), (2, (0, 1))):
        np.testing.assert_allclose(one.counts(*family), whole.counts(*family))
