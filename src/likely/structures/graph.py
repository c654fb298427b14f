"""Which node has which parents: a directed graph without a circle, as a value that answers questions about itself."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from likely.core.cache import cached_property
from likely.errors import OptionError, nearest
from likely.output.phrases import plural
from likely.structures import separation
from likely.structures.cycle import shortest_circle
from likely.structures.moral import Moral
from likely.structures.networkx_graphs import parents_in, to_digraph
from likely.structures.pattern import Pattern
from likely.structures.separation import Names, Trail

GRAPH_LINES_SHOWN = 60  # of a graph that is printed
CYCLE_NODES_NAMED = 12  # nodes of a circle that are named


@dataclass(frozen=True, repr=False)
class Graph:
    """The parents of each node, in an order that tables rely on.

    >>> graph = Graph.of({"x1": [], "x2": [], "x3": ["x1"], "x4": ["x1", "x2"], "x5": ["x2"]})
    >>> graph
    graph of 5 nodes and 4 arcs
    x1
    x2
    x3 <- x1
    x4 <- x1, x2
    x5 <- x2
    >>> graph.markov_blanket("x1")
    ('x2', 'x3', 'x4')
    """

    nodes: tuple[str, ...]
    parents: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        _check_names(self.nodes, self.parents)
        _check_circle(self)

    @classmethod
    def of(cls, what: Any) -> Graph:
        """The graph of a mapping from nodes to their parents, of arcs (parent, child), or of a networkx DiGraph.

        Nodes that are named only as parents become roots, after the others.

        >>> Graph.of([("rain", "wet"), ("hose", "wet")]).parents_of("wet")
        ('rain', 'hose')
        """
        if isinstance(what, Graph):
            return what
        if hasattr(what, "is_directed"):
            what = parents_in(what)
        parents = _mapped(what) if isinstance(what, Mapping) else _gathered(what)
        for name in [name for mine in parents.values() for name in mine]:
            parents.setdefault(name, ())
        return cls(tuple(parents), tuple(map(tuple, parents.values())))

    @classmethod
    def placed(cls, nodes: tuple[str, ...], parents: Iterable[Iterable[int]]) -> Graph:
        """The graph of nodes whose parents are positions."""
        return cls(nodes, tuple(tuple(nodes[at] for at in mine) for mine in parents))

    @cached_property
    def places(self) -> dict[str, int]:
        """The position of each node."""
        return {name: at for at, name in enumerate(self.nodes)}

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """(parent, child) of every arc, children in order of the nodes."""
        pairs = zip(self.nodes, self.parents, strict=True)
        return tuple((parent, child) for child, mine in pairs for parent in mine)

    @cached_property
    def parent_places(self) -> tuple[tuple[int, ...], ...]:
        """The positions of the parents of each node."""
        return tuple(tuple(self.places[name] for name in mine) for mine in self.parents)

    @cached_property
    def child_places(self) -> tuple[tuple[int, ...], ...]:
        """The positions of the children of each node, in order of the nodes."""
        children: list[list[int]] = [[] for _ in self.nodes]
        for child, mine in enumerate(self.parent_places):
            for parent in mine:
                children[parent].append(child)
        return tuple(map(tuple, children))

    @cached_property
    def children(self) -> tuple[tuple[str, ...], ...]:
        """The children of each node, in order of the nodes."""
        return tuple(self.named(mine) for mine in self.child_places)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The nodes, every parent before its children; as they were given wherever that is possible."""
        return self.named(_sorted(self.parent_places, self.child_places))

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The nodes that have no parent."""
        return tuple(name for name, mine in zip(self.nodes, self.parents, strict=True) if not mine)

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The nodes that have no child."""
        return tuple(name for name, mine in zip(self.nodes, self.child_places, strict=True) if not mine)

    def at(self, name: str, place: str = "the graph") -> int:
        """The position of a node."""
        at = self.places.get(name) if isinstance(name, str) else None
        if at is None:
            hint = f"name one of the nodes.{nearest(name, self.nodes)}"
            raise OptionError("O452", f"there is no node {name!r}", place=place, hint=hint)
        return at

    def parents_of(self, name: str) -> tuple[str, ...]:
        """The parents of a node, in their own order."""
        return self.parents[self.at(name)]

    def children_of(self, name: str) -> tuple[str, ...]:
        """The children of a node, in order of the nodes."""
        return self.children[self.at(name)]

    def ancestors(self, names: Names) -> tuple[str, ...]:
        """All nodes from which arrows lead to one of these, without themselves."""
        return self._reached(names, self.parent_places)

    def descendants(self, names: Names) -> tuple[str, ...]:
        """All nodes to which arrows lead from one of these, without themselves."""
        return self._reached(names, self.child_places)

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """Parents, children and other parents of these: given them, a node depends on nothing else."""
        at = self.at(name)
        blanket = {*self.parent_places[at], *self.child_places[at]}
        blanket |= {spouse for child in self.child_places[at] for spouse in self.parent_places[child]}
        return self.named(sorted(blanket - {at}))

    def several(self, names: Names, place: str = "the graph") -> tuple[int, ...]:
        """The positions of one node or several, each once."""
        if names is None:
            return ()
        if isinstance(names, str) or not isinstance(names, Iterable):
            names = (names,)
        return tuple(dict.fromkeys(self.at(name, place) for name in names))

    def named(self, places: Iterable[int]) -> tuple[str, ...]:
        """The names of some positions."""
        return tuple(self.nodes[at] for at in places)

    def upwards(self, places: Iterable[int]) -> set[int]:
        """The positions of some nodes and of all their ancestors."""
        return reached(places, self.parent_places)

    def moral_graph(self) -> Moral:
        """The graph without directions in which parents of one child are joined."""
        return Moral.of(self)

    def d_separated(self, a: Names, b: Names, given: Names = ()) -> bool:
        """Whether one group of nodes is independent of another once some are given, whatever the tables hold.

        >>> graph = Graph.of([("x1", "x3"), ("x1", "x4"), ("x2", "x4"), ("x2", "x5")])
        >>> graph.d_separated("x3", "x4"), graph.d_separated("x3", "x4", given="x1")
        (False, True)
        """
        return separation.separated(self, a, b, given)

    def active_trail(self, a: Names, b: Names, given: Names = ()) -> Trail | None:
        """A shortest trail along which one group of nodes tells of another, or None where they are d-separated."""
        return separation.active_trail(self, a, b, given)

    def connection(self, a: str, b: str, c: str) -> str | None:
        """How `b` joins `a` and `c`, or None where it does not.

        "chain": an arrow in, one out (sequential); "fork": both out (common parent); "collider": both in (V-structure).
        """
        return separation.connection(self, a, b, c)

    def connections(self) -> tuple[tuple[str, str, str, str], ...]:
        """(a, middle, c, "chain" | "fork" | "collider") of all triples that are joined; chains run along the arrows."""
        return separation.connections(self)

    def equivalence_class(self) -> Pattern:
        """All graphs that say the same about independence (CPDAG)."""
        return Pattern.of(self)

    def equivalent(self, other: Graph) -> bool:
        """Whether another graph says the same about independence."""
        return self.equivalence_class().same(Pattern.of(Graph.of(other)))

    def to_networkx(self) -> Any:
        """A networkx DiGraph, of which `Graph.of` makes the same graph again."""
        return to_digraph(self.nodes, self.parents)

    def _reached(self, names: Names, steps: Sequence[Sequence[int]]) -> tuple[str, ...]:
        start = self.several(names)
        return self.named(sorted(reached(start, steps).difference(start)))

    @property
    def size(self) -> str:
        """How many nodes and arcs there are, in words."""
        return f"{plural(len(self.nodes), 'node')} and {plural(len(self.edges), 'arc')}"

    def __repr__(self) -> str:
        head = f"graph of {self.size}"
        pairs = list(zip(self.nodes, self.parents, strict=True))
        lines = [f"{name} <- {', '.join(mine)}" if mine else name for name, mine in pairs[:GRAPH_LINES_SHOWN]]
        more = [f"... and {len(pairs) - GRAPH_LINES_SHOWN} more"] if len(pairs) > GRAPH_LINES_SHOWN else []
        return "\n".join([head, *lines, *more])


def reached(start: Iterable[int], steps: Sequence[Sequence[int]]) -> set[int]:
    """All positions that steps lead to from some, these among them."""
    found = set(start)
    waiting = list(found)
    while waiting:
        new = [at for at in steps[waiting.pop()] if at not in found]
        found.update(new)
        waiting += new
    return found


def _sorted(parents: Sequence[Sequence[int]], children: Sequence[Sequence[int]]) -> list[int]:
    """Parents before children, the earliest of those that are free first; nodes in or behind a circle are left out."""
    missing = [len(mine) for mine in parents]
    free = [at for at, count in enumerate(missing) if not count]  # ascending, so a heap
    order = []
    while free:
        at = heapq.heappop(free)
        order.append(at)
        for child in children[at]:
            missing[child] -= 1
            if not missing[child]:
                heapq.heappush(free, child)
    return order


def _check_circle(graph: Graph) -> None:
    if len(graph.order) == len(graph.nodes):
        return
    circle = graph.named(shortest_circle(graph.parent_places, graph.child_places))
    shown = (*circle[:CYCLE_NODES_NAMED], "...", circle[-1]) if len(circle) > CYCLE_NODES_NAMED + 1 else circle
    told, hint = " -> ".join(shown), "leave one of these arcs out, or turn it round"
    raise OptionError("O451", f"the arcs run in a circle: {told}", place="Graph(parents=)", hint=hint, about=told)


def _check_names(nodes: Sequence[str], parents: Sequence[Sequence[str]]) -> None:
    _check_texts(nodes)
    if len(set(nodes)) < len(nodes):
        raise _refusal("two nodes have one name", "give each a name of its own")
    if len(nodes) != len(parents):
        raise _refusal("nodes and parents do not fit together", "give each node a tuple of parents, () to a root")
    known = set(nodes)
    for child, mine in zip(nodes, parents, strict=True):
        _check_texts(mine)
        if len(set(mine)) < len(mine):
            raise _refusal(f"{child!r} has a parent twice", "name each parent once")
        for name in mine:
            if name not in known:
                hint = f"a parent is one of the nodes.{nearest(name, nodes)}"
                raise OptionError("O452", f"there is no node {name!r}", place=f"parents of {child!r}", hint=hint)


def _check_texts(names: Iterable[Any]) -> None:
    for name in names:
        if not isinstance(name, str) or not name:
            raise _refusal(f"the name of a node is text, not {name!r}", "write it in quotes, with at least one letter")


def _refusal(what: str, hint: str) -> OptionError:
    return OptionError("O453", what, place="Graph", hint=hint)


def _mapped(parents: Mapping[Any, Any]) -> dict[str, tuple[str, ...]]:
    """The parents of each node; one name stands for a single parent."""
    told = {}
    for name, mine in parents.items():
        if not isinstance(mine, str | Iterable):
            raise _refusal(f"the parents of {name!r} are no names: {mine!r}", "give a list of names, [] to a root")
        told[name] = (mine,) if isinstance(mine, str) else tuple(mine)
        _check_texts(told[name])
    return told


def _gathered(arcs: Any) -> dict[str, tuple[str, ...]]:
    """The parents of each node by arcs, nodes in the order in which they are first named."""
    hint = 'give arcs as [("parent", "child"), ...], or a mapping from each node to its parents'
    if isinstance(arcs, str) or not isinstance(arcs, Iterable):
        raise _refusal(f"this is no graph: {arcs!r}", hint)
    parents: dict[str, tuple[str, ...]] = {}
    for arc in arcs:
        if not isinstance(arc, tuple | list) or len(arc) != 2 or not all(isinstance(name, str) for name in arc):
            raise _refusal(f"this is no arc: {arc!r}", hint)
        parents.setdefault(arc[0], ())
        parents[arc[1]] = (*parents.get(arc[1], ()), arc[0])
    return parents
