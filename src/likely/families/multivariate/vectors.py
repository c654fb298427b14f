"""Columns of numbers together: a normal or Student-t vector in each class."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from likely.beliefs import NormalInverseWishart
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.families.draws import Draws
from likely.families.gaussian import NormalScorer, PlugInNormal
from likely.families.multivariate.covariances import CovarianceSettings, PooledScatter, Posterior
from likely.families.multivariate.explicit import ExplicitNormal, not_normal
from likely.families.multivariate.learnt import ClassScatter, VectorRows
from likely.families.multivariate.leave_one_out import without
from likely.families.multivariate.normals import MultivariateNormals
from likely.families.multivariate.observed import ObservedMoments
from likely.families.multivariate.spherical import SphericalBeliefs
from likely.families.numeric import numeric_block
from likely.families.predictor import Evidence, Setting, presence, with_missing
from likely.kernels.densities.quadratic_forms import linear
from likely.statistics import Moments, Quartics, Scatter
from likely.statistics.statistic import subtract

LEAST_EIGENVALUE_DRAWN = 1e-12  # of the largest eigenvalue: a covariance that is drawn has none below


@dataclass(frozen=True)
class Vectors:
    """Normals of the columns `at` of a block's reals, and (columns, classes) what values say by being there or not."""

    normals: MultivariateNormals
    at: Array | slice
    presence: tuple[Floats, Floats]

    def add(self, block: Block, out: Floats) -> None:
        values = block.reals[:, self.at]
        out += self.normals.log_density(values)
        self._add_presence(values, out)

    def terms(self, block: Block) -> Floats:
        values = block.reals[:, self.at]
        return self.normals.terms(values) + _there(values, self.presence)

    def compare(self, block: Block, out: Floats) -> None:
        """out (rows, classes) += the log density, up to a number of each row that is the same for all classes."""
        normals, values = self.normals, block.reals[:, self.at]
        if normals.degrees is not None or normals.core is None or len(normals.core) > 1:
            return self.add(block, out)
        at = np.flatnonzero(normals.live)
        white = normals.marginal(at).whiteners[0]
        gap = (normals.marginal(at).mean - normals.centre[at]) @ white.T
        said = np.empty(out.shape)
        given = values if normals.live.all() else values[:, at]
        linear(given, normals.centre[at], (gap @ white).T, np.square(gap).sum(axis=-1) / -2.0, said)
        if not np.isfinite(said.sum()):  # rows with missing values, or beyond what a double holds
            rows = np.flatnonzero(~np.isfinite(said).all(axis=1))
            said[rows] = normals.log_density(values[rows])
        out += said
        self._add_presence(values, out)
        return None

    def _add_presence(self, values: Floats, out: Floats) -> None:
        here, gone = self.presence
        if here.any() or gone.any():
            for column, missing in enumerate(np.isnan(values).T):
                out += np.where(missing[:, None], gone[column], here[column])


@dataclass(frozen=True)
class VectorPredictor(ExplicitNormal):
    """What was learnt of the columns `at` of a block's reals; `rows` (classes,) is the weight of all rows."""

    learnt: ClassScatter
    rows: Array
    at: Array | slice
    columns: tuple[int, ...]
    setting: Setting

    @classmethod
    def of(cls, evidence: Evidence, how: CovarianceSettings) -> VectorPredictor:
        """The predictor of the evidence."""
        names = tuple(evidence.schema.columns[at].name for at in evidence.columns)
        if how.covariance == "spherical":
            learnt = ClassScatter(evidence.answer(Moments), None, None, names, how)
        else:
            quartics = evidence.answer(Quartics) if how.shrinkage == "ledoit-wolf" else None
            learnt = ClassScatter.of(evidence.answer(Scatter), quartics, names, how)
        at = numeric_block(evidence.schema, evidence.columns)
        return cls(learnt, evidence.rows, at, evidence.columns, evidence.setting)

    @cached_property
    def presence(self) -> tuple[Floats, Floats]:
        return presence(self.setting, self.rows, self.learnt.moments.count.T)

    @cached_property
    def vectors(self) -> Vectors:
        """The vectors of the classes."""
        return Vectors(self.learnt.described[0], self.at, self.presence)

    @property
    def fallbacks(self) -> Array:
        """(classes,): whose covariance could not be inverted."""
        return self.learnt.described[1]

    @property
    def means(self) -> Floats:
        """(classes, d)."""
        return self.vectors.normals.mean

    @property
    def plain(self) -> MultivariateNormals:
        if self.vectors.normals.degrees is not None:
            raise not_normal()
        return self.vectors.normals

    def add(self, block: Block, out: Floats) -> None:
        self.vectors.add(block, out)

    def compare(self, block: Block, out: Floats) -> None:
        """out (rows, classes) += the log density, up to a number of each row that is the same for all classes."""
        self.vectors.compare(block, out)

    def terms(self, block: Block) -> Floats:
        return self.vectors.terms(block)

    def without(self, block: Block) -> Floats:
        rows = VectorRows.of(block, self.at)
        out = without(self.learnt, rows)
        if self.setting.missing == "informative":
            gone, each = np.isnan(rows.values), np.arange(len(rows.own))
            terms = _there(rows.values, self.presence)
            count = subtract(self.learnt.moments.count[rows.own], np.where(gone, 0.0, rows.weights[:, None]))
            left = subtract(self.rows[rows.own], rows.weights)[:, None]
            here, missing = presence(self.setting, left, count)
            terms[each, :, rows.own] = np.where(gone, missing, here)
            out += terms.sum(axis=1)
        return out

    def drawn(self, draws: Draws) -> Vectors | NormalScorer:
        how = replace(self.learnt.how, estimate="bayes", strength=self.learnt.how.strength or 1.0)
        if how.covariance == "spherical":
            normal = _drawn_spherical(self.learnt.seen, how, draws)
            return NormalScorer.drawn(normal, self.presence, self.at, draws)
        here, gone = (draws.repeated(part) for part in self.presence)
        return Vectors(_drawn(self.learnt.seen, how, draws), self.at, (here, gone))

    @property
    def drawn_size(self) -> float:
        matrices = self.learnt.how.covariance != "spherical"
        return len(self.rows) * float(len(self.columns)) ** (2 if matrices else 1)

    def sample(self, cells: Array, rng: np.random.Generator) -> Array:
        values = self.vectors.normals.sample(cells, rng)
        return with_missing(values, self.presence[1], self.setting, cells, rng)


def _drawn_spherical(seen: ObservedMoments, how: CovarianceSettings, draws: Draws) -> PlugInNormal:
    """(draws, d, classes): means and variances drawn from their posterior, the variances of a class all the same."""
    rng, (common, _) = draws.rng, SphericalBeliefs.sound(seen, how)
    size = (draws.times, *seen.mean.shape)
    chances = rng.chisquare(np.maximum(common.degrees, 1.0), size[:2])
    variance = np.broadcast_to((common.variance * common.degrees / chances)[..., None], size)
    mean = common.mean + np.sqrt(variance / common.worth) * rng.standard_normal(size)
    silent = np.broadcast_to(~seen.live[:, None], seen.mean.shape[::-1])
    return PlugInNormal(np.swapaxes(mean, 1, 2), np.swapaxes(variance, 1, 2), silent)


def _drawn(seen: ObservedMoments, how: CovarianceSettings, draws: Draws) -> MultivariateNormals:
    """Normals whose means and covariances are drawn from their posterior, the classes of one draw beside each other."""
    rng, (found, _) = draws.rng, Posterior.sound(seen, PooledScatter.of(seen, how), how)
    # fewer than one degree has covariances that are no doubles
    degrees, columns = np.maximum(found.degrees, 1.0), len(seen.live)
    belief = NormalInverseWishart(np.zeros(columns), 1.0, degrees + columns - 1.0, found.core * degrees[:, None, None])
    root = _roots(belief.sample(draws.times, rng)[1])
    size = (draws.times, *seen.mean.shape)
    noise = (root @ rng.standard_normal((*size, 1)))[..., 0]
    mean = found.mean + np.where(seen.live, noise * seen.deviation, 0.0) / np.sqrt(found.worth)
    core = np.broadcast_to(root @ np.swapaxes(root, -1, -2), (*size, columns))
    scale = np.broadcast_to(seen.deviation, size)
    mean, scale, core = (part.reshape(-1, *part.shape[2:]) for part in (mean, scale, core))
    return MultivariateNormals(mean, scale, core, None, seen.live, seen.centre)


def _roots(covariances: Floats) -> Floats:
    """(..., d, d): R with R Rᵀ the covariances, whose small eigenvalues are raised; most are far from so small."""
    columns, whole = covariances.shape[-1], np.trace(covariances, axis1=-2, axis2=-1)
    with suppress(np.linalg.LinAlgError):
        lower = np.linalg.cholesky(covariances)
        log_determinant = 2.0 * np.log(np.diagonal(lower, axis1=-2, axis2=-1)).sum(axis=-1)
        # the smallest is at least the determinant over what the product of the others can be, given their sum
        least = log_determinant - (columns - 1) * np.log(whole / max(columns - 1, 1))
        if (least > np.log(LEAST_EIGENVALUE_DRAWN * whole)).all():
            return np.asarray(lower, dtype=np.float64)
    values, vectors = np.linalg.eigh(covariances)
    return np.asarray(vectors * np.sqrt(np.maximum(values, LEAST_EIGENVALUE_DRAWN * values[..., -1:]))[..., None, :])


def _there(values: Floats, presence: tuple[Floats, Floats]) -> Floats:
    """(rows, columns, classes): what values say by being there or missing."""
    here, gone = presence
    return np.where(np.isnan(values)[:, :, None], gone, here)
