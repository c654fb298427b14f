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
from likely.data.files.paths import within_zip
from likely.errors import DataError
from likely.output.atomic_write import temporary_folder


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
    inner = zlib.decompressobj(wbits=31).decompress(head, FORMAT_BYTES) if packed else head
    ending = form or form_of_bytes(inner)
    form_of_name("standard input", form=ending)  # refuses what is no format, before all is read
    path = _temporary(f"standard-input.{ending.lstrip('.')}{'.gz' if packed else ''}")
    with _kept(path, "standard input") as file:
        file.write(head)
        shutil.copyfileobj(stream, file, BYTES_LOOKED_AT)
    return path


def unpacked(path: str) -> str:
    """The path of a temporary file with what is packed in a file: Parquet is read from its end, as no packed one is."""
    name = os.path.basename(within_zip(path) or path)
    inner = _temporary(name[: -len(".gz")] if name.lower().endswith(".gz") else name)
    with open_packed(path) as packed, _kept(inner, path) as file:
        shutil.copyfileobj(packed, file, BYTES_LOOKED_AT)
    return inner


def _temporary(name: str) -> str:
    """A file in a folder of its own, gone at exit."""
    return os.path.join(temporary_folder(), name)


@contextmanager
def _kept(path: str, place: str) -> Iterator[IO[bytes]]:
    """A new file to write to; where there is no room for it, it goes."""
    try:
        with open(path, "wb") as file:
            yield file
    except OSError as error:
        if os.path.exists(path):
            os.unlink(path)
        hint = f"it is kept in {tempfile.gettempdir()}; set TMPDIR to a folder with more room"
        raise DataError("D222", f"cannot keep it: {error.strerror}", place=place, hint=hint) from None


def _filled(stream: IO[bytes], size: int) -> bytes:
    """So many first bytes of a stream, or all: a pipe gives them in parts."""
    parts = b""
    while len(parts) < size and (part := stream.read(size - len(parts))):
        parts += part
    return parts
