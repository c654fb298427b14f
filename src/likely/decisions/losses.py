"""What a mistake costs: loss[true, decided], from a name, a matrix, a mapping, a table or a file.

In tables of pandas, polars and pyarrow the labels say which cost is which, not the places.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.core.schema import Level, plain
from likely.data.targets.class_lists import place_of
from likely.decisions.loss_files import LOSS_FILE_ENDINGS, class_place_of_text, read_costs
from likely.errors import OptionError, nearest
from likely.errors.options import unknown


def _zero_one(values: Sequence[Any] | Floats) -> Floats:
    return 1.0 - np.eye(len(values))


def _absolute(values: Floats) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        return np.abs(np.subtract.outer(values, values))


def _squared(values: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(_absolute(values) ** 2)


LARGEST_COST = 1e150  # beyond it sums and squares of costs overflow
LOSSES: Mapping[str, Callable[[Floats], Floats]] = {
    "zero-one": _zero_one,
    "absolute": _absolute,
    "squared": _squared,
}


def read_loss(loss: Any, classes: Sequence[Level]) -> Floats:
    """(classes, classes): loss[true, decided] from None (0-1), a name, a matrix, a table, a mapping or a file's path.

    A mapping is {(true, decided): cost} or {true: {decided: cost}}; what it leaves out costs 0 if right and 1 if wrong.
    A table goes by its labels: of pandas by index (true) and columns (decided), of polars or pyarrow the first column
    has the true classes. A matrix without labels is in the order of the classes.
    The names are those of LOSSES: 'absolute' and 'squared' measure how far off the decision is, in values of the
    classes where they are numbers, else in places of their order. A file is CSV, TSV or JSON.

    >>> read_loss({("ill", "well"): 10}, ["ill", "well"]).tolist()
    [[0.0, 10.0], [1.0, 0.0]]
    >>> read_loss("squared", [1, 2, 5]).tolist()
    [[0.0, 1.0, 16.0], [1.0, 0.0, 9.0], [16.0, 9.0, 0.0]]
    """
    if loss is None:
        matrix = _zero_one(classes)
    elif isinstance(loss, str | os.PathLike):
        matrix = _named(loss, classes)
    elif isinstance(loss, Mapping):
        at = ((place_of(t, classes, "loss="), place_of(d, classes, "loss="), cost) for t, d, cost in _triples(loss))
        matrix = _filled(at, classes)
    elif is_frame(loss):
        matrix = _filled(frame_costs(loss, classes), classes)
    else:
        matrix = _matrix(loss, len(classes))
    if not (np.abs(matrix) <= LARGEST_COST).all():
        told = f"a loss is not a finite number, or larger than {LARGEST_COST}"
        raise OptionError("O112", told, place="loss=", hint="say what each mistake costs")
    return matrix


def _values(classes: Sequence[Level]) -> Floats:
    """(classes,): the classes as numbers, or their places where they are words."""
    if any(isinstance(level, str) for level in classes):
        return np.arange(len(classes), dtype=np.float64)
    try:
        return np.array(classes, dtype=np.float64)
    except OverflowError:  # whole numbers have no end: no distance to such a class is finite
        return np.full(len(classes), np.inf)


def _named(loss: str | os.PathLike[str], classes: Sequence[Level]) -> Floats:
    """The loss of that name, or in that file."""
    if loss in LOSSES:
        return LOSSES[str(loss)](_values(classes))
    if os.fspath(loss).lower().endswith(LOSS_FILE_ENDINGS):
        return _filled(read_costs(os.fspath(loss), classes), classes)
    raise unknown(os.fspath(loss), LOSSES, "loss", "O301", also=f", or a file ending in {', '.join(LOSS_FILE_ENDINGS)}")


def _filled(costs: Iterable[tuple[int, int, Any]], classes: Sequence[Level]) -> Floats:
    matrix = _zero_one(classes)
    for true, decided, cost in costs:
        try:
            matrix[true, decided] = float(cost)
        except (TypeError, ValueError, OverflowError):
            where = f"loss=, {classes[true]!r} decided as {classes[decided]!r}"
            raise OptionError("O112", f"a cost cannot be {cost!r}", place=where, hint="say a number") from None
    return matrix


def _triples(loss: Mapping[Any, Any]) -> list[tuple[Any, Any, Any]]:
    if all(isinstance(costs, Mapping) for costs in loss.values()):
        return [(true, decided, cost) for true, costs in loss.items() for decided, cost in costs.items()]
    odd = next((pair for pair in loss if not (isinstance(pair, tuple) and len(pair) == 2)), None)
    if odd is not None:
        hint = "say {(true, decided): cost} or {true: {decided: cost}}"
        raise OptionError("O310", f"{odd!r} is not a pair of classes", place="loss=", hint=hint)
    return [(true, decided, cost) for (true, decided), cost in loss.items()]


def _matrix(loss: Any, size: int) -> Floats:
    try:
        matrix = np.array(loss, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        hint = "say loss[true, decided] as numbers, or {(true, decided): cost}"
        raise OptionError("O311", f"a loss cannot be {loss!r}", place="loss=", hint=hint) from None
    if matrix.shape != (size, size):
        hint = "loss[true, decided], a row and a column for each of classes_, in that order"
        told = f"the loss is of shape {matrix.shape}, there are {size} classes"
        raise OptionError("O111", told, place="loss=", hint=hint)
    return matrix


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
