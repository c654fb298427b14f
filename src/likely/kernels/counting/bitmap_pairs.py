"""Counts of two and of three columns of few parts, by bitmaps."""

import numpy as np

from likely.kernels.compiler import njit
from likely.kernels.counting.bitmaps import BITMAP_TILE, ROWS_A_WORD, copy, cross, meet, read_bits, take


@njit(nogil=True, cache=True)
def pairs_by_bitmaps(codes, order, bounds, columns, room, out) -> None:
    """Add the counts of one and of two columns to the upper half of out (classes, slots, slots)."""
    length = room.bits.shape[1] // BITMAP_TILE * ROWS_A_WORD
    for cell in range(len(bounds) - 1):
        for start in range(bounds[cell], bounds[cell + 1], length):
            rows = order[start : min(start + length, bounds[cell + 1])]
            words = read_bits(codes, rows, columns, room)
            ready = np.int64(0)  # a plain 0 is a type of its own, for which all below would be compiled again
            for i in range(len(columns.at)):
                ready = count_two(i, ready, words, columns, room)
                add_two(i, columns, room.two, room.single, out[cell])


@njit(nogil=True, cache=True)
def triples_by_bitmaps(codes, order, bounds, columns, bases, room, out) -> None:
    """Add the counts of three columns to out (classes, boxes); bases[i, j]: where those of i, j and others begin."""
    length = room.bits.shape[1] // BITMAP_TILE * ROWS_A_WORD
    many = len(columns.at)
    for cell in range(len(bounds) - 1):
        for start in range(bounds[cell], bounds[cell + 1], length):
            rows = order[start : min(start + length, bounds[cell + 1])]
            words = read_bits(codes, rows, columns, room)
            ready = np.int64(0)  # a plain 0 is a type of its own, for which all below would be compiled again
            for i in range(many):
                ready = count_two(i, ready, words, columns, room)
            for i in range(many - 2):
                ready = columns.maps[i + 1] // BITMAP_TILE
                for u in range(columns.kept[i]):
                    meet(room.bits, columns.maps[i] + u, ready, words, room.both[u])
                for j in range(i + 1, many - 1):
                    ready = count_three(i, j, ready, words, columns, room)
                    list_rows(i, j, columns, room)
                    add_three(i, j, columns, room.three, room.listed, bases, out[cell])


@njit(nogil=True, cache=True)
def count_two(i, ready, words, columns, room) -> int:
    """Fill the rows of `two` of column i, for later columns; `ready` tiles of rows were counted before, and after."""
    two, first, kept = room.two, columns.maps[i], columns.kept[i]
    turn = len(two) - len(columns.at)
    while ready * BITMAP_TILE < first + kept:
        cross(room.bits, ready, room.bits, words, two[ready * BITMAP_TILE % turn :])
        ready += 1
    if kept < columns.parts[i]:
        last, tile = two[turn + i], (first + kept) // BITMAP_TILE
        copy(room.alone, last, tile)
        for u in range(kept):
            take(last, two[(first + u) % turn], tile)
    return ready


@njit(nogil=True, cache=True)
def add_two(i, columns, two, single, out) -> None:
    """Add the rows of `two` of column i to the table, and the counts of its parts alone."""
    turn = len(two) - len(columns.at)
    for u in range(columns.parts[i]):
        place, total = columns.places[i] + u, single[columns.slots[i] + u]
        counts = two[row_of(u, columns.maps[i], columns.kept[i], turn, turn + i)]
        target = out[place]
        target[place] += total
        for j in range(i + 1, len(columns.at)):
            add(counts, columns.maps[j], total, columns.kept[j], columns.parts[j], target, columns.places[j])


@njit(nogil=True, cache=True)
def count_three(i, j, ready, words, columns, room) -> int:
    """Fill the rows of `three` of columns i and j, for later columns; `ready` as for two."""
    two, three, planes = room.two, room.three, columns.kept[i]
    first, kept = columns.maps[j], columns.kept[j]
    turn, ends, tile = three.shape[1] - 1, len(two) - len(columns.at), (first + kept) // BITMAP_TILE
    while ready * BITMAP_TILE < first + kept:
        for u in range(planes):
            cross(room.both[u], ready, room.bits, words, three[u, ready * BITMAP_TILE % turn :])
        ready += 1
    if kept < columns.parts[j]:
        for u in range(planes):
            last = three[u, turn]
            copy(two[columns.maps[i] + u], last, tile)
            for v in range(kept):
                take(last, three[u, (first + v) % turn], tile)
    if planes < columns.parts[i]:
        for v in range(columns.parts[j]):
            row = row_of(v, first, kept, turn, turn)
            last = three[planes, row]
            copy(two[row_of(v, first, kept, ends, ends + j)], last, tile)
            for u in range(planes):
                take(last, three[u, row], tile)
    return ready


@njit(nogil=True, cache=True)
def list_rows(i, j, columns, room) -> None:
    """List where in `three` each part of column i with each of column j has its row, and the count of the two."""
    two, listed = room.two, room.listed
    turn, ends = room.three.shape[1] - 1, len(two) - len(columns.at)
    first, kept, at = columns.maps[j], columns.kept[j], 0
    for u in range(columns.parts[i]):
        counts = two[row_of(u, columns.maps[i], columns.kept[i], ends, ends + i)]
        rest = room.single[columns.slots[i] + u]
        for v in range(columns.parts[j]):
            listed[0, at] = (u * (turn + 1) + row_of(v, first, kept, turn, turn)) * two.shape[1]
            listed[1, at] = counts[first + v] if v < kept else rest
            rest -= listed[1, at]
            at += 1


@njit(nogil=True, cache=True)
def add_three(i, j, columns, three, listed, bases, out) -> None:
    """Add the listed rows to the boxes of columns i, j and each later one, in the order of memory."""
    many = columns.parts[i] * columns.parts[j]
    base = bases[columns.at[i], columns.at[j]] - many * (columns.places[j] + columns.parts[j])
    flat = three.reshape(-1)
    for k in range(j + 1, len(columns.at)):
        first, kept, parts = columns.maps[k], columns.kept[k], columns.parts[k]
        place = base + many * columns.places[k]
        for at in range(many):
            add(flat, listed[0, at] + first, listed[1, at], kept, parts, out, place)
            place += parts


@njit(nogil=True, cache=True)
def add(counts, first, total, kept, parts, out, place) -> None:
    """Add the counts of one column's bitmaps to all its parts: a last part without bitmap has the rest."""
    source, target = np.uint64(first), np.uint64(place)
    # indices that run are not vectorised, which pays: most columns have few parts
    for _ in range(kept):
        n = counts[source]
        out[target] += n
        total -= n
        source += np.uint64(1)
        target += np.uint64(1)
    if kept < parts:
        out[target] += total


@njit(nogil=True, cache=True)
def row_of(part, first, kept, turn, last) -> int:
    """Where a part has its row: of its bitmap, among `turn` rows used in turn, or the one of a last part."""
    return (first + part) % turn if part < kept else last
