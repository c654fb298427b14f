"""Class priors: learnt from the rows, or said by the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.core.schema import Level, plain
from likely.errors import OptionError, nearest
from likely.errors.advice import Advice, InPython
from likely.families.draws import Draws

LEARNT_PRIORS = ("smoothed", "empirical", "uniform")


@dataclass(frozen=True)
class WeightedShares:
    """Priors learnt from the rows, each times the weight of its class; a class without one has weight 1."""

    learnt: str
    weights: tuple[tuple[Level, float], ...]


Priors = str | tuple[tuple[Level, float], ...] | WeightedShares


def read_priors(priors: object, estimate: str, classes: Sequence[Level]) -> Priors:
    """What the user said, checked: None, 'empirical', 'uniform', a mapping class -> probability, or one number a class.

    >>> read_priors({"no": 3, "yes": 1}, "bayes", ["no", "yes"])
    (('no', 0.75), ('yes', 0.25))
    """
    if priors is None:
        return "empirical" if estimate in ("mle", "unbiased") else "smoothed"
    if isinstance(priors, str):
        if priors not in LEARNT_PRIORS:
            near = nearest(priors, LEARNT_PRIORS)
            python = "choose None, a mapping class -> probability, 'empirical' or 'uniform'"
            shell = "say uniform, empirical, or one for each class, as in yes=0.1,no=0.9"
            hint: str = Advice(InPython(python, shell), f".{near}")
            raise OptionError("O104", f"unknown priors {priors!r}", place="priors=", hint=hint)
        return priors
    if isinstance(priors, list | tuple | np.ndarray) and np.ndim(priors) == 1 and len(priors) == len(classes):
        priors = dict(zip(classes, priors, strict=True))
    if not isinstance(priors, Mapping):
        hint = "say {class: probability, ...}, or one number for each class"
        raise OptionError("O104", f"priors cannot be {priors!r}", place="priors=", hint=hint)
    values = _numbers_by_class(priors, classes, "priors=")
    if not (np.isfinite(values).all() and (values >= 0).all() and values.sum() > 0):
        hint = "say positive numbers; they are scaled to sum to one"
        raise OptionError("O105", "a prior is negative, not a number, or all are zero", place="priors=", hint=hint)
    return tuple((plain(level), float(value)) for level, value in zip(priors, values / values.sum(), strict=True))


def _numbers_by_class(given: Mapping[Any, Any], classes: Sequence[Level], place: str) -> Floats:
    """What is said of each class; NaN alone where it is not all numbers."""
    unknown = [level for level in given if plain(level) not in set(classes)]
    if unknown:
        hint = f"the classes are {', '.join(map(repr, classes))}.{nearest(unknown[0], classes)}"
        raise OptionError("O107", f"{unknown[0]!r} is not a class", place=place, hint=hint)
    try:
        return np.array(list(given.values()), dtype=np.float64)
    except (TypeError, ValueError):
        return np.array([np.nan])


def read_class_weight(weights: object, classes: Sequence[Level]) -> tuple[tuple[Level, float], ...] | None:
    """What the user said, checked: a mapping class -> weight; None for 'balanced', which depends on the rows.

    >>> read_class_weight({"yes": 5}, ["no", "yes"])
    (('yes', 5.0),)
    """
    if isinstance(weights, str) and weights == "balanced":
        return None
    if not isinstance(weights, Mapping):
        hint = "say 'balanced', or {class: weight}"
        raise OptionError("O125", f"class weights cannot be {weights!r}", place="class_weight=", hint=hint)
    values = _numbers_by_class(weights, classes, "class_weight=")
    if not (np.isfinite(values) & (values > 0)).all():
        hint = "say how much a row of each class counts: numbers above 0"
        raise OptionError("O125", "a class weight is not a number above 0", place="class_weight=", hint=hint)
    return tuple((plain(level), float(value)) for level, value in zip(weights, values, strict=True))


def weighted_priors(priors: object, weights: object, estimate: str, classes: Sequence[Level]) -> Priors:
    """Priors as `read_priors` reads them, or those learnt under class weights: of a generative model it is the same.

    A weight for all rows of a class leaves what each class looks like as it is, and changes how many there seem to be.

    >>> weighted_priors(None, "balanced", "bayes", ["no", "yes"])
    'uniform'
    """
    if weights is None:
        return read_priors(priors, estimate, classes)
    read = read_class_weight(weights, classes)
    if priors is not None:
        hint = "say one of them: class weights multiply the shares of the classes, and priors replace these"
        raise OptionError("O126", "priors= and class_weight= both say them", place="class_weight=", hint=hint)
    if read is None:
        return "uniform"
    learnt = read_priors(None, estimate, classes)
    assert isinstance(learnt, str), "nothing was said"
    return WeightedShares(learnt, read)


def log_prior(priors: Priors, rows: Array, classes: Sequence[Level], smoothing: float) -> Floats:
    """(..., classes): log probabilities of the classes, given the weight of their rows (..., classes)."""
    if isinstance(priors, WeightedShares):
        return _weighted(log_prior(priors.learnt, rows, classes, smoothing), priors, classes)
    if isinstance(priors, tuple):
        return np.broadcast_to(log(_said(dict(priors), classes)), np.shape(rows)).copy()
    if priors == "uniform":
        return np.full(np.shape(rows), -np.log(max(len(classes), 1)))
    pseudo = smoothing if priors == "smoothed" else 0.0
    weight = np.asarray(rows, dtype=np.float64) + pseudo
    whole = weight.sum(axis=-1, keepdims=True)
    even = np.full(np.shape(rows), 1.0 / max(len(classes), 1))
    return log(np.divide(weight, whole, out=even, where=whole > 0))


def _weighted(logs: Floats, priors: WeightedShares, classes: Sequence[Level]) -> Floats:
    """(..., classes): log priors, times the weights of the classes."""
    said = dict(priors.weights)
    moved = logs + np.log([said.get(level, 1.0) for level in classes])
    return np.asarray(moved - np.logaddexp.reduce(moved, axis=-1, keepdims=True))


def _said(said: Mapping[Level, float], classes: Sequence[Level]) -> Floats:
    absent = [level for level in classes if level not in said]
    if absent:
        hint = f"name every class.{nearest(absent[0], said)}"
        raise OptionError("O106", f"no prior for class {absent[0]!r}", place="priors=", hint=hint)
    values = np.array([said[level] for level in classes])  # a class that was forgotten leaves its share to the others
    return values / values.sum() if values.any() else np.full(len(values), 1.0 / max(len(values), 1))


def drawn_prior(priors: Priors, rows: Array, classes: Sequence[Level], smoothing: float, draws: Draws) -> Floats:
    """(draws, classes): log priors drawn from their Dirichlet posterior; priors that were said are taken as known."""
    if isinstance(priors, WeightedShares):
        return _weighted(drawn_prior(priors.learnt, rows, classes, smoothing, draws), priors, classes)
    if priors not in ("smoothed", "empirical"):
        return np.tile(log_prior(priors, rows, classes, smoothing), (draws.times, 1))
    shape = np.asarray(rows, dtype=np.float64) + (smoothing if priors == "smoothed" else 1.0)
    mass = draws.rng.standard_gamma(shape, (draws.times, len(shape)))
    return log(mass / mass.sum(axis=1, keepdims=True))
