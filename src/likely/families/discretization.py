"""Discretization: where to split a numeric column into bins, so that it can be the parent of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors import OptionError, listed, nearest
from likely.errors.options import choose, whole
from likely.statistics.sketch import MOST_DISTINCT_VALUES, Sketch

CUTS = ("mdl", "frequency", "width")
EQUAL_BITS_SHARE = 1e-12  # of the bits in a segment: closer than that, two numbers of bits are the same

Way = str | tuple[float, ...]  # a method, or the edges themselves


def read_cuts(cuts: Any, bins: Any, names: Sequence[str]) -> tuple[Way, ...]:
    """(names,): how to bin each column, a method or its edges; columns that a mapping leaves out by "frequency".

    >>> read_cuts({"age": [18, 65], "height": "width"}, 5, ["age", "weight", "height"])
    ((18.0, 65.0), 'frequency', 'width')
    """
    hint = f"say how many parts: a whole number from 2 to {MOST_DISTINCT_VALUES}"
    whole(bins, "bins", "O384", least=2, most=MOST_DISTINCT_VALUES, hint=hint)
    if not isinstance(cuts, Mapping):
        return (_method(cuts, "cuts="),) * len(names)
    ways: list[Way] = ["frequency"] * len(names)
    places = {name: at for at, name in enumerate(names)}
    for key, said in cuts.items():
        at = places.get(str(key), int(key) if isinstance(key, int | np.integer) and 0 <= key < len(names) else None)
        if at is None:
            hint = f"the columns are {listed(names)}.{nearest(key, names)}"
            raise OptionError("O382", f"cuts names {key!r}, which is no column of numbers", place="cuts=", hint=hint)
        place = f"cuts[{key!r}]"
        ways[at] = (
            read_edges(said, place)
            if isinstance(said, Sequence | np.ndarray) and not isinstance(said, str)
            else _method(said, place)
        )
    return tuple(ways)


def _method(said: Any, place: str) -> str:
    return choose(said, CUTS, "cuts", "O381", what="way to bin", place=place, also=", or give edges by column")


def read_edges(said: Any, place: str) -> tuple[float, ...]:
    """Edges between parts that a user says, rising."""
    hint = "give finite numbers, each larger than the one before"
    try:
        edges = np.asarray(said, dtype=np.float64)
    except (TypeError, ValueError):
        raise OptionError("O383", f"edges cannot be {said!r}", place=place, hint=hint) from None
    if edges.ndim != 1 or not (np.isfinite(edges).all() and (edges[1:] > edges[:-1]).all()):
        raise OptionError("O383", f"edges cannot be {said!r}", place=place, hint=hint)
    return tuple(edges.tolist())


def learn_cuts(sketch: Sketch, method: str, bins: int) -> tuple[float, ...]:
    """The rising edges between the parts of a column; a value on an edge belongs below it.

    "mdl": Fayyad and Irani (1993): split where the classes are told apart best, for as long as it saves bits; `bins`
    is not asked. "frequency": at most `bins` parts, each edge where the weight below is nearest to its share.
    "width": `bins` parts of one width between the ends, without the edges that separate no values. Edges of the first
    two lie halfway between neighbouring values. A column of fewer than two values has none.

    >>> column = Sketch.of([1.0, 2.0, 3.0, 7.0, 8.0, 9.0], [0, 0, 0, 1, 1, 1], None, 2)
    >>> learn_cuts(column, "mdl", 5), learn_cuts(column, "frequency", 3), learn_cuts(column, "width", 4)
    ((5.0,), (2.5, 7.5), (3.0, 7.0))
    """
    if len(sketch.values) < 2:
        return ()
    if method == "width":
        return _width(sketch.values, bins)
    firsts = _mdl(sketch.counts) if method == "mdl" else equal_shares(sketch.counts.sum(axis=1), bins) + 1
    return tuple(between(sketch.values[at - 1], sketch.values[at]) for at in firsts)


def between(lower: float, upper: float) -> float:
    """An edge halfway, and always below the upper value; halves are added because a sum may be out of reach."""
    middle = float(lower / 2 + upper / 2)
    return middle if lower <= middle < upper else float(lower)


def _width(values: Floats, bins: int) -> tuple[float, ...]:
    share = np.arange(1, bins) / bins
    edges = values[0] * (1 - share) + values[-1] * share
    below, first = np.unique(np.searchsorted(values, edges, side="right"), return_index=True)
    return tuple(edges[first[(below > 0) & (below < len(values))]].tolist())


def equal_shares(weights: Floats, parts: int) -> Array:
    """(places,): the last point of each part but the highest, where the weight below is nearest to its share.

    >>> equal_shares(np.array([1.0, 1.0, 4.0, 1.0, 1.0]), 2).tolist()
    [1]
    """
    below = np.cumsum(weights)
    wanted = below[-1] * np.arange(1, parts) / parts
    below = below[:-1]
    above = np.minimum(np.searchsorted(below, wanted), len(below) - 1)
    under = np.maximum(above - 1, 0)
    return np.unique(np.where(wanted - below[under] <= below[above] - wanted, under, above))


def _mdl(counts: Floats) -> list[int]:
    """(edges,): the first point of each part but the lowest."""
    # the best split is never between two points of one and the same class, so such points are taken together
    pure, owner = np.count_nonzero(counts, axis=1) == 1, counts.argmax(axis=1)
    boundary = ~(pure[1:] & pure[:-1] & (owner[1:] == owner[:-1]))
    starts = np.concatenate([[0], np.flatnonzero(boundary) + 1])
    groups = np.ascontiguousarray(np.add.reduceat(counts, starts, axis=0).T)
    found: list[int] = []
    waiting = [(0, len(starts))]
    while waiting:
        low, high = waiting.pop()
        split = _split(groups[:, low:high])
        if split is not None:
            found.append(int(starts[low + split]))
            waiting += [(low, low + split), (low + split, high)]
    return sorted(found)


def _split(groups: Floats) -> int | None:
    """The best place to split a segment (classes, groups), if splitting it there saves more bits than it costs."""
    groups = groups[groups.any(axis=1)]
    if min(groups.shape) < 2:
        return None
    left = np.cumsum(groups[:, :-1], axis=1)
    right = np.cumsum(groups[:, :0:-1], axis=1)[:, ::-1]  # not whole - left: what is absent is to be zero, not nearly
    whole, weight = groups.sum(axis=1), groups.sum()
    whole_bits, left_bits, right_bits = _bits(whole), _bits(left), _bits(right)
    rounding = EQUAL_BITS_SHARE * weight * max(float(np.log2(weight)), 1.0)
    bits = left_bits + right_bits
    at = int(np.argmax(bits <= bits.min() + rounding))  # of splits as good as each other the lowest
    classes, lower, upper = len(whole), np.count_nonzero(left[:, at]), np.count_nonzero(right[:, at])
    change = classes * whole_bits / weight
    change -= lower * left_bits[at] / left[:, at].sum() + upper * right_bits[at] / right[:, at].sum()
    # log2(weight - 1), for less than two rows as for two; log2(3 ** classes - 2), also for very many classes
    price = np.log2(max(weight - 1, 1.0)) + classes * np.log2(3) + np.log2(1 - 2 * 3.0**-classes) - change
    return at + 1 if whole_bits - bits[at] > price + rounding else None


def _bits(counts: Floats) -> Any:
    """(...): the entropy of classes (classes, ...), times their weight."""
    total = counts.sum(axis=0)
    return total * np.log2(total) - (counts * np.log2(np.where(counts > 0, counts, 1.0))).sum(axis=0)
