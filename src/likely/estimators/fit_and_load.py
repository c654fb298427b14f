"""Fit any source, and load what was saved."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone, is_regressor

from likely.companions.fitted import Shifted
from likely.companions.store import read_companion, read_pool
from likely.core.docstrings import describe
from likely.data import ArrowSource, open_source
from likely.data.files.column_numbers import column_said
from likely.data.origin import is_path
from likely.data.targets.label_rows import labelled
from likely.data.targets.labels import one_class
from likely.errors import OptionError, SchemaError, SchemaWarning, StoreError, outside
from likely.errors.options import choose
from likely.estimators.bayes.naive import NaiveBayes
from likely.estimators.face.stored_options import read_params
from likely.estimators.registry import ESTIMATORS, PRESETS, estimator, make
from likely.families.multivariate import Multivariate
from likely.families.windows import Windows
from likely.models.files.archive import Reader, read_archive
from likely.models.files.field_types import damaged
from likely.models.files.store import read_model
from likely.models.pool import PoolModel

DENSITY_OF_ESTIMATOR: dict[str, type[Any]] = {
    "GaussianBayes": Multivariate,
    "LinearDiscriminant": Multivariate,
    "ParzenBayes": Windows,
}
TEXT_DTYPES = {"U": "U1", "T": "U1"}  # words are as long as they are
ENGINES = ("auto",)


@describe
def fit(
    source: Any,
    target: str | int,
    model: Any = None,
    engine: str = "auto",
    weight: str | None = None,
    header: bool = True,
    strict: bool = False,
    missing_marks: Sequence[str] = (),
    like: Any = None,
) -> Any:
    """A fitted copy of `model` (NaiveBayes if None) from any source that holds its target in a column.

    `model` is an estimator, or the name of one as the command line knows it: "tan", "network", "linear". `source` is a
    path or pattern (CSV, TSV, Excel, Parquet, ARFF, JSON lines), a data frame, or a DuckDB relation; Bayes classifiers
    and LinearRegression stream files and relations in blocks, which may be larger than memory, and the other companions
    hold all rows. `weight` names a column of weights. Without `header`, the first line of a text file or sheet is a
    row: its columns are called c1, c2 and so on. Of a file, a column may be said by its number too, from 1, as in
    `fit("adult.data", 15, header=False)`. Rows without a label are left out with a warning; `strict` refuses them.
    `missing_marks` stand for missing values, beside those that are known. `like` is a fitted model in place of `model`:
    its class, options, kinds, cut points and structure are taken over, so that both can be merged.

    >>> import likely
    >>> import pandas
    >>> rows = pandas.DataFrame({"sky": ["sun", "sun", "rain", "rain"], "place": ["out", "out", "in", "in"]})
    >>> likely.fit(rows, "place").predict(rows[["sky"]][:1]).tolist()
    ['out']
    """
    choose(engine, ENGINES, "engine", "O117")
    if target is None:
        raise OptionError("O120", "there is no target", place="target=", hint="name the column to predict")
    if like is not None:
        if model is not None or not hasattr(like, "_learn_like") or not hasattr(like, "model_"):
            what = "a model is said, too" if model is not None else f"{type(like).__name__} is no model that merges"
            hint = "give a fitted Bayes classifier or LinearRegression, and no model beside it"
            raise OptionError("O580", what, place="like=", hint=hint)
        model = like
    if isinstance(model, type):
        raise OptionError("O123", f"{model.__name__} is a class", place="model=", hint=f"say model={model.__name__}()")
    located = str(target) if is_path(source) else None
    if isinstance(source, ArrowSource):
        table = source
    else:
        kinds = getattr(model, "kinds", None)
        named = {*([] if weight is None else [str(weight)]), *(kinds if isinstance(kinds, Mapping) else ())}
        table = columns_of(source, str(target), header, missing_marks, named, kinds).kept()
    if located is not None:
        target = column_said(located, table.columns)
        weight = None if weight is None else column_said(str(weight), table.columns)
    left = None
    if not strict and str(target) in table.columns:
        table, left = labelled(table, str(target))
    if isinstance(model, str):
        model = make(model, {}, replace(table.weighed(weight), target=str(target)))
    fitted = clone(NaiveBayes() if model is None else model)
    numeric = is_regressor(fitted)
    rows = replace(table.weighed(weight), target=str(target), numeric=numeric)
    if like is None:
        fitted._learn_first(rows)
    else:
        fitted._learn_like(like, rows)
    if left is not None and left.left:
        warnings.warn(left.words[0], SchemaWarning, stacklevel=outside())
    if not numeric and len(fitted.classes_) < 2:
        raise one_class(fitted.classes_.tolist(), f"{table.place}, target {str(target)!r}")
    fitted._dtype = np.dtype(np.float64) if numeric else fitted.classes_.dtype
    fitted.n_features_in_ = fitted.model_.schema.inputs
    fitted.feature_names_in_ = np.array(rows.names, dtype=object)
    return fitted


def columns_of(
    source: Any,
    target: str | None = None,
    header: bool = True,
    missing_marks: Sequence[str] = (),
    named: Collection[str] = (),
    kinds: object = None,
) -> ArrowSource:
    """The source of a file, frame or relation: whatever has columns with names."""
    marks = [missing_marks] if isinstance(missing_marks, str) else [str(mark) for mark in missing_marks]
    given = isinstance(source, ArrowSource)
    rows = source if given else open_source(source, target, header=header, marks=marks, named=named, kinds=kinds)
    if not (isinstance(rows, ArrowSource) and rows.named):
        hint = "give the target beside the array: likely.NaiveBayes().fit(X, y)"
        raise SchemaError("S214", "an array has no column names", place="source", hint=hint)
    return rows


@describe
def load(path: str | os.PathLike[str]) -> Any:
    """The model that `save` wrote, recalibrated if it was; nothing in the file can run.

    >>> import tempfile
    >>> from pathlib import Path
    >>> import likely
    >>> model = likely.NaiveBayes().fit([["sun"], ["rain"]], ["out", "in"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(Path(folder, "m.likely"))
    ...     again = likely.load(Path(folder, "m.likely"))
    ...
    >>> again.predict([["sun"]]).tolist()
    ['out']
    """
    return read_archive(path, _read)


def _read(page: Mapping[str, Any], read: Reader) -> Any:
    """The estimator that a page and its arrays say."""
    model: Any
    by_class = None
    if "companion" in page:
        model, by_class = read_companion(page, read)
    else:
        model = read_pool(page, read) if "pool" in page else read_model(page, read)
    face = page["face"]
    name = str(face["estimator"])
    if name not in ESTIMATORS:
        raise StoreError("F406", f"no such model here: {face['estimator']!r}", hint="upgrade likely")
    held = model.judge if isinstance(model, Shifted) else model
    if isinstance(model, PoolModel) and not all(map(_is_named, model.names, model.members)):
        raise damaged("the members of its pool are not what they are called")
    dense = isinstance(getattr(held, "density", None), DENSITY_OF_ESTIMATOR.get(name, object))
    if ESTIMATORS[name].model not in {kind.__name__ for kind in type(held).__mro__} or not dense:
        raise damaged(f"{name} does not hold such a model")
    names = face["names"]
    if names and names != [*model.schema.origins]:
        raise damaged("its columns have other names than its model says")
    found = estimator(name)(**read_params(face["params"]))
    found._dtype = np.dtype(TEXT_DTYPES.get(face["dtype"], face["dtype"]))
    found.n_features_in_ = model.schema.inputs
    if names:
        found.feature_names_in_ = np.array(names, dtype=object)
    if by_class is not None:
        found.by_class_ = by_class
    if "image_shape" in face:
        found.image_shape_ = _image_shape(face["image_shape"], found.n_features_in_)
    found._hold(model)
    if "recalibration" not in face:
        return found
    from likely.evaluation.recalibration.recalibrated_model import Recalibrated  # late: most models need none of it

    return Recalibrated.from_dict(found, face["recalibration"])


def _is_named(name: str, member: Any) -> bool:
    """Whether a member of a pool is of the class that its name stands for."""
    preset = PRESETS.get(name)
    kinds = {kind.__name__ for kind in type(member).__mro__}
    return preset is not None and ESTIMATORS[preset.estimator].model in kinds - {"PoolModel"}


def _image_shape(told: Any, pixels: int) -> tuple[int, int]:
    """(height, width) of the images that taught the model, whose columns are their pixels."""
    sides = tuple(told) if isinstance(told, list) else ()
    if len(sides) != 2 or not all(type(side) is int and side > 0 for side in sides) or sides[0] * sides[1] != pixels:
        raise damaged(f"its images have not the {pixels} pixels of its columns")
    return sides
