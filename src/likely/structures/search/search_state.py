"""A graph on the way of a search: its arcs, which node reaches which, and what every single move would gain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import NamedTuple, Self

import numpy as np

from likely.core.numerics import Array
from likely.kernels.search.moves import ADD, NONE, REVERSE, best_move, join, reach
from likely.structures.search.rules import Flags, Rules
from likely.structures.search.scorer import Parents, Scorer


class ArcMove(NamedTuple):
    """An arc to add, delete or turn round, and what that gains."""

    kind: int
    parent: int
    child: int
    gain: float


class Position:
    """Holds `arcs[parent, child]`, `parents`, the `values` (scores) of the families, and `gains[child, parent]`.

    The gain of toggling one arc depends on the child's family alone, so that a move changes one row of the gains, or
    two: all others stay as they are.
    """

    def __init__(self, scorer: Scorer, rules: Rules, parents: Sequence[Iterable[int]]) -> None:
        self.scorer, self.rules = scorer, rules
        self.arcs: Flags = np.zeros((rules.size, rules.size), dtype=bool)
        for child, mine in enumerate(parents):
            self.arcs[list(mine), child] = True
        self.parents: list[Parents] = [()] * rules.size
        self.reached = np.empty_like(self.arcs)
        self.values = np.empty(rules.size)
        self.gains = np.empty((rules.size, rules.size))
        self.settle(range(rules.size))

    def copy(self) -> Self:
        """The same position, to go on from."""
        other = copy(self)
        other.arcs, other.parents, other.reached = self.arcs.copy(), self.parents.copy(), self.reached.copy()
        other.values, other.gains = self.values.copy(), self.gains.copy()
        return other

    @property
    def score(self) -> float:
        """The sum of the scores of all families."""
        return float(self.values.sum())

    def settle(self, children: Iterable[int]) -> None:
        """Take over what was done to the arcs into some nodes."""
        reach(self.arcs, self.reached)
        self._weigh(children)

    def best(self, until: Array, now: int = 0, enough: float = np.inf) -> ArcMove | None:
        """The move that gains most. An arc rests `until` its turn, unless the move gains more than `enough`."""
        rules = self.rules
        found = best_move(
            self.gains, self.arcs, self.reached, rules.allowed, rules.required, rules.most, until, now, enough
        )
        return None if found[0] == NONE else ArcMove(*found)

    def make(self, move: ArcMove) -> None:
        """Change the graph."""
        kind, parent, child, _ = move
        self.arcs[parent, child] = kind == ADD
        if kind == ADD:
            join(self.reached, parent, child)
            self._weigh((child,))
            return
        self.arcs[child, parent] = kind == REVERSE
        self.settle((child, parent) if kind == REVERSE else (child,))

    def _weigh(self, children: Iterable[int]) -> None:
        families = []
        for child in children:
            self.parents[child] = tuple(self.arcs[:, child].nonzero()[0].tolist())
            families.append((child, self.parents[child]))
        self.scorer.prefetch(families)
        for child, mine in families:
            self.values[child] = value = self.scorer.score(child, mine)
            np.subtract(self.scorer.toggled(child, mine), value, out=self.gains[child])
