"""Beta, against quadrature, enumeration and sampling."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from likely.beliefs import Beta, Dirichlet
from likely.errors import OptionError

CASES = [(2.0, 2.0, 3, 0), (1.0, 1.0, 70, 30), (2.5, 1.5, 0.5, 4.25), (3.0, 7.0, 0, 0)]


def posterior(a: float, b: float, successes: float, failures: float, power: int = 0) -> float:
    """The integral of θ^power · likelihood · prior over θ: no conjugacy in it."""

    def weight(chance: float) -> float:
        return float(chance ** (successes + power) * (1 - chance) ** failures * stats.beta(a, b).pdf(chance))

    return float(integrate.quad(weight, 0, 1, epsabs=0, epsrel=1e-11, limit=200)[0])


def test_three_heads() -> None:
    coin = Beta(2, 2).update(3, 0)
    assert coin == Beta(5, 2)
    assert coin.mode == pytest.approx(0.8, abs=1e-15)
    assert coin.mean == pytest.approx(0.714286, abs=5e-7)
    assert coin.variance == pytest.approx(0.025510, abs=5e-7)


def test_ten_draws_from_beta_2_3() -> None:
    draws = Beta(2, 3).predictive(10)
    assert draws.pmf([0, 1, 2]) == pytest.approx([0.065934, 0.109890, 0.134865], abs=5e-7)
    assert draws.mean() == pytest.approx(4)
    assert draws.var() == pytest.approx(6)


def test_seventy_of_a_hundred() -> None:
    assert Beta(1, 1).update(70, 30).mode == pytest.approx(0.7, abs=1e-15)


@pytest.mark.parametrize("case", CASES)
def test_moments_by_quadrature(case: tuple[float, float, float, float]) -> None:
    belief, evidence = Beta(*case[:2]).update(*case[2:]), posterior(*case)
    mean = posterior(*case, power=1) / evidence
    assert belief.mean == pytest.approx(mean, rel=1e-9)
    assert belief.variance == pytest.approx(posterior(*case, power=2) / evidence - mean**2, rel=1e-6)
    assert Beta(*case[:2]).log_evidence(*case[2:]) == pytest.approx(np.log(evidence), rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_interval_by_quadrature(case: tuple[float, float, float, float], level: float) -> None:
    belief = Beta(*case[:2]).update(*case[2:])
    low, high = belief.interval(level)
    density = lambda x: float(np.exp(belief.log_density(x)))  # noqa: E731
    assert integrate.quad(density, 0, low)[0] == pytest.approx((1 - level) / 2, abs=1e-9)
    assert integrate.quad(density, low, high)[0] == pytest.approx(level, abs=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_density_and_mode_by_scipy(case: tuple[float, float, float, float]) -> None:
    belief = Beta(*case[:2]).update(*case[2:])
    oracle = stats.beta(belief.a, belief.b)
    grid = np.linspace(0.001, 0.999, 97)
    assert belief.log_density(grid) == pytest.approx(oracle.logpdf(grid), rel=1e-10, abs=1e-10)
    best = optimize.minimize_scalar(lambda x: -oracle.logpdf(x), bounds=(0, 1), method="bounded").x
    assert belief.mode == pytest.approx(best, abs=1e-5)


def test_density_at_and_beyond_the_ends() -> None:
    assert Beta(1, 2).log_density([-0.1, 0.0, 1.0, 1.5]) == pytest.approx([-np.inf, np.log(2), -np.inf, -np.inf])
    assert Beta(0.5, 1).log_density(0.0) == np.inf
    assert np.isnan(Beta(2, 2).log_density(np.nan))


def test_mode_where_there_is_no_peak() -> None:
    belief = Beta([1, 0.5, 3, 0.5, 1, 0.3, 0.6, 0.5, 2], [1, 3, 0.5, 1, 0.5, 0.6, 0.3, 0.5, 1])
    assert belief.mode.tolist() == [0.5, 0, 1, 0, 1, 0, 1, 0.5, 1]


def test_evidence_by_enumeration() -> None:
    """All sequences of five draws have probabilities that sum to one and group into the predictive."""
    belief, groups = Beta(0.7, 2.2), np.zeros(6)
    for sequence in product([0, 1], repeat=5):
        wins = sum(sequence)
        groups[wins] += np.exp(belief.log_evidence(wins, 5 - wins))
    assert groups.sum() == pytest.approx(1, abs=1e-13)
    assert belief.predictive(5).pmf(np.arange(6)) == pytest.approx(groups, abs=1e-12)


def test_predictive_by_quadrature() -> None:
    belief = Beta(2.5, 1.5)
    for wins in range(4):
        chance = stats.binom(3, np.linspace(0, 1, 20001)).pmf(wins) * stats.beta(2.5, 1.5).pdf(np.linspace(0, 1, 20001))
        assert belief.predictive(3).pmf(wins) == pytest.approx(integrate.simpson(chance, dx=1 / 20000), abs=1e-6)
    assert belief.predictive().pmf(1) == pytest.approx(posterior(2.5, 1.5, 1, 0), rel=1e-9)
    assert belief.predictive().dist.name == "bernoulli"


def test_sample() -> None:
    belief = Beta([2.0, 0.4], [3.0, 0.7])
    draws = belief.sample(4000, seed=1)
    assert draws.shape == (4000, 2)
    for cell in range(2):
        assert stats.kstest(draws[:, cell], stats.beta(belief.a[cell], belief.b[cell]).cdf).pvalue > 1e-3
    assert (belief.sample(5, np.random.default_rng(7)) == belief.sample(5, 7)).all()


def test_is_a_two_level_dirichlet() -> None:
    belief, twin = Beta(2.5, 0.75), Dirichlet([2.5, 0.75])
    assert belief.mean == pytest.approx(twin.mean[0], abs=1e-15)
    assert belief.variance == pytest.approx(twin.variance[0], abs=1e-15)
    assert belief.interval(0.8) == pytest.approx([end[0] for end in twin.interval(0.8)], abs=1e-12)
    assert belief.log_evidence(3, 2) == pytest.approx(twin.log_evidence([3, 2]), abs=1e-13)
    assert belief.log_density(0.3) == pytest.approx(twin.log_density([0.3, 0.7]), abs=1e-13)


def test_scalars_give_floats() -> None:
    belief = Beta(2, 3)
    found = [belief.a, belief.mean, belief.mode, belief.variance, *belief.interval(), belief.log_evidence(1, 1)]
    assert all(type(value) is float for value in [*found, belief.log_density(0.5)])


def test_refuses() -> None:
    with pytest.raises(OptionError, match="O203"):
        Beta(0, 1)
    with pytest.raises(OptionError, match="O202"):
        Beta(np.inf, 1)
    with pytest.raises(OptionError, match="O201"):
        Beta("two", 1)
    with pytest.raises(OptionError, match="O206"):
        Beta([1, 2], [1, 2, 3])
    with pytest.raises(OptionError, match="O205"):
        Beta(2, 2).update(-2, 0)
    with pytest.raises(OptionError, match="O202"):
        Beta(2, 2).update(np.nan, 0)
    with pytest.raises(OptionError, match="O204"):
        Beta(2, 2).log_evidence(-1, 0)
    with pytest.raises(OptionError, match="O206"):
        Beta([2, 3], 2).log_density([0.1, 0.2, 0.3])
    for level in (0, 1, 95, np.nan):
        with pytest.raises(OptionError, match="O207"):
            Beta(2, 2).interval(level)
    for trials in (0, 2.5, -1):
        with pytest.raises(OptionError, match="O208"):
            Beta(2, 2).predictive(trials)  # type: ignore[arg-type]
