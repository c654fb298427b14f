"""Rows taken from any table, and copies of models taught on them."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level, plain
from likely.data.origin import collected, count_rows, is_table
from likely.errors import DataError, OptionError, SchemaWarning, SeparationWarning, SingularWarning


def in_memory(X: Any) -> Any:
    """A table whose rows can be taken."""
    X = collected(X)
    if not is_table(X):
        what = f"rows cannot be taken from a {type(X).__name__}"
        hint = "give an array, a list of rows or a data frame; read a file or relation first"
        raise DataError("D131", what, place="X", hint=hint)
    return X


def refuse_rows(X: Any, rows: int) -> None:
    """Refuse a table of another number of rows."""
    if (held := count_rows(X)) != rows:
        what = f"X has {held} rows, y has {rows}"
        raise DataError("D126", what, place="y", hint="give one label for each row of X")


def teach(model: Any, X: Any, y: Array, weights: Floats | None) -> Any:
    """A copy of a model, fitted on these rows."""
    from sklearn.base import clone

    weighing = _weighing(model, weights)
    if weights is not None and not weights.any():
        hint = "use fewer folds, or leave the rows of weight 0 out"
        raise OptionError("O344", "a part to learn from has no weight", place="weights=", hint=hint)
    with quietly():
        return clone(model, safe=False).fit(X, y, **weighing)


def narrowed(model: Any, classes: Sequence[Level], here: Array) -> Any:
    """A copy of a model whose class priors and class weights are of those classes alone that have rows.

    >>> import likely
    >>> narrowed(likely.NaiveBayes(priors={"a": 0.2, "b": 0.3, "c": 0.5}), ("a", "b", "c"), [True, True, False]).priors
    {'a': 0.2, 'b': 0.3}
    """
    from sklearn.base import clone

    absent = {level for level, there in zip(classes, here, strict=True) if not there}

    def kept(said: Any) -> Any:
        if isinstance(said, Mapping):
            left = {level: value for level, value in said.items() if plain(level) not in absent}
            return left if any(left.values()) else None
        if isinstance(said, list | tuple | np.ndarray) and len(said) == len(here):
            some = [value for value, there in zip(said, here, strict=True) if there]
            return some if any(some) else None
        return said

    options = model.get_params() if hasattr(model, "get_params") else {}
    of_classes = [name for name in options if name.rpartition("__")[2] in ("priors", "class_weight")]
    return clone(model).set_params(**{name: kept(options[name]) for name in of_classes}) if of_classes else model


@contextmanager
def quietly() -> Iterator[None]:
    """Without what copies of a model have to say about the rows that they learn: the user's own fit says it once."""
    with warnings.catch_warnings():
        for kind in (SchemaWarning, SeparationWarning, SingularWarning):
            warnings.simplefilter("ignore", kind)
        yield


def _weighing(model: Any, weights: Floats | None) -> dict[str, Floats]:
    """The argument that brings the weights to a model, or to the last step of a pipeline."""
    if weights is None:
        return {}
    steps = getattr(model, "steps", None)
    known = inspect.signature((steps[-1][1] if steps else model).fit).parameters
    if "sample_weight" not in known and all(one.kind is not one.VAR_KEYWORD for one in known.values()):
        what = f"{type(steps[-1][1] if steps else model).__name__} takes no weights"
        raise OptionError("O343", what, place="weights=", hint="leave weights= out, or give another model")
    return {f"{steps[-1][0]}__sample_weight" if steps else "sample_weight": weights}


def predicts_numbers(model: Any) -> bool:
    """Whether it is a regressor, one that can be fitted."""
    from sklearn.base import is_regressor

    if isinstance(model, type) or hasattr(model, "predict_proba") or not hasattr(model, "fit"):
        return False
    return bool(is_regressor(model)) if hasattr(model, "__sklearn_tags__") else False
