"""NormalInverseGamma, against quadrature over mean and variance, scipy and sampling."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from likely.beliefs import NormalInverseGamma
from likely.errors import OptionError

PRIOR = NormalInverseGamma(mean=0.5, strength=2.0, shape=3.0, rate=2.0)
VALUES = np.array([1.0, -0.5, 2.25, 0.75])

# A grid over mean and log variance: the trapezoid rule is all but exact for a smooth density that dies out inside it.
MEAN = np.linspace(-14, 15, 2001)
LOG_VARIANCE = np.linspace(-5, 9, 1001)
VARIANCE = np.exp(LOG_VARIANCE)


def log_joint(mean: np.ndarray, variance: np.ndarray, values: np.ndarray, belief: NormalInverseGamma) -> np.ndarray:
    """log prior + log likelihood, with scipy's densities."""
    spread = np.sqrt(variance)
    total = stats.norm(belief.mean, spread / np.sqrt(belief.strength)).logpdf(mean)
    total = total + stats.invgamma(belief.shape, scale=belief.rate).logpdf(variance)
    for value in values:
        total = total + stats.norm(mean, spread).logpdf(value)
    return np.asarray(total)


@pytest.fixture(scope="module")
def weights() -> np.ndarray:
    """(means, variances): prior · likelihood of each grid cell, the step of log variance included."""
    cell = (MEAN[1] - MEAN[0]) * (LOG_VARIANCE[1] - LOG_VARIANCE[0])
    return np.asarray(np.exp(log_joint(MEAN[:, None], VARIANCE, VALUES, PRIOR)) * VARIANCE * cell)


def test_evidence_and_moments_by_quadrature(weights: np.ndarray) -> None:
    evidence, belief = weights.sum(), PRIOR.update(VALUES)
    share = weights / evidence
    mean = (share.sum(axis=1) * MEAN).sum()
    assert PRIOR.log_evidence(VALUES) == pytest.approx(np.log(evidence), rel=1e-7)
    assert belief.mean == pytest.approx(mean, abs=1e-8)
    assert belief.variance_of_mean == pytest.approx((share.sum(axis=1) * (MEAN - mean) ** 2).sum(), rel=1e-4)
    assert belief.expected_variance == pytest.approx((share.sum(axis=0) * VARIANCE).sum(), rel=1e-4)


def test_predictive_by_quadrature(weights: np.ndarray) -> None:
    belief, share = PRIOR.update(VALUES), weights / weights.sum()
    for x in (-1.0, 0.8, 3.0):
        density = (share * stats.norm(MEAN[:, None], np.sqrt(VARIANCE)).pdf(x)).sum()
        assert belief.log_predictive(x) == pytest.approx(np.log(density), abs=1e-7)
        assert belief.predictive().logpdf(x) == pytest.approx(np.log(density), abs=1e-7)
    degrees, location, scale = belief.student
    grid = np.linspace(-5, 5, 21)
    assert belief.log_predictive(grid) == pytest.approx(stats.t(degrees, location, scale).logpdf(grid), abs=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_intervals_by_quadrature(level: float) -> None:
    belief = PRIOR.update(VALUES)
    joint = lambda v, m: float(np.exp(belief.log_density(m, v)))  # noqa: E731
    low, high = belief.interval(level)
    inside = integrate.quad(lambda m: integrate.quad(joint, 0, np.inf, args=(m,))[0], low, high)[0]
    assert inside == pytest.approx(level, abs=1e-6)
    assert low + high == pytest.approx(2 * belief.mean)
    low, high = belief.variance_interval(level)
    density = stats.invgamma(belief.shape, scale=belief.rate).pdf
    assert integrate.quad(density, 0, low)[0] == pytest.approx((1 - level) / 2, abs=1e-8)
    assert integrate.quad(density, low, high)[0] == pytest.approx(level, abs=1e-8)


@pytest.mark.parametrize("point", [(0.0, 1.0), (2.0, 0.3), (-1.0, 5.0)])
def test_bayes_identity(point: tuple[float, float]) -> None:
    """Evidence = prior · likelihood / posterior at any point, with scipy's densities for both beliefs."""
    mean, variance = np.array(point[0]), np.array(point[1])
    after = log_joint(mean, variance, np.array([]), PRIOR.update(VALUES))
    assert PRIOR.log_evidence(VALUES) == pytest.approx(log_joint(mean, variance, VALUES, PRIOR) - after, abs=1e-12)
    assert PRIOR.log_density(*point) == pytest.approx(log_joint(mean, variance, np.array([]), PRIOR), abs=1e-12)


def test_modes_by_search() -> None:
    belief = PRIOR.update(VALUES)
    start = np.array([0.0, 1.0])
    joint = lambda p: -log_joint(np.array(p[0]), np.array(p[1]), VALUES, PRIOR)  # noqa: E731
    found = optimize.minimize(joint, start, bounds=[(-5, 5), (0.01, 20)], tol=1e-14)
    assert belief.mode == pytest.approx(found.x, abs=1e-4)
    marginal = stats.invgamma(belief.shape, scale=belief.rate).logpdf
    best = optimize.minimize_scalar(lambda v: -marginal(v), bounds=(0.01, 10), method="bounded").x
    assert belief.variance_mode == pytest.approx(best, abs=1e-5)


def test_vague_beliefs_have_infinite_moments() -> None:
    belief = NormalInverseGamma(0, 1, [0.5, 1.0, 1.5], 1)
    assert belief.expected_variance.tolist() == [np.inf, np.inf, 2.0]
    assert belief.variance_of_mean.tolist() == [np.inf, np.inf, 2.0]


def test_learn_takes_the_statistic() -> None:
    spread = float(((VALUES - VALUES.mean()) ** 2).sum())
    belief = PRIOR.learn(len(VALUES), VALUES.mean(), spread)
    assert belief == PRIOR.update(VALUES)
    assert PRIOR.log_evidence_of(len(VALUES), VALUES.mean(), spread) == PRIOR.log_evidence(VALUES)


def test_no_values_teach_nothing() -> None:
    assert PRIOR.update([]) == PRIOR
    assert PRIOR.learn(0, np.nan, 0.0) == PRIOR
    assert PRIOR.log_evidence([]) == 0
    assert PRIOR.update(VALUES, weights=np.zeros(4)) == PRIOR


def test_density_needs_a_positive_variance() -> None:
    assert PRIOR.log_density(0.0, [0.0, -1.0, np.inf]).tolist() == [-np.inf] * 3
    assert np.isnan(PRIOR.log_density(0.0, np.nan))


def test_sample() -> None:
    belief = NormalInverseGamma([0.5, -1], 2, [3, 1.5], [2, 4])
    means, variances = belief.sample(4000, seed=4)
    assert means.shape == variances.shape == (4000, 2)
    for cell in range(2):
        one = belief[cell]
        marginal = stats.t(2 * one.shape, one.mean, np.sqrt(one.rate / one.shape / one.strength))
        assert stats.kstest(means[:, cell], marginal.cdf).pvalue > 1e-3
        assert stats.kstest(variances[:, cell], stats.invgamma(one.shape, scale=one.rate).cdf).pvalue > 1e-3
        standard = (means[:, cell] - one.mean) / np.sqrt(variances[:, cell] / one.strength)
        assert stats.kstest(standard, stats.norm.cdf).pvalue > 1e-3


def test_refuses() -> None:
    for wrong in ((0, 0, 1, 1), (0, 1, -1, 1), (0, 1, 1, 0)):
        with pytest.raises(OptionError, match="O203"):
            NormalInverseGamma(*wrong)
    with pytest.raises(OptionError, match="O202"):
        NormalInverseGamma(np.nan, 1, 1, 1)
    with pytest.raises(OptionError, match=r"O202(.|\n)*values(.|\n)*index 1"):
        PRIOR.update([1.0, np.nan])
    with pytest.raises(OptionError, match="O204"):
        PRIOR.update([1.0, 2.0], weights=[1, -1])
    with pytest.raises(OptionError, match="O206"):
        PRIOR.update([1.0, 2.0], weights=[1, 1, 1])
    with pytest.raises(OptionError, match="O205"):
        PRIOR.learn(-2, 0.0, 0.0)
    with pytest.raises(OptionError, match=r"O205(.|\n)*rate"):
        PRIOR.update(VALUES).learn(-2, 0.0, -50.0)
    with pytest.raises(OptionError, match="O202"):
        PRIOR.learn(1, np.nan, 0.0)
