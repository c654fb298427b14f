"""Values drawn from windows: a point, and a place in the kernel laid on it; or a place in the base."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Floats
from likely.families.windows.densities import WINDOW_BASE_DEGREES, Columns, WindowDensities

KERNEL_POWERS = {"box": 1.0, "epanechnikov": 2.0, "biweight": 3.0}  # one more than the power of 1 - r^2


def sample(densities: WindowDensities, cell: int, group: Columns, size: int, rng: np.random.Generator) -> Floats:
    """(size, columns of the group): values drawn from a cell."""
    mass, base, at = densities.mass(group), densities.base[cell], list(group)
    if not mass.any() and not base:  # no row has them together
        return np.column_stack([_around(densities, cell, (column,), len(group), size, rng) for column in group])
    wide = rng.standard_normal((size, len(group))) / np.sqrt(
        rng.chisquare(WINDOW_BASE_DEGREES, (size, 1)) / WINDOW_BASE_DEGREES
    )
    out = densities.centre[at] + densities.scale[at] * wide
    near = np.flatnonzero(rng.random(size) * (mass[cell] + base) < mass[cell]) if base else np.arange(size)
    if len(near):
        out[near] = _around(densities, cell, group, len(group), len(near), rng)
    return out


def _around(
    densities: WindowDensities, cell: int, columns: Columns, whole: int, size: int, rng: np.random.Generator
) -> Floats:
    """(size, columns): values drawn from the kernels of a cell, of which `whole` columns were joint."""
    lender = densities.lender(cell, columns)
    values, weights = densities.rows_of(lender, columns)
    sums = np.cumsum(weights)
    at = np.minimum(np.searchsorted(sums, rng.random(size) * sums[-1], "right"), len(sums) - 1)
    away = _radial(densities.kernel, size, whole, rng)[:, : len(columns)]
    return np.asarray(values[at] + densities.widths[cell, columns] * away)


def _radial(kernel: str, size: int, columns: int, rng: np.random.Generator) -> Floats:
    """(size, columns): draws from a radial kernel of width one."""
    ways = rng.standard_normal((size, columns))
    if kernel == "gaussian":
        return ways
    if kernel == "triangular":
        length = rng.beta(columns, 2.0, size)
    else:
        length = np.sqrt(rng.beta(columns / 2.0, KERNEL_POWERS[kernel], size))
    return np.asarray(ways * (length / np.hypot.reduce(ways, axis=1))[:, None])
