"""The loops over draws that stand side by side, against plain indexing and scipy."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import softmax

from likely.kernels.memory import aligned_zeros
from likely.kernels.scoring.draws import add_drawn_levels, add_drawn_normals, share_draws

SUMS = [1, 39, 40, 41, 400, 1207]


@pytest.mark.parametrize("dtype", [np.uint8, np.int32])
@pytest.mark.parametrize("sums", SUMS)
@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (3, 0), (1, 1), (20, 7)])
def test_levels(rows, columns, sums, dtype):
    random = np.random.default_rng(sums)
    sizes = random.integers(1, 9, columns)
    offsets = (np.cumsum(sizes) - sizes).astype(np.int64)
    codes = (random.random((rows, columns)) * sizes).astype(dtype)
    table = random.normal(size=(sizes.sum(), sums))
    table[random.random(table.shape) < 0.02] = -np.inf
    out = np.ones((rows, sums))
    add_drawn_levels(codes, offsets, table, out)
    np.testing.assert_allclose(out, 1 + table[offsets + codes].sum(axis=1), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("sums", SUMS)
@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (3, 0), (1, 1), (20, 7)])
def test_normals(rows, columns, sums):
    random = np.random.default_rng(rows + columns + sums)
    values = random.normal(3, 2, (rows, columns))
    values[random.random(values.shape) < 0.1] = np.nan
    mean, scale = random.normal(3, 1, (columns, sums)), random.uniform(0.5, 3, (columns, sums))
    gone = random.normal(size=(columns, sums))
    tables = aligned_zeros((4, columns, sums))
    tables[:] = mean, 0.5 / scale**2, -0.5 * np.log(2 * np.pi * scale**2), gone
    out = np.ones((rows, sums))
    add_drawn_normals(values, tables, out)
    terms = np.where(np.isnan(values)[:, :, None], gone, stats.norm.logpdf(values[:, :, None], mean, scale))
    np.testing.assert_allclose(out, 1 + terms.sum(axis=1), rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize(("draws", "classes"), [(1, 1), (7, 3), (400, 2)])
def test_posteriors(draws, classes):
    random = np.random.default_rng(draws)
    joint = random.normal(scale=40.0, size=(9, draws, classes))
    joint[0, 0], joint[1, 0, 0] = -np.inf, -np.inf
    priors = np.log(random.dirichlet(np.ones(classes), draws))
    wanted = joint.copy()
    wanted[0, 0] = priors[0]  # what is impossible under a draw is judged by the prior of that draw
    if classes == 1:
        wanted[1, 0] = priors[0]
    joint[2, -1, 0] = np.nan
    said = joint.reshape(9, -1)
    share_draws(said, priors)
    said = np.swapaxes(said.reshape(9, classes, draws), 1, 2)
    assert np.isnan(said[2, -1]).all()  # no number is not taken for an impossible class
    said[2, -1] = softmax(wanted[2, -1])
    np.testing.assert_allclose(said, softmax(wanted, axis=2), rtol=1e-12, atol=1e-300)
