"""Precision against recall over every threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.core.schema import Level, plain
from likely.data.targets.label_codes import read_hits
from likely.data.targets.probabilities import read_scores
from likely.data.weights import read_weights
from likely.errors import OptionError
from likely.evaluation.curves.thresholds import ThresholdCounts, walk
from likely.output.draw import Drawn
from likely.output.jsonable import Written


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecall(Written, Drawn):
    """(points,) arrays: precision and recall where "score >= threshold" is called positive, thresholds falling.

    `average_precision` is the mean precision over the steps of recall; `share` is that of the positive rows, which is
    the precision of calling everything positive.

    >>> from likely.evaluation import precision_recall
    >>> found = precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], 1)
    >>> round(found.average_precision, 4)
    0.8333
    """

    precision: Floats
    recall: Floats
    thresholds: Floats
    average_precision: float
    positive: Level
    share: float
    _picture = "precision_recall"
    _written = ("average_precision", "positive", "share", "precision", "recall", "thresholds")

    def __repr__(self) -> str:
        return (
            f"PrecisionRecall(positive={self.positive!r}, average_precision={self.average_precision:.4f}, "
            f"share={self.share:.4f}, points={len(self.thresholds)})"
        )


def precision_recall(y: Any, scores: Any, positive: Any, weights: Any = None) -> PrecisionRecall:
    """The precision-recall curve of scores (rows,): higher ones speak for the class `positive`.

    >>> curve = precision_recall(["n", "y", "n", "y"], [0.1, 0.4, 0.4, 0.8], "y")
    >>> curve.recall.tolist(), curve.precision.round(3).tolist(), round(curve.average_precision, 3)
    ([0.5, 1.0, 1.0], [1.0, 0.667, 0.5], 0.833)
    """
    hits = read_hits(y, positive)
    steps = walk(hits, read_scores(scores, hits.shape), read_weights(weights, len(hits)))
    return precision_along(steps, plain(positive))


def precision_along(steps: ThresholdCounts, positive: Level) -> PrecisionRecall:
    """The curve along a walk, which must have met a positive row."""
    positives, negatives = steps.totals
    if not positives:
        hint = "recall is a share of the rows of the positive class"
        raise OptionError("O330", f"no row is {positive!r}", place="y", hint=hint)
    hits, alarms = steps.hits[1:], steps.alarms[1:]
    precision, recall = hits / (hits + alarms), hits / positives
    average = float(np.diff(steps.hits) @ precision / positives)
    return PrecisionRecall(
        precision, recall, steps.thresholds[1:], average, positive, positives / (positives + negatives)
    )
