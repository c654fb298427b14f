"""Windows on the rows against scikit-learn's KernelDensity, scipy, quadrature and brute force."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from itertools import permutations
from math import factorial

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.neighbors import KernelDensity

import likely
from likely.core.block import Block
from likely.core.schema import KERNEL_NAMES, Column, Schema
from likely.errors import OptionError
from likely.families.draws import Draws
from likely.families.predictor import Evidence, Setting
from likely.families.windows import Windows, read
from likely.statistics import Points, answer

PLAIN = Setting("mle")
THEIRS = {"gaussian": "gaussian", "epanechnikov": "epanechnikov", "box": "tophat", "triangular": "linear"}


def table(values, cells=None, weights=None):
    values = np.asarray(values, dtype=float)
    cells = np.zeros(len(values), np.int32) if cells is None else np.asarray(cells, np.int32)
    # a count column comes first, so that the place in the block is not the place in the schema
    reals = np.column_stack([np.zeros(len(values)), values])
    return Block(len(values), np.zeros((len(values), 1), np.uint8), reals, (), cells, weights)


def schema_for(columns, classes):
    reals = (Column(f"x{at}", "real") for at in range(columns))
    target = Column("y", "category", tuple(range(classes)))
    return Schema((Column("k", "category", ("a",)), Column("n", "count"), *reals), target)


def fit(values, cells=None, form=None, setting=PLAIN, weights=None, classes=1):
    form = form or Windows()
    block = table(values, cells, weights)
    columns = tuple(range(2, 1 + block.reals.shape[1]))
    schema = schema_for(len(columns), classes)
    answers = {question: answer(question, schema, block) for question in form.questions(columns)}
    rows = np.bincount(block.cells, block.weights, classes)
    return form.predictor(Evidence(schema, columns, answers, rows, setting))


def cloud(size, columns, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(size=(size, columns)) * 2.0 ** np.arange(columns) + random.integers(0, 2, (size, 1)) * 3.0


def scored(predictor, values):
    block = table(values)
    out = np.zeros((len(values), len(predictor.rows)))
    predictor.add(block, out)
    return out


@pytest.mark.parametrize("tolerance", [0.0, 1e-6])
@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("kernel", THEIRS)
def test_kernel_density(kernel, columns, tolerance):
    values, cells = cloud(300, columns), np.arange(300) % 3
    points = cloud(200, columns, seed=1)
    predictor = fit(values, cells, Windows(kernel, 1.3, tolerance=tolerance), classes=3)
    for cell in range(3):
        oracle = KernelDensity(bandwidth=1.3, kernel=THEIRS[kernel]).fit(values[cells == cell])
        want = oracle.score_samples(points)
        want[want < -30] = -np.inf  # scikit-learn's zero, and what its rounding makes of one
        np.testing.assert_allclose(scored(predictor, points)[:, cell], want, atol=max(2 * tolerance, 1e-10))


def test_biweight_in_two_columns():
    values, points = cloud(50, 2), cloud(40, 2, seed=1)
    square = (((points[:, None] - values) / 2.5) ** 2).sum(axis=2)
    want = (3 / np.pi * np.clip(1 - square, 0, None) ** 2).mean(axis=1) / 2.5**2
    np.testing.assert_allclose(
        np.exp(scored(fit(values, form=Windows("biweight", 2.5)), points)[:, 0]), want, rtol=2e-6
    )


@pytest.mark.parametrize("bandwidth", ["silverman", "scott"])
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_scipys_factors(bandwidth, columns):
    values, points = cloud(150, columns), cloud(60, columns, seed=1)
    factor = stats.gaussian_kde(values.T, bandwidth).factor
    predictor = fit(values, form=Windows("gaussian", bandwidth))
    np.testing.assert_allclose(predictor.widths[0], factor * values.std(axis=0, ddof=1), rtol=1e-12)
    scale = values.std(axis=0, ddof=1)
    want = KernelDensity(bandwidth=factor).fit(values / scale).score_samples(points / scale) - np.log(scale).sum()
    np.testing.assert_allclose(scored(predictor, points)[:, 0], want, atol=2e-6)
    if columns == 1:
        oracle = stats.gaussian_kde(values.T, bandwidth)
        np.testing.assert_allclose(np.exp(predictor.log_density(points)[:, 0]), oracle(points.T), rtol=2e-6)


@pytest.mark.parametrize("kernel", KERNEL_NAMES)
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_rules_give_every_kernel_the_same_deviation(kernel, columns):
    values = cloud(80, columns)
    predictor = fit(values, form=Windows(kernel, "scott"))
    only = fit(values[:1], form=Windows(kernel, 1.0), setting=PLAIN)
    assert not only.groups  # one row has no spread, and says nothing
    drawn = predictor.sample(np.zeros(40000, dtype=int), np.random.default_rng(0))
    want = values.var(axis=0) + values.var(axis=0, ddof=1) * 80 ** (-2 / (columns + 4))
    np.testing.assert_allclose(drawn.var(axis=0), want, rtol=0.04)


@pytest.mark.parametrize("kernel", KERNEL_NAMES)
@pytest.mark.parametrize("setting", [PLAIN, Setting("bayes", 2.0)])
def test_missing_values_are_summed_out(kernel, setting):
    values = cloud(12, 2)
    predictor = fit(values, form=Windows(kernel, "silverman", tolerance=0.0), setting=setting)
    # even steps where kernels are, wider ones over the tails of the base
    line = np.concatenate([np.linspace(-40, 40, 160001), 40 + np.geomspace(1e-3, 1e5, 4000)])
    line = np.concatenate([-line[:160000:-1], line])
    for x in (-0.5, 1.0):
        curve = np.exp(predictor.log_density(np.column_stack([np.full(len(line), x), line]))[:, 0])
        assert np.exp(scored(predictor, [[x, np.nan]])[0, 0]) == pytest.approx(np.trapezoid(curve, line), rel=3e-4)


@pytest.mark.parametrize("kernel", KERNEL_NAMES)
@pytest.mark.parametrize("gone", [[0], [2], [0, 1], [1, 2]])
def test_missing_values_of_three_columns_are_summed_out(kernel, gone):
    predictor = fit(cloud(9, 3), form=Windows(kernel, 4.0, tolerance=0.0))
    points = cloud(5, 3, seed=3)
    marginal = points.copy()
    marginal[:, gone] = np.nan
    steps = np.linspace(-24, 28, 5201 if len(gone) == 1 else 261)
    grid = np.stack(np.meshgrid(*[steps] * len(gone), indexing="ij"), axis=-1).reshape(-1, len(gone))
    for point, hole in zip(points, marginal, strict=True):
        rows = np.tile(point, (len(grid), 1))
        rows[:, gone] = grid
        mass = np.exp(predictor.log_density(rows)[:, 0]).sum() * (steps[1] - steps[0]) ** len(gone)
        assert np.exp(scored(predictor, [hole])[0, 0]) == pytest.approx(mass, rel=3e-2 if kernel == "box" else 2e-3)


def test_a_query_uses_the_rows_that_have_its_columns():
    values, cells = cloud(60, 2), np.arange(60) % 2
    values[::5, 0], values[::7, 1] = np.nan, np.nan
    predictor = fit(values, cells, Windows("gaussian", 0.8, tolerance=0.0), classes=2)
    for observed in ([0], [1], [0, 1]):
        query = np.full((1, 2), np.nan)
        query[0, observed] = [0.3, 1.0][: len(observed)]
        for cell in (0, 1):
            rows = values[(cells == cell) & ~np.isnan(values[:, observed]).any(axis=1)][:, observed]
            want = KernelDensity(bandwidth=0.8).fit(rows).score_samples(query[:, observed])
            np.testing.assert_allclose(scored(predictor, query)[:, cell], want, atol=1e-9)


def test_columns_that_no_row_has_together_stand_alone():
    values = np.array([[0.0, np.nan], [1.0, np.nan], [np.nan, 5.0], [np.nan, 7.0]])
    predictor = fit(values, [0, 0, 0, 0], classes=2)
    alone = scored(predictor, [[0.5, np.nan], [np.nan, 6.0]])
    np.testing.assert_allclose(scored(predictor, [[0.5, 6.0]])[0], alone.sum(axis=0), rtol=1e-12)
    assert np.isfinite(predictor.sample(np.array([0, 1]), np.random.default_rng(0))).all()


def brute_split(predictor, row):
    """The mean gain of each column over all orders in which they can be told."""
    shares = np.zeros((len(row), len(predictor.rows)))
    for order in permutations(range(len(row))):
        told = np.full(len(row), np.nan)
        before = scored(predictor, [told])[0]
        for column in order:
            told[column] = row[column]
            now = scored(predictor, [told])[0]
            shares[column] += (now - before) / factorial(len(row))
            before = now
    return shares


@pytest.mark.parametrize("columns", [2, 3])
@pytest.mark.parametrize("setting", [PLAIN, Setting("bayes"), Setting("bayes", missing="informative")])
def test_terms_are_shapley_values(columns, setting):
    values, cells = cloud(40, columns), np.arange(40) % 2
    values[np.random.default_rng(4).random(values.shape) < 0.1] = np.nan
    predictor = fit(values, cells, setting=setting, classes=2)
    points = cloud(4, columns, seed=2)
    terms = predictor.terms(table(points))
    np.testing.assert_allclose(terms.sum(axis=1), scored(predictor, points), rtol=1e-12)
    if setting.missing == "ignore":
        for row, point in enumerate(points):
            np.testing.assert_allclose(terms[row], brute_split(predictor, point), rtol=1e-9)


def test_an_impossible_row_is_impossible_in_each_of_its_columns():
    predictor = fit([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]], form=Windows("box", 0.5))
    terms = predictor.terms(table([[0.0, 1.0], [0.0, np.nan], [9.0, 9.0]]))[:, :, 0]
    assert np.isneginf(terms[[0, 2]]).all()
    assert np.isfinite(terms[1]).all()
    assert terms[1, 1] == 0


@pytest.mark.parametrize("columns", [2, 3, 5])
def test_column_order_is_irrelevant(columns):
    values, cells = cloud(60, columns), np.arange(60) % 3
    values[::9, 0] = np.nan
    order = np.random.default_rng(0).permutation(columns)
    for form in (Windows(), Windows("epanechnikov", "scott", shared=True)):
        one = fit(values, cells, form, Setting("bayes"), classes=3)
        other = fit(values[:, order], cells, form, Setting("bayes"), classes=3)
        np.testing.assert_allclose(
            other.terms(table(values[:, order])), one.terms(table(values))[:, order], rtol=1e-6, atol=1e-9
        )


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_bayes_mixes_in_a_student(columns):
    values, cells = cloud(50, columns), np.repeat([0, 1], [10, 40])
    points = np.concatenate([cloud(20, columns, seed=5), np.full((1, columns), 1e3)])
    plain = fit(values, cells, classes=3)
    mixed = fit(values, cells, setting=Setting("bayes", 2.5), classes=3)
    groups = [list(range(columns))] if columns <= 3 else [[column] for column in range(columns)]
    want = np.zeros((len(points), 3))
    for group in groups:
        shape = np.diag(values[:, group].var(axis=0, ddof=1))
        base = stats.multivariate_t(values[:, group].mean(axis=0), shape, 3).pdf(points[:, group])
        alone = np.full(points.shape, np.nan)
        alone[:, group] = points[:, group]
        kernels = np.exp(scored(plain, alone))
        for cell, count in enumerate((10, 40, 0)):
            want[:, cell] += np.log((count * kernels[:, cell] + 2.5 * base) / (count + 2.5))
    np.testing.assert_allclose(scored(mixed, points), want, rtol=1e-9)


def test_a_class_without_rows_borrows_all():
    values, cells = cloud(40, 2), np.repeat([0, 2], 20)
    for form in (Windows(), Windows("box", 1.0), Windows("gaussian", ((0, 1.0), (1, 2.0), (2, 3.0)))):
        predictor = fit(values, cells, form, classes=3)
        width = 2.0 if isinstance(form.bandwidth, tuple) else form.bandwidth
        alone = fit(values, form=Windows(form.kernel, width))
        np.testing.assert_allclose(predictor.widths[1], alone.widths[0], rtol=1e-12)
        np.testing.assert_allclose(scored(predictor, values)[:, 1], scored(alone, values)[:, 0], atol=1e-5)


def test_a_class_without_spread_leans_on_the_others():
    values = np.array([[1.0], [2.0], [4.0], [7.0], [7.0], [7.0], [3.0]])
    cells = [0, 0, 0, 1, 1, 1, 2]
    widths = fit(values, cells, classes=3).widths[:, 0]
    own = np.array([1.0, 2.0, 4.0])
    within = np.sqrt(((own - own.mean()) ** 2).sum() / (7 - 3))
    np.testing.assert_allclose(
        widths, np.array([own.std(ddof=1), within, within]) * (4 / 3 / np.array([3, 3, 1])) ** 0.2
    )
    alone = fit([[1.0], [2.0], [4.0]], [0, 1, 2], classes=3).widths[:, 0]
    np.testing.assert_allclose(alone, own.std(ddof=1) * (4 / 3) ** 0.2)


def left_out(rows, points, widths, skip):
    """(points,): Gaussian densities of rows at points; a point that is one of the rows is judged by the others."""
    apart = stats.norm.pdf(points[:, None], rows, widths).prod(axis=2)
    if skip:
        np.fill_diagonal(apart, 0.0)
    return apart.sum(axis=1) / (len(rows) - skip)


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("shared", [False, True])
def test_cross_validated_bandwidths(columns, shared):
    values, cells = cloud(90, columns), np.repeat([0, 1], [30, 60])
    rule = fit(values, cells, Windows("gaussian", "silverman", shared), classes=2).widths
    found = fit(values, cells, Windows("gaussian", "cv", shared), classes=2).widths
    factors = found[:, 0] / rule[:, 0]
    np.testing.assert_allclose(found, rule * factors[:, None], rtol=1e-12)

    def fit_of(cell, factor):
        rows = values[cells == cell]
        return np.log(left_out(rows, rows, rule[cell] * factor, 1)).sum()

    tried = np.geomspace(0.1, 3, 300)
    for group in [(0, 1)] if shared else [(0,), (1,)]:
        best = max(sum(fit_of(cell, factor) for cell in group) for factor in tried)
        assert sum(fit_of(cell, factors[cell]) for cell in group) > best - 1e-3
    assert shared == (factors[0] == factors[1])


def test_bandwidths_of_the_least_log_loss():
    values, cells = cloud(90, 2), np.repeat([0, 1], [30, 60])
    values[:30] += 1.0
    rule = fit(values, cells, classes=2).widths
    found = fit(values, cells, Windows("gaussian", "log-loss"), classes=2).widths
    factors = found / rule
    np.testing.assert_allclose(factors, factors[0, 0], rtol=1e-12)

    def loss(factor):
        joint = np.empty((90, 2))
        for cell in (0, 1):
            rows = values[cells == cell]
            for other in (0, 1):
                points = values[cells == other]
                joint[cells == other, cell] = left_out(rows, points, rule[cell] * factor, int(cell == other))
        joint *= [1 / 3, 2 / 3]
        return -np.log(joint[np.arange(90), cells] / joint.sum(axis=1)).sum()

    assert loss(factors[0, 0]) < min(loss(factor) for factor in np.geomspace(0.1, 3, 300)) + 1e-3


@pytest.mark.parametrize("bandwidth", ["cv", "log-loss"])
def test_searches_with_nothing_to_choose_by(bandwidth):
    for values, cells in (
        ([[1.0], [2.0]], [0, 1]),
        ([[1.0], [1.0], [2.0], [2.0]], [0, 0, 1, 1]),
        ([[1.0], [3.0]], [0, 0]),
    ):
        rule = fit(values, cells, classes=3)
        found = fit(values, cells, Windows("gaussian", bandwidth), classes=3)
        assert (found.widths > 0).all()
        assert np.isfinite(scored(found, [[1.5]])).all()
        if bandwidth == "cv" and max(cells):
            np.testing.assert_array_equal(found.widths[:2], rule.widths[:2])


def test_shared_bandwidths():
    values, cells = cloud(30, 2), np.repeat([0, 1], [10, 20])
    widths = fit(values, cells, Windows("gaussian", "scott", shared=True), classes=3).widths
    within = np.sqrt(sum(values[cells == cell].var(axis=0) * count for cell, count in ((0, 10), (1, 20))) / 28)
    np.testing.assert_allclose(widths, np.tile(within * 15 ** (-1 / 6), (3, 1)))


def test_given_bandwidths():
    values, cells = cloud(30, 2), np.arange(30) % 2
    for given, widths in (
        (0.5, [[0.5, 0.5], [0.5, 0.5]]),
        ({1: 2, 0: 0.25}, [[0.25, 0.25], [2.0, 2.0]]),
        ([1, 3.0], [[1.0, 3.0], [1.0, 3.0]]),
        (np.array([1, 3]), [[1.0, 3.0], [1.0, 3.0]]),
    ):
        form = read("gaussian", given, False, "auto", 1e-6)
        assert fit(values, cells, form, classes=2).widths.tolist() == widths
        options = json.loads(json.dumps(asdict(form)))
        again = {name: _tuples(value) for name, value in options.items()}
        assert Windows(**again) == form


def _tuples(value):
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ({"kernel": "gausian"}, "O411", "'gaussian'"),
        ({"kernel": None}, "O411", "None"),
        ({"bandwidth": "silvermann"}, "O412", "'silverman'"),
        ({"bandwidth": 0}, "O412", "0"),
        ({"bandwidth": np.inf}, "O412", "inf"),
        ({"bandwidth": True}, "O412", "True"),
        ({"bandwidth": None}, "O412", "None"),
        ({"bandwidth": {0: -1.0, 1: 1.0}}, "O412", "-1.0"),
        ({"bandwidth": [1.0, np.nan]}, "O412", "nan"),
        ({"bandwidth": []}, "O412", "()"),
        ({"bandwidth": {}}, "O412", "()"),
        ({"bandwidth": [[1.0, 2.0]]}, "O412", "[[1.0, 2.0]]"),
        ({"bandwidth": {0: 1.0}}, "O413", "1"),
        ({"bandwidth": [1.0, 2.0, 3.0]}, "O414", "'x0', 'x1'"),
        ({"joint": "yes"}, "O415", "'yes'"),
        ({"joint": None}, "O415", "None"),
        ({"shared": "no"}, "O417", "'no'"),
        ({"tolerance": -1e-9}, "O416", "-1e-09"),
        ({"tolerance": 0.2}, "O416", "0.2"),
        ({"tolerance": np.nan}, "O416", "nan"),
        ({"tolerance": "small"}, "O416", "'small'"),
    ],
)
def test_refusals(options, code, said):
    given = {"kernel": "gaussian", "bandwidth": "silverman", "shared": False, "joint": "auto", "tolerance": 1e-6}
    with pytest.raises(OptionError) as caught:
        fit(cloud(10, 2), np.arange(10) % 2, read(**{**given, **options}), classes=2)
    assert caught.value.code == code
    assert caught.value.place
    assert caught.value.hint
    assert said in str(caught.value)


def test_too_many_columns_for_a_joint_density():
    with pytest.raises(OptionError) as caught:
        fit(cloud(10, 4), form=Windows(joint=True))
    assert caught.value.code == "O419"


def test_products_of_columns():
    values, points = cloud(40, 2), cloud(9, 2, seed=1)
    predictor = fit(values, form=Windows("gaussian", "scott", joint=False))
    alone = [stats.gaussian_kde(values[:, column]).logpdf(points[:, column]) for column in (0, 1)]
    np.testing.assert_allclose(predictor.terms(table(points))[:, :, 0], np.transpose(alone), atol=2e-6)


@pytest.mark.parametrize("setting", [Setting("bayes"), PLAIN])
def test_columns_without_spread_or_values_say_nothing(setting):
    for silent in ([2.0, 2.0, 2.0], [np.nan, np.nan, np.nan]):
        values = np.column_stack([silent, [1.0, 2.0, 4.0]])
        predictor = fit(values, [0, 0, 1], setting=setting, classes=2)
        alone = fit(values[:, 1:], [0, 0, 1], setting=setting, classes=2)
        points = np.array([[2.0, 3.0], [5.0, 1.0], [np.nan, 0.0]])
        terms = predictor.terms(table(points))
        assert not terms[:, 0].any()
        np.testing.assert_allclose(terms[:, 1:], alone.terms(table(points[:, 1:])), rtol=1e-12)
        assert not predictor.widths[:, 0].any()
        assert np.isfinite(predictor.sample(np.array([0, 1]), np.random.default_rng(0))).all()
        nothing = fit(np.column_stack([silent, silent]), [0, 0, 1], setting=setting, classes=2)
        assert not nothing.terms(table(points)).any()
        assert not nothing.without(table(np.column_stack([silent, silent]), [0, 0, 1])).any()


@pytest.mark.parametrize("bandwidth", ["silverman", "scott", "cv", "log-loss", 0.7])
@pytest.mark.parametrize("columns", [1, 2, 4])
def test_weights_are_repeated_rows(bandwidth, columns):
    random = np.random.default_rng(7)
    values, cells, times = cloud(60, columns), random.integers(0, 2, 60), random.integers(1, 4, 60)
    rest = Windows("gaussian", bandwidth), Setting("bayes")
    weighted = fit(values, cells, *rest, times.astype(float), classes=2)
    repeated = fit(np.repeat(values, times, axis=0), np.repeat(cells, times), *rest, classes=2)
    points = cloud(30, columns, seed=3)
    np.testing.assert_allclose(scored(weighted, points), scored(repeated, points), rtol=1e-9)


@pytest.mark.parametrize("bandwidth", ["silverman", "scott", "cv", "log-loss"])
def test_units_change_nothing(bandwidth):
    values, cells = cloud(80, 2), np.arange(80) % 2
    shift, scale = np.array([1e6, -3.0]), np.array([1e3, 1e-4])
    points = cloud(30, 2, seed=3)
    one = fit(values, cells, Windows("gaussian", bandwidth), classes=2)
    other = fit(values * scale + shift, cells, Windows("gaussian", bandwidth), classes=2)
    np.testing.assert_allclose(
        scored(other, points * scale + shift) + np.log(scale).sum(), scored(one, points), atol=1e-5
    )


def test_holes_that_tell():
    values = np.array([[1.0, np.nan], [2.0, 3.0], [4.0, 5.0], [np.nan, np.nan], [3.0, 2.0], [6.0, 1.0]])
    cells = [0, 0, 0, 1, 1, 1]
    informed = fit(values, cells, setting=Setting("bayes", missing="informative"), classes=2)
    plain = fit(values, cells, setting=Setting("bayes"), classes=2)
    said = informed.terms(table([[np.nan, np.nan], [1.0, 2.0]])) - plain.terms(table([[np.nan, np.nan], [1.0, 2.0]]))
    np.testing.assert_allclose(np.exp(said[0]), [[1 / 5, 2 / 5], [2 / 5, 2 / 5]])
    np.testing.assert_allclose(np.exp(said[1]), [[4 / 5, 3 / 5], [3 / 5, 3 / 5]])


@pytest.mark.parametrize("kernel", KERNEL_NAMES)
@pytest.mark.parametrize("setting", [Setting("bayes", 3.0), PLAIN])
def test_samples_follow_the_density(kernel, setting):
    values, cells = cloud(100, 1), np.repeat([0, 1], [30, 70])
    predictor = fit(values, cells, Windows(kernel, "scott"), setting, classes=3)
    drawn = predictor.sample(np.repeat([0, 1, 2], 4000), np.random.default_rng(0)).reshape(3, 4000)
    wide = np.sinh(np.linspace(-10, 10, 40001))
    curves = np.exp(scored(predictor, wide[:, None]))
    for cell in range(3):
        below = np.concatenate([[0], np.cumsum((curves[1:, cell] + curves[:-1, cell]) / 2 * np.diff(wide))])
        assert stats.kstest(drawn[cell], lambda x, below=below: np.interp(x, wide, below)).pvalue > 1e-3


@pytest.mark.parametrize("kernel", KERNEL_NAMES)
def test_samples_of_joint_columns_follow_the_marginals(kernel):
    values = cloud(25, 3)
    predictor = fit(values, form=Windows(kernel, 3.0))
    drawn = predictor.sample(np.zeros(4000, dtype=int), np.random.default_rng(0))
    line = np.linspace(-25, 30, 4001)
    for column in range(3):
        rows = np.full((len(line), 3), np.nan)
        rows[:, column] = line
        curve = np.exp(scored(predictor, rows)[:, 0])
        below = np.concatenate([[0], np.cumsum((curve[1:] + curve[:-1]) / 2 * np.diff(line))])
        assert stats.kstest(drawn[:, column], lambda x, below=below: np.interp(x, line, below)).pvalue > 1e-3


def test_draws_centre_on_the_density():
    values, cells = cloud(60, 2), np.repeat([0, 1], [20, 40])
    points = table(cloud(12, 2, seed=4))
    for setting in (Setting("bayes", 3.0), PLAIN):
        predictor = fit(values, cells, setting=setting, classes=3)
        out = np.zeros((12, 200 * 3))
        predictor.drawn(Draws.of(1, 200)).add(points, out)
        draws = np.moveaxis(np.exp(out).reshape(12, 200, 3), 1, 0)
        want = np.zeros((12, 3))
        predictor.add(points, want)
        error = np.std(draws, axis=0) / np.sqrt(200)
        assert (np.abs(np.mean(draws, axis=0) - np.exp(want)) < 5 * error + 1e-12).all()


def test_blocks_in_threads_are_blocks_in_a_row():
    values, cells = cloud(3000, 2), np.arange(3000) % 3
    values[::11, 0] = np.nan
    one, other = (fit(values, cells, setting=Setting("bayes"), classes=3) for _ in range(2))
    blocks = [values[start : start + 100] for start in range(0, 3000, 100)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda block: scored(one, block), blocks))
    np.testing.assert_array_equal(np.concatenate(together), np.concatenate([scored(other, block) for block in blocks]))


def test_no_rows_and_no_queries():
    nothing = fit(np.zeros((0, 2)), np.zeros(0), classes=2)
    assert not scored(nothing, [[1.0, 2.0]]).any()
    assert fit(cloud(9, 2)).terms(table(np.zeros((0, 2)))).shape == (0, 2, 1)
    assert fit(cloud(9, 2)).without(table(np.zeros((0, 2)))).shape == (0, 1)


def test_points():
    values = np.array([[-0.0, np.nan], [0.0, -np.nan], [1.0, 2.0], [1.0, 2.0]])
    points = Points.of(values, [1, 1, 0, 1], [0.5, 0.25, 1.0, 2.0])
    assert points.cells.tolist() == [0, 1, 1]
    assert points.weights.tolist() == [1.0, 0.75, 2.0]
    assert not np.signbit(points.values).any()
    assert points.weight_of(values, np.array([1, 0, 0, 0])).tolist() == [0.75, 0.0, 1.0, 1.0]
    assert points.take(np.array([1]), np.array([1])) == Points.of([[np.nan], [2.0]], [0, 0], [0.75, 2.0])
    grown = points.embed(np.array([2, 0]), np.array([2, 0]), (3, 3))
    assert grown.cells.tolist() == [0, 0, 2]
    assert np.isnan(grown.values[:, 1]).all()
    assert grown.take(np.array([2, 0]), np.array([2, 0])) == points
    assert not (points - Points.of([[3.0, 3.0]], [0])).possible()
    assert points.fits(2, 2)
    assert not any(wrong.fits(*shape) for wrong, shape in ((points, (1, 2)), (points, (2, 3)), (points * -1, (2, 2))))
    many = np.random.default_rng(0).integers(0, 3, (500, 3)).astype(float)
    unique, counts = np.unique(many, axis=0, return_counts=True)
    found = Points.of(many[:200], np.zeros(200, int)) + Points.of(many[200:], np.zeros(300, int))
    assert found.values.tolist() == unique.tolist()
    assert found.weights.tolist() == counts.tolist()


def test_options_that_do_not_fit_are_named_by_fit_and_change_nothing():
    X, y = cloud(20, 4), np.array(["a", "b"] * 10)
    with pytest.raises(OptionError, match="O419"):
        likely.ParzenBayes(joint=True).fit(X, y)
    model = likely.ParzenBayes(bandwidth={"a": 0.5, "b": 0.2}).fit(X, y)
    with pytest.raises(OptionError, match="class 'c' has no bandwidth"):
        model.partial_fit(X[:3], ["c"] * 3)
    assert model.classes_.tolist() == ["a", "b"]
    assert model.predict(X).shape == (20,)


def test_bandwidths_of_classes_without_rows_wait_for_them():
    X, y = cloud(30, 1), np.array(list("abc") * 10)
    form = likely.ParzenBayes(bandwidth={"a": 0.5, "b": 0.6, "c": 0.7})
    rest = y != "c"
    few = clone(form).fit(X[rest], y[rest])
    gone = clone(form).fit(X, y).forget(X[~rest], y[~rest])
    np.testing.assert_allclose(gone.predict_proba(X), few.predict_proba(X), rtol=1e-10)
    whole = few.merge(clone(form).fit(X[~rest], y[~rest]))
    np.testing.assert_allclose(whole.predict_proba(X), clone(form).fit(X, y).predict_proba(X), rtol=1e-10)


def test_bandwidths_by_class_survive_the_last_row() -> None:
    """A model whose rows are all forgotten has no classes, and no bandwidths of them."""
    X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), ["a", "a", "b", "b"]
    model = likely.ParzenBayes(bandwidth={"a": 1.0, "b": 2.0}).fit(X, y)
    assert model.forget(X, y).classes_.tolist() == []
