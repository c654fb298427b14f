"""A tree made smaller by rows that it did not see: the branches that make no fewer errors there are cut."""

from __future__ import annotations

import numpy as np

from likely.companions.trees.traversal import passages
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema
from likely.errors import DataError
from likely.errors.advice import Advice, Option

HELD_OUT_ONE_IN = 3  # one row of so many is held out for reduced errors
EQUAL_SUM_RATIO = 1e-9  # sums of parts of rows that are no further apart, by their size, are equal


def reduced_error(tree: Tree, schema: Schema, held: Block, *, absolute: bool = False) -> Tree:
    """The tree without the branches that make no fewer errors on held-out rows than a leaf in their place would.

    Of numbers the errors are squared distances, or absolute ones.
    """
    if held.rows == 0:
        hint = Advice("hand in some, or choose ", Option("prune", "pessimistic"), ", which needs none")
        place = Advice(Option("prune", "reduced-error"))
        raise DataError("D448", "there are no held-out rows to prune the tree by", place=place, hint=hint)
    alone = held_losses(tree, schema, held, absolute=absolute)
    together = np.array(alone)
    for node in np.flatnonzero(tree.children)[::-1].tolist():  # children stand after their parents
        mine = slice(tree.first[node], tree.first[node] + tree.children[node])
        together[node] = min(alone[node], together[mine].sum())
    # Sums of parts of rows are equal up to rounding, and of equals the smaller tree is taken.
    return tree.kept(np.flatnonzero((tree.children > 0) & (alone <= together + EQUAL_SUM_RATIO * (1 + np.abs(alone)))))


def held_losses(tree: Tree, schema: Schema, held: Block, *, absolute: bool = False) -> Floats:
    """(nodes,): what the held-out rows that come to each node lose if it answers them itself."""
    lost = np.zeros(len(tree.column))
    answers = tree.evidence.argmax(axis=1) if held.amounts is None else tree.counts[:, 1]
    for rows, nodes, weights in passages(tree, schema, held):
        if held.amounts is None:
            assert held.cells is not None, "rows to prune by have classes"
            each = (held.cells[rows] != answers[nodes]).astype(np.float64)
        else:
            each = np.abs(held.amounts[rows] - answers[nodes]) ** (1 if absolute else 2)
        lost += np.bincount(nodes, weights * each, len(lost))
    return lost


def held_out_split(block: Block, random: np.random.Generator) -> tuple[Array, Array]:
    """(rows,) to learn from and (rows,) held out: one third, of each class as nearly as can be."""
    held = np.zeros(block.rows, dtype=bool)
    held[shuffled(block, random)[HELD_OUT_ONE_IN - 1 :: HELD_OUT_ONE_IN]] = True
    return np.flatnonzero(~held), np.flatnonzero(held)


def shuffled(block: Block, random: np.random.Generator) -> Array:
    """(rows,): the rows in random order, class by class: every third of them, say, has its share of each class."""
    order = random.permutation(block.rows)
    return order if block.cells is None else order[np.argsort(block.cells[order], kind="stable")]
