"""Windows without a row against windows learnt again without it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.core.block import Block
from likely.core.schema import KERNEL_NAMES, Column, Schema
from likely.errors import NotLearntError
from likely.families.predictor import Evidence, Setting
from likely.families.windows import Windows
from likely.statistics import answer

CLASSES = 6  # the last of them never occurs


def table(values, cells, weights=None):
    values = np.asarray(values, dtype=float)
    codes = np.zeros((len(values), 0), np.uint8)
    return Block(len(values), codes, values, (), np.asarray(cells, np.int32), weights)


def learn(block, form, setting):
    columns = tuple(range(block.reals.shape[1]))
    schema = Schema(tuple(Column(f"x{at}", "real") for at in columns), Column("y", "category", tuple(range(CLASSES))))
    answers = {question: answer(question, schema, block) for question in form.questions(columns)}
    return form.predictor(Evidence(schema, columns, answers, np.bincount(block.cells, block.weights, CLASSES), setting))


def refits(block, form, setting, rows):
    """(rows, classes): what all other rows say of each row."""
    out = np.zeros((len(rows), CLASSES))
    for place, row in enumerate(rows):
        rest = np.arange(block.rows) != row
        weights = None if block.weights is None else block.weights[rest]
        others = table(block.reals[rest], block.cells[rest], weights)
        learn(others, form, setting).add(table(block.reals[[row]], [0]), out[place : place + 1])
    return out


def rows_for(kind, columns):
    random = np.random.default_rng(11)
    # a lonely outlier; classes of one row, of two equal ones, of two
    cells = np.repeat([0, 1, 2, 3, 4], [25, 12, 1, 2, 2])
    values = random.normal(size=(len(cells), columns)) * 2.0 ** np.arange(columns) + cells[:, None]
    values[24], values[39] = 17.0, values[38]
    weights = random.uniform(0.2, 3, len(cells)) if kind == "weighted" else None
    if kind == "ties":
        values = np.round(values)
    if kind in ("holes", "weighted"):
        values[random.random(values.shape) < 0.2] = np.nan
    return table(values, cells, weights)


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["plain", "weighted", "ties", "holes"])
def test_leaving_one_out_is_a_refit(kind, columns):
    block = rows_for(kind, columns)
    rows = [0, 5, 24, 30, 37, 38, 40, 41]
    for kernel, bandwidth, shared, setting in (
        ("gaussian", "silverman", False, Setting("mle")),
        ("gaussian", 0.4, False, Setting("bayes", 0.3, "informative")),
        ("epanechnikov", "scott", True, Setting("bayes")),
        ("box", "silverman", True, Setting("mle")),
        ("biweight", 2.0, False, Setting("map")),
        ("triangular", "scott", False, Setting("bayes", 0.0)),
    ):
        form = Windows(kernel, bandwidth, shared)
        found = learn(block, form, setting).without(block)[rows]
        np.testing.assert_allclose(found, refits(block, form, setting, rows), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("bandwidth", ["silverman", 1.5e-3])
def test_units_far_from_home(bandwidth):
    block = rows_for("plain", 2)
    far = table(block.reals * 1e-3 + 1e6, block.cells)
    form = Windows("gaussian", bandwidth)
    found = learn(far, form, Setting("mle")).without(far)
    np.testing.assert_allclose(found, refits(far, form, Setting("mle"), range(far.rows)), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("setting", [Setting("mle"), Setting("bayes")])
@pytest.mark.parametrize(
    "values",
    [
        [[1.0, 2.0]],
        [[1.0, 2.0], [3.0, 2.0]],
        [[1.0, 2.0], [1.0, 3.0], [1.0, 4.0], [9.0, 5.0]],  # without the last, the first column is silent
        [[1.0, np.nan], [2.0, np.nan], [np.nan, 3.0], [np.nan, 5.0], [4.0, 4.0]],  # no other has both
        [[1.0, np.nan], [2.0, np.nan], [4.0, 4.0]],
        [[np.nan, np.nan], [np.nan, np.nan]],
    ],
)
def test_rows_without_which_a_column_falls_silent(values, setting):
    block = table(values, np.arange(len(values)) % 2)
    for form in (Windows(), Windows("box", 0.7), Windows(joint=False)):
        found = learn(block, form, setting).without(block)
        np.testing.assert_allclose(found, refits(block, form, setting, range(len(values))), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("bandwidth", ["cv", "log-loss"])
@pytest.mark.parametrize("columns", [1, 2, 4])
def test_bandwidths_that_were_searched_for_stay(bandwidth, columns):
    block = rows_for("plain", columns)
    predictor = learn(block, Windows("gaussian", bandwidth), Setting("mle"))
    found = predictor.without(block)
    for cell in (0, 1):
        fixed = Windows("gaussian", tuple(predictor.widths[cell].tolist()))
        want = refits(block, fixed, Setting("mle"), range(block.rows))
        np.testing.assert_allclose(found[:, cell], want[:, cell], rtol=1e-8, atol=1e-8)


def test_rows_that_were_never_learnt():
    predictor = learn(table([[1.0], [2.0], [4.0]], [0, 0, 1]), Windows(), Setting("mle"))
    for value, cell in ((3.0, 0), (4.0, 0), (np.nan, 1), (-99.0, 2)):
        with pytest.raises(NotLearntError) as caught:
            predictor.without(table([[1.0], [value]], [0, cell]))
        assert caught.value.place == "row 1"
    with pytest.raises(NotLearntError):
        predictor.without(table([[1.0]], [0], np.array([1.5])))


values = st.sampled_from([np.nan, 0.0, -0.0, 1.0, 1.5, 2.0, 4.0, 1e6])
tables = st.integers(1, 3).flatmap(
    lambda size: st.lists(
        st.tuples(st.lists(values, min_size=size, max_size=size), st.integers(0, 2)), min_size=1, max_size=8
    )
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables, st.sampled_from(KERNEL_NAMES), st.sampled_from(["silverman", "scott", 1.0]), st.booleans(), st.data())
def test_whatever_the_rows(rows, kernel, bandwidth, shared, data):
    weights = data.draw(st.sampled_from([None, [1.0, 2.0, 1.0], [0.5, 0.1, 1.5]]))
    block = table([row for row, _ in rows], [cell for _, cell in rows], weights and np.resize(weights, len(rows)))
    setting = Setting(data.draw(st.sampled_from(["mle", "map", "bayes"])), data.draw(st.sampled_from([0.0, 1.0])))
    form = Windows(kernel, bandwidth, shared, data.draw(st.sampled_from(["auto", False])))
    found = learn(block, form, setting).without(block)
    assert not np.isnan(found).any()
    np.testing.assert_allclose(found, refits(block, form, setting, range(len(rows))), rtol=1e-8, atol=1e-8)
