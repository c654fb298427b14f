"""Counts of many sets of columns, summed up at once: what they have in common is worked out once."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Array, Floats, Ints
from likely.kernels.compiler import njit

MOST_DENSE_CELLS = 1 << 16  # cells that are counted without looking which were seen


def joint_sums(columns: Array, sizes: Ints, sets: Ints, strength: float | None) -> Floats:
    """(sets,): the sum of n log n over the cells of each set of columns, which are bits and ascend.

    With a `strength` it is the log of a (a + 1) ... (a + n - 1) instead, a being its even share for each cell. columns
    (columns, rows) are codes, none missing.
    """
    rows = columns.shape[1]
    steps = np.diff(np.concatenate([[0.0], (number := np.arange(1.0, rows + 1.0)) * np.log(number)]))
    out = np.empty(len(sets))
    _joint_sums(columns, sizes, sets, -1.0 if strength is None else strength, steps, out)
    return out


@njit(nogil=True, cache=True)
def _joint_sums(columns, sizes, sets, strength, steps, out):
    """The cells of all columns of a set but the last are kept for the next set, which shares most of them."""
    most, rows = columns.shape
    cells = np.zeros((most, rows), dtype=np.int32)
    numbers = np.ones(most, dtype=np.int64)
    path, mine = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    levels = 1
    for column in range(most):
        levels = max(levels, sizes[column])
    table = np.zeros(levels * max(rows, MOST_DENSE_CELLS), dtype=np.int32)
    passed = np.zeros(rows + 1, dtype=np.int64)
    depth = 0
    for at in range(len(sets)):
        number, entries = 0, 1.0
        for column in range(most - 1, -1, -1):
            if sets[at] >> column & 1:
                mine[number] = column
                number += 1
                entries *= sizes[column]
        same = 0
        while same < min(depth, number - 1) and path[same] == mine[same]:
            same += 1
        for depth in range(same, number - 1):
            column = mine[depth]
            path[depth] = column
            numbers[depth + 1] = _cross(
                cells[depth], numbers[depth], columns[column], sizes[column], table, cells[depth + 1]
            )
        depth = max(number - 1, 0)
        if number:
            last = mine[number - 1]
            _pass(cells[depth], columns[last], sizes[last], table[: numbers[depth] * sizes[last]], passed)
        else:
            passed[:rows] = 1
        out[at] = _sum(passed, strength / entries, steps)


@njit(nogil=True, cache=True)
def _cross(cells, number, codes, size, table, out):
    """The cell of each row together with one more column, numbered anew where too many; how many there are."""
    for row in range(len(cells)):
        out[row] = cells[row] * size + codes[row]
    if number * size <= MOST_DENSE_CELLS:
        return number * size
    found = 0
    for row in range(len(out)):
        if not table[out[row]]:
            found += 1
            table[out[row]] = found
        out[row] = table[out[row]] - 1
    table[: number * size] = 0
    return found


@njit(nogil=True, cache=True)
def _pass(cells, codes, size, table, passed):
    """passed[n] += the rows before which n rows were in the same cell: so many cells have more than n rows."""
    for row in range(len(cells)):
        cell = np.uint64(cells[row] * size + codes[row])
        passed[np.uint64(table[cell])] += 1
        table[cell] += 1
    table[:] = 0


@njit(nogil=True, cache=True)
def _sum(passed, share, steps):
    """The sum over all rows of what each adds; `passed` is empty again."""
    total, number = 0.0, 0
    while passed[number]:
        total += passed[number] * (steps[number] if share < 0.0 else np.log(number + share))
        passed[number] = 0
        number += 1
    return total
