"""NormalInverseWishart, against scipy's densities, sampling and the belief in one dimension."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from likely.beliefs import NormalInverseGamma, NormalInverseWishart
from likely.errors import OptionError

SCALE = np.array([[2.0, 0.6], [0.6, 1.5]])
PRIOR = NormalInverseWishart(mean=[0.5, -1.0], strength=2.0, freedom=6.5, scale=SCALE)
ROWS = np.array([[1.0, 0.0], [2.5, -1.0], [-0.5, 0.25], [0.0, -2.0], [1.5, 1.5]])


def log_belief(belief: NormalInverseWishart, mean: np.ndarray, covariance: np.ndarray) -> float:
    """The joint log density by scipy."""
    normal = stats.multivariate_normal(belief.mean, covariance / belief.strength).logpdf(mean)
    return float(normal + stats.invwishart(belief.freedom, belief.scale).logpdf(covariance))


def points(n: int) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(0)
    return [(rng.normal(size=2), np.atleast_2d(np.cov(rng.normal(size=(2, 9))))) for _ in range(n)]


@pytest.mark.parametrize("point", points(4))
def test_bayes_identity(point: tuple[np.ndarray, np.ndarray]) -> None:
    """Evidence = prior · likelihood / posterior at any point, with scipy's densities for both beliefs."""
    likelihood = stats.multivariate_normal(*point).logpdf(ROWS).sum()
    identity = log_belief(PRIOR, *point) + likelihood - log_belief(PRIOR.update(ROWS), *point)
    assert PRIOR.log_evidence(ROWS) == pytest.approx(identity, abs=1e-10)
    assert PRIOR.log_density(*point) == pytest.approx(log_belief(PRIOR, *point), abs=1e-10)


def draws(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Means and covariances of the prior, drawn by scipy."""
    covariances = stats.invwishart(6.5, SCALE).rvs(n, random_state=np.random.default_rng(1))
    noise = np.random.default_rng(2).normal(size=(n, 2, 1))
    return PRIOR.mean + (np.linalg.cholesky(covariances) @ noise)[..., 0] / np.sqrt(2.0), covariances


def test_evidence_posterior_and_predictive_by_importance_sampling() -> None:
    means, covariances = draws(200_000)
    inverses, logdets = np.linalg.inv(covariances), np.linalg.slogdet(covariances)[1]

    def log_normal(x: np.ndarray) -> np.ndarray:
        away = x - means
        squares = np.einsum("ni,nij,nj->n", away, inverses, away)
        return np.asarray(-0.5 * (squares + logdets) - np.log(2 * np.pi))

    likelihood = np.exp(sum(log_normal(row) for row in ROWS))
    assert np.exp(PRIOR.log_evidence(ROWS)) == pytest.approx(likelihood.mean(), rel=0.03)
    belief, share = PRIOR.update(ROWS), likelihood / likelihood.sum()
    assert belief.mean == pytest.approx(share @ means, abs=0.02)
    assert belief.expected_covariance == pytest.approx(np.einsum("n,nij->ij", share, covariances), rel=0.05, abs=0.03)
    x = np.array([1.0, 0.5])
    assert np.exp(belief.log_predictive(x)) == pytest.approx(share @ np.exp(log_normal(x)), rel=0.03)
    low, high = belief.interval(0.8)
    assert share @ (means < low) == pytest.approx([0.1, 0.1], abs=0.01)
    assert share @ (means > high) == pytest.approx([0.1, 0.1], abs=0.01)


def test_predictive_by_scipy() -> None:
    grid = np.random.default_rng(3).normal(size=(50, 2)) * 4
    assert PRIOR.log_predictive(grid) == pytest.approx(PRIOR.predictive().logpdf(grid), abs=1e-11)


def test_modes_are_highest() -> None:
    belief, rng = PRIOR.update(ROWS), np.random.default_rng(4)
    mean, covariance = belief.mode
    top, marginal = log_belief(belief, mean, covariance), stats.invwishart(belief.freedom, belief.scale)
    for size in (1e-3, 1e-2, 0.3):
        for _ in range(30):
            root = np.eye(2) + size * rng.normal(size=(2, 2))
            assert log_belief(belief, mean + size * rng.normal(size=2), root @ covariance @ root.T) < top
            other = root @ belief.covariance_mode @ root.T
            assert marginal.logpdf(other) < marginal.logpdf(belief.covariance_mode)


def test_one_column_is_a_normal_inverse_gamma() -> None:
    wide = NormalInverseWishart([0.5], 2, 6, [[4]])
    narrow = NormalInverseGamma(0.5, 2, 3, 2)
    values = np.array([1.0, -0.5, 2.25])
    assert wide.marginals == NormalInverseGamma([0.5], [2], [3], [2])
    assert wide.log_evidence(values[:, None]) == pytest.approx(narrow.log_evidence(values), abs=1e-13)
    assert wide.log_predictive([1.5]) == pytest.approx(narrow.log_predictive(1.5), abs=1e-13)
    assert wide.log_density([0.2], [[0.7]]) == pytest.approx(narrow.log_density(0.2, 0.7), abs=1e-13)
    assert wide.update(values[:, None]).marginals[0].rate == pytest.approx(narrow.update(values).rate, abs=1e-13)
    assert wide.mode[1].item() == pytest.approx(narrow.mode[1])
    assert wide.covariance_mode.item() == pytest.approx(narrow.variance_mode)
    assert wide.expected_covariance.item() == pytest.approx(narrow.expected_variance)


def test_sample() -> None:
    means, covariances = PRIOR.sample(4000, seed=5)
    assert means.shape == (4000, 2)
    assert covariances.shape == (4000, 2, 2)
    for column in range(2):
        one = PRIOR.marginals[column]
        marginal = stats.t(2 * one.shape, one.mean, np.sqrt(one.rate / one.shape / one.strength))
        assert stats.kstest(means[:, column], marginal.cdf).pvalue > 1e-3
        spread = stats.invgamma((6.5 - 1) / 2, scale=SCALE[column, column] / 2)
        assert stats.kstest(covariances[:, column, column], spread.cdf).pvalue > 1e-3
    # The precision of an inverse-Wishart draw is expected to be freedom · scale⁻¹, off the diagonal too.
    assert np.linalg.inv(covariances).mean(axis=0) == pytest.approx(6.5 * np.linalg.inv(SCALE), rel=0.1)
    white = np.linalg.solve(np.linalg.cholesky(covariances), (means - PRIOR.mean)[..., None])[..., 0] * np.sqrt(2.0)
    assert stats.kstest(white.ravel(), stats.norm.cdf).pvalue > 1e-3


def test_sample_with_leading_axes() -> None:
    means, covariances = NormalInverseWishart(np.zeros((3, 2)), 1, [3, 4, 50], np.eye(2)).sample(2000, seed=0)
    assert means.shape == (2000, 3, 2)
    assert covariances.shape == (2000, 3, 2, 2)
    assert covariances[:, 2].mean(axis=0) == pytest.approx(np.eye(2) / 47, abs=0.001)


def test_far_rows_are_finite() -> None:
    assert np.isfinite(PRIOR.log_predictive([[1e200, -1e200], [0.0, 1e155]])).all()


def test_vague_beliefs_have_no_expected_covariance() -> None:
    found = NormalInverseWishart([0, 0], 1, [2.5, 5], np.eye(2)).expected_covariance
    assert np.isinf(np.diagonal(found[0])).all()
    assert found[1] == pytest.approx(np.eye(2) / 2)


def test_learn_takes_the_statistic() -> None:
    away = ROWS - ROWS.mean(axis=0)
    belief = PRIOR.learn(len(ROWS), ROWS.mean(axis=0), away.T @ away)
    assert belief.scale == pytest.approx(PRIOR.update(ROWS).scale, abs=1e-13)
    back = belief.learn(-len(ROWS), ROWS.mean(axis=0), -(away.T @ away))
    assert back.scale == pytest.approx(SCALE, abs=1e-12)
    assert back.mean == pytest.approx(PRIOR.mean, abs=1e-13)
    assert PRIOR.learn(0, [np.nan, np.nan], np.zeros((2, 2))) == PRIOR
    assert PRIOR.update(np.empty((0, 2))) == PRIOR


def test_refuses() -> None:
    with pytest.raises(OptionError, match="O218"):
        NormalInverseWishart([0, 0], 1, 1, np.eye(2))
    with pytest.raises(OptionError, match=r"O206(.|\n)*one number for each column"):
        NormalInverseWishart([0, 0, 0], 1, 4, np.eye(2))
    with pytest.raises(OptionError, match="O206"):
        NormalInverseWishart([0, 0], 1, 4, np.ones((2, 3)))
    with pytest.raises(OptionError, match="O214"):
        NormalInverseWishart([0, 0], 1, 4, [[1, 0.5], [0, 1]])
    with pytest.raises(OptionError, match="O215"):
        NormalInverseWishart([0, 0], 1, 4, np.ones((2, 2)))
    with pytest.raises(OptionError, match=r"O206(.|\n)*for one row"):
        PRIOR.update([1.0, 2.0])
    with pytest.raises(OptionError, match="O205"):
        PRIOR.learn(-2, [0.0, 0.0], np.zeros((2, 2)))
    with pytest.raises(OptionError, match=r"O205(.|\n)*freedom"):
        NormalInverseWishart([0, 0], 9, 2, np.eye(2)).learn(-3, [0.0, 0.0], np.zeros((2, 2)))
    with pytest.raises(OptionError, match=r"O216(.|\n)*belief\[0\]"):
        NormalInverseWishart(np.zeros((3, 2)), 1, 4, np.eye(2)).predictive()
    with pytest.raises(OptionError, match="O206"):
        PRIOR.log_predictive([1.0, 2.0, 3.0])
