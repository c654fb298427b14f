"""Marks of what is missing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from likely.core.reading import Reading

# What pandas takes as missing, so that a file means the same to both; the question mark of many a data archive; and
# what Excel writes where a formula fails.
MISSING_MARKS = (
    *("", "?", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>"),
    *("NULL", "null", "NaN", "nan", "-NaN", "-nan", "None", "\\N"),
    *("#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!"),
)
# Marks that are words as any other, where a column does not hold numbers, dates or truth values.
MARKS_AMONG_VALUES = (
    *("-", "--", "---", "–", "—", ".", "..", "...", "…", "*", "**", "#", ":", "/", "NAN"),
    *("(D)", "(NA)", "(S)", "(X)"),  # of statistical offices: withheld, not available, suppressed, not applicable
    *("na", "n.a.", "N.A.", "n.a", "N.A", "n/d", "N/D", "nd", "ND", "s/d", "k.A.", "k. A.", "k.a.", "keine Angabe"),
    *("none", "NONE", "Null", "missing", "Missing", "MISSING", "unknown", "Unknown", "UNKNOWN", "TBD", "tbd"),
    *("not available", "Not available", "not applicable", "Not applicable", "no data", "No data"),
    *("n.p.", "np", "n.c."),
    *("brak", "bd", "b.d.", "н/д", "нет данных", "yok", "belirsiz", "puuttuu", "saknas", "uppgift saknas"),
    *("該当なし", "未回答", "なし", "غير متوفر", "해당없음"),
    *("blank", "Blank", "(blank)", "(null)"),
    *("未知", "不详", "缺失", "暂无", "空", "不明", "未填"),
)
DASH_MARKS = ("-", "--", "---", "–", "—")
ALL_MARKS = (*MISSING_MARKS, *MARKS_AMONG_VALUES)
MARK_SET = frozenset(ALL_MARKS)


def marks_of(reading: Reading) -> tuple[str, ...]:
    """What stands for a missing value in a column that is read so.

    >>> "-" in marks_of(Reading()), "-" in marks_of(Reading(all_marks=True)), "-" in marks_of(Reading(marks=("-",)))
    (False, True, True)
    """
    known = ALL_MARKS if reading.all_marks else MISSING_MARKS
    return (*(mark for mark in known if mark not in reading.spared), *reading.marks)


def with_marks(reading: Reading, marks: Collection[str]) -> Reading:
    """The reading to which further marks stand for missing values, too."""
    if not marks:
        return reading
    known = {*marks_of(reading)}
    more = tuple(mark for mark in dict.fromkeys(marks) if mark not in known)
    return replace(reading, marks=(*reading.marks, *more)) if more else reading
