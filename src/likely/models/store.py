"""Generative models as pages of JSON and arrays, and back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from likely.errors import StoreError
from likely.families.multivariate import Multivariate
from likely.families.predictor import Setting
from likely.families.windows import Windows
from likely.models.archive import Reader, read_schema, schema_page, write_archive
from likely.models.average import Average
from likely.models.classifier import Classifier
from likely.models.directed import Directed
from likely.models.joint import Joint
from likely.models.model import Model
from likely.models.networked import Networked
from likely.models.side_by_side import SideBySide
from likely.numerics import Array
from likely.schema import DISCRETE, NUMERIC, Schema
from likely.statistics import STATISTICS, Bundle, Points, Question, Statistic, triple_starts

FIRST, SECOND = 1, 2  # what naive Bayes has been written in from the first, and what other models need
MODELS: dict[str, type[Model]] = {
    "naive": Classifier,
    "average": Average,
    "directed": Directed,
    "network": Networked,
    "joint": Joint,
}
DENSITIES: dict[str, type[Multivariate] | type[Windows]] = {"multivariate": Multivariate, "windows": Windows}


def write_model(path: str | os.PathLike[str], model: Model, face: Mapping[str, Any]) -> None:
    """Write a model and what its face needs; the old file stays until the new one is complete."""
    arrays: dict[str, Array] = {}
    version = FIRST if type(model) is Classifier else SECOND
    write_archive(path, {"version": version, "face": dict(face), **model_page(model, arrays)}, arrays)


def model_page(model: Model, arrays: dict[str, Array]) -> dict[str, Any]:
    """A model as JSON; its arrays are laid aside under names."""
    answers = []
    for question, answer in model.bundle.items():
        names = {}
        for name, array in answer.arrays().items():
            names[name] = f"{len(arrays)}.npy"
            arrays[names[name]] = array
        asked = {"of": question.of, "columns": list(question.columns), "by": list(question.by)}
        answers.append({**asked, "arrays": names})
    return {
        "schema": schema_page(model.schema),
        "setting": asdict(model.setting),
        "priors": model.priors if isinstance(model.priors, str) else [list(pair) for pair in model.priors],
        "answers": answers,
        "model": next(name for name, kind in MODELS.items() if type(model) is kind),
        "structure": {name: _structure_page(getattr(model, name)) for name in _structural(type(model))},
    }


def read_model(page: Mapping[str, Any], read: Reader) -> Model:
    """The model of a page and its arrays."""
    schema = read_schema(page["schema"])
    answers = {}
    for entry in page["answers"]:
        arrays = {name: read(key) for name, key in entry["arrays"].items()}
        answers[Question(entry["of"], tuple(entry["columns"]), tuple(entry.get("by", ())))] = STATISTICS[entry["of"]](
            **arrays
        )
    priors = (
        page["priors"] if isinstance(page["priors"], str) else tuple((level, value) for level, value in page["priors"])
    )
    kind = MODELS[page.get("model", "naive")]
    structure = {name: _read_structure(page["structure"][name]) for name in _structural(kind)}
    model = kind(schema, Setting(**page["setting"]), priors, Bundle(answers), **structure)
    if (
        not sound(model)
        or set(model.questions) != set(answers)
        or not all(_fits(q, answer, schema) for q, answer in answers.items())
    ):
        raise StoreError("F404", "its statistics do not fit its columns", hint="save the model again")
    return model


def sound(model: Model) -> bool:
    """Whether a structure points at columns that can be parents, and runs in no circle."""
    columns = model.schema.columns
    if isinstance(model, SideBySide):
        return True
    assert isinstance(model, Average | Directed)
    able = {at for at in model.nodes if 0 <= at < len(columns) and columns[at].parts > 0}
    if len(able) != len(model.nodes) or not set(model.schema.of(*DISCRETE)) <= able:
        return False
    if isinstance(model, Average):
        sets = {*model.sets, *model.members}
        weighed = len(model.weights) == len(model.members) > 0 and all(0 <= weight <= 1 for weight in model.weights)
        return weighed and all(set(by) <= able and len(by) <= 2 for by in sets) and set(model.members) <= {*sets, ()}
    if not len(model.parents) == len(model.strengths) == len(columns) or not all(
        set(by) <= able for by in model.parents
    ):
        return False
    speaking = {*model.schema.of(*DISCRETE), *model.schema.of(*NUMERIC)} & set(model.used)
    if isinstance(model, Networked):
        odd = not set(model.above) <= able or not set(model.apart) <= speaking or len(model.told) != len(columns)
        if odd or not model.before <= set(model.apart) or len(model.above_told) != len(model.above):
            return False
    return set(model.order) == speaking


def _structural(kind: type[Model]) -> tuple[str, ...]:
    """The fields that a kind of model has beyond those of every model."""
    return tuple(field.name for field in fields(kind))[len(fields(Model)) :]


def _structure_page(value: Any) -> Any:
    """A part of a structure, or a density, as JSON."""
    name = next((name for name, kind in DENSITIES.items() if isinstance(value, kind)), None)
    return value if name is None else {"density": name, **asdict(value)}


def _read_structure(value: Any) -> Any:
    if not isinstance(value, dict):
        return _tuples(value)
    options = {name: _tuples(part) for name, part in value.items() if name != "density"}
    return DENSITIES[value["density"]](**options)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _fits(question: Question, answer: Statistic, schema: Schema) -> bool:
    """Whether arrays have the shapes that the schema says: compiled loops trust them."""
    if isinstance(answer, Points):
        return answer.fits(len(schema.classes), len(question.columns))
    cells, parts = question.cells(schema), schema.parts(question.columns)
    first = schema.columns[question.columns[0]] if question.columns else None
    if question.of == "pairs":
        width = int(parts.sum())
    elif question.of == "triples":
        width = int(triple_starts(parts)[-1])
    elif first is not None and question.of in ("grid", "totals"):
        width = (first.grid.nodes if first.grid else 0) if question.of == "grid" else len(first.levels)
    else:
        width = schema.offsets(question.columns)[-1] if question.of == "counts" else len(question.columns)
    shapes = {1: (cells,), 2: (cells, width), 3: (cells, width, width)}
    return all(
        array.dtype.kind in "if" and array.shape == shapes[array.ndim] and bool(np.isfinite(array).all())
        for array in answer.arrays().values()
    )
