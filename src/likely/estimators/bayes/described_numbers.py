"""The descriptions of real columns, as a user says them or as a sample of the rows shows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import NUMERIC, SKIP, Column, Parzen, Schema
from likely.core.threads import in_threads
from likely.data import Source
from likely.data.arrow import EncodedBatch
from likely.data.blocks import ANY_ROWS, Task
from likely.families.number_descriptions import (
    LEAST_DESCRIBED_VALUES,
    MOST_CHOICE_ROWS,
    Said,
    describe_numbers,
    read_descriptions,
)
from likely.families.number_sample import NumberSample
from likely.families.predictor import Setting

MOST_DESCRIBED_COLUMNS = 256  # columns of numbers beyond which all are normals: each takes its time to try
VALUES_SAMPLED = 100_000  # values that are looked at in all, where that leaves enough rows
LEAST_CHOICE_ROWS = 1000


def with_descriptions(source: Source, schema: Schema, setting: Setting, descriptions: Any) -> Schema:
    """The schema in which real columns are described as a user says, or else as loses least."""
    real = schema.of("real")
    names = tuple(schema.columns[at].name for at in real)
    said = read_descriptions(descriptions, names)
    wanted: dict[int, Said] = {at: said[schema.columns[at].name] for at in real if schema.columns[at].name in said}
    if setting.estimate == "bayes" and setting.smoothing > 0 and len(real) <= MOST_DESCRIBED_COLUMNS:
        wanted |= {at: "" for at in real if at not in wanted and is_undecided(schema.columns[at])}
    wanted = {at: only for at, only in wanted.items() if only != "normal"}
    few = source.rows is not None and source.rows < LEAST_DESCRIBED_VALUES
    if few:
        wanted = {at: only for at, only in wanted.items() if only}
    if not wanted or (len(schema.classes) < 2 and not any(wanted.values())):
        return schema
    reals, cells, weights = sample_rows(source, schema, tuple(wanted))
    columns = list(schema.columns)
    for place, (at, only) in enumerate(wanted.items()):
        there = np.flatnonzero(~np.isnan(reals[:, place]) & (weights > 0))
        sample = NumberSample(reals[there, place], cells[there], weights[there], len(schema.classes))
        chosen = describe_numbers(sample, setting, only)
        if chosen.description != "normal":
            columns[at] = replace(columns[at], described=chosen.description, cuts=chosen.cuts)
    return with_grids(source, replace(schema, columns=tuple(columns)))


def is_undecided(column: Column) -> bool:
    """Whether nobody said what it is, and it may be more than one value and no number of the row."""
    return not (column.fixed or column.empty or column.counts_rows or column.lone is not None)


def sample_rows(source: Source, schema: Schema, columns: tuple[int, ...]) -> tuple[Floats, Array, Floats]:
    """(rows, columns), (rows,), (rows,): numbers of some columns, classes and weights of rows spread over the table.

    All rows, or every second, fourth, ... from the first on, so that at most MOST_CHOICE_ROWS are left: fewer where
    columns are many. Which rows these are follows from how many there are, whatever the source hands out at a time.
    """
    aside = [
        column if at in columns else Column(column.name, SKIP, fixed=True) for at, column in enumerate(schema.columns)
    ]
    narrow = replace(schema, columns=tuple(aside))
    numeric = schema.of(*NUMERIC)
    whole = all(column.kind in NUMERIC for column in schema.columns)  # then rows in memory are looked at where they lie
    seen, places = (schema, [numeric.index(at) for at in columns]) if whole else (narrow, list(range(len(columns))))
    most = max(LEAST_CHOICE_ROWS, min(MOST_CHOICE_ROWS, VALUES_SAMPLED // max(1, len(columns))))
    step = 1 if source.rows is None else _step(source.rows, most)

    def work(task: Task) -> tuple[int, Array, Floats, Array, Floats]:
        if source.rows is not None and isinstance(task, EncodedBatch):  # the step stays: no other row is encoded
            block = task.thinned(step)()
            some = np.arange(block.rows)
        else:
            block = task()
            some = np.arange(-block.start % step, block.rows, step)
        first = block.start + -block.start % step
        return (block.start + block.rows, first + step * np.arange(len(some)), *_picked(block, some, places))

    rows, parts = 0, []
    for rows, *part in in_threads(work, source.tasks(seen, True, ANY_ROWS)):
        parts.append(part)
        wider = _step(rows, most)
        if wider > step:
            step, parts = wider, [[array[one[0] % wider == 0] for array in one] for one in parts]
    at, reals, cells, weights = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    kept = at % step == 0
    return reals[kept], cells[kept], weights[kept]


def _picked(block: Block, at: Array, places: list[int]) -> tuple[Floats, Array, Floats]:
    assert block.cells is not None, "rows to learn from have classes"
    weights = np.ones(len(at)) if block.weights is None else block.weights[at]
    return block.reals[at][:, places], block.cells[at].astype(np.int64), weights


def _step(rows: int, most: int) -> int:
    """The least power of two that leaves at most so many rows."""
    return 1 << max(0, int(np.ceil(np.log2(max(rows, 1) / most))))


def with_grids(source: Source, schema: Schema) -> Schema:
    """The schema with grids for the kernels, which have to know how far all numbers reach."""
    smooth = {column.name: Parzen() for column in schema.columns if column.described == "parzen"}
    if not smooth:
        return schema
    others = {column.name: "real" if column.kind in NUMERIC else SKIP for column in schema.columns}
    found = source.survey({**others, **smooth}, schema.classes)
    columns = [
        replace(column, form=Parzen(), grid=seen.grid) if column.name in smooth else column
        for column, seen in zip(schema.columns, found.columns, strict=True)
    ]
    return replace(schema, columns=tuple(columns))
