"""Rows with missing values, all patterns at once: squared lengths by the inverse, less those of missing columns."""

from __future__ import annotations

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
            lower = np.linalg.cholesky(np.swapaxes(self.matrix[:, at[:, :, None], at[:, None, :]], 0, 1))
            pull = np.take_along_axis(turned[rows], at[:, None, :], axis=2)
            taken = np.linalg.solve(lower, pull[..., None])[..., 0]
            size[rows] -= np.square(taken).sum(axis=-1)
            log_determinant[rows] += 2.0 * np.log(np.diagonal(lower, axis1=-2, axis2=-1)).sum(axis=-1)
        return np.maximum(size, 0.0), log_determinant
