"""Sums of products of columns: carried from one schema to another, and the normal equations of a design from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.companions.regression.design import Design
from likely.companions.regression.least_squares import Long, NormalEquations
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.statistics import Question, Scatter
from likely.statistics.questions import product_bounds

# Of the rows: a level of so little weight is what rounding left of rows that were taken back
VANISHED_LEVEL_SHARE = 1e-9


def products(schema: Schema, missing: str) -> Question:
    """What a linear model asks of rows."""
    columns = tuple(sorted({*schema.of(*DISCRETE), *schema.of(*NUMERIC)}))
    return Question("products and holes" if missing == "informative" else "products", columns)


def carry_products(scatter: Scatter, old: Schema, new: Schema, missing: str) -> Scatter:
    """The answer to `products` under a wider schema: a level that is new was not seen, which is not missing."""
    if old == new:
        return scatter
    values, known = _origins(old, new, missing)
    last = scatter.count.shape[1] - 1  # the numeric target
    values, known = [*values, last], [*known, last]

    def place(array: Array, rows: list[int], columns: list[int]) -> Array:
        wide = np.pad(array, ((0, 0), (0, 1), (0, 1)))  # what comes from nowhere, place -1, is nothing
        return np.ascontiguousarray(wide[:, rows][:, :, columns])

    return Scatter(
        place(scatter.count, known, known),
        place(scatter.total, values, known),
        place(scatter.total_low, values, known),
        place(scatter.product, values, values),
        place(scatter.product_low, values, values),
        place(scatter.count_low, known, known),
    )


def _origins(old: Schema, new: Schema, missing: str) -> tuple[list[int], list[int]]:
    """Of each number under the new schema, that under the old which it was, and one that was known where it is."""
    before, after = products(old, missing), products(new, missing)
    starts = dict(zip(before.columns, product_bounds(before, old)[:-1].tolist(), strict=True))
    holes = before.of != "products"
    values: list[int] = []
    known: list[int] = []
    for at in after.columns:
        mine, theirs, start = old.columns[at], new.columns[at], starts.get(at, -1)
        size = 1 if mine.kind in NUMERIC else len(mine.levels)
        first = start if start >= 0 and size else -1
        if theirs.kind in NUMERIC:
            found = [first if mine.kind in NUMERIC else -1]
        else:
            places = {level: first + place for place, level in enumerate(mine.levels)} if first >= 0 else {}
            found = [places.get(level, -1) for level in theirs.levels]
        values += found
        known += [first] * len(found)
        if holes:
            values.append(start + size if start >= 0 else -1)
            known.append(start + size if start >= 0 else -1)
    return values, known


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
