"""The best threshold of a sorted column, or the split by its levels, by the distances of targets from their medians.

`ranked`: the instances of each node in order of their targets; `rank` [instance]: its place among those of its node.
"""

import numpy as np

from likely.kernels.compiler import njit
from likely.kernels.trees.splits import CLOSER, xlogx


@njit(nogil=True, cache=True)
def distances(marks, weights, some):
    """The sum of the distances of instances, in order of their targets, from their weighted median."""
    total = 0.0
    for e in some:
        total += weights[e]
    running, middle = 0.0, 0.0
    for e in some:
        running += weights[e]
        middle = marks[e]
        if 2.0 * running >= total:
            break
    found = 0.0
    for e in some:
        found += weights[e] * abs(marks[e] - middle)
    return found


@njit(nogil=True, cache=True)
def put(tree, at, weight, amount):
    """Add an instance to running sums that are held as a tree of parts (Fenwick's)."""
    at += 1
    while at < len(tree):
        tree[at, 0] += weight
        tree[at, 1] += amount
        at += at & -at


@njit(nogil=True, cache=True)
def loss_of(tree, top, marks, ranked, first, weight, amount):
    """The sum of the distances from the median of all that was put into the tree."""
    at, below, sums = 0, 0.0, 0.0
    step = top
    while step > 0:
        if at + step < len(tree) and 2.0 * (below + tree[at + step, 0]) < weight:
            at += step
            below += tree[at, 0]
            sums += tree[at, 1]
        step >>= 1
    middle = marks[ranked[first + min(at, len(tree) - 2)]]
    return (middle * below - sums) + (amount - sums) - middle * (weight - below)


@njit(nogil=True, cache=True)
def losses(order, first, last, forward, marks, weights, rank, ranked, begin, many, out):
    """out [i] = the loss of the entries up to i, or from i on; the loss of all."""
    tree = np.zeros((many + 1, 2))
    top = 1
    while 2 * top <= many:
        top *= 2
    weight = amount = found = 0.0
    for turn in range(last - first):
        i = turn if forward else last - first - 1 - turn
        e = order[first + i]
        put(tree, rank[e], weights[e], weights[e] * marks[e])
        weight += weights[e]
        amount += weights[e] * marks[e]
        found = max(loss_of(tree, top, marks, ranked, begin, weight, amount), 0.0)
        out[i] = found
    return found


@njit(nogil=True, cache=True)
def scan_distances(
    orders, spans, live, begin, end, marks, weights, shares, size, least, values, rows, tied, rank, ranked, bounds, out
):
    """out [drop, left, place] [column] [node] of the split with the least distances from the medians; -1: none."""
    most = 0
    for node in range(len(bounds) - 1):
        most = max(most, bounds[node + 1] - bounds[node])
    left, right = np.empty(most), np.empty(most)
    for c in range(begin, end):
        column, ties = values[c], tied[c]
        for node in range(spans.shape[1] - 1):
            out[2, c, node] = -1
            if not live[c, node]:
                continue
            first, last = spans[c, node], spans[c, node + 1]
            start, many = bounds[node], bounds[node + 1] - bounds[node]
            whole = losses(orders, first, last, True, marks, weights, rank, ranked, start, many, left)
            losses(orders, first, last, False, marks, weights, rank, ranked, start, many, right)
            n = weight = 0.0
            best, place, lying = np.inf, -1, 0.0
            for i in range(last - first - 1):
                e = orders[first + i]
                n += shares[e]
                weight += weights[e]
                if n < least or size[node] - n < least:
                    continue
                if ties and column[rows[e]] == column[rows[orders[first + i + 1]]]:
                    continue
                if (left[i] + right[i + 1]) * CLOSER < best:
                    best, place, lying = left[i] + right[i + 1], first + i, weight
            out[0, c, node] = whole - best if place >= 0 else -1.0
            out[1, c, node], out[2, c, node] = lying, place


@njit(nogil=True, cache=True)
def split_distances(ranked, bounds, begin, end, codes, levels, marks, weights, shares, least, useful, rows, out):
    """out [drop, split information, known, branches] [column] [node] of the split by levels; as `split_levels`."""
    for c in range(begin, end):
        column, top = codes[c], levels[c]
        starts = np.zeros(top + 2, np.int64)
        for node in range(len(bounds) - 1):
            if not useful[node, c]:
                continue
            mine = ranked[bounds[node] : bounds[node + 1]]
            dealt, known = np.empty(len(mine), np.int64), np.empty(len(mine), np.int64)
            starts[:] = 0
            many = 0
            for e in mine:
                code = int(column[rows[e]])
                if code < top:
                    starts[code + 2] += 1
                    known[many] = e
                    many += 1
            for code in range(1, top + 2):
                starts[code] += starts[code - 1]
            for e in known[:many]:
                code = int(column[rows[e]])
                dealt[starts[code + 1]] = e
                starts[code + 1] += 1
            drop, information, total, branches = distances(marks, weights, known[:many]), 0.0, 0.0, 0
            for code in range(top):
                some = dealt[starts[code] : starts[code + 1]]
                weight = size = 0.0
                for e in some:
                    weight += weights[e]
                    size += shares[e]
                drop -= distances(marks, weights, some)
                information -= xlogx(weight)
                total += weight
                branches += size >= least
            out[0, c, node], out[1, c, node], out[2, c, node], out[3, c, node] = drop, information, total, branches
