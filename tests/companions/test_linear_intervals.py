"""Intervals of coefficients and predictions: textbook formulas, quadrature, and coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from likely.errors import ModelError
from likely.estimators.companions.linear_regression import LinearRegression

RNG = np.random.default_rng(0)
X = RNG.normal(2, 3, size=(25, 2))
Y = X @ [1.5, -0.5] + 4 + RNG.normal(size=25)


def test_without_a_penalty_they_are_the_textbooks() -> None:
    model = LinearRegression().fit(X, Y)
    whole = np.column_stack([np.ones(25), X])
    inverse = np.linalg.inv(whole.T @ whole)
    beta = inverse @ whole.T @ Y
    variance = ((Y - whole @ beta) ** 2).sum() / 22
    half = stats.t(22).ppf(0.95) * np.sqrt(variance * np.diag(inverse))
    table = model.coefficients_.at(0.9)
    assert np.allclose(table.intervals, np.column_stack([beta - half, beta + half]))
    assert np.allclose(table.sds, np.sqrt(variance * np.diag(inverse)))
    assert np.isclose(model.residual_sd_**2, variance)
    at = np.array([1.0, 7.0, -3.0])
    for of, extra in (("mean", 0.0), ("amount", 1.0)):
        wide = stats.t(22).ppf(0.995) * np.sqrt(variance * (extra + at @ inverse @ at))
        found = model.interval(at[None, 1:], level=0.99, of=of)
        assert np.allclose(found, [[at @ beta - wide, at @ beta + wide]])


def test_of_one_variable_they_are_scipys() -> None:
    model, found = LinearRegression().fit(X[:, :1], Y), stats.linregress(X[:, 0], Y)
    assert np.allclose(model.coefficients_.sds, [found.intercept_stderr, found.stderr])
    assert np.isclose(model.r_squared_, found.rvalue**2)


def test_the_ridge_is_a_prior() -> None:
    """Quadrature over the variance of a normal slope, under a flat intercept and a flat log variance."""
    x, y, strength = X[:8, 0], Y[:8], 3.0
    model = LinearRegression(penalty="l2", strength=strength).fit(x[:, None], y)
    away, amounts = x - x.mean(), y - y.mean()
    gram = away @ away + strength
    middle = away @ amounts / gram

    def marginal(slope: float) -> float:
        def joint(log_variance: float) -> float:
            variance = np.exp(log_variance)
            squares = ((amounts - slope * away) ** 2).sum() + strength * slope**2
            return float(np.exp(-squares / (2 * variance) - log_variance * (len(x) - 1 + 1) / 2))

        return float(integrate.quad(joint, -12, 16, limit=200)[0])

    grid = np.linspace(middle - 6, middle + 6, 1201)
    density = np.array([marginal(slope) for slope in grid])
    below = np.cumsum(density) / density.sum()
    low, high = model.coefficients_.intervals[1]
    assert np.isclose(np.interp(low, grid, below), 0.025, atol=2e-3)
    assert np.isclose(np.interp(high, grid, below), 0.975, atol=2e-3)


def test_they_cover_what_they_say() -> None:
    rng, inside = np.random.default_rng(1), []
    for _ in range(200):
        x = rng.normal(size=(12, 1))
        model = LinearRegression().fit(x, 2 * x[:, 0] + rng.normal(size=12))
        low, high = model.interval([[0.5]], level=0.8)[0]
        inside.append(low < 1 + rng.normal() < high)
    assert abs(np.mean(inside) - 0.8) < 4 * np.sqrt(0.8 * 0.2 / 200)


def test_a_perfect_fit_is_sure_and_too_few_rows_are_told() -> None:
    perfect = LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    assert np.allclose(perfect.interval([[4.0]]), [[9.0, 9.0]])
    few = LinearRegression().fit([[0.0], [1.0]], [1.0, 3.0])
    assert np.isnan(few.coefficients_.sds).all()
    assert "estimate" in repr(few.coefficients_)
    with pytest.raises(ModelError, match="M376"):
        few.interval([[0.5]])
    with pytest.raises(ModelError, match="M375"):
        LinearRegression(penalty="l1", strength=0.1).fit(X, Y).interval(X)
