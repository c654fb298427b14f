"""How well parents explain a node, from counts: likelihood less a price for each free number. Higher is better."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from likely.core.numerics import Array, Floats
from likely.kernels.search.parent_likelihoods import fits, fits_of_weights, log_table


def fit_of(counts: Array) -> float:
    """The log likelihood of rows under their own shares, from counts (cells, levels).

    >>> round(fit_of(np.array([[3, 1], [0, 2]])), 4)
    -2.2493
    """
    return float(xlogy(counts, counts).sum() - xlogy(cells := counts.sum(axis=-1), cells).sum())


@dataclass(frozen=True)
class FamilyScore(ABC):
    """A score of families: a sum over nodes, of each with its parents."""

    name: str

    @property
    def equivalent(self) -> bool:
        """Whether graphs that say the same about independence have the same score."""
        return True

    @property
    def by_cell(self) -> bool:
        """Whether it must know which cells counts are of: then it is asked for each family, and all its cells."""
        return False

    def price_of(self, weight: float) -> float | None:
        """What a free number costs, where the score is a log likelihood less a price; else None."""
        return None

    @abstractmethod
    def of(self, counts: Array, cells: int, weight: float) -> float:
        """The score of a node from its counts (cells of its parents that were seen, levels).

        `cells` is how many there are, with those never seen; `weight` is that of all rows, which the counts add up to.
        """

    def family(self, node: int, parents: Sequence[int], counts: Array, cells: int) -> float:
        """The score of a node below its parents, from the same counts: all cells in order where it goes `by_cell`."""
        return self.of(counts, cells, float(counts.sum()))

    def beside(self, counts: Array, levels: int, starts: Array, sizes: Array, cells: int, weights: Floats) -> Floats:
        """(columns,): the score with each column as one more parent.

        `counts` (cells seen × levels, slots) are of all columns side by side, by the cells of the parents and the
        node's own level, which runs fastest; those of a column begin at its start, one slot for each of its levels, and
        add up to its weight.
        """
        tables = counts.reshape(-1, levels, counts.shape[1])
        out = np.empty(len(starts))
        for at, (start, size) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=True)):
            mine = tables[:, :, start : start + size].transpose(0, 2, 1).reshape(-1, levels)
            out[at] = self.of(mine[mine.any(axis=1)], cells * size, float(weights[at]))
        return out


@dataclass(frozen=True)
class LikelihoodScore(FamilyScore):
    """The log likelihood of the rows under their own shares, in nats, less a price for each free number.

    `price` is the price of one, or None for half the log of the weight of the rows.
    """

    price: float | None = None

    @property
    def by_cell(self) -> bool:
        """Whether it must know which cells counts are of: then it is asked for each family, and all its cells."""
        return False

    def price_of(self, weight: float) -> float:
        return 0.5 * math.log(max(weight, 1.0)) if self.price is None else self.price

    def of(self, counts: Array, cells: int, weight: float) -> float:
        return float(fit_of(counts) - self.price_of(weight) * cells * (counts.shape[1] - 1))

    def beside(self, counts: Array, levels: int, starts: Array, sizes: Array, cells: int, weights: Floats) -> Floats:
        if counts.dtype == np.int64:
            found = fits(counts, levels, log_table(int(counts.sum(axis=0).max(initial=0))))
        else:
            found = fits_of_weights(counts, levels)
        between = np.stack([starts, starts + sizes], axis=1).ravel()  # a column ends where the missing values begin
        fit = np.add.reduceat(np.append(found, 0.0), between)[::2]
        price = 0.5 * np.log(np.maximum(weights, 1.0)) if self.price is None else self.price
        return np.asarray(fit - price * cells * (levels - 1) * sizes)
