"""Temporary files: standard input, to be read again and again; a packed file that can only be read unpacked."""

from __future__ import annotations

import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from likely.data.files.content import BYTES_LOOKED_AT, open_packed
from likely.data.files.formats import FORMAT_BYTES, GZIP, form_of_bytes, form_of_name
from likely.data.files.paths import parted, within_zip
from likely.errors import DataError
from likely.output.atomic_write import temporary_folder

# A packed file may fill the disk with so many bytes, or with so many times its own size: no table packs better
MOST_BYTES_ON_DISK, MOST_TIMES_UNPACKED = 1 << 30, 200


def standard_input(stream: IO[bytes], form: str | None = None) -> str:
    """The path of a temporary file with all that a stream gives, deleted at exit.

    Its ending says the format: the one told, or the one that the first bytes show.
    """
    head = _filled(stream, FORMAT_BYTES)
    if not head:
        raise DataError(
            "D209", "nothing came in", place="standard input", hint="pipe the rows in, as in cat data.csv |"
        )
    packed = head.startswith(GZIP)
    inner = _start_of_packed(head) if packed else head
    ending = form or form_of_bytes(inner)
    form_of_name("standard input", form=ending)  # refuses what is no format, before all is read
    path = _temporary(f"standard-input.{ending.lstrip('.')}{'.gz' if packed else ''}")
    with _kept(path, "standard input") as file:
        file.write(head)
        shutil.copyfileobj(stream, file, BYTES_LOOKED_AT)
    return path


def _start_of_packed(head: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(head, FORMAT_BYTES)
    except zlib.error as error:
        hint = "send what is not packed, or pack it again"
        what = f"the gzip file is damaged: {error}"
        raise DataError("D212", what, place="standard input", hint=hint) from None


def unpacked(path: str) -> str:
    """The path of a temporary file with what is packed in a file: Parquet is read from its end, as no packed one is."""
    name = os.path.basename(within_zip(path) or path)
    inner = _temporary(name[: -len(".gz")] if name.lower().endswith(".gz") else name)
    most, size = max(MOST_BYTES_ON_DISK, MOST_TIMES_UNPACKED * os.path.getsize(parted(path)[0])), 0
    with open_packed(path) as packed, _kept(inner, path) as file:
        while part := packed.read(BYTES_LOOKED_AT):
            size += len(part)
            if size > most:
                hint = "is it a table? If so, unpack it and give what is in it"
                raise DataError("D229", f"it unpacks to more than {most:,} bytes", place=path, hint=hint)
            file.write(part)
    return inner


def _temporary(name: str) -> str:
    """A file in a folder of its own, gone at exit."""
    return os.path.join(temporary_folder(), name)


@contextmanager
def _kept(path: str, place: str) -> Iterator[IO[bytes]]:
    """A new file to write to; where there is no room for it, or it cannot be read, it goes."""
    try:
        with open(path, "wb") as file:
            yield file
    except (OSError, DataError) as error:
        if os.path.exists(path):
            os.unlink(path)
        if isinstance(error, DataError):
            raise
        hint = f"it is kept in {tempfile.gettempdir()}; set TMPDIR to a folder with more room"
        raise DataError("D222", f"cannot keep it: {error.strerror}", place=place, hint=hint) from None


def _filled(stream: IO[bytes], size: int) -> bytes:
    """So many first bytes of a stream, or all: a pipe gives them in parts."""
    parts = b""
    while len(parts) < size and (part := stream.read(size - len(parts))):
        parts += part
    return parts
