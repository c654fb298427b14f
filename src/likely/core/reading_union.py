"""The readings of a column in two parts as one, by which the text of later rows of either is read where that can be."""

from __future__ import annotations

import re
from dataclasses import replace

from likely.core.currencies import MULTIPLIERS
from likely.core.reading import DATE, DURATION, NUMBER, TIME, Reading
from likely.core.schema import NUMERIC, Column, Schema
from likely.errors import SchemaError
from likely.errors.advice import Advice, Kind

_DATES = (DATE, TIME)
_AMOUNTS = (*NUMERIC, "cut")


def join_readings(left: Column, right: Column) -> Reading | None:
    """How later rows are read: as both parts were, where one reading does that, else as the left one was.

    Readings that mean different things, such as two units or two currencies, are refused.

    >>> dollars = Column("x", "real", reading=Reading(NUMBER, before="$"))
    >>> print(join_readings(dollars, Column("x", "real", reading=Reading(NUMBER, thousands=","))))
    numbers ($ in front, thousands parted by ',')
    """
    return left.reading if (joined := _joined(left, right)) is None else joined[0]


def unlike_readings(left: Schema, right: Schema) -> list[str]:
    """A line for each column that the two parts wrote so that later rows can be read as those of the left one only."""
    pairs = zip((*left.columns, left.target), (*right.columns, right.target), strict=True)
    found = {
        one.origin or one.name: (one, other)
        for one, other in pairs
        if (joined := _joined(one, other)) is not None and not joined[1]
    }
    return [
        f"column {name!r} is {_told(one)} in one model and {_told(other)} in the other: later rows are read as "
        f"{_told(one)}, and are to be written so"
        for name, (one, other) in found.items()
    ]


def _told(column: Column) -> str:
    return str(_reading(column))


def _reading(column: Column) -> Reading:
    """How a column of numbers or dates was read; numbers as programs write them need no reading."""
    return column.reading or Reading(NUMBER, all_marks=True)


def _joined(left: Column, right: Column) -> tuple[Reading | None, bool] | None:
    """The reading of both, and whether it reads the text of both; None where the left one's is kept without a word."""
    if left.reading == right.reading or right.empty:
        return None
    if left.empty:
        return right.reading, True
    if not (left.kind in _AMOUNTS and right.kind in _AMOUNTS) and not (left.origin and right.origin):
        return None
    if left.origin and right.origin and None in (left.reading, right.reading):  # dates that came as such, not as text
        return left.reading or right.reading, True
    one, other = _reading(left), _reading(right)
    if (one.form in _DATES) != (other.form in _DATES) and (left.origin or right.origin):
        raise _of_other_things(left, right)
    if one.form in _DATES:
        form = TIME if TIME in (one.form, other.form) else DATE
        doubt = one.doubt if one.doubt and other.doubt else ""
        return replace(one, form=form, doubt=doubt, marks=_marks(one, other)), one.layout == other.layout
    if {one.form, other.form} == {NUMBER, DURATION} and left.reading and right.reading:
        raise _of_other_things(left, right)
    if one.form != NUMBER or other.form != NUMBER:
        return left.reading, left.reading is None or right.reading is None  # hours that came typed
    return _joined_numbers(left, right)


def _joined_numbers(left: Column, right: Column) -> tuple[Reading | None, bool]:
    one, other = _reading(left), _reading(right)
    mine, yours = ((told.before or told.after) for told in (one, other))
    another = bool(mine and yours) and _singular(mine) != _singular(yours)
    multiplied = one.scaled != other.scaled and {mine, yours} & MULTIPLIERS.keys()
    if another or multiplied:
        raise _of_other_things(left, right)
    separators, alike = _separators(left, right)
    if not alike:
        return left.reading, False
    decimal, thousands = separators
    whole = Reading(
        NUMBER,
        all_marks=True,
        decimal=decimal,
        thousands=thousands,
        before=one.before or other.before,
        after=one.after or other.after,
        scaled=one.scaled or other.scaled,
        footnotes=one.footnotes or other.footnotes,
        doubted=one.doubted or other.doubted,
        ledger=one.ledger or other.ledger,
        marks=_marks(one, other),
    )
    return whole.kept, True


def _separators(left: Column, right: Column) -> tuple[tuple[str, str], bool]:
    """What stands before fractions and what parts thousands, and whether it is so in both parts."""
    one, other = _reading(left), _reading(right)
    mine, yours = (one.decimal, one.thousands), (other.decimal, other.thousands)
    for column, own, others in ((left, mine, yours), (right, yours, mine)):
        if column.whole and own == (".", ""):  # neither is to be seen in it
            return others, True
    if one.decimal != other.decimal:
        return mine, False
    return (one.decimal, one.thousands or other.thousands), len({*mine[1:], *yours[1:]} - {""}) < 2


def _marks(one: Reading, other: Reading) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one.marks, *other.marks)))


def _singular(unit: str) -> str:
    return re.sub(r"s?\.?$", "", unit.casefold()) if len(unit) > 2 else unit


def _of_other_things(left: Column, right: Column) -> SchemaError:
    name = left.origin or right.origin or left.name
    what = f"the column holds {_told(left)} in one part and {_told(right)} in the other"
    hint = Advice("write both files in one unit and form, and fit again; or leave the column out: ", Kind(name, "skip"))
    return SchemaError("S215", what, place=f"column {name!r}", hint=hint)
