"""How well a graph tells a target from the other nodes: each row judged by the counts of all the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likely.core.numerics import Array, Floats, log_sum_exp
from likely.networks.structure.row_codes import Coded
from likely.networks.tables.table import refuse_large_table
from likely.structures.search.scorer import Parents


def conditional_log_likelihood(coded: Coded, parents: Sequence[Parents], target: int, strength: float = 1.0) -> float:
    """The sum over rows of log P(target | the rest of the row), each row left out of its own counts.

    `parents` are those of each node, by position; only the families that the target is in bear on it. `strength`
    pseudo-counts are in each entry. Rows that miss one of these nodes do not count, and the others stand for them.

    >>> coded = Coded(("y", "x"), ((0, 1), (0, 1)), np.array([[0, 0], [0, 0], [1, 1]], dtype=np.uint8))
    >>> round(conditional_log_likelihood(coded, [(), (0,)], 0), 4)  # y -> x
    -1.7272
    """
    told = conditionals(coded, parents, target, strength)
    known, weights = ~np.isnan(told[:, 0]), coded.each_weight
    own = told[known, coded.codes[known, target]]
    has = float(weights[known].sum())
    return float((weights[known] * own).sum() * (coded.weight / has)) if has > 0 else 0.0


def conditionals(coded: Coded, parents: Sequence[Parents], target: int, strength: float = 1.0) -> Floats:
    """(rows, levels of the target): log P(level | rest of the row), the row left out; nan where nodes are missing."""
    whole = np.zeros((coded.rows, coded.sizes[target]))
    for node, mine in enumerate(parents):
        if target == node or target in mine:
            whole += left_out(coded, node, mine, target, strength)
    return whole - log_sum_exp(whole)[:, None]


def left_out(coded: Coded, node: int, parents: Parents, target: int, strength: float = 1.0) -> Floats:
    """(rows, levels of the target): what a family that the target is in says of each level, as a log.

    The row itself is taken out of the counts first. Terms of families add up, and are right but for a number that is
    the same for all levels. nan where the row misses one of the family.
    """
    family = (*parents, node)
    refuse_large_table(coded.names[node], [coded.sizes[at] for at in family])
    counts, place = coded.counts(node, parents), family.index(target)
    codes = coded.codes[:, family].astype(np.int64)
    known = np.flatnonzero((codes < counts.shape).all(axis=1))
    codes = codes[known]
    out = np.full((coded.rows, coded.sizes[target]), np.nan)
    weights = np.minimum(coded.each_weight[known], 1.0)  # weight 2 is the row twice
    entries = _without(counts, codes, place, weights)
    out[known] = np.log(entries + strength)
    if node != target:  # the rows of its own table add up to the same for each of its levels
        totals = _without(counts.sum(axis=-1), codes[:, :-1], place, weights)
        out[known] -= np.log(totals + strength * counts.shape[-1])
    return out


def _without(counts: Array, codes: Array, place: int, weights: Floats) -> Floats:
    """(rows, levels): the counts by the level of the axis at `place`, others as in the row; without the row itself."""
    others = tuple(codes[:, at] for at in range(counts.ndim) if at != place)
    found = np.moveaxis(counts, place, -1)[others].astype(np.float64)
    found = np.broadcast_to(found, (len(codes), counts.shape[place])).copy()
    found[np.arange(len(codes)), codes[:, place]] -= weights
    return np.asarray(np.maximum(found, 0.0))  # weights are subtracted that were added in another order
