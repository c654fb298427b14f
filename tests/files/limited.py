"""Trials by number, in processes of limited memory and time: what came of each, whatever became of the process."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import resource
import signal
import tempfile
import traceback
import tracemalloc
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

import likely
from likely.core.threads import cores

Trial = Callable[[int, Path], str]
SECONDS, BYTES = 2, 512 << 20
FINE = ("refused", "answered")


def measured(work: Callable[[], str]) -> str:
    """What came of some work: 'refused', what it says itself, or what is wrong."""
    tracemalloc.start()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return work()
    except likely.LikelyError as error:
        return "refused" if error.code != "F407" else "no memory left"
    except Exception:
        return traceback.format_exc()
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        if peak > BYTES:
            return f"{peak >> 20} MB"  # noqa: B012  whatever else came of it


def _work(trial: Trial, numbers: list[int], folder: str, seconds: float) -> None:
    """Results go to a file, number by number, so that what killed the process can be told."""
    place = Path(folder) / f"{os.getpid()}.trial"
    room = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (room + 3 * BYTES, resource.RLIM_INFINITY))
    with open(Path(folder) / f"{numbers[0]}.results", "ab") as out:
        for number in numbers:
            signal.setitimer(signal.ITIMER_PROF, seconds)  # of the processor, threads and all; then the process ends
            try:
                result = trial(number, place)
            except Exception:  # of the trial itself, before anything is measured: the next number has its turn
                result = traceback.format_exc()
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


def _batch(trial: Trial, numbers: list[int], folder: str) -> dict[int, str]:
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
                _work(trial, left[:1] if chances[left[0]] else left, folder, seconds)
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


def outcomes(trial: Trial, numbers: Iterable[int]) -> dict[int, str]:
    """What came of the trials of these numbers; what they compile is best compiled before."""
    every = list(numbers)
    with tempfile.TemporaryDirectory() as folder, multiprocessing.get_context("fork").Pool(cores()) as pool:
        parts = pool.starmap(_batch, [(trial, every[at : at + 200], folder) for at in range(0, len(every), 200)])
    return {number: result for part in parts for number, result in part.items()}


def told(found: dict[int, str], name: Callable[[int], str]) -> str:
    """How many were refused, answered or wrong, and the first of each kind that is wrong."""
    lines, seen = [str(Counter(result if result in FINE else "wrong" for result in found.values()))], Counter()
    for number, result in found.items():
        if result not in FINE:
            tail = "\n".join(result.strip().splitlines()[-9:])
            seen[tail] += 1
            if seen[tail] == 1:
                lines.append(f"--- {number} ({name(number)})\n{tail}")
    return "\n".join([*lines, f"{len(seen)} different ones"])
