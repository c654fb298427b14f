"""Tables of cliques, each entry with all its lanes: loaded, multiplied by messages, summed into them.

Loops over a table and a separator in step are few and long: neighbouring axes on the same side are one loop.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from likely.kernels.runs import copy, times, total
from likely.numerics import Array, Floats


class Tree(NamedTuple):
    """A rooted junction tree: cliques come after their parents, their first nodes are those shared with the parent.

    `nodes[clique_starts[c] : clique_starts[c + 1]]` are the nodes of clique c with their `strides` in its table, which
    begins at `table_starts[c]` of `tables`; the first `shared[c]` of them are its separator, and its
    children are `children[child_starts[c] : child_starts[c + 1]]`. The likelihoods of node v are multiplied into clique
    `owner[v]`, and its marginal is read from clique `home[v]`, or from the separator of that clique where
    `at_separator[v]`. `level_starts` is where the levels of each node begin among all of them.
    """

    sizes: Array
    level_starts: Array
    nodes: Array
    strides: Array
    clique_starts: Array
    table_starts: Array
    parents: Array
    children: Array
    child_starts: Array
    shared: Array
    owner: Array
    home: Array
    at_separator: Array


class Room(NamedTuple):
    """Where one thread works: tables, messages up and beliefs of separators, of all cliques, and where each begins."""

    tables: Floats
    up: Floats
    down: Floats
    places: Array  # (cliques + 1, 2): where the table and the separator of each begin
    seen: Array  # (nodes,): 0 open, 1 likelihoods in some lane, 2 seen in every lane
    dirty: Array  # (cliques,): whether evidence is in it or below it
    mark: Array  # (nodes,): the clique whose separator a node is in
    blocks: Array  # (3, nodes + 2): sizes, steps and counters of the loop that runs now


@njit(nogil=True, cache=True)
def two_at_least(blocks, count):
    """The loops, with empty ones behind them where there are fewer than the two that are written out."""
    while count < 2:
        blocks[0, count] = 1
        blocks[1, count] = 0
        count += 1
    return count


@njit(nogil=True, cache=True)
def collapse(tree, room, clique, child):
    """How many loops visit a table in step with the separator of a child: neighbours on the same side are one loop."""
    blocks, count, step = room.blocks, 0, 1
    mine = room.mark
    for place in range(tree.clique_starts[child], tree.clique_starts[child] + tree.shared[child]):
        mine[tree.nodes[place]] = child
    for place in range(tree.clique_starts[clique + 1] - 1, tree.clique_starts[clique] - 1, -1):
        node = tree.nodes[place]
        if room.seen[node] == 2:
            continue
        inside = mine[node] == child
        size = tree.sizes[node]
        if count and (blocks[1, count - 1] > 0) == inside:
            blocks[0, count - 1] *= size
        else:
            blocks[0, count] = size
            blocks[1, count] = step if inside else 0
            count += 1
        if inside:
            step *= size
    return two_at_least(blocks, count)


@njit(nogil=True, cache=True)
def outer_steps(blocks, count):
    """How often the outer loops, from the third on, go round; their counters begin at zero."""
    outer = 1
    for block in range(2, count):
        outer *= blocks[0, block]
        blocks[2, block] = 0
    return outer


@njit(nogil=True, cache=True)
def step_on(blocks, count, at):
    """The place in the separator when the outer loops, from the third on, go one further."""
    for block in range(2, count):
        blocks[2, block] += 1
        at += blocks[1, block]
        if blocks[2, block] < blocks[0, block]:
            return at
        at -= blocks[1, block] * blocks[0, block]
        blocks[2, block] = 0
    return at


@njit(nogil=True, cache=True)
def absorb(table, message, blocks, count, lanes):
    """table *= message, spread over what the message does not depend on."""
    inner, middle, along, stride = blocks[0, 0], blocks[0, 1], blocks[1, 0] > 0, blocks[1, 1]
    at, place = 0, 0
    for _ in range(outer_steps(blocks, count)):
        for j in range(middle):
            times(table, place, inner, message, at + j * stride, along, lanes)
            place += inner
        at = step_on(blocks, count, at)


@njit(nogil=True, cache=True)
def project(table, message, blocks, count, lanes):
    """message += table, summed over what the message does not depend on."""
    inner, middle, along, stride = blocks[0, 0], blocks[0, 1], blocks[1, 0] > 0, blocks[1, 1]
    at, place = 0, 0
    for _ in range(outer_steps(blocks, count)):
        for j in range(middle):
            total(table, place, inner, message, at + j * stride, along, lanes)
            place += inner
        at = step_on(blocks, count, at)


@njit(nogil=True, cache=True)
def load(tree, room, tables, clique, codes, table, lanes):
    """The part of a clique's table that the findings of each lane select."""
    width = len(lanes)
    blocks, count = room.blocks, 0
    offsets = np.empty(width, dtype=np.int64)
    offsets[:] = tree.table_starts[clique]
    known = False
    for place in range(tree.clique_starts[clique + 1] - 1, tree.clique_starts[clique] - 1, -1):
        node, stride = tree.nodes[place], tree.strides[place]
        if room.seen[node] == 2:
            known = True
            for lane in range(width):
                offsets[lane] += codes[node, lane] * stride
        elif count and blocks[1, count - 1] * blocks[0, count - 1] == stride:
            blocks[0, count - 1] *= tree.sizes[node]
        else:
            blocks[0, count] = tree.sizes[node]
            blocks[1, count] = stride
            count += 1
    count = two_at_least(blocks, count)
    inner, middle = blocks[0, 0], blocks[0, 1]
    step, stride = blocks[1, 0], blocks[1, 1]
    at, place = 0, 0
    for _ in range(outer_steps(blocks, count)):
        for j in range(middle):
            start = at + j * stride
            if known:
                for k in range(inner):
                    for lane in range(width):
                        table[(place + k) * width + lane] = tables[offsets[lane] + start + k * step]
            else:
                copy(table, place, inner, tables, tree.table_starts[clique] + start, lanes)
            place += inner
        at = step_on(blocks, count, at)


@njit(nogil=True, cache=True)
def around(tree, room, clique, node):
    """How many entries of the table there are before, and behind, the axis of a node that is open."""
    before, behind, met = 1, 1, False
    for place in range(tree.clique_starts[clique], tree.clique_starts[clique + 1]):
        other = tree.nodes[place]
        if other == node:
            met = True
        elif room.seen[other] < 2:
            if met:
                behind *= tree.sizes[other]
            else:
                before *= tree.sizes[other]
    return before, behind


@njit(nogil=True, cache=True)
def weigh(tree, room, clique, node, likelihoods, table, lanes):
    """table *= the likelihood of each level of a node."""
    before, behind = around(tree, room, clique, node)
    size, first = tree.sizes[node], tree.level_starts[node]
    flat = likelihoods.reshape(-1)
    place = 0
    for _ in range(before):
        for level in range(size):
            times(table, place, behind, flat, first + level, False, lanes)
            place += behind
