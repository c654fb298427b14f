"""Files of digits: read and written whole, and known by their first bytes."""

from __future__ import annotations

import os
from pathlib import Path

from likely.errors import DataError, nearest
from likely.output.atomic_write import atomic_write, check_place

Place = str | os.PathLike[str]

# the first bytes of a file -> (what it is, what reads it)
SIGNS = {
    b"\x89PNG": ("picture", "read_pictures"),
    **{f"P{number}".encode(): ("picture", "read_pictures") for number in range(1, 7)},
    b"\x1f\x8b": ("idx", "read_idx_images or read_idx_labels"),
    b"\0\0": ("idx", "read_idx_images or read_idx_labels"),
}


def kind_of(head: bytes) -> str:
    """'picture' (PNG, PGM), 'idx' (MNIST, plain or gz) or 'text', by the first bytes of a file.

    >>> kind_of(b"   +##"), kind_of(b"P5 28 28")
    ('text', 'picture')
    """
    return next((kind for sign, (kind, _) in SIGNS.items() if head.startswith(sign)), "text")


def read_head(path: Place, size: int = 4) -> bytes:
    """The first bytes of a file."""
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None


def read_text(path: Place) -> bytes:
    """The bytes of a text file: line ends are made one newline each, the mark that some editors put first is gone."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    if kind_of(data) != "text" or b"\0" in data:
        reader = next((reader for sign, (_, reader) in SIGNS.items() if data.startswith(sign)), "")
        hint = f"likely.digits.{reader} reads such files" if reader else "give a plain text file, in UTF-8"
        raise DataError("D403", "this is not text", place=str(path), hint=hint)
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")


def write_text(path: Place, text: str) -> None:
    """Write a file; the old one stays until the new one is complete."""
    check_place(path)
    with atomic_write(path) as part:
        Path(part).write_bytes(text.encode())


def unreadable(path: Place, error: Exception) -> DataError:
    """The error for a file that is not there, is a folder, or may not be read."""
    if isinstance(error, FileNotFoundError):
        folder = Path(path).parent
        near = nearest(Path(path).name, os.listdir(folder)) if folder.is_dir() else ""
        return DataError("D401", "there is no such file", place=str(path), hint=f"check the name and the folder.{near}")
    told = getattr(error, "strerror", None) or str(error)
    return DataError("D401", f"cannot read it: {told}", place=str(path), hint="give a file that may be read")
