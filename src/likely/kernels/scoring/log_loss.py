"""The log loss of a linear score, its slopes and its bends, in one pass over rows; lasso steps on a quadratic."""

import numpy as np

from likely.core.numerics import Cells, Floats
from likely.kernels.arithmetic.elementary import exp_below, log_one_plus
from likely.kernels.compiler import njit
from likely.kernels.counting.scatter_batches import BATCH_ROWS_TRANSPOSED, COLUMNS_MULTIPLIED_AT_A_TIME, dots
from likely.kernels.memory import aligned_zeros

BATCH_NUMBERS_AT_A_TIME = 1 << 15  # numbers held at a time: they stay in the nearer cache


def log_loss(
    values: Floats, cells: Cells, weights: Floats | None, shift: Floats, at: Floats, bend: bool
) -> tuple[float, Floats, Floats]:
    """The sum of log losses of rows (rows, d), its slopes (scores, d + 1) and bends (scores, scores, d + 1, d + 1).

    `at` (scores, d + 1): the coefficients of each score of x - shift, and last its constant; one score is the log odds
    of class 1 against class 0, else there is one of each class. `bend` says whether the bends are wanted; of several
    scores only those [k, l >= k] of all but the last are filled, and of all only [..., i, j >= i].
    """
    scores, width = at.shape
    wide = -(-width // COLUMNS_MULTIPLIED_AT_A_TIME) * COLUMNS_MULTIPLIED_AT_A_TIME
    batch = min(max(BATCH_NUMBERS_AT_A_TIME // wide, 64), 512)
    padded = aligned_zeros((scores, wide))
    padded[:, :width] = at
    room = aligned_zeros((2, wide, batch + 8))  # not a power of two: rows of these do not push each other out
    room[0, width - 1] = 1.0  # the constant
    said = aligned_zeros((scores + 3, batch + 8))
    slopes, sums = np.zeros((scores, wide)), np.empty((wide, wide))
    held = np.empty((BATCH_ROWS_TRANSPOSED, max(width - 1, 1)))
    bends = np.zeros((scores, scores, wide, wide) if bend else (0, 0, wide, wide))
    mass = np.ones(batch) if weights is None else np.ascontiguousarray(weights)
    add_rows = _add_odds if scores == 1 else _add_shares
    told = values, cells, mass, weights is not None, shift
    loss = add_rows(*told, padded, batch, room[0], room[1], said, slopes, bends, sums, held)
    return loss, slopes[:, :width], bends[:, :, :width, :width]


@njit(nogil=True, cache=True)
def _add_odds(values, cells, mass, weighted, shift, at, batch, z, weighed, said, slopes, bends, sums, held):
    """The loss of one score; its slopes (1, wide) and bends are added to. `mass` is that of all rows, or of a batch."""
    loss = 0.0
    for start in range(0, len(values), batch):
        # slices, as a place that is summed up is checked for being negative in every loop
        rows, own = values[start : start + batch], cells[start : start + batch]
        n, first = len(rows), start if weighted else 0
        part = mass[first : first + n]
        _turn(rows, shift, held, z)
        _score(z, at[0], n, said[0])
        loss += _odds(said, own, part, n)
        _add_slopes(z, said[0], n, slopes[0])
        if len(bends):
            _add_bends(z, said[1], n, weighed, sums, bends[0, 0])
    return loss


@njit(nogil=True, cache=True)
def _add_shares(values, cells, mass, weighted, shift, at, batch, z, weighed, said, slopes, bends, sums, held):
    """The same with a score of each class, slopes (scores, wide)."""
    scores, loss = len(at), 0.0
    for start in range(0, len(values), batch):
        # slices, as a place that is summed up is checked for being negative in every loop
        rows, own = values[start : start + batch], cells[start : start + batch]
        n, first = len(rows), start if weighted else 0
        part = mass[first : first + n]
        _turn(rows, shift, held, z)
        for k in range(0, scores - 1, 2):
            _score_two(z, at[k], at[k + 1], n, said[k], said[k + 1])
        if scores % 2:
            _score(z, at[scores - 1], n, said[scores - 1])
        loss += _shares(said, own, part, n, scores)
        for k in range(scores - 1 if len(bends) else 0):
            for other in range(k, scores - 1):
                _cross(said, k, other, n, scores)
                _add_bends(z, said[scores + 2], n, weighed, sums, bends[k, other])
        for k in range(scores):
            _against(said[k], own, said[scores + 1], n, k)
        for k in range(0, scores - 1, 2):
            _add_two_slopes(z, said[k], said[k + 1], n, slopes[k], slopes[k + 1])
        if scores % 2:
            _add_slopes(z, said[scores - 1], n, slopes[scores - 1])
    return loss


@njit(nogil=True, cache=True)
def _turn(rows, shift, held, out):
    """out[j, i] = rows[i, j] - shift[j]."""
    for start in range(0, len(rows), BATCH_ROWS_TRANSPOSED):
        n = min(BATCH_ROWS_TRANSPOSED, len(rows) - start)
        for i in range(n):
            row, to = rows[start + i], held[i]
            for j in range(len(shift)):
                to[j] = row[j] - shift[j]
        for j in range(len(shift)):
            column = out[j, start : start + n]
            for i in range(n):
                column[i] = held[i, j]


@njit(nogil=True, cache=True, fastmath={"contract"})
def _score(z, at, n, out):
    """out[i] = sum of at[j] * z[j, i]."""
    for i in range(n):
        out[i] = 0.0
    for j in range(0, len(z), COLUMNS_MULTIPLIED_AT_A_TIME):
        z0, z1, z2, z3 = z[j, :n], z[j + 1, :n], z[j + 2, :n], z[j + 3, :n]
        a, b, c, d = at[j], at[j + 1], at[j + 2], at[j + 3]
        for i in range(n):
            out[i] += (a * z0[i] + b * z1[i]) + (c * z2[i] + d * z3[i])


@njit(nogil=True, cache=True, fastmath={"contract"})
def _score_two(z, at, other, n, out, more):
    """The same of two at once: the columns are read but once."""
    for i in range(n):
        out[i] = more[i] = 0.0
    for j in range(0, len(z), COLUMNS_MULTIPLIED_AT_A_TIME):
        z0, z1, z2, z3 = z[j, :n], z[j + 1, :n], z[j + 2, :n], z[j + 3, :n]
        a, b, c, d = at[j], at[j + 1], at[j + 2], at[j + 3]
        e, f, g, h = other[j], other[j + 1], other[j + 2], other[j + 3]
        for i in range(n):
            out[i] += (a * z0[i] + b * z1[i]) + (c * z2[i] + d * z3[i])
            more[i] += (e * z0[i] + f * z1[i]) + (g * z2[i] + h * z3[i])


@njit(nogil=True, cache=True, error_model="numpy")
def _odds(said, cells, mass, n):
    """The loss of log odds said[0], which become the slopes of the loss; said[1] its bends."""
    odds, bends, losses = said[0], said[1], said[2]
    for i in range(n):
        x, w, mine = odds[i], mass[i], float(cells[i])
        small = exp_below(-abs(x))
        rare = small / (1.0 + small)  # the probability of the less likely class, exact however small
        p = 1.0 - rare if x > 0.0 else rare
        wrong = x if mine == 0.0 else -x
        losses[i] = w * (log_one_plus(small) + max(wrong, 0.0))
        bends[i] = w * rare / (1.0 + small)
        less = -rare if x > 0.0 else rare - 1.0
        odds[i] = w * (less if mine == 1.0 else p)
    return _total(losses, n)


@njit(nogil=True, cache=True, error_model="numpy")
def _shares(said, cells, mass, n, scores):
    """The loss of scores said[:scores], which become probabilities; the mass of each row goes to said[scores + 1]."""
    top, total = said[scores], said[scores + 2]
    for i in range(n):
        top[i] = said[0, i]
        total[i] = 0.0
    for k in range(1, scores):
        one = said[k]
        for i in range(n):
            top[i] = max(top[i], one[i])
    loss = 0.0
    for i in range(n):
        loss += mass[i] * (top[i] - said[cells[i], i])
    for k in range(scores):
        one = said[k]
        for i in range(n):
            one[i] = exp_below(one[i] - top[i])
            total[i] += one[i]
    for k in range(scores):
        one = said[k]
        for i in range(n):
            one[i] /= total[i]
    for i in range(n):
        said[scores + 1, i] = mass[i]
        top[i] = mass[i] * log_one_plus(total[i] - 1.0)
    return loss + _total(top, n)


@njit(nogil=True, cache=True)
def _cross(said, k, other, n, scores):
    """The bends of the loss between two scores go to said[scores + 2]."""
    p, q, mass, out = said[k], said[other], said[scores + 1], said[scores + 2]
    if k == other:
        for i in range(n):
            out[i] = mass[i] * p[i] * (1.0 - p[i])
    else:
        for i in range(n):
            out[i] = -mass[i] * p[i] * q[i]


@njit(nogil=True, cache=True)
def _against(share, cells, mass, n, k):
    """Probabilities become the slopes of the loss."""
    for i in range(n):
        share[i] = mass[i] * (share[i] - (1.0 if cells[i] == k else 0.0))


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def _add_slopes(z, slope, n, out):
    """out[j] += sum of slope[i] * z[j, i]."""
    for j in range(0, len(z), COLUMNS_MULTIPLIED_AT_A_TIME):
        z0, z1, z2, z3 = z[j, :n], z[j + 1, :n], z[j + 2, :n], z[j + 3, :n]
        a = b = c = d = 0.0
        for i in range(n):
            a += slope[i] * z0[i]
            b += slope[i] * z1[i]
            c += slope[i] * z2[i]
            d += slope[i] * z3[i]
        out[j] += a
        out[j + 1] += b
        out[j + 2] += c
        out[j + 3] += d


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def _add_two_slopes(z, slope, other, n, out, more):
    """The same of two at once: the columns are read but once."""
    for j in range(0, len(z), COLUMNS_MULTIPLIED_AT_A_TIME):
        z0, z1, z2, z3 = z[j, :n], z[j + 1, :n], z[j + 2, :n], z[j + 3, :n]
        a = b = c = d = e = f = g = h = 0.0
        for i in range(n):
            s, t = slope[i], other[i]
            a += s * z0[i]
            b += s * z1[i]
            c += s * z2[i]
            d += s * z3[i]
            e += t * z0[i]
            f += t * z1[i]
            g += t * z2[i]
            h += t * z3[i]
        out[j] += a
        out[j + 1] += b
        out[j + 2] += c
        out[j + 3] += d
        more[j] += e
        more[j + 1] += f
        more[j + 2] += g
        more[j + 3] += h


@njit(nogil=True, cache=True, fastmath={"reassoc"})
def _total(values, n):
    total = 0.0
    for i in range(n):
        total += values[i]
    return total


@njit(nogil=True, cache=True)
def _add_bends(z, weights, n, weighed, sums, out):
    """out[j, k >= j] += sum of z[j, i] * weights[i] * z[k, i]."""
    for j in range(len(z)):
        column, to = z[j], weighed[j]
        for i in range(n):
            to[i] = column[i] * weights[i]
    dots(z, weighed, n, sums)
    for j in range(len(sums)):
        for k in range(j, len(sums)):
            out[j, k] += sums[j, k]


@njit(nogil=True, cache=True)
def lasso_step(bend, slope, at, strengths, sweeps, least):
    """(parameters,): the step d of least slope·d + d·bend·d / 2 + Σ strengths |at + d|, one coordinate at a time.

    Ends where a sweep moves no coordinate by more than `least` in units of its own bend.
    """
    step, pull = np.zeros(len(at)), slope.copy()
    for _ in range(sweeps):
        moved = 0.0
        for j in range(len(at)):
            if bend[j, j] <= 0.0:
                continue
            aim = at[j] + step[j] - pull[j] / bend[j, j]
            room = strengths[j] / bend[j, j]
            aim = aim - room if aim > room else aim + room if aim < -room else 0.0
            change = aim - at[j] - step[j]
            if change != 0.0:
                step[j] += change
                for k in range(len(at)):
                    pull[k] += bend[j, k] * change
                moved = max(moved, abs(change) * np.sqrt(bend[j, j]))
        if moved <= least:
            break
    return step
