"""How good predicted probabilities are, in one number each; and the Brier score taken apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from likely.core.numerics import Array, Floats
from likely.data.targets.probabilities import read_numbers
from likely.errors import OptionError
from likely.errors.options import share
from likely.evaluation.bins import CALIBRATION_BINS, binned, read_bins
from likely.evaluation.predictions import Predictions
from likely.output.jsonable import Written


def accuracy(y: Any, proba: Any, classes: Any, weights: Any = None) -> float:
    """The share of rows whose likeliest class is the true one; the first of equally likely ones counts.

    >>> accuracy(["no", "yes"], [[0.9, 0.1], [0.6, 0.4]], ["no", "yes"])
    0.5
    """
    return accuracy_of(Predictions.read(y, proba, classes, weights))


def log_loss(y: Any, proba: Any, classes: Any, weights: Any = None, log_proba: Any = None) -> float:
    """The mean of -log P(true class): infinite where a prediction held the truth to be impossible.

    A probability below 1e-323 is 0 as a double, and so the loss of it infinite: `log_proba` (rows, classes), as
    `predict_log_proba` gives them, tells what is hardly possible from what is not possible at all.

    >>> round(log_loss(["no", "yes"], [[0.9, 0.1], [0.6, 0.4]], ["no", "yes"]), 6)
    0.510826
    >>> log_loss(["no"], [[0.0, 1.0]], ["no", "yes"], log_proba=[[-800.0, 0.0]])
    800.0
    """
    return log_loss_of(Predictions.read(y, proba, classes, weights, log_proba))


def brier(y: Any, proba: Any, classes: Any, weights: Any = None) -> float:
    """The mean squared distance of the predicted probabilities from what happened.

    For two classes that of the probability of the second, within 0..1; for more the sum over all classes, within 0..2.

    >>> round(brier(["no", "yes"], [[0.9, 0.1], [0.6, 0.4]], ["no", "yes"]), 6)
    0.185
    """
    return brier_of(Predictions.read(y, proba, classes, weights))


def accuracy_of(forecasts: Predictions) -> float:
    return forecasts.mean(forecasts.decided == forecasts.codes)


def log_loss_of(forecasts: Predictions) -> float:
    return forecasts.mean(-forecasts.log_truth)


def brier_of(forecasts: Predictions) -> float:
    return sum(forecasts.mean((forecasts.proba[:, at] - (forecasts.codes == at)) ** 2) for at in _columns(forecasts))


def _columns(forecasts: Predictions) -> range:
    """The classes that the Brier score sums over: of two, the second says all."""
    classes = len(forecasts.classes)
    return range(1, 2) if classes == 2 else range(classes)


@dataclass(frozen=True)
class Brier(Written):
    """The Brier score and its parts: score = reliability - resolution + uncertainty + within.

    reliability: how far the predicted probabilities of a bin are from what happened there (0 is best); resolution: how
    far what happened in the bins is from the overall share (more is better); uncertainty: what a prediction of the
    overall shares would score; within: what differs inside the bins (0 where all probabilities of a bin are equal).

    >>> from likely.evaluation import brier_parts
    >>> y, proba = list("aabb"), [[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]]
    >>> found = brier_parts(y, proba, ["a", "b"])
    >>> round(found.score, 4)
    0.175
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


def brier_parts(y: Any, proba: Any, classes: Any, bins: int | None = CALIBRATION_BINS, weights: Any = None) -> Brier:
    """The Brier score taken apart over bins of about as many rows each, or over equal probabilities (bins=None).

    After Murphy (1973), with the terms within bins of Stephenson, Coelho and Jolliffe (2008), so that the parts add up
    to the score whatever the predictions; for more than two classes the parts of each class against the rest are
    summed.

    >>> parts = brier_parts([0, 1, 1, 1], [[0.5, 0.5], [0.5, 0.5], [0.1, 0.9], [0.1, 0.9]], [0, 1])
    >>> round(parts.reliability, 4), round(parts.resolution, 4), parts.uncertainty, parts.within
    (0.005, 0.0625, 0.1875, 0.0)
    """
    return brier_parts_of(Predictions.read(y, proba, classes, weights), bins)


def brier_parts_of(forecasts: Predictions, bins: int | None = CALIBRATION_BINS) -> Brier:
    parts = np.zeros(4)
    for at in _columns(forecasts):
        hits = (forecasts.codes == at).astype(np.float64)
        parts += _parts(forecasts.proba[:, at], hits, bins, forecasts.weights)
    return Brier(brier_of(forecasts), *parts.tolist())


def _parts(forecast: Floats, hits: Floats, bins: int | None, weights: Floats | None) -> Floats:
    """(4,): reliability, resolution, uncertainty and within, for one class against the rest."""
    if weights is not None:
        there = weights > 0
        forecast, hits, weights = forecast[there], hits[there], weights[there]
    if bins is None:
        bin_of: Array = np.unique(forecast, return_inverse=True)[1]
    else:
        bin_of = binned(forecast, read_bins(bins), weights=weights)
    mass = np.bincount(bin_of, weights)
    share = mass / mass.sum()
    # deviations first, so that a bin of equal probabilities has exactly nothing within
    first = np.full(len(mass), np.inf)
    np.minimum.at(first, bin_of, forecast)
    each = np.ones(len(forecast)) if weights is None else weights
    middle = first + np.bincount(bin_of, each * (forecast - first[bin_of])) / mass
    observed = np.bincount(bin_of, each * hits) / mass
    overall = float(share @ observed)
    spread, missed = forecast - middle[bin_of], hits - observed[bin_of]
    within = float(each @ (spread * (spread - 2 * missed))) / float(each.sum())
    return np.array(
        [share @ (middle - observed) ** 2, share @ (observed - overall) ** 2, overall * (1 - overall), within]
    )


def wilson(share: Any, rows: Any, level: float = 0.95) -> tuple[Floats, Floats]:
    """The ends of Wilson's interval of a share observed in `rows` rows; weights count as so many rows.

    >>> low, high = wilson(0.5, 10)
    >>> round(float(low), 4), round(float(high), 4)
    (0.2366, 0.7634)
    """
    z = ndtri((1 + read_level(level)) / 2)
    share, rows = read_numbers(share, "share", "O335"), read_numbers(rows, "rows", "O335")
    if not (((share >= 0) & (share <= 1)).all() and ((rows >= 0) & np.isfinite(rows)).all()):
        hint = "say a share within 0 and 1, and how many rows it is of, from 0 on"
        raise OptionError("O335", "there is no such share of rows", place="wilson(share, rows)", hint=hint)
    middle = (share * rows + z**2 / 2) / (rows + z**2)
    half = z * np.sqrt(share * (1 - share) * rows + z**2 / 4) / (rows + z**2)
    # rounding must not put an end beyond the share itself
    return np.clip(np.minimum(middle - half, share), 0, 1), np.clip(np.maximum(middle + half, share), 0, 1)


def read_level(level: Any) -> float:
    """The level of an interval: a share between 0 and 1."""
    share(level, "level", "O334")
    return float(level)
