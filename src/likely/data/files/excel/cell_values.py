"""What the cells of a workbook say, as text: numbers by their formats, days, times, escaped signs."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

MOST_FORMAT_LETTERS = 255  # letters of the format of a number; Excel takes no more
_ESCAPED_CODE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_UNSHOWN = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)  # what is no place for a number
_DAY_FORMATS = frozenset((*range(14, 18), 22, *range(27, 32), 36, *range(50, 55), 57, 58))
_CLOCK_FORMATS = frozenset((18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56))
_DURATION_FORMAT = 46
_FIRST_DAYS = {False: datetime(1899, 12, 30), True: datetime(1904, 1, 1)}
_LAST_DAY = 2_958_466  # of the year 9999
_MILLISECONDS = 86_400_000  # of a day


def time_format(code: str) -> str:
    """What numbers of a format are: "day", "clock" or "duration" where they are shown as such, else nothing.

    >>> [time_format(code) for code in ("yyyy-mm-dd", "h:mm", "[h]:mm:ss", "General", '0.0" days"', "[Red]0")]
    ['day', 'clock', 'duration', '', '', '']
    """
    shown = _UNSHOWN.sub("", code[:MOST_FORMAT_LETTERS].partition(";")[0]).lower().replace("general", "")
    if re.search("[yd]", shown) or ("m" in shown and not re.search("[hs]", shown)):
        return "day"
    if re.search(r"\[[hms]+\]", shown):
        return "duration"
    return "clock" if re.search("[hs]", shown) else ""


def number_text(told: str, shown: str, since_1904: bool = False) -> str:
    """A number as text, whole ones without a point; a day as in 2026-03-01, a time of the day as in 09:30:00.

    >>> number_text("3", ""), number_text("0.5", ""), number_text("46082.25", "day"), number_text("0.25", "clock")
    ('3', '0.5', '2026-03-01 06:00:00', '06:00:00')
    """
    try:
        value = float(told)
    except ValueError:
        return told
    if shown in ("clock", "duration") and 0 <= value < _LAST_DAY:
        since = round(value * _MILLISECONDS)
        seconds, thousandths = divmod(since % _MILLISECONDS if shown == "clock" else since, 1000)
        fraction = f".{thousandths:03}" if thousandths else ""
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"
    if shown == "day" and 0 < value < _LAST_DAY:
        first = _FIRST_DAYS[since_1904]
        early = timedelta(days=not since_1904 and value < 60)  # Excel counts a 29th of February 1900
        moment = first + early + timedelta(milliseconds=round(value * _MILLISECONDS))
        return moment.date().isoformat() if moment.time() == datetime.min.time() else moment.isoformat(" ")
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def unescaped(text: str) -> str:
    """A text without the escapes of signs that XML cannot hold.

    >>> unescaped("a_x000D_\\nb_x005F_x0041_")
    'a\\r\\nb_x0041_'
    """
    if "_x" not in text:
        return text
    told = _ESCAPED_CODE.sub(lambda found: chr(int(found[1], 16)), text)  # halves of signs may come in pairs, or alone
    return told.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def column_number(letters: str) -> int:
    """The number of a column, from 1.

    >>> column_number("A"), column_number("AB")
    (1, 28)
    """
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


def built_in_format(number: int) -> str:
    """The same of a format that has a number and no code.

    >>> [built_in_format(number) for number in (14, 20, 46, 0)]
    ['day', 'clock', 'duration', '']
    """
    if number == _DURATION_FORMAT:
        return "duration"
    return "day" if number in _DAY_FORMATS else "clock" if number in _CLOCK_FORMATS else ""


def whole(told: str | None) -> int:
    """A whole number as the parts of a workbook write it; 0 where there is none."""
    return int(told) if told is not None and told.isascii() and told.isdecimal() and len(told) < 10 else 0
