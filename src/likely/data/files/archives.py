"""ZIP archives: the table within, found by its name or because it is the only one."""

from __future__ import annotations

import gzip
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from likely.data.files.formats import FORMAT_ENDINGS, ending_of
from likely.data.files.paths import cannot_open, parted
from likely.errors import DataError, listed, nearest

_ZIP_FAULTS = (ValueError, LookupError, OverflowError, struct.error)  # what zipfile raises of damaged numbers and names
_BESIDE = re.compile(r"(?:read.?me|licen[cs]e|copying|index|manifest|\.)", re.IGNORECASE)  # beginnings of no tables


def with_member(path: str) -> str:
    """A path as it is; of a ZIP archive with the table within, as in archive.zip#table.csv (error D225)."""
    file, inner = parted(path)
    if not file.lower().endswith(".zip"):
        return path
    names = _members(file)
    if inner is not None:
        if inner in names:
            return path
        hint = f"it holds {listed(names)}.{nearest(inner, names)}"
        raise DataError("D225", f"there is no {inner!r} in this ZIP archive", place=file, hint=hint)
    tables = [name for name in names if ending_of(name) in FORMAT_ENDINGS] if len(names) > 1 else names
    if len(tables) == 1:
        return f"{file}#{tables[0]}"
    if not tables:
        hint = f"it holds {listed(names)}; name one, as in {file}#{names[0]}" if names else "unpack it and look"
        raise DataError("D225", "no table in this ZIP archive", place=file, hint=hint)
    hint = f"name one of {listed(tables)}, as in {file}#{tables[0]}"
    raise DataError("D225", f"{len(tables)} tables in one ZIP archive", place=file, hint=hint)


@contextmanager
def open_member(path: str) -> Iterator[IO[bytes]]:
    """The bytes of a file in a ZIP archive, unpacked as they are read; a damaged or locked one is an error (D212)."""
    file, inner = parted(path)
    try:
        with open_archive(file) as archive, open_part(archive, inner or "") as member:
            if archive.getinfo(inner or "").compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise NotImplementedError("packed by another method than deflate")  # others unpack without bounds
            if inner is not None and inner.lower().endswith(".gz"):
                with gzip.GzipFile(fileobj=member, mode="rb") as unpacked:
                    yield unpacked  # type: ignore[misc]
            else:
                yield member
    except (zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise _damaged(path, error) from None
    except OSError as error:
        raise cannot_open(path, error) from None


def open_archive(path: str) -> zipfile.ZipFile:
    """A ZIP archive; whatever is wrong with its table of contents is a BadZipFile."""
    try:
        return zipfile.ZipFile(path)
    except _ZIP_FAULTS as error:
        raise zipfile.BadZipFile(str(error)) from None


def open_part(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """A file in an archive; whatever is wrong with its head is a BadZipFile."""
    try:
        return archive.open(name)
    except _ZIP_FAULTS as error:
        raise zipfile.BadZipFile(str(error)) from None


def _members(file: str) -> list[str]:
    """The names of the files in an archive that may be tables."""
    try:
        with open_archive(file) as archive:
            names = [name for name in archive.namelist() if name and not name.endswith("/")]
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise _damaged(file, error) from None
    except OSError as error:
        raise cannot_open(file, error) from None
    return [name for name in names if not (name.startswith("__MACOSX/") or _BESIDE.match(os.path.basename(name)))]


def _damaged(path: str, error: Exception) -> DataError:
    if isinstance(error, RuntimeError) and "password" in str(error):
        return DataError("D212", "the ZIP archive is locked by a password", place=path, hint="unpack it first")
    hint = "fetch or pack it again; unzip -t tells whether an archive is whole"
    return DataError("D212", f"the ZIP archive is damaged: {str(error)[:120]}", place=path, hint=hint)
