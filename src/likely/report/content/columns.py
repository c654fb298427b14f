"""What the model believes of each column, and points for its values that add up to a probability."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.explanations import Nomogram, nomogram, profile
from likely.explanations.profile import ColumnProfile
from likely.report.content.subject import Subject

MOST_COLUMNS_LISTED = 30  # in the table of beliefs
MOST_PICTURES = 8  # columns whose classes are drawn beside each other
CLASSES_DRAWN = 8  # of a picture
MOST_LEVELS = 6  # of a picture
MOST_AXES = 10  # of a nomogram
MOST_AXIS_STEPS = 65  # of the numbers along an axis
NO_BITS = 1e-9  # rounding alone
ADDITIVE = "NaiveBayes"  # whose points add up, where those of the model do not


def beliefs(subject: Subject) -> dict[str, Any]:
    """The columns that tell most about the class, and what each looks like in each class."""
    try:
        told = profile(subject.model)
    except LikelyError as error:
        return {"columns": [], "reason": error.message}
    telling = [one for one in told.columns if one.bits > NO_BITS]
    return {
        "classes": list(told.classes),
        "priors": told.priors.tolist(),
        "columns": [_column(one, at < MOST_PICTURES) for at, one in enumerate(telling[:MOST_COLUMNS_LISTED])],
        "omitted": len(told.columns) - len(telling[:MOST_COLUMNS_LISTED]),
    }


def _column(one: ColumnProfile, drawn: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": one.name,
        "kind": one.kind,
        "bits": one.bits,
        "cells": list(islice(one.cells(), CLASSES_DRAWN)),
    }
    if not drawn:
        return told
    if one.mean is not None and one.spread is not None:
        told["means"], told["spreads"] = one.mean[:CLASSES_DRAWN].tolist(), one.spread[:CLASSES_DRAWN].tolist()
    elif one.levels is not None and one.shares is not None and len(one.levels):
        order = np.argsort(-one.shares.max(axis=1), kind="stable")[:MOST_LEVELS]
        told["levels"] = [str(one.levels[at]) for at in order]
        told["shares"] = one.shares[order, :CLASSES_DRAWN].tolist()
    return told


def chart_of_points(subject: Subject) -> dict[str, Any]:
    """The nomogram of the model; where its columns depend on each other, that of naive Bayes of the same rows."""
    try:
        found, of = nomogram(subject.model, top=MOST_AXES), type(subject.model).__name__
    except LikelyError as error:
        from likely.estimators.bayes.naive import NaiveBayes
        from likely.evaluation.rows.refit import quietly

        try:
            with quietly():
                kinds = getattr(subject.model, "kinds", "auto")
                found = nomogram(NaiveBayes(kinds=kinds).fit(subject.rows.X, subject.rows.y), top=MOST_AXES)
        except LikelyError:
            return {"reason": error.message}
        of = ADDITIVE
    return {
        "model": of,
        "own": of == type(subject.model).__name__,
        "for": found.for_,
        "against": found.against,
        "classes": len(found.classes),
        "base": found.base,
        "unit": found.unit,
        "rest": _rest(found),
        "others": found.others,
        "columns": [axis for axis in map(_axis, found.columns) if axis["values"]],
    }


def _rest(found: Nomogram) -> float:
    """The points of the columns that are not shown, each left out."""
    total = (found.prior - found.base) / found.unit
    return float(total - sum(one.missing for one in found.columns if np.isfinite(one.missing)))


def _axis(one: Any) -> dict[str, Any]:
    finite = np.flatnonzero(np.isfinite(one.points))
    if len(finite) > MOST_AXIS_STEPS:
        finite = finite[np.linspace(0, len(finite) - 1, MOST_AXIS_STEPS).round().astype(int)]
    number = one.values.dtype != object
    values = one.values[finite].tolist()
    return {
        "name": one.name,
        "kind": one.kind,
        "number": number,
        "values": values if number else [str(value) for value in values],
        "points": one.points[finite].tolist(),
        "missing": one.missing if np.isfinite(one.missing) else 0.0,
    }
