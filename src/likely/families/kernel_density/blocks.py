"""Threads over blocks of queries."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def in_blocks(work: Callable[[slice], None], rows: int, least: int) -> None:
    """work(slice) for blocks that cover all rows, in as many threads as may run; `least` rows are worth one.

    >>> in_blocks(print, 3, 1000)
    slice(0, 3, None)
    """
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    step = max(least, -(-rows // (4 * threads)))
    blocks = [slice(start, min(start + step, rows)) for start in range(0, rows, step)]
    if threads == 1 or len(blocks) < 2:
        for block in blocks:
            work(block)
        return
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work, block) for block in blocks]:
            done.result()
