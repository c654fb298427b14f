"""Threads over pieces of work: the kernels let go of the interpreter while they run."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import chain, islice
from typing import TypeVar

from likely.core.cache import is_reckoning

S = TypeVar("S")
T = TypeVar("T")
_here = threading.local()
_pools: dict[int, ThreadPoolExecutor] = {}  # kept: starting threads takes longer than many a piece of work
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)  # threads do not live on in a child


def cores() -> int:
    """How many threads may run."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(work: Callable[[S], T], tasks: Iterable[S], threads: int | None = None) -> Iterator[T]:
    """work(task) of each task, in order, with no more tasks taken than there are threads to work on them.

    >>> list(in_threads(lambda number: number**2, range(4)))
    [0, 1, 4, 9]
    """
    threads, tasks = threads or cores(), iter(tasks)
    some = list(islice(tasks, 2))
    if len(some) < 2 or threads == 1:  # a thread of its own takes longer to hand it to than many a piece of work
        yield from map(work, chain(some, tasks))
        return
    waiting: deque[Future[T]] = deque()
    with _pool(threads) as pool:
        try:
            for task in chain(some, tasks):
                waiting.append(pool.submit(work, task))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            wait([future for future in waiting if not future.cancel()])


@contextmanager
def _pool(threads: int) -> Iterator[ThreadPoolExecutor]:
    """The threads that are kept for such work; work within such work has its own, as it would wait for itself.

    So has work for a value that is reckoned once for all: the threads that are kept may all be waiting for it.
    """
    if getattr(_here, "working", False) or is_reckoning():
        with ThreadPoolExecutor(threads, initializer=_begin) as own:  # and work within that has its own again
            yield own
        return
    # one that is not kept has not started a thread
    yield _pools.setdefault(threads, ThreadPoolExecutor(threads, initializer=_begin))


def _begin() -> None:
    _here.working = True
