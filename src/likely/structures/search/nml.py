"""Normalised maximum likelihood: the log likelihood less what fitting any rows of this number would gain."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from likely.core.numerics import Array, Floats
from likely.kernels.search.family_scores import cell_regrets, family_scores, regret, regrets_of
from likely.structures.search.scores import FamilyScore, LikelihoodScore, fit_of

MOST_ROWS_TABULATED = 1024  # numbers of rows whose regret is kept in a table; beyond, a short series gives it
FIT = LikelihoodScore("log-likelihood", price=0.0)


@dataclass(frozen=True)
class FactorizedNML(FamilyScore):
    """Each cell of the parents is normalised by itself (Silander, Roos, Kontkanen and Myllymäki 2008)."""

    name: str = "fnml"

    @property
    def equivalent(self) -> bool:
        return False

    def of(self, counts: Array, cells: int, weight: float) -> float:
        levels, seen = counts.shape[1], counts.sum(axis=1).astype(np.float64)
        return float(fit_of(counts) - cell_regrets(seen, levels, _regrets(levels)))

    def beside(self, counts: Array, levels: int, starts: Array, sizes: Array, cells: int, weights: Floats) -> Floats:
        return np.asarray(family_scores(np.ascontiguousarray(counts), levels, starts, sizes, None, _regrets(levels)))


@dataclass(frozen=True)
class QuotientNML(FamilyScore):
    """The node with its parents is normalised as one column, less the parents as one (Silander and others 2018)."""

    name: str = "qnml"

    def of(self, counts: Array, cells: int, weight: float) -> float:
        return fit_of(counts) - _quotient(weight, cells, counts.shape[1])

    def beside(self, counts: Array, levels: int, starts: Array, sizes: Array, cells: int, weights: Floats) -> Floats:
        fits = FIT.beside(counts, levels, starts, sizes, cells, weights)
        pairs = zip(weights.tolist(), sizes.tolist(), strict=True)
        return np.asarray(fits - np.array([_quotient(weight, cells * size, levels) for weight, size in pairs]))


def _quotient(weight: float, cells: int, levels: int) -> float:
    return log_regret(weight, cells * levels) - log_regret(weight, cells)


@lru_cache(maxsize=1 << 16)
def log_regret(rows: float, levels: int) -> float:
    """The log of the sum, over all ways that so many rows may turn out, of their likelihood at its best.

    It is exact for whole numbers of rows, in min(rows, levels) steps, and on a straight line between them.

    >>> round(log_regret(1, 5), 6) == round(float(np.log(5)), 6)  # one row: each of the five levels fits perfectly
    True
    """
    low = int(rows)
    below = regret(float(low), float(levels))
    return float(below + (rows - low) * (regret(low + 1.0, float(levels)) - below) if rows > low else below)


@lru_cache(maxsize=256)
def _regrets(levels: int) -> Floats:
    return np.asarray(regrets_of(float(levels), MOST_ROWS_TABULATED))
