"""Rows that walk down a tree, in parts where a value is missing, and what each step changes of what is said of them.

`place` [node]: where its column stands among the codes, or ~ that among the reals; `levels` [node]: how many it has.
"""

import numpy as np

from likely.kernels.compiler import njit

ALL_BRANCHES = -1  # no branch is known: a row goes down all of them


@njit(nogil=True, cache=True)
def branch_of(codes, reals, row, place, levels, threshold, children):
    """Which child a row goes to; a missing value goes to the last where it has a branch of its own, else to all."""
    if place < 0:
        x = reals[row, ~place]
        if x != x:
            return 2 if children > 2 else ALL_BRANCHES
        return 0 if x <= threshold else 1
    code = int(codes[row, place])
    return code if code < levels or (code == levels and children > levels) else ALL_BRANCHES


@njit(nogil=True, cache=True)
def turn(codes, reals, rows, nodes, place, levels, threshold, children, out):
    """out [instance] = which child of its node its row goes to, or ALL_BRANCHES."""
    for i in range(len(rows)):
        node = nodes[i]
        out[i] = branch_of(codes, reals, rows[i], place[node], levels[node], threshold[node], children[node])


@njit(nogil=True, cache=True)
def walk(codes, reals, place, levels, threshold, first, children, share, values, out):
    """out [row] = values [leaf], or those of several leaves in the parts that go there."""
    nodes, parts = np.empty(len(first), np.int64), np.empty(len(first))
    width = values.shape[1]
    for row in range(len(out)):
        node = 0
        at = 0
        while children[node] > 0 and at != ALL_BRANCHES:
            at = branch_of(codes, reals, row, place[node], levels[node], threshold[node], children[node])
            node = first[node] + at if at != ALL_BRANCHES else node
        if at != ALL_BRANCHES:
            for k in range(width):
                out[row, k] = values[node, k]
            continue
        out[row] = 0.0
        nodes[0], parts[0], waiting = node, 1.0, 1
        while waiting:
            waiting -= 1
            node, part = nodes[waiting], parts[waiting]
            if children[node] == 0:
                for k in range(width):
                    out[row, k] += part * values[node, k]
                continue
            at = branch_of(codes, reals, row, place[node], levels[node], threshold[node], children[node])
            for child in range(first[node], first[node] + children[node]):
                if at == ALL_BRANCHES and share[child] > 0.0:
                    nodes[waiting], parts[waiting] = child, part * share[child]
                    waiting += 1
            if at != ALL_BRANCHES:
                nodes[waiting], parts[waiting] = first[node] + at, part
                waiting += 1


@njit(nogil=True, cache=True)
def stand(codes, reals, place, levels, threshold, first, children, share, out):
    """out [row] = the leaf that it comes to; at a missing value it goes where most of the learnt rows went."""
    for row in range(len(out)):
        node = 0
        while children[node] > 0:
            at = branch_of(codes, reals, row, place[node], levels[node], threshold[node], children[node])
            if at == ALL_BRANCHES:
                at = np.argmax(share[first[node] : first[node] + children[node]])
            node = first[node] + at
        out[row] = node


@njit(nogil=True, cache=True)
def expect(first, children, share, values):
    """values [node], in place: of an inner node, those of its children in the parts that incomplete rows take."""
    for node in range(len(first) - 1, -1, -1):  # children stand after their parents
        if children[node] == 0:
            continue
        values[node] = 0.0
        for child in range(first[node], first[node] + children[node]):
            for cell in range(values.shape[1]):
                values[node, cell] += values[child, cell] * share[child]


@njit(nogil=True, cache=True)
def credit(codes, reals, place, levels, column, threshold, first, children, share, values, out):
    """out [row] [0] += the values at the root, and [row] [1 + column] what each step changes of them."""
    nodes, parts = np.empty(len(first), np.int64), np.empty(len(first))
    for row in range(len(out)):
        for cell in range(values.shape[1]):
            out[row, 0, cell] += values[0, cell]
        nodes[0], parts[0], waiting = 0, 1.0, 1
        while waiting:
            waiting -= 1
            node, part = nodes[waiting], parts[waiting]
            if children[node] == 0:
                continue
            at = branch_of(codes, reals, row, place[node], levels[node], threshold[node], children[node])
            low, high = first[node] + at, first[node] + at + 1
            if at == ALL_BRANCHES:
                low, high = first[node], first[node] + children[node]
            for child in range(low, high):
                going = part * share[child] if at == ALL_BRANCHES else part
                if going <= 0.0:
                    continue
                for cell in range(values.shape[1]):
                    out[row, 1 + column[node], cell] += going * (values[child, cell] - values[node, cell])
                nodes[waiting], parts[waiting] = child, going
                waiting += 1


@njit(nogil=True, cache=True)
def credit_logs(codes, reals, place, levels, column, threshold, first, children, share, values, out):
    """out [row] [1 + column] += what each step changes of the logs of the values, which incomplete rows mix in parts.

    A value that is zero stays zero below: how many of the parts are more is counted, as rounding would leave something
    of their difference.
    """
    nodes, parts = np.empty(len(first), np.int64), np.empty(len(first))
    width = values.shape[1]
    mixed, old, some = np.empty(width), np.empty(width), np.empty(width, np.int64)
    for row in range(len(out)):
        for k in range(width):
            mixed[k], some[k] = values[0, k], values[0, k] > 0.0
        nodes[0], parts[0], waiting = 0, 1.0, 1
        while waiting:
            waiting -= 1
            node, part = nodes[waiting], parts[waiting]
            if children[node] == 0:
                continue
            at = branch_of(codes, reals, row, place[node], levels[node], threshold[node], children[node])
            for k in range(width):
                old[k] = mixed[k]
                mixed[k] -= part * values[node, k]
                some[k] -= values[node, k] > 0.0
            for child in range(first[node], first[node] + children[node]):
                going = part * share[child] if at == ALL_BRANCHES else part if child == first[node] + at else 0.0
                if going == 0.0:
                    continue
                for k in range(width):
                    mixed[k] += going * values[child, k]
                    some[k] += values[child, k] > 0.0
                nodes[waiting], parts[waiting] = child, going
                waiting += 1
            for k in range(width):
                mixed[k] = 0.0 if some[k] == 0 else mixed[k]
                if old[k] > 0.0:
                    out[row, 1 + column[node], k] += np.log(mixed[k]) - np.log(old[k]) if mixed[k] > 0.0 else -np.inf
