"""Probabilities, scores and weights as they are handed in, read into arrays or refused; never changed in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors import OptionError

PROBABILITY_SLACK = (
    1e-3  # how far a row may be from adding up to one: probabilities are often written with few decimals
)
PROBABILITY_ROUNDING = 1e-12  # a row this near to one adds up but for rounding
MOST_WEIGHT_POWER = 300  # weights are kept within 2^-300 and 2^300, so that products of their sums are numbers


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


def read_weights(weights: Any, rows: int) -> Floats | None:
    """(rows,): weights from 0 on, not all 0; or None. Those beyond any count are scaled, all alike."""
    if weights is None:
        return None
    values = read_numbers(weights, "weights", "O326")
    refuse_shape(values.shape, (rows,), "weights")
    wrong = ~((values >= 0) & np.isfinite(values))
    if wrong.any() or not values.any():
        what = f"a weight is {values[wrong][0]}" if wrong.any() else "every weight is 0"
        place = f"weights=, row {int(wrong.argmax())}" if wrong.any() else "weights="
        raise OptionError("O326", what, place=place, hint="weights are finite numbers from 0 on, at least one above 0")
    size = int(np.frexp(values.max())[1])
    return (
        values
        if abs(size) <= MOST_WEIGHT_POWER
        else np.ldexp(values, int(np.clip(size, -MOST_WEIGHT_POWER, MOST_WEIGHT_POWER)) - size)
    )


def row_weights(weights: Any, rows: int) -> Floats:
    """(rows,): what each row counts; 1 each if not said."""
    found = read_weights(weights, rows)
    return np.ones(rows) if found is None else found


def read_numbers(values: Any, name: str, code: str) -> Floats:
    """Values as an array of floats."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise OptionError(code, f"{name} are not numbers", place=f"{name}=", hint="give an array of numbers") from None


def weighted_mean(values: Array, weights: Floats | None) -> float:
    """The mean of values (rows,); a row of weight 0 is not there, even where its value is infinite.

    >>> weighted_mean(np.array([1.0, np.inf]), np.array([2.0, 0.0]))
    1.0
    """
    if weights is None:
        return float(np.mean(values))
    there = weights > 0
    return float(np.dot(values[there], weights[there]) / weights[there].sum())


def refuse_shape(shape: tuple[int, ...], wanted: tuple[int | str, ...], name: str) -> None:
    """Refuse another shape than the one wanted, in which a word stands for any number of rows or classes.

    >>> refuse_shape((5, 2), ("rows", 2), "proba")
    """
    same = len(shape) == len(wanted)
    if same and all(size == want or isinstance(want, str) for size, want in zip(shape, wanted, strict=True)):
        return
    hint = "give one row for each label or forecast" + (", one column for each class" if len(wanted) == 2 else "")
    said = f"({', '.join(map(str, wanted))}{',' * (len(wanted) == 1)})"
    raise OptionError("O323", f"{name} are of shape {shape}, not {said}", place=f"{name}=", hint=hint)


def refuse_no_rows(rows: int) -> None:
    """An average of nothing is nothing."""
    if not rows:
        raise OptionError("O328", "there are no rows", place="proba=", hint="give at least one row")
