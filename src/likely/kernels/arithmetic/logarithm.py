"""A logarithm that vectorises."""

from likely.kernels.arithmetic.intrinsics import bits, from_bits
from likely.kernels.compiler import njit


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
    f = x if small else f
    lost = 0.0 if small else lost
    s = f / (2.0 + f)
    z = s * s
    r = z * (
        6.666666666666735130e-01
        + z
        * (
            3.999999999940941908e-01
            + z
            * (
                2.857142874366239149e-01
                + z
                * (
                    2.222219843214978396e-01
                    + z * (1.818357216161805012e-01 + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01))
                )
            )
        )
    )
    half = 0.5 * f * f
    e = float(k)
    return e * 6.93147180369123816490e-01 - ((half - (s * (half + r) + (e * 1.90821492927058770002e-10 + lost))) - f)
