"""Rows as the kernels want them: encoded under a schema, a block at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, SKIP, Day, Schema
from likely.core.tokens import Bag


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
    amounts: Floats | None = None  # the target, where it is a number rather than a class

    def piece(self, start: int, stop: int) -> Block:
        """The rows from one to before another, where they lie, without their texts."""
        at = slice(start, min(stop, self.rows))
        cells, weights, amounts = (None if one is None else one[at] for one in (self.cells, self.weights, self.amounts))
        codes, reals = self.codes[at], self.reals[at]
        return Block(len(reals), codes, reals, (), cells, weights, self.start + start, amounts)

    def take(self, at: Array) -> Block:
        """Some of the rows, without their texts."""
        cells = None if self.cells is None else self.cells[at]
        weights = None if self.weights is None else self.weights[at]
        amounts = None if self.amounts is None else self.amounts[at]
        return Block(len(at), self.codes[at], self.reals[at], (), cells, weights, self.start, amounts)

    def some(self, at: Array) -> Block:
        """Some of the rows, with their texts."""
        return replace(self.take(at), bags=tuple(bag.take(at) for bag in self.bags))

    @classmethod
    def joined(cls, blocks: Sequence[Block]) -> Block:
        """All rows of blocks of one table, one block after the other."""
        if len(blocks) == 1:
            return blocks[0]

        def together(name: str) -> Array | None:
            parts = [getattr(one, name) for one in blocks]
            return None if parts[0] is None else np.concatenate(parts)

        codes, reals = together("codes"), together("reals")
        assert codes is not None, "a block has codes"
        assert reals is not None, "a block has numbers"
        bags = tuple(Bag.joined([one.bags[at] for one in blocks]) for at in range(len(blocks[0].bags)))
        cells, weights, amounts = map(together, ("cells", "weights", "amounts"))
        return cls(len(codes), codes, reals, bags, cells, weights, blocks[0].start, amounts)


def emptied(block: Block, schema: Schema, at: Array) -> Block:
    """The block with the levels and numbers of some rows missing; texts stay."""
    if not at.any():
        return block
    codes, reals = block.codes.copy(order="K"), block.reals.copy(order="K")
    codes[at] = [len(schema.columns[column].levels) for column in schema.of(*DISCRETE)]
    reals[at] = np.nan
    return replace(block, codes=codes, reals=reals)


def coded(block: Block, schema: Schema, columns: Sequence[int]) -> Array:
    """(rows, columns): columns as parents see them: their levels, or the part between two cuts; then missing, unseen.

    A value on a cut belongs to the part below it.
    """
    discrete, numeric = schema.of(*DISCRETE), schema.of(*NUMERIC)
    if tuple(columns) == discrete:
        return block.codes
    most = max((schema.columns[at].parts for at in columns), default=0) + 2
    out = np.empty((block.rows, len(columns)), dtype=np.uint8 if most <= 256 else np.int32)
    for place, at in enumerate(columns):
        column = schema.columns[at]
        if column.kind in DISCRETE:
            out[:, place] = block.codes[:, discrete.index(at)]
        else:
            out[:, place] = column.part(block.reals[:, numeric.index(at)])
    return out


def cells_of(schema: Schema, by: Sequence[int], values: Array) -> Array:
    """(rows,): the cell of parts (rows, parents) among those of the parents together, the last running fastest.

    -1 where there are no parents, or one of them is missing or has a level that was never learnt.
    """
    cells = np.zeros(len(values), dtype=np.int64) if len(by) else np.full(len(values), -1)
    known = np.ones(len(values), dtype=bool)
    for value, parts in zip(values.T, schema.parts(by), strict=True):
        known &= value < parts
        cells = cells * parts + value
    return np.where(known, cells, -1)


def parent_cells(block: Block, schema: Schema, parents: Sequence[int]) -> Array:
    """(rows,): the cell of each row of a block among those of its parents together; -1 if it has none."""
    return cells_of(schema, parents, coded(block, schema, parents))


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
        known = ~np.isnan(values)
        out[known, at] = values[known]
        if schema.columns[at].date_part == "days":
            out[known, at] = list(map(Day, values[known]))
    for at in schema.of(SKIP):
        out[:, at] = "(set aside)"
    for bag, at in zip(block.bags, schema.of("text"), strict=True):
        words = np.diff(np.concatenate([[0.0], np.cumsum(bag.data)])[bag.indptr])
        out[:, at] = [f"{count:g} words" for count in words]
    return out
