"""How the distributions in cells of the parents lean on those of their class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.beliefs import Gamma, NormalInverseGamma
from likely.core.numerics import Array, Floats
from likely.families.gaussian import PlugInNormal, Student
from likely.families.poisson import Beliefs, Rates
from likely.families.predictor import Setting
from likely.statistics import Moments


@dataclass(frozen=True)
class Cells:
    """(..., classes): moments of cells of the parents; an empty cell is described by its class."""

    count: Floats
    mean: Floats
    spread: Floats

    @classmethod
    def of(cls, moments: Moments, classes: int) -> Cells:
        """(cells + 1, columns, classes) from a statistic (classes * cells, columns); the last is no cell."""
        return cls(*(_laid(part, classes) for part in (moments.count, moments.mean, moments.spread)))


def _laid(part: Array, classes: int) -> Floats:
    """(classes * cells, columns) -> (cells + 1, columns, classes), the last zero."""
    cells, columns = len(part) // classes, part.shape[1]
    out = np.zeros((cells + 1, columns, classes))
    out[:-1] = np.moveaxis(part.reshape(classes, cells, columns), 0, 2)
    return out


def normals(level: PlugInNormal | Student, cells: Cells, setting: Setting) -> PlugInNormal | Student:
    """(..., classes): the distribution of real values in cells, below that of their classes.

    `bayes`: the prior of a cell is worth s observations of the class, its mean and its variance; an empty cell has the
    distribution of the class. Otherwise, and without smoothing, a cell needs two different values for a distribution of
    its own; others have that of their class.
    """
    silent = np.broadcast_to(level.silent, cells.count.shape)
    if isinstance(level, Student) and setting.smoothing > 0:
        return Student(_posterior(level.belief, silent, cells, setting.smoothing), silent)
    freedom = cells.count - (0.0 if setting.estimate == "mle" else 1.0)
    able = (cells.spread > 0) & (freedom > 0) & ~silent
    if isinstance(level, PlugInNormal):
        own = np.divide(cells.spread, freedom, out=np.ones(able.shape), where=able)
        return PlugInNormal(np.where(able, cells.mean, level.mean), np.where(able, own, level.variance), silent)
    own_belief = (cells.mean, cells.count, freedom / 2, cells.spread / 2)
    return Student(_chosen(able, own_belief, level.belief), silent)


def _posterior(level: NormalInverseGamma, silent: Array, cells: Cells, strength: float) -> NormalInverseGamma:
    variance = np.asarray(level.rate) / level.shape
    prior = NormalInverseGamma(
        np.broadcast_to(level.mean, silent.shape), strength, strength / 2, strength * variance / 2
    )
    belief = prior.learn(cells.count, cells.mean, np.where(silent, 0.0, cells.spread))
    return _chosen(cells.count > 0, (belief.mean, belief.strength, belief.shape, belief.rate), level)


def _chosen(at: Array, cells: tuple[ArrayLike, ...], level: NormalInverseGamma) -> NormalInverseGamma:
    """The belief of the cells, and elsewhere that of their classes."""
    classes = (level.mean, level.strength, level.shape, level.rate)
    return NormalInverseGamma(*(np.where(at, cell, other) for cell, other in zip(cells, classes, strict=True)))


def rates(level: Rates | Beliefs, cells: Cells, setting: Setting) -> Rates | Beliefs:
    """(..., classes): the distribution of counts in cells, below that of their classes.

    `bayes`: Gamma(s m, s), s observations at the mean m of the class; `map`: the mode under Gamma(1 + s m, s); `mle`:
    the mean of the cell, or of the class where a cell has no values.
    """
    silent, total = np.broadcast_to(level.silent, cells.count.shape), cells.count * cells.mean
    if isinstance(level, Beliefs):
        prior = Gamma(setting.smoothing * level.belief.mean, setting.smoothing)
        own = prior.update(total, cells.count)
        shape, rate = (
            np.where(cells.count > 0, cell, other)
            for cell, other in ((own.shape, level.belief.shape), (own.rate, level.belief.rate))
        )
        return Beliefs(Gamma(shape, rate), silent)
    exposure = cells.count + setting.pseudo
    usual = np.broadcast_to(level.rate, silent.shape)
    return Rates(np.divide(total + setting.pseudo * usual, exposure, out=usual.copy(), where=exposure > 0), silent)
