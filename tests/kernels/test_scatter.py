"""`Scatter` and `Quartics` against exact fractions, long doubles and rows put together."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from likely.core.block import Block
from likely.core.schema import Column, Schema
from likely.kernels.counting import scatter
from likely.statistics import Quartics, Question, Scatter, answer


@pytest.fixture(autouse=True, params=[2 * scatter.PRODUCTS_WORTH_COMPILING, 0], ids=["small", "in batches"])
def way(request, monkeypatch):
    """Small tables are added by NumPy, larger ones in batches: both ways are held to the same."""
    monkeypatch.setattr(scatter, "PRODUCTS_WORTH_COMPILING", request.param)


def exact(values, weights, j, k):
    count = total = product = Fraction(0)
    for row, w in zip(values, weights, strict=True):
        if not np.isnan(row[[j, k]]).any():
            x, y, mass = Fraction(row[j]), Fraction(row[k]), Fraction(w)
            count, total, product = count + mass, total + mass * x, product + mass * x * y
    return count, total, product


def centred(values, weights, about):
    """Long doubles: of values whose distance from `about` is exact."""
    away = (values - about).astype(np.longdouble)
    known = (~np.isnan(away)).astype(np.longdouble)
    away = np.where(np.isnan(away), 0, away)
    mass = weights.astype(np.longdouble)[:, None]
    away = (away - (mass * away).sum(axis=0) / (mass * known).sum(axis=0)) * known
    return (away * mass).T @ away


def close(found, expected, tolerance=2e-15):
    """To a share of the geometric mean of the two spreads."""
    size = np.sqrt(np.diagonal(expected))
    assert (np.abs(found - expected) <= tolerance * np.outer(size, size)).all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("columns", [1, 2, 5])
def test_few_rows_are_exact(columns, weighted):
    random = np.random.default_rng(columns)
    values = random.normal(1e6, 1, (90, columns)) * 10.0 ** random.integers(-6, 6, columns)
    values[random.random(values.shape) < 0.2] = np.nan
    cells = random.integers(0, 2, 90)
    weights = random.random(90) if weighted else np.ones(90)
    found = Scatter.of(values, cells, weights if weighted else None, 3)
    for cell in range(2):
        for j in range(columns):
            for k in range(columns):
                sums = exact(values[cells == cell], weights[cells == cell], j, k)
                for name, expected in zip(("count", "total", "product"), sums, strict=True):
                    high, low = (getattr(found, part)[cell, j, k] for part in (name, f"{name}_low"))
                    assert abs(low) <= np.spacing(abs(high))
                    assert abs(Fraction(high) + Fraction(low) - expected) <= Fraction(1, 10**28) * abs(expected)
    assert found.take(np.array([2]), np.arange(columns)) == found.take(np.array([2]), np.arange(columns)).empty()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("holes", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("columns", [1, 3, 4, 11])
def test_batches_far_from_zero(columns, holes, weighted):
    random = np.random.default_rng(columns)
    mixed = random.normal(size=(4000, columns)) @ random.normal(size=(columns, columns))
    values = 1e8 + mixed
    values[random.random(values.shape) < holes] = np.nan
    cells = random.integers(0, 3, 4000).astype(np.int32)
    weights = random.random(4000) if weighted else np.ones(4000)
    found = Scatter.of(values, cells, weights if weighted else None, 3)
    assert found.whole == (holes == 0 or columns == 1)
    assert np.array_equal(found.centred, found.centred.swapaxes(1, 2))
    for cell in range(3):
        mine, mass = values[cells == cell], weights[cells == cell]
        expected = centred(mine, mass, 1e8)
        # what the mean of the values that a column has leaves over the rows that have both columns is no spread
        close(found.centred[cell], expected, 4e-15)
        known = (~np.isnan(mine)).astype(float)
        np.testing.assert_allclose(found.count[cell], (known * mass[:, None]).T @ known, rtol=1e-13)
        mean = np.nansum((mine - 1e8) * mass[:, None], axis=0) / (mass @ known)
        np.testing.assert_allclose(found.mean[cell] - 1e8, mean, rtol=0, atol=2e-8)  # the double next to 1e8


@pytest.mark.parametrize("rows", [100, 3000])
def test_an_outlier_is_forgotten(rows):
    random = np.random.default_rng(rows)
    values = random.normal(5, 1, (rows, 6))
    far = 1e9 * random.normal(size=(2, 6))
    for place in (0, rows // 2, rows):
        whole = Scatter.of(np.insert(values, place, far, axis=0))
        rest = whole - Scatter.of(far)
        assert rest.possible()
        close(rest.centred[0], Scatter.of(values).centred[0], 1e-14)
        np.testing.assert_allclose(rest.mean, values.mean(axis=0)[None], rtol=1e-14)


def test_heavy_tails():
    """So many rows are far out that not all of them are added one by one."""
    values = np.exp(stats.norm.rvs(scale=6, size=(5000, 3), random_state=0))
    found = Scatter.of(values).centred[0]
    close(found, centred(values, np.ones(5000), 0.0))
    sparse = np.where(np.random.default_rng(1).random((5000, 9)) < 0.01, 1.0, 0.0)
    close(Scatter.of(sparse).centred[0], centred(sparse, np.ones(5000), 0.0))


def test_rows_are_taken_back():
    """What is left of a batch, down to one row, could be, and is right to the rounding of the whole."""
    random = np.random.default_rng(2)
    values = random.normal(size=(1000, 4))
    values[0] = 1e-6
    whole = Scatter.of(values, weights=None)
    whole = Scatter(whole.count.astype(np.int64), *list(whole.arrays().values())[1:])
    for left in (0, 1, 2, 500):
        taken = Scatter.of(values[left:])
        rest = whole - Scatter(taken.count.astype(np.int64), *list(taken.arrays().values())[1:])
        assert rest.possible()
        assert np.abs(rest.centred - Scatter.of(values[:left]).centred).max() <= 1e-12
    assert rest.count.dtype == np.int64
    assert whole - whole == whole.empty()
    assert not (whole - Scatter.of(3 * values)).possible()


def test_weights_and_parts():
    random = np.random.default_rng(3)
    values = random.normal(size=(2000, 5))
    values[random.random(values.shape) < 0.05] = np.nan
    cells, times = random.integers(0, 4, 2000), random.integers(0, 4, 2000)
    weighed = Scatter.of(values, cells, times.astype(float), 4)
    repeated = Scatter.of(np.repeat(values, times, axis=0), np.repeat(cells, times), None, 4)
    parts = Scatter.of(values[:70], cells[:70], times[:70] * 1.0, 4)
    parts = parts + Scatter.of(values[70:], cells[70:], times[70:] * 1.0, 4)
    assert np.array_equal(weighed.count, repeated.count)
    pooled = Scatter.of(values, None, times.astype(float))
    for other in (repeated, parts):
        np.testing.assert_allclose(weighed.centred, other.centred, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(weighed.pooled().centred, pooled.centred, rtol=1e-11, atol=1e-11)
    values[times == 0] = np.inf
    assert Scatter.of(values, cells, times.astype(float), 4) == weighed


def test_many_cells():
    random = np.random.default_rng(4)
    values, cells = random.normal(size=(5000, 3)), random.integers(0, 300, 5000)
    found = Scatter.of(values, cells, None, 301)
    for cell in (0, 7, 299):
        mine = values[cells == cell]
        close(found.centred[cell], np.cov(mine.T, ddof=0) * len(mine), 1e-13)
    assert not found.count[300].any()


def test_little_data():
    for rows in (0, 1, 2, 200):
        part = Scatter.of(np.zeros((rows, 0)))
        assert part.mean.shape == (1, 0)
        assert part.centred.shape == (1, 0, 0)
        part = Scatter.of(np.full((rows, 2), [np.nan, 0.1]))
        assert part.mean[0, 0] == 0
        assert part.mean[0, 1] == (0.1 if rows else 0)
        assert not part.centred.any()
        assert part.whole == (rows == 0)
        assert (part - part) == part.empty()
    assert not np.isfinite(Scatter.of(np.full((200, 1), np.inf)).product).any()
    spoilt = np.random.default_rng(0).normal(size=(200, 2))
    spoilt[7, 1] = -np.inf
    assert not np.isfinite(Scatter.of(spoilt).product[0, 1, 1])


@pytest.mark.parametrize("of", ["scatter", "quartics"])
def test_whole_weights_are_counted_in_whole_numbers(of):
    schema = Schema((Column("a", "real"), Column("b", "real")), Column("y", "category", ("n", "p", "q")))
    values, cells = np.random.default_rng(0).normal(size=(9, 2)), np.zeros(9, np.int32)
    for weights, kind in ((None, "i"), (np.ones(9), "i"), (np.full(9, 0.5), "f")):
        block = Block(9, np.zeros((9, 0), np.uint8), values, cells=cells, weights=weights)
        part = answer(Question(of, (0, 1)), schema, block)
        assert len(part.count) == 3
        assert part.count.dtype.kind == kind


def direct(values, weights):
    mean = np.average(values, axis=0, weights=weights)
    away = values - mean
    weighed = away * weights[:, None]
    square = away * away
    return weights.sum(), mean, weighed.T @ away, (weighed * away).T @ away, (weighed * away).T @ square


@pytest.mark.parametrize("middle", [0.0, 1e6])
@pytest.mark.parametrize("weighted", [False, True])
def test_quartics(weighted, middle):
    """Put together from random parts, and with parts taken off again, they are those of all rows at once."""
    random = np.random.default_rng(5)
    values = np.round(random.gamma(2, size=(600, 4)) * 1024) / 1024 + middle  # exact, wherever they are
    weights = random.random(600) if weighted else np.ones(600)
    gone = random.random(600) < 0.1
    values[gone, random.integers(0, 4, gone.sum())] = np.nan
    parts = [
        Quartics.of(values[at], weights=weights[at] if weighted else None)
        for at in np.split(random.permutation(600), np.sort(random.integers(0, 601, 6)))
    ]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    kept = ~gone & (np.arange(600) < 600)
    expected = direct(values[kept] - middle, weights[kept])
    size = [1, 1, *(np.abs(each).max() for each in expected[2:])]
    names = ("count", "mean", "second", "third", "fourth")
    for statistic in (whole, (whole + parts[0]) - parts[0], Quartics.of(values, weights=weights)):
        for name, right, scale in zip(names, expected, size, strict=True):
            found = getattr(statistic, name)[0] - (middle if name == "mean" else 0)
            if name == "mean":
                found = found + statistic.mean_low[0]
            np.testing.assert_allclose(found, right, rtol=1e-10, atol=1e-12 * scale)
    rest = whole
    for part in parts[1:]:
        rest = rest - part
    for name in names:
        np.testing.assert_allclose(getattr(rest, name), getattr(parts[0], name), rtol=1e-9, atol=1e-9)


def test_quartics_of_little():
    for values in (np.zeros((0, 2)), np.full((3, 2), np.nan), np.zeros((3, 0)), np.ones((1, 2))):
        part = Quartics.of(values, n_cells=2)
        assert np.isfinite(part.fourth).all()
        assert not part.second.any()
        assert part - part == part.empty()
        assert part + part.empty() == part


def test_a_column_without_spread_has_no_products_either():
    values = np.array([[1e8, 1e8 + 1e-7, 0.0], [1e8 + 1.5e-8, 1e8 - 2e-6, 1.0], [1e8, 1e8 + 3e-6, 3.0]])
    for rows in (values, np.repeat(values, 40, axis=0)):
        found = Scatter.of(rows).centred[0]
        assert (np.linalg.eigvalsh(found / np.abs(found).max()) > -1e-12).all()
        assert not found[np.diagonal(found) == 0].any()
