"""The scoring kernels against scipy and plain indexing."""

import numpy as np
import pytest
from scipy import stats

from likely.kernels.arithmetic.elementary import log_one_plus
from likely.kernels.densities.student import score_normal, score_student
from likely.kernels.memory import pad_classes as pad
from likely.kernels.scoring.level_scores import score_codes

CLASSES = [1, 2, 3, 4, 5, 8, 10, 16, 17, 26]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int32])
@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (3, 0), (1, 1), (50, 3), (501, 50), (40, 300)])
def test_codes(rows, columns, classes, dtype):
    random = np.random.default_rng(classes)
    sizes = random.integers(1, 9, columns)
    offsets = (np.cumsum(sizes) - sizes).astype(np.int64)
    codes = (random.random((rows, columns)) * sizes).astype(dtype)
    table = random.normal(size=(sizes.sum(), classes))
    out = np.ones((rows, classes))
    score_codes(codes, offsets, pad(table), out)
    np.testing.assert_allclose(out, 1 + table[offsets + codes].sum(axis=1), rtol=1e-12, atol=1e-12)


def test_codes_with_a_plain_table():
    """A table that is not padded is padded on the way."""
    out = np.zeros((2, 3))
    score_codes(np.array([[0, 1], [1, 0]], np.uint8), np.array([0, 2]), np.arange(12.0).reshape(4, 3), out)
    assert out.tolist() == [[9, 11, 13], [9, 11, 13]]


def reals(rows, columns, classes):
    random = np.random.default_rng(rows + columns + classes)
    values = random.normal(3, 2, (rows, columns))
    values[random.random(values.shape) < 0.1] = np.nan
    return random, values, random.normal(3, 1, (columns, classes)), random.uniform(0.5, 3, (columns, classes))


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (3, 0), (1, 1), (50, 7), (301, 50)])
def test_normal(rows, columns, classes):
    random, values, mean, scale = reals(rows, columns, classes)
    absent = random.normal(size=(columns, classes))
    constant = -0.5 * np.log(2 * np.pi * scale**2)
    out = np.ones((rows, classes))
    score_normal(values, pad(mean), pad(1 / scale**2), pad(constant), pad(absent), out)
    terms = stats.norm.logpdf(values[:, :, None], mean, scale)
    expected = np.where(np.isnan(values)[:, :, None], absent, terms).sum(axis=1)
    np.testing.assert_allclose(out, 1 + expected, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("missing", [False, True])
def test_impossible_where_present(missing):
    """A class that never shows a column is impossible where the column is there, and only there."""
    values, zero = np.zeros((2, 1)), np.zeros((1, 1))
    values[1] = np.nan if missing else 0.0
    for score, tables in ((score_normal, (zero, zero)), (score_student, (zero, zero, zero))):
        out = np.zeros((2, 1))
        stops = () if score is score_normal else (np.array([True]),)
        score(values, *map(pad, (*tables, zero - np.inf, zero + 3)), *stops, out)
        assert out[:, 0].tolist() == [-np.inf, 3.0 if missing else -np.inf]


def student(values, freedom, mean, scale, absent, stops):
    """The kernel under scipy's parameters."""
    shape = freedom + np.zeros_like(mean)
    constant = stats.t.logpdf(0, shape, 0, scale)
    out = np.zeros((len(values), mean.shape[1]))
    tables = mean, 1 / (shape * scale**2), (shape + 1) / 2, constant, absent
    score_student(values, *map(pad, tables), stops, out)
    return out


@pytest.mark.parametrize("run", [1, 4, 8])
@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (3, 0), (1, 1), (50, 7), (301, 50)])
def test_student(rows, columns, classes, run):
    random, values, mean, scale = reals(rows, columns, classes)
    absent = random.normal(size=(columns, classes))
    freedom = random.uniform(1, 30, (columns // run + 1, classes)).repeat(run, axis=0)[:columns]
    stops = np.arange(columns) % run == run - 1
    stops[-1:] = True
    out = student(values, freedom, mean, scale, absent, stops)
    terms = stats.t.logpdf(values[:, :, None], freedom, mean, scale)
    expected = np.where(np.isnan(values)[:, :, None], absent, terms).sum(axis=1)
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-11)


def test_student_of_a_million_degrees():
    """u is near 1e-6 and the exponent near 5e5: the product must not lose what log1p keeps."""
    random = np.random.default_rng(5)
    values, mean = random.normal(size=(100, 8)), random.normal(size=(8, 3))
    scale = np.ones((8, 3))
    out = student(values, 1e6, mean, scale, mean * 0, np.arange(8) == 7)
    squares = (values[:, :, None].astype(np.longdouble) - mean) ** 2
    expected = stats.t.logpdf(0, 1e6) * 8 - 500000.5 * np.log1p(squares / 1000000).sum(axis=1)
    np.testing.assert_allclose(out, expected.astype(float), rtol=1e-13)


@pytest.mark.parametrize("size", [1e5, 1e20, 1e80, 1e145])
def test_student_far_away(size):
    """Far values in a run, alone and all together, stay finite and right."""
    random = np.random.default_rng(7)
    values = random.normal(size=(40, 16))
    far = random.random(values.shape) < 0.3
    far[0] = True
    values[far] *= size
    mean, scale = random.normal(size=(16, 5)), random.uniform(0.5, 2, (16, 5))
    out = student(values, 3.0, mean, scale, mean, np.arange(16) % 8 == 7)
    expected = stats.t.logpdf(values[:, :, None], 3.0, mean, scale).sum(axis=1)
    np.testing.assert_allclose(out, expected, rtol=1e-13)


def test_student_of_the_farthest_values():
    """Any finite value scores finite; an infinite one is infinitely unlikely."""
    values = np.array([[1e200, 0.5], [-1e306, 1e306], [np.inf, 0.0], [np.nan, 1e200]])
    mean = np.zeros((2, 1))
    out = student(values, 3.0, mean, mean + 1, mean + 7, np.array([False, True]))[:, 0]
    constant = stats.t.logpdf(0, 3)
    tail = 2 * np.log(10.0) * np.array([200, 306]) - np.log(3.0)
    expected = [stats.t.logpdf(0.5, 3) + constant - 2 * tail[0], 2 * constant - 4 * tail[1], -np.inf]
    np.testing.assert_allclose(out, [*expected, 7 + constant - 2 * tail[0]], rtol=1e-14)


def test_log_one_plus():
    random = np.random.default_rng(9)
    x = np.concatenate(([0.0], np.logspace(-320, 307, 20_001), random.uniform(0, 3, 20_000), 2.0 ** np.arange(-60, 60)))
    found = np.array([log_one_plus(value) for value in x])
    np.testing.assert_allclose(found, np.log1p(x), rtol=5e-16)
