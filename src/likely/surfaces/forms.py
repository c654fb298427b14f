"""A quadratic in its own axes, and the name of where it is zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Floats
from likely.surfaces.scores import NormalScores

FLAT_SHARE = 1e-9  # curvatures and slopes this far below those of the two classes are rounding
LEVEL_SHARE = 1e-13

# (dimensions, curvatures up, curvatures down, sloped, sign of the level) with at least as many up as down
FORM_NAMES = {
    (2, 2, 0, False, -1): "ellipse",
    (2, 2, 0, False, 0): "point",
    (2, 1, 1, False, -1): "hyperbola",
    (2, 1, 1, False, 0): "two lines",
    (2, 1, 1, False, 1): "hyperbola",
    (2, 1, 0, True, 0): "parabola",
    (2, 1, 0, False, -1): "two lines",
    (2, 1, 0, False, 0): "line",
    (2, 0, 0, True, 0): "line",
    (3, 3, 0, False, -1): "ellipsoid",
    (3, 3, 0, False, 0): "point",
    (3, 2, 1, False, -1): "one-sheet hyperboloid",
    (3, 2, 1, False, 0): "cone",
    (3, 2, 1, False, 1): "two-sheet hyperboloid",
    (3, 2, 0, True, 0): "paraboloid",
    (3, 1, 1, True, 0): "hyperbolic paraboloid",
    (3, 2, 0, False, -1): "elliptic cylinder",
    (3, 1, 1, False, -1): "hyperbolic cylinder",
    (3, 1, 1, False, 0): "two planes",
    (3, 1, 1, False, 1): "hyperbolic cylinder",
    (3, 1, 0, True, 0): "parabolic cylinder",
    (3, 1, 0, False, -1): "two planes",
    (3, 1, 0, False, 0): "plane",
    (3, 0, 0, True, 0): "plane",
}


@dataclass(frozen=True, eq=False)
class Quadratic:
    """u'Au + b'u + c where the box is -1..1, and the sizes of what it is the difference of."""

    square: Floats
    linear: Floats
    constant: float
    sizes: tuple[float, float, float]

    def __call__(self, u: Floats) -> Floats:
        return np.asarray(((u @ self.square) * u).sum(axis=1) + u @ self.linear + self.constant)


@dataclass(frozen=True, eq=False)
class Form:
    """sum of curvatures y² + slopes y + level, with u = centre + axes y; a curved direction has no slope."""

    curvatures: Floats
    slopes: Floats
    level: float
    centre: Floats
    axes: Floats  # as columns

    @property
    def name(self) -> str:
        up, down = int((self.curvatures > 0).sum()), int((self.curvatures < 0).sum())
        sloped = bool(self.slopes.any())
        sign = 0 if sloped else int(np.sign(self.level)) * (-1 if down > up else 1)
        return FORM_NAMES.get((len(self.centre), max(up, down), min(up, down), sloped, sign), "none")


def in_box(normals: NormalScores, a: int, b: int, box: Floats) -> Quadratic:
    """The log odds of two classes in the coordinates of the box; the quadratics are about its middle."""
    half = (box[:, 1] - box[:, 0]) / 2.0
    square, linear, constant = normals.pair(a, b)
    sizes = (
        float(np.abs(normals.quadratic[[a, b]] * np.outer(half, half)).max()),
        float(np.abs(normals.linear[[a, b]] * half).max()),
        float(np.abs(normals.constant[[a, b]]).max()),
    )
    return Quadratic(square * np.outer(half, half), linear * half, constant, sizes)


def form_of(one: Quadratic) -> Form:
    """The form of a quadratic in its own axes, with rounding taken for zero."""
    curvatures, axes = np.linalg.eigh(one.square)
    turned = axes.T @ one.linear
    flat = np.abs(curvatures) <= FLAT_SHARE * max(one.sizes[0], 1e-3 * float(np.abs(turned).max()))
    curvatures = np.where(flat, 0.0, curvatures)
    middle = np.where(flat, 0.0, -turned / np.where(flat, 1.0, 2.0 * curvatures))
    slopes = np.where(flat & (np.abs(turned) > FLAT_SHARE * max(one.sizes[1], 1e-3 * abs(one.constant))), turned, 0.0)
    level = one.constant + float(turned @ middle) / 2.0
    rounding = LEVEL_SHARE * (one.sizes[2] + one.sizes[1] + float(np.abs(turned * middle).sum()))
    return Form(curvatures, slopes, 0.0 if abs(level) <= rounding else level, axes @ middle, axes)
