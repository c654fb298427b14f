"""What a column of text holds, told from what all its cells show."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from likely.core.reading import DATE, TIME, TRUTH, WORDS, Reading
from likely.data.readings.column_texts import ColumnTexts
from likely.data.readings.dates import LAYOUTS, pattern, read_dates


def tell(seen: ColumnTexts) -> Reading:
    """How a column is to be read; words where it is nothing else, or holds nothing.

    >>> from collections import Counter
    >>> tell(ColumnTexts(texts=Counter({"2024-02-01": 3, "2024-02-29": 1})))
    Reading(form='date', layout='y-m-d', all_marks=True)
    """
    if not seen.texts:
        return Reading(seen.plain if seen.numbers else WORDS, all_marks=True)
    if seen.numbers:
        return Reading()
    if {text.lower() for text in seen.texts} <= {"true", "false"}:
        return Reading(TRUTH, all_marks=True)
    return _dates(seen) or Reading()


def _dates(seen: ColumnTexts) -> Reading | None:
    """Dates of a layout that all texts have."""
    import pyarrow as pa

    some = next(iter(seen.texts))
    layouts = [layout for layout in LAYOUTS if re.match(pattern(layout), some)]
    texts: Any = pa.array(list(seen.texts), pa.string()) if layouts else None
    for layout in layouts:
        times, clocked = read_dates(texts, layout)
        if not np.isnat(times).any():
            return Reading(TIME if clocked.any() else DATE, layout, True)
    return None
