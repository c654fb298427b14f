"""`moments` against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

from likely.kernels.arithmetic.double import subtract2
from likely.kernels.counting.moments import moments


def exact(values, cells, weights, cell, column):
    count = total = squares = Fraction(0)
    for i in np.flatnonzero(cells == cell):
        if not np.isnan(values[i, column]):
            w = Fraction(1) if weights is None else Fraction(weights[i])
            x = Fraction(values[i, column])
            count, total, squares = count + w, total + w * x, squares + w * x * x
    return count, total, squares


def close(high, low, expected, scale):
    assert abs(low) <= np.spacing(abs(high))
    assert abs(Fraction(high) + Fraction(low) - expected) <= Fraction(1, 10**29) * scale


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("cells_count", [1, 3, 10])
@pytest.mark.parametrize("columns", [1, 5, 8, 50])
def test_fractions(columns, cells_count, weighted):
    random = np.random.default_rng(columns)
    values = random.normal(1e6, 1, (400, columns)) * 10.0 ** random.integers(-6, 6, columns)
    values[random.random(values.shape) < 0.1] = np.nan
    cells = random.integers(0, cells_count, 400).astype(np.int32)
    weights = random.random(400) if weighted else None
    out = np.zeros((6, cells_count, columns))
    moments(values, cells, weights, out)
    for cell in range(cells_count):
        for column in {0, columns // 2, columns - 1}:
            count, total, squares = exact(values, cells, weights, cell, column)
            close(*out[[0, 5], cell, column], count, count)
            close(*out[1:3, cell, column], total, abs(total))
            close(*out[3:5, cell, column], squares, squares)


def test_cancelling_signs():
    """Huge values that cancel leave the small one behind."""
    values = np.array([[1e25], [3.0], [-1e25], [1e-9]])
    out = np.zeros((6, 1, 1))
    moments(values, np.zeros(4, np.int32), None, out)
    assert out[1, 0, 0] == pytest.approx(3 + 1e-9, abs=1e-6)
    assert out[3, 0, 0] == pytest.approx(2e50)


def test_blocks_add_and_come_off():
    """A part subtracted from the whole leaves the other part, to the last bit that matters."""
    random = np.random.default_rng(1)
    values = random.normal(1e8, 1, (3000, 7))
    cells = random.integers(0, 2, 3000).astype(np.int32)
    whole, rest, part = (np.zeros((6, 2, 7)) for _ in range(3))
    moments(values[:2990], cells[:2990], None, whole)
    moments(values[2990:], cells[2990:], None, whole)
    moments(values[:2990], cells[:2990], None, rest)
    moments(values[2990:], cells[2990:], None, part)
    for k in (1, 3):
        high, low = subtract2(whole[k], whole[k + 1], rest[k], rest[k + 1])
        np.testing.assert_allclose(high, part[k], rtol=1e-15)
        assert (np.abs((high - part[k]) + (low - part[k + 1])) <= 1e-30 * whole[k]).all()


def test_no_columns():
    out = np.zeros((6, 2, 0))
    moments(np.zeros((4, 0)), np.zeros(4, np.int32), None, out)
    assert out.shape == (6, 2, 0)


def test_an_overflow_stays_in_its_cell():
    """The lanes past a row's end read the next row: its infinity must not reach this row's cell."""
    values = np.ones((50, 5))
    values[20, 0] = np.inf
    cells = np.zeros(50, np.int32)
    cells[20] = 1
    out = np.zeros((6, 2, 5))
    moments(values, cells, None, out)
    assert np.isfinite(out[:, 0]).all()
    assert np.isfinite(out[:, 1, 1:]).all()
    assert not np.isfinite(out[1, 1, 0])


def test_whole_numbers_are_exact_and_nothing_adds_nothing():
    values = np.arange(12.0).reshape(6, 2)
    out = np.zeros((6, 1, 2))
    moments(values, np.zeros(6, np.int32), None, out)
    assert out[:, 0].tolist() == [[6, 6], [30, 36], [0, 0], [220, 286], [0, 0], [0, 0]]
    moments(values[:0], np.zeros(0, np.int32), None, out)
    moments(np.full((3, 2), np.nan), np.zeros(3, np.int32), np.ones(3), out)
    assert out[:, 0].tolist() == [[6, 6], [30, 36], [0, 0], [220, 286], [0, 0], [0, 0]]
