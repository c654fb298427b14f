"""Belief about the chance of a success: the beta distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from likely.beliefs.belief import Belief
from likely.beliefs.forms import Array, Numbers, Seed, broadcastable, plain, together
from likely.beliefs.limits import nonnegative, numbers, positive, remaining, tail
from likely.beliefs.special_functions import log_beta, log_rising
from likely.errors.options import whole


@dataclass(frozen=True, eq=False)
class Beta(Belief):
    """(...): the chance of a success, as if a successes and b failures had been seen.

    Both hyperparameters broadcast against each other; from plain numbers come plain floats.

    >>> Beta(2, 2).update(3, 0)
    Beta(a=5.0, b=2.0)
    >>> Beta([1, 2], 1).mean.tolist()
    [0.5, 0.6666666666666666]
    """

    a: Numbers
    b: Numbers

    _own_axes: ClassVar[tuple[int, ...]] = (0, 0)

    def __post_init__(self) -> None:
        self._keep(a=positive("a", self.a), b=positive("b", self.b))

    def update(self, successes: ArrayLike, failures: ArrayLike) -> Beta:
        """The belief after so many successes and failures; negative numbers take back what was learnt before.

        >>> Beta(5, 2).update(-3, 0) == Beta(2, 2)
        True
        """
        won, lost, a, b = self._with(numbers("successes", successes), numbers("failures", failures))
        return Beta(remaining("a", a + won), remaining("b", b + lost))._after(self)

    @property
    def mean(self) -> Numbers:
        """The expected chance, which is also the probability that the next draw is a success."""
        return self.a / (self.a + self.b)

    @property
    def mode(self) -> Numbers:
        """The likeliest chance; always a number.

        Where the density grows without bound it is the end at which it grows (the faster of two); where neither end
        is ahead (a = b ≤ 1, the flat belief included), it is the mean.

        >>> Beta([5, 1, 0.5, 0.2], [2, 1, 3, 0.1]).mode.tolist()
        [0.8, 0.5, 0.0, 1.0]
        """
        a, b = np.asarray(self.a), np.asarray(self.b)
        inside = (np.minimum(a, b) >= 1) & (a + b > 2)
        # np.sign puts the end of the larger hyperparameter, or the middle, where there is no peak inside.
        end = (1.0 + np.sign(a - b)) / 2.0
        return plain(np.where(inside, (a - 1.0) / np.where(inside, a + b - 2.0, 1.0), end))

    @property
    def variance(self) -> Numbers:
        """The variance of the chance."""
        total = self.a + self.b
        return (self.a / total) * (self.b / total) / (total + 1.0)

    def interval(self, level: float = 0.95) -> tuple[Numbers, Numbers]:
        """(low, high): the equal-tailed interval that holds the chance with probability `level`.

        >>> low, high = Beta(1, 1).interval(0.9)
        >>> round(low, 12), round(high, 12)
        (0.05, 0.95)
        """
        out = tail(level)
        return plain(special.betaincinv(self.a, self.b, out)), plain(special.betainccinv(self.a, self.b, out))

    def predictive(self, trials: int = 1) -> Any:
        """The successes in the next `trials` draws: a frozen scipy.stats `bernoulli` (one draw) or `betabinom`.

        >>> Beta(2, 3).predictive(10).pmf([0, 1, 2]).round(6).tolist()
        [0.065934, 0.10989, 0.134865]
        """
        from scipy import stats  # slow to import, and not needed to learn or to score

        draws = whole(trials, "trials", "O208", least=1)
        return stats.bernoulli(self.mean) if draws == 1 else stats.betabinom(draws, self.a, self.b)

    def log_evidence(self, successes: ArrayLike, failures: ArrayLike) -> Numbers:
        """The log probability of one particular sequence of so many successes and failures.

        It is the sum of the one-step log predictives along the sequence, whatever its order. There is no binomial
        coefficient: that counts the sequences with the same totals, and `predictive(trials)` includes it.

        >>> round(float(np.exp(Beta(1, 1).log_evidence(2, 1))), 12) == round(1 / 2 * 2 / 3 * 1 / 4, 12)
        True
        """
        won, lost, a, b = self._with(nonnegative("successes", successes), nonnegative("failures", failures))
        return plain(log_rising(a, won) + log_rising(b, lost) - log_rising(a + b, won + lost))

    def log_density(self, x: ArrayLike) -> Numbers:
        """The log density of the belief at the chance x; minus infinity outside [0, 1].

        >>> from likely import Beta
        >>> Beta(1, 1).log_density(0.3)
        0.0
        """
        chance = broadcastable("x", x, self.leading)
        inside = (chance >= 0) & (chance <= 1)
        at = np.where(inside, chance, 0.5)
        powers = special.xlogy(self.a - 1.0, at) + special.xlog1py(self.b - 1.0, -at)
        # A missing chance has a missing density; only a chance that is known to lie outside has none.
        outside = np.where(np.isnan(chance), np.nan, -np.inf)
        return plain(np.where(inside, powers - log_beta(self.a, self.b), outside))

    def sample(self, n: int, seed: Seed = None) -> Array:
        """(n, ...): chances drawn from the belief; `seed` is a number or a numpy Generator.

        >>> Beta([2, 3], 1).sample(5, seed=0).shape
        (5, 2)
        """
        rows = whole(n, "n", "O208", least=0)
        return np.asarray(np.random.default_rng(seed).beta(self.a, self.b, size=(rows, *self.leading)))

    def _with(self, successes: Array, failures: Array) -> tuple[Array, ...]:
        """Successes, failures, a and b in one shape."""
        return together(successes=successes, failures=failures, a=np.asarray(self.a), b=np.asarray(self.b))
