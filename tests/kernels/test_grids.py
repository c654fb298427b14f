"""Linear binning against hat functions."""

import numpy as np
import pytest

from likely.kernels.counting.grid import bin_linear


@pytest.mark.parametrize("cells_count", [1, 2, 5])
@pytest.mark.parametrize("rows", [0, 1, 500])
@pytest.mark.parametrize("weighted", [False, True])
def test_hats(rows, cells_count, weighted):
    random = np.random.default_rng(rows)
    origin, spacing, nodes = -3.0, 0.37, 21
    values = random.uniform(origin, origin + spacing * (nodes - 1), rows)
    values[::7] = np.nan
    cells = random.integers(0, cells_count, rows).astype(np.int32)
    weights = random.random(rows) if weighted else None
    out = np.ones((cells_count, nodes))
    bin_linear(values, cells, weights, origin, spacing, out)
    hats = np.clip(1 - np.abs(values[:, None] - origin - spacing * np.arange(nodes)) / spacing, 0, None)
    hats = np.nan_to_num(hats) * (1.0 if weights is None else weights[:, None])
    np.testing.assert_allclose(out, 1 + np.eye(cells_count)[cells].T @ hats, atol=1e-12)


def test_the_ends_are_nodes():
    out = np.zeros((1, 5))
    bin_linear(np.array([0.0, 4.0, 2.0]), np.zeros(3, np.int32), None, 0.0, 1.0, out)
    assert out.tolist() == [[1, 0, 1, 0, 1]]
