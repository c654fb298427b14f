"""A forest: the mean of the posteriors of many k-dependence classifiers, each with its own bins, parents, weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from likely.core.block import Block, coded
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log, log_sum_exp
from likely.core.schema import DISCRETE, NUMERIC
from likely.core.schema_union import unite
from likely.core.threads import in_threads
from likely.errors import ModelError
from likely.families.defaults import groups
from likely.families.draws import Draws
from likely.families.predictor import ColumnScorer, Evidence, Family, Predictor, never_learnt_error, own_weights
from likely.kernels.counting.forest import ROWS_AT_A_TIME, find_slots
from likely.kernels.memory import aligned_zeros, pad_classes
from likely.kernels.scoring.forest import add_terms, find_places, join_posteriors, terms_without
from likely.kernels.scoring.members import LOWEST_LOGARITHM
from likely.models.alignment import questions
from likely.models.cells.member_tables import MemberTables
from likely.models.dependent import COLUMN_STREAM, TEXT_STREAM
from likely.models.model import Model
from likely.models.priors import log_prior
from likely.models.sampling import draw_places
from likely.statistics import Counts, Moments, Question
from likely.statistics.members import Member, MemberLayout, layouts
from likely.statistics.statistic import Statistic, subtract

SPREADS_DRAWN = 3.0  # standard deviations around the mean that numbers are drawn from, where their ends are not known


@dataclass(frozen=True)
class ForestModel(Model):
    """P(class | row) is the mean over members, in each of which P(row | class) is a product of weighed probabilities.

    `nodes` are the columns that have parents in the `members`; `beside` those that speak by the class alone. `weights`
    of a member are those of its nodes, then of what stands beside them.
    """

    nodes: tuple[int, ...]
    members: tuple[Member, ...]
    weights: tuple[tuple[float, ...], ...]
    beside: tuple[int, ...]

    @property
    def families(self) -> Question:
        """The counts of every column below its parents, in all members."""
        return Question("families", self.nodes, members=self.members)

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(dict.fromkeys((*questions(self.schema), self.families)))

    @cached_property
    def layouts(self) -> tuple[MemberLayout, ...]:
        """Where the counts of each member lie."""
        return layouts(self.members, self.nodes, self.schema)

    @cached_property
    def counts(self) -> Array:
        """(classes, width): the counts of all members."""
        found = self.bundle[self.families]
        assert isinstance(found, Counts), "families are counted"
        return found.table

    @cached_property
    def reference(self) -> Floats:
        """(classes,): log shares of the classes, by which members are averaged, whatever the priors are."""
        return log_prior("smoothed", self.rows, self.schema.classes, self.setting.smoothing)

    def tables(self, member: int) -> MemberTables:
        """The probabilities of a member."""
        layout = self.layouts[member]
        return MemberTables(layout, self.counts[:, layout.first : layout.stop], self.setting, self._informed(member))

    def _informed(self, member: int) -> bool:
        """Whether a missing value is evidence in a member."""
        return self.setting.missing == "informative" and self.members[member].informed

    @cached_property
    def terms_of_members(self) -> tuple[Floats, ...]:
        """(width, padded classes) of each member: what every slot says, weighed."""
        weights = np.array(self.weights)
        work = range(len(self.members))
        return tuple(in_threads(lambda at: self.tables(at).terms(weights[at], self.reference), work))

    @cached_property
    def predictors(self) -> tuple[Predictor, ...]:
        """What the columns beside say, one by one."""
        families = {at: family for family, columns in groups(self.schema) for at in columns}
        return tuple(self._predictor(at, families[at]) for at in self.beside)

    def _predictor(self, at: int, family: Family) -> Predictor:
        answers: dict[Question, Statistic] = {}
        for question in family.questions((at,)):
            whole = next(one for one in self.bundle if one.of == question.of and at in one.columns and not one.by)
            answer = self.bundle[whole]
            if whole != question:
                answer = answer.take(np.arange(len(self.rows)), np.array([whole.columns.index(at)]))
            answers[question] = answer
        return family.predictor(Evidence(self.schema, (at,), answers, self.rows, self.setting))

    def _told(self, block: Block) -> Floats:
        """(beside, rows, classes): what each column beside says."""
        out = np.zeros((len(self.beside), block.rows, len(self.rows)))
        for said, predictor in zip(out, self.predictors, strict=True):
            predictor.add(block, said)
        return out

    def _pieces(self, block: Block) -> Iterator[tuple[slice, Array, Array]]:
        """Rows at a time, their fine codes, and room for their slots (nodes, rows)."""
        codes = coded(block, self.schema, self.nodes)
        for start in range(0, block.rows, ROWS_AT_A_TIME):
            at = slice(start, min(start + ROWS_AT_A_TIME, block.rows))
            yield at, codes, np.empty((len(self.nodes), at.stop - start), dtype=np.int32)

    def add(self, block: Block, out: Floats) -> None:
        told, classes = self._told(block), len(self.rows)
        for at, codes, slots in self._pieces(block):
            mean = PosteriorMean((slots.shape[1], classes))
            for member, layout in enumerate(self.layouts):
                find_slots(codes, at.start, layout.fine, layout.slots, slots)
                said = self._summed(layout, slots, self.terms_of_members[member])
                self._add_beside(member, told[:, at], said)
                mean.join(said, self.reference[None])
            out[at] += mean.log(len(self.members))

    def _summed(self, layout: MemberLayout, slots: Array, table: Floats) -> Floats:
        """(rows, padded classes): the sum of what all nodes say."""
        width = table.shape[1]
        said = aligned_zeros((slots.shape[1], width))
        starts = layout.starts - layout.first
        add_terms(slots, layout.parents, layout.sizes, starts, table.reshape(-1), width, said.reshape(-1))
        return said

    def _add_beside(self, member: int, told: Floats, out: Floats) -> None:
        """out (rows, at least classes) += what columns beside say (beside, rows, classes), weighed."""
        for weight, said in zip(self.weights[member][len(self.nodes) :], told, strict=True):
            out[:, : said.shape[1]] += weight * said

    def fill(self, block: Block, out: Floats) -> None:
        """The log of a mean is the mean of the members' terms, each weighed by the member's share r of it, and the sum
        of -r (log r + log Z + log M), Z being what makes a member's posterior sum to one and M their number: that is
        put down to the columns of the member, in proportion to how far apart they hold the classes.
        """
        told, reference = self._told(block), self.reference
        mean = np.zeros((block.rows, len(self.rows)))
        self.add(block, mean)
        places = [1 + at for at in (*self.nodes, *self.beside)]
        for at, codes, slots in self._pieces(block):
            where = np.empty((len(self.nodes), slots.shape[1]), dtype=np.int64)
            for member, layout in enumerate(self.layouts):
                find_slots(codes, at.start, layout.fine, layout.slots, slots)
                find_places(slots, layout.parents, layout.sizes, layout.starts - layout.first, where)
                terms = self.terms_of_members[member][where][..., : len(self.rows)]
                weights = np.array(self.weights[member][len(self.nodes) :])
                beside = weights[:, None, None] * told[:, at]
                beside = beside - log_sum_exp(beside + reference)[..., None]
                said = np.concatenate([terms, beside])
                for place, term in zip(places, _shared(said, reference, mean[at], len(self.members)), strict=True):
                    out[at, place] += term

    def add_without(self, block: Block, out: Floats) -> None:
        own, weights = own_weights(block)
        left = np.broadcast_to(np.asarray(self.rows, dtype=np.float64), (block.rows, len(self.rows))).copy()
        rows = np.arange(block.rows)
        left[rows, own] = np.maximum(subtract(left[rows, own], weights), 0.0)
        reference = log_prior("smoothed", left, self.schema.classes, self.setting.smoothing)
        told = self.told_without(block)
        mean = PosteriorMean(out.shape)
        for member in range(len(self.members)):
            terms = self.terms_without(member, block, coded(block, self.schema, self.nodes))
            said = np.zeros(out.shape)
            for weight, term in zip(self.weights[member], terms, strict=False):  # one by one: the same on any machine
                said += weight * term
            self._add_beside(member, told, said)
            mean.join(said, reference)
        out += mean.log(len(self.members))

    def told_without(self, block: Block) -> Floats:
        """(beside, rows, classes): what each column beside says, had the row itself not been learnt."""
        empty = np.zeros((0, block.rows, len(self.rows)))
        return np.stack([one.without(block) for one in self.predictors]) if self.predictors else empty

    def terms_without(self, member: int, block: Block, codes: Array) -> Floats:
        """(nodes, rows, classes): log probabilities in a member, had the row itself not been learnt; not weighed."""
        own, weights = own_weights(block)
        layout, tables = self.layouts[member], self.tables(member)
        slots = np.empty((len(self.nodes), block.rows), dtype=np.int32)
        find_slots(codes, 0, layout.fine, layout.slots, slots)
        counts, totals, starts, cells = tables.whole
        terms = np.empty((len(self.nodes), block.rows, len(self.rows)))
        strange = terms_without(
            slots, own.astype(np.int32), np.asarray(weights, dtype=np.float64), layout.parents, layout.sizes,
            counts, totals, starts, cells, tables.breadth, tables.gone, tables.strength, self.setting.pseudo, terms,
        )  # fmt: skip
        if strange >= 0:
            raise never_learnt_error(block.start + strange, "its class has no such values together")
        return terms

    def drawn(self, draws: Draws) -> ColumnScorer:
        beside = draws.under(TEXT_STREAM)
        scorers = tuple(one.drawn(beside.under(at)) for at, one in zip(self.beside, self.predictors, strict=True))
        return DrawnForest(self, draws.under(COLUMN_STREAM), scorers)

    @property
    def drawn_ahead(self) -> bool:
        return True

    @property
    def drawn_size(self) -> float:
        return sum(one.drawn_size for one in self.predictors) + len(self.members) * len(self.rows)

    @cached_property
    def moments_of_terms(self) -> tuple[tuple[Floats, Floats], ...]:
        """(width, padded classes), twice, of each member: mean and variance of each term under its posterior.

        A probability with n of N rows, and m P behind them, is Beta(n + m P, N - n + m (1 - P)).
        """
        return tuple(in_threads(self._moments, range(len(self.members))))

    def _moments(self, member: int) -> tuple[Floats, Floats]:
        from scipy.special import polygamma, psi

        tables = self.tables(member)
        share, worth = tables.shares
        weights = tables.each(np.array(self.weights[member]))[:, None]
        mean = weights * (psi(share * worth) - psi(worth))
        spread = weights**2 * np.maximum(polygamma(1, share * worth) - polygamma(1, worth), 0.0)
        mean[tables.silent] = spread[tables.silent] = 0.0
        return pad_classes(mean), pad_classes(spread)

    def merge(self, other: Self) -> Self:
        unite(self.schema, other.schema)  # columns that are binned or named differently are told first
        mine, theirs = ((one.nodes, one.members, one.weights, one.beside) for one in (self, other))
        if mine != theirs:
            what = "the two forests have other members, or other weights of columns"
            hint = "fit one, and the other with structure=first.structure_"
            raise ModelError("M310", what, place="merge(other)", hint=hint)
        return super().merge(other)

    def sample(self, classes: Array, rng: np.random.Generator) -> dict[tuple[int, ...], Array]:
        """Each row from a member drawn at random: parents first, then what depends on them; weights are set aside."""
        numeric, discrete = self.schema.of(*NUMERIC), self.schema.of(*DISCRETE)
        codes = np.zeros((len(classes), len(discrete)), dtype=np.int64)
        reals = np.full((len(classes), len(numeric)), np.nan)
        which = rng.integers(0, len(self.members), len(classes))
        for member in np.unique(which):
            rows = np.flatnonzero(which == member)
            slots = self._drawn_slots(int(member), classes[rows], rng)
            for place, at in enumerate(self.nodes):
                if at in discrete:
                    codes[rows, discrete.index(at)] = slots[place]
                else:
                    edges = self.members[member].edges[place]
                    reals[rows, numeric.index(at)] = self._between(at, edges, slots[place], rng)
        texts = (at for at in self.beside if at not in numeric)
        said: dict[tuple[int, ...], Array] = {
            (at,): self.predictors[self.beside.index(at)].sample(classes, rng) for at in texts
        }
        return {discrete: codes, numeric: reals, **said}

    def _drawn_slots(self, member: int, classes: Array, rng: np.random.Generator) -> Array:
        """(nodes, rows): slots of rows of these classes, drawn from a member."""
        layout, tables = self.layouts[member], self.tables(member)
        share, silent = tables.shares[0], tables.silent
        slots = np.zeros((len(self.nodes), len(classes)), dtype=np.int64)
        for place in self.members[member].order():
            cell = np.zeros(len(classes), dtype=np.int64)
            for parent in self.members[member].parents[place]:
                cell = cell * layout.sizes[parent] + slots[parent]
            size = int(layout.sizes[place])
            at = (layout.starts[place] - layout.first + cell * size)[:, None] + np.arange(size - 1)  # none unseen
            mass = np.where(silent[at], 0.0, share[at, classes[:, None]])
            if size > 2 or self._informed(member):
                slots[place] = draw_places(mass, rng)
        return slots

    def _between(self, at: int, edges: tuple[int, ...], slots: Array, rng: np.random.Generator) -> Floats:
        """(rows,): numbers of the parts of a column between edges, any as likely as another; NaN of those missing."""
        column = self.schema.columns[at]
        cuts = np.array(column.cuts or (), dtype=np.float64)[list(edges)]
        low, high = self._ends(at)
        ends = np.array([min([low, *cuts[:1]]), *cuts, max([high, *cuts[-1:]])])
        part = np.minimum(slots, len(ends) - 2)
        value = ends[part] + rng.random(len(slots)) * (ends[part + 1] - ends[part])
        return np.where(slots < len(ends) - 1, column.rounded(value), np.nan)

    def _ends(self, at: int) -> tuple[float, float]:
        """The least and the largest number of a column; some deviations from the mean where these are not known."""
        column = self.schema.columns[at]
        if column.span is not None:
            return column.span
        asked = next(one for one in self.bundle if one.of == "moments" and at in one.columns)
        answer, place = self.bundle[asked], asked.columns.index(at)
        assert isinstance(answer, Moments), "numbers have moments"
        whole = answer.pooled()
        count, mean, spread = (float(one[0, place]) for one in (whole.count, whole.mean, whole.spread))
        reach = SPREADS_DRAWN * np.sqrt(spread / max(count, 1.0))
        return mean - reach, mean + reach


class PosteriorMean:
    """The mean of posteriors over their reference, kept in log space, to which one member after the other is added."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._top, self._total = np.full(shape, LOWEST_LOGARITHM), np.zeros(shape)

    def join(self, said: Floats, reference: Floats) -> None:
        """Add what a member says (rows, at least classes), beside a reference (rows or 1, classes)."""
        join_posteriors(said, reference, self._top, self._total)

    def log(self, members: int) -> Floats:
        """(rows, classes): the logarithm of the mean."""
        return np.asarray(self._top + log(self._total) - np.log(members))


def _shared(terms: Floats, reference: Floats, mean: Floats, members: int) -> Floats:
    """(columns, rows, classes): what the columns of a member add to the log of the mean (rows, classes)."""
    joint = terms.sum(axis=0)
    whole = log_sum_exp(joint + reference)[:, None]
    log_ratio = joint - whole - np.log(members) - mean
    ratio = np.exp(log_ratio)
    rest = np.where(ratio > 0, -ratio * (np.log(members) + whole + np.where(ratio > 0, log_ratio, 0.0)), 0.0)
    apart = terms.max(axis=2, initial=-np.inf) - terms.min(axis=2, initial=np.inf)
    sums = apart.sum(axis=0)
    even = 1.0 / max(len(terms), 1)
    share = np.divide(apart, sums, out=np.full(apart.shape, even), where=sums > 0)
    return np.asarray(ratio * terms + share[..., None] * rest)


@dataclass(frozen=True, eq=False)
class DrawnForest:
    """A forest under drawn parameters: the sum of a member's terms is drawn from a normal with their mean and variance.

    Many independent terms are added, so that a normal is near what their sum is.
    """

    model: ForestModel
    draws: Draws
    beside: tuple[ColumnScorer, ...]

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, draws * classes) += log P(row | class)."""
        model, classes = self.model, len(self.model.rows)
        told = np.zeros((len(self.beside), *out.shape))
        for said, scorer in zip(told, self.beside, strict=True):
            scorer.add(block, said)
        total = np.zeros((block.rows, self.draws.times, classes))
        codes = coded(block, model.schema, model.nodes)
        slots = np.empty((len(model.nodes), block.rows), dtype=np.int32)
        for member, layout in enumerate(model.layouts):
            find_slots(codes, 0, layout.fine, layout.slots, slots)
            mean, spread = (
                model._summed(layout, slots, table)[:, None, :classes] for table in model.moments_of_terms[member]
            )
            noise = self.draws.under(member).rng.standard_normal((self.draws.times, classes))
            said = mean + np.sqrt(spread) * noise
            model._add_beside(member, told, said.reshape(out.shape))
            said -= log_sum_exp(said + model.reference)[..., None]
            total += np.exp(said)
        out += log(total / len(model.members)).reshape(out.shape)
