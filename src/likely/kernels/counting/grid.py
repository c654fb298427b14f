"""Linear binning: mass on the nodes of an even grid."""

from likely.core.numerics import Cells, Floats
from likely.kernels.compiler import njit


@njit(nogil=True, cache=True)
def bin_linear(
    values: Floats, cells: Cells, weights: Floats | None, origin: float, spacing: float, out: Floats
) -> None:
    """Add to out (cells, nodes) each value's weight, shared between its two nodes; NaN is skipped."""
    last = out.shape[1] - 2
    for i in range(len(values)):
        x = values[i]
        if x == x:
            place = (x - origin) / spacing
            # a value on the last node belongs to the last gap
            k = min(max(int(place), 0), last)
            part = place - k
            w = 1.0 if weights is None else weights[i]
            out[cells[i], k] += w * (1.0 - part)
            out[cells[i], k + 1] += w * part
