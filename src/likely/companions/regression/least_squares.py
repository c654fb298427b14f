"""Least squares from centred products alone: plain, with a squared and with an absolute penalty."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from likely.core.cache import cached_property, turn
from likely.core.numerics import Array, Floats

DEPENDENT_SHARE = 1e-13  # of a column's spread: what the columns before it must leave of it
REFINEMENT_ROUNDS = 20  # of refinement: each brings a few digits, and few are needed
SMALLEST_PART = 1e-7  # of a column's spread: a part of a combination below this is rounding
ZERO_SLOPE_SHARE = 1e-7  # of what a slope can be at most: one of the lasso that is none
MOST_TERMS_NAMED = 4  # that are named of a column which others make up

Long = np.longdouble  # more digits than a double, where the machine has them


@dataclass(frozen=True, eq=False)
class NormalEquations:
    """The normal equations gram (width, width) · coefficients = moment (width,), in long numbers, of so much weight.

    `square` is what the targets themselves spread about their mean.
    """

    gram: Array
    moment: Array
    square: Any
    weight: float

    @property
    def width(self) -> int:
        return len(self.moment)

    def left(self, coefficients: Array) -> float:
        """The sum of squares that coefficients leave."""
        long = coefficients.astype(Long)
        return max(float(self.square - 2 * long @ self.moment + long @ (self.gram @ long)), 0.0)


@dataclass(frozen=True, eq=False)
class LeastSquaresSolution:
    """coefficients (width,); variance (width, width): their covariance, in units of the residual variance.

    `kept` are the columns that no others make up, and `constant` those that never change. `parts` (dependent, kept)
    tells of the rest how they are made up of the kept ones. The variance is None where there is none to tell.
    `converged`: whether they are the best, which only the lasso has to search for.
    """

    coefficients: Floats
    variance: Floats | None
    kept: Array
    dependent: Array
    constant: Array
    parts: Floats
    converged: bool = True

    @property
    def rank(self) -> int:
        return len(self.kept)


def least_squares(normal: NormalEquations, strength: float = 0.0) -> LeastSquaresSolution:
    """Coefficients with the least sum of squares + strength · their squares; of many such, the smallest ones.

    >>> gram, moment = np.array([[4.0, 2.0], [2.0, 3.0]], dtype=Long), np.array([2.0, 2.0], dtype=Long)
    >>> least_squares(NormalEquations(gram, moment, Long(2), 5.0)).coefficients.tolist()
    [0.25, 0.5]
    """
    gram = normal.gram + Long(strength) * np.eye(normal.width, dtype=Long)
    factor = GramFactor(gram)
    out = np.zeros(normal.width, dtype=Long)
    out[factor.kept] = factor.solve(normal.moment[factor.kept])
    parts = factor.solve(gram[np.ix_(factor.kept, factor.dependent)]).T
    variance = np.zeros((normal.width, normal.width))
    variance[np.ix_(factor.kept, factor.kept)] = factor.inverse
    null = _null(factor, parts)
    if null.shape[1]:  # the part of the solution that says nothing of the rows is taken away
        free = linalg.orth(null.astype(np.float64))
        out = out - free @ (free.T @ out)
        away = np.eye(normal.width) - free @ free.T
        variance = away @ variance @ away
    return LeastSquaresSolution(
        out.astype(np.float64), variance, factor.kept, factor.dependent, factor.constant, parts.astype(np.float64)
    )


def _null(factor: GramFactor, parts: Array) -> Array:
    """(width, dependent): combinations of columns that are nothing at all; constants have none but zero anyway."""
    out = np.zeros((len(factor.scale), len(factor.dependent)), dtype=Long)
    out[factor.kept] = -parts.T
    out[factor.dependent, np.arange(len(factor.dependent))] = 1.0
    return out


def absolute(normal: NormalEquations, strength: float) -> LeastSquaresSolution:
    """Coefficients with the least mean square / 2 + strength · their absolute values: the lasso.

    Coordinates descend on a root of the gram matrix, which is as good as the rows; then the equations of those that
    are not zero are solved as they stand.
    """
    out = _descended(normal, strength)
    active = np.flatnonzero(out)
    factor = GramFactor(normal.gram[np.ix_(active, active)])
    if factor.rank == len(active):
        signs = np.sign(out[active])
        exact = factor.solve(normal.moment[active] - Long(strength * normal.weight) * signs)
        if (np.sign(exact) == signs).all():
            out[active] = exact.astype(np.float64)
    whole = GramFactor(normal.gram)
    nothing = np.zeros((len(whole.dependent), whole.rank))
    return LeastSquaresSolution(
        out, None, whole.kept, whole.dependent, whole.constant, nothing, _best(normal, strength, out)
    )


def _best(normal: NormalEquations, strength: float, found: Floats) -> bool:
    """Whether no other coefficients are better: the slope of each is the penalty's, or within it where it is zero."""
    scale = np.sqrt(np.maximum(np.diag(normal.gram) * normal.square, 0))
    slope, pull = normal.moment - normal.gram @ found.astype(Long), Long(strength * normal.weight)
    off = np.where(found != 0, np.abs(slope - pull * np.sign(found)), np.maximum(np.abs(slope) - pull, 0))
    return bool((off <= ZERO_SLOPE_SHARE * np.maximum(scale, pull)).all())


def _descended(normal: NormalEquations, strength: float) -> Floats:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import Lasso

    gram = normal.gram.astype(np.float64)
    scale = np.sqrt(np.maximum(np.diag(gram), 0.0))
    scale[scale == 0] = 1.0
    values, vectors = linalg.eigh(gram / scale / scale[:, None])
    real = values > DEPENDENT_SHARE
    if not real.any():
        return np.zeros(normal.width)
    root = np.sqrt(values[real])[:, None] * vectors[:, real].T  # root.T @ root = gram, up to the scale
    amounts = vectors[:, real].T @ (normal.moment.astype(np.float64) / scale) / np.sqrt(values[real])
    rows = root * scale
    solver = Lasso(strength * normal.weight / len(rows), fit_intercept=False, tol=1e-13, max_iter=100_000)
    # what it did not reach is solved afterwards; filters are of the whole process, and put back in turn
    with turn("warnings"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.array(solver.fit(rows, amounts).coef_, dtype=np.float64)


class GramFactor:
    """A root of a gram matrix whose columns were brought to one scale, for those columns that others do not make up."""

    def __init__(self, gram: Array) -> None:
        self.gram = gram
        self.scale = np.sqrt(np.maximum(np.diag(gram), 0)).astype(np.float64)
        moving = np.flatnonzero(self.scale > 0)
        self.constant = np.flatnonzero(self.scale <= 0)
        order, rank = _ranked(self._scaled(moving))
        self.kept, self.dependent = np.sort(moving[order[:rank]]), np.sort(moving[order[rank:]])
        self._root = linalg.cho_factor(self._scaled(self.kept)) if rank else None

    @property
    def rank(self) -> int:
        return len(self.kept)

    def _scaled(self, at: Array) -> Floats:
        scale = self.scale[at]
        return np.asarray(self.gram[np.ix_(at, at)] / scale / scale[:, None], dtype=np.float64)

    def solve(self, right: Array) -> Array:
        """gram[kept, kept]⁻¹ right, in long numbers: solved in short ones, and what is left over solved again."""
        if self._root is None:
            return np.zeros_like(right, dtype=Long)
        gram = self.gram[np.ix_(self.kept, self.kept)]
        scale = self.scale[self.kept] if right.ndim == 1 else self.scale[self.kept][:, None]
        out, before = np.zeros_like(right, dtype=Long), np.inf
        for _ in range(REFINEMENT_ROUNDS):
            rest = ((right - gram @ out) / scale).astype(np.float64)
            size = float(np.abs(rest).max(initial=0.0))
            if not 0 < size < before / 2:
                break
            out, before = out + linalg.cho_solve(self._root, rest) / scale, size
        return out

    @cached_property
    def inverse(self) -> Floats:
        """(kept, kept): of the gram matrix."""
        scale = self.scale[self.kept]
        if self._root is None:
            return np.zeros((0, 0))
        with np.errstate(over="ignore"):  # of columns so small that nothing is known of their coefficients
            return np.asarray(linalg.cho_solve(self._root, np.eye(self.rank)) / scale / scale[:, None])


def _ranked(scaled: Floats) -> tuple[Array, int]:
    """The columns, the most telling first, and how many of them the others do not make up."""
    if not len(scaled):
        return np.zeros(0, dtype=np.int64), 0
    if linalg.lapack.dpotrf(scaled)[1] == 0:
        root, _ = linalg.lapack.dpotrf(scaled)
        if (np.diag(root) ** 2).min() > 1e3 * DEPENDENT_SHARE:  # far from any doubt, whatever the order
            return np.arange(len(scaled)), len(scaled)
    _, order, rank, _ = linalg.lapack.dpstrf(scaled, tol=DEPENDENT_SHARE)
    return order - 1, int(rank)


def describe_combination(parts: Floats, scale: Floats, mine: float, names: tuple[str, ...]) -> str:
    """What a column is made up of, in words; of many others, the first few.

    >>> describe_combination(np.array([1.0, -2.0, 1e-12]), np.ones(3), 1.0, ("a", "b", "c"))
    'a - 2 b'
    """
    said, telling = "", np.flatnonzero(np.abs(parts) * scale > SMALLEST_PART * mine).tolist()
    for at in telling[:MOST_TERMS_NAMED]:
        sign = ("-" if parts[at] < 0 else "") if not said else (" - " if parts[at] < 0 else " + ")
        size = f"{abs(parts[at]):.4g}"
        said += f"{sign}{names[at]}" if size == "1" else f"{sign}{size} {names[at]}"
    return said + (f" and {len(telling) - MOST_TERMS_NAMED} more terms" if len(telling) > MOST_TERMS_NAMED else "")
