"""`count` against numpy.add.at."""

import numpy as np
import pytest

from likely.kernels.counting.level_counts import count


def oracle(codes, cells, offsets, weights, out):
    places = offsets[None, :] + codes.astype(np.int64)
    added = 1 if weights is None else weights[:, None]
    np.add.at(out, (cells[:, None], places), added)


@pytest.mark.parametrize("cells_count", [1, 2, 3, 5, 10, 26])
@pytest.mark.parametrize("rows", [0, 1, 7, 300, 5000])
@pytest.mark.parametrize("columns", [0, 1, 3, 16, 50, 64, 65, 130])
def test_bytes(rows, columns, cells_count):
    random = np.random.default_rng(rows + columns)
    sizes = random.integers(1, 9, columns)
    codes = (random.random((rows, columns)) * sizes).astype(np.uint8)
    check(random, codes, sizes + 2, cells_count)


@pytest.mark.parametrize(
    ("dtype", "levels"), [(np.uint8, 250), (np.uint16, 5000), (np.int32, 5000), (np.uint16, 3), (np.int32, 3)]
)
def test_wide(dtype, levels):
    random = np.random.default_rng(levels)
    codes = random.integers(0, levels, (4000, 21)).astype(dtype)
    check(random, codes, np.full(21, levels + 2), 3)


def check(random, codes, sizes, cells_count):
    rows = len(codes)
    offsets = (np.cumsum(sizes) - sizes).astype(np.int64)
    cells = random.integers(0, cells_count, rows).astype(np.int32)
    start = random.integers(0, 9, (cells_count, sizes.sum()))
    found, expected = start.copy(), start.copy()
    count(codes, cells, offsets, None, found)
    oracle(codes, cells, offsets, None, expected)
    assert np.array_equal(found, expected)
    weights = random.integers(0, 4, rows) / 4
    found, expected = start.astype(float), start.astype(float)
    count(codes, cells, offsets, weights, found)
    oracle(codes, cells, offsets, weights, expected)
    assert np.array_equal(found, expected)


def test_one_long_cell():
    """A byte of count overflows after 255 rows of one level in one cell: nothing may be lost."""
    codes = np.full((100_000, 70), 2, np.uint8)
    offsets = np.arange(70, dtype=np.int64) * 4
    out = np.zeros((2, 280), np.int64)
    count(codes, np.ones(100_000, np.int32), offsets, None, out)
    assert (out[1, 2::4] == 100_000).all()
    assert out.sum() == 7_000_000


def test_ragged_columns_stay_in_their_own_slots():
    """The last column has one slot only: levels of the others must not reach past the end of `out`."""
    codes = np.zeros((1000, 64), np.uint8)
    codes[:, :63] = 5
    sizes = np.array([6] * 63 + [1])
    check(np.random.default_rng(0), codes, sizes, 2)
