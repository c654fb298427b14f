"""Student and normal log densities, summed over columns, one column of `out` a class.

Rows are scored 128 at a time, turned so that the innermost loop runs along rows: it has one length, whatever the number
of classes and columns, and the compiler makes whole registers of it.
"""

import numpy as np

from likely.core.numerics import Flags, Floats, Ints
from likely.kernels.arithmetic.elementary import log_one_plus
from likely.kernels.compiler import njit
from likely.kernels.memory import aligned_zeros

ROWS_TRANSPOSED_TOGETHER = 128
# Columns of a turned block are not a power of two apart, or they would compete for the same cache lines
SPARE_COLUMNS = 8
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


def room(columns: int) -> tuple[Floats, Ints]:
    """(columns, ROWS_TRANSPOSED_TOGETHER + SPARE_COLUMNS) and (columns,): what `turn` fills."""
    return aligned_zeros((columns, ROWS_TRANSPOSED_TOGETHER + SPARE_COLUMNS)), np.zeros(columns, np.int64)


@njit(nogil=True, cache=True)
def turn(values: Floats, first: int, rows: int, turned: Floats, gaps: Ints) -> None:
    """Copy rows from `first` on to turned (columns, ROWS_TRANSPOSED_TOGETHER), and count the NaN of each column."""
    columns = values.shape[1]
    for r in range(rows):
        for j in range(columns):
            turned[j, r] = values[first + r, j]
    for j in range(columns):
        missing = 0
        for r in range(ROWS_TRANSPOSED_TOGETHER):
            missing += turned[j, r] != turned[j, r]
        gaps[j] = missing
