"""Sums of products under one schema, carried to another that has more levels or fewer columns."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Array
from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.statistics import Question, Scatter
from likely.statistics.questions import product_bounds


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
