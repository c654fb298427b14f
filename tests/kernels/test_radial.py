"""Sums over a tree of points against plain sums over all of them."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import logsumexp

from likely.families.kernel_density.trees import grow
from likely.kernels.densities.radial import (
    CONE_PROFILE,
    GAUSSIAN_PROFILE,
    MOST_POINTS_A_LEAF,
    POWER_PROFILE,
    add_up,
    cone,
)

NOTHING = np.empty(0)
FORMS = [
    (GAUSSIAN_PROFILE, 0),
    *((POWER_PROFILE, bend) for bend in range(7)),
    *((CONE_PROFILE, bend) for bend in range(3)),
]


def heights(shape, bend, squares):
    if shape == GAUSSIAN_PROFILE:
        return np.exp(-0.5 * squares)
    if shape == POWER_PROFILE:
        return np.where(squares < 1, np.maximum(1 - squares, 0) ** (bend / 2), 0.0)
    if bend == 0:
        return np.maximum(1 - np.sqrt(squares), 0)
    return np.vectorize(lambda q: cone(bend, q))(squares)


@pytest.mark.parametrize("r", [0.0, 1e-9, 0.3, 0.7, 0.99, 0.995, 0.9999, 1 - 1e-9])
def test_a_cone_summed_over_one_or_two_columns(r):
    a = np.sqrt((1 - r) * (1 + r))
    one = 2 * quad(lambda z: 1 - np.sqrt(r * r + z * z), 0, a, epsabs=0)[0]
    two = 6 * quad(lambda z: (1 - np.sqrt(r * r + z * z)) * z, 0, a, epsabs=0)[0]
    assert cone(1, r * r) == pytest.approx(one, rel=1e-7 if r > 0.999 else 1e-9)
    assert cone(2, r * r) == pytest.approx(two, rel=1e-7 if r > 0.999 else 1e-9)


def test_the_series_of_a_cone_joins_its_closed_form():
    near = np.array([0.1 - 1e-12, 0.1 + 1e-12])  # the root of 1 - r^2
    one, two = (cone(1, 1 - a * a) for a in near)
    assert one == pytest.approx(two, rel=1e-9)


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize(("shape", "bend"), FORMS)
@pytest.mark.parametrize("count", [1, MOST_POINTS_A_LEAF, MOST_POINTS_A_LEAF + 1, 1000])
def test_sums(columns, shape, bend, count):
    random = np.random.default_rng(count + columns)
    points, weights = random.normal(size=(count, columns)), random.random(count) + 0.01
    queries, widths = random.normal(size=(30, columns)), np.linspace(0.4, 0.7, columns)[None]
    out = np.empty(len(queries))
    add_up(grow(points, weights), queries, widths, NOTHING, shape, bend, 1e-17 / weights.sum(), out)
    squares = (((points - queries[:, None]) / widths) ** 2).sum(axis=-1)
    sums = heights(shape, bend, squares) @ weights
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(out, np.log(sums), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("loss", [1e-3, 1e-6, 1e-17])
def test_a_gaussian_far_away_is_right_up_to_what_may_be_lost(loss):
    random = np.random.default_rng(3)
    points, weights = random.normal(size=(5000, 2)), random.random(5000) ** 20 + 1e-12
    queries = random.normal(size=(60, 2)) * np.repeat([1.0, 10.0, 1e4], 20)[:, None]
    out = np.empty(len(queries))
    add_up(
        grow(points, weights), queries, np.full((1, 2), 0.2), NOTHING, GAUSSIAN_PROFILE, 0, loss / weights.sum(), out
    )
    exact = logsumexp(-0.5 * (((points - queries[:, None]) / 0.2) ** 2).sum(axis=-1), b=weights, axis=1)
    error = exact - out
    tiny = 1e-15 * np.abs(exact) + 1e-13
    assert (error > -tiny).all()  # something may be lost, nothing comes from nowhere
    assert (error < loss * 1.001 + tiny).all()


@pytest.mark.parametrize(("shape", "bend"), [(GAUSSIAN_PROFILE, 0), (POWER_PROFILE, 2), (CONE_PROFILE, 0)])
def test_a_point_taken_out(shape, bend):
    random = np.random.default_rng(4)
    points = np.vstack([random.normal(size=(300, 2)), [[50.0, 50.0]], [[50.3, 50.0]]])
    weights = random.integers(1, 4, len(points)).astype(float)
    own = np.where(np.arange(len(points)) % 2, weights, 0.5)
    widths = random.uniform(0.3, 0.6, points.shape)
    out = np.empty(len(points))
    add_up(grow(points, weights), points, widths, own, shape, bend, 1e-17 / weights.sum(), out)
    for i in range(len(points)):
        rest = weights.copy()
        rest[i] -= own[i]
        sums = heights(shape, bend, (((points - points[i]) / widths[i]) ** 2).sum(axis=1)) @ rest
        assert np.exp(out[i]) == pytest.approx(sums, rel=1e-12)


def test_nothing_is_left_of_a_point_taken_out_alone():
    out = np.empty(1)
    points = np.array([[1.0], [1.0]])
    add_up(
        grow(points, np.array([0.1, 0.2])),
        points[:1],
        np.ones((1, 1)),
        np.array([0.3]),
        GAUSSIAN_PROFILE,
        0,
        1e-17,
        out,
    )
    assert out[0] == -np.inf
