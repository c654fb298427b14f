"""What a model is worth on rows that it has not learnt: left out one by one, out of bag, in folds, or others."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.data.weights import weighted_mean
from likely.evaluation.folds.baseline import class_shares, means
from likely.evaluation.folds.cross_validation import validated
from likely.evaluation.folds.splits import Splits
from likely.evaluation.predictions import Predictions
from likely.evaluation.rows.evaluation_rows import Judged, Labelled, Measured
from likely.evaluation.skill import Skill, skill_of_amounts, skill_of_classes

MOST_ROWS_JUDGED = 100_000  # rows up to which a model is judged at once


@dataclass(frozen=True)
class HeldOut:
    """The skill on so many rows, what to know of it, and of folds how their models came about."""

    skill: Skill
    rows: int
    notes: tuple[str, ...] = ()
    method: str = ""


def way_to_judge(model: Any, said: bool) -> str | None:
    """How a fitted model is judged by the rows that taught it: the quickest exact way, or in folds if that is `said`.

    A pool held rows out while it came about: it is judged by these, whose weights never saw them either.

    None where it has too few rows, or so many that it would take long.

    >>> import likely
    >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [5.0], [6.0]], list("aabb"))
    >>> way_to_judge(model, said=False), way_to_judge(model, said=True)
    ('leave_one_out', 'splits')
    """
    if not said and getattr(model.model_, "held_out", None) is not None:
        return "folds"
    rows = model.model_.rows.sum()
    if not rows > 1 or (rows > MOST_ROWS_JUDGED and not said):
        return None
    if hasattr(model, "leave_one_out") and not said:
        return "leave_one_out"
    return "out_of_bag" if hasattr(model, "oob_error_") and not said else "splits"


def of_classes(model: Any, cells: Array, log_proba: Floats, weights: Floats | None) -> HeldOut:
    """The worth of log probabilities of the true classes by place; probabilities may be too small for a double."""
    told = Predictions.read(model.classes_[cells], np.exp(log_proba), model.classes_, weights, log_proba)
    rows = getattr(model, "by_class_", model.model_).rows  # before any class weights
    return HeldOut(skill_of_classes(told, log(rows / rows.sum())), len(cells), tuple(told.notes))


def of_folds(model: Any) -> HeldOut:
    """The worth of a pool on the rows that were held out while it came about."""
    held = model.model_.held_out
    return of_classes(model, held.cells, held.under(model.model_.log_prior), held.weights)


def of_numbers(model: Any, held: Measured, learnt: Measured) -> HeldOut:
    """The worth of a model of numbers on rows that are held, over the mean of those learnt."""
    mean = weighted_mean(learnt.y, learnt.weights)
    return HeldOut(skill_of_amounts(held, held.ask(model), mean), len(held))


def by_splits(
    model: Any, rows: Judged, splits: Splits, said: bool, tick: Callable[[], object] | None = None
) -> HeldOut:
    """The worth of models of the other rows; where splits are `said`, over the shares or mean of what taught each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the model of all rows has warned of what these would
        found: Any = validated(model, rows, splits, tick)
    held = rows if found.at is None else rows.take(found.at)
    if isinstance(rows, Labelled) and isinstance(held, Labelled):
        told = Predictions(held.codes, found.proba, held.classes, held.weights, found.log_proba)
        mass = np.bincount(rows.codes, rows.weights, minlength=len(rows.classes))
        shares = class_shares(rows, splits) if said else log(mass / mass.sum())
        return HeldOut(skill_of_classes(told, shares), len(held), (*told.notes, *found.notes), found.method)
    assert isinstance(rows, Measured), "rows to judge are of classes or of numbers"
    assert isinstance(held, Measured), "and so are some of them"
    guess = means(rows, splits) if said else weighted_mean(rows.y, rows.weights)
    return HeldOut(skill_of_amounts(held, found.predicted, guess), len(held), method=found.method)
