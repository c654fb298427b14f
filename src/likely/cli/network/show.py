"""likely network show: what a network is made of, or one of its nodes."""

from __future__ import annotations

from typing import Annotated, Any

from likely.cli.network import arguments
from likely.cli.network.arguments import node_of, open_network, read_evidence
from likely.cli.options import option
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.pictures import check_pictures, keep_picture
from likely.cli.terminal.session import Session
from likely.output.phrases import plural

EXAMPLE = "likely network show alarm.bif --plot alarm.svg -e CO=LOW"


def run(
    session: Session,
    network: arguments.File,
    node: Annotated[str | None, option("--node -n NODE", "One node: its table, neighbours and belief.")] = None,
    tables: Annotated[bool, option("--tables", "Also every table.")] = False,
    evidence: arguments.Evidence = None,
    plot: arguments.Plot = None,
    form: arguments.Form = None,
) -> None:
    """Show nodes, levels, parents, tables and what exact answers cost; --plot draws it with beliefs as bars."""
    check_pictures(plot)
    if evidence and plot is None and node is None:
        hint = "say --plot or --node too, or ask: likely network query"
        raise UsageError("U110", "--evidence changes beliefs, and none are shown", place="--evidence", hint=hint)
    found = open_network(session, network, form)
    known = read_evidence(found, evidence)
    document: dict[str, Any] = {"network": network, "evidence": known}
    if node is None:
        document |= describe(found)
        title = f"{network}: {plural(len(found.nodes), 'node')}, {plural(len(found.edges), 'arc')}"
        lines = [title, _nodes(document), *_facts(document)]
    else:
        document |= _node(found, node_of(found, node, "--node"), known)
        lines = _told(found, document, known)
    if tables:
        document["tables"] = {name: found.table(name).to_dict() for name in found.nodes}
        lines += [f"\n{found.table(name)!r}" for name in found.nodes]
    part = None if node is None else [node, *document["markov_blanket"]]
    plot = keep_picture(session, lambda: found.plot(evidence=known or None, nodes=part), plot)
    session.answer(document, picture=plot)
    session.say(*lines)
    session.say_places(picture=plot)


def describe(network: Any) -> dict[str, Any]:
    """The facts of a network, as plain data."""
    factored, graph, cost = network.factored, network.graph, network.cost()
    largest = max(range(len(graph.nodes)), key=lambda at: factored.tables[at].size, default=None)
    return {
        "name": network.name,
        "nodes": [
            {"name": name, "levels": list(levels), "parents": list(parents), "entries": table.size}
            for name, levels, parents, table in zip(
                graph.nodes, factored.levels, graph.parents, factored.tables, strict=True
            )
        ],
        "arcs": [list(arc) for arc in graph.edges],
        "roots": list(graph.roots),
        "leaves": list(graph.leaves),
        "parameters": factored.parameters,
        "entries": sum(table.size for table in factored.tables),
        "largest_table": None if largest is None else graph.nodes[largest],
        "exact": {
            "width": cost.width,
            "entries": cost.entries,
            "largest": cost.largest,
            "gibibytes": cost.gibibytes,
            "feasible": cost.feasible,
            "told": repr(cost),
        },
        "notes": list(network.notes),
    }


def _nodes(told: dict[str, Any]) -> Any:
    from likely.cli.terminal.render import table

    shown = table("", "node", "levels", "parents", "entries")
    shown.columns[3].justify = "right"
    for one in told["nodes"]:
        shown.add_row(one["name"], ", ".join(map(str, one["levels"])), ", ".join(one["parents"]), f"{one['entries']:,}")
    return shown


def _facts(told: dict[str, Any]) -> list[str]:
    nodes = told["nodes"]
    sizes, parents = [len(one["levels"]) for one in nodes], [len(one["parents"]) for one in nodes]
    largest = next((one for one in nodes if one["name"] == told["largest_table"]), None)
    lines = [] if largest is None else [f"largest   {largest['name']}, {largest['entries']:,} entries"]
    return [
        *([f"name      {told['name']}"] if told["name"] else []),
        f"levels    {min(sizes, default=0)} to {max(sizes, default=0)} a node",
        f"parents   up to {max(parents, default=0)}; {plural(len(told['roots']), 'node')} without",
        f"children  {plural(len(told['leaves']), 'node')} without",
        f"tables    {told['entries']:,} entries, {told['parameters']:,} of them independent",
        *lines,
        f"exact     {told['exact']['told']}",
    ]


def _node(network: Any, node: str, known: dict[str, Any]) -> dict[str, Any]:
    """The facts of one node, as plain data."""
    graph = network.graph
    return {
        "node": node,
        "levels": list(network.levels(node)),
        "parents": list(graph.parents_of(node)),
        "children": list(graph.children_of(node)),
        "markov_blanket": list(graph.markov_blanket(node)),
        "table": network.table(node).to_dict(),
        "belief": network.query(node, known).to_dict(),
    }


def _told(network: Any, told: dict[str, Any], known: dict[str, Any]) -> list[Any]:
    names = {"parents": "parents", "children": "children", "markov_blanket": "blanket"}
    node = told["node"]
    lines = [f"{word:<9} {', '.join(told[key]) or 'none'}" for key, word in names.items()]
    return [repr(network.table(node)), "", *lines, "", repr(network.query(node, known))]
