"""Rows of one cell as columns about their middle, and the sums of their products."""

import math

import numpy as np

from likely.kernels.compiler import njit

COLUMNS_MULTIPLIED_AT_A_TIME = 4  # columns multiplied at a time
BATCH_ROWS_TRANSPOSED = 32  # rows turned into columns at a time
FAR_OUT_RATIO = 2.0**12  # times the usual distance from the middle: rows further out are added one by one, exactly
FAR_OUT_ONE_IN = 64  # one row in so many may be far out: adding them takes the time of many others
FAR_OUT_ALLOWED = 8  # rows that may be, however few there are
UNEVEN = 4  # the mean square over the squared mean distance: with less, no so few rows are so far out


@njit(nogil=True, cache=True)
def middle(values, rows):
    """(columns,): the median of five values of each, from all over the rows; zero where all are missing."""
    n = len(rows)
    out = np.zeros(values.shape[1])
    some = np.empty(5)
    for j in range(values.shape[1]):
        found = 0
        for part in range(5):
            i = part * n // 5
            while i < n and values[rows[i], j] != values[rows[i], j]:
                i += 1
            if i < n:
                at = found  # sorted in among those found before
                while at > 0 and some[at - 1] > values[rows[i], j]:
                    some[at] = some[at - 1]
                    at -= 1
                some[at] = values[rows[i], j]
                found += 1
        if found:
            out[j] = some[found // 2]
    return out


@njit(nogil=True, cache=True)
def turn(values, rows, shift, out):
    """out[j, i] = values[rows[i], j] - shift[j]."""
    columns = len(shift)
    held = np.empty((BATCH_ROWS_TRANSPOSED, columns))
    for start in range(0, len(rows), BATCH_ROWS_TRANSPOSED):
        some = rows[start : start + BATCH_ROWS_TRANSPOSED]
        for i in range(len(some)):
            row, to = values[some[i]], held[i]
            for j in range(columns):
                to[j] = row[j] - shift[j]
        for j in range(columns):
            column = out[j, start : start + len(some)]
            for i in range(len(some)):
                column[i] = held[i, j]


@njit(nogil=True, cache=True)
def fill_holes(values, rows, away, known):
    """Whether values are missing: `away` and `known`, which is one elsewhere, are then zero there."""
    columns, n = values.shape[1], len(rows)
    holes = False
    for j in range(columns):
        sound = True
        for i in range(n):
            sound &= away[j, i] == away[j, i]
            known[j, i] = 1.0
        if sound:
            continue
        holes = True
        for i in range(n):
            if values[rows[i], j] != values[rows[i], j]:
                away[j, i] = known[j, i] = 0.0
    return holes


@njit(nogil=True, cache=True)
def far_out(away, columns, n):
    """(few,): which of n rows are far out in one of the columns, so that the others would be lost in their products."""
    far, uneven, usual = np.empty(n, np.int64), np.empty(columns, np.int64), np.empty(columns)
    some = lone = 0
    for j in range(columns):
        size, squares = sizes(away[j, :n])
        if squares * n > UNEVEN * size * size:
            uneven[some], usual[some] = j, usual_size(away[j, :n])
            lone += usual[some] == 0
            some += 1
    factor = FAR_OUT_RATIO
    while True:
        found = 0
        for i in range(n):
            for at in range(some):
                if abs(away[uneven[at], i]) > factor * usual[at]:
                    far[found] = i
                    found += 1
                    break
        if found <= max(FAR_OUT_ALLOWED, n // FAR_OUT_ONE_IN) + lone:
            return far[:found]
        factor *= 16


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def sizes(column):
    """The sums of the distances from zero and of their squares."""
    size, squares = 0.0, 0.0
    for i in range(len(column)):
        size += abs(column[i])
        squares += column[i] * column[i]
    return size, squares


@njit(nogil=True, cache=True)
def usual_size(column):
    """The geometric mean of the distances from zero that are not zero: a few that are huge hardly move it.

    Zero where one alone is not zero: without it there is no spread at all, and rounding must not leave any.
    """
    found, total = 0, 0.0
    for i in range(len(column)):
        if column[i] != 0:
            found += 1
            total += math.log(abs(column[i]))
    return math.exp(total / found) if found > 1 else 0.0


@njit(nogil=True, cache=True)
def weigh(columns, rows, weights, out):
    """The columns times the weights of the rows; themselves where there are no weights."""
    if not len(weights):
        return columns
    for j in range(len(columns)):
        for i in range(len(rows)):
            out[j, i] = columns[j, i] * weights[rows[i]]
    return out


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"})
def dots(a, b, n, out):
    """out[j, k] = sum of a[j, i] * b[k, i] over i < n, for k from j, or the first column of its four, on."""
    for j in range(0, len(a), COLUMNS_MULTIPLIED_AT_A_TIME):
        a0, a1, a2, a3 = a[j, :n], a[j + 1, :n], a[j + 2, :n], a[j + 3, :n]
        for k in range(j, len(b), COLUMNS_MULTIPLIED_AT_A_TIME):
            b0, b1, b2, b3 = b[k, :n], b[k + 1, :n], b[k + 2, :n], b[k + 3, :n]
            s00 = s01 = s02 = s03 = s10 = s11 = s12 = s13 = 0.0
            s20 = s21 = s22 = s23 = s30 = s31 = s32 = s33 = 0.0
            for i in range(n):
                x0, x1, x2, x3 = a0[i], a1[i], a2[i], a3[i]
                y0, y1, y2, y3 = b0[i], b1[i], b2[i], b3[i]
                s00 += x0 * y0
                s01 += x0 * y1
                s02 += x0 * y2
                s03 += x0 * y3
                s10 += x1 * y0
                s11 += x1 * y1
                s12 += x1 * y2
                s13 += x1 * y3
                s20 += x2 * y0
                s21 += x2 * y1
                s22 += x2 * y2
                s23 += x2 * y3
                s30 += x3 * y0
                s31 += x3 * y1
                s32 += x3 * y2
                s33 += x3 * y3
            out[j, k], out[j, k + 1], out[j, k + 2], out[j, k + 3] = s00, s01, s02, s03
            out[j + 1, k], out[j + 1, k + 1], out[j + 1, k + 2], out[j + 1, k + 3] = s10, s11, s12, s13
            out[j + 2, k], out[j + 2, k + 1], out[j + 2, k + 2], out[j + 2, k + 3] = s20, s21, s22, s23
            out[j + 3, k], out[j + 3, k + 1], out[j + 3, k + 2], out[j + 3, k + 3] = s30, s31, s32, s33
