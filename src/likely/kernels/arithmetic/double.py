"""Double-double arithmetic on NumPy arrays: a number is a pair (high, low), exact to about 1e-31."""

import numpy as np

from likely.core.numerics import Floats

Pair = tuple[Floats, Floats]

SPLITTER = 134217729.0  # 2^27 + 1 cuts a double into two halves of 26 bits


def two_sum(a: Floats, b: Floats) -> Pair:
    """a + b and what its rounding lost, exactly (Knuth)."""
    total = a + b
    other = total - a
    return total, (a - (total - other)) + (b - other)


def two_product(a: Floats, b: Floats) -> Pair:
    """a * b and what its rounding lost, exactly (Dekker), where |a|, |b| < 1e300."""
    product = a * b
    a_high = SPLITTER * a - (SPLITTER * a - a)
    b_high = SPLITTER * b - (SPLITTER * b - b)
    a_low, b_low = a - a_high, b - b_high
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def renormalise(high: Floats, low: Floats) -> Pair:
    """The same number with |low| at most half a unit in the last place of high; needs |high| >= |low|."""
    total = high + low
    return total, low - (total - high)


def add2(a: Floats, a_low: Floats, b: Floats, b_low: Floats) -> Pair:
    """(a, a_low) + (b, b_low)."""
    high, lost = two_sum(a, b)
    low, lost_low = two_sum(a_low, b_low)
    high, lost = renormalise(high, lost + low)
    return renormalise(high, lost + lost_low)


def subtract2(a: Floats, a_low: Floats, b: Floats, b_low: Floats) -> Pair:
    """(a, a_low) - (b, b_low)."""
    return add2(a, a_low, -b, -b_low)


def multiply2(a: Floats, a_low: Floats, b: Floats, b_low: Floats | float = 0.0) -> Pair:
    """(a, a_low) * (b, b_low)."""
    high, lost = two_product(a, b)
    return renormalise(high, lost + (a * b_low + a_low * b))


def divide2(a: Floats, a_low: Floats, b: Floats, b_low: Floats | float = 0.0) -> Pair:
    """(a, a_low) / (b, b_low), for b other than zero."""
    first = a / b
    rest, rest_low = subtract2(a, a_low, *multiply2(b, b_low + np.zeros_like(b), first))
    second = rest / b
    rest, _ = subtract2(rest, rest_low, *multiply2(b, b_low + np.zeros_like(b), second))
    high, low = renormalise(first, second)
    return renormalise(high, low + rest / b)
