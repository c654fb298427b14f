"""Maps from a model's log odds to better calibrated ones: monotone, a few numbers each, written down as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np

from likely.core.numerics import Array, Floats, log, log_sum_exp
from likely.errors import OptionError
from likely.evaluation.log_odds import log_share
from likely.evaluation.recalibration.logistic import logistic
from likely.models.files.field_types import checked_value, damaged

EDGE = 1075 * np.log(2.0)  # a probability that a double rounds to 0 is below 2^-1075
LARGEST_LOG_TEMPERATURE = np.log(1000.0)  # temperatures from a thousandth to a thousand


class Map:
    """A map that can be written down; `fit` learns one from rows that the model had not seen.

    `pseudo` is how many rows that went the other way are added in thought, so that a few rows without exception are
    not taken for certainty; 0 gives the plain estimate, which may be.
    """

    name: ClassVar[str]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        page = asdict(self)  # type: ignore[call-overload]
        return {"map": self.name} | {key: list(v) if isinstance(v, tuple) else v for key, v in page.items()}

    @classmethod
    def from_dict(cls, page: dict[str, Any]) -> Self:
        found = checked_value(
            cls, {key: tuple(v) if isinstance(v, list) else v for key, v in page.items() if key != "map"}
        )
        if not found.sound():
            raise damaged("its recalibration is none that rows give")
        return found

    def sound(self) -> bool:
        """Whether rows could have given it: it rises, and maps numbers to numbers."""
        raise NotImplementedError


@dataclass(frozen=True)
class Platt(Map):
    """log odds -> slope · log odds + shift, after Platt (1999).

    Fitted by the Newton method of Lin, Lin and Weng (2007), to Platt's targets (hits + 1) / (hits + 2) and
    1 / (misses + 2) rather than 1 and 0; the slope is not negative.

    >>> Platt(0.5, 0.0).apply(np.array([4.0])).tolist()
    [2.0]
    """

    slope: float
    shift: float
    name: ClassVar[str] = "platt"

    @classmethod
    def fit(cls, log_odds: Floats, hits: Array, weights: Floats | None = None, pseudo: float = 1.0) -> Self:
        scores, targets, weights = _prepared(log_odds, hits, weights, pseudo)
        return cls(*logistic(scores[:, None], targets, weights))

    def sound(self) -> bool:
        return self.slope >= 0

    def apply(self, log_odds: Floats) -> Floats:
        """(rows,): log odds."""
        return _times(self.slope, log_odds) + self.shift


@dataclass(frozen=True)
class BetaMap(Map):
    """log odds -> a · ln p - b · ln(1 - p) + shift, after Kull, Silva Filho and Flach (2017); a and b are not negative.

    Fitted as a logistic regression on ln p and -ln(1 - p), which are taken from the log odds, to Platt's targets. It
    can bend the two ends apart, and with a = b = 1 and no shift it leaves the probabilities as they are.
    """

    a: float
    b: float
    shift: float
    name: ClassVar[str] = "beta"

    @classmethod
    def fit(cls, log_odds: Floats, hits: Array, weights: Floats | None = None, pseudo: float = 1.0) -> Self:
        scores, targets, weights = _prepared(log_odds, hits, weights, pseudo)
        return cls(*logistic(np.column_stack([log_share(scores), -log_share(-scores)]), targets, weights))

    def sound(self) -> bool:
        return self.a >= 0 and self.b >= 0

    def apply(self, log_odds: Floats) -> Floats:
        """(rows,): log odds."""
        return _times(self.a, log_share(log_odds)) - _times(self.b, log_share(-log_odds)) + self.shift


@dataclass(frozen=True)
class Isotonic(Map):
    """log odds -> the rising shares that fit the hits best, linear in the log odds between the points, level beyond.

    With pseudo = 1 a hit and a miss are added at the lowest and at the highest log odds (Laplace), so that no share is
    0 or 1; with pseudo = 0 the shares are those observed, and the ends may be 0 and 1.
    """

    points: tuple[float, ...]
    shares: tuple[float, ...]
    name: ClassVar[str] = "isotonic"

    @classmethod
    def fit(cls, log_odds: Floats, hits: Array, weights: Floats | None = None, pseudo: float = 1.0) -> Self:
        from scipy.optimize import isotonic_regression  # late: slow to import

        scores, _, weights = _prepared(log_odds, hits, weights, 1.0)
        told = weights > 0  # a share of rows without weight is no number
        points, group = np.unique(scores[told], return_inverse=True)
        mass, hit = np.bincount(group, weights[told]), np.bincount(group, (weights * hits)[told])
        for end in (0, -1):
            mass[end] += 2 * pseudo
            hit[end] += pseudo
        shares = isotonic_regression(hit / mass, weights=mass).x
        step = np.diff(shares) != 0
        kept = np.append(True, step) | np.append(step, True)  # the ends of each block say all of it
        return cls(tuple(points[kept].tolist()), tuple(shares[kept].tolist()))

    def sound(self) -> bool:
        rising = all(one <= other for some in (self.points, self.shares) for one, other in pairwise(some))
        return rising and 0 < len(self.points) == len(self.shares) and 0 <= self.shares[0] <= self.shares[-1] <= 1

    def apply(self, log_odds: Floats) -> Floats:
        """(rows,): log odds."""
        shares = np.interp(log_odds, self.points, self.shares)
        return log(shares) - log(1.0 - shares)


@dataclass(frozen=True)
class Temperature(Map):
    """log probabilities -> those divided by a temperature, normalised: above 1 the predictions were too sure.

    Fitted to the least log loss over all classes at once (Guo and others 2017), each row's target being 1 - (K - 1) e
    for its class and e for each of the others, with e = 1 / (rows + K), after Laplace.
    """

    temperature: float
    name: ClassVar[str] = "temperature"

    @classmethod
    def fit(cls, log_proba: Floats, codes: Array, weights: Floats | None = None, pseudo: float = 1.0) -> Self:
        scores, rows = bounded(log_proba), np.arange(len(codes))
        from scipy.optimize import minimize_scalar  # late: slow to import

        each = np.ones(len(codes)) if weights is None else weights
        other = pseudo / (each.sum() + pseudo * scores.shape[1])
        # the expected score under the targets
        aimed = (1 - other * scores.shape[1]) * scores[rows, codes] + other * scores.sum(axis=1)

        def loss(log_temperature: float) -> float:
            cold = np.exp(-log_temperature)
            return float(each @ (log_sum_exp(cold * scores) - cold * aimed))

        found = minimize_scalar(
            loss, bounds=(-LARGEST_LOG_TEMPERATURE, LARGEST_LOG_TEMPERATURE), method="bounded", options={"xatol": 1e-10}
        )
        return cls(float(np.exp(found.x)))

    def sound(self) -> bool:
        return self.temperature > 0

    def apply(self, log_proba: Floats) -> Floats:
        """(rows, classes): log probabilities."""
        scores = log_proba / self.temperature
        return scores - log_sum_exp(scores)[:, None]


MAPS: dict[str, type[Platt] | type[Isotonic] | type[BetaMap] | type[Temperature]] = {
    kind.name: kind for kind in (Platt, Isotonic, BetaMap, Temperature)
}


def bounded(scores: Floats) -> Floats:
    """Scores to learn from, all finite: where a probability was rounded to 0, the largest that is."""
    most = max(EDGE, float(np.abs(scores[np.isfinite(scores)]).max(initial=0.0)))
    return np.nan_to_num(scores, nan=np.nan, posinf=most, neginf=-most)


def _prepared(log_odds: Floats, hits: Array, weights: Floats | None, pseudo: float) -> tuple[Floats, Floats, Floats]:
    """Finite scores, smoothed targets and weights."""
    scores, hit = bounded(np.asarray(log_odds, dtype=np.float64)), np.asarray(hits, dtype=bool)
    if np.isnan(scores).any():
        row = int(np.isnan(scores).argmax())
        raise OptionError("O345", "log odds are NaN", place=f"log_odds, row {row}", hint="leave such rows out")
    each = np.ones(len(scores)) if weights is None else np.asarray(weights, dtype=np.float64)
    count, misses = each @ hit, each @ ~hit
    if pseudo == 0 and not (count and misses):
        hint = "give rows of both kinds, or leave pseudo= as it is"
        raise OptionError("O346", "every row went the same way", place="hits", hint=hint)
    high, low = (count + pseudo) / (count + 2 * pseudo), pseudo / (misses + 2 * pseudo)
    return scores, np.where(hit, high, low), each


def _times(factor: float, values: Floats) -> Floats:
    """factor · values, where nothing of infinity is nothing."""
    return factor * values if factor else np.zeros_like(values)
