"""Marks of what is missing."""

from __future__ import annotations

# What pandas takes as missing, so that a file means the same to both.
MISSING_MARKS = ("", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NULL", "null", "NaN", "nan", "-NaN", "-nan", "None")
