"""What is read off a junction tree once messages have passed: rows of marginals, expected counts, the best, draws."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from likely.kernels.cliques import outer_steps, step_on, two_at_least
from likely.kernels.propagation import collect, distribute, marginal
from likely.numerics import Array


class Families(NamedTuple):
    """Sets of nodes, each within a clique: `nodes[starts[f] : starts[f + 1]]` with `strides` in its own counts.

    The counts of set f begin at `counts_starts[f]`; it is read from the table of clique `homes[f]`.
    """

    nodes: Array
    strides: Array
    starts: Array
    counts_starts: Array
    homes: Array


@njit(nogil=True, cache=True)
def fill(tree, rows, first, codes, masked, likelihoods, lanes):
    """The evidence of as many rows as there are lanes; behind the last row, the last one again."""
    width = len(lanes)
    last = len(rows) - 1
    for node in range(len(tree.sizes)):
        some, every = False, True
        for lane in range(width):
            code = rows[min(first + lane, last), node]
            codes[node, lane] = code
            some |= code >= 0
            every &= code >= 0
        masked[node] = some and not every
        if masked[node]:
            for level in range(tree.sizes[node]):
                for lane in range(width):
                    code = codes[node, lane]
                    seen = code < 0 or code == level
                    likelihoods[tree.level_starts[node] + level, lane] = 1.0 if seen else 0.0


@njit(nogil=True, cache=True)
def marginals_of_rows(tree, room, tables, rows, targets, starts, needed, scale, out, lanes):
    """out (rows, levels of targets) = P(level | the row), scale (rows,) += log P(row).

    In rows (rows, nodes), -1 is what is not known. The levels of target t begin at `starts[t]`.
    """
    width, nodes = len(lanes), len(tree.sizes)
    codes = np.empty((nodes, width), dtype=np.int64)
    masked = np.empty(nodes, dtype=np.bool_)
    likelihoods = np.empty((tree.level_starts[-1], width))
    logs = np.empty(width)
    most = 0
    for node in targets:
        most = max(most, tree.sizes[node])
    found = np.empty((most, width))
    for first in range(0, len(rows), width):
        fill(tree, rows, first, codes, masked, likelihoods, lanes)
        logs[:] = 0.0
        collect(tree, room, tables, codes, masked, likelihoods, logs, False, False, lanes)
        distribute(tree, room, tables, codes, needed, lanes)
        count = min(width, len(rows) - first)
        for lane in range(count):
            scale[first + lane] += logs[lane]
        for place in range(len(targets)):
            node = targets[place]
            marginal(tree, room, node, codes, found[: tree.sizes[node]], lanes)
            for lane in range(count):
                for level in range(tree.sizes[node]):
                    out[first + lane, starts[place] + level] = found[level, lane]


@njit(nogil=True, cache=True)
def _spread(tree, room, family, families, codes, weights, counts, lanes):
    """counts += the weight of each lane, shared among the cells of a family as it is probable to be in them."""
    width = len(lanes)
    blocks, count = room.blocks, 0
    clique = families.homes[family]
    places = room.places
    table = room.tables[places[clique, 0] * width : places[clique + 1, 0] * width]
    offsets = np.empty(width, dtype=np.int64)
    offsets[:] = families.counts_starts[family]
    for place in range(tree.clique_starts[clique + 1] - 1, tree.clique_starts[clique] - 1, -1):
        node, stride = tree.nodes[place], 0
        for member in range(families.starts[family], families.starts[family + 1]):
            if families.nodes[member] == node:
                stride = families.strides[member]
        if room.seen[node] == 2:
            for lane in range(width):
                offsets[lane] += codes[node, lane] * stride
        elif count and blocks[1, count - 1] * (blocks[0, count - 1] if stride else 1) == stride:
            blocks[0, count - 1] *= tree.sizes[node]
        else:
            blocks[0, count] = tree.sizes[node]
            blocks[1, count] = stride
            count += 1
    count = two_at_least(blocks, count)
    at, place = 0, 0
    for _ in range(outer_steps(blocks, count)):
        for j in range(blocks[0, 1]):
            for k in range(blocks[0, 0]):
                cell = at + j * blocks[1, 1] + k * blocks[1, 0]
                for lane in range(width):
                    counts[offsets[lane] + cell] += weights[lane] * table[place + lane]
                place += width
        at = step_on(blocks, count, at)


@njit(nogil=True, cache=True)
def expected(tree, room, tables, rows, weights, families, needed, scale, counts, lanes):
    """counts += what the families of all rows are expected to be, scale (rows,) += log P(row).

    Rows that are impossible add nothing.
    """
    width, nodes = len(lanes), len(tree.sizes)
    codes = np.empty((nodes, width), dtype=np.int64)
    masked = np.empty(nodes, dtype=np.bool_)
    likelihoods = np.empty((tree.level_starts[-1], width))
    logs, shares = np.empty(width), np.empty(width)
    for first in range(0, len(rows), width):
        fill(tree, rows, first, codes, masked, likelihoods, lanes)
        logs[:] = 0.0
        collect(tree, room, tables, codes, masked, likelihoods, logs, False, False, lanes)
        distribute(tree, room, tables, codes, needed, lanes)
        for lane in range(width):
            inside = first + lane < len(rows)
            shares[lane] = weights[first + lane] if inside and logs[lane] > -np.inf else 0.0
            if inside:
                scale[first + lane] += logs[lane]
        for family in range(len(families.homes)):
            _spread(tree, room, family, families, codes, shares, counts, lanes)


@njit(nogil=True, cache=True)
def family_beliefs(tree, room, tables, codes, masked, likelihoods, families, needed, scale, out, lanes):
    """out = P(nodes of each family | evidence) of the first lane, scale (lanes,) += log P(evidence)."""
    collect(tree, room, tables, codes, masked, likelihoods, scale, False, False, lanes)
    distribute(tree, room, tables, codes, needed, lanes)
    shares = np.ones(len(lanes))
    for family in range(len(families.homes)):
        _spread(tree, room, family, families, codes, shares, out, lanes)


@njit(nogil=True, cache=True)
def row_of(tree, room, clique, levels):
    """Which row of a clique's table the levels of its separator select, how long it is, and where the table begins."""
    row = 0
    first = tree.clique_starts[clique]
    for place in range(first, first + tree.shared[clique]):
        node = tree.nodes[place]
        if room.seen[node] < 2:
            row = row * tree.sizes[node] + levels[node]
    start = room.places[clique, 0]
    rows = room.places[clique + 1, 1] - room.places[clique, 1]
    return row, (room.places[clique + 1, 0] - start) // rows, start


@njit(nogil=True, cache=True)
def settle(tree, room, clique, place, levels):
    """The levels of what is new in a clique, from their place in the row."""
    for at in range(tree.clique_starts[clique + 1] - 1, tree.clique_starts[clique] + tree.shared[clique] - 1, -1):
        node = tree.nodes[at]
        if room.seen[node] < 2:
            levels[node] = place % tree.sizes[node]
            place //= tree.sizes[node]


@njit(nogil=True, cache=True)
def most_probable(tree, room, tables, codes, masked, likelihoods, scale, levels, lanes):
    """levels (nodes,) of the most probable whole, one lane of evidence, scale (1,) += its log probability."""
    collect(tree, room, tables, codes, masked, likelihoods, scale, True, True, lanes)
    levels[:] = codes[:, 0]
    for clique in range(len(tree.parents)):
        row, long, start = row_of(tree, room, clique, levels)
        first = start + row * long
        best = 0
        for place in range(long):
            if room.tables[first + place] > room.tables[first + best]:
                best = place
        settle(tree, room, clique, best, levels)


@njit(nogil=True, cache=True)
def draw_clique(tree, room, clique, u, levels, lane, width):
    """The levels of what is new in a clique, drawn given those of its separator, by a uniform number."""
    row, long, start = row_of(tree, room, clique, levels)
    first = start + row * long
    left = u * room.up[(room.places[clique, 1] + row) * width + lane]
    found = 0
    for place in range(long):
        share = room.tables[(first + place) * width + lane]
        if share > 0.0:
            found = place  # rounding may leave a little over: then it is the last that is possible
            left -= share
            if left < 0.0:
                break
    settle(tree, room, clique, found, levels)


@njit(nogil=True, cache=True)
def draw(tree, room, codes, uniforms, out):
    """out (rows, nodes): levels drawn given the evidence, by uniforms (rows, cliques) between zero and one.

    Messages have gone up in every table, for one lane.
    """
    levels = np.empty(len(tree.sizes), dtype=np.int64)
    for at in range(len(out)):
        levels[:] = codes[:, 0]
        for clique in range(len(tree.parents)):
            draw_clique(tree, room, clique, uniforms[at, clique], levels, 0, 1)
        out[at] = levels
