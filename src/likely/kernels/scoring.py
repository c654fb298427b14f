"""Log probabilities of rows of codes, summed over columns, one column of `out` a class."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from likely.kernels.lanes import add, load, spread, store
from likely.kernels.memory import LANES, pad_classes
from likely.kernels.normal import score_normal
from likely.kernels.student import score_student

__all__ = ["score_codes", "score_normal", "score_student"]


def score_codes(
    codes: NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.int32],
    offsets: NDArray[np.int64],
    table: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Add to out (rows, classes) the sum over j of table[offsets[j] + codes[i, j]]; table best from `pad_classes`."""
    table = table if table.shape[1] % LANES == 0 else pad_classes(table)
    padded = table.shape[1]
    # twelve classes a pass: three sums in registers hide the wait for each other's loads
    for first in range(0, padded, 12):
        add_codes(codes, offsets * padded + first, table.reshape(-1), padded, first, np.empty(12), out)


@njit(nogil=True, cache=True)
def add_codes(
    codes: NDArray[np.unsignedinteger],
    starts: NDArray[np.int64],
    table: NDArray[np.float64],
    padded: int,
    first: int,
    total: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Up to twelve classes from `first` on; `starts` are the places of each column's level 0 in the flat table."""
    rows, columns = codes.shape
    groups = (padded - first) // 4
    width = np.uint64(padded)
    for i in range(rows):
        a, b, c = spread(0.0), spread(0.0), spread(0.0)
        if groups >= 3:
            for j in range(columns):
                k = np.uint64(starts[j]) + np.uint64(codes[i, j]) * width
                a = add(a, load(table, k))
                b = add(b, load(table, k + np.uint64(4)))
                c = add(c, load(table, k + np.uint64(8)))
        elif groups == 2:
            for j in range(columns):
                k = np.uint64(starts[j]) + np.uint64(codes[i, j]) * width
                a = add(a, load(table, k))
                b = add(b, load(table, k + np.uint64(4)))
        else:
            for j in range(columns):
                a = add(a, load(table, np.uint64(starts[j]) + np.uint64(codes[i, j]) * width))
        store(total, np.uint64(0), a)
        store(total, np.uint64(4), b)
        store(total, np.uint64(8), c)
        for n in range(min(12, out.shape[1] - first)):
            out[i, first + n] += total[n]
