"""Trees grown breadth first: one look at all the nodes of a level, then their rows are dealt out to the next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from likely.companions.trees.candidate_splits import Cuts, best_splits, in_average_gain
from likely.companions.trees.chosen_splits import ChosenSplits, SplitAssignment
from likely.companions.trees.gains import Gains
from likely.companions.trees.growth_options import Growth
from likely.companions.trees.numeric_nodes import node_means, node_medians
from likely.companions.trees.open_nodes import NO_PARTS, FrontMove, Instances, OpenNodes
from likely.companions.trees.presorted import Presorted
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.unusable_rows import LARGEST_NUMBER, too_heavy
from likely.errors import OptionError
from likely.kernels.trees.partition import ALL_CHILDREN, IN_A_LEAF

__all__ = ["Growth", "Presorted", "grow", "grown"]

# Of a row: what is less goes down the largest branch whole, lest there be ever more parts
SMALLEST_PART_OF_A_ROW = 2.0**-12
# There are at most so many parts, or so many of each row: else larger ones go whole, too
MOST_PARTS, MOST_PARTS_A_ROW = 1 << 21, 4
EQUAL_WEIGHT = 1e-6  # rows: sums of parts are equal up to rounding
HALF = 0.5
MOST_BYTES_OF_TREE = 1 << 30  # of what its nodes count; growing and answering take twice as much again
CENTRING_ROUNDING = 2.0**-50  # of the middle of all targets: what adding it back may leave of nothing
EQUAL_VALUE_SHARE = 2.0**-48  # of a target: what lies no further from it is the same


def grow(
    presorted: Presorted,
    block: Block,
    growth: Growth,
    weights: Floats | None = None,
    *,
    threads: int | None = None,
) -> Tree:
    """The tree of a block's rows, weighed as the block says or by `weights`; a row that weighs nothing is not there.

    >>> from likely.core.schema import Column, Schema
    >>> schema = Schema((Column("x", "real"),), Column("y", "category", levels=("no", "yes")))
    >>> codes, reals = np.empty((4, 0), dtype=np.uint8), np.array([[1.0], [2.0], [4.0], [5.0]])
    >>> block = Block(4, codes, reals, cells=np.array([0, 0, 1, 1], dtype=np.int32))
    >>> tree = grow(Presorted.of(schema, block), block, Growth())
    >>> tree.threshold[0].item(), tree.counts[1:].tolist()
    (3.0, [[2.0, 0.0], [0.0, 2.0]])
    """
    return _TreeGrowth(presorted, block, growth, weights, threads).tree()


def grown(presorted: Presorted, block: Block, growth: Growth) -> tuple[Tree, Gains]:
    """The tree of a block's rows, and what each column could have done at its root."""
    work = _TreeGrowth(presorted, block, growth, None, None)
    return work.tree(), Gains.of(presorted.schema, work.cuts, growth.criterion)


def _leaves(counts: Floats, share: Floats) -> Tree:
    """The nodes of a level, until something is said of them; `first` counts from the first node of the next level."""
    many = len(share)
    none, nothing = np.full(many, -1, dtype=np.int32), np.full(many, np.nan)
    return Tree(none, nothing, none.copy(), np.zeros(many, dtype=np.int32), counts, nothing.copy(), share)


class _TreeGrowth:
    """A tree that is being grown."""

    def __init__(
        self, presorted: Presorted, block: Block, growth: Growth, weights: Floats | None, threads: int | None
    ) -> None:
        self.presorted, self.growth, self.threads = presorted, growth, threads
        self.absolute = growth.criterion == "absolute"
        weights = block.weights if weights is None else weights
        self.middle = 0.0 if block.amounts is None else _middle(block.amounts, weights)
        self.instances = Instances.of(block, weights, self.middle)
        self.whole = self.instances.unit or self.instances.counted
        self.width = 2 if self.instances.amounts else len(presorted.schema.classes)
        there = np.where(self.instances.weights > 0, 0, IN_A_LEAF).astype(np.int32)
        counts, sizes = self._gathered(there, 1)
        self.level = _leaves(self._root(there, counts), np.ones(1))
        self.front = OpenNodes.first(presorted, self.instances, counts, sizes, self._loss(self.level.counts))
        self.cuts: Cuts | None = None  # of the root
        self.nodes = 1
        self.parted = False  # whether rows of weight one have gone down several branches

    def tree(self) -> Tree:
        """All levels, one after the other."""
        levels, front = [self.level], self.front
        alive, average = self._alive(self.level, front.sizes), in_average_gain(self.presorted, self.growth)
        while len(alive):
            cuts = best_splits(front, self.instances, self.presorted, self.growth, self.threads)
            self.cuts = cuts if self.cuts is None else self.cuts
            column, gain = cuts.chosen(self.growth, average)
            if not (column >= 0).any():
                break
            fork = ChosenSplits.of(self.presorted, self.growth, cuts, column)
            _note(levels[-1], alive, fork, gain)
            last = len(levels) == self.growth.max_depth
            level, front, alive = self._below(front, fork, levels[-1].counts[alive], last)
            levels.append(level)
        return _joined(levels)

    def _below(
        self, front: OpenNodes, fork: ChosenSplits, parents: Floats, last: bool
    ) -> tuple[Tree, OpenNodes, Array]:
        """The next level, its nodes that may be split, and which they are; of the last, none."""
        to = np.full(len(self.instances.rows), IN_A_LEAF, dtype=np.int32)
        self._make_room(fork.below)
        holes = fork.send(front, self.presorted, self.instances, to)
        counts, sizes = self._gathered(to, fork.below)
        share = fork.shares(counts[:, 0] if self.instances.amounts else counts.sum(axis=1))
        way = SplitAssignment(front, fork, share, to)
        slot = np.full(fork.below + 1, IN_A_LEAF, dtype=np.int32)  # the last: of instances that are gone
        smallest, room = (
            SMALLEST_PART_OF_A_ROW,
            max(MOST_PARTS, MOST_PARTS_A_ROW * self.presorted.rows, len(front.members)),
        )
        while True:
            if holes.any():
                self.parted |= self.whole
                way.lump(self.instances.shares, smallest)
                counts, sizes = self._spread(way)
            if self.absolute and holes.any() and way.going(np.arange(fork.below)).sum(dtype=np.int64) > room:
                smallest *= 4  # medians want all parts, those at leaves, too
                continue
            level = _leaves(self._counts(way, counts, parents), share)
            alive = self._alive(level, sizes)
            if last or not len(alive):
                return level, front, alive[:0]
            slot[:], slot[alive] = IN_A_LEAF, np.arange(len(alive))
            many = int(way.going(slot).sum(dtype=np.int64)) if holes.any() else np.count_nonzero(slot[to] >= 0)
            if many <= room:
                break
            smallest *= 4
        move = self._move(way, slot, alive, renumber=bool(holes.any() or 2 * many < len(to)))
        usable = np.repeat(fork.usable(front), fork.children, axis=0)[alive]
        told = counts[alive], sizes[alive], self._loss(level.counts[alive]), usable
        return level, move.front(front, self.presorted, self.instances, *told, self.threads), alive

    def _make_room(self, nodes: int) -> None:
        """Count the nodes of a level; an error if what all of them count would not fit."""
        self.nodes += nodes
        need = 8 * self.width * self.nodes
        if need > MOST_BYTES_OF_TREE:
            what = f"a tree of {self.nodes:,} nodes or more, which count {self.width:,} classes each, takes"
            what += f" {need / 2**30:.1f} GiB, beyond the {MOST_BYTES_OF_TREE / 2**30:.0f} GiB that it may have"
            hint = "say max_depth= or min_samples_split=, join rare classes, or leave out columns of many levels"
            raise OptionError("O393", what, place="the tree", hint=hint)

    def _move(self, way: SplitAssignment, slot: Array, alive: Array, renumber: bool) -> FrontMove:
        """Where the instances go; where they are parted, or most of them are gone, those that go on are made again."""
        if not renumber:
            return FrontMove(way.fork.split, slot[way.to], way.parent[alive], NO_PARTS)
        self.instances, into, starts = way.parted(self.instances, slot)
        return FrontMove(way.fork.split, slot[into], way.parent[alive], starts)

    def _spread(self, way: SplitAssignment) -> tuple[Floats, Floats]:
        """What came to each child, with its share of the missing values at its parent."""
        counts, sizes = self._gathered(way.to, len(way.share))
        at, nodes = way.holed
        bags, many = self._gathered(nodes, way.front.nodes, at)
        return counts + way.share[:, None] * bags[way.parent], sizes + way.share * many[way.parent]

    def _gathered(self, to: Array, nodes: int, at: Array | None = None) -> tuple[Floats, Floats]:
        """(nodes, classes) or (nodes, 2): what came to each node, and (nodes,) how many rows did.

        Of all instances, or only of those `at` these places, `to` being as long.
        """
        mine, bins = self.instances if at is None else self.instances.take(at), to.astype(np.int64)
        bins -= ALL_CHILDREN  # the first bins are of what goes to no one child

        def summed(bins: Array, values: Floats | None, width: int) -> Floats:
            found = np.bincount(bins, values, (nodes - ALL_CHILDREN) * width)
            return found[-ALL_CHILDREN * width :].astype(np.float64, copy=False)

        weights, shares = None if mine.unit else mine.weights, mine.shares if mine.counted else None
        if mine.amounts:
            sizes = summed(bins, shares, 1)
            weight = sizes if mine.unit else summed(bins, weights, 1)
            return np.stack([weight, summed(bins, mine.weights * mine.marks, 1)], axis=1), sizes
        cells = bins * self.width
        cells += mine.marks
        counts = summed(cells, weights, self.width).reshape(nodes, self.width)
        return counts, counts.sum(axis=1) if mine.unit else summed(bins, shares, 1)

    def _root(self, to: Array, counts: Floats) -> Floats:
        """The counts as a tree holds them: of numbers weight, value and loss."""
        if not self.instances.amounts:
            return counts
        told = (node_medians if self.absolute else node_means)(self.instances, to, counts)
        told[:, 1] = self._placed(told[:, 1])
        return told

    def _counts(self, way: SplitAssignment, counts: Floats, parents: Floats) -> Floats:
        """The same of children; an empty one has its parent's value."""
        if not self.instances.amounts:
            return counts
        told = self._medians(way, counts) if self.absolute else self._means(way, counts)
        told[:, 1] = self._placed(told[:, 1])
        return np.where(counts[:, :1] > 0, told, parents[way.parent] * np.array([0.0, 1.0, 0.0]))

    def _placed(self, values: Floats) -> Floats:
        """Values that were held about the middle of all; what is zero but for rounding is zero."""
        found = values + self.middle
        return np.where(np.abs(found) <= CENTRING_ROUNDING * abs(self.middle), 0.0, found)

    def _means(self, way: SplitAssignment, counts: Floats) -> Floats:
        told = node_means(self.instances, way.to, counts)
        if (way.to == ALL_CHILDREN).any():  # their squares about another mean follow from those about their own
            holes = way.holes
            bags, _ = self._gathered(holes, way.front.nodes)
            weight, mean, squares = node_means(self.instances, holes, bags)[way.parent].T
            told[:, 2] += way.share * (squares + weight * (mean - told[:, 1]) ** 2)
        return told

    def _medians(self, way: SplitAssignment, counts: Floats) -> Floats:
        instances, into = self.instances, way.to
        if (way.to == ALL_CHILDREN).any():
            instances, into, _ = way.parted(instances, np.arange(len(way.share)))
        return node_medians(instances, into, counts)

    def _loss(self, counts: Floats) -> Floats:
        """(nodes,): all there is to gain, a row: of numbers their mean loss, of classes about one."""
        return np.asarray(counts[:, 2] / counts[:, 0] if self.instances.amounts else np.ones(len(counts)))

    def _alive(self, level: Tree, sizes: Floats) -> Array:
        """Which nodes are large enough to be split, and not of one kind."""
        least = self.growth.min_samples_split
        if self.growth.criterion == "c4.5":
            least = max(least, 2 * self.growth.min_samples_leaf)
        return np.flatnonzero(self._mixed(level.counts) & (sizes >= least - EQUAL_WEIGHT))

    def _mixed(self, counts: Floats) -> Array:
        """(nodes,): whether the rows are of several classes, or of numbers that are not the same."""
        if not self.instances.amounts:
            total = counts.sum(axis=1)
            # parts of rows that have missing values are everywhere: less than half a row of them is no reason to ask on
            parts = self.parted and self.growth.criterion != "c4.5"
            return np.asarray(total - counts.max(axis=1) > (HALF if parts else 0.0))
        weight, value, loss = counts.T
        power = 1 if self.absolute else 2
        return np.asarray(loss > weight * (EQUAL_VALUE_SHARE * np.abs(value - self.middle)) ** power)


def _middle(amounts: Floats, weights: Floats | None) -> float:
    """The mean of the targets, whatever the weights sum to."""
    return float(amounts.mean() if weights is None else np.average(amounts, weights=weights / weights.max()))


def refuse_heavy(block: Block) -> None:
    """An error where weights times squares of targets are beyond doubles."""
    if block.amounts is None or block.weights is None:
        return
    with np.errstate(over="ignore", invalid="ignore"):
        away = block.amounts - _middle(block.amounts, block.weights)
        if not block.weights.sum() * np.square(away).max() <= LARGEST_NUMBER**2:
            raise too_heavy("sample_weight")


def _note(level: Tree, alive: Array, fork: ChosenSplits, gain: Floats) -> None:
    """Write the splits of a level into it."""
    level.column[alive], level.gain[alive], level.threshold[alive] = fork.column, gain, fork.threshold
    level.first[alive], level.children[alive] = np.where(fork.split, fork.first, -1), fork.children


def _joined(levels: list[Tree]) -> Tree:
    after = np.cumsum([level.nodes for level in levels], dtype=np.int32)
    first = [np.where(level.first >= 0, level.first + at, -1) for level, at in zip(levels, after, strict=True)]
    return replace(Tree.joined(levels), first=np.concatenate(first).astype(np.int32))
