"""Instances sent down the splits of a level, in parts where a value is missing, and their orders dealt out."""

import numpy as np

from likely.kernels.compiler import interpreted_while_small, njit

ALL_CHILDREN = -2  # an instance that goes to all children
IN_A_LEAF = -1  # an instance whose node is a leaf


@interpreted_while_small
@njit(nogil=True, cache=True)
def send(members, bounds, split, place, threshold, first, children, holed, levels, codes, values, rows, to, holes):
    """to [instance] = the child it goes to, counted over the whole level; holes [node] = how many go to all.

    `split` [node]: whether it is; `place`: of its column among the numeric (threshold no NaN) or the discrete ones;
    `levels`: of a category; `holed`: the last branch is that of the missing values.
    """
    for node in range(len(bounds) - 1):
        if not split[node]:
            continue
        at, cut, base, missed = place[node], threshold[node], first[node], 0
        own = base + children[node] - 1 if holed[node] else ALL_CHILDREN
        if cut == cut:
            column = values[at]
            for i in range(bounds[node], bounds[node + 1]):
                e = members[i]
                x = column[rows[e]]
                child = base + (x > cut) if x == x else own
                to[e] = child
                missed += child == ALL_CHILDREN
        else:
            last = levels[node]
            for i in range(bounds[node], bounds[node + 1]):
                e = members[i]
                code = int(codes[at, rows[e]])
                child = base + code if code < last else own if code == last else ALL_CHILDREN
                to[e] = child
                missed += child == ALL_CHILDREN
        holes[node] = missed


@njit(nogil=True, cache=True)
def squares_about(to, marks, weights, middle, out):
    """Add to out [child] the squares about middle [child] of the instances that went there."""
    for e in range(len(to)):
        child = to[e]
        if child >= 0:
            out[child] += weights[e] * (marks[e] - middle[child]) ** 2


@interpreted_while_small
@njit(nogil=True, cache=True)
def lump(members, bounds, first, children, share, smallest, shares, to):
    """An instance with a missing value of which little is left goes to the largest child as it is."""
    for node in range(len(bounds) - 1):
        base, many = first[node], children[node]
        if many == 0:
            continue
        largest = base + np.argmax(share[base : base + many])
        for i in range(bounds[node], bounds[node + 1]):
            e = members[i]
            if to[e] == ALL_CHILDREN and shares[e] < smallest:
                to[e] = largest


@interpreted_while_small
@njit(nogil=True, cache=True)
def count_dealt(orders, spans, going, begin, end, slot, starts, out):
    """Add to out [column] [node of the next level] how many entries of an order come to it; see `deal`."""
    parted = len(starts) > 0
    for c in range(begin, end):
        for node in range(spans.shape[1] - 1):
            if not going[c, node]:
                continue
            for i in range(spans[c, node], spans[c, node + 1]):
                e = orders[i]
                if parted:
                    for at in range(starts[e], starts[e + 1]):
                        out[c, slot[at]] += 1
                elif slot[e] >= 0:
                    out[c, slot[e]] += 1


@interpreted_while_small
@njit(nogil=True, cache=True)
def deal(orders, spans, going, begin, end, slot, starts, into, out):
    """out = the entries of each node of the next level in their order, from into [column] [node] on, which moves.

    `going` [column] [node]: whether its entries go on. `slot` [instance]: the node of the next level, -1 where it is a
    leaf. `starts` [instance]: where its parts stand, and then `slot` is of those; empty: instances stay what they are.
    """
    parted = len(starts) > 0
    for c in range(begin, end):
        place = into[c]
        for node in range(spans.shape[1] - 1):
            if not going[c, node]:
                continue
            for i in range(spans[c, node], spans[c, node + 1]):
                e = orders[i]
                if parted:
                    for other in range(starts[e], starts[e + 1]):
                        out[place[slot[other]]] = other
                        place[slot[other]] += 1
                else:
                    at = slot[e]
                    if at >= 0:
                        out[place[at]] = e
                        place[at] += 1
