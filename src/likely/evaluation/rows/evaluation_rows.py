"""Rows to judge a model by: labelled ones for a classifier, measured ones for a regressor."""

from __future__ import annotations

from typing import Any

from likely.errors.options import choose
from likely.evaluation.rows.labelled_rows import Labelled, refuse_model
from likely.evaluation.rows.numeric_rows import Measured
from likely.evaluation.rows.refit import predicts_numbers

Judged = Labelled | Measured


def read_judged(model: Any, X: Any, y: Any, weights: Any = None) -> Judged:
    """The rows in the form that the model is judged by; what is no model is refused."""
    if predicts_numbers(model):
        return Measured.read(X, y, weights)
    refuse_model(model)
    return Labelled.read(X, y, weights)


def read_loss_of(rows: Judged, loss: Any, place: str = "loss=") -> str:
    """The name of a loss that these rows have; the usual one where None is said."""
    if loss is None:
        return rows.losses[0]
    return choose(loss, rows.losses, "loss", "O356", place=place)
