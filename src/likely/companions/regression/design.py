"""A table as a matrix of numbers: categories by contrasts, missing values at the mean or with an indicator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.companions.regression.options import CODINGS
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, NUMERIC, Column, Schema
from likely.errors.options import choose

ROWS_AVERAGED_AT_A_TIME = 4096  # rows averaged at a time


@dataclass(frozen=True, eq=False)
class Design:
    """How rows of a schema become (rows, width): columns in schema order, each its contrasts, then what is missing.

    `levels`: of each column of the schema, the codes of the levels that rows were seen of; of numbers, none. `holes`:
    the columns with an indicator of their own. `means` (width,): what a missing value, or a level never seen, counts
    as.

    >>> schema = Schema((Column("age", "real"), Column("port", "category", ("C", "Q", "S"))), Column("y", "real"))
    >>> block = Block(3, np.array([[0], [2], [1]]), np.array([[20.0], [np.nan], [40.0]]))
    >>> design = Design.of(schema, block)
    >>> design.names
    ('age', 'port[Q]', 'port[S]')
    >>> design.matrix(block).tolist()
    [[20.0, 0.0, 0.0], [30.0, 0.0, 1.0], [40.0, 1.0, 0.0]]
    """

    schema: Schema
    coding: str
    levels: tuple[tuple[int, ...], ...]
    holes: tuple[int, ...]
    means: Floats

    @classmethod
    def of(cls, schema: Schema, block: Block, coding: str = "treatment", missing: str = "ignore") -> Design:
        """The design of rows, which say what levels there are and what a missing value counts as."""
        discrete, numeric = schema.of(*DISCRETE), schema.of(*NUMERIC)
        masses: list[Floats] = [np.zeros(0)] * len(schema.columns)
        averages = np.zeros(len(schema.columns))
        gone = np.zeros(len(schema.columns), dtype=bool)
        for place, at in enumerate(discrete):
            size = schema.columns[at].slots
            found = np.bincount(block.codes[:, place], weights=block.weights, minlength=size)
            masses[at], gone[at] = found[:-2].astype(np.float64), found[-2] > 0
        if numeric and block.rows and not _holed(block.reals):
            averages[list(numeric)] = _averages(block.reals, block.weights)
            numeric = ()
        for place, at in enumerate(numeric):
            values = block.reals[:, place]
            known = ~np.isnan(values)
            gone[at] = not known.all()
            weights = None if block.weights is None else block.weights[known]
            averages[at] = _averages(values[known, None], weights)[0] if known.any() else 0.0
        return cls.counted(schema, masses, averages, gone, coding, missing)

    @classmethod
    def counted(
        cls, schema: Schema, masses: Sequence[Floats], averages: Floats, gone: Array, coding: str, missing: str
    ) -> Design:
        """The design of rows known by sums, of each column: masses (levels,), averages, whether values are missing."""
        choose(coding, CODINGS, "coding", "O601")
        levels = tuple(tuple(int(code) for code in np.flatnonzero(mass > 0)) for mass in masses)
        speaking = {*schema.of(*DISCRETE), *schema.of(*NUMERIC)}
        holes = tuple(at for at in sorted(speaking) if gone[at]) if missing == "informative" else ()
        bare = cls(schema, coding, levels, holes, np.zeros(0))
        means: list[Floats] = []
        for at, column in enumerate(schema.columns):
            if column.kind in NUMERIC:
                means.append(averages[at : at + 1])
            elif column.kind in DISCRETE:
                mass = np.asarray(masses[at], dtype=np.float64)[list(levels[at])]
                means.append(mass / max(float(mass.sum()), 1e-300) @ bare.contrasts[at])
            if at in holes:
                means.append(np.zeros(1))
        return cls(schema, coding, levels, holes, np.concatenate([np.zeros(0), *means]))

    def sound(self) -> bool:
        """Whether it is a design of its schema: a file may hold anything."""
        if len(self.levels) != len(self._columns) or self.coding not in CODINGS:
            return False
        for column, seen in zip(self._columns, self.levels, strict=True):
            many = len(column.levels) if column.kind in DISCRETE else 0
            if list(seen) != sorted({*seen} & {*range(many)}):
                return False
        speaking = {*self.schema.of(*DISCRETE), *self.schema.of(*NUMERIC)}
        fits = list(self.holes) == sorted({*self.holes} & speaking) and self.means.shape == (self.width,)
        return fits and bool(np.isfinite(self.means).all())

    @cached_property
    def contrasts(self) -> tuple[Floats, ...]:
        """Of each column of the schema (levels seen, contrasts); of numbers, nothing."""
        return tuple(
            _contrasts(column, seen, self.coding) for column, seen in zip(self._columns, self.levels, strict=True)
        )

    @property
    def _columns(self) -> tuple[Column, ...]:
        return self.schema.columns

    @cached_property
    def bounds(self) -> Array:
        """(columns + 1,): where the design columns of each input begin, its indicator of missing values last."""
        widths = [
            (column.kind in NUMERIC) + self.contrasts[at].shape[1] + (at in self.holes)
            for at, column in enumerate(self._columns)
        ]
        return np.concatenate([[0], np.cumsum(widths, dtype=np.int64)])

    @property
    def width(self) -> int:
        return int(self.bounds[-1])

    @cached_property
    def owners(self) -> Array:
        """(width,): the input column that each design column comes from."""
        return np.repeat(np.arange(len(self._columns)), np.diff(self.bounds))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """(width,): such as `age`, `port[S]`, `age[missing]`."""
        said: list[str] = []
        for at, column in enumerate(self._columns):
            if column.kind in NUMERIC or _plain(column):
                said.extend([column.name] * (column.kind in NUMERIC or self.contrasts[at].shape[1]))
            else:
                said.extend(f"{column.name}[{column.levels[code]}]" for code in self._named(at))
            if at in self.holes:
                said.append(f"{column.name}[missing]")
        return tuple(said)

    def _named(self, at: int) -> Sequence[int]:
        """The levels that the contrasts of a column are named after: all but the first, or for sums but the last."""
        return self.levels[at][:-1] if self.coding == "sum" else self.levels[at][1:]

    def matrix(self, block: Block) -> Floats:
        """(rows, width): the rows in numbers; the block's own where they are numbers without a missing value."""
        numeric = self.schema.of(*NUMERIC)
        if self.width == len(numeric) and not _holed(block.reals):
            return block.reals
        out = np.empty((block.rows, self.width))
        for place, at in enumerate(numeric):
            start, values = self.bounds[at], block.reals[:, place]
            gone = np.isnan(values)
            out[:, start] = np.where(gone, self.means[start], values)
            if at in self.holes:
                out[:, start + 1] = gone
        for place, at in enumerate(self.schema.of(*DISCRETE)):
            out[:, self.bounds[at] : self.bounds[at + 1]] = self.table(at)[block.codes[:, place]]
        return out

    def table(self, at: int) -> Floats:
        """(slots, design columns): the numbers of each level, of a missing value and of an unseen level."""
        column, start, stop = self._columns[at], self.bounds[at], self.bounds[at + 1]
        table = np.repeat(self.means[None, start:stop], column.slots, axis=0)
        contrasts = self.contrasts[at]
        table[np.array(self.levels[at], dtype=np.int64)[:, None], np.arange(contrasts.shape[1])] = contrasts
        if at in self.holes:
            table[len(column.levels), -1] = 1.0
        return table

    def terms(self, matrix: Floats, coefficients: Floats) -> Floats:
        """(rows, columns, ...): what each input adds, beyond the average row, for coefficients (width, ...)."""
        out = np.zeros((len(matrix), len(self._columns), *coefficients.shape[1:]))
        for at, (start, stop) in enumerate(zip(self.bounds[:-1], self.bounds[1:], strict=True)):
            if stop > start:
                out[:, at] = (matrix[:, start:stop] - self.means[start:stop]) @ coefficients[start:stop]
        return out


def _holed(values: Floats) -> bool:
    """Whether a number is missing: the sum of squares is, if and only if one is, and is reckoned in no time."""
    return bool(np.isnan(np.vdot(values, values)))


def _averages(values: Floats, weights: Floats | None) -> Floats:
    """(columns,) of values (rows, columns), some rows at a time."""
    first, total = values[0], np.zeros(values.shape[1])  # about values of their own, which may be large and close
    for start in range(0, len(values), ROWS_AVERAGED_AT_A_TIME):
        away = values[start : start + ROWS_AVERAGED_AT_A_TIME] - first
        total += away.sum(axis=0) if weights is None else weights[start : start + ROWS_AVERAGED_AT_A_TIME] @ away
    mass = len(values) if weights is None else weights.sum()
    return first + total / mass if mass > 0 else np.zeros(values.shape[1])


def _plain(column: Column) -> bool:
    """Whether a column of two levels is a number already: 0 or 1."""
    return column.kind == "binary" and tuple(column.levels) == (0, 1)


def _contrasts(column: Column, seen: Sequence[int], coding: str) -> Floats:
    """(levels seen, contrasts) of a column; they and the intercept tell all levels apart.

    >>> _contrasts(Column("port", "category", ("C", "Q", "S")), (0, 1, 2), "helmert").tolist()
    [[-1.0, -1.0], [1.0, -1.0], [0.0, 2.0]]
    """
    if column.kind not in DISCRETE or not seen:
        return np.zeros((len(seen), 0))
    if _plain(column):
        return np.array(seen, dtype=np.float64)[:, None]
    size = len(seen)
    if coding == "sum":
        return np.concatenate([np.eye(size - 1), -np.ones((1, size - 1))])
    below = np.eye(size)[:, 1:]
    if coding == "treatment":
        return below
    return below * np.arange(1, size) - np.triu(np.ones((size, size)), 1)[:, 1:]
