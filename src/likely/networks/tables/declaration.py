"""Networks written by hand: each node with its levels, its parents and the rows of its table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from likely.core.schema import Level, plain
from likely.data.levels.level_text import declared_levels, spellings
from likely.errors import OptionError, listed
from likely.networks.tables.joint import Factored
from likely.networks.tables.table import NoisyOr, ProbabilityTable, level_place, refuse_large_table
from likely.structures.graph import Graph

DECLARATION_HINT = (
    "say {level: probability}, (parents, {parent levels: {level: probability}}), (parents, array), or just parents"
)


class NodeSpec(NamedTuple):
    """What was said of a node: its parents, and its table in one form or another; None where there is none."""

    parents: tuple[str, ...]
    told: Any
    levels: tuple[Level, ...]


def build(nodes: Any, levels: Mapping[str, Sequence[Any]] | None) -> tuple[Graph, Factored | None, tuple[str, ...]]:
    """The graph, its tables if there are any, and what had to be scaled."""
    if not isinstance(nodes, Mapping):
        return Graph.of(nodes), None, ()
    specs = {name: _spec(name, told) for name, told in nodes.items()}
    graph = Graph.of({name: spec.parents for name, spec in specs.items()})
    without = [name for name in graph.nodes if name not in specs or specs[name].told is None]
    if len(without) == len(graph.nodes):
        return graph, None, ()
    if without:
        what = f"{listed(without, 8)} {'has' if len(without) == 1 else 'have'} no table"
        raise OptionError(
            "O465", what, place="Network({...})", hint=f"give every node a table, or none: {DECLARATION_HINT}"
        )
    said = declared_levels(graph.nodes, levels)
    known = {name: said.get(name) or spec.levels for name, spec in specs.items()}
    for name, mine in known.items():
        if not mine:
            hint = f"name them: levels={{{name!r}: [...]}}"
            raise OptionError("O469", f"the levels of {name!r} are not known", place=f"node {name!r}", hint=hint)
    tables = [_table(name, specs[name], known) for name in graph.nodes]
    factored = Factored(graph, tuple(known[name] for name in graph.nodes), tuple(table.values for table in tables))
    return graph, factored, tuple(note for table in tables for note in table.notes)


def _spec(name: str, told: Any) -> NodeSpec:
    if isinstance(told, ProbabilityTable):
        return NodeSpec(told.parents, told.values, told.levels)
    if isinstance(told, NoisyOr):
        return NodeSpec(tuple(told.parents), told, tuple(map(plain, told.levels)))
    if isinstance(told, Mapping) and {"table", "parents"} & set(told) and not _are_numbers(told.values()):
        rows = told.get("table")
        return NodeSpec(_parents(name, told.get("parents", ())), rows, _levels(told.get("levels")) or _named(rows))
    if isinstance(told, Mapping):
        return NodeSpec((), told, _named({(): told}))
    if isinstance(told, str):
        return NodeSpec((told,), None, ())
    if isinstance(told, tuple | list) and len(told) == 2 and not isinstance(told[1], str) and _lists_names(told[0]):
        return NodeSpec(_parents(name, told[0]), told[1], _named(told[1]))
    if isinstance(told, tuple | list) and all(isinstance(one, str) for one in told):
        return NodeSpec(tuple(told), None, ())
    if isinstance(told, tuple | list | np.ndarray):
        return NodeSpec((), told, ())
    raise OptionError("O465", f"{told!r} says nothing of a node", place=f"node {name!r}", hint=DECLARATION_HINT)


def _are_numbers(told: Iterable[Any]) -> bool:
    return all(isinstance(one, int | float | np.number) for one in told)


def _lists_names(told: Any) -> bool:
    return isinstance(told, str) or (isinstance(told, tuple | list) and all(isinstance(one, str) for one in told))


def _parents(name: str, told: Any) -> tuple[str, ...]:
    if not _lists_names(told):
        raise OptionError(
            "O465", f"the parents of {name!r} are no names", place=f"node {name!r}", hint=DECLARATION_HINT
        )
    return (told,) if isinstance(told, str) else tuple(told)


def _levels(told: Any) -> tuple[Level, ...]:
    return tuple(map(plain, told)) if told is not None else ()


def _named(rows: Any) -> tuple[Level, ...]:
    """The levels that rows name, in the order in which they first do."""
    if not isinstance(rows, Mapping):
        return ()
    if rows and not any(isinstance(row, Mapping) for row in rows.values()):
        return tuple(map(plain, rows)) if _are_numbers(rows.values()) else ()
    return tuple(dict.fromkeys(plain(level) for row in rows.values() if isinstance(row, Mapping) for level in row))


def _table(name: str, spec: NodeSpec, levels: Mapping[str, tuple[Level, ...]]) -> ProbabilityTable:
    above = {parent: levels[parent] for parent in spec.parents}
    if isinstance(spec.told, NoisyOr):
        return spec.told.table(name, above)
    values = spec.told
    if isinstance(values, Mapping):
        values = _rows(name, spec, levels[name], above)
    return ProbabilityTable(name, levels[name], spec.parents, tuple(above.values()), values)


def _rows(name: str, spec: NodeSpec, own: tuple[Level, ...], above: Mapping[str, tuple[Level, ...]]) -> Any:
    """(levels of parents ..., own levels) from a mapping of the parents' levels to rows."""
    shape = [*map(len, above.values()), len(own)]
    refuse_large_table(name, shape)
    values, given_rows = np.zeros(shape), np.zeros(shape[:-1], dtype=np.bool_)
    rows = spec.told if spec.parents else {(): spec.told}
    spelt = [spellings(mine) for mine in above.values()]
    for given, row in rows.items():
        key = given if isinstance(given, tuple) else (given,)
        if len(key) != len(spec.parents):
            hint = f"name one level of each of {listed(spec.parents)}"
            raise OptionError("O466", f"the row {given!r} has {len(key)} levels", place=f"table of {name!r}", hint=hint)
        places = tuple(
            level_place(level, parent, mine, known, f"table of {name!r}", "O466")
            for level, (parent, mine), known in zip(key, above.items(), spelt, strict=True)
        )
        values[places], given_rows[places] = _row(name, row, own), True
    missing = [key for key, there in zip(product(*above.values()), given_rows.reshape(-1), strict=True) if not there]
    if missing:
        what = f"the table of {name!r} has no row for {listed(missing, 3)}"
        raise OptionError("O466", what, place=f"table of {name!r}", hint="give a row for every combination")
    return values


def _row(name: str, row: Any, own: tuple[Level, ...]) -> Any:
    if not isinstance(row, Mapping):
        return row
    values, known = np.zeros(len(own)), spellings(own)
    for level, number in row.items():
        at = level_place(level, name, own, known, f"table of {name!r}", "O466")
        if not isinstance(number, int | float | np.number):
            hint = "probabilities are numbers from 0 to 1"
            raise OptionError("O466", f"{number!r} is no probability", place=f"table of {name!r}", hint=hint)
        values[at] = number
    return values
