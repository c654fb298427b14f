"""Count columns: a Poisson rate in each class and cell, known through a gamma belief."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, gammaln, pdtr, pdtrc, xlogy

from likely.beliefs import Gamma
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import NUMERIC
from likely.core.unusable_rows import refuse_no_counts
from likely.families.draws import Draws
from likely.families.numeric import CellMoments, NumericScorer, Shape, nowhere
from likely.families.numeric_predictor import NumericPredictor
from likely.families.predictor import CellScorer, Evidence, Setting
from likely.statistics import Moments, Question
from likely.statistics.transforms import described_numbers

POISSON_TERMS_AT_A_TIME = 1 << 18  # terms held at a time


@dataclass(frozen=True)
class Poisson:
    """How often something happened.

    `bayes`: the negative binomial predictive under Gamma(s m, s), s observations at the column's mean m; `map`: the
    mode under Gamma(1 + s m, s); `mle`: the mean of the class. A class without values borrows the column's mean; a
    column of zeros says nothing. A cell of the parents leans on its class as that does on the column, and an empty one
    has its distribution.
    """

    kinds: tuple[str, ...] = ("count",)
    together: bool = True

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        return (Question("moments", tuple(columns)),)

    def predictor(self, evidence: Evidence) -> PoissonPredictor:
        return PoissonPredictor.of(evidence)


@dataclass(frozen=True)
class PoissonNumbers:
    """Real columns described as counts: as Poisson, of the nearest whole number from zero on; no number is refused."""

    kinds: tuple[str, ...] = ("poisson",)
    together: bool = False

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        return (Question("moments", tuple(columns)), Question("transformed", tuple(columns)))

    def predictor(self, evidence: Evidence) -> PoissonNumbersPredictor:
        (at,) = evidence.columns
        seen = evidence.answers[Question("transformed", (at,))]
        assert isinstance(seen, Moments), "it is answered by moments"
        below = evidence.answers[Question("transformed", (at,), evidence.by)] if evidence.by else nowhere(seen)
        assert isinstance(below, Moments), "it is answered by moments"
        names = (evidence.column.name,)
        counts = PoissonPredictor(seen, below, evidence.rows, slice(None), names, evidence.setting)
        return PoissonNumbersPredictor(counts, evidence.schema.of(*NUMERIC).index(at))


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

    def pick(self, at: Array | tuple[int, ...]) -> Rates:
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
    """(..., classes): the predictive distribution in each class, from the moments of classes and of the column."""
    silent = np.broadcast_to(~(shape.total_mean > 0), shape.count.shape)
    usual = np.where(silent, 1.0, shape.total_mean)
    if setting.estimate == "bayes" and setting.smoothing > 0:
        return Beliefs(_posterior(shape, usual, setting), silent)
    return Rates(_mode(shape, usual, setting), silent)


def lean(above: Rates | Beliefs, cells: CellMoments, setting: Setting) -> Rates | Beliefs:
    """(..., classes): the predictive distribution in cells, from their moments and what their classes have."""
    silent = np.broadcast_to(above.silent, cells.count.shape)
    if isinstance(above, Rates):
        return Rates(_mode(cells, np.broadcast_to(above.rate, silent.shape), setting), silent)
    own, some = _posterior(cells, above.belief.mean, setting), cells.count > 0
    shape, rate = np.where(some, own.shape, above.belief.shape), np.where(some, own.rate, above.belief.rate)
    return Beliefs(Gamma(shape, rate), silent)


def _posterior(values: CellMoments, usual: ArrayLike, setting: Setting) -> Gamma:
    """The belief after values, before which the usual mean is worth the smoothing's observations."""
    prior = Gamma(setting.smoothing * np.asarray(usual), setting.smoothing)
    return prior.update(values.count * values.mean, values.count)


def _mode(values: CellMoments, usual: Floats, setting: Setting) -> Floats:
    exposure, total = values.count + setting.pseudo, values.count * values.mean
    return np.divide(total + setting.pseudo * usual, exposure, out=usual.copy(), where=exposure > 0)


class CountScorer(NumericScorer[Rates | Beliefs]):
    """Counts; a value that is no count is refused."""

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        values = block.reals[:, self.at]
        refuse_no_counts(values, self.names, block.start)
        step = max(1, POISSON_TERMS_AT_A_TIME // max(1, values.shape[1] * out.shape[1]))
        for start in range(0, block.rows, step):
            part = slice(start, start + step)
            terms = self.terms_of(values[part], None if cells is None else cells[part])
            out[part] += (np.delete(terms, list(skip), axis=1) if skip else terms).sum(axis=1)

    def terms(self, block: Block, cells: Array | None = None) -> Floats:
        refuse_no_counts(block.reals[:, self.at], self.names, block.start)
        return super().terms(block, cells)


class PoissonPredictor(NumericPredictor[Rates | Beliefs]):
    """Counts."""

    @property
    def scorer(self) -> type[CountScorer]:
        return CountScorer

    def describe(self, shape: Shape) -> Rates | Beliefs:
        return describe(shape, self.setting)

    def lean(self, above: Rates | Beliefs, cells: CellMoments) -> Rates | Beliefs:
        return lean(above, cells, self.setting)

    def draw(self, posterior: Rates | Beliefs, draws: Draws) -> tuple[Floats, ...]:
        assert isinstance(posterior, Beliefs), "parameters are drawn under a prior"
        return (posterior.belief.sample(draws.times, draws.rng),)

    def known(self, parameters: Sequence[Floats], silent: Array) -> Rates:
        (rate,) = parameters
        return Rates(rate, silent)


@dataclass(frozen=True, eq=False)
class PoissonNumbersPredictor:
    """One real column, heard as counts."""

    counts: PoissonPredictor
    place: int

    def _heard(self, block: Block) -> Block:
        return replace(block, reals=described_numbers("poisson", block.reals[:, [self.place]]))

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        self.counts.add(self._heard(block), out, cells, skip)

    def terms(self, block: Block, cells: Array | None = None) -> Floats:
        return self.counts.terms(self._heard(block), cells)

    def without(self, block: Block) -> Floats:
        return self.counts.without(self._heard(block))

    def terms_without(self, block: Block, cells: Array, counted: Array) -> Floats:
        return self.counts.terms_without(self._heard(block), cells, counted)

    def drawn(self, draws: Draws) -> DrawnCounts:
        return DrawnCounts(self, self.counts.drawn(draws))

    def drawn_cells(self, draws: Draws) -> DrawnCounts:
        return DrawnCounts(self, self.counts.drawn_cells(draws))

    @property
    def drawn_size(self) -> float:
        return self.counts.drawn_size

    def sample(self, classes: Array, rng: np.random.Generator, cells: Array | None = None) -> Array:
        return self.counts.sample(classes, rng, cells)

    def mass(self, place: int, edges: tuple[float, ...]) -> Floats:
        """A number is in the part of its nearest count."""
        return self.counts.mass(place, edges)


@dataclass(frozen=True, eq=False)
class DrawnCounts:
    """The same column under drawn rates."""

    predictor: PoissonNumbersPredictor
    scorer: CellScorer

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        """out (rows, draws * classes) += the terms."""
        self.scorer.add(self.predictor._heard(block), out, cells, skip)
