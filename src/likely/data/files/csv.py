"""CSV and TSV files as batches of text, and of numbers: through Arrow, or row by row where Arrow cannot read them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from likely.core.threads import in_threads
from likely.data.arrow import ROWS_OF_A_BLOCK
from likely.data.files.content import LONGEST_LINE
from likely.data.files.csv_dialect import Dialect, records_of, tell_dialect
from likely.data.files.layout import Record
from likely.data.files.paths import missing
from likely.data.files.text_encoding import TextFile, look_at_text
from likely.data.readings.column_texts import FEW
from likely.data.readings.scanned_fields import scanned
from likely.errors import DataError

BLOCK_BYTES = 1 << 20  # bytes that are read at once, where lines are not very long
LINES_IN_BLOCK = 1 << 12  # of the longest of the first lines' length that fit into a block,
MOST_BLOCK_BYTES = 1 << 23  # unless they would need more bytes;
FEWEST_LINES_IN_BLOCK = 16  # so many always fit
CELLS_OF_A_BATCH = 1 << 22  # cells of a batch that is read row by row
LEAST_SCANNED_BYTES = 1 << 23  # of a file whose fields are worth what compiling the loop over them takes
MOST_FOOTER_ROWS = 20  # rows of a footer


class _NotPlainError(Exception):
    """Arrow cannot read these rows: as numbers, or (True) at all."""


@dataclass
class CsvFile:
    """A file and its dialect; once the fast reader has failed, it is read row by row."""

    file: TextFile
    dialect: Dialect

    @classmethod
    def look(cls, path: str, packed: bool, tabs: bool, header: bool = True, named: Collection[str] = ()) -> CsvFile:
        file = look_at_text(path, "tsv" if tabs else "csv", packed)
        return cls(file, tell_dialect(file, tabs, header, named))

    @property
    def path(self) -> str:
        return self.file.path

    def batches(
        self, numeric: Mapping[int, Any] | None = None, marks: Sequence[str] = (), scan: bool = False
    ) -> Iterator[Any]:
        """The rows, columns by place: text, or of the `numeric` type told as long as every cell fits or is a mark.

        With `scan`, those of large files without quotes may be scanned blocks.
        """
        done = 0
        try:
            for read in (
                *([self._scanned()] if scan and self._is_plain else []),
                *([] if self.dialect.odd else [self._fast(numeric or {}, marks), self._fast({}, ())]),
                self._slow(),
            ):
                skip = done
                try:
                    for batch in read:
                        if batch.num_rows > skip:
                            yield batch.slice(skip) if skip else batch
                            done += batch.num_rows - skip
                        skip = max(skip - batch.num_rows, 0)
                    return
                except _NotPlainError as error:
                    self.dialect = replace(self.dialect, odd=self.dialect.odd or error.args[0])
        except FileNotFoundError:
            raise missing(self.path) from None

    @property
    def _is_plain(self) -> bool:
        """Whether it is large, and its lines may be taken apart at their delimiters."""
        dialect, file = self.dialect, self.file
        whole = not (dialect.odd or dialect.escape or dialect.lead or dialect.spare or (dialect.quote and file.quoted))
        return whole and file.size >= LEAST_SCANNED_BYTES and dialect.delimiter.isascii()

    def _scanned(self) -> Iterator[Any]:
        """Blocks as `_fast` has them, each field scanned once; few rows as text."""
        delimiter, width = self.dialect.delimiter.encode(), self.dialect.width

        def work(lines: bytes) -> Any:
            block = scanned(lines, delimiter, width)
            return block.texts() if block is not None and block.num_rows <= FEW else block

        with self._opened() as (stream, size):
            for block in in_threads(work, _blocks(stream, size)):
                if block is None:
                    raise _NotPlainError(False)
                yield block

    @contextmanager
    def _opened(self) -> Iterator[tuple[Any, int]]:
        """The rows as bytes, without the lines around them, and how many of them are read at once."""
        line = max(map(len, self.file.head[:BLOCK_BYTES].split("\n")), default=0)
        wide = min(LINES_IN_BLOCK * line, MOST_BLOCK_BYTES)  # of many columns, each takes its time in each block
        size = min(max(BLOCK_BYTES, wide, FEWEST_LINES_IN_BLOCK * line), 2 * LONGEST_LINE["csv"])
        with self.file.open(self.dialect.start, self.dialect.footer) as stream:
            some = stream.read(1)
            if some.isspace():
                some += stream.read(1 << 16)  # blank lines alone are no rows
            yield io.BufferedReader(_Joined(some, stream), BLOCK_BYTES), size

    def _fast(self, numeric: Mapping[int, Any], marks: Sequence[str]) -> Iterator[Any]:
        import pyarrow as pa
        import pyarrow.csv as reader

        dialect = self.dialect
        names = [f"c{at}" for at in range(-dialect.lead, dialect.width + dialect.spare)]
        types = {name: numeric.get(at, pa.string()) for at, name in enumerate(names, -dialect.lead)}
        parsing = reader.ParseOptions(
            delimiter=dialect.delimiter,
            quote_char=dialect.quote or False,
            double_quote=not dialect.escape,
            escape_char=dialect.escape or False,
            newlines_in_values=bool(dialect.quote),
            invalid_row_handler=_blank_is_none,
        )
        converting = reader.ConvertOptions(
            column_types=types,
            null_values=[*marks, *(f" {mark}" for mark in marks)] or [""],
            strings_can_be_null=not marks,
            include_columns=names[dialect.lead : dialect.lead + dialect.width],
        )
        with self._opened() as (stream, size):
            try:
                options = reader.ReadOptions(column_names=names, block_size=size)
                yield from reader.open_csv(stream, options, parsing, converting)
            except pa.ArrowInvalid as error:
                if "Empty CSV file" not in str(error):
                    raise _NotPlainError("conversion error" not in str(error)) from None

    def _slow(self) -> Iterator[Any]:
        import pyarrow as pa

        width = self.dialect.width
        rows, names = self._rows(), [f"c{at}" for at in range(width)]
        while some := list(islice(rows, max(1, min(ROWS_OF_A_BLOCK, CELLS_OF_A_BATCH // width)))):
            arrays = [pa.array(column, pa.string()) for column in zip(*some, strict=True)]
            yield pa.record_batch(arrays, names=names)

    def _rows(self) -> Iterator[list[str]]:
        """The cells of each row; what stands in the file and is no row is left out, or refused by its line."""
        width, comment = self.dialect.width, self.dialect.comment
        footer: list[tuple[int, list[str]]] = []
        blank = False
        with self.file.open(self.dialect.start, self.dialect.footer) as stream:
            lines = _NumberedLines(io.TextIOWrapper(stream, "utf-8", newline=""))
            end = 0
            try:
                for record in self._records(lines):
                    line, end, raw = self.dialect.lines + end + 1, record.end, lines.taken()
                    cells = self.dialect.without_borders(record.cells)
                    if not record.told:
                        blank = True
                        continue
                    if comment and raw.startswith(comment):
                        continue
                    if len(cells) == width and not footer:
                        yield cells
                        continue
                    if self.dialect.quote and lines.at_end and raw.count('"') % 2 and raw.count("\n") > 1:
                        raise _open_quote(self.path, line)
                    is_note = len(record.told) == 1 and (blank or bool(re.match(r"[^\W\d]|\(.*\)$", cells[0].strip())))
                    if not (is_note or (footer and len(cells) <= width)) or len(footer) == MOST_FOOTER_ROWS:
                        raise _ragged(self.path, *(footer[0] if footer else (line, cells)), width)
                    footer.append((line, cells))
            except csv.Error:
                raise _open_quote(self.path, self.dialect.lines + end + 1) from None
        if any(len(cells) == width for _, cells in footer):
            raise _ragged(self.path, *footer[0], width)

    def _records(self, lines: Iterator[str]) -> Iterator[Record]:
        return records_of(lines, self.dialect)


def _blocks(stream: Any, size: int) -> Iterator[bytes]:
    """The lines of a stream, as many at a time as end within so many further bytes; the last with an end."""
    left, chunk = b"", stream.read(size)
    while chunk:
        after = stream.read(size)
        end = chunk.rfind(b"\n") + 1 if after and not chunk.endswith(b"\r") else len(chunk)
        if not end:
            raise _NotPlainError(False)
        lines = b"".join((left, memoryview(chunk)[:end], b"" if chunk[end - 1 : end] == b"\n" else b"\n"))
        if lines.strip(b"\r\n"):
            yield lines
        left, chunk = chunk[end:], after


class _NumberedLines:
    """Lines of a stream, and those that went out since someone asked."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._taken = stream, [""]
        self.at_end = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._stream.readline()
        if not line:
            self.at_end = True
            raise StopIteration
        self._taken.append(line)
        return str(line)

    def taken(self) -> str:
        told = "".join(self._taken)
        self._taken.clear()
        return told


class _Joined(io.RawIOBase):
    """A few bytes, then the rest of a stream."""

    def __init__(self, first: bytes, rest: Any) -> None:
        self._first, self._rest = first.lstrip(b"\r\n"), rest

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        if not self._first:
            return int(self._rest.readinto(room))
        size = min(len(room), len(self._first))
        room[:size], self._first = self._first[:size], self._first[size:]
        return size


def _blank_is_none(row: Any) -> str:
    return "error" if row.text.strip() else "skip"


def _ragged(path: str, line: int, cells: list[str], width: int) -> DataError:
    hint = "each line must have as many fields as the first; put quotes around a field that holds the delimiter"
    message = f"{len(cells)} field{'s'[: len(cells) != 1]} where {width} were expected"
    return DataError("D214", message, place=f"{path}, line {line}", hint=hint)


def _open_quote(path: str, line: int) -> DataError:
    hint = 'close it before the delimiter or the end of the line; a quote within quotes is written ""'
    return DataError("D215", "a quote that does not close", place=f"{path}, line {line}", hint=hint)
