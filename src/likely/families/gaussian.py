"""Real columns: a normal in each cell, known through a normal-inverse-gamma belief."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtr

from likely.beliefs import NormalInverseGamma
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.families.draws import Draws
from likely.families.numeric import NumericPredictor, Shape
from likely.families.predictor import Evidence, Setting
from likely.kernels.densities.leave_one_out_tables import Known, Leaving
from likely.kernels.scoring.level_scores import score_normal, score_student
from likely.statistics import Moments, Question

COLUMNS_A_LOGARITHM = 32  # columns whose factors are multiplied before one logarithm is taken


@dataclass(frozen=True)
class Gaussian:
    """A normal in each cell.

    `bayes`: the Student-t predictive under a prior worth s observations a cell, centred on the column's mean with the
    spread found within cells; `map`: posterior modes under a flat prior, so the variance is spread / (n - 1); `mle`:
    spread / n. Where a cell has too few values for a variance, it borrows the mean square of the whole column. A column
    without any spread says nothing.
    """

    kinds: tuple[str, ...] = ("real",)
    together: bool = True

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        return (Question("moments", tuple(columns)),)

    def predictor(self, evidence: Evidence) -> GaussianPredictor:
        return GaussianPredictor.of(evidence)


@dataclass(frozen=True)
class PlugInNormal:
    """Plug-in normals, any shape; `silent` ones say nothing."""

    mean: Floats
    variance: Floats
    silent: Array

    def log_density(self, values: Floats) -> Floats:
        with np.errstate(over="ignore"):
            exponent = (values - self.mean) ** 2 / self.variance
        return np.where(self.silent, 0.0, -0.5 * (np.log(2 * np.pi * self.variance) + exponent))

    def coefficients(self, here: Floats) -> tuple[Floats, Floats, Floats]:
        """(mean, precision, constant) of the log density, with the log probability of a value being there."""
        precision = np.where(self.silent, 0.0, 1.0 / self.variance)
        return self.mean, precision, self.log_density(self.mean) + here

    def score(self, values: Floats, here: Floats, gone: Floats, out: Floats) -> None:
        score_normal(values, *self.coefficients(here), gone, out)

    def tails(self, values: Floats) -> tuple[Floats, Floats]:
        away = (values - self.mean) / np.sqrt(self.variance)
        below = np.asarray(values >= self.mean, dtype=np.float64)
        return np.where(self.silent, below, ndtr(away)), np.where(self.silent, 1.0 - below, ndtr(-away))

    def sample(self, at: tuple[Array, ...], rng: np.random.Generator) -> Floats:
        return np.asarray(rng.normal(self.mean[at], np.sqrt(np.where(self.silent, 0.0, self.variance))[at]))

    def pick(self, at: Array) -> PlugInNormal:
        return PlugInNormal(self.mean[at], self.variance[at], self.silent[at])


@dataclass(frozen=True)
class Student:
    """Student-t predictives of normal-inverse-gamma beliefs, any shape; `silent` ones say nothing."""

    belief: NormalInverseGamma
    silent: Array

    def log_density(self, values: Floats) -> Floats:
        return np.where(self.silent, 0.0, self.belief.log_predictive(values))

    def coefficients(self, here: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """(centre, weight, exponent, constant) of the log density, with the log probability of a value being there."""
        degrees, centre, scale = self.belief.student
        weight = np.where(self.silent, 0.0, 1.0 / (degrees * scale**2))
        return np.asarray(centre), weight, np.asarray((degrees + 1.0) / 2.0), self.log_density(centre) + here

    def score(self, values: Floats, here: Floats, gone: Floats, out: Floats) -> None:
        centre, weight, exponent, constant = self.coefficients(here)
        score_student(values, centre, weight, exponent, constant, gone, run_ends(exponent), out)

    def tails(self, values: Floats) -> tuple[Floats, Floats]:
        degrees, centre, scale = self.belief.student
        away = (values - centre) / scale
        below = np.asarray(values >= centre, dtype=np.float64)
        low, high = stdtr(degrees, away), stdtr(degrees, -away)
        return np.where(self.silent, below, low), np.where(self.silent, 1.0 - below, high)

    def sample(self, at: tuple[Array, ...], rng: np.random.Generator) -> Floats:
        degrees, centre, scale = (np.broadcast_to(part, self.silent.shape) for part in self.belief.student)
        spread = np.where(self.silent, 0.0, scale)
        return np.asarray(centre[at] + spread[at] * rng.standard_t(degrees[at]))

    def pick(self, at: Array | tuple[int, ...]) -> Student:
        belief = self.belief
        parts = (np.asarray(part)[at] for part in (belief.mean, belief.strength, belief.shape, belief.rate))
        return Student(NormalInverseGamma(*parts), self.silent[at])


def run_ends(exponent: Floats) -> Array:
    """(columns,): where runs of columns end that share their exponents (..., columns, cells), or grow too long."""
    change = np.any(exponent[..., 1:, :] != exponent[..., :-1, :], axis=(*range(exponent.ndim - 2), -1))
    ends = np.append(change, True)
    ends[COLUMNS_A_LOGARITHM - 1 :: COLUMNS_A_LOGARITHM] = True
    return ends


def describe(shape: Shape, setting: Setting) -> PlugInNormal | Student:
    """(..., cells): the predictive distribution in each cell, from the moments of the cells and of the whole column."""
    silent = np.broadcast_to(~(shape.total_spread > 0), shape.count.shape)
    some = np.maximum(shape.total_count, 1e-300)
    variance = np.where(silent, 1.0, shape.total_spread / some)
    if setting.estimate == "bayes" and setting.smoothing > 0:
        return Student(_posterior(shape, silent, variance, setting.smoothing), silent)
    # Without a prior, a cell needs two different values; others borrow the whole column.
    freedom = shape.count - (0.0 if setting.estimate == "mle" else 1.0)
    able = (shape.spread > 0) & (freedom > 0) & ~silent
    own = np.divide(shape.spread, freedom, out=variance.copy(), where=able)
    mean = np.where(shape.count > 0, shape.mean, shape.total_mean)
    if setting.estimate != "bayes":
        return PlugInNormal(mean, own, silent)
    count = np.where(able, shape.count, np.maximum(shape.total_count, 2.0))
    freedom = np.where(able, freedom, count - 1.0)
    return Student(NormalInverseGamma(mean, count, freedom / 2, own * freedom / 2), silent)


def _posterior(shape: Shape, silent: Array, variance: Floats, strength: float) -> NormalInverseGamma:
    """The belief in each cell; the prior is worth `strength` observations of the spread within cells.

    The prior's hold on the mean is weaker the better the cells separate (within / whole variance), so that well
    separated classes are not blurred together; the whole column's variance, worth as much again, keeps it proper.
    """
    within = (shape.within + strength * variance) / (shape.total_count + strength)
    within = np.where(silent, 1.0, within)
    prior = NormalInverseGamma(
        np.broadcast_to(shape.total_mean, silent.shape),
        strength * within / variance,
        strength / 2,
        strength * within / 2,
    )
    return prior.learn(shape.count, shape.mean, np.where(silent, 0.0, shape.spread))


class GaussianPredictor(NumericPredictor[PlugInNormal | Student]):
    """Normals, scored by the compiled loops."""

    def describe(self, shape: Shape) -> PlugInNormal | Student:
        return describe(shape, self.setting)

    def add(self, block: Block, out: Floats) -> None:
        self.described.score(np.ascontiguousarray(block.reals[:, self.at]), *self.presence, out)

    def leaving(self, below: Moments) -> Leaving | None:
        if self.setting.estimate != "bayes" or not self.setting.smoothing > 0:
            return None
        whole, level, under = (_known(moments) for moments in (self.whole, self.moments, below))
        return Leaving.of(whole, level, under, self.others, len(self.rows), self.setting.smoothing)

    @cached_property
    def _drawn_from(self) -> PlugInNormal | Student:
        """(columns, cells): what parameters are drawn from, whatever the estimate: a posterior needs a prior."""
        return describe(self.shape, Setting("bayes", self.setting.smoothing or 1.0, self.setting.missing))

    def drawn(self, draws: Draws) -> DrawnNormals:
        student = self._drawn_from
        assert isinstance(student, Student)
        mean, variance = student.belief.sample(draws.times, draws.rng)
        return DrawnNormals.of(PlugInNormal(mean, variance, student.silent), self.at, self.presence, draws)


def _known(moments: Moments) -> Known:
    return Known.of(moments.count, moments.count_low, moments.total, moments.total_low, moments.spread)


@dataclass(frozen=True)
class DrawnNormals:
    """Means and variances drawn from their posterior, the draws side by side."""

    normal: PlugInNormal
    at: Array | slice
    presence: tuple[Floats, Floats]

    @classmethod
    def of(cls, normal: PlugInNormal, at: Array | slice, presence: tuple[Floats, Floats], draws: Draws) -> DrawnNormals:
        """From means and variances (draws, columns, cells); all else is (columns, cells)."""
        mean, variance = draws.beside(normal.mean), draws.beside(normal.variance)
        here, gone = (draws.repeated(part) for part in presence)
        return cls(PlugInNormal(mean, variance, draws.repeated(normal.silent)), at, (here, gone))

    def add(self, block: Block, out: Floats) -> None:
        self.normal.score(np.ascontiguousarray(block.reals[:, self.at]), *self.presence, out)
