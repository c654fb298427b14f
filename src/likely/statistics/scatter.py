"""Vector means and scatter matrices by cell: what multivariate Gaussians need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from likely.numerics import Array, Floats
from likely.statistics.statistic import Statistic, subtract


@dataclass(frozen=True, eq=False)
class Scatter(Statistic):
    """count (cells,); mean (cells, columns); scatter (cells, columns, columns): centred sums of products.

    Parts are added by Chan's formula, so that nothing is lost however far the mean is from zero.

    >>> part = Scatter.of(np.array([[1.0, 2.0], [3.0, 6.0]]))
    >>> part.scatter.tolist()
    [[[2.0, 4.0], [4.0, 8.0]]]
    """

    count: Array
    mean: Floats
    scatter: Floats

    @classmethod
    def of(cls, values: Floats, cells: Array | None = None, weights: Floats | None = None, n_cells: int = 1) -> Scatter:
        """The scatter of rows without holes; a row with a missing value is left out."""
        whole = ~np.isnan(values).any(axis=1)
        at = np.zeros(len(values), dtype=np.int64) if cells is None else cells
        mass = np.ones(len(values), dtype=np.int64) if weights is None else weights
        columns = values.shape[1]
        count = np.zeros(n_cells, dtype=mass.dtype)
        mean, scatter = np.zeros((n_cells, columns)), np.zeros((n_cells, columns, columns))
        for cell in range(n_cells):
            mine = whole & (at == cell) & (mass > 0)
            rows, weight = values[mine], mass[mine]
            count[cell] = weight.sum()
            if len(rows):
                mean[cell] = rows[0] + np.average(rows - rows[0], axis=0, weights=weight)
                away = rows - mean[cell]
                scatter[cell] = (away * weight[:, None]).T @ away
        return cls(count, mean, scatter)

    def __add__(self, other: Self) -> Self:
        count = self.count + other.count
        part = np.divide(other.count, count, out=np.zeros(count.shape), where=count > 0)[:, None]
        away = other.mean - self.mean
        mean = self.mean + away * part
        between = (self.count[:, None] * part)[:, :, None] * away[:, :, None] * away[:, None, :]
        return type(self)(count, mean, self.scatter + other.scatter + between)

    def __sub__(self, other: Self) -> Self:
        count = subtract(self.count, other.count)
        part = np.divide(other.count, count, out=np.zeros(count.shape), where=count > 0)[:, None]
        left = (count > 0)[:, None]
        mean = np.where(left, self.mean + (self.mean - other.mean) * part, 0.0)
        away = other.mean - mean
        share = np.divide(count * other.count, self.count, out=np.zeros(count.shape), where=self.count > 0)
        between = share[:, None, None] * away[:, :, None] * away[:, None, :]
        scatter = np.where(left[:, :, None], self.scatter - other.scatter - between, 0.0)
        return type(self)(count, mean, scatter)

    def __mul__(self, factor: float) -> Self:
        count = self.count * (int(factor) if float(factor).is_integer() and self.count.dtype.kind == "i" else factor)
        return type(self)(count, self.mean * (factor != 0), self.scatter * factor)

    def possible(self) -> bool:
        """Counts alone can tell: what a subtraction leaves of a small scatter is rounding of the larger one."""
        return bool((self.count >= 0).all())
