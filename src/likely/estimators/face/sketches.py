"""Sketches of rows, which add up: so that cut points can be learnt, and agreed on, without the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.block import Block
from likely.core.docstrings import describe
from likely.core.schema import NUMERIC, Column, Level, Schema
from likely.core.schema_union import numeric_levels, unite
from likely.core.threads import in_threads
from likely.core.unusable_rows import LARGEST_NUMBER, refuse_large
from likely.data import Source
from likely.data.blocks import ANY_ROWS, Task
from likely.errors import OptionError, listed
from likely.estimators.face.rows import RowMethods
from likely.families.discretization import learn_cuts, read_cuts
from likely.statistics.sketch import MOST_DISTINCT_VALUES, Sketch

MOST_BYTES_OF_SKETCHES = 1 << 30  # bytes: a number for each value, and each class


@dataclass(frozen=True, eq=False)
class Sketches:
    """The sketch of every numeric column of some rows, by its position; `+` gives the sketches of both parts.

    They hold the values of single columns by class, and nothing of which values were in one row.
    """

    schema: Schema
    columns: Mapping[int, Sketch]

    def __add__(self, other: Sketches) -> Sketches:
        if not isinstance(other, Sketches):
            return NotImplemented
        schema = unite(self.schema, other.schema)
        mine, theirs = self._among(schema.classes), other._among(schema.classes)
        return Sketches(schema, {at: mine[at] + theirs[at] for at in mine if at in theirs})

    def _among(self, classes: Iterable[Level]) -> dict[int, Sketch]:
        places = {label: at for at, label in enumerate(classes)}
        cells = np.array([places[label] for label in self.schema.classes], dtype=np.int64)
        return {at: sketch.embed(cells, len(places)) for at, sketch in self.columns.items()}

    def cuts(self, method: Any = "frequency", bins: int = 5) -> dict[str, tuple[float, ...]]:
        """The edges of each numeric column by name: hand them to models as `cuts=`.

        `method` is "frequency", "mdl" or "width", or says for each column one of them or its edges.
        """
        ways = read_cuts(method, bins, list(self.names))
        return {
            name: learn_cuts(self.columns[at], way, bins) if isinstance(way, str) else way
            for (name, at), way in zip(self.names.items(), ways, strict=True)
        }

    @property
    def names(self) -> dict[str, int]:
        """The numeric columns and their positions; a column that was binary in every part so far is none."""
        return {self.schema.columns[at].name: at for at in self.schema.of(*NUMERIC) if at in self.columns}

    def __repr__(self) -> str:
        return f"Sketches of {listed(list(self.names))} by {listed(self.schema.classes)}"


class Sketching(RowMethods):
    """Opens rows that no model has seen."""


@describe
def sketch(X: Any, y: Any, sample_weight: Any = None, kinds: Any = "auto") -> Sketches:
    """The sketches of the numeric columns of rows: add those of several sites, and all can use the same cut points.

    >>> here, there = sketch([[1.0], [2.0], [3.5]], [0, 0, 0]), sketch([[7.5], [8.0], [9.0]], [1, 1, 1])
    >>> (here + there).cuts("mdl")
    {'x0': (5.5,)}
    """
    source = Sketching()._open(X, y, sample_weight, reset=True)
    schema = source.survey(kinds)
    # a column that is binary by chance may turn out to be real in another part
    widest = replace(schema, columns=tuple(_widest(column) for column in schema.columns))
    return Sketches(schema, sketch_source(source, widest))


def _widest(column: Column) -> Column:
    by_chance = column.kind == "binary" and column.open and numeric_levels(column.levels)
    return Column(column.name, "real") if by_chance else column


def sketch_source(source: Source, schema: Schema) -> dict[int, Sketch]:
    """The sketch of each numeric column of rows with their classes, by its position in the schema."""
    numeric, classes = schema.of(*NUMERIC), len(schema.classes)

    def work(task: Task) -> list[Sketch]:
        block = task()
        assert block.cells is not None, "sketches are by class"
        _refuse_many_points(block, schema)
        found = [Sketch.of(values, block.cells, block.weights, classes) for values in block.reals.T]
        if any(np.abs(one.values[[0, -1]]).max() > LARGEST_NUMBER for one in found if len(one.values)):
            refuse_large(block, schema)
        return found

    if not numeric:
        return {}
    parts = in_threads(work, source.tasks(schema, target=True, rows=ANY_ROWS))
    return dict(zip(numeric, _in_pairs(parts), strict=True))


def _refuse_many_points(block: Block, schema: Schema) -> None:
    """An error where the different values of the numeric columns, each with a weight for every class, would not fit."""
    rows, columns = block.reals.shape
    size = 8 * len(schema.classes)
    if columns * min(rows, MOST_DISTINCT_VALUES) * size <= MOST_BYTES_OF_SKETCHES:
        return
    different = [len(np.unique(values)) for values in block.reals.T]
    points = sum(many if many <= MOST_DISTINCT_VALUES else MOST_DISTINCT_VALUES // 2 for many in different)
    if points * size > MOST_BYTES_OF_SKETCHES:
        what = f"{points:,} different values of {columns} numeric columns in {len(schema.classes):,} classes take"
        what += f" {points * size / 2**30:.1f} GiB, beyond {MOST_BYTES_OF_SKETCHES / 2**30:.0f} GiB"
        hint = "join rare classes, round the numbers, leave columns out, or take NaiveBayes"
        raise OptionError("O393", what, place="the numeric columns", hint=hint)


def _in_pairs(parts: Iterable[list[Sketch]]) -> list[Sketch]:
    """The sum of parts, two equally long sums at a time: their slack grows with the logarithm of their number."""
    held: list[tuple[int, list[Sketch]]] = []

    def join() -> None:
        (one, left), (other, right) = held[-2:]
        held[-2:] = [(one + other, [a + b for a, b in zip(left, right, strict=True)])]

    for part in parts:
        held.append((1, part))
        while len(held) > 1 and held[-1][0] == held[-2][0]:
            join()
    while len(held) > 1:
        join()
    return held[0][1]
