"""What every estimator does with the model that it holds: swap it, copy it, tell of it, save it to a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from likely.companions.fitted import ClassModel, RegressionModel
from likely.companions.store import write_companion, write_pool
from likely.core.cache import turn
from likely.core.schema import Column, Schema
from likely.core.schema_union import as_described
from likely.core.state import still, swap
from likely.estimators.face.rows import RowMethods, fitted_now
from likely.estimators.face.stored_options import write_params
from likely.estimators.face.summary import in_html, in_lines
from likely.models.files.store import write_model
from likely.models.pool import PoolModel
from likely.output.draw import draw


class FittedModel(RowMethods):
    """`model_` is what was learnt; all that a file brings back follows from it."""

    kinds: Any

    def _hold(self, model: Any, **more: Any) -> Self:
        """The same estimator with this model, and what else follows from it."""
        return swap(self, {**more, "model_": model})

    def _become(self, fresh: Self) -> Self:
        """What a fresh copy has learnt: only a fit that succeeded changes anything."""
        learnt = {name: value for name, value in vars(fresh).items() if _is_learnt(name)}
        with turn(id(self)):
            return swap(self, learnt, _is_learnt)

    def _copy(self, model: Any, **params: Any) -> Self:
        twin = clone(self).set_params(**params)
        for name in ("n_features_in_", "feature_names_in_", "_dtype", "by_class_", "image_shape_"):
            if hasattr(self, name):
                setattr(twin, name, getattr(self, name))
        return twin._hold(model)  # type: ignore[no-any-return]

    def _kinds_so_far(self) -> Any:
        """What the user said, else what the model found; a column that was binary by chance may still widen."""
        if not isinstance(self.kinds, Mapping) and not (isinstance(self.kinds, str) and self.kinds == "auto"):
            smooth = {
                column.name: column.form for column in self.model_.schema.columns if column.described and column.form
            }
            rest = (column.name for column in self.model_.schema.columns if column.name not in smooth)
            return {**smooth, **dict.fromkeys(rest, self.kinds)} if smooth else self.kinds
        columns = self.model_.schema.columns
        if columns and columns[0].wide:
            return columns[0].form
        said = dict(self.kinds) if isinstance(self.kinds, Mapping) else {}
        for at, column in enumerate(columns):
            if column.name not in said and at not in said and not column.open:
                said[column.name] = self._kind_found(column)
        return said

    def _kind_found(self, column: Column) -> Any:
        """The kind of a column in words that a user could say."""
        return column.form or column.kind

    def _like_mine(self, schema: Schema) -> Schema:
        """A part's schema, in which only what the user said is fixed, and numbers are described as they were."""
        pairs = zip(schema.columns, self.model_.schema.columns, strict=True)
        return replace(schema, columns=tuple(_like(new, old) for new, old in pairs))

    def save(self, path: str | os.PathLike[str], recalibration: Mapping[str, Any] | None = None) -> None:
        """Write the model to a file (a zip of JSON and arrays), replacing an old one only when complete.

        `recalibration` is what `likely.evaluation.recalibrate` found, and comes back with the model.

        Examples
        --------
        >>> import likely, tempfile
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(f"{folder}/some.likely")
        ...     twin = likely.load(f"{folder}/some.likely")
        >>> twin.predict([[1.2]]).tolist()
        ['a']
        """
        self = fitted_now(self)
        dtype = np.dtype(self._dtype)
        params = self.get_params(deep=False)  # type: ignore[attr-defined]
        if params.get("descriptions") == "auto":  # which older versions do not know, and do not need to
            del params["descriptions"]
        face = {
            "estimator": type(self).__name__,
            "dtype": dtype.name if dtype.kind in "fiub" else dtype.kind,
            "params": write_params(params),
            "names": [str(name) for name in getattr(self, "feature_names_in_", [])],
            **({"image_shape": list(self.image_shape_)} if hasattr(self, "image_shape_") else {}),
            **({} if recalibration is None else {"recalibration": dict(recalibration)}),
        }
        if isinstance(self.model_, ClassModel | RegressionModel):
            write_companion(path, self.model_, getattr(self, "by_class_", None), face)
        elif isinstance(self.model_, PoolModel):
            write_pool(path, self.model_, face)
        else:
            write_model(path, self.model_, face)

    def plot(self, X: Any = None, y: Any = None, **options: Any) -> Any:
        """A matplotlib figure of the model: likely.plots.fitted_model.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> model.plot().axes[0].get_title()
        'Points for b against a'
        """
        return draw("fitted_model", fitted_now(self), X, y, **options)

    def feature_importance(self, X: Any, y: Any, **options: Any) -> Any:
        """By how much the loss of these rows rises where a column is shuffled: likely.evaluation.feature_importance.

        Examples
        --------
        >>> import likely
        >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> likely.NaiveBayes().fit(X, y).feature_importance(X, y).names
        ('x0', 'x1')
        """
        return import_module("likely.evaluation").feature_importance(fitted_now(self), X, y, **options)

    def report(self, X: Any, y: Any, **options: Any) -> Any:
        """One page about the model and these rows, to save as HTML: likely.report.report_model.

        Examples
        --------
        >>> import likely
        >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> likely.NaiveBayes().fit(X, y).report(X, y)
        report of NaiveBayes for 'y': 20 rows, accuracy 1.000, log loss ...
        """
        return import_module("likely.report").report_model(fitted_now(self), X, y, **options)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = getattr(self, "missing", "") != "error"
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        self = still(self)
        head = str(super().__repr__(N_CHAR_MAX))  # type: ignore[call-arg]
        return "\n".join([head, *in_lines(self.model_, self.notes_)]) if hasattr(self, "model_") else head

    def _repr_html_inner(self) -> str:
        self = still(self)
        if not hasattr(self, "model_"):
            return str(super()._repr_html_inner())  # type: ignore[misc]
        return in_html(type(self).__name__, self.model_, self.notes_)


def _is_learnt(name: str) -> bool:
    """Whether an attribute is what rows taught, as scikit-learn names it; it keeps others there for its own use."""
    return name.endswith("_") or name == "_dtype"


def _like(new: Column, old: Column) -> Column:
    """A part's column, named, fixed and described as the one before."""
    same = replace(new, fixed=old.fixed, name=old.name)
    return replace(as_described(same, old), kind="real") if old.described else same
