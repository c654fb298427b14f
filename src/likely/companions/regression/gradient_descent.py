"""Gradient descent, as the textbook has it, with the path it took."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import linalg

from likely.core.numerics import Array, Floats
from likely.errors import outside
from likely.output.draw import draw
from likely.output.frames import FrameResult
from likely.output.phrases import plural

MOST_PATH_POINTS = 2000  # points of a path that are kept: of a longer one every second, every fourth, ...
DIVERGED_LOSS_RATIO = 1000.0  # times the first loss: a loss that has grown so much will not come back
LOSS_GRID_POINTS = 61  # points along each side of the picture of a loss

Loss = Callable[[Floats], tuple[float, Floats]]  # the loss at parameters (p,), and its gradient (p,)


@dataclass(frozen=True, eq=False)
class Path(FrameResult):
    """parameters (points, p), losses (points,) and steps (points,): where gradient descent was after how many steps.

    `stopped` says why it ended: 'converged', 'diverged' or 'steps', of which it had taken as many as it was allowed.
    `stable` is the largest rate that could not diverge, where that is known, else NaN. `chart`, where it was drawn up,
    is the loss over the plane of two parameters, the second of them running up the rows, and `corners` (2, 2) are its
    lower left and upper right.
    """

    parameters: Floats
    losses: Floats
    steps: Array
    learning_rate: float
    stopped: str
    names: tuple[str, ...] = ()
    stable: float = float("nan")
    corners: Floats | None = None
    chart: Floats | None = None

    def _page(self) -> Any:
        """A row for each point: the step, the loss and the parameters."""
        names = self.names or [f"p{at}" for at in range(self.parameters.shape[1])]
        points = zip(self.steps.tolist(), self.losses.tolist(), self.parameters.tolist(), strict=True)
        return [{"step": step, "loss": loss} | dict(zip(names, at, strict=True)) for step, loss, at in points]

    @property
    def taken(self) -> int:
        """How many steps were taken."""
        return int(self.steps[-1])

    def sound(self, many: int) -> bool:
        """Whether it is a path of so many parameters: a file may hold anything."""
        points = len(self.losses)
        shapes = (self.parameters.shape, self.losses.shape, self.steps.shape)
        return points > 0 and shapes == ((points, many), (points,), (points,))

    @property
    def words(self) -> str:
        """What happened, and what to do about it."""
        end, loss = plural(self.taken, "step"), f"loss {self.losses[-1]:.6g}"
        if self.stopped == "converged":
            return f"converged after {end} of rate {self.learning_rate:.4g}: {loss}"
        if self.stopped == "diverged":
            told = f"diverged: in {end} of rate {self.learning_rate:.4g} the loss grew from {self.losses[0]:.4g} to "
            return f"{told}{self.losses[-1]:.4g}; lower learning_rate{self._below}"
        return (
            f"not converged after {end} of rate {self.learning_rate:.4g}: {loss}; raise max_iter, or bring the columns "
            f"to one scale, or try another learning_rate{self._below}"
        )

    @property
    def _below(self) -> str:
        return f": it must be below {self.stable:.4g} here" if np.isfinite(self.stable) else ""

    def warn(self) -> None:
        """A warning, scikit-learn's for such things, if it did not converge."""
        if self.stopped != "converged":
            from sklearn.exceptions import ConvergenceWarning

            warnings.warn(f"gradient descent {self.words}", ConvergenceWarning, stacklevel=outside())

    def charted(self, loss: Loss) -> Path:
        """The path with the chart of the loss around it; of other than two parameters, the path as it is."""
        if self.parameters.shape[1] != 2:
            return self
        known = self.parameters[np.isfinite(self.losses) & (self.losses <= 4 * self.losses[0])]
        low, high = known.min(axis=0), known.max(axis=0)
        room = np.where(high > low, high - low, 1.0)
        low, high = low - 0.25 * room, high + 0.25 * room
        across, up = (np.linspace(low[at], high[at], LOSS_GRID_POINTS) for at in range(2))
        chart = np.array([[loss(np.array([x, y]))[0] for x in across] for y in up])
        return replace(self, corners=np.array([low, high]), chart=chart)

    def plot(self, **options: Any) -> Any:
        """A matplotlib figure: the loss against the steps and, of two parameters, the way over the loss's contours."""
        return draw("descent", self, **options)

    def __repr__(self) -> str:
        some = range(len(self.losses)) if len(self.losses) <= 6 else [0, 1, 2, -3, -2, -1]
        lines = [f"Path: {self.words}"]
        for before, at in pairwise([0, *some]):
            if at < 0 <= before:
                lines.append("     ...")
            spot = ", ".join(f"{value:.6g}" for value in self.parameters[at][:6])
            more = ", ..." if self.parameters.shape[1] > 6 else ""
            lines.append(f"{self.steps[at]:8,}  loss {self.losses[at]:<12.6g}  at ({spot}{more})")
        return "\n".join(lines)


def descend(
    loss: Loss,
    start: Floats,
    learning_rate: float,
    max_iter: int,
    tol: float,
    names: Sequence[str] = (),
    stable: float = float("nan"),
) -> Path:
    """The path of parameters -= learning_rate * gradient, until the gradient is below `tol` of the first one.

    >>> path = descend(lambda at: (float(at @ at), 2 * at), np.array([1.0]), 0.25, 100, 1e-6)
    >>> path.stopped, path.taken, path.parameters[:4, 0].tolist()
    ('converged', 20, [1.0, 0.5, 0.25, 0.125])
    """
    spot = np.array(start, dtype=np.float64)
    value, slope = loss(spot)
    first, flat = value, tol * _length(slope)
    kept, stride, step, stopped = [(spot, value, 0)], 1, 0, "steps"
    while True:
        if not np.isfinite(value) or value - first > DIVERGED_LOSS_RATIO * abs(first):
            stopped = "diverged"
            break
        if _length(slope) <= flat:
            stopped = "converged"
            break
        if step == max_iter:
            break
        with np.errstate(over="ignore", invalid="ignore"):
            spot = spot - learning_rate * slope
            value, slope = loss(spot)
        step += 1
        if step % stride == 0:
            kept.append((spot, value, step))
            if len(kept) > MOST_PATH_POINTS:
                kept, stride = kept[::2], 2 * stride
    if kept[-1][2] != step:
        kept.append((spot, value, step))
    spots, losses, steps = zip(*kept, strict=True)
    return Path(
        np.array(spots), np.array(losses), np.array(steps), float(learning_rate), stopped, tuple(names), float(stable)
    )


def _length(slope: Floats) -> float:
    """Of a gradient, whose squares need not be numbers."""
    return float(linalg.norm(slope, check_finite=False))
