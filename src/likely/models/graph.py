"""One directed graph: every column depends on the class and on a few other columns, its parents. TAN and KDB."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Self

import numpy as np

from likely.core.block import Block, coded, emptied
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC
from likely.core.schema_union import unite
from likely.core.unusable_rows import refuse_unlearnt
from likely.errors import ModelError
from likely.families.draws import Draws
from likely.families.predictor import ColumnScorer, own_weights
from likely.kernels.memory import pad_classes
from likely.kernels.scoring.level_scores import score_codes
from likely.kernels.scoring.posteriors import log_normalise
from likely.models.alignment import questions
from likely.models.cells.cell_counts import Parents, questions_by
from likely.models.cells.conditions import of_graph
from likely.models.cells.marginalisation import LogFactor, sum_out
from likely.models.cells.missing_parents import CodedRows
from likely.models.cells.views import DrawnView, ParentView, WithoutView
from likely.models.dependent import COLUMN_STREAM, TEXT_STREAM, Dependent
from likely.models.sampling import RowSampler
from likely.statistics import Question


@dataclass(frozen=True)
class GraphModel(Dependent):
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
    def _view(self) -> ParentView:
        return ParentView(self.inside)

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
    def _view_without(self) -> ParentView:
        """What columns say, had the very row that is looked at not been learnt."""
        return WithoutView(self.inside)

    def _flattened(self, view: ParentView) -> tuple[Array, Floats]:
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

    def score(self, block: Block, out: Floats, view: ParentView, flat: tuple[Array, Floats]) -> None:
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

    def _quickly(self, block: Block, codes: Array, out: Floats, view: ParentView, flat: tuple[Array, Floats]) -> None:
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
                    predictor.add(block, out, cells[by], skip)

    def _summed(self, block: Block, codes: Array, missing: Array, view: ParentView) -> Floats:
        """(rows, classes): log P(row | class), with what is missing of the parents summed out."""
        return self._by_steps(block, codes, missing, view, np.zeros(missing.shape[1], dtype=np.int64))[:, 0]

    def _stepwise(self, block: Block, codes: Array, missing: Array, view: ParentView, order: Sequence[int]) -> Floats:
        """(rows, columns, classes): the same of the first column in an order, of the first two, and so on."""
        steps = np.zeros(missing.shape[1], dtype=np.int64)
        steps[list(order)] = np.arange(len(order))
        return self._by_steps(block, codes, missing, view, steps)

    def _by_steps(self, block: Block, codes: Array, missing: Array, view: ParentView, steps: Array) -> Floats:
        """(rows, steps, classes): the same of the columns up to each step."""
        rows = CodedRows(self.schema, self.parents, self.order, steps, block, codes, missing, self._depend)
        shape = (int(steps.max(initial=0)) + 1, view.classes)
        out = np.empty((block.rows, *shape))
        for at, piece in rows.pieces(view.classes):
            out[at] = sum_out(self._factors(piece, view), piece.parts, (len(at), *shape))
        return out

    @property
    def _depend(self) -> Parents:
        """The columns that have to be summed out wherever they are missing."""
        return ()

    def _factors(self, rows: CodedRows, view: ParentView) -> list[LogFactor]:
        """What every column says of rows, those that have to be summed out under each of their values."""
        factors: list[LogFactor] = []
        for at in self.order:
            by = self.parents[at]
            factors += rows.imagined(at, partial(missing_column_terms, partial(view.parts, at, by)))
            factors += rows.seen(at, partial(column_terms, partial(view.one, at, by), rows.block))
            if at not in self.inside.discrete:  # that a number is missing may be evidence, whatever its parents
                gone = np.flatnonzero(rows.missing[:, at])
                nobody = np.zeros((len(gone), 0), dtype=np.int64)
                said = view.one(at, (), rows.block.take(gone), np.zeros(len(gone), dtype=bool), nobody)
                factors.append(LogFactor(gone, (), said, np.full(len(gone), rows.steps[at])))
        return factors

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
        totals = self._stepwise(block, self._codes(block), missing, self._view, self.order)
        before = np.concatenate([np.zeros((block.rows, 1, len(self.rows))), totals[:, :-1]], axis=1)
        never = np.isneginf(before)
        return np.where(never, 0.0, totals - np.where(never, 0.0, before))

    def add_without(self, block: Block, out: Floats) -> None:
        own, weights = own_weights(block)
        self.look(block, out, self._view_without)
        out += self.inside.levels.presence_without(block.codes, own, weights)[:, self._speaking].sum(axis=1)
        self.texts.add_without(block, out)

    def look(self, block: Block, out: Floats, view: ParentView) -> None:
        """out (rows, classes) += log P(row | class) of the columns that can have parents, one column at a time."""
        codes, missing = self._codes(block), self._missing(block)
        holes = self._holes(missing)
        at, rest = np.flatnonzero(holes), np.flatnonzero(~holes)
        if len(at):
            out[at] += self._summed(block.take(at), codes[at], missing[at], view)
        if len(rest):
            said = np.zeros((len(rest), out.shape[1]))
            self._plainly(block.take(rest), codes[rest], missing[rest], view, said)
            out[rest] += said

    def _plainly(self, block: Block, codes: Array, missing: Array, view: ParentView, out: Floats) -> None:
        """out (rows, classes) += what all columns say of rows whose parents are there."""
        for column in self.order:
            out += self._one(column, block, codes, missing, view)

    def _one(self, column: int, block: Block, codes: Array, missing: Array, view: ParentView) -> Floats:
        """(rows, classes): what a column says of rows whose parents are there."""
        by = list(self.parents[column])
        counted = ~missing[:, column] & ~missing[:, by].any(axis=1)
        return view.one(column, self.parents[column], block, counted, codes[:, by])

    def losses(self, block: Block, loose: tuple[int, ...], ordered: tuple[int, ...]) -> Floats:
        """(columns + 1,): the log loss, each row left out, of `loose` with none, one, two ... of `ordered`."""
        self.refuse(block)
        refuse_unlearnt(block, self.schema)
        own, weights = own_weights(block)
        # a row of weight 2 is two rows, of which one is left out
        block = emptied(replace(block, weights=np.minimum(weights, 1.0)), self.schema, weights == 0)
        said = self.prior_without(block)
        replace(self, used=loose).add_without(block, said)
        steps = np.repeat(said[:, None], len(ordered) + 1, axis=1)
        steps[:, 1:] += self._presence_by_steps(block, ordered)
        chain = replace(self, used=ordered)
        codes, missing = chain._codes(block), chain._missing(block)
        steps[:, 1:] += chain._stepwise(block, codes, missing, chain._view_without, ordered)
        log_proba = log_normalise(steps.reshape(-1, steps.shape[2]), self.log_prior).reshape(steps.shape)
        return -np.asarray(weights @ log_proba[np.arange(block.rows), :, own])

    def _presence_by_steps(self, block: Block, ordered: tuple[int, ...]) -> Floats:
        """(rows, columns, classes): what it says that the first are there or missing, without the row."""
        own, weights = own_weights(block)
        told, discrete = self.inside.levels.presence_without(block.codes, own, weights), self.inside.discrete
        out = np.zeros((len(told), len(ordered), len(self.rows)))
        for step, at in enumerate(ordered):
            if at in discrete:
                out[:, step] = told[:, discrete.index(at)]
        return np.cumsum(out, axis=1)

    def merge(self, other: Self) -> Self:
        unite(self.schema, other.schema)  # columns that are binned or named differently are told first
        given = not self.paired and (self.parents, self.used) != (other.parents, other.used)
        if given or (self.paired, self.threes) != (other.paired, other.threes):
            raise self._other_structure()
        return super().merge(other)

    def _other_structure(self) -> ModelError:
        hint = f"fit one, and the other with {self.reuse} and cuts=first.cuts_"
        return ModelError("M310", "the two models have different structures", place="merge(other)", hint=hint)

    def drawn(self, draws: Draws) -> ColumnScorer:
        return DrawnGraph(self, self._view_drawn(draws), draws, self.texts.drawn(draws.under(TEXT_STREAM)))

    def _view_drawn(self, draws: Draws) -> ParentView:
        """What columns say under drawn parameters."""
        return DrawnView(self.inside, draws.under(COLUMN_STREAM))

    @property
    def drawn_size(self) -> float:
        cells = [float(self.schema.parts(self.parents[at]).prod()) for at in self.order]
        return sum(self.inside.drawn_size(below, (at,)) for below, at in zip(cells, self.order, strict=True))

    def sample(self, classes: Array, rng: np.random.Generator) -> dict[tuple[int, ...], Array]:
        drawing = RowSampler(self.inside, classes, rng)
        for at in self.order:
            drawing.column(at, self.parents[at], np.arange(len(classes)))
        return {**drawing.values(), **self.texts.sample(classes, rng)}


def column_terms(one: Callable[..., Floats], block: Block, rows: Array, values: Array, learnt: bool) -> Floats:
    """(rows, classes): what a column says of some rows of a block, with these values of its parents."""
    return one(block.take(rows), np.full(len(rows), learnt), values)


def missing_column_terms(parts: Callable[[Array], Floats], rows: Array, values: Array, learnt: bool) -> Floats:
    """(rows, parts, classes): what a missing column says of any rows under each of its values."""
    return parts(values)


@dataclass(frozen=True, eq=False)
class DrawnGraph:
    """A graph under drawn parameters."""

    model: GraphModel
    view: ParentView
    draws: Draws
    texts: ColumnScorer

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, draws * classes) += log P(row | class)."""
        self.model.look(block, out, self.view)
        said = self.model.inside.levels.said_by_presence(block.codes)[:, self.model._speaking].sum(axis=1)
        out += self.draws.repeated(said)
        self.texts.add(block, out)
