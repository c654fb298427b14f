"""Cells of text as values, the way that a reading says."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.reading import DATE, NUMBER, TIME, TRUTH, WHOLE, WORDS, Reading
from likely.data.readings.dates import read_dates
from likely.data.readings.letters import are_plain
from likely.data.readings.marks import ALL_MARKS, MISSING_MARKS


def value_type(reading: Reading) -> Any:
    """The Arrow type of the values."""
    import pyarrow as pa

    types = {WHOLE: pa.int64(), NUMBER: pa.float64(), TRUTH: pa.bool_(), DATE: pa.date32(), TIME: pa.timestamp("us")}
    return types.get(reading.form, pa.string())


def read(cells: Any, reading: Reading) -> Any:
    """(cells,) of an Arrow column of text: the values, missing where a mark says so or a text does not fit."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if reading.form == WORDS and not reading.all_marks and are_plain(cells):
        return cells
    coded = cells.dictionary_encode()
    texts = pc.utf8_trim_whitespace(coded.dictionary)
    gone = pc.is_in(texts, pa.array(ALL_MARKS if reading.all_marks else MISSING_MARKS))
    if reading.form == WORDS and not pc.any(gone).as_py() and texts.equals(coded.dictionary):
        return cells
    texts = pc.if_else(gone, pa.scalar(None, pa.string()), texts)
    return _values(texts, reading).take(coded.indices)


def _values(texts: Any, reading: Reading) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if reading.form in (WHOLE, NUMBER):
        return _numbers(texts, value_type(reading))
    if reading.form == TRUTH:
        lowered = pc.utf8_lower(texts)
        known = pc.is_in(lowered, pa.array(["true", "false"]))
        return pc.if_else(known, pc.equal(lowered, "true"), pa.scalar(None, pa.bool_()))
    if reading.form in (DATE, TIME):
        times = pa.array(read_dates(texts, reading.layout)[0])
        return times.cast(value_type(reading), safe=False)
    return texts


def _numbers(texts: Any, type_: Any) -> Any:
    """Numbers, those that are none missing."""
    import pyarrow as pa

    try:
        return texts.cast(type_)
    except pa.ArrowInvalid:
        return pa.array([_number(text, type_) for text in texts.to_pylist()], pa.float64()).cast(type_, safe=False)


def _number(text: str | None, type_: Any) -> float | None:
    try:
        value = None if text is None or "_" in text else float(text)
    except ValueError:
        return None
    return None if value is not None and str(type_) == "int64" and not np.isfinite(value) else value
