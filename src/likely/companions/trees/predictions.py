"""What a tree thinks of rows, and why: the shares of the classes, or the number, at the leaf that a row comes to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.companions.fitted import ClassModel, RegressionModel
from likely.companions.trees.gains import Gains
from likely.companions.trees.traversal import attributions, leaf_values, log_attributions, sound
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Floats, log
from likely.output.phrases import plural


class TreeModel:
    """What is said of a tree of either kind: what was `told` of how it was pruned, and how large it is."""

    tree: Tree
    told: tuple[str, ...]

    def remarks(self) -> tuple[str, ...]:
        return self.told

    def lines(self) -> tuple[str, ...]:
        return (size_in_words(self.tree),)


@dataclass(frozen=True, eq=False)
class TreeClassModel(TreeModel, ClassModel):
    """A tree of classes. `smoothing` is added to the count of each class at a leaf before its shares are taken."""

    tree: Tree
    gains: Gains
    smoothing: float
    told: tuple[str, ...] = ()

    @cached_property
    def shares(self) -> Floats:
        """(nodes, classes): the probabilities of the classes at each node."""
        return self.tree.class_shares(self.smoothing)

    def log_proba(self, block: Block, out: Floats) -> Floats:
        """(rows, classes), into out: the log probabilities; of an incomplete row, those of its leaves in parts."""
        leaf_values(self.tree, self.schema, block, self.shares, out)
        out[:] = log(out)
        return out

    def proba(self, block: Block, out: Floats) -> Floats:
        return leaf_values(self.tree, self.schema, block, self.shares, out)

    def terms(self, block: Block) -> Floats:
        """(rows, 1 + features, classes): what the root says, then what each split changes, by its column."""
        return log_attributions(self.tree, self.schema, block, self.shares)

    def edges(self, column: int) -> Floats:
        return self.tree.thresholds(column)

    def sound(self) -> bool:
        classes, fits = len(self.schema.classes), super().sound() and self.gains.fits(self.schema, amounts=False)
        return fits and 0 <= self.smoothing < np.inf and sound(self.tree, self.schema, classes, classes)


@dataclass(frozen=True, eq=False)
class TreeRegressionModel(TreeModel, RegressionModel):
    """A regression tree: the mean of the learnt rows at a leaf, or their median."""

    tree: Tree
    gains: Gains
    told: tuple[str, ...] = ()

    def estimate(self, block: Block, out: Floats) -> Floats:
        """(rows,), into out: the value of the leaf of each row; of an incomplete row, those of its leaves in parts."""
        out[:] = leaf_values(self.tree, self.schema, block, self.tree.counts[:, 1:2].copy())[:, 0]
        return out

    def terms(self, block: Block) -> Floats:
        """(rows, 1 + features): what the root says, then what each split changes, by its column."""
        return attributions(self.tree, self.schema, block, self.tree.counts[:, 1:2])[:, :, 0]

    def sound(self) -> bool:
        fits = super().sound() and self.gains.fits(self.schema, amounts=True)
        return fits and sound(self.tree, self.schema, 3, 1)


def size_in_words(tree: Tree) -> str:
    """How many leaves a tree has, and how many questions lead to the deepest."""
    return f"{plural(tree.leaves, 'leaf', 'leaves')}, {plural(tree.depth, 'question')} deep"
