"""Averages over super-parents: SPODE has one, AODE every column in turn, A2DE every two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Self

import numpy as np

from likely.core.block import Block, coded, emptied
from likely.core.cache import Cache, cached_property
from likely.core.numerics import Array, Floats, log
from likely.core.schema import DISCRETE, NUMERIC
from likely.core.schema_union import unite
from likely.core.unusable_rows import refuse_unlearnt
from likely.errors import ModelError
from likely.families.draws import Draws
from likely.families.predictor import ColumnScorer, own_weights
from likely.kernels.scoring.members import LOWEST_LOGARITHM, drop_implied, find_cells, join
from likely.kernels.scoring.posteriors import log_normalise
from likely.models.alignment import questions
from likely.models.cells.cell_counts import Parents, questions_by
from likely.models.cells.cell_rows import DrawnReader, Reader, WithoutReader
from likely.models.cells.conditions import of_average
from likely.models.cells.leave_one_out import TabledReader
from likely.models.dependent import COLUMN_STREAM, TEXT_STREAM, Dependent
from likely.models.sampling import RowSampler
from likely.statistics import Question

VALUES_AT_A_TIME = 1 << 19  # values held at a time where each is held for every class


@dataclass(frozen=True)
class AverageModel(Dependent):
    """P(row | class) is the weighted mean over members, in each of which columns depend on the class and some parents.

    `sets` are the sets of parents that rows were counted by, `members` those
    that are averaged. A member speaks of a row if at least `min_support` rows have the row's values of its parents;
    where none does, members of one parent less speak, and at last naive Bayes. With `subsumption`, a value that is
    implied by another of the row, as far as at least so many rows tell, is left out.
    """

    sets: tuple[Parents, ...]
    members: tuple[Parents, ...]
    weights: tuple[float, ...]
    min_support: float = 1.0
    subsumption: float | None = None

    @property
    def order(self) -> int:
        """How many parents a member has."""
        return len(self.members[0])

    @property
    def questions(self) -> tuple[Question, ...]:
        asked = list(questions(self.schema))
        order = max(map(len, self.sets), default=0)
        if order:
            asked.append(Question("pairs", self.nodes))
        if order == 2:
            asked.append(Question("triples", self.nodes))
        for by in self.sets:
            asked.extend(questions_by(self.schema, by))
        return tuple(dict.fromkeys(asked))

    @cached_property
    def simpler(self) -> AverageModel:
        """What speaks of rows of which no member has enough support."""
        sets = tuple(combinations(self.nodes, self.order - 1))
        return replace(self, members=sets, weights=(1.0 / len(sets),) * len(sets))

    def add(self, block: Block, out: Floats) -> None:
        self._add(block, out, lambda part: Reader(self.inside, part), None)
        out += self.inside.levels.said_by_presence(block.codes).sum(axis=1)
        self.texts.add(block, out)

    def _add(self, block: Block, out: Floats, reader: Callable[[Block], Reader], taken: Floats | None) -> None:
        """out (rows, classes) += log P(row | class) of the columns that have parents or could be some."""
        mean, whole = WeightedMean(out.shape), np.zeros(block.rows)
        for _, weight, speaks, said in self.each(block, reader, taken):
            mean.join(said, weight, speaks)
            whole += weight * speaks
        silent = whole == 0
        if silent.any():
            at = np.flatnonzero(silent)
            rest = np.zeros((len(at), out.shape[1]))
            self.simpler._add(block.take(at), rest, reader, None if taken is None else taken[at])
            out[at] += rest
            out[~silent] += mean.log()[~silent] - log(whole[~silent])[:, None]
        else:
            out += mean.log() - log(whole)[:, None]

    def each(
        self, block: Block, reader: Callable[[Block], Reader], taken: Floats | None
    ) -> Iterator[tuple[Parents, float, Array, Floats]]:
        """Each member, its weight, the rows that it speaks of (rows,), and its log P(row | class) (rows, classes)."""
        seen, codes = self._resolved(block, taken)
        reading = reader(seen)
        for by, weight in zip(self.members, self.weights, strict=True):
            values, cells, speaks, incomplete = self._placed(by, codes, taken)
            if speaks.any():
                yield by, weight, speaks, self._member(reading, by, values, cells, incomplete)
            else:
                yield by, weight, speaks, np.full((block.rows, reading.classes), -np.inf)

    def _placed(self, by: Parents, codes: Array, taken: Floats | None) -> tuple[Array, Array, Array, bool]:
        """(rows, parents), (rows,), (rows,): the values of the parents, their cell, whether enough rows are in it.

        And whether any row misses one of the parents.
        """
        places = np.array([self.nodes.index(at) for at in by], dtype=np.int64)
        cells, speaks = np.empty(len(codes), dtype=np.int64), np.empty(len(codes), dtype=np.bool_)
        nothing, parts = np.zeros(len(codes)) if taken is None else taken, self.schema.parts(by)
        if not parts.all():  # of a column that never had a value no member speaks
            return codes[:, places], np.full(len(codes), -1), np.zeros(len(codes), dtype=np.bool_), False
        incomplete = find_cells(codes, places, parts, self._support(by), self.min_support, nothing, cells, speaks)
        return codes[:, places], cells, speaks, incomplete > 0

    def _member(self, reading: Reader, by: Parents, values: Array, cells: Array, incomplete: bool) -> Floats:
        """(rows, classes): log P(row | class) of one member; what is missing of its parents is summed out."""
        if not incomplete:
            return reading.score(by, None, values, cells, (False,) * len(by))
        out = np.full((len(values), reading.classes), -np.inf)
        for at, imagined, guess in self._completions(by, values):
            out[at] = np.logaddexp(out[at], reading.score(by, at, guess, reading.cells(by, guess), imagined))
        return out

    def _completions(self, by: Parents, values: Array) -> Iterator[tuple[Array, tuple[bool, ...], Array]]:
        """Rows that miss the same parents, which parents those are, and one guess of their values after the other."""
        parts = self.schema.parts(by)
        missing, strange = values == parts, (values > parts).any(axis=1)
        for pattern in np.unique(missing, axis=0):
            mine = (missing == pattern).all(axis=1)
            if (mine & strange).any():  # beside a value never learnt, any part of a missing one says the same
                yield np.flatnonzero(mine & strange), tuple(pattern.tolist()), values[mine & strange].astype(np.int64)
            at = np.flatnonzero(mine & ~strange)
            for guess in product(*(range(parts[place]) for place in np.flatnonzero(pattern))):
                filled = values[at].astype(np.int64)
                filled[:, pattern] = guess
                yield at, tuple(pattern.tolist()), filled

    def _support(self, by: Parents) -> Floats:
        """(slots,): the rows with each value of the parents, their slots for missing and unseen values too."""
        return self._supports.get(by, lambda: self._counted(by) if by else np.full(1, np.inf))

    @cached_property
    def _supports(self) -> Cache[Parents, Floats]:
        return Cache()

    def _counted(self, by: Parents) -> Floats:
        rows = np.asarray(self.inside.cell_rows(by).sum(axis=0), dtype=np.float64).reshape(self.schema.parts(by))
        for axis in range(len(by)):
            whole = rows.sum(axis=axis, keepdims=True)
            rows = np.concatenate([rows, whole, np.zeros_like(whole)], axis=axis)
        return rows.ravel()

    def _resolved(self, block: Block, taken: Floats | None) -> tuple[Block, Array]:
        """The block and (rows, nodes) its parts, without the values that another of the row implies.

        As a child such a value is as if missing, and as a parent it has a part of its own, beyond all that speak.
        """
        if self.subsumption is None or not self.order:
            return block, coded(block, self.schema, self.nodes)
        levels = self.inside.levels
        least = np.full(block.rows, self.subsumption) + (0.0 if taken is None else taken)
        kept = np.array(block.codes, dtype=np.int32)
        drop_implied(
            block.codes.astype(np.int32), levels.levels, levels.starts, self.inside.discrete_pairs, least, kept
        )
        seen = replace(block, codes=kept)
        codes = coded(seen, self.schema, self.nodes).astype(np.int32)
        for place, at in enumerate(self.inside.discrete):
            codes[kept[:, place] != block.codes[:, place], self.nodes.index(at)] = levels.levels[place] + 2
        return seen, codes

    def add_without(self, block: Block, out: Floats) -> None:
        own, weights = own_weights(block)
        self._add(block, out, self._left_out, weights)
        out += self.inside.levels.presence_without(block.codes, own, weights).sum(axis=1)
        self.texts.add_without(block, out)

    def losses(self, block: Block, ranked: bool) -> Floats:
        """(members,): the summed log loss of each member, had it not learnt the very row that it judges.

        With `ranked`, of the mean of each member and all before it.
        """
        self.refuse(block)
        refuse_unlearnt(block, self.schema)
        own, weights = own_weights(block)
        one = np.minimum(weights, 1.0)  # a row of weight 2 is two rows, of which one is left out
        block = emptied(replace(block, weights=one), self.schema, one == 0)
        beside = self.prior_without(block)
        self.texts.add_without(block, beside)
        out, classes = np.zeros(len(self.members)), np.argsort(own, kind="stable")
        whole = classes[one[classes] == 1.0]
        if len(whole):
            out += self._judged(block.take(whole), beside[whole], weights[whole], self._looked_up, ranked)
        for at in self._batches(np.flatnonzero(one < 1.0)):
            out += self._judged(block.take(at), beside[at], weights[at], self._left_out, ranked)
        return out

    def _judged(
        self, block: Block, beside: Floats, weights: Floats, reader: Callable[[Block], Reader], ranked: bool
    ) -> Floats:
        """(members,): the summed log loss of each member on rows; beside (rows, classes) are prior and texts."""
        own, one = own_weights(block)
        prior = beside + self._presence_without(block)
        naive, places = np.zeros(prior.shape), {by: place for place, by in enumerate(self.members)}
        if self.order:
            self.simpler._add(block, naive, reader, one)
        mean, whole, out = WeightedMean(prior.shape), np.zeros(block.rows), np.full(len(self.members), np.nan)
        for by, weight, speaks, said in self.each(block, reader, one):
            if ranked:
                mean.join(said, weight, speaks)
                whole += weight * speaks
                speaks, said = whole > 0, mean.log() - log(np.where(whole > 0, whole, 1.0))[:, None]
            heard = np.where(speaks[:, None], said, naive)
            log_proba = log_normalise(prior + heard, self.log_prior)
            out[places[by]] = -(weights * log_proba[np.arange(block.rows), own]).sum()
        return out

    def _presence_without(self, block: Block) -> Floats:
        """(rows, classes): what it says that levels are there or missing, had the row not been learnt."""
        own, weights = own_weights(block)
        out = np.zeros((block.rows, len(self.rows)))
        if self.setting.missing == "informative":
            for at in self._batches(np.arange(block.rows)):
                told = self.inside.levels.presence_without(block.codes[at], own[at], weights[at])
                out[at] = told.sum(axis=1)
        return out

    def _batches(self, rows: Array) -> Iterator[Array]:
        """Rows, a few at a time, where every value is held for each class."""
        step = max(64, VALUES_AT_A_TIME // (len(self.schema.columns) * len(self.rows)))
        return (rows[at : at + step] for at in range(0, len(rows), step))

    def _left_out(self, block: Block) -> Reader:
        return WithoutReader(self.inside, block)

    def _looked_up(self, block: Block) -> Reader:
        return TabledReader(self.inside, block)

    def merge(self, other: Self) -> Self:
        unite(self.schema, other.schema)  # columns that are binned or named differently are told first
        mine, theirs = ((model.nodes, model.sets, model.min_support, model.subsumption) for model in (self, other))
        if mine != theirs:
            what = "the two models have different super-parents, or let them speak of different rows"
            hint = "fit both with the same parent=, order=, min_support=, subsumption= and cuts="
            raise ModelError("M310", what, place="merge(other)", hint=hint)
        return super().merge(other)

    def drawn(self, draws: Draws) -> ColumnScorer:
        return DrawnAverage(self, draws, self.texts.drawn(draws.under(TEXT_STREAM)))

    @property
    def drawn_size(self) -> float:
        cells = max((float(self.schema.parts(by).prod()) for by in self.members), default=0.0)
        return self.inside.drawn_size(cells, self.schema.of(*DISCRETE, *NUMERIC))

    def given(self, block: Block) -> Array | None:
        return of_average(self, block)

    def fill(self, block: Block, out: Floats) -> None:
        self.texts.fill(block, self.schema, out)
        if self.schema.of(*DISCRETE, *NUMERIC):  # then every column is one feature
            self._fill(block, out[:, 1:])
            out[:, [1 + at for at in self.inside.discrete]] += self.inside.levels.said_by_presence(block.codes)

    def _fill(self, block: Block, out: Floats) -> None:
        """out (rows, columns, classes) += what each column adds.

        The log of a mean is the mean of the members' terms, each weighed by the member's share r of the mean, and the
        sum of r (log w - log r), in which w is the member's weight: that is put down to the member's parents.
        """
        seen, codes = self._resolved(block, None)
        reading, mean = Reader(self.inside, seen), np.zeros((block.rows, len(self.rows)))
        self._add(block, mean, lambda part: Reader(self.inside, part), None)
        placed = [self._placed(by, codes, None) for by in self.members]
        whole = np.sum(
            [weight * speaks for weight, (_, _, speaks, _) in zip(self.weights, placed, strict=True)], axis=0
        )
        silent = np.flatnonzero(whole == 0)
        if len(silent):
            rest = np.zeros((len(silent), *out.shape[1:]))
            self.simpler._fill(block.take(silent), rest)
            out[silent] += rest
        never = np.isneginf(mean)  # of a class that cannot have the row, every member says why
        for by, weight, (values, _, speaks, _) in zip(self.members, self.weights, placed, strict=True):
            for rows, imagined, guess in self._completions(by, values):
                some = speaks[rows]
                if not some.any():
                    continue
                at, guess = rows[some], guess[some]
                terms = reading.terms(by, at, guess, imagined)
                ratio = log(weight / whole[at])[:, None]
                share = np.where(never[at], 0.0, np.exp(ratio + terms.sum(axis=1) - np.where(never[at], 0.0, mean[at])))
                speaking = share[:, None] > 0
                out[at] += np.where(speaking, share[:, None] * np.where(speaking, terms, 0.0), 0.0)
                out[at] += np.where(never[at][:, None] & np.isneginf(terms), terms, 0.0)
                for parent in by:
                    out[at, parent] += np.where(
                        share > 0, share * (ratio - log(np.where(share > 0, share, 1.0))), 0.0
                    ) / len(by)

    def sample(self, classes: Array, rng: np.random.Generator) -> dict[tuple[int, ...], Array]:
        which = rng.choice(len(self.members), size=len(classes), p=self.weights)
        drawing = RowSampler(self.inside, classes, rng)
        for member in np.unique(which):
            drawing.star(self.members[member], np.flatnonzero(which == member))
        return {**drawing.values(), **self.texts.sample(classes, rng)}


class WeightedMean:
    """A weighted sum of exponentials, kept in log space, to which one member after the other is added."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._top, self._total, self._shape = np.full(np.prod(shape), LOWEST_LOGARITHM), np.zeros(np.prod(shape)), shape

    def join(self, member: Floats, weight: float, speaks: Array) -> None:
        """Add what a member (rows, classes) says of the rows that it speaks of."""
        if not speaks.all():
            member[~speaks] = -np.inf
        join(member.reshape(-1), weight, self._top, self._total)

    def log(self) -> Floats:
        """(rows, classes): the logarithm of the sum."""
        return (self._top + log(self._total)).reshape(self._shape)


@dataclass(frozen=True, eq=False)
class DrawnAverage:
    """An average under drawn parameters."""

    model: AverageModel
    draws: Draws
    texts: ColumnScorer

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, draws * classes) += log P(row | class)."""
        inside = self.model.inside
        self.model._add(block, out, lambda part: DrawnReader(inside, part, self.draws.under(COLUMN_STREAM)), None)
        out += self.draws.repeated(inside.levels.said_by_presence(block.codes).sum(axis=1))
        self.texts.add(block, out)
