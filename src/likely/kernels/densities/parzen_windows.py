"""Parzen windows on an even grid: kernels as masses on its nodes, and what they make of counts.

`ratio` is everywhere the spacing of the nodes over the bandwidth, at most one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Floats, Ints
from likely.kernels.compiler import njit

GAUSSIAN, EPANECHNIKOV, BOX, TRIANGULAR, BIWEIGHT = range(5)

GAUSSIAN_REACH = 38.6  # bandwidths beyond which exp(-u² / 2) is not a double any more
NODES_A_RUN = 32  # nodes after which a Gaussian is computed afresh
WINDOW_REST_SHARE = 1e-12  # of what was there: a rest as small as this is rounding, as in statistics
NODES_A_BANDWIDTH = 64  # nodes in a bandwidth that are enough: wider windows are laid on every 2nd, 4th, ... node
BANDWIDTH_TRIALS, BANDWIDTH_REFINEMENTS = 32, 24  # bandwidths that cross-validation tries, then narrows down
GOLDEN_RATIO = (np.sqrt(5.0) - 1.0) / 2.0
# Of the whole: a level as near as this to a step of the distribution is on it, whatever rounding did
ON_STEP_SHARE = 1e-9


@njit(nogil=True, cache=True)
def beyond(kernel: int, u: float) -> float:
    """The mass of a compact kernel on -1..1 beyond u >= 0, by the distance to its edge: small masses are exact too."""
    v = max(1.0 - u, 0.0)
    if kernel == EPANECHNIKOV:
        return v * v * (3.0 - v) / 4.0
    if kernel == BOX:
        return v / 2.0
    if kernel == TRIANGULAR:
        return v * v / 2.0
    return v * v * v * (20.0 - 15.0 * v + 3.0 * v * v) / 16.0


@njit(nogil=True, cache=True)
def fill(kernel: int, ratio: float, out: Floats) -> None:
    """out[k] = the mass, up to `whole`, that a kernel puts on a node k steps away.

    A Gaussian is taken at the nodes, a compact kernel by its integral half a step around them: its edges then move
    smoothly with the bandwidth, and its masses sum to one.
    """
    if kernel == GAUSSIAN:
        bend = np.exp(-ratio * ratio)
        for start in range(
            0, len(out), NODES_A_RUN
        ):  # two products a node instead of an exponential, and no time to drift
            here, slope = np.exp(-0.5 * (start * ratio) ** 2), np.exp(-(start + 0.5) * ratio * ratio)
            for k in range(start, min(start + NODES_A_RUN, len(out))):
                out[k] = here
                here *= slope
                slope *= bend
    else:
        left = beyond(kernel, 0.5 * ratio)
        out[0] = 1.0 - 2.0 * left
        for k in range(1, len(out)):
            less = beyond(kernel, (k + 0.5) * ratio)
            out[k] = left - less
            left = less


@njit(nogil=True, cache=True)
def whole(kernel: int, ratio: float) -> float:
    """The sum of these masses over all nodes: for a Gaussian the theta function, of which two terms are enough."""
    if kernel == GAUSSIAN:
        return float(np.sqrt(2.0 * np.pi) / ratio * (1.0 + 2.0 * np.exp(-2.0 * (np.pi / ratio) ** 2)))
    return 1.0


@njit(nogil=True, cache=True)
def reach(kernel: int, ratio: float) -> int:
    """The steps beyond which a kernel has no mass."""
    if kernel == GAUSSIAN:
        return int(GAUSSIAN_REACH / ratio) + 1
    return int(1.0 / ratio + 0.5) + 1


def window(kernel: int, ratio: float, steps: int) -> Floats:
    """(2 steps + 1,): the masses of a kernel on the nodes around it."""
    out = np.empty(2 * steps + 1)
    half = out[steps:]
    fill(kernel, ratio, half)
    half /= whole(kernel, ratio)
    out[:steps] = half[:0:-1]
    return out


@njit(nogil=True, cache=True)
def convolve(counts: Floats, masses: Floats) -> Floats:
    """(nodes + window - 1,): the window laid on every node, times its count; nodes without counts cost nothing."""
    out = np.zeros(len(counts) + len(masses) - 1)
    for i in range(len(counts)):
        count = counts[i]
        if count != 0:
            part = out[i : i + len(masses)]
            for k in range(len(masses)):
                part[k] += count * masses[k]
    return out


@njit(nogil=True, cache=True)
def rest_of(there: float, taken: float) -> float:
    """there - taken; nothing where only rounding is left, so that a row that is gone leaves no density behind."""
    rest = there - taken
    return 0.0 if abs(rest) <= WINDOW_REST_SHARE * there else rest


@njit(nogil=True, cache=True)
def smooth_without(counts: Floats, places: Floats, taken: Floats, kernel: int, ratios: Floats, out: Floats) -> None:
    """out[i] = the smoothed counts at places[i] (in nodes) under ratios[i], once taken[i] is taken out at the place."""
    nodes = len(counts)
    buffer = np.empty(nodes + 2)
    for i in range(len(places)):
        ratio = ratios[i]
        k = min(int(places[i]), nodes - 2)
        part = places[i] - k
        far = min(reach(kernel, ratio), max(k, nodes - 2 - k))
        masses = buffer[: far + 2]
        fill(kernel, ratio, masses)
        left = rest_of(counts[k], taken[i] * (1.0 - part))
        right = rest_of(counts[k + 1], taken[i] * part)
        low = left * masses[0] + right * masses[1]  # at the node below
        high = left * masses[1] + right * masses[0]  # at the node above
        for steps in range(1, min(far, k) + 1):
            low += counts[k - steps] * masses[steps]
            high += counts[k - steps] * masses[steps + 1]
        for steps in range(1, min(far, nodes - 2 - k) + 1):
            low += counts[k + 1 + steps] * masses[steps + 1]
            high += counts[k + 1 + steps] * masses[steps]
        out[i] = ((1.0 - part) * low + part * high) / whole(kernel, ratio)


@njit(nogil=True, cache=True)
def interpolate(values: Floats, tables: Floats, starts: Ints, origins: Floats, spacings: Floats, out: Floats) -> None:
    """out (rows, cells) = each cell's table, linear between its nodes and zero outside them; NaN is outside."""
    for i in range(len(values)):
        for c in range(out.shape[1]):
            start, stop = starts[c], starts[c + 1]
            place = (values[i] - origins[c]) / spacings[c]
            if 0.0 <= place < stop - start - 1:
                k = int(place)
                part = place - k
                out[i, c] = (1.0 - part) * tables[start + k] + part * tables[start + k + 1]
            else:
                out[i, c] = 0.0


@njit(nogil=True, cache=True)
def interquartile(sums: Floats, places: Floats, taken: Floats, out: Floats) -> None:
    """out[i] = the nodes between the quartiles of the running sums, once taken[i] is taken out at places[i]."""
    total = sums[-1]
    for i in range(len(places)):
        left = total - taken[i]
        out[i] = _quantile(sums, 0.75 * left, ON_STEP_SHARE * left, places[i], taken[i]) - _quantile(
            sums, 0.25 * left, ON_STEP_SHARE * left, places[i], taken[i]
        )


@njit(nogil=True, cache=True)
def _quantile(sums: Floats, level: float, nearly: float, place: float, taken: float) -> float:
    """Where the sums reach the level; the middle of the gap where the level falls between two values."""
    below = _reached(sums, level - nearly, place, taken)
    above = _reached(sums, level + nearly, place, taken)
    return 0.5 * (below + above)


@njit(nogil=True, cache=True)
def _reached(sums: Floats, level: float, place: float, taken: float) -> float:
    """The place, in nodes, where the sums, linear between nodes, reach a level above zero."""
    low, high = -1, len(sums) - 1  # the sum is below the level at `low`, and at or above it at `high`
    under, over = 0.0, _sum_at(sums, high, place, taken)
    while high - low > 1:
        middle = (low + high) // 2
        here = _sum_at(sums, middle, place, taken)
        if here < level:
            low, under = middle, here
        else:
            high, over = middle, here
    return low + min((level - under) / (over - under), 1.0) if over > under else float(high)


@njit(nogil=True, cache=True)
def _sum_at(sums: Floats, node: int, place: float, taken: float) -> float:
    """The running sum at a node without the mass taken at a place, which two nodes share."""
    k = min(int(place), len(sums) - 2)
    here = float(sums[node])
    if node < k:
        return here
    return here - (taken if node > k else taken * (1.0 - (place - k)))


def coarsen(counts: Floats, step: float) -> Floats:
    """The same values binned on every `step`-th node only: exact, since the wider hats are linear between nodes.

    >>> coarsen(np.array([0.0, 1.0, 0.0, 0.0, 2.0]), 2.0).tolist()
    [0.5, 0.5, 2.0, 0.0]
    """
    if step == 1:
        return counts
    at = np.arange(len(counts)) / step
    node = at.astype(np.int64)
    part, nodes = at - node, int(node[-1]) + 2
    low = np.bincount(node, counts * (1.0 - part), nodes)
    return np.asarray(low + np.bincount(node + 1, counts * part, nodes))


def steps_of(widths: Floats, spacing: float) -> Floats:
    """Every how many nodes the windows are laid: powers of two."""
    return np.asarray(np.exp2(np.maximum(np.floor(np.log2(widths / (NODES_A_BANDWIDTH * spacing))), 0.0)))


@dataclass(frozen=True)
class DensityTables:
    """Densities on nodes, one table a cell: tables[starts[c]:starts[c + 1]] from origins[c], every spacings[c]."""

    tables: Floats
    starts: Ints
    origins: Floats
    spacings: Floats

    @classmethod
    def of(cls, counts: Floats, widths: Floats, kernel: int, origin: float, spacing: float) -> DensityTables:
        """The counts (cells, nodes) smoothed, each table as far as its windows reach."""
        tables, origins = [], np.empty(len(counts))
        spacings = steps_of(widths, spacing) * spacing
        for cell, (mine, width, step) in enumerate(zip(counts, widths, spacings, strict=True)):
            far = reach(kernel, step / width)
            smooth = convolve(coarsen(mine, step / spacing), window(kernel, step / width, far))
            tables.append(np.pad(smooth / max(mine.sum() * step, 1e-300), 1))  # the last slope goes down to zero
            origins[cell] = origin - (far + 1) * step
        return cls(np.concatenate(tables), np.cumsum([0, *map(len, tables)]), origins, spacings)

    def at(self, values: Floats) -> Floats:
        """(rows, cells)."""
        out = np.empty((len(values), len(self.origins)))
        interpolate(values, self.tables, self.starts, self.origins, self.spacings, out)
        return out


def cross_validated(counts: Floats, kernel: int, spacing: float, start: float) -> float:
    """The bandwidth with the greatest leave-one-out likelihood: the best of a log grid, then by golden section.

    `start` is a rule of thumb; it is the answer where leaving one out leaves nothing that could be likely.
    """
    some = np.flatnonzero(counts)
    low = max(spacing, start / 32)
    high = max(float(some[-1] - some[0]) * spacing, low)
    tried = np.linspace(np.log(low), np.log(high), BANDWIDTH_TRIALS)
    scores = [left_out_likelihood(counts, kernel, spacing, float(np.exp(width))) for width in tried]
    best = int(np.argmax(scores))
    if counts.sum() <= 1 or not np.isfinite(scores[best]):
        return start
    a, b = tried[max(best - 1, 0)], tried[min(best + 1, BANDWIDTH_TRIALS - 1)]
    for _ in range(BANDWIDTH_REFINEMENTS):
        c, d = b - (b - a) * GOLDEN_RATIO, a + (b - a) * GOLDEN_RATIO
        left, right = (left_out_likelihood(counts, kernel, spacing, float(np.exp(width))) for width in (c, d))
        a, b = (a, d) if left >= right else (c, b)
    return float(np.exp((a + b) / 2.0))


def left_out_likelihood(counts: Floats, kernel: int, spacing: float, width: float) -> float:
    """The sum over nodes of n_i log(density at i, up to a factor, without one of the values there)."""
    step = float(steps_of(np.array(width), spacing))
    counts = coarsen(counts, step)
    ratio = step * spacing / width
    far = min(reach(kernel, ratio), len(counts))
    masses = window(kernel, ratio, far)
    own = np.minimum(counts, 1.0)  # a value shared by two nodes has the rest of its mass next door
    others = convolve(counts, masses)[far:-far] - own * masses[far] - (1.0 - own) * masses[far + 1]
    possible = others > 0
    if (counts[~possible] > 0).any():
        return -np.inf
    return float(counts[possible] @ np.log(others[possible] / (step * spacing)))
