"""Counts, means and spreads of the cells, from which the bandwidths of windows and their base are made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats
from likely.families.numeric import own_moments
from likely.kernels.counting.moments import moments
from likely.statistics import Moments, Points


@dataclass(frozen=True)
class CellSpread:
    """(..., cells, columns) of each cell; (..., columns) of all rows: counts, means, centred sums of squares."""

    count: Floats
    spread: Floats
    total_count: Floats
    total_mean: Floats
    total_spread: Floats

    @classmethod
    def of(cls, cells: Moments, whole: Moments) -> CellSpread:
        """From moments (cells, columns), and from those of all cells together."""
        return cls(cells.count, cells.spread, whole.count[0], whole.mean[0], whole.spread[0])

    @property
    def speaks(self) -> Array:
        """(..., columns): whether a column has any spread."""
        return np.asarray(self.total_spread > 0)

    @property
    def scale(self) -> Floats:
        """(..., columns): the deviation of all rows; zero where there is none."""
        return deviation(self.total_count, self.total_spread)

    def scales(self, shared: bool) -> tuple[Floats, Floats]:
        """(..., cells, columns): the deviations that rules start from, and the counts."""
        rows = self.count > 0
        freedom, total = _freedom(self.count, self.spread).sum(axis=-2), self.spread.sum(axis=-2)
        within = np.where(total > 0, np.sqrt(total / np.where(total > 0, freedom, 1.0)), self.scale)[..., None, :]
        if shared:
            mean_count = self.total_count / np.maximum(rows.sum(axis=-2), 1)
            return np.broadcast_to(within, self.count.shape), np.broadcast_to(
                mean_count[..., None, :], self.count.shape
            )
        own = deviation(self.count, self.spread)
        scale = np.where(own > 0, own, np.where(rows, within, self.scale[..., None, :]))
        return scale, np.where(rows, self.count, self.total_count[..., None, :])

    def without(self, values: Floats, own: Array, weights: Floats, cells: Moments, whole: Moments) -> CellSpread:
        """(rows, ...): the same, each row of values (rows, columns) taken out of its own cell and of all rows."""
        single, columns, rows = own_moments(values, weights), np.arange(values.shape[1]), np.arange(len(own))
        rest = cells.take(own, columns) - single
        total = whole.take(np.zeros_like(own), columns) - single
        count, spread = (np.repeat(part[None], len(own), axis=0) for part in (self.count, self.spread))
        count[rows, own], spread[rows, own] = rest.count, rest.spread
        return CellSpread(count, spread, total.count, total.mean, total.spread)


def deviation(count: Floats, spread: Floats) -> Floats:
    """The deviation of so many values with this sum of squares."""
    return np.sqrt(spread / np.where(spread > 0, _freedom(count, spread), 1.0))


def _freedom(count: Floats, spread: Floats) -> Floats:
    """What a sum of squares is divided by: n - 1; n / 2 where the weights of different values sum to less than two."""
    return np.maximum(np.maximum(count - 1.0, 0.0), np.where(spread > 0, count / 2.0, 0.0))


def moments_of(points: Points, cells: int) -> Moments:
    """(cells, columns): the moments of points."""
    out = np.zeros((6, cells, points.values.shape[1]))
    plain = bool((points.weights == 1).all())  # no weights are the usual case, for which the loop is compiled already
    weights = None if plain else points.weights.astype(np.float64)
    moments(np.ascontiguousarray(points.values), points.cells.astype(np.int32), weights, out)
    return Moments(*out)
