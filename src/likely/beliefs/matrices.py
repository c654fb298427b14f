"""Stacks of vectors and of symmetric matrices: (..., d) and (..., d, d)."""

from __future__ import annotations

import numpy as np

from likely.beliefs.forms import Array, shape_error
from likely.errors import OptionError


def symmetric(name: str, matrix: Array) -> Array:
    """(..., d, d): the matrix, if it is square and its own mirror image up to rounding.

    >>> symmetric("scale", np.array([[1.0, 2.0], [0.0, 1.0]]))
    Traceback (most recent call last):
    likely.errors.OptionError: [O214] scale must be symmetric
      at: scale=
      hint: give a sum of squares and products, or a covariance times its count
    """
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2] or matrix.shape[-1] == 0:
        raise shape_error({name: matrix.shape}, f"{name} must be (..., d, d)")
    mirror = np.swapaxes(matrix, -1, -2)
    # Columns may differ in size by many orders, so an entry is compared with what its two columns allow it to be.
    size = np.sqrt(np.abs(np.diagonal(matrix, axis1=-2, axis2=-1)))
    if not (np.abs(matrix - mirror) <= 1e-8 * size[..., :, None] * size[..., None, :]).all():
        hint = "give a sum of squares and products, or a covariance times its count"
        raise OptionError("O214", f"{name} must be symmetric", place=f"{name}=", hint=hint)
    return (matrix + mirror) / 2.0


def root(name: str, matrix: Array) -> Array:
    """(..., d, d): the lower triangular L with L Lᵀ = matrix.

    >>> root("scale", np.array([[1.0, 2.0], [2.0, 1.0]]))
    Traceback (most recent call last):
    likely.errors.OptionError: [O215] scale must be positive definite
      at: scale=
      hint: columns must not repeat or sum up one another; a positive prior scale keeps them apart
    """
    try:
        return np.asarray(np.linalg.cholesky(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        hint = "columns must not repeat or sum up one another; a positive prior scale keeps them apart"
        raise OptionError("O215", f"{name} must be positive definite", place=f"{name}=", hint=hint) from None


def inverse(lower: Array) -> Array:
    """(..., d, d): the inverse of a triangular root."""
    return np.asarray(np.linalg.inv(lower), dtype=np.float64)


def log_determinant(lower: Array) -> Array:
    """(...): the log determinant of L Lᵀ, given L.

    >>> float(log_determinant(np.diag([1.0, np.e])))
    2.0
    """
    return np.asarray(2.0 * np.log(np.diagonal(lower, axis1=-2, axis2=-1)).sum(axis=-1))


def times(matrix: Array, vector: Array) -> Array:
    """(..., d): matrix (..., d, d) times vector (..., d), with the leading axes broadcast.

    >>> times(np.array([[0.0, 1.0], [2.0, 0.0]]), np.array([3.0, 4.0])).tolist()
    [4.0, 6.0]
    """
    if matrix.ndim == 2:  # one matrix for all vectors is a single product
        return np.asarray(vector @ matrix.T)
    return np.asarray(np.einsum("...ij,...j->...i", matrix, vector))


def outer(vector: Array) -> Array:
    """(..., d, d): the products of the entries of vector (..., d).

    >>> outer(np.array([1.0, 2.0])).tolist()
    [[1.0, 2.0], [2.0, 4.0]]
    """
    return np.asarray(vector[..., :, None] * vector[..., None, :])


def bartlett(freedom: Array, columns: int, size: tuple[int, ...], rng: np.random.Generator) -> Array:
    """(..., d, d): lower triangular A, of which A Aᵀ is a standard Wishart draw; freedom (...) broadcasts to size.

    >>> bartlett(np.array(5.0), 2, (4,), np.random.default_rng(0)).shape
    (4, 2, 2)
    """
    draw = np.tril(rng.standard_normal((*size, columns, columns)), k=-1)
    order = np.arange(columns)
    draw[..., order, order] = np.sqrt(rng.chisquare(freedom[..., None] - order, size=(*size, columns)))
    return draw


def length(vector: Array) -> Array:
    """(...): the Euclidean length of vector (..., d), however long.

    >>> round(float(length(np.array([3e200, 4e200]))) / 1e200, 12)
    5.0
    """
    with np.errstate(over="ignore"):
        found = np.sqrt(np.einsum("...i,...i->...", vector, vector))
    return found if np.isfinite(found).all() else np.asarray(np.hypot.reduce(vector, axis=-1))
