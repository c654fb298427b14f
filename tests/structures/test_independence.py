"""Tests of independence give the numbers of scipy, and err as often as they say."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from likely.errors import LikelyError
from likely.structures.search.independence import (
    INDEPENDENCE_TESTS,
    ChiSquareTest,
    PermutationTest,
    information,
    log_tail,
    read_most_given,
    read_test,
)

from .search_rows import Rows


def strata(codes: Any, one: int, other: int, given: tuple[int, ...], sizes: Any) -> Any:
    """The table of two columns within each cell of others."""
    for cell in itertools.product(*(range(sizes[at]) for at in given)):
        rows = codes[(codes[:, list(given)] == cell).all(axis=1)]
        table = np.zeros((sizes[one], sizes[other]))
        np.add.at(table, (rows[:, one], rows[:, other]), 1)
        yield table


def by_scipy(codes: Any, one: int, other: int, given: tuple[int, ...], sizes: Any, kind: str) -> tuple[float, int]:
    total, free = 0.0, 0
    for table in strata(codes, one, other, given, sizes):
        seen = table[table.any(axis=1)][:, table.any(axis=0)]
        if seen.size:
            found = stats.chi2_contingency(seen, correction=False, lambda_=kind)
            total, free = total + found.statistic, free + found.dof
    return total, free


@settings(derandomize=True, deadline=None, max_examples=40)
@given(
    st.integers(0, 9999), st.lists(st.integers(1, 4), min_size=5, max_size=5), st.integers(0, 2), st.integers(1, 400)
)
def test_limits_are_those_of_scipy(seed: int, sizes: list[int], held: int, rows: int):
    draw = np.random.default_rng(seed)
    codes = np.stack([np.minimum(draw.geometric(0.5, rows) - 1, size - 1) for size in sizes], axis=1)
    codes[:, 4] = np.where(draw.random(rows) < 0.4, codes[:, 0] % sizes[4], codes[:, 4])
    scorer, known = Rows(codes, sizes), tuple(range(1, 1 + held))
    told = {name: ChiSquareTest(scorer, name).log_p(4, [0, 3], known) for name in ("g2", "mi", "x2")}
    for at, other in enumerate([0, 3]):
        cells = math.prod(sizes[at] for at in known)
        full = (sizes[4] - 1) * (sizes[other] - 1) * cells
        if held and 5 * full > rows:
            assert all(mine[at] == -np.inf for mine in told.values())  # too few rows to tell
            continue
        ratio, free = by_scipy(codes, 4, other, known, sizes, "log-likelihood")
        pearson, _ = by_scipy(codes, 4, other, known, sizes, "pearson")
        want = {"g2": (ratio, free), "mi": (ratio, full), "x2": (pearson, free)}
        for name, (found, dof) in want.items():
            expected = stats.chi2.logsf(found, dof) if dof else 0.0
            assert told[name][at] == pytest.approx(expected, rel=1e-6, abs=1e-9), name


def test_information_is_half_the_ratio_of_a_row():
    codes = np.random.default_rng(0).integers(0, 3, (200, 3))
    codes[:, 2] = (codes[:, 0] + (codes[:, 1] > 1)) % 3
    rows = Rows(codes, (3, 3, 3))
    for at, other in enumerate([0, 1]):
        assert information(rows, 2, [0, 1])[at] == pytest.approx(
            by_scipy(codes, 2, other, (), (3, 3, 3), "log-likelihood")[0] / 400
        )


def test_shrinking_is_that_of_hausser_and_strimmer():
    codes = np.random.default_rng(3).integers(0, 2, (40, 3))
    codes[:, 1] |= codes[:, 0]
    rows = Rows(codes, (2, 2, 2))
    table = np.zeros((2, 2, 2))
    np.add.at(table, tuple(codes.T), 1)
    shares = table / 40
    target = 1 / 8
    lam = min(1.0, (1 - (shares**2).sum()) / (39 * ((target - shares) ** 2).sum()))
    mixed = lam * target + (1 - lam) * shares
    both, one, other, cell = (
        mixed,
        mixed.sum(1, keepdims=True),
        mixed.sum(0, keepdims=True),
        mixed.sum((0, 1), keepdims=True),
    )
    value = 80 * float((both * np.log(both * cell / (one * other))).sum())
    assert 0 < lam < 1
    assert ChiSquareTest(rows, "mi-shrink").log_p(0, [1], (2,))[0] == pytest.approx(stats.chi2.logsf(value, 2))


def test_shuffles_agree_with_fisher():
    """For two levels each, shuffling one column gives Fisher's exact p-value."""
    draw = np.random.default_rng(1)
    for _ in range(5):
        codes = draw.integers(0, 2, (30, 2))
        codes[:15, 1] |= codes[:15, 0]
        table = np.zeros((2, 2))
        np.add.at(table, tuple(codes.T), 1)
        # G² orders tables a little otherwise than their probabilities do: add up those that depart as far
        first, rows, columns = table[0, 0], table.sum(1), table.sum(0)

        def depart(a: float, rows: Any = rows, columns: Any = columns) -> float:
            cells = np.array([a, rows[0] - a, columns[0] - a, rows[1] - columns[0] + a])
            return float(sum(n * math.log(n) for n in cells if n > 0))

        able = np.arange(max(0, columns[0] - rows[1]), min(rows[0], columns[0]) + 1)
        law = stats.hypergeom(30, int(rows[0]), int(columns[0])).pmf(able)
        exact = sum(p for a, p in zip(able, law, strict=True) if depart(a) >= depart(first) - 1e-9)
        found = math.exp(PermutationTest(Rows(codes, (2, 2)), alpha=0.999).log_p(0, [1], ())[0])
        assert found == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 1000) + 0.002)


def test_shuffles_within_cells_do_not_see_what_the_cells_explain():
    draw = np.random.default_rng(0)
    cause = draw.integers(0, 2, 600)
    codes = np.stack(
        [cause, (draw.random(600) < 0.2 + 0.6 * cause), (draw.random(600) < 0.2 + 0.6 * cause)], axis=1
    ).astype(int)
    test = PermutationTest(Rows(codes, (2, 2, 2)), alpha=0.05)
    assert test.log_p(1, [2], ())[0] < math.log(0.001)
    assert test.log_p(1, [2], (0,))[0] > math.log(0.05)
    assert test.log_p(1, [2], (0,))[0] == test.log_p(2, [1], (0,))[0]
    again = PermutationTest(Rows(codes, (2, 2, 2)), alpha=0.05, seed=0)
    assert again.log_p(1, [2], (0,)).tolist() == test.log_p(1, [2], (0,)).tolist()
    assert PermutationTest(Rows(codes, (2, 2, 2)), alpha=0.05, seed=1).log_p(1, [2], (0,)) != test.log_p(1, [2], (0,))


@pytest.mark.parametrize("name", INDEPENDENCE_TESTS)
def test_independent_columns_are_told_apart_as_seldom_as_alpha_says(name: str):
    draw = np.random.default_rng(5)
    codes = draw.integers(0, 3, (500, 25))
    test, least = read_test(Rows(codes, [3] * 25), name, 0.1)
    told = np.concatenate([test.log_p(at, range(at + 1, 25), ()) for at in range(24)])
    wrong = float((told <= least).mean())
    assert wrong < 0.14
    assert wrong > 0.06 or name == "mi-shrink"  # which shrinks independent ones to nothing


def test_tails_beyond_doubles_stay_ordered():
    found = np.array([100.0, 1400.0, 1500.0, 3000.0, 1e6])
    for free in (1.0, 4.0, 50.0):
        told = log_tail(found, np.full(5, free))
        assert (np.diff(told) < 0).all()
        assert np.isfinite(told).all()
        assert told[:2] == pytest.approx(stats.chi2.logsf(found[:2], free), rel=1e-9)
    mpmath = pytest.importorskip("mpmath")
    exact = mpmath.log(mpmath.gammainc(2, 1500, mpmath.inf, regularized=True))
    assert log_tail(np.array([3000.0]), np.array([4.0]))[0] == pytest.approx(float(exact), rel=1e-6)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"alpha": 0}, "O521"),
        ({"alpha": 1.0}, "O521"),
        ({"alpha": "0.05"}, "O521"),
        ({"alpha": True}, "O521"),
        ({"alpha": math.nan}, "O521"),
        ({"alpha": 0.0001, "test": "permutation"}, "O526"),
        ({"test": "g3"}, "O522"),
        ({"test": None}, "O522"),
        ({"test": ["g2"]}, "O522"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], code: str):
    rows = Rows(np.zeros((4, 2), dtype=int), (2, 2))
    with pytest.raises(LikelyError) as caught:
        read_test(rows, **{"test": "g2", "alpha": 0.05, **options})
    assert caught.value.code == code
    assert caught.value.hint


def test_wrong_numbers_of_given_nodes_are_refused():
    assert read_most_given(None) is None
    assert read_most_given(np.int64(2)) == 2
    for wrong in (-1, 1.5, True, "3"):
        with pytest.raises(LikelyError) as caught:
            read_most_given(wrong)
        assert caught.value.code == "O524"


def test_weights_that_are_not_whole_cannot_be_shuffled():
    codes = np.array([[0, 1], [1, 0], [1, 1]])
    whole = PermutationTest(Rows(codes, (2, 2), weights=[2.0, 1.0, 3.0]), alpha=0.05)
    assert whole.log_p(0, [1], ())[0] <= 0
    with pytest.raises(LikelyError) as caught:
        PermutationTest(Rows(codes, (2, 2), weights=[0.5, 1.0, 1.0]), alpha=0.05).log_p(0, [1], ())
    assert caught.value.code == "O523"
