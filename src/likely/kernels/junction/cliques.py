"""Tables of cliques, each entry with all its lanes: loaded, multiplied by messages, summed into them.

Loops over a table and a separator in step are few and long: neighbouring axes on the same side are one loop.

All whole numbers of a junction tree, and of what one thread does in it, are in one array, and all reals in another:
an array that is handed to a compiled function has seven fields to be compiled each time, and every function here
would need a dozen of them. One lane (`lanes` is None) is left to the compiler; of several, four at a time are held in
a register, which it would not do by itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from likely.core.numerics import Array, Floats
from likely.kernels.arithmetic.vectors import DOUBLES_A_VECTOR, add, load, multiply, spread, store
from likely.kernels.compiler import njit

FAST_MATH = {"reassoc", "contract", "nsz"}


class RootedTree(NamedTuple):
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


# The whole numbers of a room: first how many nodes and cliques there are, where their records begin, the loops that
# run now, the number of times that some were laid out, and the offsets of lanes; whether every table is wanted, and
# the most probable; where, in its reals and in entries of all lanes, messages up, beliefs of separators, likelihoods,
# logs of scales and sums of a table begin.
NODES, CLIQUES, NODE, CLIQUE, BLOCKS, RUNNING_LOOPS, TURN, OFFSETS, EVERY_TABLE, MOST_PROBABLE = range(10)
UP, DOWN, LIKELIHOODS, SCALE, TABLE_SUMS, HEAD = range(10, 16)
# The record of a node: cliques are told by where their records begin. SEEN is 0 where it is open, 1 with likelihoods
# in some lane, 2 where it is seen in every lane; MARK the turn in which it was marked; CHOSEN a level that was drawn or
# is the most probable; CODE and what follows the levels that were seen in each lane, or -1. Its marginal is read from
# its HOME, where it is the member at MEMBER, or from the separator there.
SIZE, LEVEL, OWNER, HOME, MEMBER, AT_SEPARATOR, SOFT, SEEN, MARK, CHOSEN, CODE = range(11)
# The record of a clique: where its members begin, each the record of a node and its stride, and how many numbers those
# of its separator are; where its own table begins, and its children; whether it is NEEDED whatever evidence says, and
# DIRTY, with evidence in it or below it; where its table and its separator are put.
FIRST, SHARED, TABLE, PARENT, CHILD, NEEDED, DIRTY, PLACE, SEPARATOR, WIDE = range(10)


class JunctionScratch(NamedTuple):
    """Where one thread works: what compiled loops are given, and the parts of it that evidence is written to."""

    places: Array
    work: Floats  # tables of all cliques, and what UP and those after it say
    nodes: Array  # (nodes, CODE + lanes)
    cliques: Array  # (cliques + 1, WIDE)
    likelihoods: Floats  # (levels of all nodes, lanes)
    scale: Floats  # (lanes,)

    def want(self, needed: Array | bool, every: bool = False, most: bool = False) -> None:
        """Which tables are needed whatever evidence says; every one to be gathered; the most probable, not sums."""
        self.cliques[:-1, NEEDED] = needed
        self.places[EVERY_TABLE], self.places[MOST_PROBABLE] = every, most


def new_room(tree: RootedTree, entries: int, separators: int, lanes: int) -> JunctionScratch:
    """A room for so many entries of all tables, and of all separators."""
    nodes, cliques, levels = len(tree.sizes), len(tree.parents), int(tree.level_starts[-1])
    lengths = [nodes * (CODE + lanes), (cliques + 1) * WIDE, 2 * len(tree.nodes), len(tree.children), 3 * (nodes + 2)]
    node, clique, members, children, blocks, offsets = np.cumsum([HEAD, *lengths]).tolist()
    places = np.zeros(offsets + lanes, dtype=np.int64)
    likelihoods = entries + 2 * separators
    scale = likelihoods + levels
    reals = (entries, entries + separators, likelihoods, scale, scale + 1)
    places[:HEAD] = (nodes, cliques, node, clique, blocks, blocks, 0, offsets, 0, 0, *reals)
    of_node = places[node:clique].reshape(nodes, CODE + lanes)
    of_node[:, SIZE], of_node[:, LEVEL] = tree.sizes, tree.level_starts[:-1]
    of_node[:, AT_SEPARATOR] = tree.at_separator
    of_node[:, OWNER], of_node[:, HOME] = clique + WIDE * tree.owner, clique + WIDE * tree.home
    cliques_of = np.repeat(np.arange(cliques), np.diff(tree.clique_starts))
    at_home = np.flatnonzero(tree.home[tree.nodes] == cliques_of)
    of_node[tree.nodes[at_home], MEMBER] = members + 2 * at_home
    of_clique = places[clique:members].reshape(cliques + 1, WIDE)
    of_clique[:, FIRST], of_clique[:, TABLE] = members + 2 * tree.clique_starts, tree.table_starts
    of_clique[:, CHILD] = children + tree.child_starts
    of_clique[:-1, SHARED] = 2 * tree.shared
    of_clique[:-1, PARENT] = np.where(tree.parents < 0, -1, clique + WIDE * tree.parents)
    places[members:children:2], places[members + 1 : children : 2] = node + (CODE + lanes) * tree.nodes, tree.strides
    places[children:blocks] = clique + WIDE * tree.children
    work = np.empty((scale + 2) * lanes)
    told = work[likelihoods * lanes : scale * lanes].reshape(levels, lanes)
    return JunctionScratch(places, work, of_node, of_clique, told, work[scale * lanes : (scale + 1) * lanes])


@njit(nogil=True, cache=True)
def collapse(room, first, last, begin, end):
    """Loops that visit a table of some members in step with one of others, which are among them, from begin to end.

    Neighbours on the same side are one loop.
    """
    room[TURN] += 1
    turn = room[TURN]
    for place in range(begin, end, 2):
        room[room[place] + MARK] = turn
    blocks = room[BLOCKS]
    at, step, before = blocks - 3, 1, False
    for place in range(last - 2, first - 1, -2):
        node = room[place]
        if room[node + SEEN] == 2:
            continue
        inside = room[node + MARK] == turn
        size = room[node + SIZE]
        if at >= blocks and inside == before:
            room[at] *= size
        else:
            at += 3
            room[at] = size
            room[at + 1] = step if inside else 0
            before = inside
        if inside:
            step *= size
    close(room, at)


@njit(nogil=True, cache=True, inline="always")
def close(room, at):
    """The last loop is at `at`; two are written out: empty ones are put where there are fewer."""
    while at < room[BLOCKS] + 3:
        at += 3
        room[at] = 1
        room[at + 1] = 0
    room[RUNNING_LOOPS] = at + 3


@njit(nogil=True, cache=True, inline="always")
def by_rows(room, rows, long):
    """Loops that visit a table in step with one entry a row."""
    blocks = room[BLOCKS]
    room[blocks], room[blocks + 1] = long, 0
    room[blocks + 3], room[blocks + 4] = rows, 1
    room[RUNNING_LOOPS] = blocks + 6


@njit(nogil=True, cache=True, inline="always")
def step_on(room, place):
    """The place in a separator when the outer loops, from the third on, go one further; -1 when all are done.

    Their counters end as they began, at zero.
    """
    at = room[BLOCKS] + 6
    while at < room[RUNNING_LOOPS]:
        room[at + 2] += 1
        place += room[at + 1]
        if room[at + 2] < room[at]:
            break
        place -= room[at + 1] * room[at]
        room[at + 2] = 0
        at += 3
    return place if at < room[RUNNING_LOOPS] else -1


@njit(nogil=True, cache=True, fastmath=FAST_MATH)
def absorb(room, work, table, message, lanes):
    """The table that begins at entry `table` *= the message, spread over what it does not depend on."""
    blocks = room[BLOCKS]
    inner, along, middle, stride = room[blocks], room[blocks + 1] > 0, room[blocks + 3], room[blocks + 4]
    width = 1 if lanes is None else len(lanes)
    while message >= 0:
        for j in range(middle):
            at = message + j * stride
            if lanes is None:
                if along:
                    for k in range(inner):
                        work[table + k] *= work[at + k]
                else:
                    factor = work[at]
                    for k in range(inner):
                        work[table + k] *= factor
            else:
                for lane in range(0, width, DOUBLES_A_VECTOR):
                    into, source = np.uint64(table * width + lane), np.uint64(at * width + lane)
                    factors = load(work, source)
                    for _ in range(inner):
                        if along:
                            factors = load(work, source)
                            source += np.uint64(width)
                        store(work, into, multiply(load(work, into), factors))
                        into += np.uint64(width)
            table += inner
        message = step_on(room, message)


@njit(nogil=True, cache=True, fastmath=FAST_MATH)
def project(room, work, table, message, lanes):
    """The message that begins at entry `message` += the table, summed over what the message does not depend on."""
    blocks = room[BLOCKS]
    inner, along, middle, stride = room[blocks], room[blocks + 1] > 0, room[blocks + 3], room[blocks + 4]
    width = 1 if lanes is None else len(lanes)
    while message >= 0:
        for j in range(middle):
            at = message + j * stride
            if lanes is None:
                if along:
                    for k in range(inner):
                        work[at + k] += work[table + k]
                else:
                    found = 0.0
                    for k in range(inner):
                        found += work[table + k]
                    work[at] += found
            else:
                for lane in range(0, width, DOUBLES_A_VECTOR):
                    source, into = np.uint64(table * width + lane), np.uint64(at * width + lane)
                    if along:
                        for _ in range(inner):
                            store(work, into, add(load(work, into), load(work, source)))
                            source += np.uint64(width)
                            into += np.uint64(width)
                    else:
                        sums = load(work, into)
                        for _ in range(inner):
                            sums = add(sums, load(work, source))
                            source += np.uint64(width)
                        store(work, into, sums)
            table += inner
        message = step_on(room, message)


@njit(nogil=True, cache=True)
def select(room, work, tables, clique, table, lanes):
    """Load the part of a clique's table that the findings of each lane select."""
    width = 1 if lanes is None else len(lanes)
    blocks, offsets, start = room[BLOCKS], room[OFFSETS], room[clique + TABLE]
    for lane in range(width):
        room[offsets + lane] = start
    known, last = False, blocks - 3
    for place in range(room[clique + WIDE + FIRST] - 2, room[clique + FIRST] - 1, -2):
        node, stride = room[place], room[place + 1]
        if room[node + SEEN] == 2:
            known = True
            for lane in range(width):
                room[offsets + lane] += room[node + CODE + lane] * stride
        elif last >= blocks and room[last] * room[last + 1] == stride:
            room[last] *= room[node + SIZE]
        else:
            last += 3
            room[last], room[last + 1] = room[node + SIZE], stride
    close(room, last)
    inner, step, middle, stride = room[blocks], room[blocks + 1], room[blocks + 3], room[blocks + 4]
    at = 0
    while at >= 0:
        for j in range(middle):
            for k in range(inner):
                if lanes is None:
                    work[table + k] = tables[room[offsets] + at + j * stride + k * step]
                elif known:
                    for lane in range(width):
                        work[(table + k) * width + lane] = tables[room[offsets + lane] + at + j * stride + k * step]
                else:
                    value = spread(tables[start + at + j * stride + k * step])
                    for lane in range(0, width, DOUBLES_A_VECTOR):
                        store(work, np.uint64((table + k) * width + lane), value)
            table += inner
        at = step_on(room, at)
