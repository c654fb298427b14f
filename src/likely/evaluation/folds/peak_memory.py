"""How much memory a piece of work takes, as the system counts it."""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache

RESET_PEAK = "5"  # what Linux takes as: the most memory so far is what is held now


@dataclass
class PeakMemory:
    """How many bytes more were in memory at the most than at the beginning; NaN where the system does not tell."""

    bytes: float = float("nan")


@contextmanager
def peak_memory() -> Iterator[PeakMemory]:
    """While the work within goes on, the system keeps the peak of all memory of this process, compiled code's too.

    Nothing is sampled and nothing is slowed down: Linux keeps the peak anyway, and is told to begin anew. What earlier
    work has freed is given back before, so that it is not used again without being seen.

    >>> with peak_memory() as peak:
    ...     text = "x" * 50_000_000
    >>> peak.bytes != peak.bytes or peak.bytes > 40_000_000
    True
    """
    found = PeakMemory()
    _give_back()
    before = _resident("VmRSS") if _begin_anew() else None
    yield found
    after = None if before is None else _resident("VmHWM")
    if before is not None and after is not None:
        found.bytes = float(max(after - before, 0))


def _begin_anew() -> bool:
    """Whether the peak begins anew: other systems, and some containers, do not let it."""
    try:
        with open("/proc/self/clear_refs", "w") as place:
            place.write(RESET_PEAK)
    except OSError:
        return False
    return True


def _resident(name: str) -> int | None:
    """Bytes that are in memory now (VmRSS), or were at the most (VmHWM)."""
    with suppress(OSError), open("/proc/self/status") as told:
        if line := re.search(rf"^{name}:\s+(\d+) kB$", told.read(), re.MULTILINE):
            return 1024 * int(line[1])
    return None


def _give_back() -> None:
    """Memory that is free goes back to the system."""
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    """glibc's function that gives free memory back; other libraries have none."""
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None), "malloc_trim", None)
