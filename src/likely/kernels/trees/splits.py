"""The best threshold of sorted columns, or the split by their levels, at each node of a level of a tree.

Of a column c the nodes are the stretches of `orders` between spans [c]; entries are instances, whose rows, cells,
weights and shares are given (no weights at all: each weighs one). Columns go from `begin` to `end`; nodes where
live [c] is not set have no split. Where a column is `tied`, equal values have equal `ranks`. What a split is worth is
told as a drop: the weight times the decrease of the impurity.
"""

import numpy as np

from likely.kernels.compiler import interpreted_while_small, njit

CLOSER = 1.0 + 2.0**-36  # a later split must be better by so much: equal ones differ by rounding
GAIN_ROUNDING = 2.0**-40  # and by so much of all there is to gain, as what gains nothing differs by rounding, too
GINI, ENTROPY, SUMS = 0, 1, 2
LONG_NODE = 64  # entries of a node from which on the ends of its first and its last run of equal values are looked for


@njit(nogil=True, cache=True)
def xlogx(x):
    """x log2 x, and zero at zero."""
    return x * np.log2(x) if x > 0.0 else 0.0


@interpreted_while_small
@njit(nogil=True, cache=True)
def tally(order, bounds, marks, weights, shares, amounts, counts, sizes):
    """Add to counts [node] [class], or [node] = (weight, sum of marks) of amounts, and to sizes [node]."""
    for node in range(len(bounds) - 1):
        size = 0.0
        for i in range(bounds[node], bounds[node + 1]):
            e = order[i]
            if amounts:
                counts[node, 0] += weights[e]
                counts[node, 1] += weights[e] * marks[e]
            else:
                counts[node, int(marks[e])] += weights[e]
            size += shares[e]
        sizes[node] += size


@njit(nogil=True, cache=True)
def between_runs(orders, rows, column, first, last):
    """The last entry of the first run of equal values, and the first of the last run: splits lie between them."""
    low, high = column[rows[orders[first]]], column[rows[orders[last - 1]]]
    start, beyond = first, last - 1
    while beyond - start > 1:
        middle = (start + beyond) // 2
        if column[rows[orders[middle]]] == low:
            start = middle
        else:
            beyond = middle
    before, stop = start, last - 1
    while stop - before > 1:
        middle = (before + stop) // 2
        if column[rows[orders[middle]]] == high:
            stop = middle
        else:
            before = middle
    return start, stop


@interpreted_while_small
@njit(nogil=True, cache=True)
def scan_sums(
    orders,
    spans,
    live,
    begin,
    end,
    marks,
    weights,
    shares,
    counted,
    whole,
    mean,
    size,
    least,
    noise,
    ranks,
    rows,
    tied,
    out,
):
    """out [drop, left, place] [column] [node] of the split that leaves the smallest squares about the means; -1: none.

    Of marks about their mean the drop is s² W / (L R), with s the sum of those that lie left, L of the W.
    """
    weighed = len(weights) > 0
    for c in range(begin, end):
        column, ties = ranks[c], tied[c]
        for node in range(spans.shape[1] - 1):
            out[2, c, node] = -1
            if not live[c, node]:
                continue
            first, last = spans[c, node], spans[c, node + 1]
            total, middle = whole[node], mean[node]
            start, stop = first, last - 1
            if ties and last - first >= LONG_NODE:
                start, stop = between_runs(orders, rows, column, first, last)
            right = 2 * (start - first) > last - first  # there are fewer of those to take away from the whole
            s, lower, n = 0.0, total if right else 0.0, size[node] if right else 0.0
            for i in range(start if right else first, last if right else start):
                e = orders[i]
                w = weights[e] if weighed else 1.0
                s += -w * (marks[e] - middle) if right else w * (marks[e] - middle)
                lower += -w if right else w
                n += -shares[e] if right else shares[e]
            best, raw, left, place = -1.0, -1.0, 0.0, -1
            for i in range(start, stop):
                e = orders[i]
                if weighed:
                    s += weights[e] * (marks[e] - middle)
                    lower += weights[e]
                else:
                    s += marks[e] - middle
                    lower += 1.0
                if counted:
                    n += shares[e]
                upper = total - lower
                both = lower * upper
                if s * s > best * both and both > 0.0:
                    m = n if counted else i + 1.0 - first
                    if m < least or size[node] - m < least:
                        continue
                    if ties and column[rows[e]] == column[rows[orders[i + 1]]]:
                        continue
                    raw = s * s / both
                    best, left, place = raw * CLOSER + noise[node], lower, i
            out[0, c, node], out[1, c, node], out[2, c, node] = raw * total, left, place


@njit(nogil=True, cache=True)
def scan_gini(
    orders, spans, live, begin, end, cells, weights, shares, counted, whole, size, least, ranks, rows, tied, out
):
    """out [drop, left, place] [column] [node] of the split with the largest drop of Gini's impurity; place -1 if none.

    With the weights m of the classes left of it and their shares p in all, the drop is Σ (m - L p)² W / (L R): its sums
    grow with the split.
    """
    classes, weighed = whole.shape[1], len(weights) > 0
    mine, parts, totals, squared = np.empty(classes), whole.copy(), np.zeros(len(whole)), np.zeros(len(whole))
    for node in range(len(whole)):
        for k in range(classes):
            totals[node] += whole[node, k]
        for k in range(classes):
            parts[node, k] /= totals[node] if totals[node] > 0.0 else 1.0
            squared[node] += parts[node, k] * parts[node, k]
    for c in range(begin, end):
        column, ties = ranks[c], tied[c]
        for node in range(spans.shape[1] - 1):
            out[2, c, node] = -1
            if not live[c, node]:
                continue
            first, last = spans[c, node], spans[c, node + 1]
            total, p, pp = totals[node], parts[node], squared[node]
            start, stop = first, last - 1
            if ties and last - first >= LONG_NODE:
                start, stop = between_runs(orders, rows, column, first, last)
            right = 2 * (start - first) > last - first  # there are fewer of those to take away from the whole
            for k in range(classes):
                mine[k] = whole[node, k] if right else 0.0
            lower, n = total if right else 0.0, size[node] if right else 0.0
            for i in range(start if right else first, last if right else start):
                e = orders[i]
                w = weights[e] if weighed else 1.0
                mine[cells[e]] += -w if right else w
                lower += -w if right else w
                n += -shares[e] if right else shares[e]
            squares = products = 0.0
            for k in range(classes):
                squares += mine[k] * mine[k]
                products += mine[k] * p[k]
            best, raw, left, place = -1.0, -1.0, 0.0, -1
            for i in range(start, stop):
                e = orders[i]
                k, w = cells[e], weights[e] if weighed else 1.0
                squares += w * (2.0 * mine[k] + w)
                mine[k] += w
                products += w * p[k]
                lower += w
                if counted:
                    n += shares[e]
                upper = total - lower
                found = max(squares - 2.0 * lower * products + lower * lower * pp, 0.0)
                if found > best * (lower * upper) and upper > 0.0:
                    m = n if counted else i + 1.0 - first
                    if m < least or size[node] - m < least:
                        continue
                    if ties and column[rows[e]] == column[rows[orders[i + 1]]]:
                        continue
                    raw = found / (lower * upper)
                    best, left, place = raw * CLOSER + GAIN_ROUNDING, lower, i
            out[0, c, node], out[1, c, node], out[2, c, node] = raw * total, left, place


@njit(nogil=True, cache=True)
def scan_entropy(
    orders,
    spans,
    live,
    begin,
    end,
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
    """out [drop, left, place, tried] [column] [node] of the split with the largest drop of entropy, in bits; -1: none.

    Values must lie `gap` apart; a later split must drop `slack` more than the best. `table` holds x log2 x of whole x,
    for instances that weigh one each. `quinlan`: a side needs a tenth of the mean class, if that is not above 25.
    """
    classes, weighed, tabled = whole.shape[1], len(weights) > 0, len(table) > 0
    ours, theirs, near, far = np.empty(classes), np.empty(classes), np.empty(classes), np.empty(classes)
    for c in range(begin, end):
        column, ties = values[c], tied[c] or quinlan
        for node in range(spans.shape[1] - 1):
            out[2, c, node] = -1
            if not live[c, node]:
                continue
            first, last = spans[c, node], spans[c, node + 1]
            most = size[node]
            part = 0.1 * most / classes
            fewest = min(part, 25.0) if quinlan and part > least else least
            total = sums = 0.0
            for k in range(classes):
                ours[k], theirs[k] = 0.0, whole[node, k]
                near[k], far[k] = 0.0, xlogx(whole[node, k])
                total += whole[node, k]
                sums += far[k]
            none = sums - xlogx(total)
            lower = n = 0.0
            best, left, place, tried = 0.0 if quinlan else -total - 1.0, 0.0, -1, 0
            for i in range(first, last - 1):
                e = orders[i]
                k, w = cells[e], weights[e] if weighed else 1.0
                ours[k] += w
                theirs[k] -= w
                lower += w
                sums -= near[k] + far[k]
                if tabled:
                    near[k], far[k] = table[int(ours[k])], table[int(theirs[k])]
                else:
                    near[k], far[k] = xlogx(ours[k]), xlogx(theirs[k])
                sums += near[k] + far[k]
                if counted:
                    n += shares[e]
                m = n if counted else i + 1.0 - first
                if m < fewest or most - m < fewest:
                    continue
                if ties and not column[rows[e]] + gap < column[rows[orders[i + 1]]]:
                    continue
                tried += 1
                if tabled:
                    found = sums - table[int(lower)] - table[int(total - lower)] - none
                else:
                    found = sums - xlogx(lower) - xlogx(total - lower) - none
                if found > best * CLOSER + slack * total:
                    best, left, place = max(found, 0.0), lower, i
            out[0, c, node], out[1, c, node], out[2, c, node], out[3, c, node] = best, left, place, tried


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


@interpreted_while_small
@njit(nogil=True, cache=True)
def split_levels(
    members, bounds, begin, end, codes, levels, marks, weights, shares, mean, width, measure, least, useful, rows, out
):
    """out [drop, split information, known, branches] [column] [node] of the split by levels, where it is `useful`.

    Codes [column] [row] from levels [column] on are missing values. `branches`: how many hold the least of rows. The
    information is in bits, times the weight, without that of the missing values. useful [node] [column] is put out
    where all the rows have one level: it is so at all nodes below, too. Of two levels the order in which they are met
    is of no account, nor need it be looked for.
    """
    most, pairs = 0, False
    for c in range(begin, end):
        most = max(most, levels[c])
        pairs = pairs or levels[c] == 2
    pairs = pairs and len(weights) == 0 and measure != SUMS
    near, kinds = np.empty(len(members) if pairs else 0, np.int32), np.empty(len(members) if pairs else 0, np.int32)
    for i in range(len(near)):  # looked up once for all columns
        near[i], kinds[i] = rows[members[i]], int(marks[members[i]])
    counts = np.empty(3 * width, np.int64)
    bags, sizes, seen = np.zeros((most, width)), np.zeros(most), np.zeros(most, np.bool_)
    touched = np.empty(most, np.int64)
    whole, weighed = np.empty(width), len(weights) > 0
    for c in range(begin, end):
        column = codes[c]
        for node in range(len(bounds) - 1):
            if not useful[node, c]:
                continue
            many, first, beyond = 0, bounds[node], bounds[node + 1]
            if pairs and levels[c] == 2 and beyond - first >= width:
                counts[:] = 0
                for i in range(first, beyond):
                    counts[min(int(column[near[i]]), 2) * width + kinds[i]] += 1
                for code in range(2):
                    some = False
                    for k in range(width):
                        bags[code, k] = counts[code * width + k]
                        some = some or counts[code * width + k] > 0
                    if some:
                        touched[many] = code
                        many += 1
                beyond = first
            for i in range(first, beyond):
                e = members[i]
                code = int(column[rows[e]])
                if code >= levels[c]:
                    continue
                if not seen[code]:
                    seen[code] = True
                    touched[many] = code
                    many += 1
                w = 1.0
                if weighed:  # else as many as they weigh: adding to the size of the commonest level takes longest
                    w = weights[e]
                    sizes[code] += shares[e]
                if measure == SUMS:
                    bags[code, 0] += w
                    bags[code, 1] += w * (marks[e] - mean[node])
                else:
                    bags[code, int(marks[e])] += w
            useful[node, c] = many > 1
            for k in range(width):
                whole[k] = 0.0
            drop = information = known = 0.0
            branches = 0
            for at in range(many):
                code = touched[at]
                weight = 0.0
                drop += worth(measure, bags[code])
                for k in range(width):
                    weight += bags[code, k] if measure != SUMS or k == 0 else 0.0
                    whole[k] += bags[code, k]
                    bags[code, k] = 0.0
                known += weight
                information -= xlogx(weight)
                branches += (sizes[code] if weighed else weight) >= least
                sizes[code], seen[code] = 0.0, False
            out[0, c, node] = drop - worth(measure, whole)
            out[1, c, node], out[2, c, node], out[3, c, node] = information, known, branches
