"""Sums of radial kernels laid on points, by a tree over the points that leaves out what is out of reach."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Array, Floats
from likely.kernels.arithmetic.elementary import exp_below
from likely.kernels.compiler import njit

GAUSSIAN_PROFILE, POWER_PROFILE, CONE_PROFILE = range(
    3
)  # exp(-q/2), (1 - q)^(bend/2), 1 - sqrt(q) with `bend` columns summed out; q = |u|^2
MOST_POINTS_A_LEAF = 64  # points in a leaf, at most
MOST_TREE_LEVELS = 64  # levels of a tree, at most
SAFE = 300.0  # exponents above the reference that still leave room for sums
SUM_REST_SHARE = 1e-12  # of what was there: a rest as small as this is rounding, as in statistics
STEEP = 0.1  # below it the closed form of a cone's marginal loses digits, and its series needs six terms


@njit(nogil=True, cache=True, error_model="numpy")
def cone(bend: int, q: float) -> float:
    """What is left of 1 - r after one or two columns are summed out, one at r = 0; q = r^2."""
    if not q < 1.0:
        return 0.0
    r, a = np.sqrt(q), np.sqrt(1.0 - q)
    if bend == 2:
        return (1.0 - r) * (1.0 - r) * (1.0 + 2.0 * r)
    if a > STEEP:
        return a - q * np.arcsinh(a / r) if q > 0.0 else 1.0
    s = a * a
    # the integral of 1 - sqrt(1 - (s - z^2)) over |z| < a, term by term
    series = 1.0 + s * (0.2 + s * (3.0 / 35.0 + s * (1.0 / 21.0 + s * (1.0 / 33.0 + s * (3.0 / 143.0)))))
    return 2.0 / 3.0 * s * a * series


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def compact(shape: int, bend: int, squares, weights, size: int) -> float:
    """The weighted sum of a compact kernel over squared distances."""
    total = 0.0
    if shape == CONE_PROFILE and bend == 0:
        for i in range(size):
            total += weights[i] * max(1.0 - np.sqrt(squares[i]), 0.0)
    elif shape == CONE_PROFILE:
        for i in range(size):
            total += weights[i] * cone(bend, squares[i])
    elif bend % 2:
        for i in range(size):
            t = max(1.0 - squares[i], 0.0)
            height = weights[i] * np.sqrt(t)
            height *= t if bend > 1 else 1.0
            total += height * t if bend > 3 else height
    elif bend == 0:
        for i in range(size):
            total += weights[i] if squares[i] < 1.0 else 0.0
    else:
        for i in range(size):
            t = max(1.0 - squares[i], 0.0)
            height = weights[i] * t
            height *= t if bend > 2 else 1.0
            total += height * t if bend > 4 else height
    return total


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def gaussian(squares, weights, size: int, top: float) -> float:
    """The weighted sum of exp(-q / 2 - top)."""
    total = 0.0
    for i in range(size):
        total += weights[i] * exp_below(-0.5 * squares[i] - top)
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def distance(low, high, query, widths) -> float:
    """The squared distance from a query to a box, in widths."""
    total = 0.0
    for j in range(len(query)):
        u = max(max(low[j] - query[j], query[j] - high[j]), 0.0) / widths[j]
        total += u * u
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def measure(points, start: int, stop: int, query, widths, squares) -> None:
    """The squared distances from a query to the points of a leaf, in widths."""
    for j in range(len(query)):
        column, here, width = points[j], query[j], widths[j]
        for i in range(start, stop):
            # a division: only so is |u| < 1 the same as |x - y| < width
            u = (column[i] - here) / width
            if j == 0:
                squares[i - start] = u * u
            else:
                squares[i - start] += u * u


@njit(nogil=True, cache=True, error_model="numpy")
def set_apart(squares, weights, size: int) -> float:
    """Put the points that lie on the query out of reach; what they weigh."""
    total = 0.0
    for i in range(size):
        if squares[i] == 0.0:
            total += weights[i]
            squares[i] = np.inf
    return total


def add_up(
    tree: tuple[Array, ...],
    queries: Floats,
    widths: Floats,
    own: Floats,
    shape: int,
    bend: int,
    loss: float,
    out: Floats,
) -> None:
    """out[i] = log of the weighted sum of kernels, one at their centres, at queries[i] under widths[i] (or widths[0]).

    own[i] (or nothing, if `own` is empty) is what is taken from the points that lie on the query. Of a Gaussian sum, no
    more than `loss` times the sum is left out for each unit of weight.
    """
    # made here, as arrays that a loop makes itself take long to compile
    stack, bounds, squares = (
        np.empty(MOST_TREE_LEVELS, np.int64),
        np.empty(MOST_TREE_LEVELS),
        np.empty(MOST_POINTS_A_LEAF),
    )
    add_leaves(*tree, queries, widths, own, shape, bend, loss, out, stack, bounds, squares)


@njit(nogil=True, cache=True, error_model="numpy")
def add_leaves(
    low, high, starts, points, weights, queries, widths, own, shape, bend, loss, out, stack, bounds, squares
):
    """The same, of a tree's own arrays; `stack` and `bounds` (DEEP,) and `squares` (LEAF,) are to work in."""
    leaves = len(starts) - 1
    for row in range(len(queries)):
        query, wide = queries[row], widths[row if len(widths) > 1 else 0]
        total, top, apart = 0.0, 0.0, 0.0
        limit = np.inf if shape == GAUSSIAN_PROFILE else 1.0
        stack[0], bounds[0], waiting = 1, distance(low[1], high[1], query, wide), 1
        while waiting:
            waiting -= 1
            node, near = stack[waiting], bounds[waiting]
            while node < leaves and near < limit:
                one = distance(low[2 * node], high[2 * node], query, wide)
                two = distance(low[2 * node + 1], high[2 * node + 1], query, wide)
                nearer = 0 if one <= two else 1
                stack[waiting], bounds[waiting] = 2 * node + 1 - nearer, max(one, two)
                waiting += 1 if max(one, two) < limit else 0
                node, near = 2 * node + nearer, min(one, two)
            if not near < limit:
                continue
            start, stop = starts[node - leaves], starts[node - leaves + 1]
            size, mass = stop - start, weights[start:stop]
            measure(points, start, stop, query, wide, squares)
            if len(own):
                apart += set_apart(squares, mass, size)
            if shape != GAUSSIAN_PROFILE:
                total += compact(shape, bend, squares, mass, size)
                continue
            if total == 0.0 or -0.5 * near > top + SAFE:
                best = -np.inf
                for i in range(size):
                    best = max(best, -0.5 * squares[i])
                if best == -np.inf:
                    continue
                if total > 0.0:
                    best = max(best, top)
                    total *= np.exp(top - best)
                top = best
            total += gaussian(squares, mass, size, top)
            if total > 0.0:
                limit = -2.0 * (top + np.log(loss * total))
        rest = apart - own[row] if len(own) else 0.0
        if rest > SUM_REST_SHARE * apart:
            total, top = total * np.exp(top) + rest, 0.0
        out[row] = top + np.log(total)
