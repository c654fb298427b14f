"""Bad tables: each gives a documented finite answer, or an error with a code, a place and a hint.

Warnings are errors here (pyproject.toml), so a flood of NumPy warnings fails a test as surely as a NaN does.
"""

from __future__ import annotations

import datetime as dt
import warnings
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

import likely
from likely.errors import LikelyError, SchemaWarning
from likely.estimators.face import generative

NAN, INF = np.nan, np.inf
X4 = np.array([[1.5, 2.0], [2.5, 1.0], [7.5, 3.5], [8.0, 0.5]])
Y4 = ["no", "no", "yes", "yes"]
FRAME = pd.DataFrame({"age": [20.5, 31.0, 44.5, 58.0], "port": ["S", "C", "S", "Q"]})


def column(*values: Any) -> np.ndarray:
    """One object column, each value as it is."""
    out = np.empty((len(values), 1), dtype=object)
    out[:, 0] = values
    return out


def fit(X: Any, y: Any = Y4, weights: Any = None, **options: Any) -> likely.NaiveBayes:
    return likely.NaiveBayes(**options).fit(X, y, sample_weight=weights)


def fitted(**options: Any) -> likely.NaiveBayes:
    return fit(X4, **options)


def read_only(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.flags.writeable = False
    return values


def is_distribution(probabilities: Any, rows: int, classes: int) -> None:
    assert probabilities.shape == (rows, classes)
    assert np.isfinite(probabilities).all()
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, atol=1e-12)


# name -> (X, y, options of fit): a model comes out, and everything that it says is finite
LEARNT: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "one_class": (X4, ["only"] * 4, {}),
    "one_row": (X4[:1], ["no"], {}),
    "one_row_of_words": ([["a", "b"]], ["no"], {}),
    "one_feature": (X4[:, :1], Y4, {}),
    "as_many_classes_as_rows": (X4, list("abcd"), {}),
    "all_missing_column": (np.column_stack([X4[:, 0], np.full(4, NAN)]), Y4, {}),
    "all_missing_column_of_objects": (np.column_stack([X4.astype(object), np.full(4, None)]), Y4, {}),
    "all_missing_table": (np.full((4, 2), NAN), Y4, {}),
    "all_missing_strings": (pd.DataFrame({"a": pd.array([None] * 4, dtype="str"), "b": X4[:, 0]}), Y4, {}),
    "all_missing_polars_strings": (pl.DataFrame({"a": pl.Series([None] * 4, dtype=pl.String)}), Y4, {}),
    "all_missing_dates": (pd.DataFrame({"a": pd.to_datetime([None] * 4)}), Y4, {}),
    "all_missing_frame": (pd.DataFrame({"a": [None] * 4, "b": [NAN] * 4}), Y4, {}),
    "all_missing_for_a_class": (np.array([[NAN], [NAN], [1.5], [2.5]]), Y4, {}),
    "all_missing_category": (column(None, None, None, None), Y4, {"kinds": "category"}),
    "all_missing_binary": (np.full((4, 1), NAN), Y4, {"kinds": "binary"}),
    "all_missing_count": (np.full((4, 1), NAN), Y4, {"kinds": "count"}),
    "all_missing_parzen": (np.full((4, 1), NAN), Y4, {"kinds": "parzen"}),
    "all_missing_text": (column(None, None, None, None), Y4, {"kinds": {"x0": "text"}}),
    "constant_real": (np.full((4, 1), 3.25), Y4, {}),
    "constant_large_real": (np.full((4, 1), 1e8 + 0.1), Y4, {}),
    "constant_zero": (np.zeros((4, 1)), Y4, {}),
    "constant_word": (column("a", "a", "a", "a"), Y4, {}),
    "constant_count": (np.full((4, 1), 7.0), Y4, {"kinds": "count"}),
    "constant_zero_count": (np.zeros((4, 1)), Y4, {"kinds": "count"}),
    "constant_parzen": (np.full((4, 1), 3.25), Y4, {"kinds": "parzen"}),
    "constant_within_each_class": (np.array([[1.5], [1.5], [2.5], [2.5]]), Y4, {}),
    "zero_words": (np.zeros((4, 3)), Y4, {"kinds": "text"}),
    "zero_words_sparse": (sp.csr_matrix((4, 3)), Y4, {"kinds": "text"}),
    "empty_strings": (column("", "", "a", ""), Y4, {}),
    "empty_texts": (column("", "", "", ""), Y4, {"kinds": {"x0": "text"}}),
    "texts_without_words": (column("!?", "...", "--", "  "), Y4, {"kinds": {"x0": "text"}}),
    "huge_numbers_1e100": (X4 * 1e100, Y4, {}),
    "tiny_numbers_1e-200": (X4 * 1e-200, Y4, {}),
    "tiny_numbers_1e-200_parzen": (X4 * 1e-200, Y4, {"kinds": "parzen"}),
    "denormal_numbers": (X4 * 5e-324 * 4, Y4, {}),
    "huge_and_tiny_columns": (X4 * [1e100, 1e-100], Y4, {}),
    "far_from_zero": (X4 + 1e12, Y4, {}),
    "huge_counts": (np.array([[1e9], [2e9], [3e15], [4.0]]), Y4, {"kinds": "count"}),
    "huge_integers": (np.array([[2**60], [2**60 + 1], [5], [2**60]]), Y4, {}),
    "huge_integer_levels": (np.array([[2**60], [2**60 + 2**20], [5], [2**60]]), Y4, {"kinds": "category"}),
    "booleans": (np.array([[True], [False], [True], [True]]), Y4, {}),
    "python_booleans_with_holes": (column(True, None, False, True), Y4, {}),
    "boolean_target": (X4, [True, False, True, True], {}),
    "int8": (X4.astype(np.int8), Y4, {}),
    "uint8": (X4.astype(np.uint8), Y4, {}),
    "int8_negative_category": (np.array([[-128], [127], [0], [-1]], dtype=np.int8), Y4, {"kinds": "category"}),
    "float16": (X4.astype(np.float16), Y4, {}),
    "float32": (X4.astype(np.float32), Y4, {}),
    "longdouble": (X4.astype(np.longdouble), Y4, {}),
    "big_endian": (X4.astype(">f8"), Y4, {}),
    "big_endian_integers": (X4.astype(">i4"), Y4, {"kinds": "category"}),
    "fortran_order": (np.asfortranarray(X4), Y4, {}),
    "non_contiguous": (np.repeat(X4, 2, axis=1)[:, ::2], Y4, {}),
    "reversed_view": (X4[::-1], Y4, {}),
    "read_only": (read_only(X4), Y4, {}),
    "read_only_codes": (read_only(X4.astype(np.uint8)), Y4, {"kinds": "category"}),
    "read_only_weights": (X4, Y4, {"weights": read_only(np.ones(4))}),
    "masked_array": (np.ma.masked_array(X4), Y4, {}),
    "matrix_of_strings": (np.array([["a", "b"], ["a", "c"], ["d", "b"], ["a", "b"]]), Y4, {}),
    "numbers_as_strings": (np.array([["1"], ["2"], ["1"], ["3"]]), Y4, {}),
    "decimals": (column(Decimal("1.5"), Decimal("2.5"), None, Decimal("3")), Y4, {}),
    "pandas_nullable_integers": (pd.DataFrame({"n": pd.array([1, None, 30, 42], dtype="Int64")}), Y4, {}),
    "pandas_nullable_booleans": (pd.DataFrame({"n": pd.array([True, None, False, True], dtype="boolean")}), Y4, {}),
    "pandas_nullable_floats": (pd.DataFrame({"n": pd.array([1.5, None, 2.5, 3.5], dtype="Float64")}), Y4, {}),
    "pandas_categorical": (
        pd.DataFrame({"n": pd.Categorical(["a", None, "b", "a"], categories=["a", "b", "c"])}),
        Y4,
        {},
    ),
    "pandas_categorical_of_numbers": (pd.DataFrame({"n": pd.Categorical([3, None, 1, 3])}), Y4, {}),
    "pandas_string_type": (pd.DataFrame({"n": pd.array(["a", None, "b", "a"], dtype="string")}), Y4, {}),
    "pandas_odd_index": (FRAME.set_index(np.array([7, 7, 7, 3])), pd.Series(Y4, index=[1, 1, 1, 1]), {}),
    "pandas_target_in_another_order": (FRAME, pd.Series(Y4, index=[3, 2, 1, 0]), {}),
    "pandas_categorical_target": (FRAME, pd.Series(pd.Categorical(Y4, categories=["yes", "no", "never"])), {}),
    "polars": (pl.DataFrame({"age": [20.5, None, 44.5, 58.0], "port": ["S", None, "S", "Q"]}), pl.Series(Y4), {}),
    "polars_lazy": (pl.LazyFrame({"age": [20.5, None, 44.5, 58.0]}), Y4, {}),
    "polars_enum": (pl.DataFrame({"p": pl.Series(["S", None, "S", "Q"], dtype=pl.Enum(["Q", "R", "S"]))}), Y4, {}),
    "pyarrow": (pa.table({"age": [20.5, None, 44.5, 58.0], "port": ["S", None, "S", "Q"]}), pa.array(Y4), {}),
    "pyarrow_many_chunks": (
        pa.concat_tables([pa.table({"p": ["S"]}), pa.table({"p": ["C"]}), pa.table({"p": ["S", "Q"]})]),
        Y4,
        {},
    ),
    "sparse_array": (sp.csr_array(X4), Y4, {}),
    "sparse_columns": (sp.csc_matrix(X4), Y4, {}),
    "sparse_with_stored_zeros": (
        sp.csr_matrix((np.array([0.0, 1.0, 2.0]), np.array([0, 1, 0]), np.array([0, 1, 1, 2, 3])), shape=(4, 2)),
        Y4,
        {},
    ),
    "sparse_negative": (sp.csr_matrix(-X4), Y4, {}),
    "very_many_levels": ([[f"level {i}"] for i in range(3000)], ["no", "yes"] * 1500, {"kinds": "category"}),
    "level_named_like_a_number": (np.array([["1"], ["a"], ["2"], ["1"]], dtype=object), Y4, {}),
    "level_named_like_the_missing": (column("nan", None, "None", ""), Y4, {}),
    "column_named_prior": (FRAME.rename(columns={"age": "prior"}), Y4, {}),
    "identical_rows_of_different_classes": (np.array([[1.5, 2.5], [1.5, 2.5]]), ["no", "yes"], {}),
    "class_names_of_many_alphabets": (X4, ["是", "否", "да", "да"], {}),
    "classes_from_text_with_spaces": (X4, ["", " ", "a b", "a b"], {}),
    "whole_float_classes": (X4, [0.0, 1.0, 1.0, 0.0], {}),
    "whole_numbers_far_apart_as_classes": (X4, [-(2**62), 2**62, 0, 0], {}),
    "unsigned_classes": (X4, np.array([0, 2**64 - 1, 0, 0], dtype=np.uint64), {}),
    "target_as_one_row_frame_column": (FRAME, pd.Series(Y4, name="age"), {}),
    "scalar_weight": (X4, Y4, {"weights": 0.5}),
    "tiny_weights": (X4, Y4, {"weights": [1e-300] * 4}),
    "huge_weights": (X4, Y4, {"weights": [1e15] * 4}),
    "boolean_weights": (X4, Y4, {"weights": np.array([True, True, True, False])}),
    "no_smoothing": (column("a", "b", "c", "d"), Y4, {"smoothing": 0}),
    "huge_smoothing": (X4, Y4, {"smoothing": 1e100}),
    "tiny_smoothing": (column("a", "b", "c", "d"), Y4, {"smoothing": 1e-300}),
    "tiny_smoothing_of_reals": (X4, Y4, {"smoothing": 1e-300}),
    "a_prior_of_zero": (X4, Y4, {"priors": {"no": 0.0, "yes": 1.0}}),
    "priors_that_do_not_sum_to_one": (X4, Y4, {"priors": [3, 9]}),
    "every_column_skipped": (X4, Y4, {"kinds": "skip"}),
    "declared_level_never_seen": (column("a", "b", "a", "b"), Y4, {"kinds": {"x0": ["a", "b", "z"]}}),
    "parzen_with_two_values": (np.array([[0.0], [1e-9], [1.0], [1.0]]), Y4, {"kinds": "parzen"}),
    "parzen_far_from_zero": (X4 + 1e12, Y4, {"kinds": "parzen"}),
    "parzen_bandwidth_tiny": (X4, Y4, {"kinds": likely.Parzen("box", 1e-12)}),
    "parzen_bandwidth_huge": (X4, Y4, {"kinds": likely.Parzen("box", 1e12)}),
    "parzen_cross_validated_ties": (np.array([[1.0], [1.0], [2.0], [3.0]]), Y4, {"kinds": likely.Parzen("box", "cv")}),
}


def learn(name: str, **more: Any) -> likely.NaiveBayes:
    X, y, options = LEARNT[name]
    return fit(X, y, **{**options, **more})


@pytest.mark.parametrize("estimate", ["bayes", "map", "mle"])
@pytest.mark.parametrize("name", LEARNT)
def test_probabilities_are_finite(name: str, estimate: str) -> None:
    X = LEARNT[name][0]
    model = learn(name, estimate=estimate)
    rows, classes = len(LEARNT[name][1]), len(model.classes_)
    is_distribution(model.predict_proba(X), rows, classes)
    assert model.predict(X).shape == (rows,)
    is_distribution(np.exp(model.predict_log_proba(X)), rows, classes)
    informed = learn(name, estimate=estimate, missing="informative")
    is_distribution(informed.predict_proba(X), rows, classes)


@pytest.mark.parametrize("estimate", ["bayes", "map", "mle"])
@pytest.mark.parametrize("name", LEARNT)
def test_every_other_answer_is_finite(name: str, estimate: str, tmp_path: Path) -> None:
    X, y, options = LEARNT[name]
    model = learn(name, estimate=estimate)
    rows, classes = len(y), len(model.classes_)
    is_distribution(model.leave_one_out(X, y, options.get("weights")), rows, classes)
    explained = model.explain(X)
    assert not np.isnan(explained.terms).any()
    assert repr(explained)
    assert repr(model)
    assert model._repr_html_()
    drawn, labels = model.sample(5, seed=1)
    assert drawn.shape == (5, model.n_features_in_)
    assert set(labels) <= set(model.classes_)
    is_distribution(model.predict_proba(drawn), 5, classes)
    model.save(tmp_path / "model.likely")
    again = likely.load(tmp_path / "model.likely")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.classes_.tolist() == model.classes_.tolist()


@pytest.mark.parametrize("name", LEARNT)
def test_intervals_are_finite(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generative, "PARAMETER_DRAWS", 40)
    X, y, _ = LEARNT[name]
    estimate = ("bayes", "map", "mle")[list(LEARNT).index(name) % 3]
    model = learn(name, estimate=estimate)
    interval = model.interval(X)
    assert interval.shape == (len(y), len(model.classes_), 2)
    assert ((interval >= 0) & (interval <= 1)).all()
    assert (interval[..., 0] <= interval[..., 1]).all()


@pytest.mark.parametrize("name", LEARNT)
def test_a_model_merged_with_itself_and_halved_again(name: str) -> None:
    X, y, options = LEARNT[name]
    model = learn(name)
    before = model.predict_proba(X)
    double = model.merge(model)
    is_distribution(double.predict_proba(X), len(y), len(model.classes_))
    back = double.forget(X, y, options.get("weights"))
    np.testing.assert_allclose(back.predict_proba(X), before, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", LEARNT)
def test_all_rows_can_be_forgotten_and_learnt_again(name: str) -> None:
    X, y, options = LEARNT[name]
    declared = sorted(set(learn(name).classes_.tolist()))
    model = likely.NaiveBayes(**{key: value for key, value in options.items() if key != "weights"})
    model.partial_fit(X, y, classes=declared, sample_weight=options.get("weights"))
    before = model.predict_proba(X)
    nothing = model.forget(X, y, options.get("weights"))
    is_distribution(nothing.predict_proba(X), len(y), len(declared))
    again = nothing.partial_fit(X, y, sample_weight=options.get("weights"))
    np.testing.assert_allclose(again.predict_proba(X), before, rtol=1e-9, atol=1e-12)


# --- rows at prediction that are unlike those learnt ---

ASKED: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "missing_everywhere": (X4, np.full((3, 2), NAN), {}),
    "missing_everywhere_objects": (FRAME, pd.DataFrame({"age": [None], "port": [None]}), {}),
    "unseen_level": (FRAME, pd.DataFrame({"age": [30.5], "port": ["X"]}), {}),
    "unseen_level_of_every_column": (column("a", "b", "a", "b"), column("z"), {}),
    "unseen_number_as_level": (X4.astype(np.uint8), np.array([[250, 9]], dtype=np.uint8), {"kinds": "category"}),
    "unseen_half_in_a_binary_column": (np.array([[0.0], [1.0], [1.0], [0.0]]), np.array([[0.5]]), {}),
    "unseen_words": (column("a b", "b c", "c d", "d"), column("never heard"), {"kinds": {"x0": "text"}}),
    "integers_where_floats_were": (X4, X4.astype(np.int64), {}),
    "array_where_a_list_was": (X4.tolist(), X4, {}),
    "booleans_where_numbers_were": (X4, X4 > 2, {}),
    "far_away": (X4, X4 + 1e100, {}),
    "far_away_parzen": (X4, X4 + 1e100, {"kinds": "parzen"}),
    "far_away_box": (X4, X4 + 1e9, {"kinds": likely.Parzen("box")}),
    "huge_count": (np.array([[1.0], [2.0], [3.0], [2.0]]), np.array([[1e100]]), {"kinds": "count"}),
    "sparse_where_dense_was": (X4, sp.csr_matrix(X4), {"kinds": "text"}),
    "dense_where_sparse_was": (sp.csr_matrix(X4), X4, {"kinds": "text"}),
    "one_row": (X4, X4[:1], {}),
}


@pytest.mark.parametrize("estimate", ["bayes", "map", "mle"])
@pytest.mark.parametrize("name", ASKED)
def test_strange_rows_get_finite_answers(name: str, estimate: str) -> None:
    X, rows, options = ASKED[name]
    model = fit(X, estimate=estimate, **options)
    is_distribution(model.predict_proba(rows), rows.shape[0], 2)
    assert not np.isnan(model.explain(rows).terms).any()
    if estimate == "bayes":
        assert np.isfinite(model.interval(rows)).all()


def test_missing_everywhere_gives_the_prior() -> None:
    model = fit(X4, ["no", "yes", "yes", "yes"], priors="empirical")
    np.testing.assert_allclose(model.predict_proba([[NAN, NAN]]), [[0.25, 0.75]], rtol=1e-12)


def test_columns_without_spread_give_the_prior() -> None:
    model = fit(np.full((4, 3), 5.5), ["no", "yes", "yes", "yes"], priors="empirical")
    np.testing.assert_allclose(model.predict_proba([[5.5, 0.0, 99.0]]), [[0.25, 0.75]], rtol=1e-12)


def test_identical_rows_of_different_classes_are_even() -> None:
    np.testing.assert_allclose(learn("identical_rows_of_different_classes").predict_proba([[1.5, 2.5]]), [[0.5, 0.5]])


def test_rows_of_no_weight_are_no_rows() -> None:
    weights = [1.0, 0.0, 2.0, 1.0]
    given, dropped = (
        fit(FRAME, ["a", "z", "b", "a"], weights),
        fit(FRAME.drop(index=1), ["a", "b", "a"], [1.0, 2.0, 1.0]),
    )
    assert given.classes_.tolist() == ["a", "b"]
    np.testing.assert_array_equal(given.predict_proba(FRAME), dropped.predict_proba(FRAME))


@pytest.mark.parametrize(
    "X",
    [X4, X4.tolist(), FRAME, pl.from_pandas(FRAME), pa.table(FRAME), sp.csr_matrix(X4)],
    ids=lambda X: type(X).__module__,
)
def test_rows_of_no_weight_are_no_rows_in_any_container(X: Any) -> None:
    model = fit(X, Y4, [1, 0, 1, 1])
    assert model.model_.rows.tolist() == [1, 2]


@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_scale_of_a_column_changes_nothing(scale: float) -> None:
    np.testing.assert_allclose(fit(X4 * scale).predict_proba(X4 * scale), fitted().predict_proba(X4), rtol=1e-6)


@pytest.mark.parametrize(
    "X",
    [column(10**30, 10**30, 5, 7), pd.DataFrame({"n": pd.arrays.SparseArray([0.0, 0.0, 2.5, 1.5])})],
    ids=["huge_python_integers", "pandas_sparse"],
)
def test_read_or_refused_by_name(X: Any) -> None:
    try:
        is_distribution(fit(X).predict_proba(X), 4, 2)
    except LikelyError as error:
        assert all([error.code, error.place, error.hint])  # noqa: PT017


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        (column("1", "2", "1", "2"), ("1", "2")),
        (column(3, 5, 3, 5), (3, 5)),
        (column(3.0, 5.5, 3.0, 5.5), (3, 5.5)),
        (column("", "a", "a", ""), ("", "a")),
    ],
    ids=["digits_as_words", "integers", "floats", "empty_string"],
)
def test_levels_keep_their_type(values: Any, levels: tuple[Any, ...]) -> None:
    found = fit(values, kinds="category").model_.schema.columns[0].levels
    assert found == levels
    assert [type(level) for level in found] == [type(level) for level in levels]


@pytest.mark.parametrize(
    "values",
    [
        pd.DataFrame(
            {"day": pd.to_datetime(["2020-01-01", None, "2021-05-05", "2022-01-01"]), "x": [1.5, 2.5, 3.5, 4.5]}
        ),
        pd.DataFrame(
            {"day": [dt.date(2020, 1, 1), None, dt.date(2021, 1, 1), dt.date(2022, 1, 1)], "x": [1.5, 2.5, 3.5, 4.5]}
        ),
        pl.DataFrame({"day": [dt.datetime(2020, 1, 1), None, None, None], "x": [1.5, 2.5, 3.5, 4.5]}),
        pd.DataFrame({"day": pd.to_timedelta([1, 2, 3, 4], unit="s"), "x": [1.5, 2.5, 3.5, 4.5]}),
    ],
    ids=["pandas_dates", "python_dates", "polars_dates", "pandas_durations"],
)
def test_dates_are_numbers_and_what_comes_round(values: Any) -> None:
    model = fit(values)
    is_distribution(model.predict_proba(values), 4, 2)
    columns = {column.name: column.kind for column in model.model_.schema.columns}
    assert columns.pop("x") == "real"
    if "day" not in columns:  # a duration is a number of hours
        assert columns == {
            "day.days": "real",
            "day.year": "real",
            "day.month": "category",
            "day.weekday": "category",
        }


def test_identifiers_are_set_aside_with_a_warning() -> None:
    X = pd.DataFrame({"ticket": [f"A{i}" for i in range(40)], "x": np.linspace(0.1, 1, 40)})
    with pytest.warns(SchemaWarning, match="'ticket' looks like an identifier"):
        model = fit(X, ["no", "yes"] * 20)
    is_distribution(model.predict_proba(X), 40, 2)


@pytest.mark.parametrize(
    ("name", "code"),
    [("all_missing_column", "empty"), ("constant_real", "constant"), ("constant_word", "constant"), ("int8", "code")],
)
def test_odd_columns_are_noted(name: str, code: str) -> None:
    model = learn(name)
    assert code in {note.code for note in model.notes_}
    assert any(note.text in repr(model) for note in model.notes_)


# --- refused: name -> (what is done, the start of the error's code) ---

Deed = Callable[[], Any]


def after(X: Any, rows: Any, **options: Any) -> Deed:
    return lambda: fit(X, **options).predict_proba(rows)


REFUSED: dict[str, tuple[Deed, str]] = {
    "zero_rows": (lambda: fit(np.empty((0, 2)), []), "D117"),
    "zero_rows_frame": (lambda: fit(FRAME[:0], []), "D117"),
    "zero_rows_polars": (lambda: fit(pl.DataFrame({"a": []}), []), "D117"),
    "zero_rows_list": (lambda: fit([], []), "D"),
    "zero_columns": (lambda: fit(np.empty((4, 0))), "D117"),
    "zero_columns_frame": (lambda: fit(FRAME[[]]), "D117"),
    "zero_rows_to_predict": (after(X4, np.empty((0, 2))), "D117"),
    "infinity": (lambda: fit(np.array([[1.5], [INF], [2.5], [3.5]])), "D104"),
    "minus_infinity": (lambda: fit(np.array([[1.5], [-INF], [2.5], [3.5]])), "D104"),
    "infinity_in_a_frame": (lambda: fit(pd.DataFrame({"a": [1.5, INF, 2.5, 3.5]})), "D104"),
    "infinity_in_objects": (lambda: fit(column(1.5, INF, None, 2.5)), "D104"),
    "infinity_said_real": (lambda: fit(np.array([[1.5], [INF], [2.5], [3.5]]), kinds="real"), "D104"),
    "infinity_said_count": (lambda: fit(np.array([[1.5], [INF], [2.5], [3.5]]), kinds="count"), "D1"),
    "infinity_said_parzen": (lambda: fit(np.array([[1.5], [INF], [2.5], [3.5]]), kinds="parzen"), "D104"),
    "infinity_said_category": (lambda: fit(np.array([[1.5], [INF], [2.5], [3.5]]), kinds="category"), "D1"),
    "infinity_said_binary": (lambda: fit(np.array([[1.0], [INF], [1.0], [0.0]]), kinds="binary"), "D1"),
    "infinity_said_text": (lambda: fit(np.array([[1.0], [INF], [1.0], [0.0]]), kinds="text"), "D1"),
    "infinity_in_an_integer_looking_column": (lambda: fit(np.array([[1.0], [INF], [2.0], [3.0]])), "D104"),
    "infinity_as_class": (lambda: fit(X4, [0.0, 1.0, INF, 0.0]), "D1"),
    "infinity_to_predict": (after(X4, [[INF, 1.0]]), "D104"),
    "infinity_to_predict_frame": (after(FRAME, pd.DataFrame({"age": [INF], "port": ["S"]})), "D104"),
    "infinity_to_predict_parzen": (after(X4, [[INF, 1.0]], kinds="parzen"), "D104"),
    "infinity_to_predict_count": (after(np.round(X4), [[INF, 1.0]], kinds="count"), "D1"),
    "infinity_to_explain": (lambda: fitted().explain([[INF, 1.0]]), "D104"),
    "infinity_to_bound": (lambda: fitted().interval([[INF, 1.0]]), "D104"),
    "infinity_to_leave_out": (lambda: fitted().leave_one_out([[INF, 1.0]], ["no"]), ""),
    "infinity_to_forget": (lambda: fitted().forget([[INF, 1.0]], ["no"]), ""),
    "infinity_to_learn_on": (lambda: fitted().partial_fit([[INF, 1.0]], ["no"]), "D104"),
    "huge_numbers_1e200": (lambda: fit(X4 * 1e200), "D104"),
    "huge_numbers_1e308": (lambda: fit(np.array([[1e308], [-1e308], [1.5], [2.5]])), "D104"),
    "huge_numbers_1e308_to_predict_map": (after(X4, [[1e308, -1e308]], estimate="map"), "D104"),
    "huge_numbers_1e308_to_explain": (lambda: fitted().explain([[1e308, -1e308]]), "D104"),
    "negative_words": (lambda: fit(-X4, kinds="text"), "D109"),
    "negative_words_to_predict": (after(X4, -X4, kinds="text"), "D1"),
    "missing_words_to_predict": (after(X4, np.full((1, 2), NAN), kinds="text"), "D1"),
    "negative_counts": (lambda: fit(np.array([[1.0], [-2.0], [3.0], [4.0]]), kinds="count"), "D106"),
    "fractional_counts": (lambda: fit(np.array([[1.0], [2.5], [3.0], [4.0]]), kinds="count"), "D106"),
    "negative_counts_to_predict": (after(np.round(X4), [[-3.0, 1.0]], kinds="count"), "D1"),
    "fractional_counts_to_predict": (after(np.round(X4), [[0.5, 1.0]], kinds="count"), "D1"),
    "negative_counts_to_learn_on": (
        lambda: fit(np.round(X4), kinds="count").partial_fit([[-3.0, 1.0]], ["no"]),
        "D106",
    ),
    "three_values_said_binary": (lambda: fit(np.array([[0.0], [1.0], [2.0], [1.0]]), kinds="binary"), "D107"),
    "three_words_said_binary": (lambda: fit(column("a", "b", "c", "a"), kinds="binary"), "D107"),
    "words_said_real": (lambda: fit(column("a", "b", "c", "a"), kinds="real"), "D102"),
    "words_said_parzen": (lambda: fit(column("a", "b", "c", "a"), kinds=likely.Parzen()), "D102"),
    "numbers_said_text_column": (lambda: fit(column(1, 2, 3, 4), kinds={"x0": "text"}), "D108"),
    "numbers_where_words_were": (after(FRAME, pd.DataFrame({"age": [30.5], "port": [7]})), "S208"),
    "levels_one_as_number": (after(column("1", "2", "1", "2"), column(1)), "S208"),
    "words_where_numbers_were": (after(FRAME, pd.DataFrame({"age": ["old", "young"], "port": ["S", "S"]})), "S208"),
    "duplicate_column_names": (lambda: fit(FRAME.set_axis(["a", "a"], axis=1)), "S2"),
    "duplicate_column_names_pyarrow": (lambda: fit(pa.table([[1.5] * 4, [2.5] * 4], names=["a", "a"])), "S2"),
    "column_names_of_mixed_types": (lambda: fit(FRAME.set_axis(["a", 1], axis=1)), "S212"),
    "wrong_column_order": (after(FRAME, FRAME[["port", "age"]]), "S210"),
    "renamed_column": (after(FRAME, FRAME.rename(columns={"age": "agee"})), "S210"),
    "missing_column": (after(FRAME, FRAME[["age"]]), "S210"),
    "extra_column": (after(FRAME, FRAME.assign(more=1.5)), "S210"),
    "missing_column_array": (after(X4, X4[:, :1]), "S210"),
    "extra_column_array": (after(X4, np.column_stack([X4, X4])), "S210"),
    "more_columns_to_learn_on": (lambda: fitted().partial_fit(np.column_stack([X4, X4]), Y4), "S210"),
    "mixed_types_in_objects": (lambda: fit(column("a", 1, 2.5, None)), "D103"),
    "mixed_types_in_a_list": (lambda: fit([["a"], [1], [2.5], [None]]), "D103"),
    "mixed_types_in_a_frame": (lambda: fit(pd.DataFrame({"a": np.array(["a", 1, 2.5, None], dtype=object)})), "D103"),
    "level_as_word_and_number": (lambda: fit(column("1", 1, "1", 1)), "D103"),
    "lists_in_cells": (lambda: fit(column([1], [2, 3], [4], [])), "D1"),
    "dictionaries_in_cells": (lambda: fit(column({"a": 1}, {"a": 2}, {}, {"b": 1})), "D1"),
    "arrays_in_cells": (lambda: fit(column(np.ones(2), np.ones(2), np.ones(2), np.ones(3))), "D1"),
    "lists_in_polars_cells": (lambda: fit(pl.DataFrame({"a": [[1], [2], [3], [4, 5]]})), "D111"),
    "sets_in_cells": (lambda: fit(column({1}, {2}, {3}, {4})), "D1"),
    "objects_in_cells": (lambda: fit(column(object(), object(), object(), object())), "D1"),
    "bytes_in_cells": (lambda: fit(column(b"a", b"b", b"a", b"c")), "D111"),
    "bytes_array": (lambda: fit(np.array([[b"a"], [b"b"], [b"a"], [b"c"]])), "D1"),
    "complex_numbers": (lambda: fit(X4 + 1j), "D116"),
    "complex_numbers_in_objects": (lambda: fit(column(1j, 2j, 3j, 4j)), "D1"),
    "structured_array": (lambda: fit(np.zeros(4, dtype=[("a", float), ("b", float)])), "D1"),
    "one_dimensional_table": (lambda: fit(X4[:, 0]), "D115"),
    "three_dimensional_table": (lambda: fit(X4[:, :, None]), "D115"),
    "one_dimensional_list": (lambda: fit([1.5, 2.5, 3.5, 4.5]), "D115"),
    "one_dimensional_list_of_words": (lambda: fit(["a", "b", "c", "d"]), "D1"),
    "one_dimensional_series": (lambda: fit(FRAME["age"]), "D115"),
    "ragged_lists": (lambda: fit([[1.5, 2.5], [1.5], [2.5, 3.5], [1.5]]), "D118"),
    "ragged_lists_of_words": (lambda: fit([["a", "b"], ["a"], ["c", "d"], ["a"]]), "D118"),
    "table_is_none": (lambda: fit(None), "D112"),
    "table_is_a_number": (lambda: fit(5), "D112"),
    "table_is_a_dictionary": (lambda: fit({"a": [1, 2, 3, 4]}), "D112"),
    "table_is_a_generator": (lambda: fit(row for row in X4), "D112"),
    "table_is_a_path_that_does_not_exist": (lambda: likely.fit("nowhere.csv", "y"), "D202"),
    "table_is_a_file_of_unknown_ending": (lambda: likely.fit("table.xslx", "y"), "D201"),
    "table_is_a_folder": (lambda: likely.fit("/tmp", "y"), "D20"),
    "path_and_labels": (lambda: fit("nowhere.csv"), "D"),
    "predict_a_path_that_does_not_exist": (after(FRAME, "nowhere.csv"), "D202"),
    "target_is_not_a_column": (lambda: likely.fit(FRAME, "prot"), "S207"),
    "target_with_none": (lambda: fit(X4, ["no", None, "yes", "yes"]), "D105"),
    "target_with_nan": (lambda: fit(X4, [0.0, NAN, 1.0, 1.0]), "D105"),
    "target_with_pandas_na": (lambda: fit(X4, pd.array([0, None, 1, 1], dtype="Int64")), "D105"),
    "target_with_pandas_na_strings": (lambda: fit(X4, pd.Series(["no", None, "yes", "yes"], dtype="string")), "D105"),
    "target_with_categorical_holes": (lambda: fit(X4, pd.Series(pd.Categorical(["no", None, "yes", "yes"]))), "D105"),
    "target_with_polars_null": (lambda: fit(X4, pl.Series(["no", None, "yes", "yes"])), "D105"),
    "target_with_holes_in_a_column": (
        lambda: likely.fit(FRAME.assign(y=["a", None, "b", "b"]), "y", strict=True),
        "D105",
    ),
    "target_too_short": (lambda: fit(X4, ["no", "yes"]), "D121"),
    "target_too_long": (lambda: fit(X4, Y4 * 2), "D121"),
    "target_too_short_for_a_frame": (lambda: fit(FRAME, ["no", "yes"]), "D121"),
    "target_too_short_for_a_list": (lambda: fit(X4.tolist(), ["no", "yes"]), "D121"),
    "target_two_columns": (lambda: fit(X4, np.array([["a", "b"]] * 4)), "D1"),
    "target_two_columns_frame": (lambda: fit(X4, pd.DataFrame({"a": Y4, "b": Y4})), "D1"),
    "target_scalar": (lambda: fit(X4, "no"), "D1"),
    "target_empty": (lambda: fit(X4, []), "D1"),
    "target_continuous": (lambda: fit(X4, [0.5, 1.5, 2.25, 0.75]), "D120"),
    "target_none": (lambda: fit(X4, None), "D119"),
    "target_mixed": (lambda: fit(X4, np.array(["a", 1, "b", 2], dtype=object)), "D103"),
    "target_of_lists": (lambda: fit(X4, column([1], [2], [3], [4])[:, 0]), "D1"),
    "target_of_bytes": (lambda: fit(X4, np.array([b"a", b"b", b"a", b"b"])), "D1"),
    "target_complex": (lambda: fit(X4, [1j, 2j, 1j, 2j]), "D1"),
    "negative_weights": (lambda: fit(X4, Y4, [1, -1, 1, 1]), "D113"),
    "nan_weights": (lambda: fit(X4, Y4, [1, NAN, 1, 1]), "D113"),
    "infinite_weights": (lambda: fit(X4, Y4, [1, INF, 1, 1]), "D113"),
    "zero_weights": (lambda: fit(X4, Y4, [0, 0, 0, 0]), "D123"),
    "too_few_weights": (lambda: fit(X4, Y4, [1, 1]), "D122"),
    "two_dimensional_weights": (lambda: fit(X4, Y4, np.ones((4, 1))), "D122"),
    "weights_of_words": (lambda: fit(X4, Y4, ["a", "b", "c", "d"]), "D1"),
    "weights_with_none": (lambda: fit(X4, Y4, [1, None, 1, 1]), "D1"),
    "level_outside_the_declared": (lambda: fit(column("a", "b", "c", "a"), kinds={"x0": ["a", "b"]}), "D114"),
    "number_outside_the_declared": (lambda: fit(X4, kinds={"x0": [1, 2]}), "D114"),
    "declared_levels_of_mixed_types": (lambda: fit(column("a", "b", "a", "b"), kinds={"x0": ["a", 1]}), "D103"),
    "no_declared_levels": (lambda: fit(X4, kinds={"x0": []}), "O109"),
    "kinds_of_an_unknown_column": (lambda: fit(FRAME, kinds={"prot": "category"}), "S202"),
    "kinds_of_an_unknown_position": (lambda: fit(X4, kinds={7: "category"}), "S202"),
    "unknown_kind": (lambda: fit(X4, kinds="categorical"), "O109"),
    "unknown_kind_of_a_column": (lambda: fit(FRAME, kinds={"port": "categorie"}), "O109"),
    "kinds_is_a_list": (lambda: fit(X4, kinds=["real", "real"]), "O108"),
    "kinds_is_none": (lambda: fit(X4, kinds=None), "O108"),
    "unknown_estimate": (lambda: fit(X4, estimate="mpa"), "O114"),
    "estimate_is_none": (lambda: fit(X4, estimate=None), "O114"),
    "estimate_is_a_list": (lambda: fit(X4, estimate=["map"]), "O114"),
    "unknown_missing": (lambda: fit(X4, missing="ignored"), "O114"),
    "negative_smoothing": (lambda: fit(X4, smoothing=-1), "O115"),
    "nan_smoothing": (lambda: fit(X4, smoothing=NAN), "O115"),
    "infinite_smoothing": (lambda: fit(X4, smoothing=INF), "O115"),
    "smoothing_is_a_word": (lambda: fit(X4, smoothing="1"), "O115"),
    "smoothing_is_none": (lambda: fit(X4, smoothing=None), "O115"),
    "priors_miss_a_class": (lambda: fit(X4, priors={"no": 1.0}), "O106"),
    "priors_of_an_unknown_class": (lambda: fit(X4, priors={"no": 0.3, "yes": 0.3, "maybe": 0.4}), "O10"),
    "priors_negative": (lambda: fit(X4, priors={"no": -0.5, "yes": 1.5}), "O105"),
    "priors_nan": (lambda: fit(X4, priors=[NAN, 1.0]), "O105"),
    "priors_all_zero": (lambda: fit(X4, priors=[0, 0]), "O105"),
    "priors_of_wrong_length": (lambda: fit(X4, priors=[0.2, 0.3, 0.5]), "O104"),
    "priors_of_words": (lambda: fit(X4, priors=["a", "b"]), "O10"),
    "priors_unknown_word": (lambda: fit(X4, priors="unifrom"), "O104"),
    "priors_a_number": (lambda: fit(X4, priors=0.5), "O104"),
    "priors_empty": (lambda: fit(X4, priors={}), "O10"),
    "with_priors_of_an_unknown_class": (lambda: fitted().with_priors({"no": 0.5, "yse": 0.5}), "O10"),
    "with_priors_that_miss_a_class": (lambda: fitted().with_priors({"no": 1}), "O106"),
    "unknown_kernel": (lambda: likely.Parzen("gauss"), "O101"),
    "negative_bandwidth": (lambda: likely.Parzen(bandwidth=-1), "O102"),
    "bandwidth_none": (lambda: likely.Parzen(bandwidth=None), "O102"),
    "unknown_bag": (lambda: likely.Text("complementary"), "O103"),
    "merge_of_different_options": (lambda: fitted().merge(fitted(smoothing=2)), "M303"),
    "merge_of_different_estimates": (lambda: fitted().merge(fitted(estimate="map")), "M303"),
    "merge_of_different_columns": (lambda: fit(FRAME).merge(fit(FRAME.rename(columns={"port": "prot"}))), "S201"),
    "merge_of_different_column_order": (lambda: fit(FRAME).merge(fit(FRAME[["port", "age"]])), "S201"),
    "merge_of_different_kinds": (lambda: fitted().merge(fitted(kinds="parzen")), "S203"),
    "merge_of_different_forms": (lambda: fitted(kinds="parzen").merge(fitted(kinds=likely.Parzen("box"))), "S205"),
    "merge_of_different_vocabularies": (lambda: fit(X4, kinds="text").merge(fit(X4[:, :1], kinds="text")), "S20"),
    "merge_of_words_and_numbers": (lambda: fit(column("a", "b", "a", "b")).merge(fit(column(1.5, 2.5, 3, 4))), "S203"),
    "merge_of_word_and_number_classes": (lambda: fit(X4, [1, 2, 1, 2]).merge(fit(X4, list("abab"))), "D103"),
    "merge_with_another_type": (lambda: fitted().merge("model"), "M305"),
    "merge_with_an_unfitted_model": (lambda: fitted().merge(likely.NaiveBayes()), "M305"),
    "merge_with_none": (lambda: fitted().merge(None), "M305"),
    "forget_rows_never_learnt": (lambda: fitted().forget(X4 + 1, Y4), "M302"),
    "forget_one_row_never_learnt": (lambda: fitted().forget([[100.5, 3.0]], ["no"]), "M302"),
    "forget_an_unseen_class": (lambda: fitted().forget(X4, ["no", "no", "yes", "ys"]), "M304"),
    "forget_an_unseen_level": (lambda: fit(FRAME).forget(FRAME.assign(port="X"), Y4), "M302"),
    "forget_more_than_was_learnt": (lambda: fitted().forget(X4, Y4, 2), "M302"),
    "forget_rows_of_another_class": (lambda: fitted().forget(X4, Y4[::-1]), "M302"),
    "forget_unseen_words": (
        lambda: fit(column("a b", "b", "c", "d"), kinds={"x0": "text"}).forget(column("zz"), ["no"]),
        "M302",
    ),
    "forget_unlearnt_words": (
        lambda: fit(column("a b", "b", "c", "d"), kinds={"x0": "text"}).forget(column("a a"), ["no"]),
        "M302",
    ),
    "forget_unlearnt_parzen": (lambda: fitted(kinds="parzen").forget(X4 + 1, Y4), "M302"),
    "forget_outside_the_parzen_grid": (lambda: fitted(kinds="parzen").forget(X4 + 1000, Y4), "M302"),
    "leave_out_rows_never_learnt": (lambda: fit(FRAME).leave_one_out(FRAME, Y4[::-1]), "M30"),
    "leave_out_reals_never_learnt": (lambda: fitted().leave_one_out(X4 + 100, Y4), "M30"),
    "leave_out_an_unseen_class": (lambda: fitted().leave_one_out(X4, ["no", "no", "yes", "ys"]), "M304"),
    "leave_out_an_unseen_level": (lambda: fit(FRAME).leave_one_out(FRAME.assign(port="X"), Y4), "M30"),
    "leave_out_parzen_never_learnt": (lambda: fitted(kinds="parzen").leave_one_out(X4 + 1000, Y4), "M302"),
    "leave_out_words_never_learnt": (lambda: fit(X4, kinds="text").leave_one_out(X4 + 100, Y4), "M301"),
    "leave_out_counts_never_learnt": (
        lambda: fit(np.round(X4), kinds="count").leave_one_out(np.round(X4) + 100, Y4),
        "M30",
    ),
    "leave_out_more_weight_than_learnt": (lambda: fitted().leave_one_out(X4, Y4, 3.0), "M301"),
    "missing_is_an_error": (lambda: fit(np.array([[1.5], [NAN], [2.5], [3.5]]), missing="error"), "D124"),
    "missing_is_an_error_in_words": (lambda: fit(column("a", None, "b", "a"), missing="error"), "D124"),
    "missing_is_an_error_in_texts": (
        lambda: fit(column("a b", None, "b", "a"), missing="error", kinds={"x0": "text"}),
        "D124",
    ),
    "missing_is_an_error_in_parzen": (
        lambda: fit(np.array([[1.5], [NAN], [2.5], [3.5]]), missing="error", kinds="parzen"),
        "D124",
    ),
    "missing_is_an_error_at_predict": (after(X4, [[NAN, 1.0]], missing="error"), "D124"),
    "missing_is_an_error_at_explain": (lambda: fitted(missing="error").explain([[NAN, 1.0]]), "D124"),
    "missing_is_an_error_at_interval": (lambda: fitted(missing="error").interval([[NAN, 1.0]]), "D124"),
    "interval_level_of_two": (lambda: fitted().interval(X4, level=2), "O116"),
    "interval_level_of_nan": (lambda: fitted().interval(X4, level=NAN), "O116"),
    "interval_level_is_a_word": (lambda: fitted().interval(X4, level="95%"), "O116"),
    "sample_of_minus_one": (lambda: fitted().sample(-1), "O"),
    "sample_of_one_and_a_half": (lambda: fitted().sample(1.5), "O"),
    "log_odds_of_an_unknown_class": (lambda: fitted().explain(X4).log_odds("yse", "no"), "O110"),
    "load_a_file_that_does_not_exist": (lambda: likely.load("nowhere.likely"), "F403"),
    "load_a_file_that_is_no_model": (lambda: likely.load(__file__), "F404"),
    "load_a_folder": (lambda: likely.load("/tmp"), "F40"),
    "save_into_a_folder_that_does_not_exist": (lambda: fitted().save("/nowhere/at/all.likely"), "F401"),
    "unknown_engine": (lambda: likely.fit(FRAME, "port", engine="spork"), "O117"),
    "classes_of_another_type": (lambda: likely.NaiveBayes().partial_fit(X4, Y4, classes=[1, 2]), "D103"),
    "classes_with_a_hole": (lambda: likely.NaiveBayes().partial_fit(X4, Y4, classes=["no", None]), ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_code_place_and_hint(name: str) -> None:
    deed, code = REFUSED[name]
    with pytest.raises(LikelyError) as caught:
        deed()
    error = caught.value
    assert error.code.startswith(code), error
    assert len(error.code) == 4
    assert error.message
    assert error.place
    assert error.hint
    assert "Traceback" not in str(error)
    assert error.__suppress_context__ or error.__context__ is None, "the cause shows as a second traceback"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("renamed_column", "age"),
        ("unknown_estimate", "map"),
        ("unknown_missing", "ignore"),
        ("unknown_kind", "category"),
        ("unknown_kind_of_a_column", "category"),
        ("kinds_of_an_unknown_column", "port"),
        ("priors_unknown_word", "uniform"),
        ("with_priors_of_an_unknown_class", "yes"),
        ("target_is_not_a_column", "port"),
        ("forget_an_unseen_class", "yes"),
        ("log_odds_of_an_unknown_class", "yes"),
        ("unknown_kernel", "gaussian"),
        ("unknown_bag", "complement"),
        ("merge_of_different_columns", "port"),
    ],
)
def test_the_nearest_name_is_in_the_hint(name: str, near: str) -> None:
    with pytest.raises(LikelyError) as caught:
        REFUSED[name][0]()
    assert f"Did you mean {near!r}?" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("infinity_to_predict", "'x0', row 0"),
        ("infinity_in_a_frame", "'a'"),
        ("mixed_types_in_a_frame", "'a'"),
        ("negative_weights", "row 1"),
        ("target_with_none", "row 1"),
        ("target_with_holes_in_a_column", "row 1"),
        ("level_outside_the_declared", "'x0'"),
        ("missing_is_an_error_in_words", "'x0'"),
        ("forget_an_unseen_level", "'port'"),
    ],
)
def test_the_place_says_which_column_and_row(name: str, where: str) -> None:
    with pytest.raises(LikelyError) as caught:
        REFUSED[name][0]()
    assert where in caught.value.place


@pytest.mark.parametrize(
    "method",
    ["predict", "predict_proba", "predict_log_proba", "explain", "interval", "decide"],
)
def test_before_fit_scikit_learn_says_so(method: str) -> None:
    with pytest.raises(NotFittedError):
        getattr(likely.NaiveBayes(), method)(X4)


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("forget", (X4, Y4)),
        ("leave_one_out", (X4, Y4)),
        ("with_priors", ("uniform",)),
        ("sample", (1,)),
        ("save", ("x",)),
        ("merge", (None,)),
    ],
)
def test_before_fit_the_rest_says_so_too(method: str, given: tuple[Any, ...]) -> None:
    with pytest.raises(NotFittedError):
        getattr(likely.NaiveBayes(), method)(*given)


@pytest.mark.parametrize(
    "deed",
    [
        lambda model: model.fit(X4, [0.5, 1.5, 2.25, 0.75]),
        lambda model: model.fit(np.full((4, 2), INF), Y4),
        lambda model: model.fit(np.full((4, 3), INF), Y4),
        lambda model: model.fit(column(1.5, "a", 2.5, "b"), Y4),
        lambda model: model.fit(FRAME, ["a", None, "b", "b"]),
        lambda model: model.fit(X4 + 1j, [1, 2, 1, 2]),
        lambda model: model.partial_fit(np.full((4, 2), INF), [1, 2, 1, 2]),
        lambda model: model.partial_fit(X4, [1, 2, 1, 2]),
        lambda model: model.forget(X4 + 1, Y4),
        lambda model: model.set_params(estimate="none").fit(X4, [1, 2, 3, 4]),
    ],
    ids=[
        "continuous_target",
        "infinite",
        "infinite_and_wider",
        "mixed_types_and_narrower",
        "holes_in_the_target_of_a_frame",
        "complex",
        "infinite_part",
        "part_with_other_types_of_class",
        "forget_unlearnt",
        "bad_option",
    ],
)
def test_a_failure_leaves_the_old_model(deed: Callable[[likely.NaiveBayes], Any]) -> None:
    model = fitted()
    before = model.predict_proba(X4)
    with pytest.raises(LikelyError):
        deed(model)
    np.testing.assert_array_equal(model.predict_proba(X4), before)
    np.testing.assert_array_equal(model.forget(X4[:1], Y4[:1]).classes_, ["no", "yes"])


@pytest.mark.parametrize("more", [np.array([1000]), np.array([-1]), np.array([2**40])], ids=str)
def test_later_classes_may_need_a_wider_type(more: np.ndarray) -> None:
    model = fit(X4, np.array([1, 2, 1, 2], dtype=np.uint8)).partial_fit(X4[:1], more)
    assert model.classes_.tolist() == sorted([1, 2, *more.tolist()])
    other = fit(X4, np.array([1, 2, 1, 2], dtype=np.uint8)).merge(fit(X4[:1], more))
    assert other.classes_.tolist() == model.classes_.tolist()


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "model.likely"
    fitted().save(path)
    before = path.read_bytes()
    with pytest.raises(LikelyError):
        fitted().save(path / "below")
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.likely"]


@pytest.mark.parametrize("name", ["level_named_like_the_missing", "very_many_levels", "huge_integers"])
def test_no_warning_of_any_kind(name: str) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        learn(name).predict_proba(LEARNT[name][0])
    assert not seen


def test_a_matrix_of_numbers_for_a_model_with_a_text() -> None:
    rows = np.array([["sun today", 1.0], ["rain", 2.0], ["sun", 3.0], ["rain today", 1.0]] * 3, dtype=object)
    model = likely.NaiveBayes(kinds={0: "text"}).fit(rows, list("abab") * 3)
    missing = np.array([[None, 1.0], [None, 3.0]], dtype=object)
    assert np.array_equal(model.predict_proba(missing.astype(np.float64)), model.predict_proba(missing))
    with pytest.raises(likely.LikelyError, match="D108"):
        model.predict(np.array([[1.0, 1.0]]))
