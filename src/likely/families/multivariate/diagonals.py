"""Independent columns in each class, with variances of their own or the same in all classes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from likely.beliefs import NormalInverseGamma
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.families.draws import Draws
from likely.families.gaussian import GaussianPredictor, NormalScorer, PlugInNormal, Student, describe
from likely.families.multivariate.covariances import SINGULAR_EIGENVALUE, CovarianceSettings
from likely.families.multivariate.explicit import ExplicitNormal, not_normal
from likely.families.multivariate.normals import MultivariateNormals
from likely.families.numeric import Shape
from likely.families.predictor import Evidence, Setting
from likely.kernels.densities.leave_one_out_tables import TakenValue


@dataclass(frozen=True)
class DiagonalPredictor(GaussianPredictor, ExplicitNormal):
    """A naive Gaussian by another estimate, or with variances that the classes share; a column at a time."""

    how: CovarianceSettings
    columns: tuple[int, ...]

    @classmethod
    def learnt(cls, evidence: Evidence, how: CovarianceSettings) -> DiagonalPredictor:
        """The predictor of the evidence."""
        plain = GaussianPredictor.of(evidence)
        known = plain.moments, plain.below, plain.rows, plain.at, plain.names, plain.setting
        return cls(*known, how, evidence.columns)

    def describe(self, shape: Shape) -> PlugInNormal | Student:
        return described(shape, self.how)[0]

    def compare(self, block: Block, out: Floats) -> None:
        """out (rows, classes) += the log density, up to a number of each row."""
        self.add(block, out)

    @property
    def fallbacks(self) -> Array:
        """(classes,): where a variance is zero."""
        return np.asarray(described(self.shape, self.how)[1].any(axis=0))

    @property
    def means(self) -> Floats:
        """(classes, d)."""
        found = self.described
        mean = found.mean if isinstance(found, PlugInNormal) else found.belief.mean
        return np.asarray(np.broadcast_to(mean, found.silent.shape).T)

    @property
    def plain(self) -> MultivariateNormals:
        found = self.described
        if isinstance(found, Student):
            raise not_normal()
        live = ~found.silent[:, 0]
        return MultivariateNormals(
            found.mean.T, np.sqrt(found.variance).T, None, None, live, self.shape.total_mean[:, 0]
        )

    def leaving(self) -> TakenValue | None:
        naive = self.how.covariance == "diagonal" and self.how.estimate == "bayes"
        return super().leaving() if naive else None

    def drawn(self, draws: Draws) -> NormalScorer:
        how, silent = replace(self.how, estimate="bayes", strength=self.how.strength or 1.0), self.described.silent
        found, _ = Posteriors.sound(self.shape, how)
        degrees, squares = found.degrees, found.squares
        if how.covariance == "tied-diagonal":  # all cells have the same, and one is drawn for all
            degrees, squares = degrees[:, :1], squares[:, :1]
        # fewer than one degree has variances that are no doubles
        rng, size = draws.rng, (draws.times, *silent.shape)
        chances = rng.chisquare(np.maximum(degrees, 1.0), (draws.times, *degrees.shape))
        variance = np.broadcast_to(squares / chances, size)
        mean = found.mean + np.sqrt(variance / found.worth) * rng.standard_normal(size)
        return NormalScorer.drawn(PlugInNormal(mean, variance, silent), self.presence, self.at, draws)


@dataclass(frozen=True)
class Posteriors:
    """(..., cells): what the prior and the spread of a cell, or of all cells together, make of mean and variance."""

    mean: Floats
    worth: Floats
    squares: Floats
    degrees: Floats
    sick: Array

    @classmethod
    def of(cls, shape: Shape, how: CovarianceSettings, strength: Floats) -> Posteriors:
        """The prior is worth strength (..., cells) values; without one, bayes loses a value for each mean."""
        silent, variance, within = _variances(shape, how)
        hold = strength * within / variance
        worth = hold + shape.count
        part = np.divide(shape.count, worth, out=np.zeros(worth.shape), where=worth > 0)
        gap = np.where(shape.count > 0, shape.mean - shape.total_mean, 0.0)
        between, count, spread, lost = hold * part * gap**2, shape.count, shape.spread, shape.count > 0
        if how.covariance == "tied-diagonal":
            count, spread = shape.total_count, shape.within
            between, lost = (each.sum(axis=-1, keepdims=True) for each in (between, lost))
        squares = spread + strength * within + between
        spare = np.where((strength > 0) | (how.estimate == "map"), 0.0, lost)
        degrees = count + strength - spare
        short = ~silent & ~((degrees > 0) & (squares > SINGULAR_EIGENVALUE * within * degrees))
        short |= ~silent & ~(worth > 0)
        if how.covariance == "tied-diagonal":
            short = np.broadcast_to(short.any(axis=-1, keepdims=True), silent.shape)
        well = ~silent & ~short
        return cls(
            shape.total_mean + part * gap,
            np.where(worth > 0, worth, 1.0),
            np.where(well, squares, 1.0),
            np.where(well, degrees, 1.0),
            short,
        )

    @classmethod
    def sound(cls, shape: Shape, how: CovarianceSettings) -> tuple[Posteriors, Array]:
        """Those of the prior as it is, or where a variance is zero of one worth a value; and where that was so."""
        strength = np.full(shape.count.shape, how.strength)
        found = cls.of(shape, how, strength)
        if found.sick.any():
            return cls.of(shape, how, np.where(found.sick, how.worth, strength)), found.sick
        return found, found.sick

    @property
    def belief(self) -> NormalInverseGamma:
        """(..., cells)."""
        return NormalInverseGamma(self.mean, self.worth, self.degrees / 2.0, self.squares / 2.0)


def described(shape: Shape, how: CovarianceSettings) -> tuple[PlugInNormal | Student, Array]:
    """(..., cells): the distributions, and where a variance was zero.

    There, the variance within classes is added, worth the prior's observations and at least one.
    """
    silent, _, within = _variances(shape, how)
    if how.estimate == "bayes" and how.covariance == "diagonal":
        poor = (how.strength == 0) & ~silent & ~((shape.spread > 0) & (shape.count > 1))
        return describe(shape, Setting("bayes", how.strength)), poor
    if how.estimate in ("map", "bayes"):
        found, sick = Posteriors.sound(shape, how)
        if how.estimate == "map":
            return PlugInNormal(found.mean, found.squares / found.degrees, silent), sick
        return Student(found.belief, silent), sick
    count, spread, classes = shape.count, shape.spread, shape.count > 0
    if how.covariance == "tied-diagonal":
        count, spread, classes = shape.total_count, shape.within, classes.sum(axis=-1, keepdims=True)
    freedom = np.asarray(count - classes * (how.estimate == "unbiased"), dtype=np.float64)
    own = np.divide(spread, freedom, out=np.zeros(freedom.shape), where=freedom > 0)
    sick = ~silent & ~(own > SINGULAR_EIGENVALUE * within)
    mended = (count * own + how.worth * within) / (count + how.worth)
    mean = np.where(shape.count > 0, shape.mean, shape.total_mean)
    return PlugInNormal(mean, np.where(silent, 1.0, np.where(sick, mended, own)), silent), sick


def _variances(shape: Shape, how: CovarianceSettings) -> tuple[Array, Floats, Floats]:
    """(..., cells) whether a column has no spread; (..., 1) its variance, and that within classes."""
    flat = ~(shape.total_spread > 0)
    variance = np.where(flat, 1.0, shape.total_spread / np.maximum(shape.total_count, 1e-300))
    worth = how.strength or 1.0
    within = np.where(flat, 1.0, (shape.within + worth * variance) / (shape.total_count + worth))
    return np.broadcast_to(flat, shape.count.shape), variance, within
