"""Which nodes of a tree each row passes, and how much of it: an incomplete row goes down every branch in part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from likely.companions.trees.traversal import places_of
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema
from likely.kernels.trees.traversal import turn


class Passage(NamedTuple):
    """(instances,) of each: the row, the node at which it stands, and how much of its weight stands there."""

    rows: Array
    nodes: Array
    weights: Floats


def passages(tree: Tree, schema: Schema, block: Block) -> Iterator[Passage]:
    """The rows at the root, then one level further down each time, until all stand at leaves."""
    weights = np.ones(block.rows) if block.weights is None else block.weights
    here = Passage(np.arange(block.rows), np.zeros(block.rows, dtype=np.int64), weights)
    while len(here.rows):
        yield here
        here = split(tree, schema, block, here)


def split(tree: Tree, schema: Schema, block: Block, here: Passage) -> Passage:
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
    return Passage(rows[at[some]], child[some], part[some])


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
