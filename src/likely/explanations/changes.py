"""What would change the answer: the nearest value of each column that does, or the fewest columns that do.

Changes: row, decided, probability, to (or None), alone (Change, ...) the nearest first, together (Change, ...).
Change: name, before, after, distance, becomes, probability, without (words taken out of a text).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.companions.fitted import ClassModel
from likely.core.numerics import Floats
from likely.core.schema import Day, Level, plain
from likely.errors import OptionError
from likely.explanations.change_search import Flip
from likely.explanations.columns import by_class, held_model
from likely.explanations.dependent_columns import BoundRow, row_of
from likely.explanations.items import Item, Range, items, text_without
from likely.explanations.proposed_changes import ChangeableRow, RowMove
from likely.explanations.terms import Explanation, check_number, check_row, class_place, possible_or_priors
from likely.explanations.texts import one_row
from likely.models import Model, NaiveModel
from likely.output.jsonable import Written, to_jsonable

CHANGES_SHOWN = 12  # changes printed
# Numbers of a column that are tried together with others, where the whole row is asked about for each
NUMBERS_TRIED_TOGETHER = 17


@dataclass(frozen=True)
class Change:
    """A column's value before and after, and the answer that it brings, with its probability.

    `distance`: of numbers in standard deviations of the column, of a level 1, of a bin how many bins it is away, of a
    text how many words are taken out. Of a binned column, `before` is the bin.
    `short`: of a number, what is printed for `after`: a little further, in few digits, and with the same answer.

    >>> import likely
    >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
    >>> model = likely.NaiveBayes().fit(rows, y)
    >>> from likely.explanations import changes
    >>> first = changes(model, rows, 0).alone[0]
    >>> print(first)
    x0: 'sun' -> 'rain'
    >>> first.becomes, first.distance
    ('in', 1.0)
    """

    name: str
    before: Any
    after: Any
    distance: float
    becomes: Level
    probability: float
    without: tuple[str, ...] = ()
    short: float | None = None

    def __str__(self) -> str:
        if self.without:
            return f"{self.name} without {', '.join(map(repr, self.without))}"
        before = (
            self.before if isinstance(self.after, int | float) and isinstance(self.before, str) else _told(self.before)
        )
        return f"{self.name}: {before} -> {_told(self.after) if self.short is None else _exact(self.short)}"


@dataclass(frozen=True)
class Changes(Written):
    """What would change the answer of a row: each of `alone` by itself, or all of `together`.

    `together` is only looked for where no column does it alone.

    >>> import likely
    >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
    >>> model = likely.NaiveBayes().fit(rows, y)
    >>> from likely.explanations import changes
    >>> found = changes(model, rows, 0)
    >>> found.decided, [one.name for one in found.alone]
    ('out', ['x0'])
    """

    row: int
    decided: Level
    probability: float
    to: Level | None
    alone: tuple[Change, ...]
    together: tuple[Change, ...]
    _written = ("row", "decided", "probability", "to", "alone", "together", "words")

    def _page(self) -> Any:
        """A row for each change: those that do it alone, or those that do it together."""
        return to_jsonable(self.alone or self.together)

    @property
    def words(self) -> str:
        """The changes in plain words."""
        head = f"row {self.row} is {self.decided!r} with probability {self.probability:.3f}."
        if self.alone:
            lines = [f"  {one}  ({one.becomes!r} with {one.probability:.3f})" for one in self.alone]
            return "\n".join([f"{head} Any one of these changes the answer:", *lines])
        if self.together:
            end, more = self.together[-1], len(self.together) - CHANGES_SHOWN
            lines = [f"  {one}" for one in self.together[:CHANGES_SHOWN]]
            lines += [f"  and {more} more"] if more > 0 else []
            sum_up = f"  ({end.becomes!r} with {end.probability:.3f})"
            return "\n".join([f"{head} No column alone changes the answer; these together do:", *lines, sum_up])
        goal = "changes the answer" if self.to is None else f"makes it {self.to!r}"
        return f"{head} Nothing that was looked at {goal}."

    def __repr__(self) -> str:
        return self.words


def changes(
    model: Any,
    X: Any,
    row: int = 0,
    to: Any = None,
    top: int = 5,
    within: Range | None = None,
) -> Changes:
    """What would change the answer of a row to another class, or to the class `to`: the `top` nearest single changes.

    Of a number, the nearest that does it, of those between the least and the largest that were seen (or within ten
    standard deviations of the mean, where a model does not know them), printed in few digits; of levels, the commonest
    that does it; of a text, the fewest words to take out. If no column does it alone, the fewest columns together:
    all but the last of them take the most telling value within three standard deviations, the last no more than needed.
    `within` is {column: (low, high)}: what other numbers there are; all of them are looked at, however far they are.

    >>> import likely
    >>> X, y = [["sun", 21.5], ["sun", 25.0], ["rain", 12.0], ["rain", 11.0]], ["out", "out", "in", "in"]
    >>> print(changes(likely.NaiveBayes().fit(X, y), [["sun", 17.0]]))
    row 0 is 'out' with probability 0.723. Any one of these changes the answer:
      x1: 17 -> 15.7  ('in' with 0.500)
      x0: 'sun' -> 'rain'  ('in' with 0.775)
    """
    held, shown = held_model(model), check_number(top, "top=")
    one, at = one_row(X, row)
    why = model.explain(one)
    check_row(at, len(why.terms))
    flip = _asked(held, why.joint[at], to)
    scene = _scene(held, by_class(model), flip, why, one, at, within or {})
    alone = [(_told_as(scene, moves)[0], moves) for moves in scene.alone() if _flips(scene, moves)]
    alone.sort(key=lambda pair: (pair[0].distance, -pair[0].probability))
    found = [_told_as(scene, moves, scene.shortened(moves))[0] for _, moves in alone[:shown]]
    moves = [] if found else scene.together()
    moves = moves if moves and _flips(scene, moves) else []
    together = _told_as(scene, moves, scene.shortened(moves))
    classes, share = held.schema.classes, float(why.proba[at, flip.decided])
    goal = None if flip.to is None else classes[flip.to]
    return Changes(int(row), classes[flip.decided], share, goal, tuple(found), together)


def _scene(
    model: Model | ClassModel, alone: NaiveModel, flip: Flip, why: Explanation, one: Any, row: int, within: Range
) -> ChangeableRow:
    """The row as it is, of any model."""
    if isinstance(model, NaiveModel):
        every = items(model, why, one, row, within)
        return ChangeableRow(model, flip, every, np.vstack([model.log_prior, *(item.present for item in every)]))
    every = items(alone, why, one, row, within, NUMBERS_TRIED_TOGETHER)
    words = [item.present if item.kind == "text" else np.zeros_like(item.present) for item in every]
    present = np.vstack([np.zeros_like(flip.log_prior), *words])
    return BoundRow(alone, flip, every, present, model, row_of(model.schema, why.values, row))


def _asked(model: Model | ClassModel, joint: Floats, to: Any) -> Flip:
    """The change that is asked for."""
    classes = tuple(model.schema.classes)
    if len(classes) < 2:
        hint = "fit the model on rows of two classes or more"
        raise OptionError("O365", f"{classes[0]!r} is the only class", place="model", hint=hint)
    decided = int(possible_or_priors(joint, model.log_prior).argmax())
    goal = None if to is None else class_place(to, classes, "to=")
    if goal == decided:
        hint = "name another class, or none for any other"
        raise OptionError("O371", f"the answer is {classes[decided]!r} already", place="to=", hint=hint)
    return Flip(decided, goal, model.log_prior)


def _flips(scene: ChangeableRow, moves: Sequence[RowMove]) -> bool:
    """Whether the answer is another one then: where two classes are as likely but for rounding, it may not be."""
    return scene.after(moves).outcome()[0] != scene.flip.decided


def _told_as(
    scene: ChangeableRow, moves: Sequence[RowMove], short: Mapping[int, float] | None = None
) -> tuple[Change, ...]:
    """The moves column by column: all words of a text are one change of it."""
    brief = short or {}
    best, share = scene.after(moves).outcome()
    becomes, found = scene.model.schema.classes[best], []
    texts: dict[int, list[Item]] = {}
    for move in moves:
        item = scene.items[move.place]
        if item.word is None or scene.model.schema.columns[item.column].wide:
            after, printed = plain(move.after), brief.get(move.place)
            column = scene.model.schema.columns[item.column]
            if column.date_part == "days":
                day = str(Day(after if printed is None else printed))
                found.append(Change(item.name, item.before and str(item.before), day, move.distance, becomes, share))
            else:
                found.append(Change(item.name, item.before, after, move.distance, becomes, share, short=printed))
        else:
            texts.setdefault(item.column, []).append(item)
    for mine in texts.values():
        gone = tuple(str(item.word) for item in mine)
        after = text_without(mine[0].before, set(gone))
        found.append(Change(mine[0].name, mine[0].before, after, float(len(gone)), becomes, share, gone))
    return tuple(found)


def _told(value: Any) -> str:
    if value is None:
        return "missing"
    return f"{value:.12g}" if isinstance(plain(value), float) else repr(plain(value))


def _exact(number: float) -> str:
    """All digits, so that who types them in has the same number."""
    return repr(number).removesuffix(".0")
