"""What the families of numbers share: moments of column, classes and cells, and distributions that score rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array, Floats, log
from likely.core.schema import NUMERIC, Schema
from likely.kernels.arithmetic.double import multiply2, two_product
from likely.kernels.memory import classes_last
from likely.statistics import Moments
from likely.statistics.statistic import subtract


@dataclass(frozen=True)
class CellMoments:
    """(..., classes): moments of the values in each cell."""

    count: Floats
    mean: Floats
    spread: Floats

    @classmethod
    def below(cls, moments: Moments, classes: int) -> CellMoments:
        """(cells + 1, columns, classes) from a statistic (classes * cells, columns); the last is no cell."""
        return cls(*(classes_last(part, classes) for part in (moments.count, moments.mean, moments.spread)))


@dataclass(frozen=True)
class Shape(CellMoments):
    """(..., classes): moments of each class; (..., 1): of the whole column, and the spread within its classes."""

    total_count: Floats
    total_mean: Floats
    total_spread: Floats
    within: Floats

    @classmethod
    def of(cls, moments: Moments, whole: Moments) -> Shape:
        """(columns, classes) from a statistic (classes, columns), and from that of all classes together."""
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

    def pick(self, at: Array | tuple[int, ...]) -> Self:
        """Some of the distributions, along the first axis; or those of one place."""


D = TypeVar("D", bound=PredictiveDistributions)


@dataclass(frozen=True)
class NumericScorer(ABC, Generic[D]):
    """described (columns, classes), or (cells + 1, columns, classes), the last for rows without a cell.

    The columns are those `at` of a block's reals; presence (columns, classes) are log probabilities that a value is
    there, and that it is missing.
    """

    described: D
    presence: tuple[Floats, Floats]
    at: Array | slice
    names: tuple[str, ...] = ()

    @abstractmethod
    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        """out (rows, classes) += the sum of the terms; with cells, of all columns but those at the places to `skip`."""

    def terms(self, block: Block, cells: Array | None = None) -> Floats:
        """(rows, columns, classes)."""
        return self.terms_of(block.reals[:, self.at], cells)

    def terms_of(self, values: Floats, cells: Array | None) -> Floats:
        """(rows, columns, classes), of values (rows, columns)."""
        described = self.described if cells is None else self.described.pick(cells)  # no cell is -1, and so the last
        (here, gone), value = self.presence, values[:, :, None]
        return np.where(np.isnan(value), gone, described.log_density(np.nan_to_num(value)) + here)


def rows_without(rows: Array, own: Array, weights: Floats) -> Array:
    """(rows, classes): the weight of the rows of each class, with each row taken out of its own."""
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


def nowhere(moments: Moments) -> Moments:
    """Moments of no cell, of as many columns."""
    return Moments(**{name: array[:0] for name, array in moments.arrays().items()})


def own_moments(values: Floats, weights: Floats) -> Moments:
    """(rows, columns): the moments of each row by itself; a missing value counts nothing."""
    present = ~np.isnan(values)
    x = np.where(present, values, 0.0)
    weight = np.where(present, weights[:, None], 0.0)
    total = two_product(weight, x)
    square = multiply2(*two_product(x, x), weight)
    return Moments(weight, *total, *square, np.zeros_like(weight))
