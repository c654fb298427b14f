"""The moral graph: arrows without their heads, and parents of one child joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from likely.core.cache import cached_property
from likely.errors import OptionError, nearest
from likely.structures.networkx_graphs import to_undirected

if TYPE_CHECKING:
    from likely.structures.graph import Graph

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, repr=False)
class Moral:
    """Nodes and the pairs that are joined; `added` are those that no arc joined before.

    >>> from likely.structures.graph import Graph
    >>> moral = Graph.of({"x1": [], "x2": [], "x3": ["x1"], "x4": ["x1", "x2"], "x5": ["x2"]}).moral_graph()
    >>> moral.added
    (('x1', 'x2'),)
    >>> moral.neighbours("x2")
    ('x1', 'x4', 'x5')
    """

    nodes: tuple[str, ...]
    edges: Pairs
    added: Pairs

    @classmethod
    def of(cls, graph: Graph) -> Moral:
        """The moral graph of a directed one."""
        arcs = {_pair(parent, child) for child, mine in enumerate(graph.parent_places) for parent in mine}
        married = {_pair(*two) for mine in graph.parent_places for two in combinations(mine, 2)} - arcs
        return cls(graph.nodes, _named(graph.nodes, arcs | married), _named(graph.nodes, married))

    @cached_property
    def neighbour_places(self) -> tuple[frozenset[int], ...]:
        """The positions of the neighbours of each node."""
        places = self._places
        found: list[set[int]] = [set() for _ in self.nodes]
        for one, other in self.edges:
            found[places[one]].add(places[other])
            found[places[other]].add(places[one])
        return tuple(map(frozenset, found))

    def neighbours(self, name: str) -> tuple[str, ...]:
        """The nodes that are joined to one, in order of the nodes."""
        if not isinstance(name, str) or name not in self._places:
            hint = f"name one of the nodes.{nearest(name, self.nodes)}"
            raise OptionError("O452", f"there is no node {name!r}", place="Moral", hint=hint)
        return tuple(self.nodes[at] for at in sorted(self.neighbour_places[self._places[name]]))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.nodes)}

    def to_networkx(self) -> Any:
        """A networkx Graph, its edges marked as `added` or not."""
        return to_undirected(self.nodes, self.edges, self.added)

    def __repr__(self) -> str:
        told = ", ".join(f"{one} - {other}" for one, other in self.added) or "none"
        return f"moral graph of {len(self.nodes)} nodes and {len(self.edges)} edges; joined parents: {told}"


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _named(nodes: Sequence[str], pairs: set[tuple[int, int]]) -> Pairs:
    return tuple((nodes[one], nodes[other]) for one, other in sorted(pairs))
