"""A row as items that could be otherwise: a column each, and each word of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.explanations.axis import axes
from likely.explanations.texts import text_in, words_of
from likely.explanations.weights import Explanation
from likely.models import Classifier
from likely.numerics import Array, Floats
from likely.schema import DISCRETE
from likely.words import tokens


@dataclass(frozen=True, eq=False)
class Item:
    """What a column, or a word of it, is and says (classes,); what it could be and would say (choices, classes).

    A word could only be left out. Numbers could be those of the column's axis.
    """

    column: int
    name: str
    kind: str
    before: Any
    present: Floats
    choices: Array
    options: Floats
    word: str | None = None


def items(model: Classifier, why: Explanation, one: Any, row: int) -> list[Item]:
    """The items of one row, from its explanation and from the row itself, of which only texts are read."""
    found: list[Item] = []
    plain = [at for at, column in enumerate(model.schema.columns) if column.kind != "text"]
    lines = dict(zip(plain, axes(model, plain), strict=True))
    for at, column in enumerate(model.schema.columns):
        if column.kind == "text":
            found.extend(_words(model, one, at))
            continue
        before = None if why.values is None else why.values[row, at]
        other = lines[at].values != before if column.kind in DISCRETE else np.ones(len(lines[at].values), dtype=bool)
        choices, options = lines[at].values[other], lines[at].terms[other]
        found.append(Item(at, column.name, column.kind, before, why.terms[row, at + 1], choices, options))
    return found


def _words(model: Classifier, one: Any, at: int) -> list[Item]:
    column, said = model.schema.columns[at], words_of(model, one, at)
    nothing = np.zeros((1, len(model.schema.classes)))
    text = None if column.wide else text_in(one, column.name, at)
    return [
        Item(
            at,
            str(column.levels[number]) if column.wide else column.name,
            "text",
            float(count) if column.wide else text,
            terms,
            np.zeros(1),
            nothing,
            str(column.levels[number]),
        )
        for number, count, terms in zip(said.numbers, said.counts, said.terms, strict=True)
    ]


def text_without(text: str, words: set[str]) -> str:
    """The words of a text but these, in their order.

    >>> text_without("Win a prize, win now!", {"win"})
    'a prize now'
    """
    return " ".join(word for word in tokens(text) if word not in words)
