"""How far each covariance is drawn towards equal variances: a given share, Ledoit and Wolf's, or the oracle's."""

from __future__ import annotations

import numpy as np

from likely.beliefs.matrices import outer
from likely.core.numerics import Array, Floats
from likely.families.multivariate.observed import FourthMoments, ObservedMoments


def shrunk(seen: ObservedMoments, shrinkage: str | float, freedom: Floats) -> Floats:
    """(..., classes, d, d): the scatter over its freedom, drawn towards equal variances and scaled back.

    A number and "oas" draw columns in their own units, "ledoit-wolf" columns divided by the deviation in the class;
    the shares that the latter two choose are those of maximum likelihood covariances.
    """
    assert seen.pairs is not None, "shrinking needs matrices"
    assert seen.scatter is not None, "shrinking needs matrices"
    both = outer(seen.live)[..., None, :, :]
    likeliest = _over(np.where(both, seen.scatter, 0.0), seen.pairs)
    own = _over(np.where(both, seen.scatter, 0.0), freedom)
    columns = seen.columns[..., None]
    if shrinkage == "ledoit-wolf":
        assert seen.fourths is not None, "Ledoit and Wolf need fourth moments"
        size = _deviation(likeliest, seen)
        share = ledoit_wolf(seen.fourths, seen)
        own = own / outer(size)
    else:
        size = np.ones(seen.count.shape)
        count = _mean_pairs(seen)
        share = oas(likeliest, count, columns) if shrinkage == "oas" else np.broadcast_to(float(shrinkage), count.shape)
    middle = np.trace(own, axis1=-2, axis2=-1) / columns
    level = (share * middle)[..., None] * seen.live[..., None, :]
    drawn = (1.0 - share)[..., None, None] * own + level[..., None] * np.eye(own.shape[-1])
    return np.asarray(drawn * outer(size) * freedom)


def oas(covariance: Floats, count: Floats, columns: Array) -> Floats:
    """(...): the oracle approximating share of Chen, Wiesel, Eldar and Hero, as scikit-learn has it.

    >>> round(float(oas(np.diag([1.0, 2.0]), np.array(10.0), np.array(2))), 4)
    1.0
    """
    level = np.trace(covariance, axis1=-2, axis2=-1) / columns
    # the share is the same in any unit; in this one squares neither overflow nor vanish
    unit = np.where(level > 0, level, 1.0)
    alpha = np.square(covariance / unit[..., None, None]).sum(axis=(-2, -1)) / columns**2
    middle = (level / unit) ** 2
    below = (count + 1.0) * (alpha - middle / columns)
    share = np.divide(alpha + middle, below, out=np.ones(np.shape(below)), where=below > 0)
    return np.where(columns > 1, np.minimum(share, 1.0), 0.0)


def ledoit_wolf(fourths: FourthMoments, seen: ObservedMoments) -> Floats:
    """(..., classes): Ledoit and Wolf's share for columns divided by their own deviation; one without rows."""
    columns, count = seen.columns[..., None], np.where(fourths.count > 0, fourths.count, 1.0)
    both = outer(seen.live)[..., None, :, :]
    covariance = np.where(both, fourths.second, 0.0) / count[..., None, None]
    size = outer(_deviation(covariance, seen))
    covariance = covariance / size
    noise = (np.where(both, fourths.fourth, 0.0) / size / size).sum(axis=(-2, -1)) / count
    power = np.square(covariance).sum(axis=(-2, -1))
    middle = np.trace(covariance, axis1=-2, axis2=-1) / columns
    gap = power - columns * middle**2
    beta = np.clip((noise - power) / count, 0.0, np.maximum(gap, 0.0))
    share = np.divide(beta, gap, out=np.zeros(gap.shape), where=(gap > 0) & (columns > 1))
    return np.where(fourths.count > 0, share, 1.0)


def _deviation(covariance: Floats, seen: ObservedMoments) -> Floats:
    """(..., classes, d): of the columns of a class; that within classes where a column has none there."""
    variance = np.diagonal(covariance, axis1=-2, axis2=-1)
    return np.where(variance > 0, np.sqrt(np.maximum(variance, 0.0)), seen.deviation)


def _mean_pairs(seen: ObservedMoments) -> Floats:
    assert seen.pairs is not None, "shrinking needs matrices"
    both = outer(seen.live)[..., None, :, :]
    return np.asarray(np.where(both, seen.pairs, 0.0).sum(axis=(-2, -1)) / seen.columns[..., None] ** 2)


def _over(scatter: Floats, freedom: Floats) -> Floats:
    return np.divide(scatter, freedom, out=np.zeros(scatter.shape), where=freedom > 0)
