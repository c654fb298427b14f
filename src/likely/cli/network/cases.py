"""Rows held against a network: values that are no levels, rows that cannot be, and how likely the rest is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from likely.cli.terminal.session import Session
from likely.errors import listed
from likely.output.phrases import plural

VALUES_IN_A_LINE = 8  # rows, columns or values in a line


@dataclass
class Cases:
    """What was found so far."""

    rows: int = 0
    holes: int = 0
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

    source = opened(open_rows(session, data, None), network.nodes, place=data, strangers="ignore")
    seen = Cases()
    with session.notes(), session.watch("checking") as tick:
        for batch in watched(source, tick).read():
            _take(seen, network, batch)
    others = [name for name in source.names if name not in network.nodes]
    absent = [node for node in network.nodes if node not in source.names]
    return _document(seen, data, others, absent), _lines(seen, data, others, absent), seen.fine


def _take(seen: Cases, network: Any, batch: Any) -> None:
    """One batch: values that are no levels are counted, the rows without any are judged by the network."""
    import numpy as np
    import pyarrow as pa

    fits = np.ones(batch.num_rows, dtype=np.bool_)
    nodes = [name for name in batch.schema.names if name in network.nodes]
    for name in nodes:
        column = batch.column(name)
        seen.holes += column.null_count
        fits &= ~_strange(seen, network, name, column)
    seen.unfit += (seen.rows + np.flatnonzero(~fits)).tolist()
    rows = np.flatnonzero(fits)
    told = network.log_likelihood(pa.Table.from_batches([batch.select(nodes)]).take(rows)) if len(rows) else rows
    seen.impossible += (seen.rows + rows[np.isneginf(told)]).tolist()
    seen.log_likelihood += float(told[np.isfinite(told)].sum())
    seen.rows += batch.num_rows


def _strange(seen: Cases, network: Any, name: str, column: Any) -> Any:
    """(rows,): whether the value is no level of its node."""
    import numpy as np

    from likely.data.levels.level_text import spelt_places

    places, values, at = spelt_places(column, network.levels(name))
    odd = places == -2
    counts = np.bincount(at, minlength=len(odd))
    for place in np.flatnonzero(odd & (counts > 0)):
        seen.strange[name, str(values[place])] += int(counts[place])
    return odd[at]


def _document(seen: Cases, data: str, others: list[str], absent: list[str]) -> dict[str, Any]:
    strange = [{"column": name, "value": value, "rows": count} for (name, value), count in seen.strange.most_common()]
    return {
        "data": data,
        "rows": seen.rows,
        "holes": seen.holes,
        "columns_that_are_no_nodes": others,
        "nodes_without_a_column": absent,
        "unknown_levels": strange,
        "rows_with_unknown_levels": seen.unfit,
        "impossible_rows": seen.impossible,
        "log_likelihood": seen.log_likelihood,
        "log_likelihood_per_row": seen.log_likelihood / seen.judged if seen.judged else None,
    }


def _lines(seen: Cases, data: str, others: list[str], absent: list[str]) -> list[str]:
    lines = [f"{data}: {plural(seen.rows, 'row')}, {plural(seen.holes, 'missing value')}"]
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
