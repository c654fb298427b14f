"""Log probabilities of rows of codes, summed over columns, one column of `out` a class."""

import numpy as np

from likely.core.numerics import Codes, Floats, Ints
from likely.kernels.arithmetic.vectors import add, load, spread, store
from likely.kernels.compiler import njit
from likely.kernels.memory import CLASSES_A_VECTOR, pad_classes


def score_codes(codes: Codes, offsets: Ints, table: Floats, out: Floats, bases: Ints | None = None) -> None:
    """Add to out (rows, classes) the sum over j of table[offsets[j] + codes[i, j]]; table best from `pad_classes`.

    With `bases` (rows,), each row reads from its own place in the table on.
    """
    bases = np.zeros(len(codes), np.int64) if bases is None else bases
    table = table if table.shape[1] % CLASSES_A_VECTOR == 0 else pad_classes(table)
    padded = table.shape[1]
    # twelve classes a pass: three sums in registers hide the wait for each other's loads
    for first in range(0, padded, 12):
        add_codes(codes, offsets * padded + first, table.reshape(-1), padded, first, np.empty(24), out, bases * padded)


@njit(nogil=True, cache=True)
def add_codes(
    codes: Codes, starts: Ints, table: Floats, padded: int, first: int, total: Floats, out: Floats, bases: Ints
) -> None:
    """Up to twelve classes from `first` on; `starts` are the places of each column's level 0 in the flat table."""
    rows, columns = codes.shape
    groups = (padded - first) // 4
    width = np.uint64(padded)
    # two rows at a time: each sum waits for its own last addition, and fills the other's wait
    for i in range(0, rows, 2):
        other = min(i + 1, rows - 1)
        base, beside = np.uint64(bases[i]), np.uint64(bases[other])
        a, b, c = spread(0.0), spread(0.0), spread(0.0)
        d, e, f = spread(0.0), spread(0.0), spread(0.0)
        if groups >= 3:
            for j in range(columns):
                k = base + np.uint64(starts[j]) + np.uint64(codes[i, j]) * width
                m = beside + np.uint64(starts[j]) + np.uint64(codes[other, j]) * width
                a, d = add(a, load(table, k)), add(d, load(table, m))
                b, e = add(b, load(table, k + np.uint64(4))), add(e, load(table, m + np.uint64(4)))
                c, f = add(c, load(table, k + np.uint64(8))), add(f, load(table, m + np.uint64(8)))
        elif groups == 2:
            for j in range(columns):
                k = base + np.uint64(starts[j]) + np.uint64(codes[i, j]) * width
                m = beside + np.uint64(starts[j]) + np.uint64(codes[other, j]) * width
                a, d = add(a, load(table, k)), add(d, load(table, m))
                b, e = add(b, load(table, k + np.uint64(4))), add(e, load(table, m + np.uint64(4)))
        else:
            for j in range(columns):
                a = add(a, load(table, base + np.uint64(starts[j]) + np.uint64(codes[i, j]) * width))
                d = add(d, load(table, beside + np.uint64(starts[j]) + np.uint64(codes[other, j]) * width))
        store(total, np.uint64(0), a)
        store(total, np.uint64(4), b)
        store(total, np.uint64(8), c)
        store(total, np.uint64(12), d)
        store(total, np.uint64(16), e)
        store(total, np.uint64(20), f)
        for n in range(min(12, out.shape[1] - first)):
            out[i, first + n] += total[n]
            if other > i:
                out[other, first + n] += total[12 + n]
