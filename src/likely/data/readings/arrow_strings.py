"""The letters of many texts at once, as Arrow holds them: where each begins, what it begins and ends with."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.data.readings.missing_marks import MISSING_MARKS

_BEGINNINGS = np.zeros(256, dtype=bool)  # what begins a blank, a letter beyond ASCII, or a mark
_BEGINNINGS[[*range(33), *range(128, 256), *(mark.encode()[0] for mark in MISSING_MARKS if mark)]] = True
_LONGEST_MARK = max(map(len, MISSING_MARKS))


def text_places(texts: Any) -> Array:
    """(texts + 1,): where each begins among the letters of all, and the end."""
    if not len(texts):
        return np.zeros(1, np.int32)
    size = np.int32 if str(texts.type) == "string" else np.int64  # of large strings
    return np.frombuffer(texts.buffers()[1], size)[texts.offset : texts.offset + len(texts) + 1]


def are_plain(texts: Any) -> bool:
    """Whether it is plain from their first and last letters that no text is empty, a mark, or has blanks around it.

    >>> import pyarrow as pa
    >>> [are_plain(pa.array(texts)) for texts in (["red", None, "Nile river"], ["red", "NA"], ["red "], [""])]
    [True, False, False, False]
    """
    places = text_places(texts)
    begin, end = places[:-1], places[1:]
    if texts.null_count:
        there = texts.is_valid().to_numpy(zero_copy_only=False)
        begin, end = begin[there], end[there]
    sizes = end - begin
    if not sizes.all():
        return False
    data = np.frombuffer(texts.buffers()[2], np.uint8) if len(sizes) else np.empty(0, np.uint8)
    first, last = data[begin], data[end - 1]
    if (last <= 32).any() or (last >= 128).any():
        return False
    doubtful = _BEGINNINGS[first]
    return not doubtful.any() or not (doubtful & ((sizes <= _LONGEST_MARK) | (first <= 32) | (first >= 128))).any()
