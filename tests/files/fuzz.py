"""Mutations of model files, in processes of limited memory and time: python -m tests.files.fuzz 10000 (first)."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import resource
import signal
import sys
import tempfile
import traceback
import tracemalloc
import warnings
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import likely
from likely.core.threads import cores

from .mutations import mutated
from .specimens import MADE, asked, written

SECONDS, BYTES = 2, 512 << 20
NAMES = tuple(MADE)


def case(number: int) -> tuple[str, bytes]:
    """The model and the mutated file of a number, the same ever after."""
    rng = np.random.default_rng(number)
    name = NAMES[number % len(NAMES)]
    return name, mutated(written(name), rng, lambda: written(NAMES[int(rng.integers(len(NAMES)))]))


def tried(number: int, place: Path) -> str:
    """What came of it: 'refused', 'answered', or what is wrong."""
    name, data = case(number)
    place.write_bytes(data)
    tracemalloc.start()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return _asked(place, asked(name))
    except likely.LikelyError as error:
        return "refused" if error.code != "F407" else "no memory left"
    except Exception:
        return traceback.format_exc()
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        if peak > BYTES:
            return f"{peak >> 20} MB"  # noqa: B012  whatever else came of it


def _asked(place: Path, rows: Any) -> str:
    model = likely.load(place)
    repr(model)
    if not hasattr(model, "predict_proba"):
        return "answered" if np.isfinite(model.predict(rows)).all() else "not a number"
    proba = model.predict_proba(rows)
    if np.isnan(proba).any() or (proba < 0).any() or not np.allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-9):
        return f"probabilities that are none: {proba}"
    model.predict(rows)
    model.explain(rows)
    return "answered"


def _work(numbers: list[int], folder: str, seconds: float) -> None:
    """Results go to a file, number by number, so that what killed the process can be told."""
    place = Path(folder) / f"{os.getpid()}.likely"
    room = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (room + 3 * BYTES, resource.RLIM_INFINITY))
    with open(Path(folder) / f"{numbers[0]}.results", "ab") as out:
        for number in numbers:
            signal.setitimer(signal.ITIMER_PROF, seconds)  # of the processor, threads and all; then the process ends
            result = tried(number, place)
            signal.setitimer(signal.ITIMER_PROF, 0)
            out.write(pickle.dumps((number, result)))
            out.flush()


def _results(path: Path) -> dict[int, str]:
    found = {}
    with open(path, "rb") as file:
        while True:
            try:
                number, result = pickle.load(file)
            except EOFError:
                return found
            found[number] = result


def _batch(numbers: list[int], folder: str) -> dict[int, str]:
    """What came of each number; a worker that dies is replaced, and what killed it gets a second chance.

    (The second, with more time, is for what is compiled when first met; the third decides.)
    """
    done: dict[int, str] = {}
    chances: Counter[int] = Counter()
    while left := [number for number in numbers if number not in done]:
        seconds = 60 if chances[left[0]] == 1 else SECONDS
        path = Path(folder) / f"{left[0]}.results"
        path.unlink(missing_ok=True)
        pid = os.fork()
        if not pid:
            try:
                _work(left[:1] if chances[left[0]] else left, folder, seconds)
            finally:
                os._exit(0)
        _, status = os.waitpid(pid, 0)
        found = _results(path)
        if chances[left[0]] != 1:  # with more time it proves nothing
            done.update(found)
        if os.WIFSIGNALED(status) or chances[left[0]] == 1:
            stuck = next((number for number in left if number not in done), None)
            if stuck is not None:
                chances[stuck] += 1
                if chances[stuck] > 2:
                    done[stuck] = (
                        f"ended by {signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else status}"
                    )
    return done


def fuzz(numbers: Iterable[int]) -> dict[int, str]:
    """What came of the mutations of these numbers."""
    for name in NAMES:  # compiled and made before the clock runs
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "one.likely").write_bytes(written(name))
            assert _asked(Path(folder) / "one.likely", asked(name)) == "answered", name
    every = list(numbers)
    with tempfile.TemporaryDirectory() as folder, multiprocessing.get_context("fork").Pool(cores()) as pool:
        parts = pool.starmap(_batch, [(every[at : at + 200], folder) for at in range(0, len(every), 200)])
    return {number: result for part in parts for number, result in part.items()}


def told(found: dict[int, str]) -> str:
    """How many were refused, answered or wrong, and the first of each kind that is wrong."""
    lines, seen = [str(Counter(result if len(result) < 9 else "wrong" for result in found.values()))], Counter()
    for number, result in found.items():
        if result not in ("refused", "answered"):
            tail = "\n".join(result.strip().splitlines()[-9:])
            seen[tail] += 1
            if seen[tail] == 1:
                lines.append(f"--- {number} ({NAMES[number % len(NAMES)]})\n{tail}")
    return "\n".join([*lines, f"{len(seen)} different ones"])


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    start = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print(told(fuzz(range(start, start + many))))
