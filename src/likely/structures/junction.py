"""Cliques of a triangulated graph, as a tree along which beliefs are passed."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import prod

from likely.errors import OptionError
from likely.structures.triangulation import check_sizes, cliques_of, eliminate, maximal


@dataclass(frozen=True)
class JunctionTree:
    """Maximal cliques of positions, parents before children; what two cliques share is in all cliques between them.

    A clique names its nodes from the latest in `order` to the earliest, so that its separator, what it shares with its
    parent, comes first. Roots have the parent -1; each connected component of the graph has a root. `cost` is the
    number of entries of all tables together, `largest` that of the largest one.

    >>> junction_tree([{1}, {0, 2}, {1}], [2, 2, 3], order=(0, 1, 2))
    JunctionTree(cliques=((2, 1), (1, 0)), parents=(-1, 0), separators=((), (1,)), order=(0, 1, 2), cost=10.0,
                 largest=6.0, width=1)
    """

    cliques: tuple[tuple[int, ...], ...]
    parents: tuple[int, ...]
    separators: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    cost: float
    largest: float
    width: int


def junction_tree(
    graph_neighbours: Sequence[AbstractSet[int]], sizes: Sequence[int], order: Sequence[int] | None = None
) -> JunctionTree:
    """The junction tree of an undirected graph, its nodes taken out in this order, by default in the best one found."""
    check_sizes(graph_neighbours, sizes)
    taken = eliminate(graph_neighbours, sizes) if order is None else tuple(order)
    if sorted(taken) != list(range(len(sizes))):
        hint = f"name each of the positions 0 to {len(sizes) - 1} once"
        raise OptionError("O457", "the order is not one of all nodes", place="order=", hint=hint)
    found = cliques_of(graph_neighbours, taken)
    home = maximal(found, taken)
    # The latest node whose home is a clique leads on to its parent: from the last of these on, parents come first.
    top = {home[at]: at for at in taken}
    turn = {at: when for when, at in enumerate(taken)}
    tops = sorted(top.items(), key=lambda pair: -turn[pair[1]])
    listed = {clique: place for place, (clique, _) in enumerate(tops)}
    cliques = tuple((*found[clique][1:], clique) for clique, _ in tops)
    above = [found[top][1:] for _, top in tops]
    parents = tuple(listed[home[rest[-1]]] if rest else -1 for rest in above)
    tables = [prod(float(sizes[at]) for at in clique) for clique in cliques]
    return JunctionTree(
        cliques=cliques,
        parents=parents,
        separators=tuple(map(tuple, above)),
        order=taken,
        cost=float(sum(tables)),
        largest=max(tables, default=0.0),
        width=max(map(len, cliques), default=0) - 1,
    )
