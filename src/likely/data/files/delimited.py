"""CSV and TSV files as one table: columns by name, what each holds told from the cells of all files together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from likely.core.reading import NUMBER, WHOLE, Reading
from likely.core.threads import in_threads
from likely.data.arrow import ROWS_OF_A_BLOCK
from likely.data.files.csv import CsvFile
from likely.data.files.excel import SheetFile
from likely.data.readings.column_texts import ColumnTexts, look
from likely.data.readings.detection import tell
from likely.data.readings.marks import ALL_MARKS
from likely.data.readings.values import read, value_type

MOST_BATCH_BYTES = 1 << 26  # bytes of a batch


class DelimitedTable:
    """The rows of files one after the other, each cell read as its column says."""

    def __init__(self, files: Sequence[CsvFile | SheetFile]) -> None:
        self.files = files
        self.names = tuple(dict.fromkeys(name for file in files for name in file.dialect.names))

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """How each column is read, told from all its cells in one pass."""
        seen = {name: ColumnTexts() for name in self.names}
        for file in self.files:
            names = file.dialect.names

            def work(batch: Any, names: Sequence[str] = names) -> list[ColumnTexts]:
                return [look(column, seen[name]) for name, column in zip(names, batch.columns, strict=True)]

            for part in in_threads(work, file.batches()):
                for name, one in zip(names, part, strict=True):
                    seen[name].add(one)
        return {name: tell(one) for name, one in seen.items()}

    def read(self) -> Iterator[Any]:
        """The rows in batches, the first without rows, so that a table without rows still has its columns."""
        import pyarrow as pa

        schema = pa.schema([(name, value_type(self.readings[name])) for name in self.names])
        yield pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
        for file in self.files:
            numeric = {
                at: value_type(self.readings[name])
                for at, name in enumerate(file.dialect.names)
                if self.readings[name].form in (WHOLE, NUMBER)
            }
            yield from rebatched(self._read(batch, file, schema) for batch in file.batches(numeric, ALL_MARKS))

    def _read(self, batch: Any, file: CsvFile | SheetFile, schema: Any) -> Any:
        import pyarrow as pa

        given = dict(zip(file.dialect.names, batch.columns, strict=True))
        arrays = [
            pa.nulls(batch.num_rows, field.type)
            if field.name not in given
            else read(column, self.readings[field.name])
            if pa.types.is_string((column := given[field.name]).type)
            else column
            for field in schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=schema)


def rebatched(batches: Iterator[Any]) -> Iterator[Any]:
    """The same rows in batches of a block each, or of fewer where they are large: whatever the file, the same."""
    import pyarrow as pa

    held: list[Any] = []
    rows = size = 0
    for batch in batches:
        held.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        while rows >= ROWS_OF_A_BLOCK:
            whole = pa.concat_batches(held) if len(held) > 1 else held[0]
            yield whole.slice(0, ROWS_OF_A_BLOCK)
            held, rows = [whole.slice(ROWS_OF_A_BLOCK)], rows - ROWS_OF_A_BLOCK
            size = held[0].nbytes
        if size > MOST_BATCH_BYTES:
            yield pa.concat_batches(held)
            held, rows, size = [], 0, 0
    if rows:
        yield pa.concat_batches(held)
