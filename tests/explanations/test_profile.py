"""What a model believes and how much a column tells, against sums, quadrature, closed forms and draws."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from scipy import integrate, stats

import likely
from likely.explanations import profile

ESTIMATES = ("bayes", "map", "mle")


def one(model) -> tuple:
    """The only column of a model, and the priors."""
    found = profile(model)
    (column,) = found.columns
    return column, found.priors


def bits(priors, shares) -> float:
    """Mutual information by its definition, from a table (values, classes) that sums to one in each class."""
    joint = shares * priors
    whole = joint.sum(axis=1, keepdims=True) * priors
    some = joint > 1e-300
    return float((joint[some] * np.log2(joint[some] / whole[some])).sum())


def integral(model, low, high, points=400_001) -> float:
    """The same by a fine trapezoid over the densities of the prediction."""
    x = np.linspace(low, high, points)
    density, priors = np.exp(model.explain(x[:, None]).terms[:, 1]), np.exp(model.model_.log_prior)
    joint = density * priors
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = np.where(joint > 0, joint * np.log2(density / joint.sum(axis=1, keepdims=True)), 0.0)
    return float(np.trapezoid(inside.sum(axis=1), x))


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("missing", ["ignore", "informative"])
def test_levels(estimate, missing):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 60)
    levels = np.array(["p", "q", "r", "s"], dtype=object)[np.minimum(rng.poisson(y * 0.7), 3)]
    levels[rng.random(60) < 0.1 * y] = None
    model = likely.NaiveBayes(estimate=estimate, missing=missing).fit(levels[:, None], y)
    column, priors = one(model)
    every = [["p"], ["q"], ["r"], ["s"], [None]][: 5 if missing == "informative" else 4]
    shares = np.exp(model.explain(np.array(every, dtype=object)).terms[:, 1])
    np.testing.assert_allclose(shares.sum(axis=0), 1)
    assert column.bits == pytest.approx(bits(priors, shares), abs=1e-12)
    np.testing.assert_allclose(column.shares, (shares / shares[:4].sum(axis=0))[:4], rtol=1e-12)
    assert column.levels.tolist() == ["p", "q", "r", "s"]


def test_a_column_that_is_the_class_tells_all_of_it():
    y = np.repeat(["a", "b", "c", "d"], 5)
    model = likely.NaiveBayes(estimate="mle").fit(y[:, None], y)
    assert one(model)[0].bits == pytest.approx(2.0, abs=1e-12)


def test_normals_by_adaptive_quadrature():
    rng = np.random.default_rng(2)
    x = np.concatenate([rng.normal(0, 1, 40), rng.normal(4, 0.02, 30), rng.normal(1, 9, 20)])
    y = np.repeat([0, 1, 2], [40, 30, 20])
    model = likely.NaiveBayes(kinds="real", estimate="mle").fit(x[:, None], y)
    column, priors = one(model)
    means, sds = np.array([(x[y == c].mean(), x[y == c].std()) for c in range(3)]).T
    np.testing.assert_allclose(column.mean, means)
    np.testing.assert_allclose(column.spread, sds)

    def inside(v: float) -> float:
        log_density = stats.norm.logpdf(v, means, sds)
        joint = priors * np.exp(log_density)
        some = joint > 0
        return float((joint[some] * (log_density[some] - np.log(joint.sum()))).sum() / np.log(2)) if some.any() else 0.0

    breaks = [-100, -10, -3, 0, 3, 3.8, 3.9, 3.95, 4, 4.05, 4.1, 4.2, 5, 12, 100]
    expected = sum(integrate.quad(inside, a, b, limit=200)[0] for a, b in itertools.pairwise(breaks))
    assert column.bits == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("apart", [0.0, 0.5, 3.0, 30.0])
def test_students_by_a_fine_trapezoid(apart):
    rng = np.random.default_rng(3)
    y = np.arange(24) % 2
    x = rng.normal(apart * y, 1 + y)
    model = likely.NaiveBayes(kinds="real").fit(x[:, None], y)
    column, _ = one(model)
    assert column.bits == pytest.approx(integral(model, -400, 400 + apart, 500_001), abs=1e-6)


def test_the_spread_of_a_student_is_that_of_its_draws():
    x, y = np.array([1.0, 2.0, 4.0, 9.0, 11.0, 15.0, 0.0])[:, None], [0, 0, 0, 1, 1, 1, 2]
    column, _ = one(likely.NaiveBayes(kinds="real", smoothing=3).fit(x, y))
    assert np.isfinite(column.spread).all()
    belief = likely.NaiveBayes(kinds="real", smoothing=3).fit(x, y).model_.parts[0][1].described.belief
    np.testing.assert_allclose(column.spread, belief.predictive().std()[0])
    thin, _ = one(likely.NaiveBayes(kinds="real", smoothing=0.5).fit(x, y))
    assert np.isinf(thin.spread[2])
    assert thin.bits > 0


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_counts_by_their_sum(estimate):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 60)
    x = rng.poisson(1 + 4 * y)[:, None]
    model = likely.NaiveBayes(kinds="count", estimate=estimate).fit(x, y)
    column, priors = one(model)
    every = np.arange(3000)
    shares = np.exp(model.explain(every[:, None]).terms[:, 1])
    assert column.bits == pytest.approx(bits(priors, shares), abs=1e-9)
    np.testing.assert_allclose(column.mean, every @ shares)
    np.testing.assert_allclose(column.spread, np.sqrt(every**2 @ shares - (every @ shares) ** 2))


def test_large_counts_need_not_be_summed_one_by_one():
    rng = np.random.default_rng(5)
    y = np.arange(40) % 2
    x = rng.poisson(np.where(y, 90_000, 89_500))[:, None]
    model = likely.NaiveBayes(kinds="count", estimate="mle").fit(x, y)
    column, priors = one(model)
    shares = stats.poisson.pmf(np.arange(85_000, 95_000)[:, None], [x[y == 0].mean(), x[y == 1].mean()])
    assert column.bits == pytest.approx(bits(priors, shares), abs=1e-5)


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("kernel", ["gaussian", "box"])
def test_windows_by_a_fine_trapezoid(estimate, kernel):
    rng = np.random.default_rng(6)
    y = np.arange(60) % 2
    x = np.where(rng.random(60) < 0.5, rng.normal(-3, 1 + y, 60), rng.normal(3, 0.2, 60))
    model = likely.NaiveBayes(kinds=likely.Parzen(kernel), estimate=estimate).fit(x[:, None], y)
    column, _ = one(model)
    parts = [(-20, 20), *([(-5000, -20), (20, 5000)] if estimate == "bayes" else [])]
    assert column.bits == pytest.approx(sum(integral(model, *part) for part in parts), abs=2e-5)
    points = np.linspace(-40, 40, 400_001)
    if estimate == "mle":
        density = np.exp(model.explain(points[:, None]).terms[:, 1])
        mean = np.trapezoid(points[:, None] * density, points, axis=0)
        np.testing.assert_allclose(column.mean, mean, atol=1e-6)
        variance = np.trapezoid((points[:, None] - mean) ** 2 * density, points, axis=0)
        np.testing.assert_allclose(column.spread, np.sqrt(variance), rtol=1e-3)


@pytest.mark.parametrize("kind", ["real", "count", "parzen", "category"])
@pytest.mark.parametrize("missing", ["ignore", "informative"])
def test_bits_are_what_drawn_rows_tell(kind, missing):
    rng = np.random.default_rng(8)
    y = np.arange(90) % 3
    x = rng.poisson(2 + 3 * y).astype(float)
    x[rng.random(90) < 0.15 * y] = np.nan
    model = likely.NaiveBayes(kinds=kind, missing=missing).fit(x[:, None], y)
    drawn, classes = model.sample(100_000, seed=1)
    terms = model.explain(drawn).terms[:, 1]
    joint = np.exp(terms + model.model_.log_prior).sum(axis=1)
    told = np.log2(np.exp(terms[np.arange(len(terms)), classes]) / joint)
    column, _ = one(model)
    assert column.bits == pytest.approx(told.mean(), abs=5 * told.std() / np.sqrt(len(told)))


def test_a_word_tells_what_its_shares_tell():
    texts = [["win win now"], ["win prize"], ["see you now"], ["you call me"]]
    model = likely.NaiveBayes(kinds="text").fit(texts, ["spam", "spam", "ham", "ham"])
    column, priors = one(model)
    words = ["call", "me", "now", "prize", "see", "win", "you"]
    counts = np.array([[1, 1, 1, 0, 1, 0, 2], [0, 0, 1, 1, 0, 3, 0]]).T + 1.0
    assert column.bits == pytest.approx(bits(priors, counts / counts.sum(axis=0)), abs=1e-12)
    assert column.words[1][0] == "win"
    assert column.words[0][0] == "you"
    assert set(column.words[0]) <= set(words)


@pytest.mark.parametrize("missing", ["ignore", "informative"])
def test_constant_and_empty_columns_tell_only_that_they_are_there(missing):
    y = np.repeat([0, 1], 10)
    x = np.column_stack([np.where(y == 0, 5.0, np.nan), np.full(20, np.nan), np.full(20, 2.0)])
    model = likely.NaiveBayes(kinds="real", missing=missing, estimate="mle").fit(x, y)
    told = {column.name: column for column in profile(model).columns}
    assert told["x0"].bits == pytest.approx(1.0 if missing == "informative" else 0.0, abs=1e-12)
    assert told["x1"].bits == told["x2"].bits == 0
    assert told["x2"].mean.tolist() == [2, 2]
    assert told["x2"].spread.tolist() == [0, 0]


def test_the_most_telling_column_comes_first_and_the_table_reads():
    X = [["sun", 21.0, "a"], ["sun", 25.0, "b"], ["rain", 12.0, "a"], ["rain", 11.0, "b"]]
    found = profile(likely.NaiveBayes().fit(X, ["out", "out", "in", "in"]))
    assert [column.name for column in found.columns] == ["x1", "x0", "x2"]
    lines = repr(found).splitlines()
    assert lines[0].split() == ["column", "kind", "bits", "in", "out"]
    assert "±" in lines[1]
    assert "rain 0.75" in lines[2]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["columns"][1]["levels"] == ["rain", "sun"]
