"""Belief about the mean and the variance of a normal variable: the normal-inverse-gamma distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from likely.beliefs.belief import Belief
from likely.beliefs.forms import Array, Numbers, Seed, broadcastable, floats, plain, together
from likely.beliefs.limits import nonnegative, numbers, positive, remaining, tail
from likely.beliefs.observations import moments
from likely.beliefs.special_functions import log1p_square, log_rising
from likely.errors.options import whole


@dataclass(frozen=True, eq=False)
class NormalInverseGamma(Belief):
    """(...): variance ~ inverse-gamma(shape, rate), and mean given variance ~ normal(mean, variance / strength).

    `mean` is the location of the belief and `strength` the number of observations it is worth; `shape` is half the
    degrees of freedom of the variance and `rate` half a sum of squares.

    >>> NormalInverseGamma(mean=0, strength=1, shape=1, rate=1).update([1.0, 4.0, 4.0])
    NormalInverseGamma(mean=2.25, strength=4.0, shape=2.5, rate=7.375)
    """

    mean: Numbers
    strength: Numbers
    shape: Numbers
    rate: Numbers

    _own_axes: ClassVar[tuple[int, ...]] = (0, 0, 0, 0)

    def __post_init__(self) -> None:
        self._keep(
            mean=numbers("mean", self.mean),
            strength=positive("strength", self.strength),
            shape=positive("shape", self.shape),
            rate=positive("rate", self.rate),
        )

    def update(self, values: ArrayLike, weights: ArrayLike | None = None) -> NormalInverseGamma:
        """The belief after values (..., n), the observations last; a weight of 2 is a value seen twice.

        >>> from likely import NormalInverseGamma
        >>> belief = NormalInverseGamma(0.0, 1.0, 2.0, 1.0)
        >>> belief.update([1.0, 2.0, 3.0]).mean
        1.5
        """
        return self.learn(*moments(values, weights))

    def learn(self, count: ArrayLike, mean: ArrayLike, spread: ArrayLike) -> NormalInverseGamma:
        """The belief after `count` values with this mean and this spread: their sum of squares about the mean.

        A negative count and spread take back what was learnt before. The mean of no values does not matter.

        >>> prior = NormalInverseGamma(0, 1, 1, 1)
        >>> prior.learn(3, 3.0, 6.0) == prior.update([1.0, 4.0, 4.0])
        True
        >>> prior.learn(3, 3.0, 6.0).learn(-3, 3.0, -6.0) == prior
        True
        """
        seen, location, growth = self._pooled(count, mean, spread)
        return NormalInverseGamma(
            location,
            self.strength + seen,
            remaining("shape", self.shape + seen / 2.0),
            remaining("rate", self.rate + growth),
        )._after(self)

    @property
    def mode(self) -> tuple[Numbers, Numbers]:
        """(mean, variance) where the joint density is highest."""
        return self.mean, self.rate / (self.shape + 1.5)

    @property
    def variance_mode(self) -> Numbers:
        """The likeliest variance, whatever the mean."""
        return self.rate / (self.shape + 1.0)

    @property
    def expected_variance(self) -> Numbers:
        """The expected variance; infinite for a shape of 1 or less.

        >>> NormalInverseGamma(0, 1, [3, 1], 4).expected_variance.tolist()
        [2.0, inf]
        """
        finite = np.asarray(self.shape) > 1
        return plain(np.where(finite, self.rate / np.where(finite, np.asarray(self.shape) - 1.0, 1.0), np.inf))

    @property
    def variance_of_mean(self) -> Numbers:
        """How far the mean itself may be off, as a variance; infinite for a shape of 1 or less."""
        return self.expected_variance / self.strength

    @property
    def variance(self) -> Numbers:
        """The variance of the mean: as `mean` and `interval`, it speaks of the mean; see `expected_variance`."""
        return self.variance_of_mean

    def interval(self, level: float = 0.95) -> tuple[Numbers, Numbers]:
        """(low, high): the equal-tailed interval that holds the mean with probability `level`.

        >>> low, high = NormalInverseGamma(5, 1, 0.5, 0.5).interval(0.5)
        >>> round(low, 9), round(high, 9)
        (4.0, 6.0)
        """
        half = -special.stdtrit(2.0 * self.shape, tail(level)) * np.sqrt(self.rate / self.shape / self.strength)
        return plain(self.mean - half), plain(self.mean + half)

    def variance_interval(self, level: float = 0.95) -> tuple[Numbers, Numbers]:
        """(low, high): the equal-tailed interval that holds the variance with probability `level`.

        >>> from likely import NormalInverseGamma
        >>> belief = NormalInverseGamma(0.0, 1.0, 2.0, 1.0)
        >>> low, high = belief.variance_interval(0.9)
        >>> round(float(low), 3), round(float(high), 3)
        (0.211, 2.814)
        """
        out = tail(level)
        with np.errstate(divide="ignore"):  # the upper end of a very vague belief is beyond the largest float
            high = np.divide(self.rate, special.gammaincinv(self.shape, out))
        return plain(self.rate / special.gammainccinv(self.shape, out)), plain(high)

    @property
    def student(self) -> tuple[Numbers, Numbers, Numbers]:
        """(degrees, location, scale) of the Student distribution of the next value."""
        scale = np.sqrt(self.rate / self.shape * (1.0 + 1.0 / self.strength))
        return 2.0 * self.shape, self.mean, plain(scale)

    def predictive(self) -> Any:
        """The next value: a frozen scipy.stats `t`.

        >>> round(float(NormalInverseGamma(1, 1, 2, 3).predictive().var()), 6)
        6.0
        """
        from scipy import stats  # slow to import, and not needed to learn or to score

        degrees, location, scale = self.student
        return stats.t(degrees, loc=location, scale=scale)

    def log_predictive(self, x: ArrayLike) -> Numbers:
        """The log density of the next value at x, which broadcasts against the belief; a missing x gives nan.

        >>> round(float(np.exp(NormalInverseGamma(0, 1, 0.5, 0.25).log_predictive(0.0))), 9) == round(1 / np.pi, 9)
        True
        """
        # (x - location)² / (degrees · scale²), the part of the density that changes with x
        width = np.sqrt(2.0 * self.rate * (1.0 + 1.0 / self.strength))
        away = np.asarray((broadcastable("x", x, self.leading) - self.mean) / width)
        peak = log_rising(self.shape, 0.5) - 0.5 * np.log(np.pi) - np.log(width)
        return plain(peak - (self.shape + 0.5) * log1p_square(away))

    def log_evidence(self, values: ArrayLike, weights: ArrayLike | None = None) -> Numbers:
        """(...): the log density of values (..., n) together: the sum of the one-step log predictives along them.

        >>> from likely import NormalInverseGamma
        >>> belief = NormalInverseGamma(0.0, 1.0, 2.0, 1.0)
        >>> round(float(belief.log_evidence([1.0, 2.0])), 4)
        -3.7735
        """
        return self.log_evidence_of(*moments(values, weights))

    def log_evidence_of(self, count: ArrayLike, mean: ArrayLike, spread: ArrayLike) -> Numbers:
        """(...): the log evidence of values known by their count, mean and spread alone, as `learn` takes them.

        >>> belief = NormalInverseGamma(0, 1, 1, 1)
        >>> belief.log_evidence_of(3, 3.0, 6.0) == belief.log_evidence([1.0, 4.0, 4.0])
        True
        """
        seen, _, growth = self._pooled(nonnegative("count", count), mean, spread)
        after = remaining("rate", self.rate + growth)
        # shape·log(rate) − (shape + n/2)·log(after), with the large terms of a strong belief cancelled on paper
        scale = -self.shape * np.log1p(growth / self.rate) - seen / 2.0 * np.log(2.0 * np.pi * after)
        return plain(log_rising(self.shape, seen / 2.0) + scale - 0.5 * np.log1p(seen / self.strength))

    def log_density(self, mean: ArrayLike, variance: ArrayLike) -> Numbers:
        """The joint log density at a mean and a variance; minus infinity where the variance is not positive.

        >>> from likely import NormalInverseGamma
        >>> belief = NormalInverseGamma(0.0, 1.0, 2.0, 1.0)
        >>> round(float(belief.log_density(0.0, 1.0)), 4)
        -1.9189
        """
        spot, spread = broadcastable("mean", mean, self.leading), broadcastable("variance", variance, self.leading)
        inside = (spread > 0) & (spread < np.inf)
        at = np.where(inside, spread, 1.0)
        normal = 0.5 * np.log(self.strength / (2.0 * np.pi)) - 0.5 * self.strength * (spot - self.mean) ** 2 / at
        inverse_gamma = self.shape * np.log(self.rate) - special.gammaln(self.shape) - self.rate / at
        outside = np.where(np.isnan(spread), np.nan, -np.inf)
        return plain(np.where(inside, normal + inverse_gamma - (self.shape + 1.5) * np.log(at), outside))

    def sample(self, n: int, seed: Seed = None) -> tuple[Array, Array]:
        """(means, variances), each (n, ...), drawn together; `seed` is a number or a numpy Generator.

        >>> from likely import NormalInverseGamma
        >>> belief = NormalInverseGamma(0.0, 1.0, 2.0, 1.0)
        >>> mean, variance = belief.sample(3, seed=0)
        >>> mean.shape, variance.shape
        ((3,), (3,))
        """
        rng = np.random.default_rng(seed)
        size = (whole(n, "n", "O208", least=0), *self.leading)
        with np.errstate(divide="ignore"):  # a very vague belief draws variances beyond the largest float
            variances = self.rate / rng.standard_gamma(self.shape, size=size)
        return self.mean + np.sqrt(variances / self.strength) * rng.standard_normal(size), variances

    def _pooled(self, count: ArrayLike, mean: ArrayLike, spread: ArrayLike) -> tuple[Array, Array, Array]:
        """(count, location after, growth of the rate), in one shape with the belief."""
        seen, about, around, location, strength = together(
            count=numbers("count", count),
            mean=floats("mean", mean),
            spread=floats("spread", spread),
            belief=np.asarray(self.mean),
            strength=np.asarray(self.strength),
        )
        none = seen == 0
        gap = numbers("mean", np.where(none, location, about)) - location
        part = seen / remaining("strength", strength + seen)
        growth = numbers("spread", np.where(none, 0.0, around)) / 2.0 + strength * part * gap * gap / 2.0
        return seen, location + part * gap, growth
