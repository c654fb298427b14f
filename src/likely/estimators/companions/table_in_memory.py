"""A first look at rows for those that learn from all of them at once: what to set aside; then all of it in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import SKIP, Column, Schema
from likely.core.threads import in_threads
from likely.data import Source
from likely.data.blocks import ANY_ROWS
from likely.errors import OptionError
from likely.errors.advice import Advice, Kind
from likely.estimators.face.rows import S, answers
from likely.families.predictor import Setting
from likely.models import NaiveModel
from likely.models.notes import Note, notes
from likely.statistics import Bundle

TEXT = "holds texts and is set aside: NaiveBayes reads them"


@dataclass(frozen=True, eq=False)
class TableInMemory:
    """All rows in one block under their schema, and the weight (classes,) of the rows of each class."""

    schema: Schema
    block: Block
    rows: Floats


def survey(source: Source, kinds: Any, missing: str, classes: tuple[Any, ...] = ()) -> NaiveModel:
    """What each column looks like in each class, with what is of no use set aside: its schema is that of the rows."""
    setting = Setting(missing=missing)
    schema = source.survey({} if isinstance(kinds, str) and kinds == "auto" else kinds, classes)
    if schema.columns and schema.columns[0].wide:
        hint = "NaiveBayes reads counts of words; or name no kind, and the counts are numbers"
        raise OptionError("O571", "a matrix of words is no table of columns", place="kinds=", hint=hint)
    seen = _asked(source, NaiveModel(schema, setting, "smoothed", Bundle({})))
    useful = _useful(seen)
    told = replace(seen, schema=useful)
    return told if _alike(seen.schema, useful) else _asked(source, told)


def _asked(source: Source, model: NaiveModel) -> NaiveModel:
    return replace(model, bundle=answers(source, model, model.setting.missing)).pruned()


def _alike(one: Schema, other: Schema) -> bool:
    """Whether rows answer the same under both: no column is set aside in one alone, and hints say nothing of rows."""
    same = all(mine.kind == its.kind for mine, its in zip(one.columns, other.columns, strict=True))
    return same and tuple(one.classes) == tuple(other.classes)


def _useful(model: NaiveModel) -> Schema:
    """The schema without texts, columns that tell rows apart, and declared classes that no row has."""
    schema, told = model.schema, {note.column: note for note in notes(model)}
    columns = tuple(_aside(column, told.get(column.name), model.rows.sum()) for column in schema.columns)
    known = tuple(level for level, weight in zip(schema.classes, model.rows, strict=True) if weight)
    if columns == schema.columns and known == tuple(schema.classes):
        return schema
    return Schema(columns, replace(schema.target, levels=known, declared=known), schema.named)


def _aside(column: Column, note: Note | None, rows: float) -> Column:
    """The column, set aside where it is a text or tells rows apart; its hint says so."""
    if column.inferred and len(column.levels) > rows / 2 > 10:
        many = f"{column.name!r} has {len(column.levels)} levels in {rows:g} rows and is set aside"
        hint = Advice(f"{many}: hardly two rows share one; to use it, say ", Kind(column.name, "category"))
        return Column(column.name, SKIP, hint=hint)
    if column.kind == "text":
        return Column(column.name, SKIP, hint=f"{column.name!r} {TEXT}")
    if note is not None and note.code == "skipped":
        return Column(column.name, SKIP, hint=note.text)
    return column if note is None else replace(column, hint=note.text)


def hold(source: Source, seen: NaiveModel) -> TableInMemory:
    """The rows, all in memory; what lies there in the right form already is not copied."""
    blocks = list(in_threads(lambda task: task(), source.tasks(seen.schema, True, ANY_ROWS, ANY_ROWS)))
    whole = blocks[0] if len(blocks) == 1 else _joined(blocks)
    if whole.weights is not None and not whole.weights.all():  # a row of no weight is no row
        whole = whole.take(np.flatnonzero(whole.weights))
    return TableInMemory(seen.schema, whole, np.asarray(seen.rows, dtype=np.float64))


def _joined(blocks: list[Block]) -> Block:
    def join(name: str) -> Array | None:
        parts = [getattr(block, name) for block in blocks]
        return None if parts[0] is None else np.concatenate(parts)

    codes, reals = (np.concatenate([getattr(block, name) for block in blocks]) for name in ("codes", "reals"))
    return Block(len(codes), codes, reals, cells=join("cells"), weights=join("weights"), amounts=join("amounts"))


def schema_notes(schema: Schema, remarks: tuple[str, ...]) -> tuple[Note, ...]:
    """What the columns of a companion ask a person to know, then what its learning does."""
    columns = [
        Note("skipped" if column.kind == SKIP else "code", column.name, column.hint)
        for column in schema.columns
        if column.hint
    ]
    return (*columns, *(Note("learning", "", text) for text in remarks))


def refusing_holes(source: S) -> S:
    """The same rows, of which one with a missing value is an error."""
    return replace(source, complete=True)  # type: ignore[type-var]
