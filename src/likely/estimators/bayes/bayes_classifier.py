"""BayesClassifier: the models that suit a table, tried on rows held out and pooled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from sklearn.base import clone
from sklearn.utils import check_random_state

from likely.core.schema import SKIP, Schema
from likely.core.unusable_rows import refuse_unlearnt
from likely.data import SCORED_ROWS, Source, ask
from likely.errors import OptionError
from likely.errors.options import is_number
from likely.estimators.bayes.dependent import rows_held, settled
from likely.estimators.bayes.encoded_rows import EncodedRows, SettledRows
from likely.estimators.bayes.forest_members import Sample
from likely.estimators.bayes.pool_candidates import Candidate, candidates, names_for
from likely.estimators.bayes.pool_trials import Budget, Trials, deal_folds, pool
from likely.estimators.face import shared_options as shared
from likely.estimators.face.generative import GenerativeClassifier
from likely.estimators.face.options import Limits, ShownType, declared
from likely.estimators.face.pool_structure import Leaderboard, PoolStructure
from likely.estimators.face.rows import fitted_now
from likely.families.predictor import Setting, own_weights
from likely.models import Model, NaiveModel
from likely.models.notes import Note
from likely.models.pool import PooledBundle, PoolModel
from likely.models.priors import weighted_priors
from likely.output.phrases import plural
from likely.statistics import Bundle

MEMORY_UNITS = {"B": 1, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "KB": 10**3, "MB": 10**6, "GB": 10**9}


@declared
class BayesClassifier(GenerativeClassifier):
    """The classifier that chooses: Bayes classifiers that suit the table, tried on rows held out and pooled.

    Each model is judged in folds by rows that it has not seen. Their log probabilities are then added, each times a
    weight from 0 on, with a bias for each class: as they lose least on those rows. `leaderboard_` says how good each of
    them and the pool is, `story_` what was done. All else is as in other classifiers: the terms of an explanation add
    up to the prediction, rows are learnt and forgotten exactly (the weights and what the members are made of stay).

    Examples
    --------
    >>> import likely
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> auto = likely.BayesClassifier().fit(X, y)
    >>> auto.predict(X[:1]).tolist(), sorted(one.name for one in auto.leaderboard_)
    ([0], ['ande', 'aode', 'forest', 'lda', 'naive', 'pool', 'qda'])
    """

    pool: Annotated[
        Literal["log-linear", "best"],
        Limits("O114"),
        "How models are put together: 'log-linear' adds their weighed log probabilities; 'best' also tries a"
        " multinomial pool, in which every class hears what is said of the others, and takes it where it is clearly"
        " better.",
    ] = "log-linear"
    candidates: Annotated[
        Any,
        ShownType("'auto' or list of names"),
        "The models to try, as the command line names them; 'auto': by the table.",
    ] = "auto"
    companions: Annotated[
        bool,
        "Whether logistic regression and bagged trees are tried, too: often better still, but such a pool cannot learn,"
        " forget, merge or leave out rows.",
    ] = False
    budget: Annotated[
        Any,
        ShownType("seconds, {'seconds': ..., 'memory': '2 GiB'} or None"),
        "How long models may be tried, and how much memory each may take; what goes beyond is left out and told.",
    ] = None
    structure: Annotated[
        Any,
        ShownType("PoolStructure or None"),
        "A `structure_` to use as it is, so that several models have one and can be merged.",
    ] = None
    random_state: shared.RandomState = 0
    kinds: shared.Kinds = "auto"
    priors: shared.Priors = None
    missing: Annotated[
        Literal["auto", "ignore", "informative", "error"],
        Limits("O114"),
        "Missing values: 'auto' leaves it to each model; 'ignore' sums them out, 'informative' takes it as evidence"
        " that a value is missing, 'error' refuses them.",
    ] = "auto"
    class_weight: shared.ClassWeight = None

    estimate = "bayes"
    smoothing = 1.0
    _beside_counts = "members and weights"
    _learns_structure = True

    @property
    def leaderboard_(self) -> Leaderboard:
        """The models that were tried, and the pool, by log loss on rows that had not taught them."""
        return Leaderboard(fitted_now(self).model_.trials)

    @property
    def story_(self) -> tuple[str, ...]:
        """What was done, and why, in sentences."""
        return tuple(fitted_now(self).model_.story)

    @property
    def weights_(self) -> dict[str, float]:
        """The weight of each member of the pool."""
        model = fitted_now(self).model_
        return dict(zip(model.names, model.mixing.weights, strict=True))

    @property
    def structure_(self) -> PoolStructure:
        """The members without what rows taught them, and their weights: to fit others with. It holds no rows."""
        return PoolStructure(fitted_now(self).model_.emptied)

    @property
    def notes_(self) -> tuple[Note, ...]:
        """What a person should know about the columns and the pool."""
        self = fitted_now(self)
        return (*super().notes_, *(Note("pool", "", sentence) for sentence in self.model_.story))

    def _model(self, source: Source, classes: tuple[Any, ...]) -> Model:
        if self.structure is not None:
            return self._as_given(source, classes)
        setting = Setting("bayes", self.smoothing, "ignore" if self.missing == "auto" else self.missing)
        seen = self._survey(source, self.kinds, classes)
        open_ = frozenset(one.name for one in seen.columns if one.kind == "real" and not one.fixed)
        schema = self._settled_kinds(source, seen, setting)
        sample = Sample.of(source, schema, len(schema.columns))
        declared = replace(schema.target, declared=tuple(schema.classes))  # which every fold has, seen or not
        rows = EncodedRows(sample.block, replace(schema, target=declared))
        every = own_weights(sample.block)[1].sum() == sample.rows  # else of so many that a part will do
        whole: EncodedRows | SettledRows = EncodedRows(sample.block, schema) if every else SettledRows(source, schema)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        names, story = self._names(schema)
        speaks = any(column.kind != SKIP for column in schema.columns)
        trials = Trials(rows, whole, deal_folds(rows, seed, speaks), self._budget(), story=story)
        if not every:
            story.append(f"Models were tried on a sample of {plural(sample.block.rows, 'row')}, fitted to all of them.")
        if not len(trials.fold):
            names = names[:1]  # nothing tells models apart
        trials.run(candidates(names, self.missing, seed, open_, len(schema.columns)))
        found = pool(trials, self.pool)
        priors = weighted_priors(self.priors, self.class_weight, "bayes", schema.classes)
        alone = self._taught(whole, NaiveModel(schema, setting, priors, Bundle({})))
        members = tuple(one.model for one in found.tried)
        told = tuple(one.candidate.name for one in found.tried)
        return PoolModel(
            alone.schema,
            setting,
            priors,
            alone.bundle,
            members,
            told,
            found.mixing,
            found.trials,
            found.story,
            trials.interrupted,
            found.held_out,
        )

    def _settled_kinds(self, source: Source, schema: Schema, setting: Setting) -> Schema:
        """The schema with kinds that later rows cannot change."""
        if all(column.fixed for column in schema.columns):
            return schema
        return settled(self._taught(source, NaiveModel(schema, setting, "smoothed", Bundle({}))))

    def _names(self, schema: Schema) -> tuple[list[str], list[str]]:
        """The models to try, and why others are not."""
        if isinstance(self.candidates, str) and self.candidates == "auto":
            return names_for(schema, bool(self.companions))
        said = self.candidates
        listed = isinstance(said, list | tuple) and len(said) and all(isinstance(name, str) for name in said)
        if not listed or self.companions:
            hint = "say 'auto', or a list of names such as ['naive', 'forest']; companions are named there, too"
            raise OptionError("O577", f"candidates is {said!r}", place="candidates=", hint=hint)
        return list(said), []

    def _budget(self) -> Budget:
        said = {"seconds": self.budget} if is_number(self.budget) else self.budget
        if said is None:
            return Budget()
        hint = "say a number of seconds, or {'seconds': 60, 'memory': '2 GiB'}"
        fault = OptionError("O578", f"budget is {self.budget!r}", place="budget=", hint=hint)
        if not isinstance(said, Mapping) or not {*said} <= {"seconds", "memory"}:
            raise fault
        seconds, memory = said.get("seconds"), said.get("memory")
        if seconds is not None and not (is_number(seconds) and seconds > 0):
            raise fault
        size = None if memory is None else read_memory(memory)
        if memory is not None and size is None:
            raise fault
        return Budget(*(float("inf") if one is None else float(one) for one in (seconds, size)))

    def _as_given(self, source: Source, classes: tuple[Any, ...]) -> Model:
        """The model of a structure, and what the rows teach it."""
        if not isinstance(self.structure, PoolStructure):
            hint = "give the structure_ of a fitted BayesClassifier"
            raise OptionError("O579", f"structure is {self.structure!r}", place="structure=", hint=hint)
        twin = clone(self)
        twin.model_ = model = self.structure.model
        wide = bool(model.schema.columns) and model.schema.columns[0].wide
        if not wide and tuple(source.names) != tuple(model.schema.origins):
            hint = "use the same columns in the same order as the model that learnt it"
            raise OptionError("O573", "it is of other columns, or of another order", place="structure=", hint=hint)
        schema = twin._like_mine(twin._survey(source, twin._kinds_so_far(), classes))
        priors = weighted_priors(self.priors, self.class_weight, "bayes", schema.classes)
        return replace(model, priors=priors).learn(schema, twin._ask(source, schema))

    def _members(self, model: PoolModel) -> list[Any]:
        """The estimators of the members, each with its model."""
        made = candidates(model.names, self.missing, 0, frozenset())
        pairs: zip[tuple[Candidate, Any]] = zip(made, model.members, strict=True)
        return [candidate.holding(member) for candidate, member in pairs]

    def _ask(self, source: Source, schema: Schema) -> Bundle:
        self.model_.refuse_companions("partial_fit()", "learn more rows")
        told: list[tuple[Schema, Bundle]] = []
        for twin in self._members(self.model_):
            seen = twin._like_mine(twin._survey(source, twin._kinds_so_far(), schema.target.declared))
            told.append((seen, twin._ask(source, seen)))
        return PooledBundle(super()._ask(source, schema).answers, tuple(told))

    def _ask_again(self, source: Source) -> Bundle:
        model = self.model_
        model.refuse_companions("forget()", "forget rows")
        own = super()._ask_again(source)
        told = tuple(
            (member.schema, ask(source, member.schema, member.questions, refuse_unlearnt)) for member in model.members
        )
        return PooledBundle(own.answers, told)

    def _rows_left_out(self) -> int:
        return min(SCORED_ROWS, rows_held(self.model_))


def read_memory(said: Any) -> float | None:
    """A number of bytes, or words such as "2 GiB"; None where it is neither.

    >>> read_memory("1.5 KiB"), read_memory(100), read_memory("much")
    (1536.0, 100.0, None)
    """
    words = f"{said}B" if is_number(said) else str(said).upper().replace(" ", "")
    digits = words.rstrip("BIKMG")
    try:
        size = float(digits) * MEMORY_UNITS[words[len(digits) :]]
    except (ValueError, KeyError):
        return None
    return size if 0 < size < float("inf") else None
