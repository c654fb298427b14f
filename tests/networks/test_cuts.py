"""Cuts: parts of equal weight at first; then the best of all choices under the description length, by brute force."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.data.levels.interval_levels import cuts_of, interval_levels, short_between
from likely.networks.structure.columns import code_columns
from likely.networks.structure.cut_search import adjusted, search_cutting, views_of
from likely.networks.structure.cuts import (
    MOST_BINS,
    MOST_CUT_PLACES,
    BinnedColumn,
    NeighbourView,
    first_cuts,
    recut,
    spread,
)
from likely.networks.structure.row_codes import Coded
from likely.structures.search.result import SearchResult


def bic(codes, sizes, parents, weights=None):
    """The score by its definition, rows one by one; complete rows only."""
    weights = np.ones(len(codes)) if weights is None else weights
    total = 0.0
    for node, above in enumerate(parents):
        cells, alone = {}, {}
        for row, weight in zip(codes.tolist(), weights, strict=True):
            key = tuple(row[at] for at in above)
            cells[key, row[node]] = cells.get((key, row[node]), 0.0) + weight
            alone[key] = alone.get(key, 0.0) + weight
        total += sum(count * np.log(count / alone[key]) for (key, _), count in cells.items())
        free = (sizes[node] - 1) * np.prod([sizes[at] for at in above])
        total -= 0.5 * np.log(weights.sum()) * free
    return total


def described(values, cuts, codes, sizes, parents, at, weights=None):
    """Minus the description length, but for what no choice of cuts changes: by its definition."""
    codes, sizes = codes.copy(), list(sizes)
    codes[:, at], sizes[at] = np.searchsorted(cuts, values), len(cuts) + 1
    weights = np.ones(len(codes)) if weights is None else weights
    within = 0.0  # values within their parts, by how often each occurs there
    for part in range(sizes[at]):
        mine = codes[:, at] == part
        for value in np.unique(values[mine]):
            count = weights[mine & (values == value)].sum()
            within += count * np.log(count / weights[mine].sum())
    ways = comb(len(np.unique(values)) - 1, len(cuts))
    return bic(codes, sizes, parents, weights) + within - np.log(ways)


def table(seed, rows=60, different=7):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, different, rows).astype(float)
    codes = np.column_stack([rng.integers(0, 2, rows), np.zeros(rows), (values > 3) ^ (rng.random(rows) < 0.1)])
    codes = np.column_stack([codes, (values + codes[:, 0] + rng.integers(0, 2, rows)) // 3 % 3]).astype(np.uint8)
    return values, codes, [2, 0, 2, 3]


GRAPHS = [((), (0,), (), ()), ((), (), (1,), ()), ((), (0, 2), (), (0, 1)), ((), (), (0, 1), (1, 2))]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("parents", GRAPHS)
def test_recut_is_the_best_of_all_choices(seed, parents, weighted):
    values, codes, sizes = table(seed)
    weights = np.random.default_rng(9).uniform(0.5, 3.0, len(values)) if weighted else None
    column = BinnedColumn.of(values, weights)
    coded = Coded(tuple("axbc"), tuple(tuple(range(size)) for size in sizes), codes, weights)
    found = recut(column, views_of(coded, parents, 1), weights)
    every = [c for n in range(1, len(column.edges) + 1) for c in combinations(column.edges, n)]
    scores = [described(values, np.array(c), codes, sizes, parents, 1, weights) for c in every]
    mine = described(values, column.edges[found], codes, sizes, parents, 1, weights)
    assert mine == pytest.approx(max(scores), abs=1e-8)


@pytest.mark.parametrize("parents", GRAPHS)
def test_the_score_with_its_spread_is_the_description_length(parents):
    values, codes, sizes = table(4)
    column = BinnedColumn.of(values)
    told = []
    for places in ([0], [2, 4], [0, 1, 5]):
        mine, own = codes.copy(), list(sizes)
        mine[:, 1], own[1] = column.cut(np.array(places))[1], len(places) + 1
        ours = bic(mine, own, parents) + spread(column, np.array(places), None)
        told.append(ours - described(values, column.edges[places], codes, sizes, parents, 1))
    assert np.ptp(told) < 1e-8


def test_holes_count_as_if_they_were_like_the_rest():
    values, codes, sizes = table(5, 400)
    holes = np.concatenate([values, np.full(40, np.nan)])
    more = np.vstack([codes, codes[:40]])
    levels = tuple(tuple(range(size)) for size in sizes)
    whole = recut(BinnedColumn.of(values), views_of(Coded(tuple("axbc"), levels, codes), GRAPHS[3], 1))
    assert (
        recut(BinnedColumn.of(holes), views_of(Coded(tuple("axbc"), levels, more), GRAPHS[3], 1)).tolist()
        == whole.tolist()
    )
    more[-3:, 0] = 2  # missing
    views = views_of(Coded(tuple("axbc"), levels, more), GRAPHS[3], 1)
    assert (views[1].cells[-3:] == -1).all()
    assert recut(BinnedColumn.of(holes), views).tolist() == whole.tolist()


def test_a_weight_of_two_is_the_row_twice():
    values, codes, sizes = table(6)
    levels = tuple(tuple(range(size)) for size in sizes)
    twice = Coded(tuple("axbc"), levels, np.vstack([codes, codes]))
    weights = np.full(len(values), 2.0)
    once = Coded(tuple("axbc"), levels, codes, weights)
    a = recut(BinnedColumn.of(np.tile(values, 2)), views_of(twice, GRAPHS[2], 1))
    assert a.tolist() == recut(BinnedColumn.of(values, weights), views_of(once, GRAPHS[2], 1), weights).tolist()


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.lists(st.floats(-1e6, 1e6) | st.just(np.nan), min_size=2, max_size=400))
def test_steps_keep_the_order_of_values(values):
    values = np.array(values) + 0.0
    known = values[~np.isnan(values)]
    if len(np.unique(known)) < 2:
        return
    column = BinnedColumn.of(values)
    assert len(column.edges) < MOST_CUT_PLACES
    assert (np.diff(column.edges) > 0).all()
    levels, codes = column.cut(first_cuts(column))
    assert (np.searchsorted(cuts_of(levels), known) == codes[~np.isnan(values)]).all()
    assert (codes[np.isnan(values)] == len(levels)).all()
    assert set(codes[~np.isnan(values)]) == set(range(len(levels)))


def test_first_cuts_leave_equal_parts():
    values = np.random.default_rng(0).normal(size=10_000)
    _, codes = (column := BinnedColumn.of(values)).cut(first_cuts(column))
    assert np.bincount(codes).tolist() == pytest.approx([2000] * 5, abs=100)  # cut at gaps within half a step of 200
    assert len(first_cuts(BinnedColumn.of(np.arange(9.0)))) == 1


@settings(derandomize=True, deadline=None)
@given(st.lists(st.floats(-1e100, 1e100), min_size=1, max_size=6, unique=True))
def test_levels_tell_their_cuts_to_the_last_bit(cuts):
    rising = sorted({cut + 0.0 for cut in cuts})
    assert cuts_of(interval_levels(rising)).tolist() == rising


@pytest.mark.parametrize(
    "levels",
    [
        ("<= 1", "> 2"),
        ("<= 1", "1 .. 2", "> 3"),
        ("<= 2", "2 .. 1", "> 1"),
        ("> 1", "<= 1"),
        ("<= 1",),
        ("<= x", "> x"),
        ("<= 1", "1 .. 2"),
        (1, 2),
        ("<= 1e999", "> 1e999"),
    ],
)
def test_what_are_no_intervals(levels):
    assert cuts_of(levels) is None


@settings(derandomize=True, deadline=None)
@given(st.floats(-1e150, 1e150), st.floats(-1e150, 1e150))
def test_a_short_number_lies_between(one, other):
    low, high = min(one, other), max(one, other)
    if low < high:
        assert low <= short_between(low, high) < high


def noisy_tree(rows):
    """class -> x -> y; z by itself."""
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 2, rows)
    x = rng.normal(size=rows) + 4 * kind
    return {
        "class": kind,
        "x": x,
        "y": np.where(x > 5, 1.0, 0.0) + rng.normal(size=rows) * 0.1,
        "z": rng.normal(size=rows),
    }


def scored(parents):
    return lambda coded: SearchResult(parents, bic(coded.codes.astype(int), coded.sizes, parents))


def test_search_and_cuts_alternate_until_nothing_is_gained():
    parents = ((), (0,), (1,), ())
    columns = code_columns(noisy_tree(2000))
    assert list(columns.amounts) == [1, 2, 3]
    seen = []

    def search(coded):
        seen.append(coded)
        return scored(parents)(coded)

    coded, found = search_cutting(columns, search)
    cuts = {name: cuts_of(levels) for name, levels in zip(coded.names, coded.levels, strict=True)}
    assert np.abs(cuts["x"] - 5).min() < 0.15  # where y changes
    assert cuts["y"].tolist() == pytest.approx([0.5], abs=0.3)
    assert len(cuts["z"]) == 4  # nothing is known of it: as it was at first
    assert len(seen) >= 2
    assert found.notes[-2].startswith("'z' is numeric, binned at ")
    assert found.notes[-1] == "scores compare only under the same cut points"
    again, same = adjusted(
        columns.amounts,
        {at: np.searchsorted(a.edges, cuts[coded.names[at]]) for at, a in columns.amounts.items()},
        coded,
        parents,
    )
    assert same.levels == coded.levels
    assert all(len(places) < MOST_BINS for places in again.values())


def test_an_interrupt_keeps_the_best_so_far():
    columns = code_columns(noisy_tree(300))
    parents, calls = ((), (0,), (1,), ()), []

    def search(coded):
        calls.append(coded)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return scored(parents)(coded)

    coded, found = search_cutting(columns, search)
    assert found.interrupted
    assert coded.levels == columns.levels


def test_without_amounts_the_search_runs_once():
    calls = []

    def search(coded):
        calls.append(coded)
        return SearchResult(((), ()), 0.0)

    coded, found = search_cutting(code_columns({"a": [0, 1], "b": ["x", "y"]}), search)
    assert (len(calls), found.notes, coded.levels) == (1, (), ((0, 1), ("x", "y")))


def test_a_view_of_one_class():
    column = BinnedColumn.of(np.arange(50.0))
    assert len(recut(column, [NeighbourView(np.zeros(50, dtype=int), np.zeros(50, dtype=int), 1.0)])) == 1
