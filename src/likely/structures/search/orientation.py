"""Directions of links: what is known, what V-structures say, what follows (Meek 1995), and a graph that has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Floats
from likely.structures.graph import Graph
from likely.structures.search.rules import Flags, Rules

LEANING_DIRECTION = 0.8  # share of the graphs that join a pair from which on it is told, and drawn, which way it points
Trio = tuple[int, int, int]


@dataclass
class Partial:
    """linked[a, b]: whether two nodes are joined; arrows[a, b]: whether the link is known to point from a to b."""

    linked: Flags
    arrows: Flags

    @property
    def loose(self) -> Flags:
        """loose[a, b]: whether the two are joined and the link may point either way."""
        return np.asarray(self.linked & ~self.arrows & ~self.arrows.T)

    def can_point(self, one: int, other: int) -> bool:
        """Whether the link may point from one to the other, without a circle."""
        return not self.arrows[other, one] and (bool(self.arrows[one, other]) or not self._leads(other, one))

    def _leads(self, start: int, end: int) -> bool:
        """Whether arrows lead from one node to another."""
        reached, waiting = {start}, [start]
        while waiting:
            new = set(np.flatnonzero(self.arrows[waiting.pop()]).tolist()) - reached
            if end in new:
                return True
            reached |= new
            waiting += new
        return False


def point_known(partial: Partial, rules: Rules, log_p: Floats) -> int:
    """Point the links that are required, or may point one way only; how many had to go, as they would make a circle."""
    partial.arrows |= rules.required
    one_way = np.argwhere(partial.linked & rules.allowed & ~rules.allowed.T & ~rules.required)
    gone = 0
    for one, other in sorted(one_way.tolist(), key=lambda arc: log_p[arc[0], arc[1]]):
        if partial.can_point(one, other):
            partial.arrows[one, other] = True
        else:
            partial.linked[one, other] = partial.linked[other, one] = False
            gone += 1
    return gone


def point_colliders(partial: Partial, colliders: Iterable[Trio]) -> int:
    """Point both links of each V-structure (a, middle, c) to its middle; how many contradict earlier arrows."""
    against = 0
    for one, middle, other in colliders:
        if partial.can_point(one, middle) and partial.can_point(other, middle):
            partial.arrows[one, middle] = partial.arrows[other, middle] = True
        else:
            against += 1
    return against


def apply_meek_rules(partial: Partial) -> None:
    """Point the links whose other direction would make a circle or a new V-structure (Meek's four rules)."""
    moved = True
    while moved:
        moved = False
        for one, other in np.argwhere(_following(partial)).tolist():
            if partial.loose[one, other] and partial.can_point(one, other):
                partial.arrows[one, other] = moved = True


def _following(partial: Partial) -> Flags:
    """(nodes, nodes): the arrows that follow from those there are."""
    arrows, loose = partial.arrows.astype(np.float32), partial.loose
    apart = (~partial.linked).astype(np.float32)
    np.fill_diagonal(apart, 0.0)
    found = (arrows.T @ apart > 0) | (arrows @ arrows > 0)  # x -> a - b, x apart from b; a -> x -> b
    for one, other in np.argwhere(loose & ~found).tolist():
        into = np.flatnonzero(partial.arrows[:, other])
        third = into[loose[one, into]]  # a - x -> b, a - y -> b, x apart from y
        # a - y -> x -> b with y apart from b, and x joined to a
        fourth = into[partial.linked[one, into]]
        above = loose[one] & (apart[other] > 0)
        found[one, other] = apart[np.ix_(third, third)].any() or partial.arrows[np.ix_(above, fourth)].any()
    return np.asarray(found & loose)


def extended(partial: Partial) -> tuple[list[list[int]], bool]:
    """The parents of each node in a graph that has these links and arrows; whether it has no other V-structure.

    A node that no arrow leaves, and whose loose neighbours are joined to all its neighbours, may be the last: its links
    point to it. So on without it (Dor and Tarsi 1992). Where there is none, the node that adds the fewest V-structures.
    """
    linked, arrows, loose = partial.linked.copy(), partial.arrows, partial.loose
    parents: list[list[int]] = [[] for _ in linked]
    left, exact = set(range(len(linked))), True
    while left:
        worst, last = min(
            (_opened(linked, loose, node), -node) for node in left if not (arrows[node] & linked[node]).any()
        )
        exact &= not worst
        parents[-last] = np.flatnonzero(linked[-last]).tolist()
        linked[-last] = linked[:, -last] = False
        left.discard(-last)
    return parents, exact


def _opened(linked: Flags, loose: Flags, node: int) -> int:
    """How many pairs, one of them loose, would newly meet in a node."""
    near, free = np.flatnonzero(linked[node]), np.flatnonzero(linked[node] & loose[node])
    joined = linked[np.ix_(free, near)] | (free[:, None] == near[None, :])
    return int((~joined).sum())


def class_of(graph: Graph, rules: Rules) -> Partial:
    """The arrows of all graphs that say the same and obey the rules; their other links may point either way."""
    pattern = graph.equivalence_class()
    arrows, lines = _flags(graph, pattern.directed), _flags(graph, pattern.undirected)
    partial = Partial(arrows | arrows.T | lines | lines.T, arrows)
    told = partial.loose & ~rules.allowed.T
    if told.any():
        partial.arrows |= told
        apply_meek_rules(partial)
    return partial


def _flags(graph: Graph, pairs: Iterable[tuple[str, str]]) -> Flags:
    """(nodes, nodes): whether a pair is there, from row to column."""
    there = np.zeros((len(graph.nodes), len(graph.nodes)), dtype=bool)
    for one, other in pairs:
        there[graph.places[one], graph.places[other]] = True
    return there
