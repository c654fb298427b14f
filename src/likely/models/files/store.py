"""Generative models as pages of JSON and arrays, and back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.families.multivariate import Multivariate
from likely.families.multivariate.density import read as read_density
from likely.families.predictor import BACKOFFS, ESTIMATES, MISSING_TREATMENTS, Setting
from likely.families.windows import Windows
from likely.models.average import AverageModel
from likely.models.files.archive import Reader, read_schema, schema_page, write_archive
from likely.models.files.field_types import checked_value, damaged
from likely.models.forest import ForestModel
from likely.models.graph import GraphModel
from likely.models.joint import JointModel
from likely.models.model import Model
from likely.models.naive import ClassConditionalModel, NaiveModel
from likely.models.network import NetworkModel
from likely.models.priors import LEARNT_PRIORS, Priors, WeightedShares
from likely.statistics import STATISTICS, Bundle, Counts, Points, Question, Statistic
from likely.statistics.members import Member, is_sound, sizes_of, widths_of
from likely.statistics.questions import boxes

# What naive Bayes has been written in from the first, what other models need, what descriptions of numbers do, forests
NAIVE_VERSION, OTHER_VERSION, DESCRIBED_VERSION, FOREST_VERSION = 1, 2, 4, 5
MODELS_IN_FILES: dict[str, type[Model]] = {
    "naive": NaiveModel,
    "average": AverageModel,
    "directed": GraphModel,
    "network": NetworkModel,
    "joint": JointModel,
    "forest": ForestModel,
}
KINDS_OF_QUESTION: dict[
    str, tuple[str, ...]
] = {  # the kinds of columns that a question is about; of binned ones too, if of parts
    "counts": DISCRETE,
    "pairs": DISCRETE,
    "triples": DISCRETE,
    "families": (*DISCRETE, *NUMERIC),
    "totals": ("text",),
    "grid": ("parzen",),
    **dict.fromkeys(("transformed", "parts"), ("real",)),
    **dict.fromkeys(("moments", "scatter", "quartics", "points"), NUMERIC),
}
DENSITIES_IN_FILES: dict[str, type[Multivariate] | type[Windows]] = {"multivariate": Multivariate, "windows": Windows}


def write_model(path: str | os.PathLike[str], model: Model, face: Mapping[str, Any]) -> None:
    """Write a model and what its face needs; the old file stays until the new one is complete."""
    arrays: dict[str, Array] = {}
    version = NAIVE_VERSION if type(model) is NaiveModel else OTHER_VERSION
    if any(column.described for column in model.schema.columns):
        version = DESCRIBED_VERSION
    if isinstance(model, ForestModel):
        version = FOREST_VERSION
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
        "priors": _priors_page(model.priors),
        "answers": answers,
        "model": next(name for name, kind in MODELS_IN_FILES.items() if type(model) is kind),
        "structure": {name: _structure_page(getattr(model, name)) for name in _structural(type(model))},
    }


def read_model(page: Mapping[str, Any], read: Reader) -> Model:
    """The model of a page and its arrays; sizes are compared before anything is built from them."""
    schema = read_schema(page["schema"])
    kind = MODELS_IN_FILES[page.get("model", "naive")]
    parts = {name: _read_structure(page["structure"][name]) for name in _structural(kind)}
    answers: dict[Question, Statistic] = {}
    for entry in page["answers"]:
        asked = {"of": entry["of"], "columns": _tuples(entry["columns"]), "by": _tuples(entry["by"])}
        members = parts.get("members", ()) if entry["of"] == "families" else ()  # which are written down once
        question = checked_value(Question, {**asked, "members": members})
        if question in answers or not {*question.columns, *question.by} <= {*range(len(schema.columns))}:
            raise damaged("its statistics do not fit its columns")
        statistic = checked_value(STATISTICS[question.of], {name: read(key) for name, key in entry["arrays"].items()})
        if not _fits(question, statistic, schema):
            raise damaged("its statistics do not fit its columns")
        answers[question] = statistic
    setting, priors = checked_value(Setting, page["setting"]), _read_priors(page["priors"])
    model = checked_value(
        kind, {"schema": schema, "setting": setting, "priors": priors, "bundle": Bundle(answers), **parts}
    )
    if not _said(model) or not sound(model) or {*model.questions} != {*answers}:
        raise damaged("its parts do not fit together")
    return model


def _priors_page(priors: Priors) -> Any:
    if isinstance(priors, WeightedShares):
        return {"learnt": priors.learnt, "weights": [list(pair) for pair in priors.weights]}
    return priors if isinstance(priors, str) else [list(pair) for pair in priors]


def _read_priors(page: Any) -> Priors:
    if isinstance(page, dict):
        return WeightedShares(str(page["learnt"]), _tuples(page["weights"]))
    found: Priors = _tuples(page)
    return found


def _said(model: Model) -> bool:
    """Whether its options are some that a user could have given."""
    setting, classes = model.setting, model.schema.classes
    worths = (setting.smoothing, setting.leaning, setting.evenly)
    known = setting.estimate in ESTIMATES and setting.missing in MISSING_TREATMENTS and setting.backoff in BACKOFFS
    if isinstance(model.priors, str):
        return known and min(worths) >= 0 and model.priors in LEARNT_PRIORS
    if isinstance(model.priors, WeightedShares):
        positive = all(0 < weight < np.inf for _, weight in model.priors.weights)
        return known and min(worths) >= 0 and positive and model.priors.learnt in LEARNT_PRIORS
    shares = dict(model.priors)
    weighed = min(shares.values(), default=0) >= 0 and sum(shares.values()) > 0
    return known and min(worths) >= 0 and {*classes} <= {*shares} and weighed


def sound(model: Model) -> bool:
    """Whether a structure points at columns that can be parents, and runs in no circle."""
    columns = model.schema.columns
    if isinstance(model, ClassConditionalModel):
        return True
    if isinstance(model, ForestModel):
        return _sound_forest(model)
    assert isinstance(model, AverageModel | GraphModel)
    able = {at for at in model.nodes if 0 <= at < len(columns) and (columns[at].kind in DISCRETE or columns[at].cuts)}
    if len(able) != len(model.nodes) or not set(model.schema.of(*DISCRETE)) <= able:
        return False
    if isinstance(model, AverageModel):
        sets = {*model.sets, *model.members}
        weighed = len(model.weights) == len(model.members) > 0 and all(0 <= weight <= 1 for weight in model.weights)
        return weighed and all(set(by) <= able and len(by) <= 2 for by in sets) and set(model.members) <= {*sets, ()}
    if not len(model.parents) == len(model.strengths) == len(columns) or not all(
        set(by) <= able for by in model.parents
    ):
        return False
    speaking = {*model.schema.of(*DISCRETE), *model.schema.of(*NUMERIC)} & set(model.used)
    if isinstance(model, NetworkModel):
        odd = not set(model.above) <= able or not set(model.apart) <= speaking or len(model.told) != len(columns)
        if odd or not model.before <= set(model.apart) or len(model.above_told) != len(model.above):
            return False
    return set(model.order) == speaking


def _sound_forest(model: ForestModel) -> bool:
    """Whether all columns speak, and every weight is one that could have been learnt."""
    schema, width = model.schema, len(model.nodes) + len(model.beside)
    whole = {*model.nodes} == {*schema.of(*DISCRETE, *NUMERIC)} and len(model.nodes) == len({*model.nodes})
    texts, able = schema.of("text"), schema.of("text", *NUMERIC)
    alone = len(model.beside) == len({*model.beside}) and {*texts} <= {*model.beside} <= {*able}
    weighed = len(model.weights) == len(model.members) > 0 and all(len(one) == width for one in model.weights)
    return whole and alone and weighed and all(0 <= weight < np.inf for one in model.weights for weight in one)


def _structural(kind: type[Model]) -> tuple[str, ...]:
    """The fields that a kind of model has beyond those of every model."""
    return tuple(field.name for field in fields(kind))[len(fields(Model)) :]


def _structure_page(value: Any) -> Any:
    """A part of a structure, or a density, as JSON."""
    if isinstance(value, tuple) and all(isinstance(one, Member) for one in value) and value:
        return [asdict(one) for one in value]
    name = next((name for name, kind in DENSITIES_IN_FILES.items() if isinstance(value, kind)), None)
    return value if name is None else {"density": name, **asdict(value)}


def _read_structure(value: Any) -> Any:
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        parts = ({name: _tuples(part) for name, part in one.items()} for one in value)
        return tuple(checked_value(Member, one) for one in parts)
    if not isinstance(value, dict):
        return _tuples(value)
    options = {name: _tuples(part) for name, part in value.items() if name != "density"}
    found = checked_value(DENSITIES_IN_FILES[value["density"]], options)
    if isinstance(found, Multivariate) and found != read_density(found.covariance, found.estimate, found.shrinkage):
        raise damaged("its density is none that there is")
    return found


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _fits(question: Question, answer: Statistic, schema: Schema) -> bool:
    """Whether arrays have the shapes that the schema says: compiled loops trust them."""
    cells, columns = question.cells(schema), question.columns
    if isinstance(answer, Points):
        return not question.by and answer.fits(cells, len(columns))
    asked = [schema.columns[at] for at in columns]
    if not all(
        column.kind in KINDS_OF_QUESTION[question.of] or column.family == "parzen" or column.cuts is not None
        for column in asked
    ):
        return False
    if question.of in ("grid", "totals", "parts") and len(columns) != 1:
        return False
    if question.of == "triples":  # known from sums of powers; where each three begin is listed only if it is so
        width = boxes(schema.parts(columns))
    elif question.of == "families":  # as Python's numbers, before anything is laid out
        if not all(is_sound(one, columns, schema) for one in question.members):
            return False
        widths = [width for one in question.members for width in widths_of(one, sizes_of(one, columns, schema))]
        width = sum(widths)
        return answer.fits(cells, width) and isinstance(answer, Counts) and _adds_up(answer, np.cumsum([0, *widths]))
    elif question.of == "pairs":
        width = int(schema.parts(columns).sum())
    elif question.of == "counts":
        width = int(schema.offsets(columns)[-1])
    elif question.of == "totals":
        width = len(asked[0].levels)
    elif question.of == "parts":
        width = asked[0].parts
    else:
        width = asked[0].grid.nodes if question.of == "grid" and asked[0].grid else len(columns)
    return answer.fits(cells, width) and (not isinstance(answer, Counts) or _adds_up(answer, schema.offsets(columns)))


def _adds_up(counts: Counts, offsets: Array) -> bool:
    """Whether each column counts every row once."""
    if len(offsets) == 1:
        return True
    sums = np.add.reduceat(counts.table, offsets[:-1], axis=1)
    return bool(np.allclose(sums, counts.rows[:, None], rtol=1e-9, atol=1e-9))
