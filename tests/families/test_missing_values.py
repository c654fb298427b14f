"""Rows with holes by the inverse covariances, beside the marginals of each pattern."""

import numpy as np
import pytest

import likely
from likely.families.multivariate.marginals import Marginal
from likely.families.multivariate.missing_values import InverseCovariances
from likely.families.multivariate.vectors import _roots


@pytest.mark.parametrize("covariance", ["full", "shared"])
@pytest.mark.parametrize("estimate", ["mle", "bayes"])
def test_the_same_as_pattern_by_pattern(covariance, estimate):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 400)
    X = rng.normal(size=(400, 6)) @ rng.normal(size=(6, 6)) + 3.0 * y[:, None] + 1e4
    X[:, 2] = 7.0  # says nothing
    normals = likely.GaussianBayes(covariance, estimate).fit(X, y).model_.dense.vectors.normals
    assert normals._inverse is not None
    X[rng.random(X.shape) < 0.4] = np.nan
    X[:5] = np.nan
    X[5] = 1e140
    said = normals.log_density(X)
    np.testing.assert_allclose(said, normals._by_patterns(X), rtol=1e-11, atol=1e-10)
    assert not said[:5].any()
    np.testing.assert_allclose(normals._filled(X), said, rtol=1e-9, atol=1e-10)  # as of very many classes


def test_covariances_that_are_nearly_singular_are_not_inverted():
    def whole(core):
        return Marginal.of(np.arange(2), np.zeros((1, 2)), np.ones((1, 2)), np.array([core]))

    assert InverseCovariances.of(whole([[1.0, 0.0], [0.0, 2e-4]])) is not None
    assert InverseCovariances.of(whole([[1.0, 0.9999999], [0.9999999, 1.0]])) is None


@pytest.mark.parametrize("smallest", [0.5, 1e-9, 1e-30, 0.0])
def test_roots_of_drawn_covariances_have_no_tiny_eigenvalue(smallest):
    rng = np.random.default_rng(0)
    axes = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    covariance = axes * [2.0, 1.0, 0.5, smallest] @ axes.T
    root = _roots(np.array([covariance, np.eye(4)]))
    again = root @ np.swapaxes(root, -1, -2)
    np.testing.assert_allclose(again, [covariance, np.eye(4)], atol=1e-11)
    assert np.linalg.eigvalsh(again[0])[0] > 1e-13
