"""Blocks of rows, turned.

Densities of reals are scored 128 rows at a time, turned so that the innermost loop runs along rows: it has one length,
whatever the number of classes and columns, and the compiler makes whole registers of it.
"""

import numpy as np

from likely.core.numerics import Floats, Ints
from likely.kernels.compiler import njit
from likely.kernels.memory import aligned_zeros

ROWS_TRANSPOSED_TOGETHER = 128
# Columns of a turned block are not a power of two apart, or they would compete for the same cache lines
SPARE_COLUMNS = 8


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
