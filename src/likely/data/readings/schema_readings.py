"""The readings that a model keeps: of its columns, for the text of later rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from likely.core.reading import NUMBER, RAW, TIME, TRUTH, WORDS, Reading
from likely.core.schema import DISCRETE, NUMERIC, SKIP, Column, Schema

ISO_DATES = Reading(TIME, layout="y-m-d", all_marks=True)


def readings_of(schema: Schema) -> dict[str, Reading]:
    """How text of each column, by its name in the rows, becomes what the model has learnt.

    Of a column of which too little is known the rows themselves have to show it.
    """
    columns = (*schema.columns, schema.target)
    found = {column.origin or column.name: _reading_of(column) for column in columns}
    return {name: reading for name, reading in found.items() if reading is not None}


def with_readings(schema: Schema, readings: Mapping[str, Reading]) -> Schema:
    """The schema whose columns say how they were read, where that is not plain from their values."""
    kept = {name: told for name, reading in readings.items() if (told := reading.kept) is not None}
    if not kept:
        return schema
    columns = tuple(_with_reading(column, kept) for column in schema.columns)
    return replace(schema, columns=columns, target=_with_reading(schema.target, kept))


def _with_reading(column: Column, kept: Mapping[str, Reading]) -> Column:
    reading = kept.get(column.origin or column.name)
    return column if reading is None else replace(column, reading=reading)


def _reading_of(column: Column) -> Reading | None:
    if "" in column.levels:  # somebody made it one
        return replace(column.reading or Reading(), spared=("",))
    if column.reading is not None:
        return column.reading
    if column.origin:  # dates that were dates, and no text, when they were learnt
        return ISO_DATES
    if column.kind == "text":
        return Reading(RAW)
    if column.kind == SKIP or (column.worded and column.kind in DISCRETE and column.kind != "cut"):
        return Reading(WORDS)
    if column.empty or column.lone is not None:
        return None
    if column.kind in (*NUMERIC, "cut"):
        return Reading(NUMBER, all_marks=True)
    if column.kind in DISCRETE and column.levels:
        return Reading(TRUTH if {*column.levels} <= {0, 1} else NUMBER, all_marks=True)
    return None
