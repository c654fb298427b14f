"""Missing values of many rows filled in by draws from a junction tree, several rows at a time."""

from __future__ import annotations

import numpy as np

from likely.kernels.arithmetic.random_numbers import GOLDEN_GAMMA, uniform
from likely.kernels.compiler import njit
from likely.kernels.junction.cliques import CHOSEN, CLIQUE, CLIQUES, CODE, NODE, NODES, PLACE, SCALE, SEPARATOR, WIDE
from likely.kernels.junction.marginals import choose_seen, draw_clique, fill
from likely.kernels.junction.propagation import collect, prepare


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
