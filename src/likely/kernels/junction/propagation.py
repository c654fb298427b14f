"""Messages in a junction tree, for several rows of evidence at a time: lanes run side by side in the innermost loops.

A clique's table holds P(what is new in it | its separator), so that a branch without evidence has nothing to say, and
only what evidence touches is worked on. Nodes that are seen in every lane are no axes of the tables any more: each lane
reads the part of the table that its own finding selects.

`room` and `work` are the whole numbers and the reals of a `JunctionScratch`, whose places `cliques` names.
"""

from __future__ import annotations

import math

from likely.kernels.compiler import njit
from likely.kernels.junction.cliques import (
    AT_SEPARATOR,
    CHILD,
    CLIQUE,
    CLIQUES,
    CODE,
    DIRTY,
    DOWN,
    EVERY_TABLE,
    FIRST,
    HOME,
    LEVEL,
    LIKELIHOODS,
    MEMBER,
    MOST_PROBABLE,
    NEEDED,
    NODE,
    NODES,
    OWNER,
    PARENT,
    PLACE,
    SCALE,
    SEEN,
    SEPARATOR,
    SHARED,
    SIZE,
    SOFT,
    TABLE_SUMS,
    UP,
    WIDE,
    absorb,
    by_rows,
    collapse,
    project,
    select,
)

SMALLEST_TABLE_SUM = 1e-200  # of all that a table sums to: of many small factors digits may be lost, or everything


@njit(nogil=True, cache=True)
def prepare(room, width):
    """Before messages are sent: what is seen in every lane, where evidence is, where tables and separators begin."""
    node = room[NODE]
    for _ in range(room[NODES]):
        whole = True
        for lane in range(width):
            whole &= room[node + CODE + lane] >= 0
        room[node + SEEN] = 2 if whole else room[node + SOFT]
        node += CODE + width
    clique = room[CLIQUE]
    for _ in range(room[CLIQUES]):
        first, dirty = room[clique + FIRST], room[EVERY_TABLE]
        shared = first + room[clique + SHARED]
        table, separator = 1, 1
        for place in range(first, room[clique + WIDE + FIRST], 2):
            node = room[place]
            if room[node + SEEN] == 2:
                dirty = 1
                continue
            table *= room[node + SIZE]
            if place < shared:
                separator = table
            if room[node + SEEN] == 1 and room[node + OWNER] == clique:
                dirty = 1
        room[clique + DIRTY] = dirty
        room[clique + WIDE + PLACE] = room[clique + PLACE] + table
        room[clique + WIDE + SEPARATOR] = room[clique + SEPARATOR] + separator
        clique += WIDE


@njit(nogil=True, cache=True, inline="always")
def _enlarge(work, table, end, scale, width):
    """table /= its largest entry, in each lane; scale += the log of that."""
    for lane in range(width):
        most = 0.0
        for place in range(table * width + lane, end * width, width):
            if work[place] > most:
                most = work[place]
        if most > 0.0:
            for place in range(table * width + lane, end * width, width):
                work[place] /= most
            work[scale + lane] += math.log(most)


@njit(nogil=True, cache=True, error_model="numpy")
def collect(room, work, tables, lanes):
    """Messages from the leaves to the roots; the scale of each lane += the log of what all sums to.

    Where evidence touches nothing, tables stay as they are unless EVERY_TABLE is wanted; with MOST_PROBABLE, what goes
    up is the largest product, not the sum. A table whose sums are very small is gathered again, enlarged after each
    factor.
    """
    width = 1 if lanes is None else len(lanes)
    scale, whole = room[SCALE] * width, room[TABLE_SUMS] * width
    for clique in range(room[CLIQUE] + (room[CLIQUES] - 1) * WIDE, room[CLIQUE] - 1, -WIDE):
        dirty = room[clique + DIRTY]
        if dirty and room[clique + PARENT] >= 0:
            room[room[clique + PARENT] + DIRTY] = 1
        if not (dirty or room[clique + NEEDED]):
            continue
        table, end, separator = room[clique + PLACE], room[clique + WIDE + PLACE], room[clique + SEPARATOR]
        rows = room[clique + WIDE + SEPARATOR] - separator
        sums, message, long = (room[UP] + separator) * width, (room[DOWN] + separator) * width, (end - table) // rows
        first, last, children = room[clique + FIRST], room[clique + WIDE + FIRST], room[clique + CHILD]
        careful = False
        while True:
            select(room, work, tables, clique, table, lanes)
            if not dirty:
                break
            for place in range(first, last + 2 * (room[clique + WIDE + CHILD] - children), 2):
                if place < last:  # first the likelihoods of its nodes, then what its children say
                    node = room[place]
                    if room[node + SEEN] != 1 or room[node + OWNER] != clique:
                        continue
                    begin, after = place, place + 2
                    source = room[LIKELIHOODS] + room[node + LEVEL]
                else:
                    child = room[children + (place - last) // 2]
                    if not room[child + DIRTY]:
                        continue
                    begin = room[child + FIRST]
                    after = begin + room[child + SHARED]
                    source = room[DOWN] + room[child + SEPARATOR]
                collapse(room, first, last, begin, after)
                absorb(room, work, table, source, lanes)
                if careful:
                    _enlarge(work, table, end, scale, width)
            for at in range(sums, sums + rows * width):
                work[at] = 0.0
            if room[MOST_PROBABLE]:
                for row in range(rows):
                    for place in range((table + row * long) * width, (table + (row + 1) * long) * width, width):
                        for lane in range(width):
                            at = sums + row * width + lane
                            if work[place + lane] > work[at]:
                                work[at] = work[place + lane]
            else:
                by_rows(room, rows, long)
                project(room, work, table, room[UP] + separator, lanes)
            small = False
            for lane in range(width):
                work[whole + lane] = 0.0
            for row in range(rows):
                for lane in range(width):
                    work[whole + lane] += work[sums + row * width + lane]
            for lane in range(width):
                small |= work[whole + lane] < SMALLEST_TABLE_SUM
            if careful or not small:
                break
            careful = True
        if not dirty:
            continue
        for lane in range(width):
            found = work[whole + lane]
            work[scale + lane] += math.log(found) if found > 0.0 else -math.inf
            work[whole + lane] = 1.0 / found if found > 0.0 else 0.0
        for row in range(rows):
            for lane in range(width):
                work[message + row * width + lane] = work[sums + row * width + lane] * work[whole + lane]


@njit(nogil=True, cache=True, error_model="numpy")
def distribute(room, work, lanes):
    """Messages from the roots to the leaves: every table that is NEEDED becomes P(its nodes | evidence)."""
    width = 1 if lanes is None else len(lanes)
    for clique in range(room[CLIQUE], room[CLIQUE] + room[CLIQUES] * WIDE, WIDE):
        if not room[clique + NEEDED]:
            continue
        table, separator = room[clique + PLACE], room[clique + SEPARATOR]
        rows = room[clique + WIDE + SEPARATOR] - separator
        sums, message = (room[UP] + separator) * width, (room[DOWN] + separator) * width
        # what each row is multiplied by: where its sum is not one, what is new in the message
        for at in range(rows * width):
            if room[clique + PARENT] < 0:
                work[message + at] = 1.0
            before = work[sums + at] if room[clique + DIRTY] else 1.0
            work[sums + at] = work[message + at] / before if before > 0.0 else 0.0
        by_rows(room, rows, (room[clique + WIDE + PLACE] - table) // rows)
        absorb(room, work, table, room[UP] + separator, lanes)
        for at in range(room[clique + CHILD], room[clique + WIDE + CHILD]):
            child = room[at]
            if room[child + NEEDED]:
                into = room[DOWN] + room[child + SEPARATOR]
                for place in range(into * width, (room[DOWN] + room[child + WIDE + SEPARATOR]) * width):
                    work[place] = 0.0
                begin = room[child + FIRST]
                last = room[clique + WIDE + FIRST]
                collapse(room, room[clique + FIRST], last, begin, begin + room[child + SHARED])
                project(room, work, table, into, lanes)


@njit(nogil=True, cache=True, error_model="numpy")
def marginals(room, work, targets, lanes):
    """P(level | evidence) of the target nodes, in place of their likelihoods."""
    width = 1 if lanes is None else len(lanes)
    for target in range(len(targets)):
        node = room[NODE] + targets[target] * (CODE + width)
        size, first = room[node + SIZE], room[LIKELIHOODS] + room[node + LEVEL]
        for place in range(first * width, (first + size) * width):
            work[place] = 0.0
        if room[node + SEEN] == 2:
            for lane in range(width):
                work[(first + room[node + CODE + lane]) * width + lane] = 1.0
            continue
        clique = room[node + HOME]
        begin, last = room[clique + PLACE], room[clique + WIDE + FIRST]
        if room[node + AT_SEPARATOR]:
            begin, last = room[DOWN] + room[clique + SEPARATOR], room[clique + FIRST] + room[clique + SHARED]
        collapse(room, room[clique + FIRST], last, room[node + MEMBER], room[node + MEMBER] + 2)
        project(room, work, begin, first, lanes)
