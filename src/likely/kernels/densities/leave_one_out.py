"""Student log densities of real values, each had it not been learnt."""

import math

from likely.core.numerics import Flags, Floats, Ints
from likely.kernels.arithmetic.elementary import log_one_plus, log_positive
from likely.kernels.compiler import njit

# A spread may be so many times what is left when the value is out: beyond, too many digits are gone
MOST_SPREAD_RATIO = 64.0
LEFT_OUT_ROUNDING = 2.0**-48  # of a spread: what rounding may leave when all of it is taken out
MEAN_ROUNDING = 2.0**-49  # of a mean: a spread below is rounding, not spread
# Of a mean: the values of a column closer together than this are on the edge of being all the same
NEARLY_CONSTANT_SHARE = 2.0**-39
MOST_SQUARED_DISTANCE = 1e200  # of a variance: no value is farther out


@njit(nogil=True, cache=True, error_model="numpy")
def leave(
    values: Floats,
    own: Ints,
    weights: Floats,
    cells: Ints,
    counted: Flags,
    whole: Floats,
    level: Floats,
    below: Floats,
    s: float,
    width: Floats,
    away: Floats,
    power: Floats,
    unsure: Flags,
    out: Floats,
) -> None:
    """out [row][column][class] = peak - log(width) / 2 - power * log1p(away / width), of squared widths and distances.

    level: count, mean about the column's, spread, 1 / (s + count), mean, its low part, spread within other classes.
    below: count, mean about the column's, spread, share of the cell in its mean, 1 + 1 / strength, power, peak, mean,
    its low part.
    """
    rows, columns = values.shape
    classes = level.shape[2]
    step = max(1, len(width) // max(1, columns * classes))
    for first in range(0, rows, step):
        many = min(step, rows - first)
        for r in range(many):
            i = first + r
            c, w, shape, height = own[i], weights[i], 0.0, 0.0
            for j in range(columns):
                x, at = values[i, j], (r * columns + j) * classes
                classed, nest = level[j], below[cells[i], j]
                count, centre, low, spread = whole[j, 0], whole[j, 1], whole[j, 2], whole[j, 3]
                # a missing value, or a column of one value, from which one more of them is taken
                quiet = x != x
                if spread == 0.0 and x == centre and x == classed[4, c] and classed[0, c] >= w:
                    quiet = not counted[i] or (x == nest[7, c] and nest[0, c] >= w)
                total, mean, total_spread, sure = less(x, w, count, centre, low, spread)
                mine, offset, rest, fine = less(x, w, classed[0, c], classed[4, c], classed[5, c], classed[2, c])
                # divisors that are known early are inverted, so that no division waits for another
                variance = total_spread * (1.0 / total)
                inside = classed[6, c] + rest + s * variance
                base = inside * (s / (total + s))
                hold = base / variance
                sure = (
                    sure
                    and fine
                    and spread <= MOST_SPREAD_RATIO * total_spread
                    and classed[2, c] <= MOST_SPREAD_RATIO * inside
                )
                sure = (
                    sure
                    and variance > (NEARLY_CONSTANT_SHARE * centre) ** 2
                    and spread * (s + count) < MOST_SQUARED_DISTANCE * s * base
                )
                if quiet or not sure:
                    unsure[i, j] = not quiet
                    for k in range(classes):
                        width[at + k], away[at + k], power[at + k] = 1.0, 0.0, 0.0
                        out[(i * columns + j) * classes + k] = 0.0
                    continue
                d = (x - centre) - mean
                for k in range(classes):
                    inverse = 1.0 / (hold + classed[0, k])
                    gap = classed[1, k] - mean
                    pull = classed[0, k] * inverse * gap
                    rate = base + classed[2, k] + hold * pull * gap
                    some = nest[0, k] > 0.0
                    beyond = nest[1, k] - mean - pull  # the cell's mean less that of its class
                    part = nest[3, k]
                    deep = s * rate * classed[3, k] + nest[2, k] + s * part * beyond * beyond
                    e = d - pull - part * beyond
                    width[at + k] = deep * nest[4, k] if some else rate * (1.0 + inverse)
                    away[at + k] = e * e
                    power[at + k] = nest[5, k]
                    out[(i * columns + j) * classes + k] = nest[6, k]
                # the class of the row itself
                inverse = 1.0 / (hold + mine)
                gap = (classed[4, c] - centre) + offset - mean
                pull = mine * inverse * gap
                rate = base + rest + hold * pull * gap
                sure = classed[2, c] <= MOST_SPREAD_RATIO * rate
                seen, shift, own_spread, fine = nest[0, c], nest[8, c], nest[2, c], True
                if counted[i]:
                    if seen == w and x == nest[7, c] and own_spread == 0.0:
                        seen = 0.0
                    else:
                        seen, shift, own_spread, fine = less(x, w, seen, nest[7, c], shift, own_spread)
                e, grown, known = d - pull, 1.0 + inverse, s + mine
                if seen > 0.0:
                    known = s + seen
                    beyond = (nest[7, c] - centre) + shift - mean - pull
                    part = seen / known
                    rate = rate * (s / (s + mine)) + own_spread + s * part * beyond * beyond
                    e, grown = e - part * beyond, 1.0 + 1.0 / known
                    fine = fine and nest[2, c] <= MOST_SPREAD_RATIO * rate
                if known != shape:  # mostly that of the column before
                    shape, height = known, peak(known / 2.0)
                unsure[i, j] = not (sure and fine)
                width[at + c], away[at + c], power[at + c] = rate * grown, e * e, (known + 1.0) / 2.0
                out[(i * columns + j) * classes + c] = height
        start = first * columns * classes
        subtract_logs(width, away, power, out[start : start + many * columns * classes])


@njit(nogil=True, cache=True, error_model="numpy")
def less(x: float, w: float, count: float, mean: float, low: float, spread: float) -> tuple[float, float, float, bool]:
    """(count, shift of the mean's high part, spread, whether digits are left), without the value x of weight w."""
    left = count - w
    d = (x - mean) - low
    step = d * (w / left)
    rest = spread - d * step * count
    floor = (MEAN_ROUNDING * (mean - step)) ** 2 * left
    sure = left > 0.0 and left * MOST_SPREAD_RATIO >= count and rest >= -(LEFT_OUT_ROUNDING * spread + floor)
    return left, low - step, rest if rest > floor else 0.0, sure


@njit(nogil=True, cache=True, error_model="numpy")
def subtract_logs(width: Floats, away: Floats, power: Floats, out: Floats) -> None:
    """out -= log(width) / 2 + power * log(1 + away / width): by itself, so that it vectorises."""
    for q in range(len(out)):
        out[q] -= 0.5 * log_positive(width[q]) + power[q] * log_one_plus(away[q] / width[q])


@njit(nogil=True, cache=True, error_model="numpy")
def peaks(shapes: Floats) -> None:
    """(n,): each becomes its `peak`."""
    for q in range(len(shapes)):
        shapes[q] = peak(shapes[q])


@njit(nogil=True, cache=True, error_model="numpy")
def peak(a: float) -> float:
    """log gamma(a + 1/2) - log gamma(a) - log(pi) / 2; of a large a, by the series of the difference."""
    if a < 20.0:
        return math.lgamma(a + 0.5) - math.lgamma(a) - 0.5 * math.log(math.pi)
    z = 1.0 / (a * a)
    series = 1 / 8 - z * (1 / 192 - z * (1 / 640 - z * (17 / 14336 - z * 31 / 18432)))
    return 0.5 * math.log(a / math.pi) - series / a
