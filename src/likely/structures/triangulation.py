"""In which order to take nodes out of a graph, joining the neighbours of each, so that the cliques stay small."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from itertools import count
from math import inf, log, prod, sqrt
from random import Random

from likely.errors import OptionError
from likely.errors.options import choose

GREEDY_ORDERS = ("min-fill", "min-weight", "min-size")
ELIMINATION_ORDERS = (*GREEDY_ORDERS, "best")
MOST_TRIAL_STEPS = 600_000  # steps after which "best" tries no further: about a second
STEPS_A_ROOT_ENTRY = 200  # steps times the root of the entries of all tables: small tables need no long search


def eliminate(
    neighbours: Sequence[AbstractSet[int]], sizes: Sequence[int], how: str = "best", seed: int = 0
) -> tuple[int, ...]:
    """(nodes,) positions in order of elimination; each next one adds fewest edges, makes the smallest table or clique.

    "best" tries all of these, then again with chance added, and keeps the order whose tables are smallest together.

    >>> square = [{1, 3}, {0, 2}, {1, 3}, {0, 2}]
    >>> eliminate(square, [2, 9, 2, 9], "min-weight")
    (1, 3, 0, 2)
    """
    check_sizes(neighbours, sizes)
    choose(how, ELIMINATION_ORDERS, "how", "O456", what="way to triangulate")
    if how != "best":
        return tuple(_Elimination(neighbours, sizes).run(how))
    return _best(neighbours, sizes, Random(seed))


def cliques_of(neighbours: Sequence[AbstractSet[int]], order: Sequence[int]) -> list[list[int]]:
    """What each node is joined to when its turn comes: the node, then neighbours that are later, the latest first."""
    turn = {at: when for when, at in enumerate(order)}
    later = [{other for other in mine if turn[other] > turn[at]} for at, mine in enumerate(neighbours)]
    cliques: list[list[int]] = [[] for _ in order]
    for at in order:
        cliques[at] = [at, *sorted(later[at], key=turn.__getitem__, reverse=True)]
        if later[at]:  # those that remain are joined: it is enough to tell the first of them, which tells the next
            first = cliques[at][-1]
            later[first] |= later[at] - {first}
    return cliques


def maximal(cliques: Sequence[Sequence[int]], order: Iterable[int]) -> list[int]:
    """(nodes,) the node in whose clique that of a node is contained: itself where it is maximal.

    Of several, the latest: nodes that are all joined and taken out last are in one clique, which leads on to no other.
    """
    home = list(range(len(cliques)))
    for at in order:
        if len(cliques[at]) > 1:
            first = cliques[at][-1]
            if len(cliques[first]) == len(cliques[at]) - 1:
                home[first] = home[at]
    return home


def table_sizes(
    neighbours: Sequence[AbstractSet[int]], sizes: Sequence[int], order: Sequence[int]
) -> tuple[float, ...]:
    """(cliques,) the entries of the table of each maximal clique."""
    cliques = cliques_of(neighbours, order)
    widths = [float(size) for size in sizes]  # floats: a product beyond all bounds is inf, no error
    home = maximal(cliques, order)
    return tuple(prod(widths[other] for other in cliques[at]) for at in order if home[at] == at)


def check_sizes(neighbours: Sequence[AbstractSet[int]], sizes: Sequence[int]) -> None:
    """Refuse numbers of levels that do not belong to the nodes."""
    if len(sizes) != len(neighbours) or any(size < 1 for size in sizes):
        hint = "give each node its number of levels, 1 or more"
        what = f"{len(sizes)} sizes do not fit {len(neighbours)} nodes"
        raise OptionError("O460", what, place="sizes=", hint=hint)


def _best(neighbours: Sequence[AbstractSet[int]], sizes: Sequence[int], chance: Random) -> tuple[int, ...]:
    start = _Elimination(neighbours, sizes)
    best: tuple[int, ...] = ()
    leader, least, work = GREEDY_ORDERS[0], inf, 0
    for attempt in count():
        trial = start.copy()
        # The first try of each way is exact; random changes of what it looks at then find far better orders.
        way = GREEDY_ORDERS[attempt % len(GREEDY_ORDERS)] if attempt < len(GREEDY_ORDERS) or attempt % 2 else leader
        order = trial.run(way, chance, chance.random() if attempt >= len(GREEDY_ORDERS) else 0.0, least)
        cost = sum(table_sizes(neighbours, sizes, order)) if len(order) == len(sizes) else inf
        if cost < least or not best:
            best, leader, least = tuple(order), way, cost
        work += trial.work + len(sizes)
        if not trial.added or work > min(MOST_TRIAL_STEPS, STEPS_A_ROOT_ENTRY * sqrt(least)):
            break
    return best


class _Elimination:
    """A graph that loses its nodes one by one, with the edges that each would add counted all along.

    Neighbours are bits of whole numbers, each node among its own: to count common ones is a single step.
    """

    def __init__(self, neighbours: Sequence[AbstractSet[int]], sizes: Sequence[int]) -> None:
        self.work = self.added = 0
        self.joined = [sum((1 << other for other in mine), 1 << at) for at, mine in enumerate(neighbours)]
        self.degree = [mask.bit_count() - 1 for mask in self.joined]
        self.logs = [log(size) for size in sizes]
        self.weight = [self.logs[at] + sum(self.logs[other] for other in mine) for at, mine in enumerate(neighbours)]
        self.fill = [self._missing(mask) for mask in self.joined]

    def copy(self) -> _Elimination:
        """The same graph, to be taken apart once more."""
        new = copy(self)
        new.joined, new.degree, new.weight, new.fill = self.joined[:], self.degree[:], self.weight[:], self.fill[:]
        return new

    def run(self, how: str, chance: Random | None = None, spread: float = 0.0, bound: float = inf) -> list[int]:
        """The order of elimination; cut short where a single table is larger than `bound`."""
        ways: dict[str, Sequence[float]] = dict(zip(GREEDY_ORDERS, (self.fill, self.weight, self.degree), strict=True))
        values = ways[how]

        def ranked(at: int) -> tuple[bool, float, int]:
            # Nodes that add no edge first: to take them never makes a clique larger than it must be.
            value = values[at] * (1 + spread * (chance.random() - 0.5)) if chance and spread else values[at]
            return self.fill[at] > 0, value, at

        limit = log(bound) + 1e-9
        current = {at: ranked(at) for at in range(len(self.joined))}
        waiting = list(current.values())
        heapq.heapify(waiting)
        order: list[int] = []
        while waiting:
            rank = heapq.heappop(waiting)
            at = rank[-1]
            if current.get(at) is not rank:  # gone, or ranked again since
                continue
            if self.weight[at] > limit:
                break
            del current[at]
            order.append(at)
            for other in self._take(at):
                current[other] = ranked(other)
                heapq.heappush(waiting, current[other])
        return order

    def _take(self, at: int) -> set[int]:
        """Join the neighbours of a node, then leave it out; the nodes whose counts have changed."""
        around = self.joined[at] ^ (1 << at)
        changed = set(_bits(around))
        for one in _bits(around) if self.fill[at] else ():
            for other in _bits(around & ~self.joined[one] & ~((2 << one) - 1)):
                changed |= self._join(one, other)
        degree = around.bit_count()
        for other in _bits(around):
            self.fill[other] -= self.degree[other] - degree
            self.degree[other] -= 1
            self.weight[other] -= self.logs[at]
            self.joined[other] ^= 1 << at
        self.work += len(changed) + 1
        changed.discard(at)
        return changed

    def _join(self, one: int, other: int) -> set[int]:
        """Add an edge; those whose neighbours it joins, which lack one edge fewer."""
        common = self.joined[one] & self.joined[other]
        shared = set(_bits(common))
        for at in shared:
            self.fill[at] -= 1
        for at, new in ((one, other), (other, one)):
            self.fill[at] += self.degree[at] - len(shared)
            self.degree[at] += 1
            self.weight[at] += self.logs[new]
            self.joined[at] |= 1 << new
        self.work += len(shared)
        self.added += 1
        return shared

    def _missing(self, mask: int) -> int:
        """How many pairs among some nodes are not joined."""
        size = mask.bit_count()
        return sum(size - (mask & self.joined[at]).bit_count() for at in _bits(mask)) // 2


def _bits(mask: int) -> Iterator[int]:
    """The positions that a mask holds, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
