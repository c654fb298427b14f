"""CSV and TSV files as one table: columns by name, what each holds told from the cells of all files together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from likely.core.cache import cached_property
from likely.core.reading import NUMBER, WHOLE, Reading
from likely.data.arrow import MOST_KEPT, ROWS_OF_A_BLOCK
from likely.data.files.csv import CsvFile
from likely.data.files.excel.sheet_file import SheetFile
from likely.data.files.looked_at_cells import LookedAtCells
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
        self._held: LookedAtCells | None = None

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """How each column is read: as given, or told from all its cells in one pass."""
        given = self._given
        names = [name for name in self.names if name not in given or given[name].form == NUMBER]
        if not names:
            return {name: given[name] for name in self.names}
        held = self._held = LookedAtCells(MOST_KEPT)
        parts = ((asked, _columns_of(file, asked, held)) for file in self.files for asked in [_names_in(file, names)])
        told = tell_readings(names, parts, self._target, self._marks, self._kinds, held.add)
        # Numbers that all are whole are whole when they are written again.
        whole = {name for name in names if name in given and replace(told[name], form=NUMBER) == given[name]}
        return {name: told[name] if name in whole else given.get(name) or told[name] for name in self.names}

    def numbered(self) -> Iterator[Any]:
        """As `read`, words being numbered where they are already."""
        return self.read(True)

    def read(self, numbered: bool = False) -> Iterator[Any]:
        """The rows in batches, the first without rows, so that a table without rows still has its columns."""
        import pyarrow as pa

        schema = pa.schema([(name, value_type(self.readings[name])) for name in self.names])
        held, self._held = self._held, None
        names = [file.dialect.names for file in self.files]
        readings = [[self.readings[name] for name in own] for own in names]
        types = [[value_type(reading) for reading in own] for own in readings]
        if held is None or not held.serve(readings, types, self._marks):
            held = None
        elif numbered and (coded := held.numbered(names)):
            words = pa.dictionary(pa.int32(), pa.string())
            schema = pa.schema(
                [(one.name, words if one.name in coded and one.type == pa.string() else one.type) for one in schema]
            )
        yield pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
        misfits = Misfits(self._place, self._strict, self._given)
        start = [0]
        again: Counter[str] = Counter()
        for at, file in enumerate(self.files):
            parts = held.taken(at) if held is not None else _typed(file, readings[at], types[at], again)
            yield from rebatched(self._read(columns, file, schema, misfits, start) for columns in parts)
        if self._misfits is None:
            self._misfits = misfits
            misfits.warn()
            tell_again(again if held is None else held.again)

    def _read(
        self, columns: Sequence[Any], file: CsvFile | SheetFile, schema: Any, misfits: Misfits, start: list[int]
    ) -> Any:
        import pyarrow as pa

        rows = len(columns[0])
        given = dict(zip(file.dialect.names, columns, strict=True))
        arrays = []
        for field in schema:
            column, reading = given.get(field.name), self.readings[field.name]
            if column is None:
                column = pa.nulls(rows, field.type)
            elif pa.types.is_string(column.type) or pa.types.is_dictionary(column.type):
                column = read(column, reading, partial(misfits.add, field.name, reading, start[0]))
            if not column.type.equals(field.type):
                column = column.cast(field.type, safe=False)  # words by number; whole numbers among others
            arrays.append(column)
        start[0] += rows
        return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _typed(
    file: CsvFile | SheetFile, readings: Sequence[Reading], types: Sequence[Any], again: Counter[str]
) -> Iterator[list[Any]]:
    """The columns of a file, a batch at a time, parsed as numbers where they are plain."""
    numeric = {
        at: type_
        for at, (reading, type_) in enumerate(zip(readings, types, strict=True))
        if reading.plain and reading.form in (WHOLE, NUMBER)
    }
    marks = ALL_MARKS if len(readings) <= MOST_COLUMNS_WITH_ALL_MARKS else MISSING_MARKS
    for batch in without_names(file, file.batches(numeric, marks), again):
        yield batch.columns


def _names_in(file: CsvFile | SheetFile, names: Sequence[str]) -> list[str]:
    """Those of a file that are among the names, in its order."""
    asked = {*names}
    return [name for name in file.dialect.names if name in asked]


def _columns_of(file: CsvFile | SheetFile, names: Sequence[str], held: LookedAtCells) -> Iterator[list[Any]]:
    """The columns of these names, a batch at a time."""
    places = {name: at for at, name in enumerate(file.dialect.names)}
    every = len(names) == len(places)
    batches = file.batches(scan=True) if isinstance(file, CsvFile) and every else file.batches()
    yield from held.watched(without_names(file, batches, held.again), [places[name] for name in names])


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
