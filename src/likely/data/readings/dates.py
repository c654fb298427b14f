"""Dates and times as they are written: each layout a pattern, read for many texts at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from likely.core.numerics import Array

MONTH_SPELLINGS = (
    "jan january januar janvier janv enero ene januari gennaio gen",
    "feb february februar février févr fevrier febrero februari febbraio",
    "mar march märz mär mars marzo maart mrt",
    "apr april avril avr abril abr aprile",
    "may mai mayo mei maggio mag",
    "jun june juni juin junio giugno giu",
    "jul july juli juillet juil julio luglio lug",
    "aug august août aout agosto ago augustus",
    "sep september sept septembre septiembre settembre set",
    "oct october oktober okt octobre octubre ottobre ott",
    "nov november novembre noviembre",
    "dec december dezember dez décembre déc diciembre dic dicembre",
)
_MONTH_OF = {name: at for at, names in enumerate(MONTH_SPELLINGS, 1) for name in names.split()}
_PIECES = {
    "yy": r"(?P<y>\d{2})",
    "y": r"(?P<y>\d{4})",
    "mon": r"(?P<m>\pL{3,10})\.?",
    "m": r"(?P<m>\d{1,2})",
    "d": r"(?P<d>\d{1,2})(?:st|nd|rd|th)?",
}
_WEEKDAY = r"(?:\pL{2,10}\.?,? )?"
_TIME_OF_DAY = (
    r"(?:(?:T|,? )(?P<H>\d{1,2}):(?P<M>\d{2})(?::(?P<S>\d{2})(?:[.,](?P<f>\d{1,9}))?)? ?"
    r"(?P<half>(?i:am|pm|a\.m\.|p\.m\.)?) ?(?P<z>Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
COMPACT = "ymd"  # with the digits of a clock right behind, where there is one
_COMPACT_DATE = (
    r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})"
    r"(?:[T ]?(?P<H>\d{2}):?(?:(?P<M>\d{2}):?(?:(?P<S>\d{2})(?:[.,](?P<f>\d{1,9}))?)?)?)?"
    r"(?P<half>)(?P<z>Z|UTC|GMT|[+-]\d{2}:?\d{2})?"
)
OF_SERVERS = "d/mon/y"  # in whose logs a colon stands before the clock
PIVOT = 69  # years of two digits from here on are of the last century, as POSIX has it
ZERO_DATE = re.compile("0000-00-00.*")  # what some databases write where nothing is known
_DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


def pattern(layout: str) -> str:
    """A layout as a regular expression of Arrow's, with or without a clock behind."""
    pieces = re.split(r"(yy|y|mon|m|d)", layout)
    if layout == COMPACT:
        return f"^{_COMPACT_DATE}$"
    clock = _TIME_OF_DAY.replace("T|", "T|:|", 1) if layout == OF_SERVERS else _TIME_OF_DAY
    body = "".join(_PIECES.get(piece, re.escape(piece)) for piece in pieces)
    return "^" + (_WEEKDAY if "mon" in layout and layout[0] in "dm" else "") + body + clock + "$"


@cache
def _outline(layout: str) -> re.Pattern[str]:
    """The same for Python, which knows letters by another name."""
    return re.compile(pattern(layout).replace(r"\pL", r"[^\W\d_]"))


def may_be_dates(texts: Iterable[str], layout: str) -> bool:
    """Whether one of a few texts looks like a date of this layout."""
    return any(map(_outline(layout).match, texts))


def read_dates(texts: Any, layout: str) -> tuple[Array, Array]:
    """(texts,) microseconds since 1970, and whether each has a clock; NaT where a text is no date of this layout."""
    import pyarrow.compute as pc

    found = pc.extract_regex(texts, pattern(layout))
    valid = found.is_valid().to_numpy(zero_copy_only=False)

    def texts_of(name: str) -> Any:
        return pc.fill_null(pc.struct_field(found, name), "")

    def part(name: str) -> Array:
        told = texts_of(name)
        return np.asarray(pc.cast(pc.if_else(pc.equal(told, ""), "0", told), "int64"))

    years, hours, minutes, seconds = (part(name) for name in "yHMS")
    if "yy" in layout:
        years = years + np.where(years >= PIVOT, 1900, 2000)
    months = _months(texts_of("m")) if "mon" in layout else part("m")
    days = part("d") if "d" in layout else np.ones(len(months), dtype=np.int64)
    leap = (years % 4 == 0) & ((years % 100 != 0) | (years % 400 == 0))
    long = _DAYS[np.clip(months, 1, 12) - 1] + (leap & (months == 2))
    half = pc.utf8_lower(pc.utf8_slice_codeunits(texts_of("half"), 0, 1)).to_numpy(zero_copy_only=False)
    halved = half != ""
    valid &= (years > 0) & (months >= 1) & (months <= 12) & (days >= 1) & (days <= long)
    valid &= (hours < 24) & (minutes < 60) & (seconds < 60) & (~halved | ((hours >= 1) & (hours <= 12)))
    hours = np.where(halved, hours % 12 + 12 * (half == "p"), hours)
    first = np.datetime64("0000-01-01", "M") + np.where(valid, years * 12 + months - 1, 0)
    whole = first.astype("datetime64[D]") + np.where(valid, days - 1, 0)
    clock = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000
    clock += pc.cast(pc.utf8_slice_codeunits(pc.utf8_rpad(texts_of("f"), 6, "0"), 0, 6), "int64").to_numpy(
        zero_copy_only=False
    )
    clock -= 60_000_000 * _offset(texts_of("z"))
    times = whole.astype("datetime64[us]") + np.where(valid, clock, 0)
    clocked = pc.not_equal(texts_of("H"), "").to_numpy(zero_copy_only=False)
    return np.where(valid, times, np.datetime64("NaT")), clocked


def _months(names: Any) -> Array:
    """(names,): which month each is, 0 where it is none."""
    return np.array([_MONTH_OF.get(name.lower(), 0) for name in names.to_pylist()], dtype=np.int64)


def _offset(zones: Any) -> Array:
    """(texts,): how many minutes each is ahead of Greenwich."""
    told = np.array(
        [int(z[0] + z[1:3]) * 60 + int(z[0] + z[-2:]) if z[:1] in ("+", "-") and z else 0 for z in zones.to_pylist()]
    )
    return told.astype(np.int64)
