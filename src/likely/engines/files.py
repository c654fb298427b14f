"""Files and SQL through embedded DuckDB, streamed a batch at a time; ARFF through our own reader."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from likely.engines.arff import read_arff
from likely.engines.arrow import BATCH, ArrowSource
from likely.engines.frames import refuse_duplicates, table_source
from likely.errors import DataError, nearest
from likely.schema import plain

# What pandas takes as missing, so that a file means the same to both; a yes/no column stays words, it is no true/false.
MISSING = ("", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NULL", "null", "NaN", "nan", "-NaN", "-nan", "None")
TYPES = ("NULL", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "VARCHAR")
OPTIONS = f"nullstr={list(MISSING)}, auto_type_candidates={list(TYPES)}, sample_size=-1, union_by_name=true"
CSV = f"select * from read_csv($path, {OPTIONS})"
PARQUET = "select * from read_parquet($path, union_by_name=true)"
QUERIES = {".csv": CSV, ".tsv": CSV, ".txt": CSV, ".parquet": PARQUET, ".pq": PARQUET, ".arff": ""}


def file_source(path: str | os.PathLike[str], target: str | None) -> ArrowSource:
    """The source of a CSV, TSV, Parquet or ARFF file, or of a pattern that names several."""
    text = os.path.expanduser(os.fspath(path))
    if os.path.isdir(text):
        hint = f"name the files in it, as in {text.rstrip('/')}/*.parquet"
        raise DataError("D203", "this is a folder", place=text, hint=hint)
    ending = "".join(Path(text.removesuffix(".gz")).suffixes[-1:]).lower()
    if ending not in QUERIES:
        hint = f"likely reads {', '.join(QUERIES)}; text files also with .gz behind.{nearest(ending, QUERIES)}"
        raise DataError("D201", f"a file with the ending {ending!r} cannot be read", place=text, hint=hint)
    if not os.path.exists(text) and not glob.glob(text):
        folder = Path(text).parent
        near = nearest(Path(text).name, os.listdir(folder)) if folder.is_dir() else ""
        raise DataError("D202", "there is no such file", place=text, hint=f"check the name and the folder.{near}")
    if ending == ".arff":
        return _arff_source(text, target)
    import duckdb

    connection = duckdb.connect()
    connection.execute("set enable_progress_bar = false")  # it would write into the user's output
    try:
        relation = _with_booleans(connection, QUERIES[ending], text)
    except duckdb.Error as error:
        raise unreadable(text, error) from None
    return relation_source(relation, target, place=text)


def _with_booleans(connection: Any, query: str, path: str) -> Any:
    """The rows of a query, with columns of true and false alone as booleans, as pandas reads them."""
    rows = connection.sql(query, params={"path": path})
    flags = [_quoted(name) for name, kind in zip(rows.columns, rows.types, strict=True) if str(kind) == "VARCHAR"]
    for some in (f"({query} limit 1000)", f"({query})"):  # hardly a column survives the first look: the second is rare
        if flags:
            asked = ", ".join(f"bool_and(lower({name}) in ('true', 'false'))" for name in flags)
            (told,) = connection.sql(f"select {asked} from {some}", params={"path": path}).fetchall()
            flags = [name for name, flag in zip(flags, told, strict=True) if flag]
    if not flags:
        return rows
    casts = ", ".join(f"lower({name}) = 'true' as {name}" for name in flags)
    return connection.sql(f"select * replace ({casts}) from ({query})", params={"path": path})


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def relation_source(relation: Any, target: str | None, place: str = "the relation") -> ArrowSource:
    """The source of a DuckDB relation: a table, a view, or any query."""
    import duckdb

    try:
        refuse_duplicates(list(relation.columns))
    except duckdb.Error as error:
        raise unreadable(place, error) from None

    def read() -> Iterator[Any]:
        try:
            reader = relation.to_arrow_reader(BATCH)
            yield _no_rows(reader.schema)  # so that a table without rows still has its columns
            yield from reader
        except duckdb.Error as error:
            raise unreadable(place, error) from None

    return ArrowSource(read, tuple(relation.columns), target, place=place)


def _no_rows(schema: Any) -> Any:
    import pyarrow as pa

    return pa.record_batch([pa.array([], type=field.type) for field in schema], schema=schema)


def unreadable(place: str, error: Exception) -> DataError:
    """The error for a file that DuckDB cannot read, in its first words."""
    told = str(error).splitlines()[0][:200]
    hint = "is it in the format that its name says? Text files must be UTF-8"
    return DataError("D204", f"cannot read it: {told}", place=place, hint=hint)


def _arff_source(path: str, target: str | None) -> ArrowSource:
    import pyarrow as pa

    tables = [read_arff(name) for name in sorted(glob.glob(path)) or [path]]
    table = pa.concat_tables(tables, promote_options="permissive").unify_dictionaries().combine_chunks()
    arrays = [column.combine_chunks() for column in table.columns]
    declared = {
        name: tuple(plain(level) for level in array.dictionary.to_pylist())
        for name, array in zip(table.column_names, arrays, strict=True)
        if hasattr(array, "dictionary")
    }
    return table_source(arrays, table.column_names, target, None, None, declared, place=path)
