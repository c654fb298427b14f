"""Bags of words: sparse rows (CSR) of counts. A block is a slice of `indptr` with the whole `indices` and `data`."""

import numpy as np

from likely.core.numerics import Cells, Floats, Ints
from likely.kernels.arithmetic.vectors import add, load, multiply, spread, store
from likely.kernels.compiler import njit
from likely.kernels.memory import CLASSES_A_VECTOR, pad_classes

Indices = Cells | Ints


@njit(nogil=True, cache=True)
def totals(indptr: Indices, indices: Indices, data: Floats, cells: Cells, weights: Floats | None, out: Floats) -> None:
    """Add to out[indices[k], cells[i]] each data[k] of row i, times the row's weight."""
    for i in range(len(indptr) - 1):
        cell = np.uint64(cells[i])
        for k in range(indptr[i], indptr[i + 1]):
            # an unsigned index spares the check for negative ones
            amount = data[k] if weights is None else weights[i] * data[k]
            out[np.uint64(indices[k]), cell] += amount


def score_bags(indptr: Indices, indices: Indices, data: Floats, table: Floats, out: Floats) -> None:
    """Add to out (rows, classes) the sum over k of data[k] * table[indices[k]]; table best from `pad_classes`."""
    table = table if table.shape[1] % CLASSES_A_VECTOR == 0 else pad_classes(table)
    # twelve classes a pass, as in score_codes
    for first in range(0, table.shape[1], 12):
        add_bags(indptr, indices, data, table.reshape(-1), table.shape[1], first, np.empty(12), out)


@njit(nogil=True, cache=True)
def add_bags(
    indptr: Indices, indices: Indices, data: Floats, table: Floats, padded: int, first: int, total: Floats, out: Floats
) -> None:
    """Up to twelve classes from `first` on, from the flat table."""
    width, shift = np.uint64(padded), np.uint64(first)
    groups = (padded - first) // 4
    for i in range(len(indptr) - 1):
        a, b, c = spread(0.0), spread(0.0), spread(0.0)
        if groups >= 3:
            for k in range(indptr[i], indptr[i + 1]):
                x, start = spread(data[k]), np.uint64(indices[k]) * width + shift
                a = add(a, multiply(x, load(table, start)))
                b = add(b, multiply(x, load(table, start + np.uint64(4))))
                c = add(c, multiply(x, load(table, start + np.uint64(8))))
        elif groups == 2:
            for k in range(indptr[i], indptr[i + 1]):
                x, start = spread(data[k]), np.uint64(indices[k]) * width + shift
                a = add(a, multiply(x, load(table, start)))
                b = add(b, multiply(x, load(table, start + np.uint64(4))))
        else:
            for k in range(indptr[i], indptr[i + 1]):
                x, start = spread(data[k]), np.uint64(indices[k]) * width + shift
                a = add(a, multiply(x, load(table, start)))
        store(total, np.uint64(0), a)
        store(total, np.uint64(4), b)
        store(total, np.uint64(8), c)
        for n in range(min(12, out.shape[1] - first)):
            out[i, first + n] += total[n]
