"""Belief about the probabilities of several levels: the Dirichlet distribution."""

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
from likely.core.cache import cached_property
from likely.errors import OptionError
from likely.errors.options import whole


@dataclass(frozen=True, eq=False)
class Dirichlet(Belief):
    """(..., levels): the probabilities of the levels, as if each had been seen `concentration` times.

    The last axis is the levels; the axes before it are as many beliefs.

    >>> Dirichlet([1, 1, 1]).update([3, 0, 1]).mean.round(4).tolist()
    [0.5714, 0.1429, 0.2857]
    """

    concentration: Numbers

    _own_axes: ClassVar[tuple[int, ...]] = (1,)

    def __post_init__(self) -> None:
        concentration = positive("concentration", self.concentration)
        if concentration.ndim == 0 or concentration.shape[-1] == 0:
            what = f"concentration needs one number for each level, not the shape {concentration.shape}"
            hint = "the same weight for k levels: Dirichlet([1.0] * k)"
            raise OptionError("O219", what, place="concentration=", hint=hint)
        self._keep(concentration=concentration)

    def update(self, counts: ArrayLike) -> Dirichlet:
        """The belief after so many draws of each level; negative numbers take back what was learnt before.

        >>> Dirichlet([4, 1, 2]).update([-3, 0, -1]) == Dirichlet([1, 1, 1])
        True
        """
        counted, before = self._with("counts", numbers("counts", counts))
        return Dirichlet(remaining("concentration", before + counted))._after(self)

    @property
    def mean(self) -> Array:
        """(..., levels): the expected probabilities, which are also those of the next draw."""
        return np.asarray(self.concentration / self._total[..., None])

    @property
    def mode(self) -> Array:
        """(..., levels): the likeliest probabilities; always numbers that sum to one.

        Where some concentrations are below one the density grows without bound at the edges: such levels get zero.
        Where none is above one, the level with the largest concentration gets all; equals share.

        >>> Dirichlet([[3, 2, 1], [3, 2, 0.5], [1, 1, 1], [0.5, 0.9, 0.1]]).mode.round(3).tolist()
        [[0.667, 0.333, 0.0], [0.667, 0.333, 0.0], [0.333, 0.333, 0.333], [0.0, 1.0, 0.0]]
        """
        above = np.maximum(self.concentration - 1.0, 0.0)
        largest = self.concentration == self.concentration.max(axis=-1, keepdims=True)
        weight = np.where(above.any(axis=-1, keepdims=True), above, largest)
        return np.asarray(weight / weight.sum(axis=-1, keepdims=True))

    @property
    def variance(self) -> Array:
        """(..., levels): the variance of each probability."""
        total = self._total[..., None]
        return np.asarray(self.mean * (self._others / total) / (total + 1.0))

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """(low, high), each (..., levels): the equal-tailed interval of each probability by itself.

        >>> low, high = Dirichlet([1, 1]).interval(0.9)
        >>> low.round(12).tolist(), high.round(12).tolist()
        ([0.05, 0.05], [0.95, 0.95])
        """
        out = tail(level)
        if self.concentration.shape[-1] == 1:  # a single level is certain, and its beta would have b = 0
            return np.ones_like(self.concentration), np.ones_like(self.concentration)
        low = special.betaincinv(self.concentration, self._others, out)
        return low, special.betainccinv(self.concentration, self._others, out)

    def predictive(self, trials: int = 1) -> Any:
        """The counts in the next `trials` draws: frozen scipy.stats `multinomial` (one) or `dirichlet_multinomial`.

        >>> round(float(Dirichlet([2, 3]).predictive(10).pmf([0, 10])), 6)
        0.065934
        """
        from scipy import stats  # slow to import, and not needed to learn or to score

        draws = whole(trials, "trials", "O208", least=1)
        return stats.multinomial(1, self.mean) if draws == 1 else stats.dirichlet_multinomial(self.concentration, draws)

    def log_evidence(self, counts: ArrayLike) -> Numbers:
        """(...): the log probability of one particular sequence with so many draws of each level.

        It is the sum of the one-step log predictives along the sequence, whatever its order. There is no multinomial
        coefficient: that counts the sequences with the same totals, and `predictive(trials)` includes it.

        >>> round(float(np.exp(Dirichlet([1, 1, 1]).log_evidence([1, 1, 0]))), 12) == round(1 / 3 * 1 / 4, 12)
        True
        """
        counted, before = self._with("counts", nonnegative("counts", counts))
        each = log_rising(before, counted).sum(axis=-1)
        return plain(each - log_rising(before.sum(axis=-1), counted.sum(axis=-1)))

    def log_density(self, x: ArrayLike) -> Numbers:
        """(...): the log density at probabilities x (..., levels); minus infinity unless they sum to one.

        >>> round(Dirichlet([1, 1, 1]).log_density([0.2, 0.3, 0.5]), 12) == round(float(np.log(2)), 12)
        True
        """
        point, before = self._with("x", x)
        inside = (point >= 0).all(axis=-1) & np.isclose(point.sum(axis=-1), 1.0, rtol=0.0, atol=1e-9)
        at = np.where(inside[..., None], point, 1.0)
        with np.errstate(invalid="ignore"):  # 0 · ∞ in a corner, where the limit depends on the way there: nan
            powers = special.xlogy(before - 1.0, at).sum(axis=-1)
        # A missing probability has a missing density; only a point that is known to lie outside has none.
        outside = np.where(np.isnan(point).any(axis=-1), np.nan, -np.inf)
        return plain(np.where(inside, powers - self._log_normaliser, outside))

    def sample(self, n: int, seed: Seed = None) -> Array:
        """(n, ..., levels): probabilities drawn from the belief; `seed` is a number or a numpy Generator.

        >>> Dirichlet([[1, 1, 1], [2, 2, 2]]).sample(5, seed=0).shape
        (5, 2, 3)
        """
        rng = np.random.default_rng(seed)
        size = (whole(n, "n", "O208", least=0), *self.concentration.shape)
        # Gamma(c) = Gamma(c + 1) · U^(1/c), in logs: for a small c every plain gamma draw could be zero.
        logs = np.log(rng.standard_gamma(self.concentration + 1.0, size=size))
        logs -= rng.standard_exponential(size=size) / self.concentration
        return np.asarray(special.softmax(logs, axis=-1))

    @cached_property
    def _total(self) -> Array:
        """(...): the sum over the levels."""
        return np.asarray(self.concentration.sum(axis=-1))

    @cached_property
    def _others(self) -> Array:
        """(..., levels): the sum over the other levels, not by subtraction: one may outweigh them all 1e16 times."""
        before, after = np.zeros_like(self.concentration), np.zeros_like(self.concentration)
        before[..., 1:] = np.cumsum(self.concentration[..., :-1], axis=-1)
        after[..., :-1] = np.cumsum(self.concentration[..., :0:-1], axis=-1)[..., ::-1]
        return np.asarray(before + after)

    @cached_property
    def _log_normaliser(self) -> Array:
        """(...): the log of the multivariate beta function, level by level so that large terms cancel early."""
        so_far = np.cumsum(self.concentration, axis=-1)[..., :-1]
        return np.asarray(log_beta(so_far, self.concentration[..., 1:]).sum(axis=-1))

    def _with(self, name: str, levels: ArrayLike) -> tuple[Array, ...]:
        """An argument (..., levels) and the concentration in one shape."""
        given = broadcastable(name, levels, self.concentration.shape, own=1)
        return together(given=given, concentration=self.concentration)
