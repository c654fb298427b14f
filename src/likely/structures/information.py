"""How much columns tell about the class, and about each other once the class is known: from counts of pairs, in nats.

Each sum runs over the rows that have the values it speaks of, and takes its margins from those rows: so that it is
never negative, and zero where the counts are exactly independent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats

BOXES_AT_A_TIME = 1 << 16  # boxes of two parts worked on at a time: what is made of them stays in the cache


def mutual_information(table: Array, parts: Array) -> Floats:
    """(columns,): nats that each column tells about the class, from pairs (classes, parts, parts).

    >>> told, silent = np.diag([4, 0, 2, 2]), np.diag([0, 4, 2, 2])
    >>> mutual_information(np.array([told, silent]), np.array([2, 2])).round(4).tolist()
    [0.6931, 0.0]
    """
    parts = np.asarray(parts, dtype=np.int64)
    column, gather = np.repeat(np.arange(len(parts)), parts), _gather(parts)
    counts = np.asarray(np.diagonal(table, axis1=1, axis2=2), dtype=np.float64)
    classes = (gather @ counts.T).T
    rows = classes.sum(axis=0)
    terms = _terms(counts, rows[column], classes[:, column], counts.sum(axis=0))
    return _means(gather @ terms.sum(axis=0), rows)


def conditional_information(table: Array, parts: Array) -> Floats:
    """(columns, columns): nats that two columns tell about each other given the class, from pairs as above.

    Symmetric, and zero on the diagonal: the sum over values and classes of P(a, b, class) log [P(a, b | class) /
    P(a | class) P(b | class)].

    >>> same = np.array([[2, 0, 2, 0], [0, 2, 0, 2], [2, 0, 2, 0], [0, 2, 0, 2]])
    >>> conditional_information(same[None], np.array([2, 2])).round(4).tolist()
    [[0.0, 0.6931], [0.6931, 0.0]]
    """
    parts = np.asarray(parts, dtype=np.int64)
    column, gather = np.repeat(np.arange(len(parts)), parts), _gather(parts)
    stretches = list(_stretches(parts))
    nats, rows = np.zeros((2, len(parts), len(parts)))
    for counts in table:
        margins = gather @ counts  # (columns, parts): how often the part was seen together with a value of the column
        both = gather @ margins.T
        rows += both
        for first, mine, others, gather_mine, gather_others in stretches:
            terms = _terms(
                counts[mine, others].astype(np.float64),
                both[column[mine]][:, column[others]],
                np.ascontiguousarray(margins[:, mine].T)[:, column[others]],
                margins[:, others][column[mine]],
            )
            found = (gather_others @ (gather_mine @ terms).T).T
            nats[first : first + len(found), first:] += found
    upper = np.triu(_means(nats, rows), 1)
    return np.asarray(upper + upper.T)


def _gather(parts: Array) -> Any:
    """(columns, parts) sparse: adds up the parts of each column."""
    from scipy.sparse import csr_array

    size = int(parts.sum())
    inner = (np.ones(size), np.arange(size), np.concatenate([[0], np.cumsum(parts)]))
    return csr_array(inner, shape=(len(parts), size))


def _stretches(parts: Array) -> Iterator[tuple[int, slice, slice, Any, Any]]:
    """Columns to be worked on at once: the first, their parts, those from there on, and what gathers the two."""
    starts, first = np.concatenate([[0], np.cumsum(parts)]), 0
    most = max(BOXES_AT_A_TIME // max(int(starts[-1]), 1), 1)
    while first < len(parts):
        last = max(int(np.searchsorted(starts, starts[first] + most, side="right")) - 1, first + 1)
        mine, others = slice(starts[first], starts[last]), slice(starts[first], None)
        yield first, mine, others, _gather(parts[first:last]), _gather(parts[first:])
        first = last


def _terms(counts: Floats, rows: Floats, one: Floats, other: Floats) -> Floats:
    """count × log (count × rows / (margin × margin)); nothing where nothing was counted.

    The products of whole counts are exact, so that independent counts give exactly zero, however they are weighted.
    """
    ratio = np.divide(counts * rows, one * other, out=np.ones_like(counts), where=counts > 0)
    return np.asarray(counts * np.log(ratio, out=ratio))


def _means(nats: Floats, rows: Floats) -> Floats:
    """Sums over rows as means over rows; rounding does not make them negative."""
    return np.maximum(np.divide(nats, rows, out=np.zeros_like(nats), where=rows > 0), 0.0)
