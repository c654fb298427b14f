"""Rows with missing values, all patterns at once: squared lengths by the inverse, less those of missing columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats
from likely.families.multivariate.marginals import Marginal

# Of the largest to the smallest eigenvalue: beyond it an inverse has lost too many digits
LARGEST_CONDITION_NUMBER = 1e4


@dataclass(frozen=True)
class InverseCovariances:
    """(classes or 1, d, d) the inverse of covariances that are far from singular; (classes or 1,) log determinants."""

    matrix: Floats
    log_determinant: Floats

    @classmethod
    def of(cls, whole: Marginal) -> InverseCovariances | None:
        """The inverse of the cores of vectors in all their columns; None where it would not be accurate."""
        if not whole.core.size:
            return None
        matrix = np.swapaxes(whole.white, -1, -2) @ whole.white
        condition = np.linalg.norm(whole.core, axis=(-2, -1)) * np.linalg.norm(matrix, axis=(-2, -1))  # or less
        if not (condition < LARGEST_CONDITION_NUMBER).all():
            return None
        return cls(matrix, 2.0 * np.log(np.diagonal(whole.lower, axis1=-2, axis2=-1)).sum(axis=-1))

    def squares(self, away: Floats, missing: Array) -> tuple[Floats, Floats]:
        """(rows, classes) twice: squared lengths of rows (rows, classes, d), zero where missing, and log determinants.

        The length of what is there is the least that any values of the missing columns could give, and the determinant
        of its covariance is that of the whole times that of the inverse in the missing columns.

        >>> both = InverseCovariances(np.linalg.inv([[[2.0, 1.0], [1.0, 2.0]]]), np.log([3.0]))
        >>> size, log_determinant = both.squares(np.array([[[2.0, 0.0]]]), np.array([[False, True]]))
        >>> size.round(9).tolist(), np.exp(log_determinant).round(9).tolist()
        ([[2.0]], [[2.0]])
        """
        turned = np.swapaxes(np.swapaxes(away, 0, 1) @ self.matrix, 0, 1)
        size = (away * turned).sum(axis=-1)
        log_determinant = np.broadcast_to(self.log_determinant, size.shape).copy()
        for rows, at in by_number_missing(missing):
            taken, extra = self._missing(np.moveaxis(turned[rows[:, None], :, at], 1, 0), at.T)
            size[rows] -= taken
            log_determinant[rows] += extra
        return np.maximum(size, 0.0), log_determinant

    def reduced(self, size: Floats, away: Floats, mean: Floats, missing: Array) -> tuple[Floats, Floats]:
        """The same from the squared lengths (rows, classes) of rows whose missing values are filled in, with anything.

        away (rows, d): the filled rows; mean (classes, d). Nothing is held of each row, class and column: classes may
        be very many.

        >>> both = InverseCovariances(np.linalg.inv([[[2.0, 1.0], [1.0, 2.0]]]), np.log([3.0]))
        >>> filled = np.array([[2.0, 7.0]])
        >>> size = np.einsum("ri,cij,rj->rc", filled, both.matrix, filled)
        >>> size, log_determinant = both.reduced(size, filled, np.zeros((1, 2)), np.array([[False, True]]))
        >>> size.round(9).tolist(), np.exp(log_determinant).round(9).tolist()
        ([[2.0]], [[2.0]])
        """
        start = np.einsum("cij,cj->ic", self.matrix, mean)
        log_determinant = np.broadcast_to(self.log_determinant, size.shape).copy()
        for rows, at in by_number_missing(missing):
            pull = np.empty((at.shape[1], len(rows), len(mean)))
            for column in np.unique(at):
                here, place = np.nonzero(at == column)
                pull[place, here] = away[rows[here]] @ self.matrix[:, column].T - start[column]
            taken, extra = self._missing(pull, at.T)
            size[rows] -= taken
            log_determinant[rows] += extra
        return np.maximum(size, 0.0), log_determinant

    def _missing(self, pull: Floats, at: Array) -> tuple[Floats, Floats]:
        """(rows, classes) twice: the squared length of `pull` (k, rows, classes) in the missing columns `at` (k, rows).

        And the log determinant of the inverse in them. The Cholesky root of very many small matrices at once, entry by
        entry: one by one they would be slow.
        """
        root: list[list[Floats]] = []
        white: list[Floats] = []
        size, log_determinant = np.zeros(pull.shape[1:]), np.zeros(pull.shape[1:])
        for i, mine in enumerate(at):
            row: list[Floats] = []
            for j, other in enumerate(at[: i + 1]):
                rest = self.matrix[:, mine, other].T - _products(row, root[j] if j < i else row, pull.shape[1:])
                row.append(rest / root[j][j] if j < i else np.sqrt(rest))
            root.append(row)
            white.append((pull[i] - _products(row, white, pull.shape[1:])) / row[i])
            size += np.square(white[i])
            log_determinant += 2.0 * np.log(row[i])
        return size, log_determinant


def by_number_missing(missing: Array) -> Iterator[tuple[Array, Array]]:
    """Rows in which as many values are missing, and (rows, how many) which these are.

    >>> [(rows.tolist(), at.tolist()) for rows, at in by_number_missing(np.array([[True, False], [True, True]]))]
    [([0], [[0]]), ([1], [[0, 1]])]
    """
    count = missing.sum(axis=1)
    for holes in np.unique(count[count > 0]):
        rows = np.flatnonzero(count == holes)
        yield rows, np.nonzero(missing[rows])[1].reshape(len(rows), holes)


def _products(one: Sequence[Floats], other: Sequence[Floats], shape: tuple[int, ...]) -> Floats:
    """The sum of the products of the entries that both have."""
    total = np.zeros(shape)
    for left, right in zip(one, other, strict=False):
        total += left * right
    return total
