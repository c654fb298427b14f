"""Small tables of every kind of column, a function of their seed: what the laws are tried on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import KINDS, Schema
from likely.core.tokens import Bag
from likely.data import Labels, open_source
from likely.data.blocks import ANY_ROWS

DRAWN_WORDS = ("rain", "sun", "wind", "snow", "雨")
DRAWN_LEVELS = ("red", "dark green", "blue, pale", "青")


class TakeableRows(Protocol):
    """Rows that a law can pick from, repeat and weigh."""

    def __len__(self) -> int: ...

    def take(self, index: npt.ArrayLike) -> Self: ...

    def weighed(self, weights: npt.ArrayLike | None) -> Self: ...


@dataclass(frozen=True)
class Table:
    """Columns by name, None where a value is missing, with their kinds; a target; weights, or None.

    >>> small = Table({"x": [1.5, None]}, ["no", "yes"], {"x": "real"})
    >>> len(small), small.take([1]).columns
    (2, {'x': [None]})
    """

    columns: Mapping[str, Sequence[Any]]
    target: Sequence[Any]
    kinds: Mapping[str, Any]
    weights: Sequence[float] | None = None

    def __len__(self) -> int:
        return len(self.target)

    def take(self, index: npt.ArrayLike) -> Table:
        """The rows at these places, in this order.

        >>> Table({"x": [1.5, 2.5, 3.5]}, ["no", "yes", "no"], {"x": "real"}).take([2, 0]).columns
        {'x': [3.5, 1.5]}
        """
        at = np.asarray(index, dtype=np.int64).tolist()
        columns = {name: [values[row] for row in at] for name, values in self.columns.items()}
        weights = None if self.weights is None else [self.weights[row] for row in at]
        return replace(self, columns=columns, target=[self.target[row] for row in at], weights=weights)

    def weighed(self, weights: npt.ArrayLike | None) -> Table:
        """The same rows with other weights.

        >>> Table({"x": [1.5, 2.5]}, ["no", "yes"], {"x": "real"}).weighed([1, 3]).weights
        [1, 3]
        """
        return replace(self, weights=None if weights is None else np.asarray(weights).tolist())

    def only(self, names: Sequence[str]) -> Table:
        """Some of the columns, in this order.

        >>> list(table().only(["text1", "real2"]).columns)
        ['text1', 'real2']
        """
        kinds = {name: self.kinds[name] for name in names}
        return replace(self, columns={name: self.columns[name] for name in names}, kinds=kinds)

    @property
    def X(self) -> Any:  # noqa: N802  what scikit-learn calls a table
        """The columns as an Arrow table."""
        import pyarrow as pa

        return pa.table({name: pa.array(list(values)) for name, values in self.columns.items()})

    @property
    def y(self) -> Array:
        return np.array(list(self.target))

    def encoded(self) -> Encoded:
        """The rows as families and statistics see them, under the schema that they show.

        >>> rows = Table({"x": ["b", "a", None]}, ["no", "yes", "no"], {"x": "category"}).encoded()
        >>> rows.schema.columns[0].levels, rows.block.codes[:, 0].tolist(), rows.block.cells.tolist()
        (('a', 'b'), [1, 0, 2], [0, 1, 0])
        """
        weights = None if self.weights is None else np.array(self.weights, dtype=np.float64)
        source = open_source(self.X, labels=Labels.read(self.y), weights=weights)
        schema = source.survey(dict(self.kinds))
        (task,) = source.tasks(schema, True, ANY_ROWS)
        return Encoded(schema, task())


@dataclass(frozen=True)
class Encoded:
    """A block of rows under a schema.

    >>> rows = table(rows=5).encoded()
    >>> len(rows), rows.schema.classes
    (5, ('oak', '樹'))
    """

    schema: Schema
    block: Block

    def __len__(self) -> int:
        return self.block.rows

    def take(self, index: npt.ArrayLike) -> Encoded:
        """The rows at these places, in this order.

        >>> rows = Table({"x": [1.5, 2.5, 3.5]}, ["no", "yes", "no"], {"x": "real"}).encoded()
        >>> rows.take([2, 2, 0]).block.reals[:, 0].tolist()
        [3.5, 3.5, 1.5]
        """
        at, block = np.asarray(index, dtype=np.int64), self.block
        part = Block(
            len(at),
            np.ascontiguousarray(block.codes[at]),
            np.ascontiguousarray(block.reals[at]),
            tuple(_bag_at(bag, at) for bag in block.bags),
            None if block.cells is None else block.cells[at],
            None if block.weights is None else block.weights[at],
        )
        return Encoded(self.schema, part)

    def weighed(self, weights: npt.ArrayLike | None) -> Encoded:
        """The same rows with other weights.

        >>> rows = Table({"x": [1.5, 2.5]}, ["no", "yes"], {"x": "real"}).encoded()
        >>> rows.weighed([1.0, 0.5]).block.weights.tolist()
        [1.0, 0.5]
        """
        given: Floats | None = None if weights is None else np.array(weights, dtype=np.float64)
        return Encoded(self.schema, replace(self.block, weights=given))


def _bag_at(bag: Bag, at: Array) -> Bag:
    spans = [np.arange(bag.indptr[row], bag.indptr[row + 1]) for row in at]
    places = np.concatenate([np.zeros(0, dtype=np.int64), *spans])
    indptr = np.concatenate([[0], np.cumsum([len(span) for span in spans], dtype=np.int64)])
    return Bag(indptr.astype(np.int64), bag.indices[places], bag.data[places])


def table(seed: int = 0, rows: int = 40, kinds: Sequence[str] = KINDS, missing: float = 0.15) -> Table:
    """Rows of three unequal classes with two columns of each kind, a share of the values missing.

    >>> sorted(set(table().kinds.values())) == sorted(KINDS)
    True
    >>> table(seed=3) == table(seed=3) != table(seed=4)
    True
    """
    rng = np.random.default_rng(seed)
    classes = np.minimum(rng.integers(0, 4, rows), 2)
    columns, kind_of = {}, {}
    for kind in kinds:
        for which in (1, 2):
            values = _column(kind, classes * which, rng)
            gone = rng.random(rows) < missing
            columns[f"{kind}{which}"] = [None if hole else value for value, hole in zip(values, gone, strict=True)]
            kind_of[f"{kind}{which}"] = kind
    return Table(columns, [("ash", "oak", "樹")[cell] for cell in classes], kind_of)


def _column(kind: str, lean: Array, rng: np.random.Generator) -> list[Any]:
    """Values that lean one way or another with their class."""
    rows = len(lean)
    if kind == "real":
        return list(map(float, rng.normal(lean, 1.0 + lean).round(3) + 0.0005))
    if kind == "parzen":
        return list(map(float, rng.choice([-3.0, 3.0], rows) + rng.normal(lean, 0.5, rows)))
    if kind == "count":
        return list(map(int, rng.poisson(1.0 + lean)))
    if kind == "binary":
        return list(map(int, rng.random(rows) < (1.0 + lean) / 6.0))
    if kind == "category":
        return [DRAWN_LEVELS[at] for at in (rng.integers(0, 3, rows) + lean) % len(DRAWN_LEVELS)]
    lengths = rng.integers(0, 7, rows)
    picks = [rng.integers(0, 3, length) + leaning for length, leaning in zip(lengths, lean, strict=True)]
    return [" ".join(DRAWN_WORDS[at % len(DRAWN_WORDS)] for at in pick) for pick in picks]


def few(rows: Table) -> Table:
    """One column of each kind, and two of levels: for models that count columns two by two and three by three.

    >>> len(few(table()).columns)
    7
    """
    return rows.only([name for name in rows.columns if name.endswith("1") or name == "category2"])
