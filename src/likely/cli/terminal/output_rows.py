"""Rows with answers beside them, to a file, to a pipe, to a terminal, or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from likely.cli.terminal.session import Session, in_json

if TYPE_CHECKING:
    Answered = tuple[Any, dict[str, Any]]  # a record batch as it was read, and new columns for it

ROWS_SHOWN = 20  # rows shown in a terminal


def send(session: Session, answered: Iterable[Answered], output: str | None, name: str, head: dict[str, Any]) -> int:
    """Write rows and answers by extension to `output`; without one, as JSON, a table, or CSV in a pipe."""
    from likely.data.files.writer import check_writable, write_rows

    if output is not None and output != "-":
        check_writable(output)
        schema, batches = _stream(answered)
        rows = write_rows(output, schema, batches)
        session.answer({**head, "rows": rows, "output": output})
        return rows
    if session.as_json:
        return _json(answered, name, head)
    if output is None and sys.stdout.isatty():
        return _show(session, answered, name)
    schema, batches = _stream(answered)
    return write_rows("-", schema, batches)


def _stream(answered: Iterable[Answered]) -> tuple[Any, Iterator[Any]]:
    """The schema of the output, and its record batches; a column of the same name as an answer gives way to it."""
    batches = (_beside(batch, columns) for batch, columns in answered)
    first = next(batches)
    return first.schema, chain([first], batches)


def _beside(batch: Any, columns: dict[str, Any]) -> Any:
    import pyarrow as pa

    kept = [name for name in batch.schema.names if name not in columns]
    arrays = [batch.column(name) for name in kept] + list(columns.values())
    return pa.record_batch(arrays, names=[*kept, *columns])


def _json(answered: Iterable[Answered], name: str, head: dict[str, Any]) -> int:
    """One document, written as it grows."""
    out, rows = sys.stdout, 0
    out.write(in_json(head)[:-1] + f', "{name}": [')
    for _, columns in answered:
        for values in zip(*(column.to_pylist() for column in columns.values()), strict=True):
            row = dict(zip(columns, values, strict=True))
            out.write(", " * bool(rows) + in_json(row))
            rows += 1
    out.write(f'], "rows": {rows}}}\n')
    return rows


def _show(session: Session, answered: Iterable[Answered], name: str) -> int:
    from likely.cli.terminal.render import table

    rows, shown = 0, None
    for _, columns in answered:
        if shown is None:
            shown = table(name, "row", *columns)
        for values in zip(*(column.to_pylist() for column in columns.values()), strict=True):
            if rows < ROWS_SHOWN:
                shown.add_row(str(rows), *map(_told, values))
            rows += 1
    session.say(shown)
    if rows > ROWS_SHOWN:
        session.say(f"{ROWS_SHOWN} of {rows:,} rows; say -o FILE to save them all")
    return rows


def _told(value: Any) -> str:
    if value is None:
        return "abstain"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
