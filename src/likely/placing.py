"""Files are replaced whole or not at all: written beside the old one, then put in its place."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from likely.errors import OptionError, StoreError, nearest

UNFINISHED: set[str] = set()  # temporary files and folders that are in use


def check_place(path: str | os.PathLike[str], endings: Iterable[str] = ()) -> str:
    """The ending of a file that is to be written; a place where it cannot be is refused before any work is done for it.

    >>> check_place("picture.PNG", [".png", ".svg"])
    '.png'
    """
    told = os.fspath(path) or "''"
    known = tuple(endings)
    ending = next((one for one in known if told.lower().endswith(one)), "")
    if known and not ending:
        named = Path(told).suffix
        hint = f"end the name with one of {', '.join(known)}.{nearest(named, known) if named else ''}"
        raise OptionError("O121", f"no file is written with the ending {named!r}", place=told, hint=hint)
    if "\0" in told:
        raise StoreError("F401", "no file can have such a name", place=repr(told), hint="choose another name")
    _refuse_place(os.path.realpath(path), told)
    return ending


def check_readable(place: str, code: str, hint: str) -> None:
    """An error with that code unless there is a file that may be read; `hint` says which file is meant."""
    try:
        mode = os.stat(place).st_mode
    except (OSError, ValueError):
        folder = Path(place).parent
        near = nearest(Path(place).name, os.listdir(folder)) if os.access(folder, os.R_OK | os.X_OK) else ""
        told = f"check the name and the folder.{near}"
        raise StoreError(code, "there is no such file", place=place, hint=told) from None
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
        raise StoreError(code, f"this is {what}", place=place, hint=hint)
    if not os.access(place, os.R_OK):
        raise StoreError(code, "this file cannot be read", place=place, hint="ask its owner for permission")


def _refuse_place(place: str, told: str) -> None:
    folder = os.path.dirname(place)
    for wrong, message, hint in (
        (os.path.isdir(place), "this is a folder", f"name a file in it, as in {os.path.join(told, 'name.ending')}"),
        (not os.path.isdir(folder), f"there is no folder {folder}", f"make it first: mkdir -p {folder}"),
        (os.path.exists(place) and not os.path.isfile(place), "this is no regular file", "choose another name"),
        (not os.access(folder, os.W_OK), "this folder may not be written to", "choose another folder"),
    ):
        if wrong:
            raise StoreError("F401", f"cannot write there: {message}", place=told, hint=hint)


def make_folder(path: str | os.PathLike[str]) -> None:
    """A folder for several files, made if need be."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        message, told = f"cannot make this folder: {error.strerror}", os.fspath(path)
        raise StoreError("F401", message, place=told, hint="choose another folder") from None


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[str]:
    """The name of a file beside `path` to write to, which then takes its place; if that fails, nothing has changed."""
    told, place = os.fspath(path), os.path.realpath(path)
    name = ""
    try:
        name = _beside(place)
        UNFINISHED.add(name)
        yield name
        with open(name, "rb") as file:
            os.fsync(file.fileno())
        if (mode := _mode(place)) is not None:
            os.chmod(name, mode)
        os.replace(name, place)
    except OSError as error:
        if not name:
            hint = "choose another folder or name"
            raise StoreError("F401", f"cannot write there: {error.strerror}", place=told, hint=hint) from None
        hint = "make room or choose another disk; what was there before is as it was"
        raise StoreError("F402", f"writing failed: {error.strerror or error}", place=told, hint=hint) from None
    finally:
        UNFINISHED.discard(name)
        if name and os.path.exists(name):
            os.unlink(name)


def sweep() -> None:
    """Remove what is not finished, for a program that is about to end without more ado."""
    for name in list(UNFINISHED):
        if os.path.isdir(name):
            shutil.rmtree(name, ignore_errors=True)
        elif os.path.exists(name):
            os.unlink(name)


def _beside(place: str) -> str:
    """A new file beside `place`, which no more people may read than the one that it replaces.

    Where there is none, the system gives the mode: to ask for its mask is to change it for all threads meanwhile.
    """
    mode = _mode(place)
    while True:
        name = os.path.join(os.path.dirname(place), f".likely-{secrets.token_hex(8)}.part")
        try:
            os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666 if mode is None else mode | 0o600))
        except FileExistsError:
            continue
        return name


def _mode(place: str) -> int | None:
    """The mode of the file that is there, if any."""
    try:
        return os.stat(place).st_mode & 0o777
    except FileNotFoundError:
        return None
