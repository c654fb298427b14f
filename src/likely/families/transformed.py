"""Real columns that are normal once transformed: the logarithm of what is above zero, or what is not zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log
from likely.core.unusable_rows import LARGEST_NUMBER
from likely.families.draws import Draws
from likely.families.gaussian import GaussianPredictor
from likely.families.numeric import CellMoments, nowhere, numeric_block, rows_without
from likely.families.predictor import (
    CellScorer,
    ColumnScorer,
    Evidence,
    Setting,
    own_weights,
    presence,
    with_missing,
)
from likely.statistics import Moments, Question
from likely.statistics.statistic import subtract
from likely.statistics.transforms import described_numbers


@dataclass(frozen=True)
class Transformed:
    """One part of the values apart, with a probability of its own, and a normal of the others, in each class.

    "log": log-normal above zero, apart is what is not above zero. "zeros": normal but for zeros, which are apart. The
    normal is that of Gaussian, of the transformed values; the probability of the part is (n + s p) / (N + s), with p
    its share in the whole column, of which half a value of each sort is known beforehand.
    """

    kinds: tuple[str, ...] = ("log",)
    together: bool = True

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        return (Question("moments", tuple(columns)), Question("transformed", tuple(columns)))

    def predictor(self, evidence: Evidence) -> TransformedPredictor:
        columns = evidence.columns
        seen = evidence.answers[Question("transformed", columns)]
        assert isinstance(seen, Moments), "it is answered by moments"
        missing = replace(evidence.setting, missing="ignore")  # whether a value is there is said here, once
        below = evidence.answers[Question("transformed", columns, evidence.by)] if evidence.by else nowhere(seen)
        assert isinstance(below, Moments), "it is answered by moments"
        names = tuple(evidence.schema.columns[at].name for at in columns)
        normal = GaussianPredictor(seen, below, evidence.rows, slice(None), names, missing)
        at = numeric_block(evidence.schema, columns)
        moments = (evidence.answer(Moments), evidence.below(Moments))
        return TransformedPredictor(self.kinds[0], normal, *moments, evidence.rows, evidence.setting, at)


@dataclass(frozen=True, eq=False)
class TransformedBlock:
    """A block of these columns: (rows, columns) which values are missing and which are apart, and the block inside."""

    gone: Array
    apart: Array
    block: Block

    @classmethod
    def of(cls, description: str, block: Block, at: Array | slice) -> TransformedBlock:
        values = block.reals[:, at]
        seen = described_numbers(description, values)
        outside, gone = np.isnan(seen), np.isnan(values)
        return cls(gone, outside & ~gone, replace(block, reals=np.ascontiguousarray(seen)))

    def stretch(self, description: str) -> Floats | float:
        """(rows, columns): the log of the density of a logarithm over that of its number."""
        return -np.nan_to_num(self.block.reals) if description == "log" else 0.0

    def said(self, description: str, apart: tuple[Floats, Floats], known: tuple[Floats, Floats]) -> Floats:
        """(rows, columns, classes): all but the normal: the sort of value, its being there, and the stretch."""
        sort = np.where(self.apart[:, :, None], apart[0], apart[1])
        stretch = np.broadcast_to(self.stretch(description), self.gone.shape)[:, :, None]
        return np.where(self.gone[:, :, None], known[1], sort + known[0] + stretch)

    def add_in_cells(
        self,
        description: str,
        apart: tuple[Floats, Floats],
        known: tuple[Floats, Floats],
        out: Floats,
        cells: Array,
        skip: Sequence[int],
    ) -> None:
        """out (rows, classes) += the sum over the columns but some; apart are (cells, columns, classes)."""
        sort = np.where(self.gone, 2, np.where(self.apart, 0, 1))
        for place in range(self.gone.shape[1]):
            if place in skip:
                continue
            (odd, even), (here, gone) = (part[:, place] for part in apart), (part[place] for part in known)
            table = np.stack([odd + here, even + here, np.broadcast_to(gone, odd.shape)], axis=1)
            out += table[cells, sort[:, place]]
            if description == "log":
                out -= np.nan_to_num(self.block.reals[:, place])[:, None]

    def add(self, description: str, apart: tuple[Floats, ...], known: tuple[Floats, ...], out: Floats) -> None:
        """out (rows, classes) += the sum over the columns: what most values say, and what the others say instead."""
        if not all(bool(np.isfinite(part).all()) for part in (*apart, *known)):  # as without pseudo-counts
            (odd, even), (here, gone) = apart, known
            out += self.said(description, (odd, even), (here, gone)).sum(axis=1)
            return
        usual = apart[1] + known[0]
        out += usual.sum(axis=0)
        for where, instead in ((self.apart, apart[0] + known[0] - usual), (self.gone, known[1] - usual)):
            if where.any():
                out += where.astype(np.float64) @ instead
        if description == "log":
            out -= np.nansum(self.block.reals, axis=1)[:, None]


@dataclass(frozen=True, eq=False)
class TransformedPredictor:
    """Columns of one description; moments (classes, columns) are those of the numbers themselves, and below in cells.

    In a cell of the parents the normal leans on that of the class, and so does the probability of the part.
    """

    description: str
    normal: GaussianPredictor
    moments: Moments
    below: Moments
    rows: Array
    setting: Setting
    at: Array | slice

    @cached_property
    def counts(self) -> tuple[Floats, Floats]:
        """(columns, classes): the weight of the values, and of those apart."""
        count = np.asarray(self.moments.count.T, dtype=np.float64)
        return count, np.asarray(np.maximum(subtract(count, self.normal.moments.count.T), 0.0))

    @cached_property
    def cell_counts(self) -> tuple[Floats, Floats]:
        """(cells + 1, columns, classes): the same in cells; the last is none."""
        count = np.asarray(CellMoments.below(self.below, len(self.rows)).count, dtype=np.float64)
        return count, np.asarray(np.maximum(subtract(count, self.normal.cells.count), 0.0))

    def _odds(self, count: Floats, apart: Floats) -> Floats:
        """(..., classes): the probability that a value is apart."""
        worth = self.setting.pseudo
        whole, odd = count.sum(axis=-1, keepdims=True), apart.sum(axis=-1, keepdims=True)
        usual = np.divide(odd + worth / 2, whole + worth, out=np.full(whole.shape, 0.5), where=whole + worth > 0)
        return self._leant(count, apart, np.broadcast_to(usual, count.shape))

    def _leant(self, count: Floats, apart: Floats, usual: Floats) -> Floats:
        """(..., classes): the same where it leans on what is usual."""
        worth = self.setting.pseudo
        base = np.broadcast_to(usual, count.shape).copy()
        return np.divide(apart + worth * base, count + worth, out=base.copy(), where=count + worth > 0)

    @cached_property
    def odds(self) -> Floats:
        """(columns, classes)."""
        return self._odds(*self.counts)

    @cached_property
    def cell_odds(self) -> Floats:
        """(cells + 1, columns, classes)."""
        return self._leant(*self.cell_counts, self.odds)

    @cached_property
    def apart(self) -> tuple[Floats, Floats]:
        """(columns, classes): log probabilities that a value is apart, and that it is not."""
        return _logs(self.odds)

    @cached_property
    def apart_in_cells(self) -> tuple[Floats, Floats]:
        """(cells + 1, columns, classes)."""
        return _logs(self.cell_odds)

    @cached_property
    def presence(self) -> tuple[Floats, Floats]:
        """(columns, classes)."""
        return presence(self.setting, self.rows, self.counts[0])

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        parted = TransformedBlock.of(self.description, block, self.at)
        self.normal.add(parted.block, out, cells, skip)
        if cells is None:
            parted.add(self.description, self.apart, self.presence, out)
        else:
            odd, even = self.apart_in_cells
            parted.add_in_cells(self.description, (odd, even), self.presence, out, cells, skip)

    def terms(self, block: Block, cells: Array | None = None) -> Floats:
        parted = TransformedBlock.of(self.description, block, self.at)
        odd, even = self.apart if cells is None else (part[cells] for part in self.apart_in_cells)
        said = parted.said(self.description, (odd, even), self.presence)
        return np.asarray(self.normal.terms(parted.block, cells) + said)

    def without(self, block: Block) -> Floats:
        parted = TransformedBlock.of(self.description, block, self.at)
        count, apart = self._counts_without(parted, block, *self.counts)
        said = self._said_without(parted, block, count, self._odds(count, apart)).sum(axis=1)
        return np.asarray(self.normal.without(parted.block) + said)

    def terms_without(self, block: Block, cells: Array, counted: Array) -> Floats:
        parted = TransformedBlock.of(self.description, block, self.at)
        count, apart = self._counts_without(parted, block, *self.counts)
        here, odd = (part[cells] for part in self.cell_counts)
        inside = self._counts_without(parted, block, here, odd, counted & (cells >= 0))
        odds = self._leant(*inside, self._odds(count, apart))
        said = self._said_without(parted, block, count, odds)
        return np.asarray(self.normal.terms_without(parted.block, cells, counted) + said)

    def _counts_without(
        self, parted: TransformedBlock, block: Block, count: Floats, apart: Floats, there: Array | None = None
    ) -> tuple[Floats, Floats]:
        """(rows, columns, classes): counts of the values and of those apart, without each row that is there."""
        own, weights = own_weights(block)
        if there is not None:
            weights = weights * there
        mine = (own[:, None] == np.arange(len(self.rows)))[:, None, :]
        shape = (*parted.gone.shape, len(self.rows))
        pairs = ((count, ~parted.gone), (apart, parted.apart))
        less = (
            subtract(np.broadcast_to(part, shape), np.where(mine, (weights[:, None] * which)[:, :, None], 0.0))
            for part, which in pairs
        )
        whole, odd = (np.maximum(part, 0.0) for part in less)
        return whole, odd

    def _said_without(self, parted: TransformedBlock, block: Block, count: Floats, odds: Floats) -> Floats:
        own, weights = own_weights(block)
        rows = rows_without(self.rows, own, weights)[:, None, :]
        return parted.said(self.description, _logs(odds), presence(self.setting, rows, count))

    def drawn(self, draws: Draws) -> DrawnTransformed:
        odds = [draws.beside(part) for part in self._drawn_odds(self.counts, self._proper_odds, draws.under(1))]
        known = tuple(draws.repeated(part) for part in self.presence)
        return DrawnTransformed(self.description, self.normal.drawn(draws.under(0)), tuple(odds), known, self.at)

    def drawn_cells(self, draws: Draws) -> DrawnTransformedCells:
        return DrawnTransformedCells(self, self.normal.drawn_cells(draws.under(0)), draws)

    @cached_property
    def _proper_odds(self) -> Floats:
        """(columns, 1): the share of the part in the whole column, which draws lean on whatever the estimate."""
        worth = self.setting.smoothing or 1.0
        count, apart = self.counts
        return np.asarray((apart.sum(axis=1, keepdims=True) + worth / 2) / (count.sum(axis=1, keepdims=True) + worth))

    def _drawn_odds(self, counts: tuple[Floats, Floats], usual: Floats, draws: Draws) -> tuple[Floats, Floats]:
        """(draws, ...), twice: log probabilities that a value is apart and that it is not."""
        worth, (count, apart), rng = self.setting.smoothing or 1.0, counts, draws.rng
        odd, even = (
            np.maximum(rng.standard_gamma(np.broadcast_to(mass, (draws.times, *count.shape))), 1e-300)
            for mass in (apart + worth * usual, np.maximum(count - apart, 0.0) + worth * (1.0 - usual))
        )
        return log(odd / (odd + even)), log(even / (odd + even))

    @property
    def drawn_size(self) -> float:
        return self.normal.drawn_size + 2.0 * self.moments.count.size

    def sample(self, classes: Array, rng: np.random.Generator, cells: Array | None = None) -> Array:
        odds = self.odds[:, classes].T if cells is None else self.cell_odds[cells, :, classes]
        apart = rng.random(odds.shape) < odds
        values = self.normal.sample(classes, rng, cells)
        if self.description == "log":
            values = np.exp(np.minimum(values, np.log(LARGEST_NUMBER)))
        drawn = np.where(apart, 0.0, values)
        return with_missing(drawn, self.presence[1], self.setting, classes, rng)

    def mass(self, place: int, edges: tuple[float, ...]) -> Floats:
        """What is apart is zero: its probability is that of the part with zero."""
        odd, even = (part[:, place].T[:, :, None] for part in self.apart_in_cells)
        below = sum(edge <= 0 for edge in edges) if self.description == "log" else 0
        above = edges[below:]
        said = self.normal.mass(place, tuple(np.log(above).tolist()) if self.description == "log" else above)
        nothing = np.full((*said.shape[:2], below), -np.inf)
        found = np.concatenate([nothing, said], axis=2) + even
        zero = int(np.searchsorted(edges, 0.0))
        found[:, :, zero] = np.logaddexp(found[:, :, zero], odd[:, :, 0])
        return found


def _logs(odds: Floats) -> tuple[Floats, Floats]:
    return log(odds), log(1.0 - odds)


@dataclass(frozen=True, eq=False)
class DrawnTransformed:
    """The columns under drawn parameters, the draws side by side."""

    description: str
    normal: ColumnScorer
    apart: tuple[Floats, ...]
    presence: tuple[Floats, ...]
    at: Array | slice

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, draws * classes) += the terms."""
        parted = TransformedBlock.of(self.description, block, self.at)
        self.normal.add(parted.block, out)
        parted.add(self.description, self.apart, self.presence, out)


@dataclass(frozen=True, eq=False)
class DrawnTransformedCells:
    """The columns below their parents under drawn parameters: those of the cells that rows are in, and of no others."""

    predictor: TransformedPredictor
    normal: CellScorer
    draws: Draws

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        """out (rows, draws * classes) += the sum of the terms of all columns but those at the places to `skip`."""
        predictor, description = self.predictor, self.predictor.description
        if not block.rows:
            return
        parted = TransformedBlock.of(description, block, predictor.at)
        self.normal.add(parted.block, out, cells, skip)
        some, where = np.unique(np.full(block.rows, -1) if cells is None else cells, return_inverse=True)
        odd, even = self._drawn(some, len(predictor.odds))
        here, gone = (self.draws.repeated(part) for part in predictor.presence)
        parted.add_in_cells(description, (odd, even), (here, gone), out, where, skip)

    def _drawn(self, cells: Array, columns: int) -> tuple[Floats, Floats]:
        """(cells, columns, draws * classes), twice."""
        predictor = self.predictor
        usual, counts = np.broadcast_to(predictor._proper_odds, predictor.odds.shape), predictor.cell_counts
        found = [
            [
                predictor._drawn_odds(
                    (counts[0][cell, column], counts[1][cell, column]), usual[column], self.draws.under(1, column, cell)
                )
                for column in range(columns)
            ]
            for cell in np.where(cells < 0, len(counts[0]) - 1, cells).tolist()
        ]
        odd, even = (np.array([[one[side].reshape(-1) for one in row] for row in found]) for side in (0, 1))
        return odd, even
