"""Sums of products of every two columns by cell, held in double-double."""

import numpy as np

from likely.core.numerics import Cells, Flags, Floats, Ints
from likely.kernels.arithmetic.elementary import fma
from likely.kernels.compiler import njit
from likely.kernels.counting.pairs import fill_order
from likely.kernels.counting.scatter_batches import (
    COLUMNS_MULTIPLIED_AT_A_TIME,
    FAR_OUT_RATIO,
    UNEVEN,
    dots,
    far_out,
    fill_holes,
    middle,
    turn,
    weigh,
)
from likely.kernels.memory import aligned_zeros

SCATTER_ROWS_AT_A_TIME = 8192  # rows put in the order of their cells at a time: they stay in the cache
# Rows of a cell in a chunk that are added one by one, exactly; a chunk should have four times as many
CELL_ROWS_ADDED_EXACTLY = 64
# Products that take NumPy a tenth of a millisecond: the loops of batches take seconds to compile
PRODUCTS_WORTH_COMPILING = 50_000
NUMBERS_MULTIPLIED_AT_A_TIME = 1 << 16  # numbers multiplied at a time: they stay in the nearer cache


def scatter(values: Floats, cells: Cells, weights: Floats | None, out: Floats) -> None:
    """Add to out (6, cells, d, d): count, total (high, low), product (high, low), count (low); NaN is missing.

    [j, k] is over the rows that have both columns: of weights, of weighted values of j, of weighted products. Few rows
    of a cell and rows far out are added exactly; others in batches about the middle of each, right to 1e-15 of the
    spread of the batch: so what is left of a cell when a row far out is taken back is as if it had never been there.
    """
    columns = values.shape[1]
    at = cells.astype(np.int64)
    mass = np.empty(0) if weights is None else np.ascontiguousarray(weights)
    if weights is not None:
        at[weights == 0] = out.shape[1]  # a cell beyond the last, which is not looked at
    if values.size * columns <= PRODUCTS_WORTH_COMPILING:
        _add_small(values, at, mass, out)
    else:
        _add_batches(np.ascontiguousarray(values), at, mass, out)
    below = np.tri(columns, k=-1, dtype=np.bool_)
    for products in out[3:5]:  # so far [j, k >= j] are filled
        np.copyto(products, products.swapaxes(1, 2), where=below)


def _add_small(values: Floats, at: Ints, mass: Floats, out: Floats) -> None:
    """The same as in batches, a cell being one; rows far out, and those of cells that have few, are added exactly."""
    alone, whole = np.ones(len(values), np.bool_), not np.isnan(values).any()
    with np.errstate(invalid="ignore", over="ignore"):
        for cell in np.flatnonzero(np.bincount(at)[: out.shape[1]] >= CELL_ROWS_ADDED_EXACTLY).tolist():
            rows = np.flatnonzero(at == cell)
            away = values.T.take(rows, axis=1)  # (columns, rows): summed along the rows
            # a middle need not be exact: where nothing is missing that of some rows does
            shift = _medians(away[:, :: len(rows) // 5] if whole else away)
            away -= shift[:, None]
            known = np.ones(away.shape) if whole else (away == away).astype(np.float64)
            far = _far_out(away)
            if far is not None:
                rows, away, known = rows[~far], away[:, ~far], known[:, ~far]
            if not whole:
                away[known == 0.0] = 0.0
            alone[rows] = False
            counted, summed = (known * mass[rows], away * mass[rows]) if len(mass) else (known, away)
            once = summed @ known.T
            add_about(shift, counted @ known.T, once, once.T.copy(), summed @ away.T, cell, out)
    if alone.any():
        add_rows(np.ascontiguousarray(values[alone]), at[alone], mass[alone] if len(mass) else mass, out)


def _far_out(away: Floats) -> Flags | None:
    """(rows,): those far out in one of the (columns, rows), so that others would be lost in their products."""
    size = np.abs(away)
    total, squares = size.sum(axis=1), np.einsum("ij,ij->i", size, size)
    if (squares * away.shape[1] < UNEVEN * total * total).all():  # none, nor is a value missing
        return None
    return np.asarray(((size > FAR_OUT_RATIO * _medians(size)[:, None]) | (size == np.inf)).any(axis=0))


def _medians(values: Floats) -> Floats:
    """(columns,) of (columns, rows): of the values that are there; zero where none is, or where it is not finite."""
    ordered = np.sort(values)  # missing values last
    known = np.count_nonzero(ordered == ordered, axis=1)
    found = ordered[np.arange(len(known)), known // 2]
    found[~np.isfinite(found)] = 0.0  # none is there: a missing value is first
    return found


def _add_batches(values: Floats, at: Ints, mass: Floats, out: Floats) -> None:
    wide = -(-(values.shape[1] + 1) // COLUMNS_MULTIPLIED_AT_A_TIME) * COLUMNS_MULTIPLIED_AT_A_TIME
    batch = min(max(NUMBERS_MULTIPLIED_AT_A_TIME // wide, 256), 1024)
    room = aligned_zeros((3, wide, batch + 8))  # not a power of two: rows of these do not push each other out
    sums = aligned_zeros((4, wide, wide))
    chunk = min(max(SCATTER_ROWS_AT_A_TIME, 4 * CELL_ROWS_ADDED_EXACTLY * out.shape[1]), max(len(values), 1))
    add_chunks(values, at, mass, chunk, batch, room, sums, out)


@njit(nogil=True, cache=True)
def add_chunks(values, cells, weights, chunk, batch, room, sums, out):
    """Add rows to out (6, cells, d, d), a chunk at a time, cell by cell; of products only [j, k >= j]."""
    order, filled = np.empty(chunk, np.int64), np.empty(out.shape[1] + 1, np.int64)
    for start in range(0, len(cells), chunk):
        some, mass = values[start : start + chunk], weights[start : start + chunk]
        bounds = np.zeros(out.shape[1] + 2, np.int64)
        fill_order(cells[start : start + chunk], order, bounds, filled)
        for cell in range(out.shape[1]):
            rows = order[bounds[cell] : bounds[cell + 1]]
            if len(rows) < CELL_ROWS_ADDED_EXACTLY:
                for row in rows:
                    add_row(some[row], mass[row] if len(mass) else 1.0, cell, out)
            else:
                parts = -(-len(rows) // batch)
                for part in range(parts):
                    share = rows[part * len(rows) // parts : (part + 1) * len(rows) // parts]
                    add_batch(some, share, mass, room, sums, cell, out)


@njit(nogil=True, cache=True)
def add_rows(values, cells, weights, out):
    """Add rows to out (6, cells, d, d), exactly; of products only [j, k >= j]."""
    for row in range(len(cells)):
        if cells[row] < out.shape[1]:
            add_row(values[row], weights[row] if len(weights) else 1.0, cells[row], out)


@njit(nogil=True, cache=True)
def add_row(x, w, cell, out):
    """Add one row to out (6, cells, d, d), exactly as far as two doubles hold it."""
    for j in range(len(x)):
        if x[j] != x[j]:
            continue
        count, total, product = out[0, cell, j], out[1, cell, j], out[3, cell, j]
        count_low, total_low, product_low = out[5, cell, j], out[2, cell, j], out[4, cell, j]
        once = w * x[j]
        lost = fma(w, x[j], -once)
        for k in range(len(x)):
            share = 1.0 if x[k] == x[k] else 0.0
            count[k], count_low[k] = added(count[k], count_low[k], w * share, 0.0)
            total[k], total_low[k] = added(total[k], total_low[k], once * share, lost * share)
        for k in range(j, len(x)):
            y = x[k] if x[k] == x[k] else 0.0
            twice = once * y
            product[k], product_low[k] = added(product[k], product_low[k], twice, fma(once, y, -twice) + lost * y)


@njit(nogil=True, cache=True)
def added(high, low, value, lost):
    """(high, low) + (value, lost): Knuth's two-sum, and what is carried from the low part to the high."""
    total = high + value
    part = total - high
    rest = low + (((high - (total - part)) + (value - part)) + lost)
    return total + rest, rest - ((total + rest) - total)


@njit(nogil=True, cache=True)
def add_batch(values, rows, weights, room, sums, cell, out):
    """Add rows of one cell to out (6, cells, d, d): their products about their middle, then brought back to zero."""
    columns, n = values.shape[1], len(rows)
    away, weighed, known = room[0], room[1], room[2]  # indexed, they are known to be contiguous
    twice, once, turned, number = sums[0], sums[1], sums[2], sums[3]
    shift = middle(values, rows)
    turn(values, rows, shift, away)
    for i in range(n):
        away[columns, i] = 1.0  # a column of ones: its products are the totals and the count
    holes = fill_holes(values, rows, away, known)
    for i in far_out(away, columns, n):
        add_row(values[rows[i]], weights[rows[i]] if len(weights) else 1.0, cell, out)
        for j in range(columns + 1):
            away[j, i] = known[j, i] = 0.0
    dots(away, weigh(away, rows, weights, weighed), n, twice)
    if holes:
        dots(away, weigh(known, rows, weights, weighed), n, once)
        dots(known, weigh(away, rows, weights, weighed), n, turned)
        dots(known, weigh(known, rows, weights, weighed), n, number)
    for j in range(columns):
        for k in range(j, columns):
            if not holes:
                once[j, k], turned[j, k], number[j, k] = twice[j, columns], twice[k, columns], twice[columns, columns]
            once[k, j], number[k, j] = turned[j, k], number[j, k]
    add_about(shift, number, once, turned, twice, cell, out)


@njit(nogil=True, cache=True)
def add_about(shift, number, once, turned, twice, cell, out):
    """Add to out (6, cells, d, d) what sums about a shift are about zero.

    (d, d) each, or larger: `number` of rows, `once` the sums of column j, `turned` those of the others, `twice` of
    products; of the last two, only [k >= j] is looked at.
    """
    for j in range(len(shift)):
        count, total, product = out[0, cell, j], out[1, cell, j], out[3, cell, j]
        count_low, total_low, product_low = out[5, cell, j], out[2, cell, j], out[4, cell, j]
        x = shift[j]
        for k in range(len(shift)):
            n, about = number[j, k], x * number[j, k]
            count[k], count_low[k] = added(count[k], count_low[k], n, 0.0)
            high, low = added(total[k], total_low[k], about, fma(x, n, -about))
            total[k], total_low[k] = added(high, low, once[j, k], 0.0)
        for k in range(j, len(shift)):
            y, n, one, other = shift[k], number[j, k], once[j, k], turned[j, k]
            square, across, along = x * y, y * one, x * other
            about = square * n
            high, low = added(product[k], product_low[k], about, fma(square, n, -about) + fma(x, y, -square) * n)
            high, low = added(high, low, across, fma(y, one, -across))
            high, low = added(high, low, along, fma(x, other, -along))
            product[k], product_low[k] = added(high, low, twice[j, k], 0.0)
