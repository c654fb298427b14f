"""Bitmaps: which rows have a part of a column, 64 rows a word; what two share is an AND and a count of bits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.core.numerics import Ints
from likely.kernels.arithmetic.vectors import load, matches, none, popcount, store, subtract, tally
from likely.kernels.compiler import njit
from likely.kernels.memory import aligned_zeros

BITMAP_TILE = 8  # bitmaps in a tile: word 0 of all eight, then word 1 of all eight, ...
ROWS_A_WORD = 64  # rows in a word
NOWHERE = 255  # a byte that is no part
WORDS_AT_A_TIME = 65536  # words of bitmaps made at once: half of a usual second cache


class BitmapColumns(NamedTuple):
    """The columns that have bitmaps. The last part of a column without gaps needs none: it is what the others leave."""

    at: Ints  # which columns of the codes
    parts: Ints
    kept: Ints  # how many parts have a bitmap
    maps: Ints  # where the bitmaps begin
    slots: Ints  # where the parts begin, of these columns
    places: Ints  # where the parts begin, of all columns


class BitmapScratch(NamedTuple):
    """What the loops write on: made by the caller, for an allocation in compiled code doubles the time to compile.

    Counts stay by bitmap as long as they can, and are spread over all parts where they are added to the answer.
    """

    raw: NDArray[np.uint8]  # (columns * 64,): codes of 64 rows, a column after the other
    bits: NDArray[np.uint64]  # (tiles, words * 8)
    both: NDArray[np.uint64]  # (parts, tiles, words * 8): bits AND a part of the first of three columns
    single: Ints  # (slots,): counts of one part
    alone: Ints  # (bitmaps,): the same by bitmap
    two: Ints  # (rows + columns, bitmaps): rows by bitmap, used in turn; then the last part of each column
    three: (
        Ints  # (parts, rows + 1, bitmaps): by part of the first, bitmap or last part of the second, bitmap of the third
    )
    listed: Ints  # (2, parts of two columns): where in `three` each two have their row, and their count


def lay_out(at: Ints, parts: Ints, kept: Ints) -> BitmapColumns:
    """The columns `at` as they lie among all, of which `parts` and `kept` tell."""
    places = np.cumsum(parts) - parts
    parts, kept = parts[at], kept[at]
    return BitmapColumns(at, parts, kept, np.cumsum(kept) - kept, np.cumsum(parts) - parts, places[at])


def make_room(columns: BitmapColumns, longest: int, together: int) -> BitmapScratch:
    """Room to count two or three columns together in classes of up to `longest` rows."""
    kept = int(columns.kept.max())
    tiles = -(-int(columns.kept.sum()) // BITMAP_TILE)
    words = min(-(-longest // ROWS_A_WORD), max(ROWS_A_WORD, WORDS_AT_A_TIME // max(1, tiles * BITMAP_TILE)))
    turn = -(-kept // BITMAP_TILE) * BITMAP_TILE + BITMAP_TILE  # a column's bitmaps may begin and end inside a tile
    planes = kept + 1 if together == 3 else 0
    return BitmapScratch(
        aligned_zeros((len(columns.at) * ROWS_A_WORD,), np.uint8),
        aligned_zeros((tiles, words * BITMAP_TILE), np.uint64),
        aligned_zeros((planes, tiles, words * BITMAP_TILE), np.uint64),
        np.zeros(columns.parts.sum(), np.int64),
        aligned_zeros((tiles * BITMAP_TILE,), np.int64),
        aligned_zeros(((tiles * BITMAP_TILE if planes else turn) + len(columns.at), tiles * BITMAP_TILE), np.int64),
        aligned_zeros((planes, turn + 1, tiles * BITMAP_TILE), np.int64),
        np.zeros((2, int(columns.parts.max()) ** 2), np.int64),
    )


@njit(nogil=True, cache=True)
def read_bits(codes, rows, columns, room) -> int:
    """Make the bitmaps of some rows and count the rows that have each part; how many words they are."""
    raw, bits, single = room.raw, room.bits, room.single
    words = (len(rows) + ROWS_A_WORD - 1) // ROWS_A_WORD
    single[:] = 0
    for word in range(words):
        start = word * ROWS_A_WORD
        many = min(ROWS_A_WORD, len(rows) - start)
        if many < ROWS_A_WORD:
            raw[:] = NOWHERE
        for r in range(many):
            row = np.uint64(rows[start + r])
            for j in range(len(columns.at)):
                raw[np.uint64(j * ROWS_A_WORD + r)] = min(codes[row, np.uint64(columns.at[j])], NOWHERE)
        for j in range(len(columns.at)):
            rest = many
            for part in range(columns.kept[j]):
                having = matches(raw, np.uint64(j * ROWS_A_WORD), np.uint8(part))
                slot = columns.maps[j] + part
                bits[np.uint64(slot // BITMAP_TILE), np.uint64(word * BITMAP_TILE + slot % BITMAP_TILE)] = having
                single[np.uint64(columns.slots[j] + part)] += popcount(having)
                rest -= popcount(having)
            if columns.kept[j] < columns.parts[j]:
                single[np.uint64(columns.slots[j] + columns.kept[j])] += rest
    for j in range(len(columns.at)):
        for part in range(columns.kept[j]):
            room.alone[columns.maps[j] + part] = single[columns.slots[j] + part]
    return words


@njit(nogil=True, cache=True)
def cross(left, tile, right, words, out) -> None:
    """Count what each bitmap in a tile of `left` shares with those of `right` in this tile and the later ones."""
    one = left[tile]
    for other in range(tile, len(right)):
        those = right[other]
        at = np.uint64(0)
        n0, n1, n2, n3, n4, n5, n6, n7 = none(), none(), none(), none(), none(), none(), none(), none()
        for _ in range(words):
            eight = load(those, at)
            n0 = tally(n0, one[at], eight)
            n1 = tally(n1, one[at + np.uint64(1)], eight)
            n2 = tally(n2, one[at + np.uint64(2)], eight)
            n3 = tally(n3, one[at + np.uint64(3)], eight)
            n4 = tally(n4, one[at + np.uint64(4)], eight)
            n5 = tally(n5, one[at + np.uint64(5)], eight)
            n6 = tally(n6, one[at + np.uint64(6)], eight)
            n7 = tally(n7, one[at + np.uint64(7)], eight)
            at += np.uint64(BITMAP_TILE)
        row = np.uint64(0)
        for n in (n0, n1, n2, n3, n4, n5, n6, n7):
            store(out[row], np.uint64(other * BITMAP_TILE), n)
            row += np.uint64(1)


@njit(nogil=True, cache=True)
def meet(bits, slot, tile, words, both) -> None:
    """AND of one bitmap with all those from a tile on."""
    own = bits[slot // BITMAP_TILE, slot % BITMAP_TILE :]
    for other in range(tile, len(bits)):
        for word in range(words):
            mask = own[np.uint64(word * BITMAP_TILE)]
            for k in range(BITMAP_TILE):
                both[other, np.uint64(word * BITMAP_TILE + k)] = bits[other, np.uint64(word * BITMAP_TILE + k)] & mask


@njit(nogil=True, cache=True)
def copy(counts, out, tile) -> None:
    """out = counts, from a tile on."""
    for at in range(tile * BITMAP_TILE, len(out), BITMAP_TILE):
        store(out, np.uint64(at), load(counts, np.uint64(at)))


@njit(nogil=True, cache=True)
def take(out, counts, tile) -> None:
    """out -= counts, from a tile on."""
    for at in range(tile * BITMAP_TILE, len(out), BITMAP_TILE):
        store(out, np.uint64(at), subtract(load(out, np.uint64(at)), load(counts, np.uint64(at))))
