"""The columns of a model one by one: values sent through its own predictors, so that terms are those of the prediction.

All columns go through together, each with values of its own: the terms of a column do not depend on the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from likely.companions.fitted import ClassModel, RegressionModel
from likely.core.block import Block
from likely.core.identifiers import ENOUGH_VALUES
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.core.tokens import Bag
from likely.data.levels.column_kinds import Summary
from likely.data.levels.date_parts import year_of
from likely.errors import OptionError, nearest
from likely.errors.advice import Advice, InPython
from likely.families.predictor import Predictor
from likely.models import JointModel, Model, NaiveModel
from likely.models.alignment import questions
from likely.statistics import Bundle, Moments

TERMS_AT_A_TIME = 1 << 20  # terms held at a time


def held_model(model: Any) -> Model | ClassModel:
    """The model that a fitted classifier holds."""
    held = getattr(model, "model_", None)
    if isinstance(held, RegressionModel):
        name, hint = type(model).__name__, "ask for a row: model.explain(X)"
        raise OptionError("O372", f"a {name} predicts a number and knows no classes", place="model", hint=hint)
    if not isinstance(held, Model | ClassModel) or not len(held.schema.classes):
        name = type(model).__name__
        hint = "give a fitted classifier of likely: call fit(X, y) first"
        raise OptionError("O366", f"this {name} has learnt nothing to explain", place="model", hint=hint)
    return held


def independent_model(model: Any) -> NaiveModel | ClassModel:
    """The model that a fitted classifier holds, if its columns say what they say whatever the others are."""
    held = held_model(model)
    if not isinstance(held, NaiveModel) and not (isinstance(held, ClassModel) and held.additive):
        name = type(model).__name__
        text = "ask for a row, model.explain(X); or for each column by class, likely.explanations.profile(model)"
        shell = "say DATA and --row to explain a row; or leave --nomogram out, for what each column says in each class"
        hint = Advice(InPython(text, shell))
        raise OptionError("O373", f"what a column says depends on other columns in {name}", place="model", hint=hint)
    return held


def by_class(model: Any) -> NaiveModel:
    """Each column by class alone, as the same rows taught it to any fitted classifier."""
    held = held_model(model)
    if isinstance(held, NaiveModel):
        return held
    if isinstance(held, ClassModel):
        return model.by_class_  # type: ignore[no-any-return]
    if isinstance(held, JointModel):
        return held.alone
    alone = {question: held.bundle[question] for question in questions(held.schema)}
    return NaiveModel(held.schema, held.setting, held.priors, Bundle(alone))


def base_terms(model: NaiveModel | ClassModel) -> Floats:
    """(classes,): what is said before any column."""
    return model.log_prior if isinstance(model, NaiveModel) else model.terms(block_of(model.schema, {}, 1))[0, 0]


def column_place(schema: Schema, name: Any) -> int:
    """Where a column stands: by its name, or else by its number."""
    names = [column.name for column in schema.columns]
    if name in names:
        return names.index(name)
    if isinstance(name, int | np.integer) and not isinstance(name, bool) and 0 <= name < len(names):
        return int(name)
    hint = f"the columns are {', '.join(map(repr, names[:8]))}.{nearest(name, names)}"
    raise OptionError("O363", f"there is no column {name!r}", place="name", hint=hint)


def pieces(model: NaiveModel, values: Mapping[int, Array]) -> Iterator[tuple[tuple[int, ...], int, Floats]]:
    """(columns, start, terms (rows, columns, classes)): values of columns, codes of levels or numbers, piece by piece.

    Where a column has fewer values than another, the rest of its rows are as if missing.
    """
    rows = max((len(mine) for mine in values.values()), default=0)
    step = max(1, TERMS_AT_A_TIME // max(1, len(model.schema.columns) * len(model.schema.classes)))
    for start in range(0, rows, step):
        stop = min(start + step, rows)
        block = block_of(model.schema, {at: mine[start:stop] for at, mine in values.items()}, stop - start)
        for columns, predictor in model.parts:
            if model.schema.columns[columns[0]].kind != "text" and any(at in values for at in columns):
                yield columns, start, predictor.terms(block)


def terms_of(model: NaiveModel | ClassModel, values: Mapping[int, Array]) -> dict[int, Floats]:
    """For each column (values, classes): the terms of its values, codes of levels or numbers."""
    if isinstance(model, ClassModel):
        rows = max(map(len, values.values()), default=0)
        terms = model.terms(block_of(model.schema, values, rows))
        return {at: terms[: len(mine), 1 + at] for at, mine in values.items()}
    out = {at: np.zeros((len(mine), len(model.schema.classes))) for at, mine in values.items()}
    for columns, start, terms in pieces(model, values):
        for place, at in enumerate(columns):
            if at in out:
                part = out[at][start : start + len(terms)]
                part[:] = terms[: len(part), place]
    return out


def block_of(schema: Schema, values: Mapping[int, Array], rows: int) -> Block:
    """Rows of these values, without any text; what is not given is missing."""
    discrete, numeric = schema.of(*DISCRETE), schema.of(*NUMERIC)
    missing = np.array([len(schema.columns[at].levels) for at in discrete], dtype=np.int32)
    codes = np.tile(missing, (rows, 1))
    reals = np.full((rows, len(numeric)), np.nan)
    for table, columns in ((codes, discrete), (reals, numeric)):
        for place, at in enumerate(columns):
            if at in values:
                table[: len(values[at]), place] = values[at]
    return Block(rows, codes, reals, tuple(_silence(rows) for _ in schema.of("text")))


def word_terms(model: NaiveModel, at: int, words: Array, counts: Array | None = None) -> Floats:
    """(words, classes): what each word of a text column adds, by its number; as often as `counts` says, or once."""
    rows, texts = len(words), model.schema.of("text")
    times = np.ones(rows) if counts is None else np.asarray(counts, dtype=np.float64)
    bag = Bag(np.arange(rows + 1, dtype=np.int64), np.asarray(words, dtype=np.int32), times)
    nothing = np.zeros((rows, 0))
    block = Block(
        rows, nothing.astype(np.int32), nothing, tuple(bag if at == other else _silence(rows) for other in texts)
    )
    out = np.zeros((rows, len(model.schema.classes)))
    predictor_of(model, at).add(block, out)
    return out


def _silence(rows: int) -> Bag:
    return Bag(np.zeros(rows + 1, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0))


def predictor_of(model: NaiveModel, at: int) -> Predictor:
    """The predictor that serves a column."""
    return next(predictor for columns, predictor in model.parts if at in columns)


def middle_and_spread(model: NaiveModel, columns: Sequence[int]) -> dict[int, tuple[float, float]]:
    """For each numeric column that has values: the mean and the standard deviation of all values learnt."""
    found: dict[int, tuple[float, float]] = {}
    wanted = set(columns)
    for question, answer in model.bundle.items():
        if (
            isinstance(answer, Moments)
            and question.of == "moments"
            and not question.by
            and wanted.intersection(question.columns)
        ):
            whole = answer.pooled()
            spread = np.sqrt(whole.spread[0] / np.maximum(whole.count[0], 1e-300))
            for at, count, mean, deviation in zip(question.columns, whole.count[0], whole.mean[0], spread, strict=True):
                if count > 0 and at in wanted:
                    found[at] = float(mean), float(deviation)
    return found


def possible_ranges(model: Any, seen: Mapping[str, Summary]) -> dict[str, tuple[float, float]]:
    """{column: (low, high)} of the numeric columns of a table: what lies beyond may not exist.

    A table of few rows does not show that: what the model learnt is looked at too, three standard deviations about the
    mean. The end is zero where the table has nothing below it and most that was learnt lies above.
    """
    learnt = by_class(model)
    columns = learnt.schema.columns
    lying = {columns[at].name: told for at, told in middle_and_spread(learnt, range(len(columns))).items()}
    found = {}
    for column in columns:
        one = seen.get(column.origin or column.name, Summary())
        if one.type != ("date" if column.date_part else "number"):
            continue
        low, high = (year_of(one.low), year_of(one.high)) if column.date_part == "year" else (one.low, one.high)
        if one.observed < ENOUGH_VALUES and column.name in lying:
            mean, deviation = lying[column.name]
            floor = 0.0 if low >= 0 and mean >= deviation / 2 else -np.inf
            low, high = max(min(low, mean - 3 * deviation), floor), max(high, mean + 3 * deviation)
        found[column.name] = low, high
    return found
