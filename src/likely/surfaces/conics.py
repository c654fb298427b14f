"""Two numbers, two normal classes: the conic on which they tie, traced by its own parameter and cut where it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats
from likely.surfaces.forms import Form, form_of, in_box
from likely.surfaces.meshes import Mesh, bisect, chain
from likely.surfaces.roots import real_roots
from likely.surfaces.scores import NormalScores, lead_over_others, onto_surface

VERTICES_A_PIECE = 400  # of a piece
PLACES_INSPECTED = 2001  # places along a piece where it is looked at before it is drawn
FULL_TURN = 2.0 * np.pi

Span = tuple[float, float, bool]  # from, to, and whether it is a whole turn


@dataclass(frozen=True, eq=False)
class Curve:
    """middle + f(t) first + h(t) second, f and h being cos and sin, cosh and sinh, or t and t²."""

    kind: str
    middle: Floats
    first: Floats
    second: Floats

    def at(self, t: Floats) -> Floats:
        """(n, 2): the points at some parameters."""
        if self.kind == "turn":
            one, other = np.cos(t), np.sin(t)
        elif self.kind == "branch":
            one, other = np.cosh(t), np.sinh(t)
        else:
            one, other = t, t * t
        return self.middle + one[:, None] * self.first + other[:, None] * self.second

    def crossings(self) -> Floats:
        """Sorted: the parameters at which a coordinate is -1 or 1."""
        found = [self._meets(axis, edge) for axis in (0, 1) for edge in (-1.0, 1.0)]
        return np.unique(np.concatenate(found))

    def _meets(self, axis: int, edge: float) -> Floats:
        away, p, q = self.middle[axis] - edge, self.first[axis], self.second[axis]
        if self.kind == "turn":
            size = float(np.hypot(p, q))
            if size < abs(away):
                return np.zeros(0)
            between = np.arccos(-away / size) if size else 0.0
            return np.asarray(np.mod(np.arctan2(q, p) + np.array([-between, between]), FULL_TURN))
        if self.kind == "branch":  # in exp(t)
            grown = real_roots((p + q) / 2.0, away, (p - q) / 2.0)
            return np.log(grown[(grown > 0) & np.isfinite(grown)])
        return real_roots(q, p, away)


def curves_of(form: Form) -> list[Curve]:
    """The curves on which a form is zero; a point is none."""
    curved, level, axes = form.curvatures, form.level, form.axes.T
    none = np.zeros(2)
    if form.name == "ellipse":
        sizes = np.sqrt(-level / curved)
        return [Curve("turn", form.centre, sizes[0] * axes[0], sizes[1] * axes[1])]
    if form.name == "hyperbola":
        along = int(np.argmax(-level / curved))
        sizes = np.sqrt(np.abs(level / curved))
        across = sizes[1 - along] * axes[1 - along]
        return [Curve("branch", form.centre, sign * sizes[along] * axes[along], across) for sign in (1.0, -1.0)]
    if form.name == "parabola":
        bent = int(np.argmax(np.abs(curved)))
        slope = form.slopes[1 - bent]
        start = form.centre - level / slope * axes[1 - bent]
        return [Curve("power", start, axes[bent], -curved[bent] / slope * axes[1 - bent])]
    if form.slopes.any():  # a line
        normal = form.axes @ form.slopes
        start = form.centre - level * normal / (normal @ normal)
        return [Curve("power", start, np.array([-normal[1], normal[0]]) / np.hypot(*normal), none)]
    if form.name == "two lines" and curved.all():
        tilts = [axes[0] / np.sqrt(abs(curved[0])) + sign * axes[1] / np.sqrt(abs(curved[1])) for sign in (1.0, -1.0)]
        return [Curve("power", form.centre, tilt / np.hypot(*tilt), none) for tilt in tilts]
    if form.name in ("two lines", "line"):  # side by side
        bent = int(np.argmax(np.abs(curved)))
        away = np.sqrt(-level / curved[bent]) * axes[bent]
        starts = [form.centre + away, form.centre - away] if form.level else [form.centre]
        return [Curve("power", start, axes[1 - bent], none) for start in starts]
    return []


def spans(cuts: Floats, keep: Callable[[Floats], Array], whole: Span) -> list[Span]:
    """What is kept of a span that is cut into parts, by a look at the middle of each."""
    start, end, closed = whole
    edges = np.unique([*cuts, cuts[0] + FULL_TURN] if closed and len(cuts) else [start, *cuts, end])
    kept = keep((edges[1:] + edges[:-1]) / 2.0) if len(edges) > 1 else np.zeros(0, dtype=bool)
    if closed and kept.all():
        return [(float(edges[0]), float(edges[0]) + FULL_TURN, True)]
    if closed:  # begin behind a part that is not kept
        first = int(np.argmin(kept)) + 1
        edges = np.concatenate([edges[first:], edges[1 : first + 1] + FULL_TURN])
        kept = np.concatenate([kept[first:], kept[:first]])
    ends = np.flatnonzero(np.diff(np.concatenate([[0], kept.astype(int), [0]])))
    return [(float(edges[low]), float(edges[high]), False) for low, high in ends.reshape(-1, 2)]


def conic(normals: NormalScores, a: int, b: int, box: Floats) -> tuple[str, list[Mesh]]:
    """The name of the conic, and its pieces in the box, where no third class is better than the two."""
    form = form_of(in_box(normals, a, b, box))
    middle, half = box.mean(axis=1), (box[:, 1] - box[:, 0]) / 2.0

    def ahead(u: Floats) -> Array:
        return lead_over_others(normals, middle + half * u, a, b) >= 0

    if form.name == "point":
        point = form.centre[None]
        kept = _inside(point)[0] and ahead(point)[0]
        return form.name, [(middle + half * point, np.zeros((0, 2), dtype=np.intp))] if kept else []
    found = []
    for curve in curves_of(form):
        for low, high, closed in _kept(curve, ahead):
            t = _evenly(curve, low, high, VERTICES_A_PIECE + closed)[:VERTICES_A_PIECE]
            points = onto_surface(normals, a, b, middle + half * curve.at(t), box)
            found.append((points, chain(len(points), closed)))
    return form.name, found


def _inside(u: Floats) -> Array:
    return np.asarray((np.abs(u) <= 1.0 + 1e-12).all(axis=1))


def _kept(curve: Curve, ahead: Callable[[Floats], Array]) -> list[Span]:
    """The spans of a curve that lie in the box and are nowhere behind."""
    cuts, closed = curve.crossings(), curve.kind == "turn"
    if not closed and len(cuts) < 2:
        return []
    whole = (0.0, FULL_TURN, True) if closed else (float(cuts[0]), float(cuts[-1]), False)
    within = spans(cuts, lambda t: _inside(curve.at(t)), whole)
    return [part for span in within for part in spans(*_behind(curve, ahead, span), span)]


def _behind(curve: Curve, ahead: Callable[[Floats], Array], span: Span) -> tuple[Floats, Callable[[Floats], Array]]:
    """Where along a span the two classes fall behind a third or come out ahead, and how to tell."""

    def holds(t: Floats) -> Array:
        return ahead(curve.at(t))

    looks = np.linspace(span[0], span[1], PLACES_INSPECTED)
    held = holds(looks)
    turns = np.flatnonzero(held[1:] != held[:-1])
    low = np.where(held[turns], looks[turns], looks[turns + 1])
    high = np.where(held[turns], looks[turns + 1], looks[turns])
    cuts, _ = bisect(low[:, None], high[:, None], lambda t: holds(t[:, 0]))
    return cuts[:, 0], holds


def _evenly(curve: Curve, low: float, high: float, count: int) -> Floats:
    """Parameters that share out the length of a piece and its bends."""
    looks = np.linspace(low, high, PLACES_INSPECTED)
    steps = np.diff(curve.at(looks), axis=0)
    length = np.hypot(*steps.T)
    bends = np.abs(np.diff(np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))))
    bends = np.concatenate([bends[:1], (bends[1:] + bends[:-1]) / 2.0, bends[-1:]])
    measure = length / max(length.sum(), 1e-300) + bends / max(bends.sum(), 1e-3)
    travelled = np.concatenate([[0.0], np.cumsum(measure)])
    return np.interp(np.linspace(0.0, travelled[-1], count), travelled, looks)
