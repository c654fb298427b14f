"""A row as items that could be otherwise: a column each, and each word of a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Column
from likely.core.tokens import tokens
from likely.explanations.axis import AXIS_POINTS, axes
from likely.explanations.short_numbers import rounded_away
from likely.explanations.terms import Explanation
from likely.explanations.texts import text_in, words_of
from likely.models import NaiveModel

Range = Mapping[str, tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Item:
    """What a column, or a word of it, is and says (classes,); what it could be and would say (choices, classes).

    A word could only be left out. Numbers could be those of the column's axis, or of a binned column the nearest of
    each bin. `codes` are the choices as a model reads them. Where columns depend on each other, what
    they say here is by class alone. `low` and `high` are the least and the largest number that it could be.
    """

    column: int
    name: str
    kind: str
    before: Any
    present: Floats
    choices: Array
    codes: Array
    options: Floats
    word: str | None = None
    low: float = -np.inf
    high: float = np.inf

    def option(self, code: float) -> Floats:
        """(classes,): what the choice of that code would say."""
        return np.asarray(self.options[int(np.flatnonzero(self.codes == code)[0])])


def items(
    model: NaiveModel, why: Explanation, one: Any, row: int, within: Range, points: int = AXIS_POINTS
) -> list[Item]:
    """The items of one row, from its explanation and from the row itself, of which only texts are read.

    `within` is {column: (low, high)}: what numbers there are; else there are those from the least to the largest seen.
    """
    found: list[Item] = []
    plain = [at for at, column in enumerate(model.schema.columns) if column.kind != "text"]
    lines = dict(zip(plain, axes(model, plain, points), strict=True))
    for at, column in enumerate(model.schema.columns):
        if column.kind == "text":
            found.extend(_words(model, one, at))
            continue
        before = None if why.values is None else why.values[row, at]
        low, high = within.get(column.name, column.span or (-np.inf, np.inf))
        choices, options = lines[at].values, lines[at].terms
        other = (low <= choices) & (choices <= high) if column.kind in NUMERIC else choices != before
        codes = np.flatnonzero(other) if column.kind in DISCRETE else choices[other]
        choices, options = choices[other], options[other]
        if column.kind == "cut":
            choices = np.clip(_nearest_numbers(column, before, codes), low, high)
            there = np.searchsorted(np.array(column.cuts), choices) == codes  # of other parts there are no numbers
            choices, codes, options = choices[there], codes[there], options[there]
        present = why.terms[row, at + 1]
        found.append(Item(at, column.name, column.kind, before, present, choices, codes, options, low=low, high=high))
    return found


def _nearest_numbers(column: Column, before: Any, codes: Array) -> Array:
    """Of each of these parts, the number that is nearest to the part of the value before, in few digits."""
    cuts = np.array(column.cuts)
    now = len(cuts) if before is None else column.levels.index(before)
    found = [cuts[code] if code < now else _just_above(cuts, code - 1) for code in codes.tolist()]
    return np.array(found, dtype=np.float64)


def _just_above(cuts: Floats, at: int) -> float:
    """A number beyond a cut and not beyond the next, a little larger than the cut."""
    wide = cuts[at + 1] - cuts[at] if at + 1 < len(cuts) else np.inf
    tries = rounded_away(float(np.nextafter(cuts[at], np.inf)), float(cuts[at]), float(wide))
    return float(tries[np.searchsorted(cuts, tries) == at + 1][0])


def _words(model: NaiveModel, one: Any, at: int) -> list[Item]:
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
