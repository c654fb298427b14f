"""Double-double arithmetic against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

from likely.kernels.arithmetic.double import add2, divide2, multiply2, subtract2

RANDOM = np.random.default_rng(0)


def pairs(size=200):
    high = RANDOM.normal(size=size) * 10.0 ** RANDOM.integers(-8, 9, size)
    return high, high * RANDOM.uniform(-1, 1, size) * 2.0**-54


def value(pair):
    return [Fraction(high) + Fraction(low) for high, low in zip(*pair, strict=True)]


@pytest.mark.parametrize(
    ("function", "operator"),
    [
        (add2, Fraction.__add__),
        (subtract2, Fraction.__sub__),
        (multiply2, Fraction.__mul__),
        (divide2, Fraction.__truediv__),
    ],
)
def test_pairs(function, operator):
    a, b = pairs(), pairs()
    result = function(*a, *b)
    for x, y, z in zip(value(a), value(b), value(result), strict=True):
        expected = operator(x, y)
        scale = abs(x) + abs(y) if function in (add2, subtract2) else abs(expected)
        assert abs(z - expected) <= scale * Fraction(1, 10**31)
    assert (np.abs(result[1]) <= np.spacing(np.abs(result[0]))).all()


@pytest.mark.parametrize(("function", "operator"), [(multiply2, Fraction.__mul__), (divide2, Fraction.__truediv__)])
def test_by_a_double(function, operator):
    a, (b, _) = pairs(), pairs()
    for x, y, z in zip(value(a), b, value(function(*a, b)), strict=True):
        assert abs(z - operator(x, Fraction(y))) <= abs(z) * Fraction(1, 10**31)
