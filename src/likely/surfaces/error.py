"""The Bayes error: how often the best decisions on some numbers are wrong, if the model is right."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from likely.core.numerics import Floats, log_sum_exp
from likely.errors import OptionError
from likely.models import Model
from likely.surfaces.features import read_classes, read_features
from likely.surfaces.roots import pair_roots
from likely.surfaces.scores import NormalScores, scores_of

QUASI_RANDOM_POINTS = 2**14  # quasi-random ones of each class
RANDOM_SHIFTS = 8  # times that they are moved at random, which tells how far off their means are
ERROR_ROWS_DRAWN = 20_000  # rows of a model that is not normal


def bayes_error(model: Any, features: Any, seed: int = 0) -> tuple[float, float]:
    """(error, standard error): the share of wrong decisions that no rule on these numbers can go below.

    It is the model's own: if it is right, and all its other columns are not known. Of normal classes in one number it
    is exact (the standard error is 0), in more a mean over quasi-random points; else a mean over rows that are drawn.

    >>> import likely
    >>> X, y = [[1.0], [3.0], [2.0], [4.0]], ["a", "a", "b", "b"]
    >>> error, standard_error = bayes_error(likely.LinearDiscriminant(estimate="mle").fit(X, y), ["x0"])
    >>> round(error, 4), standard_error
    (0.3085, 0.0)
    """
    _, classes = read_classes(model)
    at = read_features(model, features, None)
    scores = scores_of(model, at, classes)
    if not isinstance(scores, NormalScores):
        if not hasattr(model.model_, "sample"):
            hint = "evaluate(model, X, y) tells how often it is wrong; give a Bayes classifier here"
            raise OptionError("O429", f"{type(model).__name__} has no density of the columns", place="model", hint=hint)
        wrong = _wrong(scores.logs(_drawn(model.model_, at, seed)))
        return float(wrong.mean()), float(wrong.std(ddof=1) / np.sqrt(len(wrong)))
    alive = classes[np.isfinite(scores.constant)]
    spoken = np.flatnonzero(scores.quadratic.any(axis=(0, 1)))  # a column without spread has no say
    if not len(spoken) or len(alive) < 2:
        return float(_wrong(scores.constant[None])[0]), 0.0
    means = _moments(scores.take(spoken))[1]
    about = np.zeros(len(at))
    about[spoken] = means.mean(axis=0)
    near = scores_of(model, at, alive, about)
    assert isinstance(near, NormalScores), "what was normal stays so"
    near = near.take(spoken)
    return (_exact(near), 0.0) if len(spoken) == 1 else _sampled(near, seed)


def _drawn(model: Model, at: Sequence[int], seed: int) -> Floats:
    """(rows, d): numbers drawn from the densities that the model has, not made whole as those of a sample may be."""
    columns = tuple(replace(column, whole=False) for column in model.schema.columns)
    rng = np.random.default_rng(seed)
    classes = rng.choice(len(model.schema.classes), size=ERROR_ROWS_DRAWN, p=np.exp(model.log_prior))
    values = replace(model, schema=replace(model.schema, columns=columns)).sample(classes, rng)
    found = {one: drawn[:, place] for places, drawn in values.items() for place, one in enumerate(places)}
    return np.column_stack([found[one] for one in at])


def _wrong(logs: Floats) -> Floats:
    """(points,): the probability that the best class is not the true one."""
    return np.asarray(-np.expm1(logs.max(axis=1) - log_sum_exp(logs)))


def _moments(normals: NormalScores) -> tuple[Floats, Floats, Floats]:
    """The priors (classes,), means (classes, d) and covariances (classes, d, d) of classes given as quadratics."""
    covariances = np.linalg.inv(-2.0 * normals.quadratic)
    away = np.einsum("kij,kj->ki", covariances, normals.linear)
    _, sizes = np.linalg.slogdet(2.0 * np.pi * covariances)
    logs = normals.constant + (away * normals.linear).sum(axis=1) / 2.0 + sizes / 2.0
    return np.exp(logs - log_sum_exp(logs)), normals.origin + away, np.asarray(covariances, dtype=np.float64)


def _exact(normals: NormalScores) -> float:
    """The mass of the wrong classes between all roots."""
    priors, means, covariances = _moments(normals)
    mean, deviation = means[:, 0], np.sqrt(covariances[:, 0, 0])
    reach = float((np.abs(mean - normals.origin) + deviation).max())
    box = normals.origin[:, None] + [-reach, reach]
    pairs = [(a, b) for a in range(len(mean)) for b in range(a + 1, len(mean))]
    roots = np.unique(np.concatenate([pair_roots(normals, a, b, box) for a, b in pairs]))
    edges = np.concatenate([[-np.inf], roots, [np.inf]])
    looks = _between(roots, reach) if len(roots) else mean[:1]
    best = normals.logs(looks[:, None]).argmax(axis=1)
    low, high = ((edges[side, None] - mean) / deviation for side in (slice(None, -1), slice(1, None)))
    mass = np.where(low > 0, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low)) * priors
    mass[np.arange(len(best)), best] = 0.0
    return float(mass.sum())


def _between(roots: Floats, width: float) -> Floats:
    """A value in every part of the line that the roots leave."""
    return np.concatenate([roots[:1] - width, (roots[1:] + roots[:-1]) / 2.0, roots[-1:] + width])


def _sampled(normals: NormalScores, seed: int) -> tuple[float, float]:
    """The mean over points of each class, spread evenly and moved at random several times."""
    priors, means, covariances = _moments(normals)
    rng, d = np.random.default_rng(seed), means.shape[1]
    even = _spread(QUASI_RANDOM_POINTS, d)
    roots = np.linalg.cholesky(covariances)
    found = np.zeros(RANDOM_SHIFTS)
    for shift in range(RANDOM_SHIFTS):
        normal = ndtri(np.clip((even + rng.random(d)) % 1.0, 2.0**-53, 1.0 - 2.0**-53))
        for prior, mean, root in zip(priors, means, roots, strict=True):
            found[shift] += prior * _wrong(normals.logs(mean + normal @ root.T)).mean()
    return float(found.mean()), float(found.std(ddof=1) / np.sqrt(RANDOM_SHIFTS))


def _spread(points: int, columns: int) -> Floats:
    """(points, columns): multiples of the square roots of primes, modulo 1 (Richtmyer 1951): an even spread."""
    primes = (n for n in itertools.count(2) if all(n % low for low in range(2, math.isqrt(n) + 1)))
    roots = np.sqrt(list(itertools.islice(primes, columns)))
    return np.asarray(np.arange(points)[:, None] * roots % 1.0)
