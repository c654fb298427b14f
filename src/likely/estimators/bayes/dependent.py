"""What the classifiers share whose columns may depend on each other: kinds and cut points settled by the first rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from math import inf
from typing import Any

from likely.core.schema import DESCRIPTIONS, DISCRETE, NUMERIC, SKIP, Column, Schema, as_cut
from likely.data import SCORED_ROWS, Source
from likely.errors import OptionError, listed
from likely.errors.advice import Advice, Kind, Option
from likely.estimators.bayes.described_numbers import is_undecided
from likely.estimators.face.generative import VALUES_AT_ONCE, GenerativeClassifier
from likely.estimators.face.rows import fitted_now
from likely.estimators.face.sketches import sketch_source
from likely.families.density_or_levels import density_that_tells_more, parts_by_value, tells_more_in_levels
from likely.families.discretization import learn_cuts, read_cuts
from likely.families.predictor import Setting
from likely.models import Model, NaiveModel
from likely.models.dependent import StructureInputs
from likely.models.notes import DESCRIPTION_WORDS, Note, warned_notes
from likely.models.priors import weighted_priors
from likely.output.phrases import memory_size
from likely.statistics import Bundle, Question
from likely.statistics.questions import size
from likely.statistics.sketch import Sketch
from likely.structures import Structure

MOST_BYTES_OF_COUNTS = 1 << 30  # bytes that the counts of a model may take


class DependentClassifier(GenerativeClassifier, ABC):
    """Methods of the classifiers whose columns may depend on each other; see SPODE for what they mean."""

    backoff: str
    numbers: str
    cuts: Any
    bins: int

    _most_bytes = inf  # that counts may take, where a pool has a budget
    _leaning = (2.0, 0.25)  # what the class, and each level, are worth to a thin cell: measured on 28 tables

    @property
    def structure_(self) -> Structure:
        """Which columns depend on which: to read, to keep and to draw, as in `model.structure_.plot()`."""
        self = fitted_now(self)
        return self._structure(self.model_)

    @property
    def cuts_(self) -> dict[str, tuple[float, ...]]:
        """The edges between the parts of each numeric column, for the columns that depend on it."""
        self._refuse_unfitted()
        columns = self.model_.schema.columns
        return {column.name: column.cuts for column in columns if column.cuts is not None}

    @property
    def notes_(self) -> tuple[Note, ...]:
        """What a person should know about the columns, and which numbers speak by parts or by another density."""
        self = fitted_now(self)
        columns = self.model_.schema.columns
        mine = {column.name for column in columns if column.described in DESCRIPTIONS}
        others = (note for note in super().notes_ if not (note.code == "described" and note.column in mine))
        told = [Note("described", column.name, density_note(column)) for column in columns if column.name in mine]
        cut = [column.name for column in columns if column.kind == "cut"]
        if self.numbers != "auto" or not cut:
            return (*others, *told)
        said = "speaks by the part that it" if len(cut) == 1 else "speak by the parts that they"
        text = f"{listed(cut)} {said} fall{'s' if len(cut) == 1 else ''} into, which loses less than a normal"
        text = Advice(f"{text}; for densities say ", Option("numbers", "density"))
        return (*others, *told, Note("described", "", text))

    @property
    def _learns_structure(self) -> bool:
        """Whether a fit learns more from the rows than counts: a structure, or where to bin numbers."""
        self = fitted_now(self)
        names = [column.name for column in self.model_.schema.columns if column.cuts is not None]
        given = all(not isinstance(way, str) for way in read_cuts(self.cuts, self.bins, names))
        return bool(names and not (given and self.numbers != "auto")) or self._chosen()

    def _chosen(self) -> bool:
        """Whether which column depends on which is learnt from the rows."""
        return False

    @abstractmethod
    def _structure(self, model: Any) -> Structure:
        """Which columns depend on which in a model."""

    def _model(self, source: Source, classes: tuple[Any, ...]) -> Model:
        setting = self._setting()
        schema = self._survey(source, self.kinds, classes)
        undecided = {column.name for column in schema.columns if is_undecided(column)}
        if not all(column.fixed for column in schema.columns):  # what is inferred is settled by what the rows hold
            priors = weighted_priors(self.priors, self.class_weight, setting.estimate, schema.classes)
            naive = self._taught(source, NaiveModel(schema, setting, priors, Bundle({})))
            schema = settled(naive)
        schema = self._cut(source, schema, setting, undecided)
        priors = weighted_priors(self.priors, self.class_weight, setting.estimate, schema.classes)
        nodes = tuple(
            at
            for at, column in enumerate(schema.columns)
            if column.kind in DISCRETE or (column.cuts is not None and len(column.cuts))
        )
        return self._grown(source, StructureInputs(schema, setting, priors, nodes))

    def _setting(self) -> Setting:
        return Setting(self.estimate, float(self.smoothing), self.missing, self.backoff, *self._leaning)

    @abstractmethod
    def _grown(self, source: Source, grounds: StructureInputs) -> Model:
        """The model of rows, its structure learnt."""

    def _cut(self, source: Source, schema: Schema, setting: Setting, undecided: Set[str]) -> Schema:
        """The schema with numeric columns binned where they are parents, and those as levels that tell more so.

        Columns that are `undecided`, about which nobody said a word, may have another density than a normal.
        """
        numeric = schema.of(*NUMERIC)
        if not numeric:
            return schema
        names = [schema.columns[at].name for at in numeric]
        ways = read_cuts(self.cuts, self.bins, names)
        given = all(not isinstance(way, str) for way in ways)
        sketches = {} if given and self.numbers == "density" else sketch_source(source, schema)
        columns = list(schema.columns)
        for at, way in zip(numeric, ways, strict=True):
            cuts = way if not isinstance(way, str) else learn_cuts(sketches[at], way, self.bins)
            if way == "frequency" and self.numbers == "auto" and columns[at].kind == "real":
                cuts = parts_by_value(sketches[at], cuts, setting, self._most_parents())
            columns[at] = replace(columns[at], cuts=cuts)
            in_levels = bool(cuts) and self._in_levels(columns[at], sketches.get(at), setting)
            density = ""
            if columns[at].name in undecided and columns[at].kind == "real" and self._tries_densities:
                density = density_that_tells_more(sketches[at], setting, self.bins, cuts if in_levels else None)
            if density:
                columns[at] = replace(columns[at], described=density)
            elif in_levels:
                columns[at] = as_cut(columns[at], *map(float, sketches[at].values[[0, -1]]))
        return replace(schema, columns=tuple(columns))

    @property
    def _tries_densities(self) -> bool:
        """Whether columns may have another density than a normal, if that loses less than what they have else."""
        return self.numbers == "auto" and self.estimate == "bayes" and self.smoothing > 0

    def _most_parents(self) -> int:
        """How many columns one may depend on."""
        return 1

    def _in_levels(self, column: Column, sketch: Sketch | None, setting: Setting) -> bool:
        """Whether a numeric column is to speak by its parts instead of a density."""
        if sketch is None or not len(sketch.values) or self.numbers == "density":
            return False
        assert column.cuts is not None, "asked of columns that are binned"
        return self.numbers == "levels" or (
            column.kind == "real" and tells_more_in_levels(sketch, column.cuts, setting)
        )

    def _rows_left_out(self) -> int:
        return min(SCORED_ROWS, rows_held(self.model_))

    def _kinds_so_far(self) -> Any:
        """A binned column comes as numbers."""
        kinds = super()._kinds_so_far()
        if not isinstance(kinds, Mapping):
            return kinds
        return {name: "real" if isinstance(kind, str) and kind == "cut" else kind for name, kind in kinds.items()}

    def _like_mine(self, schema: Schema) -> Schema:
        """A part's schema, with my kinds and cut points."""
        mine = super()._like_mine(schema)
        pairs = zip(mine.columns, self.model_.schema.columns, strict=True)
        return replace(mine, columns=tuple(_like(old, new) for new, old in pairs))

    def _refuse_large(self, schema: Schema, questions: Iterable[Question]) -> None:
        """An error if the answers to some questions would not fit, which says what to change."""
        sizes = {question: 8 * size(question, schema) for question in questions}
        whole, most = sum(sizes.values()), min(MOST_BYTES_OF_COUNTS, self._most_bytes)
        if whole <= most:
            return
        worst = max(sizes, key=lambda question: sizes[question])
        columns = [schema.columns[at] for at in worst.columns]
        widest = max(columns, key=lambda column: column.parts)
        raise OptionError(
            "O393",
            f"counting every {_EVERY[worst.of]} of {len(columns)} columns takes {memory_size(whole)},"
            f" beyond the {memory_size(most)} that a model may have",
            place=type(self).__name__,
            hint=Advice(
                f"{self._smaller()}or leave out columns with many levels, such as {widest.name!r} with"
                f" {widest.parts}: ",
                Kind(widest.name, SKIP),
            ),
        )

    def _refuse_large_work(self, needs: int, what: str, schema: Schema, smaller: str = "") -> None:
        """An error if what learning holds by row and class would not fit, which says what to change."""
        if needs > MOST_BYTES_OF_COUNTS:
            raise OptionError(
                "O393",
                f"{what} for {len(schema.classes):,} classes takes {needs / 2**30:.1f} GiB,"
                f" beyond the {MOST_BYTES_OF_COUNTS / 2**30:.0f} GiB that there are for it",
                place=type(self).__name__,
                hint=f"{smaller}join rare classes, leave columns out, or take NaiveBayes",
            )

    def _smaller(self) -> str:
        """What a user can change to need less room."""
        return ""


def density_note(column: Column) -> Advice:
    """Which density a column has, in every cell, and how to have a normal."""
    said = (
        f"{column.name!r} is described {DESCRIPTION_WORDS[column.described]}, which loses less than a normal or parts"
    )
    return Advice(f"{said}; for a normal say ", Option("numbers", "density"))


def _like(old: Column, new: Column) -> Column:
    """A part's column, with the kind and the cut points that it had before."""
    if new.kind == old.kind:
        return replace(new, cuts=old.cuts)
    if old.kind == "cut":
        return replace(old, whole=new.whole or new.empty)
    return old if old.kind == SKIP else new


def room(model: Model) -> int:
    """How many bytes the counts of a model take."""
    return 8 * sum(size(question, model.schema) for question in model.questions)


def rows_held(model: Model) -> int:
    """How many rows to leave out at a time: every value is held for each class."""
    return max(64, VALUES_AT_ONCE // (len(model.schema.columns) * max(len(model.rows), 1)))


_EVERY = {"pairs": "two", "triples": "three", "counts": "level", "moments": "number", "grid": "density"}


def settled(naive: NaiveModel) -> Schema:
    """The schema with kinds that later rows cannot change: they are what structure and cut points are learnt for."""
    aside = {note.column: note.text for note in warned_notes(naive) if note.code == "skipped"}
    columns = []
    for column in naive.schema.columns:
        if column.name in aside:
            columns.append(Column(column.name, SKIP, fixed=True, hint=column.hint or aside[column.name]))
        else:
            columns.append(replace(column, fixed=True, lone=None))
    return replace(naive.schema, columns=tuple(columns))
