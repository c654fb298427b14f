"""A row whose columns depend on each other: it is put to the model again, whole, for every value that is tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from likely.companions.fitted import ClassModel
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.explanations.change_search import Joints, without_each
from likely.explanations.columns import TERMS_AT_A_TIME, block_of
from likely.explanations.proposed_changes import ChangeableRow, RowMove
from likely.explanations.terms import difference, possible_or_priors
from likely.models import Model

MOST_FURTHER_ITEMS = 24  # items that are tried on top of those that have moved: the most telling


@dataclass(frozen=True, eq=False)
class BoundRow(ChangeableRow):
    """`asked` is the model, and `row` the values now, codes of levels or numbers; `present` holds words alone.

    Texts depend on the class alone in every model, so that words are added and taken away.
    """

    asked: Model | ClassModel
    row: Mapping[int, float]

    def after(self, moves: Sequence[RowMove]) -> Self:
        present, row = self.present.copy(), dict(self.row)
        for move in moves:
            item = self.items[move.place]
            if item.kind == "text":
                present[1 + move.place] = item.option(move.code)
            else:
                row[item.column] = move.code
        return replace(self, present=present, row=row)

    @cached_property
    def _base(self) -> Floats:
        """(classes,): the joint of the prior and all columns but the texts."""
        return np.asarray(self._ask(1, {at: np.array([value]) for at, value in self.row.items()})[0])

    def _ask(self, rows: int, values: Mapping[int, Array]) -> Floats:
        out = np.tile(self.flip.log_prior, (rows, 1))
        self.asked.add(block_of(self.asked.schema, values, rows), out)
        return out

    def edges(self, at: int) -> Floats:
        jumps = self.asked.edges(at) if isinstance(self.asked, ClassModel) else np.empty(0)
        return np.concatenate([super().edges(at), jumps])

    def without(self, places: Sequence[int]) -> Floats:
        return self._base + super().without(places)

    def joints(self, values: Mapping[int, Array]) -> Joints:
        words, step = self.present.sum(axis=0), max(1, TERMS_AT_A_TIME // max(1, len(self.row) * self.present.shape[1]))
        columns = np.repeat(list(values), [len(mine) for mine in values.values()])
        every = np.concatenate([*values.values(), np.zeros(0)])
        first = dict(zip(values, np.cumsum([0, *map(len, values.values())]), strict=False))
        for start in range(0, len(every), step):
            mine, tried = columns[start : start + step], every[start : start + step]
            rows = {at: np.where(mine == at, tried, value) for at, value in self.row.items()}
            said = self._ask(len(tried), rows) + words
            for at in np.unique(mine).tolist():
                where = np.flatnonzero(mine == at)
                yield (at,), start + int(where[0]) - int(first[at]), said[where, None]

    def choices(self, places: Sequence[int]) -> Iterator[tuple[int, Floats]]:
        words = [place for place in places if self.items[place].kind == "text"]
        rest = self._base + without_each(self.present)[1:]
        yield from ((place, rest[place] + self.items[place].options) for place in words)
        columns = {self.items[place].column: place for place in places if self.items[place].kind in DISCRETE + NUMERIC}
        found = {at: np.empty((len(self.items[place].codes), rest.shape[1])) for at, place in columns.items()}
        for (at,), start, joints in self.joints({at: self.items[place].codes for at, place in columns.items()}):
            found[at][start : start + len(joints)] = joints[:, 0]
        yield from ((columns[at], joints) for at, joints in found.items())

    def fewest(self, places: Sequence[int]) -> list[RowMove]:
        if all(self.items[place].kind == "text" for place in places):
            return super().fewest(places)
        plans = [plan for goal in self.flip.goals if (plan := self._plan(goal, places))]
        return min(plans, key=len, default=[])

    def _plan(self, goal: int, places: Sequence[int]) -> list[RowMove]:
        """Moves, each the most telling for the goal after those before it, until the change is made."""
        now, moves, left = self, [], list(places)
        while left:
            known = possible_or_priors(now.without([]), self.flip.log_prior)
            rival = self.flip.rival(known, goal)
            told = []
            for place, joints in now.choices(left):
                odds = difference(joints[:, goal], joints[:, rival])
                told += [(float(odds.max()), place, int(odds.argmax()))] if len(odds) else []
            told.sort(key=lambda one: -one[0])
            if not told or not told[0][0] > difference(known[[goal]], known[[rival]])[0]:
                return []
            _, best, choice = told[0]
            moves.append(now.move(best, choice))
            now, left = now.after(moves[-1:]), [place for _, place, _ in told[1 : MOST_FURTHER_ITEMS + 1]]
            if self.flip.lead(now.without([])) > 0:
                return moves
        return []


def row_of(schema: Schema, values: Array | None, row: int) -> dict[int, float]:
    """The values of an explained row as the model reads them, by column: codes of levels, or numbers."""
    found: dict[int, float] = {}
    for at in schema.of(*DISCRETE, *NUMERIC):
        assert values is not None, "only a matrix of words has no values"
        value, column = values[row, at], schema.columns[at]
        found[at] = _code(column.levels, value) if column.kind in DISCRETE else np.nan if value is None else value
    return found


def _code(levels: Sequence[Any], value: Any) -> int:
    """The place of a level; after the levels come missing, then unseen."""
    if value is None:
        return len(levels)
    return levels.index(value) if value in levels else len(levels) + 1
