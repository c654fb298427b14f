"""Rows drawn from models whose columns depend on each other: parents first, then what depends on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from likely.core.block import Block, cells_of
from likely.core.numerics import Array, Floats
from likely.core.schema import NUMERIC, Column
from likely.models.cells.cell_counts import CellCounts, Parents


class RowSampler:
    """Values of rows of given classes, filled in column by column."""

    def __init__(self, members: CellCounts, classes: Array, rng: np.random.Generator) -> None:
        # values are drawn whole, so that others can depend on them; missing values come last
        self.members = replace(members, setting=replace(members.setting, missing="ignore"))
        self.known, self.classes, self.rng = members, classes, rng
        self.codes = np.zeros((len(classes), len(members.discrete)), dtype=np.int64)
        self.numeric = members.schema.of(*NUMERIC)
        self.reals = np.full((len(classes), len(self.numeric)), np.nan)

    def star(self, parents: Parents, at: Array) -> None:
        """The rows `at` by one member of an average: its parents, then every other column below their cell."""
        order = sorted(parents, key=lambda parent: parent not in self.members.discrete)
        numbers = len(order) == 2 and order[0] not in self.members.discrete
        turned = self.rng.random(len(at)) < 0.5 * numbers  # of two numbers either may come first
        for some, first in ((at[~turned], order), (at[turned], order[::-1])):
            for place, parent in enumerate(first):
                self.column(parent, tuple(first[:place]), some)
        for column in (*self.members.discrete, *self.numeric):
            if column not in parents:
                self.column(column, parents, at)

    def column(self, column: int, by: Parents, at: Array) -> None:
        """One column of the rows `at`, whose parents were drawn before."""
        cells = self.cells(by, at)
        if column not in self.members.discrete:
            place, predictor = self.members.number(column, by)
            drawn = predictor.sample(self.classes[at], self.rng, cells)
            whole = self.members.schema.columns[column].rounded(drawn[:, place])  # before others depend on it
            self.reals[at, self.numeric.index(column)] = whole
            return
        place = self.members.discrete.index(column)
        levels = self.members.levels.only(place)
        table = levels.table(self.members.below(column, by))[:, : levels.levels[0]]
        self.codes[at, place] = draw_places(np.exp(table[cells, :, self.classes[at]]), self.rng)

    def cells(self, by: Parents, at: Array) -> Array:
        """(rows,): the cell of these columns, drawn before."""
        parts = np.zeros((len(at), len(by)), dtype=np.int64)
        for place, parent in enumerate(by):
            if parent in self.members.discrete:
                parts[:, place] = self.codes[at, self.members.discrete.index(parent)]
            else:
                parts[:, place] = self.members.schema.columns[parent].part(self.reals[at, self.numeric.index(parent)])
        return cells_of(self.members.schema, by, parts)

    def values(self) -> dict[tuple[int, ...], Array]:
        """The columns drawn, with missing values in levels where a missing value is evidence."""
        levels = self.known.levels
        codes, reals = self.codes.copy(), self.reals.copy()
        if self.known.setting.missing == "informative":
            gone = np.exp(levels.presence[1])[:, self.classes].T
            codes = np.where(self.rng.random(codes.shape) < gone, levels.levels, codes)
            reals[self.rng.random(reals.shape) < self._gone()[self.classes]] = np.nan
        codes = np.where(levels.levels == 0, 0, codes)
        drawn = {self.members.discrete: codes, self.numeric: reals}
        for place, at in enumerate(self.members.discrete):
            if self.members.schema.columns[at].kind == "cut":
                drawn[at,] = self._between(self.members.schema.columns[at], codes[:, [place]])
        return drawn

    def _gone(self) -> Floats:
        """(classes, columns): the probability that a number is missing."""
        nothing = Block(1, np.zeros((1, 0), dtype=np.int32), np.full((1, len(self.numeric)), np.nan))
        out = np.zeros((len(self.known.rows), len(self.numeric)))
        for columns, predictor in self.known.numbers(()):
            out[:, [self.numeric.index(at) for at in columns]] = np.exp(predictor.terms(nothing, np.array([-1]))[0].T)
        return out

    def _between(self, column: Column, codes: Array) -> Array:
        """Numbers in the bins of a column, any as likely as another."""
        assert column.cuts is not None, "a binned column has cuts"
        assert column.grid is not None, "a binned column knows its range"
        edges = np.array([min(column.grid.low, column.cuts[0]), *column.cuts, max(column.grid.high, column.cuts[-1])])
        at = np.minimum(codes, column.parts - 1)
        place = self.rng.random(codes.shape)
        value = edges[at + 1] - (edges[at + 1] - edges[at]) * place
        if column.whole:  # any whole number of the bin, where it has some
            first = np.where(at > 0, np.floor(edges[at]) + 1, np.ceil(edges[at]))
            many = np.floor(edges[at + 1]) - first + 1
            value = np.where(many > 0, first + np.floor(many * place), np.rint(value))
        return np.where(codes < column.parts, value, np.nan)


def draw_places(shares: Floats, rng: np.random.Generator) -> Array:
    """(rows,): a place in each row of shares (rows, levels), drawn by them; 0 where there are no levels."""
    if not shares.shape[1]:
        return np.zeros(len(shares), dtype=np.int64)
    steps = np.cumsum(shares, axis=1)
    return np.asarray(
        np.minimum((rng.random((len(shares), 1)) * steps[:, -1:] > steps).sum(axis=1), shares.shape[1] - 1)
    )
