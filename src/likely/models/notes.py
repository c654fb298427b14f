"""What a person should know about the columns of a model: derived from the model, so always true of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.models.alignment import counts_of
from likely.models.model import Model
from likely.numerics import Array
from likely.schema import COUNTS_ROWS, DISCRETE, SKIP, Column
from likely.statistics import Moments


@dataclass(frozen=True)
class Note:
    """`code` is one of skipped, counter (of the rows), code, empty, constant."""

    code: str
    column: str
    text: str


def notes(model: Model) -> tuple[Note, ...]:
    """Columns set aside, columns that may be codes, columns that are empty or constant."""
    hints = [Note(_code(column), column.name, column.hint) for column in model.schema.columns if column.hint]
    return (*hints, *_identifiers(model), *_flat(model))


def _code(column: Column) -> str:
    if column.kind == SKIP:
        return "skipped"
    return "counter" if COUNTS_ROWS in column.hint else "code"


def _flat(model: Model) -> list[Note]:
    schema, found = model.schema, []
    for at, values in {**_discrete_values(model), **_numeric_values(model)}.items():
        name = schema.columns[at].name
        if values == 0:
            found.append(Note("empty", name, f"{name!r} is missing in every row and says nothing"))
        elif values == 1:
            found.append(
                Note("constant", name, f"{name!r} has one value in every row, as far as can be told, and says nothing")
            )
    return found


def _discrete_values(model: Model) -> dict[int, int]:
    """How many different values each discrete column has."""
    return {at: int(np.count_nonzero(mass)) for at, mass in _level_masses(model).items()}


def _level_masses(model: Model) -> dict[int, Array]:
    columns = model.schema.of(*DISCRETE)
    whole, starts = counts_of(model.bundle, model.schema).table.sum(axis=0), model.schema.offsets(columns)
    return {at: whole[start : stop - 2] for at, start, stop in zip(columns, starts, starts[1:], strict=False)}


def _identifiers(model: Model) -> list[Note]:
    found = []
    for at, mass in _level_masses(model).items():
        column = model.schema.columns[at]
        if column.identifies(mass):
            text = f"{column.name!r} looks like an identifier and is set aside; to use it, say "
            found.append(Note("skipped", column.name, f"{text}kinds={{{column.name!r}: 'category'}}"))
    return found


def _numeric_values(model: Model) -> dict[int, int]:
    """0, 1 or 2 (for more): how many different values each numeric column has."""
    found: dict[int, int] = {}
    for question, answer in model.bundle.items():
        if isinstance(answer, Moments) and not question.by:
            whole = answer.pooled()
            values = np.where(whole.count[0] == 0, 0, np.where(whole.spread[0] > 0, 2, 1))
            found.update(zip(question.columns, map(int, values), strict=True))
    return found
