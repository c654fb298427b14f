"""Predictives against scipy: named distributions, and quadrature over the parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.neighbors import KernelDensity

import likely

RNG = np.random.default_rng(11)
Y = np.repeat(["a", "b"], [30, 20])
COUNTS = np.concatenate([RNG.poisson(2.5, 30), RNG.poisson(6.0, 20)])[:, None].astype(float)
REALS = np.concatenate([RNG.normal(10.0, 2.0, 30), RNG.normal(14.0, 1.0, 20)])[:, None]
WEIGHTS = {"unweighted": np.ones(50), "fractional": RNG.random(50) + 0.1}
weighted = pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS.keys())
smoothed = pytest.mark.parametrize("smoothing", [0.25, 1.0, 4.0])
AT = np.array([[0.0], [1.0], [3.0], [7.0], [25.0]])


def terms(X: Any, rows: Any, weights: Any, **options: Any) -> np.ndarray:
    """(rows, classes): what the one column says."""
    return likely.NaiveBayes(**options).fit(X, Y, sample_weight=weights).explain(rows).terms[:, 1]


@weighted
def test_poisson_of_maximum_likelihood(weights: Any) -> None:
    rates = [np.average(COUNTS[level == Y, 0], weights=weights[level == Y]) for level in "ab"]
    found = terms(COUNTS, AT, weights, kinds="count", estimate="mle")
    np.testing.assert_allclose(found, stats.poisson.logpmf(AT, rates), rtol=1e-9)


def gamma_posterior(weights: Any, smoothing: float) -> tuple[np.ndarray, np.ndarray]:
    """Shape and rate by class, under a prior worth `smoothing` rows at the mean of the column."""
    usual = np.average(COUNTS[:, 0], weights=weights)
    total = np.array([(weights * COUNTS[:, 0])[level == Y].sum() for level in "ab"])
    rows = np.array([weights[level == Y].sum() for level in "ab"])
    return smoothing * usual + total, smoothing + rows


@weighted
@smoothed
def test_poisson_mode(weights: Any, smoothing: float) -> None:
    shape, rate = gamma_posterior(weights, smoothing)
    found = terms(COUNTS, AT, weights, kinds="count", estimate="map", smoothing=smoothing)
    np.testing.assert_allclose(found, stats.poisson.logpmf(AT, shape / rate), rtol=1e-9)


@weighted
@smoothed
def test_poisson_predictive_is_negative_binomial(weights: Any, smoothing: float) -> None:
    shape, rate = gamma_posterior(weights, smoothing)
    found = terms(COUNTS, AT, weights, kinds="count", smoothing=smoothing)
    np.testing.assert_allclose(found, stats.nbinom.logpmf(AT, shape, rate / (rate + 1)), rtol=1e-9)
    for at, value in enumerate(AT[:, 0]):
        for cell in range(2):
            belief = stats.gamma(shape[cell], scale=1 / rate[cell])
            low, high = belief.ppf([1e-13, 0.5])[0], 10 * belief.mean()
            rates = np.linspace(low, high, 20_001)
            mass = integrate.simpson(stats.poisson.pmf(value, rates) * belief.pdf(rates), x=rates)
            assert np.exp(found[at, cell]) == pytest.approx(mass, rel=1e-6)


def normal_posterior(weights: Any, smoothing: float) -> tuple[np.ndarray, ...]:
    """Mean, strength, shape and rate by class: the prior is centred on the column, with the spread within classes."""
    x = REALS[:, 0]
    centre = np.average(x, weights=weights)
    whole = np.average((x - centre) ** 2, weights=weights)
    n = np.array([weights[level == Y].sum() for level in "ab"])
    means = np.array([np.average(x[level == Y], weights=weights[level == Y]) for level in "ab"])
    spread = np.array([(weights * (x - mean) ** 2)[level == Y].sum() for level, mean in zip("ab", means, strict=True)])
    within = (spread.sum() + smoothing * whole) / (n.sum() + smoothing)
    held = smoothing * within / whole
    mean = (held * centre + n * means) / (held + n)
    rate = smoothing * within / 2 + spread / 2 + held * n * (means - centre) ** 2 / (2 * (held + n))
    return mean, held + n, smoothing / 2 + n / 2, rate


@weighted
@smoothed
def test_normal_predictive_is_student(weights: Any, smoothing: float) -> None:
    mean, strength, shape, rate = normal_posterior(weights, smoothing)
    scale = np.sqrt(rate * (strength + 1) / (shape * strength))
    found = terms(REALS, AT, weights, kinds="real", smoothing=smoothing)
    np.testing.assert_allclose(found, stats.t.logpdf(AT, 2 * shape, mean, scale), rtol=1e-9)


@weighted
def test_normal_predictive_by_quadrature(weights: Any) -> None:
    """Mean and variance are integrated out numerically, the variance on a logarithmic scale."""
    mean, strength, shape, rate = normal_posterior(weights, 1.0)
    found = terms(REALS, [[9.0], [12.5]], weights, kinds="real")
    variances = np.geomspace(1e-2, 1e3, 1501)[:, None]
    for at, value in enumerate((9.0, 12.5)):
        for cell in range(2):
            width = np.sqrt(variances / strength[cell])
            means = mean[cell] + width * np.linspace(-9, 9, 401)
            inner = stats.norm.pdf(value, means, np.sqrt(variances)) * stats.norm.pdf(means, mean[cell], width)
            belief = stats.invgamma.pdf(variances[:, 0], shape[cell], scale=rate[cell])
            outer = integrate.simpson(inner, x=means) * belief * variances[:, 0]
            density = integrate.simpson(outer, x=np.log(variances[:, 0]))
            assert np.exp(found[at, cell]) == pytest.approx(density, rel=1e-6)


@weighted
def test_normal_of_the_sample_variance(weights: Any) -> None:
    found = terms(REALS, AT, weights, kinds="real", estimate="map")
    for cell, level in enumerate("ab"):
        x, w = REALS[level == Y, 0], weights[level == Y]
        mean = np.average(x, weights=w)
        deviation = np.sqrt((w * (x - mean) ** 2).sum() / (w.sum() - 1))
        np.testing.assert_allclose(found[:, cell], stats.norm.logpdf(AT[:, 0], mean, deviation), rtol=1e-9)


@pytest.mark.parametrize("estimate", ["bayes", "map", "mle"])
@pytest.mark.parametrize(
    "kind", ["real", "parzen", likely.Parzen("box", 0.7), likely.Parzen("gaussian", "cv")], ids=str
)
def test_densities_integrate_to_one(kind: Any, estimate: str) -> None:
    grid = np.sinh(np.linspace(-9.0, 9.0, 200_001))[:, None]  # from -4051 to 4051, close together where values are
    density = np.exp(terms(REALS, grid, None, kinds=kind, estimate=estimate))
    np.testing.assert_allclose(integrate.trapezoid(density, grid[:, 0], axis=0), 1.0, atol=2e-4)


@pytest.mark.parametrize("estimate", ["bayes", "map", "mle"])
def test_counts_sum_to_one(estimate: str) -> None:
    mass = np.exp(terms(COUNTS, np.arange(400.0)[:, None], None, kinds="count", estimate=estimate))
    np.testing.assert_allclose(mass.sum(axis=0), 1.0, rtol=1e-9)


@pytest.mark.parametrize(
    ("kernel", "peer"),
    [("gaussian", "gaussian"), ("epanechnikov", "epanechnikov"), ("triangular", "linear")],
)
@pytest.mark.parametrize("bandwidth", [0.3, 1.0, 3.0])
def test_parzen_is_the_exact_sum_of_kernels_but_for_the_grid(kernel: str, peer: str, bandwidth: float) -> None:
    """Binning on at least 2048 nodes costs little: most where a kernel has a kink."""
    grid = np.linspace(5, 18, 301)[:, None]
    found = np.exp(terms(REALS, grid, None, kinds=likely.Parzen(kernel, bandwidth), estimate="mle"))
    for cell, level in enumerate("ab"):
        exact = np.exp(KernelDensity(bandwidth=bandwidth, kernel=peer).fit(REALS[level == Y]).score_samples(grid))
        np.testing.assert_allclose(found[:, cell], exact, atol=2e-3 * exact.max())


def test_parzen_bandwidth_of_scott() -> None:
    """scipy's scalar rule is n^(-1/5); ours has the normal reference factor (4/3)^(1/5) before it."""
    grid = np.linspace(5, 18, 301)
    found = np.exp(terms(REALS, grid[:, None], None, kinds=likely.Parzen("gaussian", "scott"), estimate="mle"))
    for cell, level in enumerate("ab"):
        x = REALS[level == Y, 0]
        exact = stats.gaussian_kde(x, (4 / 3) ** 0.2 * len(x) ** -0.2)(grid)
        np.testing.assert_allclose(found[:, cell], exact, atol=1e-3 * exact.max())


def test_parzen_bandwidth_of_silverman() -> None:
    grid = np.linspace(5, 18, 301)
    found = np.exp(terms(REALS, grid[:, None], None, kinds="parzen", estimate="mle"))
    for cell, level in enumerate("ab"):
        x = REALS[level == Y, 0]
        width = 0.9 * min(x.std(ddof=1), stats.iqr(x) / 1.34) * len(x) ** -0.2
        exact = stats.norm.pdf(grid[:, None], x, width).mean(axis=1)
        # where a sample's quartiles lie between two values there are several definitions of them
        np.testing.assert_allclose(found[:, cell], exact, atol=3e-2 * exact.max())
