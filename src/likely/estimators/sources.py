"""Fit any source, and load what was saved."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from likely.engines import ArrowSource, open_source
from likely.errors import OptionError, SchemaError, StoreError, nearest
from likely.estimators.averages import AODE, SPODE, AnDE
from likely.estimators.directed import KDB, TAN
from likely.estimators.discriminant import LinearDiscriminant
from likely.estimators.gaussian import GaussianBayes
from likely.estimators.generative import GenerativeClassifier
from likely.estimators.naive import NaiveBayes
from likely.estimators.network import NetworkClassifier
from likely.estimators.params import read_params
from likely.estimators.windows import ParzenBayes
from likely.models.store import read_model

ESTIMATORS: dict[str, type[GenerativeClassifier]] = {
    kind.__name__: kind
    for kind in (
        NaiveBayes,
        SPODE,
        TAN,
        KDB,
        AODE,
        AnDE,
        NetworkClassifier,
        GaussianBayes,
        LinearDiscriminant,
        ParzenBayes,
    )
}
ENGINES = ("auto",)


def fit(source: Any, target: str, model: Any = None, engine: str = "auto", weight: str | None = None) -> Any:
    """A fitted copy of `model` (NaiveBayes if None) from any source that holds its target in a column.

    `model` is a classifier, or the name of one as the command line knows it: "tan", "network". `source` is a path or
    pattern (CSV, TSV, Parquet, ARFF, JSON lines), a data frame, or a DuckDB relation; files and relations are streamed
    in blocks and may be larger than memory. `weight` names a column of weights.
    """
    if engine not in ENGINES:
        hint = f"choose {', '.join(map(repr, ENGINES))}.{nearest(engine, ENGINES)}"
        raise OptionError("O117", f"unknown engine {engine!r}", place="engine=", hint=hint)
    if target is None:
        raise OptionError("O120", "there is no target", place="target=", hint="name the column to predict")
    if isinstance(model, type):
        raise OptionError("O119", f"{model.__name__} is a class", place="model=", hint=f"say model={model.__name__}()")
    if isinstance(model, str):
        from likely.estimators.catalogue import make  # late: most callers hand in a model

        model = make(model, {})
    fitted = clone(NaiveBayes() if model is None else model)
    rows = replace(columns_of(source), target=str(target), weight=weight)
    fitted._learn_first(rows)
    fitted._dtype = fitted.classes_.dtype
    fitted.n_features_in_ = fitted.model_.schema.features
    fitted.feature_names_in_ = np.array(rows.names, dtype=object)
    return fitted


def columns_of(source: Any) -> ArrowSource:
    """The source of a file, frame or relation: whatever has columns with names."""
    rows = source if isinstance(source, ArrowSource) else open_source(source)
    if not (isinstance(rows, ArrowSource) and rows.named):
        hint = "give the target beside the array: likely.NaiveBayes().fit(X, y)"
        raise SchemaError("S207", "an array has no column names", place="source", hint=hint)
    return rows


def load(path: str | os.PathLike[str]) -> Any:
    """The classifier that `save` wrote, recalibrated if it was; nothing in the file can run."""
    model, face = read_model(path)
    kind = ESTIMATORS.get(face.get("estimator", ""))
    if kind is None:
        raise StoreError(
            "F406", f"no such model here: {face.get('estimator')!r}", place=os.fspath(path), hint="upgrade likely"
        )
    try:
        found = kind(**read_params(face["params"]))
        found._dtype = np.dtype({"U": "U1", "T": "U1"}.get(face["dtype"], face["dtype"]))
    except (TypeError, KeyError, ValueError):
        raise StoreError(
            "F404", "its options cannot be read", place=os.fspath(path), hint="save the model again"
        ) from None
    found.n_features_in_ = model.schema.features
    if face["names"]:
        found.feature_names_in_ = np.array(face["names"], dtype=object)
    found._hold(model)
    if "recalibration" not in face:
        return found
    from likely.evaluation.recalibration import Recalibrated  # late: most models need none of it

    try:
        return Recalibrated.from_dict(found, face["recalibration"])
    except (TypeError, KeyError, ValueError, AttributeError):
        message = "its recalibration cannot be read"
        raise StoreError("F404", message, place=os.fspath(path), hint="save the model again") from None
