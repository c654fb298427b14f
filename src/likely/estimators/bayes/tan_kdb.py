"""TAN and KDB: one graph, in which columns depend on the class and on a few other columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import NUMERIC
from likely.core.threads import in_threads
from likely.data import Source, ask
from likely.data.blocks import Task
from likely.errors import OptionError
from likely.estimators.bayes.dependent import DependentClassifier, room, rows_held
from likely.estimators.face import shared_options as shared
from likely.estimators.face.options import Limits, ShownType, declared
from likely.models import GraphModel, Model
from likely.models.dependent import StructureInputs
from likely.statistics import Bundle, Pairs, Question
from likely.structures import Structure, conditional_information, k_dependence, mutual_information, tree

LITTLE = 1 << 26  # bytes of counts of every three columns that are kept for the sake of merging


class GraphClassifier(DependentClassifier):
    """Methods of the classifiers that learn one graph."""

    _leaning = (5.0, 0.5)

    def _structure(self, model: GraphModel) -> Structure:
        names = tuple(column.name for column in model.schema.columns)
        parents = tuple(tuple(names[at] for at in by) for by in model.parents)
        kind = "tree" if isinstance(self, TAN) else "k-dependence"
        unused = tuple(name for at, name in enumerate(names) if at not in model.used)
        return Structure(names, parents, model.strengths, model.schema.target.name, kind, unused=unused)

    @staticmethod
    def _bare(grounds: StructureInputs, paired: bool) -> GraphModel:
        """A model without arcs."""
        columns = grounds.schema.columns
        alone, used = ((),) * len(columns), tuple(range(len(columns)))
        return GraphModel(
            grounds.schema, grounds.setting, grounds.priors, Bundle({}), grounds.nodes, alone, paired, alone, used
        )


@declared
class TAN(GraphClassifier):
    """Tree-augmented naive Bayes: columns depend on the class and on one other column each, along the best tree.

    The tree has the largest sum of conditional mutual information I(x; x' | class), and is directed away from its root.

    Examples
    --------
    >>> import likely
    >>> X = [["a", 1], ["b", 0], ["a", 0], ["b", 1]] * 5
    >>> model = likely.TAN(kinds="category").fit(X, [x == "a" and n == 1 or x == "b" and n == 0 for x, n in X])
    >>> model.predict([["a", 0], ["b", 0]]).tolist()
    [False, True]
    >>> model.structure_
    tree of 2 columns, each given y
    x0
      x1 <- x0  0.693 nats
    """

    root: Annotated[str, "'auto' (the column that tells most about the class), or a column by name."] = "auto"
    arcs: Annotated[
        Literal["all", "bic"],
        Limits(),
        "'all' (one tree), or 'bic' (only the arcs that pay for their parameters: a forest).",
    ] = "all"
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
        bool,
        "Whether partial_fit and forget learn the tree again from all counts; else it stays as fit found it.",
    ] = False
    class_weight: shared.ClassWeight = None

    def _grown(self, source: Source, grounds: StructureInputs) -> GraphModel:
        model = self._bare(grounds, paired=True)
        self._refuse_large(model.schema, model.questions)
        return self._planted(self._taught(source, model))

    def _chosen(self) -> bool:
        return True

    def _planted(self, model: GraphModel) -> GraphModel:
        """The model with the tree that its counts tell."""
        information, told = _information(model.inside.pairs, model.schema.parts(model.nodes))
        names = [model.schema.columns[at].name for at in model.nodes]
        order = np.argsort(names)  # of equals the first by name, in whatever order columns come
        found = tree(
            [names[place] for place in order], information[np.ix_(order, order)], told[order],
            model.schema.parts(model.nodes)[order],
            rows=float(model.rows.sum()), classes=len(model.rows), root=self.root, arcs=self.arcs,
        )  # fmt: skip
        return _with_parents(model, _by_place(found, order), information)

    def _followed(self, model: Model, source: Source | None) -> Model:
        return self._merged(model) if self.relearn else model

    def _merged(self, model: Model) -> Model:
        assert isinstance(model, GraphModel)
        return self._planted(model)


@declared
class KDB(GraphClassifier):
    """k-dependence Bayes: columns depend on the class and on up to k columns that tell more about it.

    Columns come in order of their information about the class, and each takes as parents the k of those before it that
    tell most about it given the class.

    Examples
    --------
    >>> import likely
    >>> X = [["a", 1], ["b", 0], ["a", 0], ["b", 1]] * 5
    >>> model = likely.KDB(k=2, kinds="category").fit(X, [x == "a" and n == 1 or x == "b" and n == 0 for x, n in X])
    >>> model.predict([["a", 0], ["b", 0]]).tolist()
    [False, True]
    """

    k: Annotated[
        int,
        Limits("O392", "say how many parents: a whole number from 0", least=0),
        "The most parents of a column; 0 is naive Bayes.",
    ] = 2
    select: Annotated[
        bool,
        "Whether to choose how many columns to use, and how many parents up to k, by the exact leave-one-out log loss"
        " of all of them in one pass.",
    ] = False
    structure: Annotated[
        Any,
        ShownType("Structure or None"),
        "A `structure_` to use as it is, so that several models have one and can be merged.",
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

    def _grown(self, source: Source, grounds: StructureInputs) -> GraphModel:
        bare = self._mergeable(grounds)
        if self.structure is not None:
            return self._counted(source, _given(bare, self.structure))
        question = Question("pairs", grounds.nodes)
        self._refuse_large(grounds.schema, self._bare(grounds, paired=True).questions)
        pairs = ask(source, grounds.schema, (question,))[question]
        assert isinstance(pairs, Pairs)
        information, told = _information(pairs.table, grounds.schema.parts(grounds.nodes))
        order, found = self._ranked(bare, information, told)
        if self.select:
            return self._selected(source, bare, order, found, information)
        return self._counted(source, _with_parents(bare, found, information))

    def _chosen(self) -> bool:
        return self.structure is None

    def _most_parents(self) -> int:
        return int(self.k)

    def _mergeable(self, grounds: StructureInputs) -> GraphModel:
        """A model without arcs, which keeps the counts of every three columns if these are few, else those of arcs."""
        most = max(int(self.k), *map(len, getattr(self.structure, "parents", ())), 0)
        whole = replace(self._bare(grounds, paired=True), threes=most == 2)
        few = most <= 2 and not grounds.schema.of(*NUMERIC) and room(whole) <= LITTLE
        return whole if few else self._bare(grounds, paired=False)

    def _ranked(self, model: GraphModel, information: Floats, told: Floats) -> tuple[list[int], list[tuple[int, ...]]]:
        """The nodes in order, and the parents of each, by their places."""
        names = np.argsort([model.schema.columns[at].name for at in model.nodes])  # of equals the first by name
        ranked, below = k_dependence(information[np.ix_(names, names)], told[names], int(self.k))
        return [int(names[place]) for place in ranked], _by_place(below, names)

    def _planted(self, model: GraphModel) -> GraphModel:
        """The model with the graph that its counts tell."""
        information, told = _information(model.inside.pairs, model.schema.parts(model.nodes))
        return _with_parents(model, self._ranked(model, information, told)[1], information)

    def _merged(self, model: Model) -> Model:
        assert isinstance(model, GraphModel)
        learnt = model.paired and self.structure is None and not self.select
        return self._planted(model) if learnt else model

    def _counted(self, source: Source, model: GraphModel) -> GraphModel:
        self._refuse_large(model.schema, model.questions)
        return self._taught(source, model)

    def _selected(
        self,
        source: Source,
        bare: GraphModel,
        order: Sequence[int],
        found: Sequence[Sequence[int]],
        information: Floats,
    ) -> GraphModel:
        """The model of the first columns in order, with up to so many parents, that loses least."""
        loose = tuple(at for at in bare.used if at not in bare.nodes)
        ordered = tuple(bare.nodes[place] for place in order)
        best: tuple[float, GraphModel] | None = None
        for k in range(int(self.k) + 1):
            full = self._counted(source, _with_parents(bare, [by[:k] for by in found], information))
            tasks = source.tasks(full.schema, True, rows_held(full))
            losses = np.asarray(sum(in_threads(partial(_losses, full, loose, ordered), tasks)))
            columns = int(losses.argmin())
            if best is None or losses[columns] < best[0]:
                used = tuple(sorted((*loose, *ordered[:columns])))
                parents = tuple(by if at in used else () for at, by in enumerate(full.parents))
                strengths = tuple(by if at in used else () for at, by in enumerate(full.strengths))
                best = losses[columns], replace(full, used=used, parents=parents, strengths=strengths)
        assert best is not None
        return self._counted(source, replace(best[1], bundle=Bundle({})))

    def _smaller(self) -> str:
        return f"say k={int(self.k) - 1}, " if self.k > 1 else ""


def _by_place(found: Sequence[Sequence[int]], order: Array) -> list[tuple[int, ...]]:
    """Parents found among columns in another order, by their places in the first."""
    places: list[tuple[int, ...]] = [()] * len(found)
    for place, by in zip(order, found, strict=True):
        places[place] = tuple(int(order[at]) for at in by)
    return places


def _losses(model: GraphModel, loose: tuple[int, ...], ordered: tuple[int, ...], task: Task) -> Floats:
    return model.losses(task(), loose, ordered)


def _information(table: Array, parts: Array) -> tuple[Floats, Floats]:
    """(nodes, nodes) and (nodes,): what columns tell about each other given the class, and about the class."""
    # what differs by rounding alone is equal, so that the order of columns and of rows decides nothing
    return conditional_information(table, parts).round(12), mutual_information(table, parts).round(12)


def _with_parents(model: GraphModel, found: Sequence[Sequence[int]], information: Floats) -> GraphModel:
    """The model with parents by position among the nodes, and the information on each arc."""
    parents: list[tuple[int, ...]] = [()] * len(model.schema.columns)
    strengths: list[tuple[float, ...]] = [()] * len(model.schema.columns)
    for place, by in enumerate(found):
        parents[model.nodes[place]] = tuple(model.nodes[at] for at in by)
        strengths[model.nodes[place]] = tuple(float(information[at, place]) for at in by)
    return replace(model, parents=tuple(parents), strengths=tuple(strengths))


def _given(model: GraphModel, structure: Any) -> GraphModel:
    """The model with the parents that a structure names."""
    names = [column.name for column in model.schema.columns]
    if not isinstance(structure, Structure) or structure.kind == "average":
        hint = "give the structure_ of a fitted TAN, KDB or SPODE"
        raise OptionError("O572", f"structure is {structure!r}", place="structure=", hint=hint)
    known = dict(zip(structure.columns, zip(structure.parents, structure.weights, strict=True), strict=True))
    able = {names[at] for at in model.nodes}
    odd = next((parent for name in names for parent in known.get(name, ((), ()))[0] if parent not in able), None)
    if odd is not None or set(names) != set(structure.columns):
        what = f"{odd!r} cannot be a parent here" if odd is not None else "the columns are not those of the structure"
        hint = "use the same columns and cut points as the model that learnt it: cuts=model.cuts_"
        raise OptionError("O573", what, place="structure=", hint=hint)
    parents = tuple(tuple(names.index(parent) for parent in known[name][0]) for name in names)
    used = tuple(at for at, name in enumerate(names) if name not in structure.unused)
    return replace(model, parents=parents, strengths=tuple(known[name][1] for name in names), used=used)
