"""Predicted probabilities of known labels, read and normalised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats, log, log_sum_exp
from likely.core.schema import Level
from likely.data.targets.class_lists import read_classes
from likely.data.targets.label_codes import read_codes
from likely.data.targets.probabilities import PROBABILITY_ROUNDING, PROBABILITY_SLACK, read_proba, read_scores
from likely.data.weights import read_weights, weighted_mean
from likely.errors import OptionError


@dataclass(frozen=True, eq=False)
class Predictions:
    """codes (rows,) of the true classes, proba (rows, classes), and a weight a row or None.

    `log_proba` holds probabilities that are too small for a double; where it is not given, it is the log of `proba`.
    """

    codes: Array
    proba: Floats
    classes: tuple[Level, ...]
    weights: Floats | None
    log_proba: Floats | None = None

    @classmethod
    def read(cls, y: Any, proba: Any, classes: Any, weights: Any = None, log_proba: Any = None) -> Predictions:
        known = read_classes(classes)
        codes = read_codes(y, known)
        given = normalised(read_proba(proba, len(known), len(codes)))
        logs = None if log_proba is None else read_log_proba(log_proba, given.shape)
        return cls(codes, given, known, read_weights(weights, len(codes)), logs)

    @property
    def truth(self) -> Floats:
        """(rows,): the probability that was given to the true class."""
        return np.asarray(self.proba[np.arange(len(self.codes)), self.codes])

    @property
    def log_truth(self) -> Floats:
        """(rows,): the log of that probability; -inf where the truth was held to be impossible."""
        if self.log_proba is None:
            return log(self.truth)
        return np.asarray(self.log_proba[np.arange(len(self.codes)), self.codes])

    @property
    def impossible(self) -> Array:
        """The rows of some weight whose true class was held to be impossible; they make the log loss infinite."""
        there = True if self.weights is None else self.weights > 0
        return np.flatnonzero(np.isneginf(self.log_truth) & there)

    @property
    def notes(self) -> tuple[str, ...]:
        """Why the log loss is infinite, where it is."""
        rows = self.impossible
        if not len(rows):
            return ()
        blame = f"{len(rows)} of {len(self.codes)} rows, the first of them row {rows[0]}"
        return (f"the log loss is infinite: {blame}, had probability 0 for their true class",)

    @property
    def decided(self) -> Array:
        """(rows,): codes of the likeliest classes; the first of equals."""
        return np.asarray(self.proba.argmax(axis=1))

    def mean(self, values: Array) -> float:
        return weighted_mean(values, self.weights)


def normalised(proba: Floats) -> Floats:
    """(rows, classes): probabilities that add up to one; rows that do but for rounding are left as they are.

    >>> normalised(np.array([[0.3, 0.7], [1.001, 0.0]])).tolist()
    [[0.3, 0.7], [1.0, 0.0]]
    """
    sums = proba.sum(axis=1, keepdims=True)
    off = (np.abs(sums - 1) > PROBABILITY_ROUNDING) | (proba > 1).any(axis=1, keepdims=True)
    return np.where(off, proba / sums, proba) if off.any() else proba


def read_log_proba(log_proba: Any, shape: tuple[int, ...]) -> Floats:
    """(rows, classes): log probabilities, whose exponentials add up to one, within the slack; normalised."""
    values = read_scores(log_proba, shape, "log_proba")
    over = log_sum_exp(np.minimum(values, 1.0))  # beyond 1 they are wrong by any measure
    wrong = ~(np.abs(over) <= PROBABILITY_SLACK)
    if wrong.any():
        row = int(wrong.argmax())
        what = f"{values[row].tolist()} are no log probabilities"
        hint = "at most 0, their exponentials adding up to one: model.predict_log_proba(X)"
        raise OptionError("O324", what, place=f"log_proba=, row {row}", hint=hint)
    off = (np.abs(over) > PROBABILITY_ROUNDING) | (values > 0).any(axis=1)
    return np.minimum(np.where(off[:, None], values - over[:, None], values), 0.0)
