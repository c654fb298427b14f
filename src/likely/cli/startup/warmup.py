"""Compilation ahead of use: other processes do small pieces of work, so that what these need is compiled and kept.

Nothing depends on it: what is not there is compiled when it is met. Processes may do the same at once, and may end at
any time.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from likely.cli.startup.imports import defer
from likely.cli.startup.loops import ARGUMENTS, LOOPS, arguments_of, kernel_of

HELPERS = 3  # processes beside the one that is waited for: each takes a quarter of a gigabyte
_active = threading.Lock()  # held while other processes compile for this one
_started: list[subprocess.Popen[str]] = []  # these processes
_left: list[SimpleQueue[str | None]] = []  # what they have still to do; empty where nothing is compiled ahead


def tasks() -> list[str]:
    """The names of all pieces of work."""
    from likely.estimators.registry import compared

    return [*ARGUMENTS, *_WORK, *compared(numeric=False), *compared(numeric=True)]


def toured() -> list[str]:
    """The names of what the tour needs, in its order."""
    from likely.estimators.registry import compared

    return [*LOOPS["fit"], *LOOPS["predict"], "fit", *compared(numeric=False), "digits"]


def compile_all(processes: int, tick: Callable[[], object] = lambda: None) -> int:
    """Compile what is not yet, in that many processes; how many pieces of work were done."""
    names = pending(tasks())
    with _helpers(_queue_of(names), min(processes, len(names)), tick) as end:
        end()
    return len(names) - len(pending(names))


@contextmanager
def ahead(names: Iterable[str], processes: int | None = None) -> Iterator[None]:
    """While the work within goes on, the other cores compile what it will need; it will need the last names last.

    Where they compile already, for work that this is a part of, they go on with these.
    """
    from likely.core.threads import cores

    waiting = list(names)
    coming = pending(waiting)[::-1] if waiting else []
    count = min(cores() - 1, HELPERS) if processes is None else processes
    if not coming or count < 1 or not sys.executable:
        yield
        return
    if _active.acquire(blocking=False):
        _left.append(_queue_of(coming))
        try:
            with _helpers(_left[0], count):
                yield
        finally:
            _left.clear()
            _active.release()
    else:
        for queue in _left:
            for name in coming:
                queue.put(name)
        yield
    for name in waiting:  # the work within has been through all of them
        _mark(name)


def pending(names: Iterable[str]) -> list[str]:
    """Those whose compiled code is not known to be kept; none where nothing can be kept."""
    from likely.kernels.cache_folder import folder

    place = folder()
    return [] if place is None else [name for name in names if not (place / _mark_of(name)).exists()]


@contextmanager
def _helpers(
    left: SimpleQueue[str | None], count: int, tick: Callable[[], object] = lambda: None
) -> Iterator[Callable[[], None]]:
    """Processes that take names in turn, each watched by a thread; they end with the block.

    What is given ends them sooner, when all names have been taken.
    """
    # -P: a file in this folder that is called as a module of ours is not that module
    command = [sys.executable, "-P", "-m", "likely.cli.startup.warmup"]
    quiet: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    threads: list[threading.Thread] = []

    def end() -> None:
        for _ in threads:
            left.put(None)
        for thread in threads:
            if thread.ident is not None:
                thread.join()

    try:
        with suppress(
            OSError, RuntimeError
        ):  # where no more processes or threads can be had, those that could are enough
            for _ in range(count):
                _started.append(subprocess.Popen(command, text=True, **quiet))
                threads.append(threading.Thread(target=_hand_out, args=(_started[-1], left, tick), daemon=True))
                threads[-1].start()
        yield end
    finally:
        stop()
        end()
        while _started:
            _close(_started.pop())


def _queue_of(names: Iterable[str]) -> SimpleQueue[str | None]:
    queue: SimpleQueue[str | None] = SimpleQueue()
    for name in names:
        queue.put(name)
    return queue


def stop() -> None:
    """End all helpers at once, in the midst of compiling too: what is half written is removed."""
    for process in _started:
        process.kill()
        process.wait()
        remove_parts(process.pid)


def _close(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # a name that was never read
            if pipe is not None:
                pipe.close()


def remove_parts(process: int) -> None:
    """Remove what a process that is no more was writing to the folder of compiled code."""
    from likely.kernels.cache_folder import folder

    with suppress(OSError):
        for part in (folder() or Path(os.devnull)).glob(f".part-{process}-*"):
            part.unlink()


def _hand_out(process: subprocess.Popen[str], left: SimpleQueue[str | None], tick: Callable[[], object]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):  # the process is gone
        while (name := left.get()) is not None:
            process.stdin.write(f"{name}\n")
            process.stdin.flush()
            if not process.stdout.readline():
                return
            tick()


def _mark(name: str) -> None:
    from likely.kernels.cache_folder import folder

    place = folder()
    with suppress(OSError):
        if place is not None:
            (place / _mark_of(name)).touch()


def _mark_of(name: str) -> str:
    """The file that says that a piece of work was done by these sources, with this compiler, on such a machine."""
    return f"warm.{name}.{_maker()}"


@cache
def _maker() -> str:
    from importlib.metadata import version

    import llvmlite.binding

    import likely.kernels

    sources = sorted(Path(likely.kernels.__path__[0]).rglob("*.py"))
    told = [(str(one), one.stat().st_size, one.stat().st_mtime_ns) for one in sources]
    made = (sys.implementation.cache_tag, version("numba"), llvmlite.binding.get_host_cpu_name(), told)
    return hashlib.sha256(repr(made).encode()).hexdigest()[:16]


def _work_on(name: str) -> None:
    """One piece of work, unless it is done; a failure is not ours to tell, as nobody asked for it."""
    if not pending([name]):
        return
    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        do(name)
    _mark(name)


def do(name: str) -> None:
    """One piece of work: a loop compiled by itself, something done with all its loops, or a contender judged."""
    if name in ARGUMENTS:
        kernel_of(name).compile(arguments_of(name))
    else:
        _WORK.get(name, lambda: _judge(name))()


def _naive() -> None:
    """What most verbs do: learn, judge every row by the model without it, predict, explain, add and take away."""
    from likely.cli.demo import TOUR_TARGET, patients
    from likely.estimators.fit_and_load import fit

    table = patients()
    rows = table.drop_columns([TOUR_TARGET])
    model = fit(table, TOUR_TARGET)
    model.leave_one_out(rows, table[TOUR_TARGET])
    model.predict_proba(rows)
    model.explain(rows.slice(0, 1))
    model.merge(fit(table, TOUR_TARGET)).forget(rows.slice(0, 1), table[TOUR_TARGET].slice(0, 1))


def _digits() -> None:
    from likely.digits import bundled, evaluate, train
    from likely.estimators.bayes.naive import NaiveBayes

    training, test = bundled()
    evaluate(train(NaiveBayes(kinds="binary", priors="empirical"), *training), *test)


def _network() -> None:
    """A network asked, sampled, learnt."""
    from likely.networks import asia, learn_network

    net = asia()
    net.query("lung", {"xray": "yes"})
    net.most_probable({"xray": "yes"})
    learn_network(net.sample(500, seed=0), seed=0)


def _judge(name: str) -> None:
    """A contender of `likely compare`, on folds."""
    from likely.cli import options
    from likely.cli.demo import TOUR_TARGET, patients
    from likely.estimators.fit_and_load import columns_of
    from likely.estimators.registry import PRESETS, contenders
    from likely.evaluation import compare

    table = patients()
    target = "radius_mm" if PRESETS[name].numeric else TOUR_TARGET
    rows = table.drop_columns([target])
    compare(contenders([name], options.read_kinds(None), columns_of(rows)), rows, table[target], folds=2)


def _large_file() -> None:
    """What a CSV file of megabytes needs beside: its fields are scanned."""
    from likely.data.readings.scanned_fields import scanned

    block = scanned(b"1,2.5,a\n", b",", 3)
    assert block is not None
    block.texts()


_WORK: dict[str, Callable[[], None]] = {
    "fit": _naive,
    "large file": _large_file,
    "digits": _digits,
    "network query": _network,
}


def main() -> None:
    """Do the work whose names come in, a line each, and answer each with a line."""
    from likely.kernels import compiler

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    compiler.MOST_ENTRIES_INTERPRETED = 0  # it is here to compile
    defer()
    for line in sys.stdin:
        _work_on(line.strip())
        print(line.strip(), flush=True)


if __name__ == "__main__":
    main()
