"""The questions of a model, put to rows that may not be fit to answer them."""

from __future__ import annotations

from likely.core.unusable_rows import refuse_holes
from likely.data import Source, ask
from likely.errors import DataError
from likely.models import Model
from likely.models.alignment import class_counts, column_with_unknown_level
from likely.statistics import Bundle


def answers(source: Source, model: Model, missing: str) -> Bundle:
    """What the rows answer to a model's questions, under its schema."""
    schema = model.schema
    bundle = ask(source, schema, model.questions, refuse_holes if missing == "error" else None)
    if not class_counts(bundle, schema).any():
        raise DataError("D117", "there are no rows", place="the rows", hint="give at least one row")
    column = column_with_unknown_level(bundle, schema)
    if column is not None:
        raise DataError(
            "D114",
            f"a value that is not among the declared levels {', '.join(map(repr, column.levels[:6]))}",
            place=f"column {column.name!r}",
            hint="declare the level too, or mark such values as missing",
        )
    return bundle
