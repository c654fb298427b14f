"""Parquet files through embedded DuckDB; through Arrow where columns are very many, or long words are numbered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from likely.data.arrow import ROWS_OF_A_BLOCK
from likely.data.files import json_lines
from likely.data.files.csv import CELLS_OF_A_BATCH
from likely.data.files.delimited import MOST_BATCH_BYTES
from likely.data.files.duckdb import call, connect, quoted, unreadable
from likely.data.files.parquet_pages import DICTIONARY_ENCODINGS, pages
from likely.data.frames import refuse_duplicates
from likely.errors import DataError

WIDE_COLUMNS = 2_000  # columns of a Parquet file from which on Arrow alone reads it,
WIDE_COLUMNS_OF_NUMBERS = 200  # or of one that holds no words, some of which might be very long
BYTES_OF_A_COLUMN = 1 << 16  # bytes of each of them that are read at once
MOST_VALUE_BYTES = 2_000_000  # bytes of a word
MOST_PAGE_BYTES = 1 << 27  # unpacked, of the words of a row group that have to be in memory together
LONG_WORD = MOST_BATCH_BYTES // ROWS_OF_A_BLOCK  # bytes from which on fewer rows go into a batch

Read = Callable[[], Iterator[Any]]


def query(connection: Any, files: list[str], place: str, learning: bool) -> tuple[list[str], str]:
    """The names of the columns, and what DuckDB is asked for."""
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq

    query = f"from {call('read_parquet', files, {'union_by_name': True})}"
    try:
        rows = connection.sql(query)
        columns = {name: str(kind) for name, kind in zip(rows.columns, rows.types, strict=True)}
    except duckdb.Error as error:
        raise unreadable(place, error, files) from None
    if learning:
        json_lines.refuse_nested(columns, place)
    names = list(columns)
    for name in files:
        try:
            given = pq.read_schema(name).names  # DuckDB gives names another letter case apart a number
        except (pa.ArrowException, OSError) as error:  # Arrow's own page in the footer is damaged
            raise unreadable(place, error, files) from None
        refuse_duplicates(given, name)
        if len(files) == 1 and len(given) == len(names):
            names = [own or told for own, told in zip(given, names, strict=True)]
    return names, query


def wide_schema(files: list[str]) -> Any:
    """The schema of Parquet files with very many columns of numbers and words, the same in all; None of others.

    DuckDB's time grows with the square of the number of columns, Arrow's with the number.
    """
    schema = _flat_schema(files)
    if schema is None or any(_is_numbered(field.type) for field in schema):
        return None
    words = any(_is_word(field.type) for field in schema)
    return schema if len(schema) > (WIDE_COLUMNS if words else WIDE_COLUMNS_OF_NUMBERS) else None


def _flat_schema(files: list[str]) -> Any:
    """The schema of files with columns of numbers, times and words alone, the same in all; None of others."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        first, *others = (pq.read_schema(name).remove_metadata() for name in files)
    except (pa.ArrowException, OSError):  # the other way says what is wrong
        return None
    flat = all(_is_flat(type_) for type_ in {field.type for field in first})
    return first if flat and all(first.equals(other) for other in others) else None


def _is_flat(type_: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_primitive(type_)) or _is_word(type_) or _is_numbered(type_)


def _is_word(type_: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_string(type_) or types.is_large_string(type_))


def _is_numbered(type_: Any) -> bool:
    """Whether values are words that are numbers into a dictionary."""
    import pyarrow.types as types

    return bool(types.is_dictionary(type_)) and _is_word(type_.value_type)


def wide_batches(files: list[str], schema: Any, place: str) -> Iterator[Any]:
    """The rows of Parquet files with very many columns, after a batch without rows."""
    rows = max(1, min(ROWS_OF_A_BLOCK, CELLS_OF_A_BATCH // len(schema)))
    return _batches(files, schema, place, rows, ())


def _batches(files: list[str], schema: Any, place: str, rows: int, numbered: Sequence[str]) -> Iterator[Any]:
    """The rows of Parquet files, so many at a time, after a batch without rows; columns `numbered` as dictionaries."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    yield pa.record_batch([pa.array([], type=field.type) for field in schema], schema=schema)
    try:
        for name in files:
            with pq.ParquetFile(name, buffer_size=BYTES_OF_A_COLUMN, read_dictionary=list(numbered)) as file:
                for batch in file.iter_batches(rows):
                    yield batch.replace_schema_metadata(None)
    except (pa.ArrowException, OSError) as error:
        raise unreadable(place, error, files) from None


def refuse_large_pages(files: list[str], place: str) -> None:
    """An error if words of a row group are unpacked together that take too much memory: a few kilobytes may hold them.

    The footer says how large each column of a row group is unpacked, and the header of each page how large that is.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    for name in files:
        try:
            footer = pq.read_metadata(name)
        except (pa.ArrowException, OSError):  # DuckDB says what is wrong
            continue
        with open(name, "rb") as file:
            for group in range(footer.num_row_groups):
                chunks = _word_chunks(footer.row_group(group))
                if sum(chunk.total_uncompressed_size for chunk in chunks) <= MOST_PAGE_BYTES:
                    continue
                sizes = [max((page.unpacked for page in pages(file, chunk) if page), default=0) for chunk in chunks]
                if sum(sizes) > MOST_PAGE_BYTES:
                    column = chunks[sizes.index(max(sizes))].path_in_schema
                    hint = "leave the column out, keep the first letters of each value alone, or write smaller pages"
                    what = f"words of {sum(sizes):,} bytes that are packed together; up to {MOST_PAGE_BYTES:,} are read"
                    raise DataError("D216", what, place=f"{place}, column {column!r}", hint=hint)


def _word_chunks(group: Any) -> list[Any]:
    chunks = map(group.column, range(group.num_columns))
    return [chunk for chunk in chunks if chunk.physical_type == "BYTE_ARRAY"]


def numbered_batches(files: list[str], place: str) -> tuple[Any, Read, list[str]] | None:
    """The schema, the rows and the columns of words, where long words are numbered in the file; None of other files.

    Words stay numbered: memory does not grow with their length times the number of rows.
    """
    import pyarrow as pa

    schema = _flat_schema(files)
    if schema is None:
        return None
    words = [field.name for field in schema if not pa.types.is_primitive(field.type)]
    longest = _longest_numbered(files, words)
    long = [name for name, size in longest.items() if size > LONG_WORD]
    if not long:
        return None
    refuse_long_words(longest, place)
    connection = connect()
    rest = [name for name in words if name not in longest]
    other = longest_words(connection, f"from {call('read_parquet', files, {})}", rest, place, files)
    refuse_long_words(other, place)
    sizes = [size for name, size in (longest | other).items() if name not in long]
    read = partial(_batches, files, _numbered_schema(schema, long), place, rows_at_once(sizes), long)
    return schema, read, words


def _numbered_schema(schema: Any, names: Sequence[str]) -> Any:
    """The schema with columns of words as Arrow reads them where they stay numbered."""
    import pyarrow as pa

    for name in names:
        at = schema.get_field_index(name)
        if not _is_numbered(schema.field(at).type):
            schema = schema.set(at, pa.field(name, pa.dictionary(pa.int32(), schema.field(at).type)))
    return schema


def _longest_numbered(files: list[str], words: Sequence[str]) -> dict[str, int]:
    """The bytes of the longest word of each column of words all of which are numbers into dictionaries."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    longest = dict.fromkeys(words, 0)
    try:
        for name in files:
            with open(name, "rb") as file, pq.ParquetFile(file, read_dictionary=list(words)) as table:
                groups = range(table.metadata.num_row_groups)
                chunks = {group: _word_chunks(table.metadata.row_group(group)) for group in groups}
                for chunk in (chunk for group in chunks.values() for chunk in group):
                    if not all(page and _is_of_numbers(page) for page in pages(file, chunk)):
                        longest.pop(chunk.path_in_schema, None)
                for group in groups if longest else ():
                    first = next(table.iter_batches(1, row_groups=[group], columns=list(longest)), None)
                    for column, of in zip(first.columns, first.schema.names, strict=True) if first is not None else ():
                        sizes = pc.binary_length(column.dictionary)
                        longest[of] = max(longest[of], pc.max(sizes).as_py() or 0)
    except (pa.ArrowException, OSError, KeyError):  # the other way says what is wrong
        return {}
    return longest


def _is_of_numbers(page: Any) -> bool:
    return page.is_dictionary or page.encoding in DICTIONARY_ENCODINGS


def longest_words(connection: Any, query: str, names: Sequence[str] | None, place: str, files: list[str]) -> Any:
    """The bytes of the longest word of each of these columns, or of all of words."""
    import duckdb

    try:
        if names is None:
            rows = connection.sql(query)
            names = [name for name, kind in zip(rows.columns, rows.types, strict=True) if str(kind) == "VARCHAR"]
        if not names:
            return {}
        longest = ", ".join(f"coalesce(max(strlen({quoted(name)})), 0)" for name in names)
        return dict(zip(names, map(int, connection.sql(f"select {longest} {query}").fetchall()[0]), strict=True))
    except duckdb.Error as error:
        raise unreadable(place, error, files) from None


def refuse_long_words(longest: dict[str, int], place: str) -> None:
    """An error if the longest word of a column is too long."""
    name = max(longest, key=lambda name: longest[name], default="")
    if longest and longest[name] > MOST_VALUE_BYTES:
        hint = "leave the column out, or keep the first letters of each value alone"
        message = f"a value of {longest[name]:,} bytes; up to {MOST_VALUE_BYTES:,} are read"
        raise DataError("D216", message, place=f"{place}, column {name!r}", hint=hint)


def rows_at_once(sizes: Sequence[int]) -> int:
    """How many rows go into a batch: a long word that stands there once may be that of every row."""
    return max(1, min(ROWS_OF_A_BLOCK, MOST_BATCH_BYTES // max(sum(sizes), 1)))
