"""Windows whose points weigh what is drawn: every kernel is computed once, for all draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array, Floats, log
from likely.families.kernel_density.profiles import KernelProfile
from likely.families.windows.densities import (
    ALL_CELLS,
    Columns,
    WindowDensities,
    missing_terms,
    mixed,
    patterns,
    queries,
)

KERNELS_AT_A_TIME = 1 << 20  # kernels that are computed at a time
SMALLEST_POINT_DRAW = 1e-200  # points of next to no weight may draw less than a double can hold


@dataclass(frozen=True, eq=False)
class DrawnWindowDensities:
    """Densities under drawn weights (points, draws) of all points, and drawn bases (draws, cells)."""

    densities: WindowDensities
    weights: Floats
    base: Floats

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, draws * cells) += what they say."""
        plain, values = self.densities, block.reals[:, self.densities.at]
        for group in plain.groups:
            for rows, columns in patterns(values, group):
                out[rows] += self.log_density(queries(values, rows, columns), columns, len(group))
        if plain.presence is not None:
            out += np.tile(missing_terms(values, *plain.presence).sum(axis=1), len(self.base))

    def log_density(self, values: Floats, columns: Columns, whole: int) -> Floats:
        """(rows, draws * cells): log densities of values (rows, columns), none missing."""
        plain, (draws, cells) = self.densities, self.base.shape
        if not plain.mass(columns).any() and not plain.base.any():  # no row has them together
            parts = [self.log_density(values[:, [at]], (column,), whole) for at, column in enumerate(columns)]
            return np.asarray(np.sum(parts, axis=0))
        having = ~np.isnan(plain.points.values[:, columns]).any(axis=1)
        out, mass = np.full((len(values), draws, cells), -np.inf), np.zeros((draws, cells))
        for cell in range(cells):
            lender = plain.lender(cell, columns)
            mine = np.flatnonzero(having & ((plain.points.cells == lender) | (lender == ALL_CELLS)))
            weights = self.weights[mine]
            lost = (
                weights.sum(axis=0) < SMALLEST_POINT_DRAW
            )  # those that have these columns may be of next to no weight
            weights = np.where(lost, plain.points.weights[mine, None], weights) if lost.any() else weights
            whole_mass = weights.sum(axis=0)
            mass[:, cell] = 0.0 if lender == ALL_CELLS else whole_mass
            if len(mine):
                points, widths = plain.points.values[mine[:, None], columns], plain.widths[cell, columns]
                profile = KernelProfile.of(plain.kernel, len(columns), whole)
                constant = profile.log_peak - np.log(widths).sum() - log(whole_mass)
                for rows in _parts(len(values), len(mine)):
                    sums = _log_sums(profile, values[rows, None, :], points, widths, weights)
                    out[rows, :, cell] = sums + constant
        flat = out.reshape(len(values), -1)
        at = list(columns)
        return mixed(flat, mass.reshape(-1), self.base.reshape(-1), values, plain.centre[at], plain.scale[at])


def _log_sums(profile: KernelProfile, values: Floats, points: Floats, widths: Floats, weights: Floats) -> Floats:
    """(rows, draws): logs of the weighted sums of kernels, one at its centre, on points (points, columns)."""
    # a division: only so is |u| < 1 the same as |x - y| < width; the square of what is far is no double
    with np.errstate(over="ignore"):
        squares = np.square((points - values) / widths).sum(axis=-1)
    logs = profile.logs(squares)
    top = logs.max(axis=1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    return np.asarray(log(np.exp(logs - top) @ weights) + top)


def _parts(rows: int, points: int) -> Iterator[slice]:
    step = max(1, KERNELS_AT_A_TIME // max(1, points))
    return (slice(start, start + step) for start in range(0, rows, step))


def gamma_weights(known: Array, draws: int, rng: np.random.Generator, cells: Array) -> Floats:
    """(points, draws): gamma weights of points of known weights (points,), by cell."""
    drawn = rng.standard_gamma(known[:, None], (len(known), draws))
    sums = np.zeros((int(cells.max(initial=-1)) + 1, draws))
    np.add.at(sums, cells, drawn)
    lost = sums < SMALLEST_POINT_DRAW
    return np.where(lost[cells], known[:, None], drawn) if lost.any() else drawn
