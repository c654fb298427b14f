"""Text columns: bags of words, each word drawn by itself from the words of its cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log, log_sum_exp
from likely.core.schema import Level, Text
from likely.core.tokens import Bag
from likely.families.draws import Draws
from likely.families.predictor import Evidence, Setting, never_learnt_error, own_weights
from likely.kernels.counting.bags_of_words import score_bags
from likely.kernels.memory import pad_classes
from likely.statistics import Question, Totals
from likely.statistics.statistic import LEFT_BEHIND_SHARE, subtract


@dataclass(frozen=True)
class BagOfWords:
    """Words with pseudo-counts: P(word | cell) = (T + s) / (T_cell + s V), for totals T and V words.

    A text's term is the sum of x log P(word | cell) over its words, x times each; the multinomial coefficient, the
    same in every cell, is left out. Words are taken one at a time, each given the training rows but not the text's
    other words, so `bayes` and `map` are the same number. `mle` has s = 0: a word that a cell never had is impossible
    there, and a cell without any words takes all as equally likely.

    The `complement` bag weighs a word by -log of its share in all other cells together (Rennie et al., 2003). That is
    no likelihood and needs pseudo-counts to be finite: it uses s under every estimate, and 1 where s is 0. With one
    cell only there is no complement, and the bag is multinomial.

    A word that is not in the schema is not in the bag and says nothing; so does a missing text, whatever `missing` is.
    """

    kinds: tuple[str, ...] = ("text",)
    together: bool = False

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        return (Question("totals", tuple(columns)),)

    def predictor(self, evidence: Evidence) -> TextPredictor:
        column, totals = evidence.column, evidence.answer(Totals)
        complement = isinstance(column.form, Text) and column.form.bag == "complement" and len(totals.rows) > 1
        place = evidence.schema.of("text").index(evidence.columns[0])
        return TextPredictor(
            totals.table.T, evidence.rows, column.levels, column.wide, complement, place, evidence.setting
        )


@dataclass(frozen=True)
class WordTable:
    """table (words, padded cells): what each occurrence of a word adds to each cell."""

    table: Floats
    place: int

    def add(self, block: Block, out: Floats) -> None:
        bag = block.bags[self.place]
        if not self._finite:  # 0 log 0: a word that is given as occurring zero times is not impossible
            bag = _present(bag)
        score_bags(bag.indptr, bag.indices, bag.data, self.table, out)

    @cached_property
    def _finite(self) -> bool:
        return bool(np.isfinite(self.table).all())


@dataclass(frozen=True)
class TextPredictor:
    """totals (words, cells) of the bag at `place` of a block; a cell is judged by its own words, or by the others'."""

    totals: Array
    rows: Array
    words: Sequence[Level]
    wide: bool
    complement: bool
    place: int
    setting: Setting

    @cached_property
    def pseudo(self) -> float:
        return (self.setting.smoothing or 1.0) if self.complement else self.setting.pseudo

    @cached_property
    def sign(self) -> float:
        return -1.0 if self.complement else 1.0

    @cached_property
    def counts(self) -> Array:
        """(words, cells): the totals of the cell, or of all the others."""
        if not self.complement:
            return self.totals
        out = np.empty(self.totals.shape)
        every = self.totals.sum(axis=1)
        for cell in range(len(self.rows)):  # a cell at a time: the table may be large
            out[:, cell] = np.maximum(subtract(every, self.totals[:, cell]), 0.0)
        return out

    @cached_property
    def sums(self) -> Floats:
        """(cells,): the words of the counts."""
        return np.asarray(self.counts.sum(axis=0), dtype=np.float64)

    @cached_property
    def scores(self) -> WordTable:
        """The one table behind every answer, filled in place: with many words it is the largest thing there is."""
        padded = pad_classes(np.asarray(self.counts, dtype=np.float64))
        table = padded[:, : len(self.sums)]
        table += self.pseudo
        whole = self.sums + self.pseudo * len(self.words)
        nothing = whole <= 0  # neither a word nor a pseudo-count: all words are equally likely
        table[:, nothing], whole[nothing] = 1.0, max(len(self.words), 1)
        with np.errstate(divide="ignore"):
            np.log(table, out=table)
        table -= np.log(whole)
        table *= self.sign
        return WordTable(padded, self.place)

    def add(self, block: Block, out: Floats) -> None:
        self.scores.add(block, out)

    def terms(self, block: Block) -> Floats:
        """(rows, 1, cells); (rows, words, cells) of a wide column."""
        if not self.wide:
            out = np.zeros((block.rows, 1, len(self.sums)))
            self.add(block, out[:, 0])
            return out
        bag = _present(block.bags[self.place])
        out = np.zeros((block.rows, len(self.words), len(self.sums)))
        each = bag.data[:, None] * self.scores.table[bag.indices, : len(self.sums)]
        np.add.at(out, (_row_of(bag), bag.indices), each)
        return out

    def without(self, block: Block) -> Floats:
        own, weights = own_weights(block)
        bag = _present(block.bags[self.place])
        row = _row_of(bag)
        out = np.zeros((block.rows, len(self.sums)))
        self.add(block, out)
        taken = bag.data * weights[row]
        length = np.bincount(row, taken, block.rows)[row]
        had = np.asarray(self.totals[bag.indices, own[row]], dtype=np.float64)
        if (had - taken < -1e-9).any():
            raise never_learnt_error(
                block.start + int(row[np.argmax(had - taken < -1e-9)]), "its class has fewer of these words"
            )
        for cell in range(len(self.sums)):
            # the row was among the cell's own words, or among the words of the others
            touched = (own != cell) if self.complement else (own == cell)
            mine = touched[row]
            counts = _rest(self.counts[bag.indices[mine], cell], taken[mine]) + self.pseudo
            whole = _rest(self.sums[cell], length[mine]) + self.pseudo * len(self.words)
            share = np.divide(counts, whole, out=np.full(len(counts), 1.0 / max(len(self.words), 1)), where=whole > 0)
            terms = np.bincount(row[mine], self.sign * bag.data[mine] * log(share), block.rows)
            out[touched, cell] = terms[touched]
        return out

    def drawn(self, draws: Draws) -> WordTable:
        smoothing, rng = self.setting.smoothing, draws.rng
        prior = {"bayes": smoothing, "map": 1.0 + smoothing, "mle": 1.0}[self.setting.estimate]
        shape = self.counts + (self.pseudo if self.complement else prior)
        size = (draws.times, *shape.shape)
        # log of a gamma draw by that of shape + 1: the draw itself would not be a double where the shape is small
        with np.errstate(divide="ignore"):
            table = np.log(rng.standard_gamma(shape + 1.0, size)) - rng.standard_exponential(size) / shape
        whole = log_sum_exp(table, axis=1)
        nothing = np.isneginf(whole)
        np.moveaxis(table, 1, -1)[nothing], whole[nothing] = 0.0, np.log(max(len(self.words), 1))
        return WordTable(pad_classes(draws.beside(self.sign * (table - whole[:, None]))), self.place)

    @property
    def drawn_size(self) -> float:
        return float(len(self.words) * len(self.rows))

    def sample(self, cells: Array, rng: np.random.Generator) -> Array:
        """(rows, 1): texts of words joined by spaces; (rows, words) counts for a wide column.

        Texts are as long as a Poisson draw about the mean length in their cell. The words are those of the cell itself,
        also for a complement bag, which says nothing of how texts come about.
        """
        sums = self.totals.sum(axis=0)
        usual = sums.sum() / max(self.rows.sum(), 1e-300)
        mean = np.divide(sums, self.rows, out=np.full(len(sums), usual), where=self.rows > 0)
        lengths = rng.poisson(mean[cells])
        ends = np.cumsum(lengths)
        drawn = np.empty(lengths.sum(), dtype=np.int64)
        for cell in np.unique(cells) if len(self.words) else ():
            mine = np.repeat(cells == cell, lengths)
            mass = self.totals[:, cell] + self.setting.pseudo
            steps = np.cumsum(mass if mass.any() else np.ones(len(mass)))
            drawn[mine] = np.searchsorted(steps, rng.random(int(mine.sum())) * steps[-1], "right")
        drawn = np.minimum(drawn, len(self.words) - 1)
        if self.wide:
            counts = np.zeros((len(cells), len(self.words)))
            np.add.at(counts, (np.repeat(np.arange(len(cells)), lengths), drawn), 1.0)
            return counts
        texts = np.empty((len(cells), 1), dtype=object)
        for row, (end, length) in enumerate(zip(ends, lengths, strict=True)):
            texts[row, 0] = " ".join(str(self.words[word]) for word in drawn[end - length : end])
        return texts


def _rest(whole: Array | float, part: Floats) -> Floats:
    """What is left of the whole; nothing where that is rounding."""
    rest = np.asarray(whole - part, dtype=np.float64)
    return np.where(rest <= LEFT_BEHIND_SHARE * np.asarray(whole), 0.0, rest)


def _row_of(bag: Bag) -> Array:
    """(words of the block,): the row of each."""
    return np.repeat(np.arange(len(bag.indptr) - 1), np.diff(bag.indptr))


def _present(bag: Bag) -> Bag:
    """The bag of a block by itself: its own words only, from zero on, and those that occur."""
    start, stop = int(bag.indptr[0]), int(bag.indptr[-1])
    indices, data, indptr = bag.indices[start:stop], bag.data[start:stop], bag.indptr - start
    some = data != 0
    if some.all():
        return Bag(indptr, indices, data)
    return Bag(np.concatenate([[0], np.cumsum(some)])[indptr], indices[some], data[some])
