"""The surface between the classes of a model: its pieces, what they are called, and the log odds behind them.

Surface: features (names), classes, box (d, 2), kind, exact, pieces (Piece, ...).
Piece: classes (a, b), kind, vertices (n, d), cells: segments (m, 2), triangles (m, 3), or none of one number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level, plain
from likely.errors import OptionError, listed, nearest
from likely.output.jsonable import Written
from likely.surfaces.conics import conic
from likely.surfaces.contours import contours
from likely.surfaces.features import read_box, read_classes, read_features, with_priors
from likely.surfaces.meshes import Mesh
from likely.surfaces.quadrics import quadric
from likely.surfaces.roots import changes, normal_roots
from likely.surfaces.rows import values_of
from likely.surfaces.scores import NormalScores, Scores, scores_of

BOX_DEVIATIONS = 4.0  # from the means, where no rows tell how far to look


@dataclass(frozen=True, eq=False)
class Piece:
    """A connected part of the boundary between two classes; of two numbers, its vertices are in order along it.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [5.0], [6.0]], ["a", "a", "b", "b"]
    >>> (piece,) = likely.surfaces.surface(likely.LinearDiscriminant().fit(X, y), ["x0"], X=X).pieces
    >>> piece.classes, piece.vertices.round(6).tolist()
    (('a', 'b'), [[3.5]])
    """

    classes: tuple[Level, Level]
    kind: str
    vertices: Floats
    cells: Array


@dataclass(frozen=True, eq=False)
class Surface(Written):
    """Where the best class changes. `exact`: traced from the coefficients of normal classes, with |g| < 1e-8.

    >>> import likely
    >>> X, y = [[1.0, 1.0], [2.0, 0.5], [5.0, 4.0], [6.0, 5.5]], ["a", "a", "b", "b"]
    >>> found = likely.surfaces.surface(likely.LinearDiscriminant().fit(X, y), ["x0", "x1"], X=X)
    >>> found.classes, found.exact
    (('a', 'b'), True)
    """

    features: tuple[str, ...]
    classes: tuple[Level, ...]
    box: Floats
    kind: str
    exact: bool
    pieces: tuple[Piece, ...]
    scores: Scores = field(repr=False)
    _written = ("features", "classes", "box", "kind", "exact", "pieces")

    def _page(self) -> Any:
        """A row for each vertex: the piece, the classes that meet there, and where it is."""
        return [
            {"piece": at, "class": piece.classes[0], "other": piece.classes[1], "kind": piece.kind}
            | dict(zip(self.features, vertex, strict=True))
            for at, piece in enumerate(self.pieces)
            for vertex in piece.vertices.tolist()
        ]

    @property
    def vertices(self) -> Floats:
        """(n, d): those of all pieces."""
        return np.concatenate([np.zeros((0, len(self.features))), *(piece.vertices for piece in self.pieces)])

    def g(self, points: Any, a: Any, b: Any) -> Floats:
        """(points,): the log odds of class a against class b at points (points, d), all other columns summed out.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [5.0], [6.0]], ["a", "a", "b", "b"]
        >>> found = likely.surfaces.surface(likely.LinearDiscriminant().fit(X, y), ["x0"], X=X)
        >>> [bool(odds > 0) for odds in found.g([[1.0], [3.4], [3.6], [6.0]], "a", "b")]
        [True, True, False, False]
        """
        at = np.asarray(points, dtype=np.float64).reshape(-1, len(self.features))
        return self.scores.odds(at, self._place(a), self._place(b))

    def _place(self, level: Any) -> int:
        if plain(level) not in self.classes:
            hint = f"the classes are {listed(self.classes)}.{nearest(level, self.classes)}"
            raise OptionError("O425", f"{level!r} is not a class of the surface", place="g(points, a, b)", hint=hint)
        return self.classes.index(plain(level))

    def __repr__(self) -> str:
        pairs: dict[tuple[Level, Level], list[Piece]] = {}
        for piece in self.pieces:
            pairs.setdefault(piece.classes, []).append(piece)
        told = [f"{_called(mine)} between {a} and {b}" for (a, b), mine in pairs.items()]
        what = ", ".join(told) or f"no boundary between {', '.join(map(str, self.classes[:-1]))} and {self.classes[-1]}"
        count = f", {len(self.pieces)} piece{'s' * (len(self.pieces) != 1)}" if len(self.features) > 1 and told else ""
        return f"{', '.join(self.features)}: {what}{count}, {'exact' if self.exact else 'to a grid'}"


def _called(pieces: list[Piece]) -> str:
    if pieces[0].vertices.shape[1] > 1:
        return pieces[0].kind
    places = ", ".join(f"{piece.vertices[0, 0]:.6g}" for piece in pieces)
    return f"{_points(len(pieces))} ({places})"


def _points(count: int) -> str:
    return "none" if not count else f"{count} point{'s' * (count != 1)}"


def surface(
    model: Any, features: Any, box: Any = None, X: Any = None, classes: Any = None, priors: Any = None
) -> Surface:
    """Where the best class of a fitted model changes, in one to three of its numbers; all others are summed out.

    `box` are the limits (d, 2) to look in; by default the range of X, a tenth wider, or four deviations about the means
    of a normal model. `classes` are some of the classes, as if there were no others. `priors` are {class: probability},
    or of two classes the probability of the second. Of normal classes the surface is exact: in one number all roots, in
    the box or not; in two the conic, in three the quadric. Of other models it is followed on a grid.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [3.0], [5.0], [6.0], [7.0]], ["a"] * 3 + ["b"] * 3
    >>> surface(likely.NaiveBayes(estimate="mle").fit(X, y), ["x0"], X=X)
    x0: 1 point (4) between a and b, to a grid
    """
    levels, places = read_classes(model, classes)
    model = with_priors(model, priors)
    at = read_features(model, features)
    names = tuple(model.model_.schema.columns[one].name for one in at)
    values = None if X is None else values_of(X, model, at)
    limits = read_box(box, values, _reach(model, at, places) if box is None and X is None else None, names)
    scores = scores_of(model, at, places, limits.mean(axis=1))
    exact = isinstance(scores, NormalScores)
    pieces = []
    for a, b, kind, (vertices, cells) in _traced(scores, limits, values):
        pieces.append(Piece((levels[a], levels[b]), kind, vertices, cells))
    kinds = dict.fromkeys(piece.kind for piece in pieces)
    kind = _points(len(pieces)) if len(at) == 1 else " and ".join(kinds) or "none"
    return Surface(names, levels, limits, kind, exact, tuple(pieces), scores)


def _reach(model: Any, at: tuple[int, ...], places: Array) -> Floats | None:
    """(d, 2): some deviations about the means of the classes, if they are normal and every column has a say."""
    found = []
    for one in at:
        normals = scores_of(model, (one,), places)
        if not isinstance(normals, NormalScores) or not (normals.quadratic < 0).all():
            return None
        square = normals.quadratic[:, 0, 0]
        means, reach = -normals.linear[:, 0] / (2.0 * square), BOX_DEVIATIONS * np.sqrt(-0.5 / square)
        found.append(((means - reach).min(), (means + reach).max()))
    return np.array(found)


def _traced(scores: Scores, box: Floats, values: Floats | None) -> list[tuple[int, int, str, Mesh]]:
    """(class a, class b, kind, mesh) of each piece."""
    none = np.zeros((0, 1), dtype=np.intp)
    if len(box) == 1:
        known = None if values is None else values[:, 0]
        roots = normal_roots(scores, box) if isinstance(scores, NormalScores) else changes(scores, box, known)
        return [(a, b, "point", (np.array([[value]]), none)) for a, b, value in roots]
    if not isinstance(scores, NormalScores):
        return [(a, b, "contour", mesh) for a, b, meshes in contours(scores, box) for mesh in meshes]
    trace: Callable[[NormalScores, int, int, Floats], tuple[str, list[Mesh]]] = conic if len(box) == 2 else quadric
    alive = np.flatnonzero(np.isfinite(scores.constant)).tolist()  # a class of no prior is nowhere the best
    found = []
    for place, a in enumerate(alive):
        for b in alive[place + 1 :]:
            kind, meshes = trace(scores, a, b, box)
            found += [(a, b, kind, mesh) for mesh in meshes]
    return found
