"""Arrow columns: what they hold, as numbers or as level codes; and plain values as Arrow columns."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Column, plain
from likely.errors import DataError, SchemaError, TypeMixError
from likely.errors.advice import Advice, LeaveOut

MOST_EXAMPLE_LETTERS = 40  # of a word in an error
FEW_LEVELS = 16  # of a column, which are sooner gone through again than kept by number


def one_array(values: Any, name: str) -> Any:
    """Values of any kind (an array, a series of any library, an Arrow column) as one Arrow array."""
    import pyarrow as pa

    if isinstance(values, np.ndarray):
        return as_arrow(values, name)
    # Asked of its class: a series of pandas looks among its rows for what it does not have.
    array = values.to_arrow() if hasattr(type(values), "to_arrow") else values
    if not isinstance(array, pa.Array | pa.ChunkedArray):
        try:
            array = pa.array(array, from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
            return as_arrow(np.asarray(values), name)  # pandas' sparse columns, and integers beyond 64 bits
    if pa.types.is_string_view(array.type):
        array = array.cast(pa.large_string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def as_arrow(values: Array, name: str) -> Any:
    """A column of plain values as an Arrow array."""
    import pyarrow as pa

    given = values if values.dtype.kind not in "OS" else values.tolist()
    try:
        return pa.array(given, from_pandas=True)
    except OverflowError:  # an integer beyond 64 bits
        return pa.array([None if value is None else float(value) for value in given], from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise mixed(name, str(error)) from None


def mixed(name: str, why: str) -> TypeMixError:
    """The error for a column whose values have no common type."""
    what = f"values of several types in one column ({why.splitlines()[0][:120]})"
    hint = "make the column all text or all numbers: each argument must be a string or a number"
    return TypeMixError("D103", what, place=f"column {name!r}", hint=hint)


def numbered(array: Any) -> Any:
    """A column of words as numbers into a dictionary; any other as it is."""
    return array.dictionary_encode() if _held_by_type().get(array.type.id) == "word" else array


@cache
def _held_by_type() -> dict[int, str]:
    """What columns hold, by the number that Arrow gives to their type, which is told fastest."""
    import pyarrow as pa

    whole = (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())
    others = (pa.float16(), pa.float32(), pa.float64(), pa.time32("s"), pa.time64("us"), pa.duration("us"))
    words = (pa.string(), pa.large_string(), pa.string_view())
    dates = (pa.date32(), pa.date64(), pa.timestamp("us"))
    known = {pa.null(): "empty", pa.bool_(): "bool", **dict.fromkeys((*whole, *others), "number")}
    known |= {**dict.fromkeys(words, "word"), **dict.fromkeys(dates, "date")}
    return {type_.id: held for type_, held in known.items()}


@cache
def _dictionary_id() -> int:
    import pyarrow as pa

    return int(pa.dictionary(pa.int32(), pa.string()).id)


def arrow_type(type_: Any, name: str) -> str:
    """What a column of this Arrow type holds: empty, bool, number, word or date."""
    import pyarrow as pa

    held = _held_by_type()
    if told := held.get(type_.id) or (held.get(type_.value_type.id) if type_.id == _dictionary_id() else None):
        return told
    t = pa.types
    if t.is_dictionary(type_):
        return arrow_type(type_.value_type, name)
    if t.is_decimal(type_):
        return "number"
    if t.is_temporal(type_):
        return "date"
    what = f"likely cannot read values of type {type_}: each argument must be a string or a number"
    hint = Advice("turn the column into text or numbers, or ", LeaveOut(name))
    raise DataError("D111", what, place=f"column {name!r}", hint=hint)


def numbers(column: Any, name: str) -> Floats:
    """(rows,): a column as floats, NaN where it is missing."""
    import pyarrow as pa

    kind = arrow_type(column.type, name)
    if kind == "empty" or column.null_count == len(column):
        return np.full(len(column), np.nan)
    if kind not in ("number", "bool"):
        raise another_type(name, "numbers", kind)
    if pa.types.is_float64(column.type):
        return np.asarray(column.to_numpy(zero_copy_only=False))
    if pa.types.is_integer(column.type) and not column.null_count:
        return np.asarray(column.to_numpy(), dtype=np.float64)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_time(column.type) or pa.types.is_duration(column.type):
        return hours(column)
    if not pa.types.is_float64(column.type):
        column = column.cast(pa.int8() if pa.types.is_boolean(column.type) else pa.float64(), safe=False)
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def hours(column: Any) -> Floats:
    """(rows,): a column of durations, or of times of the day, in hours."""
    import pyarrow as pa

    told = column.cast(pa.time64("us") if pa.types.is_time(column.type) else pa.duration("us"), safe=False)
    return numbers(told.cast(pa.int64()), "") / 3.6e9


def words_only(column: Any, name: str) -> Any:
    """The column, unless it holds anything but words."""
    kind = arrow_type(column.type, name)
    if kind not in ("word", "empty") and column.null_count < len(column):
        raise another_type(name, "words", kind)
    return column


def dates_only(column: Any, name: str) -> Any:
    """The column, unless it holds anything but dates."""
    kind = arrow_type(column.type, name)
    if kind not in ("date", "empty") and column.null_count < len(column):
        raise another_type(name, "dates", kind)
    return column


def another_type(name: str, before: str, now: str, example: str = "") -> SchemaError:
    """The error for a column that holds something else than what a model has learnt, with a word that shows it."""
    hint = "give the column as it was when the model was fitted"
    holds = f"{now}s"
    if example:
        holds = f"other text in every row, such as {example[:MOST_EXAMPLE_LETTERS]!r}"
        hint += "; or, where nothing is known of it, leave its cells empty"
    return SchemaError(
        "S208", f"column {name!r} held {before} and now holds {holds}", place=f"column {name!r}", hint=hint
    )


def level_codes(column: Any, described: Column) -> Array:
    """(rows,): the place of each value among the levels; then missing, then unseen."""
    import pyarrow as pa

    if described.kind == "cut":
        return described.part(numbers(column, described.name))
    few = len(described.levels) <= FEW_LEVELS
    worded = all(isinstance(level, str) for level in described.levels or (0,)) if few else described.worded
    if worded:
        words_only(column, described.name)
    coded = column.type.id == _dictionary_id()
    if coded and len(column.dictionary) > len(column):
        column, coded = (
            column.dictionary_decode(),
            False,
        )  # a few rows of a long dictionary: most of it is not asked for
    if not coded:
        column = column.dictionary_encode()
    dictionary = column.dictionary
    if not worded and pa.types.is_timestamp(dictionary.type):  # of nanoseconds Python knows none
        dictionary = dictionary.cast(pa.timestamp("us", dictionary.type.tz), safe=False)
    at = {level: place for place, level in enumerate(described.levels)} if few else described.places
    missing, unseen = len(described.levels), len(described.levels) + 1
    values = dictionary.to_pylist()
    if worded and None not in values:
        places = [at.get(value, unseen) for value in values]
    else:
        places = [missing if value is None or value != value else at.get(plain(value), unseen) for value in values]
    lookup = np.array([*places, missing], dtype=np.int32)
    indices = column.indices
    if indices.null_count:
        indices = indices.cast(pa.int32()).fill_null(len(places))
    return np.asarray(lookup[indices.to_numpy(zero_copy_only=False)])
