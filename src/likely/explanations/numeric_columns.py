"""A numeric column: where its values lie in each class and how far they spread, and so where to look at it.

Values are looked at finely about every class, and coarser away from them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.unusable_rows import LARGEST_NUMBER
from likely.explanations.columns import predictor_of
from likely.families.binned_numbers import BinnedNumbersPredictor
from likely.families.binned_values import KERNEL_DEVIATIONS
from likely.families.gaussian import GaussianPredictor, Student
from likely.families.parzen import ParzenPredictor
from likely.families.parzen_densities import BASE_DEGREES
from likely.families.poisson import Beliefs, PoissonNumbersPredictor, PoissonPredictor
from likely.families.predictor import Predictor
from likely.families.transformed import TransformedPredictor
from likely.kernels.densities.parzen_windows import steps_of
from likely.models import NaiveModel
from likely.statistics import Moments

NORMAL_REACH = 12.0  # scales from the centre beyond which a normal has nothing left
FARTHEST_REACH = 2.0**30
SCALES_FROM_CENTRE = np.array(
    [*np.arange(0.0, 6.5, 0.5), 8.0, 10.0, 12.0, *2.0 ** np.arange(4, 31)]
)  # scales from a centre
MOST_GRID_POINTS = 1024  # with many classes, places are thinned
MOST_COUNTS_LISTED = 4096  # counts that are looked at one by one


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
        if isinstance(predictor, PoissonNumbersPredictor):
            predictor = predictor.counts
        if isinstance(predictor, ParzenPredictor):
            found[columns[0]] = _parzen(predictor)
        elif isinstance(predictor, TransformedPredictor | BinnedNumbersPredictor):
            for place, at in enumerate(columns):
                found[at] = _as_seen(predictor.moments, place)
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
    values, classes = predictor.classes, len(predictor.rows)
    summary, grid = values.summary, values.grid
    scale = summary.deviation[-1]
    if not scale > 0:
        return _one_value(summary.mean[-1], np.zeros(classes))
    nodes = grid.origin + grid.spacing * np.arange(grid.nodes)
    counts, mass, base = values.counts[predictor.source], predictor.described.mass, predictor.base
    some, middle = np.where(mass > 0, mass, 1.0), summary.mean[-1]
    kernels = counts @ nodes / some
    widths = predictor.widths[predictor.source]
    around = (counts * (nodes - kernels[:, None]) ** 2).sum(axis=1) / some
    around += (KERNEL_DEVIATIONS[values.form.kernel] * widths) ** 2
    mean = (mass * kernels + base * middle) / (mass + base)
    tail = BASE_DEGREES / (BASE_DEGREES - 2.0) * scale**2
    variance = (mass * (around + (kernels - mean) ** 2) + base * (tail + (middle - mean) ** 2)) / (mass + base)
    return ClassSummary(mean, np.sqrt(variance), widths, np.full(classes, NORMAL_REACH), False)


def _as_seen(moments: Moments, place: int) -> ClassSummary:
    """The mean and the standard deviation of the values themselves; a class without any has those of the column."""
    whole, count = moments.pooled(), moments.count[:, place]
    middle = float(whole.mean[0, place])
    spread = float(whole.spread[0, place] / max(float(whole.count[0, place]), 1e-300))
    mean = np.where(count > 0, moments.mean[:, place], middle)
    if not spread > 0:
        return _one_value(np.array([middle]), mean)
    own = np.where(count > 1, moments.spread[:, place] / np.maximum(count, 1e-300), spread)
    deviation = np.sqrt(own)
    scale = np.where(own > 0, deviation, np.sqrt(spread))
    return ClassSummary(mean, deviation, scale, np.full_like(scale, NORMAL_REACH), False)


def grid_points(model: NaiveModel, at: int, one: ClassSummary) -> Floats:
    """Sorted values between which nothing sudden happens: whole numbers from 0 on of counts; of bins one in each."""
    family, predictor = model.schema.columns[at].family, predictor_of(model, at)
    if family in ("count", "poisson"):
        return _whole_numbers(one)
    if isinstance(predictor, BinnedNumbersPredictor):
        return np.asarray((predictor.edges[1:] + predictor.edges[:-1]) / 2)
    if isinstance(predictor, TransformedPredictor):
        found = _transformed(predictor, next(mine.index(at) for mine, _ in model.parts if at in mine))
    else:
        found = _nodes(predictor, one) if family == "parzen" else _around(one)
    return np.unique(np.clip(found, -LARGEST_NUMBER, LARGEST_NUMBER))


def _transformed(predictor: TransformedPredictor, place: int) -> Floats:
    """Places about the normals of what is transformed, back among the numbers."""
    mean, spread, scale, reach, silent = np.broadcast_arrays(
        *_real(predictor.normal), predictor.normal.described.silent
    )
    seen = _around(ClassSummary(mean[place], spread[place], scale[place], reach[place], bool(silent[place, 0])))
    if predictor.description != "log":
        return seen
    return np.exp(np.clip(seen, -np.log(LARGEST_NUMBER), np.log(LARGEST_NUMBER)))


def least_above_zero(model: NaiveModel, at: int, deviations: float = 2.5) -> float:
    """About the least number above zero of a column in which zero has a probability of its own."""
    predictor = predictor_of(model, at)
    if not isinstance(predictor, TransformedPredictor):
        return 0.0
    place = next(mine.index(at) for mine, _ in model.parts if at in mine)
    mean, spread, *_ = (part[place] for part in np.broadcast_arrays(*_real(predictor.normal)))
    low = mean - deviations * np.where(np.isfinite(spread), spread, 0.0)
    return float(np.exp(low).min() if predictor.description == "log" else max(low.min(), 0.0))


def _around(one: ClassSummary) -> Floats:
    steps = np.concatenate([-SCALES_FROM_CENTRE[:0:-1], SCALES_FROM_CENTRE])
    inside = np.abs(steps) <= np.maximum(one.reach, SCALES_FROM_CENTRE[1])[:, None]
    found = np.unique((one.mean[:, None] + one.scale[:, None] * steps)[inside])
    return (
        found if len(found) <= MOST_GRID_POINTS else found[np.linspace(0, len(found) - 1, MOST_GRID_POINTS).astype(int)]
    )


def _nodes(predictor: Predictor, one: ClassSummary) -> Floats:
    """The nodes of the grid, as densely as the narrowest window asks; windows and base beyond them."""
    assert isinstance(predictor, ParzenPredictor), "a parzen column has windows"
    values, grid, far = predictor.classes, predictor.classes.grid, 0
    step = int(2.0 ** np.floor(np.log2(max(one.scale.min() / grid.spacing / 4.0, 1.0))))
    if values.form.kernel != "gaussian":  # the others have edges, which lie on nodes
        step = int(steps_of(predictor.widths, grid.spacing).min())
        far = step * (int(np.ceil(one.scale.max() / grid.spacing / step)) + 2)
    inner = grid.origin + grid.spacing * np.arange(-far, grid.nodes + far + step, step)
    beyond = (one.scale[:, None] * SCALES_FROM_CENTRE[1:][SCALES_FROM_CENTRE[1:] <= one.reach[0]]).ravel()
    if predictor.base.any():
        beyond = np.append(beyond, values.summary.deviation[-1] * SCALES_FROM_CENTRE[1:])
    return np.concatenate([inner[0] - beyond, inner, inner[-1] + beyond])


def _whole_numbers(one: ClassSummary) -> Floats:
    last = np.ceil((one.mean + one.reach * one.scale).max())
    if last <= MOST_COUNTS_LISTED:
        return np.arange(last + 1.0)
    strides = [_strides(*each) for each in zip(one.mean, one.scale, one.reach, strict=True)]
    return np.unique(np.maximum(np.concatenate(strides), 0.0))


def _strides(mean: float, scale: float, reach: float) -> Array:
    stride = max(1.0, np.floor(scale / 8.0))
    far = np.ceil(reach * scale / stride)
    return np.asarray(np.rint(mean + stride * np.arange(-far, far + 1.0)))
