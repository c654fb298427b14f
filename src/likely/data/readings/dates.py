"""Dates and times as they are written: each layout of core/date_layouts.py a pattern, read for many texts at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from likely.core.numerics import Array

MONTH_SPELLINGS = (
    "jan january januar janvier janv enero ene januari gennaio gen janeiro ocak oca styczeń stycznia sty "
    "январь января янв",
    "feb february februar février févr fevrier febrero februari febbraio fevereiro fev şubat şub luty lutego lut "
    "февраль февраля фев",
    "mar march märz mär mars marzo maart mrt março marts mart marzec marca март марта мар",
    "apr april avril avr abril abr aprile nisan nis kwiecień kwietnia kwi апрель апреля апр",
    "may mai mayo mei maggio mag maio maj mayıs maja май мая",
    "jun june juni juin junio giugno giu junho haziran haz czerwiec czerwca cze июнь июня июн",
    "jul july juli juillet juil julio luglio lug julho temmuz tem lipiec lipca lip июль июля июл",
    "aug august août aout agosto ago augustus augusti ağustos ağu sierpień sierpnia sie август августа авг",
    "sep september sept septembre septiembre settembre set setembro eylül eyl wrzesień września wrz "
    "сентябрь сентября сен сент",
    "oct october oktober okt octobre octubre ottobre ott outubro out ekim eki październik października paź "
    "октябрь октября окт",
    "nov november novembre noviembre novembro kasım kas listopad listopada lis ноябрь ноября ноя",
    "dec december dezember dez décembre déc diciembre dic dicembre dezembro aralık ara grudzień grudnia gru "
    "декабрь декабря дек",
)
_MONTH_OF = {name: at for at, names in enumerate(MONTH_SPELLINGS, 1) for name in names.split()}
_PIECES = {
    "yy": r"(?P<y>\d{2})",
    "y": r"(?P<y>\d{4})",
    "mon": r"(?P<m>\pL{3,12})\.?",
    "m": r"(?P<m>\d{1,2})",
    "d": r"(?P<d>\d{1,2})(?:st|nd|rd|th)?",
}
_WEEKDAY = r"(?:\pL{2,10}\.?,? )?"
# Hours that clocks are ahead of Greenwich, by what people call the time.
_ZONES = {
    "Z": 0,
    "UTC": 0,
    "GMT": 0,
    "WET": 0,
    "WEST": 1,
    "BST": 1,
    "CET": 1,
    "CEST": 2,
    "EET": 2,
    "EEST": 3,
    "MSK": 3,
    "EST": -5,
    "EDT": -4,
    "CST": -6,
    "CDT": -5,
    "MST": -7,
    "MDT": -6,
    "PST": -8,
    "PDT": -7,
    "JST": 9,
    "KST": 9,
    "AEST": 10,
    "AEDT": 11,
}
_NAMED = "|".join(sorted(_ZONES, key=len, reverse=True))
_ZONE = rf"(?P<z>(?:{_NAMED})?(?:[+-]\d{{1,2}}(?::?\d{{2}})?)?)(?: ?\([^()]+\))?"
_TIME_OF_DAY = (
    r"(?:(?:T|,? )(?P<H>\d{1,2}):(?P<M>\d{2})(?::(?P<S>\d{2})(?:[.,](?P<f>\d{1,9}))?)? ?"
    rf"(?P<half>(?i:am|pm|a\.m\.|p\.m\.)?) ?{_ZONE})?"
)
COMPACT = "ymd"  # with the digits of a clock right behind, where there is one
_COMPACT_DATE = (
    r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})"
    r"(?:[T ]?(?P<H>\d{2}):?(?:(?P<M>\d{2}):?(?:(?P<S>\d{2})(?:[.,](?P<f>\d{1,9}))?)?)?)?"
    rf"(?P<half>){_ZONE}"
)
OF_UNIX = "mon d h:mm y"  # as `date` writes it, and C
_OF_UNIX = (
    r"(?P<m>\pL{3}) +(?P<d>\d{1,2}) (?P<H>\d{1,2}):(?P<M>\d{2}):(?P<S>\d{2})(?P<f>)(?P<half>)"
    rf"(?: {_ZONE})? (?P<y>\d{{4}})"
)
COLON_BEFORE_CLOCK = ("d/mon/y", "dmony", "dmonyy")  # as servers and SAS write it
PIVOT = 69  # years of two digits from here on are of the last century, as POSIX has it
ZERO_DATE = re.compile("0000-00-00.*")  # what some databases write where nothing is known
_DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


def pattern(layout: str) -> str:
    """A layout as a regular expression of Arrow's, with or without a clock behind."""
    pieces = re.split(r"(yy|y|mon|m|d)", layout)
    if layout == COMPACT:
        return f"^{_COMPACT_DATE}$"
    if layout == OF_UNIX:
        return f"^{_WEEKDAY}{_OF_UNIX}$"
    clock = _TIME_OF_DAY.replace("T|", "T|:|", 1) if layout in COLON_BEFORE_CLOCK else _TIME_OF_DAY
    body = "".join(_PIECES.get(piece, re.escape(piece)) for piece in pieces)
    if layout == "d mon y":
        body = body.replace(r"\ ", "(?: de)? ")  # as in Spain and Portugal
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
    different = zones.dictionary_encode()
    told: Array = np.array([*map(_minutes, different.dictionary.to_pylist())], dtype=np.int64)
    return np.asarray(told[different.indices.to_numpy()])


def _minutes(zone: str) -> int:
    """What a zone is ahead of Greenwich.

    >>> [_minutes(zone) for zone in ("", "Z", "CET", "GMT+1", "-05:30", "+0100")]
    [0, 0, 60, 60, -330, 60]
    """
    name, sign, offset = re.fullmatch("([A-Z]*)([+-]?)(.*)", zone).groups()  # type: ignore[union-attr]
    hours, minutes = (offset[:-2], offset[-2:]) if len(offset) > 2 else (offset, "0")
    minutes_ahead = int(hours.rstrip(":") or 0) * 60 + int(minutes)
    return 60 * _ZONES.get(name, 0) + (-minutes_ahead if sign == "-" else minutes_ahead)
