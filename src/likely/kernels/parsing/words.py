"""Words of a column by number, in the order in which they come, and as one text after the other."""

import numpy as np

from likely.kernels.compiler import njit
from likely.kernels.parsing import PLACES, TOO_MANY_WORDS

_START, _FACTOR, _KEY_SHIFT = np.uint64(14695981039346656037), np.uint64(1099511628211), np.uint64(54)


@njit(nogil=True, cache=True, _nrt=False)
def number_words(raw, begins, behind, table, firsts, codes):
    """How many different words there are, or TOO_MANY_WORDS; their first rows, and the number of each, if not empty.

    Each word ends one before what is behind it. The table of PLACES holds -1.
    """
    known = 0
    for row in range(len(begins)):
        begin, size = begins[row], behind[row] - begins[row] - 1
        if size == 0:
            codes[row] = 0
            continue
        key = _START
        for at in range(begin, begin + size):
            key = (key ^ np.uint64(raw[at])) * _FACTOR
        place = np.int64(key >> _KEY_SHIFT)
        while True:
            code = table[place]
            if code < 0:
                if known == len(firsts):
                    return TOO_MANY_WORDS
                code = table[place] = known
                firsts[known] = row
                known += 1
                break
            first = begins[firsts[code]]
            if behind[firsts[code]] - first - 1 == size:
                at = 0
                while at < size and raw[first + at] == raw[begin + at]:
                    at += 1
                if at == size:
                    break
            place = (place + 1) % PLACES
        codes[row] = code
    return known


@njit(nogil=True, cache=True, _nrt=False)
def join(raw, begins, places, letters):
    """The letters of all fields one after the other; `places` is where each begins, and the end."""
    for row in range(len(begins)):
        shift = np.int64(begins[row]) - places[row]
        for at in range(places[row], places[row + 1]):
            letters[at] = raw[at + shift]
