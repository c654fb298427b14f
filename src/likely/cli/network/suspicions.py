"""What is odd about a network: nothing of it is wrong, all of it is worth a second look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from likely.errors import listed

HUGE = 1_000_000  # entries of a table that nobody has counted or judged one by one
NAMES_IN_A_LINE = 8  # names in a line


def suspicions(network: Any) -> Iterator[dict[str, Any]]:
    """{about, nodes, told} of each odd thing."""
    for line in network.notes:
        yield {"about": "reading", "nodes": [], "told": line}
    for about, told, odd in (
        ("one level", "a single level, which says nothing", _single),
        ("alone", "neither parents nor children", _alone),
        ("huge table", f"more than {HUGE:,} entries in a table", _huge),
        ("function", "given the parents nothing is left open, all probabilities are 0 or 1", _functions),
        ("zeros", "probabilities of 0, so that evidence can be impossible", _zeros),
        (
            "ties",
            "zeros tie nodes together: Gibbs sampling needs a check by --method exact or weighting",
            _ties,
        ),
        ("idle arc", "arcs that change nothing: the child is the same whatever the parent", _idle),
        ("impossible level", "levels that never occur", _impossible),
    ):
        nodes = odd(network)
        if nodes:
            yield {"about": about, "nodes": nodes, "told": f"{told}: {listed(nodes, NAMES_IN_A_LINE)}"}
    parts = _parts(network)
    if len(parts) > 1:
        told = f"the network falls into {len(parts):,} parts that tell nothing of each other"
        yield {"about": "parts", "nodes": [part[0] for part in parts], "told": told}
    cost = network.cost()
    if not cost.feasible:
        yield {"about": "cost", "nodes": [], "told": f"exact answers for all nodes: {cost!r}"}


def _single(network: Any) -> list[str]:
    return [node for node in network.nodes if len(network.levels(node)) == 1]


def _alone(network: Any) -> list[str]:
    graph = network.graph
    return [node for node in graph.nodes if not graph.parents_of(node) and not graph.children_of(node)]


def _tables(network: Any) -> Iterator[tuple[str, Any]]:
    return zip(network.nodes, network.factored.tables, strict=True)


def _huge(network: Any) -> list[str]:
    return [node for node, table in _tables(network) if table.size > HUGE]


def _functions(network: Any) -> list[str]:
    """Nodes with several levels that their parents, or nothing, decide."""
    return [node for node, table in _tables(network) if table.shape[-1] > 1 and ((table == 0) | (table == 1)).all()]


def _zeros(network: Any) -> list[str]:
    return [node for node, table in _tables(network) if (table == 0).any() and not ((table == 0) | (table == 1)).all()]


def _ties(network: Any) -> list[str]:
    """Nodes whose possible combinations with their parents are not all combinations of possible levels."""
    from likely.networks.sampling.determinism import ties

    return [node for node, table in _tables(network) if ties(table > 0)]


def _idle(network: Any) -> list[str]:
    """Arcs whose parent makes no difference in the table of the child."""
    return [
        f"{parent} -> {node}"
        for node, table in _tables(network)
        for axis, parent in enumerate(network.graph.parents_of(node))
        if table.shape[axis] > 1 and (table == table.take([0], axis=axis)).all()
    ]


def _impossible(network: Any) -> list[str]:
    """Levels that no possible levels of the parents allow; found without inference, so of any network."""
    import numpy as np

    factored, graph = network.factored, network.graph
    possible: dict[int, Any] = {}
    for at in map(graph.at, graph.order):
        above = np.ix_(*(possible[parent] for parent in graph.parent_places[at]), np.arange(factored.sizes[at]))
        open_ = (factored.tables[at][above] > 0).reshape(-1, factored.sizes[at]).any(axis=0)
        possible[at] = np.flatnonzero(open_)
    return [
        f"{node}={level}"
        for at, node in enumerate(graph.nodes)
        for place, level in enumerate(factored.levels[at])
        if place not in possible[at]
    ]


def _parts(network: Any) -> list[list[str]]:
    """The nodes of each connected part."""
    graph, left, parts = network.graph, dict.fromkeys(network.nodes), []
    while left:
        waiting, part = [next(iter(left))], []
        del left[waiting[0]]
        while waiting:
            node = waiting.pop()
            part.append(node)
            for other in (*graph.parents_of(node), *graph.children_of(node)):
                if other in left:
                    del left[other]
                    waiting.append(other)
        parts.append(part)
    return parts
