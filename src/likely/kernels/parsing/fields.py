"""The fields of a block of lines without quotes: where each begins and ends, and the numbers among them.

References to arrays are not counted (`_nrt=False`): for each field that would take three times as long as the rest.
"""

import numpy as np

from likely.kernels.compiler import njit
from likely.kernels.parsing import FRACTION, MINUS_ZERO, MISPLACED, MISSING, NO_NUMBER, UNGROUPED
from likely.kernels.parsing.decimals import ALL_ZERO_BITS, NO_DOUBLE, ONE, nearest_double

_NEWLINE_CODE, _RETURN_CODE, _MINUS_CODE, _PLUS_CODE, _POINT_CODE, _POWER_CODE = 10, 13, 45, 43, 46, 101
# Places are unsigned, as others would be looked at whether they count from the end.
_LAST_DIGIT, _TEN, _ASCII_ZERO = (np.uint64(one) for one in (9, 10, 48))
_SIGN = np.uint64(2**63)
_MOST_DOUBLE_DIGITS, _MOST_WHOLE_DIGITS, _MOST_POWER = 19, 18, 1000


@njit(cache=True, inline="always", _nrt=False)
def _digits(raw, at, told):
    """Further digits of a number, and their end."""
    digit = np.uint64(raw[at]) - _ASCII_ZERO
    while digit <= _LAST_DIGIT:
        told = told * _TEN + digit
        at += ONE
        digit = np.uint64(raw[at]) - _ASCII_ZERO
    return told, at


@njit(cache=True, inline="always", _nrt=False)
def _power(raw, at):
    """A power of ten, behind its e, and its end; as it was where there is none."""
    below = raw[at] == _MINUS_CODE
    start = at + ONE if below or raw[at] == _PLUS_CODE else at
    power, at = _digits(raw, start, ALL_ZERO_BITS)
    power = np.int64(power) if at - start <= np.uint64(3) else _MOST_POWER
    return (-power if below else power), at, at == start


@njit(cache=True, inline="always", _nrt=False)
def _number(raw, at, fives):
    """A plain number at this place: the bits of its double, or of it where it is whole, what it is, and its end.

    Plain is what digits write, with a minus, a point and a power of ten or without; no zero stands before other digits.
    """
    minus = raw[at] == _MINUS_CODE
    if minus:
        at += ONE
    first = at
    digits, at = _digits(raw, at, ALL_ZERO_BITS)
    count = before = np.int64(at - first)
    told, power = 0, np.int64(0)
    if raw[at] == _POINT_CODE:
        digits, at = _digits(raw, at + ONE, digits)
        count = np.int64(at - first) - 1
        power = before - count
        told = FRACTION
        if power != -3 or before < 1 or before > 3 or raw[first] == _ASCII_ZERO:
            told |= UNGROUPED
    if count == 0 or (before > 1 and raw[first] == _ASCII_ZERO):
        return ALL_ZERO_BITS, NO_NUMBER, at
    if raw[at] == _POWER_CODE:
        told |= FRACTION | UNGROUPED
        more, at, none = _power(raw, at + ONE)
        power += more
        if none:
            return ALL_ZERO_BITS, NO_NUMBER, at
    if count > _MOST_WHOLE_DIGITS:
        place = first
        while raw[place] == _ASCII_ZERO or raw[place] == _POINT_CODE:  # zeros in front do not count
            count -= raw[place] == _ASCII_ZERO
            place += ONE
        if count > (_MOST_DOUBLE_DIGITS if told else _MOST_WHOLE_DIGITS):
            return ALL_ZERO_BITS, NO_NUMBER, at
    if not told:
        if minus and digits == ALL_ZERO_BITS:
            told = MINUS_ZERO
        return (ALL_ZERO_BITS - digits if minus else digits), told, at
    bits = nearest_double(digits, power, fives)
    if bits == NO_DOUBLE:
        return ALL_ZERO_BITS, NO_NUMBER, at
    return (bits | _SIGN if minus else bits), told, at


@njit(cache=True, inline="always", _nrt=False)
def _as_double(whole, fives):
    """The bits of a whole number as a double."""
    minus = whole & _SIGN
    return nearest_double(ALL_ZERO_BITS - whole if minus else whole, 0, fives) | minus


@njit(nogil=True, cache=True, _nrt=False)
def scan(raw, delimiter, rows_of, fives, begins, values, told):
    """How many rows the lines hold, or MISPLACED; all arrays are by column, then by row.

    `rows_of` tells the row of `values` of each column that may hold numbers, or -1. Values are whole numbers up to the
    first other one of the column, from which on, and before, they are the bits of doubles. The field of column j ends
    one before that of j + 1 begins. The last line ends.
    """
    width, size = len(rows_of), np.uint64(len(raw))
    at, row = ALL_ZERO_BITS, 0
    while at < size:
        if raw[at] == _RETURN_CODE and raw[at + ONE] == _NEWLINE_CODE:
            at += ONE
        if raw[at] == _NEWLINE_CODE:
            at += ONE
            continue
        for column in range(width):
            begins[column, row] = at
            place = rows_of[column]
            if raw[at] == delimiter or raw[at] == _NEWLINE_CODE or raw[at] == _RETURN_CODE:
                told[column] |= MISSING
            elif place >= 0 and not told[column] & NO_NUMBER:
                value, found, at = _number(raw, at, fives)
                if raw[at] != delimiter and raw[at] != _NEWLINE_CODE and raw[at] != _RETURN_CODE:
                    found = NO_NUMBER
                if (found | told[column]) & FRACTION:
                    if not told[column] & FRACTION:
                        found |= NO_NUMBER if told[column] & MINUS_ZERO else 0  # which a whole number cannot hold
                        for done in range(row):
                            values[place, done] = _as_double(values[place, done], fives)
                    if not found & FRACTION:
                        value = _SIGN if found & MINUS_ZERO else _as_double(value, fives)
                told[column] |= found
                values[place, row] = value
            while raw[at] != delimiter and raw[at] != _NEWLINE_CODE and raw[at] != _RETURN_CODE:
                at += ONE
            if (raw[at] == delimiter) != (column < width - 1):
                return MISPLACED
            at += ONE
        begins[width, row] = at
        if raw[at - ONE] == _RETURN_CODE:
            if raw[at] != _NEWLINE_CODE:
                return MISPLACED
            at += ONE
        row += 1
    return row
