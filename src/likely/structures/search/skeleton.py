"""Which nodes are joined: two that no others part. The first half of PC-stable (Colombo and Maathuis 2014)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, count
from math import comb

import numpy as np

from likely.core.numerics import Floats
from likely.structures.search.independence import IndependenceTest
from likely.structures.search.result import Track
from likely.structures.search.rules import Flags, Rules
from likely.structures.search.scorer import Parents

# Of nodes that are given to one node at each level: where all depend on all, there would be millions
MOST_SETS_GIVEN = 150
Pair = tuple[int, int]  # the earlier node first


@dataclass
class Skeleton:
    """linked[a, b]: whether no test parted two nodes; log_p[a, b]: the largest of all their tests.

    `parted` says by which nodes others were parted.
    """

    linked: Flags
    log_p: Floats
    parted: dict[Pair, Parents] = field(default_factory=dict)

    def near(self, node: int) -> list[int]:
        """The nodes that are joined to one, those that depend on it most first."""
        mine = np.flatnonzero(self.linked[node])
        return [int(at) for at in mine[np.argsort(self.log_p[node, mine], kind="stable")]]


def given_to(near: list[int], level: int) -> Iterator[Parents]:
    """The sets of so many neighbours that are given; of too many, those of the neighbours that come first."""
    return combinations(near[: reach(level)], level)


@cache
def reach(level: int) -> int:
    """How many neighbours have few enough sets of `level` of them.

    >>> reach(0), reach(1), reach(2), reach(3)
    (150, 150, 17, 10)
    """
    return max(number for number in range(MOST_SETS_GIVEN + 1) if comb(number, level) <= MOST_SETS_GIVEN)


def skeleton(test: IndependenceTest, least: float, rules: Rules, track: Track, most: int | None) -> Skeleton:
    """Join all nodes that the rules let be joined, and part those that a test finds independent, given few first.

    `least` is the log of the p-value above which they are; `most` nodes are given at most. Nodes are given that were
    joined to one of the two before any test of that many, so that the order of the columns does not matter.
    """
    size = rules.size
    fixed = rules.required | rules.required.T
    found = Skeleton(rules.allowed | rules.allowed.T, np.full((size, size), -np.inf))
    for level in count():
        near = [found.near(node) for node in range(size)]
        if (most is not None and level > most) or max(map(len, near), default=0) <= level:
            return found
        masks = [sum(1 << at for at in mine[: reach(level)]) for mine in near]
        if level and max(map(len, near)) > reach(level):
            track.notes.append(f"tests given {level} took the {reach(level)} nearest of more neighbours")
        for node in range(size):
            for given, others in _tests(node, near[node], masks, level, found.linked[node], fixed[node]):
                _part(found, node, others, given, test.log_p(node, others, given), least)
            track.step(f"tests given {level}", (node + 1) / size)
    raise AssertionError("the levels end")


def _tests(
    node: int, near: list[int], masks: list[int], level: int, linked: Flags, fixed: Flags
) -> Iterator[tuple[Parents, list[int]]]:
    """(given, others): the tests of one node that no earlier node has made; `linked` changes on the way."""
    asked = [at for at in near if not fixed[at]]
    for given in given_to(near, level):
        asked = [at for at in asked if linked[at]]
        if not asked:
            return
        held = sum(1 << at for at in given)
        others = [at for at in asked if not held >> at & 1 and (at > node or held & ~masks[at])]
        if others:
            yield tuple(sorted(given)), others


def _part(found: Skeleton, node: int, others: list[int], given: Parents, told: Floats, least: float) -> None:
    for other, log_p in zip(others, told.tolist(), strict=True):
        found.log_p[node, other] = found.log_p[other, node] = max(log_p, found.log_p[node, other])
        if log_p > least:
            found.linked[node, other] = found.linked[other, node] = False
            found.parted[min(node, other), max(node, other)] = given
