"""The normal equations of a design, from sums of products of its columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.companions.regression.design import Design
from likely.companions.regression.least_squares import Long, NormalEquations
from likely.companions.regression.product_alignment import products
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import NUMERIC, Schema
from likely.statistics import Question, Scatter
from likely.statistics.questions import product_bounds

# Of the rows: a level of so little weight is what rounding left of rows that were taken back
VANISHED_LEVEL_SHARE = 1e-9


@dataclass(frozen=True, eq=False)
class Equations:
    """What the answer to `products` says under a contrast coding."""

    schema: Schema
    scatter: Scatter
    coding: str
    missing: str

    @property
    def _question(self) -> Question:
        return products(self.schema, self.missing)

    @cached_property
    def design(self) -> Design:
        """How rows become numbers; what a missing value counts as is the mean of what is known."""
        question, mean = self._question, self.scatter.mean[0]
        bounds = product_bounds(question, self.schema)
        masses: list[Floats] = [np.zeros(0)] * len(self.schema.columns)
        averages = np.zeros(len(self.schema.columns))
        gone = np.zeros(len(self.schema.columns), dtype=bool)
        for at, start, stop in zip(question.columns, bounds[:-1], bounds[1:], strict=True):
            column = self.schema.columns[at]
            if column.kind in NUMERIC:
                averages[at] = mean[start]
            else:
                shares = mean[start : start + len(column.levels)]
                masses[at] = np.where(shares > VANISHED_LEVEL_SHARE, shares, 0.0)
            if question.of != "products":
                gone[at] = mean[stop - 1] > VANISHED_LEVEL_SHARE
        return Design.counted(self.schema, masses, averages, gone, self.coding, self.missing)

    @cached_property
    def normal(self) -> NormalEquations:
        """The normal equations of the design: contrasts are a linear map of the products."""
        high, low = self.scatter.centred_pair
        gram = self._contrasted(self._contrasted(high[0].astype(Long) + low[0]).T)
        return NormalEquations(gram[:-1, :-1], gram[:-1, -1], gram[-1, -1], float(self.scatter.count[0, -1, -1]))

    @cached_property
    def means(self) -> Array:
        """(width + 1,): of the design columns and of the target, in long numbers."""
        total, count = (
            np.diagonal(high[0]).astype(Long) + np.diagonal(low[0])
            for high, low in (
                (self.scatter.total, self.scatter.total_low),
                (self.scatter.count, self.scatter.count_low),
            )
        )
        return self._contrasted((total / np.where(count > 0, count, 1))[:, None])[:, 0]

    def _contrasted(self, rows: Array) -> Array:
        """(width + 1, ...) of rows (numbers + 1, ...): those of the design, and the target as it is."""
        design, question = self.design, self._question
        out = np.zeros((design.width + 1, *rows.shape[1:]), dtype=rows.dtype)
        out[-1] = rows[-1]
        bounds = product_bounds(question, self.schema)
        for at, start, stop in zip(question.columns, bounds[:-1], bounds[1:], strict=True):
            place, end = design.bounds[at], design.bounds[at + 1]
            if at in design.holes:
                end -= 1
                out[end] = rows[stop - 1]
            if self.schema.columns[at].kind in NUMERIC:
                out[place] = rows[start]
            else:
                mine = rows[start + np.array(design.levels[at], dtype=np.int64)]
                out[place:end] = _mapped(design.contrasts[at], mine)
        return out


def _mapped(contrasts: Floats, rows: Array) -> Array:
    """(contrasts, ...): the transpose of contrasts (levels, contrasts) times rows; long numbers have no fast product.

    Treatment contrasts pick a level each, and need none.
    """
    if not contrasts.size:
        return np.zeros((contrasts.shape[1], *rows.shape[1:]), dtype=rows.dtype)
    level = contrasts.argmax(axis=0)
    if np.count_nonzero(contrasts) == contrasts.shape[1] and (contrasts[level, np.arange(len(level))] == 1.0).all():
        return np.asarray(rows[level])
    return np.asarray(contrasts.T.astype(rows.dtype) @ rows)
