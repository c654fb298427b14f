"""What the nodes of a network say: columns below the class and their parents, columns apart from it, the class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from likely.core.block import Block, cells_of
from likely.core.numerics import Array, Floats, log
from likely.core.schema import Column, Schema
from likely.families.draws import Draws
from likely.families.levels import Levels
from likely.families.predictor import Setting, own_weights
from likely.families.smoothing import share, smoothed_shares
from likely.models.cells.cell_counts import CellCounts, Parents
from likely.models.cells.views import ParentView
from likely.statistics import Bundle, Counts, Question, Statistic
from likely.statistics.statistic import subtract

ONE_CLASS = ("all",)  # the one class of rows whose classes do not matter


@dataclass(frozen=True, eq=False)
class NodeCounts(CellCounts):
    """Counts that were asked only of those columns which have the parents."""

    def below(self, column: int, by: Parents) -> Array | None:
        if not by:
            return None
        asked = next(question for question in self.bundle if _serves(question, column, by))
        counts = self.bundle[asked]
        assert isinstance(counts, Counts)
        start = int(self.schema.offsets(asked.columns)[asked.columns.index(column)])
        levels = len(self.schema.columns[column].levels)
        return counts.table.reshape(len(self.rows), -1, counts.table.shape[1])[:, :, start : start + levels]


def _serves(question: Question, column: int, by: Parents) -> bool:
    return question.of == "counts" and question.by == by and column in question.columns


def pooled_classes(bundle: Bundle, schema: Schema) -> tuple[Bundle, Schema]:
    """The answers of all classes together, and a schema in which they are one class."""
    classes = len(schema.classes)
    target = Column(schema.target.name, "category", ONE_CLASS, ONE_CLASS, fixed=True)
    answers = {question: _together(answer, classes) for question, answer in bundle.items() if question.of != "totals"}
    return Bundle(answers), replace(schema, target=target)


def _together(answer: Statistic, classes: int) -> Statistic:
    arrays = list(answer.arrays().values())
    cells = len(arrays[0]) // max(classes, 1)
    width = np.arange(next(array.shape[1] for array in arrays if array.ndim > 1))
    parts = [answer.take(np.arange(cells) + cell * cells, width) for cell in range(classes)]
    return reduce(add, parts)


@dataclass(frozen=True, eq=False)
class ClassNode:
    """The class below its own parents: rows (classes,) of each class, counts (classes, cells) of those with parents."""

    schema: Schema
    setting: Setting
    above: Parents
    rows: Array
    counts: Array

    @property
    def levels(self) -> Levels:
        """The class as a column of levels, all rows in one cell."""
        alone = np.append(self.rows, [0, 0])[None]
        return Levels(alone, self.rows.sum(keepdims=True), np.array([len(self.rows)]), self.setting)

    def shares(self, rows: Array) -> Floats:
        """(..., classes): the share of each class, from the weight of their rows."""
        return share(rows, rows.sum(axis=-1, keepdims=True), np.array(len(self.rows)), self.setting.pseudo)

    def table(self, levels: Floats) -> Floats:
        """(cells + 1, classes): a table of log P(class | parents) as what it says beyond the share of the class.

        Of a table of draws (cells + 1, slots, draws), draw by draw: (cells + 1, draws * classes).
        """
        said, known = levels[:, : len(self.rows)].swapaxes(1, 2), log(self.shares(self.rows))
        beyond = np.where(np.isneginf(known), said, said - np.where(np.isneginf(known), 0.0, known))
        return beyond.reshape(len(levels), levels.shape[2] * len(self.rows))

    def learnt(self) -> Floats:
        """(cells + 1, classes): under the counts."""
        return self.table(self.levels.table(self.counts[None].transpose(0, 2, 1)))

    def drawn(self, draws: Draws) -> Floats:
        """(cells + 1, draws * classes): drawn from the posterior."""
        cells = np.append(np.arange(self.counts.shape[1]), -1)
        return self.table(self.levels.drawn_table(self.counts[None].transpose(0, 2, 1), cells, draws))

    def prefix(self, many: int) -> ClassNode:
        """The class below the first of its parents."""
        parts = self.schema.parts(self.above).tolist()
        counts = self.counts.reshape(len(self.rows), *parts)
        fewer = counts.sum(axis=tuple(range(1 + many, counts.ndim))).reshape(len(self.rows), -1)
        return replace(self, above=self.above[:many], counts=fewer)

    def without(self, block: Block, counted: Array, values: Array) -> Floats:
        """(rows, classes): the same of rows that were learnt, had each of them not been."""
        own, weights = own_weights(block)
        mine = own[:, None] == np.arange(len(self.rows))
        left = np.maximum(subtract(np.asarray(self.rows, dtype=np.float64), mine * weights[:, None]), 0.0)
        shares = self.shares(left)
        levels, cells = self.levels, cells_of(self.schema, self.above, values)
        base = levels._leant(shares, shares, np.array(len(self.rows)))
        taken = mine * (weights * counted)[:, None]
        count = np.maximum(subtract(np.asarray(self.counts.T[cells], dtype=np.float64), taken), 0.0)
        said = smoothed_shares(count, count.sum(axis=1, keepdims=True), base, levels.strength[0])
        said = np.where(cells[:, None] < 0, shares, said)
        known = shares > 0
        return np.where(known, log(said) - log(np.where(known, shares, 1.0)), log(said))


class NodeView(ParentView):
    """Columns below their parents, and what the class says below its own.

    `mine` sees classes apart, `together` all as one: it speaks for the columns that do not depend on the class.
    """

    def __init__(
        self, mine: ParentView, together: ParentView, apart: Sequence[int], own: ClassNode | None, table: Floats | None
    ) -> None:
        super().__init__(mine.members)
        self.classes = mine.classes
        self.mine, self.together, self.apart = mine, together, frozenset(apart)
        self.own, self._own_table = own, table

    def _shaped(self, said: Floats) -> Floats:
        return np.repeat(said, len(self.members.rows), axis=-1)

    def table(self, column: int, by: Parents) -> Floats:
        return self._shaped(self.together.table(column, by)) if column in self.apart else self.mine.table(column, by)

    def numbers(self, by: Parents) -> Sequence[tuple[tuple[int, ...], Any]]:
        return self.mine.numbers(by)

    def one(self, column: int, by: Parents, block: Block, counted: Array, values: Array) -> Floats:
        if column not in self.apart:
            return self.mine.one(column, by, block, counted, values)
        cells = None if block.cells is None else np.zeros_like(block.cells)
        return self._shaped(self.together.one(column, by, replace(block, cells=cells), counted, values))

    def parts(self, column: int, by: Parents, values: Array) -> Floats:
        if column in self.apart:
            return self._shaped(self.together.parts(column, by, values))
        return self.mine.parts(column, by, values)

    def about_class(self, block: Block, counted: Array, values: Array) -> Floats:
        """(rows, classes): log P(class | its parents), beyond the share of the class."""
        assert self.own is not None, "asked of a class that has parents"
        if self._own_table is None:
            return self.own.without(block, counted, values)
        return self._own_table[cells_of(self.members.schema, self.own.above, values)]
