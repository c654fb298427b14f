"""A network whose class is one of its nodes: some columns depend on it, some do not, and it may depend on columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Self

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC
from likely.core.schema_union import unite
from likely.errors import ModelError
from likely.families.draws import Draws
from likely.models.alignment import questions
from likely.models.cells.cell_counts import CellCounts, Parents, questions_by
from likely.models.cells.marginalisation import LogFactor
from likely.models.cells.missing_parents import CodedRows
from likely.models.cells.nodes import ClassNode, NodeCounts, NodeView, pooled_classes
from likely.models.cells.views import DrawnView, ParentView, WithoutView
from likely.models.dependent import CLASS_STREAM, COLUMN_STREAM
from likely.models.graph import GraphModel, column_terms
from likely.models.sampling import RowSampler
from likely.statistics import Bundle, Counts, Question
from likely.structures.graph import reached

# What the class depends on is drawn until it goes with the class: so many rows at a time, and so many in all.
LEAST_ROWS_DRAWN, MOST_ROWS_DRAWN, MOST_ROWS_DRAWN_IN_ALL = 1 << 10, 1 << 16, 1 << 23


@dataclass(frozen=True)
class NetworkModel(GraphModel):
    """P(class, row) is the product of P(node | its parents), where the class is a node.

    `parents` are columns; those of the class are `above`, and the columns that do not have the class as a parent are
    `apart`. The log likelihood of a row is log P(class, row) less the log of the class's share of the rows, so that
    the posterior is that of the network, and under other priors the odds change by their ratio. `told` are the nats on
    the arc from the class to each column, `above_told` those on the arcs to the class. Counts may be `expected`, where
    missing values were filled in: then no row can be taken out.
    """

    reuse: ClassVar[str] = "network=first.network_"

    above: Parents = ()
    apart: tuple[int, ...] = ()
    told: tuple[float, ...] = ()
    above_told: tuple[float, ...] = ()
    expected: bool = False

    @property
    def questions(self) -> tuple[Question, ...]:
        asked = list(questions(self.schema))
        discrete, numeric = self.schema.of(*DISCRETE), self.schema.of(*NUMERIC)
        for by in sorted({by for by in (*self.parents, self.above) if by}):
            mine = tuple(at for at in discrete if self.parents[at] == by)
            if mine or by == self.above:
                asked.append(Question("counts", mine, by))
            if any(self.parents[at] == by for at in numeric):
                asked.extend(questions_by(self.schema, by))
        return tuple(dict.fromkeys(asked))

    @cached_property
    def before(self) -> frozenset[int]:
        """The columns that the class depends on, through others too."""
        return frozenset(reached(self.above, self.parents))

    @cached_property
    def inside(self) -> CellCounts:
        return NodeCounts(self.schema, self.setting, self.bundle, self.rows, self.nodes)

    @cached_property
    def pooled(self) -> CellCounts:
        """Counts and predictors of all classes together."""
        bundle, schema = pooled_classes(self.bundle, self.schema)
        return NodeCounts(schema, self.setting, bundle, self.rows.sum(keepdims=True), self.nodes)

    @cached_property
    def own(self) -> ClassNode | None:
        """The class below its parents, if it has any."""
        if not self.above:
            return None
        asked = next(question for question in self.bundle if question.of == "counts" and question.by == self.above)
        counts = self.bundle[asked]
        assert isinstance(counts, Counts)
        return ClassNode(self.schema, self.setting, self.above, self.rows, counts.rows.reshape(len(self.rows), -1))

    @cached_property
    def _view(self) -> ParentView:
        table = None if self.own is None else self.own.learnt()
        return NodeView(ParentView(self.inside), ParentView(self.pooled), self.apart, self.own, table)

    @property
    def _view_without(self) -> ParentView:
        return NodeView(WithoutView(self.inside), WithoutView(self.pooled), self.apart, self.own, None)

    @property
    def _numbers(self) -> tuple[int, ...]:
        return tuple(at for at in super()._numbers if at not in self.apart)

    def _holes(self, missing: Array) -> Array:
        return np.asarray(super()._holes(missing) | missing[:, list(self.above)].any(axis=1))

    def _quickly(self, block: Block, codes: Array, out: Floats, view: ParentView, flat: tuple[Array, Floats]) -> None:
        super()._quickly(block, codes, out, view, flat)
        whole = np.ones(block.rows, dtype=bool)
        for at in super()._numbers:
            if at in self.apart:
                out += view.one(at, self.parents[at], block, whole, codes[:, list(self.parents[at])])
        if self.above:
            out += self._about_class(view)(block, whole, codes[:, list(self.above)])

    @staticmethod
    def _about_class(view: ParentView) -> Callable[[Block, Array, Array], Floats]:
        assert isinstance(view, NodeView), "a network looks at its columns as nodes"
        return view.about_class

    @property
    def _depend(self) -> Parents:
        return self.above

    def _factors(self, rows: CodedRows, view: ParentView) -> list[LogFactor]:
        factors = super()._factors(rows, view)
        if self.above:
            every = np.ones(len(rows.missing), dtype=bool)
            said = partial(column_terms, self._about_class(view), rows.block)
            factors += rows.below(self.above, (), every, np.zeros(len(every), dtype=np.int64), said)
        return factors

    def fill(self, block: Block, out: Floats) -> None:
        super().fill(block, out)
        if not self.above:
            return
        codes, whole = self._codes(block), np.flatnonzero(~self._holes(self._missing(block)))
        assert self.own is not None, "the class has parents"
        said = np.zeros((len(whole), len(self.rows)))
        for many, at in enumerate(self.above, start=1):
            # what each parent of the class adds to those before it
            view = NodeView(self._view, self._view, (), self.own.prefix(many), self.own.prefix(many).learnt())
            more = view.about_class(block.take(whole), np.ones(len(whole)), codes[whole][:, list(self.above[:many])])
            out[whole, 1 + at] += more - np.where(np.isneginf(said), 0.0, said)
            said = more

    def _chained(self, block: Block, missing: Array) -> Floats:
        codes, steps = self._codes(block), [np.zeros((block.rows, len(self.rows)))]
        later = np.ones(missing.shape[1], dtype=bool)
        for at in self.order:
            later[at] = False
            steps.append(self._summed(block, codes, missing | later, self._view))
        totals = np.stack(steps, axis=1)
        never = np.isneginf(totals[:, :-1])
        return np.where(never, 0.0, totals[:, 1:] - np.where(never, 0.0, totals[:, :-1]))

    def _plainly(self, block: Block, codes: Array, missing: Array, view: ParentView, out: Floats) -> None:
        super()._plainly(block, codes, missing, view, out)
        if self.above:
            out += self._about_class(view)(block, np.ones(block.rows, dtype=bool), codes[:, list(self.above)])

    def merge(self, other: Self) -> Self:
        unite(self.schema, other.schema)
        if (self.above, self.apart) != (other.above, other.apart):
            raise self._other_structure()
        return replace(super().merge(other), expected=self.expected or other.expected)

    def unlearn(self, bundle: Bundle) -> Self:
        if self.expected:
            what = "missing values were filled in by what was expected of them, which cannot be taken back row by row"
            hint = "fit again without these rows; with missing='ignore' rows can be taken back"
            raise ModelError("M363", what, place="forget(X, y)", hint=hint)
        return super().unlearn(bundle)

    def without(self, block: Block) -> Floats:
        if self.expected:
            what = "missing values were filled in by all rows together: no row can be left out of that"
            hint = "fit with missing='ignore', or judge by folds: likely.evaluation.cross_validate"
            raise ModelError("M364", what, place="leave_one_out(X, y)", hint=hint)
        return super().without(block)

    def _view_drawn(self, draws: Draws) -> ParentView:
        mine, together = (DrawnView(members, draws.under(COLUMN_STREAM)) for members in (self.inside, self.pooled))
        table = None if self.own is None else self.own.drawn(draws.under(CLASS_STREAM))
        return NodeView(mine, together, self.apart, self.own, table)

    def drawn_prior(self, draws: Draws) -> Floats:
        if not self.above:
            return super().drawn_prior(draws)
        return np.tile(self.log_prior, (draws.times, 1))  # what is uncertain of the class is drawn below its parents

    @property
    def drawn_size(self) -> float:
        return super().drawn_size + (0 if self.own is None else self.own.counts.size)

    def sample(self, classes: Array, rng: np.random.Generator) -> dict[tuple[int, ...], Array]:
        mine, together = RowSampler(self.inside, classes, rng), RowSampler(self.pooled, np.zeros_like(classes), rng)
        together.codes, together.reals = mine.codes, mine.reals
        self._draw_before(together, classes, rng)
        for at in self.order:
            if at not in self.before:
                (together if at in self.apart else mine).column(at, self.parents[at], np.arange(len(classes)))
        return {**mine.values(), **self.texts.sample(classes, rng)}

    def _draw_before(self, drawing: RowSampler, classes: Array, rng: np.random.Generator) -> None:
        """What the class depends on: drawn as if there were no class, and taken as often as the class goes with it."""
        if self.own is None:
            return
        table = self.own.learnt()
        top = table.max(axis=0)
        chance = np.exp(table - np.where(np.isfinite(top), top, 0.0))
        for level in np.unique(classes):
            waiting = np.flatnonzero(classes == level)
            tried = MOST_ROWS_DRAWN_IN_ALL if np.isneginf(top[level]) else 0
            while len(waiting):
                if tried >= MOST_ROWS_DRAWN_IN_ALL:
                    raise self._hardly_ever(int(level))
                rows = np.arange(min(max(2 * len(waiting), LEAST_ROWS_DRAWN), MOST_ROWS_DRAWN))
                trial = RowSampler(self.pooled, np.zeros_like(rows), rng)
                for at in self.order:
                    if at in self.before:
                        trial.column(at, self.parents[at], rows)
                took = np.flatnonzero(rng.random(len(rows)) < chance[trial.cells(self.above, rows), level])
                filled = waiting[: len(took)]
                drawing.codes[filled] = trial.codes[took[: len(filled)]]
                drawing.reals[filled] = trial.reals[took[: len(filled)]]
                waiting, tried = waiting[len(filled) :], tried + len(rows)

    def _hardly_ever(self, level: int) -> ModelError:
        names = ", ".join(repr(self.schema.columns[at].name) for at in self.above)
        what = f"hardly any row has {names} such that the class is {self.schema.classes[level]!r}"
        hint = "draw fewer rows, or under priors that give this class its share: with_priors('empirical')"
        return ModelError("M366", what, place="sample(n)", hint=hint)
