"""What the members of a forest say of rows: sums of looked-up terms, rows left out, and the weights of columns."""

import numpy as np

from likely.core.numerics import Cells, Floats, Ints
from likely.kernels.arithmetic.elementary import exp_below
from likely.kernels.arithmetic.vectors import add, load, store
from likely.kernels.compiler import njit


@njit(nogil=True, cache=True)
def add_terms(parts: Cells, parents: Ints, sizes: Ints, starts: Ints, table: Floats, width: int, out: Floats) -> None:
    """Add to out (rows, width), flat, the terms table[(starts[j] + cell * sizes[j] + slot) * width ...] of all columns.

    width is that of the classes, padded to whole registers.
    """
    rows = parts.shape[1]
    for j in range(len(starts)):
        start, size = starts[j], sizes[j]
        a, b, c = parents[j, 0], parents[j, 1], parents[j, 2]
        for i in range(rows):
            cell = np.int64(0)
            if a >= 0:
                cell = np.int64(parts[a, i])
                if b >= 0:
                    cell = cell * sizes[b] + parts[b, i]
                    if c >= 0:
                        cell = cell * sizes[c] + parts[c, i]
            k = np.uint64((start + cell * size + parts[j, i]) * width)
            n = np.uint64(i * width)
            for _ in range(0, width, 4):
                store(out, n, add(load(out, n), load(table, k)))
                k += np.uint64(4)
                n += np.uint64(4)


@njit(nogil=True, cache=True)
def find_places(parts: Cells, parents: Ints, sizes: Ints, starts: Ints, out: Ints) -> None:
    """out[j, i]: where the term of column j of a row stands in the table of its member."""
    for j in range(len(starts)):
        for i in range(parts.shape[1]):
            cell = np.int64(0)
            for k in range(parents.shape[1]):
                parent = parents[j, k]
                if parent >= 0:
                    cell = cell * sizes[parent] + parts[parent, i]
            out[j, i] = starts[j] + cell * sizes[j] + parts[j, i]


@njit(nogil=True, cache=True, error_model="numpy")
def join_posteriors(said: Floats, reference: Floats, top: Floats, total: Floats) -> None:
    """Add exp(said) / sum of exp(reference + said), row by row, to what is kept as total * exp(top).

    said (rows, at least classes); reference (rows or 1, classes): log probabilities of the classes before a row.
    """
    rows, classes = top.shape
    for i in range(rows):
        told = reference[min(i, len(reference) - 1)]
        most, whole = -np.inf, 0.0
        for k in range(classes):
            most = max(most, said[i, k] + told[k])
        for k in range(classes):
            whole += exp_below(said[i, k] + told[k] - most)
        most += np.log(whole)
        for k in range(classes):
            new, old, kept = said[i, k] - most, top[i, k], total[i, k]
            e = exp_below(-abs(new - old))
            rises = new > old
            total[i, k] = kept * e + 1.0 if rises else kept + e
            top[i, k] = new if rises else old


@njit(nogil=True, cache=True, error_model="numpy")
def terms_without(
    parts: Cells,
    own: Cells,
    taken: Floats,
    parents: Ints,
    sizes: Ints,
    counts: Floats,
    totals: Floats,
    starts: Ints,
    cell_starts: Ints,
    breadth: Floats,
    gone: Ints,
    strength: float,
    pseudo: float,
    out: Floats,
) -> int:
    """out (columns, rows, classes): the log probability of each value in each class, had the row not been learnt.

    counts (slots, classes) and totals (cells, classes): the families of a member, each parent with one cell more, last,
    for any value. gone[j] is the slot of a value that says nothing and, as a parent, is any; -1 if there is none.
    breadth[j]: how many values column j can have, beside one never seen. Returns a row that was never learnt, or -1.
    """
    rows, classes, strange = parts.shape[1], counts.shape[1], -1
    low = np.empty(classes)
    for j in range(len(starts)):
        size = sizes[j]
        a, b, c = parents[j, 0], parents[j, 1], parents[j, 2]
        any_cell = np.int64(0)
        if a >= 0:
            any_cell = sizes[a]
            if b >= 0:
                any_cell = any_cell * (sizes[b] + 1) + sizes[b]
                if c >= 0:
                    any_cell = any_cell * (sizes[c] + 1) + sizes[c]
        for i in range(rows):
            x = np.int64(parts[j, i])
            if x == gone[j]:
                for k in range(classes):
                    out[j, i, k] = 0.0
                continue
            mine, weight = own[i], taken[i]
            at, where = starts[j] + any_cell * size + x, cell_starts[j] + any_cell
            n, whole = 0.0, 0.0
            for k in range(classes):
                n += counts[at, k]
                whole += totals[where, k]
            left = max(n - weight, 0.0)
            base = (left + pseudo) / (max(whole - weight, 0.0) + pseudo * (breadth[j] + (x == size - 1)))
            for k in range(classes):
                less = weight if k == mine else 0.0
                low[k] = (max(counts[at, k] - less, 0.0) + strength * base) / (
                    max(totals[where, k] - less, 0.0) + strength
                )
            if a >= 0:
                p = np.int64(parts[a, i])
                p = sizes[a] if p == gone[a] else p
                one = full = p
                deeper = False
                if b >= 0:
                    q = np.int64(parts[b, i])
                    q = sizes[b] if q == gone[b] else q
                    deeper |= q != sizes[b]
                    one = one * (sizes[b] + 1) + sizes[b]
                    full = full * (sizes[b] + 1) + q
                    if c >= 0:
                        r = np.int64(parts[c, i])
                        r = sizes[c] if r == gone[c] else r
                        deeper |= r != sizes[c]
                        one = one * (sizes[c] + 1) + sizes[c]
                        full = full * (sizes[c] + 1) + r
                if p != sizes[a]:
                    at, where = starts[j] + one * size + x, cell_starts[j] + one
                    for k in range(classes):
                        less = weight if k == mine else 0.0
                        low[k] = (max(counts[at, k] - less, 0.0) + strength * low[k]) / (
                            max(totals[where, k] - less, 0.0) + strength
                        )
                if deeper:
                    at, where = starts[j] + full * size + x, cell_starts[j] + full
                    for k in range(classes):
                        less = weight if k == mine else 0.0
                        low[k] = (max(counts[at, k] - less, 0.0) + strength * low[k]) / (
                            max(totals[where, k] - less, 0.0) + strength
                        )
            if counts[at, mine] < weight * (1.0 - 1e-9):
                strange = i
            for k in range(classes):
                out[j, i, k] = np.log(low[k])
    return strange


@njit(nogil=True, cache=True, error_model="numpy")
def weighed_loss(terms: Floats, prior: Floats, own: Cells, mass: Floats, at: Floats, slope: Floats) -> float:
    """The log loss of rows under terms (columns, rows, classes) weighed by `at`, and its slope (columns,), written out.

    prior (rows, classes): what is said beside the terms.
    """
    columns, rows, classes = terms.shape
    step = max(1, 4096 // classes)
    said = np.empty((step, classes))
    loss = 0.0
    slope[:] = 0.0
    for first in range(0, rows, step):
        many = min(step, rows - first)
        for i in range(many):
            for k in range(classes):
                said[i, k] = prior[first + i, k]
        for j in range(columns):
            w = at[j]
            part = terms[j, first : first + many]
            for i in range(many):
                for k in range(classes):
                    said[i, k] += w * part[i, k]
        for i in range(many):
            top, total = said[i, 0], 0.0
            for k in range(1, classes):
                top = max(top, said[i, k])
            mine = own[first + i]
            loss += mass[first + i] * (top - said[i, mine])
            for k in range(classes):
                said[i, k] = exp_below(said[i, k] - top)
                total += said[i, k]
            loss += mass[first + i] * np.log(total)
            share = mass[first + i] / total
            for k in range(classes):
                said[i, k] *= share
            said[i, mine] -= mass[first + i]
        for j in range(columns):
            part = terms[j, first : first + many]
            sum = 0.0
            for i in range(many):
                for k in range(classes):
                    sum += said[i, k] * part[i, k]
            slope[j] += sum
    return loss
