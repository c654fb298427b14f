"""How far two columns are from independence within each cell of others, from counts; and shuffles of one of them."""

import numpy as np

from likely.core.numerics import Floats, Ints
from likely.kernels.arithmetic.random_numbers import GOLDEN_GAMMA, uniform
from likely.kernels.compiler import njit

Counts = Ints | Floats


@njit(nogil=True, cache=True)
def departures(counts: Counts, starts: Ints, sizes: Ints, pearson: bool, found: Floats, free: Floats) -> None:
    """found[j]: G² (or Pearson's X²) of the own levels and column j within the cells, of counts (cells, own, slots).

    free[j]: the degrees of freedom that the levels seen within each cell leave.
    """
    cells, levels, _ = counts.shape
    own, other = np.empty(levels), np.empty(sizes.max())
    for j in range(len(starts)):
        total, left = 0.0, 0
        for cell in range(cells):
            first, size = starts[j], sizes[j]
            rows = 0.0
            own[:] = 0.0
            other[:size] = 0.0
            for a in range(levels):
                for b in range(size):
                    n = counts[cell, a, first + b]
                    own[a] += n
                    other[b] += n
                rows += own[a]
            if rows == 0.0:
                continue
            wide, high = -1, -1
            for a in range(levels):
                wide += own[a] > 0.0
            for b in range(size):
                high += other[b] > 0.0
            left += wide * high
            for a in range(levels):
                for b in range(size):
                    expected = own[a] * other[b]
                    if expected == 0.0:
                        continue
                    n = np.float64(counts[cell, a, first + b])
                    if pearson:
                        total += (n - expected / rows) ** 2 * rows / expected
                    elif n > 0.0:
                        total += 2.0 * n * np.log(n * rows / expected)
        found[j], free[j] = max(total, 0.0), left


@njit(nogil=True, cache=True)
def shuffles(table: Ints, most: int, enough: int, seed: np.uint64) -> tuple[int, int]:
    """How many shuffles of one column within the cells depart as far as the table (cells, own, other), of how many.

    Stops at `most` shuffles, or as soon as `enough` of them did (Besag and Clifford 1991).
    """
    cells, levels, size = table.shape
    rows = table.sum()
    ends, codes, own = np.empty(cells + 1, np.int64), np.empty(rows, np.int64), np.empty(rows, np.int64)
    at, widest = 0, 0
    for cell in range(cells):
        ends[cell] = at
        for a in range(levels):
            for b in range(size):
                for _ in range(table[cell, a, b]):
                    own[at], codes[at] = a, b
                    at += 1
        widest = max(widest, at - int(ends[cell]))
    ends[cells] = at
    logs = np.zeros(widest + 1)
    for n in range(2, widest + 1):
        logs[n] = n * np.log(n)
    drawn = np.empty((levels, size), np.int64)
    # The margins of a shuffle are those of the table, so that Σ n log n alone says how far it departs.
    reached = 0.0
    for held in table.ravel():
        reached += logs[held]
    reached -= 1e-9 * max(reached, 1.0)
    far, counter = 0, seed
    for done in range(1, most + 1):
        departs = 0.0
        for cell in range(cells):
            first, last = ends[cell], ends[cell + 1]
            drawn[:] = 0
            for i in range(last - 1, first - 1, -1):
                counter += GOLDEN_GAMMA
                j = first + np.int64(uniform(counter) * (i - first + 1))
                taken = codes[j]
                codes[j] = codes[i]
                codes[i] = taken
                drawn[own[i], taken] += 1
            for a in range(levels):
                for b in range(size):
                    departs += logs[drawn[a, b]]
        if departs >= reached:
            far += 1
            if far >= enough:
                return far, done
    return far, most
