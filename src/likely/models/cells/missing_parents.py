"""Rows of which parents are missing: what every column says of them under each value that its parents may have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema
from likely.models.cells.cell_counts import Parents
from likely.models.cells.marginalisation import LogFactor

MOST_FACTOR_NUMBERS = 1 << 21  # numbers that the factors of some rows may hold together


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Rows: codes (rows, columns), the parts of those that can be parents, and which values are missing, alike.

    `order` are the columns that speak, parents first, `parents` those of each column. A column counts from a step on:
    steps (columns,). The missing columns that `depend` even if nothing does that is there have to be summed out too.
    """

    schema: Schema
    parents: tuple[Parents, ...]
    order: tuple[int, ...]
    steps: Array
    block: Block
    codes: Array
    missing: Array
    depend: Parents = ()

    @cached_property
    def parts(self) -> Array:
        """(columns,): how many values each column has for those that depend on it."""
        return self.schema.parts(range(len(self.schema.columns)))

    @cached_property
    def needed(self) -> Array:
        """(rows, columns): the missing columns on which values depend that are not: those to be summed out.

        Of a column that never had a value there is nothing to sum.
        """
        needed, known = np.zeros_like(self.missing), self.parts > 0
        for at in self.depend:
            needed[:, at] = self.missing[:, at] & known[at]
        for at in reversed(self.order):
            for parent in self.parents[at]:
                if known[parent]:
                    needed[:, parent] |= self.missing[:, parent] & (~self.missing[:, at] | needed[:, at])
        return needed

    @cached_property
    def born(self) -> Array:
        """(rows, columns): the step from which on a column counts; a missing one, from that of the first below it."""
        born = np.where(self.missing, self.steps.max(initial=0) + 1, self.steps)
        born[:, list(self.depend)] = 0
        for at in reversed(self.order):
            for parent in self.parents[at]:
                low = np.minimum(born[:, parent], born[:, at])
                born[:, parent] = np.where(self.missing[:, parent], low, born[:, parent])
        return born

    def pieces(self, classes: int) -> Iterator[tuple[Array, CodedRows]]:
        """The rows in pieces whose factors fit in memory, and where they stand."""
        room = np.zeros(len(self.missing))
        guesses = np.where(self.needed, np.maximum(self.parts, 1), 1).astype(np.float64)
        for at in self.order:
            own = np.where(self.needed[:, at], guesses[:, at], ~self.missing[:, at])
            room += own * guesses[:, list(self.parents[at])].prod(axis=1)
        piece = (np.cumsum(room) * classes) // MOST_FACTOR_NUMBERS
        for rows in np.split(np.arange(len(piece)), np.flatnonzero(np.diff(piece)) + 1):
            yield rows, self._take(rows)

    def _take(self, at: Array) -> CodedRows:
        block, codes, missing = self.block.take(at), self.codes[at], self.missing[at]
        return CodedRows(self.schema, self.parents, self.order, self.steps, block, codes, missing, self.depend)

    def seen(self, column: int, said: Callable[[Array, Array, bool], Floats]) -> Iterator[LogFactor]:
        """What a column says of the rows in which it is there.

        `said` tells it of some rows (rows,) with values of its parents (rows, parents), and whether these were learnt.
        """
        return self.below(self.parents[column], (), ~self.missing[:, column], self.born[:, column], said)

    def imagined(self, column: int, said: Callable[[Array, Array, bool], Floats]) -> Iterator[LogFactor]:
        """What a column says of the rows in which it has to be summed out, under each of its own values."""
        return self.below(self.parents[column], (column,), self.needed[:, column], self.born[:, column], said)

    def below(
        self, by: Parents, own: tuple[int, ...], some: Array, born: Array, said: Callable[[Array, Array, bool], Floats]
    ) -> Iterator[LogFactor]:
        """What is said of some rows under every guess of their missing parents; rows that miss the same together."""
        rows = np.flatnonzero(some)
        hides: Array = self.needed[rows][:, list(by)] @ (1 << np.arange(len(by)))
        kinds, which = np.unique(hides, return_inverse=True)
        for number, kind in enumerate(kinds):
            hidden = tuple(parent for place, parent in enumerate(by) if int(kind) >> place & 1)
            at, parts = rows[which == number], self.schema.parts(hidden)
            guesses = int(parts.prod())
            each = np.repeat(at, guesses)
            values = self.codes[:, list(by)][each]
            every = np.indices(tuple(parts.tolist())).reshape(len(hidden), guesses)
            for parent, guess in zip(hidden, every, strict=True):
                values[:, by.index(parent)] = np.tile(guess, len(at))
            found = said(each, values, not hidden)
            yield LogFactor(at, (*hidden, *own), found.reshape(len(at), *parts, *found.shape[1:]), born[at])
