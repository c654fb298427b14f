"""The values of the sources that concern Bayes' rule and the beta and Dirichlet models, through the public names."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import likely


def test_mammogram() -> None:
    posterior = likely.bayes_rule({"ill": 0.004, "well": 0.996}, {"ill": 0.8, "well": 0.1})
    assert posterior["ill"] == pytest.approx(0.031128, abs=5e-7)


BOXES = {"A": 0.0, "B": 0.25, "C": 0.5, "D": 0.75, "E": 1.0}
TWO_BLACK = {box: share**2 for box, share in BOXES.items()}


def test_boxes_by_maximum_likelihood() -> None:
    posterior = likely.bayes_rule(dict.fromkeys(BOXES, 0.2), TWO_BLACK)
    assert max(posterior, key=posterior.__getitem__) == "E"


def test_boxes_by_maximum_a_posteriori() -> None:
    posterior = likely.bayes_rule(dict(zip(BOXES, (0.1, 0.2, 0.4, 0.2, 0.1), strict=True)), TWO_BLACK)
    assert max(posterior, key=posterior.__getitem__) == "D"
    assert posterior["D"] == pytest.approx(0.346154, abs=5e-7)
    assert posterior["D"] == pytest.approx(float(Fraction(9, 26)), rel=1e-14)


def test_coin_of_three_heads() -> None:
    assert likely.Beta(1, 1).update(3, 0).mode == 1  # a flat prior: the mode is the maximum of the likelihood
    posterior = likely.Beta(2, 2).update(3, 0)
    assert (posterior.a, posterior.b) == (5, 2)
    assert posterior.mode == pytest.approx(0.8, rel=1e-14)
    assert posterior.mean == pytest.approx(0.714286, abs=5e-7)
    assert posterior.variance == pytest.approx(0.025510, abs=5e-7)


def test_beta_binomial_of_ten_draws() -> None:
    predictive = likely.Beta(2, 3).predictive(10)
    np.testing.assert_allclose(predictive.pmf([0, 1, 2]), [0.065934, 0.109890, 0.134865], atol=5e-7)
    assert predictive.mean() == pytest.approx(4)
    assert predictive.var() == pytest.approx(6)
    assert predictive.pmf(np.arange(11)).sum() == pytest.approx(1, rel=1e-12)


def test_seventy_white_of_a_hundred() -> None:
    assert likely.Beta(1, 1).update(70, 30).mode == pytest.approx(0.7, rel=1e-14)
    np.testing.assert_allclose(likely.Dirichlet([1, 1]).update([70, 30]).mode, [0.7, 0.3], rtol=1e-14)


def test_add_one_smoothing_is_the_mean_under_a_flat_prior() -> None:
    assert likely.Beta(1, 1).update(3, 0).mean == pytest.approx(4 / 5, rel=1e-14)
    np.testing.assert_allclose(likely.Dirichlet([1, 1, 1]).update([3, 0, 1]).mean, np.array([4, 1, 2]) / 7, rtol=1e-14)


def test_dirichlet_of_two_levels_is_the_beta() -> None:
    draws = likely.Dirichlet([2, 3]).predictive(10)
    one = likely.Beta(2, 3).predictive(10)
    for successes in range(11):
        assert draws.pmf([successes, 10 - successes]) == pytest.approx(one.pmf(successes), rel=1e-12)
