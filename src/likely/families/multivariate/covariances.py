"""Covariances of classes, or one that they share: estimates, and what is done where one cannot be inverted."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from likely.beliefs.matrices import outer
from likely.core.numerics import Array, Floats
from likely.families.multivariate.normals import MultivariateNormals
from likely.families.multivariate.observed import ObservedMoments
from likely.families.multivariate.shrinkage import shrunk

SINGULAR_EIGENVALUE = 1e-9  # the least eigenvalue of a covariance that can be inverted, in deviations within classes

ROUNDING_EIGENVALUE = 1e-13  # the least eigenvalue that rounding leaves


@dataclass(frozen=True)
class CovarianceSettings:
    """How covariances are estimated: strength is what the prior is worth in rows."""

    covariance: str
    estimate: str
    shrinkage: str | float | None
    strength: float

    @property
    def shared(self) -> bool:
        return self.covariance == "shared"

    @property
    def worth(self) -> float:
        """What the variances within classes are worth in rows where a covariance cannot be inverted."""
        return max(self.strength, 1.0)


@dataclass(frozen=True)
class PooledScatter:
    """(..., groups, d, d): scatter in deviations within classes, the weight of its pairs, and its freedom.

    A group is a class, or all of them together. Silent columns have no scatter.
    """

    scatter: Floats
    pairs: Floats
    freedom: Floats

    @classmethod
    def of(cls, seen: ObservedMoments, how: CovarianceSettings) -> PooledScatter:
        """What was seen, shrunk class by class and then pooled where the classes share."""
        assert seen.pairs is not None, "covariances need matrices"
        assert seen.scatter is not None, "covariances need matrices"
        freedom = seen.pairs - (seen.pairs > 0) if how.estimate == "unbiased" else seen.pairs
        scatter = seen.scatter
        if how.shrinkage is not None:
            scatter = shrunk(seen, how.shrinkage, np.maximum(freedom, 0.0))
        both = outer(seen.live)[..., None, :, :]
        pool = cls(np.where(both, scatter / outer(seen.deviation), 0.0), seen.pairs, freedom)
        return pool.summed() if how.shared else pool

    def summed(self) -> PooledScatter:
        """(..., 1, d, d): all classes together."""
        return PooledScatter(*(part.sum(axis=-3, keepdims=True) for part in (self.scatter, self.pairs, self.freedom)))

    @property
    def count(self) -> Floats:
        """(..., groups, d): the values of each column."""
        return np.asarray(np.diagonal(self.pairs, axis1=-2, axis2=-1))

    @property
    def covariance(self) -> Floats:
        """(..., groups, d, d): each entry over its own freedom, zero where there is none."""
        return np.divide(self.scatter, self.freedom, out=np.zeros(self.scatter.shape), where=self.freedom > 0)

    def mean_pairs(self, seen: ObservedMoments) -> Floats:
        """(..., groups): the weight of the pairs of live columns, on average."""
        both = outer(seen.live)[..., None, :, :]
        return np.asarray(np.where(both, self.pairs, 0.0).sum(axis=(-2, -1)) / seen.columns[..., None] ** 2)

    def definite(self, seen: ObservedMoments) -> Floats:
        """(..., groups, d, d): the scatter; of incomplete rows, covariances times counts without what is negative."""
        if seen.whole:
            return self.scatter
        each = np.divide(self.scatter, self.pairs, out=np.zeros(self.scatter.shape), where=self.pairs > 0)
        return positive(each * outer(np.sqrt(self.count)))


@dataclass(frozen=True)
class Posterior:
    """Normal-inverse-Wishart beliefs in deviations within classes: mean and worth (..., classes, d) of the means.

    core (..., groups, d, d) is the scale matrix over the degrees (..., groups); sick (..., groups) ones cannot be
    inverted.
    """

    mean: Floats
    worth: Floats
    core: Floats
    degrees: Floats
    sick: Array

    @classmethod
    def of(cls, seen: ObservedMoments, pool: PooledScatter, how: CovarianceSettings, strength: Floats) -> Posterior:
        """The prior is worth strength (..., groups) rows; without one, bayes loses a row for each mean and column."""
        hold = (seen.hold * strength)[..., None]
        worth = hold + seen.count
        part = np.divide(seen.count, worth, out=np.zeros(worth.shape), where=worth > 0)
        between = outer(np.sqrt(hold * part) * seen.away / seen.deviation)
        if how.shared:
            between = between.sum(axis=-3, keepdims=True)
        each = strength[..., None, None]
        scatter = pool.definite(seen) + each * np.eye(between.shape[-1]) + between
        known = seen.count.max(axis=-1) > 0
        lost = (known.sum(axis=-1, keepdims=True) if how.shared else known) + seen.columns[..., None] - 1.0
        spare = strength - np.where((strength > 0) | (how.estimate == "map"), 0.0, lost)
        below = pool.count + spare[..., None]
        degrees = pool.mean_pairs(seen) + spare
        live = seen.live[..., None, :]
        short = (live & ~(below > 0)).any(axis=-1) | ~(degrees > 0)
        loose = (live & ~(worth > 0)).any(axis=-1)
        short |= loose.any(axis=-1, keepdims=True) if how.shared else loose
        core = with_silent_identity(scatter / outer(np.sqrt(np.where(below > 0, below, 1.0))), seen)
        # as it is, the prior keeps eigenvalues above strength / (n + strength)
        if (
            how.shrinkage is not None
            or not (strength > 10 * SINGULAR_EIGENVALUE * (pool.count.max(axis=-1) + strength)).all()
        ):
            short |= least_eigenvalue(core) < SINGULAR_EIGENVALUE
        mean = seen.centre[..., None, :] + part * seen.away
        return cls(np.where(live, mean, seen.mean), np.where(worth > 0, worth, 1.0), core, degrees, short)

    @classmethod
    def sound(cls, seen: ObservedMoments, pool: PooledScatter, how: CovarianceSettings) -> tuple[Posterior, Array]:
        """That of the prior as it is, or where this cannot be inverted of one worth a row; and where that was so."""
        strength = np.full(pool.pairs.shape[:-2], how.strength)
        found = cls.of(seen, pool, how, strength)
        if found.sick.any():
            return cls.of(seen, pool, how, np.where(found.sick, how.worth, strength)), found.sick
        return found, found.sick


def described(seen: ObservedMoments, how: CovarianceSettings) -> tuple[MultivariateNormals, Array]:
    """The vectors of the classes, and (..., classes) whose covariance could not be inverted."""
    pool = PooledScatter.of(seen, how)
    scale = np.broadcast_to(seen.deviation, seen.mean.shape)
    if how.estimate in ("mle", "unbiased"):
        core = with_silent_identity(pool.covariance, seen)
        sick = least_eigenvalue(core) < SINGULAR_EIGENVALUE
        if sick.any():
            core[sick] = positive_covariances(core[sick], pool.count[sick], how.worth)
            core = with_silent_identity(core, seen)
        return MultivariateNormals(seen.mean, scale, core, None, seen.live, seen.centre), np.broadcast_to(
            sick, seen.mean.shape[:-1]
        )
    found, sick = Posterior.sound(seen, pool, how)
    normals = MultivariateNormals(found.mean, scale, found.core, None, seen.live, seen.centre)
    if how.estimate == "bayes":
        degrees = np.broadcast_to(found.degrees, seen.mean.shape[:-1])
        normals = replace(normals, scale=scale * np.sqrt(1.0 + 1.0 / found.worth), degrees=degrees)
    return normals, np.broadcast_to(sick, seen.mean.shape[:-1])


def positive_covariances(core: Floats, count: Floats, worth: float) -> Floats:
    """(n, d, d): what is positive of the covariances of count (n, d) rows, and variances of one for `worth` rows more.

    >>> positive_covariances(np.zeros((1, 1, 1)), np.array([[3.0]]), 1.0).tolist()
    [[[0.25]]]
    """
    identity = np.eye(core.shape[-1])
    out = (positive(core) * outer(np.sqrt(count)) + worth * identity) / outer(np.sqrt(count + worth))
    # where columns differ so much that one more row is lost in rounding, they are taken as independent
    return np.where((least_eigenvalue(out) < ROUNDING_EIGENVALUE)[:, None, None], out * identity, out)


def positive(matrices: Floats) -> Floats:
    """(..., d, d): symmetric matrices without their negative part.

    >>> positive(np.diag([4.0, -1.0])).tolist()
    [[4.0, 0.0], [0.0, 0.0]]
    """
    unit = _units(matrices)
    values, vectors = np.linalg.eigh(matrices / outer(unit))
    half = unit[..., None] * vectors * np.sqrt(np.maximum(values, 0.0))[..., None, :]
    return np.asarray(half @ np.swapaxes(half, -1, -2))


def least_eigenvalue(matrices: Floats) -> Floats:
    """(...): the least eigenvalue of symmetric matrices (..., d, d), of columns that vary by one at most.

    >>> least_eigenvalue(np.diag([0.5, 1e30])).item()
    0.5
    """
    return np.asarray(np.linalg.eigvalsh(matrices / outer(_units(matrices)))[..., 0])


def _units(matrices: Floats) -> Floats:
    """(..., d): the deviations of columns that vary by more than one, beside which others would be rounded off."""
    return np.asarray(np.sqrt(np.maximum(np.diagonal(matrices, axis1=-2, axis2=-1), 1.0)))


def with_silent_identity(core: Floats, seen: ObservedMoments) -> Floats:
    """(..., groups, d, d): with the identity in the rows and columns of silent columns."""
    both = outer(seen.live)[..., None, :, :]
    return np.where(both, core, np.eye(core.shape[-1]))
