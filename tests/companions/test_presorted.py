"""Sorting by digits is sorting; walking in parts is a weighted mean over the leaves."""

from __future__ import annotations

import numpy as np
import pytest

from likely.companions.trees.grower import Growth, Presorted, grow
from likely.companions.trees.traversal import leaf_values, leaves_of, sound
from likely.core.block import Block
from likely.core.schema import Column, Schema

ROWS = 9_000  # enough to be sorted by digits
RNG = np.random.default_rng(0)
COLUMNS = {
    "reals": RNG.normal(size=ROWS),
    "whole numbers": RNG.integers(-5, 50, ROWS).astype(float),
    "two zeros": RNG.choice([0.0, -0.0, 1.0, -1.0], ROWS),
    "far from zero": 1e9 + RNG.random(ROWS) * 1e-3,
    "all sizes": np.exp(RNG.normal(size=ROWS) * 90) * RNG.choice([-1, 1], ROWS),
    "holes": np.where(RNG.random(ROWS) < 0.3, np.nan, RNG.normal(size=ROWS)),
    "only holes": np.full(ROWS, np.nan),
    "one value": np.full(ROWS, 3.0),
    "next to each other": 1.0 + RNG.integers(0, 1000, ROWS) * 2.0**-52,
    "some far out": np.concatenate([RNG.normal(size=ROWS - 500), 1e9 + RNG.random(500) * 1e-5]),
}
SCHEMA = Schema((Column("x", "real"), Column("c", "category", ("a", "b", "c"))), Column("y", "category", levels=(0, 1)))


@pytest.mark.parametrize("name", COLUMNS)
def test_the_order_of_a_stable_sort(name):
    values = COLUMNS[name]
    schema = Schema(SCHEMA.columns[:1], SCHEMA.target)
    found = Presorted.of(schema, Block(ROWS, np.empty((ROWS, 0), dtype=np.uint8), values[:, None]))
    known = int((~np.isnan(values)).sum())
    order = np.argsort(values, kind="stable")[:known]
    np.testing.assert_array_equal(found.orders, order)
    assert found.tied[0] == bool((np.diff(values[order]) == 0).any())
    assert found.holes.tolist() == [known < ROWS]
    if found.tied[0]:
        there = ~np.isnan(values)
        np.testing.assert_array_equal(found.ranks[0, there], np.unique(values[there], return_inverse=True)[1])


def grown():
    rng = np.random.default_rng(1)
    reals, codes = rng.normal(size=(300, 1)), rng.integers(0, 4, (300, 1)).astype(np.uint8)
    reals[rng.random(300) < 0.2] = np.nan
    cells = ((np.nan_to_num(reals[:, 0]) > 0) ^ (codes[:, 0] == 1)).astype(np.int32)
    block = Block(300, codes, reals, cells=cells)
    return grow(Presorted.of(SCHEMA, block), block, Growth("entropy", max_depth=4)), block


def plain(tree, block, row, values, node=0):
    """The mean over the leaves by a recursion."""
    if tree.children[node] == 0:
        return values[node]
    sons = range(tree.first[node], tree.first[node] + tree.children[node])
    if tree.column[node] == 0:
        at = None if np.isnan(block.reals[row, 0]) else int(block.reals[row, 0] > tree.threshold[node])
    else:
        at = int(block.codes[row, 0]) if block.codes[row, 0] < 3 else None
    if at is not None:
        return plain(tree, block, row, values, sons[at])
    return sum(tree.share[son] * plain(tree, block, row, values, son) for son in sons)


def test_rows_with_holes_walk_in_parts():
    tree, block = grown()
    values = np.random.default_rng(2).random((tree.nodes, 3))
    found = leaf_values(tree, SCHEMA, block, values)
    np.testing.assert_allclose(found, [plain(tree, block, row, values) for row in range(block.rows)])
    whole = np.flatnonzero(~np.isnan(block.reals[:, 0]) & (block.codes[:, 0] < 3))
    np.testing.assert_array_equal(found[whole], values[leaves_of(tree, SCHEMA, block)[whole]])


def test_a_tree_that_is_none_is_seen():
    from dataclasses import replace

    tree, _ = grown()
    assert sound(tree, SCHEMA, 2, 2)
    assert not sound(replace(tree, first=np.zeros_like(tree.first)), SCHEMA, 2, 2)
    assert not sound(replace(tree, column=tree.column + 7), SCHEMA, 2, 2)
    assert not sound(replace(tree, children=tree.children + 1), SCHEMA, 2, 2)
    assert not sound(replace(tree, share=tree.share[1:]), SCHEMA, 2, 2)
    assert not sound(replace(tree, counts=tree.counts[:, :1]), SCHEMA, 2, 2)
    assert not sound(replace(tree, threshold=np.full(tree.nodes, np.nan)), SCHEMA, 2, 2)
