"""Arcs by name become a model: the class and its parents, columns below it and columns apart from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likely.core.schema import NUMERIC, SKIP, Schema
from likely.errors import OptionError, listed, nearest
from likely.errors.advice import Advice, Kind
from likely.models.dependent import StructureInputs
from likely.models.network import NetworkModel
from likely.networks.structure.row_codes import Coded
from likely.statistics import Bundle
from likely.structures.graph import Graph
from likely.structures.search.scores import fit_of

Arcs = Mapping[str, Sequence[str]]  # the parents of each node, by name


def class_node(schema: Schema, said: Any, graph: Graph | None) -> str:
    """The name of the class as a node: what the user says, else y's own, else the node that is no column."""
    columns = [column.name for column in schema.columns]
    name = schema.target.name if said is None else said
    if not isinstance(name, str) or (said is not None and name in columns):
        what = f"{said!r} is a column of X" if said in columns else f"target is {said!r}"
        raise OptionError("O557", what, place="target=", hint="say how the class is called, as no column is")
    if graph is None:
        return name if name not in columns else f"{name} (class)"
    if name in graph.nodes and name not in columns:
        return name
    left = [node for node in graph.nodes if node not in columns]
    if said is not None or len(left) != 1:
        what = f"there is no node {said!r}" if said is not None else "it is not clear which node y is"
        hint = f"say target=, one of {listed(left or graph.nodes, 12)}.{nearest(name, graph.nodes)}"
        raise OptionError("O551", what, place="target=", hint=hint)
    return left[0]


def given_parents(grounds: StructureInputs, graph: Graph, target: str) -> Arcs:
    """The parents of each column and of the class in a graph that is given; columns without names go by their order."""
    schema = grounds.schema
    nodes, columns = [node for node in graph.nodes if node != target], [column.name for column in schema.columns]
    by_order = not schema.named and len(nodes) == len(columns) and not set(nodes) & set(columns)
    called = {target: target} | dict(zip(nodes, columns if by_order else nodes, strict=True))
    hidden = next((node for node in graph.nodes if called[node] not in {*columns, target}), None)
    if hidden is not None:
        hint = f"the columns are {listed(columns, 12)}; likely.Network(arcs).fit(rows).classifier(...) has hidden nodes"
        what = f"the node {hidden!r} is no column of X"
        raise OptionError("O552", what, place="network=", hint=f"{hint}.{nearest(hidden, columns)}")
    able = {schema.columns[at].name for at in grounds.nodes}
    silent = {*schema.of("text"), *schema.of(SKIP)}
    known = set(called.values())
    odd = next((name for at, name in enumerate(columns) if name not in known and at not in silent), None)
    if odd is not None:
        hint = Advice("name it as a node, or leave it out: ", Kind(odd, SKIP), f".{nearest(odd, graph.nodes)}")
        raise OptionError("O552", f"the column {odd!r} is no node of the network", place="network=", hint=hint)
    # what has one value only tells nothing to its children
    return {
        called[node]: [called[parent] for parent in above if called[parent] in {*able, target}]
        for node, above in zip(graph.nodes, graph.parents, strict=True)
    }


def planted(grounds: StructureInputs, parents: Arcs, coded: Coded) -> NetworkModel:
    """A model that knows nothing yet, with these arcs; of columns that are no nodes, texts depend on the class."""
    schema, target = grounds.schema, coded.names[-1]
    at = {column.name: place for place, column in enumerate(schema.columns)}

    def by(name: str) -> tuple[int, ...]:
        return tuple(sorted(at[parent] for parent in parents.get(name, ()) if parent != target))

    def nats(name: str, others: Sequence[int]) -> tuple[float, ...]:
        return tuple(_nats(coded, name, parents[name], schema.columns[one].name) for one in others)

    names = [column.name for column in schema.columns]
    # a number that is not cut tells nothing of the class that cuts could find
    below = [
        column.kind not in NUMERIC if column.name not in parents else target in parents[column.name]
        for column in schema.columns
    ]
    coupled = [name in parents and target in parents[name] for name in names]
    speaking = tuple(place for place, column in enumerate(schema.columns) if column.kind not in ("text", SKIP))
    return NetworkModel(
        schema,
        grounds.setting,
        grounds.priors,
        Bundle({}),
        grounds.nodes,
        tuple(map(by, names)),
        paired=False,
        strengths=tuple(nats(name, by(name)) for name in names),
        used=tuple(range(len(names))),
        above=by(target),
        apart=tuple(place for place in speaking if not below[place]),
        told=tuple(
            _nats(coded, name, parents[name], target) if has else 0.0 for name, has in zip(names, coupled, strict=True)
        ),
        above_told=nats(target, by(target)),
    )


def _nats(coded: Coded, node: str, parents: Sequence[str], parent: str) -> float:
    """What a parent tells about a node beyond the other parents: conditional mutual information, a row."""
    places = {name: at for at, name in enumerate(coded.names)}
    if node not in places:
        return 0.0
    above = [places[name] for name in parents]
    counts = np.asarray(coded.counts(places[node], above), dtype=np.float64)
    whole = counts.sum()
    told = fit_of(counts) - fit_of(counts.sum(axis=above.index(places[parent])))
    return max(float(told / whole), 0.0) if whole else 0.0
