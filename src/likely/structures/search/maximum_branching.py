"""The heaviest choice of one parent at most for each node, without a circle (Chu and Liu 1965, Edmonds 1967)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.core.numerics import Floats
from likely.structures.search.rules import Flags

Ints = NDArray[np.int64]


def branching(worth: Floats, rootless: Flags, joined: bool) -> Ints:
    """(nodes,): the parent of each node, -1 of a root, so that worth[parent, child] adds up to the most.

    Arcs of worth -inf cannot be taken, and `rootless` nodes need a parent. `joined` takes as many arcs as there can be,
    whatever they are worth; otherwise a root is worth nothing. Where a tree could as well hang from its first node, it
    does.

    >>> worth = np.array([[-np.inf, 3.0, 1.0], [2.0, -np.inf, 2.0], [1.0, 2.0, -np.inf]])
    >>> branching(worth, np.zeros(3, dtype=bool), joined=True).tolist()
    [-1, 0, 1]
    """
    size = len(worth)
    finite = np.where(np.isfinite(worth), worth, 0.0)
    heavy = 1.0 + 2.0 * size * (finite.max(initial=0.0) - finite.min(initial=0.0))  # outweighs all arcs together
    weights = np.full((size + 1, size + 1), -np.inf)
    weights[:size, :size] = worth
    weights[size, :size] = np.where(rootless, -np.inf, -heavy if joined else 0.0)  # the last is the parent of roots
    parents = _arborescence(weights)[:size]
    parents = np.where(parents == size, -1, parents)
    for first in np.flatnonzero(~rootless):
        _hang(parents, worth, int(first))
    return parents


def _arborescence(weights: Floats) -> Ints:
    """(nodes,): the parent of each node but the last, from which all hang; the heaviest. -1 of the last.

    Every node takes its heaviest parent. Circles that this makes are drawn together to one node each, whose arcs are
    worth what they add to the circle opened there; and so on until there is no circle.
    """
    size = len(weights)
    arcs = np.arange(size * size).reshape(size, size)  # which arc of the first graph stands for an arc of the drawn one
    place = np.arange(size)  # of each first node among the drawn ones
    levels: list[tuple[Ints, Ints]] = []  # the arc into each drawn node, and `place` at that time
    while True:
        best = weights.argmax(axis=0)
        best[place[size - 1]] = -1
        taken = np.where(best >= 0, arcs[best, np.arange(len(best))], -1)
        groups = _circles(best)
        levels.append((taken, place))
        number = int(groups.max(initial=-1)) + 1
        if number == len(best):
            break
        circling = np.bincount(groups, minlength=number)[groups] > 1
        loss = np.where(circling, weights[best, np.arange(len(best))], 0.0)
        weights, arcs = _drawn(weights - loss, arcs, groups, number)
        place = groups[place]
    return _opened(levels, size)


def _circles(parents: Ints) -> Ints:
    """(nodes,): a number for each node, the same for those of one circle; ascending by the first of each."""
    state, leader = np.zeros(len(parents), dtype=np.int64), np.arange(len(parents))
    for start in range(len(parents)):
        path, at = [], start
        while at >= 0 and state[at] == 0:
            state[at] = start + 1
            path.append(at)
            at = int(parents[at])
        if at >= 0 and state[at] == start + 1:
            circle = path[path.index(at) :]
            leader[circle] = min(circle)
    return np.unique(leader, return_inverse=True)[1].astype(np.int64)


def _drawn(weights: Floats, arcs: Ints, groups: Ints, number: int) -> tuple[Floats, Ints]:
    """The graph whose nodes are groups, with the heaviest arc between each two."""
    for _ in range(2):  # the children, then the parents
        fewer, held = np.empty((number, len(weights))), np.empty((number, len(weights)), dtype=np.int64)
        for group in range(number):
            members = np.flatnonzero(groups == group)
            pick = members[weights[:, members].argmax(axis=1)]
            every = np.arange(len(weights))
            fewer[group], held[group] = weights[every, pick], arcs[every, pick]
        weights, arcs = fewer, held  # turned over, so that the second round goes over the other side
    np.fill_diagonal(weights, -np.inf)
    return weights, arcs


def _opened(levels: list[tuple[Ints, Ints]], size: int) -> Ints:
    """The parents in the first graph: each circle keeps its arcs but the one where another enters."""
    taken = levels[-1][0]
    for mine, place in reversed(levels[:-1]):
        kept = mine.copy()
        for arc in taken[taken >= 0]:
            kept[place[arc % size]] = arc
        taken = kept
    parents = np.full(size, -1)
    chosen = taken[taken >= 0]
    parents[chosen % size] = chosen // size
    return parents


def _hang(parents: Ints, worth: Floats, first: int) -> None:
    """Turn the arcs from the root of a tree down to an earlier node round, where that costs nothing."""
    path = [first]
    while parents[path[-1]] >= 0:
        path.append(int(parents[path[-1]]))
    above, below = np.array(path[1:], dtype=np.int64), np.array(path[:-1], dtype=np.int64)
    here, there = worth[above, below], worth[below, above]
    same = np.isfinite(there) & (there >= here - 1e-9 * np.maximum(1.0, np.abs(here)))
    if first < path[-1] and same.all():
        parents[above], parents[first] = below, -1
