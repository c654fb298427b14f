"""Rows encoded under one schema, as another schema of the same columns encodes them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array
from likely.core.schema import DISCRETE, NUMERIC, Column, Schema
from likely.core.tokens import Bag


def recoded(block: Block, old: Schema, new: Schema) -> Block:
    """The rows under a schema whose columns have other levels, or parts instead of numbers; classes go by their level.

    A level that the new schema has not is unseen there. Columns keep their place and whether they hold levels, numbers
    or texts, but that parts between cuts may stand for numbers, and a column may be set aside.
    """
    if old is new:
        return block
    codes, reals = _codes(block, old, new), _reals(block, old, new)
    cells = None if block.cells is None else _cells(block.cells, old, new)
    return replace(block, codes=codes, reals=reals, bags=_bags(block, old, new), cells=cells)


def _codes(block: Block, old: Schema, new: Schema) -> Array:
    before, numeric, wanted = old.of(*DISCRETE), old.of(*NUMERIC), new.of(*DISCRETE)
    columns = [new.columns[at] for at in wanted]
    if before == wanted and all(_alike(old.columns[at], new.columns[at]) for at in wanted):
        return block.codes
    most = max((column.slots for column in columns), default=0)
    out = np.empty((block.rows, len(wanted)), dtype=np.uint8 if most <= 256 else np.int32)
    for place, (at, column) in enumerate(zip(wanted, columns, strict=True)):
        if at in before:
            mine = block.codes[:, before.index(at)]
            same = _alike(old.columns[at], column)
            out[:, place] = mine if same else _places(old.columns[at], column)[mine]
        else:
            out[:, place] = column.part(block.reals[:, numeric.index(at)])
    return out


def _alike(old: Column, new: Column) -> bool:
    """Whether both number their levels alike."""
    return old.levels is new.levels or old.levels == new.levels


def _places(old: Column, new: Column) -> Array:
    """(slots,): the slot of each level of the old column in the new one, then those of missing and unseen values."""
    missing, unseen = len(new.levels), len(new.levels) + 1
    return np.array([*(new.places.get(level, unseen) for level in old.levels), missing, unseen])


def _reals(block: Block, old: Schema, new: Schema) -> Array:
    before, wanted = old.of(*NUMERIC), new.of(*NUMERIC)
    if before == wanted:
        return block.reals
    return block.reals[:, [before.index(at) for at in wanted]]


def _bags(block: Block, old: Schema, new: Schema) -> tuple[Bag, ...]:
    before = old.of("text")
    return tuple(
        _bag(block.bags[before.index(at)], old.columns[at], new.columns[at]) for at in new.of("text") if at in before
    )


def _bag(bag: Bag, old: Column, new: Column) -> Bag:
    """The words that the new column has."""
    if _alike(old, new):
        return bag
    place = np.array([new.places.get(word, -1) for word in old.levels], dtype=np.int64)
    at = place[bag.indices]
    kept = at >= 0
    before = np.concatenate([[0], np.cumsum(kept)])
    dropped = np.concatenate([[0.0], np.cumsum(np.where(kept, 0.0, bag.data))])
    unknown = dropped[bag.indptr[1:]] - dropped[bag.indptr[:-1]]
    return replace(
        bag,
        indices=at[kept].astype(bag.indices.dtype),
        data=bag.data[kept],
        indptr=before[bag.indptr],
        unknown=None if bag.unknown is None else bag.unknown + unknown.astype(bag.unknown.dtype),
    )


def _cells(cells: Array, old: Schema, new: Schema) -> Array:
    if old.classes == new.classes:
        return cells
    place = {level: at for at, level in enumerate(new.classes)}
    return np.array([place[level] for level in old.classes], dtype=cells.dtype)[cells]
