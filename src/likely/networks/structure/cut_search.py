"""Cut points and graph learnt in turn: a search under the cuts, then cuts for that graph, until nothing is gained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from likely.core.numerics import Array
from likely.networks.structure.columns import Columns
from likely.networks.structure.cuts import BinnedColumn, NeighbourView, first_cuts, recut, spread
from likely.networks.structure.row_codes import Coded
from likely.structures.search.result import SearchResult

MOST_SEARCHES = 10  # searches at most
PASSES = 5  # times that all columns are binned again under one graph
LEAST_SCORE_GAIN = 1e-9  # of a score: gains below it are rounding

Cuts = Mapping[int, Array]  # of each numeric column, by position: which edges


def search_cutting(columns: Columns, search: Callable[[Coded], SearchResult]) -> tuple[Coded, SearchResult]:
    """The graph that a search finds and the rows as it saw them: numeric columns binned with regard to the graph.

    Friedman and Goldszmidt (1996). Scores under different cut points are compared with what they leave out, the values
    within the parts. Ctrl-C, like a search that was interrupted, keeps the best so far.
    """
    cuts: Cuts = {at: first_cuts(amounts, columns.weights) for at, amounts in columns.amounts.items()}
    coded = Coded(columns.names, columns.levels, columns.codes, columns.weights)
    found = search(coded)
    score = found.score + _spread(columns, cuts)
    for _ in range(MOST_SEARCHES if columns.amounts else 0):
        if found.interrupted:
            break
        try:
            other_cuts, other = adjusted(columns.amounts, cuts, coded, found.parents)
            if _same(cuts, other_cuts):
                break
            new = search(other)
        except KeyboardInterrupt:
            found = replace(found, interrupted=True)
            break
        gained = new.score + _spread(columns, other_cuts)
        if gained > score + LEAST_SCORE_GAIN * abs(score):
            cuts, coded, found, score = other_cuts, other, new, gained
        if new.interrupted or found is not new:
            found = replace(found, interrupted=new.interrupted)
            break
    return coded, replace(found, notes=(*found.notes, *_told(columns, cuts)))


def adjusted(
    amounts: Mapping[int, BinnedColumn], cuts: Cuts, coded: Coded, parents: Sequence[Sequence[int]]
) -> tuple[Cuts, Coded]:
    """The cut points that describe the columns and their neighbours in a graph shortest, and the rows cut there.

    Columns are binned in turn, each with regard to the present cut points of the others; one without neighbours stays.
    """
    cuts, codes, levels = dict(cuts), coded.codes.copy(), list(coded.levels)
    for _ in range(PASSES):
        before = dict(cuts)
        for at, column in amounts.items():
            now = replace(coded, codes=codes, levels=tuple(levels))
            views = views_of(now, parents, at)
            if views:
                cuts[at] = recut(column, views, coded.weights)
                levels[at], codes[:, at] = column.cut(cuts[at])
        if _same(before, cuts):
            break
    return cuts, replace(coded, codes=codes, levels=tuple(levels))


def views_of(coded: Coded, parents: Sequence[Sequence[int]], at: int) -> list[NeighbourView]:
    """The families that a column is in, its own and those of its children; none where it has no neighbours."""
    children = [child for child, above in enumerate(parents) if at in above]
    if not children and not parents[at]:
        return []
    cells = _cells(coded, parents[at])
    views = [NeighbourView(cells, np.where(cells < 0, -1, 0), _number(coded, parents[at]))]
    for child in children:
        others = [other for other in parents[child] if other != at]
        cells = _cells(coded, [*others, child])
        given = np.where(cells < 0, -1, _cells(coded, others))
        views.append(NeighbourView(cells, given, _number(coded, others) * (coded.sizes[child] - 1)))
    return views


def _number(coded: Coded, nodes: Sequence[int]) -> float:
    return float(np.prod([float(coded.sizes[at]) for at in nodes]))


def _cells(coded: Coded, nodes: Sequence[int]) -> Array:
    """(rows,): the cell of each row, -1 where one of the nodes is missing."""
    if not nodes:
        return np.zeros(coded.rows, dtype=np.int32)
    cells, number = coded.cells(nodes[:-1], nodes[-1])
    return np.where(cells < number, cells, -1)


def _spread(columns: Columns, cuts: Cuts) -> float:
    return sum(spread(amounts, cuts[at], columns.weights) for at, amounts in columns.amounts.items())


def _same(cuts: Cuts, others: Cuts) -> bool:
    return all(np.array_equal(cuts[at], others[at]) for at in cuts)


def _told(columns: Columns, cuts: Cuts) -> list[str]:
    """Where each column was binned, in words."""
    told = []
    for at, amounts in columns.amounts.items():
        places = ", ".join(f"{edge:g}" for edge in amounts.edges[cuts[at]])
        told.append(f"{columns.names[at]!r} is numeric, binned at {places}")
    return [*told, "scores compare only under the same cut points"] if told else told
