"""Files of networks: BIF, XMLBIF, Hugin's .net, GeNIe's .xdsl and JSON of our own, packed or not (F411 to F426)."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from likely.errors import StoreError, nearest
from likely.networks.formats.bif import read_bif, write_bif
from likely.networks.formats.encoding import cleaned, decoded
from likely.networks.formats.hugin import read_hugin, write_hugin
from likely.networks.formats.native import read_native, write_native
from likely.networks.formats.parts import Parts
from likely.networks.formats.xdsl import read_xdsl, write_xdsl
from likely.networks.formats.xmlbif import read_xmlbif, write_xmlbif
from likely.output.atomic_write import atomic_write, check_place, check_readable

__all__ = ["FORMATS", "Format", "Parts", "dumps", "loads", "read", "write"]


class Format(NamedTuple):
    """How networks are read and written, and how such files end."""

    title: str
    endings: tuple[str, ...]
    read: Callable[[str, str], Parts]
    write: Callable[[Parts], str]
    typed: bool = False  # whether levels may be other than text


FORMATS = {
    "bif": Format("BIF", (".bif",), read_bif, write_bif),
    "xmlbif": Format("XMLBIF", (".xmlbif", ".bifxml", ".xml"), read_xmlbif, write_xmlbif),
    "net": Format("Hugin", (".net",), read_hugin, write_hugin),
    "xdsl": Format("GeNIe", (".xdsl",), read_xdsl, write_xdsl),
    "json": Format("likely", (".json",), read_native, write_native, typed=True),
}
PACKED = ".gz"
MOST_UNPACKED = 1 << 28  # bytes of a network that is packed
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def read(path: str | os.PathLike[str], format: str | None = None) -> Parts:
    """The parts of the network in a file, whose ending names its format unless `format` does."""
    place = os.fspath(path)
    form = _form(place, format)
    check_readable(place, "F411", "name the file of a network")
    try:
        data = _content(place)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        hint = "fetch or pack it again; gzip -t tells whether a file is whole"
        raise StoreError("F432", f"the gzip file is damaged: {str(error)[:120]}", place=place, hint=hint) from None
    except OSError as error:
        hint = "check that you may read it"
        raise StoreError("F411", f"this file cannot be read: {error.strerror}", place=place, hint=hint) from None
    text, notes = decoded(data, place)
    parts = form.read(text, place)
    return replace(parts, notes=(*notes, *parts.notes))


def file_endings() -> tuple[str, ...]:
    """The endings of all files of networks."""
    plain = tuple(ending for form in FORMATS.values() for ending in form.endings)
    return (*plain, *(ending + PACKED for ending in plain))


def _is_packed(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path).lower().endswith(PACKED)


def _content(place: str) -> bytes:
    """All bytes of a file, unpacked."""
    if not _is_packed(place):
        return Path(place).read_bytes()
    with gzip.open(place, "rb") as file:
        data = file.read(MOST_UNPACKED + 1)
    if len(data) > MOST_UNPACKED:
        hint = "is it the file of a network? If so, unpack it"
        raise StoreError("F433", f"more than {MOST_UNPACKED:,} bytes are packed in it", place=place, hint=hint)
    return data


def loads(text: str, format: str) -> Parts:
    """The parts of the network in a text.

    >>> coin = "network coin {} variable c { type discrete [2] {a, b}; } probability (c) { table 0.5, 0.5; }"
    >>> loads(coin, "bif").nodes
    ('c',)
    """
    form = _named(format, "")
    return form.read(cleaned(text, ""), "")


def write(parts: Parts, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write a network to a file, whose ending names its format unless `format` does; replaced whole or not at all."""
    form = _form(os.fspath(path), format)
    text = _written(parts, form)
    check_place(path)
    with atomic_write(path) as name:
        data = text.encode("utf-8")
        Path(name).write_bytes(gzip.compress(data, mtime=0) if _is_packed(path) else data)


def dumps(parts: Parts, format: str) -> str:
    """A network as a text in one of the formats."""
    return _written(parts, _named(format, ""))


def _written(parts: Parts, form: Format) -> str:
    texts = tuple(tuple(map(str, levels)) for levels in parts.levels)
    names = [parts.name, *parts.nodes, *(level for levels in texts for level in levels)]
    bad = next((name for name in names if _UNWRITABLE.search(name)), None)
    if bad is not None:
        hint = "rename it: a text file cannot hold control characters or halves of signs"
        raise StoreError("F425", f"the name {bad!r} cannot be written", place=f"network {parts.name!r}", hint=hint)
    return form.write(parts if form.typed else replace(parts, levels=texts))


def _form(place: str, format: str | None) -> Format:
    """The format that is named, or that the ending of a file names."""
    if format is not None:
        return _named(format, place)
    endings = {ending: form for form in FORMATS.values() for ending in form.endings}
    ending = Path(place[: -len(PACKED)] if _is_packed(place) else place).suffix.lower()
    if ending not in endings:
        message = f"no format of networks has the ending {Path(place).suffix!r}.{nearest(ending, endings)}"
        hint = f"endings are {', '.join(endings)}, also with .gz behind; or name the format: {', '.join(FORMATS)}"
        raise StoreError("F412", message, place=place, hint=hint)
    return endings[ending]


def _named(format: str, place: str) -> Format:
    if format not in FORMATS:
        message = f"there is no format {format!r}.{nearest(format, FORMATS)}"
        raise StoreError("F412", message, place=place, hint=f"formats are {', '.join(FORMATS)}")
    return FORMATS[format]
