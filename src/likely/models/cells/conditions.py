"""What the term of a column is conditional on beside the class, in words: "navel=sunken", "0.12<sugar<=0.23"."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from likely.core.block import Block, coded
from likely.core.numerics import Array, log
from likely.core.schema import DISCRETE, NUMERIC, Column, Schema, edge_names
from likely.models.cells.cell_counts import Parents
from likely.models.cells.cell_rows import Reader

if TYPE_CHECKING:
    from likely.models.average import AverageModel
    from likely.models.graph import GraphModel

SHARE_WRITTEN_AS_ALL = 0.9995  # a share that is written as 100 % is not worth writing


def of_graph(model: GraphModel, block: Block) -> Array:
    """(rows, features): the values of each column's parents; None where it has none, or no value itself."""
    out = _nothing(model.schema, block)
    for by in {model.parents[at] for at in model.order if model.parents[at]}:
        mine = [at for at in model.order if model.parents[at] == by]
        out[:, mine] = _values(model.schema, by, block)[:, None]
    return _where_seen(out, model.schema, block)


def of_average(model: AverageModel, block: Block) -> Array:
    """(rows, features): the super-parents with the largest share in the mean of the row's likeliest class.

    None for these super-parents themselves, where naive Bayes speaks, and where a column has no value.
    """
    out = _nothing(model.schema, block)
    _lead(model, block, model.likeliest(block), out)
    return _where_seen(out, model.schema, block)


def _lead(model: AverageModel, block: Block, best: Array, out: Array) -> None:
    """Fill out (rows, columns), for the class `best` of each row."""
    if not model.order:
        return
    rows, places = np.arange(block.rows), {by: place for place, by in enumerate(model.members)}
    said, silent = np.full((len(model.members), block.rows), -np.inf), np.ones(block.rows, dtype=bool)
    for by, weight, speaks, joint in model.each(block, lambda part: Reader(model.inside, part), None):
        said[places[by]] = log(weight * speaks) + joint[rows, best]
        silent &= ~speaks
    spoken = ~np.isneginf(said).all(axis=0)
    first, top = said.argmax(axis=0), said.max(axis=0)
    share = 1.0 / np.exp(said - np.where(spoken, top, 0.0)).sum(axis=0).clip(1.0)
    for place in np.unique(first[spoken]):
        by, at = model.members[place], np.flatnonzero(spoken & (first == place))
        children = [other for other in model.schema.of(*DISCRETE, *NUMERIC) if other not in by]
        words = _values(model.schema, by, block.take(at))
        out[np.ix_(at, np.array(children, dtype=np.intp))] = _shared(words, share[at])[:, None]
    if silent.any():
        at = np.flatnonzero(silent)
        rest = out[at]
        _lead(model.simpler, block.take(at), best[at], rest)
        out[at] = rest


def _shared(words: Array, shares: Array) -> Array:
    """(rows,): the same words, with the share of what they lead where others have a part in it."""
    out = words.copy()
    for row in np.flatnonzero(shares < SHARE_WRITTEN_AS_ALL):
        out[row] = f"{'mostly' if shares[row] >= 0.5 else 'partly'} {words[row]} ({shares[row]:.0%})".replace("%", " %")
    return out


def _values(schema: Schema, by: Parents, block: Block) -> Array:
    """(rows,): the values of some columns together."""
    found, which = np.unique(coded(block, schema, by), axis=0, return_inverse=True)
    names = [parts(schema.columns[at]) for at in by]
    words = np.empty(len(found), dtype=object)
    words[:] = [", ".join(mine[code] for mine, code in zip(names, cell, strict=True)) for cell in found.tolist()]
    return words[which.reshape(-1)]


def parts(column: Column) -> tuple[str, ...]:
    """The parts of a column as a parent, in words; the last two are of a value that is missing, or was never seen.

    >>> parts(Column("sugar", "real", cuts=(0.12, 0.23)))
    ('sugar<=0.12', '0.12<sugar<=0.23', 'sugar>0.23', 'sugar unknown', 'sugar=(unseen)')
    """
    name, end = column.name, (f"{column.name} unknown", f"{column.name}=(unseen)")
    if not column.cuts:
        return (*(f"{name}={level}" for level in column.levels), *end)
    edges = edge_names(column.cuts)
    between = (f"{low}<{name}<={high}" for low, high in pairwise(edges))
    return (f"{name}<={edges[0]}", *between, f"{name}>{edges[-1]}", *end)


def _nothing(schema: Schema, block: Block) -> Array:
    return np.full((block.rows, schema.features), None, dtype=object)


def _where_seen(out: Array, schema: Schema, block: Block) -> Array:
    """The same, with None where a column has no value: that depends on the class alone, if on anything."""
    discrete, numeric = schema.of(*DISCRETE), schema.of(*NUMERIC)
    for place, at in enumerate(discrete):
        out[block.codes[:, place] == len(schema.columns[at].levels), at] = None
    for place, at in enumerate(numeric):
        out[np.isnan(block.reals[:, place]), at] = None
    return out
