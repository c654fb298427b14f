"""Side by side in one process: best times, peak memory beyond input and output, and a table of them."""

from __future__ import annotations

import argparse
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

HEAD = ("case", "peer s", "likely s", "ratio", "demanded", "extra memory / input")
MEMORY = 0.5  # of the input: what an array case may allocate beyond its input and its output


@dataclass(frozen=True)
class Row:
    """One line of the table; what is None was not measured or is not demanded."""

    case: str
    likely: float
    peer: float | None = None
    demanded: float | None = None  # times as fast as the peer
    limit: float | None = None  # seconds
    memory: float | None = None  # a share of the input

    def cells(self) -> tuple[str, ...]:
        ratio = None if self.peer is None else self.peer / self.likely
        goal, met = "", True
        if self.demanded is not None and ratio is not None:
            goal, met = f"≥ {self.demanded:g}×", ratio >= self.demanded
        elif self.limit is not None:
            goal, met = f"< {self.limit:g} s", self.likely < self.limit
        memory = "" if self.memory is None else f"{self.memory:.2f} (≤ {MEMORY}{_verdict(self.memory <= MEMORY)})"
        return (
            self.case,
            "" if self.peer is None else f"{self.peer:.4f}",
            f"{self.likely:.4f}",
            "" if ratio is None else f"{ratio:.1f}×",
            goal + _verdict(met) if goal else "",
            memory,
        )


def _verdict(met: bool) -> str:
    return " ok" if met else " MISSED"


def quick(description: str | None) -> bool:
    """Whether the command line asks for small sizes, which show that the script runs and nothing else."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="small sizes: a smoke test, its ratios mean nothing")
    small = bool(parser.parse_args().quick)
    if small:
        print("small sizes: what is MISSED below means nothing")
    return small


def best(callables: Mapping[str, Callable[[], Any]], rounds: int = 3, again: int = 3) -> dict[str, float]:
    """The least seconds of each: they alternate, and those after the first, which is slow, go `again` times a round."""
    least = dict.fromkeys(callables, np.inf)
    for _ in range(rounds):
        for at, (name, call) in enumerate(callables.items()):
            for _ in range(again if at else 1):
                start = perf_counter()
                call()
                least[name] = min(least[name], perf_counter() - start)
    return least


def extra_bytes(call: Callable[[], Any]) -> int:
    """The peak of what a call allocates through Python and NumPy, without what it leaves behind as its output."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        kept = call()
        after, peak = tracemalloc.get_traced_memory()
        del kept
        return peak - max(after, before)
    finally:
        tracemalloc.stop()


def compare(
    X: Any,
    y: Any,
    peer: Any,
    ours: Mapping[str, Any],
    demanded: Mapping[str, float],
    size: int | None,
    rounds: int = 3,
    title: str = "",
) -> None:
    """Fit, then each method of the peer and of our estimators by name; the first of ours has to reach what is demanded.

    `demanded` maps method to ratio (0: none). `size` is that of X in bytes, or None where memory is not in question.
    """
    rows = []
    for method, ratio in demanded.items():
        calls = {"peer": _call(peer, method, X, y)}
        calls |= {name: _call(one, method, X, y) for name, one in ours.items()}
        times = best(calls, rounds)
        for at, name in enumerate(ours):
            memory = None if size is None else extra_bytes(calls[name]) / size
            goal = ratio if ratio and at == 0 else None
            rows.append(Row(f"{method}, {name}", times[name], times["peer"], goal, memory=memory))
    show(f"{title or type(peer).__name__} and NaiveBayes, {X.shape[0]:,} × {X.shape[1]:,}", rows)
    theirs = peer.predict(X)
    for name, one in ours.items():
        print(f"{name}: {np.mean(one.predict(X) == theirs):.4%} of the predictions are the peer's")


def _call(estimator: Any, method: str, X: Any, y: Any) -> Callable[[], Any]:
    work = getattr(estimator, method)
    return (lambda: work(X, y)) if method == "fit" else (lambda: work(X))


def show(title: str, rows: Sequence[Row]) -> None:
    """Print the rows as an aligned table."""
    lines = [HEAD, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    print(f"\n{title}")
    for at, (first, *rest) in enumerate(lines):
        right = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        print(" | ".join([first.ljust(widths[0]), *right]).rstrip())
        if at == 0:
            print("-|-".join("-" * width for width in widths))
