"""Cells of text as values, the way that a reading says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from likely.core.reading import ANGLE, DATE, DURATION, NUMBER, RAW, TIME, TRUTH, WHOLE, WORDS, Reading
from likely.data.readings.angles import read_angles
from likely.data.readings.arrow_strings import are_plain
from likely.data.readings.column_texts import FEW
from likely.data.readings.dates import ZERO_DATE, read_dates
from likely.data.readings.durations import read_durations
from likely.data.readings.missing_marks import marks_of
from likely.data.readings.numbers import nothing_pattern, read_numbers
from likely.data.readings.truth import truth_words
from likely.data.readings.unicode_digits import in_plain_letters


def value_type(reading: Reading) -> Any:
    """The Arrow type of the values."""
    types = _types()
    return types.get(WORDS if reading.words and reading.form == TRUTH else reading.form, types[WORDS])


@lru_cache(maxsize=1)
def _types() -> dict[str, Any]:
    """The Arrow type of the values by form."""
    import pyarrow as pa

    numbers = {WHOLE: pa.int64(), NUMBER: pa.float64(), DURATION: pa.float64(), ANGLE: pa.float64()}
    return {
        DATE: pa.date32(),
        TIME: pa.timestamp("us"),
        TRUTH: pa.bool_(),
        **dict.fromkeys((WORDS, RAW), pa.string()),
    } | numbers


def read(cells: Any, reading: Reading, misfits: Callable[[Any, Any, bool], None] | None = None) -> Any:
    """(cells,) of an Arrow column of text: the values, missing where a mark says so or a text does not fit.

    Of texts that do not fit `misfits` is told: the column as a dictionary, which of its texts, and whether none fits.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if reading.form == RAW:
        return cells
    texts = cells.dictionary if pa.types.is_dictionary(cells.type) else cells
    if reading.form == WORDS and (
        _are_words(texts.to_pylist(), reading)
        if len(texts) <= FEW
        else reading == Reading() and pa.types.is_string(texts.type) and are_plain(texts)
    ):
        return cells
    coded = cells if pa.types.is_dictionary(cells.type) else cells.dictionary_encode()
    texts = pc.utf8_trim_whitespace(coded.dictionary)
    if reading.form not in (WORDS, TRUTH):
        texts = in_plain_letters(texts.cast(pa.string()))  # joining texts, Arrow wants all of one type
    gone = pc.is_in(texts, pa.array(marks_of(reading)))
    if reading.before or reading.after:
        nothing = pc.and_not(pc.fill_null(pc.match_substring_regex(texts, nothing_pattern(reading)), False), gone)
        texts = pc.if_else(nothing, "0", texts)
    if reading.form == WORDS and not pc.any(gone).as_py() and texts.equals(coded.dictionary):
        return cells
    texts = pc.if_else(gone, pa.scalar(None, texts.type), texts)
    values = _values(texts, reading)
    if misfits is not None and values.null_count > texts.null_count:
        unfit = pc.and_(values.is_null(), texts.is_valid()).to_numpy(zero_copy_only=False)
        if reading.form in (DATE, TIME):
            unfit &= ~np.array([bool(ZERO_DATE.fullmatch(text or "")) for text in texts.to_pylist()], dtype=bool)
        if unfit.any():
            misfits(coded, unfit, values.null_count == len(values))
    return values.take(coded.indices)


def _are_words(texts: Sequence[str | None], reading: Reading) -> bool:
    """Whether no text is a mark or has blanks around it: of a few, asking Arrow takes longer than looking at them."""
    marks = _marks(reading.all_marks, reading.marks, reading.spared)
    return all(text is None or (text == text.strip() and text not in marks) for text in texts)


@lru_cache(maxsize=64)
def _marks(all_marks: bool, marks: tuple[str, ...], spared: tuple[str, ...]) -> frozenset[str]:
    return frozenset(marks_of(Reading(all_marks=all_marks, marks=marks, spared=spared)))


def _values(texts: Any, reading: Reading) -> Any:
    import pyarrow as pa

    type_ = value_type(reading)
    if reading.form in (WHOLE, NUMBER):
        values = _plain_numbers(texts, type_) if reading.decimal == "." and not reading.thousands else None
        if values is not None:
            return values
        numbers = read_numbers(texts, reading)
        if reading.form == WHOLE:  # what is none, or needs more than 64 bits, does not fit
            numbers = np.where((np.abs(numbers) < 2.0**63) & (numbers % 1 == 0), numbers, np.nan)
        return pa.array(numbers, from_pandas=True).cast(type_)
    if reading.form == DURATION:
        return pa.array(read_durations(texts, reading.layout), from_pandas=True)
    if reading.form == ANGLE:
        return pa.array(read_angles(texts), from_pandas=True)
    if reading.form == TRUTH and reading.words:
        known = truth_words(reading)
        return pa.array([text and known.get(text.casefold(), text) for text in texts.to_pylist()], type_)
    if reading.form == TRUTH:
        bools = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}
        return pa.array([bools.get(text.lower()) if text else None for text in texts.to_pylist()], type_)
    if reading.form in (DATE, TIME):
        return pa.array(read_dates(texts, reading.layout)[0]).cast(type_, safe=False)
    return texts


def _plain_numbers(texts: Any, type_: Any) -> Any:
    """Numbers as programs write them; none unless all are."""
    import pyarrow as pa

    try:
        return texts.cast(type_)
    except pa.ArrowInvalid:
        return None
