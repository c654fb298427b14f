"""Files are replaced whole or not at all: written beside the old one, then put in its place.

What is unfinished is locked by the run that writes it. A lock goes with its run, however that ends, so that the next
one knows what was left behind from what is still being written. Locks may be known to one machine alone where a folder
is shared by several, so names say where they were made, and no machine sweeps what another left behind.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import secrets
import shutil
import stat
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from likely.core.cache import turn
from likely.errors import OptionError, StoreError, nearest

try:
    import fcntl
except ImportError:  # where there are no such locks, what a killed run left behind stays
    fcntl = None  # type: ignore[assignment]

UNFINISHED: set[str] = set()  # temporary files and folders that are in use
_folders: dict[int, str] = {}  # of each process, that which holds its temporary folders
PART_NAME = (".likely-", ".part")  # how the name of an unfinished file begins and ends
FOLDER_NAME = ("likely-", ".temporary")  # and that of a folder for temporary files


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
def atomic_write(path: str | os.PathLike[str]) -> Iterator[str]:
    """The name of a file beside `path` to write to, which then takes its place; if that fails, nothing has changed."""
    told, place = os.fspath(path), os.path.realpath(path)
    name, lock = "", None
    try:
        sweep_dead(os.path.dirname(place), PART_NAME)
        name, lock = _part(place)
        UNFINISHED.add(name)
        yield name
        with open(name, "rb+") as file:  # Windows writes back only what may be written
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
        if lock is not None:
            os.close(lock)


def temporary_folder() -> str:
    """A new folder for temporary files, within the one of this process, which is gone at exit."""
    with turn("temporary folder"):
        own = _folders.get(os.getpid())  # a child of fork has its own
        if own is None or not os.path.isdir(own):
            own = _folders[os.getpid()] = _locked_folder()
            atexit.register(_remove, own, os.getpid())
    return tempfile.mkdtemp(dir=own)


def _locked_folder() -> str:
    sweep_dead(tempfile.gettempdir(), FOLDER_NAME)
    while True:
        folder = tempfile.mkdtemp(prefix=f"{FOLDER_NAME[0]}{machine()}-", suffix=FOLDER_NAME[1])
        lock = _locked(folder)
        if os.path.isdir(folder):
            UNFINISHED.add(folder)
            return folder
        if lock is not None:
            os.close(lock)


def _remove(folder: str, process: int) -> None:
    if process == os.getpid():
        shutil.rmtree(folder, ignore_errors=True)


def _part(place: str) -> tuple[str, int | None]:
    """The name of a new file beside `place`, and the lock on it."""
    while True:
        name = _beside(place)
        lock = _locked(name)
        if os.path.exists(name):
            return name, lock
        if lock is not None:  # another run took it for dead before it was locked
            os.close(lock)


def _locked(name: str, wait: bool = True) -> int | None:
    """A lock on a file or folder that is no link, held until it is closed; None if another run has it or it is gone."""
    if fcntl is None:
        return None
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


@cache
def machine() -> str:
    """A word for this machine since it was started; where that cannot be told, for its name and network address."""
    try:
        told = Path("/proc/sys/kernel/random/boot_id").read_text()
    except OSError:
        told = (
            f"{platform.node()} {uuid.getnode()}"  # an address that cannot be found is drawn, and so is like no other
        )
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def sweep_dead(folder: str, ends: tuple[str, str]) -> None:
    """Remove this machine's unfinished files (or folders) whose names begin and end so, of runs that are no more."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if not (name.startswith(f"{ends[0]}{machine()}-") and name.endswith(ends[1])):
                continue
            path = os.path.join(folder, name)
            lock = None if path in UNFINISHED else _locked(path, wait=False)
            if lock is None:
                continue
            with suppress(OSError):
                shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.unlink(path)
            os.close(lock)


def sweep() -> None:
    """Remove what is not finished, for a program that is about to end without more ado."""
    for name in list(UNFINISHED):
        with suppress(OSError):
            shutil.rmtree(name, ignore_errors=True) if os.path.isdir(name) else os.unlink(name)


def _beside(place: str) -> str:
    """A new file beside `place`, which no more people may read than the one that it replaces.

    Where there is none, the system gives the mode: to ask for its mask is to change it for all threads meanwhile.
    """
    mode = _mode(place)
    while True:
        name = os.path.join(os.path.dirname(place), f"{PART_NAME[0]}{machine()}-{secrets.token_hex(8)}{PART_NAME[1]}")
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
