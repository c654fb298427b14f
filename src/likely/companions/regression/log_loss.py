"""The penalised log loss of rows under linear scores: its value, slopes and bends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.threads import in_threads

LOSS_ROWS_AT_A_TIME = 1 << 14  # rows looked at at a time
LEAST_ROWS_OF_PIECE = 1 << 12  # rows of a piece of work, at least: the sums are the same however many threads there are
LEAST_PRODUCTS_OF_PIECE = 1 << 18  # products of a piece of work, at least
PRODUCTS_WORTH_THREADS = 1 << 25  # products beyond which threads take less time than starting them does
CONSTANT_SPREAD = 1e-13  # of its mean: a spread that is but the rounding of a column that never changes
NULL_SPREAD = 1e-13  # of the largest: a spread of a combination of columns that is none


@dataclass(frozen=True, eq=False)
class LogLoss:
    """Sum of log losses + ridge / 2 |coefficients|² + lasso |coefficients|₁ of rows (rows, d); constants go free.

    Parameters (scores × (d + 1),): of each score its coefficients, then its constant at the average row `centre`. One
    score is the log odds of the second of two classes; else every class has one.
    """

    matrix: Floats
    cells: Array
    weights: Floats | None
    centre: Floats
    classes: int
    ridge: float = 0.0
    lasso: float = 0.0

    @property
    def scores(self) -> int:
        return 1 if self.classes == 2 else self.classes

    @property
    def width(self) -> int:
        """Parameters of one score."""
        return int(self.matrix.shape[1]) + 1

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return self.scores * self.width

    @cached_property
    def mass(self) -> float:
        """The weight of all rows."""
        return float(len(self.matrix) if self.weights is None else self.weights.sum())

    @cached_property
    def penalised(self) -> Floats:
        """(parameters,): one where the penalty counts, zero at the constants."""
        return np.tile(np.append(np.ones(self.width - 1), 0.0), self.scores)

    def __call__(self, at: Floats, bend: bool = False) -> tuple[float, Floats, Floats]:
        """The loss without the lasso, its slopes (parameters,) and, if wanted, its bends (parameters, parameters)."""
        from likely.kernels.scoring.log_loss import log_loss

        spot = at.reshape(self.scores, self.width)

        step = max(LEAST_ROWS_OF_PIECE, LEAST_PRODUCTS_OF_PIECE // self.size)

        def work(start: int) -> tuple[float, Floats, Floats]:
            some = slice(start, start + step)
            weights = None if self.weights is None else self.weights[some]
            return log_loss(self.matrix[some], self.cells[some], weights, self.centre, spot, bend)

        starts = range(0, max(len(self.matrix), 1), step)
        long = len(self.matrix) * self.size * (self.size if bend else 1) > PRODUCTS_WORTH_THREADS
        loss, slopes, bends = _sum(in_threads(work, starts) if long else map(work, starts))
        held = self.ridge * self.penalised
        matrix = self._whole(bends) + np.diag(held) if bend else np.zeros((0, 0))
        return loss + 0.5 * float((held * at**2).sum()), slopes.ravel() + held * at, matrix

    def _whole(self, bends: Floats) -> Floats:
        """(parameters, parameters): the bends between all scores; those of each with all others sum to none."""
        out = bends + np.triu(bends, 1).swapaxes(2, 3)  # of each pair of parameters one was summed
        last = self.scores - 1
        if last:
            for k in range(last):
                out[k + 1 : last, k] = out[k, k + 1 : last]
            out[:last, last] = -out[:last, :last].sum(axis=1)
            out[last, :last] = out[:last, last]
            out[last, last] = -out[:last, last].sum(axis=0)
        return np.ascontiguousarray(out.swapaxes(1, 2)).reshape(self.size, self.size)

    def absolute(self, at: Floats) -> float:
        """The lasso's share."""
        return self.lasso * float(np.abs(at) @ self.penalised) if self.lasso else 0.0

    @cached_property
    def spread(self) -> Floats:
        """(d,): the sums of squares of the columns about the average row."""
        total = np.zeros(self.width - 1)
        for start in range(0, len(self.matrix), LOSS_ROWS_AT_A_TIME):
            away = (self.matrix[start : start + LOSS_ROWS_AT_A_TIME] - self.centre) ** 2
            total += (
                away.sum(axis=0) if self.weights is None else self.weights[start : start + LOSS_ROWS_AT_A_TIME] @ away
            )
        return total

    def gram(self) -> Floats:
        """(d + 1, d + 1): the sums of products of the columns about the average row, and of a one after them."""
        out = np.zeros((self.width, self.width))
        for start in range(0, len(self.matrix), LOSS_ROWS_AT_A_TIME):
            away = self.matrix[start : start + LOSS_ROWS_AT_A_TIME] - self.centre
            rows = np.column_stack([away, np.ones(len(away))])
            out += rows.T @ (
                rows if self.weights is None else rows * self.weights[start : start + LOSS_ROWS_AT_A_TIME, None]
            )
        return out

    @property
    def bow(self) -> float:
        """The bend of the loss in a score of a row of which nothing is known: p (1 - p) at even shares."""
        share = 1.0 / self.classes
        return share * (1.0 - share)

    def loose(self, gram: Floats) -> Floats:
        """(d, loose ends): combinations of the columns that no row shows, for `gram` (d, d) about the average row.

        Columns that never change, and columns that follow from others.
        """
        sizes = np.sqrt(np.maximum(np.diagonal(gram), 0.0))
        flat = sizes <= CONSTANT_SPREAD * np.sqrt(max(self.mass, 1e-300)) * np.abs(self.centre)
        live = np.flatnonzero(~flat)
        values, vectors = np.linalg.eigh(gram[np.ix_(live, live)] / np.outer(sizes[live], sizes[live]))
        gone = values <= NULL_SPREAD * len(gram) * max(float(values.max(initial=0.0)), 1e-300)
        ends = np.zeros((len(gram), int(gone.sum())))
        ends[live] = vectors[:, gone] / sizes[live, None]
        return np.column_stack([np.eye(len(gram))[:, flat], ends])

    def null(self, loose: Floats) -> Floats:
        """(parameters, directions): orthonormal directions along which nothing changes; (d, loose ends) are given.

        All scores may move together where no penalty holds them, and each along the loose ends.
        """
        free = np.flatnonzero(self.penalised[: self.width] * self.ridge == 0)
        ends: list[Floats] = []
        if self.scores > 1:
            ends.append(np.tile(np.eye(self.width)[:, free], (self.scores, 1)))
        if not self.ridge and loose.shape[1]:
            ends.append(np.asarray(np.kron(np.eye(self.scores), np.pad(loose, ((0, 1), (0, 0)))), dtype=np.float64))
        if not ends:
            return np.zeros((self.size, 0))
        all_ends = np.hstack(ends)
        left, sizes, _ = np.linalg.svd(all_ends / np.linalg.norm(all_ends, axis=0), full_matrices=False)
        return np.asarray(left[:, sizes > 1e-9])


def _sum(parts: Iterable[tuple[float, Floats, Floats]]) -> tuple[float, Floats, Floats]:
    """The sums, of parts that are let go of one by one."""
    rest = iter(parts)
    loss, slopes, bends = next(rest)
    for more in rest:
        loss += more[0]
        slopes += more[1]
        bends += more[2]
    return loss, slopes, bends
