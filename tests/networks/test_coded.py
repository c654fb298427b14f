"""Rows in memory are counted as np.add.at counts them: with holes, weights, few cells and many."""

from __future__ import annotations

from itertools import chain, combinations
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likely.networks.structure.row_codes as module
from likely.core.schema import Column, Schema
from likely.data import ask
from likely.data.level_rows import ALL_IN_ONE_CELL, source_of
from likely.networks.learning.counts import alone_of, counts_of, every, questions
from likely.networks.structure.row_codes import Coded, hold
from likely.structures.graph import Graph

SIZES = (2, 3, 1, 5, 2, 4)


def table(seed=0, rows=300, holes=0.0, weighted=False, sizes=SIZES, dtype=np.uint8):
    draw = np.random.default_rng(seed)
    codes = draw.integers(0, sizes, (rows, len(sizes)))
    codes = np.where(draw.random(codes.shape) < holes, sizes, codes).astype(dtype)
    weights = draw.random(rows) * (draw.random(rows) < 0.8) if weighted else None
    names = tuple(f"n{at}" for at in range(len(sizes)))
    return Coded(names, tuple(tuple(range(size)) for size in sizes), codes, weights)


def plain(coded, nodes):
    """(levels ...): the weight of the rows that have all of the nodes."""
    sizes = [coded.sizes[at] for at in nodes]
    out = np.zeros(sizes)
    codes = coded.codes[:, list(nodes)].astype(np.int64)
    whole = (codes < sizes).all(axis=1)
    weights = np.ones(coded.rows) if coded.weights is None else coded.weights
    np.add.at(out, tuple(codes[whole].T), weights[whole])
    return out


def families(nodes=6):
    for node in range(nodes):
        others = [at for at in range(nodes) if at != node]
        sets = chain.from_iterable(combinations(others, size) for size in range(nodes))
        yield from ((node, parents) for parents in sets)


MADE = {
    "whole": {},
    "holes": {"holes": 0.1},
    "weighted": {"weighted": True},
    "both": {"holes": 0.3, "weighted": True},
    "all gone": {"holes": 1.0},
    "int32": {"holes": 0.1, "dtype": np.int32},
    "one row": {"rows": 1},
}


@pytest.fixture(params=["as they are", "few", "tiny"])
def bounds(request, monkeypatch):
    """Where cells are many already when there are few: numbered anew in a table, or by sorting."""
    if request.param != "as they are":
        monkeypatch.setattr(module, "CELLS_ALWAYS_KEPT", 2)
        monkeypatch.setattr(module, "ROWS_OF_A_KEPT_CELL", 1000)
    if request.param == "tiny":
        monkeypatch.setattr(module, "MOST_CELLS_LOOKED_UP", 3)
    return request.param


def seen_cells(coded, node, parents):
    """The cells of the parents that a row has, in order; whether the node is missing there or not."""
    sizes = [coded.sizes[at] for at in parents]
    codes = coded.codes[:, list(parents)].astype(np.int64)
    codes = codes[(codes < sizes).all(axis=1)]
    flat = np.ravel_multi_index(tuple(codes.T), sizes) if parents else np.zeros(len(codes), dtype=np.int64)
    return np.unique(flat)


@pytest.mark.parametrize("made", MADE)
def test_counts_of_all_families(made, bounds):
    coded = table(**MADE[made])
    for node, parents in families():
        want = plain(coded, (*parents, node))
        found = coded.counts(node, parents)
        assert found.shape == want.shape
        assert found.dtype == (np.int64 if coded.weights is None else np.float64)
        np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-12)
        flat = want.reshape(-1, coded.sizes[node])
        seen = coded.seen(node, parents)
        if len(seen) != len(flat):
            flat = flat[seen_cells(coded, node, parents)]
            above = prod(coded.sizes[at] for at in parents)
            assert above > module.CELLS_ALWAYS_KEPT
            assert above > coded.rows // module.ROWS_OF_A_KEPT_CELL
        assert seen.shape == flat.shape
        np.testing.assert_allclose(seen, flat, rtol=1e-12, atol=1e-12)


def test_parents_in_any_order_turn_the_axes_over():
    coded = table(holes=0.1)
    assert (coded.counts(0, (5, 1, 3)) == plain(coded, (5, 1, 3, 0))).all()
    assert (coded.counts(0, (1, 3, 5)) == coded.counts(0, (5, 1, 3)).transpose(1, 2, 0, 3)).all()


def side_by_side(coded, cells, number, columns, table, starts):
    """Whether counts of columns by cells are what np.add.at says, each from its start, holes after the levels."""
    weights = np.ones(coded.rows) if coded.weights is None else coded.weights
    assert len(table) == number
    for start, at in zip(starts.tolist(), columns, strict=True):
        want = np.zeros((number + 1, coded.sizes[at] + 1))
        np.add.at(want, (cells, coded.codes[:, at].astype(np.int64)), weights)
        slots = coded.sizes[at] + coded.holes
        np.testing.assert_allclose(table[:, start : start + slots], want[:-1, :slots], rtol=1e-12, atol=1e-12)
    ends = [start + coded.sizes[at] + coded.holes for start, at in zip(starts.tolist(), columns, strict=True)]
    assert [*starts.tolist(), table.shape[1]] == [0, *ends]


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("large", [1 << 23, 60, 1])
def test_columns_are_counted_side_by_side(made, large, bounds, monkeypatch):
    monkeypatch.setattr(module, "MOST_COUNTS_AT_ONCE", large)
    monkeypatch.setattr(module, "LEAST_ROWS_OF_A_THREAD", 64)
    coded = table(**MADE[made])
    for node, parents in [(0, ()), (1, (0,)), (3, (1, 5)), (2, (0, 1, 3, 4, 5)), (5, (1, 3))]:
        cells, number = coded.cells(parents, node)
        assert cells.shape == (coded.rows,)
        assert number % coded.sizes[node] == 0
        assert ((cells >= 0) & (cells <= number)).all()
        for threads in (1, 3):
            parts = list(coded.beside(node, parents, threads))
            assert [at for part in parts for at in part.columns] == list(range(len(SIZES)))
            for part in parts:
                side_by_side(coded, cells, number, *part)
                assert part.table.size <= large or len(part.columns) == 1
        for others in ([4, 1], [2]):
            side_by_side(coded, cells, number, others, *coded.crossed(node, others, parents))


def test_cells_tell_parents_and_node_apart(bounds):
    """Rows share a cell where they share all levels, and only there."""
    coded = table(holes=0.2)
    for node, parents in families():
        cells, number = coded.cells(parents, node)
        own = coded.codes[:, [*parents, node]].astype(np.int64)
        whole = (own < [SIZES[at] for at in (*parents, node)]).all(axis=1)
        assert (cells[~whole] == number).all()
        assert (cells[whole] % SIZES[node] == own[whole, -1]).all()
        pairs = {(cell, *row) for cell, row in zip(cells[whole].tolist(), map(tuple, own[whole].tolist()), strict=True)}
        assert len(pairs) == len({pair[0] for pair in pairs}) == len({pair[1:] for pair in pairs})


def test_more_cells_than_a_number_holds():
    """Forty parents of ten levels: 10^40 cells, of which as many are seen as there are different rows."""
    sizes = (10,) * 41
    coded = table(1, 500, 0.001, sizes=sizes)
    cells, number = coded.cells(range(40), 40)
    whole = (coded.codes < 10).all(axis=1)
    assert 0 < (~whole).sum() < 100
    assert (cells[~whole] == number).all()
    seen = coded.seen(40, range(40))
    parents = coded.codes[(coded.codes[:, :40] < 10).all(axis=1), :40]
    assert seen.shape == (len(np.unique(parents, axis=0)), 10)
    assert seen.sum() == whole.sum()


@settings(derandomize=True, deadline=None, max_examples=40)
@given(
    st.integers(0, 9999),
    st.lists(st.integers(1, 6), min_size=1, max_size=5),
    st.integers(1, 80),
    st.sampled_from([0.0, 0.2]),
    st.booleans(),
)
def test_any_table_is_counted(seed, sizes, rows, holes, weighted):
    coded = table(seed, rows, holes, weighted, tuple(sizes))
    assert coded.sizes == tuple(sizes)
    assert coded.rows == rows
    assert coded.holes == bool((coded.codes >= np.array(sizes)).any())
    assert coded.weight == pytest.approx(rows if coded.weights is None else coded.weights.sum())
    for node, parents in families(len(sizes)):
        want = plain(coded, (*parents, node))
        np.testing.assert_allclose(coded.counts(node, parents), want, rtol=1e-12, atol=1e-12)
        assert coded.seen(node, parents).sum() == pytest.approx(want.sum())


def test_many_narrow_columns_of_many_rows():
    """Enough for rows to be compared by the register rather than counted one by one."""
    sizes = (2,) * 50 + (3,) * 20
    for holes in (0.0, 0.05):
        coded = table(2, 20_000, holes, sizes=sizes)
        (part,) = coded.beside(3, (60,))
        side_by_side(coded, *coded.cells((60,), 3), *part)


def test_many_levels():
    sizes = (255, 2, 300)
    coded = table(3, 2000, 0.05, sizes=sizes, dtype=np.int32)
    for node, parents in [(0, (1,)), (1, (0,)), (1, (0, 2)), (2, (0, 1))]:
        assert (coded.counts(node, parents) == plain(coded, (*parents, node))).all()
        rows = seen_cells(coded, node, parents)
        want = plain(coded, (*parents, node)).reshape(-1, sizes[node])
        seen = coded.seen(node, parents)
        assert (seen == (want if len(seen) == len(want) else want[rows])).all()
    full = table(3, 2000, 0.05, sizes=(255, 2))  # the hole is the last number of a byte
    assert full.codes.max() == 255
    assert (full.counts(1, (0,)) == plain(full, (0, 1))).all()


def test_taking_rows():
    coded = table(holes=0.1, weighted=True)
    rows = np.random.default_rng(0).integers(0, coded.rows, 500)
    taken = coded.take(rows)
    assert (taken.codes == coded.codes[rows]).all()
    assert (taken.weights == coded.weights[rows]).all()
    assert taken.codes.flags.c_contiguous
    assert taken.rows == 500
    assert taken.weight == pytest.approx(coded.weights[rows].sum())  # what was kept of the first is not kept
    assert taken.names == coded.names
    assert table().take(rows).weights is None
    whole = coded.take(np.flatnonzero((coded.codes < coded.sizes).all(axis=1)))
    assert coded.holes
    assert not whole.holes


def test_columns_are_the_codes_turned_over():
    coded = table(holes=0.1)
    assert (coded.columns == coded.codes.T).all()
    assert coded.columns.flags.c_contiguous


@pytest.mark.parametrize("made", ["whole", "holes", "weighted", "both"])
def test_rows_in_memory_answer_as_an_engine_does(made, monkeypatch):
    monkeypatch.setattr(module, "LEAST_ROWS_OF_A_THREAD", 64)
    coded = table(**MADE[made])
    graph = Graph.of({"n0": [], "n1": ["n0"], "n2": [], "n3": ["n1", "n5"], "n4": ["n3"], "n5": ["n0"]})
    columns = [
        Column(name, "category", own, own, fixed=True) for name, own in zip(coded.names, coded.levels, strict=True)
    ]
    schema = Schema(tuple(columns), ALL_IN_ONE_CELL)
    bundle = ask(coded, schema, questions(graph))
    for at, found in enumerate(counts_of(bundle, graph, schema)):
        np.testing.assert_allclose(found, plain(coded, (*graph.parent_places[at], at)), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(alone_of(bundle, schema, at), plain(coded, (at,)), rtol=1e-12, atol=1e-12)
    assert float(every(bundle, schema).rows.sum()) == pytest.approx(coded.weight)


def test_blocks_cover_all_rows_once(monkeypatch):
    monkeypatch.setattr(module, "LEAST_ROWS_OF_A_THREAD", 64)
    coded = table(weighted=True)
    schema = Schema((), ALL_IN_ONE_CELL)
    for most in (10, 64, 1000):
        blocks = [task() for task in coded.tasks(schema, False, most)]
        assert max(len(block.codes) for block in blocks) <= most
        assert (np.concatenate([block.codes for block in blocks]) == coded.codes).all()
        assert (np.concatenate([block.weights for block in blocks]) == coded.weights).all()
        assert [block.start for block in blocks] == list(np.cumsum([0, *(len(block.codes) for block in blocks)])[:-1])


@pytest.mark.parametrize("weights", [None, [0.5, 1.0, 0.0, 2.0]])
def test_a_source_is_held(weights):
    data = {"rain": ["no", "yes", None, "yes"], "wet": [False, True, True, None]}
    rows, schema = source_of(data, Graph.of({"wet": ["rain"], "rain": []}).nodes, weights=weights)
    coded = hold(rows, schema)
    assert coded.names == ("wet", "rain")
    assert coded.levels == ((False, True), ("no", "yes"))
    assert coded.codes.tolist() == [[0, 0], [1, 1], [1, 2], [2, 1]]
    assert weights == (None if coded.weights is None else coded.weights.tolist())
    assert coded.holes
