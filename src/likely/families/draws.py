"""Parameters drawn many times from their posterior: where the random numbers come from, and how draws are laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array

SEED_WORDS = 4  # of 32 bits, that a seed becomes


@dataclass(frozen=True)
class Draws:
    """So many draws, from a stream of random numbers that `key` tells from all others.

    Whatever is drawn has a stream of its own, so that it is the same whatever else is drawn. Draws stand side by side
    where classes do: (..., times * classes), the classes of one draw together. What scores rows by class thus scores
    them by draw and class.
    """

    times: int
    key: tuple[int, ...]

    @classmethod
    def of(cls, seed: Any, times: int) -> Draws:
        """Draws that follow from a seed.

        >>> Draws.of(0, 2).under(3).rng.random() == Draws.of(0, 2).under(3).rng.random()
        True
        """
        return cls(times, tuple(np.random.default_rng(seed).integers(1, 1 << 32, SEED_WORDS).tolist()))

    def under(self, *names: int) -> Draws:
        """The draws of one of many things, told by numbers from 0 on."""
        return Draws(self.times, (*self.key, *(1 + int(name) for name in names)))  # zeros at the end would not count

    @property
    def rng(self) -> np.random.Generator:
        """The stream, from its start."""
        return np.random.Generator(np.random.SFC64(self.key))

    def beside(self, drawn: Array) -> Array:
        """(..., times * classes) from draws (times, ..., classes)."""
        return np.moveaxis(drawn, 0, -2).reshape(*drawn.shape[1:-1], self.times * drawn.shape[-1])

    def repeated(self, known: Array) -> Array:
        """(..., times * classes) from what is the same in all draws (..., classes)."""
        return np.tile(known, self.times)
