"""Rows with missing values, all patterns at once: squared lengths by the inverse, less those of missing columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats

# Of the largest to the smallest eigenvalue: beyond it an inverse has lost too many digits
LARGEST_CONDITION_NUMBER = 1e4


@dataclass(frozen=True)
class Inverse:
    """(classes or 1, d, d) the inverse of covariances that are far from singular; (classes or 1,) log determinants."""

    matrix: Floats
    log_determinant: Floats

    @classmethod
    def of(cls, core: Floats) -> Inverse | None:
        """The inverse of covariances (classes or 1, d, d); None where it would not be accurate."""
        if not core.size:
            return None
        sizes, axes = np.linalg.eigh(core)
        if not (sizes[:, 0] * LARGEST_CONDITION_NUMBER > sizes[:, -1]).all():
            return None
        return cls(axes / sizes[:, None, :] @ np.swapaxes(axes, -1, -2), np.log(sizes).sum(axis=-1))

    def squares(self, away: Floats, missing: Array) -> tuple[Floats, Floats]:
        """(rows, classes) twice: squared lengths of rows (rows, classes, d), zero where missing, and log determinants.

        The length of what is there is the least that any values of the missing columns could give, and the determinant
        of its covariance is that of the whole times that of the inverse in the missing columns.

        >>> both = Inverse.of(np.array([[[2.0, 1.0], [1.0, 2.0]]]))
        >>> size, log_determinant = both.squares(np.array([[[2.0, 0.0]]]), np.array([[False, True]]))
        >>> size.round(9).tolist(), np.exp(log_determinant).round(9).tolist()
        ([[2.0]], [[2.0]])
        """
        turned = np.swapaxes(np.swapaxes(away, 0, 1) @ self.matrix, 0, 1)
        size = (away * turned).sum(axis=-1)
        log_determinant = np.broadcast_to(self.log_determinant, size.shape).copy()
        count = missing.sum(axis=1)
        for holes in np.unique(count[count > 0]):
            rows = np.flatnonzero(count == holes)
            at = np.nonzero(missing[rows])[1].reshape(len(rows), holes)
            taken, extra = self._missing(np.moveaxis(turned[rows[:, None], :, at], 1, 0), at.T)
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


def _products(one: Sequence[Floats], other: Sequence[Floats], shape: tuple[int, ...]) -> Floats:
    """The sum of the products of the entries that both have."""
    total = np.zeros(shape)
    for left, right in zip(one, other, strict=False):
        total += left * right
    return total
