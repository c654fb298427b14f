"""Rows of any block sent down a tree that is grown: their leaves, the nodes that they pass, what each step changes.

An incomplete row goes down every branch in part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.kernels.trees.traversal import credit, credit_logs, stand, turn, walk


def leaf_values(tree: Tree, schema: Schema, block: Block, values: Floats, out: Floats | None = None) -> Floats:
    """(rows, width), into out: the values (nodes, width) of the leaf of each row, or of several, in parts."""
    out = np.empty((block.rows, values.shape[1])) if out is None else out
    walk(block.codes, block.reals, *places_of(tree, schema), *_steps(tree), values, out)
    return out


def leaves_of(tree: Tree, schema: Schema, block: Block) -> Array:
    """(rows,): the leaf of each row; at a missing value it goes where most of the learnt rows went."""
    out = np.empty(block.rows, dtype=np.int64)
    stand(block.codes, block.reals, *places_of(tree, schema), *_steps(tree), out)
    return out


def log_attributions(tree: Tree, schema: Schema, block: Block, values: Floats) -> Floats:
    """(rows, 1 + columns, width): the logs of the values at the root, then what each step changes, by its column."""
    out = np.zeros((block.rows, 1 + len(schema.columns), values.shape[1]))
    with np.errstate(divide="ignore"):
        out[:, 0] = np.log(values[0])
    place, levels = places_of(tree, schema)
    credit_logs(block.codes, block.reals, place, levels, tree.column, *_steps(tree), values, out)
    return out


def attributions(tree: Tree, schema: Schema, block: Block, values: Floats) -> Floats:
    """(rows, 1 + columns, width): the values at the root, then what each step changes, by its column."""
    out = np.zeros((block.rows, 1 + len(schema.columns), values.shape[1]))
    place, levels = places_of(tree, schema)
    credit(block.codes, block.reals, place, levels, tree.column, *_steps(tree), values, out)
    return out


class RowsAtNodes(NamedTuple):
    """(instances,) of each: the row, the node at which it stands, and how much of its weight stands there."""

    rows: Array
    nodes: Array
    weights: Floats


def passages(tree: Tree, schema: Schema, block: Block) -> Iterator[RowsAtNodes]:
    """The rows at the root, then one level further down each time, until all stand at leaves."""
    weights = np.ones(block.rows) if block.weights is None else block.weights
    here = RowsAtNodes(np.arange(block.rows), np.zeros(block.rows, dtype=np.int64), weights)
    while len(here.rows):
        yield here
        here = split(tree, schema, block, here)


def split(tree: Tree, schema: Schema, block: Block, here: RowsAtNodes) -> RowsAtNodes:
    """The same rows at the children of their nodes; those at leaves are gone."""
    inner = tree.children[here.nodes] > 0
    rows, nodes, weights = (one[inner] for one in here)
    branch = branches(tree, schema, block, rows, nodes)
    # Where the branch is known there is one, and all of the weight goes down it.
    many = np.where(branch < 0, tree.children[nodes], 1)
    at = np.repeat(np.arange(len(rows)), many)
    nth = np.arange(len(at)) - np.repeat(np.cumsum(many) - many, many)
    child = tree.first[nodes[at]] + np.where(branch[at] < 0, nth, branch[at])
    part = weights[at] * np.where(branch[at] < 0, tree.share[child], 1.0)
    some = part > 0
    return RowsAtNodes(rows[at[some]], child[some], part[some])


def branches(tree: Tree, schema: Schema, block: Block, rows: Array, nodes: Array) -> Array:
    """(instances,): which child of its inner node each row goes to; -1 where it goes to all in parts."""
    out = np.empty(len(rows), dtype=np.int64)
    turn(block.codes, block.reals, rows, nodes, *places_of(tree, schema), tree.threshold, tree.children, out)
    return out


def sums_below(first: Array, children: Array, leaves: Floats) -> Floats:
    """(nodes, ...): the sum over the leaves below each node of what belongs to each; at a leaf, its own."""
    out = np.array(leaves, dtype=np.float64)
    for node in np.flatnonzero(children)[::-1].tolist():  # children stand after their parents
        out[node] = out[first[node] : first[node] + children[node]].sum(axis=0)
    return out


def sound(tree: Tree, schema: Schema, width: int, weights: int) -> bool:
    """Whether compiled loops can trust it: a tree of columns that are there; of its `width` counts some are weights."""
    nodes = len(tree.column)
    whole, real = (tree.column, tree.first, tree.children), (tree.threshold, tree.gain, tree.share)
    if not nodes or any(one.shape != (nodes,) for one in (*whole, *real)) or tree.counts.shape != (nodes, width):
        return False
    if any(one.dtype != np.int32 for one in whole) or any(one.dtype != np.float64 for one in (*real, tree.counts)):
        return False  # in the byte order of this machine
    mass = tree.counts[:, :weights]
    if not np.isfinite(tree.counts[:, : max(weights, 2)]).all() or (mass < 0).any() or not mass[0].any():
        return False
    split = tree.children != 0
    if (tree.column[~split] != -1).any() or not ((tree.share >= 0) & (tree.share <= 1)).all():
        return False
    return _linked(tree, np.flatnonzero(split)) and _asks(tree, schema, np.flatnonzero(split))


def _linked(tree: Tree, inner: Array) -> bool:
    """Whether every node but the root is the child of one before it, and of no other, and rows are shared out whole."""
    first, many = tree.first[inner], tree.children[inner]
    if (many < 1).any() or (many >= tree.nodes).any() or many.sum(dtype=np.int64) != tree.nodes - 1:
        return False
    if (first <= inner).any() or (first > tree.nodes - many).any():
        return False
    sons = tree.sons(inner)
    parents = np.bincount(sons, minlength=tree.nodes)
    shares = np.bincount(np.repeat(np.arange(len(inner)), many), tree.share[sons], len(inner))
    return bool((parents[1:] == 1).all() and np.allclose(shares, 1.0, rtol=0.0, atol=1e-9))


def _asks(tree: Tree, schema: Schema, inner: Array) -> bool:
    """Whether the splits are by columns that can be asked, with a branch for each answer."""
    column, many = tree.column[inner], tree.children[inner]
    if (column < 0).any() or (column >= len(schema.columns)).any():
        return False
    number, discrete = (np.array([one.kind in kinds for one in schema.columns]) for kinds in (NUMERIC, DISCRETE))
    levels = np.array([len(one.levels) for one in schema.columns])
    branches = np.where(number, 2, levels)[column]
    right = (number | discrete)[column] & ((many == branches) | (many == branches + 1))
    return bool(right.all() and (number[column] == ~np.isnan(tree.threshold[inner])).all())


def places_of(tree: Tree, schema: Schema) -> tuple[Array, Array]:
    """(nodes,) of each: where the column stands among the codes, or ~ that among the reals; how many levels it has."""
    places = np.zeros(len(schema.columns) + 1, dtype=np.int64)  # the last: of leaves
    discrete, numeric = schema.of(*DISCRETE), schema.of(*NUMERIC)
    places[list(discrete)], places[list(numeric)] = np.arange(len(discrete)), ~np.arange(len(numeric))
    levels = np.array([*(len(column.levels) for column in schema.columns), 0], dtype=np.int64)
    return places[tree.column], levels[tree.column]


def _steps(tree: Tree) -> tuple[Floats, Array, Array, Floats]:
    return tree.threshold, tree.first, tree.children, tree.share
