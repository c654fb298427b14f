"""A row that could be otherwise: the moves that change its answer, one at a time or the fewest together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from likely.explanations.columns import middle_and_spread, terms_of
from likely.explanations.flips import Flip, Search, fewest, without_each
from likely.explanations.items import Item
from likely.explanations.short import shorter
from likely.explanations.weights import possible
from likely.models import Classifier
from likely.numerics import Floats, log_sum_exp
from likely.refusals import LARGEST
from likely.schema import DISCRETE, NUMERIC


class Move(NamedTuple):
    """An item, by its place, what it becomes, what it then says (classes,), and how far that is."""

    place: int
    after: Any
    terms: Floats
    distance: float


@dataclass(frozen=True, eq=False)
class Scene:
    """present (1 + items, classes): what the prior and each item say now; the flip is what is asked for."""

    model: Classifier
    flip: Flip
    items: Sequence[Item]
    present: Floats

    def after(self, moves: Sequence[Move]) -> Scene:
        """The scene once these moves are made."""
        present = self.present.copy()
        for move in moves:
            present[1 + move.place] = move.terms
        return replace(self, present=present)

    def outcome(self) -> tuple[int, float]:
        """The likeliest class, and its probability."""
        joint = possible(self.present.sum(axis=0), self.flip.log_prior)
        best = int(joint.argmax())
        return best, float(np.exp(joint[best] - log_sum_exp(joint)))

    def alone(self) -> Iterator[list[Move]]:
        """What each column does by itself: one move, or as many as there are words to take out of its text."""
        every = range(len(self.items))
        yield from ([move] for move in self.numbers(every))
        rest = without_each(self.present)[1:]
        for place in every:
            if self.items[place].kind in DISCRETE or self._wide(place):
                yield from ([move] for move in self._level(place, rest[place]))
        texts = dict.fromkeys(self.items[place].column for place in every if self._text(place))
        for column in texts:
            moves = self.fewest([place for place in every if self.items[place].column == column])
            if moves:
                yield moves

    def numbers(self, places: Sequence[int]) -> Iterator[Move]:
        """The numeric items that make the change alone, by their nearest numbers."""
        mine = {self.items[place].column: place for place in places if self.items[place].kind in NUMERIC}
        rest = without_each(self.present)[1:]
        now = {at: np.nan if (x := self.items[place].before) is None else float(x) for at, place in mine.items()}
        found = Search(self.model, self.flip, {at: rest[place] for at, place in mine.items()}).nearest(now)
        terms = terms_of(self.model, {at: np.array([value]) for at, (value, _) in found.items()})
        for at, (value, distance) in found.items():
            yield Move(mine[at], value, terms[at][0], distance)

    def fewest(self, places: Sequence[int]) -> list[Move]:
        """The fewest of these items that make the change together; none if they do not."""
        mine = np.array(places, dtype=np.int64)
        others = np.delete(self.present, 1 + mine, axis=0).sum(axis=0)
        plan = fewest(self.flip, np.vstack([others, self.present[1 + mine]]), [self.items[at].options for at in places])
        return [self._move(places[item], choice) for item, choice in plan]

    def together(self) -> list[Move]:
        """The fewest items that make the change, the last of them by no more than it takes."""
        moves = self.fewest(range(len(self.items)))
        if not moves:
            return []
        *first, last = moves
        before = self.after(first)
        if self.items[last.place].kind in NUMERIC:
            return [*first, next(before.numbers([last.place]), last)]
        rest = without_each(before.present)[1 + last.place]
        return [*first, next(before._level(last.place, rest), last)]

    def shortened(self, moves: Sequence[Move]) -> dict[int, float]:
        """For the place of each number that moves: one in few digits; with all of them the answer is the same.

        The last one is first: it was moved no more than it takes, and rounded further it gives room to the others.
        """
        now, found, tries = self.after(moves), {}, {}
        mine = {self.items[move.place].column: move for move in moves if self.items[move.place].kind in NUMERIC}
        for at, move in mine.items():
            (middle, spread), before = self._seen[at], self.items[move.place].before
            numbers = shorter(float(move.after), middle if before is None else float(before), spread)
            tries[at] = numbers[np.abs(numbers) <= LARGEST]
        terms, (answer, _) = terms_of(self.model, tries), now.outcome()
        for at, move in reversed(mine.items()):
            joint = np.delete(now.present, 1 + move.place, axis=0).sum(axis=0) + terms[at]
            same = (self.flip.lead(joint) > 0) & (possible(joint, self.flip.log_prior).argmax(axis=1) == answer)
            best = int(same.argmax()) if same.any() else len(same) - 1
            found[move.place] = float(tries[at][best])
            now.present[1 + move.place] = terms[at][best]
        return found

    def _level(self, place: int, rest: Floats) -> Iterator[Move]:
        """The commonest level that makes the change, given what all else says."""
        item = self.items[place]
        made = np.flatnonzero(self.flip.lead(rest + item.options) > 0)
        if len(made):
            common = log_sum_exp(item.options[made] + self.flip.log_prior)
            yield self._move(place, int(made[common.argmax()]))

    def _move(self, place: int, choice: int) -> Move:
        item = self.items[place]
        distance = 1.0
        if item.kind in NUMERIC:
            middle, spread = self._seen[item.column]
            distance = abs(item.choices[choice] - (middle if item.before is None else item.before)) / (spread or 1.0)
        return Move(place, item.choices[choice], item.options[choice], float(distance))

    @cached_property
    def _seen(self) -> dict[int, tuple[float, float]]:
        return middle_and_spread(self.model, self.model.schema.of(*NUMERIC))

    def _wide(self, place: int) -> bool:
        return self.model.schema.columns[self.items[place].column].wide

    def _text(self, place: int) -> bool:
        return self.items[place].kind == "text" and not self._wide(place)
