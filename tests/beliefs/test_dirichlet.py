"""Dirichlet, against quadrature over the simplex, enumeration and sampling."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import optimize, stats

from likely.beliefs import Dirichlet
from likely.errors import OptionError

PRIOR, COUNTS = np.array([1.5, 2.0, 3.5]), np.array([2.0, 0.5, 1.0])


# Gauss-Legendre nodes over the triangle, as x and the share of the rest that y takes.
NODES, STEPS = np.polynomial.legendre.leggauss(200)
X, SHARE = np.meshgrid((NODES + 1) / 2, (NODES + 1) / 2, indexing="ij")
POINTS = np.stack([X, (1 - X) * SHARE, (1 - X) * (1 - SHARE)], axis=-1)
AREAS = np.outer(STEPS, STEPS) / 4 * (1 - X)


def over_simplex(power: np.ndarray) -> float:
    """The integral of Π θ^power · likelihood · prior over the simplex: no conjugacy in it."""
    return float(np.sum(AREAS * np.prod(POINTS ** (COUNTS + power) * POINTS ** (PRIOR - 1), axis=-1)))


def test_moments_by_quadrature() -> None:
    belief, evidence = Dirichlet(PRIOR).update(COUNTS), over_simplex(np.zeros(3))
    for level, one in enumerate(np.eye(3)):
        mean, square = over_simplex(one) / evidence, over_simplex(2 * one) / evidence
        assert belief.mean[level] == pytest.approx(mean, rel=1e-9)
        assert belief.variance[level] == pytest.approx(square - mean**2, rel=1e-7)
    flat = over_simplex(-COUNTS)
    assert Dirichlet(PRIOR).log_evidence(COUNTS) == pytest.approx(np.log(evidence / flat), rel=1e-7)


def test_evidence_by_enumeration() -> None:
    belief = Dirichlet(PRIOR)
    groups: dict[tuple[int, ...], float] = {}
    for sequence in product(range(3), repeat=4):
        counts = tuple(np.bincount(sequence, minlength=3).tolist())
        groups[counts] = groups.get(counts, 0.0) + float(np.exp(belief.log_evidence(counts)))
    assert sum(groups.values()) == pytest.approx(1, abs=1e-13)
    for counts, probability in groups.items():
        assert belief.predictive(4).pmf(counts) == pytest.approx(probability, abs=1e-12)


@pytest.mark.parametrize("x", [[0.2, 0.3, 0.5], [0.05, 0.9, 0.05], [0.6, 0.2, 0.2]])
def test_bayes_identity(x: list[float]) -> None:
    """Evidence = prior · likelihood / posterior at any point, with scipy's densities for both beliefs."""
    prior, after = stats.dirichlet(PRIOR), stats.dirichlet(Dirichlet(PRIOR).update(COUNTS).concentration)
    likelihood = float(np.sum(COUNTS * np.log(x)))
    assert Dirichlet(PRIOR).log_evidence(COUNTS) == pytest.approx(prior.logpdf(x) + likelihood - after.logpdf(x))
    assert Dirichlet(PRIOR).log_density(x) == pytest.approx(prior.logpdf(x), abs=1e-12)


def test_one_draw() -> None:
    draw = Dirichlet(PRIOR).predictive()
    assert [draw.pmf(row) for row in np.eye(3)] == pytest.approx(PRIOR / PRIOR.sum())
    many = Dirichlet([[1, 2], [3, 4]]).predictive()
    assert many.pmf([1, 0]) == pytest.approx([1 / 3, 3 / 7])


def test_add_one_smoothing() -> None:
    assert Dirichlet([1, 1, 1]).update([3, 0, 1]).mean == pytest.approx([4 / 7, 1 / 7, 2 / 7])


def test_mode_by_search() -> None:
    belief, oracle = Dirichlet(PRIOR).update(COUNTS), stats.dirichlet(PRIOR + COUNTS)

    def loss(logits: np.ndarray) -> float:
        weights = np.exp(np.append(logits, 0.0))
        return -float(oracle.logpdf(weights / weights.sum()))

    weights = np.exp(np.append(optimize.minimize(loss, np.zeros(2), tol=1e-12).x, 0.0))
    assert belief.mode == pytest.approx(weights / weights.sum(), abs=1e-5)


def test_mode_where_there_is_no_peak() -> None:
    rows = [[1, 1, 1], [0.5, 0.5, 0.5], [1, 1, 0.5], [0.2, 0.9, 0.1], [3, 0.5, 0.5]]
    expected = np.array([[1 / 3] * 3, [1 / 3] * 3, [0.5, 0.5, 0], [0, 1, 0], [1, 0, 0]])
    assert np.allclose(Dirichlet(rows).mode, expected, atol=1e-15)


def test_interval_by_sampling_gammas() -> None:
    gammas = np.random.default_rng(3).gamma(PRIOR, size=(200_000, 3))
    shares = gammas / gammas.sum(axis=1, keepdims=True)
    low, high = Dirichlet(PRIOR).interval(0.9)
    assert (shares < low).mean(axis=0) == pytest.approx([0.05] * 3, abs=0.003)
    assert (shares > high).mean(axis=0) == pytest.approx([0.05] * 3, abs=0.003)


def test_one_level_is_certain() -> None:
    belief = Dirichlet([2.0]).update([3])
    assert belief.mean == belief.mode == 1
    assert belief.variance == 0
    assert [end.tolist() for end in belief.interval()] == [[1], [1]]
    assert belief.log_evidence([5]) == pytest.approx(0, abs=1e-14)
    assert belief.log_density([1.0]) == 0


def test_one_level_outweighs_the_rest() -> None:
    belief = Dirichlet([1e20, 1.0, 2.0])
    assert belief.variance == pytest.approx([3e-40, 1e-40, 2e-40], rel=1e-12)
    assert np.isfinite(belief.interval()).all()


def test_density_beyond_the_simplex() -> None:
    belief = Dirichlet([2, 2, 2])
    assert belief.log_density([[0.5, 0.6, -0.1], [0.2, 0.2, 0.2]]).tolist() == [-np.inf, -np.inf]
    assert np.isnan(belief.log_density([0.5, np.nan, 0.5]))
    assert np.isnan(Dirichlet([0.5, 2, 1]).log_density([0, 0, 1]))  # the limit depends on the way to the corner


def test_sample() -> None:
    draws = Dirichlet([[1.5, 2.0, 3.5], [0.2, 0.3, 0.1]]).sample(4000, seed=5)
    assert draws.shape == (4000, 2, 3)
    assert draws.sum(axis=-1) == pytest.approx(np.ones((4000, 2)))
    assert stats.kstest(draws[:, 0, 1], stats.beta(2, 5).cdf).pvalue > 1e-3
    assert stats.kstest(draws[:, 1, 0], stats.beta(0.2, 0.4).cdf).pvalue > 1e-3


def test_sample_of_a_tiny_concentration_is_a_corner() -> None:
    draws = Dirichlet([1e-5, 1e-5]).sample(100, seed=0)
    assert np.isfinite(draws).all()
    assert draws.max(axis=1) == pytest.approx(np.ones(100))


def test_refuses() -> None:
    for wrong in (np.array(3.0), np.ones(0), np.ones((2, 0))):
        with pytest.raises(OptionError, match="O219"):
            Dirichlet(wrong)
    with pytest.raises(OptionError, match=r"O203(.|\n)*index 1, 0"):
        Dirichlet([[1, 2], [0, 1]])
    with pytest.raises(OptionError, match=r"O206(.|\n)*counts must be \(..., 3\)"):
        Dirichlet([1, 1, 1]).update([1, 1])
    with pytest.raises(OptionError, match="O206"):
        Dirichlet(np.ones((2, 3))).update(np.ones((4, 3)))
    with pytest.raises(OptionError, match="O205"):
        Dirichlet([1, 1, 1]).update([0, -1, 0])
    with pytest.raises(OptionError, match="O204"):
        Dirichlet([2, 2]).log_evidence([-1, 1])
