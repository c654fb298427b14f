"""Real and count columns below the class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.unusable_rows import refuse_no_counts
from likely.families import gaussian, poisson
from likely.families.draws import Draws
from likely.families.gaussian import GaussianPredictor, PlugInNormal, Student, run_ends
from likely.families.nested import Under
from likely.families.nested_cells import Cells, normals, rates
from likely.families.numeric import (
    NumericPredictor,
    PredictiveDistributions,
    Shape,
    Taken,
    log_masses,
    row_slices,
    terms_of,
)
from likely.families.poisson import POISSON_TERMS_AT_A_TIME, Beliefs, PoissonPredictor, Rates
from likely.families.predictor import Setting, with_missing
from likely.kernels.densities.leave_one_out_tables import Leaving
from likely.kernels.scoring.nested import CellTables
from likely.statistics import Moments

D = TypeVar("D", bound=PredictiveDistributions)


@dataclass(frozen=True)
class CellScorer(ABC, Generic[D]):
    """described (cells + 1, columns, classes), the last for rows without a cell; the columns `at` of a block's reals.

    presence (columns, classes) are log probabilities that a value is present, and that it is missing.
    """

    at: Array | slice
    presence: tuple[Floats, Floats]
    names: tuple[str, ...]
    described: D

    @abstractmethod
    def add(self, block: Block, cells: Array, out: Floats, skip: Sequence[int] = ()) -> None:
        """out (rows, classes) += the sum of the terms of all columns but those at the places to `skip`."""

    def terms(self, block: Block, cells: Array) -> Floats:
        """(rows, columns, classes): no cell is -1, and so the last."""
        return terms_of(self.described.pick(cells), self.presence, block.reals[:, self.at])


class NormalScorer(CellScorer[PlugInNormal | Student]):
    """Normals, scored by the compiled loops."""

    @cached_property
    def tables(self) -> CellTables:
        here, gone = self.presence
        if isinstance(self.described, PlugInNormal):
            ends = np.ones(len(here), dtype=bool)
            return CellTables.of(*self.described.coefficients(here), gone, None, ends)
        centre, weight, exponent, constant = self.described.coefficients(here)
        return CellTables.of(centre, weight, constant, gone, exponent, run_ends(exponent))

    def add(self, block: Block, cells: Array, out: Floats, skip: Sequence[int] = ()) -> None:
        last = self.described.silent.shape[0] - 1
        values = np.ascontiguousarray(block.reals[:, self.at])
        self.tables.score(values, np.where(cells < 0, last, cells), skip, out)


class CountScorer(CellScorer[Rates | Beliefs]):
    """Counts; a value that is no count is refused."""

    def add(self, block: Block, cells: Array, out: Floats, skip: Sequence[int] = ()) -> None:
        values = block.reals[:, self.at]
        refuse_no_counts(values, self.names, block.start)
        step = max(1, POISSON_TERMS_AT_A_TIME // max(1, values.shape[1] * out.shape[1]))
        for start in range(0, block.rows, step):
            part = slice(start, start + step)
            terms = terms_of(self.described.pick(cells[part]), self.presence, values[part])
            out[part] += np.delete(terms, list(skip), axis=1).sum(axis=1)

    def terms(self, block: Block, cells: Array) -> Floats:
        refuse_no_counts(block.reals[:, self.at], self.names, block.start)
        return super().terms(block, cells)


@dataclass(frozen=True)
class NestedNumeric(ABC, Generic[D]):
    """moments (classes * cells, columns) under the parents, and `level`, what the class alone says."""

    level: NumericPredictor[D]
    moments: Moments

    @abstractmethod
    def describe(self, shape: Shape, cells: Cells, setting: Setting) -> D:
        """(..., classes): the distributions in cells, from the moments of the cells, the classes and the column."""

    @property
    @abstractmethod
    def scorer(self) -> type[CellScorer[D]]:
        """What scores rows under such distributions."""

    @abstractmethod
    def draw(self, at: tuple[int, int], draws: Draws) -> tuple[Floats, ...]:
        """Parameters (draws, classes) of one cell and column."""

    @abstractmethod
    def known(self, parameters: Sequence[Floats], silent: Array) -> D:
        """The distributions of parameters."""

    @cached_property
    def cells(self) -> Cells:
        return Cells.of(self.moments, len(self.level.rows))

    @cached_property
    def described(self) -> D:
        """(cells + 1, columns, classes)."""
        return self.describe(self.level.shape, self.cells, self.level.setting)

    @cached_property
    def _scorer(self) -> CellScorer[D]:
        return self.scorer(self.level.at, self.level.presence, self.level.names, self.described)

    def add(self, block: Block, cells: Array, out: Floats, skip: Sequence[int] = ()) -> None:
        """out (rows, classes) += the sum of the terms of all columns but those at the places to `skip`."""
        self._scorer.add(block, cells, out, skip)

    def terms(self, block: Block, cells: Array) -> Floats:
        """(rows, columns, classes)."""
        return self._scorer.terms(block, cells)

    @cached_property
    def _drawn_from(self) -> D:
        """The distributions that parameters are drawn from, whatever the estimate: a posterior needs a prior."""
        setting = self.level.setting
        bayes = replace(setting, estimate="bayes", smoothing=setting.smoothing or 1.0)
        return self.describe(self.level.shape, self.cells, bayes)

    def drawn(self, draws: Draws) -> DrawnCells[D]:
        return DrawnCells(self, draws)

    def sample(self, classes: Array, cells: Array, rng: np.random.Generator) -> Array:
        """(rows, columns): values drawn from the predictive distribution of each row's class and cell."""
        columns = np.arange(len(self.level.names))
        drawn = self.described.sample((cells[:, None], columns[None, :], classes[:, None]), rng)
        return with_missing(drawn, self.level.presence[1], self.level.setting, classes, rng)

    def mass(self, place: int, edges: tuple[float, ...]) -> Floats:
        """(classes, cells + 1, edges + 1): log probability of each part of a column between edges; last, of no cell."""
        tails = [self.described.tails(np.array(edge)) for edge in edges]
        sides = (np.array([tail[side][:, place] for tail in tails]) for side in (0, 1))
        shape = (len(edges), *self.described.silent[:, place].shape)
        return log_masses(*(np.moveaxis(side.reshape(shape), (0, 1, 2), (2, 1, 0)) for side in sides))

    def without(self, block: Block, cells: Array, counted: Array) -> Floats:
        """(rows, columns, classes): the terms with each row taken out of column, class and, if counted, cell."""
        out = np.empty((block.rows, len(self.level.names), len(self.level.rows)))

        def exact(taken: Taken) -> Floats:
            at, mine = cells[taken.row], (counted & (cells >= 0))[taken.row]
            shape, rest = self.level.shape_without(taken), self._cells_without(taken, at, mine)
            return self.level.said(self.describe(shape, rest, self.level.setting), shape, taken)

        for part in row_slices(block.rows, len(self.level.names)):
            out[part] = self.level.apart(block, part, self._leaving, cells, counted, exact)
        return out

    @cached_property
    def _leaving(self) -> Leaving | None:
        return self.level.leaving(self.moments)

    def _cells_without(self, taken: Taken, cells: Array, counted: Array) -> Cells:
        """(values, classes): the cells of values, each that was counted there taken out."""
        at = np.flatnonzero(counted)
        mine, here = taken.only(at), self.cells
        rest = mine.out_of(self.moments, mine.own * (len(here.count) - 1) + cells[at])
        if not rest.possible():
            raise mine.refused(rest, "its class and parents have", self.level.names)
        parts = (here.count, rest.count), (here.mean, rest.mean), (here.spread, rest.spread)
        left = [part[cells, taken.column] for part, _ in parts]
        for part, (_, found) in zip(left, parts, strict=True):
            part[at, mine.own] = found[:, 0]
        return Cells(*left)


class NestedReals(NestedNumeric[PlugInNormal | Student]):
    """Real columns."""

    @classmethod
    def of(cls, evidence: Under) -> NestedReals:
        """The predictor of the evidence."""
        return cls(GaussianPredictor.of(evidence.level), evidence.answer(Moments))

    def describe(self, shape: Shape, cells: Cells, setting: Setting) -> PlugInNormal | Student:
        return normals(gaussian.describe(shape, setting), cells, setting)

    @property
    def scorer(self) -> type[NormalScorer]:
        return NormalScorer

    def draw(self, at: tuple[int, int], draws: Draws) -> tuple[Floats, ...]:
        student = self._drawn_from
        assert isinstance(student, Student)
        return student.pick(at).belief.sample(draws.times, draws.rng)

    def known(self, parameters: Sequence[Floats], silent: Array) -> PlugInNormal:
        mean, variance = parameters
        return PlugInNormal(mean, variance, silent)


class NestedCounts(NestedNumeric[Rates | Beliefs]):
    """Count columns."""

    @classmethod
    def of(cls, evidence: Under) -> NestedCounts:
        """The predictor of the evidence."""
        return cls(PoissonPredictor.of(evidence.level), evidence.answer(Moments))

    def describe(self, shape: Shape, cells: Cells, setting: Setting) -> Rates | Beliefs:
        return rates(poisson.describe(shape, setting), cells, setting)

    @property
    def scorer(self) -> type[CountScorer]:
        return CountScorer

    def draw(self, at: tuple[int, int], draws: Draws) -> tuple[Floats, ...]:
        beliefs = self._drawn_from
        assert isinstance(beliefs, Beliefs)
        return (beliefs.pick(at).belief.sample(draws.times, draws.rng),)

    def known(self, parameters: Sequence[Floats], silent: Array) -> Rates:
        (rate,) = parameters
        return Rates(rate, silent)


@dataclass(frozen=True)
class DrawnCells(Generic[D]):
    """Columns below their parents under drawn parameters: those of the cells that rows are in, and of no others."""

    nested: NestedNumeric[D]
    draws: Draws

    def add(self, block: Block, cells: Array, out: Floats, skip: Sequence[int] = ()) -> None:
        """out (rows, draws * classes) += the sum of the terms of all columns but those at the places to `skip`."""
        level = self.nested.level
        columns = np.array([place for place in range(len(level.names)) if place not in skip], dtype=np.int64)
        if not len(columns) or not block.rows:
            return
        some, where = np.unique(cells, return_inverse=True)
        here, gone = (self.draws.repeated(part[columns]) for part in level.presence)
        names = tuple(level.names[place] for place in columns)
        at = np.arange(block.reals.shape[1])[level.at][columns]
        self.nested.scorer(at, (here, gone), names, self._under(some, columns)).add(block, where, out)

    def _under(self, cells: Array, columns: Array) -> D:
        """(cells, columns, draws * classes)."""
        silent = self.nested._drawn_from.silent
        cells = np.where(cells < 0, len(silent) - 1, cells)
        found = [
            [self.nested.draw((cell, column), self.draws.under(column, cell)) for column in columns.tolist()]
            for cell in cells.tolist()
        ]
        drawn = [np.array([[one[at].reshape(-1) for one in row] for row in found]) for at in range(len(found[0][0]))]
        return self.nested.known(drawn, self.draws.repeated(silent[np.ix_(cells, columns)]))
