"""Companions as pages of JSON and arrays, and back: values of a few known classes, field by field."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass, replace
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
from likely.models.pool import Mixing, PoolModel, Trial

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
POOL_VERSION = 6
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


def write_pool(path: str | os.PathLike[str], model: PoolModel, face: Mapping[str, Any]) -> None:
    """Write a pool: its own statistics, its members one by one, how they are weighed and what was seen of them."""
    arrays: dict[str, Array] = {}
    members = [
        model_page(one, arrays) if isinstance(one, Model) else {"companion": _written(one, arrays)}
        for one in model.members
    ]
    pool = {
        "members": members,
        "names": list(model.names),
        "mixing": asdict(model.mixing),
        "trials": [asdict(replace(one, seconds=None)) for one in model.trials],
        "story": list(model.story),
    }
    page = {"version": POOL_VERSION, "face": dict(face), **model_page(model.alone, arrays), "pool": pool}
    write_archive(path, page, arrays)


def read_pool(page: Mapping[str, Any], read: Reader) -> PoolModel:
    """The pool of a page and its arrays."""
    alone, told = read_model(page, read), page["pool"]
    if not isinstance(alone, NaiveModel):
        raise damaged("its statistics are not those of a pool")
    members = tuple(
        _read(one["companion"], read) if "companion" in one else read_model(one, read) for one in told["members"]
    )
    mixing = checked_value(Mixing, {name: _tuples(part) for name, part in told["mixing"].items()})
    trials = tuple(checked_value(Trial, one) for one in told["trials"])
    parts = {"members": members, "names": _tuples(told["names"]), "mixing": mixing, "trials": trials}
    own = {"schema": alone.schema, "setting": alone.setting, "priors": alone.priors, "bundle": alone.bundle}
    model = checked_value(PoolModel, {**own, **parts, "story": _tuples(told["story"])})
    companions = (one for one in members if not isinstance(one, Model))
    if not model.sound() or not all(isinstance(one, ClassModel) and one.sound() for one in companions):
        raise damaged("its parts do not fit together")
    return model


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


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
