"""Points spread on an even grid by narrow Gaussian windows, smoothed there, and read off by the same windows.

All that is added is positive, so that small sums are as exact as large ones.
"""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Floats, Ints
from likely.kernels.arithmetic.elementary import exp_below
from likely.kernels.compiler import njit

NODES_SMOOTHED_AT_A_TIME = 2048  # nodes smoothed at a time, so that they stay in the nearest cache


@njit(nogil=True, cache=True, error_model="numpy")
def fall_off(place: float, fall: float, window) -> int:
    """window[k] = exp(-fall u^2) for the nodes around a place, u nodes away from it; the first of them."""
    size = len(window)
    first = int(np.floor(place)) - (size // 2 - 1)
    for k in range(size):
        u = place - (first + k)
        window[k] = exp_below(-fall * u * u)
    return first


@njit(nogil=True, cache=True, error_model="numpy", inline="always")  # a call hands over every array, number by number
def lay(points, i: int, origin, spacing, fall: float, shape, windows, places, heights) -> int:
    """The windows of point i in each column, as rows of the grid: where they start and how high they are; how many."""
    columns, size = windows.shape
    places[0], heights[0], many = 0, 1.0, 1
    for j in range(columns):
        first = fall_off((points[i, j] - origin[j]) / spacing[j], fall, windows[j])
        for one in range(many):
            places[one] = places[one] * shape[j] + first
        if j == columns - 1:
            break
        for one in range(many - 1, -1, -1):  # backwards: the first ones are what the others are made of
            place, height = places[one], heights[one]
            for k in range(size):
                places[one * size + k] = place + k
                heights[one * size + k] = height * windows[j, k]
        many *= size
    return many


@njit(nogil=True, cache=True, error_model="numpy")
def spread(
    points: Floats, weights: Floats, origin: Floats, spacing: Floats, fall: float, size: int, shape: Ints, grid: Floats
) -> None:
    """Add to the flat grid of `shape` the windows of all points, `size` nodes in each column, times their weights."""
    columns = points.shape[1]
    windows = np.empty((columns, size))
    places, heights = np.empty(size ** (columns - 1), np.int64), np.empty(size ** (columns - 1))
    last = windows[columns - 1]
    for i in range(len(points)):
        many = lay(points, i, origin, spacing, fall, shape, windows, places, heights)
        for one in range(many):
            start, height = np.uint64(places[one]), heights[one] * weights[i]
            for k in range(np.uint64(size)):
                grid[start + k] += height * last[k]


@njit(nogil=True, cache=True, error_model="numpy")
def read(
    grid: Floats, queries: Floats, origin: Floats, spacing: Floats, fall: float, size: int, shape: Ints, out: Floats
) -> None:
    """out[i] = the flat grid under the windows of queries[i]; zero where they do not lie on it as a whole."""
    columns = queries.shape[1]
    windows = np.empty((columns, size))
    places, heights = np.empty(size ** (columns - 1), np.int64), np.empty(size ** (columns - 1))
    last, sums, half = windows[columns - 1], np.empty(size), size // 2
    for i in range(len(queries)):
        out[i] = 0.0
        inside = True
        for j in range(columns):
            place = (queries[i, j] - origin[j]) / spacing[j]
            inside &= half - 1 <= place < shape[j] - half
        if not inside:
            continue
        many = lay(queries, i, origin, spacing, fall, shape, windows, places, heights)
        for k in range(size):
            sums[k] = 0.0
        for one in range(many):
            start, height = np.uint64(places[one]), heights[one]
            for k in range(np.uint64(size)):
                sums[k] += height * grid[start + k]
        for k in range(size):
            out[i] += sums[k] * last[k]


@njit(nogil=True, cache=True, error_model="numpy")
def smooth(padded: Floats, step: int, taps: Floats, line: int, start: int, stop: int, out: Floats) -> None:
    """out[i] = sum over |k| < taps of taps[|k|] * grid[i + k * step], within its line of the grid, for some i.

    Each line of the grid lies in `padded` with (taps - 1) * step zeros before and after it; taps are 4n + 1.
    """
    edge = (len(taps) - 1) * step
    while start < stop:
        here = min(min(start + NODES_SMOOTHED_AT_A_TIME, start // line * line + line), stop)
        first = start + start // line * 2 * edge + edge  # where it lies among the padded lines
        # slices, and unsigned places in them: so the loops are made of vectors
        sums, size = out[start:here], np.uint64(here - start)
        middle = padded[first : first + here - start]
        for i in range(size):
            sums[i] = taps[0] * middle[i]
        for k in range(1, len(taps), 4):  # four at a time: half the work is to load and store the sums
            near, far = first - (k + 3) * step, first + k * step
            left, right = padded[near : near + here - start + 3 * step], padded[far : far + here - start + 3 * step]
            one, two, three, four = taps[k], taps[k + 1], taps[k + 2], taps[k + 3]
            a, b, c = np.uint64(step), np.uint64(2 * step), np.uint64(3 * step)
            for i in range(size):
                sums[i] += (
                    one * (left[i + c] + right[i])
                    + two * (left[i + b] + right[i + a])
                    + three * (left[i + a] + right[i + b])
                    + four * (left[i] + right[i + c])
                )
        start = here
