"""The laws of statistics; those of row order and weights hold of whatever is learnt from rows."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from likely.checks.equality import EQUAL_WITHIN, check_same
from likely.checks.tables import Encoded, TakeableRows
from likely.core.numerics import Array
from likely.core.schema import DISCRETE, NUMERIC
from likely.statistics import STATISTICS, Points, Question, Statistic, answer

R = TypeVar("R", bound=TakeableRows)


def statistic_of(kind: type[Statistic], rows: Encoded) -> Callable[[Encoded], Statistic]:
    """The function that answers the question behind a kind of statistic, about the columns that it fits.

    >>> from likely.checks import table
    >>> from likely.statistics import Counts
    >>> rows = table().encoded()
    >>> int(statistic_of(Counts, rows)(rows).rows.sum())
    40
    """
    of = next((of for of, known in STATISTICS.items() if known is kind), None)
    assert of is not None, f"no question asks for {kind.__name__}: name it in likely.statistics.STATISTICS"
    kinds = {**dict.fromkeys(("counts", "pairs", "triples"), DISCRETE), "totals": ("text",), "grid": ("parzen",)}
    columns = rows.schema.of(*kinds.get(of, NUMERIC))
    question = Question(of, columns[:1] if of in ("totals", "grid") else columns)
    return lambda part: answer(question, part.schema, part.block)


def check_parts_add_up(statistic_of: Callable[[R], Statistic], rows: R, cut: int | None = None) -> None:
    """The statistics of two parts, added, are the statistic of the whole, down to the type of their numbers.

    >>> from likely.checks import table
    >>> from likely.statistics import Moments
    >>> rows = table(rows=12, kinds=["real"]).encoded()
    >>> check_parts_add_up(statistic_of(Moments, rows), rows, cut=5)
    """
    first, second = _parts(rows, cut)
    whole, one, other = statistic_of(rows), statistic_of(first), statistic_of(second)
    for added, what in ((one + other, "the parts added"), (other + one, "the parts added the other way round")):
        check_same(added, whole, f"{what}, and the whole")
        for name, array in added.arrays().items():
            kinds = array.dtype.kind, whole.arrays()[name].dtype.kind
            assert kinds[0] == kinds[1], f"{what}: {name} is of kind {kinds[0]!r}, the whole of {kinds[1]!r}"


def check_subtraction_undoes(statistic_of: Callable[[R], Statistic], rows: R, cut: int | None = None) -> None:
    """The whole without a part is the rest, and could be; the whole without itself is exactly nothing.

    >>> from likely.checks import table
    >>> from likely.statistics import Moments
    >>> rows = table(rows=12, kinds=["real"]).encoded()
    >>> check_subtraction_undoes(statistic_of(Moments, rows), rows, cut=5)
    """
    first, second = _parts(rows, cut)
    whole, part, rest = statistic_of(rows), statistic_of(second), statistic_of(first)
    left = whole - part
    check_same(left, rest, "the whole without a part, and the rest", among=whole)
    assert left.possible(), "the whole without a part is said to be impossible"
    assert whole - whole == whole.empty(), "the whole without itself is not nothing"
    check_same((rest + part) - part, rest, "added and taken back", among=whole)


def check_strangers_are_noticed(statistic_of: Callable[[R], Statistic], rows: R, cut: int | None = None) -> None:
    """Taking rows out that were never in leaves what no rows could have.

    >>> from likely.checks import table
    >>> from likely.statistics import Counts
    >>> rows = table(rows=12, kinds=["category"]).encoded()
    >>> check_strangers_are_noticed(statistic_of(Counts, rows), rows)
    """
    first, second = _parts(rows, cut)
    whole, part = statistic_of(rows), statistic_of(second)
    if part != part.empty():
        assert not (statistic_of(first) - whole).possible(), "more was taken out than was in, and it seems possible"


def check_identity(statistic_of: Callable[[R], Statistic], rows: R) -> None:
    """The statistic of no rows is `empty()`, and adding or subtracting it changes not a bit.

    >>> from likely.checks import table
    >>> from likely.statistics import Counts
    >>> rows = table(rows=12, kinds=["binary"]).encoded()
    >>> check_identity(statistic_of(Counts, rows), rows)
    """
    whole = statistic_of(rows)
    nothing = whole.empty()
    assert statistic_of(rows.take([])) == nothing, "no rows have a statistic that is not empty()"
    assert whole + nothing == whole, "adding nothing changes something"
    assert nothing + whole == whole, "adding to nothing changes something"
    assert whole - nothing == whole, "subtracting nothing changes something"
    assert nothing.possible(), "nothing is said to be impossible"


def check_scaling(statistic_of: Callable[[R], Statistic], rows: R) -> None:
    """Twice is the sum with itself, once is itself, zero times is nothing, half of twice is itself.

    >>> from likely.checks import table
    >>> from likely.statistics import Scatter
    >>> rows = table(rows=12, kinds=["real"]).encoded()
    >>> check_scaling(statistic_of(Scatter, rows), rows)
    """
    whole = statistic_of(rows)
    check_same(whole * 2, whole + whole, "twice, and the sum with itself")
    assert whole * 1 == whole, "once is not the same"
    assert whole * 0 == whole.empty(), "zero times is not nothing"
    check_same((whole * 2) * 0.5, whole * 1.0, "half of twice, and once")


def check_arrays_round_trip(statistic_of: Callable[[R], Statistic], rows: R) -> None:
    """Written down as arrays or as JSON and read again, a statistic is the same bit for bit.

    >>> from likely.checks import table
    >>> from likely.statistics import Scatter
    >>> rows = table(rows=12, kinds=["real"]).encoded()
    >>> check_arrays_round_trip(statistic_of(Scatter, rows), rows)
    """
    whole = statistic_of(rows)
    arrays = whole.arrays()
    assert list(arrays) == [field.name for field in fields(whole)], "arrays() does not name every field"  # type: ignore[arg-type]
    for what, through in (("arrays", _through_npy), ("JSON", _through_json)):
        again = type(whole)(**{name: through(array) for name, array in arrays.items()})
        for name, array in again.arrays().items():
            bits = array.dtype == arrays[name].dtype and array.tobytes() == arrays[name].tobytes()
            assert bits, f"{name} changed on its way through {what}"


def check_growing_keeps_answers(statistic_of: Callable[[R], Statistic], rows: R, cut: int | None = None) -> None:
    """Laid into a larger table and taken out again, a statistic is the same; parts may grow before they are added.

    >>> from likely.checks import table
    >>> from likely.statistics import Moments
    >>> rows = table(rows=12, kinds=["real"]).encoded()
    >>> check_growing_keeps_answers(statistic_of(Moments, rows), rows)
    """
    first, second = _parts(rows, cut)
    whole = statistic_of(rows)
    cells, width = _shape(whole)
    to_cells, to_columns = np.arange(cells)[::-1] + 1, np.arange(width) * 2
    shape = (cells + 2, 2 * width + 1)

    def grown(statistic: Statistic) -> Statistic:
        return statistic.embed(to_cells, to_columns, shape)

    assert grown(whole).take(to_cells, to_columns) == whole, "grown and taken out again, it is not the same"
    check_same(
        grown(statistic_of(first)) + grown(statistic_of(second)), grown(whole), "parts grown, and the whole grown"
    )


def check_row_order_is_irrelevant(learn: Any, rows: R, order: npt.ArrayLike | None = None) -> None:
    """Rows learnt in another order (backwards if none is given) teach the same.

    `learn` is a function of rows, or a classifier to be fitted.

    A function that adds one value to the other does not care for their order; one that takes the first does:

    >>> from likely.checks import table
    >>> rows = table(rows=12, kinds=["real"])
    >>> check_row_order_is_irrelevant(lambda part: np.nansum(np.array(part.columns["real1"], dtype=float)), rows)
    >>> check_row_order_is_irrelevant(lambda part: np.array(part.columns["real1"][0], dtype=float), rows)
    Traceback (most recent call last):
    AssertionError: in another order, and in the first...
    """
    learnt = learner(learn)
    at = np.arange(len(rows))[::-1] if order is None else order
    check_same(learnt(rows.take(at)), learnt(rows), "in another order, and in the first")


def check_weight_two_is_row_twice(learn: Any, rows: R, weights: npt.ArrayLike | None = None) -> None:
    """Rows with whole weights teach what the rows, repeated so often, teach; 1, 2, 0, 1, ... if no weights are given.

    `learn` is a function of rows, or a classifier to be fitted.

    >>> from likely import NaiveBayes
    >>> from likely.checks import table
    >>> rows = table(rows=12, kinds=["real"])
    >>> check_weight_two_is_row_twice(NaiveBayes(kinds=rows.kinds), rows)
    """
    learnt = learner(learn)
    times = np.resize([1, 2, 0], len(rows)) if weights is None else np.asarray(weights, dtype=np.int64)
    repeated = rows.weighed(None).take(np.repeat(np.arange(len(rows)), times))
    check_same(learnt(rows.weighed(times)), learnt(repeated), "rows with weights, and rows repeated", EQUAL_WITHIN)


def learner(learn: Any) -> Callable[[Any], Any]:
    """A classifier as a function of a table: what it is once fitted; a function as it is."""
    if not hasattr(learn, "fit"):
        return learn  # type: ignore[no-any-return]
    from sklearn.base import clone

    return lambda table: clone(learn).fit(table.X, table.y, table.weights)


def _parts(rows: R, cut: int | None) -> tuple[R, R]:
    at = len(rows) // 3 if cut is None else cut
    return rows.take(np.arange(at)), rows.take(np.arange(at, len(rows)))


def _shape(statistic: Statistic) -> tuple[int, int]:
    """How many cells and columns a statistic has; points have those that they are in."""
    if isinstance(statistic, Points):
        return int(statistic.cells.max(initial=-1)) + 1, statistic.values.shape[1]
    shapes = [array.shape for array in statistic.arrays().values()]
    return shapes[0][0], max(shape[1] for shape in shapes if len(shape) > 1)


def _through_npy(array: Array) -> Array:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return np.asarray(np.load(io.BytesIO(file.getvalue()), allow_pickle=False))


def _through_json(array: Array) -> Array:
    return np.array(json.loads(json.dumps(array.tolist())), dtype=array.dtype).reshape(array.shape)
