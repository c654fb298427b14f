"""Cost complexity: a tree's splits in the order in which they are worth the least, and how many of them to keep."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from likely.companions.trees.growth_options import REGRESSION_CRITERIA
from likely.companions.trees.reduced_error_pruning import held_losses, shuffled
from likely.companions.trees.traversal import sums_below
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema
from likely.errors import DataError
from likely.errors.advice import Advice, Option
from likely.errors.options import number
from likely.output.phrases import plural

PRUNING_FOLDS = 10
EQUAL_ALPHA_RATIO, SMALLEST_ALPHA = 1e-9, 1e-15  # alphas no further apart are one, by their size and next to nothing
Grow = Callable[[Block], Tree]


@dataclass(frozen=True, eq=False)
class WeakestLinks:
    """(steps,) of each, from the whole tree to its root: `alphas`, what a leaf costs from there on; `leaves`; `risks`.

    `gone` (nodes,): the alpha from which on a node is a leaf; of a leaf of the whole tree, -inf.
    """

    tree: Tree
    alphas: Floats
    leaves: Array
    risks: Floats
    gone: Floats

    def pruned(self, alpha: float) -> Tree:
        """The smallest tree whose risk + alpha x leaves is least."""
        return self.tree.kept(np.flatnonzero(self.gone <= alpha))

    @cached_property
    def _until(self) -> Floats:
        """(nodes,): the alpha from which on a node is no part of the tree, as one above it is a leaf."""
        until = np.full(self.tree.nodes, np.inf)
        for node in range(1, self.tree.nodes):  # parents stand before their children
            above = self.tree.parent[node]
            until[node] = min(until[above], self.gone[above])
        return until

    def losses(self, held: Floats, alphas: Floats) -> Floats:
        """(alphas,): the sum over the leaves of each pruned tree of what (nodes,) each of them loses."""
        steps = np.zeros(len(alphas) + 1)
        there = self.gone < self._until  # others are cut off before they are leaves
        np.add.at(steps, np.searchsorted(alphas, self.gone[there]), held[there])
        until = np.where(np.isinf(self._until), len(alphas), np.searchsorted(alphas, self._until))
        np.subtract.at(steps, until[there], held[there])
        return np.cumsum(steps)[:-1]

    def __repr__(self) -> str:
        rows = [
            f"  {a:>10.4g}  {n:>6}  {r:>10.4g}" for a, n, r in zip(self.alphas, self.leaves, self.risks, strict=True)
        ]
        shown = rows if len(rows) <= 30 else [*rows[:15], "  …", *rows[-14:]]
        return "\n".join([f"{'alpha':>12}  {'leaves':>6}  {'risk':>10}", *shown])


def risks(tree: Tree, criterion: str) -> Floats:
    """(nodes,): the impurity of each node by its share of all rows: what the tree would risk there without a split."""
    if criterion in REGRESSION_CRITERIA:
        return np.asarray(tree.counts[:, 2] / tree.counts[0, 0])
    weight = tree.counts.sum(axis=1)
    parts = tree.counts / np.where(weight > 0, weight, 1.0)[:, None]
    logs = np.log2(parts, out=np.zeros_like(parts), where=parts > 0)
    impurity = 1.0 - (parts**2).sum(axis=1) if criterion == "gini" else -(parts * logs).sum(axis=1)
    return np.asarray(np.where(weight > 0, weight, 0.0) / weight[0] * impurity)


def weakest_links(tree: Tree, criterion: str = "gini") -> WeakestLinks:
    """Breiman's weakest links: the split that lowers the risk least for each leaf that it adds goes first, and so on.

    The risk is the impurity that the criterion measures, as in scikit-learn: Gini's, of numbers their mean loss, else
    the entropy in bits.

    >>> tree = Tree(*map(np.array, ([0, -1, -1], [0.5, np.nan, np.nan], [1, -1, -1], [2, 0, 0])),
    ...             counts=np.array([[2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]), gain=np.array([0.5, np.nan, np.nan]),
    ...             share=np.array([1.0, 0.5, 0.5]))
    >>> weakest_links(tree)
           alpha  leaves        risk
               0       2           0
             0.5       1         0.5
    """
    cutting = _Cutting(tree, risks(tree, criterion))
    gone, steps, alpha = np.where(tree.leaf, -np.inf, np.inf), [cutting.state(0.0)], 0.0
    while (weakest := cutting.weakest()) is not None:
        worth, node = weakest
        alpha = max(alpha, worth)  # rounding must not lead back
        gone[node] = alpha
        cutting.cut(node)
        steps.append(cutting.state(alpha))
    last = [
        one for one, after in pairwise(steps) if after[0] > one[0] * (1 + EQUAL_ALPHA_RATIO) + SMALLEST_ALPHA
    ]  # of those with one alpha
    alphas, leaves, risk = zip(*last, steps[-1], strict=True)
    return WeakestLinks(tree, np.array(alphas), np.array(leaves), np.array(risk), gone)


class _Cutting:
    """A tree that is cut back split by split: (nodes,) risk and leaves of what is still below each node."""

    def __init__(self, tree: Tree, alone: Floats) -> None:
        self.tree, self.alone = tree, alone
        self.risk = sums_below(tree.first, tree.children, alone)
        self.leaves = sums_below(tree.first, tree.children, np.ones(tree.nodes))
        self.waiting = [(self.worth(node), node) for node in np.flatnonzero(~tree.leaf).tolist()]
        heapq.heapify(self.waiting)

    def worth(self, node: int) -> float:
        """How much risk the splits from a node on take away for each leaf that they add; a leaf has no such."""
        more = float(self.leaves[node]) - 1
        return float(self.alone[node] - self.risk[node]) / more if more else np.inf

    def weakest(self) -> tuple[float, int] | None:
        """The node that is worth the least, and what; of some that were told again, the last word counts."""
        while self.waiting:
            worth, node = heapq.heappop(self.waiting)
            if worth == self.worth(node) < np.inf:
                return worth, node
        return None

    def cut(self, node: int) -> None:
        """Make a node a leaf, and tell those above it."""
        risk, fewer, here = self.alone[node] - self.risk[node], self.leaves[node] - 1, np.array([node])
        while len(here):
            self.leaves[here] = 1  # what is cut off is asked no more
            here = self.tree.sons(here)
        self.risk[node] = self.alone[node]
        while (node := int(self.tree.parent[node])) >= 0:
            self.risk[node] += risk
            self.leaves[node] -= fewer
            heapq.heappush(self.waiting, (self.worth(node), node))

    def state(self, alpha: float) -> tuple[float, int, float]:
        return alpha, int(self.leaves[0]), float(self.risk[0])


def check_alpha(alpha: Any) -> float | str:
    """What a leaf may cost: a number from 0 on, or 'cv', to let held-out rows choose it."""
    if isinstance(alpha, str) and alpha == "cv":
        return alpha
    return number(alpha, "alpha", "O633", hint="choose a number from 0 on, or 'cv' to let held-out rows choose it")


@dataclass(frozen=True, eq=False)
class AlphaChoice:
    """How alpha was chosen: `losses` (folds, steps), the mean loss of held-out rows at each step of the weakest links.

    `best` is the step of the least mean loss, `chosen` that of the smallest tree within one standard error of it.
    """

    alphas: Floats
    leaves: Array
    losses: Floats
    best: int
    chosen: int

    @property
    def alpha(self) -> float:
        """What a leaf may cost."""
        return float(self.alphas[self.chosen])

    @property
    def words(self) -> str:
        """The choice as a sentence."""
        mean, error = self.losses.mean(axis=0), _standard_error(self.losses)
        best = f"the least loss of held-out rows is {mean[self.best]:.4g} ± {error[self.best]:.4g}"
        best = f"{best} with {plural(int(self.leaves[self.best]), 'leaf', 'leaves')}"
        if self.chosen == self.best:
            return f"{best} (alpha {self.alpha:.4g}): no smaller tree is within one standard error"
        return (
            f"{best}; {plural(int(self.leaves[self.chosen]), 'leaf', 'leaves')} "
            f"(alpha {self.alpha:.4g}) lose {mean[self.chosen]:.4g}, which is within one standard error"
        )

    def __repr__(self) -> str:
        return f"AlphaChoice: {self.words}"


def choose_alpha(
    grow: Grow, schema: Schema, block: Block, criterion: str, random: np.random.Generator, folds: int = PRUNING_FOLDS
) -> AlphaChoice:
    """Alpha by cross-validation and the rule of one standard error; `grow` makes the whole tree of some rows.

    Each step stands for the alphas up to the next, by their geometric mean, as Breiman and others do.
    """
    folds = min(folds, block.rows)
    if folds < 2:
        hint, place = Advice("name a number instead, such as ", Option("alpha", 0.01)), Advice(Option("alpha", "cv"))
        raise DataError("D449", "one row cannot be held out and learnt from", place=place, hint=hint)
    links = weakest_links(grow(block), criterion)
    asked = np.append(np.sqrt(links.alphas[:-1]) * np.sqrt(links.alphas[1:]), np.inf)
    of = _folds(block, random, folds)
    losses = np.empty((folds, len(asked)))
    for fold in range(folds):
        held = block.take(np.flatnonzero(of == fold))
        part = weakest_links(grow(block.take(np.flatnonzero(of != fold))), criterion)
        lost = held_losses(part.tree, schema, held, absolute=criterion == "absolute")
        weight = held.rows if held.weights is None else held.weights.sum()
        losses[fold] = part.losses(lost, asked) / max(weight, np.finfo(float).tiny)
    mean = losses.mean(axis=0)
    best = int(mean.argmin())
    within = mean <= mean[best] + _standard_error(losses)[best]
    return AlphaChoice(links.alphas, links.leaves, losses, best, int(np.flatnonzero(within)[-1]))


def _standard_error(losses: Floats) -> Floats:
    size = np.maximum(losses.max(axis=0), np.finfo(float).tiny)  # the squares of losses need not be doubles
    return np.asarray((losses / size).std(axis=0, ddof=1) / np.sqrt(len(losses)) * size)


def _folds(block: Block, random: np.random.Generator, folds: int) -> Array:
    """(rows,): the fold of each row, each class dealt evenly."""
    of = np.empty(block.rows, dtype=np.int64)
    of[shuffled(block, random)] = np.arange(block.rows) % folds
    return of
