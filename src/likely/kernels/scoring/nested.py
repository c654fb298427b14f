"""Log densities of columns whose parameters change with the cell of each row, summed over columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Flags, Floats, Ints
from likely.kernels.arithmetic.elementary import log_one_plus
from likely.kernels.arithmetic.vectors import add, load, multiply, spread, store, subtract
from likely.kernels.compiler import njit
from likely.kernels.memory import CLASSES_A_VECTOR, aligned_zeros, pad_classes

LOGARITHMS_AT_A_TIME = 1024  # logarithms taken in one loop, long enough to vectorise
LARGEST_PRODUCT = 1e300  # a product up to here has a logarithm; beyond, its factors have


@dataclass(frozen=True)
class CellTables:
    """Parameters laid out for the loops, flat, the classes padded to whole registers.

    `table` [cell][column][centre, weight, constant][class], `exponent` [cell][column][class], `absent` [column][class].
    Without `exponent` the densities are normal and the weights are their precisions.
    """

    table: Floats
    absent: Floats
    exponent: Floats | None
    ends: Ints  # (runs,): one after the last of each run of columns that share their exponents

    @classmethod
    def of(
        cls, centre: Floats, weight: Floats, constant: Floats, absent: Floats, exponent: Floats | None, stops: Flags
    ) -> CellTables:
        """From arrays (cells, columns, classes); absent (columns, classes)."""
        table, gone = (pad_classes(one).reshape(-1) for one in (np.stack([centre, weight, constant], axis=2), absent))
        power = None if exponent is None else pad_classes(exponent).reshape(-1)
        return cls(table, gone, power, np.flatnonzero(stops) + 1)

    def score(self, values: Floats, cells: Ints, skip: Sequence[int], out: Floats) -> None:
        """Add to out (rows, classes) the log densities of values (rows, columns), each in the cell of its row.

        constant - exponent * log1p(weight * (x - centre)^2), or constant - weight * (x - centre)^2 / 2; absent[j] where
        x is NaN; nothing for the columns to `skip`.
        """
        classes = out.shape[1]
        width = -(-classes // CLASSES_A_VECTOR) * CLASSES_A_VECTOR
        assert not len(cells) or (cells.min() >= 0 and cells.max() < len(self.table) // (3 * values.shape[1] * width))
        passed = np.zeros(values.shape[1], dtype=np.bool_)
        passed[list(skip)] = True
        work = aligned_zeros((3, max(LOGARITHMS_AT_A_TIME, len(self.ends) * classes) + CLASSES_A_VECTOR))
        if self.exponent is None:
            add_normals(values, cells, self.table, self.absent, width, passed, work[0], out)
        else:
            add_students(values, cells, self.table, self.absent, self.exponent, self.ends, width, passed, *work, out)


@njit(nogil=True, cache=True, error_model="numpy")
def add_students(
    values: Floats,
    cells: Ints,
    table: Floats,
    absent: Floats,
    exponent: Floats,
    ends: Ints,
    width: int,
    skip: Flags,
    product: Floats,
    power: Floats,
    constant: Floats,
    out: Floats,
) -> None:
    """Score by runs of columns: product = (1 + u)(1 + v)... - 1, kept without the 1, as a small u would drown in it."""
    rows, columns = values.shape
    classes, runs = out.shape[1], len(ends)
    step = max(1, LOGARITHMS_AT_A_TIME // (runs * classes))
    for first in range(0, rows, step):
        many = min(step, rows - first)
        for r in range(many):
            i = first + r
            begin = 0
            for run in range(runs):
                end = ends[run]
                for g in range(0, width, 4):
                    p, t = spread(0.0), spread(0.0)
                    for k in range(begin, end):
                        x = values[i, k]
                        if skip[k]:
                            continue
                        if x == x:
                            at = (cells[i] * columns + k) * 3 * width + g
                            d = subtract(spread(x), load(table, np.uint64(at)))
                            u = multiply(multiply(load(table, np.uint64(at + width)), d), d)
                            p = add(add(p, u), multiply(p, u))
                            t = add(t, load(table, np.uint64(at + 2 * width)))
                        else:
                            t = add(t, load(absent, np.uint64(k * width + g)))
                    # runs lie close together: the spare lanes of one are the first of the next, which is stored later
                    to = np.uint64((r * runs + run) * classes + g)
                    store(product, to, p)
                    store(constant, to, t)
                    store(power, to, load(exponent, np.uint64((cells[i] * columns + end - 1) * width + g)))
                begin = end
        size, far = many * runs * classes, 0
        for q in range(size):
            far += not product[q] < LARGEST_PRODUCT
        for q in range(size if far > 0 else 0):
            if not product[q] < LARGEST_PRODUCT:
                i, run, c = first + q // (runs * classes), q // classes % runs, q % classes
                begin = ends[run - 1] if run > 0 else 0
                constant[q] -= power[q] * log_far(values[i], cells[i], table, width, c, begin, ends[run], skip)
                product[q] = 0.0
        subtract_logs(power[:size], product[:size], constant[:size])
        for r in range(many):
            for c in range(classes):
                total = 0.0
                for run in range(runs):
                    total += constant[(r * runs + run) * classes + c]
                out[first + r, c] += total


@njit(nogil=True, cache=True, error_model="numpy")
def subtract_logs(power: Floats, product: Floats, constant: Floats) -> None:
    """constant -= power * log(1 + product): by itself, so that it vectorises."""
    for q in range(len(constant)):
        constant[q] -= power[q] * log_one_plus(product[q])


@njit(nogil=True, cache=True, error_model="numpy")
def log_far(values: Floats, cell: int, table: Floats, width: int, c: int, begin: int, end: int, skip: Flags) -> float:
    """The sum of log1p(u) one by one, for a row whose product overflows: finite for any finite value."""
    total = 0.0
    for k in range(begin, end):
        at = (cell * len(values) + k) * 3 * width + c
        d, w = abs(values[k] - table[at]), table[at + width]
        if d == d and not skip[k]:
            u = w * d * d
            total += np.log1p(u) if u < LARGEST_PRODUCT else np.log(w) + 2.0 * np.log(d)
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def add_normals(
    values: Floats, cells: Ints, table: Floats, absent: Floats, width: int, skip: Flags, total: Floats, out: Floats
) -> None:
    """Score row by row; the weights are precisions."""
    rows, columns = values.shape
    classes = out.shape[1]
    for i in range(rows):
        for g in range(0, width, 4):
            t = spread(0.0)
            for k in range(columns):
                if skip[k]:
                    continue
                x = values[i, k]
                if x == x:
                    at = (cells[i] * columns + k) * 3 * width + g
                    d = subtract(spread(x), load(table, np.uint64(at)))
                    half = multiply(spread(0.5), load(table, np.uint64(at + width)))
                    t = subtract(add(t, load(table, np.uint64(at + 2 * width))), multiply(multiply(half, d), d))
                else:
                    t = add(t, load(absent, np.uint64(k * width + g)))
            store(total, np.uint64(g), t)
        for c in range(classes):
            out[i, c] += total[c]


@njit(nogil=True, cache=True)
def interpolate_cells(
    values: Floats,
    cells: Ints,
    parents: int,
    tables: Floats,
    starts: Ints,
    origins: Floats,
    spacings: Floats,
    out: Floats,
) -> None:
    """out (rows, classes) = the table class * parents + cell of each row, linear between nodes; zero without a cell."""
    for i in range(len(values)):
        for c in range(out.shape[1]):
            out[i, c] = 0.0
            if cells[i] >= 0:
                table = c * parents + cells[i]
                start, stop = starts[table], starts[table + 1]
                place = (values[i] - origins[table]) / spacings[table]
                if 0.0 <= place < stop - start - 1:
                    k = int(place)
                    part = place - k
                    out[i, c] = (1.0 - part) * tables[start + k] + part * tables[start + k + 1]
