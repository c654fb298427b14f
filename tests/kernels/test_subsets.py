"""Sums over the cells of sets of columns, and the best over sets of nodes, are those that plain loops find."""

from __future__ import annotations

from itertools import combinations, permutations
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

from likely.kernels.counting import joint
from likely.kernels.counting.joint import joint_sums
from likely.kernels.search.subsets import (
    best_orders,
    highest,
    last_of,
    members,
    sets_worth,
    spread,
    squeezed,
    unknown,
    without,
)


def slow_sum(codes: Any, sizes: Any, bits: int, strength: float | None) -> float:
    columns = [at for at in range(len(sizes)) if bits >> at & 1]
    seen = np.unique(codes[:, columns], axis=0, return_counts=True)[1] if columns else np.array([len(codes)])
    seen = seen[seen > 0]
    if strength is None:
        return float((seen * np.log(seen)).sum())
    share = strength / np.prod(sizes[columns], dtype=float)
    return float((gammaln(seen + share) - gammaln(share)).sum())


def drawn(seed: int, rows: int, columns: int, most: int = 4) -> tuple[Any, Any]:
    chance = np.random.default_rng(seed)
    sizes = chance.integers(1, most + 1, columns)
    return (chance.random((rows, columns)) ** 2 * sizes).astype(np.uint8), sizes


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.integers(0, 999), st.integers(0, 60), st.integers(1, 7), st.sampled_from([None, 1.0, 10.0]), st.data())
def test_sums_over_cells(seed: int, rows: int, columns: int, strength: float | None, data: Any) -> None:
    codes, sizes = drawn(seed, rows, columns)
    sets = sorted(data.draw(st.sets(st.integers(0, 2**columns - 1), min_size=1)))
    found = joint_sums(np.ascontiguousarray(codes.T), sizes, np.array(sets), strength)
    assert found == pytest.approx([slow_sum(codes, sizes, bits, strength) for bits in sets], abs=1e-9)


@pytest.mark.parametrize("strength", [None, 1.0])
def test_more_cells_than_are_counted_blindly(strength: float | None) -> None:
    codes, sizes = drawn(1, 3000, 12, 9)
    assert np.prod(sizes, dtype=float) > 100 * joint.MOST_DENSE_CELLS
    sets = np.sort(np.random.default_rng(0).choice(1 << 12, 200, replace=False))
    found = joint_sums(np.ascontiguousarray(codes.T), sizes, sets, strength)
    assert found == pytest.approx([slow_sum(codes, sizes, int(bits), strength) for bits in sets], rel=1e-11)


def test_members_of_sets() -> None:
    assert members(0) == ()
    assert members(1 << 200 | 5) == (0, 2, 200)
    assert [highest(bits) for bits in (1, 2, 3, 1 << 23)] == [0, 1, 1, 23]
    assert without(0b1011, 2) == 0b111
    assert squeezed(np.array([0b1011, 0b1000]), 2).tolist() == [0b111, 0b100]


def test_sets_of_one_size_with_what_is_needed() -> None:
    spots, below, sizes = np.array([0, 2, 5]), np.full(1 << 5, -inf), np.array([2, 3, 4, 5, 6, 7])
    for extra in range(4):
        expected = sorted(sum(1 << at for at in some) | 0b10 for some in combinations([0, 2, 5], extra))
        assert sorted(sets_worth(extra, spots, 0b10, 3, below, sizes, 1.0).tolist()) == expected


def test_sets_too_dear_are_left_out() -> None:
    spots, sizes = np.array([0, 1]), np.array([2, 10, 3])
    below = np.full(4, -21.0)  # 2 free numbers in each of 2 or 10 or 20 cells, 2.1 each
    assert sets_worth(1, spots, 0, 2, below, sizes, 2.1).tolist() == [0b01]
    assert sets_worth(1, spots, 0, 2, below, sizes, -1.0).tolist() == [0b01, 0b10]


@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_best_of_all_subsets(nodes: int) -> None:
    first = np.random.default_rng(nodes).normal(size=1 << nodes)
    best = first.copy()
    spread(best)
    for bits in range(1 << nodes):
        assert best[bits] == max(first[part] for part in range(1 << nodes) if part & bits == part)


def test_best_of_all_orders() -> None:
    best = np.random.default_rng(3).normal(size=(5, 16))
    totals = np.empty(32)
    best_orders(best, totals)

    def total(order: Any) -> float:
        before = [sum(1 << at for at in order[:place]) for place in range(5)]
        return float(sum(best[node, without(bits, node)] for node, bits in zip(order, before, strict=True)))

    top = max(permutations(range(5)), key=total)
    assert totals[31] == pytest.approx(total(top), abs=1e-12)
    assert last_of(31, best, totals) == top[-1]


def test_what_is_not_known_is_asked_once() -> None:
    values = np.full(16, np.nan)
    values[0] = values[0b0010] = 0.0
    assert unknown(np.array([0b1110, 0b0010, 0b0110]), values).tolist() == [0b0110, 0b1110]
    values[0b0110] = values[0b1110] = 1.0
    assert unknown(np.array([0b1110]), values).tolist() == []
    assert unknown(np.array([0b1101]), values).tolist() == [0b0001, 0b0101, 0b1101]
