"""The bag kernels against dense products."""

import numpy as np
import pytest
from scipy import sparse

from likely.kernels.counting.bags_of_words import score_bags, totals
from likely.kernels.memory import pad_classes


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("classes", [1, 2, 3, 5, 10, 26])
@pytest.mark.parametrize("rows", [0, 1, 200])
def test_bags(rows, classes, index):
    random = np.random.default_rng(classes)
    dense = random.poisson(0.3, (rows, 60)).astype(float)
    bag = sparse.csr_array(dense)
    indptr, indices = bag.indptr.astype(index), bag.indices.astype(index)
    cells = random.integers(0, classes, rows).astype(np.int32)
    one_hot = np.eye(classes)[cells].reshape(rows, classes)
    for weights in (None, random.random(rows)):
        out = np.ones((60, classes))
        totals(indptr, indices, bag.data, cells, weights, out)
        w = np.ones(rows) if weights is None else weights
        np.testing.assert_allclose(out, 1 + dense.T @ (one_hot * w[:, None]))
    table = random.normal(size=(60, classes))
    for layout in (table, pad_classes(table)):
        out = np.ones((rows, classes))
        score_bags(indptr, indices, bag.data, layout, out)
        np.testing.assert_allclose(out, 1 + dense @ table, atol=1e-12)


def test_a_middle_block_of_a_larger_matrix():
    """A block is a slice of indptr with the whole indices and data."""
    dense = np.arange(20.0).reshape(5, 4)
    bag = sparse.csr_array(dense)
    out = np.zeros((4, 1))
    totals(bag.indptr[1:4], bag.indices, bag.data, np.zeros(2, np.int32), None, out)
    assert out[:, 0].tolist() == dense[1:3].sum(axis=0).tolist()
    out = np.zeros((2, 1))
    score_bags(bag.indptr[1:4], bag.indices, bag.data, np.ones((4, 4)), out)
    assert out[:, 0].tolist() == dense[1:3].sum(axis=1).tolist()
