"""Numeric columns below the class, against scipy, quadrature and refits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from likely.core.block import Block, parent_cells
from likely.core.schema import KERNEL_NAMES, Column, Grid, Parzen, Schema
from likely.errors import NotLearntError
from likely.families.defaults import FAMILIES
from likely.families.draws import Draws
from likely.families.predictor import ESTIMATES, Evidence, Setting
from likely.statistics import answer
from likely.statistics.questions import Question

KINDS = ("real", "count", "parzen")
WEIGHTS = [None, (1.0, 2.0, 1.0), (0.5, 1.5, 0.1)]
PARENTS = (0, 1)  # two parents of 2 and 3 levels: six cells
CHILDREN = (2, 3)
PLAIN = Setting()
GAUSS = np.polynomial.legendre.leggauss(120)


def make(kind, seed=0, rows=40, gone=0.0, classes=3, form=None):
    rng = np.random.default_rng(seed)
    codes = np.column_stack([rng.integers(0, 2, rows), rng.integers(0, 3, rows)]).astype(np.uint8)
    cells = rng.integers(0, classes, rows).astype(np.int32)
    centre = 2.0 * cells[:, None] + 1.5 * codes[:, :1] + np.array([0.0, 5.0])
    values = rng.poisson(centre + 1.0).astype(float) if kind == "count" else np.round(rng.normal(centre), 1)
    if gone:
        values[rng.random(values.shape) < gone] = np.nan
        for place, levels in enumerate((2, 3)):
            codes[rng.random(rows) < gone, place] = levels
    low, high = (np.nanmin(values), np.nanmax(values)) if np.isfinite(values).any() else (0.0, 0.0)
    children = tuple(
        Column(name, kind, form=form, grid=Grid(low, high) if kind == "parzen" else None) for name in ("x", "z")
    )
    columns = (Column("a", "binary", (0, 1)), Column("b", "category", ("u", "v", "w")), *children)
    schema = Schema(columns, Column("y", "category", tuple(range(classes))))
    return schema, Block(rows, codes, values, (), cells, None)


def questions(columns, by, kind):
    for of in ("moments", "grid") if kind == "parzen" else ("moments",):
        yield Question(of, columns)
        if by:
            yield Question(of, columns, by)


def family_of(kind):
    return next(family for family in FAMILIES if kind in family.kinds)


def fit(schema, block, setting=PLAIN, columns=None, by=PARENTS):
    kind = schema.columns[2].kind
    columns = columns or (CHILDREN[:1] if kind == "parzen" else CHILDREN)
    answers = {question: answer(question, schema, block) for question in questions(columns, by, kind)}
    rows = np.bincount(block.cells, block.weights, len(schema.classes))
    return family_of(kind).predictor(Evidence(schema, columns, answers, rows, setting, by))


def level(schema, block, setting=PLAIN, columns=None):
    kind = schema.columns[2].kind
    columns = columns or (CHILDREN[:1] if kind == "parzen" else CHILDREN)
    answers = {question: answer(question, schema, block) for question in family_of(kind).questions(columns)}
    rows = np.bincount(block.cells, block.weights, len(schema.classes))
    return family_of(kind).predictor(Evidence(schema, columns, answers, rows, setting))


def take(block, at):
    at = np.asarray(at)
    weights = None if block.weights is None else block.weights[at]
    return replace(
        block, rows=len(at), codes=block.codes[at], reals=block.reals[at], cells=block.cells[at], weights=weights
    )


def points(values):
    """Rows that hold these values in both columns."""
    values = np.atleast_1d(np.asarray(values, dtype=float))
    return Block(len(values), np.zeros((len(values), 2), np.uint8), np.column_stack([values, values]))


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("kind", KINDS)
def test_without_is_a_refit(kind, estimate):
    @settings(max_examples=8, deadline=None, derandomize=True)
    @given(
        st.integers(0, 10**6),
        st.integers(3, 18),
        st.sampled_from([0.0, 0.3]),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.sampled_from(WEIGHTS),
        st.sampled_from(["ignore", "informative"]),
        st.sampled_from([PARENTS, (1,), ()]),
        st.sampled_from([Parzen(kernel, width) for kernel in KERNEL_NAMES for width in ("silverman", "scott", 0.7)]),
    )
    def holds(seed, rows, gone, smoothing, weights, missing, by, form):
        schema, block = make(kind, seed, rows, gone, form=form if kind == "parzen" else None)
        block = replace(block, weights=None if weights is None else np.resize(weights, rows))
        setting = Setting(estimate, smoothing, missing)
        cells = parent_cells(block, schema, by) if by else np.full(rows, -1)
        counted = cells >= 0
        # a cell may be imagined where a parent is missing, or be none
        imagined = np.random.default_rng(seed).integers(-1, int(schema.parts(by).prod()) if by else 0, rows)
        cells = np.where(counted, cells, imagined)
        apart = fit(schema, block, setting, by=by).terms_without(block, cells, counted)
        for row in range(rows):
            rest = fit(schema, take(block, np.delete(np.arange(rows), row)), setting, by=by)
            expected = rest.terms(take(block, [row]), cells[[row]])[0]
            np.testing.assert_allclose(apart[row], expected, rtol=1e-9, atol=1e-9)

    holds()


def exactly(predictor):
    """The same predictor, that leaves out without the compiled loop."""
    predictor.__dict__["_leaving"] = None
    return predictor


def spoilt(values, how, rng):
    """Values that are hard to take out."""
    values, at = values.copy(), (rng.integers(len(values)), rng.integers(values.shape[1]))
    if how == "constant":
        values[~np.isnan(values[:, 0]), 0] = 0.1
    elif how == "few":
        values = np.round(values / 5.0)
    elif how == "small":
        values *= 1e-30
    elif how == "close":
        values[~np.isnan(values[:, 0]), 0] = 0.1
        values[at[0], 0] = np.nextafter(0.1, 1.0)
    elif how:
        values[at] = how
    return values


HARD = ["", "constant", "few", "small", "close", 1e3, 1e6, -1e9, 1e12]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.integers(0, 10**6),
    st.integers(2, 40),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from([0.001, 0.5, 1.0, 20.0]),
    st.sampled_from([*WEIGHTS, (1.0, 1e-3, 40.0), (1e6, 1.0)]),
    st.sampled_from(["ignore", "informative"]),
    st.sampled_from([PARENTS, (1,), ()]),
    st.sampled_from(HARD),
)
def test_the_compiled_loop_leaves_out_exactly(seed, rows, gone, smoothing, weights, missing, by, how):
    rng = np.random.default_rng(seed)
    schema, block = make("real", seed, rows, gone, classes=1 + seed % 5)
    weights = None if weights is None else np.resize(weights, rows)
    block = replace(block, reals=spoilt(block.reals, how, rng), weights=weights)
    cells = parent_cells(block, schema, by) if by else np.full(rows, -1)
    counted = cells >= 0
    cells = np.where(counted, cells, rng.integers(-1, int(schema.parts(by).prod()) if by else 0, rows))
    setting = Setting("bayes", smoothing, missing)
    found, expected = fit(schema, block, setting, by=by), exactly(fit(schema, block, setting, by=by))
    assert found.leaving() is not None
    given_cells = found.terms_without(block, cells, counted), expected.terms_without(block, cells, counted)
    np.testing.assert_allclose(*given_cells, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(found.without(block), expected.without(block), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("how", HARD)
def test_hard_values_are_left_out_as_by_a_refit(how):
    schema, block = make("real", 21, 25, 0.1)
    block = replace(block, reals=spoilt(block.reals, how, np.random.default_rng(3)))
    cells = parent_cells(block, schema, PARENTS)
    apart = fit(schema, block).terms_without(block, cells, cells >= 0)
    for row in range(25):
        rest = fit(schema, take(block, np.delete(np.arange(25), row)))
        expected = rest.terms(take(block, [row]), cells[[row]])[0]
        np.testing.assert_allclose(apart[row], expected, rtol=1e-9, atol=1e-9)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    st.integers(0, 10**6), st.sampled_from([None, (0.5, 1.5, 0.1)]), st.sampled_from(HARD), st.sampled_from("abcdefg")
)
def test_the_compiled_loop_refuses_what_was_never_learnt(seed, weights, how, wrong):
    rng = np.random.default_rng(seed)
    schema, block = make("real", seed, 20, 0.1 * (seed % 2))
    block = replace(block, reals=spoilt(block.reals, how, rng), weights=np.resize(weights, 20) if weights else None)
    cells, at = parent_cells(block, schema, PARENTS), rng.integers(20)
    found, expected = fit(schema, block), exactly(fit(schema, block))
    other = replace(block, reals=block.reals.copy(), cells=block.cells.copy(), start=100)
    other = replace(other, weights=np.ones(20) if block.weights is None else block.weights.copy())
    if wrong == "a":
        other.cells[at] = (other.cells[at] + 1) % 3
    elif wrong == "b":
        cells[at] = (cells[at] + 1) % 6
    elif wrong in "cd":
        other.weights[at] *= 1.001 if wrong == "c" else 5.0
    else:
        other.reals[at] *= {"e": 1.0 + 1e-9, "f": 1.1, "g": 30.0}[wrong]

    def told(leave):
        try:
            leave()
        except NotLearntError as error:
            return str(error)
        return ""

    counted = cells >= 0
    assert told(lambda: found.terms_without(other, cells, counted)) == told(
        lambda: expected.terms_without(other, cells, counted)
    )
    assert told(lambda: found.without(other)) == told(lambda: expected.without(other))


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("missing", ["ignore", "informative"])
def test_terms_add_up(kind, estimate, missing):
    for seed, smoothing in ((0, 0.0), (1, 1.0), (2, 0.5)):
        schema, block = make(kind, seed, 300, 0.2 * (seed > 0), classes=1 + 2 * seed)
        predictor = fit(schema, block, Setting(estimate, smoothing, missing))
        cells = parent_cells(block, schema, PARENTS)
        terms = predictor.terms(block, cells)
        assert not np.isnan(terms).any()
        size = np.where(np.isfinite(terms), np.abs(terms), 0.0).sum(axis=1).max() + 1.0
        for skip in ((), *((place,) for place in range(terms.shape[1])), tuple(range(terms.shape[1]))):
            out = np.ones((block.rows, len(schema.classes)))
            predictor.add(block, out, cells, skip)
            kept = np.delete(terms, list(skip), axis=1)
            np.testing.assert_allclose(out, 1.0 + kept.sum(axis=1), rtol=1e-12, atol=1e-12 * size)


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_cell_is_the_class(kind, estimate):
    schema, block = make(kind, 3, 60, 0.2)
    for setting in (Setting(estimate, 1.0, "informative"), Setting(estimate, 0.0)):
        expected = level(schema, block, setting).terms(block)
        nowhere = np.full(block.rows, -1)
        for by in (PARENTS, ()):
            np.testing.assert_allclose(fit(schema, block, setting, by=by).terms(block, nowhere), expected, rtol=1e-12)


def own_values(schema, block, place):
    """((class, cell), values) of every cell, straight from the rows."""
    cells = parent_cells(block, schema, PARENTS)
    values = block.reals[:, place]
    for c in range(len(schema.classes)):
        for cell in range(6):
            here = values[(block.cells == c) & (cells == cell)]
            yield (c, cell), here[~np.isnan(here)]


def test_reals_by_hand():
    schema, block = make("real", 4, 50, 0.15)
    s, x = 0.7, np.linspace(-4.0, 14.0, 7)
    column = block.reals[:, 1][~np.isnan(block.reals[:, 1])]
    groups = dict(own_values(schema, block, 1))
    everywhere = [block.reals[(block.cells == c), 1] for c in range(3)]
    everywhere = [values[~np.isnan(values)] for values in everywhere]

    def learn(mean, strength, shape, rate, values):
        n, gap = len(values), (values.mean() if len(values) else mean) - mean
        spread = ((values - values.mean()) ** 2).sum() if n else 0.0
        after = strength + n
        return mean + n * gap / after, after, shape + n / 2, rate + spread / 2 + strength * n * gap**2 / after / 2

    def spread_of(parts):
        return sum(((values - values.mean()) ** 2).sum() for values in parts if len(values))

    whole = column.var()
    within = (spread_of(everywhere) + s * whole) / (len(column) + s)
    found = {cell: fit(schema, block, Setting("bayes", s)).terms(points(x), np.full(7, cell)) for cell in range(6)}
    for c in range(3):
        of_class = learn(column.mean(), s * within / whole, s / 2, s * within / 2, everywhere[c])
        mean, variance = of_class[0], of_class[3] / of_class[2]
        for cell in range(6):
            own = learn(mean, s, s / 2, s * variance / 2, groups[c, cell])
            m, k, a, b = own if len(groups[c, cell]) else of_class
            expected = stats.t(2 * a, m, np.sqrt(b / a * (1 + 1 / k))).logpdf(x)
            np.testing.assert_allclose(found[cell][:, 1, c], expected, rtol=1e-10)


@pytest.mark.parametrize("estimate", ["map", "mle"])
def test_plain_reals_by_hand(estimate):
    schema, block = make("real", 5, 40, 0.15)
    x, setting = np.linspace(-4.0, 14.0, 7), Setting(estimate, 1.0)
    alone, predictor = level(schema, block, setting).terms(points(x)), fit(schema, block, setting)
    for (c, cell), values in own_values(schema, block, 0):
        found = predictor.terms(points(x), np.full(7, cell))[:, 0, c]
        able = len(set(values)) > 1
        if able:
            expected = stats.norm(values.mean(), values.std(ddof=estimate == "map")).logpdf(x)
        np.testing.assert_allclose(found, expected if able else alone[:, 0, c], rtol=1e-10)


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_counts_by_hand(estimate):
    schema, block = make("count", 6, 40, 0.15)
    x, s = np.arange(8.0), 0.6
    predictor = fit(schema, block, Setting(estimate, s))
    column = block.reals[:, 0]
    for (c, cell), values in own_values(schema, block, 0):
        mine, mean = column[(block.cells == c) & ~np.isnan(column)], np.nanmean(column)
        if estimate != "mle":
            of_class = (s * mean + mine.sum()) / (s + len(mine))
            shape, rate = s * of_class + values.sum(), s + len(values)
            if not len(values) and estimate == "bayes":
                shape, rate = s * mean + mine.sum(), s + len(mine)
        law = stats.nbinom(shape, rate / (rate + 1)) if estimate == "bayes" else None
        if estimate == "map":
            law = stats.poisson(shape / rate)
        if estimate == "mle":
            law = stats.poisson(values.mean() if len(values) else mine.mean())
        found = predictor.terms(points(x), np.full(8, cell))[:, 0, c]
        np.testing.assert_allclose(found, law.logpmf(x), rtol=1e-10)


@pytest.mark.parametrize("form", [Parzen("gaussian", 0.8), Parzen("epanechnikov", "scott"), Parzen("biweight", "cv")])
def test_parzen_is_a_mixture(form):
    schema, block = make("parzen", 7, 80, form=form)
    x, s = np.linspace(-3.0, 12.0, 50), 2.0
    whole = level(schema, block, Setting("bayes", s)).terms(points(x))[:, 0]
    predictor, cells = fit(schema, block, Setting("bayes", s)), parent_cells(block, schema, PARENTS)
    for cell in range(6):
        # of the rows of one cell alone, the class-level maximum likelihood density is that of the cell
        rows = take(block, np.flatnonzero(cells == cell))
        alone = np.exp(level(schema, rows, Setting("mle")).terms(points(x))[:, 0])
        found = predictor.terms(points(x), np.full(50, cell))[:, 0]
        for c in range(3):
            n = (rows.cells == c).sum()
            if len(set(rows.reals[rows.cells == c, 0])) > 1:
                expected = (n * alone[:, c] + s * np.exp(whole[:, c])) / (n + s)
                np.testing.assert_allclose(np.exp(found[:, c]), expected, rtol=1e-9)


def test_parzen_cells_borrow_the_spread_of_their_class():
    values = np.array([0.0, 1.0, 2.0, 3.0, 0.0, 0.1, 0.2, 0.3, 9.0])
    codes = np.array([[0, 0], [0, 0], [0, 0], [1, 1], [0, 0], [0, 0], [0, 0], [1, 1], [1, 2]], np.uint8)
    classes = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2], np.int32)
    schema, _ = make("parzen", form=Parzen("gaussian", "scott"))
    schema = replace(
        schema, columns=(*schema.columns[:2], *(replace(column, grid=Grid(0.0, 9.0)) for column in schema.columns[2:]))
    )
    block = Block(9, codes, np.column_stack([values, values]), (), classes)
    predictor = fit(schema, block, Setting("mle"))
    for c, centre in ((0, 3.0), (1, 0.3), (2, 9.0)):
        lent = values[classes == c] if c < 2 else values
        width = 1.06 * lent.std(ddof=1)
        cell = 4 if c < 2 else 5
        height = predictor.terms(points([centre]), np.array([cell]))[0, 0, c]
        assert height == pytest.approx(-np.log(width * np.sqrt(2 * np.pi)), abs=0.02)


def cover(kind, low, high):
    """Points between low and high, and how wide a stretch each stands for, over the whole line if need be."""
    if kind == "count":
        whole = np.arange(200.0)
        whole = whole[(whole > low) & (whole <= high)]
        return whole, np.ones(len(whole))
    a, b = np.arctan(low - 2.0), np.arctan(high - 2.0)
    if kind == "real":
        nodes, widths = GAUSS
    else:  # linear between very many nodes: nothing smooth enough for Gauss
        nodes, widths = (np.arange(20_000) + 0.5) / 10_000 - 1.0, np.full(20_000, 1 / 10_000)
    angles = a + (nodes + 1.0) * (b - a) / 2.0
    return 2.0 + np.tan(angles), widths * (b - a) / 2.0 / np.cos(angles) ** 2


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("smoothing", [0.0, 1.0])
def test_mass_is_the_integral(kind, estimate, smoothing):
    schema, block = make(kind, 8, 30, 0.1, classes=2)
    predictor = fit(schema, block, Setting(estimate, smoothing, "informative"))
    edges = (-1.0, 0.25, 2.0, 3.0, 40.0)
    mass = predictor.mass(0, edges)
    assert mass.shape == (2, 7, 6)
    np.testing.assert_allclose(np.exp(mass).sum(axis=2), 1.0, rtol=1e-12)
    here = level(schema, block, Setting(estimate, smoothing, "informative")).terms(points([np.nan]))[0, 0]
    here = np.log1p(-np.exp(here))  # the terms hold the probability of being there, the masses do not
    for cell in (-1, 0, 3, 5):
        for k, (low, high) in enumerate(zip((-np.inf, *edges), (*edges, np.inf), strict=True)):
            x, widths = cover(kind, low, high)
            density = np.exp(predictor.terms(points(x), np.full(len(x), cell))[:, 0] - here)
            tolerance = {"real": 1e-9, "count": 1e-12, "parzen": 2e-4}[kind]
            np.testing.assert_allclose(np.exp(mass[:, cell, k]), widths @ density, atol=tolerance)


def test_far_masses_keep_their_digits():
    schema, block = make("real", 8, 200, classes=2)
    predictor = fit(schema, block, Setting("mle"))
    mass = predictor.mass(0, (-12.0, 14.0))
    for (c, cell), values in own_values(schema, block, 0):
        law = stats.norm(values.mean(), values.std())
        assert mass[c, cell, 0] == pytest.approx(law.logcdf(-12.0), rel=1e-9)
        assert mass[c, cell, 2] == pytest.approx(law.logsf(14.0), rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_no_edges_is_everything(kind):
    schema, block = make(kind, 8)
    assert np.abs(fit(schema, block).mass(0, ())).max() < 1e-12


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("estimate", ESTIMATES)
def test_a_column_without_spread_says_nothing(kind, estimate):
    schema, block = make(kind, 9)
    block = replace(block, reals=np.zeros_like(block.reals))
    for smoothing in (0.0, 1.0):
        predictor = fit(schema, block, Setting(estimate, smoothing))
        cells = parent_cells(block, schema, PARENTS)
        assert not predictor.terms(block, cells).any()
        assert not predictor.terms_without(block, cells, cells >= 0).any()
        out = np.zeros((block.rows, 3))
        predictor.add(block, out, cells)
        predictor.drawn_cells(Draws.of(0, 1)).add(block, out, cells)
        assert not out.any()
        assert not predictor.sample(block.cells, np.random.default_rng(0), cells).any()
        np.testing.assert_array_equal(np.exp(predictor.mass(0, (-1.0, 0.0, 1.0))), np.tile([0.0, 1, 0, 0], (3, 7, 1)))


@pytest.mark.parametrize("kind", KINDS)
def test_samples_have_the_law_of_the_terms(kind):
    schema, block = make(kind, 10, 300, 0.1)
    predictor = fit(schema, block, Setting("bayes", 3.0))
    edges = (1.0, 3.0, 5.0)
    mass = np.exp(predictor.mass(0, edges))
    n = 20_000
    for c, cell in ((0, 1), (2, 5), (1, -1)):
        drawn = predictor.sample(np.full(n, c), np.random.default_rng(c), np.full(n, cell))
        assert drawn.shape == (n, 1 if kind == "parzen" else 2)
        shares = np.bincount(np.searchsorted(edges, drawn[:, 0]), minlength=4) / n
        assert np.abs(shares - mass[c, cell]).max() < 4 * 0.5 / np.sqrt(n)


@pytest.mark.parametrize("kind", KINDS)
def test_samples_have_holes_where_they_inform(kind):
    schema, block = make(kind, 11, 400, 0.4)
    predictor = fit(schema, block, Setting(missing="informative"))
    drawn = predictor.sample(np.zeros(5000, int), np.random.default_rng(0), np.full(5000, 2))
    gone = np.isnan(block.reals[block.cells == 0, 0]).mean()
    assert np.isnan(drawn[:, 0]).mean() == pytest.approx(gone, abs=0.03)


@pytest.mark.parametrize("kind", KINDS)
def test_draws_average_to_the_prediction(kind):
    # the predictive is the mean of the likelihood over the posterior
    schema, block = make(kind, 12, 60, 0.1)
    predictor = fit(schema, block, Setting("bayes", 4.0))
    x, cells = points([2.0, 4.0, 5.0]), np.array([0, 3, -1])
    many = 300 if kind == "parzen" else 1000
    out = np.zeros((3, many * 3))
    predictor.drawn_cells(Draws.of(0, many)).add(x, out, cells, () if kind == "parzen" else (1,))
    draws = out.reshape(3, many, 3).transpose(1, 0, 2)
    likely = np.exp(draws)
    error = likely.std(axis=0) / np.sqrt(len(draws))
    assert (error > 0).all()
    assert (np.abs(likely.mean(axis=0) - np.exp(predictor.terms(x, cells)[:, 0])) < 5 * error).all()


@pytest.mark.parametrize("kind", ["real", "count"])
def test_every_estimate_is_drawn_alike(kind):
    schema, block = make(kind, 12, 60, 0.1)
    cells, found = parent_cells(block, schema, PARENTS), []
    for estimate in ESTIMATES:
        found.append(np.zeros((block.rows, 5 * 3)))
        fit(schema, block, Setting(estimate)).drawn_cells(Draws.of(1, 5)).add(block, found[-1], cells)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.parametrize("kind", ["real", "parzen"])
@pytest.mark.parametrize("estimate", ESTIMATES)
def test_shift_and_scale_change_nothing(kind, estimate):
    schema, block = make(kind, 13, 60)
    shift, scale = (1024.0, 4.0) if kind == "real" else (0.0, 4.0)
    columns = tuple(
        replace(column, grid=Grid(column.grid.low * scale, column.grid.high * scale)) if column.grid else column
        for column in schema.columns
    )
    moved = replace(block, reals=block.reals * scale + shift)
    cells = parent_cells(block, schema, PARENTS)
    setting = Setting(estimate)
    one = fit(schema, block, setting).terms(block, cells)
    other = fit(replace(schema, columns=columns), moved, setting).terms(moved, cells)
    np.testing.assert_allclose(other + np.log(scale), one, rtol=1e-9, atol=1e-9)


def test_far_values_are_finite():
    schema, block = make("real", 14, 40)
    predictor, cells = fit(schema, block), np.array([0, 5, -1])
    far = points([1e154, -1e200, 3e307])
    out = np.zeros((3, 3))
    predictor.add(far, out, cells)
    assert np.isfinite(out).all()
    np.testing.assert_allclose(out, predictor.terms(far, cells).sum(axis=1), rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_never_learnt_is_refused(kind):
    schema, block = make(kind, 15, 30)
    cells = parent_cells(block, schema, PARENTS)
    predictor = fit(schema, block)
    wrong = (cells + 1) % 6
    with pytest.raises(NotLearntError, match="M301"):
        predictor.terms_without(block, wrong, np.ones(30, dtype=bool))


@pytest.mark.parametrize("kind", KINDS)
def test_no_rows_and_no_values(kind):
    schema, block = make(kind, 16, 12)
    empty = replace(block, reals=np.full_like(block.reals, np.nan))
    for known in (take(block, np.arange(0)), empty):
        predictor = fit(schema, known)
        assert not predictor.terms(block, np.zeros(12, int)).any()
        assert predictor.terms(take(block, np.arange(0)), np.arange(0)).shape[0] == 0
    assert fit(schema, block).terms_without(take(block, np.arange(0)), np.arange(0), np.zeros(0, bool)).shape[0] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_root_has_its_class_alone(kind):
    schema, block = make(kind, 17, 60, 0.1)
    root, under, nowhere = fit(schema, block, by=()), fit(schema, block), np.full(60, -1)
    edges, rng = (1.0, 3.0), np.random.default_rng(0)
    np.testing.assert_allclose(root.mass(0, edges)[:, 0], under.mass(0, edges)[:, -1], rtol=1e-12)
    assert np.isfinite(root.sample(block.cells, rng, nowhere)).all()
    out = np.zeros((60, 3))
    root.drawn_cells(Draws.of(0, 1)).add(block, out, nowhere)
    assert np.isfinite(out).all()
