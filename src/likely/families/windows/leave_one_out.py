"""Windows with a row taken out: of the points, of the bandwidths that follow a rule, and of the base."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.families.numeric import rows_without
from likely.families.predictor import never_learnt_error, own_weights, presence
from likely.families.windows.densities import ALL_CELLS, Columns, missing_terms, mixed, patterns, queries
from likely.families.windows.spread import CellSpread
from likely.statistics import Points
from likely.statistics.statistic import subtract

if TYPE_CHECKING:
    from likely.families.windows.predictor import WindowsPredictor

BANDWIDTHS_AT_A_TIME = 1 << 20  # bandwidths held at a time
WEIGHT_ROUNDING = 1e-9  # of a weight: what rounding may have taken


def without(predictor: WindowsPredictor, block: Block) -> Floats:
    """(rows, cells): what the cells say of each row, had it not been learnt."""
    own, weights = own_weights(block)
    values = block.reals[:, predictor.at] + 0.0  # minus zero is zero, as it is in points
    never = predictor.points.weight_of(values, own) < weights * (1 - WEIGHT_ROUNDING)
    if never.any():
        raise never_learnt_error(block.start + int(never.argmax()), "its class has no such row")
    out = np.empty((len(values), len(predictor.rows)))
    step = max(1, BANDWIDTHS_AT_A_TIME // (len(predictor.rows) * max(1, values.shape[1])))
    for start in range(0, len(values), step):
        part = slice(start, start + step)
        out[part] = RowsTakenOut(predictor, values[part], own[part], weights[part]).scores()
    return out


@dataclass(frozen=True)
class RowsTakenOut:
    """Rows of values (rows, columns), own cells and weights (rows,), each taken out of a predictor by itself."""

    predictor: WindowsPredictor
    values: Floats
    own: Array
    weights: Floats

    @cached_property
    def spread(self) -> CellSpread:
        """(rows, ...)."""
        whole = self.predictor
        return whole.spread.without(self.values, self.own, self.weights, whole.moments, whole.whole)

    @cached_property
    def widths(self) -> Floats:
        """(rows, cells, columns)."""
        if self.predictor.follows_rule:
            return self.predictor.by_rule(self.spread)
        return np.broadcast_to(self.predictor.widths, self.spread.count.shape)

    def scores(self) -> Floats:
        """(rows, cells)."""
        odd = self._odd()
        if odd.any():
            out = np.empty((len(odd), len(self.predictor.rows)))
            out[~odd] = self.only(~odd).scores()
            for row in np.flatnonzero(odd):
                out[row] = self._refitted(int(row))
            return out
        out = np.zeros((len(odd), len(self.predictor.rows)))
        for group in self.predictor.groups:
            for rows, columns in patterns(self.values, group):
                out[rows] += self._log_density(rows, columns, len(group))
        if self.predictor.setting.missing == "informative":
            left = rows_without(self.predictor.rows, self.own, self.weights)[:, None, :]
            known = presence(self.predictor.setting, left, self.spread.count.swapaxes(1, 2))
            out += missing_terms(self.values, *known).sum(axis=1)
        return out

    def only(self, rows: Any) -> RowsTakenOut:
        """Some of the rows."""
        return RowsTakenOut(self.predictor, self.values[rows], self.own[rows], self.weights[rows])

    def _odd(self) -> Array:
        """(rows,): the few without which a column has no spread, or no row the columns that they have together."""
        speaking = [column for group in self.predictor.groups for column in group]
        odd = np.asarray(~self.spread.speaks[:, speaking].all(axis=1))
        if not self.predictor.base.any():
            for group in self.predictor.groups:
                for rows, columns in patterns(self.values, group):
                    whole = np.sum(self.predictor.described.mass(columns))
                    odd[rows] |= subtract(np.full(len(odd), whole)[rows], self.weights[rows]) <= 0
        return odd

    def _refitted(self, row: int) -> Floats:
        """(cells,): what the cells say of a row after all has been learnt again without it."""
        whole, one = self.predictor, self.only([row])
        rest = replace(
            whole,
            points=whole.points - Points.of(one.values, one.own, one.weights),
            rows=rows_without(whole.rows, one.own, one.weights)[0],
            bandwidth=whole.bandwidth if whole.follows_rule else whole.widths,
        )
        return np.asarray(rest.described.said(one.values)[0])

    def _log_density(self, rows: Any, columns: Columns, whole: int) -> Floats:
        """(rows, cells): log densities of columns that these rows have, under kernels of `whole` columns."""
        densities, base = self.predictor.described, self.predictor.base
        values, own, weights = queries(self.values, rows, columns), self.own[rows], self.weights[rows]
        left, widths = rows_without(densities.mass(columns), own, weights), self.widths[rows][:, :, columns]
        out = np.full(left.shape, -np.inf)
        for cell in range(left.shape[1]):
            usual = np.ascontiguousarray(densities.widths[cell, columns])
            mine, some = own == cell, left[:, cell] > 0
            # other cells change only where they lean on the spread of all, which has lost the row too
            same = ~mine & (widths[:, cell] == usual).all(axis=1)
            if (some & same).any():
                at = np.flatnonzero(some & same)
                out[at, cell] = densities.kernels(cell, columns, usual, whole).log_density(values[at])
            for lender, which in ((cell, some & ~same), (ALL_CELLS, ~some & (base[cell] == 0))):
                at = np.flatnonzero(which)
                if len(at):
                    taken = np.where(mine[at] | (lender == ALL_CELLS), weights[at], 0.0)
                    kernels = densities.kernels(lender, columns, usual, whole)
                    out[at, cell] = kernels.log_density_without(values[at], taken, widths[at, cell])
        centre, scale = (part[rows][:, columns] for part in (self.spread.total_mean, self.spread.scale))
        return mixed(out, left, base, values, centre, scale)
