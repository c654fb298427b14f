"""Values left out one by one, against values that were never there."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from likely.beliefs.special_functions import log_rising
from likely.kernels.densities.leave_one_out import log_positive, peak
from likely.kernels.densities.leave_one_out_tables import GroupMoments, TakenValue

CLASSES, CELLS = 3, 2


def known(groups, weights):
    """Exact moments (groups, columns) from values (rows, columns) of each group."""
    out = np.zeros((4, len(groups), groups[0].shape[1]))
    for g, (values, heavy) in enumerate(zip(groups, weights, strict=True)):
        for j, column in enumerate(values.T):
            pairs = [(Fraction(x), Fraction(w)) for x, w in zip(column, heavy, strict=True) if not np.isnan(x)]
            count = sum((w for _, w in pairs), Fraction(0))
            if count:
                mean = sum(w * x for x, w in pairs) / count
                spread = sum(w * (x - mean) ** 2 for x, w in pairs)
                out[:, g, j] = float(count), float(mean), float(mean - Fraction(float(mean))), float(spread)
    return GroupMoments(*out)


def learnt(values, own, cells, weights, s):
    at_class = [own == c for c in range(CLASSES)]
    at_cell = [(own == c) & (cells == cell) for c in range(CLASSES) for cell in range(CELLS)]
    whole, level, below = (
        known([values[at] for at in group], [weights[at] for at in group]) for group in ([own >= 0], at_class, at_cell)
    )
    others = np.array([np.delete(level.spread, c, axis=0).sum(axis=0) for c in range(CLASSES)]).T
    return TakenValue.of(whole, level, below, others, CLASSES, s)


def moments(x, w):
    n = w.sum()
    mean = (w * x).sum() / n if n else 0.0
    return n, mean, (w * (x - mean) ** 2).sum()


def learn(prior, n, mean, spread):
    m, k, a, b = prior
    return m + n * (mean - m) / (k + n), k + n, a + n / 2, b + spread / 2 + k * n * (mean - m) ** 2 / (k + n) / 2


def without(i, j, values, own, cells, weights, cell, s):
    """(classes, [degrees, location, scale]) by hand, from all other rows."""
    there = ~np.isnan(values[:, j]) & (np.arange(len(own)) != i)
    x, w, y, z = values[there, j], weights[there], own[there], cells[there]
    total, mean, spread = moments(x, w)
    variance = spread / total
    each = [moments(x[y == c], w[y == c]) for c in range(CLASSES)]
    within = (sum(part[2] for part in each) + s * variance) / (total + s)
    out = np.zeros((CLASSES, 3))
    for c in range(CLASSES):
        m, k, a, b = learn((mean, s * within / variance, s / 2, s * within / 2), *each[c])
        at = (y == c) & (z == cell)
        if cell >= 0 and at.any():
            m, k, a, b = learn((m, s, s / 2, s * b / a / 2), *moments(x[at], w[at]))
        out[c] = 2 * a, m, math.sqrt(b / a * (1 + 1 / k))
    return out


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.sampled_from([0.3, 1.0, 5.0]), st.booleans(), st.booleans(), st.booleans())
def test_by_hand(seed, s, weighted, gaps, whole):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(12, 40))
    own, cells = rng.integers(0, CLASSES, rows), rng.integers(-1, CELLS, rows)
    values = rng.normal(own[:, None] * [1.0, 3.0], size=(rows, 2))
    values = np.round(values) if whole else values
    values[rng.random(values.shape) < 0.2 * gaps] = np.nan
    weights = rng.choice([0.5, 1.0, 3.0], rows) if weighted else np.ones(rows)
    imagined = rng.integers(-1, CELLS, rows)
    cell, counted = np.where(cells < 0, imagined, cells), cells >= 0
    found, unsure = learnt(values, own, cells, weights, s).terms(values, own, weights, cell, counted)
    assert not found[np.isnan(values)].any()
    at = np.argwhere(~unsure & ~np.isnan(values))
    students = np.array([without(i, j, values, own, cells, weights, cell[i], s) for i, j in at])
    expected = stats.t.logpdf(values[*at.T][:, None], *np.moveaxis(students, 2, 0))
    np.testing.assert_allclose(found[*at.T], expected, rtol=1e-10, atol=1e-10)


def table(seed=0, rows=60):
    rng = np.random.default_rng(seed)
    own, cells = rng.integers(0, CLASSES, rows), rng.integers(0, CELLS, rows)
    values = np.round(rng.normal(own[:, None] + cells[:, None], size=(rows, 2)) * 64) / 64
    return values, own, cells, np.ones(rows)


def leave(values, own, cells, weights, s=1.0):
    return learnt(values, own, cells, weights, s).terms(values, own, weights, cells, cells >= 0)


@pytest.mark.parametrize("shift", [2.0**27, -(2.0**30), 2.0**40])
def test_data_far_from_zero_lose_nothing(shift):
    values, *rest = table()
    here, unsure = leave(values, *rest)
    there, lost = leave(values + shift, *rest)
    assert not unsure.any()
    assert not lost.any() or abs(shift) > 2.0**38
    np.testing.assert_allclose(there[~lost], here[~lost], rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("scale", [2.0**-200, 2.0**200])
def test_scale_changes_nothing(scale):
    values, *rest = table()
    here, _ = leave(values, *rest)
    there, unsure = leave(values * scale, *rest)
    assert not unsure.any()
    np.testing.assert_allclose(there + np.log(scale), here, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("far", [1e3, 1e9, 1e12, 1e150])
def test_what_cancels_is_unsure(far):
    values, *rest = table()
    values[7, 1] = far
    _, unsure = leave(values, *rest)
    np.testing.assert_array_equal(np.argwhere(unsure), [[7, 1]])


def test_thin_cells_are_sure():
    values, own, cells, weights = table()
    cells[:] = 0
    cells[[3, 9, 11]] = 1
    own[3], own[[9, 11]] = 0, 1  # one row in a cell, and two
    assert not leave(values, own, cells, weights)[1].any()


def test_one_value_says_nothing():
    values, own, cells, weights = table()
    values[:, 0] = 0.1
    found, unsure = leave(values, own, cells, weights)
    assert not unsure.any()
    assert not found[:, 0].any()
    assert found[:, 1].all()


def test_what_was_not_there_is_unsure():
    values, own, cells, weights = table()
    values[:, 0] = 0.1
    known_of = learnt(values, own, cells, weights, 1.0)
    _, unsure = known_of.terms(values + 100.0, own, weights, cells, cells >= 0)
    assert unsure.all()
    _, unsure = known_of.terms(values, own, weights * 1e6, cells, cells >= 0)
    assert unsure.all()


def test_special_functions():
    x = np.exp(np.random.default_rng(0).uniform(-600, 600, 5000))
    x = np.append(x, [1.0, 0.5, 2.0, np.nextafter(1.0, 0.0), np.nextafter(1.0, 2.0), 1e-300, 1e300])
    np.testing.assert_allclose([log_positive(v) for v in x], np.log(x), rtol=3e-16, atol=1e-300)
    shapes = np.array([1e-3, 0.5, 1.0, 7.25, 19.9, 20.0, 20.1, 300.5, 1e6, 1e12])
    expected = log_rising(shapes, 0.5) - 0.5 * np.log(np.pi)
    np.testing.assert_allclose([peak(a) for a in shapes], expected, rtol=1e-14, atol=1e-14)
