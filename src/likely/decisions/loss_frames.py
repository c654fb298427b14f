"""Losses in tables of pandas, polars and pyarrow: the labels say which cost is which, not the places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from likely.core.schema import Level, plain
from likely.decisions.loss_files import class_place_of_text
from likely.errors import OptionError, nearest


def is_frame(loss: Any) -> bool:
    """Whether it is a table with named columns."""
    return hasattr(loss, "shape") and (hasattr(loss, "columns") or hasattr(loss, "column_names"))


def frame_costs(loss: Any, classes: Sequence[Level]) -> Iterator[tuple[int, int, Any]]:
    """(true, decided, cost) for each cost of the table, with the places of the classes.

    The true class of a row is its index in pandas, elsewhere its first column; labels are matched by their text.
    """
    if hasattr(loss, "index"):
        how = "label rows and columns by the classes: DataFrame(costs, index=classes, columns=classes)"
        true, decided = list(loss.index), list(loss.columns)
        columns = [loss.iloc[:, at].tolist() for at in range(len(decided))]
    else:
        how = "put the true classes into the first column, and name the others for the decided ones"
        names = list(getattr(loss, "column_names", loss.columns))
        true, *columns = [_listed(loss, at) for at in range(len(names))] or [[]]
        decided = names[1:]
    rows = _found(true, classes, "row", how)
    for at, column in zip(_found(decided, classes, "column", how), columns, strict=True):
        yield from ((row, at, cost) for row, cost in zip(rows, column, strict=True))


def _listed(loss: Any, at: int) -> list[Any]:
    return list(loss.column(at).to_pylist() if hasattr(loss, "column_names") else loss.to_series(at).to_list())


def _found(labels: list[Any], classes: Sequence[Level], what: str, how: str) -> list[int]:
    """The places of the classes that label the rows or the columns: every class once."""
    found = [class_place_of_text(str(plain(label)), classes) for label in labels]
    told = ""
    if None in found:
        odd = labels[found.index(None)]
        told = f"{odd!r} is not a class{nearest(odd, classes)}"
    elif sorted(at for at in found if at is not None) != list(range(len(classes))):
        odd = next(level for at, level in enumerate(classes) if found.count(at) != 1)
        told = f"{odd!r} is there {found.count(classes.index(odd))} times"
    if told:
        raise OptionError("O317", told, place=f"loss=, the labels of the {what}s", hint=how)
    return [at for at in found if at is not None]
