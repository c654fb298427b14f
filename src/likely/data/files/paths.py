"""Which files a path or pattern means; whatever is not a readable file of rows is refused here, by name."""

from __future__ import annotations

import errno
import glob
import os
import re
import stat
from pathlib import Path

from likely.errors import DataError, nearest

_WITHIN = re.compile(r"(.+?\.(?:zip|xlsx|xlsm))#(.+)", re.IGNORECASE | re.DOTALL)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def find_files(path: str | os.PathLike[str]) -> list[str]:
    """The files that a path or pattern names, in order; a file that is there by that very name is no pattern."""
    text = os.path.expanduser(os.fsdecode(path))
    if _ADDRESS.match(text):
        hint = "likely reads files and opens no connection: fetch it first, as in curl -O"
        raise DataError("D207", "this is an address, not a file", place=text, hint=hint)
    if "\0" in text:
        raise DataError("D206", "the name holds a NUL", place=repr(text), hint="check the name")
    mode = _mode(text)
    if mode is not None:
        _refuse_odd(text, mode)
        return [text]
    file, inner = parted(text)
    if inner is not None and os.path.isfile(file):
        return [text]
    found = sorted(name for name in glob.glob(text, recursive=True) if not os.path.isdir(name))
    if not found:
        raise missing(text)
    for name in found:
        _refuse_odd(name, _mode(name))
    full = [name for name in found if os.path.getsize(name)]  # a part without rows may be an empty file
    return full or found


def parted(path: str) -> tuple[str, str | None]:
    """A file, and what is meant within it where a name says so.

    >>> parted("data/old.zip#2026/rows.csv"), parted("sales.xlsx#May"), parted("rows#1.csv")
    (('data/old.zip', '2026/rows.csv'), ('sales.xlsx', 'May'), ('rows#1.csv', None))
    """
    found = _WITHIN.fullmatch(path)
    return (found[1], found[2]) if found and not os.path.exists(path) else (path, None)


def within_zip(path: str) -> str | None:
    """The name of the file within a ZIP archive that is meant."""
    file, inner = parted(path)
    return inner if file.lower().endswith(".zip") else None


def missing(text: str) -> DataError:
    """The error for a file that is not there."""
    folder = Path(text).parent
    near = ""
    if not folder.is_dir():
        near = f" There is no folder {str(folder)!r}."
    elif os.access(folder, os.R_OK):
        near = nearest(Path(text).name, os.listdir(folder))
    return DataError("D202", "there is no such file", place=text, hint=f"check the name and the folder.{near}")


def cannot_open(text: str, error: OSError) -> DataError:
    """The error for a file that the system does not let us read."""
    if isinstance(error, FileNotFoundError):
        return missing(text)
    hints = {
        errno.EACCES: "ask for the right to read it, as in chmod +r",
        errno.EPERM: "ask for the right to read it, as in chmod +r",
        errno.ELOOP: "a link leads back to itself: name the file that is meant",
        errno.ENAMETOOLONG: "check the name",
    }
    place = text if len(text) <= 200 else f"{text[:200]}..."
    hint = hints.get(error.errno or 0, "check the name and the disk")
    return DataError("D206", f"cannot open it: {error.strerror or error}", place=place, hint=hint)


def literal_pattern(path: str) -> str:
    """A pattern that matches this path alone.

    >>> literal_pattern("data[1].csv")
    'data[[]1].csv'
    """
    return re.sub(r"([\[*?])", r"[\1]", path)


def _mode(text: str) -> int | None:
    """The type and mode of what is there; None where nothing is."""
    try:
        return os.stat(text).st_mode
    except (FileNotFoundError, NotADirectoryError):
        if os.path.islink(text):
            hint = "name the file that is meant"
            raise DataError("D202", "the link leads to no file", place=text, hint=hint) from None
        return None
    except OSError as error:
        raise cannot_open(text, error) from None


def _refuse_odd(text: str, mode: int | None) -> None:
    if mode is None:
        raise missing(text)
    if stat.S_ISDIR(mode):
        hint = f"name the files in it, as in {text.rstrip('/')}/*.parquet"
        raise DataError("D203", "this is a folder", place=text, hint=hint)
    if not stat.S_ISREG(mode):
        kinds = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
        what = kinds.get(stat.S_IFMT(mode), "no file")
        hint = "rows are read more than once: give a file, or give - and pipe the rows to standard input"
        raise DataError("D205", f"this is {what}", place=text, hint=hint)
