"""The scikit-learn face of a generative classifier: it holds an immutable model and swaps it."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, Self, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema
from likely.core.state import in_turn, still
from likely.core.threads import in_threads
from likely.core.unusable_rows import refuse_unlearnt
from likely.data import SCORED_ROWS, Labels, Source, ask, score
from likely.errors import SchemaWarning, SingularWarning
from likely.errors.advice import joined
from likely.errors.options import share, whole
from likely.estimators.face.options import check_options
from likely.estimators.face.predictions import PredictionMethods
from likely.estimators.face.rows import answers, fitted_now, nothing_left, refuse_merge, warn_of_unlike_readings
from likely.estimators.face.sampled_rows import as_table
from likely.families.predictor import Setting
from likely.models import Model, NaiveModel
from likely.models.notes import Note, notes, warned_notes
from likely.models.posterior_draws import PARAMETER_DRAWS, Redrawn
from likely.models.priors import read_priors, weighted_priors
from likely.statistics import Bundle

M = TypeVar("M", bound=Model)
VALUES_AT_ONCE = 1 << 19  # values held at a time where each is held in many forms


class GenerativeClassifier(PredictionMethods, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Methods that every generative classifier has; see NaiveBayes for what they mean."""

    kinds: Any
    estimate: str
    smoothing: float
    priors: Any
    class_weight: Any
    missing: str

    _beside_counts = "structure and cut points"  # what rows teach, where `_learns_structure`, that no row takes back

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and their classes; a failed fit leaves the old model.

        Examples
        --------
        >>> import likely
        >>> likely.NaiveBayes().fit([["a", 1.0], ["b", 2.0]], ["no", "yes"]).predict([["b", None]]).tolist()
        ['yes']
        """
        fresh = clone(self)
        return self._become(fresh._learn_first(fresh._open(X, y, sample_weight, reset=True)))

    @in_turn
    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows; in whatever parts they come, the model is the one that `fit` gives on all at once.

        `classes` declares classes not seen yet. A file or relation holds its target in a column: `X` alone.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> model.partial_fit([[9.0]], ["c"]).predict([[1.2], [8.5]]).tolist()
        ['a', 'c']
        """
        declared = () if classes is None else Labels.read(classes).levels
        if not hasattr(self, "model_"):
            fresh = clone(self)
            return self._become(fresh._learn_first(fresh._open(X, y, sample_weight, reset=True), declared))
        check_options(self)
        source = self._open(X, y, sample_weight)
        schema = self._like_mine(self._survey(source, self._kinds_so_far(), declared))
        model = self.model_.learn(schema, self._ask(source, schema))
        return self._hold(self._followed(model, source))

    def _followed(self, model: Model, source: Source | None) -> Model:
        """The model after rows came (from the source) or went, with what else is to change then."""
        return model

    def _merged(self, model: Model) -> Model:
        """The model of both models' rows, with what else is to change then."""
        return model

    def _learn_first(self, source: Source, classes: tuple[Any, ...] = ()) -> Self:
        check_options(self)
        model = self._model(source, classes)
        self._warn(model)
        return self._hold(model)

    def _learn_like(self, other: Self, source: Source) -> Self:
        """Learn first rows as another has settled how: kinds, cut points, structure. Then both can be merged."""
        twin = other._copy(other.model_.emptied)
        schema = twin._like_mine(twin._survey(source, twin._kinds_so_far(), ()))
        model = twin.model_.learn(schema, twin._ask(source, schema))
        return self._hold(twin._followed(model, source))

    def _model(self, source: Source, classes: tuple[Any, ...]) -> Model:
        """The model of the first rows."""
        setting = Setting(self.estimate, float(self.smoothing), self.missing)
        schema = self._settled(source, self._survey(source, self.kinds, classes), setting)
        priors = weighted_priors(self.priors, self.class_weight, setting.estimate, schema.classes)
        return self._taught(source, NaiveModel(schema, setting, priors, Bundle({})))

    def _survey(self, source: Source, kinds: Any, classes: tuple[Any, ...]) -> Schema:
        """The schema of rows, under what is said or known of their kinds."""
        return source.survey(kinds, classes)

    def _settled(self, source: Source, schema: Schema, setting: Setting) -> Schema:
        """The schema with all that the first rows settle beside kinds and levels."""
        return schema

    def _taught(self, source: Source, model: M) -> M:
        """A model that knows nothing yet, with what its questions find in the rows."""
        return replace(model, bundle=answers(source, model, self.missing)).pruned()

    def _ask(self, source: Source, schema: Schema) -> Bundle:
        """What more rows answer to the questions of the model, under their schema."""
        return answers(source, replace(self.model_, schema=schema), self.missing)

    def _ask_again(self, source: Source) -> Bundle:
        """What rows that were learnt answer to the questions of the model, to be taken back."""
        return ask(source, self.model_.schema, self.model_.questions, refuse_unlearnt)

    @staticmethod
    def _warn(model: Model) -> None:
        found = warned_notes(model)
        for code, kind in (("skipped", SchemaWarning), ("singular", SingularWarning)):
            told = [note.text for note in found if note.code == code]
            if told:
                warnings.warn(joined(told, "\n"), kind, stacklevel=4)

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None, log: bool = False) -> Floats:
        """(rows, classes): what the model would say of each training row had it not seen it: exact, no refit.

        With `log`, log probabilities, which tell what is hardly possible from what is not possible at all.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> model.leave_one_out([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"]).argmax(axis=1).tolist()
        [0, 0, 1, 1]
        """
        self = fitted_now(self)
        model = self.model_

        def work(block: Block, out: Floats) -> None:
            said = model.without(block)
            out[:] = said if log else np.exp(said)

        source = self._open(X, y, sample_weight, every=True)
        return score(source, model.schema, len(self.classes_), work, target=True, rows=self._rows_left_out())

    def _rows_left_out(self) -> int:
        """How many rows to leave out at a time: every value is held in many forms while its row is taken out."""
        return min(SCORED_ROWS, max(64, VALUES_AT_ONCE // (len(self.model_.schema.columns) + 4 * len(self.classes_))))

    def interval(self, X: Any, level: float = 0.95, seed: int = 0) -> Floats:
        """(rows, classes, 2): credible interval of each class probability, from the posterior of the parameters.

        The quantiles of the class probability over parameters drawn from their posterior, equal tails.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> low, high = model.interval([[1.2]])[0, 0]
        >>> bool(low < model.predict_proba([[1.2]])[0, 0] < high)
        True
        """
        self = still(self)
        share(level, "level", "O116")
        source, redrawn = self._rows(X), Redrawn.of(self.model_, seed, PARAMETER_DRAWS)

        tasks = source.tasks(self.model_.schema, False, redrawn.encoded)
        pieces = (piece for task in tasks for piece in redrawn.pieces(task()))
        return np.concatenate(
            list(in_threads(lambda piece: redrawn.limits(piece, level), pieces))
        )  # each has the same draws

    def merge(self, other: Self) -> Self:
        """A new model, as if fitted on the rows of both; exact, also where each saw levels and classes of its own.

        Examples
        --------
        >>> import likely
        >>> here, there = ([[1.0], [2.0]], ["a", "a"]), ([[4.0], [5.0]], ["b", "b"])
        >>> both = likely.NaiveBayes().fit(*here).merge(likely.NaiveBayes().fit(*there))
        >>> both.predict([[1.2], [4.8]]).tolist()
        ['a', 'b']
        """
        self = fitted_now(self)
        refuse_merge(self, other)
        warn_of_unlike_readings(self, other)
        return self._copy(self._merged(self.model_.merge(other.model_)))

    @in_turn
    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Take learnt rows back: the model is as if it had never seen them. In place; a failure changes nothing.

        A file or relation holds its target in a column of the name that the model learnt: `X` alone.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> model.forget([[4.0], [5.0]], ["b", "b"]).classes_.tolist()
        ['a']
        """
        self._refuse_unfitted()
        source = self._open(X, y, sample_weight)
        rest = self.model_.unlearn(self._ask_again(source))
        rest = replace(rest, schema=rest.schema.without_spans)  # which may be those of the rows that go
        return self._hold(self._followed(rest, None))

    def with_priors(self, priors: Any) -> Self:
        """A new model with the same likelihoods under other class priors, such as {'ill': 0.01, 'well': 0.99}.

        They take the place of class weights, too.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> model.predict([[2.9]]).tolist(), model.with_priors({"a": 0.01, "b": 0.99}).predict([[2.9]]).tolist()
        (['a'], ['b'])
        """
        self = fitted_now(self)
        return self._copy(
            self.model_.with_priors(read_priors(priors, self.estimate, self.model_.schema.classes)),
            priors=priors,
            class_weight=None,
        )

    def sample(self, n: int = 1, seed: Any = None) -> tuple[Any, Array]:
        """n rows and their classes, drawn from the model: a frame where the columns have names, else an array.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> rows, classes = model.sample(3, seed=0)
        >>> rows.shape, classes.shape
        ((3, 1), (3,))
        """
        self = fitted_now(self)
        whole(n, "n", "O118", hint="say how many rows: a whole number from 0 on", place="sample(n)")
        model, rng = self.model_, np.random.default_rng(seed)
        if not len(self.classes_):
            raise nothing_left(self)
        cells = rng.choice(len(self.classes_), size=n, p=np.exp(model.log_prior))
        holes = model.setting.missing == "informative"
        return as_table(model.schema, model.sample(cells, rng), n, holes), self.classes_[cells]

    @property
    def notes_(self) -> tuple[Note, ...]:
        """What a person should know about the columns: set aside, perhaps codes, empty, constant."""
        self = fitted_now(self)
        return notes(self.model_)
