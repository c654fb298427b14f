"""Instances pushed down a branch of a tree, and the errors that are to be feared there."""

from __future__ import annotations

import numpy as np

from likely.kernels.compiler import njit
from likely.kernels.trees.traversal import branch_of


@njit(nogil=True, cache=True)
def feared(weight, errors, confidence, z):
    """How many errors to fear at a leaf of so much weight with so many errors: C4.5's upper bound of the binomial.

    z is the quantile of the normal distribution at 1 - confidence; with less than one error the exact bound of none is
    known, and the two are joined by a line.
    """
    if weight < 1e-6:
        return 0.0
    if errors < 1.0:
        none = weight * (1.0 - confidence ** (1.0 / weight))
        return none if errors == 0.0 else none + errors * (_bound(weight, 1.0, z) - none)
    return _bound(weight, errors, z)


@njit(nogil=True, cache=True)
def _bound(weight, errors, z):
    if errors + 0.5 >= weight:
        return max(weight, errors)
    share = (errors + 0.5) / weight
    spread = np.sqrt(share / weight - share * share / weight + z * z / (4 * weight * weight))
    return weight * (share + z * z / (2 * weight) + z * spread) / (1 + z * z / weight)


@njit(nogil=True, cache=True)
def _grown(values, size):
    """A longer array that begins with the values; a loop, as an assignment would compile the words of its error."""
    out = np.empty(size, dtype=values.dtype)
    for i in range(len(values)):
        out[i] = values[i]
    return out


@njit(nogil=True, cache=True)
def deal_out(rows, weights, place, levels, threshold, share, codes, reals):
    """The instances of a node by its children, whose `share` of missing values is given, and where each begin."""
    many = len(share)
    ends = np.zeros(many + 1, dtype=np.int64)
    branch = np.empty(len(rows), dtype=np.int64)
    for i in range(len(rows)):
        turn = branch_of(codes, reals, rows[i], place, levels, threshold, many)
        branch[i] = turn
        for child in range(turn, turn + 1) if turn >= 0 else range(many):
            ends[child + 1] += turn >= 0 or share[child] > 0.0
    into = np.empty(many, dtype=np.int64)
    for child in range(many):
        into[child] = ends[child]
        ends[child + 1] += ends[child]
    who, much = np.empty(ends[many], dtype=np.int64), np.empty(ends[many])
    for i in range(len(rows)):
        turn = branch[i]
        for child in range(turn, turn + 1) if turn >= 0 else range(many):
            if turn >= 0 or share[child] > 0.0:
                who[into[child]] = rows[i]
                much[into[child]] = weights[i] if turn >= 0 else weights[i] * share[child]
                into[child] += 1
    return who, much, ends


@njit(nogil=True, cache=True)
def push(
    start, rows, weights, limit, places, levels, thresholds, first, children, codes, reals, cells, bound, counts, share
):
    """The errors feared of the branch at `start` if these instances came there; beyond the limit, that there are more.

    counts (nodes, classes) and share (nodes,) of the branch are rewritten: what comes to each node, and its part of
    what is known at its parent. `bound` is (confidence, z). A branch is walked depth first, its instances on a stack:
    those of a node's children lie above its own, and the last child is done before the one below it.
    """
    classes = counts.shape[1]
    who, much = _grown(rows, 2 * len(rows) + 64), _grown(weights, 2 * len(rows) + 64)
    spans = np.empty(3 * 64, dtype=np.int64)  # of each that waits: node, low, high
    spans[0], spans[1], spans[2] = start, 0, len(rows)
    waiting, total = 1, 0.0
    while waiting:
        waiting -= 1
        node, low, high = spans[3 * waiting], spans[3 * waiting + 1], spans[3 * waiting + 2]
        for cell in range(classes):
            counts[node, cell] = 0.0
        for at in range(low, high):
            counts[node, cells[who[at]]] += much[at]
        many = children[node]
        if many == 0:
            weight, most = 0.0, 0.0
            for cell in range(classes):
                weight += counts[node, cell]
                most = max(most, counts[node, cell])
            total += feared(weight, weight - most, bound[0], bound[1])
            if total > limit:
                break
            continue
        known, length = np.zeros(many), np.zeros(many, dtype=np.int64)
        branch = np.empty(high - low, dtype=np.int64)
        for at in range(low, high):
            turn = branch_of(codes, reals, who[at], places[node], levels[node], thresholds[node], many)
            branch[at - low] = turn
            if turn >= 0:
                known[turn] += much[at]
                length[turn] += 1
            else:
                for turn in range(many):
                    length[turn] += 1
        whole, need = 0.0, high
        for turn in range(many):
            whole += known[turn]
            need += length[turn]
        for turn in range(many):
            share[first[node] + turn] = known[turn] / whole if whole > 0 else 1.0 / many
        if need > len(who):
            who, much = _grown(who, 2 * need), _grown(much, 2 * need)
        if 3 * (waiting + many) > len(spans):
            spans = _grown(spans, 6 * (waiting + many))
        ends, end = np.empty(many, dtype=np.int64), high
        for turn in range(many):
            at = 3 * (waiting + turn)
            ends[turn], spans[at], spans[at + 1] = end, first[node] + turn, end
            end += length[turn]
            spans[at + 2] = end
        for at in range(low, high):
            turn = branch[at - low]
            for child in range(turn, turn + 1) if turn >= 0 else range(many):
                who[ends[child]] = who[at]
                much[ends[child]] = much[at] if turn >= 0 else much[at] * share[first[node] + child]
                ends[child] += 1
        waiting += many
    return total
