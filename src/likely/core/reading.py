"""How the text of a column becomes values: a value of its own, which a model keeps to read later rows the same way."""

from __future__ import annotations

from dataclasses import dataclass

WORDS, WHOLE, NUMBER, TRUTH, DATE, TIME = FORMS = ("words", "whole", "number", "truth", "date", "time")


@dataclass(frozen=True)
class Reading:
    """What the cells of a column are, and how they are written.

    >>> Reading("date", layout="d.m.y").form
    'date'
    """

    form: str = WORDS
    layout: str = ""  # of dates: the order of year, month and day, and what stands between them
    all_marks: bool = False  # whether a dash or a point is a missing value: where the others are no words
