"""MMPC: the nodes that may be parents or children of each node (Tsamardinos, Brown and Aliferis 2006)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import numpy as np

from likely.core.numerics import Floats
from likely.structures.search.independence import IndependenceTest
from likely.structures.search.result import Track
from likely.structures.search.rules import Flags, Rules
from likely.structures.search.scorer import Parents

# Neighbours of which all sets are given; of more, those found first, for sets would be millions
MOST_NEIGHBOURS_IN_ALL_SETS = 10
NEIGHBOURS_BESIDE_NEW = 1  # of these that are given beside a new one once there are many


def candidates(test: IndependenceTest, least: float, rules: Rules, track: Track, most: int | None) -> Flags:
    """(nodes, nodes): whether two nodes may be joined: each is among the parents and children found of the other.

    `least` is the log of the p-value above which nodes are independent; `most` nodes are given at most. Required arcs
    join, whatever the tests say.
    """
    size = rules.size
    marginal = _marginal(test, rules, track)
    fixed = rules.required | rules.required.T
    found = np.zeros((size, size), dtype=bool)
    for node in range(size):
        start = np.flatnonzero(fixed[node]).tolist()
        found[node, _near(test, least, node, start, marginal[node], most)] = True
        track.step("candidates", (node + 1) / size)
    return np.asarray((found & found.T) | fixed)


def _marginal(test: IndependenceTest, rules: Rules, track: Track) -> Floats:
    """(nodes, nodes): the log of the p-value of each two, none given; 0 where they may not be joined."""
    told = np.zeros((rules.size, rules.size))
    able = np.triu(rules.allowed | rules.allowed.T)
    for node in range(rules.size):
        others = np.flatnonzero(able[node])
        if len(others):
            told[node, others] = test.log_p(node, others.tolist(), ())
        track.step("tests given 0", (node + 1) / rules.size)
    return told + told.T


def _near(
    test: IndependenceTest, least: float, node: int, start: list[int], marginal: Floats, most: int | None
) -> list[int]:
    """The parents and children of a node, and perhaps more: those that nothing of them parts from it."""
    worst = marginal.copy()  # the largest log p of any test
    waiting = [int(at) for at in np.flatnonzero(worst <= least) if at not in start]
    near: list[int] = []
    for new in chain(start, _strongest(waiting, worst)):
        first = near if len(near) <= MOST_NEIGHBOURS_IN_ALL_SETS else near[:NEIGHBOURS_BESIDE_NEW]
        for given in _subsets(first, None if most is None else most - 1):
            if not waiting:
                break
            told = test.log_p(node, waiting, tuple(sorted((*given, new))))
            worst[waiting] = np.maximum(worst[waiting], told)
            waiting[:] = [at for at in waiting if worst[at] <= least]
        near.append(new)
    return _kept(test, least, node, near, len(start), most)


def _strongest(waiting: list[int], worst: Floats) -> Iterator[int]:
    """Those that wait, the one whose least dependence is strongest first; who waits changes on the way."""
    while waiting:
        new = min(waiting, key=worst.__getitem__)
        waiting.remove(new)
        yield new


def _kept(test: IndependenceTest, least: float, node: int, near: list[int], fixed: int, most: int | None) -> list[int]:
    """Those that no others of them part from the node; sets of earlier ones only have been tried before."""
    rank = {at: when for when, at in enumerate(near)}
    left = set(near)
    for given in _subsets(near[:MOST_NEIGHBOURS_IN_ALL_SETS], most):
        if not left.issuperset(given):
            continue
        latest = max((rank[at] for at in given), default=-1)
        others = [at for at in near[fixed:latest] if at in left and at not in given]
        if others:
            told = test.log_p(node, others, tuple(sorted(given)))
            left.difference_update(at for at, log_p in zip(others, told.tolist(), strict=True) if log_p > least)
    return [at for at in near if at in left]


def _subsets(nodes: list[int], most: int | None) -> Iterator[Parents]:
    """All subsets of at most so many nodes, the small ones first."""
    sizes = range(min(len(nodes), len(nodes) if most is None else most) + 1)
    return chain.from_iterable(combinations(nodes, size) for size in sizes)
