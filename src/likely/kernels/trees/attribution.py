"""What each step down a tree changes, credited to the column that it asks."""

import numpy as np

from likely.kernels.compiler import njit
from likely.kernels.trees.traversal import ALL_BRANCHES, branch_of


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
