"""Decimal numbers as the nearest double: Eisel and Lemire's product with powers of five in 128 bits.

D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51 (2021).
"""

import numpy as np

from likely.core.numerics import Array
from likely.kernels.compiler import njit

LARGEST_POWER = 64  # of ten, either way; what lies beyond is no business of this
LEAST_EXACT, MOST_EXACT = -27, 55  # powers of ten between which the product always tells the nearest
NO_DOUBLE = np.uint64(2**64 - 1)  # the bits of no finite number
_LOW, _HALF, _ALL = np.uint64(2**32 - 1), np.uint64(32), np.uint64(2**64 - 1)
ALL_ZERO_BITS, ONE, _THREE = np.uint64(0), np.uint64(1), np.uint64(3)
_ROUNDED_BITS = np.uint64(0x1FF)  # the bits of a product below those of a double, with which it is rounded
_TOP, _BITS, _ROUNDED_SHIFT = np.uint64(63), np.uint64(52), np.uint64(9)


def powers_of_five() -> Array:
    """(2 * LARGEST_POWER + 1, 2): each 5 ** power from -LARGEST_POWER on, its first 128 bits."""
    told = []
    for power in range(-LARGEST_POWER, LARGEST_POWER + 1):
        five = 5 ** abs(power)
        if power < 0:
            room = (five - 1).bit_length()
            bits = (1 << (room + 127 if power >= LEAST_EXACT else 2 * room + 128)) // five + 1
        else:
            bits = five << 128
        bits >>= bits.bit_length() - 128
        told.append((bits >> 64, bits & (2**64 - 1)))
    return np.array(told, np.uint64)


@njit(cache=True, _nrt=False)
def _high(a, b):
    """The upper 64 bits of a product."""
    a0, a1, b0, b1 = a & _LOW, a >> _HALF, b & _LOW, b >> _HALF
    middle = (a0 * b0 >> _HALF) + (a0 * b1 & _LOW) + a1 * b0
    return a1 * b1 + (a0 * b1 >> _HALF) + (middle >> _HALF)


@njit(cache=True, _nrt=False)
def nearest_double(digits, power, fives):
    """The bits of the double that is nearest to digits * 10 ** power; NO_DOUBLE where this cannot be told so."""
    if digits == ALL_ZERO_BITS:
        return ALL_ZERO_BITS
    if power < -LARGEST_POWER or power > LARGEST_POWER:
        return NO_DOUBLE
    left = 0  # zeros in front of its bits
    for step in range(5, -1, -1):
        if digits >> np.uint64(64 - (1 << step)) == ALL_ZERO_BITS:
            digits <<= np.uint64(1 << step)
            left += 1 << step
    five = fives[power + LARGEST_POWER, 0]
    high, low = _high(digits, five), digits * five
    if high & _ROUNDED_BITS == _ROUNDED_BITS:
        more = _high(digits, fives[power + LARGEST_POWER, 1])
        low += more
        if low < more:
            high += ONE
    if low == _ALL and not LEAST_EXACT <= power <= MOST_EXACT:
        return NO_DOUBLE
    upper = high >> _TOP
    bits = high >> (upper + _ROUNDED_SHIFT)
    if low <= ONE and -4 <= power <= 23 and bits & _THREE == ONE and bits << (upper + _ROUNDED_SHIFT) == high:
        bits ^= ONE  # half way between two doubles: the even one
    bits = (bits + (bits & ONE)) >> ONE
    exponent = ((217706 * power) >> 16) + 1086 + np.int64(upper) - left
    return bits + (np.uint64(exponent - 1) << _BITS)  # a carry makes the next power of two
