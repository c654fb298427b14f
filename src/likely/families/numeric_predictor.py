"""Columns of numbers under their posterior: distributions in classes and cells, and one row taken out of these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Self

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.errors import NotLearntError
from likely.families.draws import Draws
from likely.families.numeric import (
    CellMoments,
    D,
    NumericScorer,
    Shape,
    log_masses,
    numeric_block,
    own_moments,
    rows_without,
)
from likely.families.predictor import Evidence, Setting, never_learnt_error, own_weights, presence, with_missing
from likely.kernels.densities.leave_one_out_tables import TakenValue
from likely.statistics import Moments
from likely.statistics.statistic import subtract

VALUES_LEFT_OUT_AT_A_TIME = 1 << 14  # values left out at a time: what is computed on the way stays near the processor


@dataclass(frozen=True)
class NumericPredictor(ABC, Generic[D]):
    """Moments of the columns `at` of a block's reals; a subclass says how they describe a class, and a cell in it.

    moments (classes, columns), and below (classes * cells, columns) those in the cells of the parents, if any.
    """

    moments: Moments
    below: Moments
    rows: Array
    at: Array | slice
    names: tuple[str, ...]
    setting: Setting

    @classmethod
    def of(cls, evidence: Evidence) -> Self:
        """The predictor of the evidence."""
        names = tuple(evidence.schema.columns[at].name for at in evidence.columns)
        at = numeric_block(evidence.schema, evidence.columns)
        return cls(evidence.answer(Moments), evidence.below(Moments), evidence.rows, at, names, evidence.setting)

    @abstractmethod
    def describe(self, shape: Shape) -> D:
        """(..., classes): the predictive distribution in each class, from the moments of the classes and the column."""

    @abstractmethod
    def lean(self, above: D, cells: CellMoments) -> D:
        """(..., classes): the predictive distribution in cells, from their moments and what their classes have."""

    @property
    @abstractmethod
    def scorer(self) -> type[NumericScorer[D]]:
        """What scores rows under such distributions."""

    @abstractmethod
    def draw(self, posterior: D, draws: Draws) -> tuple[Floats, ...]:
        """Parameters (draws, ...) of distributions under a proper prior."""

    @abstractmethod
    def known(self, parameters: Sequence[Floats], silent: Array) -> D:
        """The distributions of parameters."""

    @cached_property
    def shape(self) -> Shape:
        return Shape.of(self.moments, self.whole)

    @cached_property
    def whole(self) -> Moments:
        """(1, columns): all classes together."""
        return self.moments.pooled()

    @cached_property
    def others(self) -> Floats:
        """(columns, classes): the spread within all other classes."""
        spread = self.shape.spread
        return np.stack([np.delete(spread, one, axis=1).sum(axis=1) for one in range(len(self.rows))], axis=1)

    @cached_property
    def cells(self) -> CellMoments:
        """(cells + 1, columns, classes): the last is no cell."""
        return CellMoments.below(self.below, len(self.rows))

    @cached_property
    def described(self) -> D:
        """(columns, classes)."""
        return self.describe(self.shape)

    @cached_property
    def described_cells(self) -> D:
        """(cells + 1, columns, classes)."""
        return self.lean(self.described, self.cells)

    @cached_property
    def presence(self) -> tuple[Floats, Floats]:
        """(columns, classes): log probabilities that a value is present, and that it is missing."""
        return presence(self.setting, self.rows, self.shape.count)

    @cached_property
    def _of_classes(self) -> NumericScorer[D]:
        return self.scorer(self.described, self.presence, self.at, self.names)

    @cached_property
    def _of_cells(self) -> NumericScorer[D]:
        return self.scorer(self.described_cells, self.presence, self.at, self.names)

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        (self._of_classes if cells is None else self._of_cells).add(block, out, cells, skip)

    def terms(self, block: Block, cells: Array | None = None) -> Floats:
        return (self._of_classes if cells is None else self._of_cells).terms(block, cells)

    def sample(self, classes: Array, rng: np.random.Generator, cells: Array | None = None) -> Array:
        columns = np.arange(len(self.names))[None, :]
        if cells is None:
            drawn = self.described.sample((columns, classes[:, None]), rng)
        else:
            drawn = self.described_cells.sample((cells[:, None], columns, classes[:, None]), rng)
        return with_missing(drawn, self.presence[1], self.setting, classes, rng)

    def mass(self, place: int, edges: tuple[float, ...]) -> Floats:
        found = self.described_cells
        tails = [found.tails(np.array(edge)) for edge in edges]
        sides = (np.array([tail[side][:, place] for tail in tails]) for side in (0, 1))
        shape = (len(edges), *found.silent[:, place].shape)
        return log_masses(*(np.moveaxis(side.reshape(shape), (0, 1, 2), (2, 1, 0)) for side in sides))

    @cached_property
    def proper(self) -> Self:
        """The same under a proper prior, whatever the estimate: parameters are drawn from a posterior."""
        bayes = replace(self.setting, estimate="bayes", smoothing=self.setting.smoothing or 1.0)
        return replace(self, setting=bayes)

    def drawn(self, draws: Draws) -> NumericScorer[D]:
        posterior = self.proper.described
        parameters = [draws.beside(part) for part in self.draw(posterior, draws)]
        here, gone = (draws.repeated(part) for part in self.presence)
        known = self.known(parameters, draws.repeated(posterior.silent))
        return self.scorer(known, (here, gone), self.at, self.names)

    def drawn_cells(self, draws: Draws) -> DrawnCells[D]:
        return DrawnCells(self, draws)

    @property
    def drawn_size(self) -> float:
        return 3.0 * self.moments.count.size  # a mean, a precision and a constant

    def without(self, block: Block) -> Floats:
        out = np.empty((block.rows, len(self.rows)))
        for part in row_slices(block.rows, len(self.names)):
            out[part] = self._left_out(block, part, None, None).sum(axis=1)
        return out

    def terms_without(self, block: Block, cells: Array, counted: Array) -> Floats:
        out = np.empty((block.rows, len(self.names), len(self.rows)))
        for part in row_slices(block.rows, len(self.names)):
            out[part] = self._left_out(block, part, cells, counted & (cells >= 0))
        return out

    @cached_property
    def _leaving(self) -> TakenValue | None:
        return self.leaving()

    def leaving(self) -> TakenValue | None:
        """What the compiled loop, where there is one, takes values out of."""
        return None

    def _left_out(self, block: Block, part: slice, cells: Array | None, counted: Array | None) -> Floats:
        """(rows, columns, classes): terms of a part of the rows, exactly where the compiled loop is unsure of them."""
        own, weights = (array[part] for array in own_weights(block))
        values = np.ascontiguousarray(block.reals[part, self.at])
        if self._leaving is None:
            terms, unsure = np.empty((*values.shape, len(self.rows))), np.ones(values.shape, dtype=bool)
        else:
            at = np.full(len(values), -1) if cells is None else cells[part]
            there = np.zeros(len(values), dtype=bool) if counted is None else counted[part]
            terms, unsure = self._leaving.terms(values, own.astype(np.int64), weights, at, there)
            if self.setting.missing == "informative":
                terms += self._presence_without(values, own, weights)
        rows, columns = np.nonzero(unsure)
        if len(rows):
            taken = TakenValues(part.start + rows, columns, values[unsure], own[rows], weights[rows], block.start)
            terms[rows, columns] = self._exact(taken, cells, counted)
        return terms

    def _presence_without(self, values: Floats, own: Array, weights: Floats) -> Floats:
        """(rows, columns, classes): what values say by being there or missing; only that of the own class changes."""
        gone, each = np.isnan(values), np.arange(len(own))
        out = np.where(gone[:, :, None], self.presence[1], self.presence[0])
        count = subtract(self.moments.count[own], np.where(gone, 0.0, weights[:, None]))
        here, missing = presence(self.setting, subtract(self.rows[own], weights)[:, None], count)
        out[each, :, own] = np.where(gone, missing, here)
        return out

    def _exact(self, taken: TakenValues, cells: Array | None, counted: Array | None) -> Floats:
        """(values, classes): the term of each value with it taken out, to the last digit whatever remains."""
        shape = self.shape_without(taken)
        described = self.describe(shape)
        if cells is not None and counted is not None:
            rest = self._cells_without(taken, cells[taken.row], counted[taken.row])
            described = self.lean(described, rest)
        here, gone = presence(self.setting, rows_without(self.rows, taken.own, taken.weight), shape.count)
        value = taken.value[:, None]
        return np.where(np.isnan(value), gone, described.log_density(np.nan_to_num(value)) + here)

    def shape_without(self, taken: TakenValues) -> Shape:
        """(values, classes): the shape of each value's column, with the value taken out."""
        rest = taken.out_of(self.moments, taken.own)
        if not rest.possible():
            raise taken.refused(rest, "its class has", self.names)
        whole, all_ = taken.out_of(self.whole, np.zeros_like(taken.own)), self.shape
        at_own = taken.own[:, None] == np.arange(len(self.rows))
        return Shape(
            np.where(at_own, rest.count, all_.count[taken.column]),
            np.where(at_own, rest.mean, all_.mean[taken.column]),
            np.where(at_own, rest.spread, all_.spread[taken.column]),
            whole.count,
            whole.mean,
            whole.spread,
            self.others[taken.column, taken.own][:, None] + rest.spread,
        )

    def _cells_without(self, taken: TakenValues, cells: Array, counted: Array) -> CellMoments:
        """(values, classes): the cells of values, each that was counted there taken out."""
        at = np.flatnonzero(counted)
        mine, here = taken.only(at), self.cells
        rest = mine.out_of(self.below, mine.own * (len(here.count) - 1) + cells[at])
        if not rest.possible():
            raise mine.refused(rest, "its class and parents have", self.names)
        parts = (here.count, rest.count), (here.mean, rest.mean), (here.spread, rest.spread)
        left = [part[cells, taken.column] for part, _ in parts]
        for part, (_, found) in zip(left, parts, strict=True):
            part[at, mine.own] = found[:, 0]
        return CellMoments(*left)


@dataclass(frozen=True)
class DrawnCells(Generic[D]):
    """Columns below their parents under drawn parameters: those of the cells that rows are in, and of no others."""

    predictor: NumericPredictor[D]
    draws: Draws

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        """out (rows, draws * classes) += the sum of the terms of all columns but those at the places to `skip`."""
        predictor = self.predictor
        columns = np.array([place for place in range(len(predictor.names)) if place not in skip], dtype=np.int64)
        if not len(columns) or not block.rows:
            return
        some, where = np.unique(np.full(block.rows, -1) if cells is None else cells, return_inverse=True)
        here, gone = (self.draws.repeated(part[columns]) for part in predictor.presence)
        at = np.arange(block.reals.shape[1])[predictor.at][columns]
        names = tuple(predictor.names[place] for place in columns)
        predictor.scorer(self._below(some, columns), (here, gone), at, names).add(block, out, where)

    def _below(self, cells: Array, columns: Array) -> D:
        """(cells, columns, draws * classes)."""
        posterior = self.predictor.proper.described_cells
        cells = np.where(cells < 0, len(posterior.silent) - 1, cells)
        found = [
            [
                self.predictor.draw(posterior.pick((cell, column)), self.draws.under(column, cell))
                for column in columns.tolist()
            ]
            for cell in cells.tolist()
        ]
        drawn = [np.array([[one[at].reshape(-1) for one in row] for row in found]) for at in range(len(found[0][0]))]
        return self.predictor.known(drawn, self.draws.repeated(posterior.silent[np.ix_(cells, columns)]))


@dataclass(frozen=True)
class TakenValues:
    """(values,): values of a block, one by one: where each stands in it, and the class and the weight of its row."""

    row: Array
    column: Array
    value: Floats
    own: Array
    weight: Floats
    start: int

    def only(self, at: Array) -> TakenValues:
        """Some of the values."""
        return TakenValues(self.row[at], self.column[at], self.value[at], self.own[at], self.weight[at], self.start)

    def out_of(self, moments: Moments, cells: Array) -> Moments:
        """(values, 1): the moments of these cells (values,), each without its value."""
        each = {name: array[cells, self.column][:, None] for name, array in moments.arrays().items()}
        return Moments(**each) - own_moments(self.value[:, None], self.weight)

    def refused(self, rest: Moments, where: str, names: Sequence[str]) -> NotLearntError:
        """The error of the first value that cannot have been there, as what is left without it shows."""
        at = int(np.argmax(rest.impossible()[:, 0]))
        return never_learnt_error(
            self.start + int(self.row[at]), f"{where} no such value of {names[self.column[at]]!r}"
        )


def row_slices(rows: int, columns: int) -> Iterator[slice]:
    """The rows, some at a time."""
    step = max(1, VALUES_LEFT_OUT_AT_A_TIME // max(1, columns))
    return (slice(start, start + step) for start in range(0, rows, step))
