"""likely network check: is a file of a network sound, and do rows fit it?

What is odd about a network: nothing of it is wrong, all of it is worth a second look. Rows are held against it: values
that are no levels, rows that cannot be, and how likely the rest is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from likely.cli.network import arguments
from likely.cli.network.show import describe
from likely.cli.options import option
from likely.cli.terminal.failures import DATA
from likely.cli.terminal.session import Session
from likely.errors import listed
from likely.output.phrases import plural

EXAMPLE = "likely network check alarm.bif --data cases.csv"
HUGE = 1_000_000  # entries of a table that nobody has counted or judged one by one
NAMES_IN_A_LINE = 8  # names in a line
VALUES_IN_A_LINE = 8  # rows, columns or values in a line


def run(
    session: Session,
    network: arguments.File,
    data: Annotated[
        str | None, option("--data DATA", "Rows to hold against the network; values may be missing.")
    ] = None,
    form: arguments.Form = None,
) -> None:
    """Read a network and say what is odd; with --data, which rows do not fit (exit code 3) and how likely they are."""
    from likely.networks import Network

    with session.watch("reading", unit=""):
        found = Network.read(network, format=form)
    with session.watch("checking", unit=""):
        odd, facts = list(suspicions(found)), describe(found)
    told: tuple[dict[str, Any] | None, list[str], bool] = (None, [], True)
    if data is not None:
        told = check_cases(session, found, data)
    document, lines, fine = told
    exact = facts["exact"]
    counts = (len(found.nodes), "node"), (len(found.edges), "arc"), (facts["parameters"], "parameter")
    session.answer({"network": network, "fine": fine, "exact": exact, "suspicions": odd, "data": document})
    session.say(
        f"{network}: {', '.join(plural(*one) for one in counts)}",
        f"exact answers: {exact['told']}",
        *(f"look twice: {one['told']}" for one in odd),
        *([] if odd else ["nothing is odd"]),
        *lines,
    )
    if not fine:
        raise typer.Exit(DATA)


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
        yield {"about": "parts", "nodes": parts, "told": told}
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


def _parts(network: Any) -> list[str]:
    """The first node of each connected part."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph, size = network.graph, (len(network.nodes),) * 2
    ends = np.array([[graph.at(end) for end in arc] for arc in graph.edges], dtype=np.int64).reshape(-1, 2)
    _, part = connected_components(coo_array((np.ones(len(ends)), tuple(ends.T)), shape=size), directed=False)
    return [graph.nodes[at] for at in np.unique(part, return_index=True)[1]]


@dataclass
class CheckFindings:
    """What was found so far."""

    rows: int = 0
    missing: int = 0
    strange: Counter[tuple[str, str]] = field(default_factory=Counter)  # (column, value) -> rows
    unfit: list[int] = field(default_factory=list)  # rows with a value that is no level
    impossible: list[int] = field(default_factory=list)
    log_likelihood: float = 0.0

    @property
    def fine(self) -> bool:
        return not (self.unfit or self.impossible)

    @property
    def judged(self) -> int:
        return self.rows - len(self.unfit) - len(self.impossible)


def check_cases(session: Session, network: Any, data: str) -> tuple[dict[str, Any], list[str], bool]:
    """(the facts, lines to show, whether every row fits) of a file of rows."""
    from likely.cli.inputs import open_rows
    from likely.data.tables import open_rows as opened
    from likely.estimators.streams import watched

    source = opened(
        open_rows(session, data, None, levels={node: network.levels(node) for node in network.nodes}),
        network.nodes,
        place=data,
        strangers="ignore",
    )
    seen = CheckFindings()
    with session.notes(), session.watch("checking") as tick:
        for batch in watched(source, tick).read():
            _take(seen, network, batch)
    others = [name for name in source.names if name not in network.nodes]
    absent = [node for node in network.nodes if node not in source.names]
    return _document(seen, data, others, absent), _lines(seen, data, others, absent), seen.fine


def _take(seen: CheckFindings, network: Any, batch: Any) -> None:
    """One batch: values that are no levels are counted, the rows without any are judged by the network."""
    import numpy as np
    import pyarrow as pa

    fits = np.ones(batch.num_rows, dtype=np.bool_)
    nodes = [name for name in batch.schema.names if name in network.nodes]
    for name in nodes:
        column = batch.column(name)
        seen.missing += column.null_count
        fits &= ~_strange(seen, network, name, column)
    seen.unfit += (seen.rows + np.flatnonzero(~fits)).tolist()
    rows = np.flatnonzero(fits)
    told = network.log_likelihood(pa.Table.from_batches([batch.select(nodes)]).take(rows)) if len(rows) else rows
    seen.impossible += (seen.rows + rows[np.isneginf(told)]).tolist()
    seen.log_likelihood += float(told[np.isfinite(told)].sum())
    seen.rows += batch.num_rows


def _strange(seen: CheckFindings, network: Any, name: str, column: Any) -> Any:
    """(rows,): whether the value is no level of its node."""
    import numpy as np

    from likely.data.levels.level_text import spelt_places

    places, values, at = spelt_places(column, network.levels(name))
    odd = places == -2
    counts = np.bincount(at, minlength=len(odd))
    for place in np.flatnonzero(odd & (counts > 0)):
        seen.strange[name, str(values[place])] += int(counts[place])
    return odd[at]


def _document(seen: CheckFindings, data: str, others: list[str], absent: list[str]) -> dict[str, Any]:
    strange = [{"column": name, "value": value, "rows": count} for (name, value), count in seen.strange.most_common()]
    return {
        "data": data,
        "rows": seen.rows,
        "missing": seen.missing,
        "columns_that_are_no_nodes": others,
        "nodes_without_a_column": absent,
        "unknown_levels": strange,
        "rows_with_unknown_levels": seen.unfit,
        "impossible_rows": seen.impossible,
        "log_likelihood": seen.log_likelihood,
        "log_likelihood_per_row": seen.log_likelihood / seen.judged if seen.judged else None,
    }


def _lines(seen: CheckFindings, data: str, others: list[str], absent: list[str]) -> list[str]:
    lines = [f"{data}: {plural(seen.rows, 'row')}, {plural(seen.missing, 'missing value')}"]
    if others:
        lines.append(f"look twice: no nodes are the columns {listed(others, VALUES_IN_A_LINE)}")
    if absent:
        lines.append(f"look twice: no column is there for the nodes {listed(absent, VALUES_IN_A_LINE)}")
    for (name, value), count in seen.strange.most_common(VALUES_IN_A_LINE):
        lines.append(f"does not fit: {name!r} has no level {value!r}, in {plural(count, 'row')}")
    if seen.impossible:
        some = ", ".join(map(str, seen.impossible[:VALUES_IN_A_LINE]))
        lines.append(f"impossible: {plural(len(seen.impossible), 'row')}, such as {some}")
    if seen.judged:
        each = seen.log_likelihood / seen.judged
        which = "all" if seen.fine else "the other"
        lines.append(f"log likelihood of {which} rows: {each:.4f} a row, {seen.log_likelihood:,.6g} in all")
    return lines
