"""Dates as numbers and as what comes round: days since 1970, the year, the month, the day of the week, the hour."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.date_layouts import DATE_PARTS
from likely.core.numerics import Array, Floats
from likely.core.schema import Level

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PART_LEVELS: dict[str, tuple[Level, ...]] = {"month": MONTHS, "weekday": WEEKDAYS, "hour": tuple(range(24))}
_US_OF_A_DAY = 86_400_000_000


def part_name(name: str, part: str) -> str:
    """What a part of a column of dates is called.

    >>> part_name("signed", "month")
    'signed.month'
    """
    return f"{name}.{part}"


def parts_among(said: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """What is said of parts of columns, and not of columns.

    >>> parts_among({"signed.month": "skip", "age": "real"}, ("signed", "age"))
    {'signed.month': 'skip'}
    """
    known = {part_name(name, part) for name in names for part in DATE_PARTS} - {*names}
    return {key: value for key, value in said.items() if key in known}


def days(column: Any) -> Floats:
    """(rows,): days since 1970 of an Arrow column of dates, with a fraction for the time of the day; NaN where missing.

    >>> import pyarrow as pa, datetime
    >>> days(pa.array([datetime.datetime(1970, 1, 2, 12), None])).tolist()
    [1.5, nan]
    """
    found: Array = _moments(column) / _US_OF_A_DAY
    return found


def year_of(day: float) -> float:
    """The year of a day since 1970; what is infinite stays so.

    >>> year_of(-1.0), year_of(365.5)
    (1969.0, 1971.0)
    """
    if not np.isfinite(day):
        return day
    return float(np.datetime64(int(np.floor(day)), "D").astype("datetime64[Y]").astype(int)) + 1970.0


def date_part(column: Any, part: str) -> Any:
    """A part of an Arrow column of dates, as an Arrow column: of numbers, or of the words of `PART_LEVELS`.

    >>> import pyarrow as pa, datetime
    >>> date_part(pa.array([datetime.date(2026, 3, 1), None]), "weekday").to_pylist()
    ['Sunday', None]
    """
    import pyarrow as pa

    since = _moments(column)
    missing = np.isnan(since)
    if part == "days":
        return pa.array(since / _US_OF_A_DAY, from_pandas=True)
    told = np.where(missing, 0, since).astype("int64").astype("datetime64[us]")
    if part == "hour":
        return pa.array((told - told.astype("datetime64[D]")) // np.timedelta64(1, "h"), pa.int64(), mask=missing)
    if part == "year":
        return pa.array(told.astype("datetime64[Y]").astype(int) + 1970.0, mask=missing)
    months = part == "month"
    at = told.astype("datetime64[M]").astype(int) % 12 if months else (told.astype("datetime64[D]").astype(int) + 3) % 7
    return pa.DictionaryArray.from_arrays(
        pa.array(at.astype(np.int32), mask=missing), pa.array(MONTHS if months else WEEKDAYS)
    )


def _moments(column: Any) -> Floats:
    """(rows,): microseconds since 1970; NaN where missing."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_null(column.type) or column.null_count == len(column):
        return np.full(len(column), np.nan)
    zone = getattr(column.type, "tz", None)
    told = column.cast(pa.timestamp("us", zone), safe=False).cast(pa.int64())
    return np.asarray(told.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
