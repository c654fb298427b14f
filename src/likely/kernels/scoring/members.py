"""Members of an average: each row in a cell of its own, one row left out, and many members added in log space."""

import numpy as np

from likely.core.numerics import Cells, Codes, Flags, Floats, Ints
from likely.kernels.arithmetic.elementary import exp_below
from likely.kernels.compiler import njit

LOWEST_LOGARITHM = -1e300  # below the logarithm of anything
SMALLEST_SHARE_PRODUCT = 1e-200  # a product of shares below it is put into the logarithm before it can vanish


@njit(nogil=True, cache=True)
def score_without(
    codes: Codes,
    levels: Ints,
    starts: Ints,
    counts: Floats,
    seen: Floats,
    cells: Ints,
    base: Floats,
    strength: Floats,
    own: Ints,
    taken: Floats,
    skip: Flags,
    out: Floats,
) -> None:
    """Add to out (rows, classes) the log of (n + m P) / (N + m), summed over the columns that are not to be skipped.

    counts (cells, parts, classes) and seen (cells, columns, classes) hold n and N, of which `taken` goes in the row's
    own class; base (rows, columns, classes) is P. A cell of -1 has no counts.
    """
    rows, columns = codes.shape
    for i in range(rows):
        cell = cells[i]
        for c in range(out.shape[1]):
            gone = taken[i] if own[i] == c else 0.0
            product = 1.0
            total = 0.0
            for j in range(columns):
                if skip[j] or codes[i, j] >= levels[j]:
                    continue
                n, whole = 0.0, 0.0
                if cell >= 0:
                    n = max(counts[cell, starts[j] + codes[i, j], c] - gone, 0.0)
                    whole = max(seen[cell, j, c] - gone, 0.0)
                    # what fractional weights leave behind through rounding alone is nothing
                    if whole <= 1e-12 * gone:
                        n, whole = 0.0, 0.0
                m = strength[j]
                if whole + m > 0.0:
                    product *= (n + m * base[i, j, c]) / (whole + m)
                else:
                    product *= base[i, j, c]
                if product < SMALLEST_SHARE_PRODUCT:
                    total += np.log(product)
                    product = 1.0
            out[i, c] += total + np.log(product)


@njit(nogil=True, cache=True)
def find_cells(
    codes: Codes, places: Ints, parts: Ints, support: Floats, least: float, taken: Floats, cells: Ints, speaks: Flags
) -> int:
    """Find the cell of each row among those of its parents, and whether enough rows are in it; count the incomplete.

    The parents are the columns of codes at these places. `support` has slots for missing and unseen values too; a code
    beyond them is of a value that was dropped, of which nothing speaks. `taken` is what the row itself is worth there.
    """
    incomplete = 0
    for i in range(len(codes)):
        cell, slot, known, missing, dropped = 0, 0, True, False, False
        for k in range(len(places)):
            code, size = np.int64(codes[i, places[k]]), parts[k]
            slot = slot * (size + 2) + code
            cell = cell * size + code
            known &= code < size
            missing |= code == size
            dropped |= code > size + 1
        cells[i] = cell if known and len(places) > 0 else -1
        if dropped:
            speaks[i] = False
        else:
            rows = support[slot]
            speaks[i] = rows - (taken[i] if known else 0.0) >= least - 1e-12 * rows
            incomplete += missing
    return incomplete


@njit(nogil=True, cache=True, error_model="numpy")
def join(member: Floats, weight: float, top: Floats, total: Floats) -> None:
    """Add weight * exp(member) to what is kept as total * exp(top), flat; top starts at LOWEST_LOGARITHM, total 0."""
    for q in range(len(member)):
        new, old, kept = member[q], top[q], total[q]
        e = exp_below(-abs(new - old))
        # both are computed and one is taken: a branch would stop vectorisation, and be guessed wrong half the time
        risen, same = kept * e + weight, kept + weight * e
        rises = new > old
        total[q] = risen if rises else same
        top[q] = new if rises else old


@njit(nogil=True, cache=True)
def drop_implied(codes: Cells, levels: Ints, starts: Ints, together: Floats, least: Floats, out: Cells) -> None:
    """Mark in out, as missing, each value of a row that another of its values implies.

    j implies i where every row that has j has i, and at least `least` rows have it; of two that imply each other, and
    so always come together, the first stays.
    """
    rows, columns = codes.shape
    for n in range(rows):
        for i in range(columns):
            if codes[n, i] >= levels[i]:
                continue
            a = starts[i] + codes[n, i]
            for j in range(columns):
                if j == i or codes[n, j] >= levels[j]:
                    continue
                b = starts[j] + codes[n, j]
                implied = together[a, b] == together[b, b] and together[b, b] >= least[n]
                if implied and (together[a, a] > together[b, b] or j < i):
                    out[n, i] = levels[i]
                    break
