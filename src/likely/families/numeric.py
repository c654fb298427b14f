"""What the families of numbers share: the moments of cells and column, and taking one row out of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, Self, TypeVar

import numpy as np

from likely.block import Block
from likely.families.predictor import Evidence, Setting, never_learnt, own_weights, presence, with_holes
from likely.kernels.double import multiply2, two_product
from likely.numerics import Array, Floats
from likely.schema import NUMERIC, Schema
from likely.statistics import Moments
from likely.statistics.statistic import subtract


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
    def of(cls, moments: Moments) -> Shape:
        """(columns, cells) from a statistic (cells, columns)."""
        whole = moments.pooled()
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


class Described(Protocol):
    """Predictive distributions, any shape; `silent` ones say nothing."""

    @property
    def silent(self) -> Array: ...

    def log_density(self, values: Floats) -> Floats:
        """Log densities, or log probabilities, of values that broadcast against the distributions."""

    def sample(self, at: tuple[Array, ...], rng: np.random.Generator) -> Floats:
        """A value of each distribution that `at` picks."""


D = TypeVar("D", bound=Described)


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
        return Shape.of(self.moments)

    @cached_property
    def described(self) -> D:
        """(columns, cells)."""
        return self.describe(self.shape)

    @cached_property
    def presence(self) -> tuple[Floats, Floats]:
        """(columns, cells): log probabilities that a value is present, and that it is missing."""
        return presence(self.setting, self.rows, self.shape.count)

    def terms(self, block: Block) -> Floats:
        return terms_of(self.described, self.presence, block.reals[:, self.at])

    def sample(self, cells: Array, rng: np.random.Generator) -> Array:
        columns = np.arange(len(self.names))
        drawn = self.described.sample((columns[None, :], cells[:, None]), rng)
        return with_holes(drawn, self.presence[1], self.setting, cells, rng)

    def without(self, block: Block) -> Floats:
        """(rows, cells): summed terms with each row taken out of its own cell, and so out of the whole column."""
        own, weights = own_weights(block)
        values = block.reals[:, self.at]
        at_own = own[:, None] == np.arange(len(self.rows))
        rows = np.where(at_own, subtract(self.rows[own], weights)[:, None], self.rows)
        out = np.zeros(at_own.shape)
        for shape, value in zip(self._shapes_without(block.start, values, own, weights), values.T, strict=True):
            here, gone = presence(self.setting, rows, shape.count)
            density = self.describe(shape).log_density(np.nan_to_num(value)[:, None])
            out += np.where(np.isnan(value)[:, None], gone, density + here)
        return out

    def _shapes_without(self, start: int, values: Floats, own: Array, weights: Floats) -> Iterator[Shape]:
        """The shape (rows, cells) of each column, with each row taken out."""
        moments, columns = self.moments, np.arange(values.shape[1])
        single = own_moments(values, weights)
        rest = moments.take(own, columns) - single
        if not rest.possible():
            row, column = np.argwhere(rest.impossible())[0]
            raise never_learnt(start + int(row), f"its class has no such value of {self.names[column]!r}")
        whole = moments.pooled().take(np.zeros(len(own), dtype=np.int64), columns) - single
        at_own = own[:, None] == np.arange(len(self.rows))
        cells, left, column = _parts(moments), _parts(rest), _parts(whole)
        others = np.stack([np.delete(cells[2], cell, axis=0).sum(axis=0) for cell in range(len(self.rows))])
        for j in columns:
            mixed = [np.where(at_own, mine[:, j, None], all_[:, j]) for mine, all_ in zip(left, cells, strict=True)]
            total = [part[:, j, None] for part in column]
            yield Shape(*[*mixed, *total, others[own, j, None] + left[2][:, j, None]])


@dataclass(frozen=True)
class Drawn:
    """Distributions under parameters drawn once from their posterior, summed column by column."""

    described: Described
    at: Array | slice
    presence: tuple[Floats, Floats]

    def add(self, block: Block, out: Floats) -> None:
        out += terms_of(self.described, self.presence, block.reals[:, self.at]).sum(axis=1)


def terms_of(described: Described, known: tuple[Floats, Floats], values: Floats) -> Floats:
    """(rows, columns, cells)."""
    here, gone = known
    value = values[:, :, None]
    return np.where(np.isnan(value), gone, described.log_density(np.nan_to_num(value)) + here)


def _parts(moments: Moments) -> tuple[Floats, Floats, Floats]:
    return moments.count, moments.mean, moments.spread


def own_moments(values: Floats, weights: Floats) -> Moments:
    """(rows, columns): the moments of each row by itself; a missing value counts nothing."""
    present = ~np.isnan(values)
    x = np.where(present, values, 0.0)
    weight = np.where(present, weights[:, None], 0.0)
    total = two_product(weight, x)
    square = multiply2(*two_product(x, x), weight)
    return Moments(weight, *total, *square, np.zeros_like(weight))
