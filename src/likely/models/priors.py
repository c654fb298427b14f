"""Class priors: learnt from the rows, or said by the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.core.schema import Level, plain
from likely.errors import OptionError, nearest
from likely.families.draws import Draws

LEARNT_PRIORS = ("smoothed", "empirical", "uniform")
Priors = str | tuple[tuple[Level, float], ...]


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
            hint = f"choose None, a mapping class -> probability, 'empirical' or 'uniform'.{near}"
            raise OptionError("O104", f"unknown priors {priors!r}", place="priors=", hint=hint)
        return priors
    if isinstance(priors, list | tuple | np.ndarray) and np.ndim(priors) == 1 and len(priors) == len(classes):
        priors = dict(zip(classes, priors, strict=True))
    if not isinstance(priors, Mapping):
        hint = "say {class: probability, ...}, or one number for each class"
        raise OptionError("O104", f"priors cannot be {priors!r}", place="priors=", hint=hint)
    unknown = [level for level in priors if plain(level) not in set(classes)]
    if unknown:
        hint = f"the classes are {', '.join(map(repr, classes))}.{nearest(unknown[0], classes)}"
        raise OptionError("O107", f"{unknown[0]!r} is not a class", place="priors=", hint=hint)
    try:
        values = np.array(list(priors.values()), dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if not (np.isfinite(values).all() and (values >= 0).all() and values.sum() > 0):
        hint = "say positive numbers; they are scaled to sum to one"
        raise OptionError("O105", "a prior is negative, not a number, or all are zero", place="priors=", hint=hint)
    return tuple((plain(level), float(value)) for level, value in zip(priors, values / values.sum(), strict=True))


def log_prior(priors: Priors, rows: Array, classes: Sequence[Level], smoothing: float) -> Floats:
    """(..., classes): log probabilities of the classes, given the weight of their rows (..., classes)."""
    if isinstance(priors, tuple):
        return np.broadcast_to(log(_said(dict(priors), classes)), np.shape(rows)).copy()
    if priors == "uniform":
        return np.full(np.shape(rows), -np.log(max(len(classes), 1)))
    pseudo = smoothing if priors == "smoothed" else 0.0
    weight = np.asarray(rows, dtype=np.float64) + pseudo
    whole = weight.sum(axis=-1, keepdims=True)
    even = np.full(np.shape(rows), 1.0 / max(len(classes), 1))
    return log(np.divide(weight, whole, out=even, where=whole > 0))


def _said(said: Mapping[Level, float], classes: Sequence[Level]) -> Floats:
    absent = [level for level in classes if level not in said]
    if absent:
        hint = f"name every class.{nearest(absent[0], said)}"
        raise OptionError("O106", f"no prior for class {absent[0]!r}", place="priors=", hint=hint)
    values = np.array([said[level] for level in classes])  # a class that was forgotten leaves its share to the others
    return values / values.sum() if values.any() else np.full(len(values), 1.0 / max(len(values), 1))


def drawn_prior(priors: Priors, rows: Array, classes: Sequence[Level], smoothing: float, draws: Draws) -> Floats:
    """(draws, classes): log priors drawn from their Dirichlet posterior; priors that were said are taken as known."""
    if priors not in ("smoothed", "empirical"):
        return np.tile(log_prior(priors, rows, classes, smoothing), (draws.times, 1))
    shape = np.asarray(rows, dtype=np.float64) + (smoothing if priors == "smoothed" else 1.0)
    mass = draws.rng.standard_gamma(shape, (draws.times, len(shape)))
    return log(mass / mass.sum(axis=1, keepdims=True))
