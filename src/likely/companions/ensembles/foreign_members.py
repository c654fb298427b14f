"""Members of an ensemble that are estimators of their own: they see the rows as a table, and classes as numbers."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.core.schema_union import numeric_levels
from likely.errors import LikelyError, ModelError


@dataclass(frozen=True, eq=False)
class ForeignMembers:
    """Fitted estimators of any package; the classes that they know are places among those of the schema."""

    schema: Schema
    members: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, at: int) -> Any:
        return self.members[at]

    def votes(self, at: int, block: Block) -> Floats:
        """(rows, classes): 1 for the class that a member decides for."""
        return votes_of(self.members[at], as_rows(self.schema, block), len(self.schema.classes))

    def shares(self, at: int, block: Block) -> Floats:
        """(rows, classes): the probabilities that a member gives, or its votes where it has none."""
        return shares_of(self.members[at], as_rows(self.schema, block), len(self.schema.classes))


def as_rows(schema: Schema, block: Block) -> Any:
    """(rows, columns): an array where all columns hold numbers, else a frame; missing is NaN, or None among words."""
    discrete, numeric = schema.of(*DISCRETE), schema.of(*NUMERIC)
    if len(numeric) == len(schema.columns):
        return block.reals
    columns: dict[int, Array] = {at: block.reals[:, place] for place, at in enumerate(numeric)}
    for place, at in enumerate(discrete):
        columns[at] = _levels(schema.columns[at].levels)[block.codes[:, place]]
    used = [columns[at] for at in sorted(columns)]
    if used and all(values.dtype.kind == "f" for values in used):
        return np.column_stack(used)
    return _frame({schema.columns[at].name: columns[at] for at in sorted(columns)})


def _levels(levels: Any) -> Array:
    """(slots,): what stands for each code in a table; a level that was never seen is as good as missing."""
    if numeric_levels(levels):
        return np.array([*map(float, levels), np.nan, np.nan])
    out = np.full(len(levels) + 2, None, dtype=object)
    out[:-2] = levels
    return out


def _frame(columns: dict[str, Array]) -> Any:
    try:
        import pandas as pd
    except ImportError:
        return np.column_stack([values.astype(object) for values in columns.values()])
    return pd.DataFrame(columns)


def votes_of(member: Any, rows: Any, classes: int) -> Floats:
    """(rows, classes): 1 for the class that a fitted estimator decides for."""
    return np.eye(classes)[np.asarray(member.predict(rows)).astype(np.intp)]


def shares_of(member: Any, rows: Any, classes: int) -> Floats:
    """(rows, classes): the probabilities of a fitted estimator, 0 of classes that it never met; else its votes."""
    if not hasattr(member, "predict_proba"):
        return votes_of(member, rows, classes)
    out = np.zeros((len(rows), classes))
    out[:, np.asarray(member.classes_).astype(np.intp)] = member.predict_proba(rows)
    return out


def takes_weights(estimator: Any) -> bool:
    """Whether fit takes the weights of rows: that of an estimator, or of the last step of a pipeline."""
    steps = getattr(estimator, "steps", None)
    known = inspect.signature((steps[-1][1] if steps else estimator).fit).parameters
    return "sample_weight" in known or any(one.kind is one.VAR_KEYWORD for one in known.values())


def fitted_copy(estimator: Any, rows: Any, cells: Array, weights: Floats, seed: int) -> Any:
    """A copy of an estimator, fitted on the rows that have a weight.

    Whole weights are rows repeated, for estimators that take no weights.
    """
    from sklearn.base import clone

    fresh = clone(estimator, safe=False)
    _sow(fresh, seed)
    at = np.flatnonzero(weights) if takes_weights(fresh) else np.repeat(np.arange(len(cells)), weights.astype(np.intp))
    some = rows if len(at) == len(cells) and (at == np.arange(len(at))).all() else _taken(rows, at)
    name = f"{fresh.steps[-1][0]}__sample_weight" if hasattr(fresh, "steps") else "sample_weight"
    weighing = {name: weights[at]} if takes_weights(fresh) else {}
    try:
        return fresh.fit(some, cells[at], **weighing)
    except LikelyError:
        raise
    except (ValueError, TypeError) as error:
        hint = "it sees the rows as a table with missing values; try it on them alone, or use the trees that are usual"
        message = f"{type(fresh).__name__} cannot learn from these rows: {str(error).partition(chr(10))[0]}"
        raise ModelError("M382", message, place="estimator=", hint=hint) from error


def _sow(estimator: Any, seed: int) -> None:
    """A seed for every part of an estimator that draws, so that its rounds differ and can be had again."""
    names = [name for name in estimator.get_params() if name == "random_state" or name.endswith("__random_state")]
    estimator.set_params(**dict.fromkeys(sorted(names), seed))


def _taken(rows: Any, at: Array) -> Any:
    return rows.iloc[at] if hasattr(rows, "iloc") else rows[at]
