"""What the families of numbers share: the moments of cells and column, and taking one row out of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log
from likely.core.schema import NUMERIC, Schema
from likely.errors import NotLearntError
from likely.families.predictor import Evidence, Setting, never_learnt_error, own_weights, presence, with_missing
from likely.kernels.arithmetic.double import multiply2, two_product
from likely.kernels.densities.leave_one_out_tables import Leaving
from likely.statistics import Moments
from likely.statistics.statistic import subtract

VALUES_LEFT_OUT_AT_A_TIME = 1 << 14  # values left out at a time: what is computed on the way stays near the processor


@dataclass(frozen=True)
class Shape:
    """(..., cells): moments of each cell; (..., 1): of the whole column, and the spread within its cells."""

    count: Floats
    mean: Floats
    spread: Floats
    total_count: Floats
    total_mean: Floats
    total_spread: Floats
    within: Floats

    @classmethod
    def of(cls, moments: Moments, whole: Moments) -> Shape:
        """(columns, cells) from a statistic (cells, columns), and from that of all cells together."""
        spread = moments.spread.T
        return cls(
            moments.count.T,
            moments.mean.T,
            spread,
            whole.count.T,
            whole.mean.T,
            whole.spread.T,
            spread.sum(axis=-1, keepdims=True),
        )


def numeric_block(schema: Schema, columns: Sequence[int]) -> Array | slice:
    """Where these columns stand in a block's reals; a slice, which copies nothing, where they are all of them."""
    available = schema.of(*NUMERIC)
    if tuple(columns) == available:
        return slice(None)
    return np.array([available.index(at) for at in columns], dtype=np.int64)


class PredictiveDistributions(Protocol):
    """Predictive distributions, any shape; `silent` ones say nothing."""

    @property
    def silent(self) -> Array: ...

    def log_density(self, values: Floats) -> Floats:
        """Log densities, or log probabilities, of values that broadcast against the distributions."""

    def tails(self, values: Floats) -> tuple[Floats, Floats]:
        """Probabilities of at most, and of more than, each value; silent ones stand on their centre."""

    def sample(self, at: tuple[Array, ...], rng: np.random.Generator) -> Floats:
        """A value of each distribution that `at` picks."""

    def pick(self, at: Array) -> Self:
        """Some of the distributions, along the first axis."""


D = TypeVar("D", bound=PredictiveDistributions)


@dataclass(frozen=True)
class NumericPredictor(ABC, Generic[D]):
    """moments (cells, columns) of the columns `at` of a block's reals; a subclass says how they describe a cell."""

    moments: Moments
    rows: Array
    at: Array | slice
    names: tuple[str, ...]
    setting: Setting

    @classmethod
    def of(cls, evidence: Evidence) -> Self:
        """The predictor of the evidence."""
        names = tuple(evidence.schema.columns[at].name for at in evidence.columns)
        at = numeric_block(evidence.schema, evidence.columns)
        return cls(evidence.answer(Moments), evidence.rows, at, names, evidence.setting)

    @abstractmethod
    def describe(self, shape: Shape) -> D:
        """(..., cells): the predictive distribution in each cell, from the moments of the cells and of the column."""

    @cached_property
    def shape(self) -> Shape:
        return Shape.of(self.moments, self.whole)

    @cached_property
    def whole(self) -> Moments:
        """(1, columns): all cells together."""
        return self.moments.pooled()

    @cached_property
    def others(self) -> Floats:
        """(columns, cells): the spread within all other cells."""
        spread = self.shape.spread
        return np.stack([np.delete(spread, cell, axis=1).sum(axis=1) for cell in range(len(self.rows))], axis=1)

    @cached_property
    def described(self) -> D:
        """(columns, cells)."""
        return self.describe(self.shape)

    @cached_property
    def presence(self) -> tuple[Floats, Floats]:
        """(columns, cells): log probabilities that a value is present, and that it is missing."""
        return presence(self.setting, self.rows, self.shape.count)

    @property
    def drawn_size(self) -> float:
        return 3.0 * self.moments.count.size  # a mean, a precision and a constant

    def terms(self, block: Block) -> Floats:
        return terms_of(self.described, self.presence, block.reals[:, self.at])

    def sample(self, cells: Array, rng: np.random.Generator) -> Array:
        columns = np.arange(len(self.names))
        drawn = self.described.sample((columns[None, :], cells[:, None]), rng)
        return with_missing(drawn, self.presence[1], self.setting, cells, rng)

    def without(self, block: Block) -> Floats:
        """(rows, cells): summed terms with each row taken out of its own cell, and so out of the whole column."""
        out, nowhere = np.empty((block.rows, len(self.rows))), np.full(block.rows, -1)
        for part in row_slices(block.rows, len(self.names)):
            out[part] = self.apart(block, part, self._leaving, nowhere, nowhere >= 0, self.exact).sum(axis=1)
        return out

    def leaving(self, below: Moments) -> Leaving | None:
        """What the compiled loop, where there is one, takes values out of; below (classes * cells, columns)."""
        return None

    @cached_property
    def _leaving(self) -> Leaving | None:
        return self.leaving(self.moments.take(np.arange(0), np.arange(len(self.names))))

    def apart(
        self,
        block: Block,
        part: slice,
        leaving: Leaving | None,
        cells: Array,
        counted: Array,
        exact: Callable[[Taken], Floats],
    ) -> Floats:
        """(rows, columns, classes): terms of a part of the rows, `exact` where the compiled loop is unsure of them."""
        own, weights = (array[part] for array in own_weights(block))
        values = np.ascontiguousarray(block.reals[part, self.at])
        if leaving is None:
            terms, unsure = np.empty((*values.shape, len(self.rows))), np.ones(values.shape, dtype=bool)
        else:
            terms, unsure = leaving.terms(values, own.astype(np.int64), weights, cells[part], counted[part])
            if self.setting.missing == "informative":
                terms += self._presence_without(values, own, weights)
        rows, columns = np.nonzero(unsure)
        if len(rows):
            taken = Taken(part.start + rows, columns, values[unsure], own[rows], weights[rows], block.start)
            terms[rows, columns] = exact(taken)
        return terms

    def _presence_without(self, values: Floats, own: Array, weights: Floats) -> Floats:
        """(rows, columns, classes): what values say by being there or missing; only that of the own class changes."""
        gone, each = np.isnan(values), np.arange(len(own))
        out = np.where(gone[:, :, None], self.presence[1], self.presence[0])
        count = subtract(self.moments.count[own], np.where(gone, 0.0, weights[:, None]))
        here, missing = presence(self.setting, subtract(self.rows[own], weights)[:, None], count)
        out[each, :, own] = np.where(gone, missing, here)
        return out

    def exact(self, taken: Taken) -> Floats:
        """(values, cells): the term of each value with it taken out, to the last digit whatever remains."""
        shape = self.shape_without(taken)
        return self.said(self.describe(shape), shape, taken)

    def said(self, described: D, shape: Shape, taken: Taken) -> Floats:
        """(values, cells): the terms of values under these distributions."""
        here, gone = presence(self.setting, rows_without(self.rows, taken.own, taken.weight), shape.count)
        value = taken.value[:, None]
        return np.where(np.isnan(value), gone, described.log_density(np.nan_to_num(value)) + here)

    def shape_without(self, taken: Taken) -> Shape:
        """(values, cells): the shape of each value's column, with the value taken out."""
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


@dataclass(frozen=True)
class Taken:
    """(values,): values of a block, one by one: where each stands in it, and the class and the weight of its row."""

    row: Array
    column: Array
    value: Floats
    own: Array
    weight: Floats
    start: int

    def only(self, at: Array) -> Taken:
        """Some of the values."""
        return Taken(self.row[at], self.column[at], self.value[at], self.own[at], self.weight[at], self.start)

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


def terms_of(described: PredictiveDistributions, known: tuple[Floats, Floats], values: Floats) -> Floats:
    """(rows, columns, cells)."""
    here, gone = known
    value = values[:, :, None]
    return np.where(np.isnan(value), gone, described.log_density(np.nan_to_num(value)) + here)


def rows_without(rows: Array, own: Array, weights: Floats) -> Array:
    """(rows, cells): the weight of the rows of each cell, with each row taken out of its own."""
    at_own = own[:, None] == np.arange(len(rows))
    return np.where(at_own, subtract(rows[own], weights)[:, None], rows)


def log_masses(below: Floats, above: Floats) -> Floats:
    """(..., edges + 1): log probabilities of the parts between edges, from those at most and beyond each (..., edges).

    >>> np.exp(log_masses(np.array([0.25, 0.75]), np.array([0.75, 0.25])))
    array([0.25, 0.5 , 0.25])
    """
    nothing, everything = np.zeros((*below.shape[:-1], 1)), np.ones((*below.shape[:-1], 1))
    below = np.concatenate([nothing, below, everything], axis=-1)
    above = np.concatenate([everything, above, nothing], axis=-1)
    # the difference of the smaller of the two is the one that rounding spares
    mass = np.where(below[..., 1:] <= above[..., :-1], np.diff(below), -np.diff(above))
    return log(np.maximum(mass, 0.0))


def own_moments(values: Floats, weights: Floats) -> Moments:
    """(rows, columns): the moments of each row by itself; a missing value counts nothing."""
    present = ~np.isnan(values)
    x = np.where(present, values, 0.0)
    weight = np.where(present, weights[:, None], 0.0)
    total = two_product(weight, x)
    square = multiply2(*two_product(x, x), weight)
    return Moments(weight, *total, *square, np.zeros_like(weight))
