"""Counts below the parents that columns have in each member of a forest, and what columns tell about each other there.

Rows lie by column here: `parts` (columns, rows) are the slots of one member, its levels or bins, then missing, unseen.
"""

import numpy as np

from likely.core.numerics import Cells, Codes, Floats, Ints
from likely.kernels.compiler import njit

ROWS_AT_A_TIME = 2048  # rows whose slots stay in the nearer cache


@njit(nogil=True, cache=True)
def find_slots(codes: Codes, first: int, fine: Ints, slots: Ints, out: Cells) -> None:
    """out[j, i] = slots[fine[j] + codes[first + i, j]]: what a member makes of the fine codes of some rows."""
    for j in range(len(fine)):
        start = fine[j]
        for i in range(out.shape[1]):
            out[j, i] = slots[start + np.int64(codes[first + i, j])]


@njit(nogil=True, cache=True)
def count_families(
    parts: Cells, cells: Cells, weights: Floats | None, parents: Ints, sizes: Ints, starts: Ints, out: Ints | Floats
) -> None:
    """Add to out[class, starts[j] + cell of the parents * sizes[j] + slot] the weight of each row, or one.

    parents (columns, 3) are columns, -1 where there is none; the last of them runs fastest.
    """
    rows = parts.shape[1]
    for j in range(len(starts)):
        start, size = starts[j], sizes[j]
        a, b, c = parents[j, 0], parents[j, 1], parents[j, 2]
        for i in range(rows):
            cell = np.int64(0)
            if a >= 0:
                cell = np.int64(parts[a, i])
                if b >= 0:
                    cell = cell * sizes[b] + parts[b, i]
                    if c >= 0:
                        cell = cell * sizes[c] + parts[c, i]
            place = np.uint64(start + cell * size + parts[j, i])
            if weights is None:
                out[np.uint64(cells[i]), place] += 1
            else:
                out[np.uint64(cells[i]), place] += weights[i]


def count_members(
    codes: Codes,
    cells: Cells,
    weights: Floats | None,
    members: tuple[tuple[Ints, Ints, Ints, Ints, Ints], ...],
    out: Ints | Floats,
) -> None:
    """Add to out (classes, width) the counts of all members, some rows at a time: one pass over the rows.

    Each member has the starts and slots of `find_slots` and parents, sizes and starts of `count_families`.
    """
    for first in range(0, len(codes), ROWS_AT_A_TIME):
        last = min(first + ROWS_AT_A_TIME, len(codes))
        parts = np.empty((codes.shape[1], last - first), dtype=np.int32)
        own, mass = cells[first:last], None if weights is None else weights[first:last]
        for fine, slots, parents, sizes, starts in members:
            find_slots(codes, first, fine, slots, parts)
            count_families(parts, own, mass, parents, sizes, starts, out)


@njit(nogil=True, cache=True, error_model="numpy")
def tell_about(
    parts: Cells,
    cells: Cells,
    weights: Floats,
    child: int,
    others: Ints,
    sizes: Ints,
    classes: int,
    room: Floats,
    out: Floats,
) -> None:
    """out[k]: the nats that columns tell about a child given the class: I(child; others[k] | class), missing a slot.

    room: as many numbers as classes and slots of any two columns together take.
    """
    rows, size = parts.shape[1], sizes[child]
    for k in range(len(others)):
        other = others[k]
        width = sizes[other] * size
        room[: classes * width] = 0.0
        for i in range(rows):
            place = (np.int64(cells[i]) * sizes[other] + parts[other, i]) * size + parts[child, i]
            room[np.uint64(place)] += weights[i]
        nats, whole = 0.0, 0.0
        for c in range(classes):
            table = room[c * width : (c + 1) * width]
            total = 0.0
            for s in range(size):
                column = 0.0
                for t in range(sizes[other]):
                    column += table[t * size + s]
                total += column
                if column > 0.0:
                    nats -= column * np.log(column)
            for t in range(sizes[other]):
                row = 0.0
                for s in range(size):
                    n = table[t * size + s]
                    row += n
                    if n > 0.0:
                        nats += n * np.log(n)
                if row > 0.0:
                    nats -= row * np.log(row)
            if total > 0.0:
                nats += total * np.log(total)
            whole += total
        out[k] = max(nats / whole, 0.0) if whole > 0.0 else 0.0
