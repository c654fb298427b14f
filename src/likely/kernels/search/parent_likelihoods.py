"""How well many columns, each as one more parent, explain a node: sums of n log n over counts."""

from functools import lru_cache

import numpy as np

from likely.core.numerics import Floats, Ints
from likely.kernels.compiler import interpreted_while_small, njit


def log_table(most: int) -> Floats:
    """n log n of whole numbers, at least up to `most`: a look-up costs a tenth of a logarithm."""
    return _log_table(1 << max(10, int(most).bit_length()))


@lru_cache(maxsize=4)
def _log_table(size: int) -> Floats:
    numbers = np.arange(size, dtype=np.float64)
    numbers[2:] *= np.log(numbers[2:])
    numbers[1] = 0.0
    return numbers


@interpreted_while_small
@njit(nogil=True, cache=True)
def fits(counts: Ints, levels: int, table: Floats) -> Floats:
    """(slots,): Σ n log n over the levels of the node, less that of their sum, over all cells, in each slot."""
    slots = counts.shape[1]
    out, totals = np.zeros(slots), np.empty(slots, np.int64)
    for first in range(0, counts.shape[0], levels):
        totals[:] = 0
        for level in range(levels):
            row = counts[first + level]
            for slot in range(slots):
                if row[slot]:
                    totals[slot] += row[slot]
                    out[slot] += table[row[slot]]
        for slot in range(slots):
            out[slot] -= table[totals[slot]]
    return out


@njit(nogil=True, cache=True)
def fits_of_weights(counts: Floats, levels: int) -> Floats:
    """The same of counts that need not be whole."""
    slots = counts.shape[1]
    out = np.zeros(slots)
    for first in range(0, counts.shape[0], levels):
        for slot in range(slots):
            total = 0.0
            for level in range(levels):
                n = counts[first + level, slot]
                if n > 0.0:
                    total += n
                    out[slot] += n * np.log(n)
            if total > 0.0:
                out[slot] -= total * np.log(total)
    return out
