"""Rows into files: CSV, TSV, Parquet and JSON lines by DuckDB, streamed, and replaced whole or not at all."""

from __future__ import annotations

import errno
import os
import queue
import re
import shutil
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from likely.data.files.duckdb import connect, literal
from likely.errors import SchemaError, StoreError
from likely.output.atomic_write import atomic_write, check_place, temporary_folder

STDOUT = "-"
TEXT_FORMATS = {
    ".csv": "format csv, header",
    ".tsv": "format csv, header, delimiter '\t'",
    ".jsonl": "format json",
    ".ndjson": "format json",
}
WRITTEN_FORMATS = {
    **{f"{ending}.gz": f"{form}, compression gzip" for ending, form in TEXT_FORMATS.items()},
    **TEXT_FORMATS,
    ".parquet": "format parquet",
}
MOST_BATCHES_WAITING = 4  # record batches that may wait to be written


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a place or an ending that rows cannot be written to, before any work is done for them."""
    if os.fspath(path) != STDOUT:
        check_place(path, WRITTEN_FORMATS)


def write_rows(path: str | os.PathLike[str], schema: Any, batches: Iterable[Any]) -> int:
    """How many rows were written to `path`, in the form that its ending says; - is standard output, as CSV.

    Nothing changes there before all batches are written; an error that the batches raise comes out as it is.
    """
    if os.fspath(path) != STDOUT:
        form = WRITTEN_FORMATS[check_place(path, WRITTEN_FORMATS)]
        with atomic_write(path) as part:
            return _copy(part, form, schema, batches)
    folder = temporary_folder()
    spool = os.path.join(folder, "rows")
    try:
        rows = _copy(spool, WRITTEN_FORMATS[".csv"], schema, batches)
        with open(spool, "rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return rows


def _copy(path: str, form: str, schema: Any, batches: Iterable[Any]) -> int:
    """Hand batches to a thread in which DuckDB writes them.

    DuckDB must not meet an error of whoever makes the batches: its threads would wait for ever. So batches come over a
    queue, and an error or an interruption on this side ends the queue.
    """
    _refuse_twins(schema.names)
    made: queue.Queue[Any] = queue.Queue(MOST_BATCHES_WAITING)
    writer = _Writer(path, form, schema, made)
    writer.start()
    try:
        for batch in batches:
            _put(made, batch, writer)
    finally:
        _put(made, None, writer)
        writer.join()
    if writer.error is not None:
        raise writer.error
    return writer.rows


def _refuse_twins(names: list[str]) -> None:
    """DuckDB does not tell large letters from small ones in names."""
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.setdefault(name.lower(), name)
        if twin is not name:
            message = f"the columns {twin!r} and {name!r} differ in large and small letters alone"
            raise SchemaError("S209", message, place="the rows to write", hint="rename one of them")


def _put(made: queue.Queue[Any], batch: Any, writer: _Writer) -> None:
    """Wait for room in the queue, as long as somebody reads from it."""
    while writer.is_alive():
        try:
            made.put(batch, timeout=0.1)
            return
        except queue.Full:
            continue


class _Writer(threading.Thread):
    """Writes what comes over the queue; what went wrong is kept for the thread that waits."""

    def __init__(self, path: str, form: str, schema: Any, made: queue.Queue[Any]) -> None:
        super().__init__(daemon=True)
        self.path, self.form, self.schema, self.made = path, form, schema, made
        self.rows = 0
        self.error: Exception | None = None

    def run(self) -> None:
        import duckdb
        import pyarrow as pa

        connection = connect(threads=1)  # more threads would hold what they wrote until its turn comes
        try:
            connection.register("made", pa.RecordBatchReader.from_batches(self.schema, self._batches()))
            rows = f"select {_columns(self.schema, self.form)} from made"
            (written,) = connection.execute(
                f"copy ({rows}) to {literal(self.path)} ({self.form}, use_tmp_file false)"
            ).fetchone()
            self.rows = int(written)
        except duckdb.Error as error:
            self.error = _failed(error)
        finally:
            connection.close()

    def _batches(self) -> Iterator[Any]:
        while (batch := self.made.get()) is not None:
            yield batch


def _columns(schema: Any, form: str) -> str:
    """The columns to write; JSON knows neither NaN nor infinity, and gets null and the words 'inf' and '-inf'."""
    import pyarrow as pa

    names = ['"' + field.name.replace('"', '""') + '"' for field in schema if pa.types.is_floating(field.type)]
    if not form.startswith("format json") or not names:
        return "*"
    return f"* replace ({', '.join(f'{_number(name)} as {name}' for name in names)})"


def _number(name: str) -> str:
    """A number as `to_jsonable` writes it."""
    return f"case when isinf({name}) then to_json({name}::varchar) when not isnan({name}) then to_json({name}) end"


def _failed(error: Exception) -> Exception:
    """What DuckDB says as an error of the system, where it is one."""
    told = str(error)
    number = re.search(r'"errno":"(\d+)"', told)
    known = [int(number[1])] if number else [one for one in (errno.ENOSPC, errno.EFBIG) if os.strerror(one) in told]
    if known:
        return OSError(known[0], os.strerror(known[0]))
    hint = "what was there before is as it was"
    return StoreError("F402", f"writing failed: {told.splitlines()[0][:200]}", place="the rows to write", hint=hint)
