"""Companions as pages of JSON and arrays, and back: values of a few known classes, field by field."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from likely.companions.judge import Gauge, Judge
from likely.errors import ModelError, StoreError
from likely.models.archive import VERSION, Reader, read_schema, schema_page, write_archive
from likely.models.classifier import Classifier
from likely.models.model import Model
from likely.models.store import model_page, read_model
from likely.numerics import Array
from likely.schema import DISCRETE, KINDS, SKIP, Column, Level, Schema

# name in the file -> the module that holds the class of that name
KNOWN: dict[str, str] = {
    "Bagged": "likely.companions.bagging",
    "Boosted": "likely.companions.boosting",
    "BoostedStumps": "likely.companions.boosting",
    "Design": "likely.companions.design",
    "Fitting": "likely.companions.linear",
    "Forest": "likely.companions.forest",
    "Gains": "likely.companions.trees.gains",
    "Linear": "likely.companions.linear",
    "Logistic": "likely.companions.logistic",
    "LogisticOptions": "likely.companions.logistic",
    "Path": "likely.companions.descent",
    "Scatter": "likely.statistics.scatter",
    "Shifted": "likely.companions.judge",
    "Tree": "likely.companions.trees.tree",
    "TreeGauge": "likely.companions.trees.judging",
    "TreeJudge": "likely.companions.trees.judging",
}


def write_companion(
    path: str | os.PathLike[str], model: Judge | Gauge, by_class: Model | None, face: Mapping[str, Any]
) -> None:
    """Write a companion, what its columns look like by class, and what its face needs; all of it or nothing."""
    arrays: dict[str, Array] = {}
    page = {"version": VERSION, "face": dict(face), "companion": _written(model, arrays)}
    if by_class is not None:
        page["by_class"] = model_page(by_class, arrays)
    write_archive(path, page, arrays)


def read_companion(page: Mapping[str, Any], read: Reader) -> tuple[Judge | Gauge, Model | None]:
    """The companion of a page and its arrays, and what its columns look like by class."""
    model = _read(page["companion"], read)
    by_class = read_model(page["by_class"], read) if "by_class" in page else None
    alike = by_class is None or (isinstance(by_class, Classifier) and _headed(by_class.schema) == _headed(model.schema))
    if not isinstance(model, Judge | Gauge) or not model.sound() or not alike:
        raise StoreError("F404", "its parts do not fit together", hint="save the model again")
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
    if is_dataclass(value) and type(value).__name__ in KNOWN:
        page = {field.name: _written(getattr(value, field.name), arrays) for field in fields(value)}
        return {"is": type(value).__name__, "of": page}
    if isinstance(value, tuple):
        return [_written(part, arrays) for part in value]
    if isinstance(value, float) and not np.isfinite(value):
        return {"number": str(value)}
    if value is None or isinstance(value, str | int | float | bool):
        return value
    name = type(value).__name__
    hint = "models made of other packages' estimators are kept by what they are made of: fit them again instead"
    raise ModelError("M371", f"a {name} cannot be written down", place="save(path)", hint=hint)


def _read(value: Any, read: Reader) -> Any:
    if isinstance(value, list):
        return tuple(_read(part, read) for part in value)
    if not isinstance(value, dict):
        return value
    if "schema" in value:
        schema = read_schema(value["schema"])
        if not all(map(_known, (*schema.columns, schema.target))):
            raise StoreError("F404", "its columns cannot be read", hint="save the model again")
        return schema
    if "array" in value:
        return read(value["array"])
    if "number" in value:
        return float(value["number"])
    kind = getattr(import_module(KNOWN[value["is"]]), value["is"])
    parts = {name: _read(part, read) for name, part in value["of"].items()}
    wanted = get_type_hints(kind)
    if not all(_fits(part, wanted[name]) for name, part in parts.items()):
        raise StoreError("F404", f"a {value['is']} is not made of such parts", hint="save the model again")
    return kind(**parts)


def _known(column: Column) -> bool:
    """Whether it is a column that rows can have."""
    named = isinstance(column.name, str) and column.kind in (*KINDS, *DISCRETE, SKIP)
    levels = len({*column.levels}) == len(column.levels) and all(isinstance(one, Level) for one in column.levels)
    cut = column.kind != "cut" or (_fits(column.cuts, tuple[float, ...]) and column.parts == len(column.cuts or ()) + 1)
    return named and levels and cut


def _fits(value: Any, wanted: Any) -> bool:
    """Whether a value is of the type that a field is declared to have; numbers of arrays in this machine's order.

    >>> _fits((1, 2), tuple[int, ...]), _fits(1, float | None), _fits(np.zeros(2, dtype=">f8"), Array)
    (True, True, False)
    """
    args = get_args(wanted)
    if get_origin(wanted) is np.ndarray:
        number = get_args(args[1])[0]
        known = isinstance(value, np.ndarray) and value.dtype.kind in "fiub" and value.dtype.isnative
        return known and (number is Any or value.dtype == number)
    if get_origin(wanted) is tuple:
        return isinstance(value, tuple) and all(_fits(part, args[0]) for part in value)
    if args:
        return any(_fits(value, one) for one in args)
    if isinstance(value, bool) or wanted is bool:
        return isinstance(value, bool) and wanted is bool
    return isinstance(value, int | float if wanted is float else wanted)
