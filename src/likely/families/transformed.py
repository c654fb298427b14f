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
from likely.families.numeric import numeric_block, rows_without
from likely.families.predictor import ColumnScorer, Evidence, own_weights, presence, with_missing
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
        nowhere = seen.take(np.zeros(0, dtype=np.int64), np.arange(len(columns)))
        names = tuple(evidence.schema.columns[at].name for at in columns)
        normal = GaussianPredictor(seen, nowhere, evidence.rows, slice(None), names, missing)
        at = numeric_block(evidence.schema, columns)
        return TransformedPredictor(self.kinds[0], normal, evidence.answer(Moments), evidence, at)


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
    """Columns of one description; moments (classes, columns) are those of the numbers themselves."""

    description: str
    normal: GaussianPredictor
    moments: Moments
    evidence: Evidence
    at: Array | slice

    @cached_property
    def counts(self) -> tuple[Floats, Floats]:
        """(columns, classes): the weight of the values, and of those apart."""
        count = np.asarray(self.moments.count.T, dtype=np.float64)
        return count, np.asarray(np.maximum(subtract(count, self.normal.moments.count.T), 0.0))

    def _shares(self, count: Floats, apart: Floats) -> tuple[Floats, Floats]:
        """(..., classes): log probabilities that a value is apart, and that it is not."""
        worth = self.evidence.setting.pseudo
        whole, odd = count.sum(axis=-1, keepdims=True), apart.sum(axis=-1, keepdims=True)
        usual = np.divide(odd + worth / 2, whole + worth, out=np.full(whole.shape, 0.5), where=whole + worth > 0)
        base = np.broadcast_to(usual, count.shape)
        share = np.divide(apart + worth * base, count + worth, out=base.copy(), where=count + worth > 0)
        return log(share), log(1.0 - share)

    @cached_property
    def apart(self) -> tuple[Floats, Floats]:
        """(columns, classes)."""
        return self._shares(*self.counts)

    @cached_property
    def presence(self) -> tuple[Floats, Floats]:
        """(columns, classes)."""
        return presence(self.evidence.setting, self.evidence.rows, self.counts[0])

    def add(self, block: Block, out: Floats) -> None:
        parted = TransformedBlock.of(self.description, block, self.at)
        self.normal.add(parted.block, out)
        parted.add(self.description, self.apart, self.presence, out)

    def terms(self, block: Block) -> Floats:
        parted = TransformedBlock.of(self.description, block, self.at)
        return np.asarray(self.normal.terms(parted.block) + parted.said(self.description, self.apart, self.presence))

    def without(self, block: Block) -> Floats:
        own, weights = own_weights(block)
        parted = TransformedBlock.of(self.description, block, self.at)
        mine = (own[:, None] == np.arange(len(self.evidence.rows)))[:, None, :]
        shape = (*parted.gone.shape, len(self.evidence.rows))
        count, apart = (np.broadcast_to(part, shape) for part in self.counts)
        there, odd = (weights[:, None] * part for part in (~parted.gone, parted.apart))
        count = np.maximum(subtract(count, np.where(mine, there[:, :, None], 0.0)), 0.0)
        apart = np.maximum(subtract(apart, np.where(mine, odd[:, :, None], 0.0)), 0.0)
        rows = rows_without(self.evidence.rows, own, weights)[:, None, :]
        known = presence(self.evidence.setting, rows, count)
        said = parted.said(self.description, self._shares(count, apart), known).sum(axis=1)
        return np.asarray(self.normal.without(parted.block) + said)

    def drawn(self, draws: Draws) -> DrawnTransformed:
        worth = self.evidence.setting.smoothing or 1.0
        count, apart = self.counts
        usual = (apart.sum(axis=1, keepdims=True) + worth / 2) / (count.sum(axis=1, keepdims=True) + worth)
        rng = draws.under(1).rng
        odd, even = (
            np.maximum(rng.standard_gamma(np.broadcast_to(mass, (draws.times, *count.shape))), 1e-300)
            for mass in (apart + worth * usual, np.maximum(count - apart, 0.0) + worth * (1.0 - usual))
        )
        both = tuple(draws.beside(log(part / (odd + even))) for part in (odd, even))
        known = tuple(draws.repeated(part) for part in self.presence)
        return DrawnTransformed(self.description, self.normal.drawn(draws.under(0)), both, known, self.at)

    @property
    def drawn_size(self) -> float:
        return self.normal.drawn_size + 2.0 * self.moments.count.size

    def sample(self, classes: Array, rng: np.random.Generator) -> Array:
        odds = np.exp(self.apart[0])[:, classes].T
        apart = rng.random(odds.shape) < odds
        values = self.normal.sample(classes, rng)
        if self.description == "log":
            values = np.exp(np.minimum(values, np.log(LARGEST_NUMBER)))
        drawn = np.where(apart, 0.0, values)
        return with_missing(drawn, self.presence[1], self.evidence.setting, classes, rng)


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
