"""Sets of nodes as bits of a number: sets of one size, the best of all subsets, and the best order of nodes."""

from __future__ import annotations

from math import comb

import numpy as np

from likely.core.numerics import Array, Floats
from likely.kernels.compiler import njit


def members(bits: int) -> tuple[int, ...]:
    """The nodes of a set, ascending.

    >>> members(0b1101)
    (0, 2, 3)
    """
    nodes = []
    while bits:
        low = bits & -bits
        nodes.append(low.bit_length() - 1)
        bits ^= low
    return tuple(nodes)


def sets_worth(extra: int, spots: Array, needed: int, node: int, below: Floats, sizes: Array, price: float) -> Array:
    """(sets,): the parents of a node that are the `needed` ones and `extra` of the `spots`, where they may pay.

    They cannot where `price` for each free number of the table is more than what fewer parents, `below`, lose
    altogether; a negative price says that there is none.
    """
    out = np.empty(comb(len(spots), extra), dtype=np.int64)
    return out[: _sets_worth(extra, spots, needed, node, below, sizes, price, out)]


@njit(nogil=True, cache=True)
def _sets_worth(extra, spots, needed, node, below, sizes, price, out):
    """How many sets were put into `out`."""
    found = 0
    pick = (1 << extra) - 1
    for _ in range(len(out)):
        parents = needed
        rest = pick
        for spot in spots:
            if rest & 1:
                parents |= 1 << spot
            rest >>= 1
        if price < 0.0 or -price * (sizes[node] - 1.0) * cells(parents, sizes) > below[without(parents, node)]:
            out[found] = parents
            found += 1
        if pick:  # the next number that has as many bits
            low = pick & -pick
            high = pick + low
            pick = (((high ^ pick) >> 2) // low) | high
    return found


@njit(nogil=True, cache=True)
def cells(bits, sizes):
    """How many cells a table of these nodes has: a float, since they may be very many."""
    number = 1.0
    for node in range(len(sizes)):
        if bits >> node & 1:
            number *= sizes[node]
    return number


@njit(nogil=True, cache=True)
def without(bits, node):
    """The set when the bit of the node, which is not in it, is left out: half as many sets are left."""
    return (bits & ((1 << node) - 1)) | (bits >> (node + 1) << node)


@njit(nogil=True, cache=True)
def squeezed(sets, node):
    """(sets,): the same of many."""
    out = np.empty(len(sets), dtype=np.int64)
    for at in range(len(sets)):
        out[at] = without(sets[at], node)
    return out


@njit(nogil=True, cache=True)
def spread(best):
    """best (sets,) becomes the best of each set and all its subsets."""
    step = 1
    while step < len(best):
        for start in range(step, len(best), 2 * step):
            for at in range(start, start + step):
                best[at] = max(best[at], best[at - step])
        step *= 2


@njit(nogil=True, cache=True)
def unknown(sets, values):
    """(sets,) ascending: those without a value, and those left when the highest node goes from them, again and again.

    A value that is not there yet is nan; one that is asked for becomes inf until it comes.
    """
    number = 0
    for bits in sets:
        rest = bits
        while np.isnan(values[rest]):
            values[rest] = np.inf
            number += 1
            rest ^= 1 << highest(rest)
    out = np.empty(number, dtype=np.int64)
    found = 0
    for bits in range(len(values) if number else 0):
        if values[bits] == np.inf:
            out[found] = bits
            found += 1
    return out


@njit(nogil=True, cache=True)
def highest(bits):
    """The highest node of a set that is not empty."""
    node = 0
    while bits >> (node + 1):
        node += 1
    return node


@njit(nogil=True, cache=True)
def add_up(sets, scores, values):
    """values[set] = that of the set without its highest node + the score of this node below the others.

    The sets ascend, so that what is added to is there.
    """
    for at in range(len(sets)):
        bits = sets[at]
        values[bits] = values[bits ^ (1 << highest(bits))] + scores[at]


@njit(nogil=True, cache=True)
def best_orders(best, totals):
    """totals[set] = the score of the best graph of the nodes of a set.

    best[node, others] is the score of the best parents of a node among others (`without` the node). The last node of
    an order has no children, so that the others are a best graph by themselves.
    """
    totals[0] = 0.0
    for bits in range(1, len(totals)):
        last = last_of(bits, best, totals)
        others = bits ^ (1 << last)
        totals[bits] = totals[others] + best[last, without(others, last)]


@njit(nogil=True, cache=True)
def last_of(bits, best, totals):
    """The node that comes last in the best order of a set."""
    last, top = -1, -np.inf
    for node in range(len(best)):
        if bits >> node & 1:
            others = bits ^ (1 << node)
            mine = totals[others] + best[node, without(others, node)]
            if last < 0 or mine > top:
                last, top = node, mine
    return last
