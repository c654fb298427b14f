"""Belief about the mean and the covariance of a normal vector: the normal-inverse-Wishart distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from likely.beliefs.belief import Belief
from likely.beliefs.forms import Array, Numbers, Seed, broadcastable, leading_axes, plain, shape_error
from likely.beliefs.gaussian import NormalInverseGamma
from likely.beliefs.limits import nonnegative, numbers, positive, remaining
from likely.beliefs.matrices import bartlett, inverse, length, log_determinant, outer, root, symmetric, times
from likely.beliefs.observations import scatter
from likely.beliefs.special_functions import log1p_square, log_rising
from likely.core.cache import cached_property
from likely.errors import OptionError
from likely.errors.options import whole


@dataclass(frozen=True, eq=False)
class NormalInverseWishart(Belief):
    """mean (..., d), strength (...), freedom (...), scale (..., d, d): a belief about a normal vector.

    covariance ~ inverse-Wishart(freedom, scale), and mean given covariance ~ normal(mean, covariance / strength).
    `strength` is the number of observations the mean is worth, `freedom` (above d − 1) that of the covariance, and
    `scale` a scatter matrix: sums of squares and products.

    >>> belief = NormalInverseWishart([0, 0], 1, 3, [[1, 0], [0, 1]]).update([[1.0, 2.0], [3.0, 0.0]])
    >>> belief.mean.round(3).tolist(), belief.strength, belief.freedom, belief.scale.round(3).tolist()
    ([1.333, 0.667], 3.0, 5.0, [[5.667, -0.667], [-0.667, 3.667]])
    """

    mean: Numbers
    strength: Numbers
    freedom: Numbers
    scale: Numbers

    _own_axes: ClassVar[tuple[int, ...]] = (1, 0, 0, 2)

    def __post_init__(self) -> None:
        mean, scale = numbers("mean", self.mean), symmetric("scale", numbers("scale", self.scale))
        strength, freedom = positive("strength", self.strength), numbers("freedom", self.freedom)
        d = scale.shape[-1]
        if mean.shape[-1:] != (d,):
            raise shape_error({"mean": mean.shape, "scale": scale.shape}, "the mean needs one number for each column")
        if not (freedom > d - 1).all():
            message = f"freedom must be above {d - 1} for {d} columns, not {freedom.min()}"
            raise OptionError("O218", message, place="freedom=", hint=f"{d + 1} is a vague choice")
        self._keep(mean=mean, strength=strength, freedom=freedom, scale=scale)
        _ = self._root  # refuses a scale that is not positive definite here, not at the first question

    def update(self, values: ArrayLike, weights: ArrayLike | None = None) -> NormalInverseWishart:
        """The belief after rows (..., n, d); a weight (..., n) of 2 is a row seen twice.

        >>> from likely import NormalInverseWishart
        >>> belief = NormalInverseWishart([0.0, 0.0], 1.0, 4.0, [[1.0, 0.0], [0.0, 1.0]])
        >>> belief.update([[2.0, 0.0], [4.0, 0.0]]).mean.tolist()
        [2.0, 0.0]
        """
        return self.learn(*scatter(values, self._columns, weights))

    def learn(self, count: ArrayLike, mean: ArrayLike, scatter: ArrayLike) -> NormalInverseWishart:
        """The belief after `count` (...) rows with this mean (..., d) and this scatter (..., d, d) about it.

        A negative count and scatter take back what was learnt before. The mean of no rows does not matter.

        >>> belief = NormalInverseWishart([0], 1, 1, [[2]]).learn(3, [3.0], [[6.0]])
        >>> belief.learn(-3, [3.0], [[-6.0]]).scale.tolist()
        [[2.0]]
        """
        seen, location, growth = self._pooled(count, mean, scatter)
        freedom = self.freedom + seen
        remaining("freedom − (d − 1)", freedom - (self._columns - 1))
        return NormalInverseWishart(location, self.strength + seen, freedom, self.scale + growth)._after(self)

    @property
    def mode(self) -> tuple[Array, Array]:
        """(mean (..., d), covariance (..., d, d)) where the joint density is highest."""
        return self.mean, self._scale_over(self.freedom + self._columns + 2.0)

    @property
    def covariance_mode(self) -> Array:
        """(..., d, d): the likeliest covariance, whatever the mean."""
        return self._scale_over(self.freedom + self._columns + 1.0)

    @property
    def expected_covariance(self) -> Array:
        """(..., d, d): the expected covariance.

        For a freedom of d + 1 or less the expected variances are infinite and the covariances undefined (nan).
        """
        spare = np.asarray(self.freedom - self._columns - 1.0)
        without = np.where(np.eye(self._columns, dtype=bool), np.inf, np.nan)
        finite = (spare > 0)[..., None, None]
        return np.where(finite, self._scale_over(np.where(spare > 0, spare, 1.0)), without)

    @cached_property
    def marginals(self) -> NormalInverseGamma:
        """(..., d): the belief about each column by itself."""
        shape = np.asarray(self._degrees)[..., None] / 2.0
        rate = np.diagonal(self.scale, axis1=-2, axis2=-1) / 2.0
        return NormalInverseGamma(self.mean, np.asarray(self.strength)[..., None], shape, rate)

    @property
    def variance(self) -> Numbers:
        """(..., d): the variance of each mean, as `interval` is of each mean; see `expected_covariance`."""
        return self.marginals.variance

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """(low, high), each (..., d): the equal-tailed interval of each mean by itself.

        >>> from likely import NormalInverseWishart
        >>> belief = NormalInverseWishart([0.0, 0.0], 1.0, 4.0, [[1.0, 0.0], [0.0, 1.0]])
        >>> low, high = belief.interval(0.9)
        >>> low.shape, bool((low < high).all())
        ((2,), True)
        """
        return self.marginals.interval(level)

    def predictive(self) -> Any:
        """The next row: a frozen scipy.stats `multivariate_t`, which knows no leading axes; take a cell first.

        >>> NormalInverseWishart([0, 0], 1, 3, [[1, 0], [0, 1]]).predictive().df
        2.0
        """
        from scipy import stats  # slow to import, and not needed to learn or to score

        if self.leading:
            message = f"scipy has no multivariate t for {self.leading} beliefs at once"
            hint = "take one, as in belief[0].predictive(), or use log_predictive"
            raise OptionError("O216", message, place="predictive()", hint=hint)
        shape = self.scale * ((1.0 + 1.0 / self.strength) / self._degrees)
        return stats.multivariate_t(loc=self.mean, shape=shape, df=self._degrees)

    def log_predictive(self, x: ArrayLike) -> Numbers:
        """(...): the log density of the next row at x (..., d), whose leading axes broadcast against the belief's.

        >>> from likely import NormalInverseWishart
        >>> belief = NormalInverseWishart([0.0, 0.0], 1.0, 4.0, [[1.0, 0.0], [0.0, 1.0]])
        >>> round(float(belief.log_predictive([0.0, 0.0])), 4)
        -1.4324
        """
        away = times(self._whitener, broadcastable("x", x, self.mean.shape, own=1) - self.mean)
        widen = np.asarray(1.0 + 1.0 / self.strength)
        peak = log_rising(self._degrees / 2.0, self._columns / 2.0) - self._columns / 2.0 * np.log(np.pi * widen)
        fall = (self.freedom + 1.0) / 2.0 * log1p_square(length(away) / np.sqrt(widen))
        return plain(peak - log_determinant(self._root) / 2.0 - fall)

    def log_evidence(self, values: ArrayLike, weights: ArrayLike | None = None) -> Numbers:
        """(...): the log density of rows (..., n, d) together: the sum of the one-step log predictives along them.

        >>> from likely import NormalInverseWishart
        >>> belief = NormalInverseWishart([0.0, 0.0], 1.0, 4.0, [[1.0, 0.0], [0.0, 1.0]])
        >>> round(float(belief.log_evidence([[1.0, 0.0], [0.0, 1.0]])), 4)
        -5.2319
        """
        return self.log_evidence_of(*scatter(values, self._columns, weights))

    def log_evidence_of(self, count: ArrayLike, mean: ArrayLike, scatter: ArrayLike) -> Numbers:
        """(...): the log evidence of rows known by their count, mean and scatter alone, as `learn` takes them.

        >>> from likely import NormalInverseWishart
        >>> belief = NormalInverseWishart([0.0, 0.0], 1.0, 4.0, [[1.0, 0.0], [0.0, 1.0]])
        >>> round(float(belief.log_evidence_of(1.0, [0.0, 0.0], [[0.0, 0.0], [0.0, 0.0]])), 4)
        -1.4324
        """
        seen, _, growth = self._pooled(nonnegative("count", count), mean, scatter)
        d, freedom = self._columns, np.asarray(self.freedom)
        # log det(scale + growth) − log det(scale) from the eigenvalues of what is new: exact for a strong belief too.
        grown = np.linalg.eigvalsh(self._whitener @ growth @ np.swapaxes(self._whitener, -1, -2))
        ratio = np.log1p(grown).sum(axis=-1)
        gammas = log_rising((freedom[..., None] - np.arange(d)) / 2.0, seen[..., None] / 2.0).sum(axis=-1)
        volume = d * np.log(np.pi) + log_determinant(self._root) + ratio
        return plain(gammas - (freedom * ratio + seen * volume + d * np.log1p(seen / self.strength)) / 2.0)

    def log_density(self, mean: ArrayLike, covariance: ArrayLike) -> Numbers:
        """(...): the joint log density of the belief at a mean (..., d) and a covariance (..., d, d).

        >>> from likely import NormalInverseWishart
        >>> belief = NormalInverseWishart([0.0, 0.0], 1.0, 4.0, [[1.0, 0.0], [0.0, 1.0]])
        >>> round(float(belief.log_density([0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]])), 4)
        -6.062
        """
        d, lower = self._columns, root("covariance", symmetric("covariance", numbers("covariance", covariance)))
        back = inverse(lower)
        gap = length(times(back, broadcastable("mean", mean, self.mean.shape, own=1) - self.mean))
        trace = ((back @ self._root) ** 2).sum(axis=(-1, -2))
        normal = d * np.log(self.strength / (2.0 * np.pi)) - self.strength * gap * gap
        wishart = self.freedom * (log_determinant(self._root) - d * np.log(2.0)) - trace
        log_gamma = special.multigammaln(np.asarray(self.freedom) / 2.0, d)
        return plain((normal + wishart - (self.freedom + d + 2.0) * log_determinant(lower)) / 2.0 - log_gamma)

    def sample(self, n: int, seed: Seed = None) -> tuple[Array, Array]:
        """(means (n, ..., d), covariances (n, ..., d, d)), drawn together; `seed` is a number or a numpy Generator.

        >>> from likely import NormalInverseWishart
        >>> belief = NormalInverseWishart([0.0, 0.0], 1.0, 4.0, [[1.0, 0.0], [0.0, 1.0]])
        >>> mean, covariance = belief.sample(3, seed=0)
        >>> mean.shape, covariance.shape
        ((3, 2), (3, 2, 2))
        """
        rng, d = np.random.default_rng(seed), self._columns
        size = (whole(n, "n", "O208", least=0), *self.leading)
        # A Aᵀ is a standard Wishart draw, and M = L A⁻ᵀ the root of its inverse, carried to the scale L Lᵀ.
        wishart = bartlett(np.asarray(self.freedom), d, size, rng)
        half = np.swapaxes(np.linalg.solve(wishart, np.swapaxes(self._root, -1, -2)), -1, -2)
        jitter = (half @ rng.standard_normal((*size, d, 1)))[..., 0] / np.sqrt(np.asarray(self.strength))[..., None]
        return self.mean + jitter, half @ np.swapaxes(half, -1, -2)

    @property
    def _columns(self) -> int:
        return int(self.mean.shape[-1])

    @property
    def _degrees(self) -> Numbers:
        """(...): the degrees of freedom left to the mean, to each variance and to the next row."""
        return self.freedom - self._columns + 1.0

    @cached_property
    def _root(self) -> Array:
        """(..., d, d): the lower triangular root of the scale."""
        return root("scale", self.scale)

    @cached_property
    def _whitener(self) -> Array:
        """(..., d, d): the inverse of that root."""
        return inverse(self._root)

    def _scale_over(self, divisor: ArrayLike) -> Array:
        return np.asarray(self.scale / np.asarray(divisor)[..., None, None])

    def _pooled(self, count: ArrayLike, mean: ArrayLike, scatter: ArrayLike) -> tuple[Array, Array, Array]:
        """(count (...), location after (..., d), growth of the scale (..., d, d))."""
        seen, about = numbers("count", count), broadcastable("mean", mean, self.mean.shape, own=1)
        around = broadcastable("scatter", scatter, self.scale.shape, own=2)
        leading_axes(belief=self.leading, count=seen.shape, mean=about.shape[:-1], scatter=around.shape[:-2])
        none = seen == 0
        gap = numbers("mean", np.where(none[..., None], self.mean, about)) - self.mean
        part = seen / remaining("strength", self.strength + seen)
        between = np.asarray(self.strength * part)[..., None, None] * outer(gap)
        within = numbers("scatter", np.where(none[..., None, None], 0.0, around))
        return seen, self.mean + part[..., None] * gap, within + between
