"""The numbers that a belief is about: their densities before and after data, and what the data say by themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from likely.beliefs import Beta, Gamma, NormalInverseGamma
from likely.core.numerics import Floats

LEAST_RELATIVE_SPREAD = 1e-12  # of what was believed before: a spread of the data below that is rounding


@dataclass(frozen=True)
class LikelihoodCurve:
    """What data say of a number by themselves: the log likelihood, up to a constant, and where it is highest (MLE).

    It has no curve where every other number is impossible: one value alone leaves no room for its mean.
    """

    log: Callable[[Floats], Floats] | None
    best: float


@dataclass(frozen=True)
class Quantity:
    """A number that a belief is about: how to read its density, mean, mode and interval off the belief.

    `likelihood` is that of the data between two beliefs, or None where there are none.
    """

    about: str
    log_density: Callable[[Any, Floats], Floats]
    mean: Callable[[Any], float]
    mode: Callable[[Any], float]
    interval: Callable[[Any, float], tuple[float, float]]
    likelihood: Callable[[Any, Any], LikelihoodCurve | None]
    lowest: float = -np.inf
    highest: float = np.inf
    profile: bool = False  # whether the likelihood is the highest over another number that is not known either


def quantities(kind: type[Any]) -> tuple[Quantity, ...]:
    """The numbers that a kind of belief is about.

    >>> [one.about for one in quantities(NormalInverseGamma)]
    ['mean', 'standard deviation']
    """
    return _QUANTITIES[kind]


def _chance(prior: Beta, posterior: Beta) -> LikelihoodCurve | None:
    won, lost = posterior.a - prior.a, posterior.b - prior.b
    if min(won, lost) < 0 or won + lost <= 0:
        return None
    return LikelihoodCurve(lambda x: special.xlogy(won, x) + special.xlog1py(lost, -x), won / (won + lost))


def _rate(prior: Gamma, posterior: Gamma) -> LikelihoodCurve | None:
    total, exposure = posterior.shape - prior.shape, posterior.rate - prior.rate
    if total < 0 or exposure <= 0:
        return None
    return LikelihoodCurve(lambda x: special.xlogy(total, x) - exposure * x, total / exposure)


def _seen(prior: NormalInverseGamma, posterior: NormalInverseGamma) -> tuple[float, float, float] | None:
    """(count, mean, spread) of the values between two beliefs."""
    count = posterior.strength - prior.strength
    if count <= 0:
        return None
    mean = (posterior.strength * posterior.mean - prior.strength * prior.mean) / count
    between = prior.strength * count / posterior.strength * (mean - prior.mean) ** 2
    spread = 2.0 * (posterior.rate - prior.rate) - between
    return count, mean, spread if spread > LEAST_RELATIVE_SPREAD * (prior.rate + between) else 0.0


def _mean_of_values(prior: NormalInverseGamma, posterior: NormalInverseGamma) -> LikelihoodCurve | None:
    """At each mean, the likelihood of the best variance for it."""
    seen = _seen(prior, posterior)
    if seen is None:
        return None
    count, mean, spread = seen
    return LikelihoodCurve(
        None if spread == 0 else lambda x: -count / 2.0 * np.log1p(count * (x - mean) ** 2 / spread), mean
    )


def _deviation_of_values(prior: NormalInverseGamma, posterior: NormalInverseGamma) -> LikelihoodCurve | None:
    """At each deviation, the likelihood of the best mean, which is that of the values."""
    seen = _seen(prior, posterior)
    if seen is None:
        return None
    count, _, spread = seen
    best = float(np.sqrt(spread / count))

    def log(x: Floats) -> Floats:
        inside = np.where(x > 0, x, 1.0)
        return np.where(x > 0, -count * np.log(inside) - spread / (2.0 * inside * inside), -np.inf)

    return LikelihoodCurve(None if spread == 0 else log, best)


def _mean_density(belief: NormalInverseGamma, x: Floats) -> Floats:
    """The mean alone: a Student distribution."""
    width = np.sqrt(2.0 * belief.rate / belief.strength)
    peak = special.gammaln(belief.shape + 0.5) - special.gammaln(belief.shape) - 0.5 * np.log(np.pi) - np.log(width)
    return np.asarray(peak - (belief.shape + 0.5) * np.log1p(((x - belief.mean) / width) ** 2))


def _deviation_density(belief: NormalInverseGamma, x: Floats) -> Floats:
    """The root of the variance alone, which is inverse-gamma."""
    inside = np.where(x > 0, x, 1.0)
    constant = np.log(2.0) + belief.shape * np.log(belief.rate) - special.gammaln(belief.shape)
    return np.where(x > 0, constant - (2.0 * belief.shape + 1.0) * np.log(inside) - belief.rate / inside**2, -np.inf)


def _mean_deviation(belief: NormalInverseGamma) -> float:
    if belief.shape <= 0.5:
        return float("inf")
    return float(
        np.exp(0.5 * np.log(belief.rate) + special.gammaln(belief.shape - 0.5) - special.gammaln(belief.shape))
    )


def _deviation_interval(belief: NormalInverseGamma, level: float) -> tuple[float, float]:
    low, high = belief.variance_interval(level)
    return float(np.sqrt(low)), float(np.sqrt(high))


_PLAIN_LINE: dict[str, Any] = {
    "log_density": lambda belief, x: np.asarray(belief.log_density(x)),
    "mean": lambda belief: belief.mean,
    "mode": lambda belief: belief.mode,
    "interval": lambda belief, level: belief.interval(level),
}
_QUANTITIES: dict[type[Any], tuple[Quantity, ...]] = {
    Beta: (Quantity("chance of a success", **_PLAIN_LINE, likelihood=_chance, lowest=0.0, highest=1.0),),
    Gamma: (Quantity("expected count of a unit", **_PLAIN_LINE, likelihood=_rate, lowest=0.0),),
    NormalInverseGamma: (
        Quantity(
            "mean",
            _mean_density,
            lambda belief: belief.mean,
            lambda belief: belief.mean,
            lambda belief, level: belief.interval(level),
            _mean_of_values,
            profile=True,
        ),
        Quantity(
            "standard deviation",
            _deviation_density,
            _mean_deviation,
            lambda belief: float(np.sqrt(belief.rate / (belief.shape + 0.5))),
            _deviation_interval,
            _deviation_of_values,
            lowest=0.0,
            profile=True,
        ),
    ),
}
