"""Parzen windows against direct sums over the values, scipy, quadrature, and refits without the row."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, stats

from likely.core.block import Block
from likely.core.schema import BANDWIDTHS, KERNEL_NAMES, Column, Grid, Parzen, Schema
from likely.errors import NotLearntError
from likely.families.draws import Draws
from likely.families.parzen import ParzenWindow
from likely.families.predictor import Evidence, Setting
from likely.statistics import answer

SHAPES = {
    "gaussian": lambda u: np.exp(-0.5 * u**2) / np.sqrt(2 * np.pi),
    "epanechnikov": lambda u: 0.75 * np.clip(1 - u**2, 0, None),
    "box": lambda u: 0.5 * (np.abs(u) <= 1),
    "triangular": lambda u: np.clip(1 - np.abs(u), 0, None),
    "biweight": lambda u: 15 / 16 * np.clip(1 - u**2, 0, None) ** 2,
}
PLAIN = Setting("mle")


def table(values, cells=None, weights=None):
    values = np.asarray(values, dtype=float)
    cells = np.zeros(len(values), np.int32) if cells is None else np.asarray(cells, np.int32)
    # another real column comes first, so that the place in the block is not the place in the schema
    reals = np.column_stack([np.zeros(len(values)), values])
    return Block(len(values), np.zeros((len(values), 1), np.uint8), reals, (), cells, weights)


def schema_for(values, form=None, classes=1):
    values = np.asarray(values, dtype=float)
    low, high = (np.nanmin(values), np.nanmax(values)) if np.isfinite(values).any() else (0.0, 0.0)
    column = Column("x", "parzen", form=form, grid=Grid(low, high))
    target = Column("y", "category", tuple(range(classes)))
    return Schema((Column("k", "category", ("a",)), Column("r", "real"), column), target)


def learn(schema, block, setting=PLAIN):
    family = ParzenWindow()
    answers = {question: answer(question, schema, block) for question in family.questions((2,))}
    rows = np.bincount(block.cells, block.weights, len(schema.classes))
    return family.predictor(Evidence(schema, (2,), answers, rows, setting))


def fit(values, cells=None, weights=None, form=None, setting=PLAIN, classes=1):
    return learn(schema_for(values, form, classes), table(values, cells, weights), setting)


def density(predictor, points):
    return np.exp(predictor.terms(table(points))[:, 0])


def brute(values, points, kernel, width):
    return SHAPES[kernel]((np.asarray(points)[:, None] - values) / width).mean(axis=1) / width


def two_humps(size=400, seed=0):
    random = np.random.default_rng(seed)
    return np.concatenate([random.normal(0, 1, size // 2), random.normal(5, 0.5, size - size // 2)])


@pytest.mark.parametrize("kernel", KERNEL_NAMES)
@pytest.mark.parametrize("width", [0.3, 2.0, 40.0])
def test_direct_sums(kernel, width):
    values = two_humps()
    points = np.linspace(-8, 14, 500)
    predictor = fit(values, form=Parzen(kernel, width))
    truth = brute(values, points, kernel, width)
    found = density(predictor, points)[:, 0]
    # Binning and reading off are linear: each errs by at most spacing² / 8 times the curvature, below 7 / h³; a wide
    # window has at least 64 nodes. Boxes and triangles have edges and kinks, which are off by a node or so.
    spacing = max(Grid(values.min(), values.max()).spacing, width / 64)
    if kernel in ("box", "triangular"):
        assert np.abs(found - truth).mean() < (2.0 if kernel == "box" else 0.5) * spacing / width**2
    else:
        assert np.abs(found - truth).max() < 2 * (spacing**2 / 8 * 7 / width**3)


def test_scipy():
    values = two_humps()
    points = np.linspace(-4, 8, 300)
    predictor = fit(values, form=Parzen("gaussian", "scott"))
    oracle = stats.gaussian_kde(values, bw_method="silverman")  # what scipy names silverman is 1.06 sd n^(-1/5)
    assert predictor.widths[0] == pytest.approx(np.sqrt(oracle.covariance[0, 0]), rel=1e-12)
    np.testing.assert_allclose(density(predictor, points)[:, 0], oracle(points), atol=3e-5)


def test_silverman_is_the_rule_on_the_values():
    random = np.random.default_rng(3)
    for values in (random.normal(size=5000), random.standard_t(2, 5000), random.exponential(size=5000)):
        width = fit(values).widths[0]
        iqr = np.subtract(*np.quantile(values, [0.75, 0.25]))
        rule = 0.9 * min(values.std(ddof=1), iqr / 1.34) * 5000**-0.2
        assert width == pytest.approx(max(rule, Grid(values.min(), values.max()).spacing), rel=2e-2)


def test_equal_quartiles_leave_the_deviation():
    values = np.concatenate([np.full(60, 4.9), np.linspace(0, 10, 40)])
    assert fit(values).widths[0] == pytest.approx(0.9 * values.std(ddof=1) * 100**-0.2, rel=1e-12)


@pytest.mark.parametrize("kernel", KERNEL_NAMES)
def test_rules_give_every_kernel_the_same_deviation(kernel):
    values = two_humps()
    h = fit(values, form=Parzen(kernel, "scott")).widths[0]
    grid = np.linspace(-9, 9, 900001)
    deviation = h * np.sqrt(np.trapezoid(grid**2 * SHAPES[kernel](grid), grid))
    assert deviation == pytest.approx((4 / 3 / len(values)) ** 0.2 * values.std(ddof=1), rel=1e-4)


@pytest.mark.parametrize("kernel", KERNEL_NAMES)
def test_cross_validation_is_the_best_bandwidth(kernel):
    values = two_humps(150, seed=4)

    def left_out(width):
        apart = SHAPES[kernel]((values[:, None] - values) / width)
        np.fill_diagonal(apart, 0)
        with np.errstate(divide="ignore"):
            return np.log(apart.sum(axis=1) / (len(values) - 1) / width).sum()

    width = fit(values, form=Parzen(kernel, "cv")).widths[0]
    best = max(left_out(w) for w in np.geomspace(0.05, 5, 2000))
    # a compact kernel may reach a neighbour in the bins that it just misses in truth
    assert max(left_out(width), left_out(width * 1.02)) > best - 0.5
    if kernel == "gaussian":
        best = optimize.minimize_scalar(lambda w: -left_out(w), bounds=(0.1, 2), method="bounded").x
        assert width == pytest.approx(best, rel=1e-2)


@pytest.mark.parametrize("kernel", KERNEL_NAMES)
@pytest.mark.parametrize("bandwidth", [*BANDWIDTHS, 0.001, 0.37, 11.0, 1e6])
@pytest.mark.parametrize("estimate", ["bayes", "mle"])
def test_densities_integrate_to_one(kernel, bandwidth, estimate):
    values = two_humps(60, seed=5)
    predictor = fit(values, form=Parzen(kernel, bandwidth), setting=Setting(estimate))
    tables = predictor.described.tables
    nodes = tables.origins[0] + tables.spacings[0] * np.arange(-1, tables.starts[1] + 1)
    kernels = density(replace(predictor, setting=PLAIN), nodes)[:, 0]
    # linear between nodes, so that the trapezoidal rule is exact
    assert np.trapezoid(kernels, nodes) == pytest.approx(1, rel=1e-9)
    if estimate == "bayes" and bandwidth != 1e6:
        wide = np.sinh(np.linspace(-40, 40, 400001))
        assert np.trapezoid(density(predictor, wide)[:, 0], wide) == pytest.approx(1, rel=1e-3)


def test_bayes_mixes_in_the_base():
    random = np.random.default_rng(6)
    values, cells = random.normal(3, 2, 50), np.repeat([0, 1], [10, 40])
    points = np.linspace(-20, 20, 41)
    plain = fit(values, cells, classes=3)
    mixed = fit(values, cells, classes=3, setting=Setting("bayes", 2.5))
    base = stats.t.pdf(points, 3, values.mean(), values.std(ddof=1))
    for cell, count in enumerate((10, 40)):
        truth = (count * density(plain, points)[:, cell] + 2.5 * base) / (count + 2.5)
        np.testing.assert_allclose(density(mixed, points)[:, cell], truth, rtol=1e-12)
    np.testing.assert_allclose(density(mixed, points)[:, 2], base, rtol=1e-12)
    pooled = fit(values)
    np.testing.assert_allclose(density(plain, points)[:, 2], density(pooled, points)[:, 0], rtol=1e-12)


def test_far_values_are_finite_under_bayes():
    far = table([1e150, -1e150, 1e15, 0.0])
    assert np.isfinite(fit([1e-3, 2e-3, 5e-3], setting=Setting("bayes")).terms(far)).all()
    assert np.isneginf(fit([1e-3, 2e-3, 5e-3]).terms(table([1e150]))).all()


@pytest.mark.parametrize("setting", [Setting("bayes"), Setting("mle")])
def test_a_column_without_spread_or_values_says_nothing(setting):
    for values in ([2.0, 2.0, 2.0], [np.nan, np.nan, np.nan]):
        predictor = fit(values, [0, 0, 1], setting=setting, classes=2)
        assert not predictor.terms(table([2.0, 7.0, np.nan])).any()
        assert not predictor.without(table(values, [0, 0, 1])).any()
        assert np.isfinite(predictor.sample(np.array([0, 1]), np.random.default_rng(0))).all()
    informed = fit([2.0, 2.0, np.nan], [0, 0, 1], setting=Setting("bayes", missing="informative"), classes=2)
    np.testing.assert_allclose(np.exp(informed.terms(table([5.0])))[0, 0], [3 / 4, 1 / 3])


def test_missing_values_are_left_out():
    values = two_humps(40)
    holes = np.concatenate([values, [np.nan] * 10])
    points = np.linspace(-2, 6, 9)
    np.testing.assert_array_equal(density(fit(values), points), density(fit(holes), points))
    informed = fit(holes, setting=Setting("bayes", missing="informative"))
    assert np.exp(informed.terms(table([np.nan])))[0, 0, 0] == pytest.approx((10 + 1) / (50 + 2))


def test_add_is_the_sum_of_terms():
    values, cells = two_humps(), np.repeat([0, 1], 200)
    predictor = fit(values, cells, setting=Setting("bayes"), classes=2)
    block = table([*np.linspace(-30, 30, 77), np.nan])
    out = np.ones((78, 2))
    predictor.add(block, out)
    np.testing.assert_allclose(out, 1 + predictor.terms(block).sum(axis=1), rtol=0, atol=1e-12)


@pytest.mark.parametrize("bandwidth", [*BANDWIDTHS, 0.4])
def test_weights_are_repeated_rows(bandwidth):
    random = np.random.default_rng(7)
    values, cells = two_humps(60), random.integers(0, 2, 60)
    times = random.integers(1, 4, 60)
    rest = (Parzen("gaussian", bandwidth), Setting("bayes"), 2)
    weighted = fit(values, cells, times.astype(float), *rest)
    repeated = fit(np.repeat(values, times), np.repeat(cells, times), None, *rest)
    points = table(np.linspace(-5, 9, 60))
    np.testing.assert_allclose(weighted.terms(points), repeated.terms(points), rtol=1e-9)


@pytest.mark.parametrize("wider", [(-3.0, 4.0), (-50.0, 9.0), (-1e4, 3e5)])
def test_regridded_counts_are_those_of_the_wider_grid(wider):
    values = np.random.default_rng(8).normal(size=300)
    schema = schema_for(values)
    block, old = table(values), schema.columns[2].grid
    new = old.union(Grid(*wider))
    counts = answer(ParzenWindow().questions((2,))[0], schema, block)
    columns = (*schema.columns[:2], replace(schema.columns[2], grid=new))
    direct = answer(ParzenWindow().questions((2,))[0], replace(schema, columns=columns), block)
    np.testing.assert_allclose(counts.regrid(old, new).table, direct.table, atol=1e-10)


def rows_for(kind):
    random = np.random.default_rng(11)
    values = np.concatenate([two_humps(40, seed=1), [17.0], random.normal(2, 1, 12), [3.0], [4.0, 4.0], [1.5, 2.5]])
    cells = np.repeat([0, 1, 2, 3, 4], [41, 12, 1, 2, 2])  # a lonely outlier; cells of one value, of two equal, of two
    weights = random.uniform(0.2, 3, len(values)) if kind == "weighted" else None
    if kind == "integers":  # many ties, and quartiles that fall on steps
        values = np.round(values)
    values[5] = values[50] = np.nan
    return values, cells, weights


@pytest.mark.parametrize("kind", ["plain", "weighted", "integers"])
@pytest.mark.parametrize("kernel", KERNEL_NAMES)
@pytest.mark.parametrize("bandwidth", ["silverman", pytest.param("scott", marks=pytest.mark.slow), 0.004, 0.5, 30.0])
@pytest.mark.parametrize(
    "setting",
    [pytest.param(Setting("bayes"), marks=pytest.mark.slow), Setting("mle"), Setting("bayes", 0.1, "informative")],
)
def test_leaving_one_out_is_a_refit(kind, kernel, bandwidth, setting):
    values, cells, weights = rows_for(kind)
    schema = schema_for(values, Parzen(kernel, bandwidth), classes=6)  # the last class never occurs
    block = table(values, cells, weights)
    found = learn(schema, block, setting).without(block)
    for row in (0, 1, 5, 20, 33, 40, 41, 47, 50, 53, 54, 55, 56, 57):
        rest = np.arange(len(values)) != row
        others = table(values[rest], cells[rest], None if weights is None else weights[rest])
        want = learn(schema, others, setting).terms(table(values[[row]]))[0, 0]
        np.testing.assert_allclose(found[row], want, rtol=1e-9, atol=1e-9, err_msg=f"row {row}")


def test_leaving_one_out_keeps_the_cross_validated_bandwidth():
    values, cells = two_humps(60), np.arange(60) % 2
    block = table(values, cells)
    predictor = fit(values, cells, form=Parzen("gaussian", "cv"), classes=2)
    fixed = [fit(values, cells, form=Parzen("gaussian", float(width)), classes=2) for width in predictor.widths[:2]]
    for cell in (0, 1):
        np.testing.assert_allclose(predictor.without(block)[:, cell], fixed[cell].without(block)[:, cell], rtol=1e-9)


def test_rows_that_were_never_learnt():
    predictor = fit([1.0, 2.0, 4.0], [0, 0, 1], classes=2)
    for value, cell in ((3.0, 0), (4.0, 0), (99.0, 1), (-99.0, 1)):
        with pytest.raises(NotLearntError):
            predictor.without(table([value], [cell]))


@pytest.mark.parametrize("kernel", KERNEL_NAMES)
@pytest.mark.parametrize("setting", [Setting("bayes", 3.0), Setting("mle")])
def test_samples_follow_the_density(kernel, setting):
    values, cells = two_humps(100), np.repeat([0, 1], [30, 70])
    predictor = fit(values, cells, form=Parzen(kernel, "scott"), setting=setting, classes=3)
    drawn = predictor.sample(np.repeat([0, 1, 2], 4000), np.random.default_rng(0)).reshape(3, 4000)
    wide = np.sinh(np.linspace(-12, 12, 200001))
    for cell in range(3):
        curve = density(predictor, wide)[:, cell]
        below = np.concatenate([[0], np.cumsum((curve[1:] + curve[:-1]) / 2 * np.diff(wide))])
        assert stats.kstest(drawn[cell], lambda x, below=below: np.interp(x, wide, below)).pvalue > 1e-3


def test_draws_centre_on_the_density():
    values, cells = two_humps(100), np.repeat([0, 1], [30, 70])
    for setting in (Setting("bayes", 3.0), Setting("mle")):
        predictor = fit(values, cells, setting=setting, classes=3)
        points = table(np.linspace(-2, 7, 19))
        out = np.zeros((19, 300 * 3))
        predictor.drawn(Draws.of(1, 300)).add(points, out)
        draws = np.moveaxis(np.exp(out).reshape(19, 300, 3), 1, 0)
        want = density(predictor, np.linspace(-2, 7, 19))
        error = np.std(draws, axis=0) / np.sqrt(300)
        assert (np.abs(np.mean(draws, axis=0) - want) < 5 * error + 1e-12).all()


def test_defaults_and_no_rows():
    assert fit(two_humps()).classes.form == Parzen()
    assert fit(two_humps()).terms(table(np.zeros(0))).shape == (0, 1, 1)
    assert fit(two_humps()).without(table(np.zeros(0))).shape == (0, 1)
