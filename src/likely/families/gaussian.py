"""Real columns: a normal in each class and cell, known through a normal-inverse-gamma belief."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, stdtr

from likely.beliefs import NormalInverseGamma
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.families.draws import Draws
from likely.families.numeric import CellMoments, NumericScorer, Shape
from likely.families.numeric_predictor import NumericPredictor
from likely.families.predictor import Evidence, Setting
from likely.kernels.densities.leave_one_out_tables import GroupMoments, TakenValue
from likely.kernels.densities.student import score_normal, score_student
from likely.kernels.memory import aligned_zeros
from likely.kernels.scoring.draws import add_drawn_normals
from likely.kernels.scoring.nested import CellTables
from likely.statistics import Moments, Question

MOST_CLASSES_BY_ROWS = 128  # classes below which normals are scored by a loop along rows
COLUMNS_A_LOGARITHM = 32  # columns whose factors are multiplied before one logarithm is taken


@dataclass(frozen=True)
class Gaussian:
    """A normal in each class, and in each cell of the parents.

    `bayes`: the Student-t predictive under a prior worth s observations a class, centred on the column's mean with the
    spread found within classes; `map`: posterior modes under a flat prior, so the variance is spread / (n - 1); `mle`:
    spread / n. Where a class has too few values for a variance, it borrows the mean square of the whole column. A
    column without any spread says nothing.

    The prior of a cell is worth s observations of its class, its mean and its variance; an empty cell has the
    distribution of the class. Under `map`, `mle` and without smoothing a cell needs two different values for a
    distribution of its own; others have that of their class.
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

    def pick(self, at: Array | tuple[int, ...]) -> PlugInNormal:
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
    """(..., classes): the predictive distribution in each class, from the moments of classes and of the whole column.

    The prior's hold on the mean is weaker the better the classes separate (within / whole variance), so that well
    separated classes are not blurred together; the whole column's variance, worth as much again, keeps it proper.
    """
    silent = np.broadcast_to(~(shape.total_spread > 0), shape.count.shape)
    some = np.maximum(shape.total_count, 1e-300)
    variance = np.where(silent, 1.0, shape.total_spread / some)
    strength = setting.smoothing
    if setting.estimate == "bayes" and strength > 0:
        within = (shape.within + strength * variance) / (shape.total_count + strength)
        within = np.where(silent, 1.0, within)
        return Student(
            _posterior(shape, shape.total_mean, strength * within / variance, within, setting, silent), silent
        )
    # Without a prior, a class needs two different values; others borrow the whole column.
    able, freedom = _able(shape, setting, silent)
    own = np.divide(shape.spread, freedom, out=variance.copy(), where=able)
    mean = np.where(shape.count > 0, shape.mean, shape.total_mean)
    if setting.estimate != "bayes":
        return PlugInNormal(mean, own, silent)
    count = np.where(able, shape.count, np.maximum(shape.total_count, 2.0))
    freedom = np.where(able, freedom, count - 1.0)
    return Student(NormalInverseGamma(mean, count, freedom / 2, own * freedom / 2), silent)


def lean(above: PlugInNormal | Student, cells: CellMoments, setting: Setting) -> PlugInNormal | Student:
    """(..., classes): the predictive distribution in cells, from their moments and what their classes have."""
    silent = np.broadcast_to(above.silent, cells.count.shape)
    if isinstance(above, Student) and setting.smoothing > 0:
        variance = np.asarray(above.belief.rate) / above.belief.shape
        belief = _posterior(cells, above.belief.mean, setting.smoothing, variance, setting, silent)
        own = (belief.mean, belief.strength, belief.shape, belief.rate)
        return Student(_chosen(cells.count > 0, own, above.belief), silent)
    able, freedom = _able(cells, setting, silent)
    if isinstance(above, PlugInNormal):
        variance = np.divide(cells.spread, freedom, out=np.ones(able.shape), where=able)
        return PlugInNormal(np.where(able, cells.mean, above.mean), np.where(able, variance, above.variance), silent)
    return Student(_chosen(able, (cells.mean, cells.count, freedom / 2, cells.spread / 2), above.belief), silent)


def _posterior(
    values: CellMoments, mean: ArrayLike, hold: ArrayLike, variance: Floats, setting: Setting, silent: Array
) -> NormalInverseGamma:
    """The belief after values, before which a mean is worth `hold` observations, and a variance the smoothing's."""
    prior = NormalInverseGamma(
        np.broadcast_to(mean, silent.shape), hold, setting.smoothing / 2, setting.smoothing * variance / 2
    )
    return prior.learn(values.count, values.mean, np.where(silent, 0.0, values.spread))


def _able(values: CellMoments, setting: Setting, silent: Array) -> tuple[Array, Floats]:
    """Whether there are values for a variance, and its degrees of freedom."""
    freedom = values.count - (0.0 if setting.estimate == "mle" else 1.0)
    return (values.spread > 0) & (freedom > 0) & ~silent, freedom


def _chosen(at: Array, own: tuple[ArrayLike, ...], above: NormalInverseGamma) -> NormalInverseGamma:
    """A belief of its own `at` some places, and elsewhere that above."""
    others = (above.mean, above.strength, above.shape, above.rate)
    return NormalInverseGamma(*(np.where(at, one, other) for one, other in zip(own, others, strict=True)))


class NormalScorer(NumericScorer[PlugInNormal | Student]):
    """Normals, scored by the compiled loops."""

    @classmethod
    def drawn(
        cls, normal: PlugInNormal, presence: tuple[Floats, Floats], at: Array | slice, draws: Draws
    ) -> NormalScorer:
        """From means and variances (draws, columns, classes); all else is (columns, classes)."""
        mean, variance = draws.beside(normal.mean), draws.beside(normal.variance)
        here, gone = (draws.repeated(part) for part in presence)
        return cls(PlugInNormal(mean, variance, draws.repeated(normal.silent)), (here, gone), at)

    @cached_property
    def tables(self) -> CellTables:
        """The distributions of all cells, laid out for the loop."""
        here, gone = self.presence
        if isinstance(self.described, PlugInNormal):
            ends = np.ones(len(here), dtype=bool)
            return CellTables.of(*self.described.coefficients(here), gone, None, ends)
        centre, weight, exponent, constant = self.described.coefficients(here)
        return CellTables.of(centre, weight, constant, gone, exponent, run_ends(exponent))

    @cached_property
    def _wide(self) -> Floats:
        """(4, columns, classes): plug-in normals of very many classes, laid out for a loop along them."""
        (here, gone), described = self.presence, self.described
        assert isinstance(described, PlugInNormal), "others are few"
        mean, precision, constant = described.coefficients(here)
        tables = aligned_zeros((4, *mean.shape))
        tables[:] = mean, 0.5 * precision, constant, gone
        return tables

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        values = np.ascontiguousarray(block.reals[:, self.at])
        if cells is None and out.shape[1] >= MOST_CLASSES_BY_ROWS and isinstance(self.described, PlugInNormal):
            add_drawn_normals(values, self._wide, out)
        elif cells is None:  # 1.7 to 2.4 times as fast as a loop that looks the parameters of each row up
            self.described.score(values, *self.presence, out)
        else:
            last = len(self.described.silent) - 1
            self.tables.score(values, np.where(cells < 0, last, cells), skip, out)


class GaussianPredictor(NumericPredictor[PlugInNormal | Student]):
    """Normals."""

    @property
    def scorer(self) -> type[NormalScorer]:
        return NormalScorer

    def describe(self, shape: Shape) -> PlugInNormal | Student:
        return describe(shape, self.setting)

    def lean(self, above: PlugInNormal | Student, cells: CellMoments) -> PlugInNormal | Student:
        return lean(above, cells, self.setting)

    def leaving(self) -> TakenValue | None:
        if self.setting.estimate != "bayes" or not self.setting.smoothing > 0:
            return None
        whole, level, below = (_known(moments) for moments in (self.whole, self.moments, self.below))
        return TakenValue.of(whole, level, below, self.others, len(self.rows), self.setting.smoothing)

    def draw(self, posterior: PlugInNormal | Student, draws: Draws) -> tuple[Floats, ...]:
        assert isinstance(posterior, Student), "parameters are drawn under a prior"
        return posterior.belief.sample(draws.times, draws.rng)

    def known(self, parameters: Sequence[Floats], silent: Array) -> PlugInNormal:
        mean, variance = parameters
        return PlugInNormal(mean, variance, silent)


def _known(moments: Moments) -> GroupMoments:
    return GroupMoments.of(moments.count, moments.count_low, moments.total, moments.total_low, moments.spread)
