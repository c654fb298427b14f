"""Linear binning: mass on the nodes of an even grid."""

import numpy as np
from numpy.typing import NDArray

from likely.kernels.compiler import njit


@njit(nogil=True, cache=True)
def bin_linear(
    values: NDArray[np.float64],
    cells: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
    origin: float,
    spacing: float,
    out: NDArray[np.float64],
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
