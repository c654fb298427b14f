"""Durations and times of the day as numbers of hours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from likely.core.date_layouts import DURATION_LAYOUTS
from likely.core.numerics import Floats

_WITH_COLONS = (
    r"^(?P<minus>[-−]?)(?:(?P<D>\d+) ?(?:d|days?),? ?)?(?P<H>\d{1,4}):(?P<M>[0-5]\d)"
    r"(?::(?P<S>[0-5]\d(?:[.,]\d{1,9})?))? ?(?P<half>(?i:am|pm|a\.m\.|p\.m\.)?)$"
)
_DECIMAL = r"\d+(?:[.,]\d+)?"
_WITH_UNITS = (
    rf"^(?P<minus>[-−]?)(?i:P?(?:(?P<D>\d+) ?d(?:ays?)?)?,? ?T?(?:(?P<H>{_DECIMAL}) ?h(?:ours?|rs?)?)?,? ?"
    rf"(?:(?P<M>{_DECIMAL}) ?m(?:in(?:utes?|s)?)?)?,? ?(?:(?P<S>{_DECIMAL}) ?s(?:ec(?:onds?|s)?)?)?)(?P<half>)$"
)
_PATTERNS = dict(zip(DURATION_LAYOUTS, (_WITH_COLONS, _WITH_UNITS), strict=True))
_HOURS = {"D": 24.0, "H": 1.0, "M": 1 / 60, "S": 1 / 3600}


_OUTLINES = {layout: re.compile(pattern) for layout, pattern in _PATTERNS.items()}


def may_be_durations(texts: Iterable[str], layout: str) -> bool:
    """Whether one of a few texts looks like a duration of this layout."""
    return any(text and _OUTLINES[layout].match(text) for text in texts)


def read_durations(texts: Any, layout: str) -> Floats:
    """(texts,): hours; NaN where a text is no duration of this layout.

    >>> import pyarrow as pa
    >>> read_durations(pa.array(["1:30", "0:45:00", "1:75", "2:15 PM"]), "h:mm").tolist()
    [1.5, 0.75, nan, 14.25]
    >>> read_durations(pa.array(["2h 30m", "PT90M", "3 days", "x"]), "2h 30m").tolist()
    [2.5, 1.5, 72.0, nan]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    found = pc.extract_regex(texts, _PATTERNS[layout])
    valid = found.is_valid().to_numpy(zero_copy_only=False)

    def part(name: str) -> Any:
        return pc.fill_null(pc.struct_field(found, name), "")

    told = np.zeros(len(texts), dtype=bool)
    hours = np.zeros(len(texts))
    for name, worth in _HOURS.items():
        text = part(name)
        is_told = pc.not_equal(text, "")
        told |= is_told.to_numpy(zero_copy_only=False)
        number = pc.if_else(is_told, pc.replace_substring(text, ",", "."), "0").cast(pa.float64())
        hours += worth * number.to_numpy(zero_copy_only=False)
    half = pc.utf8_lower(pc.utf8_slice_codeunits(part("half"), 0, 1)).to_numpy(zero_copy_only=False)
    halved = half != ""
    valid &= told & (~halved | ((hours >= 1) & (hours < 13)))
    hours = np.where(halved, hours % 12 + 12 * (half == "p"), hours)
    minus = pc.not_equal(part("minus"), "").to_numpy(zero_copy_only=False)
    return np.where(valid, np.where(minus, -hours, hours), np.nan)
