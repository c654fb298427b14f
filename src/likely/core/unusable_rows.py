"""Rows that cannot be used, named by column and row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array
from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.errors import DataError, NotLearntError
from likely.errors.advice import Advice, Kind, Option

LARGEST_NUMBER = 1e150  # beyond it squares are out of the reach of a double


def too_large(name: str, value: float, row: int | None = None) -> DataError:
    """The error for numbers that cannot be squared, infinity among them."""
    what = "an infinite value" if np.isinf(value) else f"{value:g} is beyond {LARGEST_NUMBER:g}"
    return DataError("D104", what, place=_place(name, row), hint="mark it as missing (NaN), or rescale the column")


def too_heavy(place: str) -> DataError:
    """The error for weights and numbers whose squares do not add up to a number."""
    hint = "rescale the weights, or the column: their sums of squares must stay below 1e300"
    return DataError("D459", "the weights and the numbers are too large to be added up", place=place, hint=hint)


def no_rows(place: str) -> DataError:
    """The error where there is nothing to learn from or to judge by."""
    return DataError("D117", "there are no rows", place=place, hint="give at least one row")


def never_learnt() -> NotLearntError:
    """The error where taking rows back leaves what no rows could have given."""
    what = "some of these rows were never learnt: what would remain is impossible"
    hint = "forget takes rows (and weights) exactly as they were learnt; the model is unchanged"
    return NotLearntError("M302", what, place="forget(X, y)", hint=hint)


def refuse_large(block: Block, schema: Schema) -> None:
    """An error if a value is infinite or its square is: called when a result looks so, or where speed is no matter."""
    bad = np.abs(block.reals) > LARGEST_NUMBER
    if bad.any():
        row, column = np.argwhere(bad)[0]
        name = schema.columns[schema.of(*NUMERIC)[column]].name
        raise too_large(name, float(block.reals[row, column]), block.start + int(row))


def refuse_holes(block: Block, schema: Schema) -> None:
    """missing="error": an error if a value is missing."""
    levels = np.array([len(schema.columns[at].levels) for at in schema.of(*DISCRETE)])
    texts = [bag.missing for bag in block.bags if bag.missing is not None]
    for kinds, gone in (
        (NUMERIC, np.isnan(block.reals)),
        (DISCRETE, block.codes == levels),
        (("text",), np.column_stack(texts) if texts else np.zeros((block.rows, 0), dtype=bool)),
    ):
        if gone.any():
            what = "a value is missing: Input contains NaN"
            hint = Advice("say ", Option("missing", "ignore"), " or ", Option("missing", "informative"))
            raise DataError("D124", what, place=_first(gone, block, schema, kinds), hint=hint)


def refuse_unlearnt(block: Block, schema: Schema) -> None:
    """An error if a value was never learnt for sure: an unseen level or word, a number beyond its grid.

    Rows of no weight were not learnt and are not taken back: they may have any value.
    """
    learnt = np.ones((block.rows, 1), dtype=bool) if block.weights is None else block.weights[:, None] != 0
    levels = np.array([len(schema.columns[at].levels) for at in schema.of(*DISCRETE)])
    numeric = schema.of(*NUMERIC)
    low, high = np.full(len(numeric), -np.inf), np.full(len(numeric), np.inf)
    for place, at in enumerate(numeric):
        grid = schema.columns[at].grid
        if grid is not None:
            low[place], high[place] = grid.low, grid.high
    texts = [bag.unknown > 0 for bag in block.bags if bag.unknown is not None]
    for kinds, odd in (
        (NUMERIC, (block.reals < low) | (block.reals > high)),
        (DISCRETE, block.codes > levels),
        (("text",), np.column_stack(texts) if texts else np.zeros((block.rows, 0), dtype=bool)),
    ):
        odd = odd & learnt
        if odd.any():
            hint = "forget and leave_one_out take rows (and weights) as they were learnt; the model is unchanged"
            where = _first(odd, block, schema, kinds)
            raise NotLearntError("M302", "a value that was never learnt", place=where, hint=hint)


def refuse_no_counts(values: Array, names: Sequence[str], start: int) -> None:
    """An error if a value of a count column is no count."""
    with np.errstate(invalid="ignore"):
        bad = (values < 0) | (values != np.floor(values)) & ~np.isnan(values) | np.isinf(values)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        what = f"{values[row, column]:g} is no count: counts are whole, finite and not negative"
        hint = Advice("say ", Kind(names[column], "real"), ", or mark it as missing")
        raise DataError("D106", what, place=_place(names[column], start + int(row)), hint=hint)


def _first(where: Array, block: Block, schema: Schema, kinds: Sequence[str]) -> str:
    """The first place (row, column) among the columns of these kinds."""
    row, column = np.argwhere(where)[0]
    return _place(schema.columns[schema.of(*kinds)[column]].name, block.start + int(row))


def _place(name: str, row: int | None) -> str:
    return f"column {name!r}" + ("" if row is None else f", row {row}")
