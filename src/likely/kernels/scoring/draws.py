"""Rows under hundreds of drawn parameters, side by side where classes do: sums in wide registers, and posteriors.

Tables are read fastest if they begin on a cache line (`aligned_zeros`).
"""

import numpy as np

from likely.core.numerics import Codes, Floats, Ints
from likely.kernels.arithmetic.elementary import exp_below
from likely.kernels.arithmetic.vectors import add, load_wide, multiply, spread_wide, store, subtract
from likely.kernels.compiler import njit

# Sums in five registers at a time, which hide the wait for each other's loads; 400 draws are ten passes
SUMS_A_PASS = 40
SECOND, THIRD, FOURTH, FIFTH = np.uint64(8), np.uint64(16), np.uint64(24), np.uint64(32)  # registers of eight


@njit(nogil=True, cache=True)
def add_drawn_levels(codes: Codes, offsets: Ints, table: Floats, out: Floats) -> None:
    """Add to out (rows, draws * classes) the sum over j of table[offsets[j] + codes[i, j]], some draws at a time."""
    rows, columns = codes.shape
    flat, sums, size = table.reshape(-1), out.reshape(-1), out.shape[1]
    whole = size - size % SUMS_A_PASS
    for first in range(0, whole, SUMS_A_PASS):
        for i in range(rows):
            n = np.uint64(i * size + first)
            a, b, c = load_wide(sums, n), load_wide(sums, n + SECOND), load_wide(sums, n + THIRD)
            d, e = load_wide(sums, n + FOURTH), load_wide(sums, n + FIFTH)
            for j in range(columns):
                k = np.uint64((offsets[j] + codes[i, j]) * size + first)
                a, b = add(a, load_wide(flat, k)), add(b, load_wide(flat, k + SECOND))
                c, d = add(c, load_wide(flat, k + THIRD)), add(d, load_wide(flat, k + FOURTH))
                e = add(e, load_wide(flat, k + FIFTH))
            store(sums, n, a)
            store(sums, n + SECOND, b)
            store(sums, n + THIRD, c)
            store(sums, n + FOURTH, d)
            store(sums, n + FIFTH, e)
    for i in range(rows if whole < size else 0):
        for j in range(columns):
            for at in range(whole, size):
                out[i, at] += table[offsets[j] + codes[i, j], at]


@njit(nogil=True, cache=True)
def add_drawn_normals(values: Floats, tables: Floats, out: Floats) -> None:
    """Add to out (rows, draws * classes) constant - half * (x - mean)^2 of each value, `gone` where it is NaN.

    tables (4, columns, draws * classes): mean, half, constant, gone.
    """
    rows, columns = values.shape
    flat, sums, size = tables.reshape(-1), out.reshape(-1), out.shape[1]
    to_half, to_constant, to_gone = (
        np.uint64(columns * size),
        np.uint64(2 * columns * size),
        np.uint64(3 * columns * size),
    )
    whole = size - size % SUMS_A_PASS
    for first in range(0, whole, SUMS_A_PASS):
        for i in range(rows):
            n = np.uint64(i * size + first)
            a, b, c = load_wide(sums, n), load_wide(sums, n + SECOND), load_wide(sums, n + THIRD)
            d, e = load_wide(sums, n + FOURTH), load_wide(sums, n + FIFTH)
            for j in range(columns):
                k, value = np.uint64(j * size + first), values[i, j]
                if value == value:
                    x, h, m = spread_wide(value), k + to_half, k + to_constant
                    u, v = subtract(x, load_wide(flat, k)), subtract(x, load_wide(flat, k + SECOND))
                    w, y = subtract(x, load_wide(flat, k + THIRD)), subtract(x, load_wide(flat, k + FOURTH))
                    z = subtract(x, load_wide(flat, k + FIFTH))
                    p, q = multiply(load_wide(flat, h), u), multiply(load_wide(flat, h + SECOND), v)
                    r, s = multiply(load_wide(flat, h + THIRD), w), multiply(load_wide(flat, h + FOURTH), y)
                    t = multiply(load_wide(flat, h + FIFTH), z)
                    a = add(a, subtract(load_wide(flat, m), multiply(p, u)))
                    b = add(b, subtract(load_wide(flat, m + SECOND), multiply(q, v)))
                    c = add(c, subtract(load_wide(flat, m + THIRD), multiply(r, w)))
                    d = add(d, subtract(load_wide(flat, m + FOURTH), multiply(s, y)))
                    e = add(e, subtract(load_wide(flat, m + FIFTH), multiply(t, z)))
                else:
                    g = k + to_gone
                    a, b = add(a, load_wide(flat, g)), add(b, load_wide(flat, g + SECOND))
                    c, d = add(c, load_wide(flat, g + THIRD)), add(d, load_wide(flat, g + FOURTH))
                    e = add(e, load_wide(flat, g + FIFTH))
            store(sums, n, a)
            store(sums, n + SECOND, b)
            store(sums, n + THIRD, c)
            store(sums, n + FOURTH, d)
            store(sums, n + FIFTH, e)
    for i in range(rows if whole < size else 0):
        for j in range(columns):
            for at in range(whole, size):
                away = values[i, j] - tables[0, j, at]
                known = tables[2, j, at] - tables[1, j, at] * away * away
                out[i, at] += known if away == away else tables[3, j, at]


@njit(nogil=True, cache=True, error_model="numpy")
def share_draws(joint: Floats, priors: Floats) -> None:
    """Joint logs (rows, draws * classes) become posteriors in place, (rows, classes * draws), side by side by class.

    A draw under which a row is impossible takes its own prior, of priors (draws, classes).
    """
    draws, classes = priors.shape
    each, top, total = np.empty((classes, draws)), np.empty(draws), np.empty(draws)
    for i in range(joint.shape[0]):
        for t in range(draws):
            top[t] = -np.inf
            total[t] = 0.0
        for c in range(classes):
            for t in range(draws):
                log = joint[i, t * classes + c]
                each[c, t] = log
                top[t] = max(top[t], log)
        impossible = 0
        for t in range(draws):
            impossible += top[t] == -np.inf
        for t in range(draws if impossible > 0 else 0):
            if top[t] == -np.inf:
                for c in range(classes):
                    top[t] = max(top[t], priors[t, c])
                    if each[c, t] == -np.inf:
                        each[c, t] = priors[t, c]
        for c in range(classes):
            for t in range(draws):
                below = each[c, t] - top[t]
                mass = exp_below(below) if below <= 0.0 else np.nan  # no number stays none
                each[c, t] = mass
                total[t] += mass
        for t in range(draws):
            total[t] = 1.0 / total[t]
        for c in range(classes):
            for t in range(draws):
                joint[i, c * draws + t] = each[c, t] * total[t]
