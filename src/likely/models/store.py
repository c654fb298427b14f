"""Model files: a zip of one JSON page and plain arrays, versioned; written atomically; reading one runs nothing."""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from likely.errors import StoreError
from likely.families.multivariate import Multivariate
from likely.families.predictor import Setting
from likely.families.windows import Windows
from likely.models.average import Average
from likely.models.classifier import Classifier
from likely.models.directed import Directed
from likely.models.joint import Joint
from likely.models.model import Model
from likely.models.networked import Networked
from likely.models.side_by_side import SideBySide
from likely.numerics import Array
from likely.placing import check_place, check_readable, replacing
from likely.schema import DISCRETE, NUMERIC, Column, Grid, Parzen, Schema, Text
from likely.statistics import STATISTICS, Bundle, Points, Question, Statistic, triple_starts

FORMAT = "likely model"
FIRST, VERSION = 1, 2  # what naive Bayes has been written in from the first, and what other models need
MODELS: dict[str, type[Model]] = {
    "naive": Classifier,
    "average": Average,
    "directed": Directed,
    "network": Networked,
    "joint": Joint,
}
DENSITIES: dict[str, type[Multivariate] | type[Windows]] = {"multivariate": Multivariate, "windows": Windows}
PAGE = "model.json"
MEMBER = re.compile(r"model\.json|\d+\.npy")
LIMIT = 1 << 32  # bytes that a model may unpack to; a larger file is refused unread
SMALL = 1 << 26  # bytes that any file may unpack to
RATIO = 900  # no model shrinks more than so much; a bomb of zeros does


def write_model(path: str | os.PathLike[str], model: Model, face: Mapping[str, Any]) -> None:
    """Write a model and what its face needs; the old file stays until the new one is complete."""
    arrays: dict[str, Array] = {}
    answers = []
    for question, answer in model.bundle.items():
        names = {}
        for name, array in answer.arrays().items():
            names[name] = f"{len(arrays)}.npy"
            arrays[names[name]] = array
        asked = {"of": question.of, "columns": list(question.columns), "by": list(question.by)}
        answers.append({**asked, "arrays": names})
    page = {
        "format": FORMAT,
        "version": FIRST if type(model) is Classifier else VERSION,
        "face": dict(face),
        "schema": _schema_page(model.schema),
        "setting": asdict(model.setting),
        "priors": model.priors if isinstance(model.priors, str) else [list(pair) for pair in model.priors],
        "answers": answers,
        "model": next(name for name, kind in MODELS.items() if type(model) is kind),
        "structure": {name: _structure_page(getattr(model, name)) for name in _structural(type(model))},
    }
    check_place(path)
    _write_zip(path, page, arrays)


def _write_zip(path: str | os.PathLike[str], page: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    with replacing(path) as name, zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(PAGE, json.dumps(page, ensure_ascii=False, allow_nan=False))
        for key, array in arrays.items():
            with archive.open(key, "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.ascontiguousarray(array), allow_pickle=False)


def read_model(path: str | os.PathLike[str]) -> tuple[Model, dict[str, Any]]:
    """The model of a file, and what its face stored."""
    place = os.fspath(path)
    check_readable(place, "F403", "name a file that model.save(path) wrote")
    try:
        with zipfile.ZipFile(place) as archive:
            return _read_zip(archive, place)
    except StoreError:
        raise
    except Exception as error:  # a damaged or hostile file may fail in any way, and must not do more than that
        raise StoreError(
            "F404",
            f"this is not a likely model, or it is damaged ({type(error).__name__})",
            place=place,
            hint="models are written by `likely fit` or model.save(path), and come before the rows they are to judge; "
            "networks are read by likely.Network.read(path) and `likely network`",
        ) from None


def _read_zip(archive: zipfile.ZipFile, place: str) -> tuple[Model, dict[str, Any]]:
    entries = archive.infolist()
    strange = next((entry.filename for entry in entries if not MEMBER.fullmatch(entry.filename)), None)
    if strange is not None:
        message = f"it holds {strange[:80]!r}, which no model holds"
        raise StoreError("F405", message, place=place, hint="do not trust this file")
    whole, packed = sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries)
    if whole > LIMIT or (whole > SMALL and whole > RATIO * packed):
        raise StoreError(
            "F405", "the file unpacks to more than a model may hold", place=place, hint="do not trust this file"
        )
    page = json.loads(archive.read(PAGE))
    if page["format"] != FORMAT:
        raise StoreError("F404", "this is not a likely model", place=place, hint="save the model again")
    if not isinstance(page["face"], dict) or not isinstance(page["version"], int) or page["version"] < 1:
        raise StoreError("F404", "its first page cannot be read", place=place, hint="save the model again")
    if page["version"] > VERSION:
        raise StoreError(
            "F406",
            f"the model is of version {page['version']}, this likely reads up to {VERSION}",
            place=place,
            hint="upgrade: pip install -U likely",
        )
    schema = _read_schema(page["schema"])
    answers = {}
    for entry in page["answers"]:
        arrays = {name: _read_array(archive, key) for name, key in entry["arrays"].items()}
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
        raise StoreError("F404", "its statistics do not fit its columns", place=place, hint="save the model again")
    return model, page["face"]


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


def _read_array(archive: zipfile.ZipFile, key: str) -> Array:
    with archive.open(key) as entry:
        return np.asarray(np.lib.format.read_array(io.BytesIO(entry.read()), allow_pickle=False))


def _schema_page(schema: Schema) -> dict[str, Any]:
    return {
        "columns": [_column_page(column) for column in schema.columns],
        "target": _column_page(schema.target),
        "named": schema.named,
    }


def _column_page(column: Column) -> dict[str, Any]:
    page = {key: value for key, value in asdict(column).items() if value not in (None, "", ()) and value is not False}
    if column.cuts is not None:
        page["cuts"] = column.cuts  # none at all is not the same as no cuts
    if isinstance(column.levels, range):  # a matrix of words without names needs no list of them
        page["levels"] = len(column.levels)
    return page


def _read_schema(page: Mapping[str, Any]) -> Schema:
    return Schema(tuple(map(_read_column, page["columns"])), _read_column(page["target"]), page["named"])


def _read_column(page: Mapping[str, Any]) -> Column:
    given = dict(page)
    levels = given.get("levels", ())
    given["levels"] = range(levels) if isinstance(levels, int) else tuple(levels)
    given["declared"] = tuple(given.get("declared", ()))
    if "cuts" in given:
        given["cuts"] = tuple(given["cuts"])
    if "form" in given:
        given["form"] = Parzen(**given["form"]) if "kernel" in given["form"] else Text(**given["form"])
    if "grid" in given:
        given["grid"] = Grid(**given["grid"])
    return Column(**given)
