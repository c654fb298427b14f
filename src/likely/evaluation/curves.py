"""Learning curves: the loss on rows learnt from and on rows held out, as the rows grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from likely.errors import OptionError, nearest
from likely.evaluation.dealing import deal
from likely.evaluation.labelled import Labelled, refuse_model
from likely.evaluation.learning import LearningCurve
from likely.evaluation.reference import forest_log_proba, numbers
from likely.numerics import Array, Floats, log

LOSSES = {"log": "log_loss", "zero-one": "accuracy", "brier": "brier"}
SIZES = 8


def learning_curve(
    model: Any,
    X: Any,
    y: Any,
    sizes: Sequence[int] | None = None,
    folds: Any = 5,
    seed: int = 0,
    loss: str = "log",
    tick: Callable[[], object] | None = None,
    weights: Any = None,
) -> LearningCurve:
    """The loss of copies of the model that learnt from more and more rows, on those rows and on a fold held out.

    `sizes` are numbers of rows, by default eight, each about as many times the one before; the rows of a size are among
    those of the next, and every class has one from the start. `folds` is their number, or (rows,) the fold of each row.
    `tick` is called (sizes + 1) · folds times.

    >>> import likely
    >>> X, y = [[value] for value in [1.0, 2.0, 1.5, 2.5, 5.0, 6.0, 5.5, 6.5]], list("aaaabbbb")
    >>> learning_curve(likely.NaiveBayes(), X, y, sizes=[4, 6], folds=4).held_out.shape
    (2, 4)
    """
    if not isinstance(loss, str) or loss not in LOSSES:
        hint = f"choose one of {', '.join(map(repr, LOSSES))}.{nearest(loss, LOSSES)}"
        raise OptionError("O356", f"unknown loss {loss!r}", place="loss=", hint=hint)
    refuse_model(model)
    rows = Labelled.read(X, y, weights)
    fold = deal(rows.codes, folds, seed)
    if rows.weights is not None:  # a row of weight 0 is not there
        fold, rows = np.unique(fold[rows.weights > 0], return_inverse=True)[1], rows.weighty()
    count = int(fold.max()) + 1
    most = int(len(rows) - np.bincount(fold).max())
    wanted = _sizes(sizes, len(rows.classes), most)
    table, rng = numbers(rows.X), np.random.default_rng(seed)
    training, held_out = np.empty((2, len(wanted), count))
    reference, impossible, unlearnt = np.empty(count), 0, set()
    for part in range(count):
        order, held = _nested(rows.codes, np.flatnonzero(fold != part), rng), np.flatnonzero(fold == part)
        far = rows.take(held)
        known = np.isin(far.codes, rows.codes[order])
        unlearnt.update(far.codes[~known].tolist())
        for at, size in enumerate(wanted):
            near = rows.take(order[:size])
            learnt = near.teach(model)
            said = far.ask(learnt)
            training[at, part], held_out[at, part] = _loss(near, near.ask(learnt), loss), _loss(far, said, loss)
            if tick is not None:
                tick()
        if loss == "log":
            impossible += int(np.isneginf(said[np.arange(len(held)), far.codes])[known].sum())
        reference[part] = _loss(far, forest_log_proba(table, rows, order[:most], held, seed), loss)
        if tick is not None:
            tick()
    shares = np.bincount(rows.codes, rows.weights, minlength=len(rows.classes))
    guess = _loss(rows, np.tile(log(shares / shares.sum()), (len(rows), 1)), loss)
    met = np.isfinite(reference) if np.isfinite(reference).any() else slice(None)  # the folds that leave no class out
    floor = min(float(held_out[:, met].mean(axis=1).min()), float(reference[met].mean()))
    levels = tuple(rows.classes[code] for code in sorted(unlearnt))
    return LearningCurve(np.array(wanted), training, held_out, loss, floor, reference, guess, levels, impossible)


def _loss(rows: Labelled, log_proba: Floats, loss: str) -> float:
    score = rows.scores(log_proba)[LOSSES[loss]]
    return 1.0 - score if loss == "zero-one" else score


def _sizes(sizes: Sequence[int] | None, least: int, most: int) -> list[int]:
    if sizes is None:
        low = min(max(2 * least, 10), most)
        return sorted({round(size) for size in np.geomspace(low, most, SIZES)})
    given = list(sizes) if isinstance(sizes, Iterable) else []
    wanted = sorted({int(size) for size in given if isinstance(size, int | np.integer)})
    whole = all(isinstance(size, int | np.integer) for size in given)
    if not wanted or not whole or wanted[0] < least or wanted[-1] > most:
        hint = f"say numbers of rows from {least}, one for each class, to {most}, what a fold leaves"
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
