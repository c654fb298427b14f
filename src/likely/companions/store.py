"""Companions as pages of JSON and arrays, and back: values of a few known classes, field by field."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import numpy as np

from likely.companions.fitted import ClassModel, RegressionModel
from likely.core.numerics import Array
from likely.core.schema import Schema
from likely.errors import ModelError
from likely.models.files.archive import Reader, read_schema, schema_page, write_archive
from likely.models.files.field_types import checked_value, damaged
from likely.models.files.store import model_page, read_model
from likely.models.model import Model
from likely.models.naive import NaiveModel

# name in the file, which stays as it is -> the class, with its module
CLASSES_IN_FILES: dict[str, str] = {
    "Bagged": "likely.companions.ensembles.bagging.Bagged",
    "Boosted": "likely.companions.ensembles.boosting.Boosted",
    "BoostedStumps": "likely.companions.ensembles.boosting.BoostedStumps",
    "Design": "likely.companions.regression.design.Design",
    "Fitting": "likely.companions.regression.options.Fitting",
    "Forest": "likely.companions.ensembles.forest.Forest",
    "Gains": "likely.companions.trees.gains.Gains",
    "Linear": "likely.companions.regression.linear.Linear",
    "Logistic": "likely.companions.regression.logistic.Logistic",
    "LogisticOptions": "likely.companions.regression.options.LogisticOptions",
    "Path": "likely.companions.regression.gradient_descent.Path",
    "Scatter": "likely.statistics.scatter.Scatter",
    "Shifted": "likely.companions.fitted.Shifted",
    "Tree": "likely.companions.trees.tree.Tree",
    "TreeGauge": "likely.companions.trees.predictions.TreeRegressionModel",
    "TreeJudge": "likely.companions.trees.predictions.TreeClassModel",
}
COMPANION_VERSION = 3  # of files: what companions have been written in from the first
_NAMES_IN_FILES = {place: name for name, place in CLASSES_IN_FILES.items()}


def write_companion(
    path: str | os.PathLike[str], model: ClassModel | RegressionModel, by_class: Model | None, face: Mapping[str, Any]
) -> None:
    """Write a companion, what its columns look like by class, and what its face needs; all of it or nothing."""
    arrays: dict[str, Array] = {}
    page = {"version": COMPANION_VERSION, "face": dict(face), "companion": _written(model, arrays)}
    if by_class is not None:
        page["by_class"] = model_page(by_class, arrays)
    write_archive(path, page, arrays)


def read_companion(page: Mapping[str, Any], read: Reader) -> tuple[ClassModel | RegressionModel, Model | None]:
    """The companion of a page and its arrays, and what its columns look like by class."""
    model = _read(page["companion"], read)
    by_class = read_model(page["by_class"], read) if "by_class" in page else None
    alike = by_class is None or (isinstance(by_class, NaiveModel) and _headed(by_class.schema) == _headed(model.schema))
    if not isinstance(model, ClassModel | RegressionModel) or not model.sound() or not alike:
        raise damaged("its parts do not fit together")
    return model, by_class


def _headed(schema: Schema) -> tuple[Any, ...]:
    return tuple(column.name for column in schema.columns), tuple(schema.classes)


def _written(value: Any, arrays: dict[str, Array]) -> Any:
    """A value as JSON; arrays are laid aside under a name."""
    if isinstance(value, Schema):
        return {"schema": schema_page(value)}
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        key = f"{len(arrays)}.npy"
        arrays[key] = value
        return {"array": key}
    if is_dataclass(value) and (name := _NAMES_IN_FILES.get(f"{type(value).__module__}.{type(value).__name__}")):
        page = {field.name: _written(getattr(value, field.name), arrays) for field in fields(value)}
        return {"is": name, "of": page}
    if isinstance(value, tuple):
        return [_written(part, arrays) for part in value]
    if isinstance(value, float) and not np.isfinite(value):
        return {"number": str(value)}
    if value is None or isinstance(value, str | int | float | bool):
        return value
    what = type(value).__name__
    hint = "models made of other packages' estimators are not saved to files: fit them again instead"
    raise ModelError("M371", f"a {what} cannot be written down", place="save(path)", hint=hint)


def _read(value: Any, read: Reader) -> Any:
    if isinstance(value, list):
        return tuple(_read(part, read) for part in value)
    if not isinstance(value, dict):
        return value
    if "schema" in value:
        schema = read_schema(value["schema"])
        if any(column.wide for column in schema.columns):
            raise damaged("its columns are words, which no companion reads")
        return schema
    if "array" in value:
        return read(value["array"])
    if "number" in value:
        return float(value["number"])
    module, _, name = CLASSES_IN_FILES[value["is"]].rpartition(".")
    kind = getattr(import_module(module), name)
    parts = {name: _read(part, read) for name, part in value["of"].items()}
    return checked_value(kind, parts)
