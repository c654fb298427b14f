"""Sweeps over hidden nodes: each is drawn anew from its table and those of its children, the rest held."""

import numpy as np
from numpy.typing import NDArray

from likely.core.numerics import Cells, Codes, Flags, Floats, Ints
from likely.kernels.arithmetic.random_numbers import GOLDEN_GAMMA, uniform
from likely.kernels.compiler import njit

SMALLEST_GIBBS_PRODUCT = 1e-280  # a product of many small factors that may have lost digits, or everything


@njit(nogil=True, cache=True)
def settle(
    codes: Ints, nodes: Ints, starts: Ints, parents: Ints, strides: Ints, parent_starts: Ints, places: Ints
) -> None:
    """Where in the tables of `nodes` the levels `codes` of all nodes lead."""
    for at in range(len(nodes)):
        node = nodes[at]
        place = starts[node] + codes[node]
        for arc in range(parent_starts[node], parent_starts[node + 1]):
            place += strides[arc] * codes[parents[arc]]
        places[node] = place


@njit(nogil=True, cache=True, inline="always")
def weigh(own, now, size, values, children, strides, first, last, places, sums) -> float:
    """Fill the running sums of the weights of a node's levels given all other nodes; the last of them."""
    # indices are unsigned: that spares a check for negative ones
    for level in range(size):
        sums[level] = values[np.uint64(own + level)]
    for arc in range(first, last):
        stride = strides[np.uint64(arc)]
        place = places[np.uint64(children[np.uint64(arc)])] - now * stride
        for level in range(size):
            sums[level] *= values[np.uint64(place)]
            place += stride
    total = 0.0
    for level in range(size):
        total += sums[level]
        sums[level] = total
    return total


@njit(nogil=True, cache=True)
def weigh_by_logs(own, now, size, values, children, strides, first, last, places, sums) -> float:
    """The same, relative to the largest weight, where a product would vanish."""
    most = -np.inf
    for level in range(size):
        weight = np.log(values[own + level])
        for arc in range(first, last):
            weight += np.log(values[places[children[arc]] + (level - now) * strides[arc]])
        sums[level] = weight
        most = max(most, weight)
    total = 0.0
    for level in range(size):
        total += np.exp(sums[level] - most)
        sums[level] = total
    return total


@njit(nogil=True, cache=True)
def possible(sums, size):
    """How many levels have any weight."""
    many = np.int64(sums[0] > 0.0)
    for level in range(1, size):
        many += sums[level] > sums[level - 1]
    return many


@njit(nogil=True, cache=True)
def sweep(
    sweeps: int,
    begin: int,
    thin: int,
    batch: int,
    every: int,
    hidden: Ints,
    sizes: Ints,
    values: Floats,
    children: Ints,
    child_strides: Ints,
    child_starts: Ints,
    codes: Ints,
    places: Ints,
    counter: NDArray[np.uint64],
    fresh: Codes,
    fresh_weights: Floats,
    findings: Ints,
    log_weights: Floats,
    starts: Ints,
    parents: Ints,
    parent_strides: Ints,
    parent_starts: Ints,
    tracked: Ints,
    offsets: Ints,
    joint: bool,
    counts: Cells,
    free: Flags,
) -> int:
    """Move `codes` (nodes,) and `places` by so many sweeps, the first of which is number `begin` (negative: not kept).

    After every `thin`-th sweep that is kept, counts[kept // batch] learn where the tracked nodes are: one cell for
    all of them together, or one for each. After sweeps number 0, `every`, ... one of the fresh rows (nodes, rows) is
    proposed instead of the whole state. `free` learns which nodes had anywhere to go. Returns how many were accepted.
    """
    sums = np.empty(sizes.max())
    state = counter[0]
    accepted = proposed = 0
    for number in range(begin, begin + sweeps):
        for at in range(len(hidden)):
            node = np.uint64(hidden[at])
            now, size, first, last = codes[node], sizes[node], child_starts[node], child_starts[node + np.uint64(1)]
            own = places[node] - now
            total = weigh(own, now, size, values, children, child_strides, first, last, places, sums)
            if total < SMALLEST_GIBBS_PRODUCT:
                total = weigh_by_logs(own, now, size, values, children, child_strides, first, last, places, sums)
            state += GOLDEN_GAMMA
            target = uniform(state) * total
            level = 0
            for one in range(size - 1):  # below the total by at least a rounding: a level without weight is not met
                level += target >= sums[one]
            if not free[node]:
                free[node] = possible(sums, size) > 1
            # a move of nothing costs less than a branch that cannot be foreseen
            codes[node] = level
            places[node] = own + level
            for arc in range(first, last):
                places[np.uint64(children[np.uint64(arc)])] += (level - now) * child_strides[np.uint64(arc)]
        if number % every == 0:
            here = 0.0
            for at in range(len(findings)):
                node = findings[at]
                here += log_weights[places[node] - codes[node]]
            state += GOLDEN_GAMMA
            if uniform(state) < np.exp(min(0.0, fresh_weights[proposed] - here)):
                accepted += 1
                for at in range(len(codes)):
                    codes[at] = fresh[at, proposed]
                settle(codes, hidden, starts, parents, parent_strides, parent_starts, places)
                settle(codes, findings, starts, parents, parent_strides, parent_starts, places)
            proposed += 1
        if number >= 0 and number % thin == thin - 1:
            row = counts[number // thin // batch]
            if joint:
                cell = 0
                for at in range(len(tracked)):
                    cell += offsets[at] * codes[tracked[at]]
                row[cell] += 1
            else:
                for at in range(len(tracked)):
                    row[offsets[at] + codes[tracked[at]]] += 1
    counter[0] = state
    return accepted
