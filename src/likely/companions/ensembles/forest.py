"""Many trees as one value: their nodes in a row, a tree after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from likely.companions.trees.traversal import attributions, leaf_values, sound
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema
from likely.kernels.trees.traversal import expect


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees under a schema; `nodes` are those of all of them, and tree t has those from starts[t] to starts[t + 1].

    `smoothing` is added to the count of each class in a leaf before its shares are taken.
    """

    schema: Schema
    nodes: Tree
    starts: Array
    smoothing: float = 0.0

    @classmethod
    def of(cls, schema: Schema, trees: Sequence[Tree], smoothing: float = 0.0) -> Forest:
        """Trees laid side by side."""
        starts = np.concatenate([[0], np.cumsum([tree.nodes for tree in trees], dtype=np.int64)])
        if trees:
            return cls(schema, Tree.joined(trees), starts, smoothing)
        whole, real = np.empty(0, dtype=np.int32), np.empty(0)
        none = Tree(whole, real, whole, whole, np.empty((0, len(schema.classes))), real, real)
        return cls(schema, none, starts, smoothing)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, at: int) -> Tree:
        """A tree of it; its arrays are those of the forest."""
        return self._trees[at]

    def __iter__(self) -> Iterator[Tree]:
        return iter(self._trees)

    @cached_property
    def _trees(self) -> tuple[Tree, ...]:
        return tuple(self.nodes.part(slice(*span)) for span in np.column_stack([self.starts[:-1], self.starts[1:]]))

    @property
    def stumps(self) -> bool:
        """Whether no tree asks more than one question."""
        return all(tree.depth <= 1 for tree in self)

    def votes(self, at: int, block: Block) -> Floats:
        """(rows, classes): 1 for the class that a tree decides for; of a row with missing values, the parts of each."""
        return leaf_values(self[at], self.schema, block, self[at].votes())

    def shares(self, at: int, block: Block) -> Floats:
        """(rows, classes): the probabilities that a tree gives."""
        return leaf_values(self[at], self.schema, block, self[at].class_shares(self.smoothing))

    def told_votes(self, at: int, block: Block) -> Floats:
        """(rows, 1 + features, classes): the votes of a tree at its root, then each step's change, by its column."""
        return self._told(at, block, self[at].votes())

    def told_shares(self, at: int, block: Block) -> Floats:
        """(rows, 1 + features, classes): the probabilities at the root, then each step's change, by its column."""
        return self._told(at, block, self[at].class_shares(self.smoothing))

    def _told(self, at: int, block: Block, values: Floats) -> Floats:
        """A node stands for what is below it, so that a step over a missing value changes nothing."""
        tree = self[at]
        expect(tree.first, tree.children, tree.share, values)
        return attributions(tree, self.schema, block, values)

    def sound(self) -> bool:
        """Whether compiled loops can trust it: its trees begin and end where they say, and are trees."""
        starts, classes = self.starts, len(self.schema.classes)
        if starts.ndim != 1 or starts.dtype != np.int64 or not len(starts) or not 0 <= self.smoothing < np.inf:
            return False
        if starts[0] != 0 or starts[-1] != self.nodes.nodes or (starts[1:] <= starts[:-1]).any():
            return False
        return all(sound(tree, self.schema, classes, classes) for tree in self)
