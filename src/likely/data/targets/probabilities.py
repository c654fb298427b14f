"""Probabilities and scores as they are handed in, read into arrays or refused; never changed in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.errors import DataError, OptionError

PROBABILITY_SLACK = (
    1e-3  # how far a row may be from adding up to one: probabilities are often written with few decimals
)
PROBABILITY_ROUNDING = 1e-12  # a row this near to one adds up but for rounding


def read_proba(proba: Any, columns: int | None = None, rows: int | None = None) -> Floats:
    """(rows, classes): the probabilities as they are: from 0 on, each row adding up to one, within the slack.

    >>> read_proba([[0.3, 0.7], [1.001, 0.0]], 2).tolist()
    [[0.3, 0.7], [1.001, 0.0]]
    """
    values = read_numbers(proba, "proba", "O324")
    refuse_shape(values.shape, ("rows" if rows is None else rows, columns or "classes"), "proba")
    wrong = ~((values >= 0).all(axis=1) & (np.abs(values.sum(axis=1) - 1) <= PROBABILITY_SLACK + PROBABILITY_ROUNDING))
    if wrong.any():
        row = int(wrong.argmax())
        what = f"{values[row].tolist()} are no probabilities"
        hint = "within 0 and 1, adding up to one: model.predict_proba(X)"
        raise OptionError("O324", what, place=f"proba=, row {row}", hint=hint)
    return values


def read_scores(scores: Any, shape: tuple[int | str, ...], name: str = "scores") -> Floats:
    """The scores of a given shape; infinite ones are fine, NaN is not."""
    values = read_numbers(scores, name, "O325")
    refuse_shape(values.shape, shape, name)
    gone = np.isnan(values)
    if gone.any():
        row = int(np.argwhere(gone)[0][0])
        raise OptionError(
            "O325", f"a value of {name} is NaN", place=f"{name}=, row {row}", hint="every row needs its number"
        )
    return values


def read_numbers(values: Any, name: str, code: str) -> Floats:
    """Values as an array of floats."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise OptionError(code, f"{name} are not numbers", place=f"{name}=", hint="give an array of numbers") from None


def refuse_shape(shape: tuple[int, ...], wanted: tuple[int | str, ...], name: str) -> None:
    """Refuse another shape than the one wanted, in which a word stands for any number of rows or classes.

    >>> refuse_shape((5, 2), ("rows", 2), "proba")
    """
    same = len(shape) == len(wanted)
    if same and all(size == want or isinstance(want, str) for size, want in zip(shape, wanted, strict=True)):
        return
    hint = "give one row of probabilities for each label" + (", one column for each class" if len(wanted) == 2 else "")
    said = f"({', '.join(map(str, wanted))}{',' * (len(wanted) == 1)})"
    raise OptionError("O323", f"{name} are of shape {shape}, not {said}", place=f"{name}=", hint=hint)


def refuse_no_rows(rows: int) -> None:
    """An average of nothing is nothing."""
    if not rows:
        raise DataError("D117", "there are no rows", place="proba=", hint="give at least one row")
