"""Vectors in some of their columns: what is left when the other columns are summed out, for incomplete rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.kernels.densities.quadratic_forms import pad_whiteners, squares

SCALED_DEVIATIONS = 1e100  # deviations away: beyond it squares are counted in a larger unit
MOST_DEVIATIONS = 1e300
MANY_MATRICES, SMALL_MATRIX = 64, 32  # that are inverted together; their columns


@dataclass(frozen=True)
class Marginal:
    """(classes, d): mean and scale in the columns `at`; core and whiteners (classes or 1, d, d), in deviations."""

    at: Array
    mean: Floats
    scale: Floats
    core: Floats
    lower: Floats
    white: Floats  # the inverse of the lower root

    @classmethod
    def of(cls, at: Array, mean: Floats, scale: Floats, core: Floats) -> Marginal:
        lower: Floats = np.asarray(np.linalg.cholesky(core), dtype=np.float64)
        return cls(at, mean, scale, core, lower, inverse_roots(lower))

    @cached_property
    def whiteners(self) -> Floats:
        """(classes, d, d): what turns a row less the mean into independent deviations."""
        return np.ascontiguousarray(self.white / self.scale[:, None, :])

    @cached_property
    def _padded(self) -> Floats:
        return pad_whiteners(self.whiteners)

    @cached_property
    def precisions(self) -> Floats:
        """(classes, d, d): inverse covariances."""
        return np.asarray(np.swapaxes(self.whiteners, -1, -2) @ self.whiteners)

    @cached_property
    def log_determinant(self) -> Floats:
        """(classes,)."""
        root = np.log(np.diagonal(self.lower, axis1=-2, axis2=-1)).sum(axis=-1)
        return np.asarray(2.0 * (root + np.log(self.scale).sum(axis=-1)))

    @cached_property
    def shares(self) -> Floats:
        """(classes, d): the log determinant split into columns, by the diagonal of the matrix logarithm of the core."""
        values, vectors = np.linalg.eigh(self.core)
        # the smallest eigenvalues are known to rounding of the largest only; the sum is set right by the score
        logs = np.log(np.maximum(values, np.finfo(np.float64).tiny))
        return np.asarray((np.square(vectors) * logs[:, None, :]).sum(axis=-1) + 2.0 * np.log(self.scale))

    def squares(self, values: Floats) -> tuple[Floats, Floats]:
        """(rows, classes): squared lengths of values from each mean, and the unit that they are counted in.

        >>> flat = Marginal.of(np.array([0]), np.zeros((1, 1)), np.ones((1, 1)), np.ones((1, 1, 1)))
        >>> flat.squares(np.array([[3.0], [1e300]]))[0].tolist()
        [[9.0], [1e+200]]
        """
        out, unit = np.zeros((len(values), len(self.mean))), np.ones((len(values), 1))
        if not len(self.at):
            return out, unit
        with np.errstate(over="ignore", invalid="ignore"):
            squares(np.ascontiguousarray(values), self.mean, self._padded, out)
        far = np.flatnonzero(~np.isfinite(out).all(axis=1))
        if len(far):  # their squares are no doubles
            away = deviations(values[far, None, :], self.mean, self.scale)
            unit = np.broadcast_to(unit, out.shape).copy()
            unit[far] = far_unit(away)
            out[far] = np.square(self.whitened(away / unit[far, :, None])).sum(axis=-1)
        return out, unit

    def whitened(self, away: Floats) -> Floats:
        """(rows, classes, d) of rows less the means, in deviations: the same in independent ones."""
        return _turned(away, np.swapaxes(self.white, -1, -2))

    def precise(self, away: Floats) -> Floats:
        """(rows, classes, d): the inverse core times rows less the means, in deviations."""
        return _turned(self.whitened(away), self.white)


def inverse_roots(lower: Floats) -> Floats:
    """(n, d, d): the inverses of lower triangular matrices; of many small ones together, an entry at a time.

    >>> inverse_roots(np.array([[[2.0, 0.0], [1.0, 4.0]]])).tolist()
    [[[0.5, 0.0], [-0.125, 0.25]]]
    """
    count, width = lower.shape[:2]
    if count < MANY_MATRICES or width > SMALL_MATRIX:
        return np.asarray(np.tril(np.linalg.inv(lower)))
    given, out = np.ascontiguousarray(np.moveaxis(lower, 0, 2)), np.zeros((width, width, count))
    for i in range(width):
        out[i, i] = 1.0
        for j in range(i):
            out[i, : j + 1] -= given[i, j] * out[j, : j + 1]
        out[i, : i + 1] /= given[i, i]
    return np.ascontiguousarray(np.moveaxis(out, 2, 0))


def _turned(vectors: Floats, matrices: Floats) -> Floats:
    """(rows, classes, d): each vector times the matrix of its class, as one product a class."""
    return np.swapaxes(np.swapaxes(vectors, 0, 1) @ matrices, 0, 1)


def deviations(values: Floats, mean: Floats, scale: Floats) -> Floats:
    """(values - mean) / scale, no further than a double reaches."""
    with np.errstate(over="ignore"):
        return np.asarray(np.clip((values - mean) / scale, -MOST_DEVIATIONS, MOST_DEVIATIONS))


def far_unit(away: Floats) -> Floats:
    """(...): a unit in which the squares of deviations (..., d) are doubles; one unless they are far out."""
    return np.asarray(np.maximum(np.abs(away).max(axis=-1, initial=0.0) / SCALED_DEVIATIONS, 1.0))


def patterns(values: Floats, live: Array) -> Iterator[tuple[Array | slice, Array]]:
    """Rows of values (rows, d) that have the same live (d,) columns, and these columns.

    >>> some = np.array([[1.0, 2.0], [np.nan, 4.0], [5.0, 6.0]])
    >>> [(rows.tolist(), at.tolist()) for rows, at in patterns(some, np.array([True, True]))]
    [([1], [1]), ([0, 2], [0, 1])]
    """
    holes = np.isnan(values)
    if not holes.any():
        yield slice(None), np.flatnonzero(live)
        return
    present = ~holes & live
    _, first, group = np.unique(np.packbits(present, axis=1), axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1)
    order, ends = np.argsort(group, kind="stable"), np.cumsum(np.bincount(group))
    for start, end, row in zip(np.append(0, ends[:-1]), ends, first, strict=True):
        yield order[start:end], np.flatnonzero(present[row])


def submatrix(values: Floats, rows: Array | slice, at: Array) -> Floats:
    """Some rows and columns of values; the values themselves, uncopied, where these are all."""
    given = values[rows]
    return given if len(at) == values.shape[1] else given[:, at]
