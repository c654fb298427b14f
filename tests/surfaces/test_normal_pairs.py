"""Laws of the surfaces of random normal classes, in any unit and far from zero: on g = 0, in the box, and whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.surfaces import surface

SEEDS = st.integers(0, 2**32 - 1)


def drawn(stand, d, seed, count=2):
    """Classes of random shapes, some much alike, some alike in part; in any unit, far from zero or not."""
    rng = np.random.default_rng(seed)
    spread = 10.0 ** rng.uniform(-3, 3, d)
    offset = rng.choice([0.0, 1e6], size=d) * np.maximum(spread, 0.01)
    alike = rng.choice([0.0, 1e-6, 1.0])
    first = rng.normal(size=(d, d))
    covariances, means = [], []
    for _ in range(count):
        root = first + alike * rng.normal(size=(d, d)) * 10.0 ** rng.uniform(-1, 0.5)
        values, vectors = np.linalg.eigh(root @ root.T)
        covariance = (vectors * np.maximum(values, 0.01)) @ vectors.T
        if rng.random() < 0.2:
            covariance = np.diag(np.diag(covariance))
        covariances.append(covariance * np.outer(spread, spread))
        means.append(offset + spread * rng.normal(size=d) * rng.choice([0.0, 1.0, 3.0]))
    priors = rng.dirichlet(np.ones(count) * 3)
    return stand(means, covariances, priors), rng


def check(found):
    for piece in found.pieces:
        a, b = (found.classes.index(level) for level in piece.classes)
        grain = (np.abs(found.scores.slopes(piece.vertices, a, b)) * np.spacing(np.abs(piece.vertices))).sum(axis=1)
        q, linear, _ = found.scores.pair(a, b)
        y = np.abs(piece.vertices - found.scores.origin)
        rounding = 1e-15 * (((y @ np.abs(q)) * y).sum(axis=1) + y @ np.abs(linear))  # of what g is the sum of
        off = np.abs(found.g(piece.vertices, *piece.classes))
        assert (off < np.maximum(1e-8, grain + rounding)).all()  # doubles are no denser
        assert piece.cells.size == 0 or piece.cells.max() < len(piece.vertices)
        if len(found.features) > 1:
            assert (piece.vertices >= found.box[:, 0]).all()
            assert (piece.vertices <= found.box[:, 1]).all()


def crossings(found, a, b, lines, nodes, rng):
    """Points between two neighbours on lines across the box where g changes its sign, in the units of the box."""
    d = len(found.box)
    points = rng.uniform(-1, 1, size=(lines, d))
    steps = np.linspace(-1, 1, nodes)
    where = []
    for at in range(d):
        walk = np.repeat(points[:, None], nodes, axis=1)
        walk[:, :, at] = steps
        middle, half = found.box.mean(axis=1), np.diff(found.box, axis=1)[:, 0] / 2
        g = found.g((middle + half * walk).reshape(-1, d), a, b).reshape(lines, nodes)
        turn = np.sign(g[:, 1:]) * np.sign(g[:, :-1]) < 0
        where.append(((walk[:, 1:] + walk[:, :-1]) / 2)[turn])
    return np.concatenate(where)


def in_units(found, points):
    return (points - found.box.mean(axis=1)) / (np.diff(found.box, axis=1)[:, 0] / 2)


def distance(points, one, other):
    """(points,): to the nearest of segments from one end to the other."""
    along = other - one
    size = np.maximum((along**2).sum(axis=1), 1e-300)
    t = np.clip(((points[:, None] - one) * along).sum(axis=2) / size, 0, 1)
    return np.sqrt((((one + t[..., None] * along) - points[:, None]) ** 2).sum(axis=2)).min(axis=1)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(SEEDS)
def test_one_number(stand, seed):
    model, _ = drawn(stand, 1, seed)
    found = surface(model, 0)
    check(found)
    quadratic, linear, constant = model.discriminant([0], found.box.mean(axis=1))
    half = np.diff(found.box, axis=1)[0, 0] / 2
    scaled = np.array([np.diff(quadratic[:, 0, 0])[0] * half**2, np.diff(linear[:, 0])[0] * half, np.diff(constant)[0]])
    scaled[np.abs(scaled) < 1e-12 * np.abs(quadratic * half**2).max()] = 0
    roots = np.roots(scaled)
    real = np.sort(roots[np.abs(roots.imag) < 1e-9 * (1 + np.abs(roots))].real)
    np.testing.assert_allclose(in_units(found, found.vertices)[:, 0], real, rtol=1e-5, atol=1e-5)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(SEEDS)
def test_two_numbers(stand, seed):
    model, rng = drawn(stand, 2, seed)
    box = None
    if rng.random() < 0.5:  # a close look at some part
        whole = surface(model, [0, 1]).box
        at, size = rng.uniform(0.1, 0.7, 2), rng.uniform(0.02, 0.3)
        box = whole[:, :1] + np.diff(whole, axis=1) * (at[:, None] + [0, size])
    found = surface(model, [0, 1], box)
    check(found)
    wanted = crossings(found, "a", "b", 10, 201, rng)
    if len(wanted):
        ends = [in_units(found, piece.vertices)[piece.cells] for piece in found.pieces]
        assert ends, "a sign change, and no curve"
        whole = np.concatenate(ends)
        assert distance(wanted, whole[:, 0], whole[:, 1]).max() < 0.011
    for piece in found.pieces:  # a chord bends away from the curve by less than a line is wide
        ends = piece.vertices[piece.cells]
        steps = np.diff(in_units(found, piece.vertices), axis=0)
        assert np.sqrt((steps**2).sum(axis=1)).max() < 0.06
        assert len(ends) in (len(piece.vertices), len(piece.vertices) - 1)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(SEEDS)
def test_three_numbers(stand, seed):
    model, rng = drawn(stand, 3, seed)
    found = surface(model, [0, 1, 2])
    check(found)
    wanted = crossings(found, "a", "b", 6, 101, rng)
    if len(wanted):
        whole = np.concatenate([in_units(found, piece.vertices)[piece.cells] for piece in found.pieces])
        middles = np.concatenate([whole.mean(axis=1), *whole.transpose(1, 0, 2)])
        away = np.sqrt(((wanted[:, None] - middles) ** 2).sum(axis=2)).min(axis=1)
        assert away.max() < 0.2


@settings(max_examples=25, deadline=None, derandomize=True)
@given(SEEDS)
def test_more_classes(stand, seed):
    model, rng = drawn(stand, 2, seed, count=int(seed) % 3 + 3)
    found = surface(model, [0, 1])
    check(found)
    for piece in found.pieces:
        logs = found.scores.logs(piece.vertices)
        mine = logs[:, found.classes.index(piece.classes[0])]
        assert (mine >= logs.max(axis=1) - 1e-5).all()
    steps = np.linspace(-1, 1, 101)
    half = np.diff(found.box, axis=1)[:, 0] / 2
    grid = np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1)
    points = found.box.mean(axis=1) + half * grid
    best = found.scores.logs(points.reshape(-1, 2)).argmax(axis=1).reshape(101, 101)
    wanted = ((grid[1:] + grid[:-1]) / 2)[best[1:] != best[:-1]]
    wanted = wanted[rng.permutation(len(wanted))[:60]]
    if len(wanted):
        whole = np.concatenate([in_units(found, piece.vertices)[piece.cells] for piece in found.pieces])
        assert distance(wanted, whole[:, 0], whole[:, 1]).max() < 0.021


@pytest.mark.parametrize("d", [2, 3])
def test_three_classes_in_space(stand, d):
    model, _ = drawn(stand, 3, 11 + d, count=3)
    found = surface(model, [0, 1, 2][:d])
    check(found)
    for piece in found.pieces:
        logs = found.scores.logs(piece.vertices)
        assert (logs[:, found.classes.index(piece.classes[0])] >= logs.max(axis=1) - 1e-6).all()
