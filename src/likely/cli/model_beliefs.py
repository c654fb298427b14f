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
        return LearntPart("coefficients", _cut(repr(table), "coefficients"), table.to_dict(), _drawn(model))
    return None


def _drawn(model: Any) -> Callable[[], Any] | None:
    """What draws coefficients of a numeric target; those of classes are a nomogram."""
    return None if hasattr(model, "classes_") else model.plot


def _cut(text: str, what: str) -> str:
    """The first lines of a long text."""
    lines = text.splitlines()
    more = (
        [f"... and {len(lines) - LINES_SHOWN:,} more lines; --json has all {what}"] if len(lines) > LINES_SHOWN else []
    )
    return "\n".join([*lines[:LINES_SHOWN], *more])
