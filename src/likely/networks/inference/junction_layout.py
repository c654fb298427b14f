"""A junction tree as compiled loops read it: its tables one after the other, and where everything is."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from likely.core.numerics import Array, Floats
from likely.kernels.junction.cliques import RootedTree
from likely.kernels.junction.propagation import SMALLEST_TABLE_SUM
from likely.networks.inference.factors import TableFactor, scaled
from likely.networks.tables.joint import starts
from likely.structures.junction import JunctionTree


def conditional(tree: JunctionTree, sizes: Sequence[int], factors: Sequence[TableFactor]) -> tuple[Floats, float]:
    """All tables, one after the other, and the log of what their product sums to.

    Each table is divided by its sums over what is new in it, which go to its parent.
    """
    shapes = [[sizes[at] for at in clique] for clique in tree.cliques]
    flat, first = np.ones(sum(map(math.prod, shapes))), starts(list(map(math.prod, shapes)))
    tables = [flat[first[at] : first[at + 1]].reshape(shape) for at, shape in enumerate(shapes)]
    return flat, collect(tree, tables, factors, divide=True)


def collect(
    tree: JunctionTree, tables: Sequence[Floats], factors: Sequence[TableFactor], divide: bool = False
) -> float:
    """From the leaves to the roots: tables *= factors and what comes from below; the log of what all sum to.

    In the end a root is in proportion to what the product of all factors sums to over the nodes that are not in it.
    """
    log_total = 0.0
    for factor, clique in zip(factors, homes(tree, [factor.nodes for factor in factors]), strict=True):
        log_total += _times(tables[clique], factor.over(tree.cliques[clique]))
    for clique in range(len(tables) - 1, -1, -1):
        table, shared, parent = tables[clique], tree.separators[clique], tree.parents[clique]
        sums = table.sum(axis=tuple(range(len(shared), table.ndim)))
        if divide:
            whole = sums.reshape([*sums.shape, *[1] * (table.ndim - len(shared))])
            np.divide(table, whole, out=table, where=whole > 0.0)
        message, log_scale = scaled(sums)
        log_total += log_scale
        if parent >= 0:
            log_total += _times(tables[parent], TableFactor(shared, message).over(tree.cliques[parent]))
    return log_total


def _times(table: Floats, values: Floats) -> float:
    """table *= values; where all becomes very small, it is divided by its largest entry, whose log is returned."""
    table *= values
    top = float(table.max(initial=0.0))
    if not 0.0 < top < SMALLEST_TABLE_SUM:
        return 0.0
    table /= top
    return math.log(top)


def homes(tree: JunctionTree, sets: Sequence[tuple[int, ...]]) -> list[int]:
    """A clique for each set of nodes that holds them all: that of the node which is taken out first."""
    turn = {at: when for when, at in enumerate(tree.order)}
    found = {}
    for clique, mine in enumerate(tree.cliques):
        for at in mine[len(tree.separators[clique]) :]:
            found[at] = clique
    return [found[min(nodes, key=turn.__getitem__)] if nodes else 0 for nodes in sets]


def arrays(tree: JunctionTree, sizes: Sequence[int]) -> RootedTree:
    strides, table_sizes = [], []
    for clique in tree.cliques:
        shape = [sizes[at] for at in clique]
        behind = np.cumprod([1, *shape[:0:-1]])[::-1]
        strides.extend(behind.tolist())
        table_sizes.append(int(np.prod(shape)))
    owner = np.array(homes(tree, [(at,) for at in range(len(sizes))]), dtype=np.int64)
    home, at_separator = owner.copy(), np.zeros(len(sizes), dtype=np.bool_)
    least = [float(table_sizes[clique]) for clique in owner]
    for at_clique, nodes in enumerate(tree.separators):
        size = float(np.prod([sizes[at] for at in nodes]))
        for at in nodes:
            if size < least[at]:
                least[at], home[at], at_separator[at] = size, at_clique, True
    parents = np.array(tree.parents, dtype=np.int64)
    return RootedTree(
        np.array(sizes, dtype=np.int64),
        starts(sizes),
        np.array([at for clique in tree.cliques for at in clique], dtype=np.int64),
        np.array(strides, dtype=np.int64),
        starts(list(map(len, tree.cliques))),
        starts(table_sizes),
        parents,
        np.argsort(parents, kind="stable")[(parents < 0).sum() :],
        starts(np.bincount(parents[parents >= 0], minlength=len(parents))),
        np.array(list(map(len, tree.separators)), dtype=np.int64),
        owner,
        home,
        at_separator,
    )


def positions(places: Sequence[int]) -> Array:
    """As compiled loops read them."""
    return np.array(places, dtype=np.int64)
