"""Gamma, against quadrature, scipy and sampling."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from likely.beliefs import Gamma
from likely.errors import OptionError

SHAPE, RATE, COUNTS = 2.5, 0.8, np.array([3, 0, 4, 1])


# Gauss-Legendre nodes over all the expected counts that have any weight.
NODES, STEPS = np.polynomial.legendre.leggauss(800)
LAMBDA, STEPS = 40 * (NODES + 1), 40 * STEPS


def posterior(power: int = 0, counts: np.ndarray = COUNTS, exposure: float | np.ndarray = 1.0) -> float:
    """The integral of λ^power · likelihood · prior over λ: no conjugacy in it."""
    likelihood = stats.poisson.pmf(counts, LAMBDA[:, None] * exposure).prod(axis=1)
    return float(np.sum(STEPS * LAMBDA**power * likelihood * stats.gamma.pdf(LAMBDA, SHAPE, scale=1 / RATE)))


def test_moments_and_evidence_by_quadrature() -> None:
    belief, evidence = Gamma(SHAPE, RATE).update(COUNTS.sum(), len(COUNTS)), posterior()
    mean = posterior(1) / evidence
    assert belief.mean == pytest.approx(mean, rel=1e-8)
    assert belief.variance == pytest.approx(posterior(2) / evidence - mean**2, rel=1e-6)
    assert Gamma(SHAPE, RATE).log_evidence(COUNTS) == pytest.approx(np.log(evidence), rel=1e-9)


@pytest.mark.parametrize("exposure", [1.0, 0.3, 5.0])
def test_predictive_by_quadrature(exposure: float) -> None:
    belief = Gamma(SHAPE, RATE)
    for count in (0, 1, 7):
        probability = posterior(counts=np.array([count]), exposure=exposure)
        assert belief.predictive(exposure).pmf(count) == pytest.approx(probability, rel=1e-8)
        assert belief.log_predictive(count, exposure) == pytest.approx(np.log(probability), rel=1e-8)
    assert np.exp(belief.log_predictive(np.arange(2000), exposure)).sum() == pytest.approx(1, abs=1e-12)


def test_evidence_with_exposures_by_quadrature() -> None:
    exposure = np.array([0.5, 2.0, 1.0, 0.1])
    evidence = posterior(exposure=exposure)
    assert Gamma(SHAPE, RATE).log_evidence(COUNTS, exposure) == pytest.approx(np.log(evidence), rel=1e-8)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_interval_and_density_by_quadrature(level: float) -> None:
    belief = Gamma(SHAPE, RATE)
    low, high = belief.interval(level)
    density = stats.gamma(SHAPE, scale=1 / RATE).pdf
    assert integrate.quad(density, 0, low)[0] == pytest.approx((1 - level) / 2, abs=1e-9)
    assert integrate.quad(density, low, high)[0] == pytest.approx(level, abs=1e-9)
    grid = np.linspace(0.01, 9, 50)
    assert belief.log_density(grid) == pytest.approx(np.log(density(grid)), abs=1e-12)


def test_mode_by_search() -> None:
    density = stats.gamma(SHAPE, scale=1 / RATE).logpdf
    best = optimize.minimize_scalar(lambda x: -density(x), bounds=(0, 10), method="bounded").x
    assert Gamma(SHAPE, RATE).mode == pytest.approx(best, abs=1e-5)
    assert Gamma(0.5, 1).mode == 0


def test_outside_the_counts() -> None:
    belief = Gamma(2, 1)
    assert belief.log_predictive([-1, np.nan, 0]).tolist()[0] == -np.inf
    assert np.isnan(belief.log_predictive(np.nan))
    assert belief.log_density([-1.0, np.inf]).tolist() == [-np.inf, -np.inf]
    assert belief.log_predictive([0, 1], exposure=0).tolist() == [0, -np.inf]
    assert belief.log_evidence([]) == 0


def test_sample() -> None:
    draws = Gamma([SHAPE, 0.5], [RATE, 3]).sample(4000, seed=2)
    assert draws.shape == (4000, 2)
    assert stats.kstest(draws[:, 0], stats.gamma(SHAPE, scale=1 / RATE).cdf).pvalue > 1e-3
    assert stats.kstest(draws[:, 1], stats.gamma(0.5, scale=1 / 3).cdf).pvalue > 1e-3


def test_refuses() -> None:
    with pytest.raises(OptionError, match=r"O203(.|\n)*rate"):
        Gamma(1, -1)
    with pytest.raises(OptionError, match="O205"):
        Gamma(1, 1).update(0, -1)
    with pytest.raises(OptionError, match="O204"):
        Gamma(1, 1).log_evidence([1, -1])
    with pytest.raises(OptionError, match="O204"):
        Gamma(1, 1).predictive(-1)
    with pytest.raises(OptionError, match="O208"):
        Gamma(1, 1).sample(-1, seed=0)
