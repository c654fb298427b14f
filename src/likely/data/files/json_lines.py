"""JSON: lines of objects, or an array of them; the keys are the columns, a key left out is missing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from likely.data.files.content import open_packed
from likely.data.files.duckdb import call, literal, quoted, unreadable
from likely.errors import DataError, SchemaError, TypeMixError

# Every row is looked at, in flat memory; objects are never taken for maps of keys to values.
_LOOK = {"sample_size": -1, "union_by_name": True, "map_inference_threshold": -1, "field_appearance_threshold": 0}
WIDE_LINE_KEYS = 500  # different keys on the first lines
_KEY = re.compile(rb'"((?:[^"\\]|\\.)*)"\s*:')
_NESTED = re.compile(rb'"\s*:\s*[\[{]')
MOST_WIDE_BYTES = 1 << 30  # bytes of such lines that are read at once
_AS = {"HUGEINT": "DOUBLE", "UBIGINT": "DOUBLE", "UUID": "VARCHAR", "TIME": "VARCHAR", '"NULL"': "VARCHAR"}  # as in CSV


def query(
    connection: Any, heads: Mapping[str, bytes], packed: bool, place: str, learning: bool
) -> tuple[list[str], str]:
    """The names of all columns, and the query that reads all files one after the other.

    A column of nested or mixed values is refused here if all are to be learnt from; else when someone asks for it.
    """
    import duckdb

    files = list(heads)
    arrays = all(head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[") for head in heads.values())
    fixed = {"compression": "gzip" if packed else "none", "format": "array" if arrays else "auto"}
    try:
        seen = connection.sql(f"from {call('read_json', files, {**fixed, **_LOOK, 'records': True})}")
        columns = {name: str(kind) for name, kind in zip(seen.columns, seen.types, strict=True)}
        objects = call("read_json_objects", files, fixed)
        lowered = Counter(name.lower() for name in columns)
        for name in columns:
            _refuse_renamed(connection, objects, name, lowered, place)
    except duckdb.Error as error:
        if "expected records" in str(error):
            hint = 'each row must be an object, as in {"age": 31, "city": "Oslo"}'
            raise DataError("D217", "this JSON holds no rows with named values", place=place, hint=hint) from None
        raise unreadable(place, error, files) from None
    for name, kind in columns.items():
        if learning and kind == "JSON":
            at = f"{place}, column {name!r}"
            hint = "make the column all text or all numbers"
            raise TypeMixError("D103", "values of several types in one column", place=at, hint=hint)
    if learning:
        refuse_nested(columns, place)
    types = {name: _AS.get(kind, kind) for name, kind in columns.items()}
    # a list is no value to learn from or to predict from: mixed values must not pass as the words that they are in JSON
    mixed = ", ".join(f"[{quoted(name)}] as {quoted(name)}" for name, kind in types.items() if kind == "JSON")
    told = call("read_json", files, {**fixed, "columns": types, "records": True})
    return list(columns), f"select *{f' replace ({mixed})' if mixed else ''} from {told}"


def read_wide(heads: Mapping[str, bytes], packed: bool) -> Any:
    """The table of lines with very many keys, read at once; None of others, or where values of a key do not agree.

    DuckDB's time grows with the square of the number of columns, Arrow's with the number.
    """
    import pyarrow as pa
    import pyarrow.json as reader

    if not any(map(_is_wide, heads.values())):
        return None
    tables = []
    for path in heads:
        with open_packed(path) if packed else open(path, "rb") as file:
            data = file.read(MOST_WIDE_BYTES + 1)
        if len(data) > MOST_WIDE_BYTES:
            return None
        whole = reader.ReadOptions(block_size=max(len(data), 1))
        try:
            tables.append(reader.read_json(pa.BufferReader(data), read_options=whole))
        except pa.ArrowException:  # the slower way says what is wrong, or knows what to make of it
            return None
    try:
        table = pa.concat_tables(tables, promote_options="permissive").combine_chunks()
    except pa.ArrowException:
        return None
    nested = any(pa.types.is_nested(field.type) for field in table.schema)
    return None if nested else table


def _is_wide(head: bytes) -> bool:
    """Whether the first lines of a file hold very many different keys, on one line or together."""
    if head.lstrip()[:1] != b"{":
        return False
    if head.partition(b"\n")[0].count(b'":') > WIDE_LINE_KEYS:
        return True
    return not _NESTED.search(head) and len({*_KEY.findall(head)}) > WIDE_LINE_KEYS


def refuse_nested(columns: dict[str, str], place: str) -> None:
    """An error if a column of this type holds rows or lists in turn."""
    for name, kind in columns.items():
        if kind.startswith(("STRUCT", "MAP", "UNION")) or kind.endswith("]"):
            hint = "make each inner value a column of its own, or leave the column out"
            at = f"{place}, column {name!r}"
            raise DataError("D218", "the column holds nested values (objects or lists)", place=at, hint=hint)


def _refuse_renamed(connection: Any, objects: str, name: str, lowered: Counter[str], place: str) -> None:
    """An error if DuckDB made up this name, as A_1 beside a, because it holds A and a for one.

    `lowered` has all names in small letters.
    """
    base, bar, number = name.rpartition("_")
    if not (bar and number.isdigit() and lowered[base.lower()]):
        return
    path = "$." + '"' + name.replace('"', '\\"') + '"'
    if not connection.sql(f"select 1 from {objects} where json_exists(json, {literal(path)}) limit 1").fetchall():
        raise SchemaError(
            "S209", f"two columns are called {base!r}, but for large and small letters", place=place, hint="rename one"
        )
