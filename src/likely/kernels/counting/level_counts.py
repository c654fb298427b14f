"""Counts of levels by cell."""

import numpy as np
from numpy.typing import NDArray

from likely.core.numerics import Cells, Codes, Floats, Ints
from likely.kernels.compiler import interpreted_while_small, njit
from likely.kernels.memory import aligned_zeros

COLUMNS_A_TILE = 64  # columns side by side in one tile: a whole vector register of bytes
MOST_ROWS_IN_A_BYTE = 255  # rows of one cell after which a byte of count may overflow


def count(codes: Codes, cells: Cells, offsets: Ints, weights: Floats | None, out: Ints | Floats) -> None:
    """Add to out[cells[i], offsets[j] + codes[i, j]] the weight of row i, or one."""
    rows, columns = codes.shape
    if weights is None and codes.dtype == np.uint8 and rows > COLUMNS_A_TILE * len(out):
        highest = int(codes.max(initial=0))
        tiles = -(-columns // COLUMNS_A_TILE)
        # measured: a compared level of a tile costs as much as three increments, and a tile three levels besides
        if 3 * tiles * (highest + 3) < columns:
            # the last rows are too near the end of the block to be read a whole tile at a time
            tail = rows - COLUMNS_A_TILE // columns - 1
            held = aligned_zeros((len(out), tiles * (highest + highest % 2) * COLUMNS_A_TILE), np.uint8)
            count_by_comparing(codes.reshape(-1), cells[:tail], offsets, held, np.zeros(len(out), np.int64), out)
            codes, cells = codes[tail:], cells[tail:]
    count_one_by_one(codes, cells, offsets, weights, out)


@interpreted_while_small
@njit(nogil=True, cache=True)
def count_one_by_one(codes: Codes, cells: Cells, offsets: Ints, weights: Floats | None, out: Ints | Floats) -> None:
    """One increment a value: for any dtype, any number of levels, and weights."""
    rows, columns = codes.shape
    for i in range(rows):
        target = out[cells[i]]
        for j in range(columns):
            # an unsigned index spares the check for negative ones
            place = np.uint64(offsets[j]) + np.uint64(codes[i, j])
            if weights is None:
                target[place] += 1
            else:
                target[place] += weights[i]


@njit(nogil=True, cache=True)
def count_by_comparing(
    codes: NDArray[np.uint8], cells: Cells, offsets: Ints, held: NDArray[np.uint8], seen: Ints, out: Ints
) -> None:
    """Compare the flat codes of a row, 64 at a time, with each level but 0: level 0 is what the others leave.

    Up to five times as fast as single increments where levels are few. `held` (cells, tiles * levels * 64)
    counts in bytes and is moved to `out` before it can overflow. It is made by the caller, as is `seen`:
    an allocation here would double the time to compile.
    """
    columns = len(offsets)
    tiles = (columns + COLUMNS_A_TILE - 1) // COLUMNS_A_TILE
    pairs = held.shape[1] // (2 * COLUMNS_A_TILE * tiles)
    for i in range(len(cells)):
        cell = cells[i]
        start = np.uint64(i * columns)
        place = np.uint64(0)
        for _ in range(tiles):
            # levels go two by two: one load of the codes serves both
            for pair in range(pairs):
                for j in range(COLUMNS_A_TILE):
                    code = codes[start + np.uint64(j)]
                    held[cell, place + np.uint64(j)] += code == np.uint8(2 * pair + 1)
                    held[cell, place + np.uint64(j + COLUMNS_A_TILE)] += code == np.uint8(2 * pair + 2)
                place += np.uint64(2 * COLUMNS_A_TILE)
            start += np.uint64(COLUMNS_A_TILE)
        seen[cell] += 1
        if seen[cell] == MOST_ROWS_IN_A_BYTE:
            empty(held[cell], seen[cell], offsets, 2 * pairs, out[cell])
            seen[cell] = 0
    for cell in range(len(out)):
        empty(held[cell], seen[cell], offsets, 2 * pairs, out[cell])


@njit(nogil=True, cache=True)
def empty(held: NDArray[np.uint8], seen: int, offsets: Ints, highest: int, out: Ints) -> None:
    """Move one cell's counts of `seen` rows from `held` to `out`."""
    for j in range(len(offsets)):
        rest = seen
        place = np.uint64(j // COLUMNS_A_TILE * highest * COLUMNS_A_TILE + j % COLUMNS_A_TILE)
        for level in range(1, highest + 1):
            n = held[place]
            # a column may have fewer levels than another: its own slots end where its counts do
            if n > 0:
                out[np.uint64(offsets[j] + level)] += n
                rest -= n
                held[place] = 0
            place += np.uint64(COLUMNS_A_TILE)
        out[np.uint64(offsets[j])] += rest
