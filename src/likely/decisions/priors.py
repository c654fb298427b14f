"""Other class priors at the time of the decision: the same evidence, a different world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Floats, log, log_sum_exp
from likely.core.schema import Level
from likely.data.targets.class_lists import read_classes
from likely.data.targets.probabilities import read_proba
from likely.errors import OptionError
from likely.models.priors import log_prior, read_priors


def reweigh(proba: Any, old: Any, new: Any, classes: Any = None) -> Floats:
    """(rows, classes): the probabilities under other class priors; `proba` stays as it is.

    `old` are the priors behind `proba`, `new` those that hold where the decision is made: one number a class, or, where
    `classes` gives the order of the columns, {class: probability}; or 'uniform'. A row that only classes of no prior
    could have gets the new priors.

    >>> test = reweigh([[0.5, 0.5], [0.1, 0.9]], [0.5, 0.5], {"ill": 0.01, "well": 0.99}, ["ill", "well"])
    >>> test.round(4).tolist()
    [[0.01, 0.99], [0.0011, 0.9989]]
    """
    levels = None if classes is None else read_classes(classes)
    found = read_proba(proba, None if levels is None else len(levels))
    names = tuple(range(found.shape[1])) if levels is None else levels
    before = read_log_prior(old, names, "old=", named=levels is not None)
    after = read_log_prior(new, names, "new=", named=levels is not None)
    unknown = np.isneginf(before) & ~np.isneginf(after)
    if unknown.any():
        odd = names[int(np.flatnonzero(unknown)[0])]
        hint = "a class that was ruled out before has left no evidence: fit with a prior for it"
        raise OptionError("O306", f"class {odd!r} had a prior of zero and now has one", place="old=", hint=hint)
    ratio = np.full(len(after), -np.inf)
    np.subtract(after, before, out=ratio, where=~np.isneginf(after))
    joint = log(found) + ratio
    joint[np.isneginf(joint).all(axis=1)] = after
    return np.asarray(np.exp(joint - log_sum_exp(joint)[:, None]))


def read_log_prior(priors: Any, classes: Sequence[Level], place: str, named: bool = True) -> Floats:
    """(classes,): log probabilities of priors that the user said."""
    if len(getattr(priors, "shape", ())) > 1:
        hint = "say {class: probability, ...} or one number for each class"
        raise OptionError("O305", f"priors of shape {priors.shape}", place=place, hint=hint)
    if hasattr(priors, "keys") and not named:
        hint = "a mapping goes by name: say classes= too, in the order of the columns"
        raise OptionError("O305", "the classes of the columns are not known", place=place, hint=hint)
    if priors is None or (isinstance(priors, str) and priors in ("empirical", "smoothed")):
        hint = "say {class: probability, ...}, one number for each class, or 'uniform'"
        raise OptionError("O305", f"priors cannot be {priors!r} here: no rows are counted", place=place, hint=hint)
    if hasattr(priors, "to_list"):  # a series of pandas goes by its index, one of polars by place
        priors = dict(priors.items()) if hasattr(priors, "items") else priors.to_list()
    try:
        return log_prior(read_priors(priors, "bayes", classes), np.zeros(len(classes)), classes, 0.0)
    except OptionError as error:
        error.place = place  # its own place is an option of a model
        raise
