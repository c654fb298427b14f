"""Rows that are encoded once and then learnt by several models: a source whose schema is settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array
from likely.core.recoding import recoded
from likely.core.schema import NUMERIC, Grid, Parzen, Schema
from likely.data import Source
from likely.data.blocks import Task, shares


@dataclass(frozen=True, eq=False)
class EncodedRows:
    """A block and the schema that it is encoded under, as a source: whatever kinds are asked for, these are settled."""

    block: Block
    schema: Schema

    @property
    def rows(self) -> int:
        return self.block.rows

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.schema.columns)

    def survey(self, kinds: object, classes: Sequence[object] = ()) -> Schema:
        numeric, columns = self.schema.of(*NUMERIC), list(self.schema.columns)
        for at in _to_smooth(self.schema, kinds):
            values = self.block.reals[:, numeric.index(at)]
            known = values[~np.isnan(values)]
            ends = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
            columns[at] = replace(columns[at], grid=Grid(*ends))
        return replace(self.schema, columns=tuple(columns))

    def tasks(self, schema: Schema, target: bool, rows: int, least: int = 0) -> Iterator[Task]:
        if target or rows > self.rows:
            parts = shares(self.rows, len(schema.columns))
            rows = min(rows, max(least, -(-self.rows // parts)))
        return (partial(self._piece, schema, start, rows) for start in range(0, max(self.rows, 1), max(rows, 1)))

    def _piece(self, schema: Schema, start: int, rows: int) -> Block:
        stop = min(start + rows, self.rows)
        whole = start == 0 and stop == self.rows
        return recoded(self.block if whole else some_rows(self.block, np.arange(start, stop)), self.schema, schema)

    def take(self, at: Array) -> EncodedRows:
        """Some of the rows."""
        return EncodedRows(replace(some_rows(self.block, at), start=0), self.schema)


@dataclass(frozen=True, eq=False)
class SettledRows:
    """A source whose schema is settled, too, but whose rows are encoded when they are wanted: there are many."""

    source: Source
    schema: Schema

    @property
    def rows(self) -> int | None:
        return self.source.rows

    @property
    def names(self) -> tuple[str, ...]:
        return self.source.names

    def survey(self, kinds: object, classes: Sequence[object] = ()) -> Schema:
        smooth, columns = _to_smooth(self.schema, kinds), list(self.schema.columns)
        if smooth:
            seen = self.source.survey(kinds, classes)
            for at in smooth:
                columns[at] = replace(columns[at], grid=seen.columns[at].grid)
        return replace(self.schema, columns=tuple(columns))

    def tasks(self, schema: Schema, target: bool, rows: int, least: int = 0) -> Iterator[Task]:
        return self.source.tasks(schema, target, rows, least)


def _to_smooth(schema: Schema, kinds: object) -> list[int]:
    """The columns that are asked for as sums of kernels, and so need a grid."""
    said = kinds if isinstance(kinds, Mapping) else {}
    return [at for at, column in enumerate(schema.columns) if isinstance(said.get(column.name), Parzen)]


def some_rows(block: Block, at: Array) -> Block:
    """Some rows of a block, which begin where the first of them stands."""
    start = block.start + (int(at[0]) if len(at) else 0)
    return replace(block.some(at) if block.bags else block.take(at), start=start)
