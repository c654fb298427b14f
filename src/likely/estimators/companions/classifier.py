"""The scikit-learn face of the companions, and of those among them that tell classes apart."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Annotated, Any, Self

import numpy as np
from numpy.random import RandomState
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from likely.companions.fitted import ClassModel
from likely.core.schema import Schema
from likely.data import Source
from likely.errors import SchemaWarning, outside
from likely.errors.advice import joined
from likely.estimators.companions.table_in_memory import TableInMemory, hold, refusing_holes, schema_notes, survey
from likely.estimators.face.fitted_model import FittedModel
from likely.estimators.face.options import check_options
from likely.estimators.face.predictions import PredictionMethods
from likely.estimators.face.rows import S, fitted_now
from likely.models import NaiveModel
from likely.models.notes import Note
from likely.models.priors import log_prior, read_class_weight, read_priors


class Companion(FittedModel, ABC):
    """Methods that every companion has, of classifiers and of regression."""

    missing: str

    @abstractmethod
    def _learn_first(self, source: Source, classes: tuple[Any, ...] = ()) -> Self:
        """Learn from rows of any origin."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and what is to be predicted of each; a failed fit leaves the old model.

        Examples
        --------
        >>> import likely
        >>> likely.DecisionTree().fit([["a"], ["b"]], ["no", "yes"]).predict([["b"]]).tolist()
        ['yes']
        """
        fresh = clone(self)
        for name, value in self.get_params(deep=False).items():  # type: ignore[attr-defined]
            if isinstance(value, RandomState):  # goes on from one fit to the next, as scikit-learn has it
                setattr(fresh, name, value)
        return self._become(fresh._learn_first(fresh._open(X, y, sample_weight, reset=True)))

    def _strict(self, source: S) -> S:
        return refusing_holes(source) if self.missing == "error" else source

    @property
    def notes_(self) -> tuple[Note, ...]:
        """What a person should know about the columns, and about how the model was learnt."""
        self = fitted_now(self)
        return schema_notes(self.model_.schema, self.model_.remarks())


class CompanionClassifier(Companion, PredictionMethods, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Methods that every companion classifier has."""

    model_: ClassModel
    by_class_: Annotated[NaiveModel, "NaiveModel", "What each column looks like in each class."]

    @abstractmethod
    def _learn(self, rows: TableInMemory) -> ClassModel:
        """What the rows teach."""

    def _learn_first(self, source: Source, classes: tuple[Any, ...] = ()) -> Self:
        check_options(self)
        seen = survey(source, self.kinds, self.missing, classes)
        warn_aside(seen.schema)
        self.by_class_ = seen
        return self._hold(self._learn(weighted(hold(source, seen), getattr(self, "class_weight", None))))

    def with_priors(self, priors: Any) -> Self:
        """A new model under other class priors, such as {'ill': 0.01, 'well': 0.99}.

        Right where the rows within each class stay what they were, and only the shares of the classes change. None:
        the shares of the rows, whatever the class weights.

        Examples
        --------
        >>> import likely
        >>> hours, passed = [[0.5], [1.0], [1.5], [2.0]], ["no", "yes", "no", "yes"]
        >>> model = likely.LogisticRegression().fit(hours, passed)
        >>> model.with_priors({"no": 0.9, "yes": 0.1}).predict([[2.0]]).tolist()
        ['no']
        """
        self = fitted_now(self)
        classes = self.model_.schema.classes
        said = log_prior(read_priors(priors, "mle", classes), self.by_class_.rows, classes, 0.0)
        return self._copy(self.model_.under(said))


def weighted(table: TableInMemory, class_weight: Any) -> TableInMemory:
    """The rows, the weight of each times that of its class."""
    if class_weight is None:
        return table
    classes, block, rows = table.schema.classes, table.block, table.rows
    said = read_class_weight(class_weight, classes)
    balanced = rows.sum() / (max(np.count_nonzero(rows), 1) * np.where(rows > 0, rows, 1.0))
    each = balanced if said is None else np.array([dict(said).get(level, 1.0) for level in classes])
    assert block.cells is not None, "rows to learn have classes"
    weights = each[block.cells] * (1.0 if block.weights is None else block.weights)
    return replace(table, block=replace(block, weights=weights), rows=rows * each)


def warn_aside(schema: Schema) -> None:
    """Say which columns are set aside."""
    told = [note.text for note in schema_notes(schema, ()) if note.code == "skipped"]
    if told:
        warnings.warn(joined(told, "\n"), SchemaWarning, stacklevel=outside())
