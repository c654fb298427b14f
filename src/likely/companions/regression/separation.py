"""Whether a linear score tells classes apart without fail, so that no finite coefficients are the likeliest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.companions.regression.log_loss import CONSTANT_SPREAD, LOSS_ROWS_AT_A_TIME, LogLoss
from likely.core.numerics import Array, Floats
from likely.errors import listed

SEPARATION_ROUNDS = 60  # of looking for rows that a direction gets wrong
ROWS_ADDED_A_ROUND = 400  # rows a round
MOST_PIVOTS = 30_000  # of all linear programmes about one direction: what is not found by then is left unsaid
LEAST_MARGIN = 1e-7  # of a standard deviation: a margin that is one
SUSPECT_LOG_ODDS = 12.0  # log odds of some row: what is less is no sign of coefficients that run away


@dataclass(frozen=True)
class Separation:
    """The columns that separate the classes, completely or but for ties; None where that took too long to tell.

    `alone`: (design column, class) where one column tells a class from all others; `columns`: else those that do it
    together.
    """

    complete: bool | None
    alone: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]

    @property
    def words(self) -> str:
        """What was found."""
        ties = "separated" if self.complete is None else "separated but for ties (quasi-completely)"
        how = "completely separated" if self.complete else ties
        if self.alone:
            by = "; ".join(f"{column!r} alone tells {level!r} from the rest" for column, level in self.alone[:4])
        else:
            by = f"by {listed(self.columns, 8)} together"
        return f"the classes are {how}, {by}: coefficients would grow for ever, and those of the last step are given"


def separation(loss: LogLoss, at: Floats, names: Sequence[str], classes: Sequence[object]) -> Separation | None:
    """What separates the classes, if something does; `at` (parameters,) is where the search for the best ended."""
    scaled = _Scaled.of(loss)
    start = at.reshape(loss.scores, loss.width) * np.append(scaled.sizes, 1.0)
    complete, decided = scaled.direction(start, even=True)
    found = complete if complete is not None else scaled.direction(start, even=False)[0]
    if found is None:
        return None
    moving = np.abs(found[:, :-1]).max(axis=0)
    together = tuple(names[j] for j in np.flatnonzero(moving > 1e-6 * np.abs(found).max()).tolist())
    return Separation(
        True if complete is not None else False if decided else None, _alone(loss, names, classes), together
    )


def may_diverge(loss: LogLoss, at: Floats) -> bool:
    """Whether some row is judged with such certainty that the coefficients may be on their way to infinity."""
    spot = at.reshape(loss.scores, loss.width)
    scores = loss.matrix @ spot[:, :-1].T + (spot[:, -1] - spot[:, :-1] @ loss.centre)
    return bool(
        np.ptp(scores, axis=1).max() > SUSPECT_LOG_ODDS if loss.scores > 1 else np.abs(scores).max() > SUSPECT_LOG_ODDS
    )


def _alone(loss: LogLoss, names: Sequence[str], classes: Sequence[object]) -> tuple[tuple[str, str], ...]:
    """(design column, class) wherever all values of a class are at or beyond those of all other classes."""
    lows, highs = _ends(loss)
    found: list[tuple[str, str]] = []
    for k in range(loss.classes - 1, 0 if loss.classes == 2 else -1, -1):
        rest = np.arange(loss.classes) != k
        low, high = lows[rest].min(axis=0), highs[rest].max(axis=0)
        apart = ((lows[k] >= high) | (highs[k] <= low)) & (np.minimum(low, lows[k]) < np.maximum(high, highs[k]))
        found.extend((names[j], str(classes[k])) for j in np.flatnonzero(apart).tolist())
    return tuple(found)


def _ends(loss: LogLoss) -> tuple[Floats, Floats]:
    """(classes, d) of both: the lowest and the highest value of each column in each class."""
    lows = np.full((loss.classes, loss.width - 1), np.inf)
    highs = -lows
    for start in range(0, len(loss.matrix), LOSS_ROWS_AT_A_TIME):
        cells = loss.cells[start : start + LOSS_ROWS_AT_A_TIME]
        order = np.argsort(cells, kind="stable")
        rows = loss.matrix[start : start + LOSS_ROWS_AT_A_TIME][order]
        here, first = np.unique(cells[order], return_index=True)
        lows[here] = np.minimum(lows[here], np.minimum.reduceat(rows, first))
        highs[here] = np.maximum(highs[here], np.maximum.reduceat(rows, first))
    return lows, highs


@dataclass(frozen=True, eq=False)
class _Scaled:
    """Rows with every column about its mean, in standard deviations, and a one at the end.

    `sizes` (d,): the standard deviations; zero of columns that never change.
    """

    loss: LogLoss
    sizes: Floats

    @classmethod
    def of(cls, loss: LogLoss) -> _Scaled:
        sizes = np.sqrt(loss.spread / loss.mass)
        return cls(loss, np.where(sizes > CONSTANT_SPREAD * np.abs(loss.centre), sizes, 0.0))

    def rows(self, at: Array | slice) -> Floats:
        away = self.loss.matrix[at] - self.loss.centre
        away = np.divide(away, self.sizes, out=np.zeros_like(away), where=self.sizes > 0)
        return np.column_stack([away, np.ones(len(away))])

    def margins(self, spot: Floats) -> tuple[Floats, Array]:
        """(rows,) of both: by how much the score of a row's own class is above the highest other, and which that is."""
        loss, out = self.loss, np.empty(len(self.loss.matrix))
        rival = np.asarray(1 - loss.cells if loss.scores == 1 else np.empty_like(loss.cells))
        for start in range(0, len(out), LOSS_ROWS_AT_A_TIME):
            some = slice(start, start + LOSS_ROWS_AT_A_TIME)
            scores, own = self.rows(some) @ spot.T, loss.cells[some]
            if loss.scores == 1:
                out[some] = np.where(own == 1, scores[:, 0], -scores[:, 0])
                continue
            places = np.arange(len(own))
            mine = scores[places, own]
            scores[places, own] = -np.inf
            rival[some] = scores.argmax(axis=1)
            out[some] = mine - scores[places, rival[some]]
        return out, rival

    def walls(self, pairs: Array) -> Any:
        """(pairs, parameters): a direction separates a row from a class where its product with their wall is positive.

        Pairs of them are row × classes + class. Sparse: a wall has to do with two classes, the row's and the other.
        """
        from scipy.sparse import csr_array

        loss, (at, other) = self.loss, np.divmod(pairs, self.loss.classes)
        z, own = self.rows(at), loss.cells[at]
        if loss.scores == 1:
            return csr_array(np.where(own == 1, 1.0, -1.0)[:, None] * z)
        first = loss.width * np.column_stack([own, other])  # where the parameters of both classes begin
        places = (first[:, :, None] + np.arange(loss.width)).ravel()
        ends = np.arange(0, len(places) + 1, 2 * loss.width)
        return csr_array((np.hstack([z, -z]).ravel(), places, ends), shape=(len(pairs), loss.size))

    def direction(self, start: Floats, even: bool) -> tuple[Floats | None, bool]:
        """(scores, d + 1): along which no row gets worse and, if `even`, every row better, else some; None if none is.

        And whether that is sure: where many classes make the search too long, `start` itself is asked instead.

        A linear programme over a few rows, to which those that its answer gets wrong are added until none is left; each
        beside the class that it is taken for.
        """
        chosen, limit = self.worst(*self.margins(start), np.inf), LEAST_MARGIN / 2 if even else -LEAST_MARGIN
        aim, left = self.aim(), MOST_PIVOTS
        for _ in range(SEPARATION_ROUNDS):
            found, gain, pivots = _best(self.walls(chosen), aim, even, left)
            left -= pivots
            if left <= 0:
                return self.itself(start) if even else None, False
            if gain <= LEAST_MARGIN:
                return None, True
            spot = found.reshape(start.shape)
            worst = self.worst(*self.margins(spot), limit)
            if not len(worst):
                return spot, True
            if not len(np.setdiff1d(worst, chosen)):
                return None, True  # rounding: the programme thinks them right
            chosen = np.union1d(chosen, worst)
        return None, False

    def itself(self, start: Floats) -> Floats | None:
        """(scores, d + 1): the start within the unit cube, if every row is better along it."""
        spot = start / max(float(np.abs(start).max()), 1e-300)
        return spot if self.margins(spot)[0].min() > LEAST_MARGIN / 2 else None

    def worst(self, margins: Floats, rival: Array, limit: float) -> Array:
        """(pairs,): rows of the least margins, below a limit, and their rivals."""
        rows = np.argsort(margins, kind="stable")[:ROWS_ADDED_A_ROUND]
        rows = rows[margins[rows] < limit]
        return rows * self.loss.classes + rival[rows]

    def aim(self) -> Floats:
        """(parameters,): the mean of all walls: a class has one of each of its rows for every other class."""
        loss = self.loss
        sums = np.zeros((loss.classes, loss.width))
        for start in range(0, len(loss.matrix), LOSS_ROWS_AT_A_TIME):
            some = slice(start, start + LOSS_ROWS_AT_A_TIME)
            sums += np.eye(loss.classes)[loss.cells[some]].T @ self.rows(some)
        total = sums[1] - sums[0] if loss.scores == 1 else loss.classes * sums - sums.sum(axis=0)
        return np.asarray(total.ravel() / len(loss.matrix))


def _best(walls: Any, aim: Floats, even: bool, most: int) -> tuple[Floats, float, int]:
    """The direction within the unit cube that keeps to the walls and goes furthest, how far, and after how many pivots.

    After the `most` pivots that it may take, or where the solver fails, it goes nowhere and has no pivots left.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack

    count = walls.shape[0]
    room = hstack([-walls, csr_array(np.full((count, 1), 1.0 if even else 0.0))], format="csr")
    goal = np.append(np.zeros(len(aim)), -1.0) if even else np.append(-aim, 0.0)
    bounds = [(-1.0, 1.0)] * len(aim) + [(0.0, 1.0)]
    options = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9, "maxiter": most}
    found = linprog(goal, A_ub=room, b_ub=np.zeros(count), bounds=bounds, method="highs", options=options)
    if found.status != 0:  # the origin is within all walls: there is a best direction, which was not found
        return np.zeros(len(aim)), 0.0, most
    return found.x[:-1], -float(found.fun), int(found.nit)
