"""The numbers of a table sorted once, for all the splits of all the trees that are grown from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.block import Block
from likely.companions.trees.growth import Growth
from likely.kernels.sorting import KEPT, pack, sort_keys, turn_rows, unpack
from likely.numerics import Array, Floats
from likely.schema import DISCRETE, NUMERIC, Schema
from likely.threads import in_threads

SPAN = 1 << 16  # rows turned by a thread at a time
MANY = 1 << 13  # rows from which on sorting by digits is worth its buckets


@dataclass(frozen=True, eq=False)
class Presorted:
    """`values` (numeric columns, rows), and of each numeric column `orders`: the rows from its smallest value on.

    Rows with a hole are left out. `tied`: whether some of its values are equal; `holes`: of each column of the schema,
    whether some of its values are missing.

    >>> from likely.schema import Column
    >>> schema = Schema((Column("x", "real"),), Column("y", "category", levels=("no", "yes")))
    >>> reals = np.array([[3.0], [np.nan], [1.0], [3.0]])
    >>> some = Presorted.of(schema, Block(4, np.empty((4, 0), dtype=np.uint8), reals))
    >>> some.orders[0].tolist(), some.tied
    ([2, 0, 3], (True,))
    """

    schema: Schema
    values: Floats
    codes: Array
    orders: tuple[Array, ...]
    tied: tuple[bool, ...]
    holes: tuple[bool, ...]

    @classmethod
    def of(cls, schema: Schema, block: Block) -> Presorted:
        """The columns of a block, sorted."""
        values = _turned(block.reals)
        found = list(in_threads(_sorted, values))
        orders, tied = tuple(order for order, _ in found), tuple(tied for _, tied in found)
        holes = np.zeros(len(schema.columns), dtype=bool)
        holes[list(schema.of(*NUMERIC))] = [len(order) < block.rows for order in orders]
        for place, at in enumerate(schema.of(*DISCRETE)):
            holes[at] = (block.codes[:, place] >= len(schema.columns[at].levels)).any()
        return cls(schema, values, block.codes, orders, tied, tuple(holes.tolist()))

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.values.shape[1] if len(self.values) else len(self.codes)

    def holed(self, growth: Growth, column: int) -> bool:
        """Whether the holes of a column have a branch of their own."""
        return growth.missing == "informative" and self.holes[column]

    @property
    def numeric(self) -> tuple[int, ...]:
        """Where the numeric columns stand in the schema."""
        return self.schema.of(*NUMERIC)

    @property
    def discrete(self) -> tuple[int, ...]:
        """Where the discrete columns stand in the schema."""
        return self.schema.of(*DISCRETE)


def _turned(reals: Floats) -> Floats:
    """(columns, rows): each column in a row."""
    if reals.flags.f_contiguous:
        return reals.T
    out = np.empty(reals.shape[::-1])
    spans = range(0, len(reals), SPAN)
    for _ in in_threads(lambda first: turn_rows(reals, first, min(first + SPAN, len(reals)), out), spans):
        pass
    return out


def _sorted(values: Floats) -> tuple[Array, bool]:
    """The rows with a value, in order of it, and whether some are equal."""
    if len(values) >= MANY:
        room = max(64 - KEPT, len(values).bit_length())
        keys, spare = np.empty(len(values), dtype=np.uint64), np.empty(len(values), dtype=np.uint64)
        known = pack(values, room, keys)
        out = np.empty(known, dtype=np.int32)
        tied = unpack(sort_keys(keys[:known], spare[:known], room), values, room, out) if known else 0
        if tied >= 0:
            return out, bool(tied)
    order = np.argsort(values, kind="stable").astype(np.int32)  # NaN comes last
    order = order[: len(values) - int(np.count_nonzero(np.isnan(values)))]
    ascending = values[order]
    return order, bool((ascending[1:] == ascending[:-1]).any())
