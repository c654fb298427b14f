"""An exponential and logarithms that vectorise, and the machine instructions that Python has no operator for."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from likely.kernels.compiler import njit

ROUNDING_ADDEND = 6755399441055744.0  # 1.5 * 2^52: added and taken away, it rounds to a whole number


@intrinsic
def fma(typing: Any, a: Any, b: Any, c: Any) -> tuple[Any, Callable[..., Any]]:
    """a * b + c, rounded once: the error of a product is fma(a, b, -(a * b)), exactly."""
    kind = types.float64(types.float64, types.float64, types.float64)
    return kind, lambda context, builder, signature, arguments: builder.fma(*arguments)


@intrinsic
def bits(typing: Any, x: Any) -> tuple[Any, Callable[..., Any]]:
    """The 64 bits of a double, as an integer."""
    kind = types.int64(types.float64)
    return kind, lambda context, builder, signature, arguments: builder.bitcast(arguments[0], ir.IntType(64))


@intrinsic
def from_bits(typing: Any, n: Any) -> tuple[Any, Callable[..., Any]]:
    """The double that has these 64 bits."""
    kind = types.float64(types.int64)
    return kind, lambda context, builder, signature, arguments: builder.bitcast(arguments[0], ir.DoubleType())


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


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def log_series(f: float, k: float, lost: float) -> float:
    """k log 2 + log(1 + f) for sqrt(1/2) <= 1 + f < sqrt(2), of which rounding lost so much: fdlibm's series."""
    s = f / (2.0 + f)
    z = s * s
    r = 1.818357216161805012e-01 + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01)
    r = 2.857142874366239149e-01 + z * (2.222219843214978396e-01 + z * r)
    r = z * (6.666666666666735130e-01 + z * (3.999999999940941908e-01 + z * r))
    half = 0.5 * f * f
    return k * 6.93147180369123816490e-01 - ((half - (s * (half + r) + (k * 1.90821492927058770002e-10 + lost))) - f)


@njit(nogil=True, cache=True, error_model="numpy")
def log_one_plus(x: float) -> float:
    """log(1 + x) for 0 <= x < 1e300, within one unit in the last place: fdlibm's method without its branches.

    Without error_model="numpy" the check for a zero divisor would stop vectorisation.
    """
    u = 1.0 + x
    # 1 + x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2)
    n = bits(u) + (0x3FF0000000000000 - 0x3FE6A09E667F3BCD)
    k = (n >> 52) - 1023
    f = from_bits((n & 0x000FFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD) - 1.0
    # what rounding 1 + x lost, relative to u
    lost = (1.0 - (u - x) if x > 1.0 else x - (u - 1.0)) / u
    small = k == 0
    return log_series(x if small else f, float(k), 0.0 if small else lost)


@njit(nogil=True, cache=True, error_model="numpy")
def log_positive(x: float) -> float:
    """log(x) for a normal x > 0: as `log_one_plus`, with the reduced argument known exactly."""
    n = bits(x) + (0x3FF0000000000000 - 0x3FE6A09E667F3BCD)
    return log_series(from_bits((n & 0x000FFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD) - 1.0, float((n >> 52) - 1023), 0.0)
