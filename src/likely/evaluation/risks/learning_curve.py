"""Learning curves: the loss on rows learnt from and on rows held out, as the rows grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.errors import OptionError
from likely.evaluation.folds.fold_assignment import deal
from likely.evaluation.risks.learning_curve_result import LearningCurve
from likely.evaluation.risks.reference import forest, numbers
from likely.evaluation.rows.evaluation_rows import Judged, read_judged, read_loss_of
from likely.evaluation.rows.labelled_rows import Labelled

SIZES = 8


def learning_curve(
    model: Any,
    X: Any,
    y: Any,
    sizes: Sequence[int] | None = None,
    folds: Any = 5,
    seed: int = 0,
    loss: str | None = None,
    tick: Callable[[], object] | None = None,
    weights: Any = None,
) -> LearningCurve:
    """The loss of copies of the model that learnt from more and more rows, on those rows and on a fold held out.

    `loss` is "log" (unless said), "zero-one" or "brier" of a classifier, "squared" or "absolute" of a regressor.
    `sizes` are numbers of rows, by default eight, each about as many times the one before; the rows of a size are among
    those of the next, and every class has one from the start. `folds` is their number, or (rows,) the fold of each row.
    `tick` is called (sizes + 1) · folds times.

    >>> import likely
    >>> X, y = [[value] for value in [1.0, 2.0, 1.5, 2.5, 5.0, 6.0, 5.5, 6.5]], list("aaaabbbb")
    >>> learning_curve(likely.NaiveBayes(), X, y, sizes=[4, 6], folds=4).held_out.shape
    (2, 4)
    """
    rows = read_judged(model, X, y, weights)
    loss = read_loss_of(rows, loss)
    fold = deal(rows.codes, folds, seed)
    if rows.weights is not None:  # a row of weight 0 is not there
        fold, rows = np.unique(fold[rows.weights > 0], return_inverse=True)[1], rows.weighty()
    count = int(fold.max()) + 1
    most = int(len(rows) - np.bincount(fold).max())
    wanted = _sizes(sizes, rows, most)
    table, rng = numbers(rows.X), np.random.default_rng(seed)
    training, held_out = np.empty((2, len(wanted), count))
    reference, impossible, unlearnt = np.empty(count), 0, set[int]()
    for part in range(count):
        order, held = _nested(rows.codes, np.flatnonzero(fold != part), rng), np.flatnonzero(fold == part)
        far = rows.take(held)
        known = np.isin(far.codes, rows.codes[order])
        unlearnt.update(far.codes[~known].tolist())
        for at, size in enumerate(wanted):
            near = rows.take(order[:size])
            learnt = near.teach(model)
            said = far.ask(learnt)
            training[at, part], held_out[at, part] = near.risk(near.ask(learnt), loss), far.risk(said, loss)
            if tick is not None:
                tick()
        if loss == "log":
            impossible += int(np.isneginf(said[np.arange(len(held)), far.codes])[known].sum())
        reference[part] = far.risk(forest(table, rows, order[:most], held, seed), loss)
        if tick is not None:
            tick()
    met = np.isfinite(reference) if np.isfinite(reference).any() else slice(None)  # the folds that leave no class out
    floor = min(float(held_out[:, met].mean(axis=1).min()), float(reference[met].mean()))
    levels = tuple(rows.classes[code] for code in sorted(unlearnt)) if isinstance(rows, Labelled) else ()
    return LearningCurve(
        np.array(wanted), training, held_out, loss, floor, reference, rows.guess(loss), levels, impossible
    )


def _sizes(sizes: Sequence[int] | None, rows: Judged, most: int) -> list[int]:
    least = len(rows.classes) if isinstance(rows, Labelled) else 1
    if sizes is None:
        low = min(max(2 * least, 10), most)
        return sorted({round(size) for size in np.geomspace(low, most, SIZES)})
    given = list(sizes) if isinstance(sizes, Iterable) else []
    wanted = sorted({int(size) for size in given if isinstance(size, int | np.integer)})
    whole = all(isinstance(size, int | np.integer) for size in given)
    if not wanted or not whole or wanted[0] < least or wanted[-1] > most:
        each = ", one for each class," if isinstance(rows, Labelled) else ""
        hint = f"say numbers of rows from {least}{each} to {most}, what a fold leaves"
        raise OptionError("O357", f"sizes cannot be {sizes!r}", place="sizes=", hint=hint)
    return wanted


def _nested(codes: Array, kept: Array, rng: np.random.Generator) -> Array:
    """The kept rows in an order whose every beginning has the classes about as all of them, and one of each first."""
    order = rng.permutation(kept)
    rank = np.empty(len(order))
    for code in np.unique(codes[order]):
        mine = np.flatnonzero(codes[order] == code)
        rank[mine] = (np.arange(len(mine)) + rng.random()) / len(mine)
        rank[mine[0]] -= 1.0  # before all that are not the first of their class
    return np.asarray(order[np.argsort(rank, kind="stable")])
