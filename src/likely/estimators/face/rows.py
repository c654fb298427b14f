"""Rows of any origin as a source that an estimator can use: names, order and labels checked; and their answers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, TypeVar

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import _check_feature_names, _check_n_features

from likely.core.numerics import Array
from likely.core.reading import Reading
from likely.core.reading_union import unlike_readings
from likely.core.state import still
from likely.core.unusable_rows import no_rows, refuse_holes
from likely.data import ArrowSource, Labels, NumericTarget, Source, ask, column_names, open_source
from likely.data.files.column_numbers import are_numbered, are_without_target, opened_as_learnt
from likely.data.origin import is_elsewhere, take
from likely.data.readings.schema_readings import readings_of
from likely.data.weights import read_row_weights
from likely.errors import DataError, ModelError, SchemaError, SchemaWarning, listed, nearest, outside
from likely.errors.advice import Advice, InPython
from likely.estimators.face.arguments import check_labels, check_rows
from likely.models import Model
from likely.models.alignment import class_counts, column_with_unknown_level
from likely.models.notes import Note
from likely.statistics import Bundle

S = TypeVar("S", bound=Source)
T = TypeVar("T")


class UnfittedError(ModelError, NotFittedError):  # type: ignore[misc]
    """A model is asked before it has learnt anything (code M307)."""


class RowMethods:
    """How an estimator opens rows; what it has learnt is held in model_."""

    model_: Annotated[
        Any, "object", "What was learnt, an immutable value: all that a file brings back follows from it."
    ]
    n_features_in_: Annotated[int, "int", "How many columns `fit` saw."]
    feature_names_in_: Annotated[Array, "ndarray", "(columns,): their names, where they have any."]
    _dtype: Any

    @property
    def notes_(self) -> tuple[Note, ...]:
        """What a person should know about the columns and the model."""
        raise NotImplementedError

    def _refuse_unfitted(self) -> None:
        name = type(self).__name__
        if not hasattr(self, "model_"):
            raise UnfittedError("M307", f"this {name} is not fitted yet", place=name, hint="call fit(X, y) first")

    def _open(self, X: Any, y: Any, sample_weight: Any, *, reset: bool = False, every: bool = False) -> Source:
        """Rows with labels and weights beside them; rows of no weight are no rows, unless `every` one is wanted."""
        if y is None and hasattr(self, "model_") and (is_elsewhere(X) or isinstance(X, ArrowSource)):
            return self._located(X, self.model_.schema.target.name)
        X = check_rows(X, type(self).__name__)
        labels = self._read_target(y, X.shape[0])
        weights = read_row_weights(sample_weight, X.shape[0])
        self._check_columns(X, reset)
        if weights is not None and not (every or weights.all()):
            keep = np.flatnonzero(weights)
            y = y if hasattr(y, "shape") or hasattr(y, "take") else np.asarray(y)
            X, labels, weights = take(X, keep), self._read_target(take(y, keep), len(keep)), weights[keep]
        if reset:
            self._dtype = np.dtype(np.float64) if isinstance(labels, NumericTarget) else labels.dtype
        readings = readings_of(self.model_.schema) if hasattr(self, "model_") and not reset else None
        kinds = getattr(self, "kinds", None)
        return self._by_place(
            open_source(X, labels=labels, weights=weights, readings=readings, text="digits", kinds=kinds)
        )

    def _read_target(self, y: Any, rows: int) -> Labels | NumericTarget:
        """The target, one label a row."""
        return check_labels(y, type(self).__name__, rows)

    def _refuse_empty(self) -> None:
        if not len(self.model_.schema.classes):
            raise nothing_left(self)

    def _by_place(self, source: Source) -> Source:
        """Rows without names go by position to a model with names, and the reverse."""
        if hasattr(self, "model_") and isinstance(source, ArrowSource):
            schema = self.model_.schema
            if source.named != schema.named and len(source.names) == len(schema.origins):
                return source.renamed(schema.origins)
        return source

    def _rows(self, X: Any) -> Source:
        """Rows without labels, for a fitted model."""
        self._refuse_unfitted()
        self._refuse_empty()
        if is_elsewhere(X) or isinstance(X, ArrowSource):
            return self._located(X)
        X = self._without_target(check_rows(X, type(self).__name__))
        self._check_columns(X, reset=False)
        return self._strict(self._by_place(open_source(X, readings=readings_of(self.model_.schema))))

    def _strict(self, source: S) -> S:
        """The source of rows to be judged, which may refuse some."""
        return source

    def _located(self, X: Any, target: str | None = None) -> ArrowSource:
        """The columns of a file or relation that the model knows, in its order; those it sets aside may be absent."""
        self._refuse_empty()
        source = X if isinstance(X, ArrowSource) else opened_as_learnt(self.model_.schema, partial(_opened, X))
        if target is not None and source is not X:
            source = source.kept()  # rows to learn are asked more than once
        names = self.model_.schema.origins
        expected = [*names, *([] if target is None else [target])]
        if target is None:
            aside = {note.column for note in self.notes_ if note.code == "skipped"}
            expected = [name for name in names if name not in aside]
            known = {*source.columns}
            source = source.with_holes([name for name in sorted(aside) if name not in known])
            if are_without_target(source.columns, names):
                source = source.renamed(names)
        known = {*source.columns}  # a table may have a hundred thousand columns
        absent = [name for name in expected if name not in known]
        if absent:
            raise _absent_columns(absent, expected, source)
        weight = source.weight if target is not None else None
        columns = (*names, *(name for name in (target, weight) if name is not None))
        numeric = target is not None and self.model_.schema.target.kind == "real"
        return self._strict(replace(source, columns=columns, target=target, weight=weight, numeric=numeric))

    def _without_target(self, X: Any) -> Any:
        """A frame as it was when fitted: one that holds the target too, under its name, may be handed in whole."""
        target, names = self.model_.schema.target.name, column_names(X)
        mine = list(getattr(self, "feature_names_in_", ()))
        if target in names and mine and target not in mine and len(names) == len(mine) + 1:
            import narwhals as nw

            return nw.from_native(X, eager_only=True).drop(target).to_native()
        return X

    def _check_columns(self, X: Any, reset: bool) -> None:
        """Names and number of columns, as scikit-learn keeps them."""
        try:
            _check_feature_names(self, X, reset=reset)
            _check_n_features(self, X, reset=reset)
        except (ValueError, TypeError) as error:
            if reset:
                raise SchemaError(
                    "S212", str(error), place="columns", hint="name all columns with text, or none"
                ) from None
            odd = next(
                (name for name in column_names(X) if name not in list(getattr(self, "feature_names_in_", ()))), None
            )
            near = nearest(odd, getattr(self, "feature_names_in_", ())) if odd else ""
            hint = f"give the columns that the model was fitted on, in the same order.{near}"
            raise SchemaError("S210", str(error), place="columns of X", hint=hint) from None


def _opened(rows: Any, readings: Mapping[str, Reading]) -> ArrowSource:
    source = open_source(rows, readings=readings)
    assert isinstance(source, ArrowSource), "what has a place has columns of Arrow"
    return source


def fitted_now(model: T) -> T:
    """An estimator as it is now, whatever other threads teach it meanwhile; an error if it has learnt nothing."""
    twin = still(model)
    twin._refuse_unfitted()  # type: ignore[attr-defined]
    return twin


def refuse_merge(model: Any, other: Any, held: str = "model_") -> None:
    """An error unless the other is a fitted estimator of the same class."""
    if type(other) is not type(model) or not hasattr(other, held):
        what, hint = f"cannot merge with {type(other).__name__}", f"give a fitted {type(model).__name__}"
        raise ModelError("M305", what, place="merge(other)", hint=hint)


def warn_of_unlike_readings(model: Any, other: Any) -> None:
    """Tell of columns that two models to be merged read so differently that one reading cannot do for both."""
    mine, theirs = model.model_.schema, other.model_.schema
    if [column.name for column in mine.columns] == [column.name for column in theirs.columns]:
        for line in unlike_readings(mine, theirs):
            warnings.warn(line, SchemaWarning, stacklevel=outside())


def nothing_left(model: Any) -> ModelError:
    return ModelError("M306", "the model has no rows left", place=type(model).__name__, hint="fit it again")


def answers(source: Source, model: Model, missing: str) -> Bundle:
    """What the rows answer to a model's questions, under its schema."""
    schema = model.schema
    bundle = ask(source, schema, model.questions, refuse_holes if missing == "error" else None)
    if not class_counts(bundle, schema).any():
        raise no_rows("the rows")
    column = column_with_unknown_level(bundle, schema)
    if column is not None:
        what = f"a value that is not among the declared levels {', '.join(map(repr, column.levels[:6]))}"
        hint = "declare the level too, or mark such values as missing"
        raise DataError("D114", what, place=f"column {column.name!r}", hint=hint)
    return bundle


def _absent_columns(absent: Sequence[str], expected: Sequence[str], source: ArrowSource) -> SchemaError:
    """The refusal of a table without columns that the model needs; those that it sets aside are not among them."""
    one = len(absent) == 1
    what = f"there is no column {absent[0]!r}" if one else f"there are no columns {listed(absent)}"
    told = f"the model expects {listed(expected)}; the columns are {listed(source.columns)}."
    told += next((close for name in absent if (close := nearest(name, source.columns))), "")
    numbered = are_numbered(expected)
    told += " The model was fitted on a file without names" if numbered else ""
    hint = Advice(told, InPython("", ": say --no-header" if numbered else ""))
    return SchemaError("S211", what, place=source.place, hint=hint)
