"""Rows as the kernels want them: encoded under a schema, a block at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.numerics import Array, Floats
from likely.schema import DISCRETE, NUMERIC, SKIP, Schema
from likely.words import Bag


@dataclass(frozen=True)
class Block:
    """(rows, ...) of each form that kinds take; columns in schema order within each form.

    `codes`: binary and category columns as level numbers; after the levels come missing, then unseen.
    `reals`: real, count and parzen columns; NaN is missing. `bags`: one a text column.
    """

    rows: int
    codes: Array
    reals: Floats
    bags: tuple[Bag, ...] = ()
    cells: Array | None = None
    weights: Floats | None = None
    start: int = 0  # where the block begins in the whole, for messages


def decode(block: Block, schema: Schema) -> Array:
    """(rows, columns) of plain values: levels by name, None where missing; of a text, how many known words it has."""
    out = np.full((block.rows, len(schema.columns)), None, dtype=object)
    for place, at in enumerate(schema.of(*DISCRETE)):
        names = np.empty(schema.columns[at].slots, dtype=object)
        names[:-2] = schema.columns[at].levels
        names[-1] = "(unseen)"
        out[:, at] = names[block.codes[:, place]]
    for place, at in enumerate(schema.of(*NUMERIC)):
        values = block.reals[:, place]
        out[~np.isnan(values), at] = values[~np.isnan(values)]
    for at in schema.of(SKIP):
        out[:, at] = "(set aside)"
    for bag, at in zip(block.bags, schema.of("text"), strict=True):
        words = np.diff(np.concatenate([[0.0], np.cumsum(bag.data)])[bag.indptr])
        out[:, at] = [f"{count:g} words" for count in words]
    return out
