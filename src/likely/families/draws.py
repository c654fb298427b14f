"""Parameters drawn many times from their posterior: where the random numbers come from, and how draws are laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats

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


def standard_normals(rng: np.random.Generator, size: int) -> Floats:
    """(size,): by Box and Muller's method on whole arrays, which takes half the time of one after the other."""
    half = -(-size // 2)
    both = rng.random(2 * half)
    radius, angle = both[:half], both[half:]
    np.subtract(1.0, radius, out=radius)
    np.log(radius, out=radius)
    radius *= -2.0
    np.sqrt(radius, out=radius)
    # cosine and sine of twice an angle from its tangent t: (1 - t^2) / (1 + t^2) and 2 t / (1 + t^2)
    angle -= 0.5
    angle *= np.pi
    np.tan(angle, out=angle)
    part = angle * angle
    part += 1.0
    np.divide(radius, part, out=part)
    part *= 2.0
    np.subtract(part, radius, out=radius)
    angle *= part
    return both[:size]


def standard_gammas(rng: np.random.Generator, shape: Floats, times: int) -> Floats:
    """(times, ...) draws of each shape (...): Marsaglia and Tsang's method (2000) on whole arrays.

    A draw is d (1 + z)^3 for a normal z of variance 1 / (9 d), d = shape - 1/3, taken with the probability
    exp(3 d f(z)), f(z) = log(1 + z) - z + z^2 / 2 - z^3 / 3. As f' is -z^3 / (1 + z), f is at least
    -z^4 / 4 / (1 - |z|), which tells of nearly all draws that they are taken; the others are drawn one by one.
    """
    if not (shape >= 1.0).all():
        return rng.standard_gamma(shape, (times, *shape.shape))
    third = shape - 1.0 / 3.0
    z = standard_normals(rng, times * shape.size).reshape(times, *shape.shape)
    z *= 1.0 / (3.0 * np.sqrt(third))
    chance = rng.random(z.shape)
    sure = np.abs(z)
    np.subtract(1.0, sure, out=sure)
    sure *= chance
    drawn = z * z
    drawn *= drawn
    drawn *= 0.75 * third
    doubtful = np.nonzero(sure <= drawn)
    z += 1.0
    np.multiply(z, z, out=drawn)
    drawn *= z
    if len(doubtful[0]):
        most, root, power = np.broadcast_to(third, z.shape)[doubtful], z[doubtful], drawn[doubtful]
        away = root - 1.0
        with np.errstate(divide="ignore", invalid="ignore"):
            least = np.log1p(-chance[doubtful])
            taken = (root > 0) & (least < most * (3.0 * np.log(root) + 1.0 - power + 4.5 * away * away))
        again = tuple(at[~taken] for at in doubtful)
        drawn[again] = rng.standard_gamma(most[~taken] + 1.0 / 3.0) / most[~taken]
    drawn *= third
    return drawn
