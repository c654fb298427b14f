"""Log evidences and normalised likelihoods of a node below the cells of its parents and of one column more."""

from __future__ import annotations

import math

import numpy as np

from likely.core.numerics import Floats, Ints
from likely.kernels.compiler import njit

Counts = Ints | Floats
SUM_UNIT = 1e200  # beyond which a sum is kept as a number times this
SERIES = 1000.0  # rows from which seven terms of the series are as good as the sum itself
ROOT = math.sqrt(math.pi / 2.0)


@njit(nogil=True, cache=True)
def family_scores(
    counts: Counts, levels: int, starts: Ints, sizes: Ints, added: Floats | None, regrets: Floats | None
) -> Floats:
    """(columns,): log evidence with each column as one more parent, under added[column] pseudo-counts in an entry.

    With `regrets`, those of so many levels for 0, 1, 2, ... rows, the log likelihood less the regret of each cell
    instead. `counts` (cells × levels, slots): of all columns side by side. Cells that no row has add nothing.
    """
    out = np.zeros(len(starts))
    for column in range(len(starts)):
        own = 0.0 if added is None else added[column]
        whole, total = own * levels, 0.0
        free, bound = (math.lgamma(own), math.lgamma(whole)) if regrets is None else (0.0, 0.0)
        for slot in range(starts[column], starts[column] + sizes[column]):
            for cell in range(0, len(counts), levels):
                seen = 0.0
                for row in range(cell, cell + levels):
                    n = float(counts[row, slot])
                    if n > 0.0:
                        seen += n
                        total += math.lgamma(n + own) - free if regrets is None else n * math.log(n)
                if seen > 0.0:
                    if regrets is None:
                        total += bound - math.lgamma(seen + whole)
                    else:
                        total -= seen * math.log(seen) + regret_from(regrets, seen, levels)
        out[column] = total
    return out


@njit(nogil=True, cache=True)
def cell_regrets(seen: Floats, levels: int, regrets: Floats) -> float:
    """The sum of the regrets of cells with so many rows each."""
    total = 0.0
    for n in seen:
        total += regret_from(regrets, n, levels)
    return total


@njit(nogil=True, cache=True)
def regret_from(regrets: Floats, rows: float, levels: int) -> float:
    """The regret of some rows: looked up, between whole numbers on a straight line, and beyond the table reckoned."""
    low = int(rows)
    if low + 1 < len(regrets):
        return regrets[low] + (rows - low) * (regrets[low + 1] - regrets[low])
    return regret(rows, float(levels))


@njit(nogil=True, cache=True)
def regrets_of(levels: float, rows: int) -> Floats:
    """(rows,): the regrets of so many levels, for 0, 1, 2, ... rows."""
    out = np.empty(rows)
    for n in range(rows):
        out[n] = regret(float(n), levels)
    return out


@njit(nogil=True, cache=True)
def regret(rows: float, levels: float) -> float:
    """The log of the sum, over all rows there might be, of their likelihood at its best; few `rows` are whole.

    Two levels from a sum or a series; more from two before them: C(k + 2) = C(k + 1) + rows / k C(k), which is exact
    (Kontkanen and Myllymäki 2007). More levels than rows: the sum of Mononen and Myllymäki (2008), of as many terms as
    there are rows.
    """
    if rows <= 0.0 or levels <= 1.0:
        return 0.0
    if levels > rows + 2.0:
        return log_of_sum(rows, levels)
    before, now, shift = 1.0, of_two(rows), 0.0
    k = 1.0
    while k + 2.0 <= levels:
        before, now = now, now + rows / k * before
        if now > SUM_UNIT:
            before, now, shift = before / SUM_UNIT, now / SUM_UNIT, shift + math.log(SUM_UNIT)
        k += 1.0
    return math.log(now) + shift


@njit(nogil=True, cache=True)
def of_two(rows: float) -> float:
    """The sum of two levels: 1 + Ramanujan's Q(rows), of which a series is known."""
    if rows >= SERIES:
        root = math.sqrt(rows)
        odd = 1.0 + 1.0 / (12.0 * rows) + 1.0 / (288.0 * rows**2) - 139.0 / (51840.0 * rows**3)
        return ROOT * root * odd + 2.0 / 3.0 - 4.0 / (135.0 * rows) + 8.0 / (2835.0 * rows**2)
    return math.exp(log_of_sum(rows, 2.0))


@njit(nogil=True, cache=True)
def log_of_sum(rows: float, levels: float) -> float:
    """log of the sum over j of (rows)(rows - 1)... (levels - 1)(levels)... / (rows^j j!), j factors of each."""
    term, total, shift = 1.0, 1.0, 0.0
    j = 0.0
    while j < rows:
        ratio = (rows - j) * (levels - 1.0 + j) / (rows * (j + 1.0))
        term *= ratio
        total += term
        if ratio < 1.0 and term < 1e-18 * total:
            break
        if total > SUM_UNIT:
            term, total, shift = term / SUM_UNIT, total / SUM_UNIT, shift + math.log(SUM_UNIT)
        j += 1.0
    return math.log(total) + shift
