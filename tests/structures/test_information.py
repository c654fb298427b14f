"""Information from counts of pairs equals plain sums over rows."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from likely.structures import conditional_information, information, mutual_information


def pairs(codes: Any, y: Any, parts: Any, classes: int, weights: Any = None) -> Any:
    """(classes, parts, parts): counted row by row; a code beyond the parts is missing."""
    starts = np.cumsum(parts) - parts
    table = np.zeros((classes, sum(parts), sum(parts)), dtype=np.int64 if weights is None else np.float64)
    for row, label, weight in zip(codes, y, [1] * len(y) if weights is None else weights, strict=True):
        there = [start + code for start, code, many in zip(starts, row, parts, strict=True) if code < many]
        table[label][np.ix_(there, there)] += weight
    return table


def by_hand(a: Any, b: Any, y: Any) -> float:
    """I(a; b | y) by the definition, over rows."""
    n = len(y)
    three, left, right, one = Counter(zip(a, b, y, strict=True)), Counter(zip(a, y, strict=True)), Counter(), Counter(y)
    right.update(zip(b, y, strict=True))
    return sum(
        count / n * log((count / one[c]) / (left[i, c] / one[c] * right[j, c] / one[c]))
        for (i, j, c), count in three.items()
    )


@st.composite
def tables(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    parts = np.array(draw(st.lists(st.integers(0, 4), min_size=1, max_size=5)))
    rows = draw(st.integers(0, 40))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    codes = rng.integers(0, np.maximum(parts, 1) + draw(st.integers(0, 1)), (rows, len(parts)))
    return codes, rng.integers(0, 3, rows), parts


@given(tables())
def test_sums_over_the_rows_that_have_the_values(drawn: tuple[Any, Any, Any]) -> None:
    codes, y, parts = drawn
    table = pairs(codes, y, parts, 3)
    alone, together = mutual_information(table, parts), conditional_information(table, parts)
    np.testing.assert_array_equal(together, together.T)
    assert (np.diagonal(together) == 0).all()
    for i, many in enumerate(parts):
        known = codes[:, i] < many
        expected = mutual_info_score(codes[known, i], y[known]) if known.any() else 0.0
        assert alone[i] == pytest.approx(expected, abs=1e-12)
        for j in range(i):
            both = known & (codes[:, j] < parts[j])
            expected = by_hand(codes[both, i].tolist(), codes[both, j].tolist(), y[both].tolist())
            assert together[i, j] == pytest.approx(expected, abs=1e-12)


@given(tables())
def test_weight_two_is_the_row_twice_and_says_the_same(drawn: tuple[Any, Any, Any]) -> None:
    codes, y, parts = drawn
    once, twice = pairs(codes, y, parts, 3), pairs(codes, y, parts, 3, np.full(len(y), 2.0))
    np.testing.assert_array_equal(mutual_information(once, parts), mutual_information(twice, parts))
    np.testing.assert_array_equal(conditional_information(once, parts), conditional_information(twice, parts))


def test_given_one_class_it_is_the_information_of_two_columns() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 4, (300, 2))
    codes[:, 1] = np.where(rng.random(300) < 0.5, codes[:, 0], codes[:, 1])
    table = pairs(codes, np.zeros(300, dtype=int), [4, 4], 1)
    assert conditional_information(table, [4, 4])[0, 1] == pytest.approx(mutual_info_score(*codes.T), abs=1e-13)


def test_independent_counts_tell_exactly_nothing() -> None:
    table = pairs([(i, j) for i in range(3) for j in range(5) for _ in range(7)], [0] * 105, [3, 5], 1)
    assert conditional_information(table, [3, 5])[0, 1] == 0.0
    assert mutual_information(np.concatenate([table, 3 * table]), [3, 5]).tolist() == [0.0, 0.0]


def test_the_stretch_that_is_worked_on_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    parts = np.array([3, 1, 5, 2, 4, 4])
    table = pairs(rng.integers(0, parts, (200, 6)), rng.integers(0, 2, 200), parts, 2)
    whole = conditional_information(table, parts)
    for worked in (1, 60, 150):
        monkeypatch.setattr(information, "BOXES_AT_A_TIME", worked)
        np.testing.assert_allclose(conditional_information(table, parts), whole, rtol=0, atol=1e-15)


def test_wide_tables_take_little_memory() -> None:
    """Beside the table, no more than a few arrays as large as one class, however many classes there are."""
    import tracemalloc

    parts = np.full(400, 2)
    table = np.ones((9, 800, 800), dtype=np.int64)
    tracemalloc.start()
    conditional_information(table, parts)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * table[0].nbytes


def test_no_columns() -> None:
    assert mutual_information(np.zeros((2, 0, 0)), np.array([], dtype=int)).shape == (0,)
    assert conditional_information(np.zeros((2, 0, 0)), np.array([0, 0])).tolist() == [[0.0, 0.0]] * 2
