"""Dates and times as they are written: each layout of core/date_layouts.py a pattern, read for many texts at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from likely.core.date_layouts import THAI
from likely.core.numerics import Array

MONTH_SPELLINGS = (
    "jan january januar janvier janv enero ene januari januára gennaio gen janeiro ocak oca styczeń stycznia sty "
    "január leden ledna led ianuarie ian gener tammikuuta tammikuu "
    "январь января янв січня січень январу ιανουαρίου ιανουάριος ιαν",
    "feb february februar février févr fevrier febrero februari febbraio fevereiro fev şubat şub luty lutego lut "
    "február únor února úno februarie febrer helmikuuta helmikuu "
    "февраль февраля фев лютого лютий φεβρουαρίου φεβρουάριος φεβ",
    "mar march märz mär mars marzo maart mrt março marts mart marzec marca maret mac "
    "március márc březen března bře martie març maaliskuuta maaliskuu "
    "март марта мар березня березень μαρτίου μάρτιος μαρ",
    "apr april avril avr abril abr aprile nisan nis kwiecień kwietnia kwi "
    "április ápr duben dubna dub aprilie huhtikuuta huhtikuu "
    "апрель апреля апр квітня квітень απριλίου απρίλιος απρ",
    "may mai mayo mei maggio mag maio maj mayıs maja május máj květen května kvě maig toukokuuta toukokuu "
    "май мая травня травень μαΐου μάιος μαΐ μαϊ",
    "jun june juni juin junio giugno giu junho haziran haz czerwiec czerwca cze "
    "június jún červen června iunie iun juny kesäkuuta kesäkuu "
    "июнь июня июн червня червень ιουνίου ιούνιος ιουν",
    "jul july juli juillet juil julio luglio lug julho temmuz tem lipiec lipca lip julai "
    "július júl červenec července iulie iul juliol heinäkuuta heinäkuu "
    "июль июля июл липня липень ιουλίου ιούλιος ιουλ",
    "aug august août aout agosto ago augustus augusti ağustos ağu sierpień sierpnia sie agustus agu agt ogos "
    "augusztus srpen srpna agost elokuuta elokuu "
    "август августа авг серпня серпень αυγούστου αύγουστος αυγ",
    "sep september sept septembre septiembre settembre set setembro eylül eyl wrzesień września wrz "
    "szeptember szept září septembrie setembre syyskuuta syyskuu "
    "сентябрь сентября сен сент вересня вересень σεπτεμβρίου σεπτέμβριος σεπ",
    "oct october oktober okt octobre octubre ottobre ott outubro out ekim eki październik października paź "
    "október říjen října říj octombrie lokakuuta lokakuu "
    "октябрь октября окт жовтня жовтень οκτωβρίου οκτώβριος οκτ",
    "nov november novembre noviembre novembro kasım kas listopad listopada lis listopadu noiembrie noi marraskuuta "
    "marraskuu ноябрь ноября ноя листопада листопад νοεμβρίου νοέμβριος νοε",
    "dec december dezember dez décembre déc diciembre dic dicembre dezembro aralık ara grudzień grudnia gru "
    "desember des disember prosinec prosince decembrie desembre joulukuuta joulukuu "
    "декабрь декабря дек грудня грудень δεκεμβρίου δεκέμβριος δεκ",
)
_MONTH_OF = {name: at for at, names in enumerate(MONTH_SPELLINGS, 1) for name in names.split()}
_THAI_MONTHS = (  # without the points that parts of them have
    "มกราคม มค",
    "กุมภาพันธ์ กพ",
    "มีนาคม มีค",
    "เมษายน เมย",
    "พฤษภาคม พค",
    "มิถุนายน มิย",
    "กรกฎาคม กค",
    "สิงหาคม สค",
    "กันยายน กย",
    "ตุลาคม ตค",
    "พฤศจิกายน พย",
    "ธันวาคม ธค",
)
_MONTH_OF |= {name: at for at, names in enumerate(_THAI_MONTHS, 1) for name in names.split()}
_PIECES = {
    "yy": r"(?P<y>\d{2})",
    "y": r"(?P<y>\d{4})",
    "mon": r"(?P<m>\pL{3,12})\.?",
    "m": r"(?P<m>\d{1,2})",
    "d": r"(?P<d>\d{1,2})(?:st|nd|rd|th|er)?",
    "era": "(?P<era>明治|大正|昭和|平成|令和)",
}
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}  # the year before their first, 元
_YEAR_OF_ERA = r"(?P<y>\d{1,2}|元)"
_YEAR_BEHIND_MONTH = r"(?P<y>(?:1[89]|2[01])\d{2})"  # else 1/1000 would be a month
# Of Thailand: weekdays and months have signs above their letters, and years are of the Buddhist era, said or not.
_THAI_WEEKDAY, _THAI_HOURS = r"(?:(?:วัน)?[ก-๎]{2,12}\.? ?(?:ที่)? ?)?", r"(?: ?น\.?)?"
_THAI_MONTH = r"(?P<m>[ก-๎.]{2,12})"
_THAI_YEAR_ALONE = r"(?:ปี ?)?พ\.? ?ศ\.? ?(?P<y>2[3-6]\d{2})"
_THAI_YEARS = {"y": r"(?:พ\.? ?ศ\.? ?)?(?P<y>2[3-6]\d{2})", "yy": r"(?:พ\.? ?ศ\.? ?)?(?P<y>\d{2})"}
_THAI_MONTH_YEARS = {  # behind such a month they may be of the common era, too
    "y": r"(?:(?:พ\.? ?ศ|ค\.? ?ศ)\.? ?)?(?P<y>(?:1[89]|2[0-6])\d{2})",
    "yy": _THAI_YEARS["yy"],
}
_FIRST_BUDDHIST_YEAR, _YEARS_BEFORE_CHRIST, _BUDDHIST_CENTURY = 2300, 543, 2500
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
_HALVES = {"오전": "a", "오후": "p", "上午": "a", "下午": "p", "午前": "a", "午後": "p"}  # of the day, before the clock
_NAMED = "|".join(sorted(_ZONES, key=len, reverse=True))
_ZONE = rf"(?P<z>(?:{_NAMED})?(?:[+-]\d{{1,2}}(?::?\d{{2}})?)?)(?: ?\([^()]+\))?"
_TIME_OF_DAY = (
    r"(?:(?:T|,? )(?:(?P<early>"
    + "|".join(_HALVES)
    + r") ?)?(?P<H>\d{1,2}):(?P<M>\d{2})(?::(?P<S>\d{2})(?:[.,](?P<f>\d{1,9}))?)? ?"
    rf"(?P<half>(?i:am|pm|a\.m\.|p\.m\.)?) ?{_ZONE})?"
)
COMPACT = "ymd"  # with the digits of a clock right behind, where there is one
_COMPACT_DATE = (
    r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})"
    r"(?:[T ]?(?P<H>\d{2}):?(?:(?P<M>\d{2}):?(?:(?P<S>\d{2})(?:[.,](?P<f>\d{1,9}))?)?)?)?"
    rf"(?P<half>)(?P<early>){_ZONE}"
)
OF_UNIX = "mon d h:mm y"  # as `date` writes it, and C
_OF_UNIX = (
    r"(?P<m>\pL{3}) +(?P<d>\d{1,2}) (?P<H>\d{1,2}):(?P<M>\d{2}):(?P<S>\d{2})(?P<f>)(?P<half>)(?P<early>)"
    rf"(?: {_ZONE})? (?P<y>\d{{4}})"
)
WITH_BLANKS = (
    "y.m.d",
    "d.m.y",
    "d.m.yy",
)  # behind the points, where people want; and a point behind all, as ordinals have it
MONTHS_BEFORE_YEAR = ("m/y", "m-y")
COLON_BEFORE_CLOCK = ("d/mon/y", "dmony", "dmonyy")  # as servers and SAS write it
PIVOT = 69  # years of two digits from here on are of the last century, as POSIX has it
# What databases and SAP write where nothing is known.
ZERO_DATE = re.compile(r"(?:0000([-/.])00\1|00([-/.])00\2)00(?:00)?(?: [0:.]+)?|0{8}")
_DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


def pattern(layout: str) -> str:
    """A layout as a regular expression of Arrow's, with or without a clock behind."""
    if layout.startswith(THAI):
        return _thai_pattern(layout.removeprefix(THAI))
    pieces = re.split(r"(era|yy|y|mon|m|d)", layout)
    if layout == COMPACT:
        return f"^{_COMPACT_DATE}$"
    if layout == OF_UNIX:
        return f"^{_WEEKDAY}{_OF_UNIX}$"
    clock = _TIME_OF_DAY.replace("T|", "T|:|", 1) if layout in COLON_BEFORE_CLOCK else _TIME_OF_DAY
    body = "".join(_PIECES.get(piece, re.escape(piece)) for piece in pieces)
    if layout in WITH_BLANKS:
        body = body.replace(r"\.", r"\. ?") + r"\.?"
    if layout.startswith("era"):
        body = body.replace(_PIECES["y"], _YEAR_OF_ERA)
    if layout in MONTHS_BEFORE_YEAR:
        body = body.replace(_PIECES["y"], _YEAR_BEHIND_MONTH)
    if layout == "d mon y":
        body = body.replace(r"\ ", "(?: de)? ")  # as in Spain and Portugal
    return "^" + (_WEEKDAY if "mon" in layout and layout[0] in "dm" else "") + body + clock + "$"


def _thai_pattern(layout: str) -> str:
    """The same of a layout with Thai months, or years of the Buddhist era alone."""
    if layout == "y":
        return f"^{_THAI_YEAR_ALONE}{_TIME_OF_DAY}$"
    named = "mon" in layout
    own = {"mon": _THAI_MONTH, **(_THAI_MONTH_YEARS if named else _THAI_YEARS)}
    body = "".join((_PIECES | own).get(piece, re.escape(piece)) for piece in re.split(r"(yy|y|mon|m|d)", layout))
    body = body.replace(r"\ ", " ?" if named else " ")
    return f"^{_THAI_WEEKDAY if named and layout[0] == 'd' else ''}{body}{_TIME_OF_DAY}{_THAI_HOURS}$"


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
        told = pc.if_else(pc.equal(told, "元"), "1", told)  # the first year of an era
        return np.asarray(pc.cast(pc.if_else(pc.equal(told, ""), "0", told), "int64"))

    years, hours, minutes, seconds = (part(name) for name in "yHMS")
    if layout.startswith(THAI):
        years = years + (_BUDDHIST_CENTURY if "yy" in layout else 0)
        years = years - np.where(years >= _FIRST_BUDDHIST_YEAR, _YEARS_BEFORE_CHRIST, 0)
    elif "yy" in layout:
        years = years + np.where(years >= PIVOT, 1900, 2000)
    if layout.startswith("era"):
        years = years + np.array([_ERAS.get(era, 0) for era in texts_of("era").to_pylist()], dtype=np.int64)
    months = _months(texts_of("m")) if "mon" in layout else part("m") if "m" in layout else np.ones_like(years)
    days = part("d") if "d" in layout else np.ones_like(years)
    leap = (years % 4 == 0) & ((years % 100 != 0) | (years % 400 == 0))
    long = _DAYS[np.clip(months, 1, 12) - 1] + (leap & (months == 2))
    half = pc.utf8_lower(pc.utf8_slice_codeunits(texts_of("half"), 0, 1)).to_numpy(zero_copy_only=False)
    early = texts_of("early")
    if pc.any(pc.not_equal(early, "")).as_py():
        before = np.array([_HALVES.get(told, "") for told in early.to_pylist()])
        half = np.where(before != "", before, half)
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
    return np.array([_MONTH_OF.get(name.lower().replace(".", ""), 0) for name in names.to_pylist()], dtype=np.int64)


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
