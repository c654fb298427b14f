"""What is read off a junction tree once messages have passed: rows of marginals, expected counts, the best, draws."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from likely.core.numerics import Array
from likely.kernels.arithmetic.random_numbers import GOLDEN_GAMMA, uniform
from likely.kernels.compiler import njit
from likely.kernels.junction.cliques import (
    BLOCKS,
    CHOSEN,
    CLIQUE,
    CLIQUES,
    CODE,
    FIRST,
    LEVEL,
    LIKELIHOODS,
    NODE,
    NODES,
    OFFSETS,
    PLACE,
    SCALE,
    SEEN,
    SEPARATOR,
    SHARED,
    SIZE,
    SOFT,
    UP,
    WIDE,
    close,
    step_on,
)
from likely.kernels.junction.propagation import collect, distribute, marginals, prepare


class Families(NamedTuple):
    """Sets of nodes, each within a clique: `nodes[starts[f] : starts[f + 1]]` with `strides` in its own counts.

    The counts of set f begin at `counts_starts[f]`; it is read from the table of clique `homes[f]`.
    """

    nodes: Array
    strides: Array
    starts: Array
    counts_starts: Array
    homes: Array


@njit(nogil=True, cache=True, inline="always")
def fill(room, work, rows, first, width):
    """The evidence of as many rows as there are lanes; behind the last row, the last one again."""
    last, node = len(rows) - 1, room[NODE]
    for lane in range(width):
        work[room[SCALE] * width + lane] = 0.0
    for at in range(room[NODES]):
        some, every = False, True
        for lane in range(width):
            code = rows[min(first + lane, last), at]
            room[node + CODE + lane] = code
            some |= code >= 0
            every &= code >= 0
        mixed = some and not every
        room[node + SOFT] = mixed
        if mixed:
            start = (room[LIKELIHOODS] + room[node + LEVEL]) * width
            for level in range(room[node + SIZE]):
                for lane in range(width):
                    code = room[node + CODE + lane]
                    work[start + level * width + lane] = 1.0 if code < 0 or code == level else 0.0
        node += CODE + width


@njit(nogil=True, cache=True)
def marginals_of_rows(room, work, tables, rows, targets, starts, scale, out, lanes):
    """out (rows, levels of targets) = P(level | the row), scale (rows,) += log P(row).

    In rows (rows, nodes), -1 is what is not known. The levels of target t begin at `starts[t]`.
    """
    width = 1 if lanes is None else len(lanes)
    for first in range(0, len(rows), width):
        fill(room, work, rows, first, width)
        prepare(room, width)
        collect(room, work, tables, lanes)
        distribute(room, work, lanes)
        marginals(room, work, targets, lanes)
        for lane in range(min(width, len(rows) - first)):
            scale[first + lane] += work[room[SCALE] * width + lane]
            for place in range(len(targets)):
                node = room[NODE] + targets[place] * (CODE + width)
                begin = (room[LIKELIHOODS] + room[node + LEVEL]) * width + lane
                for level in range(room[node + SIZE]):
                    out[first + lane, starts[place] + level] = work[begin + level * width]


@njit(nogil=True, cache=True)
def spread(room, work, nodes, strides, starts, counts_starts, homes, counts, lanes):
    """counts += the weight of each lane, shared among the cells of families as it is probable to be in them.

    The weights are where the logs of scales were.
    """
    width = 1 if lanes is None else len(lanes)
    blocks, offsets, shares = room[BLOCKS], room[OFFSETS], room[SCALE] * width
    for family in range(len(homes)):
        clique, last = room[CLIQUE] + homes[family] * WIDE, blocks - 3
        for lane in range(width):
            room[offsets + lane] = counts_starts[family]
        for place in range(room[clique + WIDE + FIRST] - 2, room[clique + FIRST] - 1, -2):
            node, stride = room[place], 0
            for member in range(starts[family], starts[family + 1]):
                if room[NODE] + nodes[member] * (CODE + width) == node:
                    stride = strides[member]
            if room[node + SEEN] == 2:
                for lane in range(width):
                    room[offsets + lane] += room[node + CODE + lane] * stride
            elif last >= blocks and room[last + 1] * (room[last] if stride else 1) == stride:
                room[last] *= room[node + SIZE]
            else:
                last += 3
                room[last], room[last + 1] = room[node + SIZE], stride
        close(room, last)
        inner, step, middle, stride = room[blocks], room[blocks + 1], room[blocks + 3], room[blocks + 4]
        at, place = 0, room[clique + PLACE] * width
        while at >= 0:
            for j in range(middle):
                for k in range(inner):
                    cell = at + j * stride + k * step
                    for lane in range(width):
                        counts[room[offsets + lane] + cell] += work[shares + lane] * work[place + lane]
                    place += width
            at = step_on(room, at)


@njit(nogil=True, cache=True)
def expected(room, work, tables, rows, weights, nodes, strides, starts, counts_starts, homes, scale, counts, lanes):
    """counts += what the families of all rows are expected to be, scale (rows,) += log P(row).

    Rows that are impossible add nothing.
    """
    width = 1 if lanes is None else len(lanes)
    for first in range(0, len(rows), width):
        fill(room, work, rows, first, width)
        prepare(room, width)
        collect(room, work, tables, lanes)
        distribute(room, work, lanes)
        for lane in range(width):
            at = room[SCALE] * width + lane
            inside, log = first + lane < len(rows), work[at]
            work[at] = weights[first + lane] if inside and log > -np.inf else 0.0
            if inside:
                scale[first + lane] += log
        spread(room, work, nodes, strides, starts, counts_starts, homes, counts, lanes)


@njit(nogil=True, cache=True, inline="always")
def row_of(room, clique):
    """The row of a clique's table that the levels chosen for its separator select, how long it is, where it begins."""
    row, first = 0, room[clique + FIRST]
    for place in range(first, first + room[clique + SHARED], 2):
        node = room[place]
        if room[node + SEEN] < 2:
            row = row * room[node + SIZE] + room[node + CHOSEN]
    rows, begin = room[clique + WIDE + SEPARATOR] - room[clique + SEPARATOR], room[clique + PLACE]
    long = (room[clique + WIDE + PLACE] - begin) // rows
    return row, long, begin + row * long


@njit(nogil=True, cache=True, inline="always")
def settle(room, clique, place):
    """The levels of what is new in a clique, from their place in the row."""
    first = room[clique + FIRST] + room[clique + SHARED]
    for at in range(room[clique + WIDE + FIRST] - 2, first - 1, -2):
        node = room[at]
        if room[node + SEEN] < 2:
            room[node + CHOSEN] = place % room[node + SIZE]
            place //= room[node + SIZE]


@njit(nogil=True, cache=True, inline="always")
def choose_seen(room, lane, width):
    """The levels that were seen in a lane."""
    node = room[NODE]
    for _ in range(room[NODES]):
        room[node + CHOSEN] = room[node + CODE + lane]
        node += CODE + width


@njit(nogil=True, cache=True, error_model="numpy")
def choose_best(room, work):
    """The levels of the most probable whole, once the largest products have gone up in every table, for one lane."""
    choose_seen(room, 0, 1)
    for clique in range(room[CLIQUE], room[CLIQUE] + room[CLIQUES] * WIDE, WIDE):
        _, long, first = row_of(room, clique)
        best = 0
        for place in range(long):
            if work[first + place] > work[first + best]:
                best = place
        settle(room, clique, best)


@njit(nogil=True, cache=True, inline="always")
def draw_clique(room, work, clique, u, lane, width):
    """The levels of what is new in a clique, drawn given those of its separator, by a uniform number."""
    row, long, first = row_of(room, clique)
    left = u * work[(room[UP] + room[clique + SEPARATOR] + row) * width + lane]
    found = 0
    for place in range(long):
        share = work[(first + place) * width + lane]
        if share > 0.0:
            found = place  # rounding may leave a little over: then it is the last that is possible
            left -= share
            if left < 0.0:
                break
    settle(room, clique, found)


@njit(nogil=True, cache=True, error_model="numpy")
def draw(room, work, uniforms, out):
    """out (rows, nodes): levels drawn given the evidence, by uniforms (rows, cliques) between zero and one.

    Messages have gone up in every table, for one lane.
    """
    for at in range(len(out)):
        choose_seen(room, 0, 1)
        for number in range(room[CLIQUES]):
            draw_clique(room, work, room[CLIQUE] + number * WIDE, uniforms[at, number], 0, 1)
        for node in range(room[NODES]):
            out[at, node] = room[room[NODE] + node * (CODE + 1) + CHOSEN]


@njit(nogil=True, cache=True, error_model="numpy")
def complete_rows(room, work, tables, rows, firsts, draws, counter, scale, out, lanes):
    """out[firsts[r] : firsts[r] + draws[r]] = levels of all nodes drawn given row r, scale (rows,) += log P(row).

    In rows (rows, nodes), -1 is what is missing; impossible rows are left out. Each draw has numbers of its own in the
    stream that starts at the counter, wherever it is drawn.
    """
    width, cliques = 1 if lanes is None else len(lanes), room[CLIQUES]
    for first in range(0, len(rows), width):
        fill(room, work, rows, first, width)
        prepare(room, width)
        collect(room, work, tables, lanes)
        for lane in range(min(width, len(rows) - first)):
            row, log = first + lane, work[room[SCALE] * width + lane]
            scale[row] += log
            if log == -np.inf:
                continue
            for draw in range(firsts[row], firsts[row] + draws[row]):
                choose_seen(room, lane, width)
                for number in range(cliques):
                    clique = room[CLIQUE] + number * WIDE
                    table = room[clique + WIDE + PLACE] - room[clique + PLACE]
                    # where all that is new has been seen there is nothing to draw
                    if table > room[clique + WIDE + SEPARATOR] - room[clique + SEPARATOR]:
                        u = uniform(counter + np.uint64(draw * cliques + number) * GOLDEN_GAMMA)
                        draw_clique(room, work, clique, u, lane, width)
                for node in range(room[NODES]):
                    out[draw, node] = room[room[NODE] + node * (CODE + width) + CHOSEN]
