"""Texts that are numbers as programs write them: told from their letters, and turned into numbers once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.reading import NUMBER, WHOLE
from likely.data.readings.arrow_strings import text_places
from likely.data.readings.missing_marks import ALL_MARKS

_WHOLE_NUMBER = re.compile(r"-?[0-9]+")
_PLAIN = re.compile(r"(?!0[^.eE])-?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:inf|infinity|nan))")
# Codes of goods, as 1E5; programs write 1E+05 or 1.0E5.
GOODS = re.compile(r"[0-9]+E[0-9]+")
_MOST_INTEGER_DIGITS = 18  # of numbers that fit into 64 bits whatever their digits are
_ZERO_BYTE, _NINE_BYTE, _PLUS_BYTE, _MINUS_BYTE, _POINT_BYTE = b"09+-."
_BEHIND_ZERO = np.zeros(256, dtype=bool)  # what may follow a zero that begins a number
_BEHIND_ZERO[list(b".eE")] = True


def kind_of_few(texts: Iterable[str]) -> str:
    """As `plain_kind` says it, of a few texts.

    >>> [kind_of_few(texts) for texts in (["1", "-2"], ["1", ".5", "1e5"], ["007"], ["+1"], ["word"], [])]
    ['whole', 'number', '', '', '', '']
    """
    kind = ""
    for text in texts:
        if not _PLAIN.fullmatch(text) or ("E" in text and GOODS.fullmatch(text)):
            return ""
        whole = _WHOLE_NUMBER.fullmatch(text) and -(2**63) <= int(text) < 2**63
        kind = WHOLE if whole and kind in ("", WHOLE) else NUMBER
    return kind


def plain_kind(texts: Any) -> str:
    """Whether texts, none of them missing or empty, all are whole numbers, or numbers; else nothing.

    >>> import pyarrow as pa
    >>> [plain_kind(pa.array(texts)) for texts in (["1", "-2"], ["1", ".5", "1e5"], ["007"], ["+1"], ["word"])]
    ['whole', 'number', '', '', '']
    """
    return plain_numbers(texts, texts)[0]


def plain_numbers(texts: Any, cells: Any) -> tuple[str, Any]:
    """The kind of texts as `plain_kind` has it, and the `cells`, those texts with missing ones among them, as numbers.

    None for the numbers where there are none, or where they would not tell all: a zero may have a minus.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if not _starts_a_number(texts[0].as_py()) or _has_codes(texts):
        return "", None
    places = text_places(texts)
    letters = bytes(memoryview(texts.buffers()[2])[places[0] : places[-1]])
    if b"E" in letters and pc.any(pc.match_substring_regex(texts, f"^{GOODS.pattern}$")).as_py():
        return "", None
    for kind, type_ in ((WHOLE, pa.int64()), (NUMBER, pa.float64())):
        if kind == WHOLE and b"." in letters:
            continue  # Arrow would say so of every value, which takes long
        try:
            numbers = cells.cast(type_)
        except pa.ArrowInvalid:
            continue
        if kind == WHOLE:
            return kind, None if b"-0" in letters else numbers
        return kind, _without_marks(numbers, cells) if b"n" in letters or b"N" in letters else numbers
    return "", None


def _without_marks(numbers: Any, cells: Any) -> Any:
    """Numbers that are missing where the cell is a mark of a missing value, as nan is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(pc.is_in(cells, pa.array(ALL_MARKS)), pa.scalar(None, numbers.type), numbers)


def numbers_among(columns: Sequence[Any]) -> list[tuple[str, Any]]:
    """The kind of each of many short columns of texts, and its cells as numbers, told from the letters of all at once.

    No kind where a column is none of numbers, or where its letters do not show that it is, as in 1e5.

    >>> import pyarrow as pa
    >>> found = numbers_among([pa.array(texts) for texts in (["1", None], ["1", ".5"], ["007", "1"], ["a", "1"])])
    >>> [kind for kind, _ in found], found[0][1].to_pylist()
    (['whole', 'number', '', ''], [1, None])
    """
    import pyarrow as pa

    whole, number = _shown(columns)
    out: list[tuple[str, Any]] = [("", None)] * len(columns)
    rows = len(columns[0])
    for kind, told, type_ in ((WHOLE, whole, pa.int64()), (NUMBER, number & ~whole, pa.float64())):
        at = np.flatnonzero(told).tolist()
        if not at:
            continue
        numbers = pa.concat_arrays([columns[place] for place in at]).cast(type_)
        for order, place in enumerate(at):
            out[place] = kind, numbers.slice(order * rows, rows)
    return out


def _shown(columns: Sequence[Any]) -> tuple[Array, Array]:
    """(columns,) whether all cells, but for those that are missing, are digits with a minus or a point, or without."""
    import pyarrow as pa

    flat = pa.concat_arrays(columns)
    places, buffer = text_places(flat), flat.buffers()[2]
    begin, sizes = places[:-1], places[1:] - places[:-1]
    letters = np.zeros(places[-1] + 2, np.uint8)  # two more: what follows the first letter of the last text
    if buffer is not None:
        letters[: places[-1]] = np.frombuffer(buffer, np.uint8, places[-1])
    first, second = letters[begin], letters[begin + 1]
    digits = _count((letters >= _ZERO_BYTE) & (letters <= _NINE_BYTE), places)
    points = _count(letters == _POINT_BYTE, places)
    minus = first == _MINUS_BYTE
    there = sizes > 0
    odd = (first == _ZERO_BYTE) & (sizes > 1) & ~_BEHIND_ZERO[second]  # a code, as 007
    odd |= there & minus & (second == _ZERO_BYTE) & (points == 0)  # perhaps a zero with a minus
    odd |= (points == 0) & (digits > _MOST_INTEGER_DIGITS)
    odd |= ~there & flat.is_valid().to_numpy(zero_copy_only=False)
    number = ~odd & (digits > 0) & (points <= 1) & (digits + points + minus * there == sizes)
    whole = number & (points == 0)
    missing = ~there & ~odd
    whole, number, there = (one.reshape(len(columns), -1) for one in (whole | missing, number | missing, there))
    some = there.any(axis=1)
    return np.asarray(whole.all(axis=1) & some), np.asarray(number.all(axis=1) & some)


def _count(told: Array, places: Array) -> Array:
    """(texts,): how many letters of each are so."""
    upto = np.zeros(len(told) + 1, dtype=np.int32)
    np.cumsum(told, out=upto[1:])
    return upto[places[1:]] - upto[places[:-1]]


def _starts_a_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _has_codes(texts: Any) -> bool:
    """Whether a text starts with a zero before another digit, or with a plus: those of codes, as in 007."""
    places, data = text_places(texts), np.frombuffer(texts.buffers()[2], np.uint8)
    starts = places[:-1]
    first = data[starts]
    if (first == _PLUS_BYTE).any():
        return True
    zeros = first == _ZERO_BYTE
    zeros &= places[1:] - starts > 1
    return not _BEHIND_ZERO[data[starts[zeros] + 1]].all()
