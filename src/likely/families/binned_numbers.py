"""Real columns described by bins: the probability of each bin in each class, whatever the numbers inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log
from likely.core.schema import NUMERIC, Column
from likely.families.draws import Draws
from likely.families.numeric import rows_without
from likely.families.predictor import Evidence, Setting, never_learnt_error, own_weights, presence, with_missing
from likely.families.smoothing import share
from likely.statistics import GridCounts, Moments, Question
from likely.statistics.statistic import subtract


@dataclass(frozen=True)
class BinnedNumbers:
    """Bins between the cuts of the column, with pseudo-counts: P(bin | class) = (n + s) / (N + s K), as of levels."""

    kinds: tuple[str, ...] = ("bins",)
    together: bool = False

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        return (Question("moments", tuple(columns)), Question("parts", tuple(columns)))

    def predictor(self, evidence: Evidence) -> BinnedNumbersPredictor:
        (at,) = evidence.columns
        table = evidence.answers[Question("parts", (at,))]
        assert isinstance(table, GridCounts), "it is answered by a table"
        place = evidence.schema.of(*NUMERIC).index(at)
        return BinnedNumbersPredictor(
            table.table, evidence.column, evidence.answer(Moments), evidence.rows, evidence.setting, place
        )


@dataclass(frozen=True, eq=False)
class BinnedNumbersPredictor:
    """counts (classes, bins) of one column; moments are those of the numbers themselves."""

    counts: Floats
    column: Column
    moments: Moments
    rows: Array
    setting: Setting
    place: int

    @cached_property
    def observed(self) -> Floats:
        """(classes,)."""
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def presence(self) -> tuple[Floats, Floats]:
        """(classes,)."""
        return presence(self.setting, self.rows, self.observed)

    @cached_property
    def table(self) -> Floats:
        """(bins + 1, classes): log probabilities; the last is missing."""
        said = log(share(self.counts, self.observed[:, None], self._bins, self.setting.pseudo)).T
        return np.vstack([said + self.presence[0], self.presence[1]])

    @property
    def _bins(self) -> Array:
        return np.array(self.counts.shape[1])

    def _parts(self, block: Block) -> Array:
        return self.column.part(block.reals[:, self.place])

    def add(self, block: Block, out: Floats) -> None:
        out += self.table[self._parts(block)]

    def terms(self, block: Block) -> Floats:
        return self.table[self._parts(block)][:, None]

    def without(self, block: Block) -> Floats:
        own, weights = own_weights(block)
        part = self._parts(block)
        there = part < self.counts.shape[1]
        mine = own[:, None] == np.arange(len(self.rows))
        taken = np.where(mine & there[:, None], weights[:, None], 0.0)
        count = subtract(self.counts.T[np.where(there, part, 0)], taken)
        if (count < -1e-9).any():
            row = int((count < -1e-9).any(axis=1).argmax())
            raise never_learnt_error(block.start + row, f"its class has no such value of {self.column.name!r}")
        observed = np.maximum(subtract(np.broadcast_to(self.observed, mine.shape), taken), 0.0)
        here, gone = presence(self.setting, rows_without(self.rows, own, weights), observed)
        said = log(share(np.maximum(count, 0.0), observed, self._bins, self.setting.pseudo))
        return np.where(there[:, None], said + here, gone)

    def drawn(self, draws: Draws) -> DrawnBins:
        mass = self.counts.T + (self.setting.smoothing or 1.0)
        drawn = np.maximum(draws.rng.standard_gamma(mass, (draws.times, *mass.shape)), 1e-300)
        table = draws.beside(log(drawn / drawn.sum(axis=1, keepdims=True)))
        here, gone = (draws.repeated(part) for part in self.presence)
        return DrawnBins(np.vstack([table + here, gone]), self.column, self.place)

    @property
    def drawn_size(self) -> float:
        return float(self.counts.size)

    def sample(self, classes: Array, rng: np.random.Generator) -> Array:
        """(rows, 1): a bin of the class, and evenly inside it; the outer bins end where the numbers lie, by moments."""
        steps = np.cumsum(share(self.counts, self.observed[:, None], self._bins, self.setting.pseudo), axis=1)
        part = (rng.random(len(classes))[:, None] > steps[classes, :-1]).sum(axis=1)
        edges = self.edges
        values = edges[part] + rng.random(len(classes)) * (edges[part + 1] - edges[part])
        return with_missing(values[:, None], self.presence[1][None, :], self.setting, classes, rng)

    @cached_property
    def edges(self) -> Floats:
        """(bins + 1,): the cuts, and an end on both sides: three deviations away, or as far as the next bin is wide."""
        cuts, whole = np.array(self.column.cuts, dtype=np.float64), self.moments.pooled()
        mean = float(whole.mean[0, 0])
        reach = 3.0 * float(np.sqrt(whole.spread[0, 0] / max(float(whole.count[0, 0]), 1.0))) or 1.0
        if not len(cuts):
            return np.array([mean - reach, mean + reach])
        first, last = (cuts[1] - cuts[0], cuts[-1] - cuts[-2]) if len(cuts) > 1 else (reach, reach)
        return np.array([min(cuts[0] - first, mean - reach), *cuts, max(cuts[-1] + last, mean + reach)])


@dataclass(frozen=True, eq=False)
class DrawnBins:
    """table (bins + 1, draws * classes)."""

    table: Floats
    column: Column
    place: int

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, draws * classes) += the terms."""
        out += self.table[self.column.part(block.reals[:, self.place])]
