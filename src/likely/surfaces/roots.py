"""One number: every value at which the best class changes."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Floats
from likely.surfaces.forms import FLAT_SHARE, form_of, in_box
from likely.surfaces.meshes import bisect
from likely.surfaces.scores import NormalScores, Scores, lead_over_others, onto_surface

LINE_GRID_NODES = 2001
MOST_VALUES_INSPECTED = 1000  # training values that are looked at one by one
TIE_LOG_ODDS = 1e-9  # log odds that count as a tie of more than two classes

Roots = list[tuple[int, int, float]]  # (class a, class b, value)


def real_roots(square: float, linear: float, constant: float) -> Floats:
    """The real roots of a quadratic, a double one once, each without cancellation.

    >>> real_roots(1.0, -1e8, 1.0).tolist()
    [1e-08, 100000000.0]
    """
    if square == 0.0:
        return np.array([-constant / linear]) if linear else np.zeros(0)
    inside = linear * linear - 4.0 * square * constant
    if abs(inside) <= 1e-14 * max(linear * linear, abs(4.0 * square * constant)):
        return np.array([-linear / (2.0 * square)])
    if inside < 0:
        return np.zeros(0)
    far = -(linear + np.copysign(np.sqrt(inside), linear)) / 2.0
    return np.sort([far / square, constant / far])


def pair_roots(normals: NormalScores, a: int, b: int, box: Floats) -> Floats:
    """All real roots of the log odds of two classes, in the box or not."""
    one = in_box(normals, a, b, box)
    square, linear = float(one.square[0, 0]), float(one.linear[0])
    square = 0.0 if abs(square) <= 1e-3 * FLAT_SHARE * one.sizes[0] else square
    linear = 0.0 if abs(linear) <= 1e-6 * FLAT_SHARE * one.sizes[1] else linear
    centre, half = box.mean(), (box[0, 1] - box[0, 0]) / 2.0
    form = form_of(one)
    double = bool(form.curvatures.any()) and form.level == 0.0  # up to rounding
    found = centre + half * (form.centre if double else real_roots(square, linear, one.constant))
    if not len(found):
        return np.zeros(0)
    around = np.array([[found.min() - half, found.max() + half]])
    return np.asarray(onto_surface(normals, a, b, found[:, None], around)[:, 0])


def normal_roots(normals: NormalScores, box: Floats) -> Roots:
    """Every root at which the two classes are the best two."""
    found: Roots = []
    alive = np.flatnonzero(np.isfinite(normals.constant)).tolist()
    for place, a in enumerate(alive):
        for b in alive[place + 1 :]:
            values = pair_roots(normals, a, b, box)
            ahead = lead_over_others(normals, values[:, None], a, b) >= -TIE_LOG_ODDS
            found += [(a, b, float(value)) for value in values[ahead]]
    return sorted(found, key=lambda one: one[2])


def changes(scores: Scores, box: Floats, values: Floats | None) -> Roots:
    """The places in the box where the best class changes, between nodes and training values (rows,)."""
    places = np.linspace(box[0, 0], box[0, 1], LINE_GRID_NODES)
    if values is not None:
        known = np.unique(values[(values > box[0, 0]) & (values < box[0, 1])])
        known = known[np.linspace(0, len(known) - 1, min(len(known), MOST_VALUES_INSPECTED)).astype(int)]
        places = np.unique(np.concatenate([places, known, (known[1:] + known[:-1]) / 2.0]))

    def best(at: Floats) -> Floats:
        return np.asarray(scores.logs(at).argmax(axis=1))

    labels = best(places[:, None])
    turns = np.flatnonzero(labels[1:] != labels[:-1])
    left, right = places[turns][:, None], places[turns + 1][:, None]
    first, last = labels[turns], labels[turns + 1]
    found: Roots = []
    while len(left):  # between two nodes a third class may be the best for a while
        low, high = bisect(left, right, lambda at, own=first: best(at) == own)  # type: ignore[misc]
        then = best(high)
        found += [
            (min(int(a), int(b)), max(int(a), int(b)), float(value))
            for a, b, value in zip(first, then, ((low + high) / 2.0)[:, 0], strict=True)
        ]
        more = (then != last) & (high < right)[:, 0]
        left, right, first, last = high[more], right[more], then[more], last[more]
    return sorted(found, key=lambda one: one[2])
