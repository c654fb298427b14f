"""The changes of a row (counterfactuals) that are proposed: one at a time, or the fewest together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log_sum_exp
from likely.core.schema import DISCRETE, NUMERIC
from likely.core.unusable_rows import LARGEST_NUMBER
from likely.explanations.change_search import Flip, FlipSearch, Joints, fewest, without_each
from likely.explanations.columns import middle_and_spread, pieces, terms_of
from likely.explanations.items import Item
from likely.explanations.short_numbers import rounded_away
from likely.explanations.terms import possible_or_priors
from likely.models import NaiveModel


class RowMove(NamedTuple):
    """An item, by its place, what it becomes (and as which number or code), and how far that is."""

    place: int
    after: Any
    code: float
    distance: float


@dataclass(frozen=True, eq=False)
class ChangeableRow:
    """present (1 + items, classes): what the prior and each item say now; the flip is what is asked for."""

    model: NaiveModel
    flip: Flip
    items: Sequence[Item]
    present: Floats

    def after(self, moves: Sequence[RowMove]) -> Self:
        """The scene once these moves are made."""
        present = self.present.copy()
        numbers = {self.items[move.place].column: move for move in moves if self.items[move.place].kind in NUMERIC}
        terms = terms_of(self.model, {at: np.array([move.code]) for at, move in numbers.items()})
        for move in moves:
            item = self.items[move.place]
            present[1 + move.place] = terms[item.column][0] if item.kind in NUMERIC else item.option(move.code)
        return replace(self, present=present)

    def without(self, places: Sequence[int]) -> Floats:
        """(classes,): what everything says together, but for the items at these places."""
        return np.asarray(np.delete(self.present, [1 + place for place in places], axis=0).sum(axis=0))

    def joints(self, values: Mapping[int, Array]) -> Joints:
        """The joint of the row with each of some values (codes of levels, or numbers) of each column by itself."""
        rest, nothing = without_each(self.present)[1:], np.zeros(self.present.shape[1])
        others = {item.column: rest[place] for place, item in enumerate(self.items) if item.kind != "text"}
        for columns, start, terms in pieces(self.model, values):
            yield columns, start, np.array([others[at] if at in values else nothing for at in columns]) + terms

    def choices(self, places: Sequence[int]) -> Iterator[tuple[int, Floats]]:
        """The places of items, each with the joint (choices, classes) of the row for each of its choices."""
        rest = without_each(self.present)[1:]
        for place in places:
            yield place, rest[place] + self.items[place].options

    def outcome(self) -> tuple[int, float]:
        """The likeliest class, and its probability."""
        joint = possible_or_priors(self.without([]), self.flip.log_prior)
        best = int(joint.argmax())
        return best, float(np.exp(joint[best] - log_sum_exp(joint)))

    def alone(self) -> Iterator[list[RowMove]]:
        """What each column does by itself: one move, or as many as there are words to take out of its text."""
        every = range(len(self.items))
        yield from ([move] for move in self.numbers(every))
        levels = [place for place in every if self.items[place].kind in DISCRETE or self._wide(place)]
        for place, joints in self.choices(levels):
            yield from ([move] for move in self._level(place, joints))
        texts = dict.fromkeys(self.items[place].column for place in every if self._text(place))
        for column in texts:
            moves = self.fewest([place for place in every if self.items[place].column == column])
            if moves:
                yield moves

    def numbers(self, places: Sequence[int]) -> Iterator[RowMove]:
        """The numeric items that make the change alone, by their nearest numbers."""
        mine = {self.items[place].column: place for place in places if self.items[place].kind in NUMERIC}
        now = {at: np.nan if (x := self.items[place].before) is None else float(x) for at, place in mine.items()}
        within = {at: (self.items[place].low, self.items[place].high) for at, place in mine.items()}
        for at, (value, distance) in (
            FlipSearch(self.model, self.flip, self.joints, self.edges).nearest(now, within).items()
        ):
            yield RowMove(mine[at], value, value, distance)

    def edges(self, at: int) -> Floats:
        """The numbers of a column at which answers jump: its cuts, where columns that depend on it change at once."""
        return np.array(self.model.schema.columns[at].cuts or (), dtype=np.float64)

    def fewest(self, places: Sequence[int]) -> list[RowMove]:
        """The fewest of these items that make the change together; none if they do not."""
        mine = np.array(places, dtype=np.int64)
        now = np.vstack([self.without(places), self.present[1 + mine]])
        plan = fewest(self.flip, now, [self.items[at].options for at in places])
        return [self.move(places[item], choice) for item, choice in plan]

    def together(self) -> list[RowMove]:
        """The fewest items that make the change, the last of them by no more than it takes."""
        moves = self.fewest(range(len(self.items)))
        if not moves:
            return []
        *first, last = moves
        before = self.after(first)
        if self.items[last.place].kind in NUMERIC:
            return [*first, next(before.numbers([last.place]), last)]
        ((_, joints),) = before.choices([last.place])
        return [*first, next(before._level(last.place, joints), last)]

    def shortened(self, moves: Sequence[RowMove]) -> dict[int, float]:
        """For the place of each number that moves: one in few digits; with all of them the answer is the same.

        The last one is first: it was moved no more than it takes, and rounded further it gives room to the others.
        """
        now, found = self.after(moves), {}
        answer, _ = now.outcome()
        for move in reversed([move for move in moves if self.items[move.place].kind in NUMERIC]):
            item = self.items[move.place]
            middle, spread = self._seen[item.column]
            start = middle if item.before is None else float(item.before)
            tries = rounded_away(float(move.after), start, spread, both=True)
            tries = tries[(np.abs(tries) <= LARGEST_NUMBER) & (item.low <= tries) & (tries <= item.high)]
            joint = now.joints_of(item.column, tries)
            same = (self.flip.lead(joint) > 0) & (
                possible_or_priors(joint, self.flip.log_prior).argmax(axis=1) == answer
            )
            best = int(same.argmax()) if same.any() else len(same) - 1
            found[move.place] = float(tries[best])
            now = now.after([move._replace(code=tries[best])])
        return found

    def joints_of(self, at: int, values: Array) -> Floats:
        """(values, classes): the joint of the row with each of some values of one column."""
        return np.concatenate([joints[:, columns.index(at)] for columns, _, joints in self.joints({at: values})])

    def _level(self, place: int, joints: Floats) -> Iterator[RowMove]:
        """The commonest level that makes the change; of bins, the nearest."""
        made = np.flatnonzero(self.flip.lead(joints) > 0)
        if len(made):
            common = log_sum_exp(self.items[place].options[made] + self.flip.log_prior)
            away = np.array([self.move(place, int(choice)).distance for choice in made])
            yield self.move(place, int(made[np.lexsort((-common, away))[0]]))

    def move(self, place: int, choice: int) -> RowMove:
        """The move of an item to one of its choices."""
        item = self.items[place]
        distance = 1.0
        if item.kind in NUMERIC:
            middle, spread = self._seen[item.column]
            distance = abs(item.choices[choice] - (middle if item.before is None else item.before)) / (spread or 1.0)
        elif item.kind == "cut" and item.before is not None:
            levels = self.model.schema.columns[item.column].levels
            distance = abs(item.codes[choice] - levels.index(item.before))
        return RowMove(place, item.choices[choice], float(item.codes[choice]), float(distance))

    @cached_property
    def _seen(self) -> dict[int, tuple[float, float]]:
        return middle_and_spread(self.model, self.model.schema.of(*NUMERIC))

    def _wide(self, place: int) -> bool:
        return self.model.schema.columns[self.items[place].column].wide

    def _text(self, place: int) -> bool:
        return self.items[place].kind == "text" and not self._wide(place)
