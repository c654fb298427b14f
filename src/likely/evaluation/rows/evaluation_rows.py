"""Rows to judge a model by: labelled ones for a classifier, measured ones for a regressor.

Some of them are taken, a copy of a model is taught on them, and asked about others.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.core.schema import Level, plain
from likely.data.origin import take
from likely.data.targets.class_lists import read_classes
from likely.data.targets.label_codes import is_missing, read_codes, read_column, read_levels
from likely.data.targets.numeric_target import no_amounts
from likely.data.weights import read_weights, weighted_mean
from likely.errors import DataError, ModelError, OptionError
from likely.errors.options import choose
from likely.evaluation.losses import LARGEST_TARGET
from likely.evaluation.predictions import Predictions
from likely.evaluation.rows.refit import in_memory, narrowed, predicts_numbers, refuse_rows, teach
from likely.evaluation.scores import accuracy_of, brier_of, log_loss_of

CLASSIFIER_SCORES = {"accuracy": accuracy_of, "log_loss": log_loss_of, "brier": brier_of}
SCORE_OF_LOSS = {"log": "log_loss", "zero-one": "accuracy", "brier": "brier"}
# The measures of regression, and what tables call them
REGRESSION_MEASURES = {"squared": "squared", "rmse": "root", "absolute": "absolute", "r2": "R²"}


@dataclass(frozen=True, eq=False)
class Rows:
    """A table, what is to be predicted of each row, y (rows,), and a weight a row or None."""

    X: Any
    y: Array
    weights: Floats | None

    def __len__(self) -> int:
        return len(self.y)

    def take(self, at: Array) -> Self:
        """The rows at these places, in this order; classes stay."""
        held = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "X"}
        parts = {name: part[at] for name, part in held.items() if isinstance(part, np.ndarray)}
        return replace(self, X=take(self.X, at), **parts)

    def weighty(self) -> Self:
        """Without the rows of weight 0."""
        return self if self.weights is None else self.take(np.flatnonzero(self.weights))

    @property
    def weightless(self) -> bool:
        """Whether no row has any weight."""
        return self.weights is not None and not self.weights.any()

    def teach(self, model: Any) -> Any:
        """A copy of a model, fitted on these rows."""
        return teach(model, self.X, self.y, self.weights)


@dataclass(frozen=True, eq=False)
class Labelled(Rows):
    """Rows with labels: their codes (rows,) among the classes."""

    codes: Array
    classes: tuple[Level, ...]

    @classmethod
    def read(cls, X: Any, y: Any, weights: Any = None) -> Self:
        values = read_column(y)
        classes = read_levels(values)
        codes = read_codes(y, classes)
        table = in_memory(X)
        refuse_rows(table, len(codes))
        labels = np.asarray(y) if hasattr(y, "dtype") else np.asarray(values)
        return cls(table, labels, read_weights(weights, len(codes)), codes, classes)

    def under(self, classes: Any) -> Labelled:
        """The same rows, coded among other classes."""
        known = read_classes(classes)
        return replace(self, codes=read_codes(self.y, known), classes=known)

    def teach(self, model: Any) -> Any:
        """A copy of a model, fitted on these rows; what it is told of classes without a row here is left out."""
        here = np.bincount(self.codes, self.weights, minlength=len(self.classes)) > 0
        return super().teach(model if here.all() else narrowed(model, self.classes, here))

    def ask(self, model: Any) -> Floats:
        """(rows, classes): log probabilities of all the classes; a class that the model never met has none."""
        out = np.full((len(self), len(self.classes)), -np.inf)
        places = [self.classes.index(plain(level)) for level in model.classes_]
        out[:, places] = log_probabilities(model, self.X)
        return out

    def scores(self, log_proba: Floats) -> dict[str, float]:
        """Accuracy, log loss and Brier score of predictions of these rows; NaN where the rows have no weight."""
        if self.weightless:
            return dict.fromkeys(CLASSIFIER_SCORES, np.nan)
        forecasts = Predictions(self.codes, np.exp(log_proba), self.classes, self.weights, log_proba)
        return {name: score(forecasts) for name, score in CLASSIFIER_SCORES.items()}

    @property
    def losses(self) -> tuple[str, ...]:
        """The losses that predictions of classes have, the usual one first."""
        return tuple(SCORE_OF_LOSS)

    def risk(self, log_proba: Floats, loss: str) -> float:
        """The mean loss of predictions of these rows; NaN where the rows have no weight."""
        score = self.scores(log_proba)[SCORE_OF_LOSS[loss]]
        return 1.0 - score if loss == "zero-one" else score

    def guess(self, loss: str) -> float:
        """The mean loss of always predicting the shares of the classes."""
        shares = np.bincount(self.codes, self.weights, minlength=len(self.classes))
        return self.risk(np.tile(log(shares / shares.sum()), (len(self), 1)), loss)


@dataclass(frozen=True, eq=False)
class Measured(Rows):
    """Rows with a number to predict."""

    @classmethod
    def read(cls, X: Any, y: Any, weights: Any = None) -> Self:
        amounts = read_amounts(y)
        table = in_memory(X)
        refuse_rows(table, len(amounts))
        return cls(table, amounts, read_weights(weights, len(amounts)))

    @property
    def codes(self) -> Array:
        """(rows,): zeros, for numbers have no classes to be dealt out evenly."""
        return np.zeros(len(self), dtype=np.intp)

    def ask(self, model: Any) -> Floats:
        """(rows,): the numbers that a model predicts."""
        said = np.asarray(model.predict(self.X), dtype=np.float64)
        if said.shape != self.y.shape or not (np.abs(said) <= LARGEST_TARGET).all():
            what = f"{type(model).__name__} does not predict one finite number a row"
            raise OptionError(
                "O653", what, place="model.predict(X)", hint="give a regressor of one number that converges"
            )
        return said

    def scores(self, said: Floats) -> dict[str, float]:
        """Mean squared and absolute error, root and R² of predictions of these rows; NaN where they have none."""
        if self.weightless:
            return dict.fromkeys(REGRESSION_MEASURES, np.nan)
        mean = self.risk(said, "squared")
        spread = (
            self.guess("squared") if np.ptp(self.weighty().y) else 0.0
        )  # equal ones have none, whatever rounding says
        root, share = float(np.sqrt(mean)), 1.0 - mean / spread if spread else np.nan
        return dict(zip(REGRESSION_MEASURES, (mean, root, self.risk(said, "absolute"), share), strict=True))

    @property
    def losses(self) -> tuple[str, ...]:
        """The losses that predictions of numbers have, the usual one first."""
        return ("squared", "absolute")

    def risk(self, said: Any, loss: str) -> float:
        """The mean loss of predictions of these rows; NaN where the rows have no weight."""
        if self.weightless:
            return float("nan")
        away = np.abs(self.y - said)
        return weighted_mean(away**2 if loss == "squared" else away, self.weights)

    def guess(self, loss: str) -> float:
        """The mean loss of always predicting the best of all constants: the mean, or for absolute loss the median."""
        centre = weighted_mean(self.y, self.weights) if loss == "squared" else weighted_median(self.y, self.weights)
        return self.risk(centre, loss)


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


def read_amounts(y: Any, place: str = "y") -> Floats:
    """(rows,): finite numbers, at least one.

    >>> read_amounts([1, 2.5]).tolist()
    [1.0, 2.5]
    """
    values = read_column(y, place)
    try:
        amounts = np.array([np.nan if is_missing(value) else value for value in values], dtype=np.float64)
    except (TypeError, ValueError):
        raise no_amounts(place) from None
    wrong = ~(np.abs(amounts) <= LARGEST_TARGET)
    if wrong.any():
        row = int(wrong.argmax())
        what = f"the number {values[row]!r} is missing, or beyond {LARGEST_TARGET:g}"
        hint = "leave such rows out, or measure in larger units"
        raise DataError("D447", what, place=f"{place}, row {row}", hint=hint)
    return amounts


def weighted_median(values: Floats, weights: Floats | None) -> float:
    """The value with the least mean absolute distance from all; the middle of two where both have it.

    >>> weighted_median(np.array([1.0, 5.0, 9.0]), np.array([1.0, 1.0, 3.0]))
    9.0
    >>> weighted_median(np.array([1.0, 3.0]), np.array([2.0, 2.0]))
    2.0
    """
    if weights is None:
        return float(np.median(values))
    order = np.flatnonzero(weights)[np.argsort(values[weights > 0], kind="stable")]
    sums = np.cumsum(weights[order])
    ends = [np.searchsorted(sums, sums[-1] / 2, side) for side in ("left", "right")]
    return float(values[order][np.minimum(ends, len(order) - 1)].mean())
