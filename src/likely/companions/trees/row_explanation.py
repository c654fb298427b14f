"""The way of one row through a tree: what was asked, what it answered, and what was believed after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.companions.trees.rules import answer, node_tests, nodes_to, short_weight
from likely.companions.trees.traversal import passages
from likely.companions.trees.tree import Tree
from likely.core.block import Block, decode
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema


@dataclass(frozen=True, eq=False)
class PathStep:
    """One node on the way: the test that led there ('' at the root), the value that passed it (None if missing).

    `part` is how much of the row came there: all of it, but for missing values. `counts` (classes,) are the learnt rows
    that came there too, and `says` is what they answer. `hole`: the branch is that of the rows whose value is missing.
    """

    node: int
    test: str
    value: object
    part: float
    counts: Floats
    says: str
    hole: bool


@dataclass(frozen=True, eq=False)
class RowPath:
    """The steps of a row from the root to a leaf; at a missing value it goes on where most of the learnt rows went."""

    steps: tuple[PathStep, ...]

    @property
    def words(self) -> str:
        """The way as lines, a step each."""
        return "\n".join(f"  {_told(step)}" for step in self.steps)

    def __repr__(self) -> str:
        return self.words


def _told(step: PathStep) -> str:
    if not step.test:
        return f"all rows: {step.says}"
    seen = f"{step.test}, which is missing" if step.value is None and not step.hole else step.test
    if isinstance(step.value, float):
        seen = f"{step.test} ({step.value:.12g})"
    part = "" if step.part > 1 - 1e-9 else f" [{short_weight(100 * step.part)} % of the row]"
    return f"{seen}: {step.says}{part}"


def heaviest_route(tree: Tree, schema: Schema, block: Block, row: int) -> RowPath:
    """The way of a row; where it has a missing value, the heaviest of its ways."""
    one = block.take(np.array([row]))
    parts = np.zeros(tree.nodes)
    for _, nodes, weights in passages(tree, schema, _unweighted(one)):
        parts[nodes] += weights
    node = 0
    while tree.children[node]:
        sons = tree.sons(np.array([node]))
        node = int(sons[parts[sons].argmax()])
    values, tests = decode(one, schema)[0], node_tests(tree, schema)
    passed, holed = nodes_to(tree, node), _holes(tree, schema)
    seen = [None, *(values[tree.column[above]] for above in passed[:-1])]
    steps = [
        PathStep(at, tests[at], value, float(parts[at]), tree.counts[at], answer(tree, schema, at), bool(holed[at]))
        for at, value in zip(passed, seen, strict=True)
    ]
    return RowPath(tuple(steps))


def _holes(tree: Tree, schema: Schema) -> Array:
    """(nodes,): whether the branch that leads there is that of missing values."""
    out, inner = np.zeros(tree.nodes, dtype=bool), np.flatnonzero(tree.holed(schema))
    out[tree.first[inner] + tree.children[inner] - 1] = True
    return out


def _unweighted(block: Block) -> Block:
    return Block(block.rows, block.codes, block.reals)
