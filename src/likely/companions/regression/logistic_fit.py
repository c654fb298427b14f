"""Logistic regression from rows: the penalised likelihood at its highest, and what a person should know of it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from likely.companions.regression.design import Design
from likely.companions.regression.gradient_descent import Path, descend
from likely.companions.regression.log_loss import LogLoss
from likely.companions.regression.logistic import Logistic
from likely.companions.regression.minimisation import Minimum, lbfgs, newton, solve_positive
from likely.companions.regression.options import LogisticOptions, read_options
from likely.companions.regression.separation import may_diverge, separation
from likely.core.block import Block
from likely.core.numerics import Floats
from likely.core.schema import Schema
from likely.core.unusable_rows import too_heavy
from likely.errors import SeparationWarning, SingularWarning, listed, outside
from likely.errors.advice import Advice, Option
from likely.output.phrases import plural

SOLVERS = ("auto", "newton", "lbfgs", "descent")
# Rows from which on, and columns up to which, a few rows tell where to begin
SUBSAMPLED_ROWS, SUBSAMPLED_COLUMNS = 20_000, 64
SUBSAMPLE_STEPS, SUBSAMPLE_TOLERANCE = 8, 0.1  # steps to there, and the standard errors that it may be off
NEWTON_PARAMETERS = 256  # parameters up to which Newton's method is the faster one
MOST_HESSIAN_PRODUCTS = 2e9  # products beyond which the bends of the loss take as long as all else
MOST_PARAMETERS_INVERTED = 1 << 9  # parameters beyond which inverting them does
LOSS_GRID_ROWS = 2000  # rows, about, from which the loss around a path is drawn


def learn_logistic(schema: Schema, block: Block, rows: Floats, options: LogisticOptions) -> Logistic:
    """The model of rows, the weights (classes,) of whose classes are `rows`."""
    options = read_options(options, SOLVERS)
    design = Design.of(schema, block, options.coding, options.missing)
    classes = len(schema.classes)
    if classes < 2:
        return _certain(schema, rows, design, options)
    matrix = np.ascontiguousarray(design.matrix(block), dtype=np.float64)
    assert block.cells is not None, "rows that teach have a class"
    loss = LogLoss(
        matrix,
        np.ascontiguousarray(block.cells, dtype=np.int32),
        block.weights,
        design.means,
        classes,
        options.strength if options.penalty == "l2" else 0.0,
        options.strength if options.penalty == "l1" else 0.0,
    )
    _refuse_overflow(loss, design.names)
    method = options.method if options.method != "auto" else "newton" if loss.size <= NEWTON_PARAMETERS else "lbfgs"
    least, ends, path = _minimised(loss, design, method, options)
    told = [*_loose(loss, ends, design.names), *_separated(loss, least, method, design.names, schema.classes)]
    told += _slow(least, method, path)
    spot = least.at.reshape(loss.scores, loss.width)
    coefficients, constants = spot[:, :-1], spot[:, -1]
    if loss.scores > 1:  # the scores may all move together: let the intercepts sum to nothing, as the coefficients do
        constants = constants - (constants - coefficients @ design.means).mean()
    return Logistic(
        schema,
        rows,
        design,
        np.ascontiguousarray(coefficients),
        np.ascontiguousarray(constants),
        _covariance(loss, least, ends),
        replace(options, method=method),
        least.loss,
        least.steps,
        least.stopped,
        np.zeros(classes),
        tuple(told),
        path,
    )


def _refuse_overflow(loss: LogLoss, names: Sequence[str]) -> None:
    """An error where the weights, times the squares of the numbers, do not sum to a number."""
    with np.errstate(over="ignore", invalid="ignore"):
        heaviest = 1.0 if loss.weights is None else loss.weights.max(initial=1.0)
        if np.isfinite(loss.mass) and np.isfinite(np.vdot(loss.matrix, loss.matrix) * heaviest):  # as usual: one look
            return
        square = loss.spread + loss.mass * loss.centre**2
    if np.isfinite(loss.mass) and np.isfinite(square).all():
        return
    raise too_heavy(
        f"column {names[int(np.isfinite(square).argmin())]!r}" if np.isfinite(loss.mass) else "sample_weight"
    )


def _certain(schema: Schema, rows: Floats, design: Design, options: LogisticOptions) -> Logistic:
    """The model of one class: it is certain, and no column matters."""
    none, size = np.zeros((1, design.width)), design.width + 1
    sure = np.zeros((size, size))
    return Logistic(schema, rows, design, none, np.zeros(1), sure, options, 0.0, 0, "converged", np.zeros(1))


def _minimised(
    loss: LogLoss, design: Design, method: str, options: LogisticOptions
) -> tuple[Minimum, Floats, Path | None]:
    if method == "descent":
        path = _descended(loss, design.names, options)
        at = _centred(loss, path.parameters[-1])
        smooth, _, _ = loss(at)
        return Minimum(at, smooth, path.taken, path.stopped, np.zeros((0, 0))), np.zeros((design.width, 0)), path
    if method == "newton":
        return *newton(loss, options.max_iter, options.tol, _start(loss)), None
    return *lbfgs(loss, options.max_iter, options.tol), None


def _start(loss: LogLoss) -> Floats | None:
    """(parameters,): where the loss of a few rows is least, if there are many and it is so somewhere; else None."""
    if len(loss.matrix) < SUBSAMPLED_ROWS or loss.lasso or loss.width > SUBSAMPLED_COLUMNS:
        return None
    found, ends = newton(_sketch(loss), SUBSAMPLE_STEPS, SUBSAMPLE_TOLERANCE)
    return found.at if found.stopped == "converged" and not ends.shape[1] else None


def _descended(loss: LogLoss, names: Sequence[str], options: LogisticOptions) -> Path:
    """The path of gradient descent on the mean loss, over the plain columns; of each score its intercept is first."""
    back = _back(loss)
    steepest = (0.25 if loss.scores == 1 else 0.5) * float(np.linalg.eigvalsh(back.T @ loss.gram() @ back)[-1])
    stable = 2.0 * loss.mass / max(steepest + loss.ridge, 1e-300)

    def mean(at: Floats, loss: LogLoss = loss) -> tuple[float, Floats]:
        smooth, slope, _ = loss(_centred(loss, at))
        return smooth / loss.mass, (slope.reshape(loss.scores, -1) @ back).ravel() / loss.mass

    rate = stable / 2 if options.learning_rate is None else float(options.learning_rate)
    said = [*("intercept", *names)] * loss.scores
    path = descend(mean, np.zeros(loss.size), rate, options.max_iter, options.tol, said, stable)
    return path.charted(partial(mean, loss=_sketch(loss)))


def _sketch(loss: LogLoss) -> LogLoss:
    """The loss by some rows of each class, evenly taken, of the weight of all of it: enough for a chart."""
    if len(loss.matrix) <= LOSS_GRID_ROWS:
        return loss
    mass = np.ones(len(loss.matrix)) if loss.weights is None else loss.weights
    at, weights = [], []
    for cell in range(loss.classes):
        own = np.flatnonzero(loss.cells == cell)
        some = own[:: -(-len(own) * loss.classes // LOSS_GRID_ROWS)]
        at.append(some)
        weights.append(mass[some] * (mass[own].sum() / mass[some].sum()))
    rows = np.concatenate(at)
    return replace(loss, matrix=loss.matrix[rows], cells=loss.cells[rows], weights=np.concatenate(weights))


def _back(loss: LogLoss) -> Floats:
    """(d + 1, d + 1): from (intercept, coefficients) to (coefficients, constant at the average row)."""
    out = np.zeros((loss.width, loss.width))
    out[:-1, 1:] = np.eye(loss.width - 1)
    out[-1] = np.append(1.0, loss.centre)
    return out


def _centred(loss: LogLoss, at: Floats) -> Floats:
    return (at.reshape(loss.scores, loss.width) @ _back(loss).T).ravel()


def _covariance(loss: LogLoss, least: Minimum, ends: Floats) -> Floats:
    """(parameters, parameters): the inverse of the bends; of a lasso, among those that it left."""
    bend = least.bend
    if not bend.size:
        if loss.size > MOST_PARAMETERS_INVERTED or float(len(loss.matrix)) * loss.size**2 > MOST_HESSIAN_PRODUCTS:
            return bend
        _, _, bend = loss(least.at, True)
        ends = loss.loose(bend[: loss.width - 1, : loss.width - 1]) if not loss.lasso else ends
    null = loss.null(ends)
    if loss.lasso:
        left = np.flatnonzero((least.at != 0) | (loss.penalised == 0))
        out = np.zeros_like(bend)
        out[np.ix_(left, left)] = np.linalg.pinv(bend[np.ix_(left, left)], rcond=1e-12, hermitian=True)
        return out
    found = solve_positive(bend, np.eye(loss.size), null)
    found -= null @ (null.T @ found)
    found -= (found @ null) @ null.T
    return np.asarray(found + found.T) / 2


def _loose(loss: LogLoss, ends: Floats, names: Sequence[str]) -> list[str]:
    """What is said, and warned of, where columns follow from each other; those that never change are no news."""
    told: list[str] = []
    if loss.ridge or loss.lasso:
        return told
    for end in ends.T:
        touched = np.flatnonzero(np.abs(end) > 1e-8 * np.abs(end).max()).tolist()
        if len(touched) > 1:
            told.append(
                f"{listed([names[j] for j in touched], 8)} follow from each other: of the coefficients that fit equally"
                " well the smallest are given; penalty='l2' makes them definite"
            )
    if told:
        warnings.warn("\n".join(told), SingularWarning, stacklevel=outside())
    return told


def _separated(
    loss: LogLoss, least: Minimum, method: str, names: Sequence[str], classes: Sequence[object]
) -> list[str]:
    """What is said, and warned of, where classes are separated: only without a penalty can coefficients run away."""
    if loss.ridge or loss.lasso or not (method == "descent" or may_diverge(loss, least.at)):
        return []
    found = separation(loss, least.at, names, classes)
    if found is None:
        return []
    text = Advice(f"{found.words}; ", Option("penalty", "l2"), " keeps them finite")
    warnings.warn(text, SeparationWarning, stacklevel=outside())
    return [text]


def _slow(least: Minimum, method: str, path: Path | None) -> list[str]:
    """What is said, and warned of, where the search for the best ended before it was there."""
    if path is not None:
        path.warn()
    if path is not None or least.stopped not in ("steps", "stuck"):
        return []
    from sklearn.exceptions import ConvergenceWarning

    advice = "raise max_iter"
    if least.stopped == "stuck":
        advice = "no step lowers the loss any more, for rounding: bring columns and weights to one scale"
    text = f"not converged after {plural(least.steps, 'step')} of {method}; {advice}"
    warnings.warn(text, ConvergenceWarning, stacklevel=outside())
    return [text]
