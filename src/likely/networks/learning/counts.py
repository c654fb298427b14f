"""The counts of a network as answers to questions: each node by the cells of its parents; moved to other levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from likely.core.numerics import Array
from likely.core.schema import Column, Level, Schema, in_order
from likely.data.levels.level_text import place_of, spellings
from likely.errors import ModelError, nearest
from likely.models.cells.parent_alignment import move
from likely.networks.tables.table import refuse_large_table
from likely.statistics import Bundle, Counts, Question, Statistic
from likely.structures.graph import Graph


def questions(graph: Graph) -> tuple[Question, ...]:
    """Each node by itself, all in one; and each by the cells of its parents."""
    alone = Question("counts", tuple(range(len(graph.nodes))))
    return tuple(dict.fromkeys([alone, *map(_family, range(len(graph.nodes)), graph.parent_places)]))


def _family(node: int, parents: tuple[int, ...]) -> Question:
    return Question("counts", (node,), parents)


def counts_of(bundle: Bundle, graph: Graph, schema: Schema) -> tuple[Array, ...]:
    """(levels of parents ..., own levels) for each node."""
    shaped = []
    for at, like in enumerate(_shapes(graph, schema)):
        counts = bundle[_family(at, graph.parent_places[at])]
        assert isinstance(counts, Counts)
        shaped.append(counts.table[:, : like[-1]].reshape(like))
    return tuple(shaped)


def bundle_of(counts: Sequence[Array], graph: Graph, schema: Schema) -> Bundle:
    """The answers that rows without missing values give which have these counts."""
    families, alone = {}, []
    for at, mine in enumerate(counts):
        table = np.pad(mine.reshape(-1, mine.shape[-1]), ((0, 0), (0, 2)))
        families[_family(at, graph.parent_places[at])] = Counts(table.sum(axis=1), table)
        alone.append(table.sum(axis=0))
    whole = np.asarray([alone[0].sum()])
    together: dict[Question, Statistic] = {questions(graph)[0]: Counts(whole, np.concatenate(alone)[None])}
    return Bundle(together | families)


def every(bundle: Bundle, schema: Schema) -> Counts:
    """The counts of all nodes by themselves, side by side."""
    counts = bundle[Question("counts", tuple(range(len(schema.columns))))]
    assert isinstance(counts, Counts)
    return counts


def alone_of(bundle: Bundle, schema: Schema, at: int) -> Array:
    """(levels,): the counts of one node by itself."""
    start = int(schema.offsets(range(len(schema.columns)))[at])
    counts: Array = every(bundle, schema).table[0, start : start + len(schema.columns[at].levels)]
    return counts


def _shapes(graph: Graph, schema: Schema) -> list[tuple[int, ...]]:
    sizes = [len(column.levels) for column in schema.columns]
    return [(*(sizes[at] for at in mine), sizes[node]) for node, mine in enumerate(graph.parent_places)]


def zeros(graph: Graph, schema: Schema) -> list[Array]:
    """Counts of no rows, one array like each table."""
    return [np.zeros(shape, dtype=np.int64) for shape in _shapes(graph, schema)]


def refuse_large_tables(graph: Graph, schema: Schema) -> None:
    """An error if a table would not fit into memory."""
    for name, shape in zip(graph.nodes, _shapes(graph, schema), strict=True):
        refuse_large_table(name, shape)


def carry(bundle: Bundle, old: Schema, new: Schema) -> Bundle:
    """The answers that the same rows give under other levels."""
    if old == new:
        return bundle
    return Bundle({question: move(question, counts, old, new) for question, counts in bundle.items()})


def spelt_as(mine: Schema, theirs: Schema) -> Schema:
    """Their schema with levels spelt as mine where they differ only in type."""
    columns = []
    for one, other in zip(mine.columns, theirs.columns, strict=True):
        spelt = spellings(one.levels)

        def same(level: Level, one: Column = one, spelt: Mapping[str, int] = spelt) -> Level:
            at = place_of(level, spelt)
            return one.levels[at] if at >= 0 else level

        columns.append(replace(other, levels=tuple(map(same, other.levels)), declared=tuple(map(same, other.declared))))
    return replace(theirs, columns=tuple(columns))


def unite(left: Schema, right: Schema) -> Schema:
    """The levels of both: the union where they were learnt, and no others where they were declared."""
    right = spelt_as(left, right)
    columns = []
    for one, other in zip(left.columns, right.columns, strict=True):
        declared = one.declared or other.declared
        both = {*one.levels, *other.levels}
        if declared:
            odd = next((level for level in (*one.levels, *other.levels) if level not in declared), None)
            if odd is not None or (other.declared and set(one.declared or declared) != set(other.declared)):
                what = f"{one.name!r} has the levels {list(one.levels)} and {list(other.levels)}"
                hint = f"declare the same levels for both.{nearest(odd, declared) if odd is not None else ''}"
                raise ModelError("M343", what, place=f"node {one.name!r}", hint=hint)
        levels = tuple(declared) or in_order(both, f"column {one.name!r}")
        columns.append(replace(one, levels=levels, declared=tuple(declared)))
    return replace(left, columns=tuple(columns))
