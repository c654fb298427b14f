"""One column of a model: the terms of the prediction for each of its values.

Axis: name, kind, values (values,), terms (values, classes), missing (classes,), classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.companions.fitted import ClassModel
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Column, Level
from likely.core.unusable_rows import LARGEST_NUMBER
from likely.explanations.columns import (
    block_of,
    by_class,
    column_place,
    held_model,
    independent_model,
    middle_and_spread,
    terms_of,
    word_terms,
)
from likely.explanations.numeric_columns import least_above_zero
from likely.explanations.terms import check_number
from likely.models import JointModel, NaiveModel
from likely.output.jsonable import Written

AXIS_POINTS = 129
MOST_FOLD = 1000.0  # numbers above zero that span more than so many times the least are laid by their logarithm
SKEWED_FOLD = 30.0  # the same of what is log-normal
FARTHEST_FOLD = 1e6  # times the least number above zero that is looked at, where zero is a value too
AXIS_DEVIATIONS = 3.0  # standard deviations on both sides of the mean


@dataclass(frozen=True, eq=False)
class Axis(Written):
    """terms (values, classes): the log predictive of each value in each class; `missing` (classes,): of no value.

    The values are levels, words (each once), or numbers; the terms of a real or parzen column are log densities.

    >>> import likely
    >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
    >>> model = likely.NaiveBayes().fit(rows, y)
    >>> from likely.explanations import axis
    >>> axis(model, "x0").values.tolist()
    ['rain', 'sun']
    """

    name: str
    kind: str
    values: Array
    terms: Floats
    missing: Floats
    classes: tuple[Level, ...]


def axis(model: Any, name: Any, points: int = AXIS_POINTS) -> Axis:
    """(values, classes): the very terms of the prediction, for each level or word of a column, or along its numbers.

    Numbers are laid over the mean of the column and three standard deviations on both sides, as far as any were seen;
    whole numbers on whole ones, and those that span more than a thousand times the least by their logarithm.
    Only of models whose columns do not depend on each other, and of columns whose density sums the others out.

    >>> import likely
    >>> model = likely.NaiveBayes().fit([["sun"], ["sun"], ["rain"]], ["out", "out", "in"])
    >>> sky = axis(model, "x0")
    >>> sky.values.tolist(), np.exp(sky.terms).round(3).tolist()
    (['rain', 'sun'], [[0.667, 0.25], [0.333, 0.75]])
    """
    held = held_model(model)
    if isinstance(held, JointModel):
        return _summed_out(held, column_place(held.schema, name), check_number(points, "points=", 2))
    held = independent_model(model)
    at, shown = column_place(held.schema, name), check_number(points, "points=", 2)
    (found,) = axes(held, [at], shown, by_class(model))
    return found


def axes(
    model: NaiveModel | ClassModel, columns: Sequence[int], points: int = AXIS_POINTS, seen_by: NaiveModel | None = None
) -> list[Axis]:
    """The axes of some columns, all sent through the model together; `seen_by` knows where their numbers lie."""
    schema, classes = model.schema, tuple(model.schema.classes)
    lying = model if isinstance(model, NaiveModel) else seen_by
    assert lying is not None, "a companion does not know where numbers lie"
    seen = middle_and_spread(lying, columns)
    asked: dict[int, Array] = {}  # the last value of each is missing
    for at in columns:
        column = schema.columns[at]
        if column.kind in DISCRETE:
            asked[at] = np.arange(len(column.levels) + 1)
        elif column.kind in NUMERIC:
            least = least_above_zero(lying, at) if column.described in ("log", "zeros") else 0.0
            numbers = _numbers(column, *seen[at], points, least=least) if at in seen else np.zeros(0)
            asked[at] = np.append(numbers, np.nan)
    terms, found = terms_of(model, asked), []
    for at in columns:
        column, nothing = schema.columns[at], np.zeros((1, len(classes)))
        said, values = terms.get(at, nothing), asked.get(at, np.zeros(1))[:-1]
        if column.kind in DISCRETE:
            values = _named(column.levels)
        elif column.kind == "text":
            values = _named(column.levels)
            said = np.vstack([word_terms(lying, at, np.arange(len(values))), nothing])
        found.append(Axis(column.name, column.kind, values, said[:-1], said[-1], classes))
    return found


def _powers(column: Column, low: float, high: float, points: int, least: float) -> Floats | None:
    """Numbers laid by their logarithm, with zero before them where it has a probability of its own; else None."""
    skewed = column.described in ("log", "zeros")
    if low > 0 and high > (SKEWED_FOLD if skewed else MOST_FOLD) * low:
        return np.geomspace(low, high, points)
    if not skewed or low != 0 or not high > 0:
        return None
    least = max(least, high / FARTHEST_FOLD, 1.0 if column.whole else 0.0)
    if not least < high:
        return None
    found = np.geomspace(least, high, points - 1)
    return np.unique(np.concatenate([[0.0], np.rint(found) if column.whole else found]))


def _summed_out(model: JointModel, at: int, points: int) -> Axis:
    """One column of a model of columns together, the others missing."""
    (found,) = axes(model.alone, [at], points)
    if model.schema.columns[at].kind not in model.density.kinds:
        return found
    values = np.append(found.values, np.nan)
    terms = np.zeros((len(values), len(found.classes)))
    model.add(block_of(model.schema, {at: values}, len(values)), terms)
    return replace(found, terms=terms[:-1], missing=terms[-1])


def _named(levels: Sequence[Level]) -> Array:
    out = np.empty(len(levels), dtype=object)
    out[:] = list(levels)
    return out


def _numbers(
    column: Column, middle: float, deviation: float, points: int, reach: float = AXIS_DEVIATIONS, least: float = 0.0
) -> Floats:
    """Numbers about the middle, as far as any were seen; whole ones of what is whole, and from 0 on for counts."""
    if deviation == 0:
        return np.array([middle])
    low, high = middle - reach * deviation, middle + reach * deviation
    if column.span is not None:
        if (powers := _powers(column, *column.span, points, least)) is not None:
            return powers
        low, high = max(low, column.span[0]), min(high, column.span[1])
    if column.kind == "count" or column.whole:
        low, high = (np.ceil(low), np.floor(high)) if column.span is not None else (np.floor(low), np.ceil(high))
        low = max(low, 0.0) if column.kind == "count" else low
        return np.unique(np.rint(np.linspace(low, high, int(min(points, high - low + 1)))))
    return np.clip(np.linspace(low, high, points), -LARGEST_NUMBER, LARGEST_NUMBER)
