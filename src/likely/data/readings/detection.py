"""What a column of text holds, told from what all its cells show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from likely.core.date_layouts import DATE_LAYOUTS, DURATION_LAYOUTS, THAI
from likely.core.land_codes import CONTINENTS, LANDS
from likely.core.numerics import Array
from likely.core.reading import (
    DATE,
    DURATION,
    MOST_MARK_LETTERS,
    MOST_UNIT_LETTERS,
    NUMBER,
    TIME,
    TRUTH,
    WHOLE,
    WORDS,
    Reading,
)
from likely.data.readings.angles import may_be_angles, tell_angles
from likely.data.readings.column_texts import MOST_TOLD, ColumnTexts
from likely.data.readings.dates import COMPACT, ZERO_DATE, may_be_dates, read_dates
from likely.data.readings.durations import may_be_durations, read_durations
from likely.data.readings.missing_marks import DASH_MARKS, with_marks
from likely.data.readings.numbers import ENOUGH_NUMBERS, MOST_MISFITS, tell_numbers
from likely.data.readings.truth import tell_truth

ENOUGH_DAYS = 3  # different numbers of eight digits, all of which are days, before they are read as such
WHOLE_LETTERS = 18  # of a whole number that is sure to fit into 64 bits
_NA = "NA"
ENOUGH_LANDS = 3  # different codes of countries, before NA is one of them
_SIZE = re.compile(r"[0-9]+(?:[.,][0-9]+)? ?[DHMS]")  # sizes and models, as 3M and 4S: small letters are of times
# The layouts in which day and month can be taken for each other.
_ORDERS = frozenset(layout for layout in DATE_LAYOUTS if re.fullmatch("[dm]([-./])[dm]\\1yy?", layout))
MOST_WORDS = 3  # different words that may stand for a missing value among numbers and dates
MOST_WORDED = 0.5  # share of the cells that they may be
_AS_THEY_ARE = Reading()  # words
ENOUGH_TEXTS = 50  # texts of which one must hold a digit, if the column holds numbers or dates


def tell(seen: ColumnTexts, comma: bool = False, days: bool = True) -> Reading:
    """How a column is to be read; words where it is nothing else, or holds nothing.

    With `comma` one stands before fractions where all texts allow that; without `days` 20240229 is a number.

    >>> from collections import Counter
    >>> print(tell(ColumnTexts(texts=Counter({"2024-02-01": 3, "2024-02-29": 1}))))
    dates (y-m-d)
    """
    if seen.texts and seen.numbers and seen.compact and all(map(ZERO_DATE.fullmatch, seen.texts)):
        return tell(replace(seen, texts=Counter()), comma, days)
    if not seen.texts:
        if days and seen.compact and len(seen.some) >= ENOUGH_DAYS:
            return Reading(TIME if seen.clocked else DATE, COMPACT, True)
        if comma and seen.grouped and seen.plain == NUMBER:
            form = WHOLE if all(len(text) <= WHOLE_LETTERS for text in seen.some) else NUMBER
            return Reading(form, all_marks=True, thousands=".", decimal=",")
        twice = " and ".join(seen.spelt_twice or ())
        return _plain(seen.plain if seen.numbers else WORDS, twice[:MOST_UNIT_LETTERS])
    texts = dict(islice(seen.texts.items(), MOST_TOLD))
    if not seen.numbers and (truth := tell_truth(texts)):
        return truth
    if not seen.numbers and not any(map(_has_digit, islice(texts, ENOUGH_TEXTS))):
        return _AS_THEY_ARE
    plain = WHOLE if comma and seen.grouped else seen.plain
    found = tell_angles(texts, seen.numbers) if may_be_angles([*islice(texts, ENOUGH_TEXTS)]) else None
    found = found or tell_numbers(texts, plain, seen.numbers, comma, seen.some) or _dates(texts, seen, days)
    if found is None and (words := _words_among_values(texts, seen)):
        rest = Counter({text: count for text, count in seen.texts.items() if text not in words})
        values = tell(replace(seen, texts=rest), comma, days)
        return Reading() if values.form in (WORDS, TRUTH) else with_marks(values, words)
    found = found or Reading()
    # Of texts that were not looked at some may have fractions
    return replace(found, form=NUMBER) if found.form == WHOLE and len(seen.texts) > MOST_TOLD else found


@lru_cache(maxsize=64)
def _plain(form: str, doubt: str) -> Reading:
    """The reading of plain numbers, or of nothing: one for all columns that are read so."""
    return Reading(form, all_marks=True, doubt=doubt)


def _has_digit(text: str) -> bool:
    return re.search(r"\d", text) is not None


def _words_among_values(texts: Mapping[str, int], seen: ColumnTexts) -> list[str]:
    """The words that stand for a missing value among many different texts with digits: few, though they come often."""
    words = [text for text in texts if not _has_digit(text)]
    often = sum(texts[word] for word in words)
    several = len(seen.some) + len(texts) - len(words) > ENOUGH_NUMBERS
    few = 0 < len(words) <= MOST_WORDS and often <= MOST_WORDED * (seen.numbers + sum(texts.values()))
    return words if several and few and max(map(len, words)) <= MOST_MARK_LETTERS else []


def _dates(texts: Mapping[str, int], seen: ColumnTexts, days: bool) -> Reading | None:
    """Dates or durations of a layout that nearly all texts have; without `days` those of eight digits are none."""
    import pyarrow as pa

    told = {text: count for text, count in texts.items() if not ZERO_DATE.fullmatch(text)}
    total = seen.numbers + sum(told.values())
    array: Any = pa.array(list(told), pa.string())
    weights = np.array(list(told.values()))
    few = list(islice(told, ENOUGH_TEXTS))
    found: list[tuple[str, Any, Any]] = []
    for layout in DATE_LAYOUTS:
        if (layout.startswith(THAI) and not seen.thai) or not may_be_dates(few, layout):
            continue
        digits = layout == COMPACT and all(map(str.isdigit, told))
        if digits and not (days and seen.compact and len(told) + len(seen.some) >= ENOUGH_DAYS):
            continue
        times, clocked = read_dates(array, layout)
        if layout == "mon-yy" and len({*times[~np.isnat(times)].astype("datetime64[M]").astype(int) % 12}) < 2:
            continue  # SET-10 and SET-12 are sooner models of something
        if weights[~np.isnat(times)].sum() >= (1 - MOST_MISFITS) * (total - (seen.numbers if digits else 0)):
            found.append((layout, times, clocked))
    if found:
        found.sort(key=lambda one: -int(weights[~np.isnat(one[1])].sum()))
        layout, times, clocked = found[0]
        days = times[~np.isnat(times)].astype("datetime64[D]")
        timed = clocked.any() and bool((times[~np.isnat(times)] != days).any())
        known = ~np.isnat(times)
        doubt = next((other for other, also, _ in found[1:] if (~np.isnat(also) == known).all()), "")
        if layout.startswith(THAI) and "yy" not in layout:
            doubt = ""  # nobody means the year 2567 of the common era
        if doubt and _is_one_day_of_many_months(times[known], timed):
            layout, doubt = doubt, layout
        return Reading(TIME if timed else DATE, layout, True, doubt=doubt)
    for layout in DURATION_LAYOUTS:
        if not may_be_durations(few, layout) or all(map(_SIZE.fullmatch, told)):
            continue
        hours = read_durations(array, layout)
        if total and weights[~np.isnan(hours)].sum() >= (1 - MOST_MISFITS) * total:
            return Reading(DURATION, layout, True)
    return None


def _is_one_day_of_many_months(times: Array, timed: bool) -> bool:
    """Whether days that stand for nothing else are all, say, the fourth of a month: another order is likelier.

    Days without a clock that all are first of a month stand for the months.
    """
    months = np.unique(times.astype("datetime64[M]"))
    days = np.unique(times.astype("datetime64[D]") - times.astype("datetime64[M]")).astype(int)
    return len(months) > 2 and len(days) == 1 and bool(timed or days[0] > 0)


def in_one_order(readings: Mapping[str, Reading]) -> dict[str, Reading]:
    """The readings, those of dates in the order of day and month of the others where their own cells leave a doubt.

    >>> found = {"sent": Reading(DATE, "m/d/y", True), "paid": Reading(DATE, "d/m/y", True, doubt="m/d/y")}
    >>> print(in_one_order(found)["paid"])
    dates (m/d/y, d/m/y would fit as well)
    """
    sure = {one.layout[0] for one in readings.values() if one.layout in _ORDERS and not one.doubt}
    if len(sure) != 1:
        return dict(readings)
    return {
        name: replace(one, layout=one.doubt, doubt=one.layout)
        if one.doubt in _ORDERS and one.layout[0] not in sure
        else one
        for name, one in readings.items()
    }


def with_dashes(
    readings: Mapping[str, Reading], seen: Mapping[str, ColumnTexts], target: str | None
) -> dict[str, Reading]:
    """The readings, a dash among words missing where it is so among another column's numbers, dates or truth values.

    Among signs such as + and o it is one of them.

    >>> from collections import Counter
    >>> town = ColumnTexts(marks=Counter("-"), texts=Counter(["Bonn"]))
    >>> readings = {"price": Reading(NUMBER, all_marks=True), "town": Reading()}
    >>> with_dashes(readings, {"price": ColumnTexts(marks=Counter("-")), "town": town}, None)["town"].marks
    ('-',)
    """
    values = [name for name, reading in readings.items() if reading.form != WORDS]
    dashes = [mark for mark in DASH_MARKS if any(mark in seen[name].marks for name in values)]
    found = dict(readings)
    for name, reading in readings.items():
        if name == target or reading != Reading() or not any(mark in seen[name].marks for mark in dashes):
            continue
        if all(any(map(str.isalnum, text)) for text in seen[name].texts):
            found[name] = with_marks(reading, dashes)
    return found


def with_codes_of_lands(readings: Mapping[str, Reading], seen: Mapping[str, ColumnTexts]) -> dict[str, Reading]:
    """The readings, NA being Namibia, or North America, among such codes, where no other column misses values as NA.

    >>> from collections import Counter
    >>> land = ColumnTexts(marks=Counter(["NA"]), texts=Counter(["DE", "NO", "ZA"]))
    >>> print(with_codes_of_lands({"land": Reading()}, {"land": land})["land"])
    words ('NA' is one of them)
    """
    lands = [name for name, one in seen.items() if _NA in one.marks and _are_lands({*one.texts})]
    if any(_NA in one.marks for name, one in seen.items() if name not in lands):
        return dict(readings)
    spared = {name: replace(readings[name], spared=(_NA,)) for name in lands if readings[name].form == WORDS}
    return {**readings, **spared}


def _are_lands(texts: set[str]) -> bool:
    return len(texts) >= ENOUGH_LANDS and (texts <= LANDS or texts <= CONTINENTS)


def uses_comma(reading: Reading) -> bool:
    """Whether numbers of this reading show that in their file a comma stands before fractions.

    >>> uses_comma(Reading(NUMBER, decimal=","))
    True
    """
    return reading.form == NUMBER and reading.decimal == ","  # whole numbers have no fraction that would show it
