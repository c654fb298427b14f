"""The folder where compiled code is kept, found without the compiler, which is slow to import.

It is beside the sources; where these cannot be written to, in the user's own cache folder; else in a temporary folder
of the user's. Compiled code is run as it is read, so a folder that others can write to is never used: then nothing is
kept. What .numba_config.yaml says of a folder does not count: whoever can write to the folder that one happens to be
in could so choose the code that is run.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

CACHE_ENDING = ".nbc"


@cache
def folder() -> Path | None:
    """Where compiled code is kept; None: nowhere."""
    here = Path(__file__).resolve().parent
    mine = f"likely-{hashlib.sha256(bytes(here)).hexdigest()[:16]}"  # two installations do not share
    if said := os.environ.get("NUMBA_CACHE_DIR"):  # whoever says so knows who may write there
        given = Path(said, mine)
        return given if _made(given) else None
    beside = here / "__pycache__"
    if _made(beside) and _own(beside):
        return beside
    user = getattr(os, "getuid", lambda: "user")()
    places = [Path(tempfile.gettempdir(), f"likely-{user}")]
    with suppress(RuntimeError):  # a user without a home
        places.insert(0, _of_user())
    return next((place / mine for place in places if _made(place) and _own(place) and _made(place / mine)), None)


def _of_user() -> Path:
    """The user's own cache folder of this program, as the system has it."""
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local", "likely", "Cache")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "likely"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "likely")


def count() -> int:
    """How many compiled functions are kept."""
    place = folder()
    return 0 if place is None else sum(1 for _ in place.glob(f"*.{sys.implementation.cache_tag}-*{CACHE_ENDING}"))


def _made(place: Path) -> bool:
    """Whether the folder is there, made if need be, and can be written to."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=place).close()
    except OSError:
        return False
    return True


def _own(place: Path) -> bool:
    """Whether the folder is the user's, and nobody else may write to it."""
    if os.name == "nt":
        return True  # folders of a user are the user's
    told = os.lstat(place)
    return stat.S_ISDIR(told.st_mode) and told.st_uid == os.getuid() and not told.st_mode & 0o022
