"""The laws of families: what their predictors say adds up, is a distribution, and forgets a row exactly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from likely.checks.equality import check_same
from likely.checks.tables import Encoded
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Schema, Text
from likely.core.tokens import Bag
from likely.families.predictor import Evidence, Family, Predictor, Setting
from likely.statistics import answer

PLAIN_SETTING = Setting()
ANGLES = 200_001  # points at which a density is summed, over the whole line
CUBED = 1e-6  # hardly anything where values were seen
MOST_COUNTS_SUMMED = 1000  # counts whose probabilities are summed


def predictors(
    family: Family, rows: Encoded, setting: Setting = PLAIN_SETTING
) -> Iterator[tuple[tuple[int, ...], Predictor]]:
    """The predictors that rows give a family, each with the columns it serves.

    >>> from likely.checks import families, table
    >>> [columns for columns, _ in predictors(families()["Gaussian"], table(kinds=["real"]).encoded())]
    [(0, 1)]
    """
    schema, block = rows.schema, rows.block
    columns = schema.of(*family.kinds)
    assert columns, f"no column is of the kinds {family.kinds}"
    assert block.cells is not None, "the rows have no classes"
    weight = np.bincount(block.cells, weights=block.weights, minlength=len(schema.classes))
    for served in [columns] if family.together else [(at,) for at in columns]:
        answers = {question: answer(question, schema, block) for question in family.questions(served)}
        yield served, family.predictor(Evidence(schema, served, answers, weight, setting))


def check_terms_sum_to_score(family: Family, rows: Encoded, setting: Setting = PLAIN_SETTING) -> None:
    """The terms of the columns add up to what `add` adds, and what was there before stays in the sum.

    >>> from likely.checks import families, table
    >>> check_terms_sum_to_score(families()["Gaussian"], table(rows=12, kinds=["real"]).encoded())
    """
    for _, predictor in predictors(family, rows, setting):
        terms = predictor.terms(rows.block)
        assert terms.shape[0] == len(rows), f"{terms.shape[0]} rows of terms for {len(rows)} rows"
        assert not np.isnan(terms).any(), "a term is not a number"
        out = np.ones((len(rows), terms.shape[2]))
        predictor.add(rows.block, out)
        size = np.where(np.isfinite(terms), np.abs(terms), 0.0).sum(axis=1) + 1.0
        check_same(out, terms.sum(axis=1) + 1.0, "the score, and the sum of the terms", 1e-12, size)


def check_without_is_refit(family: Family, rows: Encoded, setting: Setting = PLAIN_SETTING) -> None:
    """What is said of a row had it not been learnt is what the other rows say of it.

    >>> from likely.checks import families, table
    >>> check_without_is_refit(families()["Categorical"], table(rows=12, kinds=["category"]).encoded(), Setting("map"))
    """
    every = np.arange(len(rows))
    apart = [predictor.without(rows.block) for _, predictor in predictors(family, rows, setting)]
    for row in every:
        rest = predictors(family, rows.take(every[every != row]), setting)
        for (_, predictor), without in zip(rest, apart, strict=True):
            expected = predictor.terms(rows.take([row]).block).sum(axis=1)[0]
            check_same(without[row], expected, f"row {row} left out, and the other rows learnt", 1e-7, expected)


def check_missing_says_nothing(family: Family, rows: Encoded, setting: Setting = PLAIN_SETTING) -> None:
    """Under missing="ignore" a row whose values are all missing has the score zero in every cell.

    >>> from likely.checks import families, table
    >>> rows = table(rows=12, kinds=["count"]).encoded()
    >>> check_missing_says_nothing(families()["Poisson"], rows)
    >>> check_missing_says_nothing(families()["Poisson"], rows, Setting(missing="informative"))
    Traceback (most recent call last):
    AssertionError: only ignored values say nothing...
    """
    assert setting.missing == "ignore", "only ignored values say nothing"
    blank = _blank(rows.schema, 1)
    for _, predictor in predictors(family, rows, setting):
        assert not predictor.terms(blank).any(), "a missing value says something"


def check_predictive_is_a_distribution(family: Family, rows: Encoded, setting: Setting = PLAIN_SETTING) -> None:
    """In every cell the predictive probabilities of all values of a column sum, or integrate, to one.

    Where missing values are informative, being missing is one of the values. Left alone are columns that say nothing
    and complement bags, which are no likelihood.

    >>> from likely.checks import families, table
    >>> check_predictive_is_a_distribution(families()["Categorical"], table(rows=12, kinds=["category"]).encoded())
    """
    for columns, predictor in predictors(family, rows, setting):
        for place, at in enumerate(columns):
            if _is_silent(rows, at):
                continue
            block, widths = probes(rows, at, setting.missing == "informative")
            terms = predictor.terms(block)[:, place]
            mass = (np.exp(terms) * widths[:, None]).sum(axis=0)
            name = f"column {rows.schema.columns[at].name!r}: the whole mass in each cell, and one"
            check_same(
                mass, np.ones(len(mass)), name, 1e-3 if rows.schema.columns[at].kind in ("real", "parzen") else 1e-9
            )


def _is_silent(rows: Encoded, at: int) -> bool:
    """Whether a column says nothing, or nothing that is a likelihood."""
    column = rows.schema.columns[at]
    if column.kind == "text":
        return not column.levels or (isinstance(column.form, Text) and column.form.bag == "complement")
    if column.kind in DISCRETE:
        return not column.levels
    values = rows.block.reals[:, rows.schema.of(*NUMERIC).index(at)]
    known = values[~np.isnan(values)]
    return not known.any() if column.kind == "count" else len(set(known)) < 2


def probes(rows: Encoded, at: int, missing: bool) -> tuple[Block, Floats]:
    """Rows that hold every value of one column, and how wide a stretch of values each of them stands for."""
    schema, kind = rows.schema, rows.schema.columns[at].kind
    levels = len(schema.columns[at].levels)
    if kind == "text":
        bag = Bag(np.arange(levels + 1), np.arange(levels, dtype=np.int32), np.ones(levels))
        blank = _blank(schema, levels)
        bags = tuple(
            bag if column == at else other for column, other in zip(schema.of("text"), blank.bags, strict=True)
        )
        return Block(levels, blank.codes, blank.reals, bags), np.ones(levels)
    if kind in DISCRETE:
        block = _blank(schema, levels + missing)
        block.codes[:, schema.of(*DISCRETE).index(at)] = np.arange(levels + missing)
        return block, np.ones(levels + missing)
    values, widths = _line(rows.block.reals[:, schema.of(*NUMERIC).index(at)], kind == "count")
    if missing:
        values, widths = np.append(values, np.nan), np.append(widths, 1.0)
    block = _blank(schema, len(values))
    block.reals[:, schema.of(*NUMERIC).index(at)] = values
    return block, widths


def _line(seen: Floats, whole: bool) -> tuple[Floats, Floats]:
    """Points all over the line, close together where values were seen, and the stretch of each."""
    if whole:
        return np.arange(MOST_COUNTS_SUMMED, dtype=np.float64), np.ones(MOST_COUNTS_SUMMED)
    known = seen[~np.isnan(seen)]
    scale = float(known.std()) or 1.0
    # tangents of equal angles; their cubes carry the last of them to where tails of half a degree of freedom end
    far = np.tan((np.arange(ANGLES) + 0.5) / ANGLES * np.pi - np.pi / 2)
    stretch = np.pi / ANGLES * (1.0 + far**2) * (1.0 + 3.0 * CUBED * far**2)
    return known.mean() + scale * (far + CUBED * far**3), np.asarray(scale * stretch)


def _blank(schema: Schema, rows: int) -> Block:
    """Rows in which everything is missing."""
    missing: Array = np.array([len(schema.columns[at].levels) for at in schema.of(*DISCRETE)], dtype=np.int32)
    bag = Bag(np.zeros(rows + 1, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0))
    reals = np.full((rows, len(schema.of(*NUMERIC))), np.nan)
    return Block(rows, np.tile(missing, (rows, 1)), reals, (bag,) * len(schema.of("text")))
