"""Parzen windows on the rows themselves: real columns together, their density in each cell a sum of kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from likely.core.numerics import Floats
from likely.core.schema import KERNEL_NAMES, Level, Schema, plain
from likely.errors import OptionError, nearest
from likely.errors.advice import Advice, Option
from likely.errors.options import choose, is_number, number
from likely.families.numeric import numeric_block
from likely.families.predictor import Evidence
from likely.families.windows.predictor import WindowsPredictor
from likely.statistics import Points, Question

BANDWIDTH_RULES = ("silverman", "scott", "cv", "log-loss")
WINDOW_ESTIMATES = ("mle", "bayes")
KERNELS_OF_SCIKIT_LEARN = {"tophat": "box", "linear": "triangular"}  # its names, and ours
MOST_JOINT_COLUMNS = 3  # columns that "auto" describes together
LARGEST_TOLERANCE = 0.1  # the largest tolerance
Bandwidth = str | float | tuple[float, ...] | tuple[tuple[Level, float], ...]


@dataclass(frozen=True)
class Windows:
    """Kernels K(u) = c k(|u|), u = (x - row) / bandwidth in each column, laid on the rows of each cell.

    Up to three columns have one joint density (`joint` says otherwise), more of them one each. A number is the
    bandwidth of all columns, a mapping gives each class its own, a sequence each column; all in the columns' units.
    `silverman`: sd (4 / ((d + 2) n))^(1 / (d + 4)), `scott`: sd n^(-1 / (d + 4)), in each cell and column, of d columns
    together (sd divides by n - 1); both are meant for the Gaussian, and the other kernels get its deviation. `cv`:
    Silverman's times the factor, in each cell, under which the others make each row likeliest; `log-loss`: times the
    factor under which they tell its class best. `shared`: one set of bandwidths for all cells, from the spread within
    them. A cell without spread takes that within all cells, then that of all rows. A column without any says nothing.

    Missing values are summed out: rows that have a column missing which is asked for do not count.

    `mle` and `map`: the kernels alone, and zero where none reaches; a cell without rows borrows all rows. `bayes`:
    (n p + s p0) / (n + s), p0 a Student-t of three degrees with the means and deviations of all rows, so that no value
    is impossible. `estimate` is that of the windows, where it is not that of the columns beside them.

    Leaving one out takes the row out of kernels, bandwidths and base alike; what `cv` and `log-loss` found stays.

    tolerance is the largest relative error of a density; 0 sums every kernel.

    >>> Windows("box", 0.5)
    Windows(kernel='box', bandwidth=0.5, shared=False, joint='auto', tolerance=1e-06, estimate=None)
    """

    kernel: str = "gaussian"
    bandwidth: Bandwidth = "silverman"
    shared: bool = False
    joint: bool | str = "auto"
    tolerance: float = 1e-6
    estimate: str | None = None

    kinds: ClassVar[tuple[str, ...]] = ("real",)
    together: ClassVar[bool] = True

    def __post_init__(self) -> None:
        same = KERNELS_OF_SCIKIT_LEARN.get(self.kernel) if isinstance(self.kernel, str) else None
        also = f" (scikit-learn's {self.kernel!r} is {same!r})" if same else ""
        choose(self.kernel, KERNEL_NAMES, "kernel", "O411", also=also)
        _refuse_bandwidth(self.bandwidth)
        if self.estimate is not None:
            choose(self.estimate, WINDOW_ESTIMATES, "estimate", "O418")
        if not (isinstance(self.joint, bool) or (isinstance(self.joint, str) and self.joint == "auto")):
            hint = "say True, False or 'auto' (up to three columns together)"
            raise OptionError("O415", f"joint cannot be {self.joint!r}", place="joint=", hint=hint)
        if not isinstance(self.shared, bool):
            hint = "say True for one set of bandwidths, or False for one in each class"
            raise OptionError("O417", f"shared cannot be {self.shared!r}", place="shared=", hint=hint)
        hint = f"say the largest relative error of a density, as 1e-6, up to {LARGEST_TOLERANCE:g}; 0 sums every kernel"
        number(self.tolerance, "tolerance", "O416", most=LARGEST_TOLERANCE, hint=hint)

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        return (Question("points", tuple(columns)),)

    def predictor(self, evidence: Evidence) -> WindowsPredictor:
        schema, columns = evidence.schema, evidence.columns
        if self.joint is True and len(columns) > MOST_JOINT_COLUMNS:
            raise OptionError(
                "O419",
                f"{len(columns)} columns are too many for a joint density",
                place="joint=True",
                hint=Advice(f"name at most {MOST_JOINT_COLUMNS} columns, or say ", Option("joint", "auto")),
            )
        together = self.joint is True or (self.joint == "auto" and len(columns) <= MOST_JOINT_COLUMNS)
        return WindowsPredictor(
            evidence.answer(Points),
            evidence.rows,
            numeric_block(schema, columns),
            (tuple(range(len(columns))),) if together else tuple((place,) for place in range(len(columns))),
            self.bandwidth if isinstance(self.bandwidth, str) else self._given(schema, columns),
            self.kernel,
            self.shared,
            self.tolerance,
            evidence.setting if self.estimate is None else replace(evidence.setting, estimate=self.estimate),
        )

    def _given(self, schema: Schema, columns: Sequence[int]) -> Floats:
        """(classes, columns): the bandwidths that the user gave."""
        shape = len(schema.classes), len(columns)
        if not isinstance(self.bandwidth, tuple):
            return np.full(shape, self.bandwidth)
        if not isinstance(self.bandwidth[0], tuple):
            if len(self.bandwidth) != len(columns):
                names = ", ".join(repr(schema.columns[at].name) for at in columns)
                raise OptionError(
                    "O414",
                    f"{len(self.bandwidth)} bandwidths for {len(columns)} columns",
                    place="bandwidth=",
                    hint=f"say one for each of {names}",
                )
            return np.broadcast_to(np.array(self.bandwidth, dtype=np.float64), shape)
        given = dict(self.bandwidth)
        for level in schema.classes:  # others may be named too: those that rows yet to come have, or rows forgotten had
            if level not in given:
                spare = [name for name in given if name not in schema.classes]
                hint = f"say one for each class, or one number for all.{nearest(level, spare)}"
                raise OptionError("O413", f"class {level!r} has no bandwidth", place="bandwidth=", hint=hint)
        widths = np.array([given[level] for level in schema.classes], dtype=np.float64)
        return np.broadcast_to(widths[:, None], shape)  # of no class at all, too


def read(kernel: Any, bandwidth: Any, shared: Any, joint: Any, tolerance: Any, estimate: Any = None) -> Windows:
    """The density of these options, checked.

    >>> read("box", {"a": 1, "b": 2}, False, "auto", 0).bandwidth
    (('a', 1.0), ('b', 2.0))
    """
    if isinstance(bandwidth, Mapping):
        bandwidth = tuple((plain(level), _number(width)) for level, width in bandwidth.items())
    elif isinstance(bandwidth, list | tuple | np.ndarray) and np.ndim(bandwidth) == 1:
        bandwidth = tuple(_number(width) for width in bandwidth)
    shared, joint = (bool(said) if isinstance(said, np.bool) else said for said in (shared, joint))
    return Windows(kernel, _number(bandwidth), shared, joint, _number(tolerance), estimate)


def _number(value: Any) -> Any:
    """A number as JSON has it; anything else as it is, to be refused."""
    return float(value) if is_number(value) else value


def _refuse_bandwidth(bandwidth: Bandwidth) -> None:
    """An error if a bandwidth is an unknown word, or one of its numbers is not positive."""
    hint = f"choose a positive number, one for each class or column, or one of {', '.join(BANDWIDTH_RULES)}."
    if isinstance(bandwidth, str):
        if bandwidth not in BANDWIDTH_RULES:
            hint += nearest(bandwidth, BANDWIDTH_RULES)
            raise OptionError("O412", f"unknown bandwidth {bandwidth!r}", place="bandwidth=", hint=hint)
        return
    given = bandwidth if isinstance(bandwidth, tuple) else (bandwidth,)
    widths = [one[1] if isinstance(one, tuple) and len(one) == 2 else one for one in given]
    for width in widths:
        if not (is_number(width) and width > 0):
            message = f"bandwidth {width!r} is not a positive number"
            raise OptionError("O412", message, place="bandwidth=", hint=hint)
    if not widths or len({isinstance(one, tuple) for one in given}) > 1:
        raise OptionError("O412", f"bandwidth cannot be {bandwidth!r}", place="bandwidth=", hint=hint)
