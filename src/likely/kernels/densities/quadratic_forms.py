"""Quadratic and linear forms of rows, for every cell at once."""

import numpy as np

from likely.core.numerics import Floats
from likely.kernels.compiler import njit
from likely.kernels.memory import aligned_zeros

ROWS_TOGETHER = 128  # rows taken together: they stay in the nearest cache


def squares(values: Floats, centres: Floats, whiteners: Floats, out: Floats) -> None:
    """out (rows, cells): |W (x - m)|² of rows x (rows, d) for centres m (cells, d), lower triangular W (cells, d, d).

    The W come from `pad_whiteners`. A row that has a NaN has only NaNs.

    >>> out, whiteners = np.empty((1, 1)), pad_whiteners(np.array([[[1.0, 0.0], [1.0, 2.0]]]))
    >>> squares(np.array([[3.0, 4.0]]), np.array([[1.0, 1.0]]), whiteners, out)
    >>> out.tolist()
    [[68.0]]
    """
    room = aligned_zeros((2, whiteners.shape[1], ROWS_TOGETHER))
    add_squares(np.ascontiguousarray(values), np.ascontiguousarray(centres), whiteners, room, out)


def pad_whiteners(whiteners: Floats) -> Floats:
    """(cells, d, d) -> (cells, padded, padded): padded by zeros to a multiple of four, on a cache line."""
    cells, columns, _ = whiteners.shape
    wide = -(-columns // 4) * 4
    padded: Floats = aligned_zeros((cells, wide, wide))
    padded[:, :columns, :columns] = whiteners
    return padded


@njit(nogil=True, cache=True, fastmath={"contract"})
def add_squares(values, centres, whiteners, room, out):
    """Rows lie side by side, one to a lane; two rows of W meet four columns at a time, and none above the diagonal."""
    turned, away = room[0], room[1]
    one, other, total = np.empty(ROWS_TOGETHER), np.empty(ROWS_TOGETHER), np.empty(ROWS_TOGETHER)
    for start in range(0, len(values), ROWS_TOGETHER):
        n = min(ROWS_TOGETHER, len(values) - start)
        for j in range(values.shape[1]):
            for i in range(n):
                turned[j, i] = values[start + i, j]
        for cell in range(len(centres)):
            for j in range(values.shape[1]):
                centre = centres[cell, j]
                for i in range(ROWS_TOGETHER):
                    away[j, i] = turned[j, i] - centre
            total[:] = 0.0
            for j in range(0, values.shape[1], 2):
                one[:] = 0.0
                other[:] = 0.0
                w, v = whiteners[cell, j], whiteners[cell, j + 1]
                for k in range(0, j + 2, 4):
                    w0, w1, w2, w3 = w[k], w[k + 1], w[k + 2], w[k + 3]
                    v0, v1, v2, v3 = v[k], v[k + 1], v[k + 2], v[k + 3]
                    for i in range(ROWS_TOGETHER):
                        x0, x1, x2, x3 = away[k, i], away[k + 1, i], away[k + 2, i], away[k + 3, i]
                        one[i] += w0 * x0 + w1 * x1 + w2 * x2 + w3 * x3
                        other[i] += v0 * x0 + v1 * x1 + v2 * x2 + v3 * x3
                for i in range(ROWS_TOGETHER):
                    total[i] += one[i] * one[i] + other[i] * other[i]
            for i in range(n):
                out[start + i, cell] = total[i]


def linear(values: Floats, centre: Floats, weights: Floats, constant: Floats, out: Floats) -> None:
    """out (rows, cells): (x - centre) @ weights + constant of rows x (rows, d), for weights (d, cells).

    A row that has a NaN has only NaNs.

    >>> out, weights = np.empty((1, 2)), np.array([[1.0, 0.0], [1.0, 1.0]])
    >>> linear(np.array([[3.0, 2.0]]), np.array([2.0, 0.0]), weights, np.array([0.5, 0.0]), out)
    >>> out.tolist()
    [[3.5, 2.0]]
    """
    columns, cells = weights.shape
    padded = aligned_zeros((cells, -(-columns // 4) * 4))
    padded[:, :columns] = weights.T
    room = aligned_zeros((padded.shape[1], ROWS_TOGETHER))
    add_linear(np.ascontiguousarray(values), centre, padded, constant, room, out)


@njit(nogil=True, cache=True, fastmath={"contract"})
def add_linear(values, centre, weights, constant, away, out):
    """Rows lie side by side, one to a lane, and meet four columns at a time."""
    total = np.empty(ROWS_TOGETHER)
    for start in range(0, len(values), ROWS_TOGETHER):
        n = min(ROWS_TOGETHER, len(values) - start)
        for j in range(len(centre)):
            for i in range(n):
                away[j, i] = values[start + i, j] - centre[j]
        for cell in range(len(weights)):
            total[:] = constant[cell]
            for k in range(0, weights.shape[1], 4):
                w0, w1, w2, w3 = weights[cell, k], weights[cell, k + 1], weights[cell, k + 2], weights[cell, k + 3]
                for i in range(ROWS_TOGETHER):
                    total[i] += w0 * away[k, i] + w1 * away[k + 1, i] + w2 * away[k + 2, i] + w3 * away[k + 3, i]
            for i in range(n):
                out[start + i, cell] = total[i]
