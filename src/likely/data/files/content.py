"""A look through a file before it is read: what it is, whether it is whole, and lines that never end."""

from __future__ import annotations

import codecs
import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from likely.data.files.archives import open_member
from likely.data.files.formats import (
    FORMAT_BYTES,
    GZIP,
    ending_of,
    form_of_bytes,
    form_of_name,
    refuse_foreign,
    refuse_wide_letters,
)
from likely.data.files.paths import cannot_open, within_zip
from likely.errors import DataError

BYTES_LOOKED_AT = 1 << 20  # shorter than the longest line, so that only a line that runs into a chunk can be too long
LONGEST_LINE = dict.fromkeys(("csv", "tsv", "arff", "jsonl"), 1 << 24)  # readers hold a line in memory


def form_of_file(path: str, form: str | None = None) -> tuple[str, bool]:
    """The format of a file and whether it is packed, told by its name, the form told or, without these, its bytes."""
    if form is not None or ending_of(path):
        return form_of_name(path, form)
    packed = within_zip(path) is not None
    try:
        with open_packed(path) if packed else open(path, "rb") as file:
            head = file.read(FORMAT_BYTES)
    except OSError as error:
        raise cannot_open(path, error) from None
    if not packed and head.startswith(GZIP):
        packed = True
        with open_packed(path) as file:
            head = file.read(FORMAT_BYTES)
    return form_of_bytes(head), packed


def look_through(path: str, form: str, packed: bool, name: str) -> bytes:
    """The first bytes of a file, unpacked, after a fast pass over it in flat memory (errors D206 and D209 to D216).

    `name` is what errors call the file.
    """
    try:
        if form != "parquet" or packed:
            with open_packed(path) if packed else open(path, "rb") as inner:
                return _scan(inner, form, path)
        with open(path, "rb") as raw:
            first = raw.read(FORMAT_BYTES)
            if not first:
                raise DataError("D209", "the file is empty", place=name, hint="give a file with rows")
            _refuse_cut(raw, first, name)
            return first
    except OSError as error:
        raise cannot_open(path, error) from None


@contextmanager
def open_packed(path: str) -> Iterator[IO[bytes]]:
    """The bytes within a gzip file or of a file in a ZIP archive; a damaged one is an error (D206, D212)."""
    if within_zip(path) is not None:
        with open_member(path) as member:
            yield member
        return
    try:
        with open(path, "rb") as raw:
            first = raw.read(len(GZIP))
            raw.seek(0)
            with _unpacked(raw, first, path) as inner:
                yield inner  # type: ignore[misc]
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        hint = "fetch or pack it again; gzip -t tells whether a file is whole"
        raise DataError("D212", f"the gzip file is damaged: {str(error)[:120]}", place=path, hint=hint) from None
    except OSError as error:
        raise cannot_open(path, error) from None


def _unpacked(raw: IO[bytes], first: bytes, path: str) -> gzip.GzipFile:
    """A packed file as the bytes within."""
    if not first.startswith(GZIP):
        hint = "if it is not packed, take .gz off its name"
        raise DataError("D212", "it is not a gzip file", place=path, hint=hint)
    return gzip.GzipFile(fileobj=raw, mode="rb")


def _scan(file: IO[bytes], form: str, path: str) -> bytes:
    head = chunk = file.read(FORMAT_BYTES)
    if not chunk:
        raise DataError("D209", "the file is empty", place=path, hint="give a file with rows")
    refuse_foreign(head, form, path)
    if form in ("parquet", "xlsx"):
        return head  # the end of it is looked at where it is unpacked
    refuse_wide_letters(head, path)
    array = form == "jsonl" and head.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")  # may be on one line
    seen = BytePass(path, None if array else LONGEST_LINE[form])
    while chunk:
        seen.add(chunk)
        chunk = file.read(BYTES_LOOKED_AT)
    seen.refuse_blank()
    return head


class BytePass:
    """A pass over the bytes of a text, in which NUL bytes and lines that never end are errors (D211, D216)."""

    def __init__(self, path: str, longest: int | None) -> None:
        self.path, self.longest = path, longest
        self.blank = True
        self._position = self._line = 0  # bytes before the chunk; where the line began that runs into it

    def add(self, chunk: bytes) -> None:
        """A further part of the text."""
        at = chunk.find(0)
        if at >= 0:
            place = f"{self.path}, byte {self._position + at}"
            hint = "is it in the format that its name says? To take NUL bytes out: tr -d '\\000' < old.csv > new.csv"
            raise DataError("D211", "this is not a text file", place=place, hint=hint)
        self.blank = self.blank and not chunk.removeprefix(codecs.BOM_UTF8).strip()
        mark = b"\n" if b"\n" in chunk else b"\r"
        first, last = chunk.find(mark), chunk.rfind(mark)
        begun = self._position - self._line + (first if first >= 0 else len(chunk))
        if self.longest is not None and begun > self.longest:
            hint = "is it in the format that its name says? A row goes on a line of its own"
            raise DataError("D216", f"a line is longer than {self.longest:,} bytes", place=self.path, hint=hint)
        self._line = self._line if last < 0 else self._position + last + 1
        self._position += len(chunk)

    @property
    def size(self) -> int:
        """How many bytes were seen."""
        return self._position

    def refuse_blank(self) -> None:
        """An error where nothing but blanks was seen (D209)."""
        if self.blank:
            raise DataError("D209", "the file holds blank lines alone", place=self.path, hint="give a file with rows")


def _refuse_cut(raw: IO[bytes], first: bytes, path: str) -> None:
    refuse_foreign(first, "parquet", path)
    raw.seek(max(raw.seek(0, os.SEEK_END) - 4, 0))
    if raw.read(4) != b"PAR1" or raw.tell() < 12:
        hint = "fetch or write it again; the table of contents is at the end of a Parquet file"
        raise DataError("D213", "the Parquet file is cut short", place=path, hint=hint)
