"""The numbers of a table sorted once, for all the splits of all the trees that are grown from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.companions.trees.growth_options import Growth
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.core.threads import in_threads
from likely.kernels.trees.radix_sort import BITS_SORTED_BY, pack, sort_keys, turn_rows, unpack

ROWS_TRANSPOSED_AT_A_TIME = 1 << 16  # rows turned by a thread at a time
LEAST_ENTRIES_SORTED = 1 << 17  # sorted by a thread at a time, at least
RADIX_SORT_ROWS = 1 << 9  # rows from which on sorting by digits is worth its buckets


@dataclass(frozen=True, eq=False)
class Presorted:
    """`values` (numeric columns, rows), `codes` (discrete columns, rows); `orders`: rows from the smallest value on.

    Those of numeric column k stand from starts[k] to starts[k + 1]; incomplete rows are left out. `tied`: whether some
    of its values are equal; `ranks` (numeric columns, rows) tell which, in less memory than the values: how many
    different values are smaller, of tied columns only; `holes`: of each column of the schema, whether some of its
    values are missing.

    >>> from likely.core.schema import Column
    >>> schema = Schema((Column("x", "real"),), Column("y", "category", levels=("no", "yes")))
    >>> reals = np.array([[3.0], [np.nan], [1.0], [3.0]])
    >>> some = Presorted.of(schema, Block(4, np.empty((4, 0), dtype=np.uint8), reals))
    >>> some.orders.tolist(), some.starts.tolist(), some.tied.tolist()
    ([2, 0, 3], [0, 3], [True])
    """

    schema: Schema
    values: Floats
    codes: Array
    orders: Array
    starts: Array
    tied: Array
    ranks: Array
    holes: Array

    @classmethod
    def of(cls, schema: Schema, block: Block) -> Presorted:
        """The columns of a block, sorted."""
        values, codes = _turned(block.reals), np.ascontiguousarray(block.codes.T)
        orders, ranks = np.empty(values.shape, dtype=np.int32), np.empty(values.shape, dtype=np.int32)
        known, tied = np.zeros(len(values), dtype=np.int64), np.zeros(len(values), dtype=bool)
        step = -(-LEAST_ENTRIES_SORTED // max(block.rows, 1))

        def work(first: int) -> None:
            for at in range(first, min(first + step, len(values))):
                known[at], tied[at] = _sort(values[at], orders[at], ranks[at])

        for _ in in_threads(work, range(0, len(values), step)):
            pass
        holes = np.zeros(len(schema.columns), dtype=bool)
        holes[list(schema.of(*NUMERIC))] = known < block.rows
        for place, at in enumerate(schema.of(*DISCRETE)):
            holes[at] = (codes[place] >= len(schema.columns[at].levels)).any()
        flat = orders.ravel() if (known == block.rows).all() else orders[np.arange(block.rows) < known[:, None]]
        return cls(schema, values, codes, flat, np.concatenate([[0], np.cumsum(known)]), tied, ranks, holes)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.values.shape[1])

    def holed(self, growth: Growth) -> Array:
        """(columns of the schema,): whether the missing values of a column have a branch of their own."""
        return self.holes if growth.missing == "informative" else np.zeros_like(self.holes)

    def next_below(self, at: int, cuts: Floats, present: Array | None) -> Floats:
        """Of each threshold of a numeric column the nearest value at or below it, of the rows that are `present`."""
        order = self.orders[self.starts[at] : self.starts[at + 1]]
        values = self.values[at][order if present is None else order[present[order]]]
        return np.asarray(values[np.searchsorted(values, cuts, side="right") - 1])

    @cached_property
    def numeric(self) -> tuple[int, ...]:
        """Where the numeric columns stand in the schema."""
        return self.schema.of(*NUMERIC)

    @cached_property
    def discrete(self) -> tuple[int, ...]:
        """Where the discrete columns stand in the schema."""
        return self.schema.of(*DISCRETE)

    @cached_property
    def place(self) -> Array:
        """(columns of the schema,): where each stands among the numeric or the discrete ones."""
        out = np.zeros(len(self.schema.columns), dtype=np.int64)
        out[list(self.numeric)], out[list(self.discrete)] = np.arange(len(self.numeric)), np.arange(len(self.discrete))
        return out

    @cached_property
    def levels(self) -> Array:
        """(columns of the schema,): how many levels each has, as many as branches; a number has two."""
        out = np.full(len(self.schema.columns), 2)
        out[list(self.discrete)] = [len(self.schema.columns[at].levels) for at in self.discrete]
        return out


def _turned(reals: Floats) -> Floats:
    """(columns, rows): each column in a row."""
    if reals.flags.f_contiguous:
        return reals.T
    out = np.empty(reals.shape[::-1])
    spans = range(0, len(reals), ROWS_TRANSPOSED_AT_A_TIME)
    for _ in in_threads(
        lambda first: turn_rows(reals, first, min(first + ROWS_TRANSPOSED_AT_A_TIME, len(reals)), out), spans
    ):
        pass
    return out


def _sort(values: Floats, out: Array, ranks: Array) -> tuple[int, bool]:
    """out = the rows with a value, in order of it; how many they are, and whether some of the values are equal.

    Where some are, ranks = how many different values are smaller than that of each row.
    """
    if len(values) >= RADIX_SORT_ROWS:
        room = max(64 - BITS_SORTED_BY, len(values).bit_length())
        keys, spare = np.empty(len(values), dtype=np.uint64), np.empty(len(values), dtype=np.uint64)
        known = pack(values, room, keys)
        tied = unpack(sort_keys(keys[:known], spare[:known], room), values, room, out, ranks) if known else 0
        if tied >= 0:
            return known, bool(tied)
    out[:] = np.argsort(values, kind="stable")  # NaN comes last
    known = len(values) - int(np.count_nonzero(np.isnan(values)))
    ascending = values[out[:known]]
    rises = ascending[1:] > ascending[:-1]
    ranks[out[:known]] = np.concatenate([np.zeros(min(known, 1), dtype=np.int64), np.cumsum(rises)])
    return known, not rises.all()
