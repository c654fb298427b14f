"""Messages in a junction tree, for several rows of evidence at a time: lanes run side by side in the innermost loops.

A clique's table holds P(what is new in it | its separator), so that a branch without evidence has nothing to say, and
only what evidence touches is worked on. Nodes that are seen in every lane are no axes of the tables any more: each lane
reads the part of the table that its own finding selects.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from likely.kernels.cliques import absorb, around, collapse, load, project, weigh
from likely.kernels.runs import times, total

SMALL = 1e-200  # of all that a table sums to: of many small factors digits may be lost, or everything


@njit(nogil=True, cache=True)
def _prepare(tree, room, codes, masked, every, lanes):
    """What is seen in every lane, what evidence touches, and where tables and separators begin."""
    width, nodes, cliques = len(lanes), len(tree.sizes), len(tree.parents)
    for node in range(nodes):
        whole = True
        for lane in range(width):
            whole &= codes[node, lane] >= 0
        room.seen[node] = 2 if whole else (1 if masked[node] else 0)
        room.mark[node] = -1
    room.dirty[:] = every
    for clique in range(cliques - 1, -1, -1):
        for place in range(tree.clique_starts[clique], tree.clique_starts[clique + 1]):
            node = tree.nodes[place]
            if room.seen[node] == 2 or (room.seen[node] == 1 and tree.owner[node] == clique):
                room.dirty[clique] = True
        if room.dirty[clique] and tree.parents[clique] >= 0:
            room.dirty[tree.parents[clique]] = True
    room.places[0, 0] = 0
    room.places[0, 1] = 0
    for clique in range(cliques):
        table, separator = 1, 1
        first = tree.clique_starts[clique]
        for place in range(first, tree.clique_starts[clique + 1]):
            if room.seen[tree.nodes[place]] < 2:
                table *= tree.sizes[tree.nodes[place]]
            if place == first + tree.shared[clique] - 1:
                separator = table
        room.places[clique + 1, 0] = room.places[clique, 0] + table
        room.places[clique + 1, 1] = room.places[clique, 1] + separator


@njit(nogil=True, cache=True)
def _rows(table, sums, message, scale, most, careful, lanes):
    """sums = that of each row of the table; message = the same, scaled to one; scale += the log of what it was.

    With `most`, the largest of each row takes the place of its sum. Returns whether that may be believed: where all is
    very small and not `careful`, nothing but `sums` is changed.
    """
    width = len(lanes)
    rows = len(message) // width
    long = len(table) // len(message)
    whole = np.zeros(width)
    sums[:] = 0.0
    for row in range(rows):
        if most:
            for place in range(row * long * width, (row + 1) * long * width, width):
                for lane in range(width):
                    sums[row * width + lane] = max(sums[row * width + lane], table[place + lane])
        else:
            total(table, row * long, long, sums, row, False, lanes)
        for lane in range(width):
            whole[lane] += sums[row * width + lane]
    if not careful:
        for lane in range(width):
            if whole[lane] < SMALL:
                return False
    for lane in range(width):
        scale[lane] += np.log(whole[lane]) if whole[lane] > 0.0 else -np.inf
        whole[lane] = 1.0 / whole[lane] if whole[lane] > 0.0 else 0.0
    for row in range(rows):
        for lane in range(width):
            message[row * width + lane] = sums[row * width + lane] * whole[lane]
    return True


@njit(nogil=True, cache=True)
def _enlarge(table, scale, lanes):
    """table /= its largest entry, in each lane; scale += the log of that."""
    width = len(lanes)
    for lane in range(width):
        most = 0.0
        for place in range(lane, len(table), width):
            most = max(most, table[place])
        if most > 0.0:
            for place in range(lane, len(table), width):
                table[place] /= most
            scale[lane] += np.log(most)


@njit(nogil=True, cache=True)
def _gather(tree, room, tables, clique, codes, likelihoods, table, scale, careful, lanes):
    """The table of a clique, times its likelihoods and what its children say; `careful`, enlarged after each."""
    width = len(lanes)
    load(tree, room, tables, clique, codes, table, lanes)
    for place in range(tree.clique_starts[clique], tree.clique_starts[clique + 1]):
        node = tree.nodes[place]
        if room.seen[node] == 1 and tree.owner[node] == clique:
            weigh(tree, room, clique, node, likelihoods, table, lanes)
            if careful:
                _enlarge(table, scale, lanes)
    for at in range(tree.child_starts[clique], tree.child_starts[clique + 1]):
        child = tree.children[at]
        if room.dirty[child]:
            count = collapse(tree, room, clique, child)
            message = room.down[room.places[child, 1] * width : room.places[child + 1, 1] * width]
            absorb(table, message, room.blocks, count, lanes)
            if careful:
                _enlarge(table, scale, lanes)


@njit(nogil=True, cache=True)
def collect(tree, room, tables, codes, masked, likelihoods, scale, every, most, lanes):
    """Messages from the leaves to the roots, scale (lanes,) += the log of what all sums to.

    Where evidence touches nothing, tables stay as they are unless `every` one is wanted; with `most`, what goes up is
    the largest product instead of the sum.
    """
    width = len(lanes)
    _prepare(tree, room, codes, masked, every, lanes)
    places = room.places
    for clique in range(len(tree.parents) - 1, -1, -1):
        if not room.dirty[clique]:
            continue
        table = room.tables[places[clique, 0] * width : places[clique + 1, 0] * width]
        sums = room.up[places[clique, 1] * width : places[clique + 1, 1] * width]
        message = room.down[places[clique, 1] * width : places[clique + 1, 1] * width]
        for careful in (False, True):
            _gather(tree, room, tables, clique, codes, likelihoods, table, scale, careful, lanes)
            if _rows(table, sums, message, scale, most, careful, lanes):
                break


@njit(nogil=True, cache=True)
def _renew(table, message, sums, known, lanes):
    """table *= message, row by row; of a table whose `sums` are not ones (`known`), by what is new in the message."""
    width = len(lanes)
    long = len(table) // len(message)
    ratio = np.empty(width)
    for row in range(len(message) // width):
        for lane in range(width):
            ratio[lane] = message[row * width + lane]
            if known:
                before = sums[row * width + lane]
                ratio[lane] = ratio[lane] / before if before > 0.0 else 0.0
        times(table, row * long, long, ratio, 0, False, lanes)


@njit(nogil=True, cache=True)
def distribute(tree, room, tables, codes, needed, lanes):
    """Messages from the roots to the leaves: every table that is needed becomes P(its nodes | evidence)."""
    width = len(lanes)
    places = room.places
    for clique in range(len(tree.parents)):
        if not needed[clique]:
            continue
        table = room.tables[places[clique, 0] * width : places[clique + 1, 0] * width]
        if not room.dirty[clique]:
            load(tree, room, tables, clique, codes, table, lanes)
        sums = room.up[places[clique, 1] * width : places[clique + 1, 1] * width]
        message = room.down[places[clique, 1] * width : places[clique + 1, 1] * width]
        if tree.parents[clique] < 0:
            message[:] = 1.0
        _renew(table, message, sums, room.dirty[clique], lanes)
        for at in range(tree.child_starts[clique], tree.child_starts[clique + 1]):
            child = tree.children[at]
            if needed[child]:
                count = collapse(tree, room, clique, child)
                belief = room.down[places[child, 1] * width : places[child + 1, 1] * width]
                belief[:] = 0.0
                project(table, belief, room.blocks, count, lanes)


@njit(nogil=True, cache=True)
def marginal(tree, room, node, codes, out, lanes):
    """out (levels, lanes) = P(level of the node | evidence)."""
    width = len(lanes)
    size = tree.sizes[node]
    out[:] = 0.0
    if room.seen[node] == 2:
        for lane in range(width):
            out[codes[node, lane], lane] = 1.0
        return
    clique = tree.home[node]
    before, behind = around(tree, room, clique, node)
    if tree.at_separator[node]:
        whole = room.down[room.places[clique, 1] * width : room.places[clique + 1, 1] * width]
        behind = len(whole) // (width * before * size)
    else:
        whole = room.tables[room.places[clique, 0] * width : room.places[clique + 1, 0] * width]
    flat = out.reshape(-1)
    place = 0
    for _ in range(before):
        for level in range(size):
            total(whole, place, behind, flat, level, False, lanes)
            place += behind


@njit(nogil=True, cache=True)
def marginals(tree, room, tables, codes, masked, likelihoods, targets, needed, scale, out, lanes):
    """out (all levels, lanes) of the target nodes, and scale (lanes,) += log P(evidence)."""
    collect(tree, room, tables, codes, masked, likelihoods, scale, False, False, lanes)
    distribute(tree, room, tables, codes, needed, lanes)
    for node in targets:
        first = tree.level_starts[node]
        marginal(tree, room, node, codes, out[first : first + tree.sizes[node]], lanes)
