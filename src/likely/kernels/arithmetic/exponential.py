"""An exponential that vectorises."""

from likely.kernels.arithmetic.intrinsics import bits, from_bits
from likely.kernels.compiler import njit

ROUNDING_ADDEND = 6755399441055744.0  # 1.5 * 2^52: added and taken away, it rounds to a whole number


@njit(nogil=True, cache=True, error_model="numpy")
def exp_below(x: float) -> float:
    """exp(x) for x <= 0, to two units in the last place; 0 below -708."""
    y = max(x, -708.0)
    # x = k log 2 + r with |r| <= log(2) / 2; the lowest bits of the rounded sum are k
    whole = y * 1.4426950408889634 + ROUNDING_ADDEND
    k = whole - ROUNDING_ADDEND
    r = (y - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10
    p = 1.0 / 6227020800.0
    p = p * r + 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    result = p * from_bits((bits(whole) << 52) + 0x3FF0000000000000)
    return result if x >= -708.0 else 0.0
