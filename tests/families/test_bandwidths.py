"""Rules against SciPy, searches against likelihoods and losses computed point by point."""

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import gaussian_kde
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KernelDensity

from likely.families.kernel_density import KernelSum
from likely.families.kernel_density.bandwidths import cross_validated, least_loss, rule
from likely.families.kernel_density.factors import NARROWEST_FACTOR, WIDEST_FACTOR, QueryPoints

FACTORS = np.exp(np.linspace(np.log(NARROWEST_FACTOR), np.log(WIDEST_FACTOR), 120))


def table(count, columns, seed=0):
    random = np.random.default_rng(seed)
    return np.where(random.random((count, 1)) < 0.5, 0.0, 4.0) + random.normal(size=(count, columns))


def left_out(points, weights, widths, kernel, factor):
    """The leave-one-out likelihood, one point after the other."""
    total = 0.0
    for i, weight in enumerate(weights):
        rest = weights.copy()
        rest[i] -= 1
        at = KernelSum(points[rest > 0], rest[rest > 0], widths * factor, kernel, points.shape[1], 0.0)
        total += weight * at.log_density(points[i : i + 1])[0]
    return total


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_rules_are_those_of_scipy(columns):
    points = table(200, columns)
    found = points.std(axis=0, ddof=1)
    peer = gaussian_kde(points.T)
    np.testing.assert_allclose(rule("scott", found, 200.0, columns, "gaussian"), found * peer.scotts_factor())
    np.testing.assert_allclose(rule("silverman", found, 200.0, columns, "gaussian"), found * peer.silverman_factor())


def test_rules_take_arrays():
    found = rule("scott", np.array([[1.0, 2.0], [3.0, 0.0]]), np.array([[10.0, 10.0], [0.0, 0.0]]), 2, "box")
    np.testing.assert_allclose(found, [[2 * 10 ** (-1 / 6), 4 * 10 ** (-1 / 6)], [6, 0]])


def test_kernels_by_rule_are_equally_wide():
    for kernel in ("box", "triangular", "epanechnikov", "biweight"):
        width = rule("silverman", np.ones(1), 100.0, 1, kernel)
        steps = np.linspace(-4, 4, 80001)[:, None]
        density = np.exp(KernelSum(np.zeros((1, 1)), np.ones(1), width, kernel, 1).log_density(steps))
        spread = np.sqrt((density @ steps[:, 0] ** 2) * (steps[1, 0] - steps[0, 0]))
        assert spread == pytest.approx(rule("silverman", np.ones(1), 100.0, 1, "gaussian")[0], rel=1e-3)


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_the_likeliest_factor(kernel, columns):
    points, weights = table(60, columns), np.ones(60)
    widths = rule("silverman", points.std(axis=0, ddof=1), 60.0, columns, kernel)
    found = cross_validated([(points, weights, widths)], kernel)
    best = max(left_out(points, weights, widths, kernel, factor) for factor in FACTORS[::2])
    assert left_out(points, weights, widths, kernel, found) > best - 0.05


def test_the_likelihood_is_that_of_scikit_learn():
    points = table(40, 2)
    found = cross_validated([(points, np.ones(40), np.ones(2))], "gaussian")

    def score(width):
        return cross_val_score(KernelDensity(bandwidth=width), points, cv=LeaveOneOut()).sum()

    assert score(found) > max(score(width) for width in FACTORS[::6]) - 1e-3


@pytest.mark.parametrize("columns", [1, 2])
def test_many_points(columns):
    points = table(6000, columns)
    weights = np.ones(len(points))
    widths = rule("silverman", points.std(axis=0, ddof=1), 6000.0, columns, "gaussian")
    found = cross_validated([(points, weights, widths)], "gaussian")

    def likelihood(factor):
        kernels = KernelSum(points, weights, widths, "gaussian", columns, 1e-9)
        return kernels.log_density_without(points, weights, np.broadcast_to(widths * factor, points.shape)).sum()

    assert found < 0.7  # two hills: the rule is far too wide
    best = likelihood(found)
    assert best > max(likelihood(found * 0.93), likelihood(found * 1.07)) - 0.3


@pytest.mark.parametrize("kernel", ["gaussian", "box"])
def test_order_and_repetitions_do_not_matter(kernel):
    random = np.random.default_rng(2)
    points, weights = table(5000, 1), random.integers(1, 3, 5000).astype(float)
    found = cross_validated([(points, weights, np.array([0.3]))], kernel)
    order = random.permutation(5000)
    assert cross_validated([(points[order], weights[order], np.array([0.3]))], kernel) == pytest.approx(found, rel=1e-6)
    few, some = points[:300], weights[:300]
    found = cross_validated([(few, some, np.array([0.3]))], kernel)
    twice = np.repeat(few, some.astype(int), axis=0)
    again = cross_validated([(twice, np.ones(len(twice)), np.array([0.3]))], kernel)
    assert again == pytest.approx(found, rel=1e-6)


def test_equal_points_do_not_send_the_widths_to_zero():
    points = np.repeat(table(30, 1), 3, axis=0)
    assert cross_validated([(points, np.ones(90), np.ones(1))], "gaussian") >= NARROWEST_FACTOR * (1 - 1e-12)


def test_nothing_to_choose_by():
    one = (np.zeros((1, 1)), np.ones(1), np.ones(1))
    assert cross_validated([one], "gaussian") == 1
    assert cross_validated([], "gaussian") == 1
    assert cross_validated([(np.zeros((0, 1)), np.ones(0), np.ones(1))], "box") == 1
    assert least_loss([one], np.zeros(1), "gaussian") == 1
    far = (np.array([[0.0], [1e6]]), np.ones(2), np.ones(1))
    assert cross_validated([far], "box") == 1


def test_a_point_out_of_reach_does_not_blind_the_search():
    points = np.concatenate([table(200, 1), [[500.0]]])
    widths = np.full(1, 0.9)
    alone = cross_validated([(points[:-1], np.ones(200), widths)], "epanechnikov")
    assert cross_validated([(points, np.ones(201), widths)], "epanechnikov") == pytest.approx(alone, rel=0.02)


def test_groups_share_a_factor():
    one, two = table(80, 1), table(80, 1, seed=3) * 10
    groups = [(one, np.ones(80), np.array([0.5])), (two, np.ones(80), np.array([5.0]))]
    found = cross_validated(groups, "gaussian")

    def likelihood(factor):
        return sum(left_out(*group, "gaussian", factor) for group in groups)

    assert likelihood(found) > max(map(likelihood, FACTORS[::4])) - 0.02


@pytest.mark.parametrize("kernel", ["gaussian", "triangular"])
def test_the_least_loss(kernel):
    random = np.random.default_rng(4)
    groups = [(table(70, 2), np.ones(70), np.full(2, 1.5)), (random.normal(size=(50, 2)) + 2, np.ones(50), np.ones(2))]
    priors = np.log([0.6, 0.4])
    found = least_loss(groups, priors, kernel)

    def loss(factor):
        total = 0.0
        for cell, (points, weights, _) in enumerate(groups):
            joint = np.empty((len(points), 2))
            for other, (others, masses, widths) in enumerate(groups):
                kernels = KernelSum(others, masses, widths, kernel, 2, 0.0)
                own = weights if cell == other else np.zeros(len(points))
                wide = np.broadcast_to(widths * factor, points.shape)
                joint[:, other] = priors[other] + kernels.log_density_without(points, own, wide)
            joint[np.isneginf(joint).all(axis=1)] = priors
            total -= (joint[:, cell] - logsumexp(joint, axis=1)).sum()
        return total

    assert loss(found) < min(map(loss, FACTORS)) + 0.05


def test_points_that_lie_together_are_asked_as_one():
    points, weights = table(5000, 1), np.full(5000, 2.0)
    asked = QueryPoints.of([(points, weights, np.full(1, 0.5)), (points + 1, weights, np.ones(1))], 0.2, 1 << 17)
    assert asked.weights.sum() == 20_000
    assert len(asked.points) < 500
    assert (asked.own == 1).all()
    assert np.isin(asked.points[asked.cells == 0], points).all()
    assert len(QueryPoints.of([(points, weights, np.ones(1))], 0.0, 1000).points) == 1000


@pytest.mark.parametrize(("kernel", "columns"), [("box", 2), ("box", 3), ("epanechnikov", 2), ("biweight", 1)])
@pytest.mark.parametrize("seed", range(4))
def test_the_least_width_that_reaches_all_is_found(kernel, columns, seed):
    """Far points make the score leap where they come into reach; it falls again from there on."""
    points, weights = np.random.default_rng(seed).exponential(size=(80, columns)), np.ones(80)
    widths = rule("silverman", points.std(axis=0, ddof=1), 80.0, columns, kernel)

    def score(factor):
        at = KernelSum(points, weights, widths, kernel, columns, 0.0).log_density_at(factor, points, weights)
        reached = np.isfinite(at)
        return reached.sum(), at[reached].sum()

    best, found = max(map(score, FACTORS)), score(cross_validated([(points, weights, widths)], kernel))
    assert found[0] == best[0]
    assert found[1] > best[1] - 1.5


def test_clumps_far_apart_are_seen_as_they_are():
    random = np.random.default_rng(0)
    values = np.concatenate([random.normal(-50, 0.5, 300), random.normal(50, 0.5, 300)])
    width = rule("silverman", np.array([values.std(ddof=1)]), 600.0, 1, "gaussian")
    factor = cross_validated([(values[:, None], np.ones(600), width)], "gaussian")

    def likelihood(h):
        away = (values[:, None] - values) / h
        kernels = np.exp(-(away**2) / 2) / h
        np.fill_diagonal(kernels, 0.0)
        return np.log(kernels.sum(axis=1)).sum()

    best = max(np.geomspace(0.05, 2.0, 200), key=likelihood)
    assert factor < 1 / 30
    assert likelihood(factor * width[0]) > likelihood(best) - 0.05
    tied = cross_validated([(values.round()[:, None], np.full(600, 2.0), width)], "gaussian")
    assert tied > 1 / 30 - 1e-9
