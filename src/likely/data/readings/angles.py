"""Places on earth as numbers of degrees: 52.52N, 13°24'18"E, W 70.6; those of the south and the west are below zero."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.core.reading import ANGLE, Reading
from likely.data.readings.numbers import MOST_MISFITS

_PART = r"\d{1,2}(?:[.,]\d+)?"
_PATTERN = (
    r"^(?P<front>[NSEW]?) ?(?P<D>\d{1,3}(?:[.,]\d+)?) ?[°º:]? ?"
    rf"(?:(?P<M>{_PART}) ?['′’]? ?(?:(?P<S>{_PART}) ?(?:[\"″”]|''|’’)? ?)?)?(?P<back>[NSEW]?)$"
)
_OUTLINE = re.compile(_PATTERN)
_AXES = ({"N": 1, "S": -1}, {"E": 1, "W": -1})
_MOST_DEGREES = (90.0, 180.0)  # along each
_CLEAR = re.compile(r"[°º]|\d[.,]\d\d")  # else 12E and 5W are houses, sizes and watts
_CLEAR_ALONE = re.compile(r"[°º]|\d[.,]\d\d\d+ ?[NSE]?$")  # where all are on one side
_DEGREES = {"D": 1.0, "M": 1 / 60, "S": 1 / 3600}


def tell_angles(texts: Mapping[str, int], numbers: int) -> Reading | None:
    """The reading of a column nearly all texts of which are latitudes, or longitudes.

    >>> print(tell_angles({"52.52N": 3, "33.87S": 1}, 0), tell_angles({"5W": 1, "40W": 1}, 0))
    degrees (S and W below 0) None
    """
    found = {text: match for text in texts if (match := _OUTLINE.match(text))}
    letters = {match["front"] or match["back"] for match in found.values()}
    axis = next((axis for axis in _AXES if letters and letters <= axis.keys()), None)
    clear = _CLEAR if len(letters) > 1 else _CLEAR_ALONE
    if axis is None or not all(map(clear.search, found)):
        return None
    told = sum(texts[text] for text in found)
    return Reading(ANGLE, all_marks=True) if told >= (1 - MOST_MISFITS) * (numbers + sum(texts.values())) else None


def may_be_angles(texts: Collection[str]) -> bool:
    """Whether one of a few texts has the letter of a side of the world, and is otherwise a number of degrees."""
    return any(match["front"] or match["back"] for match in map(_OUTLINE.match, texts) if match)


def read_angles(texts: Any) -> Floats:
    """(texts,): degrees; NaN where a text is no place.

    >>> import pyarrow as pa
    >>> read_angles(pa.array(["52.5N", "W 70,25", "13°30'36\\"E", "95.1S", "x"])).tolist()
    [52.5, -70.25, 13.51, nan, nan]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    found = pc.extract_regex(texts, _PATTERN)
    valid = found.is_valid().to_numpy(zero_copy_only=False)

    def part(name: str) -> Any:
        return pc.fill_null(pc.struct_field(found, name), "")

    parts = {}
    for name in _DEGREES:
        text = part(name)
        number = pc.if_else(pc.equal(text, ""), "0", pc.replace_substring(text, ",", ".")).cast(pa.float64())
        parts[name] = number.to_numpy(zero_copy_only=False)
    degrees: Floats = sum(worth * parts[name] for name, worth in _DEGREES.items())
    letters = pc.binary_join_element_wise(part("front"), part("back"), "").to_numpy(zero_copy_only=False)
    side = np.zeros(len(degrees))
    most = np.full(len(degrees), max(_MOST_DEGREES))
    for axis, limit in zip(_AXES, _MOST_DEGREES, strict=True):
        for letter, sign in axis.items():
            here = letters == letter
            side[here], most[here] = sign, limit
    valid &= (side != 0) & (degrees <= most) & (parts["M"] < 60) & (parts["S"] < 60)
    return np.where(valid, side * degrees, np.nan)
