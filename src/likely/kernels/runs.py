"""Runs of table entries next to each other, each entry with all its lanes: multiplied by, summed into, copied.

One lane is left to the compiler; of several, four at a time are held in a register, which it would not do by itself.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from likely.kernels.lanes import WIDTH, add, load, multiply, spread, store

FAST = {"reassoc", "contract", "nsz"}


@njit(nogil=True, cache=True, fastmath=FAST)
def times(table, place, count, message, at, along, lanes):
    """table[place : place + count] *= message[at], or, `along`, the entries that follow it one by one."""
    width = len(lanes)
    if width == 1:
        if along:
            for k in range(count):
                table[place + k] *= message[at + k]
        else:
            factor = message[at]
            for k in range(count):
                table[place + k] *= factor
        return
    for lane in range(0, width, WIDTH):
        into, source = np.uint64(place * width + lane), np.uint64(at * width + lane)
        factors = load(message, source)
        for _ in range(count):
            if along:
                factors = load(message, source)
                source += np.uint64(width)
            store(table, into, multiply(load(table, into), factors))
            into += np.uint64(width)


@njit(nogil=True, cache=True, fastmath=FAST)
def total(table, place, count, message, at, along, lanes):
    """message[at] += table[place : place + count], or, `along`, each to the entry that follows."""
    width = len(lanes)
    if width == 1:
        if along:
            for k in range(count):
                message[at + k] += table[place + k]
        else:
            found = 0.0
            for k in range(count):
                found += table[place + k]
            message[at] += found
        return
    for lane in range(0, width, WIDTH):
        source, into = np.uint64(place * width + lane), np.uint64(at * width + lane)
        if along:
            for _ in range(count):
                store(message, into, add(load(message, into), load(table, source)))
                source += np.uint64(width)
                into += np.uint64(width)
        else:
            found = load(message, into)
            for _ in range(count):
                found = add(found, load(table, source))
                source += np.uint64(width)
            store(message, into, found)


@njit(nogil=True, cache=True)
def copy(table, place, count, values, at, lanes):
    """table[place : place + count] = values[at : at + count], the same in every lane."""
    width = len(lanes)
    if width == 1:
        for k in range(count):
            table[place + k] = values[at + k]
        return
    for k in range(count):
        for lane in range(0, width, WIDTH):
            store(table, np.uint64((place + k) * width + lane), spread(values[at + k]))
