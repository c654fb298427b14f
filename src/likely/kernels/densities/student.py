"""Student log densities, summed over columns, one column of `out` a class."""

import numpy as np

from likely.core.numerics import Flags, Floats, Ints
from likely.kernels.arithmetic.logarithm import log_one_plus
from likely.kernels.compiler import njit
from likely.kernels.memory import aligned_zeros
from likely.kernels.transpose import ROWS_TRANSPOSED_TOGETHER, room, turn

LARGEST_STUDENT_PRODUCT = 1e300  # a product up to here has a logarithm; beyond, its factors have


def score_student(
    values: Floats,
    mean: Floats,
    weight: Floats,
    exponent: Floats,
    constant: Floats,
    absent: Floats,
    stops: Flags,
    out: Floats,
) -> None:
    """Add to out (rows, classes) constant - exponent * log1p(weight * (x - mean)^2); absent[j] where x is NaN.

    `stops` (columns,) ends each run of columns that share their exponents, and the last: one logarithm serves a run.
    """
    mean = mean.view()
    mean.flags.writeable = False  # some are, some are not: one kind of array to compile for
    turned, gaps = room(values.shape[1])
    work = aligned_zeros((2, ROWS_TRANSPOSED_TOGETHER))
    add_student(values, mean, weight, exponent, constant, absent, stops, turned, gaps, work[0], work[1], out)


@njit(nogil=True, cache=True, error_model="numpy")
def add_student(
    values: Floats,
    mean: Floats,
    weight: Floats,
    exponent: Floats,
    constant: Floats,
    absent: Floats,
    stops: Flags,
    turned: Floats,
    gaps: Ints,
    total: Floats,
    product: Floats,
    out: Floats,
) -> None:
    """Score by runs of columns: product = (1 + u)(1 + v)... - 1, kept without the 1, as a small u would drown in it."""
    for first in range(0, len(values), ROWS_TRANSPOSED_TOGETHER):
        rows = min(ROWS_TRANSPOSED_TOGETHER, len(values) - first)
        turn(values, first, rows, turned, gaps)
        for c in range(out.shape[1]):
            shared = 0.0  # constants of columns without gaps are the same for every row
            for r in range(ROWS_TRANSPOSED_TOGETHER):
                total[r] = 0.0
                product[r] = 0.0
            begin = np.int64(0)  # a plain 0 is a type of its own, for which `log_far` would be compiled again
            for j in range(values.shape[1]):
                m, w, here, gone = mean[j, c], weight[j, c], constant[j, c], absent[j, c]
                if gaps[j] == 0:
                    shared += here
                    for r in range(ROWS_TRANSPOSED_TOGETHER):
                        d = turned[j, r] - m
                        u = w * d * d
                        product[r] = (product[r] + u) + product[r] * u
                else:
                    for r in range(ROWS_TRANSPOSED_TOGETHER):
                        x = turned[j, r]
                        u = w * (x - m) * (x - m) if x == x else 0.0
                        product[r] = (product[r] + u) + product[r] * u
                        total[r] += here if x == x else gone
                if stops[j]:
                    power = exponent[j, c]
                    far = 0
                    for r in range(ROWS_TRANSPOSED_TOGETHER):
                        far += not product[r] < LARGEST_STUDENT_PRODUCT
                    for r in range(rows if far > 0 else 0):
                        if not product[r] < LARGEST_STUDENT_PRODUCT:
                            total[r] -= power * log_far(turned, r, mean, weight, c, begin, j + 1)
                            product[r] = 0.0
                    for r in range(ROWS_TRANSPOSED_TOGETHER):
                        total[r] -= power * log_one_plus(product[r])
                        product[r] = 0.0
                    begin = np.int64(j + 1)
            for r in range(rows):
                out[first + r, c] += shared + total[r]


@njit(nogil=True, cache=True, error_model="numpy")
def log_far(turned: Floats, r: int, mean: Floats, weight: Floats, c: int, begin: int, end: int) -> float:
    """The sum of log1p(u) one by one, for a row whose product overflows: finite for any finite value."""
    total = 0.0
    for j in range(begin, end):
        d = abs(turned[j, r] - mean[j, c])
        if d == d:
            u = weight[j, c] * d * d
            total += np.log1p(u) if u < LARGEST_STUDENT_PRODUCT else np.log(weight[j, c]) + 2.0 * np.log(d)
    return total
