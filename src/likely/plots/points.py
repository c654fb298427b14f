"""The rows that are shown as points: the values of some columns of any table, and their classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.data.targets.class_lists import read_classes
from likely.data.targets.label_codes import read_codes
from likely.errors import DataError, OptionError
from likely.plots.style import COLOURS, INK, marker
from likely.surfaces.features import read_features
from likely.surfaces.rows import values_of

MOST_POINTS_DRAWN = 2000  # points drawn; more are a blur
JITTERED_ROWS_OF_VALUE, JITTER = 2, 0.22  # so many rows of each whole number hide each other; to each side of it
MOST_LARGE_POINTS, MOST_RINGED_POINTS = 300, 1000  # points that can be drawn large, and with rings of some size


@dataclass(frozen=True, eq=False)
class RowPoints:
    """values (rows, columns), NaN where missing; codes (rows,): the place of each class, -1 where it is not known.

    wrong (rows,) bool: whether a model decides against the class.
    """

    values: Floats
    codes: Array
    wrong: Array

    @property
    def labelled(self) -> bool:
        """Whether the classes are known."""
        return bool(len(self.codes) and self.codes.min() >= 0)

    @property
    def kept(self) -> Array:
        """Which are drawn: those without a missing value, and at most so many."""
        whole = np.flatnonzero(~np.isnan(self.values).any(axis=1))
        return whole[drawn_rows(len(whole))]

    @property
    def size(self) -> float:
        """How large markers are: 1, or less where there are many."""
        rows = len(self.kept)
        return 1.0 if rows <= MOST_LARGE_POINTS else 0.65 if rows <= MOST_RINGED_POINTS else 0.5

    def shown(self) -> RowPoints:
        """Those that are drawn."""
        return RowPoints(self.values[self.kept], self.codes[self.kept], self.wrong[self.kept])

    def scattered(self) -> RowPoints:
        """Those that are drawn, moved a little along columns of few whole numbers, where they would hide each other.

        >>> points = RowPoints(np.array([[1.0], [1.0], [1.0], [2.0]]), np.zeros(4, int), np.zeros(4, bool))
        >>> len(np.unique(points.scattered().values)), np.rint(points.scattered().values).ravel().tolist()
        (4, [1.0, 1.0, 1.0, 2.0])
        """
        found, rng = self.shown(), np.random.default_rng(0)
        columns = [scattered(column, rng) for column in found.values.T]
        return RowPoints(np.column_stack(columns) if columns else found.values, found.codes, found.wrong)


def scattered(values: Floats, rng: np.random.Generator | None = None) -> Floats:
    """Few whole numbers of many rows, each moved a little aside; other numbers as they are."""
    known = values[np.isfinite(values)]
    if not len(known) or (known != np.rint(known)).any():
        return values
    if len(np.unique(known)) > len(values) / JITTERED_ROWS_OF_VALUE:
        return values
    return values + (rng or np.random.default_rng(0)).uniform(-JITTER, JITTER, len(values))


def read_points(model: Any, features: Sequence[str], X: Any, y: Any) -> RowPoints:
    """The points of a table; none where there is no table."""
    if X is None and y is not None:
        hint = "give X too, or leave y out"
        raise OptionError("O436", "there are labels without rows", place="X", hint=hint)
    at = read_features(model, features, None)
    values = np.zeros((0, len(at))) if X is None else values_of(X, model, at)
    codes = np.full(len(values), -1) if y is None else read_codes(y, read_classes(model.classes_))
    if len(codes) != len(values):
        what = f"X has {len(values)} rows, y has {len(codes)}"
        raise DataError("D126", what, place="y", hint="give one label for each row of X")
    return RowPoints(values, codes, np.zeros(len(values), dtype=bool))


def drawn_rows(rows: int) -> Array:
    """Which of so many rows are drawn: all, or as many of them as can be told apart."""
    return (
        np.arange(rows)
        if rows <= MOST_POINTS_DRAWN
        else np.sort(np.random.default_rng(0).choice(rows, MOST_POINTS_DRAWN, replace=False))
    )


def draw_points(ax: Any, points: RowPoints, zorder: float) -> None:
    """The points by class, and rings around those that are decided against theirs; in two dimensions or three."""
    for at in np.unique(points.codes):
        ax.plot(*points.values[points.codes == at].T, **point_look(at, points.size), zorder=zorder)
    ax.plot(*points.values[points.wrong].T, **ring_look(points.size), zorder=zorder + 0.5)


def ring_look(size: float) -> dict[str, Any]:
    """The ring around a point that is decided against its class."""
    return {
        "linestyle": "",
        "marker": "o",
        "markerfacecolor": "none",
        "markeredgecolor": INK,
        "markeredgewidth": size,
        "markersize": 9.5 * size,
        "gid": "errors",
    }


def point_look(code: int, size: float) -> dict[str, Any]:
    """Colour and marker of the points of a class; in ink where the class is not known."""
    colour = INK if code < 0 else COLOURS[code % len(COLOURS)]
    return {
        "linestyle": "",
        "marker": marker(max(code, 0)),
        "color": colour,
        "markeredgecolor": "white",
        "markeredgewidth": 0.5 * size,
        "markersize": 5 * size,
        "gid": "points",
    }
