"""Kernel densities against scikit-learn, SciPy, quadrature and plain sums in log space."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import gamma, logsumexp
from scipy.stats import gaussian_kde
from sklearn.neighbors import KernelDensity

from likely.families.kernel_density import KernelSum
from likely.families.kernel_density.grids import GridPlan, SpreadPoints
from likely.families.kernel_density.lines import Line
from likely.families.kernel_density.profiles import deviation

PEERS = {"gaussian": "gaussian", "box": "tophat", "triangular": "linear", "epanechnikov": "epanechnikov"}
KERNELS = (*PEERS, "biweight")


def plain(points, weights, widths, kernel, queries):
    """(queries,): the log density by its definition, in extended precision; widths (columns,) or (queries, columns)."""
    columns = points.shape[1]
    away = (points[None].astype(np.longdouble) - queries[:, None]) / np.broadcast_to(widths, queries.shape)[:, None]
    squares = (away**2).sum(axis=-1)
    if kernel == "gaussian":
        logs, constant = -squares / 2, (2 * np.pi) ** (columns / 2)
    else:
        power = {"box": 0, "epanechnikov": 1, "biweight": 2}.get(kernel)
        if power is None:
            height = np.maximum(1 - np.sqrt(squares), 0)
            constant = 2 * np.pi ** (columns / 2) / gamma(columns / 2) / (columns * (columns + 1))
        else:
            height = np.where(squares < 1, np.maximum(1 - squares, 0) ** power, 0)
            constant = np.pi ** (columns / 2) * gamma(power + 1) / gamma(columns / 2 + power + 1)
        with np.errstate(divide="ignore"):
            logs = np.log(height)
    sizes = np.log(np.broadcast_to(widths, queries.shape)).sum(axis=1)
    with np.errstate(divide="ignore"):
        return (logsumexp(logs, b=weights, axis=1) - sizes).astype(float) - np.log(constant * weights.sum())


def agree(got, exact, tolerance):
    """Whether densities are within a relative error, but for the rounding of distances and logs."""
    assert ((got == -np.inf) == (exact == -np.inf)).all()
    some = exact > -np.inf
    assert (np.abs(got[some] - exact[some]) <= tolerance + 1e-12 + 1e-14 * np.abs(exact[some])).all()


@pytest.mark.parametrize(("kernel", "columns"), [(kernel, columns) for kernel in PEERS for columns in (1, 2, 3)])
@pytest.mark.parametrize("tolerance", [0.0, 1e-6])
@pytest.mark.parametrize("count", [1, 100, 3000])
def test_the_same_as_scikit_learn(kernel, columns, tolerance, count):
    random = np.random.default_rng(columns)
    points, queries = random.normal(size=(count, columns)), random.normal(size=(100, columns))
    width = 0.4 if kernel == "gaussian" else 0.9
    peer = KernelDensity(kernel=PEERS[kernel], bandwidth=width, rtol=0, atol=0).fit(points)
    got = KernelSum(points, np.ones(count), np.full(columns, width), kernel, columns, tolerance).log_density(queries)
    theirs = peer.score_samples(queries)
    # where next to nothing is left, scikit-learn's bounds have rounded it away
    sure = theirs > theirs.max() - 12
    np.testing.assert_allclose(got[sure], theirs[sure], rtol=0, atol=tolerance + 1e-9)


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_the_same_as_scipy(columns):
    random = np.random.default_rng(columns)
    points = random.normal(size=(2000, columns))
    points -= points.mean(axis=0)
    points = points @ np.linalg.inv(np.linalg.cholesky(np.cov(points.T).reshape(columns, columns))).T
    weights = random.random(len(points))
    peer = gaussian_kde(points.T)
    queries = random.normal(size=(200, columns))
    got = KernelSum(points, np.ones(len(points)), np.full(columns, peer.factor), "gaussian", columns)
    np.testing.assert_allclose(got.log_density(queries), peer.logpdf(queries.T), rtol=0, atol=1e-6)
    peer = gaussian_kde(points.T, 0.3, weights)
    widths = np.sqrt(np.diag(peer.covariance))
    if columns == 1:
        got = KernelSum(points, weights, widths, "gaussian", columns)
        np.testing.assert_allclose(got.log_density(queries), peer.logpdf(queries.T), rtol=0, atol=1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("columns", "whole"), [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)])
def test_every_kernel_has_mass_one_and_its_deviation(kernel, columns, whole):
    kernels = KernelSum(np.zeros((1, columns)), np.ones(1), np.ones(columns), kernel, whole)
    sphere = 2 * np.pi ** (columns / 2) / gamma(columns / 2)

    def moment(order):
        def part(r):
            query = np.zeros((1, columns))
            query[0, -1] = r
            return sphere * r ** (columns - 1 + order) * np.exp(kernels.log_density(query)[0])

        return quad(part, 0, 9 if kernel == "gaussian" else 1, epsabs=1e-12)[0]

    assert moment(0) == pytest.approx(1, rel=1e-9)
    assert moment(2) / columns == pytest.approx(deviation(kernel, whole) ** 2, rel=1e-8)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_marginal_is_the_integral_of_the_joint(kernel):
    random = np.random.default_rng(5)
    points, weights, widths = random.normal(size=(6, 3)), random.random(6), np.array([1.0, 0.7, 1.3])
    joint = KernelSum(points, weights, widths, kernel, 3, 0.0)
    pair = KernelSum(points[:, :2], weights, widths[:2], kernel, 3, 0.0)
    single = KernelSum(points[:, :1], weights, widths[:1], kernel, 3, 0.0)
    steps = np.linspace(-12, 12, 24001)
    for query in random.normal(size=(5, 2)) * 0.5:
        line = np.column_stack([np.broadcast_to(query, (len(steps), 2)), steps])
        total = np.exp(joint.log_density(line)).sum() * (steps[1] - steps[0])
        jumps = 2e-3 if kernel == "box" else 1e-5  # half a step at the edges of every box
        assert total == pytest.approx(np.exp(pair.log_density(query[None])[0]), rel=jumps, abs=jumps)
        line = np.column_stack([np.full(len(steps), query[0]), steps])
        total = np.exp(pair.log_density(line)).sum() * (steps[1] - steps[0])
        assert total == pytest.approx(np.exp(single.log_density(query[None, :1])[0]), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("width", [0.05, 0.3, 3.0, 1e3])
def test_gaussians_keep_the_bound_everywhere(columns, tolerance, width):
    random = np.random.default_rng(columns)
    points, weights = random.normal(size=(1500, columns)), random.random(1500) ** 8
    queries = random.normal(size=(60, columns)) * np.repeat([1.0, 4.0, 100.0 * width], 20)[:, None]
    widths = width * np.linspace(1, 2, columns)
    got = KernelSum(points, weights, widths, "gaussian", columns, tolerance).log_density(queries)
    agree(got, plain(points, weights, widths, "gaussian", queries), tolerance)


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-10])
@pytest.mark.parametrize("factor", [1.0, 1.5, 2.0])
def test_the_grid_itself_keeps_the_bound(columns, tolerance, factor, monkeypatch):
    monkeypatch.setattr(GridPlan, "pays", lambda *_: True)
    random = np.random.default_rng(columns)
    points, weights = random.normal(size=(1100, columns)), random.random(1100)
    queries, widths = random.normal(size=(100, columns)) * 1.5, np.linspace(1.0, 1.2, columns)
    spread = SpreadPoints.of(points, weights, widths, tolerance, 0)
    assert spread is not None
    sums = spread.smoothed(factor).sums(queries)
    exact = plain(points, weights, widths * factor, "gaussian", queries)
    exact += columns / 2 * np.log(2 * np.pi) + np.log(widths * factor).sum() + np.log(weights.sum())
    read = sums > 0
    assert read.mean() > 0.9
    agree(np.log(sums[read]), exact[read], tolerance)


@pytest.mark.parametrize("kernel", KERNELS)
def test_near_points_of_little_weight_are_not_lost_beside_far_ones_of_much(kernel):
    random = np.random.default_rng(6)
    points = np.concatenate([random.normal(size=2000), random.normal(size=2000) + 9])[:, None]
    weights = np.repeat([1e-12, 1e6], 2000)
    queries, widths = np.linspace(-8, 12, 81)[:, None], np.array([0.5])
    got = KernelSum(points, weights, widths, kernel, 1).log_density(queries)
    agree(got, plain(points, weights, widths, kernel, queries), 1e-6)


@given(
    st.integers(1, 1500),
    st.integers(1, 3),
    st.sampled_from(KERNELS),
    st.floats(-3, 3),
    st.sampled_from([0.0, 1e-6, 1e-3]),
    st.sampled_from([0.0, 1e8, -1e5]),
    st.integers(0, 2**32),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_points_any_widths(count, columns, kernel, log_width, tolerance, shift, seed):
    random = np.random.default_rng(seed)
    points = np.round(random.normal(size=(count, columns)), int(random.integers(0, 4))) + shift
    weights = random.integers(0, 4, count) * random.choice([1.0, 0.37])
    widths = 10.0**log_width * random.uniform(0.5, 2, columns)
    queries = np.vstack([points[:10], random.normal(size=(20, columns)) * 3 + shift])
    got = KernelSum(points, weights, widths, kernel, columns, tolerance).log_density(queries)
    if not weights.any():
        assert (got == -np.inf).all()
        return
    exact = plain(points, weights, widths, kernel, queries)
    if kernel == "gaussian":
        agree(got, exact, tolerance)
    else:  # a kernel's edge may be crossed by a rounding of the distance
        largest = np.exp(exact.max()) if np.isfinite(exact.max()) else 0.0
        height = np.exp(plain(np.zeros((1, columns)), np.ones(1), widths, kernel, np.zeros((1, columns)))[0])
        edge = 0.0
        if kernel == "box":
            squares = (((points - queries[:, None]) / widths) ** 2).sum(axis=-1)
            edge = height * ((np.abs(squares - 1) < 1e-12) @ weights) / weights.sum()
        room = tolerance * np.exp(exact) + edge + 1e-13 * max(height, largest)
        assert (np.abs(np.exp(got) - np.exp(exact)) <= room).all()


@pytest.mark.parametrize("kernel", ["box", "triangular", "epanechnikov", "biweight"])
@pytest.mark.parametrize("whole", [1, 3])
def test_lines_are_as_exact_as_trees(kernel, whole):
    random = np.random.default_rng(7)
    points, weights = np.concatenate([random.normal(size=3000), [30.0, 31.0, 60.0]])[:, None], random.random(3003)
    queries = np.concatenate([random.normal(size=300) * 3, random.uniform(28, 62, 200), points[:50, 0] + 0.25])[:, None]
    fast = KernelSum(points, weights, np.array([0.25]), kernel, whole)
    exact = KernelSum(points, weights, np.array([0.25]), kernel, whole, 0.0)
    assert isinstance(fast._fast, Line)
    assert exact._fast is None
    agree(fast.log_density(queries), exact.log_density(queries), 1e-6)
    most = np.exp(fast.log_density(queries).max())
    np.testing.assert_allclose(
        np.exp(fast.log_density(queries)), np.exp(exact.log_density(queries)), rtol=1e-9, atol=1e-13 * most
    )


@pytest.mark.parametrize("width", [1.0, 3.0, 49.0, 0.1])
@pytest.mark.parametrize("tolerance", [0.0, 1e-6])
def test_a_box_does_not_reach_what_is_just_a_width_away(width, tolerance):
    points = np.repeat(np.arange(2000.0), 2)[:, None] * width / 7
    kernels = KernelSum(points, np.ones(len(points)), np.array([width]), "box", 1, tolerance)
    queries = points[1000:1020:2]
    count = np.array([(np.abs(points[:, 0] - query) < width).sum() for query in queries[:, 0]])
    np.testing.assert_allclose(np.exp(kernels.log_density(queries)), count / 2 / width / len(points), rtol=1e-12)


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_far_tails(columns):
    random = np.random.default_rng(8)
    points = random.normal(size=(2000, columns))
    kernels = KernelSum(points, np.ones(2000), np.full(columns, 0.5), "gaussian", columns)
    queries = np.zeros((5, columns))
    queries[:, 0] = [10.0, 100.0, 500.0, 1e6, 1e140]
    exact = plain(points, np.ones(2000), np.full(columns, 0.5), "gaussian", queries)
    agree(kernels.log_density(queries), exact, 1e-6)
    assert np.isfinite(kernels.log_density(queries)).all()
    queries[:, 0] = [1e160, -1e200, np.inf, -np.inf, 1e308]
    assert (kernels.log_density(queries) == -np.inf).all()


@pytest.mark.parametrize("columns", [1, 2])
def test_widths_tiny_and_huge(columns):
    random = np.random.default_rng(9)
    points, weights = random.normal(size=(2000, columns)), np.ones(2000)
    for width in (1e-150, 1e-20, 1e-5, 1e5, 1e20):
        for kernel in KERNELS:
            widths = np.full(columns, width)
            got = KernelSum(points, weights, widths, kernel, columns).log_density(points[:20])
            agree(got, plain(points, weights, widths, kernel, points[:20]), 1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
def test_each_query_by_itself_as_with_others(kernel):
    random = np.random.default_rng(10)
    points, queries = random.normal(size=(3000, 2)), random.normal(size=(1000, 2)) * 3
    kernels = KernelSum(points, np.ones(3000), np.full(2, 0.3), kernel, 2)
    together = kernels.log_density(queries)
    assert (together[:40] == [kernels.log_density(query[None])[0] for query in queries[:40]]).all()
    assert kernels.log_density(queries[:0]).shape == (0,)


def test_grids_are_used_where_they_pay():
    random = np.random.default_rng(11)
    for columns, width, grid in ((1, 0.1, True), (2, 0.15, True), (3, 0.01, False), (2, 1e-9, False)):
        points = random.normal(size=(20_000, columns))
        kernels = KernelSum(points, np.ones(len(points)), np.full(columns, width), "gaussian", columns)
        assert (kernels._fast is not None) == grid


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_without_is_a_sum_over_the_others(kernel, columns):
    random = np.random.default_rng(12)
    points = np.vstack([np.round(random.normal(size=(150, columns)), 1), np.full((1, columns), 40.0)])
    points, counts = np.unique(points, axis=0, return_counts=True)
    weights = counts.astype(float)
    widths = random.uniform(0.5, 1.5, points.shape)
    own = np.minimum(weights, random.choice([0.0, 1.0, 0.5], len(points)))
    kernels = KernelSum(points, weights, np.ones(columns), kernel, columns)
    got = kernels.log_density_without(points, own, widths)
    for i in range(len(points)):
        rest = weights.copy()
        rest[i] -= own[i]
        exact = plain(points[rest > 0], rest[rest > 0], widths[i], kernel, points[i : i + 1])
        assert got[i] == pytest.approx(exact[0], rel=1e-9, abs=1e-6)


def test_without_the_only_point_nothing_is_left():
    kernels = KernelSum(np.zeros((1, 1)), np.array([0.3]), np.ones(1), "gaussian", 1)
    assert kernels.log_density_without(np.zeros((1, 1)), np.array([0.3]), np.ones((1, 1)))[0] == -np.inf


@pytest.mark.parametrize("kernel", ["gaussian", "triangular"])
def test_without_under_a_factor_is_the_same_on_a_grid_and_by_a_tree(kernel):
    random = np.random.default_rng(13)
    points = np.concatenate([random.normal(size=3000), [9.0, 15.0]])[:, None]
    kernels = KernelSum(points, np.ones(3002), np.array([0.3]), kernel, 1)
    for factor in (0.04, 0.3, 1.0, 2.7):
        got = kernels.log_density_at(factor, points, np.ones(3002))
        exact = kernels.log_density_without(points, np.ones(3002), np.full((3002, 1), 0.3 * factor))
        agree(got, exact, 1e-4)


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("kernel", KERNELS)
def test_few_points_are_added_up_exactly(kernel, columns):
    random = np.random.default_rng(14)
    points, queries = random.normal(size=(1000, columns)), random.normal(size=(200, columns)) * 2
    logs = [
        KernelSum(points, np.ones(1000), np.full(columns, 0.4), kernel, columns, tolerance).log_density(queries)
        for tolerance in (0.0, 1e-2)
    ]
    np.testing.assert_array_equal(*logs)
