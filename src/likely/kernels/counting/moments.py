"""Sums and sums of squares by cell, in double-double arithmetic."""

import numpy as np

from likely.core.numerics import Cells, Floats
from likely.kernels.arithmetic.elementary import fma
from likely.kernels.compiler import njit
from likely.kernels.memory import aligned_zeros

COLUMNS_A_VECTOR = 8  # doubles in the widest vector register
ROWS_A_CARRY = 512  # rows after which low parts are carried


def moments(values: Floats, cells: Cells, weights: Floats | None, out: Floats) -> None:
    """Add to out (6, cells, columns): count, total (high, low), squares (high, low), count (low); NaN is skipped.

    Each is its pair's unrounded sum, good to about 1e-31 of the absolute values added.
    """
    rows, columns = values.shape
    # Whole registers only: the lanes past the last column read on into the next row, and are dropped.
    # Loops under two registers do not vectorise, and few columns are faster without.
    width = columns if columns < 5 else max(2 * COLUMNS_A_VECTOR, -(-columns // COLUMNS_A_VECTOR) * COLUMNS_A_VECTOR)
    held = aligned_zeros((6, out.shape[1], width))  # a register that straddles two cache lines costs twice
    held[:, :, :columns] = out
    tail = max(0, rows - -(-width // max(columns, 1)))
    last = np.zeros((rows - tail, width))  # rows too near the end of the block to read on from
    last[:, :columns] = values[tail:]
    before, after = (None, None) if weights is None else (weights[:tail], weights[tail:])
    whole = aligned_zeros(
        (-(-out.shape[1] // COLUMNS_A_VECTOR) * COLUMNS_A_VECTOR,)
    )  # a line of its own: another thread may count next door
    add_moments(values.reshape(-1), columns, cells[:tail], before, whole, held)
    add_moments(last.reshape(-1), width, cells[tail:], after, whole, held)
    held[0] += whole[: out.shape[1], None]
    out[:] = held[:, :, :columns]


@njit(nogil=True, cache=True)
def add_moments(values: Floats, stride: int, cells: Cells, weights: Floats | None, rows: Floats, out: Floats) -> None:
    """Add flat rows, `stride` apart, to out (6, cells, width); without weights, their number by cell goes to `rows`."""
    width = out.shape[2]
    for i in range(len(cells)):
        cell = cells[i]
        w = 1.0 if weights is None else weights[i]
        start = np.uint64(i * stride)  # an unsigned index spares the check for negative ones
        holes = 0
        for j in range(width):
            x = values[start + np.uint64(j)]
            present = x == x
            x = x if present else 0.0
            # Knuth's two-sum: what adding to the high part loses is kept in the low part, and carried now and then
            if weights is None:
                holes += 0 if present else 1
                once, twice = x, x * x
                lost, lost_twice = 0.0, fma(x, x, -twice)
            else:
                mass = w if present else 0.0
                high = out[0, cell, j]
                total = high + mass
                added = total - high
                out[0, cell, j] = total
                out[5, cell, j] += (high - (total - added)) + (mass - added)
                once = w * x
                lost = fma(w, x, -once)
                twice = once * x
                lost_twice = fma(once, x, -twice) + lost * x
            high = out[1, cell, j]
            total = high + once
            added = total - high
            error = (high - (total - added)) + (once - added)
            out[1, cell, j] = total
            out[2, cell, j] += error if weights is None else error + lost
            high = out[3, cell, j]
            total = high + twice
            added = total - high
            out[3, cell, j] = total
            out[4, cell, j] += ((high - (total - added)) + (twice - added)) + lost_twice
        if weights is None:  # the count of whole rows is one number; only rows with missing values are looked at again
            rows[cell] += 1.0
            if holes:
                for j in range(width):
                    if values[start + np.uint64(j)] != values[start + np.uint64(j)]:
                        out[0, cell, j] -= 1.0
        if i % ROWS_A_CARRY == ROWS_A_CARRY - 1 or i == len(cells) - 1:  # before rounding in the low parts can matter
            for high, low in ((0, 5), (1, 2), (3, 4)):
                for group in range(out.shape[1]):
                    for j in range(width):
                        total = out[high, group, j] + out[low, group, j]
                        out[low, group, j] -= total - out[high, group, j]
                        out[high, group, j] = total
