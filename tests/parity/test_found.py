"""Faults that were found, each with the case that showed it."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import likely


@pytest.mark.parametrize("seed", range(20))
def test_parzen_parts_can_be_forgotten(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(20, 1)), rng.choice(["a", "b"], 20)
    parts = likely.NaiveBayes(kinds="parzen").partial_fit(X[:8], y[:8]).partial_fit(X[8:], y[8:])
    parts.forget(X[:8], y[:8])
    assert parts.model_.rows.sum() == 12


def test_a_binary_column_that_lost_its_ones_is_as_if_it_never_had_them():
    X, y = np.array([[0, 1.5], [0, 2.5], [1, 3.5], [0, 4.5]]), ["a", "b", "b", "a"]
    rest = likely.NaiveBayes().fit(X, y).forget(X[2:3], y[2:3])
    never = likely.NaiveBayes().fit(X[[0, 1, 3]], ["a", "b", "a"])
    np.testing.assert_allclose(rest.predict_proba(X), never.predict_proba(X), rtol=1e-12)


@pytest.mark.parametrize("weight", [5e18, 1e19, 1e300])
def test_weights_beyond_whole_numbers(weight):
    model = likely.NaiveBayes().fit([["a"], ["b"], ["a"]], ["x", "y", "y"], sample_weight=[weight] * 3)
    np.testing.assert_allclose(model.predict_proba([["a"]]), [[0.5, 0.5]])


@pytest.mark.parametrize("frame", [False, True])
def test_large_integers_are_levels_of_their_own(frame):
    X = np.array([[2**53], [2**53 + 1], [2**53], [2**53 + 1]])
    X = pd.DataFrame({"x": X[:, 0]}) if frame else X
    model = likely.NaiveBayes(kinds="category").fit(X, list("abab"))
    assert model.predict(X).tolist() == list("abab")


@pytest.mark.parametrize(
    "labels",
    [
        np.array([-100, 100, 0], dtype=np.int8),
        np.array([2**64 - 2, 2**64 - 1, 2**64 - 2], dtype=np.uint64),
        np.array([-(2**63), 5, -(2**63)]),
        np.array([True, False, True]),
    ],
)
def test_labels_at_the_ends_of_their_type(labels):
    model = likely.NaiveBayes().fit([[1.5], [20.5], [3.5]], labels)
    assert model.classes_.tolist() == np.unique(labels).tolist()
    assert model.classes_.dtype == labels.dtype


def test_a_null_in_a_dictionary_of_labels_is_a_hole():
    labels = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["a", "b", None]))
    with pytest.raises(likely.LikelyError, match="D105"):
        likely.NaiveBayes().fit([[1.5], [2.5], [3.5]], labels)


def test_one_and_two_stay_binary():
    model = likely.NaiveBayes(kinds="binary").fit([[1], [2]], ["a", "b"]).partial_fit([[2], [2]], ["a", "b"])
    assert model.model_.schema.columns[0].levels == (1, 2)


@pytest.mark.parametrize("missing", ["ignore", "informative"])
def test_engines_agree_on_a_column_never_seen(missing):
    train, new = np.array([[1.5, np.nan], [2.5, np.nan], [3.5, np.nan]]), np.array([[1.5, 7.0]])
    names = ["a", "b"]
    by_array = likely.NaiveBayes(missing=missing).fit(train, [0, 1, 1]).predict_proba(new)
    frame = likely.NaiveBayes(missing=missing).fit(pd.DataFrame(train, columns=names), [0, 1, 1])
    np.testing.assert_array_equal(by_array, frame.predict_proba(pd.DataFrame(new, columns=names)))


def test_an_impossible_row_is_explained_by_the_prior():
    model = likely.NaiveBayes(estimate="mle").fit([["x", "p"], ["y", "q"], ["y", "q"]], ["a", "b", "b"])
    why = model.explain([["x", "q"]])
    np.testing.assert_allclose(why.proba, model.predict_proba([["x", "q"]]))
    assert not np.isnan(why.log_odds("a", "b")).any()
    assert "nan" not in repr(why)
    assert model.predict([["x", "q"]]).tolist() == ["b"]


def test_amounts_are_no_target_in_a_file_either(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,0.5\n2,1.25\n")
    with pytest.raises(likely.LikelyError, match="D120"):
        likely.fit(tmp_path / "t.csv", "y")


def test_a_lazy_frame_is_a_source():
    frame = pl.LazyFrame({"a": [1.5, 2.5, 3.5], "y": ["p", "q", "q"]})
    assert likely.fit(frame, "y").classes_.tolist() == ["p", "q"]


def test_a_frame_may_hold_the_target_too():
    frame = pd.DataFrame({"a": [1.5, 2.5, 3.5], "y": ["p", "q", "q"]})
    model = likely.fit(frame, "y")
    np.testing.assert_array_equal(model.predict_proba(frame), model.predict_proba(frame[["a"]]))


def test_masked_values_are_missing():
    X = np.ma.masked_array([[1.5], [200.0], [2.5]], mask=[[False], [True], [False]])
    model = likely.NaiveBayes().fit(X, [0, 1, 1])
    never = likely.NaiveBayes().fit([[1.5], [None], [2.5]], [0, 1, 1])
    np.testing.assert_array_equal(model.predict_proba(X), never.predict_proba([[1.5], [None], [2.5]]))


def test_floats_that_are_whole_are_encoded_as_fast_as_bytes():
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (300, 7))
    holes = np.where(rng.random(bits.shape) < 0.1, np.nan, bits)
    y = rng.integers(0, 3, 300)
    by_float, by_byte = (
        likely.NaiveBayes(kinds="binary").fit(X, y) for X in (bits.astype(float), bits.astype(np.uint8))
    )
    np.testing.assert_array_equal(by_float.predict_proba(holes), by_byte.predict_proba(holes))
    assert np.isfinite(by_float.predict_proba(np.full((1, 7), 0.5))).all()


def test_an_unfitted_model_says_so_in_both_languages():
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError) as caught:
        likely.NaiveBayes().predict([[1.5]])
    assert isinstance(caught.value, likely.LikelyError)
    assert caught.value.code == "M307"


def test_a_model_that_forgot_everything_can_still_be_shown():
    model = likely.NaiveBayes(kinds="real").fit([[1.5], [2.5]], [0, 1]).forget([[1.5], [2.5]], [0, 1])
    assert "rows 0" in repr(model)
    assert model._repr_html_()
    with pytest.raises(likely.LikelyError, match="M306"):
        model.sample(2, 0)
