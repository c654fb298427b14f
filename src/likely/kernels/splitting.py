"""The best cut of a sorted column, or the split by its levels, at each node of a level of a tree.

Nodes are stretches of `order` between `bounds`; entries are instances, whose rows, cells, weights and shares are given.
What a split is worth is told as a drop: the weight times the decrease of the impurity.
"""

import numpy as np
from numba import njit

CLOSER = 1.0 + 2.0**-36  # a later cut must be better by so much: equal ones differ by rounding
NOISE = 2.0**-40  # and by so much of all there is to gain, as what gains nothing differs by rounding, too
GINI, ENTROPY, SUMS = 0, 1, 2


@njit(nogil=True, cache=True)
def xlogx(x):
    """x log2 x, and zero at zero."""
    return x * np.log2(x) if x > 0.0 else 0.0


@njit(nogil=True, cache=True)
def tally(order, bounds, marks, weights, shares, counts, sizes):
    """Add to counts [node] [class] and to sizes [node]."""
    for node in range(len(bounds) - 1):
        size = 0.0
        for i in range(bounds[node], bounds[node + 1]):
            e = order[i]
            counts[node, marks[e]] += weights[e]
            size += shares[e]
        sizes[node] += size


@njit(nogil=True, cache=True)
def tally_sums(order, bounds, marks, weights, shares, counts, sizes):
    """Add to counts [node] = (weight, sum of marks) and to sizes [node]."""
    for node in range(len(bounds) - 1):
        size = 0.0
        for i in range(bounds[node], bounds[node + 1]):
            e = order[i]
            counts[node, 0] += weights[e]
            counts[node, 1] += weights[e] * marks[e]
            size += shares[e]
        sizes[node] += size


@njit(nogil=True, cache=True)
def scan_sums(order, bounds, marks, weights, shares, counted, whole, mean, size, least, noise, values, rows, tied, out):
    """out [drop, left, place] [node] of the cut that leaves the smallest squares about the means; place -1 if none.

    Of marks about their mean the drop is s² W / (L R), with s the sum of those that lie left, L of the W.
    """
    for node in range(len(bounds) - 1):
        first, last = bounds[node], bounds[node + 1]
        total, middle = whole[node], mean[node]
        s = lower = n = 0.0
        best, raw, left, place = -1.0, -1.0, 0.0, -1
        for i in range(first, last - 1):
            e = order[i]
            if weights is None:
                s += marks[e] - middle
                lower += 1.0
            else:
                s += weights[e] * (marks[e] - middle)
                lower += weights[e]
            if counted:
                n += shares[e]
            upper = total - lower
            if s * s > best * (lower * upper) and upper > 0.0:
                m = n if counted else i + 1.0 - first
                if m < least or size[node] - m < least:
                    continue
                if tied and values[rows[e]] == values[rows[order[i + 1]]]:
                    continue
                raw = s * s / (lower * upper)
                best, left, place = raw * CLOSER + noise[node], lower, i
        out[0, node], out[1, node], out[2, node] = raw * total, left, place


@njit(nogil=True, cache=True)
def scan_gini(order, bounds, cells, weights, shares, counted, whole, size, least, values, rows, tied, out):
    """out [drop, left, place] [node] of the cut with the largest drop of Gini's impurity; place -1 if none.

    With the weights m of the classes left of it and their shares p in all, the drop is Σ (m - L p)² W / (L R): its sums
    grow with the cut.
    """
    classes = whole.shape[1]
    mine = np.empty(classes)
    for node in range(len(bounds) - 1):
        first, last = bounds[node], bounds[node + 1]
        total = whole[node].sum()
        p = whole[node] / total if total > 0.0 else whole[node]
        pp = (p * p).sum()
        mine[:] = 0.0
        squares = products = lower = n = 0.0
        best, raw, left, place = -1.0, -1.0, 0.0, -1
        for i in range(first, last - 1):
            e = order[i]
            c, w = cells[e], 1.0 if weights is None else weights[e]
            squares += w * (2.0 * mine[c] + w)
            mine[c] += w
            products += w * p[c]
            lower += w
            if counted:
                n += shares[e]
            upper = total - lower
            found = max(squares - 2.0 * lower * products + lower * lower * pp, 0.0)
            if found > best * (lower * upper) and upper > 0.0:
                m = n if counted else i + 1.0 - first
                if m < least or size[node] - m < least:
                    continue
                if tied and values[rows[e]] == values[rows[order[i + 1]]]:
                    continue
                raw = found / (lower * upper)
                best, left, place = raw * CLOSER + NOISE, lower, i
        out[0, node], out[1, node], out[2, node] = raw * total, left, place


@njit(nogil=True, cache=True)
def scan_entropy(
    order,
    bounds,
    cells,
    weights,
    shares,
    counted,
    whole,
    size,
    least,
    gap,
    slack,
    quinlan,
    table,
    values,
    rows,
    tied,
    out,
):
    """out [drop, left, place, tried] [node] of the cut with the largest drop of entropy, in bits; place -1 if none.

    Values must lie `gap` apart; a later cut must drop `slack` more than the best. `table` holds x log2 x of whole x,
    for instances that weigh one each. `quinlan`: a side needs a tenth of the mean class, if that is not above 25.
    """
    classes = whole.shape[1]
    ours, theirs, near, far = np.empty(classes), np.empty(classes), np.empty(classes), np.empty(classes)
    for node in range(len(bounds) - 1):
        first, last = bounds[node], bounds[node + 1]
        total, most = whole[node].sum(), size[node]
        part = 0.1 * most / classes
        fewest = min(part, 25.0) if quinlan and part > least else least
        for c in range(classes):
            ours[c], theirs[c] = 0.0, whole[node, c]
            near[c], far[c] = 0.0, xlogx(whole[node, c])
        sums = far.sum()
        none = sums - xlogx(total)
        lower = n = 0.0
        best, left, place, tried = 0.0 if quinlan else -total - 1.0, 0.0, -1, 0
        for i in range(first, last - 1):
            e = order[i]
            c, w = cells[e], 1.0 if weights is None else weights[e]
            ours[c] += w
            theirs[c] -= w
            lower += w
            sums -= near[c] + far[c]
            if table is None:
                near[c], far[c] = xlogx(ours[c]), xlogx(theirs[c])
            else:
                near[c], far[c] = table[int(ours[c])], table[int(theirs[c])]
            sums += near[c] + far[c]
            if counted:
                n += shares[e]
            m = n if counted else i + 1.0 - first
            if m < fewest or most - m < fewest:
                continue
            if tied and not values[rows[e]] + gap < values[rows[order[i + 1]]]:
                continue
            tried += 1
            if table is None:
                found = sums - xlogx(lower) - xlogx(total - lower) - none
            else:
                found = sums - table[int(lower)] - table[int(total - lower)] - none
            if found > best * CLOSER + slack * total:
                best, left, place = max(found, 0.0), lower, i
        out[0, node], out[1, node], out[2, node], out[3, node] = best, left, place, tried


@njit(nogil=True, cache=True)
def worth(measure, bag):
    """What a bag adds to the drop: the more of one class, or the further from the mean, the more."""
    if measure == SUMS:
        return bag[1] * bag[1] / bag[0] if bag[0] > 0.0 else 0.0
    total = found = 0.0
    for amount in bag:
        total += amount
        found += amount * amount if measure == GINI else xlogx(amount)
    if measure == ENTROPY:
        return found - xlogx(total)
    return found / total if total > 0.0 else 0.0


@njit(nogil=True, cache=True)
def split_levels(
    members, bounds, codes, levels, marks, weights, shares, mean, width, measure, least, useful, rows, out
):
    """out [drop, split information, known, branches] [node] of the split by levels, of nodes where it is `useful`.

    Codes from `levels` on are holes. `branches`: how many hold the least of rows. The information is in bits, times
    the weight, without that of the holes.
    """
    bags, sizes = np.zeros((levels, width)), np.zeros(levels)
    touched = np.empty(levels, np.int64)
    whole = np.empty(width)
    for node in range(len(bounds) - 1):
        if not useful[node]:
            continue
        many = 0
        for i in range(bounds[node], bounds[node + 1]):
            e = members[i]
            code = int(codes[rows[e]])
            if code >= levels:
                continue
            if sizes[code] == 0.0:
                touched[many] = code
                many += 1
            sizes[code] += shares[e]
            if measure == SUMS:
                bags[code, 0] += weights[e]
                bags[code, 1] += weights[e] * (marks[e] - mean[node])
            else:
                bags[code, int(marks[e])] += weights[e]
        whole[:] = 0.0
        drop = information = known = 0.0
        branches = 0
        for at in range(many):
            code = touched[at]
            weight = bags[code, 0] if measure == SUMS else bags[code].sum()
            whole += bags[code]
            known += weight
            drop += worth(measure, bags[code])
            information -= xlogx(weight)
            branches += sizes[code] >= least
            bags[code] = 0.0
            sizes[code] = 0.0
        out[0, node] = drop - worth(measure, whole)
        out[1, node], out[2, node], out[3, node] = information, known, branches
