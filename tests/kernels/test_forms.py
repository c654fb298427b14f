"""`squares` against scipy's Mahalanobis distance, `linear` against a plain product."""

import numpy as np
import pytest
from scipy.linalg import solve_triangular
from scipy.spatial.distance import cdist

from likely.kernels.densities.quadratic_forms import linear, pad_whiteners, squares


def parts(columns, cells, random):
    roots = np.linalg.cholesky(
        np.array([np.cov(random.normal(size=(columns, 4 * columns + 4))).reshape(columns, -1) for _ in range(cells)])
    )
    whiteners = np.array([solve_triangular(root, np.eye(columns), lower=True) for root in roots])
    return random.normal(size=(cells, columns)), whiteners


@pytest.mark.parametrize("rows", [0, 1, 127, 128, 300])
@pytest.mark.parametrize("cells", [1, 3])
@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 50])
def test_mahalanobis(columns, cells, rows):
    random = np.random.default_rng(columns)
    centres, whiteners = parts(columns, cells, random)
    values, out = random.normal(size=(rows, columns)), np.full((rows, cells), np.nan)
    squares(values, centres, pad_whiteners(whiteners), out)
    for cell, (centre, root) in enumerate(zip(centres, whiteners, strict=True)):
        if rows:
            expected = cdist(values, centre[None], "mahalanobis", VI=root.T @ root)[:, 0] ** 2
            np.testing.assert_allclose(out[:, cell], expected, rtol=1e-12)


def test_far_from_zero():
    """Centres are taken off before anything is multiplied."""
    random = np.random.default_rng(0)
    centres, whiteners = parts(7, 2, random)
    values, near, far = np.round(random.normal(size=(200, 7)) * 64) / 64, np.empty((200, 2)), np.empty((200, 2))
    centres = np.round(centres * 64) / 64
    squares(values, centres, pad_whiteners(whiteners), near)
    squares(values + 2.0**40, centres + 2.0**40, pad_whiteners(whiteners), far)
    assert np.array_equal(near, far)


def test_a_hole_spoils_its_row_alone():
    random = np.random.default_rng(1)
    centres, whiteners = parts(5, 2, random)
    values, whole, out = random.normal(size=(150, 5)), np.empty((150, 2)), np.empty((150, 2))
    squares(values, centres, pad_whiteners(whiteners), whole)
    values[[3, 140], [0, 4]] = np.nan
    squares(values, centres, pad_whiteners(whiteners), out)
    spoilt = np.isnan(out)
    assert spoilt[[3, 140]].all()
    assert spoilt.sum() == 4
    assert np.array_equal(out[~spoilt], whole[~spoilt])


def test_views():
    """Rows and answers may lie in larger tables."""
    random = np.random.default_rng(2)
    centres, whiteners = parts(3, 2, random)
    values, table, out = random.normal(size=(40, 6)), np.zeros((40, 5)), np.empty((40, 2))
    squares(np.ascontiguousarray(values[:, ::2]), centres, pad_whiteners(whiteners), out)
    squares(values[:, ::2], centres, pad_whiteners(whiteners), table[:, 1:3])
    assert np.array_equal(table[:, 1:3], out)
    assert not table[:, [0, 3, 4]].any()


@pytest.mark.parametrize("rows", [0, 1, 5000])
@pytest.mark.parametrize("cells", [1, 4, 300])
def test_linear(cells, rows):
    random = np.random.default_rng(cells)
    values, weights, constant = random.normal(size=(rows, 9)), random.normal(size=(9, cells)), random.normal(size=cells)
    out = np.empty((rows, cells))
    centre = 1e3 * random.normal(size=9)
    linear(values + centre, centre, weights, constant, out)
    np.testing.assert_allclose(out, ((values + centre) - centre) @ weights + constant, rtol=1e-12, atol=1e-13)


def test_nothing_to_look_at():
    out = np.empty((4, 2))
    squares(np.zeros((4, 0)), np.zeros((2, 0)), np.zeros((2, 0, 0)), out)
    assert not out.any()
    linear(np.zeros((4, 0)), np.zeros(0), np.zeros((0, 2)), np.array([1.0, 2.0]), out)
    assert (out == [1.0, 2.0]).all()
