"""Where a penalised log loss is least: by Newton's method, also with a lasso, or L-BFGS for many parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from likely.companions.regression.log_loss import CONSTANT_SPREAD, LogLoss
from likely.core.numerics import Floats

MOST_SWEEPS = 10_000  # over all coordinates, to find one lasso step
SUFFICIENT_DECREASE = 1e-4  # of what a step promises: a fall of the loss that will do
MOST_STEP_HALVINGS = 40  # times that a step is halved
LOSS_ROUNDING = 1e-14  # of the loss: a change of it that means nothing
PROMISE_AT_ROUNDING = 1e-9  # of the loss: what a step may still promise where rounding ends the search


@dataclass(frozen=True, eq=False)
class Minimum:
    """at (parameters,): where the loss is least, its loss (penalties and all), steps taken, and why they ended.

    `stopped`: 'converged', 'rounding' (no step lowers the loss any more), 'stuck' (none does, though it is not the
    least: sums of numbers of such sizes lose too many digits) or 'steps'. `bend` (parameters, parameters) of the smooth
    part there; (0, 0) where it was not looked at.
    """

    at: Floats
    loss: float
    steps: int
    stopped: str
    bend: Floats


def newton(loss: LogLoss, max_iter: int, tol: float, start: Floats | None = None) -> tuple[Minimum, Floats]:
    """The least loss, from zero or from a start (parameters,), and (d, loose ends) of the columns.

    Ends where the next step is no longer than `tol` standard errors, and takes that one too; and where a step does not
    lower the loss. It is looked at no more than 1 + max_iter x MOST_STEP_HALVINGS times.
    """
    at = np.zeros(loss.size) if start is None else start
    smooth, slope, bend = loss(at, True)
    ends = loss.loose(bend[: loss.width - 1, : loss.width - 1] / loss.bow)
    null = loss.null(ends)
    direct: Callable[..., Floats] = _lasso(loss, tol) if loss.lasso else _straight(null)
    stopped, steps = "steps", 0
    for steps in range(1, max_iter + 1):  # noqa: B007
        step = direct(bend, slope, at)
        length = float(step @ bend @ step)
        if length <= tol**2 * min(loss.mass, 1.0):  # weights that sum to little make every step look short
            smooth += float(slope @ step) + 0.5 * length
            at, stopped = at + step, "converged"
            break
        before, promised = smooth + loss.absolute(at), _promised(loss, at, step, slope)
        found = _walk(loss, at, step, smooth, promised)
        if found is not None:
            at, smooth, slope, bend = found
        if found is None or not smooth + loss.absolute(at) < before:
            stopped = "rounding" if abs(promised) <= PROMISE_AT_ROUNDING * abs(before) else "stuck"
            break
    if not loss.lasso:
        at = at - null @ (null.T @ at)  # of all that are as good, the smallest
    return Minimum(at, smooth + loss.absolute(at), steps, stopped, bend), ends


def _walk(
    loss: LogLoss, at: Floats, step: Floats, smooth: float, promised: float
) -> tuple[Floats, float, Floats, Floats] | None:
    """Along a step, or half of it, ..., until the loss falls enough; None if it never does.

    `promised`: by how much the loss would change along all of the step, if it went on as here.
    """
    here = smooth + loss.absolute(at)
    size = 1.0
    for _ in range(MOST_STEP_HALVINGS if promised < 0 else 0):  # what leads uphill, or nowhere, came of rounding
        there = at + size * step
        found = loss(there, True)
        if (
            found[0] + loss.absolute(there) <= here + SUFFICIENT_DECREASE * size * promised
            and np.isfinite(found[2]).all()
        ):
            return there, *found
        if abs(size * promised) <= LOSS_ROUNDING * abs(here):
            return None
        size /= 2
    return None


def _promised(loss: LogLoss, at: Floats, step: Floats, slope: Floats) -> float:
    return float(slope @ step) + loss.absolute(at + step) - loss.absolute(at)


def _straight(null: Floats) -> Callable[..., Floats]:
    """Newton's step: to where the loss would be least were it as curved everywhere as it is here."""

    def direct(bend: Floats, slope: Floats, at: Floats) -> Floats:
        step = -solve_positive(bend, slope, null)
        return step - null @ (null.T @ step)

    return direct


def _lasso(loss: LogLoss, tol: float) -> Callable[..., Floats]:
    """The step to where such a loss and the lasso together would be least."""
    from likely.kernels.scoring.log_loss import lasso_step

    def direct(bend: Floats, slope: Floats, at: Floats) -> Floats:
        return np.asarray(
            lasso_step(
                bend, slope, at, loss.lasso * loss.penalised, MOST_SWEEPS, 1e-3 * tol * np.sqrt(min(loss.mass, 1.0))
            )
        )

    return direct


def solve_positive(bend: Floats, right: Floats, null: Floats) -> Floats:
    """x of bend x = right, for a matrix that is positive but for the directions `null` (parameters, directions).

    Those are tied down, so that Cholesky's method will do; where rounding makes it fail, what is left of them is cut.
    """
    sizes = np.sqrt(np.maximum(np.diagonal(bend), 1e-300))
    with np.errstate(over="ignore"):
        tied = np.clip(bend / np.outer(sizes, sizes), -1.0, 1.0)  # what is beyond came of rounding
    if null.shape[1]:
        ends, _ = np.linalg.qr(null * sizes[:, None])
        tied = tied + ends @ ends.T
    scaled = (right.T / sizes).T
    try:
        found = cho_solve(cho_factor(tied), scaled)
    except LinAlgError:
        found = np.linalg.lstsq(tied, scaled, rcond=1e-13)[0]
    return np.asarray((found.T / sizes).T)


def lbfgs(loss: LogLoss, max_iter: int, tol: float) -> tuple[Minimum, Floats]:
    """The least loss by L-BFGS, every parameter in units of its own bend; a lasso's in two parts, both positive."""
    from scipy.optimize import minimize

    sizes = np.sqrt(np.maximum(loss.bow * np.append(loss.spread, loss.mass) + _held(loss), 1e-300))
    flat = np.append(loss.spread <= (CONSTANT_SPREAD * loss.centre) ** 2 * loss.mass, False)
    unit = np.tile(np.where(flat, 1.0, sizes), loss.scores)

    def value(spot: Floats) -> tuple[float, Floats]:
        smooth, slope, _ = loss(spot / unit)
        return smooth, slope / unit

    pull = loss.lasso * loss.penalised / unit

    def split(parts: Floats) -> tuple[float, Floats]:
        plus, minus = parts.reshape(2, -1)
        smooth, slope = value(plus - minus)
        return smooth + float(pull @ (plus + minus)), np.concatenate([slope + pull, pull - slope])

    options = {
        "maxiter": max_iter,
        "maxfun": 4 * max_iter,
        "gtol": 0.1 * tol * np.sqrt(min(loss.mass, 1.0)),
        "ftol": 0.0,
        "maxcor": 10,
        "maxls": 50,
    }
    if loss.lasso:
        found = minimize(
            split,
            np.zeros(2 * loss.size),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, None)] * 2 * loss.size,
            options=options,
        )
        spot = found.x[: loss.size] - found.x[loss.size :]
    else:
        found = minimize(value, np.zeros(loss.size), jac=True, method="L-BFGS-B", options=options)
        spot = found.x
    stopped = "converged" if found.status == 0 else "rounding" if found.status == 2 else "steps"
    least = Minimum(spot / unit, float(found.fun), int(found.nit), stopped, np.zeros((0, 0)))
    return least, np.zeros((loss.width - 1, 0))


def _held(loss: LogLoss) -> Floats:
    return loss.ridge * loss.penalised[: loss.width]
