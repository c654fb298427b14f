"""Counts of two and of three columns together, by class."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Cells, Codes, Flags, Floats, Ints
from likely.kernels.compiler import interpreted_while_small, njit
from likely.kernels.counting.bitmap_pairs import pairs_by_bitmaps, triples_by_bitmaps
from likely.kernels.counting.bitmaps import ROWS_A_WORD, lay_out, make_room

Weights = Floats | None
Table = Ints | Floats
PAYS = {2: 600, 3: 1200}  # measured: counts of two, of three bitmaps in the time of one increment for every row
# Increments take a tenth of a millisecond: bitmaps save less, and take seconds to compile
INCREMENTS_WORTH_BITMAPS = 100_000
MIRRORED_AT_A_TIME = 32  # rows and columns of a table turned over at once, within the first cache


def count_pairs(codes: Codes, cells: Cells | Ints, parts: Ints, weights: Weights, out: Table) -> None:
    """Add to out[c, s, t] the weight of the rows of class c that have part s of one column and t of another.

    out (classes, parts, parts) has all columns side by side, and on its diagonal the weight of rows that have a
    part. It must be symmetric, and stays so. A code that is no part counts nowhere.
    """
    if codes.size == 0:
        return
    codes = of_two_kinds(codes)
    order, bounds = sort_rows(cells, len(out))
    wide, narrow, kept = choose(codes, bounds, parts, weights, 2)
    if len(narrow):
        columns = lay_out(narrow, parts, kept)
        pairs_by_bitmaps(codes, order, bounds, columns, make_room(columns, int(np.diff(bounds).max()), 2), out)
    if wide.any():
        found = np.zeros((3, len(parts) + 1), np.int64)
        pairs_one_by_one(codes, order, bounds, parts, np.cumsum(parts) - parts, wide, weights, found, out)
    mirror(np.repeat(np.cumsum(parts), parts), out)


def count_triples(codes: Codes, cells: Cells | Ints, parts: Ints, weights: Weights, out: Table) -> None:
    """Add to out[c, box] the weight of the rows of class c that have the three parts of a box.

    The boxes of columns i < j < k lie together, parts of k running fastest; threes in the order of `combinations`.
    """
    if codes.size == 0:
        return
    codes = of_two_kinds(codes)
    order, bounds = sort_rows(cells, len(out))
    bases = pair_bases(parts)
    wide, narrow, kept = choose(codes, bounds, parts, weights, 3)
    if len(narrow) > 2:
        columns = lay_out(narrow, parts, kept)
        room = make_room(columns, int(np.diff(bounds).max()), 3)
        triples_by_bitmaps(codes, order, bounds, columns, bases, room, out)
    if wide.any():
        others = np.zeros((2, len(parts)), np.int64)
        triples_one_by_one(codes, order, bounds, parts, bases, wide, weights, others, out)


def of_two_kinds(codes: Codes) -> Codes:
    """Bytes or int32 in one piece: each kind of array more is compiled once more."""
    if codes.dtype == np.uint8:
        return np.ascontiguousarray(codes, dtype=np.uint8)
    return np.ascontiguousarray(codes, dtype=np.int32)


def sort_rows(cells: Cells | Ints, classes: int) -> tuple[Ints, Ints]:
    """Rows by class, in their order, and where each class begins and ends."""
    order, bounds = np.empty(len(cells), np.int64), np.zeros(classes + 1, np.int64)
    fill_order_from_python(np.ascontiguousarray(cells, dtype=np.int64), order, bounds, np.zeros(classes, np.int64))
    return order, bounds


@njit(nogil=True, cache=True)
def fill_order(cells, order, bounds, filled) -> None:
    """Counting sort."""
    for i in range(len(cells)):
        bounds[cells[i] + 1] += 1
    for cell in range(len(filled)):
        bounds[cell + 1] += bounds[cell]
        filled[cell] = bounds[cell]
    for i in range(len(cells)):
        order[filled[cells[i]]] = i
        filled[cells[i]] += 1


fill_order_from_python = interpreted_while_small(fill_order)  # other kernels call the loop itself


def choose(codes: Codes, bounds: Ints, parts: Ints, weights: Weights, together: int) -> tuple[Flags, Ints, Ints]:
    """Which columns are counted one by one, which by bitmaps, and how many bitmaps each of all needs."""
    # the last part of a column in which nothing is missing is what the others leave
    kept = parts - (highest(codes) < parts)
    few = few_enough(kept, parts, np.diff(bounds), together) if weights is None else np.zeros(len(parts), np.bool_)
    return ~few & (parts > 0), np.flatnonzero(few & (parts > 0)), kept


def few_enough(kept: Ints, parts: Ints, rows: Ints, together: int) -> Flags:
    """(columns,): do bitmaps pay where all columns are like this one? `rows` are those of each class.

    Bitmaps cost by the words of rows they are, and to be added to the answer, once a class.
    """
    if rows.sum() * len(parts) ** together <= INCREMENTS_WORTH_BITMAPS:
        return np.zeros(len(parts), np.bool_)
    words = (-(-rows // ROWS_A_WORD)).sum()
    crossed = kept.astype(np.float64) ** together * words * ROWS_A_WORD / PAYS[together]
    added = (parts.astype(np.float64) ** together + 8) / 2 * np.count_nonzero(rows)
    return np.asarray(crossed + added <= rows.sum())


def highest(codes: Codes) -> Ints:
    """(columns,): the highest code of each column."""
    rows, columns = codes.shape
    # 64 rows side by side are long enough for a vectorised maximum
    whole = codes[: rows // 64 * 64].reshape(-1, 64 * columns).max(axis=0, initial=0).reshape(64, columns)
    return np.concatenate([whole, codes[rows // 64 * 64 :]]).max(axis=0).astype(np.int64)


def pair_bases(parts: Ints) -> Ints:
    """(columns, columns): where the boxes of columns i < j and every later one begin."""
    after = parts.sum() - np.cumsum(parts)
    sizes = np.triu(parts[:, None] * parts * after, 1).reshape(-1)
    bases: Ints = (np.cumsum(sizes) - sizes).reshape(len(parts), len(parts))
    return bases


@interpreted_while_small
@njit(nogil=True, cache=True)
def pairs_one_by_one(codes, order, bounds, parts, places, wide, weights, found, out) -> None:
    """One increment a pair of which a column is wide: any number of parts, and weights.

    found (3, columns + 1): the places of the row's parts; how many wide ones come before; the places of the wide ones.
    """
    for cell in range(len(bounds) - 1):
        for at in range(bounds[cell], bounds[cell + 1]):
            row = np.uint64(order[at])
            weight = 1 if weights is None else weights[row]
            # missing values are dropped here, so that the loop over pairs has nothing to ask
            many = wides = 0
            for j in range(len(parts)):
                part = np.int64(codes[row, np.uint64(j)])
                if part < parts[j]:
                    found[0, many] = found[2, wides] = places[j] + part
                    found[1, many] = wides
                    many += 1
                    wides += wide[j]
            found[1, many] = wides
            for i in range(many):
                place = np.uint64(found[0, i])
                target = out[cell, place]
                if found[1, i] < found[1, i + 1]:
                    for j in range(i, many):
                        target[np.uint64(found[0, j])] += weight
                else:
                    for j in range(found[1, i], wides):
                        target[np.uint64(found[2, j])] += weight


@njit(nogil=True, cache=True)
def triples_one_by_one(codes, order, bounds, parts, bases, wide, weights, others, out) -> None:
    """One increment a triple, of which at least one column is wide: any number of parts, and weights."""
    for i in range(len(parts)):
        for j in range(i + 1, len(parts)):
            many = list_others(parts, wide, j, wide[i] or wide[j], bases[i, j], parts[i] * parts[j], others)
            if many == 0:
                continue
            for cell in range(len(bounds) - 1):
                target = out[cell]
                for at in range(bounds[cell], bounds[cell + 1]):
                    row = np.uint64(order[at])
                    u, v = np.int64(codes[row, np.uint64(i)]), np.int64(codes[row, np.uint64(j)])
                    if u >= parts[i] or v >= parts[j]:
                        continue
                    uv = u * parts[j] + v
                    weight = 1 if weights is None else weights[row]
                    for q in range(many):
                        k = np.uint64(others[0, q])
                        other = np.int64(codes[row, k])
                        if other < parts[k]:
                            target[np.uint64(others[1, q] + uv * parts[k] + other)] += weight


@njit(nogil=True, cache=True)
def list_others(parts, wide, last, every, base, step, others) -> int:
    """List the columns after `last`, every one or the wide ones, and where their counts begin: how many."""
    many = 0
    for j in range(last + 1, len(parts)):
        if every or wide[j]:
            others[0, many] = j
            others[1, many] = base
            many += 1
        base += step * parts[j]
    return many


@interpreted_while_small
@njit(nogil=True, cache=True)
def mirror(after, out) -> None:
    """Copy the upper half of each table to the lower; after[i]: where the column ends of which i is a part."""
    size = out.shape[1]
    for cell in range(len(out)):
        table = out[cell]
        for top in range(0, size, MIRRORED_AT_A_TIME):
            for left in range(top, size, MIRRORED_AT_A_TIME):
                for i in range(top, min(top + MIRRORED_AT_A_TIME, size)):
                    for j in range(max(left, after[i]), min(left + MIRRORED_AT_A_TIME, size)):
                        table[np.uint64(j), np.uint64(i)] = table[np.uint64(i), np.uint64(j)]
