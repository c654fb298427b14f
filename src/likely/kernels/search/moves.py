"""Moves of a search over graphs: the best arc to add, delete or turn round, and which node reaches which."""

import numpy as np

from likely.core.numerics import Flags, Floats, Ints
from likely.kernels.arithmetic.random_numbers import GOLDEN_GAMMA, uniform
from likely.kernels.compiler import interpreted_while_small, njit

NONE, ADD, DELETE, REVERSE = 0, 1, 2, 3


@interpreted_while_small
@njit(nogil=True, cache=True)
def reach(arcs: Flags, out: Flags) -> None:
    """out[a, b]: whether arrows lead from a to b; every node reaches itself. arcs[parent, child] have no circle."""
    nodes = len(arcs)
    waiting = np.zeros(nodes, np.int64)  # children that are not done yet
    ready, count = np.empty(nodes, np.int64), 0
    for a in range(nodes):
        for b in range(nodes):
            waiting[a] += arcs[a, b]
        if not waiting[a]:
            ready[count] = a
            count += 1
    out[:] = False
    done = 0
    while done < count:
        b = ready[done]
        done += 1
        out[b, b] = True
        for c in range(nodes):
            if arcs[b, c]:
                for d in range(nodes):
                    out[b, d] |= out[c, d]
        for a in range(nodes):
            if arcs[a, b]:
                waiting[a] -= 1
                if not waiting[a]:
                    ready[count] = a
                    count += 1


@interpreted_while_small
@njit(nogil=True, cache=True)
def join(reached: Flags, parent: int, child: int) -> None:
    """The same after an arc was added."""
    nodes = len(reached)
    for a in range(nodes):
        if reached[a, parent] and not reached[a, child]:
            for b in range(nodes):
                reached[a, b] |= reached[child, b]


@njit(nogil=True, cache=True)
def turns_in_a_circle(arcs: Flags, reached: Flags, parent: int, child: int) -> bool:
    """Whether an arc cannot be turned round: another way leads from its parent to its child."""
    found = False
    for other in range(len(arcs)):
        found |= arcs[parent, other] and other != child and reached[other, child]
    return found


@njit(nogil=True, cache=True)
def best_move(
    gains: Floats,
    arcs: Flags,
    reached: Flags,
    allowed: Flags,
    required: Flags,
    most: int,
    until: Ints,
    now: int,
    enough: float,
) -> tuple[int, int, int, float]:
    """(kind, parent, child, gain) of the move that gains most; of equals, the first.

    gains[child, parent] is what toggling that arc alone gains. An arc may not be touched before `until[parent, child]`,
    unless the move gains more than `enough`.
    """
    nodes = len(arcs)
    parents = np.zeros(nodes, np.int64)
    for a in range(nodes):
        for b in range(nodes):
            parents[b] += arcs[a, b]
    kind, parent, child, best = NONE, -1, -1, -np.inf
    for b in range(nodes):
        for a in range(nodes):
            gain = gains[b, a]
            least = best if until[a, b] <= now else max(best, enough)
            if not arcs[a, b]:
                if gain > least and allowed[a, b] and parents[b] < most and not reached[b, a]:
                    kind, parent, child, best = ADD, a, b, gain
                continue
            if required[a, b]:
                continue
            if gain > least:
                kind, parent, child, best = DELETE, a, b, gain
                least = gain
            gain += gains[a, b]
            able = gain > least and allowed[b, a] and parents[a] < most
            if able and not turns_in_a_circle(arcs, reached, a, b):
                kind, parent, child, best = REVERSE, a, b, gain
    return kind, parent, child, best


@njit(nogil=True, cache=True)
def wander(arcs: Flags, allowed: Flags, required: Flags, tries: int, seed: np.uint64) -> None:
    """Turn covered arcs round, drawn at random: graphs of one class are so connected (Chickering 1995).

    An arc is covered if its child has the parents of its parent, and no others but that.
    """
    nodes = len(arcs)
    from_, to, count = np.empty(nodes * nodes, np.int64), np.empty(nodes * nodes, np.int64), 0
    for a in range(nodes):
        for b in range(nodes):
            if arcs[a, b]:
                from_[count], to[count] = a, b
                count += 1
    for turn in range(tries if count else 0):
        at = int(uniform(seed + np.uint64(turn) * GOLDEN_GAMMA) * count)
        a, b = from_[at], to[at]
        covered = allowed[b, a] and not required[a, b]
        for other in range(nodes):
            if not covered:
                break
            covered = other == a or arcs[other, a] == arcs[other, b]
        if covered:
            arcs[a, b], arcs[b, a] = False, True
            from_[at], to[at] = b, a
