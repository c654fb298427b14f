"""What trees of classification and of regression share: how they are grown, pruned, read and drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state

from likely.companions.trees.cost_complexity import WeakestLinks, check_alpha, choose_alpha, risks, weakest_links
from likely.companions.trees.gains import Gains
from likely.companions.trees.grower import Growth, Presorted, grow, grown, refuse_heavy
from likely.companions.trees.predictions import TreeClassModel, TreeRegressionModel
from likely.companions.trees.reduced_error_pruning import held_out_split, reduced_error
from likely.companions.trees.rules import rules, text
from likely.companions.trees.traversal import leaves_of
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.state import still
from likely.data import score
from likely.data.blocks import ANY_ROWS
from likely.errors.options import choose
from likely.estimators.companions.table_in_memory import TableInMemory
from likely.output.draw import draw

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def dashed(word: str) -> str:
    """A word as it is spelt here: cost_complexity is cost-complexity."""
    return word.replace("_", "-")


class TreeMethods:
    """What trees of classification and of regression share."""

    criterion: str
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_gain: float
    prune: str | None
    alpha: float | str
    missing: str
    random_state: Any
    model_: TreeClassModel | TreeRegressionModel

    def _growth(self, own: tuple[str, ...], other: str) -> Growth:
        """How to grow, checked before any row is looked at."""
        limits = self.max_depth, self.min_samples_split, self.min_samples_leaf, self.min_gain
        growth = Growth(self.criterion, *limits, self.missing)
        what, also = f"criterion of {type(self).__name__}:", f", or use {other}(criterion={growth.criterion!r})"
        choose(growth.criterion, own, "criterion", "O626", what=what, also=also)
        if self._pruning == "cost-complexity":
            check_alpha(self.alpha)
        return growth

    @property
    def _pruning(self) -> str | None:
        """What `prune` says, however it is spelt."""
        return dashed(self.prune) if isinstance(self.prune, str) else self.prune

    def _grown(self, rows: TableInMemory, growth: Growth) -> tuple[Tree, Gains, tuple[str, ...]]:
        """The tree, pruned as asked, what each column could have done first, and what there is to say of it."""
        schema, block = rows.schema, rows.block
        refuse_heavy(block)
        told: tuple[str, ...] = ()
        held: Block | None = None
        if self._pruning == "reduced-error":
            learnt, kept = held_out_split(block, self._random())
            block, held = block.take(learnt), block.take(kept)
            told = (f"the tree was grown from {len(learnt)} rows and pruned by the other {len(kept)}",)
        tree, gains = grown(Presorted.of(schema, block), block, growth)
        if held is not None:
            tree = reduced_error(tree, schema, held, absolute=growth.criterion == "absolute")
        elif self._pruning == "cost-complexity":
            alpha = check_alpha(self.alpha)
            if isinstance(alpha, str):

                def again(part: Block) -> Tree:
                    return grow(Presorted.of(schema, part), part, growth)

                choice = choose_alpha(again, schema, block, growth.criterion, self._random())
                alpha, told = choice.alpha, (choice.words,)
            tree = weakest_links(tree, growth.criterion).pruned(alpha)
        return tree, gains, told

    def _random(self) -> np.random.Generator:
        return np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))

    @property
    def tree_(self) -> Tree:
        """The tree as arrays over its nodes."""
        self._refuse_unfitted()  # type: ignore[attr-defined]
        return self.model_.tree

    @property
    def gains_(self) -> Gains:
        """What each column could have done for all rows together: the table that the first split was chosen from."""
        self._refuse_unfitted()  # type: ignore[attr-defined]
        return self.model_.gains

    @property
    def feature_importances_(self) -> Floats:
        """(features,): what the splits by each column take off the impurity, as parts of the whole."""
        self = still(self)
        tree, criterion = self.tree_, self.model_.gains.criterion
        risk, inner = risks(tree, criterion), np.flatnonzero(~tree.leaf)
        below = np.bincount(np.maximum(tree.parent, 0)[1:], risk[1:], tree.nodes)
        dropped = np.bincount(tree.column[inner], (risk - below)[inner], len(self.model_.schema.columns))
        return np.asarray(dropped / dropped.sum() if dropped.sum() > 0 else dropped)

    def get_depth(self) -> int:
        """How many splits lie above the deepest leaf.

        Examples
        --------
        >>> import likely
        >>> rows = [["sun", 21.0], ["sun", 25.0], ["rain", 22.0], ["rain", 12.0]]
        >>> model = likely.DecisionTree().fit(rows, ["out", "out", "in", "in"])
        >>> model.get_depth()
        1
        """
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """How many leaves the tree has.

        Examples
        --------
        >>> import likely
        >>> rows = [["sun", 21.0], ["sun", 25.0], ["rain", 22.0], ["rain", 12.0]]
        >>> model = likely.DecisionTree().fit(rows, ["out", "out", "in", "in"])
        >>> model.get_n_leaves()
        2
        """
        return self.tree_.leaves

    def apply(self, X: Any) -> Array:
        """(rows,): the node of the leaf of each row; at a missing value it goes where most of the learnt rows went.

        Examples
        --------
        >>> import likely
        >>> rows = [["sun", 21.0], ["sun", 25.0], ["rain", 22.0], ["rain", 12.0]]
        >>> model = likely.DecisionTree().fit(rows, ["out", "out", "in", "in"])
        >>> model.apply(rows).tolist()
        [2, 2, 1, 1]
        """
        self = still(self)
        tree, schema = self.tree_, self.model_.schema

        def work(block: Block, out: Floats) -> None:
            out[:, 0] = leaves_of(tree, schema, block)

        return score(self._rows(X), schema, 1, work)[:, 0].astype(np.int64)  # type: ignore[attr-defined]

    def _block(self, X: Any) -> Block:
        """All rows in one block."""
        source = self._rows(X)  # type: ignore[attr-defined]
        parts = [task() for task in source.tasks(self.model_.schema, False, ANY_ROWS, ANY_ROWS)]
        codes, reals = (np.concatenate([getattr(part, name) for part in parts]) for name in ("codes", "reals"))
        return Block(len(codes), codes, reals)

    def text(self, depth: int | None = None) -> str:
        """The tree as text, a node a line; with `depth`, no further down.

        Examples
        --------
        >>> import likely
        >>> rows = [["sun", 21.0], ["sun", 25.0], ["rain", 22.0], ["rain", 12.0]]
        >>> model = likely.DecisionTree().fit(rows, ["out", "out", "in", "in"])
        >>> print(model.text())
        x0 = rain: in (2 of 2)
        x0 = sun: out (2 of 2)
        """
        self = still(self)
        return text(self.tree_, self.model_.schema, depth)

    def rules(self) -> list[str]:
        """The tree as rules, a leaf a line.

        Examples
        --------
        >>> import likely
        >>> rows = [["sun", 21.0], ["sun", 25.0], ["rain", 22.0], ["rain", 12.0]]
        >>> model = likely.DecisionTree().fit(rows, ["out", "out", "in", "in"])
        >>> model.rules()
        ['if x0 is rain then in (2 of 2)', 'if x0 is sun then out (2 of 2)']
        """
        self = still(self)
        return rules(self.tree_, self.model_.schema)

    def weakest_links(self) -> WeakestLinks:
        """The tree's splits in the order in which they are worth the least: alphas, leaves and risks.

        Examples
        --------
        >>> import likely
        >>> rows = [["sun", 21.0], ["sun", 25.0], ["rain", 22.0], ["rain", 12.0]]
        >>> model = likely.DecisionTree().fit(rows, ["out", "out", "in", "in"])
        >>> model.weakest_links()
               alpha  leaves        risk
                   0       2           0
                 0.5       1         0.5
        """
        self = still(self)
        return weakest_links(self.tree_, self.model_.gains.criterion)

    def plot(self, X: Any = None, y: Any = None, **options: Any) -> Figure:
        """The drawn tree: likely.plots.tree; rows say nothing that it does not know.

        Examples
        --------
        >>> import likely
        >>> rows = [["sun", 21.0], ["sun", 25.0], ["rain", 22.0], ["rain", 12.0]]
        >>> model = likely.DecisionTree().fit(rows, ["out", "out", "in", "in"])
        >>> figure = model.plot()
        """
        return draw("tree", self, **options)  # type: ignore[no-any-return]
