"""The boundary of a model along axes of powers of ten: followed on a grid that is even as the picture is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.plots.column_scale import ColumnScale
from likely.surfaces import Piece, Surface
from likely.surfaces.contours import contours
from likely.surfaces.features import read_classes, read_features
from likely.surfaces.roots import changes
from likely.surfaces.scores import NormalScores, Scores, scores_of


@dataclass(frozen=True, eq=False)
class ScaledScores:
    """Scores of points that are given by their places along the axes."""

    scores: Scores
    scales: tuple[ColumnScale, ...]

    def logs(self, points: Floats) -> Floats:
        """(points, classes)"""
        return self.scores.logs(asked(self.scales, values_at(self.scales, points)))

    def odds(self, points: Floats, a: int, b: int) -> Floats:
        """(points,)"""
        return self.scores.odds(asked(self.scales, values_at(self.scales, points)), a, b)


def places_of(scales: Sequence[ColumnScale], points: Floats) -> Floats:
    """(points, d): where points stand along the axes."""
    return np.stack([scale.places(points[..., at]) for at, scale in enumerate(scales)], axis=-1)


def values_at(scales: Sequence[ColumnScale], places: Floats) -> Floats:
    """(points, d): what stands at places along the axes."""
    return np.stack([scale.values(places[..., at]) for at, scale in enumerate(scales)], axis=-1)


def asked(scales: Sequence[ColumnScale], points: Floats) -> Floats:
    """(points, d): what a model is asked of points."""
    return np.stack([scale.asked(points[..., at]) for at, scale in enumerate(scales)], axis=-1)


def scaled_surface(model: Any, features: Sequence[str], box: Floats, scales: tuple[ColumnScale, ...]) -> Surface | None:
    """The surface of a model in two or three columns, or in one where it is not normal; None where none is uneven."""
    levels, classes = read_classes(model)
    at = read_features(model, list(features))
    scores = scores_of(model, at, classes, box.mean(axis=1))
    if all(scale.even for scale in scales) or (len(at) == 1 and isinstance(scores, NormalScores)):
        return None
    own, ends = ScaledScores(scores, scales), places_of(scales, box.T).T
    if len(at) == 1:
        none = np.zeros((0, 1), dtype=np.intp)
        found = [(a, b, (np.array([[place]]), none)) for a, b, place in changes(own, ends, None)]
    else:
        found = [(a, b, mesh) for a, b, meshes in contours(own, ends) for mesh in meshes]
    kind = "point" if len(at) == 1 else "contour"
    pieces = tuple(
        Piece((levels[a], levels[b]), kind, values_at(scales, places), cells) for a, b, (places, cells) in found
    )
    count = len(pieces)
    told = f"{count} point{'s' * (count != 1)}" if len(at) == 1 and count else kind if count else "none"
    return Surface(tuple(features), levels, box, told, False, pieces, scores)
