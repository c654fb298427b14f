"""A pool: what several models say of a row, weighed and added, so that it says less wrong than any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.recoding import recoded
from likely.core.schema import NUMERIC, SKIP, Column, Level, Schema
from likely.core.unusable_rows import LARGEST_NUMBER
from likely.errors import ModelError
from likely.families.draws import Draws
from likely.families.predictor import ColumnScorer
from likely.kernels.scoring.posteriors import log_normalise
from likely.models.alignment import questions
from likely.models.model import Model
from likely.models.naive import NaiveModel
from likely.statistics import Bundle, Question


@dataclass(frozen=True)
class Mixing:
    """How a pool adds up what its members say.

    The score of a class is its log prior, its bias and, of each member, weight times the log likelihood of the class.
    `matrix` (members, classes, classes), if any, adds for each class a sum of what the member says of all classes, each
    held against their mean. Biases and matrix are those of `classes`; a class that came later has none.
    """

    classes: tuple[Level, ...]
    weights: tuple[float, ...]
    biases: tuple[float, ...]
    matrix: tuple[tuple[tuple[float, ...], ...], ...] = ()

    def under(self, classes: tuple[Level, ...]) -> tuple[Floats, Floats | None]:
        """(classes,) and (members, classes, classes), if any: biases and matrix in the order of these classes."""
        place = {level: at for at, level in enumerate(self.classes)}
        known = [at for at, level in enumerate(classes) if level in place]
        mine = [place[classes[at]] for at in known]
        biases = np.zeros(len(classes))
        biases[known] = np.array(self.biases)[mine]
        if not self.matrix:
            return biases, None
        matrix = np.zeros((len(self.weights), len(classes), len(classes)))
        matrix[np.ix_(range(len(matrix)), known, known)] = np.array(self.matrix)[np.ix_(range(len(matrix)), mine, mine)]
        return biases, matrix


@dataclass(frozen=True)
class Trial:
    """What was seen of a model that was tried for a pool, on rows that had not taught it; weight 0: left out.

    `seconds` are those that it took to be tried and fitted; a file does not hold them, so that the same rows give the
    same bytes. Nothing was `judged` where rows were too few.
    """

    name: str
    log_loss: float
    error: float
    weight: float
    seconds: float | None = None
    judged: bool = True


@dataclass(frozen=True, eq=False)
class HeldOutRows:
    """What a pool says of rows that taught neither its members nor its weights: each was held out, in its fold.

    log_proba (rows, classes) is under log_prior (classes,), the shares of the classes;
    """

    cells: Array
    log_proba: Floats
    weights: Floats | None
    log_prior: Floats
    fold: Array
    every: bool  # row of the table is among them

    @property
    def folds(self) -> int:
        """How many folds there are."""
        return int(self.fold.max(initial=-1)) + 1

    def under(self, log_prior: Floats) -> Floats:
        """(rows, classes): the log probabilities under other class priors."""
        scores = self.log_proba + (log_prior - self.log_prior)
        return log_normalise(scores, np.zeros(scores.shape[1]))


@dataclass(frozen=True)
class PooledBundle(Bundle):
    """Answers to a pool, and for each of its members the schema that it asked under, and its answers."""

    members: tuple[tuple[Schema, Bundle], ...] = ()


@dataclass(frozen=True)
class PoolModel(Model):
    """An immutable pool. Its own statistics are those of naive Bayes; `members` are models of the same rows.

    A member is a Model, or a companion: a fitted value with `schema`, `log_prior`, `log_proba` and `terms` of blocks.
    `names` are those of the members, `trials` of all that were tried, and `story` says what was done. `held_out` is of
    the rows that it was fitted to: a pool of other rows, or one from a file, has none.
    """

    members: tuple[Any, ...]
    names: tuple[str, ...]
    mixing: Mixing
    trials: tuple[Trial, ...]
    story: tuple[str, ...]
    interrupted: bool = False  # before all models were tried
    held_out: HeldOutRows | None = field(default=None, compare=False, repr=False)

    @property
    def questions(self) -> tuple[Question, ...]:
        return questions(self.schema)

    @property
    def companions(self) -> tuple[str, ...]:
        """The names of the members that are no statistics, and so learn and forget nothing."""
        return tuple(
            name for name, member in zip(self.names, self.members, strict=True) if not isinstance(member, Model)
        )

    @cached_property
    def _mixed(self) -> tuple[Floats, Floats | None]:
        return self.mixing.under(tuple(self.schema.classes))

    @cached_property
    def shares(self) -> Floats:
        """(members,): the weights as shares; even ones where nothing that a member says is heard."""
        weights = np.array(self.mixing.weights)
        return weights / weights.sum() if weights.any() else np.full(len(weights), 1.0 / len(weights))

    def _seen(self, block: Block) -> Iterator[tuple[Any, Block]]:
        """Each member, and the rows as it encodes them."""
        return ((member, recoded(block, self.schema, member.schema)) for member in self.members)

    def _pooled(self, at: int, said: Floats) -> Floats:
        """(..., classes): what a member's log likelihoods, or a part of them, add to the scores."""
        _, matrix = self._mixed
        whole = self.mixing.weights[at] * said
        if matrix is not None:
            whole += (said - said.mean(axis=-1, keepdims=True)) @ matrix[at].T
        return whole

    def add(self, block: Block, out: Floats) -> None:
        self._add(block, out, _likelihood)

    def weigh(self, block: Block, out: Floats) -> None:
        self._add(block, out, _weighed)

    def add_without(self, block: Block, out: Floats) -> None:
        self.refuse_companions("leave_one_out()", "leave rows out")
        self._add(block, out, _without)

    def _add(self, block: Block, out: Floats, said: Callable[[Any, Block], Floats]) -> None:
        out += self._mixed[0]
        for at, (member, seen) in enumerate(self._seen(block)):
            out += self._pooled(at, said(member, seen))

    def fill(self, block: Block, out: Floats) -> None:
        """What is said before any column, biases and a companion's constants, is put down to the columns, in proportion
        to how far apart they hold the classes.
        """
        terms = np.zeros((block.rows, out.shape[1] - 1, out.shape[2]))
        rest = np.broadcast_to(self._mixed[0], (block.rows, out.shape[2])).copy()
        for at, (member, seen) in enumerate(self._seen(block)):
            said = member.terms(seen)
            terms += self._pooled(at, said[:, 1:])
            known = np.isfinite(member.log_prior)  # a class without rows has no prior to take away
            rest += self._pooled(at, np.where(known, said[:, 0] - np.where(known, member.log_prior, 0.0), 0.0))
        apart = np.ptp(np.where(np.isfinite(terms), terms, 0.0), axis=2)
        whole = apart.sum(axis=1, keepdims=True)
        share = np.divide(apart, whole, out=np.full(apart.shape, 1.0 / max(1, apart.shape[1])), where=whole > 0)
        out[:, 1:] += terms + share[:, :, None] * rest[:, None]

    def learn(self, schema: Schema, bundle: Bundle) -> Self:
        """The pool after more rows, which have answered the questions of its members, too."""
        self.refuse_companions("partial_fit()", "learn more rows")
        assert isinstance(bundle, PooledBundle), "the members have asked, too"
        pairs = zip(self.members, bundle.members, strict=True)
        return self._of(self.alone.learn(schema, bundle), tuple(one.learn(*told) for one, told in pairs))

    def of_rows(self, bundle: Bundle) -> Self:
        """The same pool of the rows that gave these answers under its schema, and of no others."""
        assert isinstance(bundle, PooledBundle), "the members have asked, too"
        pairs = zip(self.members, bundle.members, strict=True)
        members = tuple(one.of_rows(told) for one, (_, told) in pairs)
        return replace(self, bundle=bundle, members=members, held_out=None)

    def unlearn(self, bundle: Bundle) -> Self:
        self.refuse_companions("forget()", "forget rows")
        assert isinstance(bundle, PooledBundle), "the members have asked, too"
        pairs = zip(self.members, bundle.members, strict=True)
        return self._of(self.alone.unlearn(bundle), tuple(one.unlearn(told) for one, (_, told) in pairs))

    def _of(self, alone: Model, members: tuple[Model, ...]) -> Self:
        """The same pool of members that know other rows; `alone` is naive Bayes of these rows."""
        return replace(self, schema=alone.schema, bundle=alone.bundle, members=members, held_out=None)

    @property
    def emptied(self) -> Self:
        """The same pool that knows no row: what its members are made of, and how they are weighed."""
        self.refuse_companions("structure_", "be taught by other rows")
        answers = tuple((member.schema, member.bundle) for member in self.members)
        return self.unlearn(PooledBundle(self.bundle.answers, answers))

    def merge(self, other: Self) -> Self:
        for one in (self, other):
            one.refuse_companions("merge(other)", "be merged")
        if (self.names, self.mixing) != (other.names, other.mixing):
            what = "the two pools have other members, or weigh them otherwise"
            hint = "fit one, and the other with structure=first.structure_"
            raise ModelError("M310", what, place="merge(other)", hint=hint)
        members = tuple(mine.merge(theirs) for mine, theirs in zip(self.members, other.members, strict=True))
        return self._of(self.alone.merge(other.alone), members)

    def sound(self) -> bool:
        """Whether the members are of the same columns and classes, and are weighed by numbers: a file may hold any."""
        mixing, many, known = self.mixing, len(self.members), len(self.mixing.classes)
        numbers = [*mixing.weights, *mixing.biases, *(x for one in mixing.matrix for row in one for x in row)]
        shaped = (
            many == len(self.names) == len(mixing.weights) > 0
            and len(mixing.biases) == known == len({*mixing.classes})
            and len(mixing.matrix) in (0, many)
            and all(len(one) == known and all(len(row) == known for row in one) for one in mixing.matrix)
        )
        fit = all(isinstance(x, int | float) and abs(x) < LARGEST_NUMBER for x in numbers) and min(mixing.weights) >= 0
        known = not self.schema.classes or not {*mixing.classes}.isdisjoint(self.schema.classes)
        return shaped and fit and known and bool(self.trials) and all(map(self._fits, self.members))

    def _fits(self, member: Any) -> bool:
        """Whether rows that are encoded for the pool can be for a member."""
        mine, theirs = self.schema, member.schema
        if len(mine.columns) != len(theirs.columns) or tuple(mine.classes) != tuple(theirs.classes):
            return False
        pairs = zip(mine.columns, theirs.columns, strict=True)
        return not isinstance(member, PoolModel) and all(_encodable(one, other) for one, other in pairs)

    @property
    def alone(self) -> NaiveModel:
        """Each column by itself, as the same rows taught it."""
        return NaiveModel(self.schema, self.setting, self.priors, self.bundle)

    def refuse_companions(self, place: str, what: str) -> None:
        """An error if a member cannot do what is asked, as it is no statistic of rows."""
        if self.companions:
            text = f"{' and '.join(self.companions)} in the pool cannot {what}: only counts of rows can"
            hint = "fit again with companions=False"
            raise ModelError("M316", text, place=place, hint=hint)

    def drawn(self, draws: Draws) -> ColumnScorer:
        self.refuse_companions("interval()", "draw what rows leave open")
        return DrawnPool(self, draws)

    @property
    def drawn_size(self) -> float:
        self.refuse_companions("interval()", "draw what rows leave open")
        return max(float(member.drawn_size) for member in self.members)

    def sample(self, classes: Array, rng: np.random.Generator) -> dict[tuple[int, ...], Array]:
        """Each row from a member drawn at random, by their weights; how these are pooled is set aside."""
        self.refuse_companions("sample()", "draw rows")
        which = rng.choice(len(self.members), size=len(classes), p=self.shares)
        found: dict[int, Array] = {}
        for at in np.unique(which):
            rows = np.flatnonzero(which == at)
            mine: dict[int, Array] = {}  # what is told of a column last is what it is
            for columns, values in self.members[at].sample(classes[rows], rng).items():
                for place, column in enumerate(columns):
                    mine[column] = values if self.schema.columns[column].wide else values[:, [place]]
            for column, drawn in mine.items():
                number = np.dtype(np.float64) if self.schema.columns[column].kind in NUMERIC else drawn.dtype
                found.setdefault(column, np.zeros((len(classes), drawn.shape[1]), dtype=number))[rows] = drawn
        return {(column,): values for column, values in found.items()}


@dataclass(frozen=True, eq=False)
class DrawnPool:
    """A pool under drawn parameters: each draw shakes one member, drawn by its weight, as if all were shaken alike.

    The members have learnt from the same rows, and are wrong together: draws of each by itself would cancel out.
    """

    model: PoolModel
    draws: Draws

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, draws * classes) += log P(row | class)."""
        pool, classes = self.model, len(self.model.rows)
        usual = np.zeros((block.rows, classes))
        pool.add(block, usual)
        out += self.draws.repeated(usual)
        ends = np.rint(np.cumsum(pool.shares) * self.draws.times).astype(int)
        _, matrix = pool._mixed
        for at, (member, seen) in enumerate(pool._seen(block)):
            start, stop = (ends[at - 1] if at else 0), ends[at]
            if stop == start:
                continue
            some = replace(self.draws, times=int(stop - start)).under(at)
            shaken = np.zeros((block.rows, (stop - start) * classes))
            member.drawn(some).add(seen, shaken)
            moved = shaken.reshape(block.rows, -1, classes) - _likelihood(member, seen)[:, None]
            moved -= moved.mean(axis=2, keepdims=True)
            scaled = sum(pool.mixing.weights) * moved
            if matrix is not None:
                scaled += moved @ matrix.sum(axis=0).T
            out[:, start * classes : stop * classes] += scaled.reshape(block.rows, -1)


def _encodable(mine: Column, its: Column) -> bool:
    """Whether a column encoded one way can be recoded the other way."""
    if its.kind == SKIP or mine.kind == its.kind:
        return mine.name == its.name and mine.wide == its.wide
    numbers = mine.kind in NUMERIC and (its.kind in NUMERIC or its.kind == "cut")
    return mine.name == its.name and (numbers or {mine.kind, its.kind} <= {"binary", "category"})


def _likelihood(member: Any, block: Block) -> Floats:
    """(rows, classes): a member's log likelihoods, up to a number of each row that is the same for all classes."""
    out = np.zeros((block.rows, len(member.schema.classes)))
    member.add(block, out)
    return out


def _weighed(member: Any, block: Block) -> Floats:
    """(rows, classes): the same, as quickly as can be."""
    if not isinstance(member, Model):
        return _likelihood(member, block)
    out = np.zeros((block.rows, len(member.schema.classes)))
    member.weigh(block, out)
    return out


def _without(member: Model, block: Block) -> Floats:
    """(rows, classes): the same, had the member not learnt that very row."""
    out = np.zeros((block.rows, len(member.schema.classes)))
    member.add_without(block, out)
    return out
