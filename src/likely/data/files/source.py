"""Files and SQL through embedded DuckDB, streamed a batch at a time; ARFF through our own reader."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from glob import has_magic
from typing import Any

from likely.core.reading import Reading
from likely.core.schema import plain
from likely.data.arrow import ROWS_OF_A_BLOCK, ArrowSource
from likely.data.files import json_lines, parquet
from likely.data.files.archives import with_member
from likely.data.files.arff import read_arff
from likely.data.files.content import form_of_file, look_through
from likely.data.files.csv import CsvFile
from likely.data.files.csv_dialect import Dialect
from likely.data.files.delimited import DelimitedTable
from likely.data.files.duckdb import connect, unreadable
from likely.data.files.excel.sheet_file import SheetFile
from likely.data.files.formats import ending_of, form_of_name
from likely.data.files.layout import TableLayout, is_number
from likely.data.files.paths import find_files, parted, within_zip
from likely.data.files.temporary import standard_input, unpacked
from likely.data.frames import refuse_duplicates, table_source
from likely.data.readings.misfits import Misfits
from likely.data.readings.text_columns import TextColumns
from likely.errors import DataError
from likely.errors.advice import Advice, InPython

_YEAR = re.compile(r"(?:1[89]|20)[0-9]{2}")  # which is a name as any other


def file_source(
    path: str | os.PathLike[str],
    target: str | None,
    form: str | None = None,
    header: bool = True,
    readings: Mapping[str, Reading] | None = None,
    strict: bool = False,
    marks: Collection[str] = (),
    named: Collection[str] = (),
    kinds: object = None,
) -> ArrowSource:
    """The source of a CSV, TSV, Excel, Parquet, ARFF or JSON file, of a pattern of several, or of - (standard input).

    The format is told by the ending, or by `form`, an ending without its dot. Without `header`, the first line of a
    text file or sheet is a row, and columns are called c1, c2 and so on. `readings` are those of a model, by column; if
    `strict`, cells that do not fit are refused. `marks` stand for missing values beside those that are known.
    `named` are columns that somebody names beside the target: a first line that holds one of them holds names. Of what
    the `kinds` call categories numbers stay as they are spelt, where that tells them apart.
    """
    if os.fspath(path) == "-":
        path = standard_input(sys.stdin.buffer, form)
    files, absent = _found(path)
    if absent is not None:
        name = os.fsdecode(path)
        if absent.code == "D202" and not has_magic(name) and ending_of(name) not in ("", ".zip"):
            form_of_name(name, form)  # an ending that cannot be read is the first thing to say
        raise absent
    place = files[0] if len(files) == 1 else os.path.expanduser(os.fsdecode(path))
    formats = {form_of_file(name, form) for name in files}
    if len(formats) > 1:
        endings = sorted({os.path.splitext(name)[1] for name in files})
        hint = "give files of one format at a time, as in data/*.csv"
        raise DataError("D208", f"files with different endings: {', '.join(endings)}", place=place, hint=hint)
    ((kind, packed),) = formats
    if kind in ("csv", "tsv", "xlsx"):
        named = named if target is None else {target, *named}
        excel = kind == "xlsx"
        opened = _sheets(files, packed, header, named) if excel else _texts(files, packed, kind == "tsv", header, named)
        _check(opened, target, header)
        table = DelimitedTable(opened, place, target, readings, strict, marks, kinds)
        nameless = not all(file.dialect.headed for file in opened)
        notes = _notes(opened)
        return ArrowSource(table.read, table.names, target, place=place, notes=notes, texts=table, nameless=nameless)
    if not header:
        hint = Advice("leave ", InPython("header=False", "--no-header"), " out")
        raise DataError("D224", "only text files and sheets have rows without names", place=place, hint=hint)
    inner = {name: name for name in files}
    if packed and (kind == "parquet" or within_zip(place) is not None):
        for name in files:
            look_through(name, kind, packed, name)  # what is no such file, or too large for a reader, is not unpacked
        inner, packed = {unpacked(name): name for name in files}, False
    heads = {path: look_through(path, kind, packed, name) for path, name in inner.items()}
    files = list(inner)
    if kind == "arff":
        return _arff_source(files, target, place)
    if kind == "jsonl" and (wide := json_lines.read_wide(heads, packed)) is not None:
        arrays = [column.combine_chunks() for column in wide.columns]
        return table_source(arrays, wide.column_names, target, None, None, {}, place=place)
    if kind == "parquet":
        parquet.refuse_large_pages(files, place)
    if kind == "parquet" and (schema := parquet.wide_schema(files)) is not None:
        refuse_duplicates(schema.names, place)
        batches = partial(parquet.wide_batches, files, schema, place)
        wide = ArrowSource(batches, tuple(schema.names), target, place=place)
        return _read_texts(wide, readings, strict, marks, kinds)
    connection, rows = connect(), ROWS_OF_A_BLOCK
    if kind == "parquet":
        names, query = parquet.query(connection, files, place, target is not None)
        if (numbered := parquet.numbered_batches(files, place)) is not None:
            schema, rows_of_words, words = numbered
            source = ArrowSource(rows_of_words, tuple(schema.names), target, place=place)
            return _read_texts(source, readings, strict, marks, kinds, words)
        longest = parquet.longest_words(connection, query, None, place, files)
        parquet.refuse_long_words(longest, place)
        rows = parquet.rows_at_once([*longest.values()])
    else:
        names, query = json_lines.query(connection, heads, packed, place, target is not None)

    def read() -> Iterator[Any]:
        import duckdb

        try:
            reader = connection.cursor().sql(query).to_arrow_reader(rows)
            for batch in _with_first(reader):
                yield batch.rename_columns(names)
        except (duckdb.Error, OSError) as error:  # on their way through Arrow, errors become others
            raise unreadable(place, error, files) from None

    return _read_texts(ArrowSource(read, tuple(names), target, place=place), readings, strict, marks, kinds)


def _found(path: str | os.PathLike[str]) -> tuple[list[str], DataError | None]:
    """The files that a path or pattern names, or why there are none."""
    try:
        return [with_member(name) for name in find_files(path)], None
    except DataError as error:
        return [], error


def relation_source(
    relation: Any,
    target: str | None,
    place: str = "the relation",
    readings: Mapping[str, Reading] | None = None,
    strict: bool = False,
    marks: Collection[str] = (),
    kinds: object = None,
) -> ArrowSource:
    """The source of a DuckDB relation: a table, a view, or any query."""
    import duckdb

    try:
        refuse_duplicates(list(relation.columns))
    except duckdb.Error as error:
        raise unreadable(place, error) from None

    def read() -> Iterator[Any]:
        try:
            yield from _with_first(relation.to_arrow_reader(ROWS_OF_A_BLOCK))
        except (duckdb.Error, OSError) as error:
            raise unreadable(place, error) from None

    rows = ArrowSource(read, tuple(relation.columns), target, place=place)
    return _read_texts(rows, readings, strict, marks, kinds)


def _read_texts(
    source: ArrowSource,
    readings: Mapping[str, Reading] | None,
    strict: bool,
    marks: Collection[str],
    kinds: object,
    numbered: Sequence[str] | None = None,
) -> ArrowSource:
    """The same rows, their columns of text read as values."""
    texts = TextColumns(
        source.read, source.place, source.target, readings, strict, marks=marks, numbered=numbered, kinds=kinds
    )
    told: list[Misfits] = []

    def read() -> Iterator[Any]:
        yield from texts.read()
        if not told:  # once, however often rows are read
            told.append(texts.misfits)
            texts.misfits.warn()

    return replace(source, read=read, texts=texts)


def _with_first(reader: Any) -> Iterator[Any]:
    """The batches of a reader after one without rows, so that a table without rows still has its columns."""
    import pyarrow as pa

    try:
        yield pa.record_batch([pa.array([], type=field.type) for field in reader.schema], schema=reader.schema)
        yield from reader
    finally:
        reader.close()  # a query that is left half way would bar the next


def _texts(
    files: Sequence[str], packed: bool, tabs: bool, header: bool, named: Collection[str]
) -> list[CsvFile | SheetFile]:
    return [CsvFile.look(name, packed, tabs, header, named) for name in files]


def _sheets(files: Sequence[str], packed: bool, header: bool, named: Collection[str]) -> list[CsvFile | SheetFile]:
    tables: list[CsvFile | SheetFile] = []
    for name in files:
        path, sheet = (name, None) if packed else parted(name)
        look_through(path, "xlsx", packed, name)
        tables.append(SheetFile.look(unpacked(path) if packed else path, sheet, path, header, named))
    return tables


def _check(tables: Sequence[CsvFile | SheetFile], target: str | None, header: bool) -> None:
    """An error if names are not as they should be."""
    for table in tables:
        refuse_duplicates(table.dialect.names, table.path)
        if header:
            _refuse_data_on_top(table.dialect, table.path, target)


def _notes(tables: Sequence[CsvFile | SheetFile]) -> tuple[str, ...]:
    """What a person should know of how files are read."""
    return tuple(f"{table.path}: {note}" for table in tables for note in table.dialect.notes)


def _refuse_data_on_top(table: Dialect | TableLayout, path: str, target: str | None) -> None:
    """An error if the target is not among the names because there are none: the first line holds data."""
    odd = any(is_number(name) and not _YEAR.fullmatch(name) for name in table.names)
    if target is None or target in table.names or (table.headed and not odd):
        return
    python = "header=False, and name columns by number, as in target=15; --no-header on the command line"
    say = InPython(python, "--no-header, and name columns by number, as in -t 15")
    named = "" if target.isdecimal() else f", {target!r} among them"
    hint = Advice(f"write the names of the columns on the first line{named}; or say ", say)
    raise DataError("D219", "the first line looks like data, not like names", place=path, hint=hint)


def _arff_source(files: Sequence[str], target: str | None, place: str) -> ArrowSource:
    import pyarrow as pa

    tables = [read_arff(name) for name in files]
    table = pa.concat_tables(tables, promote_options="permissive").unify_dictionaries().combine_chunks()
    arrays = [column.combine_chunks() for column in table.columns]
    declared = {
        name: tuple(plain(level) for level in array.dictionary.to_pylist())
        for name, array in zip(table.column_names, arrays, strict=True)
        if hasattr(array, "dictionary")
    }
    return table_source(arrays, table.column_names, target, None, None, declared, place=place)
