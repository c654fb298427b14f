"""Counts, moments, grids and words found by hand, in plain Python and exact fractions: what engines are held to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from likely.checks.equality import check_same
from likely.checks.tables import Table
from likely.core.schema import DISCRETE, Column
from likely.core.tokens import tokens
from likely.statistics import Question


def check_learnt_by_hand(fitted: Any, table: Table) -> None:
    """A fitted model holds the counts and moments that plain Python finds in the table: exactly, and to 1e-9.

    >>> from likely import NaiveBayes
    >>> rows = Table({"x": ["a", "b", None, "b"]}, ["no", "yes"] * 2, {"x": "category"})
    >>> fitted = NaiveBayes(kinds=rows.kinds).fit(rows.X, rows.y)
    >>> check_learnt_by_hand(fitted, rows)
    >>> check_learnt_by_hand(fitted, rows.take([0, 1, 1, 3]))
    Traceback (most recent call last):
    AssertionError: rows by class, and by hand...
    """
    model, classes = fitted.model_, list(fitted.model_.schema.classes)
    rows = Counter(table.target)
    assert set(classes) == set(rows), f"classes {classes}, by hand {sorted(rows)}"
    check_same(model.rows, np.array([rows[level] for level in classes]), "rows by class, and by hand")
    for at, (name, values) in enumerate(table.columns.items()):
        column = model.schema.columns[at]
        assert column.kind == table.kinds[name], f"column {name!r} is read as {column.kind}, not {table.kinds[name]}"
        for cell, level in enumerate(classes):
            mine = [x for x, said in zip(values, table.target, strict=True) if said == level and x is not None]
            HANDS[column.kind](model, at, cell, mine, f"column {name!r} in class {level!r}, and by hand")


def _count_hand(model: Any, at: int, cell: int, values: list[Any], what: str) -> None:
    columns = model.schema.of(*DISCRETE)
    column, place = model.schema.columns[at], columns.index(at)
    table = model.bundle[Question("counts", columns)].table[cell]
    start = model.schema.offsets(columns)[place]
    seen = Counter(values)
    assert set(seen) <= set(column.levels), f"{what}: levels {column.levels} and {set(seen)}"
    expected = [*(seen[level] for level in column.levels), model.rows[cell] - len(values), 0]
    check_same(table[start : start + column.slots], np.array(expected), f"{what}: {column.levels}")


def _moment_hand(model: Any, at: int, cell: int, values: list[Any], what: str) -> None:
    question = next(asked for asked in model.bundle if asked.of == "moments" and at in asked.columns)
    moments, place = model.bundle[question], question.columns.index(at)
    exact = [Fraction(x) for x in values]
    mean = sum(exact, Fraction(0)) / max(len(exact), 1)
    spread = sum(((x - mean) ** 2 for x in exact), Fraction(0))
    expected = {"count": float(len(exact)), "mean": float(mean), "spread": float(spread)}
    for name, value in expected.items():
        check_same(getattr(moments, name)[cell, place], value, f"{what}: {name}", 1e-9 if name != "count" else 0.0)


def _grid_hand(model: Any, at: int, cell: int, values: list[Any], what: str) -> None:
    _moment_hand(model, at, cell, values, what)
    grid, table = model.schema.columns[at].grid, model.bundle[Question("grid", (at,))].table[cell]
    expected = np.zeros(grid.nodes)
    for x in values:
        share, whole = math.modf((x - grid.origin) / grid.spacing)
        expected[int(whole) : int(whole) + 2] += (1 - share, share)
    check_same(table, expected, f"{what}: the grid")


def _word_hand(model: Any, at: int, cell: int, values: list[Any], what: str) -> None:
    column: Column = model.schema.columns[at]
    totals = model.bundle[Question("totals", (at,))]
    seen = Counter(word for text in values for word in tokens(text))
    expected = [float(seen[str(word)]) for word in column.levels]
    check_same(totals.table[cell], np.array(expected), f"{what}: words", 0.0)


HANDS: dict[str, Callable[[Any, int, int, list[Any], str], None]] = {
    "binary": _count_hand,
    "category": _count_hand,
    "real": _moment_hand,
    "count": _moment_hand,
    "parzen": _grid_hand,
    "text": _word_hand,
}
