"""BayesForest: the mean of many k-dependence classifiers, each with bins, parents and weights of its own."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from typing import Annotated, Any

from sklearn.utils import check_random_state

from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.core.threads import in_threads
from likely.data import Source
from likely.errors import OptionError
from likely.estimators.bayes.dependent import DependentClassifier
from likely.estimators.bayes.described_numbers import with_grids
from likely.estimators.bayes.forest_members import (
    MOST_MEMBER_BINS,
    MemberDrawing,
    Sample,
    bytes_of_terms,
    learn_weights,
    with_common_cuts,
)
from likely.estimators.face import shared_options as shared
from likely.estimators.face.options import Limits, ShownType, declared
from likely.estimators.face.sketches import sketch_source
from likely.families.density_or_levels import density_that_tells_more
from likely.families.discretization import learn_cuts
from likely.families.predictor import Setting
from likely.models.dependent import StructureInputs
from likely.models.forest import ForestModel
from likely.models.notes import Note
from likely.statistics import Bundle
from likely.statistics.members import MOST_PARENTS, Member, is_sound
from likely.structures.forest import DENSITIES, ForestMember, ForestStructure

FINE_PARTS = 64  # parts of equally many rows, between which members choose their edges


@declared
class BayesForest(DependentClassifier):
    """A forest of Bayes classifiers: the mean of many random k-dependence classifiers, whose columns have weights.

    Each member divides numbers at edges of its own, takes the columns in an order of its own, lets each depend on the
    class and up to `max_parents` columns before it, and learns how much each column is to count from the training rows,
    each left out. What rows say of thin cells leans on the class and the first parent, then the class, then all rows.

    Examples
    --------
    >>> import likely
    >>> X = [["a", 1], ["b", 0], ["a", 0], ["b", 1]] * 5
    >>> y = [x == "a" and n == 1 or x == "b" and n == 0 for x, n in X]
    >>> model = likely.BayesForest(n_estimators=8, kinds="category", random_state=0).fit(X, y)
    >>> model.predict([["a", 0], ["b", 0]]).tolist()
    [False, True]
    """

    n_estimators: Annotated[
        int, Limits("O394", "say how many members: a whole number from 1 on", least=1), "How many members to learn."
    ] = 32
    max_parents: Annotated[
        int,
        Limits("O392", f"say how many parents: a whole number from 0 to {MOST_PARENTS}", least=0, most=MOST_PARENTS),
        "The most parents of a column; each member and column draws its own number from 2 to this.",
    ] = 3
    normals: Annotated[
        bool,
        "Whether numbers also speak by a density in each class (normal, log-normal, Poisson or of kernels: what loses"
        " least, as in naive Bayes), with a weight of its own, in half of the members.",
    ] = True
    structure: Annotated[
        Any,
        ShownType("ForestStructure or None"),
        "A `structure_` to use as it is, so that several models have one and can be merged.",
    ] = None
    random_state: shared.RandomState = 0
    kinds: shared.Kinds = "auto"
    smoothing: Annotated[
        shared.Smoothing,
        Limits("O115", "say a number of pseudo-counts above 0", above=0),
        "Pseudo-counts of each level in the whole column; a cell leans on the one above it as on two rows for each.",
    ] = 1.0
    priors: shared.Priors = None
    missing: Annotated[
        shared.Missing,
        "Missing values: 'informative' takes it as evidence in every second member that a value is missing, and sums it"
        " out in the others; 'ignore' sums it out in all; 'error' refuses them.",
    ] = "informative"
    class_weight: shared.ClassWeight = None

    estimate = "bayes"
    numbers = "density"  # numbers stay numbers, beside the parts that they fall into
    _beside_counts = "members, cut points and weights"

    @property
    def structure_(self) -> ForestStructure:  # type: ignore[override]
        """The members: edges, parents and weights, to read, to keep, and to fit others with. It holds no rows."""
        self._refuse_unfitted()
        return self._structure(self.model_)

    @property
    def notes_(self) -> tuple[Note, ...]:
        """What a person should know about the columns: set aside, perhaps codes, empty, constant."""
        return super(DependentClassifier, self).notes_

    @property
    def _learns_structure(self) -> bool:
        return self.structure is None

    def _structure(self, model: ForestModel) -> ForestStructure:  # type: ignore[override]
        names = tuple(column.name for column in model.schema.columns)
        return ForestStructure(
            names,
            tuple(names[at] for at in model.beside),
            model.schema.target.name,
            tuple(
                _told(model, names, member, weights)
                for member, weights in zip(model.members, model.weights, strict=True)
            ),
            tuple(column.described if column.described in DENSITIES else "" for column in model.schema.columns),
        )

    def _setting(self) -> Setting:
        return Setting("bayes", float(self.smoothing), self.missing, "class", *self._leaning)

    _leaning = (2.0, 0.0)

    def _cut(self, source: Source, schema: Schema, setting: Setting, undecided: Set[str]) -> Schema:
        """The schema with the fine parts of numbers that members choose their edges from, or those of a structure."""
        numeric = schema.of(*NUMERIC)
        columns = list(schema.columns)
        if self.structure is not None:
            edges = _edges(self.structure)
            said = dict(zip(self.structure.columns, self.structure.densities, strict=False))
            for at in numeric:
                density = said.get(columns[at].name, "") if columns[at].kind == "real" else ""
                columns[at] = replace(columns[at], cuts=edges.get(columns[at].name, ()), described=density)
            return with_grids(source, replace(schema, columns=tuple(columns)))
        for at, sketch in sketch_source(source, schema).items():
            columns[at] = replace(columns[at], cuts=learn_cuts(sketch, "frequency", FINE_PARTS))
            if self.normals and columns[at].kind == "real" and columns[at].name in undecided:
                density = density_that_tells_more(sketch, setting, MOST_MEMBER_BINS, tried=DENSITIES)
                columns[at] = replace(columns[at], described=density)
        return with_grids(source, replace(schema, columns=tuple(columns)))

    def _grown(self, source: Source, grounds: StructureInputs) -> ForestModel:
        schema = grounds.schema
        nodes = tuple(sorted(schema.of(*DISCRETE, *NUMERIC), key=lambda at: schema.columns[at].name))
        beside = schema.of("text", *(NUMERIC if self.normals else ()))
        if self.structure is not None:
            model = _given(self.structure, grounds, nodes)
            self._refuse_large(model.schema, model.questions)
            return self._taught(source, model)
        many = int(self.n_estimators)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        sample = Sample.of(source, schema, len(nodes))
        self._refuse_large_work(
            bytes_of_terms(sample.block.rows, len(nodes), len(beside), len(schema.classes)),
            f"learning the weights of {len(nodes) + len(beside)} columns",
            schema,
            "say normals=False, " if schema.of(*NUMERIC) and self.normals else "",
        )
        drawing = MemberDrawing.of(sample, nodes, int(self.max_parents), many)
        drawn = tuple(in_threads(lambda member: drawing.draw(seed, member), range(many)))
        schema, members = with_common_cuts(schema, nodes, drawn)
        even = ((1.0,) * (len(nodes) + len(beside)),) * many
        model = ForestModel(schema, grounds.setting, grounds.priors, Bundle({}), nodes, members, even, beside)
        self._refuse_large(model.schema, model.questions)
        model = self._taught(source, model)
        if [column.levels for column in model.schema.columns] != [column.levels for column in schema.columns]:
            sample = Sample.of(source, model.schema, len(nodes))  # levels that only rows of no weight had are gone
        return learn_weights(model, sample)

    def _smaller(self) -> str:
        return "say fewer n_estimators= or max_parents=, "


def _told(model: ForestModel, names: tuple[str, ...], member: Member, weights: tuple[float, ...]) -> ForestMember:
    """A member in names and numbers."""
    parents: list[tuple[str, ...]] = [()] * len(names)
    edges: list[tuple[float, ...]] = [()] * len(names)
    given, own = [0.0] * len(names), [0.0] * len(names)
    for place, at in enumerate(model.nodes):
        cuts = model.schema.columns[at].cuts or ()
        parents[at] = tuple(names[model.nodes[parent]] for parent in member.parents[place])
        edges[at] = tuple(cuts[edge] for edge in member.edges[place])
        given[at] = weights[place]
    for at, weight in zip(model.beside, weights[len(model.nodes) :], strict=True):
        own[at] = weight
    return ForestMember(tuple(parents), tuple(edges), tuple(given), tuple(own), member.informed)


def _edges(structure: Any) -> dict[str, tuple[float, ...]]:
    """The edges of each column that some member has."""
    if not isinstance(structure, ForestStructure):
        hint = "give the structure_ of a fitted BayesForest"
        raise OptionError("O572", f"structure is {structure!r}", place="structure=", hint=hint)
    every = [zip(structure.columns, one.edges, strict=True) for one in structure.members]
    found: dict[str, set[float]] = {name: set() for name in structure.columns}
    for pairs in every:
        for name, edges in pairs:
            found[name] |= {*edges}
    return {name: tuple(sorted(edges)) for name, edges in found.items()}


def _given(structure: ForestStructure, grounds: StructureInputs, nodes: tuple[int, ...]) -> ForestModel:
    """The model with the members and weights of a structure, which knows no rows yet."""
    schema, _ = grounds.schema, _edges(structure)
    names = [column.name for column in schema.columns]
    hint = "use the same columns, of the same kinds, as the model that learnt it"
    able = {names[at] for at in schema.of("text", *NUMERIC)}
    if {*names} != {*structure.columns} or not able.issuperset(structure.beside):
        odd = min(({*names} ^ {*structure.columns}) or {*structure.beside} - able)
        raise OptionError("O573", f"{odd!r} is not there, or of another kind", place="structure=", hint=hint)
    at_of, place_of = {name: at for at, name in enumerate(structure.columns)}, {at: n for n, at in enumerate(nodes)}
    beside = tuple(sorted(names.index(name) for name in structure.beside))
    members, weights = [], []
    for one in structure.members:
        parents, edges = [], []
        for at in nodes:
            where, cuts = at_of[names[at]], {cut: n for n, cut in enumerate(schema.columns[at].cuts or ())}
            by = [place_of.get(names.index(name), -1) for name in one.parents[where]]
            parents.append(tuple(by))
            edges.append(tuple(cuts.get(edge, -1) for edge in one.edges[where]))
        member = Member(tuple(parents), tuple(edges), one.informed)
        if not is_sound(member, nodes, schema):
            raise OptionError("O573", "it does not fit the kinds of these columns", place="structure=", hint=hint)
        members.append(member)
        own = [one.weights[at_of[names[at]]] for at in nodes]
        weights.append((*own, *(one.own_weights[at_of[names[at]]] for at in beside)))
    told = (nodes, tuple(members), tuple(weights), beside)
    return ForestModel(schema, grounds.setting, grounds.priors, Bundle({}), *told)
