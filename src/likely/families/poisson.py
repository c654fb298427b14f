"""Count columns: a Poisson rate in each cell, known through a gamma belief."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, gammaln, pdtr, pdtrc, xlogy

from likely.beliefs import Gamma
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.unusable_rows import refuse_no_counts
from likely.families.draws import Draws
from likely.families.numeric import NumericPredictor, Shape, terms_of
from likely.families.predictor import Evidence, Setting
from likely.statistics import Question

POISSON_TERMS_AT_A_TIME = 1 << 18  # terms held at a time


@dataclass(frozen=True)
class Poisson:
    """How often something happened.

    `bayes`: the negative binomial predictive under Gamma(s m, s), s observations at the column's mean m; `map`: the
    mode under Gamma(1 + s m, s); `mle`: the mean of the cell. A cell without values borrows the column's mean; a column
    of zeros says nothing.
    """

    kinds: tuple[str, ...] = ("count",)
    together: bool = True

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        return (Question("moments", tuple(columns)),)

    def predictor(self, evidence: Evidence) -> PoissonPredictor:
        return PoissonPredictor.of(evidence)


@dataclass(frozen=True)
class Rates:
    """Plug-in Poisson rates, any shape; `silent` ones say nothing."""

    rate: Floats
    silent: Array

    def log_density(self, values: Floats) -> Floats:
        return np.where(self.silent, 0.0, xlogy(values, self.rate) - self.rate - gammaln(values + 1.0))

    def sample(self, at: tuple[Array, ...], rng: np.random.Generator) -> Floats:
        return rng.poisson(np.where(self.silent, 0.0, self.rate)[at]).astype(np.float64)

    def tails(self, values: Floats) -> tuple[Floats, Floats]:
        some = np.floor(np.maximum(values, 0.0))
        none = values < 0
        rate = np.where(self.silent, 0.0, self.rate)
        return np.where(none, 0.0, pdtr(some, rate)), np.where(none, 1.0, pdtrc(some, rate))

    def pick(self, at: Array) -> Rates:
        return Rates(self.rate[at], self.silent[at])


@dataclass(frozen=True)
class Beliefs:
    """Negative binomial predictives of gamma beliefs, any shape; `silent` ones say nothing."""

    belief: Gamma
    silent: Array

    def log_density(self, values: Floats) -> Floats:
        return np.where(self.silent, 0.0, self.belief.log_predictive(values))

    def sample(self, at: tuple[Array, ...], rng: np.random.Generator) -> Floats:
        shape, rate = np.asarray(self.belief.shape), np.asarray(self.belief.rate)
        drawn = rng.poisson(rng.standard_gamma(shape[at]) / rate[at])
        return np.where(self.silent[at], 0.0, drawn)

    def tails(self, values: Floats) -> tuple[Floats, Floats]:
        more = np.floor(np.maximum(values, 0.0)) + 1.0
        shape, rate = np.asarray(self.belief.shape), np.asarray(self.belief.rate)
        below, above = betainc(shape, more, rate / (1.0 + rate)), betainc(more, shape, 1.0 / (1.0 + rate))
        none = values < 0
        return (
            np.where(none, 0.0, np.where(self.silent, 1.0, below)),
            np.where(none, 1.0, np.where(self.silent, 0.0, above)),
        )

    def pick(self, at: Array | tuple[int, ...]) -> Beliefs:
        return Beliefs(Gamma(np.asarray(self.belief.shape)[at], np.asarray(self.belief.rate)[at]), self.silent[at])


def describe(shape: Shape, setting: Setting) -> Rates | Beliefs:
    """(..., cells): the predictive distribution in each cell."""
    silent = np.broadcast_to(~(shape.total_mean > 0), shape.count.shape)
    usual = np.where(silent, 1.0, shape.total_mean)
    total = shape.count * shape.mean
    if setting.estimate == "bayes" and setting.smoothing > 0:
        return Beliefs(Gamma(setting.smoothing * usual, setting.smoothing).update(total, shape.count), silent)
    exposure = shape.count + setting.pseudo
    rate = np.divide(total + setting.pseudo * usual, exposure, out=usual.copy(), where=exposure > 0)
    return Rates(rate, silent)


class PoissonPredictor(NumericPredictor[Rates | Beliefs]):
    """Counts; a value that is no count is refused."""

    def describe(self, shape: Shape) -> Rates | Beliefs:
        return describe(shape, self.setting)

    def add(self, block: Block, out: Floats) -> None:
        values = block.reals[:, self.at]
        refuse_no_counts(values, self.names, block.start)
        add_terms(self.described, self.presence, values, out)

    def terms(self, block: Block) -> Floats:
        refuse_no_counts(block.reals[:, self.at], self.names, block.start)
        return super().terms(block)

    @cached_property
    def _drawn_from(self) -> Rates | Beliefs:
        """(columns, cells): what rates are drawn from, whatever the estimate: a posterior needs a prior."""
        return describe(self.shape, Setting("bayes", self.setting.smoothing or 1.0, self.setting.missing))

    def drawn(self, draws: Draws) -> DrawnRates:
        beliefs = self._drawn_from
        assert isinstance(beliefs, Beliefs)
        rate = draws.beside(beliefs.belief.sample(draws.times, draws.rng))
        here, gone = (draws.repeated(part) for part in self.presence)
        return DrawnRates(Rates(rate, draws.repeated(beliefs.silent)), self.at, (here, gone))


@dataclass(frozen=True)
class DrawnRates:
    """Rates drawn from their posterior, the draws side by side."""

    rates: Rates
    at: Array | slice
    presence: tuple[Floats, Floats]

    def add(self, block: Block, out: Floats) -> None:
        add_terms(self.rates, self.presence, block.reals[:, self.at], out)


def add_terms(described: Rates | Beliefs, known: tuple[Floats, Floats], values: Floats, out: Floats) -> None:
    """out (rows, cells) += the terms of all columns, some rows at a time."""
    step = max(1, POISSON_TERMS_AT_A_TIME // max(1, values.shape[1] * out.shape[1]))
    for start in range(0, len(values), step):
        part = slice(start, start + step)
        out[part] += terms_of(described, known, values[part]).sum(axis=1)
