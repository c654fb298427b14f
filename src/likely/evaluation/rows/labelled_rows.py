"""Labelled rows of any table: some of them taken, a copy of a classifier taught on them, and asked about others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.core.schema import Level, plain
from likely.data.origin import take
from likely.data.targets.class_lists import read_classes
from likely.data.targets.label_codes import read_codes, read_column, read_levels
from likely.data.weights import read_weights
from likely.errors import ModelError, OptionError
from likely.evaluation.predictions import Predictions
from likely.evaluation.rows.refit import in_memory, refuse_rows, teach
from likely.evaluation.scores import accuracy_of, brier_of, log_loss_of

CLASSIFIER_SCORES = {"accuracy": accuracy_of, "log_loss": log_loss_of, "brier": brier_of}
SCORE_OF_LOSS = {"log": "log_loss", "zero-one": "accuracy", "brier": "brier"}


@dataclass(frozen=True, eq=False)
class Labelled:
    """A table, its labels y (rows,) with their codes among the classes, and a weight a row or None."""

    X: Any
    y: Array
    codes: Array
    classes: tuple[Level, ...]
    weights: Floats | None

    @classmethod
    def read(cls, X: Any, y: Any, weights: Any = None) -> Self:
        values = read_column(y)
        classes = read_levels(values)
        codes = read_codes(y, classes)
        table = in_memory(X)
        refuse_rows(table, len(codes))
        labels = np.asarray(y) if hasattr(y, "dtype") else np.asarray(values)
        return cls(table, labels, codes, classes, read_weights(weights, len(codes)))

    def __len__(self) -> int:
        return len(self.codes)

    def under(self, classes: Any) -> Labelled:
        """The same rows, coded among other classes."""
        known = read_classes(classes)
        return Labelled(self.X, self.y, read_codes(self.y, known), known, self.weights)

    def weighty(self) -> Labelled:
        """Without the rows of weight 0."""
        return self if self.weights is None else self.take(np.flatnonzero(self.weights))

    def take(self, at: Array) -> Labelled:
        """The rows at these places, in this order; the classes stay."""
        weights = None if self.weights is None else self.weights[at]
        return Labelled(take(self.X, at), self.y[at], self.codes[at], self.classes, weights)

    def teach(self, model: Any) -> Any:
        """A copy of a classifier, fitted on these rows."""
        return teach(model, self.X, self.y, self.weights)

    def ask(self, model: Any) -> Floats:
        """(rows, classes): log probabilities of all the classes; a class that the model never met has none."""
        out = np.full((len(self), len(self.classes)), -np.inf)
        places = [self.classes.index(plain(level)) for level in model.classes_]
        out[:, places] = log_probabilities(model, self.X)
        return out

    def scores(self, log_proba: Floats) -> dict[str, float]:
        """Accuracy, log loss and Brier score of forecasts of these rows; NaN where the rows have no weight."""
        if self.weights is not None and not self.weights.any():
            return dict.fromkeys(CLASSIFIER_SCORES, np.nan)
        forecasts = Predictions(self.codes, np.exp(log_proba), self.classes, self.weights, log_proba)
        return {name: score(forecasts) for name, score in CLASSIFIER_SCORES.items()}

    @property
    def losses(self) -> tuple[str, ...]:
        """The losses that forecasts of classes have, the usual one first."""
        return tuple(SCORE_OF_LOSS)

    def risk(self, log_proba: Floats, loss: str) -> float:
        """The mean loss of forecasts of these rows; NaN where the rows have no weight."""
        score = self.scores(log_proba)[SCORE_OF_LOSS[loss]]
        return 1.0 - score if loss == "zero-one" else score

    def guess(self, loss: str) -> float:
        """The mean loss of always forecasting the shares of the classes."""
        shares = np.bincount(self.codes, self.weights, minlength=len(self.classes))
        return self.risk(np.tile(log(shares / shares.sum()), (len(self), 1)), loss)


def log_probabilities(model: Any, X: Any) -> Floats:
    """(rows, classes): the log probabilities of a classifier, which many give before they are rounded to 0 or 1."""
    if not hasattr(model, "predict_log_proba"):
        return log(model.predict_proba(X))
    with np.errstate(divide="ignore"):  # some take the log of their own zeros
        return np.asarray(model.predict_log_proba(X), dtype=np.float64)


def refuse_model(model: Any, place: str = "model") -> None:
    """Refuse what is no classifier that can be fitted and gives probabilities."""
    name = model.__name__ if isinstance(model, type) else type(model).__name__
    if isinstance(model, type):
        what, hint = f"{name} is a class, not a model", f"make one: {name}()"
    elif not hasattr(model, "predict_proba"):
        what, hint = f"a {name} gives no probabilities", "give a classifier with predict_proba"
    elif not hasattr(model, "fit"):
        what = f"a {name} cannot be fitted again"
        hint = "give the model that it was made from" if hasattr(model, "model") else "give a classifier with fit"
    else:
        return
    raise OptionError("O342", what, place=place, hint=hint)


def read_fitted(model: Any) -> tuple[Level, ...]:
    """The classes of a fitted classifier that gives probabilities."""
    if isinstance(model, type) or not hasattr(model, "predict_proba"):
        refuse_model(model)
    if not hasattr(model, "classes_"):
        raise ModelError("M308", "the model is not fitted", place="model", hint="call fit(X, y) first")
    return read_classes(model.classes_)
