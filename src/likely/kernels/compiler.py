"""The one door to the compiler: kernels are compiled when first called, and what was compiled is found again.

One file a function and kind of arguments, named by all that it was made from: processes that compile
at once cannot mix them up, and an edit in any kernel that a function calls makes a new file. Numba's own cache knows
neither.
"""

import gc
import hashlib
import os
import pickle
import re
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, wraps
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from likely.kernels.cache_folder import CACHE_ENDING, folder

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# How often a process that compiles the same is looked at, and seconds in between
MOST_LOOKS, SECONDS_BETWEEN_LOOKS = 3000, 0.01
IMPORTED_KERNELS: list[Any] = []  # every kernel of the modules imported so far
# How long a process runs each loop uncompiled, where compiling takes as long or longer, and of how many entries at most
SECONDS_INTERPRETED, MOST_ENTRIES_INTERPRETED = 0.1, 100_000


def njit(*, cache: bool, **options: Any) -> Callable[[Any], Any]:
    """`numba.njit` with `cache=True`, kept as this file says, and without the entry for C that nobody here calls."""

    def compiled(function: Any) -> Any:
        kernel = numba.njit(no_cfunc_wrapper=True, **options)(function)
        if config.DISABLE_JIT:  # for a debugger: the function itself
            return kernel
        place, source = folder(), stamp(function.__module__)
        if cache and place and source:
            kernel._cache = CompiledForms(place, function, source)
            kernel._compiler.compile = kernel._cache.undisturbed(kernel._compiler.compile)
        IMPORTED_KERNELS.append(kernel)
        return kernel

    return compiled


def interpreted_while_small(kernel: Any) -> Any:
    """The kernel, run as the Python that it is made of until a process has spent on it what compiling takes.

    What an earlier process has compiled is used at once.
    For loops that only Python calls, and whose operations Python rounds alike: no logarithm, no exponential.
    """
    if config.DISABLE_JIT:
        return kernel
    spent = 0.0

    @wraps(kernel.py_func)
    def run(*given: Any) -> Any:
        nonlocal spent
        if kernel.overloads or spent > SECONDS_INTERPRETED or (not spent and _is_kept(kernel, given)):
            return kernel(*given)
        if max(one.size for one in given if isinstance(one, np.ndarray)) > MOST_ENTRIES_INTERPRETED:
            return kernel(*given)
        start = time.thread_time()
        with np.errstate(all="ignore"):
            out = kernel.py_func(*given)
        spent += time.thread_time() - start
        return out

    run.kernel = kernel  # type: ignore[attr-defined]
    return run


def _is_kept(kernel: Any, given: tuple[Any, ...]) -> bool:
    """Whether the form of a kernel for these arguments was compiled before."""
    kept = kernel._cache
    if not isinstance(kept, CompiledForms) or not any(kept.place.glob(f"{kept.stem}{kept.source}.*")):
        return False
    kinds = tuple(map(kernel.typeof_pyval, given))
    return kept._path(kinds, kernel.targetctx.codegen()).exists()


class CompiledForms(NullCache):
    """The compiled forms of one function, a file each."""

    def __init__(self, place: Path, function: Any, source: str) -> None:
        name = f"{function.__module__.removeprefix('likely.kernels.')}.{function.__name__}"
        self.place, self.source = place, source
        self.turn: tuple[int, Path] | None = None  # a lock and its file, while this process compiles
        self.stem = f"{name}.{sys.implementation.cache_tag}-{numba.__version__}."

    @property
    def cache_path(self) -> str:
        return str(self.place)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was kept for these arguments, or None; a file that is cut short counts as none."""
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        found = _read(path, target_context)
        if found is None:
            self._take_turn(path)  # another process may be compiling the same
            found = _read(path, target_context)
        if found is not None:
            self._leave_turn()
        return found

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep it, if there is room; forms made from other sources go."""
        path = self._path(sig, cres.codegen)
        try:
            for old in self.place.glob(f"{self.stem}*"):
                if not old.name.startswith(f"{self.stem}{self.source}."):
                    old.unlink(missing_ok=True)
            write_whole(path, dumps(cres._reduce()))
        except OSError:
            pass  # the next process compiles again
        finally:
            self._leave_turn()

    def undisturbed(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same without collections of garbage: each would go through all objects of the program."""

        def run(*given: Any) -> Any:
            enabled = gc.isenabled()
            gc.disable()
            try:
                return work(*given)
            except BaseException:
                self._leave_turn()
                raise
            finally:
                if enabled:
                    gc.enable()

        return run

    def _take_turn(self, path: Path) -> None:
        """Wait while another process compiles this; where there are no locks, or too long, both do."""
        if fcntl is None:
            return
        with suppress(OSError):
            place = path.with_suffix(".lock")
            lock = os.open(place, os.O_CREAT | os.O_RDWR, 0o600)
            self.turn = lock, place
            for _ in range(MOST_LOOKS):
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return
                except BlockingIOError:
                    time.sleep(SECONDS_BETWEEN_LOOKS)

    def _leave_turn(self) -> None:
        if self.turn is not None:
            lock, place = self.turn
            self.turn = None
            with suppress(OSError):
                place.unlink(missing_ok=True)
            os.close(lock)

    def _path(self, sig: Any, codegen: Any) -> Path:
        key = hashlib.sha256(repr((sig, codegen.magic_tuple())).encode()).hexdigest()[:20]
        return self.place / f"{self.stem}{self.source}.{key}{CACHE_ENDING}"


def _read(path: Path, target_context: Any) -> Any:
    try:
        return CompileResult._rebuild(target_context, *pickle.loads(path.read_bytes()))
    except Exception:
        return None


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that other processes see whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".part-{os.getpid()}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


@cache
def stamp(module: str) -> str:
    """A name for the sources of a module and of all modules of likely that it imports; empty where there are none."""
    loader: Any = sys.modules[module].__loader__
    source = loader.get_source(module) if hasattr(loader, "get_source") else None
    if not source:
        return ""
    below = sorted(set(re.findall(r"^from (likely[.\w]*) import", source, re.MULTILINE)) - {__name__})
    told = [source, *(stamp(name) for name in below)]
    return hashlib.sha256("\0".join(told).encode()).hexdigest()[:20]
