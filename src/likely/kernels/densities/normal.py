"""Normal log densities, summed over columns, one column of `out` a class."""

from likely.core.numerics import Floats, Ints
from likely.kernels.compiler import njit
from likely.kernels.memory import aligned_zeros
from likely.kernels.transpose import ROWS_TRANSPOSED_TOGETHER, room, turn


def score_normal(
    values: Floats, mean: Floats, precision: Floats, constant: Floats, absent: Floats, out: Floats
) -> None:
    """Add to out (rows, classes) constant - precision * (x - mean)^2 / 2 of each value; absent[j] where it is NaN."""
    turned, gaps = room(values.shape[1])
    add_normal(values, mean, precision, constant, absent, turned, gaps, aligned_zeros((ROWS_TRANSPOSED_TOGETHER,)), out)


@njit(nogil=True, cache=True, error_model="numpy")
def add_normal(
    values: Floats,
    mean: Floats,
    precision: Floats,
    constant: Floats,
    absent: Floats,
    turned: Floats,
    gaps: Ints,
    total: Floats,
    out: Floats,
) -> None:
    """Score a block of rows, class by class and column by column."""
    for first in range(0, len(values), ROWS_TRANSPOSED_TOGETHER):
        rows = min(ROWS_TRANSPOSED_TOGETHER, len(values) - first)
        turn(values, first, rows, turned, gaps)
        for c in range(out.shape[1]):
            shared = 0.0  # constants of columns without gaps are the same for every row
            for r in range(ROWS_TRANSPOSED_TOGETHER):
                total[r] = 0.0
            for j in range(values.shape[1]):
                m, half, here, gone = mean[j, c], 0.5 * precision[j, c], constant[j, c], absent[j, c]
                if gaps[j] == 0:
                    shared += here
                    for r in range(ROWS_TRANSPOSED_TOGETHER):
                        d = turned[j, r] - m
                        total[r] -= half * d * d
                else:
                    for r in range(ROWS_TRANSPOSED_TOGETHER):
                        x = turned[j, r]
                        total[r] += here - half * (x - m) * (x - m) if x == x else gone
            for r in range(rows):
                out[first + r, c] += shared + total[r]
