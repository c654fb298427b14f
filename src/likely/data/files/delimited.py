"""CSV and TSV files as one table: columns by name, what each holds told from the cells of all files together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from likely.core.cache import cached_property
from likely.core.reading import NUMBER, WHOLE, Reading
from likely.data.arrow import ROWS_OF_A_BLOCK
from likely.data.files.csv import CsvFile
from likely.data.files.excel.sheet_file import SheetFile
from likely.data.files.repeated_names import tell_again, without_names
from likely.data.readings.misfits import Misfits
from likely.data.readings.missing_marks import ALL_MARKS, MISSING_MARKS
from likely.data.readings.text_columns import tell_readings
from likely.data.readings.values import read, value_type

MOST_BATCH_BYTES = 1 << 26  # bytes of a batch
# Columns beyond which Arrow, which takes 60 kB a column to know all marks, is told the commonest only; where others
# stand among numbers, all is read as text first
MOST_COLUMNS_WITH_ALL_MARKS = 1_000


class DelimitedTable:
    """The rows of files one after the other, each cell read as its column says."""

    def __init__(
        self,
        files: Sequence[CsvFile | SheetFile],
        place: str,
        target: str | None = None,
        given: Mapping[str, Reading] | None = None,
        strict: bool = False,
        marks: Collection[str] = (),
        kinds: object = None,
    ) -> None:
        self._kinds = kinds
        told = [mark for file in files if isinstance(file, CsvFile) for mark in file.dialect.marks]
        self._marks = tuple(dict.fromkeys((*marks, *told)))
        self.files, self._place, self._target, self._strict = files, place, target, strict
        self.names = tuple(dict.fromkeys(name for file in files for name in file.dialect.names))
        self._given = given or {}
        self._misfits: Misfits | None = None

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """How each column is read: as given, or told from all its cells in one pass."""
        given = self._given
        names = [name for name in self.names if name not in given or given[name].form == NUMBER]
        if not names:
            return {name: given[name] for name in self.names}
        parts = ((kept, _columns_of(file, kept)) for file in self.files for kept in [_names_in(file, names)])
        told = tell_readings(names, parts, self._target, self._marks, self._kinds)
        # Numbers that all are whole are whole when they are written again.
        whole = {name for name in names if name in given and replace(told[name], form=NUMBER) == given[name]}
        return {name: told[name] if name in whole else given.get(name) or told[name] for name in self.names}

    def read(self) -> Iterator[Any]:
        """The rows in batches, the first without rows, so that a table without rows still has its columns."""
        import pyarrow as pa

        schema = pa.schema([(name, value_type(self.readings[name])) for name in self.names])
        yield pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
        misfits = Misfits(self._place, self._strict, self._given)
        start = [0]
        again: Counter[str] = Counter()
        for file in self.files:
            numeric = {
                at: value_type(self.readings[name])
                for at, name in enumerate(file.dialect.names)
                if self.readings[name].plain and self.readings[name].form in (WHOLE, NUMBER)
            }
            marks = ALL_MARKS if len(file.dialect.names) <= MOST_COLUMNS_WITH_ALL_MARKS else MISSING_MARKS
            batches = without_names(file, file.batches(numeric, marks), again)
            yield from rebatched(self._read(batch, file, schema, misfits, start) for batch in batches)
        if self._misfits is None:
            self._misfits = misfits
            misfits.warn()
            tell_again(again)

    def _read(self, batch: Any, file: CsvFile | SheetFile, schema: Any, misfits: Misfits, start: list[int]) -> Any:
        import pyarrow as pa

        given = dict(zip(file.dialect.names, batch.columns, strict=True))
        arrays = []
        for field in schema:
            column, reading = given.get(field.name), self.readings[field.name]
            if column is None:
                column = pa.nulls(batch.num_rows, field.type)
            elif pa.types.is_string(column.type):
                column = read(column, reading, partial(misfits.add, field.name, reading, start[0]))
            arrays.append(column)
        start[0] += batch.num_rows
        return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _names_in(file: CsvFile | SheetFile, names: Sequence[str]) -> list[str]:
    """Those of a file that are among the names, in its order."""
    asked = {*names}
    return [name for name in file.dialect.names if name in asked]


def _columns_of(file: CsvFile | SheetFile, names: Sequence[str]) -> Iterator[list[Any]]:
    """The columns of these names, a batch at a time."""
    places = {name: at for at, name in enumerate(file.dialect.names)}
    at = [places[name] for name in names] if len(names) < len(places) else None
    for batch in without_names(file, file.batches(), Counter()):
        yield batch.columns if at is None else [batch.column(place) for place in at]


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
