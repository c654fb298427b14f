"""SPODE, AODE and AnDE: averages over super-parents, on which all other columns depend beside the class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Annotated, Any, Literal

import numpy as np

from likely.core.numerics import Floats
from likely.core.schema import NUMERIC
from likely.core.threads import in_threads
from likely.data import Source
from likely.errors import OptionError, listed, nearest
from likely.errors.advice import Advice, Option
from likely.errors.options import is_whole
from likely.estimators.bayes.dependent import DependentClassifier
from likely.estimators.face import shared_options as shared
from likely.estimators.face.generative import VALUES_AT_ONCE
from likely.estimators.face.options import Limits, ShownType, declared
from likely.families.predictor import Setting
from likely.models import AverageModel, Model
from likely.models.cells.cell_counts import Parents
from likely.models.dependent import StructureInputs
from likely.statistics import Bundle, Question
from likely.structures import Structure, conditional_information, mutual_information

JUDGED = 1 << 12  # rows left out at a time, at most
TABLES_OF_CLASSES = 2  # of every cell, of each pair of classes, that are held while rows are left out


class AveragedClassifier(DependentClassifier):
    """Methods of the classifiers that average over super-parents."""

    min_support: float

    def _average(
        self,
        source: Source,
        grounds: StructureInputs,
        members: Sequence[Parents],
        sets: Sequence[Parents],
        subsumption: float | None = None,
    ) -> AverageModel:
        """The plain average over some sets of parents."""
        even = (1.0 / len(members),) * len(members)
        model = AverageModel(
            grounds.schema, grounds.setting, grounds.priors, Bundle({}), grounds.nodes, tuple(sets), tuple(members),
            even, float(self.min_support), None if subsumption is None else float(subsumption),
        )  # fmt: skip
        self._refuse_large(model.schema, model.questions)
        return self._taught(source, model)

    def _losses(self, source: Source, model: AverageModel, ranked: bool = False) -> Floats:
        """(members,): the exact leave-one-out log loss of each; `ranked`, of the mean of it and all before it."""
        classes = len(model.schema.classes)
        cells = max((int(model.schema.parts(by).prod()) for by in model.members), default=1) + 1
        hint = (
            "name the super-parent with parent=, "
            if isinstance(self, SPODE)
            else "say weights='even' and select=False, "
        )
        self._refuse_large_work(
            8 * TABLES_OF_CLASSES * cells * classes**2, "leaving rows out of their cells", model.schema, hint
        )
        tasks = source.tasks(model.schema, True, _rows_judged(model))
        return np.asarray(sum(in_threads(lambda task: model.losses(task(), ranked), tasks)))

    def _structure(self, model: AverageModel) -> Structure:
        names, target = tuple(column.name for column in model.schema.columns), model.schema.target.name
        alone = ((),) * len(names)
        members = tuple(tuple(names[at] for at in by) for by in model.members)
        if len(members) > 1 or len(members[0]) != 1:
            return Structure(names, alone, alone, target, "average", members, model.weights)
        (parent,) = model.members[0]
        parts = model.schema.parts(model.nodes)
        information = conditional_information(model.inside.pairs, parts)[model.nodes.index(parent)]
        told = dict(zip(model.nodes, information.tolist(), strict=True))
        child = [at != parent and column.kind not in ("text", "skip") for at, column in enumerate(model.schema.columns)]
        return Structure(
            names,
            tuple(members[0] if is_child else () for is_child in child),
            tuple((told.get(at, float("nan")),) if is_child else () for at, is_child in enumerate(child)),
            target,
            "super-parent",
        )


@declared
class SPODE(AveragedClassifier):
    """Every column depends on the class and on one super-parent, that for which leaving one out loses least.

    Examples
    --------
    >>> import likely
    >>> X = [["a", 1], ["b", 0], ["a", 0], ["b", 1]] * 5
    >>> model = likely.SPODE(kinds="category").fit(X, [x == "a" and n == 1 or x == "b" and n == 0 for x, n in X])
    >>> model.predict([["a", 0], ["b", 0]]).tolist()
    [False, True]
    >>> model.structure_.roots
    ('x0',)
    """

    parent: Annotated[
        Any, ShownType("str or int"), "'auto', or the column that is the super-parent, by name or position."
    ] = "auto"
    min_support: shared.MinSupport = 1
    kinds: shared.Kinds = "auto"
    estimate: shared.Estimate = "bayes"
    smoothing: shared.CellSmoothing = 1.0
    backoff: shared.Backoff = "class"
    priors: shared.Priors = None
    missing: shared.Missing = "ignore"
    numbers: shared.Numbers = "auto"
    cuts: shared.Cuts = "frequency"
    bins: shared.Bins = 5
    relearn: Annotated[
        bool, "Whether partial_fit may choose another super-parent, by the new rows left out one by one."
    ] = False
    class_weight: shared.ClassWeight = None

    def _setting(self) -> Setting:
        return replace(super()._setting(), joint=False)  # P(class) P(parent | class): nothing is averaged

    def _grown(self, source: Source, grounds: StructureInputs) -> AverageModel:
        if not self._chosen():
            named = (_parent(self.parent, grounds),)
            return self._average(source, grounds, (named,), (named,))
        every = tuple((at,) for at in grounds.nodes) or ((),)
        return self._best(source, self._average(source, grounds, every, every))

    def _chosen(self) -> bool:
        return isinstance(self.parent, str) and self.parent == "auto"

    def _best(self, source: Source, model: AverageModel) -> AverageModel:
        """The model with that of its sets alone which loses least."""
        everyone = replace(model, members=model.sets, weights=(1.0 / len(model.sets),) * len(model.sets))
        best = int(self._losses(source, everyone).argmin()) if len(model.sets) > 1 else 0
        return replace(everyone, members=model.sets[best : best + 1], weights=(1.0,))

    def _followed(self, model: Model, source: Source | None) -> Model:
        assert isinstance(model, AverageModel)
        return self._best(source, model) if self.relearn and source is not None else model


@declared
class AODE(AveragedClassifier):
    """Averaged one-dependence estimators: every column in turn is the super-parent of all others.

    Examples
    --------
    >>> import likely
    >>> X = [["a", 1], ["b", 0], ["a", 0], ["b", 1]] * 5
    >>> model = likely.AODE(kinds="category").fit(X, [x == "a" and n == 1 or x == "b" and n == 0 for x, n in X])
    >>> model.predict([["a", 0], ["b", None]]).tolist()
    [False, False]
    """

    min_support: shared.MinSupport = 1
    weights: Annotated[
        Literal["even", "information", "loss"],
        Limits("O396"),
        "Of the super-parents: 'even', by 'information' about the class, or by the 'loss' of each, leaving one out.",
    ] = "even"
    select: Annotated[
        bool, "Whether to average only over the super-parents that do best together, leaving one out."
    ] = False
    subsumption: Annotated[
        float | None,
        Limits("O395", "say None, or how many rows must show that a value implies another; 100 is usual", above=0),
        "None, or the rows that must show that one value implies another for the other to be left out.",
    ] = None
    kinds: shared.Kinds = "auto"
    estimate: shared.Estimate = "bayes"
    smoothing: shared.CellSmoothing = 1.0
    backoff: shared.Backoff = "class"
    priors: shared.Priors = None
    missing: shared.Missing = "ignore"
    numbers: shared.Numbers = "auto"
    cuts: shared.Cuts = "frequency"
    bins: shared.Bins = 5
    class_weight: shared.ClassWeight = None

    def _grown(self, source: Source, grounds: StructureInputs) -> AverageModel:
        every = tuple((at,) for at in grounds.nodes) or ((),)
        model = self._average(source, grounds, every, every, self.subsumption)
        if not grounds.nodes or (self.weights == "even" and not self.select):
            return model
        losses = self._losses(source, model) if self.select or self.weights == "loss" else np.zeros(len(every))
        model = replace(model, weights=self._weighed(model, losses))
        return self._selected(source, model, losses) if self.select else model

    def _chosen(self) -> bool:
        return bool(self.select) or self.weights != "even"

    def _weighed(self, model: AverageModel, losses: Floats) -> tuple[float, ...]:
        if self.weights == "information":
            shares = np.maximum(mutual_information(model.inside.pairs, model.schema.parts(model.nodes)), 0.0)
        elif self.weights == "loss":
            shares = np.where(losses > 0, losses.min() / np.where(losses > 0, losses, 1.0), 1.0) ** 2
        else:
            shares = np.ones(len(model.members))
        shares = shares if shares.any() else np.ones(len(shares))
        return tuple((shares / shares.sum()).tolist())

    def _merged(self, model: Model) -> Model:
        assert isinstance(model, AverageModel)
        if self.weights != "information" or self.select or not model.order:
            return model
        return replace(model, weights=self._weighed(model, np.zeros(len(model.members))))

    def _selected(self, source: Source, model: AverageModel, losses: Floats) -> AverageModel:
        """The mean of the best member, of the best two, ...: whichever loses least."""
        order = np.argsort(losses, kind="stable")
        weights = np.array(model.weights)[order]
        ranked = replace(model, members=tuple(model.members[at] for at in order), weights=tuple(weights.tolist()))
        best = 1 + int(self._losses(source, ranked, ranked=True).argmin())
        kept = weights[:best] / weights[:best].sum()
        return replace(ranked, members=ranked.members[:best], weights=tuple(kept.tolist()))


@declared
class AnDE(AveragedClassifier):
    """Averaged n-dependence estimators: every set of `order` columns in turn are the super-parents of all others.

    Examples
    --------
    >>> import likely
    >>> X = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1]] * 4
    >>> model = likely.AnDE(order=2, kinds="category").fit(X, [sum(row) % 2 for row in X])
    >>> model.predict([[0, 1, 1], [1, 1, 1]]).tolist()
    [0, 1]
    """

    order: Annotated[
        int,
        Limits("O397", "say 0, 1 or 2", least=0, most=2),
        "Super-parents at a time: 0 (naive Bayes), 1 (AODE) or 2. Counts grow with the power order + 1 of the number of"
        " levels.",
    ] = 2
    min_support: Annotated[
        shared.MinSupport,
        "Rows that must have a row's values of the super-parents together; where no set has, order - 1 speaks.",
    ] = 1
    kinds: shared.Kinds = "auto"
    estimate: shared.Estimate = "bayes"
    smoothing: shared.CellSmoothing = 1.0
    backoff: shared.Backoff = "class"
    priors: shared.Priors = None
    missing: shared.Missing = "ignore"
    numbers: shared.Numbers = "auto"
    cuts: shared.Cuts = "frequency"
    bins: shared.Bins = 5
    class_weight: shared.ClassWeight = None

    def _grown(self, source: Source, grounds: StructureInputs) -> AverageModel:
        order = min(int(self.order), len(grounds.nodes))
        if order == 2:  # two million sets of two thousand columns would take gigabytes before they are refused
            self._refuse_large(grounds.schema, [Question("triples", grounds.nodes)])
        sets = [by for size in range(1, order + 1) for by in combinations(grounds.nodes, size)]
        return self._average(source, grounds, tuple(combinations(grounds.nodes, order)), sets)

    def _smaller(self) -> str:
        return "say order=1, " if self.order == 2 else ""

    def _most_parents(self) -> int:
        return int(self.order)


def _rows_judged(model: AverageModel) -> int:
    """How many rows to leave out at a time: many, as tables are made anew for them; numbers are held for each class."""
    numbers = len(model.schema.of(*NUMERIC)) * max(len(model.rows), 1)
    return max(64, min(JUDGED, 8 * VALUES_AT_ONCE // max(numbers, 1)))


def _parent(parent: Any, grounds: StructureInputs) -> int:
    """The position of a column that is to be the super-parent."""
    names = [column.name for column in grounds.schema.columns]
    able = [names[at] for at in grounds.nodes]
    at = int(parent) if is_whole(parent) and 0 <= parent < len(names) and parent not in names else -1
    at = names.index(parent) if parent in names else at
    if at in grounds.nodes:
        return at
    if at < 0:
        what, hint = f"there is no column {parent!r}", f"the columns are {listed(names)}.{nearest(parent, able)}"
    else:
        kind = grounds.schema.columns[at].kind
        what = f"{names[at]!r} cannot be a parent: it is {'not binned' if kind != 'text' else 'a text'}"
        hint = Advice(
            "say how to bin it, as in ", Option("cuts", {names[at]: "frequency"}), ", or choose another column"
        )
    raise OptionError("O398", what, place="parent=", hint=hint)
