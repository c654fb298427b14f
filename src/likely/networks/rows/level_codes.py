"""Rows of any origin as level codes of a network's nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import DISTINCT, ENOUGH, Column, Level, Schema, plain
from likely.core.threads import in_threads
from likely.data import ArrowSource
from likely.data.arrow import BATCH
from likely.data.arrow_columns import arrow_type, numbers
from likely.data.fold import Task
from likely.data.survey import Summary, infer
from likely.errors import DataError, listed, nearest
from likely.networks.rows.row_sources import check_weights, open_rows
from likely.networks.tables.interval_levels import cuts_of, interval_levels, short_between
from likely.networks.tables.level_text import Levels, declared_levels, spelt_places
from likely.structures.graph import Graph

MANY = 64  # different numbers in a column beyond which they are amounts, not levels
EVERY = Column("rows", "category", ("all",))  # the target of rows that have no class: there is one cell


@dataclass(frozen=True)
class Rows:
    """A source whose blocks hold codes of the nodes, all in one cell; nodes that are no column are all missing.

    An unknown level is refused by the block that meets it.
    """

    source: ArrowSource

    @property
    def names(self) -> tuple[str, ...]:
        return self.source.names

    @property
    def rows(self) -> int | None:
        return self.source.rows

    def survey(self, kinds: object, classes: Sequence[object] = ()) -> Schema:
        return self.source.survey(kinds, classes)

    def tasks(self, schema: Schema, target: bool, rows: int, least: int = 0) -> Iterator[Task]:
        start, step = 0, min(rows, BATCH)
        for at, batch in enumerate(self.source.read()):
            for offset in range(0, max(batch.num_rows, at == 0), step):
                part = batch.slice(offset, step)
                yield _Coding(self.source, schema, part, start)
                start += part.num_rows


@dataclass(frozen=True)
class _Coding:
    """A task: a batch, to be coded under a schema."""

    source: ArrowSource
    schema: Schema
    batch: Any
    start: int

    def __call__(self) -> Block:
        rows, columns = self.batch.num_rows, self.schema.columns
        most = max((column.slots for column in columns), default=0)
        codes = np.empty((rows, len(columns)), dtype=np.uint8 if most <= 256 else np.int32)
        here = set(self.batch.schema.names)
        for at, column in enumerate(columns):
            codes[:, at] = self._codes(column) if column.name in here else len(column.levels)
        cells = np.zeros(rows, dtype=np.int32)
        return Block(rows, codes, np.empty((rows, 0)), (), cells, self._weights(), self.start)

    def _codes(self, column: Column) -> Array:
        """(rows,): the place of each value among the levels, missing after the last."""
        values, missing = self.batch.column(column.name), len(column.levels)
        arrow_type(values.type, column.name)  # lists and records are refused
        places, held, at = spelt_places(values, column.levels)
        if -2 in places and (places[at] == -2).any():
            row = int((places[at] == -2).argmax())
            raise unknown_level(column.name, column.levels, held[at[row]], self.start + row)
        codes: Array = np.where(places < 0, missing, places)[at]
        return codes

    def _weights(self) -> Floats | None:
        rows = slice(self.start, self.start + self.batch.num_rows)
        if self.source.weight is None:
            return None if self.source.weights is None else self.source.weights[rows]
        weights = np.array(numbers(self.batch.column(self.source.weight), self.source.weight), dtype=np.float64)
        return check_weights(weights, f"column {self.source.weight!r}", self.start)


def unknown_level(name: str, levels: Sequence[Level], value: object, row: int) -> DataError:
    """The error for a value that is none of the levels of its column."""
    hint = f"the levels are {listed(levels, 8)}.{nearest(value, levels)}"
    what = f"{name!r} has no level {plain(value)!r}"
    return DataError("D422", what, place=f"column {name!r}, row {row}", hint=hint)


def code_rows(data: Any, nodes: Sequence[str], levels: Sequence[Sequence[Any]]) -> Array:
    """(rows, nodes) int32: the place of each value among the levels of its node, -1 where it is missing.

    A node that is no column is missing in every row.

    >>> code_rows({"rain": ["no", None]}, ("rain", "wet"), (("yes", "no"), ("yes", "no"))).tolist()
    [[1, -1], [-1, -1]]
    """
    rows = Rows(open_rows(data, nodes))
    columns = tuple(Column(name, "category", tuple(mine)) for name, mine in zip(nodes, levels, strict=True))
    tasks = rows.tasks(Schema(columns, EVERY), False, BATCH)
    few = rows.rows is not None and rows.rows <= BATCH  # one block: threads would only cost
    blocks = [task().codes for task in tasks] if few else list(in_threads(lambda task: task().codes, tasks))
    codes = np.concatenate(blocks).astype(np.int32)
    codes[codes == np.array([len(column.levels) for column in columns], dtype=np.int32)] = -1
    return codes


def source_of(
    data: Any,
    graph: Graph,
    levels: Levels = None,
    weights: Any = None,
    *,
    known: Mapping[str, Sequence[Level]] | None = None,
) -> tuple[Rows, Schema]:
    """Rows that answer questions about the nodes, in one cell; and the schema, its columns in order of the nodes.

    `levels` of some nodes or all are declared; the others are those that the rows have, in order, and where they have
    none those `known`. Known intervals are as good as declared: rows have numbers, which tell of no intervals.
    """
    source = open_rows(data, graph.nodes, weights)
    cut = {name: tuple(own) for name, own in (known or {}).items() if cuts_of(own) is not None}
    said = cut | declared_levels(graph.nodes, levels)
    open_ = [name for name in graph.nodes if name not in said and name in source.names]
    seen = replace(source, columns=tuple(open_), weight=None).look(["category"] * len(open_)) if open_ else []
    columns = {name: Column(name, "category", own, own, fixed=True) for name, own in said.items()}
    columns |= {name: _inferred(name, one) for name, one in zip(open_, seen, strict=True) if not _nothing(one)}
    for name in graph.nodes:
        if name not in columns and name in (known or {}):
            columns[name] = Column(name, "category", (known or {})[name], fixed=True)
        elif name not in columns:
            near = "" if name in source.names else nearest(name, source.names)
            hint = f"declare them: levels={{{name!r}: [...]}}.{near}"
            raise DataError("D427", f"no row tells which levels {name!r} has", place=f"node {name!r}", hint=hint)
    return Rows(source), Schema(tuple(columns[name] for name in graph.nodes), EVERY, source.named)


def _nothing(seen: Summary) -> bool:
    """Whether every value is missing, and no levels come with the column."""
    return seen.type == "empty" and not seen.declared


def _inferred(name: str, seen: Summary) -> Column:
    """The column of a node whose levels are those that its rows have."""
    place = f"column {name!r}"
    if seen.type == "date":
        hint = "derive levels from them, such as the month or the weekday"
        raise DataError("D426", "dates are no levels", place=place, hint=hint)
    column = infer(name, seen, "category")
    many = len(column.levels) > MANY and seen.type == "number"
    each = seen.observed >= ENOUGH and len(column.levels) >= DISTINCT * seen.observed
    if (many or each) and not seen.declared:
        what = f"{len(column.levels)} different {'numbers' if many else 'values'} are no levels"
        hint = f"declare levels={{{name!r}: [...]}}" if each and not many else _cutting(name, seen)
        raise DataError("D426", what, place=place, hint=hint)
    return column


def _cutting(name: str, seen: Summary) -> str:
    """How to say where numbers are cut."""
    example = list(interval_levels([short_between(seen.low, seen.high)]))
    return f"say where to cut it: levels={{{name!r}: {example}}}; likely.learn_network cuts such columns by itself"
