"""Graphs handed to networkx and taken from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from likely.errors import OptionError

Pairs = Iterable[tuple[str, str]]


def to_digraph(nodes: Sequence[str], parents: Sequence[Sequence[str]]) -> Any:
    """A networkx DiGraph; each node notes its `parents`, whose order arcs alone would not keep for certain."""
    digraph = _networkx().DiGraph()
    for name, mine in zip(nodes, parents, strict=True):
        digraph.add_node(name, parents=tuple(mine))
    for name, mine in zip(nodes, parents, strict=True):
        digraph.add_edges_from((parent, name) for parent in mine)
    return digraph


def to_mixed(nodes: Sequence[str], directed: Pairs, undirected: Pairs) -> Any:
    """A networkx DiGraph, in which a pair without a direction is two arcs; `directed` marks each."""
    digraph = _networkx().DiGraph()
    digraph.add_nodes_from(nodes)
    digraph.add_edges_from(directed, directed=True)
    digraph.add_edges_from((arc for one, other in undirected for arc in ((one, other), (other, one))), directed=False)
    return digraph


def to_undirected(nodes: Sequence[str], edges: Pairs, added: Iterable[tuple[str, str]]) -> Any:
    """A networkx Graph; `added` marks the edges that are new."""
    graph, new = _networkx().Graph(), set(added)
    graph.add_nodes_from(nodes)
    for edge in edges:
        graph.add_edge(*edge, added=edge in new)
    return graph


def parents_in(digraph: Any) -> dict[Any, tuple[Any, ...]]:
    """The parents of each node of a networkx DiGraph, in the order that `to_digraph` noted where it did."""
    if not digraph.is_directed():
        hint = "give a networkx.DiGraph: arrows lead from parents to children"
        raise OptionError("O455", "the graph has no directions", place="Graph.of", hint=hint)
    return {name: _ordered(list(digraph.predecessors(name)), told) for name, told in digraph.nodes(data=True)}


def _ordered(mine: list[Any], told: dict[str, Any]) -> tuple[Any, ...]:
    """As noted; parents that have been added since come last."""
    noted = told.get("parents")
    first = [name for name in noted if name in mine] if isinstance(noted, tuple | list) else []
    return tuple(dict.fromkeys([*first, *mine]))


def _networkx() -> Any:
    try:
        return import_module("networkx")
    except ImportError:
        hint = "pip install 'likely[networkx]'"
        raise OptionError("O459", "networkx is not installed", place="to_networkx", hint=hint) from None
