"""Marks of what is missing."""

from __future__ import annotations

# What pandas takes as missing, so that a file means the same to both; and the question mark of many a data archive.
MISSING_MARKS = (
    *("", "?", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>"),
    *("NULL", "null", "NaN", "nan", "-NaN", "-nan", "None"),
)
# Marks that are words as any other, where a column does not hold numbers, dates or truth values.
MARKS_AMONG_VALUES = ("-", "--", "–", "—", ".", "..", "...")
ALL_MARKS = (*MISSING_MARKS, *MARKS_AMONG_VALUES)
