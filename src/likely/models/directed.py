"""One directed graph: every column depends on the class and on a few other columns, its parents. TAN and KDB."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import ClassVar, Self

import numpy as np

from likely.block import Block, coded
from likely.cache import cached_property
from likely.errors import ModelError
from likely.families.predictor import Scorer, own_weights
from likely.kernels.memory import pad_classes
from likely.kernels.rows import log_normalise
from likely.kernels.scoring import score_codes
from likely.models.alignment import questions
from likely.models.dependent import Dependent
from likely.models.drawing import Drawing
from likely.models.elimination import Factor, sum_out
from likely.models.givens import of_graph
from likely.models.members import Parents, questions_by
from likely.models.views import DrawnView, View, WithoutView
from likely.numerics import Array, Floats
from likely.refusals import refuse_unlearnt
from likely.schema import DISCRETE, NUMERIC, unite
from likely.statistics import Question


@dataclass(frozen=True)
class Directed(Dependent):
    """P(row | class) is the product of P(column | class, parents of the column).

    `parents` are those of each column of the schema. With `paired`, rows
    were counted by every two columns, so that another tree can be learnt from the counts; else by the parents alone.
    `strengths` are the nats on each arc, and `used` the columns that speak at all. With `threes`, every three columns
    were counted too, so that another graph of two parents can be.
    """

    reuse: ClassVar[str] = "structure=first.structure_"  # how another is fitted with the same arcs

    parents: tuple[Parents, ...]
    paired: bool
    strengths: tuple[tuple[float, ...], ...]
    used: tuple[int, ...]
    threes: bool = False

    @property
    def questions(self) -> tuple[Question, ...]:
        asked = list(questions(self.schema))
        discrete, numeric = self.schema.of(*DISCRETE), self.schema.of(*NUMERIC)
        if self.paired:
            asked.append(Question("pairs", self.nodes))
            if self.threes:
                asked.append(Question("triples", self.nodes))
            for at in self.nodes:
                asked.extend(questions_by(self.schema, (at,)))
            return tuple(dict.fromkeys(asked))
        for by in sorted({by for by in self.parents if by}):
            if any(self.parents[at] == by for at in discrete):
                asked.append(Question("counts", discrete, by))
            if any(self.parents[at] == by for at in numeric):
                asked.extend(questions_by(self.schema, by))
        return tuple(dict.fromkeys(asked))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The discrete and numeric columns that speak, parents before what depends on them."""
        order: list[int] = []
        speaking = {*self.schema.of(*DISCRETE), *self.schema.of(*NUMERIC)} & set(self.used)
        waiting = sorted(speaking, key=lambda at: self.schema.columns[at].name)  # in whatever order columns come
        ready = [at for at in waiting if not self.parents[at]]
        while ready:
            order += ready
            waiting = [at for at in waiting if at not in ready]
            ready = [at for at in waiting if set(self.parents[at]) <= set(order)]
        return tuple(order)

    @cached_property
    def _view(self) -> View:
        return View(self.inside)

    @cached_property
    def _flat(self) -> tuple[Array, Floats]:
        return self._flattened(self._view)

    @cached_property
    def _levels(self) -> tuple[int, ...]:
        """The discrete columns that speak."""
        return tuple(at for at in self.inside.discrete if at in self.used)

    @cached_property
    def _speaking(self) -> list[int]:
        """Their places among all discrete columns."""
        return [self.inside.discrete.index(at) for at in self._levels]

    @property
    def _numbers(self) -> tuple[int, ...]:
        """The numeric columns that speak."""
        return tuple(at for at in self.schema.of(*NUMERIC) if at in self.used)

    @property
    def _view_without(self) -> View:
        """What columns say, had the very row that is looked at not been learnt."""
        return WithoutView(self.inside)

    def _flattened(self, view: View) -> tuple[Array, Floats]:
        """(columns,) and (slots, classes): where each discrete column begins, and the tables of all of them in one."""
        tables = [view.table(at, self.parents[at]) for at in self._levels]
        starts = np.concatenate([[0], np.cumsum([len(table) * table.shape[1] for table in tables])])
        flat = [table.reshape(-1, len(self.rows)) for table in tables]
        whole = np.concatenate(flat) if flat else np.zeros((0, len(self.rows)))
        return starts[:-1].astype(np.int64), pad_classes(whole)

    def add(self, block: Block, out: Floats) -> None:
        self.score(block, out, self._view, self._flat)
        out += self.inside.levels.said_by_presence(block.codes)[:, self._speaking].sum(axis=1)
        self.texts.add(block, out)

    def score(self, block: Block, out: Floats, view: View, flat: tuple[Array, Floats]) -> None:
        """out (rows, classes) += log P(row | class) of the columns that can have parents."""
        codes, missing = self._codes(block), self._missing(block)
        holes = self._holes(missing)
        if holes.any():
            at, rest = np.flatnonzero(holes), np.flatnonzero(~holes)
            out[at] += self._summed(block.take(at), codes[at], missing[at], view)
            whole = np.zeros((len(rest), out.shape[1]))
            self._quickly(block.take(rest), codes[rest], whole, view, flat)
            out[rest] += whole
        else:
            self._quickly(block, codes, out, view, flat)

    def _codes(self, block: Block) -> Array:
        """(rows, columns): the parts of all columns that can be parents; of others, nothing of meaning."""
        codes = np.zeros((block.rows, len(self.schema.columns)), dtype=np.int64)
        codes[:, list(self.nodes)] = coded(block, self.schema, self.nodes)
        return codes

    def _missing(self, block: Block) -> Array:
        """(rows, columns): which values are missing."""
        missing = np.ones((block.rows, len(self.schema.columns)), dtype=bool)
        missing[:, list(self.inside.discrete)] = block.codes == self.inside.levels.levels
        missing[:, list(self.schema.of(*NUMERIC))] = np.isnan(block.reals)
        missing[:, ~np.isin(np.arange(missing.shape[1]), self.used)] = True
        return missing

    def _holes(self, missing: Array) -> Array:
        """(rows,): whether a parent is missing of a value that is not."""
        holes = np.zeros(len(missing), dtype=bool)
        for at in self.order:
            if self.parents[at]:
                holes |= ~missing[:, at] & missing[:, list(self.parents[at])].any(axis=1)
        return holes

    def _quickly(self, block: Block, codes: Array, out: Floats, view: View, flat: tuple[Array, Floats]) -> None:
        """Rows whose parents are all there: the tables of all columns are read in one go."""
        starts, table = flat
        places = np.empty((block.rows, len(self._levels)), dtype=np.int32)
        cells = {}
        for by in {self.parents[at] for at in self.order}:
            cells[by] = view.cells(by, codes[:, list(by)])
        for place, at in enumerate(self._levels):
            by, slots = self.parents[at], self.schema.columns[at].slots
            last = int(self.schema.parts(by).prod()) if by else 0
            codes = block.codes[:, self.inside.discrete.index(at)]
            places[:, place] = np.where(cells[by] < 0, last, cells[by]) * slots + codes
        score_codes(places, starts, table, out)
        for by in sorted({self.parents[at] for at in self._numbers}):
            mine = {at for at in self._numbers if self.parents[at] == by}
            for columns, predictor in view.numbers(by):
                skip = tuple(place for place, at in enumerate(columns) if at not in mine)
                if len(skip) < len(columns):
                    predictor.add(block, cells[by], out, skip)

    def _summed(self, block: Block, codes: Array, missing: Array, view: View) -> Floats:
        """(rows, classes): log P(row | class), with what is missing of the parents summed out."""
        out = np.zeros((block.rows, len(self.rows)))
        patterns, which = np.unique(missing, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            at = np.flatnonzero(which.reshape(-1) == number)
            out[at] = self._of_pattern(block.take(at), codes[at], pattern, view)
        return out

    def _of_pattern(self, block: Block, codes: Array, missing: Array, view: View) -> Floats:
        """(rows, classes): the same, of rows that all miss the same values."""
        needed = self._needed(missing)
        factors = self._factors(block, codes, missing, needed, view)
        return sum_out(factors, {at: self.schema.columns[at].parts for at in needed})

    def _factors(self, block: Block, codes: Array, missing: Array, needed: set[int], view: View) -> list[Factor]:
        """What every column says of such rows, those that are needed under each of their values."""
        factors = []
        for at in self.order:
            by = self.parents[at]
            hidden = tuple(parent for parent in by if parent in needed)
            if at in needed:
                factors.append(self._factor(hidden, (at,), by, codes, partial(view.parts, at, by)))
            if not missing[at]:
                said = partial(view.one, at, by, block, np.full(block.rows, not hidden))
                factors.append(self._factor(hidden, (), by, codes, said))
            elif at not in self.inside.discrete:  # that a number is missing may be evidence, whatever its parents
                nobody = np.zeros((block.rows, 0), dtype=np.int64)
                factors.append(Factor((), view.one(at, (), block, np.zeros(block.rows, dtype=bool), nobody)))
        return factors

    def _needed(self, missing: Array) -> set[int]:
        """The missing columns on which values depend that are not: those that have to be summed out.

        Of a column that never had a value there is nothing to sum.
        """
        needed: set[int] = set()
        for at in reversed(self.order):
            if not missing[at] or at in needed:
                known = (parent for parent in self.parents[at] if self.schema.columns[parent].parts)
                needed.update(parent for parent in known if missing[parent])
        return needed

    def _factor(
        self,
        hidden: tuple[int, ...],
        own: tuple[int, ...],
        by: Parents,
        codes: Array,
        said: Callable[[Array], Floats],
    ) -> Factor:
        """What a column says under every guess of its hidden parents."""
        values, parts = codes[:, list(by)], self.schema.parts(hidden)
        guesses = []
        for guess in product(*map(range, parts)):
            values[:, [by.index(parent) for parent in hidden]] = guess
            guesses.append(said(values))
        stacked = np.stack(guesses, axis=1)
        return Factor((*hidden, *own), stacked.reshape(len(codes), *parts, *stacked.shape[2:]))

    def given(self, block: Block) -> Array | None:
        return of_graph(self, block)

    def fill(self, block: Block, out: Floats) -> None:
        self.texts.fill(block, self.schema, out)
        if not self.order:
            return
        codes, missing = self._codes(block), self._missing(block)
        for at in self.order:
            by = self.parents[at]
            out[:, 1 + at] = self._view.one(at, by, block, np.ones(block.rows, dtype=bool), codes[:, list(by)])
        holes = np.flatnonzero(self._holes(missing))
        if len(holes):
            out[np.ix_(holes, 1 + np.array(self.order))] = self._chained(block.take(holes), missing[holes])
        said = self.inside.levels.said_by_presence(block.codes)[:, self._speaking]
        out[:, [1 + at for at in self._levels]] += said

    def _chained(self, block: Block, missing: Array) -> Floats:
        """(rows, columns in order, classes): what each column adds to those before it, whatever is missing of them."""
        steps = [np.zeros((block.rows, len(self.rows)))]
        for place in range(len(self.order)):
            fewer = replace(self, used=self.order[: place + 1])
            steps.append(fewer._summed(block, self._codes(block), missing, self._view))
        totals = np.stack(steps, axis=1)
        never = np.isneginf(totals[:, :-1])
        return np.where(never, 0.0, totals[:, 1:] - np.where(never, 0.0, totals[:, :-1]))

    def add_without(self, block: Block, out: Floats) -> None:
        own, weights = own_weights(block)
        view, codes, missing = self._view_without, self._codes(block), self._missing(block)
        holes = self._holes(missing)
        at, rest = np.flatnonzero(holes), np.flatnonzero(~holes)
        if len(at):
            out[at] += self._summed(block.take(at), codes[at], missing[at], view)
        part = block.take(rest)
        for column in self.order:
            out[rest] += self._one_without(column, part, codes[rest], missing[rest], view)
        out += self.inside.levels.presence_without(block.codes, own, weights)[:, self._speaking].sum(axis=1)
        self.texts.add_without(block, out)

    def _one_without(self, column: int, block: Block, codes: Array, missing: Array, view: View) -> Floats:
        """(rows, classes): what a column says of rows whose parents are there, had they not been learnt."""
        by = list(self.parents[column])
        counted = ~missing[:, column] & ~missing[:, by].any(axis=1)
        return view.one(column, self.parents[column], block, counted, codes[:, by])

    def losses(self, block: Block, loose: tuple[int, ...], ordered: tuple[int, ...]) -> Floats:
        """(columns + 1,): the log loss, each row left out, of `loose` with none, one, two ... of `ordered`."""
        self.refuse(block)
        refuse_unlearnt(block, self.schema)
        own, weights = own_weights(block)
        # a row of weight 2 is two rows, of which one is left out
        block = replace(block, weights=np.minimum(weights, 1.0))
        view, codes, missing = self._view_without, self._codes(block), self._missing(block)
        holes = self._holes(missing)
        whole, rest = np.flatnonzero(~holes), np.flatnonzero(holes)
        said = self.prior_without(block)
        replace(self, used=loose).add_without(block, said)
        out = np.empty(len(ordered) + 1)
        for columns in range(len(ordered) + 1):
            if columns:
                at = ordered[columns - 1]
                said[whole] += self._one_without(at, block.take(whole), codes[whole], missing[whole], view)
            if columns and len(rest):  # what is missing of parents is summed out anew
                part = block.take(rest)
                anew = self.prior_without(part)
                replace(self, used=(*loose, *ordered[:columns])).add_without(part, anew)
                said[rest] = anew
            log_proba = log_normalise(said.copy(), self.log_prior)
            out[columns] = -(weights * log_proba[np.arange(block.rows), own]).sum()
        return out

    def merge(self, other: Self) -> Self:
        unite(self.schema, other.schema)  # columns that are cut or named differently are told first
        given = not self.paired and (self.parents, self.used) != (other.parents, other.used)
        if given or (self.paired, self.threes) != (other.paired, other.threes):
            raise ModelError(
                "M310",
                "the two models have different structures",
                place="merge(other)",
                hint=f"fit one, and the other with {self.reuse} and cuts=first.cuts_",
            )
        return super().merge(other)

    def draw(self, rng: np.random.Generator) -> Scorer:
        view = DrawnView(self.inside, rng)
        return DrawnGraph(self, view, self._flattened(view), self.texts.draw(rng))

    def sample(self, classes: Array, rng: np.random.Generator) -> dict[tuple[int, ...], Array]:
        drawing = Drawing(self.inside, classes, rng)
        for at in self.order:
            drawing.column(at, self.parents[at], np.arange(len(classes)))
        return {**drawing.values(), **self.texts.sample(classes, rng)}


@dataclass(frozen=True, eq=False)
class DrawnGraph:
    """A graph under parameters drawn once."""

    model: Directed
    view: View
    flat: tuple[Array, Floats]
    texts: Scorer

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, classes) += log P(row | class)."""
        self.model.score(block, out, self.view, self.flat)
        out += self.model.inside.levels.said_by_presence(block.codes)[:, self.model._speaking].sum(axis=1)
        self.texts.add(block, out)
