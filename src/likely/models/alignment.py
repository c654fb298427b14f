"""Statistics learnt under one schema, carried over to another; and levels that nothing supports any more, dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, WORDS_OF_A_TEXT, Column, Schema
from likely.core.schema_union import as_text
from likely.core.tokens import encode_texts, tokens
from likely.families.defaults import groups
from likely.families.predictor import Family
from likely.models.cells.parent_alignment import move
from likely.statistics import Bundle, Counts, GridCounts, Moments, Question, Statistic, Totals

JOINT_QUESTIONS = ("scatter", "quartics", "points")  # what densities ask of several columns at once


def questions(schema: Schema, density: Family | None = None) -> tuple[Question, ...]:
    """All that a model asks whose columns stand side by side; the counts of the classes come with the first."""
    asked = [Question("counts", schema.of(*DISCRETE))]
    for family, columns in groups(schema, density):
        asked.extend(family.questions(columns))
    return tuple(dict.fromkeys(asked))


def class_counts(bundle: Bundle, schema: Schema) -> Array:
    """(classes,): the weight of the rows of each class."""
    return counts_of(bundle, schema).rows


def counts_of(bundle: Bundle, schema: Schema) -> Counts:
    """The counts of all discrete columns."""
    counts = bundle[Question("counts", schema.of(*DISCRETE))]
    assert isinstance(counts, Counts)
    return counts


def column_with_unknown_level(bundle: Bundle, schema: Schema) -> Column | None:
    """A column that held a value outside its levels, if there is one."""
    columns, counts = schema.of(*DISCRETE), counts_of(bundle, schema)
    unseen = (counts.table[:, schema.offsets(columns)[1:] - 1] != 0).any(axis=0)
    return schema.columns[columns[int(unseen.argmax())]] if unseen.any() else None


def carry(bundle: Bundle, old: Schema, new: Schema, density: Family | None = None) -> Bundle:
    """The answers that the same rows would have given under a schema that covers the old one."""
    if old == new:
        return bundle
    cells = np.array([list(new.classes).index(level) for level in old.classes], dtype=np.int64)
    carried = {question: _carry_one(question, bundle, old, new, cells) for question in questions(new, density)}
    carried.update({question: move(question, bundle[question], old, new) for question in bundle if question.dependent})
    return Bundle(carried)


def _carry_one(question: Question, bundle: Bundle, old: Schema, new: Schema, cells: Array) -> Statistic:
    if question.of == "counts":
        return _carry_counts(bundle, old, new, cells, question.columns)
    if question.of in JOINT_QUESTIONS:
        return _carry_together(question, bundle, len(new.classes), cells)
    if question.of == "moments":
        shape = (len(new.classes), len(question.columns))
        if question in bundle:  # the same columns as before
            return bundle[question].embed(cells, np.arange(shape[1]), shape)
        return _moments_of(bundle, old, question.columns).embed(cells, np.arange(shape[1]), shape)
    if question.of == "transformed":
        if question in bundle:
            return bundle[question].embed(
                cells, np.arange(len(question.columns)), (len(new.classes), len(question.columns))
            )
        out = _columns_of(bundle, "transformed", len(old.classes), question.columns)
        return Moments(*out).embed(cells, np.arange(len(question.columns)), (len(new.classes), len(question.columns)))
    (at,) = question.columns
    mine, theirs = old.columns[at], new.columns[at]
    if question.of == "parts":
        before = bundle.get(question, GridCounts(np.zeros((len(old.classes), theirs.parts))))
        return before.embed(cells, np.arange(theirs.parts), (len(new.classes), theirs.parts))
    if question.of == "grid":
        assert theirs.grid is not None, "a parzen column has a grid"
        table = GridCounts(np.zeros((len(old.classes), theirs.grid.nodes)))
        if mine.grid is not None and not mine.empty:
            grid = bundle[Question("grid", (at,))]
            assert isinstance(grid, GridCounts)
            table = grid.regrid(mine.grid, theirs.grid)
        return table.embed(cells, np.arange(theirs.grid.nodes), (len(new.classes), theirs.grid.nodes))
    if mine.kind == "category":
        spelt = _spelt_out(bundle, old, at, theirs.levels)
        return spelt.embed(cells, np.arange(len(theirs.levels)), (len(new.classes), len(theirs.levels)))
    totals = bundle.get(Question("totals", (at,)), Totals(class_counts(bundle, old), np.zeros((len(old.classes), 0))))
    return totals.embed(cells, _places(mine.levels, theirs.levels), (len(new.classes), len(theirs.levels)))


def _carry_together(question: Question, bundle: Bundle, classes: int, cells: Array) -> Statistic:
    """What a density knows of several columns; one of which nothing was seen may have turned out to be no number."""
    before = next(asked for asked in bundle if asked.of == question.of)
    kept = [at for at in question.columns if at in before.columns]
    from_, to = (np.array([asked.columns.index(at) for at in kept], dtype=np.int64) for asked in (before, question))
    return bundle[before].take(np.arange(len(cells)), from_).embed(cells, to, (classes, len(question.columns)))


def settled_kinds(bundle: Bundle, schema: Schema, density: Family | None = None) -> tuple[Bundle, Schema]:
    """Inferred kinds as all the rows together show them, in whatever parts they came.

    Columns of ever different long texts are bags of words; a 0/1 column that has only one of the two is a constant.
    """
    columns = schema.of(*DISCRETE)
    counts = counts_of(bundle, schema)
    changed = {}
    for at, start in zip(columns, schema.offsets(columns)[:-1], strict=True):
        column = schema.columns[at]
        if not column.fixed:
            settled = _settled(column, counts.table[:, start : start + len(column.levels)].sum(axis=0))
            if settled is not column:
                changed[at] = settled
    if not changed:
        return bundle, schema
    new = replace(schema, columns=tuple(changed.get(at, column) for at, column in enumerate(schema.columns)))
    return carry(bundle, schema, new, density), new


def _settled(column: Column, mass: Array) -> Column:
    if column.kind == "binary" and column.levels == (0, 1) and np.count_nonzero(mass) < 2:
        lone = int(mass.argmax()) if mass.any() else None
        return Column(column.name, "real", lone=lone, empty=lone is None, whole=lone is not None)
    if column.identifies(mass):
        words = [len(tokens(str(level))) for level in column.levels]
        if np.dot(words, mass) >= WORDS_OF_A_TEXT * mass.sum():
            return as_text(column)
    return column


def _spelt_out(bundle: Bundle, old: Schema, at: int, words: Sequence[object]) -> Totals:
    """Totals of words, from counts of whole texts."""
    before = old.of(*DISCRETE)
    counts, start = counts_of(bundle, old), old.offsets(before)[before.index(at)]
    bag = encode_texts([str(level) for level in old.columns[at].levels], {str(word): n for n, word in enumerate(words)})
    level = np.repeat(np.arange(len(bag.indptr) - 1), np.diff(bag.indptr))
    table = np.zeros((len(words), len(old.classes)))
    np.add.at(table, bag.indices, counts.table[:, start + level].T * bag.data[:, None])
    return Totals(counts.rows, table.T)


def _places(old: Sequence[object], new: Sequence[object]) -> Array:
    """Where each old level stands among the new ones."""
    if old is new or old == new:
        return np.arange(len(new))
    at = {level: place for place, level in enumerate(new)}
    return np.array([at[level] for level in old], dtype=np.int64)


def _carry_counts(bundle: Bundle, old: Schema, new: Schema, cells: Array, columns: tuple[int, ...]) -> Counts:
    before, counts = {at: place for place, at in enumerate(old.of(*DISCRETE))}, counts_of(bundle, old)
    starts, offsets = old.offsets(tuple(before)), new.offsets(columns)
    table = np.zeros((len(new.classes), offsets[-1]), dtype=counts.table.dtype)
    from_: list[Array] = []
    to: list[Array] = []
    for at, start in zip(columns, offsets[:-1], strict=True):
        mine, theirs = old.columns[at], new.columns[at]
        if at in before:
            from_.append(starts[before[at]] + np.arange(len(mine.levels) + 1))
            to.append(start + np.append(_places(mine.levels, theirs.levels), len(theirs.levels)))
        else:  # only 0 or only 1 was seen of the column yet, or nothing: the other rows had it missing
            seen = _moments_of(bundle, old, (at,))
            ones = np.rint(seen.total[:, 0]) if counts.table.dtype.kind == "i" else seen.total[:, 0]
            zeros = seen.count[:, 0] - ones
            for level, mass in ((0, zeros), (1, ones)):
                if mine.lone is not None:
                    table[cells, start + theirs.levels.index(level)] = mass
            table[cells, start + len(theirs.levels)] = counts.rows - seen.count[:, 0]
    if to:
        table[np.ix_(cells, np.concatenate(to))] = counts.table[:, np.concatenate(from_)]
    rows = np.zeros(len(new.classes), dtype=counts.rows.dtype)
    rows[cells] = counts.rows
    return Counts(rows, table)


def _moments_of(bundle: Bundle, old: Schema, columns: Sequence[int]) -> Moments:
    """(cells, columns): the moments of columns, some of which may have been counted by levels so far."""
    out, places = _columns_of(bundle, "moments", len(old.classes), columns), {at: n for n, at in enumerate(columns)}
    before = old.of(*DISCRETE)
    counts, starts = counts_of(bundle, old), old.offsets(before)
    for at, start in zip(before, starts, strict=False):
        if at in places:
            values = np.array(old.columns[at].levels, dtype=np.float64)
            table = counts.table[:, start : start + len(values)]
            count, total, squares = table.sum(axis=1), (table * values).sum(axis=1), (table * values**2).sum(axis=1)
            out[0, :, places[at]], out[1, :, places[at]], out[3, :, places[at]] = count, total, squares
    return Moments(*out)


def _columns_of(bundle: Bundle, of: str, classes: int, columns: Sequence[int]) -> Floats:
    """(6, classes, columns): the moments of columns that have been asked together with any others, or not at all."""
    out, places = np.zeros((6, classes, len(columns))), {at: place for place, at in enumerate(columns)}
    for question in bundle:
        some = [(here, places[at]) for here, at in enumerate(question.columns) if at in places]
        if question.of == of and not question.by and some:
            from_, to = np.array(some).T
            for field, mine in zip(out, bundle[question].arrays().values(), strict=True):
                field[:, to] = mine[:, from_]
    return out


def prune(bundle: Bundle, schema: Schema) -> tuple[Bundle, Schema]:
    """Without the classes, levels and words that were inferred and that no row supports."""
    rows = class_counts(bundle, schema)
    target, kept_cells = _supported(schema.target, rows > 0)
    columns, keep = list(schema.columns), {}
    discrete, counts = schema.of(*DISCRETE), counts_of(bundle, schema)
    support, offsets = (counts.table != 0).any(axis=0), schema.offsets(discrete)
    spare = np.zeros(len(support), dtype=bool)
    spare[offsets[1:] - 1] = spare[offsets[1:] - 2] = True
    slots = np.ones(len(support), dtype=bool)
    if not (support | spare).all():
        for at, start in zip(discrete, offsets[:-1], strict=True):
            levels = len(columns[at].levels)
            columns[at], slots[start : start + levels] = _supported(columns[at], support[start : start + levels])
    keep[Question("counts", discrete)] = slots
    for at in schema.of("text"):
        totals = bundle[Question("totals", (at,))]
        assert isinstance(totals, Totals)
        if not columns[at].wide:
            columns[at], keep[Question("totals", (at,))] = _supported(columns[at], (totals.table != 0).any(axis=0))
    if kept_cells.all() and all(mask.all() for mask in keep.values()):
        return bundle, schema
    cells = np.flatnonzero(kept_cells)
    smaller = replace(schema, columns=tuple(columns), target=target)
    pruned = {}
    for question, answer in bundle.items():
        if question.dependent:
            pruned[question] = move(question, answer, schema, smaller)
            continue
        mask = keep.get(question)
        width = next(iter(a.shape[1] for a in answer.arrays().values() if a.ndim > 1))
        pruned[question] = answer.take(cells, np.arange(width) if mask is None else np.flatnonzero(mask))
    return Bundle(pruned), smaller


def _supported(column: Column, support: Array) -> tuple[Column, Array]:
    """The column with declared and supported levels only, and which these are."""
    if support.all():
        return column, support
    declared = set(column.declared)
    mask = np.array(
        [bool(has) or level in declared for level, has in zip(column.levels, support, strict=True)], dtype=bool
    )
    if mask.all():
        return column, mask
    return replace(column, levels=tuple(level for level, has in zip(column.levels, mask, strict=True) if has)), mask
