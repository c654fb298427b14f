"""Sketches against counts of the rows themselves: exact while they can be, within their slack beyond; and added up."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.data import Labels, open_source
from likely.errors import DataError, LikelyError, SchemaError
from likely.estimators.face.sketches import Sketches, sketch, sketch_source
from likely.families.discretization import CUTS
from likely.statistics.sketch import MOST_DISTINCT_VALUES, Sketch


def brute(values, cells, weights, classes):
    table = {}
    for value, cell, weight in zip(values, cells, weights, strict=True):
        if value == value and weight > 0:
            table.setdefault(value + 0.0, [0.0] * classes)[cell] += weight
    return sorted(table), [table[value] for value in sorted(table)]


def off_by(found, values, cells, weights, classes):
    """The least and largest weight at or below a value, by class, that the sketch does not tell of."""
    keep = ~np.isnan(values)
    values, cells, weights = values[keep], cells[keep], weights[keep]
    order = np.argsort(values)
    truth = np.cumsum(np.eye(classes)[cells[order]] * weights[order, None], axis=0)
    last = np.append(values[order][1:] != values[order][:-1], True)
    at = np.searchsorted(found.values, values[order][last], side="right")
    told = np.vstack([np.zeros(classes), np.cumsum(found.counts, axis=0)])[at]
    wrong = np.column_stack([truth[last] - told, (truth[last] - told).sum(axis=1)])
    return wrong.min(), wrong.max()


def same(left, right):
    np.testing.assert_array_equal(left.values, right.values)
    np.testing.assert_allclose(left.counts, right.counts, rtol=1e-12)
    assert left.slack == right.slack


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_sketch_of_few_values_is_the_table_of_them(data):
    value = st.sampled_from([np.nan, 0.0, -0.0, 1.5, -2.0, 1e-300, 7.0])
    rows = data.draw(st.lists(st.tuples(value, st.integers(0, 2), st.integers(0, 3)), max_size=30))
    values = np.array([row[0] for row in rows], float)
    cells = np.array([row[1] for row in rows], np.int32)
    weights = np.array([row[2] for row in rows], float)
    found = Sketch.of(values, cells, weights, 3)
    points, counts = brute(values, cells, weights, 3)
    assert found.values.tolist() == points
    assert found.counts.tolist() == counts
    assert found.counts.shape == (len(points), 3)
    assert not np.signbit(found.values[found.values == 0]).any()
    split = data.draw(st.integers(0, len(rows)))
    halves = [Sketch.of(values[at], cells[at], weights[at], 3) for at in (slice(split), slice(split, None))]
    same(halves[0] + halves[1], found)
    same(halves[1] + halves[0], found)
    order = np.random.default_rng(len(rows)).permutation(len(rows))
    same(Sketch.of(values[order], cells[order], weights[order], 3), found)


def test_exact_up_to_the_cap_and_thinned_beyond():
    for extra in (0, 1):
        values = np.random.default_rng(0).permutation(MOST_DISTINCT_VALUES + extra) * 0.5
        found = Sketch.of(values, np.zeros(len(values), np.int32), None, 1)
        assert (
            len(found.values) == MOST_DISTINCT_VALUES if not extra else len(found.values) <= MOST_DISTINCT_VALUES // 2
        )
        assert (found.slack > 0) == bool(extra)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", ["normal", "heavy", "whole"])
def test_a_thinned_sketch_is_within_its_slack(shape, weighted):
    random = np.random.default_rng(3)
    rows, classes = 60_000, 3
    values = random.normal(size=rows) ** 3
    if shape == "heavy":  # most of the weight on few values, among many others
        values[random.random(rows) < 0.7] = random.choice([-1.0, 0.0, 2.5])
    if shape == "whole":
        values = random.integers(0, 20_000, rows).astype(float)
    values[::50] = np.nan
    cells = random.integers(0, classes, rows).astype(np.int32)
    weights = random.exponential(size=rows) if weighted else np.ones(rows)
    found = Sketch.of(values, cells, weights if weighted else None, classes)
    total = weights[~np.isnan(values)].sum()
    assert found.slack == pytest.approx(total / (MOST_DISTINCT_VALUES // 2 - 1))
    assert found.counts.sum() == pytest.approx(total)
    assert len(found.values) <= MOST_DISTINCT_VALUES // 2
    assert (np.diff(found.values) > 0).all()
    assert (found.values[0], found.values[-1]) == (np.nanmin(values), np.nanmax(values))
    assert np.isin(found.values, values).all()
    least, most = off_by(found, values, cells, weights, classes)
    assert least > -1e-7
    assert most <= found.slack + 1e-7

    parts = [Sketch.of(values[at::7], cells[at::7], weights[at::7], classes) for at in range(7)]
    total_of_parts = parts[0]
    for part in parts[1:]:
        total_of_parts = total_of_parts + part
    least, most = off_by(total_of_parts, values, cells, weights, classes)
    assert least > -1e-7
    assert most <= total_of_parts.slack + 1e-7
    assert len(total_of_parts.values) <= MOST_DISTINCT_VALUES
    assert (total_of_parts.values[0], total_of_parts.values[-1]) == (np.nanmin(values), np.nanmax(values))


def mixed(rows=400, seed=0):
    random = np.random.default_rng(seed)
    y = random.choice(["no", "perhaps", "yes"], rows)
    frame = pd.DataFrame(
        {
            "age": random.normal(40, 9, rows).round(1) + 8 * (y == "yes"),
            "town": random.choice(list("abc"), rows),
            "visits": random.poisson(3, rows),
            "smoker": random.integers(0, 2, rows),
        }
    )
    frame.loc[::9, "age"] = np.nan
    return frame, y


@pytest.mark.parametrize("rows", ["pandas", "polars", "arrow", "array"])
def test_sketches_of_any_rows_hold_their_numeric_columns(rows):
    frame, y = mixed()
    given = frame
    if rows == "polars":
        given = pytest.importorskip("polars").from_pandas(frame)
    elif rows == "arrow":
        given = pytest.importorskip("pyarrow").Table.from_pandas(frame)
    elif rows == "array":
        given = frame[["age", "visits"]].to_numpy()
    found = sketch(given, y)
    codes = np.searchsorted(["no", "perhaps", "yes"], y)
    for name, column in (("age", "age"), ("visits", "visits")):
        at = found.names[name if rows != "array" else f"x{('age', 'visits').index(name)}"]
        points, counts = brute(frame[column], codes, np.ones(len(y)), 3)
        assert found.columns[at].values.tolist() == points
        assert found.columns[at].counts.tolist() == counts
    assert len(found.cuts("mdl")) == 2
    assert "'no', 'perhaps', 'yes'" in repr(found)


def test_parts_add_up_to_the_whole_with_classes_and_kinds_of_their_own():
    frame, y = mixed()
    frame["few"] = np.where(np.arange(len(y)) < 150, np.arange(len(y)) % 2, np.arange(len(y)) % 5 / 2)
    frame["flags"] = np.arange(len(y)) % 3 == 0
    frame["late"] = np.where(np.arange(len(y)) < 150, np.nan, frame["age"])
    y = np.where((np.arange(len(y)) < 150) & (y == "yes"), "no", y)  # one part knows two classes
    whole = sketch(frame, y)
    halves = [sketch(frame[at], y[at]) for at in (slice(150), slice(150, None))]
    assert len(halves[0].schema.classes) == 2
    assert "few" not in halves[0].names  # binary by chance, as yet
    for both in (halves[0] + halves[1], halves[1] + halves[0]):
        assert both.names == whole.names
        assert {"few", "late"} <= set(both.names)
        assert not {"smoker", "flags", "town"} & set(both.names)
        for at in both.names.values():
            same(both.columns[at], whole.columns[at])
        for method in CUTS:
            assert both.cuts(method, bins=4) == whole.cuts(method, bins=4)


def test_weights_are_rows():
    frame, y = mixed(200)
    weights = np.random.default_rng(1).integers(0, 4, 200)
    twice = sketch(frame.loc[frame.index.repeat(weights)], y.repeat(weights))
    once = sketch(frame, y, sample_weight=weights)
    for at in once.names.values():
        same(once.columns[at], twice.columns[at])


def test_cuts_say_what_is_to_be_done_by_column():
    frame, y = mixed()
    found = sketch(frame, y).cuts({"age": [30, 50], "visits": "width"}, bins=2)
    assert found["age"] == (30.0, 50.0)
    assert len(found["visits"]) == 1
    assert set(sketch(frame, y, kinds={"visits": "category", "smoker": "real"}).cuts("mdl")) == {"age", "smoker"}
    with pytest.raises(LikelyError, match="Did you mean 'frequency'"):
        sketch(frame, y).cuts("frequent")
    with pytest.raises(LikelyError, match="no column of numbers"):
        sketch(frame, y).cuts({"town": "mdl"})


def test_sketches_of_other_columns_do_not_add_up():
    frame, y = mixed()
    with pytest.raises(SchemaError) as caught:
        sketch(frame, y) + sketch(frame.rename(columns={"age": "aged"}), y)
    assert caught.value.code == "S201"
    assert "Did you mean" in str(caught.value)
    with pytest.raises(SchemaError) as caught:
        sketch(frame, y) + sketch(frame.astype({"age": str}), y)
    assert caught.value.code == "S203"
    with pytest.raises(TypeError):
        sketch(frame, y) + 1


def test_a_table_without_numbers_has_no_cuts():
    assert sketch([["a"], ["b"]], [0, 1]).cuts("mdl") == {}


def test_infinite_values_are_refused_with_their_row():
    X = np.zeros((300, 2))
    X[7, 1] = np.inf
    with pytest.raises(DataError) as caught:
        sketch(X, np.arange(300) % 2, kinds="real")
    assert caught.value.code == "D104"
    assert "'x1', row 7" in caught.value.place


def test_blocks_of_a_source_add_up(monkeypatch):
    """Small blocks of a copied matrix, added in pairs: nothing is lost, and slack grows slowly."""
    random = np.random.default_rng(5)
    X = np.asfortranarray(random.normal(size=(60_000, 6)))
    X[:, 0] = X[:, 0].round(2)
    y = random.integers(0, 4, len(X))
    monkeypatch.setattr("likely.data.arrays.BYTES_OF_A_COPIED_BLOCK", 1 << 17)  # 22 blocks
    source = open_source(X, labels=Labels.read(y))
    found = sketch_source(source, source.survey("real"))
    assert sorted(found) == list(range(6))
    same(found[0], Sketch.of(X[:, 0], y, None, 4))
    for at in range(1, 6):
        assert found[at].slack <= len(X) * (2 + np.log2(22)) / (MOST_DISTINCT_VALUES // 2 - 1)
        least, most = off_by(found[at], X[:, at], y, np.ones(len(X)), 4)
        assert least >= 0
        assert most <= found[at].slack


def test_sketches_are_values():
    found = sketch([[1.0], [2.5]], [0, 1])
    assert isinstance(found, Sketches)
    with pytest.raises(AttributeError):
        found.schema = None
