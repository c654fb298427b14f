"""Statistics by parents, carried from one schema to another: what either knows alone is left out, or empty."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from likely.core.numerics import Array
from likely.core.schema import DISCRETE, Schema
from likely.statistics import GridCounts, Question, Statistic, triple_starts
from likely.statistics.members import layouts

Route = tuple[Array, Array]  # places in the old table, and where each of them stands in the new one


def move(question: Question, answer: Statistic, old: Schema, new: Schema) -> Statistic:
    """The answer that the same rows give under another schema, as far as both know their levels and classes."""
    cells = _shared(old.classes, new.classes)
    for at in question.by:
        cells = _cross(cells, _parts(old, new, at), old.columns[at].parts, new.columns[at].parts)
    if question.of == "grid":
        answer = _regrid(question, answer, old, new)
    columns, width = _columns(question, old, new)
    return answer.take(cells[0], columns[0]).embed(cells[1], columns[1], (question.cells(new), width))


def _shared(old: Sequence[object], new: Sequence[object]) -> Route:
    if old is new or old == new:
        return np.arange(len(old)), np.arange(len(old))
    at = {level: place for place, level in enumerate(new)}
    both = [(place, at[level]) for place, level in enumerate(old) if level in at]
    route = np.array(both, dtype=np.int64).reshape(-1, 2)
    return route[:, 0], route[:, 1]


def _parts(old: Schema, new: Schema, at: int) -> Route:
    if new.columns[at].kind in DISCRETE:
        return _shared(old.columns[at].levels, new.columns[at].levels)
    every = np.arange(new.columns[at].parts)
    return every, every


def _cross(outer: Route, inner: Route, old: int, new: int) -> Route:
    """The route of all pairs of an outer and an inner place, where the inner runs fastest."""
    from_, to = outer[0][:, None] * old + inner[0], outer[1][:, None] * new + inner[1]
    return from_.ravel(), to.ravel()


def _join(routes: Sequence[Route], starts: Sequence[Array]) -> Route:
    """Routes side by side, each shifted to where its column begins in the old and in the new table."""
    if not routes:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    old, new = (
        np.concatenate([route[side] + start for route, start in zip(routes, starts[side], strict=False)])
        for side in (0, 1)
    )
    return old, new


def _columns(question: Question, old: Schema, new: Schema) -> tuple[Route, int]:
    columns = question.columns
    if question.of == "counts":
        routes = [_slots(old, new, at) for at in columns]
        starts = [old.offsets(columns), new.offsets(columns)]
        return _join(routes, starts), int(starts[1][-1])
    if question.of == "pairs":
        starts = [np.concatenate([[0], np.cumsum(schema.parts(columns))]) for schema in (old, new)]
        return _join([_parts(old, new, at) for at in columns], starts), int(starts[1][-1])
    if question.of == "triples":
        return _boxes(columns, old, new)
    if question.of == "families":
        return _families(question, old, new)
    first = new.columns[columns[0]]
    width = first.grid.nodes if question.of == "grid" and first.grid else len(columns)
    return (np.arange(width), np.arange(width)), width


def _slots(old: Schema, new: Schema, at: int) -> Route:
    """Levels, then the slots for missing and unseen."""
    from_, to = _parts(old, new, at)
    mine, theirs = old.columns[at].parts, new.columns[at].parts
    return np.append(from_, [mine, mine + 1]), np.append(to, [theirs, theirs + 1])


def _boxes(columns: Sequence[int], old: Schema, new: Schema) -> tuple[Route, int]:
    starts = [triple_starts(schema.parts(columns)) for schema in (old, new)]
    routes = []
    for i, j, k in combinations(columns, 3):
        pair = _cross(_parts(old, new, i), _parts(old, new, j), old.columns[j].parts, new.columns[j].parts)
        routes.append(_cross(pair, _parts(old, new, k), old.columns[k].parts, new.columns[k].parts))
    return _join(routes, starts), int(starts[1][-1])


def _families(question: Question, old: Schema, new: Schema) -> tuple[Route, int]:
    """Every column below the cells of its parents, which have slots for missing and unseen values too."""
    columns, routes = question.columns, []
    before, after = (layouts(question.members, columns, schema) for schema in (old, new))
    levels = {at: _slots(old, new, at) for at in columns if old.columns[at].kind in DISCRETE}
    for mine, theirs, member in zip(before, after, question.members, strict=True):
        own = [levels.get(at, (np.arange(size), np.arange(size))) for at, size in zip(columns, mine.sizes, strict=True)]
        for place, by in enumerate(member.parents):
            route = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
            for at in (*by, place):
                route = _cross(route, own[at], int(mine.sizes[at]), int(theirs.sizes[at]))
            routes.append((route[0] + mine.starts[place], route[1] + theirs.starts[place]))
    starts = [np.zeros(len(routes), dtype=np.int64)] * 2
    return _join(routes, starts), after[-1].stop if after else 0


def _regrid(question: Question, answer: Statistic, old: Schema, new: Schema) -> Statistic:
    (at,) = question.columns
    mine, theirs = old.columns[at], new.columns[at]
    assert isinstance(answer, GridCounts)
    assert mine.grid is not None, "a parzen column has a grid"
    assert theirs.grid is not None, "a parzen column has a grid"
    if mine.empty:
        return GridCounts(np.zeros((len(answer.table), theirs.grid.nodes)))
    return answer if mine.grid == theirs.grid else answer.regrid(mine.grid, theirs.grid)
