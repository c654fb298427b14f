"""Labelled rows of any table: some of them taken, a copy of a classifier taught on them, and asked about others."""

from __future__ import annotations

import inspect
import warnings
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.errors import DataError, ModelError, OptionError, SchemaWarning
from likely.evaluation.forecasts import Forecasts
from likely.evaluation.scores import accuracy_of, brier_of, log_loss_of
from likely.forecasts.classes import read_classes
from likely.forecasts.labels import read_codes, read_column, read_levels
from likely.forecasts.numbers import read_weights
from likely.numerics import Array, Floats, log
from likely.schema import Level, plain

SCORES = {"accuracy": accuracy_of, "log_loss": log_loss_of, "brier": brier_of}


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
        table = _in_memory(X)
        if _rows(table) != len(codes):
            what = f"X has {_rows(table)} rows, y has {len(codes)}"
            raise DataError("D126", what, place="y", hint="give one label for each row of X")
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
        return Labelled(_take(self.X, at), self.y[at], self.codes[at], self.classes, weights)

    def teach(self, model: Any) -> Any:
        """A copy of a classifier, fitted on these rows. Notes about columns are for the user's own fit."""
        from sklearn.base import clone

        weighing = _weighing(model, self.weights)
        if self.weights is not None and not self.weights.any():
            hint = "use fewer folds, or leave the rows of weight 0 out"
            raise OptionError("O344", "a part to learn from has no weight", place="weights=", hint=hint)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SchemaWarning)
            return clone(model, safe=False).fit(self.X, self.y, **weighing)

    def ask(self, model: Any) -> Floats:
        """(rows, classes): log probabilities of all the classes; a class that the model never met has none."""
        out = np.full((len(self), len(self.classes)), -np.inf)
        places = [self.classes.index(plain(level)) for level in model.classes_]
        out[:, places] = log_probabilities(model, self.X)
        return out

    def scores(self, log_proba: Floats) -> dict[str, float]:
        """Accuracy, log loss and Brier score of forecasts of these rows; NaN where the rows have no weight."""
        if self.weights is not None and not self.weights.any():
            return dict.fromkeys(SCORES, np.nan)
        forecasts = Forecasts(self.codes, np.exp(log_proba), self.classes, self.weights, log_proba)
        return {name: score(forecasts) for name, score in SCORES.items()}


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


def _weighing(model: Any, weights: Floats | None) -> dict[str, Floats]:
    """The argument that brings the weights to a classifier, or to the last step of a pipeline."""
    if weights is None:
        return {}
    steps = getattr(model, "steps", None)
    known = inspect.signature((steps[-1][1] if steps else model).fit).parameters
    if "sample_weight" not in known and all(one.kind is not one.VAR_KEYWORD for one in known.values()):
        what = f"{type(steps[-1][1] if steps else model).__name__} takes no weights"
        raise OptionError("O343", what, place="weights=", hint="leave weights= out, or give another model")
    return {f"{steps[-1][0]}__sample_weight" if steps else "sample_weight": weights}


def _in_memory(X: Any) -> Any:
    """A table whose rows can be taken."""
    if hasattr(X, "collect") and not hasattr(X, "shape"):  # a lazy frame
        return X.collect()
    if hasattr(X, "tocsr"):
        return X.tocsr()
    relation = type(X).__module__.partition(".")[0] in ("duckdb", "_duckdb")
    if relation or isinstance(X, str | bytes) or not (hasattr(X, "shape") or hasattr(X, "__len__")):
        what = f"rows cannot be taken from a {type(X).__name__}"
        hint = "give an array, a list of rows or a data frame; read a file or relation first"
        raise DataError("D126", what, place="X", hint=hint)
    return X


def _rows(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _take(X: Any, at: Array) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[at]
    if isinstance(X, list | tuple):
        return [X[row] for row in at]
    if hasattr(X, "column_names"):  # Arrow
        return X.take(at)
    return X[at]
