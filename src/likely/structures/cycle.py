"""The shortest circle of arrows in a graph that must not have one, so that a user sees which arc to leave out."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

Steps = Sequence[Sequence[int]]


def shortest_circle(parents: Steps, children: Steps) -> list[int]:
    """Positions from a node along arrows back to itself, as few as there can be; empty where no circle is.

    >>> shortest_circle([[2], [0], [1, 3], [2]], [[1], [2], [0, 3], [2]])
    [2, 3, 2]
    """
    best: list[int] = []
    left = set(range(len(parents)))
    while left := _core(left, parents, children):
        start = min(left)
        best = _way_back(start, left, children, len(best)) or best
        left = left - {start}  # no other circle needs a node from which all have been found
    return best


def _core(left: set[int], parents: Steps, children: Steps) -> set[int]:
    """What remains when nodes without a parent or without a child are taken away until there are none."""
    left = set(left)
    waiting = list(left)
    while waiting:
        at = waiting.pop()
        if at in left and (left.isdisjoint(parents[at]) or left.isdisjoint(children[at])):
            left.remove(at)
            waiting += [*parents[at], *children[at]]
    return left


def _way_back(start: int, left: set[int], children: Steps, best: int) -> list[int]:
    """The shortest way from a node to itself, breadth first; empty unless it is shorter than the best so far."""
    ways = deque([[start]])
    seen: set[int] = set()
    while ways and (not best or len(ways[0]) + 1 < best):
        way = ways.popleft()
        for child in children[way[-1]]:
            if child == start:
                return [*way, start]
            if child in left and child not in seen:
                seen.add(child)
                ways.append([*way, child])
    return []
