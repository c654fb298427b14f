"""Operating points: the threshold of least loss, and of most detection under a bound on false alarms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level, plain
from likely.data.targets.label_codes import read_column, read_hits, read_levels
from likely.data.targets.probabilities import read_scores
from likely.data.weights import row_weights
from likely.decisions.actions import two_classes
from likely.decisions.losses import read_loss
from likely.errors import OptionError
from likely.errors.options import share
from likely.output.jsonable import Written


@dataclass(frozen=True)
class OperatingPoint(Written):
    """Decide `positive` where the score is at least `threshold`, nowhere if that is None: `flags` does so.

    The rates and counts (weights, if rows have any) are those of the rows that it was found on. `rate` and `confidence`
    are the bound that was asked for; `risk` is the mean loss, where a least loss was.

    >>> from likely.decisions import best_threshold
    >>> point = best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.6, 0.8], 1)
    >>> point.threshold, point.true_positive_rate
    (0.6, 1.0)
    """

    threshold: float | None
    false_positive_rate: float
    true_positive_rate: float
    false_positives: float
    true_positives: float
    negatives: float
    positives: float
    positive: Level
    rate: float | None = None
    confidence: float | None = None
    risk: float | None = None

    def flags(self, scores: Any) -> Array:
        """(rows,): whether each score is decided `positive`.

        >>> neyman_pearson([0, 1, 1], [0.1, 0.2, 0.3], positive=1, rate=0.0).flags([0.25, 0.15]).tolist()
        [True, False]
        """
        values = read_scores(scores, ("rows",))
        return np.zeros(len(values), dtype=bool) if self.threshold is None else values >= self.threshold


def neyman_pearson(
    y: Any, scores: Any, positive: Any, rate: float, confidence: float | None = None, weights: Any = None
) -> OperatingPoint:
    """The threshold of most detection among those whose false positive rate on these rows is at most `rate`.

    Rows of equal scores stay together, and of two thresholds that detect the same the one of fewer false alarms is
    taken. The rate on new rows may be higher. With `confidence` it is at most `rate` with that probability, if the rows
    were not used to fit the model (the order-statistic rule of Tong, Feng & Li 2018, "umbrella"); rows then count once.

    >>> neyman_pearson([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.8, 0.9], positive=1, rate=0.0).threshold
    0.8
    """
    steps = _Steps.of(y, scores, positive, weights)
    if confidence is None:
        _check_rate(rate, certain=False)
        inside = int(np.count_nonzero(steps.alarms / steps.alarms[-1] <= rate))
    else:
        _check_rate(rate, certain=True)
        if weights is not None:
            told = "an order statistic needs rows that count once each"
            raise OptionError("O318", told, place="weights=", hint="leave out weights= or confidence=")
        inside = int(np.count_nonzero(steps.alarms <= _allowed(int(steps.alarms[-1]), rate, confidence)))
    # Both only grow from step to step: of the steps allowed the last detects most, and the first that does so wins.
    step = int(np.searchsorted(steps.detected, steps.detected[inside - 1]))
    sure = None if confidence is None else float(confidence)
    return steps.point(step, rate=float(rate), confidence=sure)


def best_threshold(y: Any, scores: Any, positive: Any, loss: Any = None, weights: Any = None) -> OperatingPoint:
    """The threshold of least loss on these rows; of several, the one that decides `positive` least often.

    `loss` is that of the two classes of `y`, in their order, as in `read_loss`; without one each mistake costs 1, and
    `y` may have more classes than two: `positive` or not. New rows will cost a little more.

    >>> point = best_threshold([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.8, 0.9], 1, {(1, 0): 5})
    >>> point.threshold, point.false_positives, round(point.risk, 4)
    (0.3, 1, 0.1667)
    """
    steps = _Steps.of(y, scores, positive, weights)
    matrix = 1.0 - np.eye(2)  # the positive class first
    if loss is not None:
        levels = read_levels(read_column(y))
        order = list(two_classes(levels, steps.positive))
        matrix = read_loss(loss, levels)[np.ix_(order, order)]
    (hit, missed), (alarm, right) = matrix
    # Counted from deciding positive nowhere, whole costs of whole rows are exact: ties are ties.
    best = int(((alarm - right) * steps.alarms - (missed - hit) * steps.detected).argmin())
    ours, others, found, false = steps.detected[-1], steps.alarms[-1], steps.detected[best], steps.alarms[best]
    paid = hit * found + missed * (ours - found) + alarm * false + right * (others - false)
    return steps.point(best, risk=float(paid / (ours + others)))


@dataclass(frozen=True, eq=False)
class _Steps:
    """Thresholds from none down, (steps,) each: with the rows, or their weight, that are then decided positive."""

    thresholds: Sequence[float | None]
    alarms: Floats
    detected: Floats
    positive: Level
    whole: bool

    @classmethod
    def of(cls, y: Any, scores: Any, positive: Any, weights: Any) -> _Steps:
        hits = read_hits(y, positive)
        values, counts = read_scores(scores, hits.shape), row_weights(weights, len(hits))
        steps, place = np.unique(-values, return_inverse=True)  # the highest score first
        ours, others = (
            np.append(0.0, np.cumsum(np.bincount(place[side], counts[side], len(steps)))) for side in (hits, ~hits)
        )
        if not (ours[-1] > 0 and others[-1] > 0):
            told = f"there are {int(hits.sum())} rows of {positive!r} and {int((~hits).sum())} others"
            raise OptionError("O330", told, place="y", hint="both are needed, with a weight above zero")
        return cls([None, *(0.0 - steps).tolist()], others, ours, plain(positive), weights is None)

    def point(self, step: int, **asked: float | None) -> OperatingPoint:
        """The operating point of one of the thresholds."""
        counts = (self.alarms[step], self.detected[step], self.alarms[-1], self.detected[-1])
        false, true, negatives, positives = (int(count) if self.whole else float(count) for count in counts)
        return OperatingPoint(
            threshold=self.thresholds[step],
            false_positive_rate=false / negatives,
            true_positive_rate=true / positives,
            false_positives=false,
            true_positives=true,
            negatives=negatives,
            positives=positives,
            positive=self.positive,
            **asked,
        )


def _check_rate(rate: Any, certain: bool) -> None:
    hint = f"say a share {'between 0 and 1' if certain else 'from 0 to 1'}, as in 0.05"
    share(rate, "rate", "O313", zero=not certain, one=not certain, hint=hint)


def _allowed(negatives: int, rate: float, confidence: Any) -> int:
    """How many false alarms the order-statistic rule allows among so many rows."""
    share(confidence, "confidence", "O314")
    from scipy.stats import binom  # late: slow to import

    risk = 1 - confidence
    allowed = int(binom.ppf(risk, negatives, rate))
    while allowed >= 0 and binom.cdf(allowed, negatives, rate) > risk:
        allowed -= 1
    if allowed < 0:
        needed = math.ceil(math.log(risk) / math.log1p(-rate))
        hint = f"at least {needed} are needed, or a larger rate, or less confidence"
        raise OptionError("O315", f"{negatives} negative rows cannot assure this", place="confidence=", hint=hint)
    return allowed
