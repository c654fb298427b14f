"""Belief about the rate of counts: the gamma distribution, conjugate to Poisson counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from likely.beliefs.belief import Belief
from likely.beliefs.forms import Array, Numbers, Seed, broadcastable, plain, together
from likely.beliefs.limits import nonnegative, numbers, positive, remaining, tail
from likely.beliefs.special_functions import log_rising
from likely.errors.options import whole


@dataclass(frozen=True, eq=False)
class Gamma(Belief):
    """(...): how many events a unit of exposure brings, as if `shape` had been seen in `rate` units.

    `rate` is the inverse of a scale: the mean is shape / rate.

    >>> Gamma(2, 1).update(total=7, exposure=3)
    Gamma(shape=9.0, rate=4.0)
    """

    shape: Numbers
    rate: Numbers

    _own_axes: ClassVar[tuple[int, ...]] = (0, 0)

    def __post_init__(self) -> None:
        self._keep(shape=positive("shape", self.shape), rate=positive("rate", self.rate))

    def update(self, total: ArrayLike, exposure: ArrayLike = 1.0) -> Gamma:
        """The belief after `total` events in `exposure` units, such as rows; negative numbers take back.

        >>> Gamma(9, 4).update(-7, -3) == Gamma(2, 1)
        True
        """
        seen, units, shape, rate = self._with(total=numbers("total", total), exposure=numbers("exposure", exposure))
        return Gamma(remaining("shape", shape + seen), remaining("rate", rate + units))._after(self)

    @property
    def mean(self) -> Numbers:
        """The expected count of a unit."""
        return self.shape / self.rate

    @property
    def mode(self) -> Numbers:
        """The likeliest expected count; zero for a shape of 1 or less.

        >>> Gamma([3, 0.5], 2).mode.tolist()
        [1.0, 0.0]
        """
        return plain(np.maximum(np.asarray(self.shape) - 1.0, 0.0) / self.rate)

    @property
    def variance(self) -> Numbers:
        """The variance of the expected count."""
        return self.shape / self.rate / self.rate

    def interval(self, level: float = 0.95) -> tuple[Numbers, Numbers]:
        """(low, high): the equal-tailed interval that holds the expected count with probability `level`.

        >>> low, high = Gamma(1, 1).interval(0.5)
        >>> round(low, 6), round(high, 6)
        (0.287682, 1.386294)
        """
        out = tail(level)
        low, high = special.gammaincinv(self.shape, out), special.gammainccinv(self.shape, out)
        return plain(low / self.rate), plain(high / self.rate)

    def predictive(self, exposure: ArrayLike = 1.0) -> Any:
        """The count of the next `exposure` units: a frozen scipy.stats `nbinom`.

        >>> round(float(Gamma(1, 1).predictive().pmf(0)), 12)
        0.5
        """
        from scipy import stats  # slow to import, and not needed to learn or to score

        return stats.nbinom(self.shape, self.rate / (self.rate + nonnegative("exposure", exposure)))

    def log_predictive(self, count: ArrayLike, exposure: ArrayLike = 1.0) -> Numbers:
        """The log probability of `count` in the next `exposure` units; both broadcast against the belief.

        Minus infinity for a negative count, nan for a missing one; between whole counts the gamma function goes on.

        >>> round(Gamma(1, 1).log_predictive(0), 6)
        -0.693147
        """
        units, given = nonnegative("exposure", exposure), broadcastable("count", count, self.leading)
        inside = given >= 0
        seen = np.where(inside, given, 0.0)
        single = special.xlogy(seen, units) - special.gammaln(seen + 1.0)
        outside = np.where(np.isnan(given), np.nan, -np.inf)
        return plain(np.where(inside, self._log_kernel(seen, units) + single, outside))

    def log_evidence(self, counts: ArrayLike, exposure: ArrayLike = 1.0) -> Numbers:
        """(...): the log probability of the counts (..., n), one unit of exposure each unless told otherwise.

        It is the sum of the one-step log predictives along the counts, whatever their order.

        >>> belief = Gamma(2, 1)
        >>> chain = belief.log_predictive(3) + belief.update(3, 1).log_predictive(1)
        >>> round(belief.log_evidence([3, 1]) - chain, 12)
        0.0
        """
        counted = np.atleast_1d(nonnegative("counts", counts))
        seen, units = together(counts=counted, exposure=nonnegative("exposure", exposure))
        single = special.xlogy(seen, units) - special.gammaln(seen + 1.0)
        return plain(self._log_kernel(seen.sum(axis=-1), units.sum(axis=-1)) + single.sum(axis=-1))

    def log_density(self, x: ArrayLike) -> Numbers:
        """The log density of the belief at the expected count x; minus infinity below zero.

        >>> from likely import Gamma
        >>> round(Gamma(1.0, 2.0).log_density(0.0), 4)
        0.6931
        """
        given = broadcastable("x", x, self.leading)
        inside = (given >= 0) & (given < np.inf)
        at = np.where(inside, given, 1.0)
        powers = special.xlogy(self.shape - 1.0, at) - self.rate * at
        outside = np.where(np.isnan(given), np.nan, -np.inf)
        return plain(np.where(inside, powers + self.shape * np.log(self.rate) - special.gammaln(self.shape), outside))

    def sample(self, n: int, seed: Seed = None) -> Array:
        """(n, ...): expected counts drawn from the belief; `seed` is a number or a numpy Generator.

        >>> Gamma([2, 3], 1).sample(5, seed=0).shape
        (5, 2)
        """
        size = (whole(n, "n", "O208", least=0), *self.leading)
        return np.asarray(np.random.default_rng(seed).standard_gamma(self.shape, size=size) / self.rate)

    def _log_kernel(self, total: Array, exposure: Array) -> Array:
        """The log expectation of λ^total · exp(−λ·exposure), where λ is what the belief is about."""
        shrink = self.shape * np.log1p(exposure / self.rate) + total * np.log(self.rate + exposure)
        return np.asarray(log_rising(self.shape, total) - shrink)

    def _with(self, **given: Array) -> tuple[Array, ...]:
        """The arguments, the shape and the rate in one shape."""
        return together(**given, shape=np.asarray(self.shape), rate=np.asarray(self.rate))
