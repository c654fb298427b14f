"""Marks of what is missing."""

from __future__ import annotations

# What pandas takes as missing, so that a file means the same to both; the question mark of many a data archive; and
# what Excel writes where a formula fails.
MISSING_MARKS = (
    *("", "?", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>"),
    *("NULL", "null", "NaN", "nan", "-NaN", "-nan", "None"),
    *("#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!"),
)
# Marks that are words as any other, where a column does not hold numbers, dates or truth values.
MARKS_AMONG_VALUES = (
    *("-", "--", "---", "–", "—", ".", "..", "...", "*", "**", "#"),
    *("na", "n.a.", "N.A.", "n.a", "N.A", "n/d", "N/D", "nd", "ND", "s/d", "k.A.", "k. A.", "k.a.", "keine Angabe"),
    *("none", "NONE", "Null", "missing", "Missing", "MISSING", "unknown", "Unknown", "UNKNOWN", "TBD", "tbd"),
    *("not available", "Not available", "not applicable", "Not applicable", "no data", "No data"),
    *("blank", "Blank", "(blank)", "(null)"),
    *("未知", "不详", "缺失", "暂无", "空", "不明", "未填"),
)
ALL_MARKS = (*MISSING_MARKS, *MARKS_AMONG_VALUES)
