"""Layouts of arrays."""

import numpy as np
import pytest

from likely.kernels.memory import aligned_zeros, pad_classes


@pytest.mark.parametrize("shape", [(0, 4), (3, 5), (7,), (2, 3, 4)])
@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float64])
def test_zeros_start_on_a_line(shape, dtype):
    found = aligned_zeros(shape, dtype)
    assert found.shape == shape
    assert found.dtype == dtype
    assert found.flags.c_contiguous
    assert not found.any()
    assert found.ctypes.data % 64 == 0 or found.size == 0


@pytest.mark.parametrize("classes", [1, 2, 3, 4, 5, 10, 26])
def test_padding(classes):
    table = np.random.default_rng(0).normal(size=(6, classes))
    padded = pad_classes(table)
    assert padded.shape[1] % 4 == 0
    assert 0 <= padded.shape[1] - classes < 4
    assert np.array_equal(padded[:, :classes], table)
    assert not padded[:, classes:].any()
