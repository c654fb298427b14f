"""The tables of a classifier as a network: to be asked, drawn, written and read by other programs."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.models.network import NetworkModel
from likely.networks.classes.class_search import levels_of
from likely.networks.network import Network
from likely.networks.tables.joint import Factored
from likely.structures.graph import Graph


def network_of(model: NetworkModel, target: str) -> Network:
    """Columns that can be parents and the class as nodes, with the probabilities that the classifier uses."""
    schema, nodes = model.schema, model.nodes
    names = [schema.columns[at].name for at in nodes]
    parents = [tuple(schema.columns[one].name for one in model.parents[at]) for at in nodes]
    parents = [(*((target,) if at not in model.apart else ()), *mine) for at, mine in zip(nodes, parents, strict=True)]
    graph = Graph((*names, target), (*parents, tuple(schema.columns[at].name for at in model.above)))
    levels: list[tuple[Level, ...]] = [levels_of(schema.columns[at]) for at in nodes]
    tables = [_column(model, at) for at in nodes]
    return Network.of(Factored(graph, (*levels, tuple(schema.classes)), (*tables, _class(model))))


def _column(model: NetworkModel, at: int) -> Floats:
    """(classes unless it is apart, levels of parents ..., own levels)."""
    by, parts = model.parents[at], model.schema.parts(model.parents[at]).tolist()
    said = np.exp(model._view.parts(at, by, _every(parts)))  # (cells, levels, classes)
    table = np.moveaxis(said, 2, 0).reshape(len(model.rows), *parts, said.shape[1])
    table = table[0] if at in model.apart else table
    return np.asarray(table / table.sum(axis=-1, keepdims=True))


def _class(model: NetworkModel) -> Floats:
    """(levels of parents ..., classes)."""
    if model.own is None:
        return np.asarray(np.exp(model.log_prior))
    said = np.exp(model.own.learnt()[:-1] + np.log(model.own.shares(model.rows)))
    table = said.reshape(*model.schema.parts(model.above).tolist(), len(model.rows))
    return np.asarray(table / table.sum(axis=-1, keepdims=True))


def _every(parts: list[int]) -> Array:
    """(cells, parents): every cell of some parents."""
    return np.array(list(product(*map(range, parts))), dtype=np.int64).reshape(prod(parts), len(parts))
