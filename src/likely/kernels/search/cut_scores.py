"""Sums of n log n over all stretches of steps at once: what a part of a numeric column would add to a score."""

from __future__ import annotations

import math

from likely.core.numerics import Array, Floats
from likely.kernels.compiler import njit


@njit(nogil=True, cache=True)
def add_stretches(starts: Array, steps: Array, counts: Floats, share: float, out: Floats) -> None:
    """Add share · n log n of each cell and stretch to out (steps + 1, steps + 1), to be summed along both axes.

    Cell c has counts at rising `steps` from starts[c] to starts[c + 1]. Its count changes only there, so all stretches
    from one of them to another are done as one rectangle, told by its four corners: cells of few rows cost little.
    """
    end = len(out) - 1
    for cell in range(len(starts) - 1):
        first, last = starts[cell], starts[cell + 1]
        for low in range(first, last):
            top = steps[low - 1] + 1 if low > first else 0
            total = 0.0
            for high in range(low, last):
                total += counts[high]
                right = steps[high + 1] if high + 1 < last else end
                value = share * total * math.log(total)
                out[top, steps[high]] += value
                out[top, right] -= value
                out[steps[low] + 1, steps[high]] -= value
                out[steps[low] + 1, right] += value
