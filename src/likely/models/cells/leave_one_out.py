"""Rows left out one by one, each of weight one: what is said hangs on class, cell and level alone, and is looked up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log
from likely.families.levels import Levels
from likely.families.predictor import never_learnt_error, own_weights
from likely.families.smoothing import share, smoothed_shares
from likely.kernels.memory import pad_classes
from likely.kernels.scoring.level_scores import score_codes
from likely.models.cells.cell_counts import CellCounts, Parents
from likely.models.cells.cell_rows import WithoutReader
from likely.statistics.statistic import subtract


class TabledReader(WithoutReader):
    """The same as a `WithoutReader`, of rows that weigh one each, sorted by class."""

    def __init__(self, members: CellCounts, block: Block) -> None:
        super(WithoutReader, self).__init__(members, block)
        self.own, self.weights = own_weights(block)
        self._at, self._alone = None, {}
        levels, present = members.levels, block.codes < members.levels.levels
        at = levels.offsets + np.where(present, block.codes, 0)
        odd = present & (levels.counts[self.own[:, None], at] < 1.0 - 1e-9)
        if odd.any():
            raise never_learnt_error(block.start + int(odd.any(axis=1).argmax()), "its class has no such value")

    @cached_property
    def _shares(self) -> LevelsWithoutRow:
        return LevelsWithoutRow(self.members.levels)

    def levels(
        self, by: Parents, block: Block, cells: Array, values: Array, imagined: Sequence[bool], out: Floats
    ) -> None:
        members, offsets, (own, _) = self.members, self.members.levels.offsets, own_weights(block)
        some, at = np.unique(cells, return_inverse=True)
        known = some[some >= 0]
        places = np.where(cells < 0, len(known), at.reshape(-1) - (some < 0).any())
        theirs, mine = self._shares.tables(members.counts(by, known), float(not any(imagined)))
        for table in (theirs, mine):
            members.finished(by, table, None, known)
        size, slots, classes = theirs.shape
        flat = pad_classes(theirs.reshape(size * slots, classes))
        own_cells = self._own_of(by, imagined, known) if by else np.zeros((classes, 1, classes))
        for cell in np.unique(own):
            rows = slice(*np.searchsorted(own, [cell, cell + 1]))
            flat[:, cell] = mine[:, :, cell].reshape(-1)
            score_codes(block.codes[rows], offsets, flat, out[rows], places[rows] * slots)
            flat[:, cell] = theirs[:, :, cell].reshape(-1)
            out[rows] += own_cells[cell][places[rows]]

    def _own_of(self, by: Parents, imagined: Sequence[bool], cells: Array) -> Floats:
        """(own classes, cells + 1, classes): log P(cell | class) of the discrete parents; last, of no cell."""
        members, mine = self.members, np.eye(self.classes)[:, None, :]
        shares = np.ones((self.classes, len(cells), self.classes))
        for place, value in enumerate(np.unravel_index(cells, tuple(members.schema.parts(by)))):
            if by[place] in members.discrete:
                seen = self._shares.of(members.discrete.index(by[place]))
                shares = shares * (members.shares(by[place]).T[None] if imagined[place] else seen)[:, value]
        said = log(shares)
        if set(by) <= set(members.discrete):
            rows, gone = members.cell_rows(by).astype(np.float64), mine * float(not any(imagined))
            count = _without(np.broadcast_to(rows.T[cells], shares.shape), gone)
            said = members.joint(count, _without(rows.sum(axis=1), gone), shares, _without(members.rows, mine), by)
        return np.concatenate([said, np.zeros((self.classes, 1, self.classes))], axis=1)


class LevelsWithoutRow:
    """Levels by class, with one row less that has the level: in its own class, and in any other."""

    def __init__(self, levels: Levels) -> None:
        self.levels = levels
        counts, sizes = levels.counts[:, levels.parts].astype(np.float64), np.repeat(levels.levels, levels.levels)
        observed = np.repeat(levels.observed, levels.levels, axis=1).astype(np.float64)
        pseudo = levels.setting.pseudo
        column = share(_without(counts.sum(axis=0), 1.0), _without(observed.sum(axis=0), 1.0), sizes, pseudo)
        # (classes, parts), each: probabilities of the levels, and what cells lean on
        self.theirs = levels._by_class(counts, observed, column, sizes)
        self.mine = levels._by_class(_without(counts, 1.0), _without(observed, 1.0), column, sizes)
        self._bases = tuple(levels._leant(shares, column, sizes) for shares in (self.theirs, self.mine))

    def of(self, place: int) -> Floats:
        """(own classes, levels, classes): the probabilities of a column's levels."""
        at = slice(self.levels.starts[place], self.levels.starts[place] + self.levels.levels[place])
        mine = np.eye(len(self.theirs), dtype=bool)[:, None, :]
        return np.where(mine, self.mine[:, at].T[None], self.theirs[:, at].T[None])

    def tables(self, counts: Array | None, taken: float) -> tuple[Floats, Floats]:
        """(cells + 1, slots, classes), twice: log probabilities in classes that are not the row's own, and in that.

        counts (classes, cells, parts), of which `taken` goes in the row's own class; the last is no cell.
        """
        observed = None if counts is None else np.repeat(self.levels.summed(counts), self.levels.levels, axis=2)
        theirs = self._table(counts, observed, 0.0, self.theirs, self._bases[0])
        return theirs, self._table(counts, observed, taken, self.mine, self._bases[1])

    def _table(
        self, counts: Array | None, observed: Array | None, taken: float, shares: Floats, base: Floats
    ) -> Floats:
        levels = self.levels
        cells = 0 if counts is None else counts.shape[1]
        out = np.zeros((cells + 1, int((levels.levels + 2).sum()), len(levels.rows)))
        out[cells, levels.parts] = log(shares).T
        if counts is not None and observed is not None:
            strength = np.repeat(levels.strength, levels.levels)
            said = smoothed_shares(_without(counts, taken), _without(observed, taken), base[:, None, :], strength)
            out[:cells, levels.parts] = log(said).transpose(1, 2, 0)
        return out


def _without(counts: Array, taken: Array | float) -> Floats:
    if counts.dtype.kind in "iu":  # whole rows leave nothing behind through rounding
        return np.maximum(counts - taken, 0.0)
    return np.maximum(subtract(*np.broadcast_arrays(counts, taken)), 0.0)
