"""Rows and labels as the nodes of a network know them: places of levels, and levels as y spells them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.schema import Level, plain
from likely.core.unusable_rows import no_rows
from likely.data import ArrowSource, Labels
from likely.data.arrow_columns import one_array
from likely.data.levels.level_text import place_of, spellings, spelt_places
from likely.data.tables import open_rows
from likely.estimators.face.arguments import check_labels
from likely.networks.tables.joint import Factored


def unnamed(rows: Any) -> bool:
    """Whether rows have no names of columns: arrays, and lists of lists."""
    if isinstance(rows, list | tuple):
        return not all(isinstance(row, Mapping) for row in rows) or not rows
    return isinstance(rows, np.ndarray) or (hasattr(rows, "__array__") and not hasattr(rows, "columns"))


def opened(X: Any, features: Sequence[str], target: str) -> ArrowSource:
    """Rows whose columns are nodes: a target among them is not read; without names, all others in order."""
    return open_rows(X, features if unnamed(X) else (*features, target), place="X")


def joined(X: Any, y: Any, features: Sequence[str], target: str, owner: str) -> tuple[dict[str, Any], Labels]:
    """The columns of X, and y, by node; and y by itself."""
    import pyarrow as pa

    batches = list(opened(X, features, target).read())
    rows = sum(batch.num_rows for batch in batches)
    if not rows:
        raise no_rows("X")
    table = pa.Table.from_batches(batches)
    labels = check_labels(y, owner, rows)
    classes = pa.DictionaryArray.from_arrays(pa.array(labels.codes), pa.array(list(labels.levels)))
    columns = {name: table.column(name) for name in features if name in table.column_names}
    return {**columns, target: classes}, labels


@dataclass(frozen=True, eq=False)
class NamedRows:
    """Rows whose columns are made ready one by one, when they are asked for: most answers need but a few."""

    rows: int
    names: frozenset[str]
    column: Callable[[str], Any]  # -> an Arrow array

    def codes(self, factored: Factored, places: Sequence[int], only: Array | None = None) -> Array:
        """(rows, places): where each value is among the levels of these nodes; -1 where it is missing or unknown.

        `only` (rows,) says which rows are wanted.
        """
        rows = self.rows if only is None else int(only.sum())
        out = np.full((rows, len(places)), -1, dtype=np.int64)
        for column, at in enumerate(places):
            name = factored.graph.nodes[at]
            if name in self.names:
                values = self.column(name)
                found, _, rows_at = spelt_places(values if only is None else values.filter(only), factored.levels[at])
                out[:, column] = np.maximum(found, -1)[rows_at]
        return out


def sheets(X: Any, features: Sequence[str], target: str) -> Iterator[NamedRows]:
    """The rows to predict: a frame whole, anything else as it comes; a column of the target itself is not read."""
    import narwhals as nw

    if nw.dependencies.is_into_dataframe(X):
        frame = nw.from_native(X, eager_only=True)
        opened(frame.head(0).to_native(), features, target)  # its names are checked
        columns = {str(series.name): series.to_native() for series in frame.iter_columns()}
        yield NamedRows(len(frame), frozenset(columns) - {target}, lambda name: one_array(columns[name], name))
        return
    for batch in opened(X, features, target).read():
        yield NamedRows(batch.num_rows, frozenset(batch.schema.names) - {target}, batch.column)


def decoded(factored: Factored, codes: Array, at: int) -> Array:
    """(rows,): the levels of a node by their places, None where missing."""
    return np.asarray(np.array([*factored.levels[at], None], dtype=object)[codes])


def spelt_classes(levels: Sequence[Level], known: Sequence[Any]) -> tuple[Array, Array]:
    """(classes,): the levels, sorted, spelt as in y where that has numbers; and the place of each among the levels.

    >>> spelt_classes(("2", "1", "0"), [0, 1])
    (array([0, 1, 2]), array([2, 1, 0]))
    """
    spelt = spellings(levels)
    said = {place_of(label, spelt): label for label in known}
    numbers = bool(said) and not any(isinstance(label, str) for label in said.values())
    labels = [said.get(at, _number(level) if numbers else level) for at, level in enumerate(levels)]
    mixed = len({isinstance(label, str) for label in labels}) > 1
    labels = list(levels) if mixed else labels
    order = sorted(range(len(labels)), key=lambda at: (isinstance(labels[at], str), labels[at]))
    kind = object if len({isinstance(label, str) for label in labels}) > 1 else None
    return np.array([labels[at] for at in order], dtype=kind), np.array(order, dtype=np.int64)


def _number(level: Level) -> Level:
    """A level whose text is a number as that number."""
    try:
        return plain(float(level))
    except ValueError:
        return level
