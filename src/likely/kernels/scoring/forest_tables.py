"""The tables of a member of a forest: counts of each column below its parents, and the probabilities that they say."""

from __future__ import annotations

from likely.core.numerics import Floats, Ints
from likely.kernels.compiler import njit


@njit(nogil=True, cache=True)
def add_families(
    counts: Floats,
    parents: Ints,
    sizes: Ints,
    starts: Ints,
    gone: Ints,
    slots: Ints,
    cells: Ints,
    tables: Floats,
    sums: Floats,
) -> None:
    """Add counts (classes, width) to tables (slots, classes) and sums (cells, classes) with one cell more a parent.

    It is the last, and of any value. Column j begins at starts[j] of the counts, at slots[j] of the tables and at
    cells[j] of the sums, which leave out its missing values, in slot gone[j], if that is not below zero.
    """
    for j in range(len(sizes)):
        a, b, c = parents[j, 0], parents[j, 1], parents[j, 2]
        many_a = sizes[a] if a >= 0 else 1
        many_b = sizes[b] if b >= 0 else 1
        many_c = sizes[c] if c >= 0 else 1
        wide_b, wide_c = many_b + (b >= 0), many_c + (c >= 0)
        at = starts[j]
        for p in range(many_a):
            for q in range(many_b):
                for r in range(many_c):
                    for x in range(sizes[j]):
                        for k in range(len(counts)):
                            n = counts[k, at]
                            if n == 0.0:
                                continue
                            for u in range(1 + (a >= 0)):
                                for v in range(1 + (b >= 0)):
                                    for w in range(1 + (c >= 0)):
                                        cell = (many_a if u else p) * wide_b + (many_b if v else q)
                                        cell = cell * wide_c + (many_c if w else r)
                                        tables[slots[j] + cell * sizes[j] + x, k] += n
                                        if x != gone[j]:
                                            sums[cells[j] + cell, k] += n
                        at += 1


@njit(nogil=True, cache=True, error_model="numpy")
def fill_shares(
    tables: Floats,
    sums: Floats,
    parents: Ints,
    sizes: Ints,
    starts: Ints,
    gone: Ints,
    slots: Ints,
    cells: Ints,
    breadth: Floats,
    strength: float,
    pseudo: float,
    share: Floats,
    worth: Floats,
) -> None:
    """share and worth (width, classes): the probability of each slot in its cell, and how many rows that is worth.

    A cell leans on that of its first parent, this on the class, this on all rows. breadth[j]: how many values column j
    can have, beside one never seen. A parent whose value is missing, in slot gone, is any.
    """
    for j in range(len(sizes)):
        a, b, c = parents[j, 0], parents[j, 1], parents[j, 2]
        many_a = sizes[a] if a >= 0 else 1
        many_b = sizes[b] if b >= 0 else 1
        many_c = sizes[c] if c >= 0 else 1
        wide_b, wide_c = many_b + (b >= 0), many_c + (c >= 0)
        any_a = many_a if a >= 0 else 0
        any_rest = (many_b if b >= 0 else 0) * wide_c + (many_c if c >= 0 else 0)
        whole = any_a * wide_b * wide_c + any_rest
        rows = sums[cells[j] + whole].sum()
        at = starts[j]
        for p in range(many_a):
            first = (many_a if a >= 0 and p == gone[a] else p) * wide_b * wide_c + any_rest
            for q in range(many_b):
                for r in range(many_c):
                    cell = (many_b if b >= 0 and q == gone[b] else q) * wide_c
                    cell += (many_c if c >= 0 and r == gone[c] else r) + first - any_rest
                    for x in range(sizes[j]):
                        base = tables[slots[j] + whole * sizes[j] + x].sum() + pseudo
                        base /= rows + pseudo * (breadth[j] + (x == sizes[j] - 1))
                        for k in range(tables.shape[1]):
                            known = sums[cells[j] + whole, k] + strength
                            said = (tables[slots[j] + whole * sizes[j] + x, k] + strength * base) / known
                            if first != whole:
                                known = sums[cells[j] + first, k] + strength
                                said = (tables[slots[j] + first * sizes[j] + x, k] + strength * said) / known
                            if cell != first:
                                known = sums[cells[j] + cell, k] + strength
                                said = (tables[slots[j] + cell * sizes[j] + x, k] + strength * said) / known
                            share[at, k] = said
                            worth[at, k] = known
                        at += 1
