"""A block of rows below the cells of super-parents: as learnt, without each row itself, or under drawn parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.core.block import Block, cells_of
from likely.core.numerics import Array, Floats, log
from likely.families.draws import Draws
from likely.families.predictor import own_weights
from likely.kernels.scoring.level_scores import score_codes
from likely.kernels.scoring.members import score_without
from likely.models.cells.cell_counts import LEVEL_STREAM, NUMBER_STREAM, OWN_STREAM, CellCounts, Parents
from likely.statistics.statistic import subtract


class Reader:
    """Log likelihoods of rows under one set of parents, whose values are seen or imagined."""

    def __init__(self, members: CellCounts, block: Block) -> None:
        self.members, self.block = members, block
        self.classes = len(members.rows)

    def score(self, by: Parents, at: Array | None, values: Array, cells: Array, imagined: Sequence[bool]) -> Floats:
        """(rows, classes): log P(row | class) of the rows `at` (or all), with these values (rows, parents)."""
        block = self.block if at is None else self.block.take(at)
        out = np.zeros((block.rows, self.classes))
        self.levels(by, block, cells, values, imagined, out)
        for columns, predictor in self.numbers(by):
            skip = tuple(columns.index(parent) for parent in by if parent in columns)
            self.number(predictor, block, cells, not any(imagined), out, skip)
        numeric = [place for place, parent in enumerate(by) if parent not in self.members.discrete]
        if numeric:
            out += self._parents(by, block, values, imagined, numeric)
        return out

    def cells(self, by: Parents, values: Array) -> Array:
        """(rows,): the cell of the values together; -1 where one was never learnt."""
        return cells_of(self.members.schema, by, values)

    def _parents(
        self, by: Parents, block: Block, values: Array, imagined: Sequence[bool], numeric: Sequence[int]
    ) -> Floats:
        """(rows, classes): what the numeric parents say themselves: given the discrete one, else by turns."""

        def said(place: int, given: tuple[int, ...]) -> Floats:
            parents = tuple(by[other] for other in given)
            cells = self.cells(parents, values[:, list(given)])
            counted = not any(imagined[other] for other in given)
            out = np.zeros((block.rows, self.classes))
            if imagined[place]:  # its part, and that it is missing, which may be evidence itself
                mass = self.mass(by[place], parents)
                known = np.concatenate([mass, np.zeros((*mass.shape[:2], 1))], axis=2)  # last, of any part
                out += known[:, cells, values[:, place]].T
                parents, cells, counted = (), np.full(block.rows, -1), False
            columns, predictor = next(part for part in self.numbers(parents) if by[place] in part[0])
            others = tuple(other for other in range(len(columns)) if columns[other] != by[place])
            self.number(predictor, block, cells, counted, out, others)
            return out

        if len(numeric) < len(by):
            discrete = tuple(place for place in range(len(by)) if place not in numeric)
            return said(numeric[0], discrete)
        if len(by) == 1:
            return said(0, ())
        either = np.logaddexp(said(0, ()) + said(1, (0,)), said(1, ()) + said(0, (1,)))
        return np.asarray(either - np.log(2.0))

    def mass(self, at: int, by: Parents) -> Floats:
        """(classes, cells + 1, parts): log probabilities of the parts of a numeric column."""
        column, predictor = self.members.number(at, by)
        return predictor.mass(column, self.members.schema.columns[at].cuts or ())

    def numbers(self, by: Parents) -> Sequence[tuple[tuple[int, ...], Any]]:
        """The numeric columns' predictors."""
        return self.members.numbers(by)

    def number(
        self, predictor: Any, block: Block, cells: Array, counted: bool, out: Floats, skip: tuple[int, ...]
    ) -> None:
        """out (rows, classes) += what numeric columns say."""
        predictor.add(block, out, cells, skip)

    def levels(
        self, by: Parents, block: Block, cells: Array, values: Array, imagined: Sequence[bool], out: Floats
    ) -> None:
        """out (rows, classes) += what discrete columns say, the parents themselves too."""
        table, at = self.table(by, cells)
        flat = table.reshape(len(table) * table.shape[1], table.shape[2])
        score_codes(block.codes, self.members.levels.offsets, flat, out, at * table.shape[1])

    def table(self, by: Parents, cells: Array) -> tuple[Floats, Array]:
        """(cells + 1, slots, classes) and (rows,): log probabilities of discrete columns, and each row's cell."""
        return self.members.table(by, cells)

    def terms(self, by: Parents, at: Array | None, values: Array, imagined: Sequence[bool]) -> Floats:
        """(rows, columns, classes): what every discrete and numeric column says; their sum is the score."""
        members, block = self.members, self.block if at is None else self.block.take(at)
        cells = self.cells(by, values)
        out = np.zeros((block.rows, len(members.schema.columns), self.classes))
        table, where = self.table(by, cells)
        said = table[where[:, None], members.levels.offsets + block.codes]
        out[:, list(members.discrete)] = said[..., : self.classes]
        levels = [at for at in by if at in members.discrete]
        if len(levels) > 1:  # what two levels say together is put down to both alike
            out[:, levels] = out[:, levels].mean(axis=1, keepdims=True)
        for columns, predictor in self.numbers(by):
            out[:, list(columns)] = predictor.terms(block, cells)
        numeric = [place for place, parent in enumerate(by) if parent not in members.discrete]
        if numeric:
            said = self._parents(by, block, values, imagined, numeric)
            for place in numeric:
                out[:, by[place]] = said / len(numeric)
        return out


class DrawnReader(Reader):
    """Under parameters drawn from their posterior: those of the cells that rows are in, for each set of parents."""

    def __init__(self, members: CellCounts, block: Block, draws: Draws) -> None:
        super().__init__(members, block)
        self.classes = draws.times * len(members.rows)
        self._draws = draws
        self._numbers: dict[Parents, list[tuple[tuple[int, ...], Any]]] = {}

    def table(self, by: Parents, cells: Array) -> tuple[Floats, Array]:
        some, at = np.unique(cells, return_inverse=True)
        some, at = some[::-1], len(some) - 1 - at  # -1, no cell, last
        known, members = some[some >= 0], self.members
        draws = self._draws.under(len(by), *by)
        table = members.levels.drawn_table(members.counts(by, known), some, draws.under(LEVEL_STREAM))
        own = members.drawn_own(by, draws.under(OWN_STREAM))[known] if by else None
        return members.finished(by, table, own, known), at

    def numbers(self, by: Parents) -> Sequence[tuple[tuple[int, ...], Any]]:
        if by not in self._numbers:
            draws = self._draws.under(len(by), *by, NUMBER_STREAM)
            self._numbers[by] = [
                (columns, found.drawn_cells(draws.under(columns[0]))) for columns, found in super().numbers(by)
            ]
        return self._numbers[by]

    def mass(self, at: int, by: Parents) -> Floats:
        return np.tile(super().mass(at, by), (self._draws.times, 1, 1))


class WithoutReader(Reader):
    """Had the model not learnt the very row that is read."""

    def __init__(self, members: CellCounts, block: Block) -> None:
        super().__init__(members, block)
        self.own, self.weights = own_weights(block)
        self.shares, self.base = members.levels.shares_without(block.codes, self.own, self.weights, block.start)
        self.rows = self._less(np.asarray(members.rows, dtype=np.float64)[None], None, True)
        self._at: Array | None = None
        self._alone: dict[int, Floats] = {}

    def score(self, by: Parents, at: Array | None, values: Array, cells: Array, imagined: Sequence[bool]) -> Floats:
        self._at = at
        return super().score(by, at, values, cells, imagined)

    def _less(self, counts: Floats, at: Array | None, counted: bool) -> Floats:
        """(rows, classes): counts less the row itself, in its own class."""
        own, weights = (self.own, self.weights) if at is None else (self.own[at], self.weights[at])
        taken = np.where(own[:, None] == np.arange(self.classes), weights[:, None] * counted, 0.0)
        return np.maximum(subtract(np.broadcast_to(counts, taken.shape), taken), 0.0)

    def number(
        self, predictor: Any, block: Block, cells: Array, counted: bool, out: Floats, skip: tuple[int, ...]
    ) -> None:
        terms = self._terms(predictor, block, cells, counted)
        out += terms[:, [place for place in range(terms.shape[1]) if place not in skip]].sum(axis=1)

    def _terms(self, predictor: Any, block: Block, cells: Array, counted: bool) -> Floats:
        """(rows, columns, classes): what is said by the class alone is the same for every parent."""
        alone = self._at is None and any(predictor is found for _, found in self.members.numbers(()))
        if not alone or id(predictor) not in self._alone:
            terms: Floats = predictor.terms_without(block, cells, np.full(block.rows, counted))
            if not alone:
                return terms
            self._alone[id(predictor)] = terms
        return self._alone[id(predictor)]

    def levels(
        self, by: Parents, block: Block, cells: Array, values: Array, imagined: Sequence[bool], out: Floats
    ) -> None:
        members, at = self.members, slice(None) if self._at is None else self._at
        levels, base = members.levels, np.ascontiguousarray(self.base[at]).view()
        base.flags.writeable = False  # as where all rows share it: one kind of array to compile for
        skip = np.isin(members.discrete, by)
        some, places = np.unique(cells, return_inverse=True)
        places = np.where(cells < 0, -1, places - (some < 0).any())
        counts = members.counts(by, some[some >= 0])
        if counts is None:
            out += np.where(block.codes[:, :, None] < levels.levels[:, None], log(self.shares[at]), 0.0).sum(axis=1)
            return
        last = np.ascontiguousarray(counts.transpose(1, 2, 0), dtype=np.float64)
        seen = np.ascontiguousarray(levels.summed(counts).transpose(1, 2, 0), dtype=np.float64)
        taken = self.weights[at] * (not any(imagined))
        score_without(
            block.codes, levels.levels, levels.starts, last, seen, places, base, levels.strength,
            self.own[at].astype(np.int64), taken, skip, out,
        )  # fmt: skip
        out += self._own(by, values, imagined, cells)

    def _own(self, by: Parents, values: Array, imagined: Sequence[bool], cells: Array) -> Floats:
        """(rows, classes): log P(cell | class) of the discrete parents."""
        members, at = self.members, slice(None) if self._at is None else self._at
        shares = np.ones((len(values), self.classes))
        for place, parent in enumerate(by):
            if parent in members.discrete:
                seen = self.shares[at, members.discrete.index(parent)]
                shares = shares * (members.shares(parent).T[values[:, place]] if imagined[place] else seen)
        if not set(by) <= set(members.discrete):
            return log(shares)
        counted, rows = not any(imagined), members.cell_rows(by).astype(np.float64)
        count = self._less(rows.T[cells], self._at, counted)
        whole = self._less(rows.sum(axis=1)[None], self._at, counted)
        return members.joint(count, whole, shares, self.rows[at], by)
