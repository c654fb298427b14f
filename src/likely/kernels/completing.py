"""Holes of many rows filled in by draws from a junction tree, several rows at a time."""

from __future__ import annotations

import numpy as np
from numba import njit

from likely.kernels.junction import draw_clique, fill
from likely.kernels.propagation import collect
from likely.kernels.uniform import STEP, uniform


@njit(nogil=True, cache=True)
def complete_rows(tree, room, tables, rows, firsts, draws, counter, scale, out, lanes):
    """out[firsts[r] : firsts[r] + draws[r]] = levels of all nodes drawn given row r, scale (rows,) += log P(row).

    In rows (rows, nodes), -1 is a hole; impossible rows are left out. Each draw has numbers of its own in the stream
    that starts at the counter, wherever it is drawn.
    """
    width, nodes, cliques = len(lanes), len(tree.sizes), len(tree.parents)
    codes = np.empty((nodes, width), dtype=np.int64)
    masked = np.empty(nodes, dtype=np.bool_)
    likelihoods = np.empty((tree.level_starts[-1], width))
    logs, levels = np.empty(width), np.empty(nodes, dtype=np.int64)
    open_ = np.empty(cliques, dtype=np.int64)
    for first in range(0, len(rows), width):
        fill(tree, rows, first, codes, masked, likelihoods, lanes)
        logs[:] = 0.0
        collect(tree, room, tables, codes, masked, likelihoods, logs, True, False, lanes)
        count = _open(room, cliques, open_)
        for lane in range(min(width, len(rows) - first)):
            row = first + lane
            scale[row] += logs[lane]
            if logs[lane] == -np.inf:
                continue
            for draw in range(firsts[row], firsts[row] + draws[row]):
                levels[:] = codes[:, lane]
                for clique in open_[:count]:
                    u = uniform(counter + np.uint64(draw * cliques + clique) * STEP)
                    draw_clique(tree, room, clique, u, levels, lane, width)
                for node in range(nodes):
                    out[draw, node] = levels[node]


@njit(nogil=True, cache=True)
def _open(room, cliques, found):
    """How many cliques have something new in them that is not seen in every lane; found = which."""
    count = 0
    for clique in range(cliques):
        table = room.places[clique + 1, 0] - room.places[clique, 0]
        if table > room.places[clique + 1, 1] - room.places[clique, 1]:
            found[count] = clique
            count += 1
    return count
