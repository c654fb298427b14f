"""Whether differences between two models are more than chance: t tests over folds, a signed rank over data sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from likely.core.numerics import Floats
from likely.errors import OptionError
from likely.errors.options import number, share, whole
from likely.evaluation.folds.fold_assignment import read_seed
from likely.output.jsonable import Written

INTERVAL_LEVEL = 0.95
STRENGTH = 0.5  # of the pseudo-observation that there is no difference
WEIGHTS_AT_ONCE = 1 << 22  # weights held at a time
KEPT = 1 << 20  # weights kept for the next two models: those of twenty folds


@dataclass(frozen=True)
class CorrectedT(Written):
    """The mean difference, its t statistic and two-sided p-value, and the 95 % interval of the difference.

    >>> from likely.evaluation import corrected_t
    >>> found = corrected_t([0.02, 0.03, 0.01, 0.04], 0.25)
    >>> round(found.mean, 4)
    0.025
    """

    mean: float
    statistic: float
    p_value: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class RopeProbabilities(Written):
    """The probabilities that the difference is below the rope, within it (practically none), and above it."""

    left: float
    rope: float
    right: float


class CorrelatedT(RopeProbabilities):
    """The sides of the mean difference over folds.

    >>> from likely.evaluation import correlated_t
    >>> found = correlated_t([0.02, 0.03, 0.01, 0.04], 0.25)
    >>> round(found.left + found.rope + found.right, 4)
    1.0
    """


class SignedRank(RopeProbabilities):
    """The sides of the differences over data sets.

    >>> from likely.evaluation import signed_rank
    >>> found = signed_rank([0.02, 0.03, 0.01, 0.04, 0.02])
    >>> round(found.left + found.rope + found.right, 4)
    1.0
    """


def corrected_t(differences: npt.ArrayLike, test_share: float) -> CorrectedT:
    """The t test of Nadeau and Bengio (2003) of whether the mean of differences over resamples is zero.

    Folds share training rows, so that their differences vary less than those of independent data sets would: the
    variance of the mean is s² (1 / folds + tested / trained). `test_share` is the share of all rows that each fold
    tests: 1 / folds for cross-validation, also repeated; with 0 it is the plain t test.

    >>> found = corrected_t([0.02, 0.01, 0.03, 0.02, 0.02], 0.2)
    >>> round(found.statistic, 4), round(found.p_value, 4)
    (4.2164, 0.0135)
    """
    mean, error, freedom = _mean_of_folds(differences, test_share)
    half = float(-stdtrit(freedom, (1 - INTERVAL_LEVEL) / 2)) * error
    certain = float(np.copysign(np.inf, mean)) if mean else 0.0
    statistic = mean / error if error else certain
    return CorrectedT(mean, statistic, float(2 * stdtr(freedom, -abs(statistic))), (mean - half, mean + half))


def correlated_t(differences: npt.ArrayLike, test_share: float, rope: float = 0.01) -> CorrelatedT:
    """The Bayesian correlated t test of Corani and Benavoli (2015): on which side of the rope is the mean difference?

    Differences over folds are taken to be correlated by `test_share`, the share of all rows that each fold tests: the
    posterior of their mean is a Student t around it, as wide as the interval of `corrected_t`, also over repeats.

    >>> found = correlated_t([0.02, 0.01, 0.03, 0.02, 0.02], 0.2)
    >>> round(found.left, 4), round(found.rope, 4), round(found.right, 4)
    (0.0016, 0.0498, 0.9486)
    """
    mean, error, freedom = _mean_of_folds(differences, test_share)
    wide = read_rope(rope)
    if not error:
        return CorrelatedT(float(mean < -wide), float(-wide <= mean <= wide), float(mean > wide))
    left, right = (float(stdtr(freedom, (side * mean - wide) / error)) for side in (-1, 1))
    return CorrelatedT(left, max(1.0 - left - right, 0.0), right)


def _mean_of_folds(differences: npt.ArrayLike, test_share: float) -> tuple[float, float, int]:
    """The mean of differences over folds that share training rows, its standard error, and its degrees of freedom."""
    values = _read(differences, 2)
    hint = "say the share of the rows that a fold tests, as in 0.1"
    share(test_share, "test_share", "O351", zero=True, hint=hint)
    spread = float(values.std(ddof=1)) if np.ptp(values) else 0.0  # equal values have none, whatever rounding says
    error = spread * float(np.sqrt(1 / len(values) + test_share / (1 - test_share)))
    return float(values.mean()), error, len(values) - 1


def signed_rank(differences: npt.ArrayLike, rope: float = 0.01, seed: int = 0, draws: int = 50_000) -> SignedRank:
    """The Bayesian signed-rank test of Benavoli and others (2014, 2017): is one side, or neither, the likelier?

    The differences get random weights (a Dirichlet process with a pseudo-observation at 0 of strength 0.5); each draw
    votes for the side on which most of the means of two differences fall: below -rope, within, or above. It takes the
    differences as independent, as those over data sets are; those over folds are not, and it is then too sure.

    >>> signed_rank([0.05, 0.04, 0.06, 0.05, 0.03]).right > 0.99
    True
    """
    values = np.append(0.0, _read(differences, 1))
    wide = read_rope(rope)
    whole(draws, "draws", "O353", least=1, hint="say how many weights are drawn: a whole number from 1 on")
    order = np.argsort(values, kind="stable")
    rising = values[order]
    below = np.searchsorted(rising, -2 * wide - values, side="left")  # the partners that make a pair fall below
    above = np.searchsorted(rising, 2 * wide - values, side="right")  # the partners that do not make it fall above
    votes = np.zeros(3)
    for weights in _weights(read_seed(seed), int(draws), len(values)):
        sums = np.zeros((len(values) + 1, weights.shape[1]))
        np.cumsum(weights[order], axis=0, out=sums[1:])
        left, right = np.zeros((2, weights.shape[1]))
        for weight, low, high in zip(weights, below.tolist(), above.tolist(), strict=True):
            left += weight * sums[low]
            right += weight * (sums[-1] - sums[high])
        middle = 1.0 - left - right
        votes += [
            np.count_nonzero((left > middle) & (left > right)),
            np.count_nonzero((middle >= left) & (middle >= right)),
            np.count_nonzero((right > middle) & (right > left)),
        ]
    return SignedRank(*(votes / votes.sum()).tolist())


def _weights(seed: int, draws: int, count: int) -> Iterator[Floats]:
    """(count, draws) in parts: weights of the pseudo-observation, which comes first, and of the others."""
    if draws * count <= KEPT:
        yield _kept(seed, draws, count)
        return
    rng = np.random.default_rng(seed)
    for start in range(0, draws, chunk := max(1, WEIGHTS_AT_ONCE // count)):
        yield _drawn(rng, min(chunk, draws - start), count)


@lru_cache(maxsize=1)
def _kept(seed: int, draws: int, count: int) -> Floats:
    """The same at once: every two of many models are compared by the same weights."""
    return _drawn(np.random.default_rng(seed), draws, count)


def _drawn(rng: np.random.Generator, draws: int, count: int) -> Floats:
    mass = rng.standard_gamma(np.append(STRENGTH, np.ones(count - 1)), (draws, count))
    found = np.ascontiguousarray((mass / mass.sum(axis=1, keepdims=True)).T)
    found.flags.writeable = False
    return found


def read_rope(rope: Any) -> float:
    number(rope, "rope", "O352", hint="say a difference that makes no difference, from 0 on, as in 0.01")
    return float(rope)


def _read(differences: npt.ArrayLike, least: int) -> Floats:
    try:
        values = np.asarray(differences, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if values.ndim != 1 or len(values) < least or not np.isfinite(values).all():
        hint = f"give a list of finite numbers, at least {least}"
        raise OptionError("O350", "the differences cannot be used", place="differences", hint=hint)
    return values
