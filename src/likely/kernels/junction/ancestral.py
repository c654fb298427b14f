"""Rows drawn from tables, parents before children."""

import numpy as np

from likely.core.numerics import Codes, Flags, Floats, Ints
from likely.kernels.arithmetic.random_numbers import GOLDEN_GAMMA, uniform
from likely.kernels.compiler import njit

# Rows drawn side by side: their codes stay in the cache, and one node's loop over them has no branch
ROWS_DRAWN_TOGETHER = 512
BEYOND = 2.0  # more than any random number


def steps_of(table: Floats) -> Floats:
    """The running sums of each row, which a uniform number is compared with; a level of weight zero is never drawn."""
    steps = np.cumsum(table, axis=-1)
    with np.errstate(invalid="ignore"):  # a row of zeros is drawn from by nobody who keeps the draw
        steps /= steps[..., -1:]
    # from the last level that is possible on, rounding must not leave a gap below one
    later = np.cumsum(table[..., ::-1], axis=-1)[..., ::-1]
    steps[..., :-1][later[..., 1:] <= 0.0] = BEYOND
    return steps


@njit(nogil=True, cache=True)
def draw_rows(
    order: Ints,
    sizes: Ints,
    starts: Ints,
    steps: Floats,
    parents: Ints,
    parent_strides: Ints,
    parent_starts: Ints,
    weighed: Flags,
    log_weights: Floats,
    counter: np.uint64,
    begin: int,
    codes: Codes,
    totals: Floats,
) -> None:
    """Fill codes (nodes, rows) for the nodes of `order`, from row `begin` on; add to totals (rows filled,) the log
    weights of nodes `weighed`.

    `steps` holds running sums, laid out as the tables are; `log_weights` has, at the first entry of each row of a
    table, what a draw from that row weighs.
    """
    place = np.empty(ROWS_DRAWN_TOGETHER, np.int64)
    for done in range(0, len(totals), ROWS_DRAWN_TOGETHER):
        many = min(ROWS_DRAWN_TOGETHER, len(totals) - done)
        first, last = begin + done, begin + done + many
        for at in range(len(order)):
            node = order[at]
            place[:many] = starts[node]
            for arc in range(parent_starts[node], parent_starts[node + 1]):
                stride, above = parent_strides[arc], codes[parents[arc], first:last]
                for row in range(many):
                    place[row] += stride * np.int64(above[row])
            if weighed[node]:
                for row in range(many):
                    totals[done + row] += log_weights[place[row]]
            mine = codes[node, first:last]
            most = sizes[node] - 1
            for row in range(many):
                u = uniform(counter + np.uint64(row) * GOLDEN_GAMMA)
                # an unsigned index spares the check for negative ones
                entry = np.uint64(place[row])
                level = u >= steps[entry] if most else 0
                for step in range(1, most):
                    level += u >= steps[entry + np.uint64(step)]
                mine[row] = level
            counter += np.uint64(many) * GOLDEN_GAMMA
