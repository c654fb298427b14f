"""One variance for all columns of a class: its estimates, and what is done where it is zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats
from likely.families.multivariate.covariances import SINGULAR_EIGENVALUE, CovarianceSettings
from likely.families.multivariate.normals import MultivariateNormals
from likely.families.multivariate.observed import ObservedMoments


@dataclass(frozen=True)
class SphericalBeliefs:
    """Beliefs about one variance a class: mean and worth (..., classes, d) of the means.

    variance (..., classes) is a sum of squares over the degrees; sick ones are zero.
    """

    mean: Floats
    worth: Floats
    variance: Floats
    degrees: Floats
    sick: Array

    @classmethod
    def of(cls, seen: ObservedMoments, how: CovarianceSettings, strength: Floats) -> SphericalBeliefs:
        """The prior is worth strength (..., classes) values; without one, bayes loses a value for each mean."""
        live, within = seen.live[..., None, :], _within(seen)
        hold = (seen.hold * strength)[..., None]
        worth = hold + seen.count
        part = np.divide(seen.count, worth, out=np.zeros(worth.shape), where=worth > 0)
        squares = np.where(live, seen.spread + hold * part * seen.away**2, 0.0).sum(axis=-1) + strength * within
        lost = (live & (seen.count > 0)).sum(axis=-1)
        spare = strength - np.where((strength > 0) | (how.estimate == "map"), 0.0, lost)
        degrees = np.where(live, seen.count, 0.0).sum(axis=-1) + spare
        short = ~(degrees > 0) | (live & ~(worth > 0)).any(axis=-1)
        variance = squares / np.where(degrees > 0, degrees, 1.0)
        short |= ~(variance > SINGULAR_EIGENVALUE * within)
        mean = seen.centre[..., None, :] + part * seen.away
        return cls(np.where(live, mean, seen.mean), np.where(worth > 0, worth, 1.0), variance, degrees, short)

    @classmethod
    def sound(cls, seen: ObservedMoments, how: CovarianceSettings) -> tuple[SphericalBeliefs, Array]:
        """That of the prior as it is, or where the variance is zero of one worth a value; and where that was so."""
        strength = np.full(seen.count.shape[:-1], how.strength)
        found = cls.of(seen, how, strength)
        if found.sick.any():
            return cls.of(seen, how, np.where(found.sick, how.worth, strength)), found.sick
        return found, found.sick


def described(seen: ObservedMoments, how: CovarianceSettings) -> tuple[MultivariateNormals, Array]:
    """The vectors of the classes, and (..., classes) whose variance is zero."""
    degrees, live = None, seen.live[..., None, :]
    if how.estimate in ("mle", "unbiased"):
        freedom = seen.count - (seen.count > 0) if how.estimate == "unbiased" else seen.count
        squares, below = (np.where(live, part, 0.0).sum(axis=-1) for part in (seen.spread, freedom))
        variance = np.divide(squares, below, out=np.zeros(below.shape), where=below > 0)
        within = _within(seen)
        sick = ~(variance > SINGULAR_EIGENVALUE * within)
        rows = np.where(live, seen.count, 0.0).sum(axis=-1) / seen.columns[..., None]
        more = (rows * variance + how.worth * within) / (rows + how.worth)
        mean, spread = seen.mean, np.where(sick, more, variance)[..., None] * np.ones(seen.mean.shape)
    else:
        found, sick = SphericalBeliefs.sound(seen, how)
        mean, spread = found.mean, found.variance[..., None] * np.ones(seen.mean.shape)
        if how.estimate == "bayes":
            spread, degrees = spread * (1.0 + 1.0 / found.worth), found.degrees
    return MultivariateNormals(mean, np.sqrt(np.where(live, spread, 1.0)), None, degrees, seen.live, seen.centre), sick


def _within(seen: ObservedMoments) -> Floats:
    """(..., 1): the variance within classes, the same for all columns; one where no column says anything."""
    within = np.where(seen.live, seen.within, 0.0).sum(axis=-1) / seen.columns
    return np.where(seen.live.any(axis=-1), within, 1.0)[..., None]
