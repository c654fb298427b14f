"""What single columns say below their parents: as learnt, without each row itself, or under drawn parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.core.block import Block, cells_of
from likely.core.cache import Cache
from likely.core.numerics import Array, Floats, log
from likely.core.schema import DISCRETE
from likely.families.draws import Draws
from likely.families.levels import Levels
from likely.families.predictor import own_weights
from likely.families.smoothing import smoothed_shares
from likely.models.cells.cell_counts import LEVEL_STREAM, NUMBER_STREAM, CellCounts, Parents
from likely.statistics.statistic import subtract


class ParentView:
    """Columns below parents, by their places in the schema; `values` (rows, parents) are the parts of the parents."""

    def __init__(self, members: CellCounts) -> None:
        self.members = members
        self.classes = len(members.rows)
        self._tables: Cache[tuple[int, Parents], Floats] = Cache()

    def discrete(self, column: int) -> bool:
        """Whether a column has levels."""
        return self.members.schema.columns[column].kind in DISCRETE

    def table(self, column: int, by: Parents) -> Floats:
        """(cells + 1, slots, classes): log probabilities of a discrete column."""
        return self._tables.get((column, by), lambda: self._table(column, by))

    def _table(self, column: int, by: Parents) -> Floats:
        levels, counts = self.counts(column, by)
        return levels.table(counts)

    def tabled(self, column: int, by: Parents, cells: Array) -> tuple[Floats, Array]:
        """(some cells, slots, classes) and (rows,): log probabilities of a discrete column, and where each cell is."""
        return self.table(column, by), cells

    def counts(self, column: int, by: Parents) -> tuple[Levels, Array | None]:
        """The column's levels by class, and (classes, cells, levels)."""
        members, place = self.members, self.members.discrete.index(column)
        return members.levels.only(place), members.below(column, by)

    def cells(self, by: Parents, values: Array) -> Array:
        """(rows,): the cell of the values together; -1 where there are none, or one was never learnt."""
        return cells_of(self.members.schema, by, values)

    def number(self, column: int, by: Parents) -> tuple[int, int, Any]:
        """The predictor of a numeric column, the column's place in it, and how many columns it has."""
        columns, predictor = next(part for part in self.numbers(by) if column in part[0])
        return columns.index(column), len(columns), predictor

    def numbers(self, by: Parents) -> Sequence[tuple[tuple[int, ...], Any]]:
        """The predictors of the numeric columns below some parents."""
        return self.members.numbers(by)

    def one(self, column: int, by: Parents, block: Block, counted: Array, values: Array) -> Floats:
        """(rows, classes): log p(value | class, parents); nothing where the value is missing.

        `counted` (rows,) is whether the row was learnt with these very values of the parents.
        """
        cells = self.cells(by, values)
        if self.discrete(column):
            table, at = self.tabled(column, by, cells)
            return table[at, block.codes[:, self.members.discrete.index(column)]]
        place, size, predictor = self.number(column, by)
        out = np.zeros((block.rows, self.classes))
        predictor.add(block, out, cells, tuple(other for other in range(size) if other != place))
        return out

    def parts(self, column: int, by: Parents, values: Array) -> Floats:
        """(rows, parts, classes): log P(part | class, parents) of a column whose value is missing."""
        cells = self.cells(by, values)
        if self.discrete(column):
            table, at = self.tabled(column, by, cells)
            return table[at, :-2]
        place, predictor = self.members.number(column, by)
        cuts = self.members.schema.columns[column].cuts or ()
        return np.asarray(predictor.mass(place, cuts)[:, cells].transpose(1, 2, 0))


class DrawnView(ParentView):
    """Under parameters drawn from their posterior; what was drawn of a cell is kept for rows that come to it later."""

    def __init__(self, members: CellCounts, draws: Draws) -> None:
        super().__init__(members)
        self.classes = draws.times * len(members.rows)
        self._draws = draws
        self._drawn: dict[tuple[int, Parents], dict[int, Floats]] = {}
        self._numbers: dict[Parents, list[tuple[tuple[int, ...], Any]]] = {}

    def tabled(self, column: int, by: Parents, cells: Array) -> tuple[Floats, Array]:
        held = self._drawn.setdefault((column, by), {})
        some, at = np.unique(cells, return_inverse=True)
        new = np.array([cell for cell in some.tolist()[::-1] if cell not in held], dtype=np.int64)  # -1, no cell, last
        if len(new):
            levels, counts = self.counts(column, by)
            counts = None if counts is None else counts[:, new[new >= 0]]
            drawn = levels.drawn_table(counts, new, self._draws.under(LEVEL_STREAM, column, len(by), *by))
            held.update(zip(new.tolist(), drawn, strict=True))
        return np.array([held[cell] for cell in some.tolist()]), at

    def numbers(self, by: Parents) -> Sequence[tuple[tuple[int, ...], Any]]:
        if by not in self._numbers:
            draws = self._draws.under(NUMBER_STREAM, len(by), *by)
            self._numbers[by] = [
                (columns, found.drawn_cells(draws.under(columns[0]))) for columns, found in super().numbers(by)
            ]
        return self._numbers[by]

    def parts(self, column: int, by: Parents, values: Array) -> Floats:
        said = super().parts(column, by, values)
        return said if self.discrete(column) else np.asarray(self._draws.repeated(said))


class WithoutView(ParentView):
    """Had the model not learnt the very row that is looked at."""

    def one(self, column: int, by: Parents, block: Block, counted: Array, values: Array) -> Floats:
        own, weights = own_weights(block)
        if not self.discrete(column):
            place, _, predictor = self.number(column, by)
            return np.asarray(predictor.terms_without(block, self.cells(by, values), counted)[:, place])
        levels, counts = self.counts(column, by)
        codes = block.codes[:, [self.members.discrete.index(column)]]
        shares, base = (part[:, 0] for part in levels.shares_without(codes, own, weights, block.start))
        present = codes[:, 0] < levels.levels[0]
        said = shares
        if counts is not None:
            cells, code = self.cells(by, values), np.where(present, codes[:, 0], 0)
            taken = np.where(own[:, None] == np.arange(len(self.members.rows)), (weights * counted)[:, None], 0.0)
            count = self._less(counts[:, cells, code].T, taken)
            observed = self._less(counts.sum(axis=2)[:, cells].T, taken)
            said = np.where(cells[:, None] < 0, shares, smoothed_shares(count, observed, base, levels.strength[0]))
        return np.where(present[:, None], log(said), 0.0)

    @staticmethod
    def _less(counts: Array, taken: Floats) -> Floats:
        return np.maximum(subtract(np.asarray(counts, dtype=np.float64), taken), 0.0)
