"""All graphs that say the same about independence, as one: arrows that they share, pairs that may point either way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likely.structures.networkx_graphs import to_mixed

if TYPE_CHECKING:
    from likely.structures.graph import Graph

Pairs = tuple[tuple[str, str], ...]
PATTERN_LINES_SHOWN = 60  # of a pattern that is printed


@dataclass(frozen=True, repr=False)
class Pattern:
    """The equivalence class of a graph (CPDAG): its members join the same pairs and have the same V-structures.

    `directed` arcs point the same way in all members; `undirected` pairs point this way in some and that way in others.

    >>> from likely.structures.graph import Graph
    >>> pattern = Graph.of([("rain", "wet"), ("hose", "wet"), ("season", "rain")]).equivalence_class()
    >>> pattern
    pattern of 4 nodes: 2 arcs that all members share, 1 pair that may point either way
    rain -> wet
    hose -> wet
    rain - season
    >>> Graph.of([("rain", "wet"), ("hose", "wet"), ("rain", "season")]) in pattern
    True
    """

    nodes: tuple[str, ...]
    directed: Pairs
    undirected: Pairs

    @classmethod
    def of(cls, graph: Graph) -> Pattern:
        """The equivalence class of a graph."""
        fixed = _compelled(graph)
        arcs = [(parent, child) for child, mine in enumerate(graph.parent_places) for parent in mine]
        free = sorted(tuple(sorted(arc)) for arc in arcs if arc not in fixed)
        names = graph.nodes
        directed = tuple((names[one], names[other]) for one, other in arcs if (one, other) in fixed)
        return cls(names, directed, tuple((names[one], names[other]) for one, other in free))

    def same(self, other: Pattern) -> bool:
        """Whether two classes are one, whatever the order of the nodes."""
        return self._sets() == other._sets()

    def to_networkx(self) -> Any:
        """A networkx DiGraph, in which an undirected pair is two arcs; each has the attribute `directed`."""
        return to_mixed(self.nodes, self.directed, self.undirected)

    def __contains__(self, graph: Graph) -> bool:
        return self.same(Pattern.of(graph))

    def __repr__(self) -> str:
        arcs, pairs = len(self.directed), len(self.undirected)
        head = (
            f"pattern of {len(self.nodes)} nodes: {arcs} {'arc' if arcs == 1 else 'arcs'} that all members share, "
            f"{pairs} {'pair' if pairs == 1 else 'pairs'} that may point either way"
        )
        lines = [f"{one} -> {other}" for one, other in self.directed]
        lines += [f"{one} - {other}" for one, other in self.undirected]
        more = [f"... and {len(lines) - PATTERN_LINES_SHOWN} more"] if len(lines) > PATTERN_LINES_SHOWN else []
        return "\n".join([head, *lines[:PATTERN_LINES_SHOWN], *more])

    def _sets(self) -> tuple[frozenset[Any], ...]:
        return frozenset(self.nodes), frozenset(self.directed), frozenset(map(frozenset, self.undirected))


def _compelled(graph: Graph) -> set[tuple[int, int]]:
    """The arcs that all members share, found in one pass from the first nodes on (Chickering 1995)."""
    rank = {graph.places[name]: when for when, name in enumerate(graph.order)}
    parents = [set(mine) for mine in graph.parent_places]
    into: list[set[int]] = [set() for _ in parents]  # the parents whose arcs are compelled
    for child in (child for child in rank if parents[child]):
        near = max(parents[child], key=rank.__getitem__)
        # To turn the nearest one round would undo a V-structure, or make a new one: then all arcs stay as they are.
        fixed = parents[child] - {near} - parents[near] or not into[near] <= parents[child]
        into[child] |= parents[child] if fixed else into[near]
    return {(parent, child) for child, mine in enumerate(into) for parent in mine}
