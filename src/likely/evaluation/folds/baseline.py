"""What a baseline that knows no column says of the rows that are held out: the shares of the classes, or the mean."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Floats
from likely.data.weights import weighted_mean
from likely.evaluation.folds.splits import Splits
from likely.evaluation.rows.evaluation_rows import Labelled, Measured


def class_shares(rows: Labelled, splits: Splits) -> Floats:
    """(judged, classes): log shares of the classes among the rows that taught each fold, and one more of each."""
    out = np.empty((len(splits.at), len(rows.classes)))
    for part in range(len(splits.held)):
        taught = splits.taught(part)
        weights = None if rows.weights is None else rows.weights[taught]
        mass = np.bincount(rows.codes[taught], weights, minlength=len(rows.classes)) + 1.0
        out[splits.fold == part] = np.log(mass / mass.sum())
    return out


def means(rows: Measured, splits: Splits) -> Floats:
    """(judged,): the mean of the rows that taught each fold."""
    out = np.empty(len(splits.at))
    for part in range(len(splits.held)):
        taught = splits.taught(part)
        out[splits.fold == part] = weighted_mean(rows.y[taught], None if rows.weights is None else rows.weights[taught])
    return out
