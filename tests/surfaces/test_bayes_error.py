"""The Bayes error against quadrature and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

import likely
from likely.surfaces import bayes_error, rows


def on_a_line(model):
    """By a fine trapezoid, wide and dense about every class."""
    means, deviations = model.means[:, 0], np.sqrt(model.covariances[:, 0, 0])
    steps = (means[:, None] + deviations[:, None] * np.linspace(-12, 12, 40_001)).ravel()
    x = np.unique(steps)
    joint = model.priors * stats.norm.pdf(x[:, None], means, deviations)
    return float(np.trapezoid(joint.sum(axis=1) - joint.max(axis=1), x))


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_one_number_is_exact(stand, seed, count):
    rng = np.random.default_rng(seed)
    scale, offset = 10.0 ** rng.uniform(-2, 2), rng.choice([0.0, 1e4])
    means = scale * (offset + 2 * rng.normal(size=(count, 1)))
    variances = (scale * 10.0 ** rng.uniform(-1, 1, count)) ** 2
    model = stand(means, variances[:, None, None], rng.dirichlet(np.ones(count)))
    error, deviation = bayes_error(model, 0)
    assert deviation == 0
    assert error == pytest.approx(on_a_line(model), abs=2e-7)


def test_a_closed_form_in_any_dimension(stand):
    for d in (1, 2, 3, 5):
        model = stand([np.zeros(d), np.full(d, 2 / np.sqrt(d))], [np.eye(d)] * 2)
        error, deviation = bayes_error(model, range(d))
        assert error == pytest.approx(stats.norm.cdf(-1), abs=max(6 * deviation, 1e-14))
        assert deviation < 1e-3


def test_two_numbers_by_quadrature(stand):
    model = stand([[0, 0], [1, 1], [2, -1]], [np.eye(2), [[2, 0.5], [0.5, 1]], [[0.5, 0], [0, 2]]], [0.5, 0.3, 0.2])
    classes = list(zip(model.priors, model.means, model.covariances, strict=True))

    axis = np.linspace(-9, 9, 1201)
    grid = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1)
    joint = np.stack([p * stats.multivariate_normal(m, s).pdf(grid) for p, m, s in classes], axis=-1)
    expected = integrate.trapezoid(integrate.trapezoid(joint.sum(-1) - joint.max(-1), axis), axis)
    error, deviation = bayes_error(model, [0, 1])
    assert error == pytest.approx(expected, abs=max(5 * deviation, 1e-5))
    assert 0 < deviation < 1e-4
    assert bayes_error(model, [0, 1]) == (error, deviation)
    assert bayes_error(model, [0, 1], seed=1)[0] != error
    drawn, wide = bayes_error(stand(model.means, model.covariances, model.priors, normal=False), [0, 1])
    assert drawn == pytest.approx(expected, abs=5 * wide)


def test_priors_alone_and_tiny_errors(stand):
    same = stand([[0.0, 0.0]] * 3, [np.eye(2)] * 3, [0.2, 0.5, 0.3])
    assert bayes_error(same, 0) == (pytest.approx(0.5), 0.0)
    assert bayes_error(same, [0, 1])[0] == pytest.approx(0.5)
    far = stand([[0.0], [40.0]], [[[1.0]]] * 2)
    assert bayes_error(far, 0)[0] == pytest.approx(stats.norm.cdf(-20), rel=1e-10)
    only = stand([[0.0], [1.0], [2.0]], [[[1.0]]] * 3, [0.5, 0.5, 0.0])
    assert bayes_error(only, 0)[0] == pytest.approx(stats.norm.cdf(-0.5), rel=1e-12)
    assert bayes_error(stand([[0.0], [1.0]], [[[1.0]]] * 2, [1.0, 0.0]), 0) == (0.0, 0.0)


def test_a_model_that_is_not_normal():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 600)
    X = rng.normal(size=(600, 2)) + y[:, None] * [2.0, 0.0]
    model = likely.NaiveBayes(kinds="parzen").fit(X, y)
    error, deviation = bayes_error(model, [0])
    x = np.linspace(-8, 10, 20_001)
    density = np.exp(model.log_likelihood(rows(model, [0], x[:, None])) + model.model_.log_prior)
    assert error == pytest.approx(np.trapezoid(density.min(axis=1), x), abs=5 * deviation)
    assert bayes_error(model, [0, 1])[0] <= error + 5 * deviation


@pytest.mark.parametrize("make", [likely.NaiveBayes, likely.TAN], ids=lambda make: make.__name__)
def test_densities_of_whole_numbers_are_not_rounded(make):
    """The error is that of the densities, whatever kind of numbers a sample shows."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    X = np.rint(rng.normal(size=(400, 2)) * 1.5 + y[:, None])
    whole, moved = make(kinds="parzen").fit(X, y), make(kinds="parzen").fit(X + 0.25, y)
    assert bayes_error(whole, [0, 1]) == pytest.approx(bayes_error(moved, [0, 1]), rel=1e-9)


def test_a_model_without_densities_is_refused():
    model = likely.LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    with pytest.raises(likely.errors.OptionError, match="O429"):
        bayes_error(model, [0])
