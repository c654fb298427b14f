"""What a search finds, and what it tells on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from likely.structures.search.scorer import Parents


class Progress(NamedTuple):
    """How far a search has come: the best score so far, after how many seconds and steps, and what is being done."""

    seconds: float
    score: float
    steps: int
    arcs: int
    doing: str
    done: float | None = None  # the share of the work, where it is known


Tick = Callable[[Progress], object]


@dataclass(frozen=True)
class SearchResult:
    """The parents of each node, their score, and how it was reached; all positions."""

    parents: tuple[Parents, ...]
    score: float
    trace: tuple[Progress, ...] = ()
    steps: int = 0
    interrupted: bool = False
    notes: tuple[str, ...] = ()


@dataclass
class Track:
    """Remembers the best graph of a search while it goes on, and tells `tick` of it.

    A search calls `reached` wherever it has a whole graph, and `step` where it has only worked. Ctrl-C, which a search
    lets through to `learn`, therefore loses nothing: the best graph is here.
    """

    tick: Tick | None = None
    parents: tuple[Collection[int], ...] | None = None
    score: float = -float("inf")
    steps: int = 0
    trace: list[Progress] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)

    def reached(self, parents: Sequence[Collection[int]], score: float, doing: str, done: float | None = None) -> None:
        """A graph was reached; it is kept where it is the best so far."""
        if score > self.score or self.parents is None:
            self.parents, self.score = tuple(parents), score
        self.step(doing, done)

    def step(self, doing: str, done: float | None = None) -> None:
        """A piece of work was done."""
        self.steps += 1
        if self.tick is None and self.trace and self.trace[-1].score == self.score:
            return
        arcs = sum(map(len, self.parents or ()))
        now = Progress(time.perf_counter() - self.started, self.score, self.steps, arcs, doing, done)
        if not self.trace or self.trace[-1].score != self.score:
            self.trace.append(now)
        if self.tick is not None:
            self.tick(now)

    def found(self, interrupted: bool = False) -> SearchResult:
        """The best graph so far."""
        assert self.parents is not None, "a search begins with a graph"
        parents = tuple(tuple(sorted(mine)) for mine in self.parents)
        return SearchResult(parents, self.score, tuple(self.trace), self.steps, interrupted, tuple(self.notes))
