"""Strong beliefs lose no digits: values by mpmath with 60 digits, of the textbook formulas on the exact inputs."""

from __future__ import annotations

import numpy as np
import pytest

from likely.beliefs import Dirichlet, Gamma, NormalInverseGamma, NormalInverseWishart
from likely.beliefs.special_functions import log_rising

RISING = [  # start, steps, loggamma(start + steps) - loggamma(start)
    (1e-08, 3, -17.727533548392420204),
    (0.5, 0.5, -0.57236494292470008707),
    (3.25, 7.5, 13.58367029395179301),
    (9.75, 0.5, 1.1258187314252837363),
    (10, 0.5, 1.138797739322294022),
    (12.5, 0.001, 0.0024852372927318548479),
    (150.25, 0.5, 2.5053183414877498975),
    (1e4, 2.5, 23.026038417441628587),
    (1e6, 0.5, 6.9077551539821370521),
    (1e8, 1, 18.420680743952365472),
    (1e12, 0.5, 13.815510557964149104),
    (1e15, 40, 1381.5510557964281904),
    (25, 1e7, 151181297.53716578976),
    (1e10, 1e10, 234121452910.256901),
    (20, -5, -14.148663004460812536),
    (1e9, -0.5, -10.361632918098205578),
]

STUDENT = [  # mean, strength, shape, rate, x, log predictive
    (0, 1, 0.5, 0.5, 3.0, -3.1960515683677980635),
    (1, 2.5, 4, 3, -2.0, -4.25157694590541619),
    (0, 10, 1e6, 1e6, 1.5, -1.9893210092123021608),
    (0, 1e7, 1e9, 2e9, -3.0, -3.5155119472034157928),
    (5, 1e12, 1e14, 1e14, 9.0, -8.9189385331968939918),
    (0, 1, 2, 1, 1e200, -2300.1001863442576836),
    (3, 0.25, 1e-3, 1e-3, 1e9, -27.678457466609814026),
]

COUNTS = [  # shape, rate, count, log predictive
    (0.5, 0.25, 3, -2.6373004199653603177),
    (1e7, 2e6, 5, -1.7403024306114857879),
    (1e12, 1e11, 9, -2.078561643139058455),
    (3, 1e-06, 1000000, -15.508657238525552835),
]

LEVELS = [  # concentration, counts, log evidence
    ((1e9, 2e9, 3e9), (1, 0, 2), -3.1780538305146122863),
    ((0.5, 0.5, 1e-06), (10, 3, 1), -25.00986605636305653),
    ((1e5, 1.0, 3.0), (1000, 2, 0), -22.392494247355251833),
]

VALUES = [  # mean, strength, shape, rate, values, log evidence
    (0, 1e8, 1e10, 1e10, (1.0, 2.0, -0.5), -5.3818155833757376914),
    (1e6, 1, 1, 1e-3, (1000000.25, 999999.5, 1000001.0), -8.7409428426399196406),
]


@pytest.mark.parametrize(("start", "steps", "expected"), RISING)
def test_log_rising(start: float, steps: float, expected: float) -> None:
    assert float(log_rising(start, steps)) == pytest.approx(expected, rel=2e-15, abs=2e-15)


def test_log_rising_mixes_small_and_large() -> None:
    starts, steps, expected = (np.array(column) for column in zip(*RISING, strict=True))
    assert np.allclose(log_rising(starts, steps), expected, rtol=2e-15, atol=2e-15)


@pytest.mark.parametrize("case", STUDENT)
def test_normal_log_predictive(case: tuple[float, ...]) -> None:
    mean, strength, shape, rate, x, expected = case
    assert NormalInverseGamma(mean, strength, shape, rate).log_predictive(x) == pytest.approx(expected, rel=2e-15)
    wide = NormalInverseWishart([mean], strength, 2 * shape, [[2 * rate]])
    assert wide.log_predictive([x]) == pytest.approx(expected, rel=4e-15)


@pytest.mark.parametrize(("shape", "rate", "count", "expected"), COUNTS)
def test_poisson_log_predictive(shape: float, rate: float, count: int, expected: float) -> None:
    # The terms that cancel are as large as count · log(shape), and each is rounded once.
    size = count * np.log(shape + count)
    assert Gamma(shape, rate).log_predictive(count) == pytest.approx(expected, abs=1e-15 * size + 2e-15)


@pytest.mark.parametrize(("concentration", "counts", "expected"), LEVELS)
def test_dirichlet_log_evidence(concentration: tuple[float], counts: tuple[int], expected: float) -> None:
    size = sum(counts) * np.log(sum(concentration) + sum(counts))
    assert Dirichlet(concentration).log_evidence(counts) == pytest.approx(expected, abs=1e-15 * size + 2e-15)


@pytest.mark.parametrize(("mean", "strength", "shape", "rate", "values", "expected"), VALUES)
def test_normal_log_evidence(
    mean: float, strength: float, shape: float, rate: float, values: tuple[float], expected: float
) -> None:
    narrow = NormalInverseGamma(mean, strength, shape, rate)
    wide = NormalInverseWishart([mean], strength, 2 * shape, [[2 * rate]])
    size = len(values) * np.log(rate + 10)
    assert narrow.log_evidence(values) == pytest.approx(expected, abs=1e-15 * size + 4e-15)
    assert wide.log_evidence(np.array(values)[:, None]) == pytest.approx(expected, abs=1e-15 * size + 8e-15)


def test_intervals_of_strong_beliefs_are_normal() -> None:
    low, high = NormalInverseGamma(0, 1, 1e12, 1e12).interval()
    assert (low, high) == pytest.approx((-1.959963984540054, 1.959963984540054), rel=1e-9)
