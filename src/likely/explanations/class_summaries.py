"""What each class makes of a numeric column, in numbers: where its values lie and how far they spread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats
from likely.families.gaussian import GaussianPredictor, Student
from likely.families.parzen import BASE_DEGREES, KERNEL_DEVIATIONS, ParzenPredictor
from likely.families.poisson import Beliefs, PoissonPredictor
from likely.models import NaiveModel

NORMAL_REACH = 12.0  # scales from the centre beyond which a normal has nothing left
FARTHEST_REACH = 2.0**30


@dataclass(frozen=True, eq=False)
class ClassSummary:
    """(classes,) each: mean and spread (standard deviation) of the predictive; scale and reach say where to look.

    `silent`: the column has one value only, and says nothing. Beyond `reach` scales from the mean there is next to no
    mass; a Student-t of two degrees or fewer has an infinite spread, and a scale all the same.
    """

    mean: Floats
    spread: Floats
    scale: Floats
    reach: Floats
    silent: bool


def described(model: NaiveModel) -> dict[int, ClassSummary]:
    """Every numeric column."""
    found: dict[int, ClassSummary] = {}
    for columns, predictor in model.parts:
        if isinstance(predictor, ParzenPredictor):
            found[columns[0]] = _parzen(predictor)
        elif isinstance(predictor, GaussianPredictor | PoissonPredictor):
            parts = _real(predictor) if isinstance(predictor, GaussianPredictor) else _counts(predictor)
            silent, middle = predictor.described.silent, predictor.shape.total_mean
            every = np.broadcast_arrays(*parts, silent)
            for place, at in enumerate(columns):
                mean, spread, scale, reach, says_nothing = (part[place] for part in every)
                found[at] = ClassSummary(mean, spread, scale, reach, False)
                if says_nothing.any():
                    found[at] = _one_value(middle[place], mean)
    return found


def _one_value(middle: Floats, like: Floats) -> ClassSummary:
    nothing = np.zeros_like(like)
    return ClassSummary(np.broadcast_to(middle, like.shape), nothing, nothing, nothing, True)


def _real(predictor: GaussianPredictor) -> list[Array]:
    """(columns, classes): mean, spread, scale, reach."""
    found = predictor.described
    if not isinstance(found, Student):
        scale = np.sqrt(found.variance)
        return [found.mean, scale, scale, np.full_like(scale, NORMAL_REACH)]
    degrees, centre, scale = (np.asarray(part) for part in found.belief.student)
    varies = degrees > 2
    spread = np.where(varies, scale * np.sqrt(degrees / np.where(varies, degrees - 2.0, 1.0)), np.inf)
    with np.errstate(over="ignore"):
        reach = np.sqrt(degrees) * 10.0 ** (10.0 / degrees)  # beyond, 1e-10 of a power law is left
    return [centre, spread, scale, np.clip(reach, NORMAL_REACH, FARTHEST_REACH)]


def _counts(predictor: PoissonPredictor) -> list[Array]:
    found = predictor.described
    if isinstance(found, Beliefs):  # a negative binomial: the rate is itself uncertain
        mean = np.asarray(found.belief.mean)
        spread = np.sqrt(mean * (1.0 + 1.0 / np.asarray(found.belief.rate)))
    else:
        mean = found.rate
        spread = np.sqrt(mean)
    return [mean, spread, np.maximum(spread, 1.0), np.full_like(mean, 3 * NORMAL_REACH)]


def _parzen(predictor: ParzenPredictor) -> ClassSummary:
    """Of the kernels and the base together."""
    summary, cells = predictor.summary, len(predictor.counts)
    scale = summary.deviation[-1]
    if not scale > 0:
        return _one_value(summary.mean[-1], np.zeros(cells))
    nodes = predictor.grid.origin + predictor.grid.spacing * np.arange(predictor.grid.nodes)
    borrows = (summary.count[:-1] == 0) & (predictor.base == 0)
    source = np.where(borrows, cells, np.arange(cells))
    counts, mass, base = predictor.sources[source], predictor.described.mass, predictor.base
    some, middle = np.where(mass > 0, mass, 1.0), summary.mean[-1]
    kernels = counts @ nodes / some
    width = KERNEL_DEVIATIONS[predictor.form.kernel] * predictor.widths[source]
    around = (counts * (nodes - kernels[:, None]) ** 2).sum(axis=1) / some + width**2
    mean = (mass * kernels + base * middle) / (mass + base)
    tail = BASE_DEGREES / (BASE_DEGREES - 2.0) * scale**2
    variance = (mass * (around + (kernels - mean) ** 2) + base * (tail + (middle - mean) ** 2)) / (mass + base)
    return ClassSummary(mean, np.sqrt(variance), predictor.widths[source], np.full(cells, NORMAL_REACH), False)
