"""What the graph of a network says without any table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from likely.structures.graph import Graph
from likely.structures.moral import Moral
from likely.structures.pattern import Pattern
from likely.structures.separation import Trail

Names = str | Iterable[str]


class GraphMethods:
    """Questions about `graph`, asked of the network itself."""

    graph: Graph

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return self.graph.nodes

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """(parent, child) of every arc."""
        return self.graph.edges

    def parents(self, node: str) -> tuple[str, ...]:
        """The parents of a node, in the order of its table.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.parents("either")
        ('lung', 'tub')
        """
        return self.graph.parents_of(node)

    def children(self, node: str) -> tuple[str, ...]:
        """The children of a node.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.children("either")
        ('xray', 'dysp')
        """
        return self.graph.children_of(node)

    def markov_blanket(self, node: str) -> tuple[str, ...]:
        """Parents, children and other parents of these: given them, a node depends on nothing else.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.markov_blanket("either")
        ('tub', 'lung', 'bronc', 'xray', 'dysp')
        """
        return self.graph.markov_blanket(node)

    def d_separated(self, a: Names, b: Names, given: Names = ()) -> bool:
        """Whether a tells nothing of b once `given` is known, whatever the tables.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.d_separated("asia", "smoke"), net.d_separated("asia", "smoke", given="dysp")
        (True, False)
        """
        return self.graph.d_separated(a, b, given)

    def active_trail(self, a: Names, b: Names, given: Names = ()) -> Trail | None:
        """A shortest way by which a tells of b, with the reason why each step is open; None where there is none.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.active_trail("tub", "lung", given="xray")
        tub -> either <- lung
        """
        return self.graph.active_trail(a, b, given)

    def moral_graph(self) -> Moral:
        """Arcs without directions, and parents of one child joined.

        >>> from likely.networks import asia
        >>> len(asia().edges), len(asia().moral_graph().edges)
        (8, 10)
        """
        return self.graph.moral_graph()

    def equivalence_class(self) -> Pattern:
        """The arcs whose direction every graph with the same independences shares, and those that may be turned.

        >>> from likely.networks import asia
        >>> asia().equivalence_class().undirected
        (('asia', 'tub'), ('smoke', 'lung'), ('smoke', 'bronc'))
        """
        return self.graph.equivalence_class()

    def to_networkx(self) -> Any:
        """The graph as a networkx DiGraph.

        >>> from likely.networks import asia
        >>> asia().to_networkx().number_of_edges()
        8
        """
        return self.graph.to_networkx()
