"""What a person should know about the columns of a model: derived from the model, so always true of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.currencies import currencies_among
from likely.core.identifiers import note_aside
from likely.core.numerics import Array
from likely.core.reading import NUMBER, TRUTH
from likely.core.schema import DISCRETE, SKIP, UNLIKE, Column
from likely.errors import listed
from likely.errors.advice import Advice, Kind, Option, joined
from likely.families.multivariate import Multivariate
from likely.models.alignment import counts_of
from likely.models.joint import JointModel
from likely.models.model import Model
from likely.statistics import Moments, Points, Scatter

DESCRIPTION_WORDS = {
    "log": "as log-normal, with a probability of what is not above zero",
    "zeros": "as normal, with a probability of zero",
    "poisson": "as a Poisson count",
    "parzen": "by a kernel density",
}


@dataclass(frozen=True)
class Note:
    """A note on a column, or on all.

    `code` is one of skipped, counter (of the rows), code, empty, constant, described, read, spellings, currencies; of
    all columns singular.
    """

    code: str
    column: str
    text: str


def notes(model: Model) -> tuple[Note, ...]:
    """Columns set aside, that may be codes, are empty or constant; numbers that are described by something else."""
    return (
        *_hints(model),
        *_identifiers(model),
        *_readings(model),
        *_flat(model),
        *_singular(model),
        *_described(model),
    )


def warned_notes(model: Model) -> tuple[Note, ...]:
    """Those that a fit warns of, found without a look at what the other columns hold."""
    return (*(note for note in _hints(model) if note.code == "skipped"), *_identifiers(model), *_singular(model))


def _hints(model: Model) -> list[Note]:
    return [Note(_code(column), column.name, column.hint) for column in model.schema.columns if column.hint]


def _described(model: Model) -> list[Note]:
    return [
        Note("described", column.name, description_of(column)) for column in model.schema.columns if column.described
    ]


def description_of(column: Column) -> Advice:
    """How a column of numbers is described where that is no plain normal, and how to have one."""
    if column.described == UNLIKE:
        text = f"{column.name!r} is normal in each class: the merged models did not describe it alike"
        return Advice(f"{text}; to merge them exactly, say for both ", Kind(column.name, "real"))
    words = {**DESCRIPTION_WORDS, "bins": f"by {column.parts} bins"}[column.described]
    return Advice(f"{column.name!r} is described {words}; for a normal say ", Kind(column.name, "real"))


def _readings(model: Model) -> list[Note]:
    """How columns of text were read, where that is not plain."""
    found: dict[str, Note] = {}
    for column in (*model.schema.columns, model.schema.target):
        name = column.origin or column.name
        if column.reading is not None and column.reading.form != TRUTH and name not in found:
            found[name] = Note("read", name, f"{name!r} is read as {column.reading}")
            if column.reading.form == NUMBER and column.reading.doubt and not column.fixed:
                found[name] = Note("spellings", name, _spelt_twice(name, column.reading.doubt))
    return list(found.values())


def _spelt_twice(name: str, doubt: str) -> Advice:
    """Numbers that may be versions or codes."""
    text = f"{name!r} is read as numbers, of which {doubt} are one; if they are versions or codes, say "
    return Advice(text, Kind(name, "category"))


def _code(column: Column) -> str:
    if column.kind == SKIP:
        return "skipped"
    return "counter" if column.counts_rows else "code"


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
        aside = column.identifies(mass)
        if column.inferred and (several := currencies_among(column.levels)):
            found.append(_several_currencies(column, several, aside))
        elif aside:
            found.append(Note("skipped", column.name, note_aside(column.name)))
    return found


def _several_currencies(column: Column, signs: list[str], aside: bool) -> Note:
    """Amounts that cannot be told from each other as numbers, be they set aside or levels."""
    what = f"{column.name!r} holds amounts in several currencies ({listed(signs, 4)}), which cannot be compared"
    way = "write them in one currency, or put the currencies into a column of their own"
    if not aside:
        return Note("currencies", column.name, f"{what}, and is read as words: {way}")
    words = Advice(f"{what}, and is set aside: {way}; to use them as words, say ", Kind(column.name, "category"))
    return Note("skipped", column.name, words)


def _numeric_values(model: Model) -> dict[int, int]:
    """0, 1 or 2 (for more): how many different values each numeric column has."""
    found: dict[int, int] = {}
    for question, answer in model.bundle.items():
        if isinstance(answer, Moments | Scatter | Points) and question.of != "transformed" and not question.by:
            count, spread = _pooled(answer)
            values = np.where(count == 0, 0, np.where(spread > 0, 2, 1))
            found.update(zip(question.columns, map(int, values), strict=True))
    return found


def _pooled(answer: Moments | Scatter | Points) -> tuple[Array, Array]:
    """(columns,): the weight of the values of each column, and their spread."""
    if isinstance(answer, Points):
        known = ~np.isnan(answer.values)
        low, high = (np.where(known, answer.values, far) for far in (np.inf, -np.inf))
        least, most = low.min(axis=0, initial=np.inf), high.max(axis=0, initial=-np.inf)
        return known.sum(axis=0), np.where(most > least, 1.0, 0.0)
    whole = answer.pooled()
    if isinstance(whole, Scatter):
        return np.diagonal(whole.count[0]), np.diagonal(whole.centred[0])
    return whole.count[0], whole.spread[0]


def _singular(model: Model) -> list[Note]:
    """The classes whose covariance could not be inverted, and what was done."""
    if not isinstance(model, JointModel) or not isinstance(model.density, Multivariate) or model.dense is None:
        return []
    found = np.flatnonzero(model.dense.fallbacks)
    if not len(found):
        return []
    shared = model.density.tied
    whose = "that all classes share" if shared else f"of {listed([model.schema.classes[int(at)] for at in found], 4)}"
    rows = float(model.rows.sum() if shared else model.rows[found].min())
    worth = max(model.setting.smoothing, 1.0)
    density = model.density
    bare = density.covariance in ("full", "shared") and density.shrinkage is None
    more = [Advice(Option("shrinkage", "ledoit-wolf"))] if bare else []
    more = (
        [*more, Advice(Option("estimate", "bayes"))]
        if density.estimate != "bayes"
        else [Advice("a larger ", Option("smoothing"))]
    )
    text = Advice(
        f"the covariance {whose} cannot be inverted ({len(model.columns)} columns, {rows:g} rows"
        f"{' or more' if len(found) > 1 and not shared else ''}): the variances within classes, worth {worth:g}"
        f" row{'' if worth == 1 else 's'}, were added; ",
        joined(more, " or "),
        " do more" if len(more) > 1 else " does more",
    )
    return [Note("singular", "", text)]
