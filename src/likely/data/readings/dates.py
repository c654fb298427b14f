"""Dates and times as they are written: each layout a pattern, read for many texts at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array

# The layouts of dates, those that leave no doubt first; a day comes before a month where both fit, as in most lands.
LAYOUTS = ("y-m-d", "y/m/d", "d/m/y", "m/d/y", "d-m-y", "m-d-y", "d.m.y")
_PARTS = {"y": r"(?P<y>\d{4})", "m": r"(?P<m>\d{1,2})", "d": r"(?P<d>\d{1,2})"}
_CLOCK = r"(?:[T ](?P<H>\d{1,2}):(?P<M>\d{2})(?::(?P<S>\d{2})(?:[.,](?P<f>\d{1,9}))?)?(?P<z>Z|[+-]\d{2}:?\d{2})?)?"
_DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


def pattern(layout: str) -> str:
    """A layout as a regular expression, with or without a clock behind."""
    return "^" + "".join(_PARTS.get(letter, f"[{letter}]") for letter in layout) + _CLOCK + "$"


def read_dates(texts: Any, layout: str) -> tuple[Array, Array]:
    """(texts,) microseconds since 1970, and whether each has a clock; NaT where a text is no date of this layout."""
    import pyarrow.compute as pc

    found = pc.extract_regex(texts, pattern(layout))
    valid = found.is_valid().to_numpy(zero_copy_only=False)

    def part(name: str) -> Array:
        told = pc.fill_null(pc.struct_field(found, name), "")
        return np.asarray(pc.cast(pc.if_else(pc.equal(told, ""), "0", told), "int64"))

    years, months, days, hours, minutes, seconds = (part(name) for name in "ymdHMS")
    leap = (years % 4 == 0) & ((years % 100 != 0) | (years % 400 == 0))
    long = _DAYS[np.clip(months, 1, 12) - 1] + (leap & (months == 2))
    valid &= (years > 0) & (months >= 1) & (months <= 12) & (days >= 1) & (days <= long)
    valid &= (hours < 24) & (minutes < 60) & (seconds < 60)
    first = np.datetime64("0000-01-01", "M") + np.where(valid, years * 12 + months - 1, 0)
    whole = first.astype("datetime64[D]") + np.where(valid, days - 1, 0)
    clock = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000
    fraction = pc.fill_null(pc.struct_field(found, "f"), "")
    clock += pc.cast(pc.utf8_slice_codeunits(pc.utf8_rpad(fraction, 6, "0"), 0, 6), "int64").to_numpy(
        zero_copy_only=False
    )
    clock -= 60_000_000 * _offset(pc.fill_null(pc.struct_field(found, "z"), ""))
    times = whole.astype("datetime64[us]") + np.where(valid, clock, 0)
    clocked = pc.not_equal(pc.fill_null(pc.struct_field(found, "H"), ""), "").to_numpy(zero_copy_only=False)
    return np.where(valid, times, np.datetime64("NaT")), clocked


def _offset(zones: Any) -> Array:
    """(texts,): how many minutes each is ahead of Greenwich."""
    told = np.array([0 if z in ("", "Z") else int(z[0] + z[1:3]) * 60 + int(z[0] + z[-2:]) for z in zones.to_pylist()])
    return told.astype(np.int64)
