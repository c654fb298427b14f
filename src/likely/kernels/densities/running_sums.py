"""Sums of piecewise polynomial kernels on a line, by running sums of powers."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Floats, Ints
from likely.kernels.compiler import njit


@njit(nogil=True, cache=True, error_model="numpy")
def run(values: Floats, weights: Floats, width: float, begins: Ints, ends: Ints, sums: Floats) -> None:
    """Cut sorted values into boxes of at most a width: where each value's box begins and ends, and the sums so far.

    sums[i, k] = sum of weight * s^k over the values of the box up to i, s = (value - first of the box) / width. What
    rounding takes is carried on, so that the difference of two of them is good to the last digits of the larger.
    """
    orders = sums.shape[1]
    low = np.zeros(orders)
    begin = 0
    for i in range(len(values)):
        if i == 0 or not (values[i] - values[begin]) / width <= 1.0:
            ends[begin:i] = i
            begin = i
        begins[i] = begin
        s, term = (values[i] - values[begin]) / width, weights[i]
        for k in range(orders):
            if i == begin:
                sums[i, k], low[k] = term, 0.0
            else:
                less = term + low[k]
                sums[i, k] = sums[i - 1, k] + less
                low[k] = less - (sums[i, k] - sums[i - 1, k])
            term *= s
    ends[begin:] = len(values)


@njit(nogil=True, cache=True, error_model="numpy")
def first_at(values, target: float) -> int:
    """How many of the sorted values are below a target."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < target:
            low = middle + 1
        else:
            high = middle
    return low


@njit(nogil=True, cache=True, error_model="numpy")
def between(
    values, begins, ends, sums, query: float, width: float, profile, sign: float, start: int, stop: int, bent
) -> tuple[float, float]:
    """The sum of a polynomial in sign * u over values[start:stop], and the weight of all boxes that it touches."""
    orders = len(profile)
    total, weight = 0.0, 0.0
    while start < stop:
        begin, end = begins[start], ends[start]
        here = min(stop, end)
        t, power = (query - values[begin]) / width, 1.0
        for k in range(orders):
            bent[k] = profile[k] * power
            power *= sign
        for k in range(orders - 1):  # the polynomial of s - t as one of s
            for j in range(orders - 2, k - 1, -1):
                bent[j] -= t * bent[j + 1]
        for k in range(orders):
            total += bent[k] * (sums[here - 1, k] - (sums[start - 1, k] if start > begin else 0.0))
        weight += sums[end - 1, 0]
        start = here
    return total, weight


@njit(nogil=True, cache=True, error_model="numpy")
def reach(
    values: Floats,
    begins: Ints,
    ends: Ints,
    sums: Floats,
    queries: Floats,
    width: float,
    profile: Floats,
    least: float,
    out: Floats,
) -> None:
    """out[i] = weighted sum at queries[i] of the kernel that is the polynomial `profile` of |u| < 1.

    Zero where it is less than `least` of the weight that rounding may have taken its toll of.
    """
    bent, split = np.empty(len(profile)), False
    for k in range(1, len(profile), 2):
        split |= profile[k] != 0.0
    for i in range(len(queries)):
        y = queries[i]
        start, stop = first_at(values, y - width), first_at(values, y + width)
        # the ends were rounded; |x - y| < width is what counts
        while start > 0 and abs(values[start - 1] - y) < width:
            start -= 1
        while start < len(values) and values[start] <= y and not abs(values[start] - y) < width:
            start += 1
        while stop < len(values) and abs(values[stop] - y) < width:
            stop += 1
        while stop > start and not abs(values[stop - 1] - y) < width:
            stop -= 1
        middle = min(max(first_at(values, y), start), stop) if split else start
        left, near = between(values, begins, ends, sums, y, width, profile, -1.0, start, middle, bent)
        right, far = between(values, begins, ends, sums, y, width, profile, 1.0, middle, stop, bent)
        total = left + right
        out[i] = total if total > least * (near + far) else 0.0
