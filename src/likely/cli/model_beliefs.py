"""What a model has learnt, for likely explain without rows: in words, as plain data, and as a picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

LINES_SHOWN = 60  # of a tree or a table that are shown


class LearntPart(NamedTuple):
    """Its name, words and plain data; what draws it, where there is a picture of it."""

    name: str
    words: str
    page: Any
    draw: Callable[[], Any] | None


def learnt_of(model: Any) -> LearntPart | None:
    """The structure, tree, rounds or coefficients of a model; of the others, columns are all that there is to tell."""
    if hasattr(model, "structure_"):
        structure = model.structure_
        return LearntPart("structure", str(structure), structure.to_dict(), structure.plot)
    if hasattr(model, "tree_"):
        page = {
            "text": model.text(),
            "rules": model.rules(),
            "leaves": model.get_n_leaves(),
            "depth": model.get_depth(),
        }
        return LearntPart("tree", _cut(model.text(), "rules"), page, model.plot)
    if hasattr(model, "rounds_"):
        return LearntPart("rounds", str(model.rounds_), model.rounds_.to_dict(), model.rounds_.plot)
    if hasattr(model, "coefficients_"):
        table = model.coefficients_
        return LearntPart("coefficients", _cut(repr(table), "coefficients"), table.to_dict(), _line(model))
    return None


def _line(model: Any) -> Callable[[], Any] | None:
    """What draws a line through values of one number."""
    columns = model.model_.schema.columns
    single = len(columns) == 1 and columns[0].kind in ("real", "count", "parzen")
    return model.plot if single and hasattr(model, "plot") else None


def _cut(text: str, what: str) -> str:
    """The first lines of a long text."""
    lines = text.splitlines()
    more = (
        [f"... and {len(lines) - LINES_SHOWN:,} more lines; --json has all {what}"] if len(lines) > LINES_SHOWN else []
    )
    return "\n".join([*lines[:LINES_SHOWN], *more])
