"""What judging a model costs, fold by fold: seconds to learn, seconds to answer, memory taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeVar

import numpy as np

from likely.evaluation.folds.peak_memory import peak_memory

T = TypeVar("T")


@dataclass
class Costs:
    """Of each fit and of each answer the seconds, of each fold the bytes that it took at the most.

    Medians are told: in the first fold of a process modules and compiled loops are loaded.
    """

    fits: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)
    least_peak: float = 0.0  # bytes that learning from all rows took, where no fold does that

    def fit(self, work: Callable[[], T]) -> T:
        """What the work gives, its time being that of a fit."""
        return _timed(work, self.fits)

    def answer(self, work: Callable[[], T]) -> T:
        """What the work gives, its time being that of an answer."""
        return _timed(work, self.answers)

    @contextmanager
    def fold(self) -> Iterator[None]:
        """While a fold is learnt and judged."""
        with peak_memory() as peak:
            yield
        self.peaks.append(peak.bytes)

    def fit_again(self, work: Callable[[], object]) -> None:
        """The one fit of all folds once more, now that what it needs is loaded."""
        self.fits.clear()
        with peak_memory() as peak:
            self.fit(work)
        self.least_peak = peak.bytes

    def told(self) -> dict[str, float]:
        """The medians, by the names of the fields of scores."""
        peak = float(np.median(self.peaks))
        return {
            "fit_seconds": float(np.median(self.fits)),
            "predict_seconds": float(np.median(self.answers)),
            "peak_memory": max(peak, self.least_peak),
        }


def _timed(work: Callable[[], T], seconds: list[float]) -> T:
    began = perf_counter()
    found = work()
    seconds.append(perf_counter() - began)
    return found
