"""Rows of any origin as codes of levels that are matched by their text: what networks count and ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likely.core.identifiers import ENOUGH_VALUES, IDENTIFIER_SHARE
from likely.core.numerics import Array, Floats
from likely.core.schema import Column, Level, Schema
from likely.core.threads import in_threads
from likely.data import ArrowSource
from likely.data.arrow import ROWS_OF_A_BLOCK
from likely.data.levels.column_kinds import Summary, are_levels, infer
from likely.data.levels.interval_levels import cuts_of, interval_levels, short_between
from likely.data.levels.level_text import Levels, declared_levels
from likely.data.tables import open_rows
from likely.errors import DataError, nearest

ALL_IN_ONE_CELL = Column("rows", "category", ("all",))  # the target of rows that have no class: there is one cell


def code_rows(data: Any, nodes: Sequence[str], levels: Sequence[Sequence[Any]]) -> Array:
    """(rows, nodes) int32: the place of each value among the levels of its node, -1 where it is missing.

    A node that is no column is missing in every row.

    >>> code_rows({"rain": ["no", None]}, ("rain", "wet"), (("yes", "no"), ("yes", "no"))).tolist()
    [[1, -1], [-1, -1]]
    """
    rows = replace(open_rows(data, nodes, levels=dict(zip(nodes, levels, strict=True))), by_text=True)
    columns = tuple(Column(name, "category", tuple(mine)) for name, mine in zip(nodes, levels, strict=True))
    tasks = rows.tasks(Schema(columns, ALL_IN_ONE_CELL), False, ROWS_OF_A_BLOCK)
    few = rows.rows is not None and rows.rows <= ROWS_OF_A_BLOCK  # one block: threads would only cost
    blocks = [task().codes for task in tasks] if few else list(in_threads(lambda task: task().codes, tasks))
    codes = np.concatenate(blocks).astype(np.int32)
    codes[codes == np.array([len(column.levels) for column in columns], dtype=np.int32)] = -1
    return codes


def join_equal(codes: Array, slots: Sequence[int], weights: Floats | None) -> tuple[Array, Floats]:
    """Each different row once, with the weight of all that are equal to it.

    >>> join_equal(np.array([[0, 1], [1, 1], [0, 1]]), [2, 2], None)
    (array([[0, 1], [1, 1]]), array([2., 1.]))
    """
    key, spread = np.zeros(len(codes), dtype=np.int64), 1
    for values, size in zip(codes.T, slots, strict=True):
        if spread > (1 << 62) // size:  # rows are numbered anew before their numbers run over
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            spread = len(codes)
        key, spread = key * size + values, spread * size
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return codes[first], np.bincount(inverse, weights=weights, minlength=len(first)).astype(np.float64)


def source_of(
    data: Any,
    nodes: Sequence[str],
    levels: Levels = None,
    weights: Any = None,
    *,
    known: Mapping[str, Sequence[Level]] | None = None,
) -> tuple[ArrowSource, Schema]:
    """Rows that answer questions about the nodes, in one cell; and the schema, its columns in order of the nodes.

    `levels` of some nodes or all are declared; the others are those that the rows have, in order, and where they have
    none those `known`. Known intervals are as good as declared: rows have numbers, which tell of no intervals.
    """
    told = declared_levels(nodes, levels)
    source = open_rows(data, nodes, weights, levels=told)
    cut = {name: tuple(own) for name, own in (known or {}).items() if cuts_of(own) is not None}
    said = cut | told
    open_ = [name for name in nodes if name not in said and name in source.names]
    seen = replace(source, columns=tuple(open_), weight=None).look(["category"] * len(open_)) if open_ else []
    columns = {name: Column(name, "category", own, own, fixed=True) for name, own in said.items()}
    columns |= {name: _inferred(name, one) for name, one in zip(open_, seen, strict=True) if not _nothing(one)}
    for name in nodes:
        if name not in columns and name in (known or {}):
            columns[name] = Column(name, "category", (known or {})[name], fixed=True)
        elif name not in columns:
            near = "" if name in source.names else nearest(name, source.names)
            hint = f"declare them: levels={{{name!r}: [...]}}.{near}"
            raise DataError("D427", f"no row tells which levels {name!r} has", place=f"node {name!r}", hint=hint)
    return replace(source, by_text=True), Schema(tuple(columns[name] for name in nodes), ALL_IN_ONE_CELL, source.named)


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
    many = seen.type == "number" and not are_levels(column.levels)
    each = seen.observed >= ENOUGH_VALUES and len(column.levels) >= IDENTIFIER_SHARE * seen.observed
    if (many or each) and not seen.declared:
        what = f"{len(column.levels)} different {'numbers' if many else 'values'} are no levels"
        hint = f"declare levels={{{name!r}: [...]}}" if each and not many else _cutting(name, seen)
        raise DataError("D426", what, place=place, hint=hint)
    return column


def _cutting(name: str, seen: Summary) -> str:
    """How to say where numbers are cut."""
    example = list(interval_levels([short_between(seen.low, seen.high)]))
    itself = "likely.learn_network bins such columns by itself, where all rows fit into memory"
    return f"say where to bin it: levels={{{name!r}: {example}}}; {itself}"
