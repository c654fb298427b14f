"""Whether of the rows given a probability of 70 %, 70 % are so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.data.targets.class_lists import read_positive
from likely.evaluation.bins import CALIBRATION_BINS, binned, read_bins
from likely.evaluation.predictions import Predictions
from likely.evaluation.scores import wilson
from likely.models.files.field_types import checked_value, damaged
from likely.output.draw import Drawn
from likely.output.jsonable import Written


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Written, Drawn):
    """(bins,) arrays: the mean predicted probability, the observed share with Wilson's interval, the rows of each.

    `ece` is the mean distance of predicted probability and observed share over rows, `mce` the largest of a bin.
    `positive` is the class whose probability is judged; None: the probability of whichever class is the likeliest (top
    label).

    >>> from likely.evaluation import calibration
    >>> y, proba = list("aabb"), [[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]]
    >>> found = calibration(y, proba, ["a", "b"], bins=2)
    >>> found.rows.tolist()
    [2, 2]
    """

    forecast: Floats
    observed: Floats
    rows: Array
    low: Floats
    high: Floats
    ece: float
    mce: float
    positive: Level | None
    strategy: str
    _picture = "calibration"
    _written = ("positive", "strategy", "ece", "mce", "forecast", "observed", "rows", "low", "high")

    @classmethod
    def from_dict(cls, page: Mapping[str, Any]) -> Calibration:
        """What `to_dict` wrote down.

        >>> from likely.evaluation import calibration
        >>> found = calibration(list("aabb"), [[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]], ["a", "b"], bins=2)
        >>> Calibration.from_dict(found.to_dict())
        calibration of P('b'): ece 0.2000, mce 0.3000
        predicted  observed  interval      rows
            0.200     0.500  0.095-0.905       2
            0.600     0.500  0.095-0.905       2
        """
        found = checked_value(
            cls, {name: np.array(part) if isinstance(part, list) else part for name, part in page.items()}
        )
        if len({part.shape for part in (found.forecast, found.observed, found.rows, found.low, found.high)}) > 1:
            raise damaged("its calibration cannot be read")
        return found

    def __repr__(self) -> str:
        of = "top label" if self.positive is None else f"P({self.positive!r})"
        lines = [
            f"calibration of {of}: ece {self.ece:.4f}, mce {self.mce:.4f}",
            "predicted  observed  interval      rows",
        ]
        for at, rows in enumerate(self.rows):
            ends = f"{self.low[at]:.3f}-{self.high[at]:.3f}"
            lines.append(f"{self.forecast[at]:9.3f}  {self.observed[at]:8.3f}  {ends}  {rows:6g}")
        return "\n".join(lines)


def calibration(
    y: Any,
    proba: Any,
    classes: Any,
    bins: int = CALIBRATION_BINS,
    positive: Any = None,
    strategy: str = "quantile",
    weights: Any = None,
) -> Calibration:
    """Predicted probabilities in bins, against what happened in each.

    "quantile" bins have about as many rows each, "width" bins are equally wide.

    The class judged is `positive`, of two classes the second; of more, where none is named, the likeliest of each row.
    Weights count as so many rows.

    >>> calibration([0, 1, 1, 1], [[0.5, 0.5], [0.5, 0.5], [0.1, 0.9], [0.1, 0.9]], [0, 1])
    calibration of P(1): ece 0.0500, mce 0.1000
    predicted  observed  interval      rows
        0.500     0.500  0.095-0.905       2
        0.900     1.000  0.342-1.000       2
    """
    return calibration_of(Predictions.read(y, proba, classes, weights), bins, positive, strategy)


def calibration_of(
    forecasts: Predictions, bins: int = CALIBRATION_BINS, positive: Any = None, strategy: str = "quantile"
) -> Calibration:
    if positive is None and len(forecasts.classes) != 2:
        judged, forecast = None, forecasts.proba.max(axis=1)
        hits = forecasts.decided == forecasts.codes
    else:
        at = read_positive(positive, forecasts.classes)
        judged, forecast, hits = forecasts.classes[at], forecasts.proba[:, at], forecasts.codes == at
    weights = forecasts.weights
    if weights is not None:
        there = weights > 0
        forecast, hits, weights = forecast[there], hits[there], weights[there]
    bin_of = binned(forecast, read_bins(bins), strategy, weights)
    each = np.ones(len(hits)) if weights is None else weights
    rows = np.bincount(bin_of, weights)
    mean, observed = np.bincount(bin_of, each * forecast) / rows, np.bincount(bin_of, each * hits) / rows
    gaps = np.abs(mean - observed)
    low, high = wilson(observed, rows)
    return Calibration(
        mean, observed, rows, low, high, float(gaps @ rows / rows.sum()), float(gaps.max()), judged, strategy
    )
