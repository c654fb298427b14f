"""Cross-validation: subtraction is a refit to rounding for every kind of column, and every table can be cut."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import log_loss as sklearn_log_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from likely import NaiveBayes, checks
from likely.core.schema import Parzen
from likely.errors import LikelyError, ModelError
from likely.evaluation import CrossValidation, cross_validate, recalibrate, split


@settings(deadline=None, derandomize=True)
@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=60), st.integers(2, 12), st.integers(0, 99), st.booleans())
def test_folds_are_even(y: list[str], folds: int, seed: int, stratified: bool) -> None:
    folds = min(folds, len(y))
    fold = split(y, folds, seed, stratified)
    assert fold.shape == (len(y),)
    sizes = np.bincount(fold, minlength=folds)
    assert sizes.max() - sizes.min() <= 1
    assert np.array_equal(fold, split(y, folds, seed, stratified))
    if stratified:
        for level in set(y):
            mine = np.bincount(fold[np.array(y) == level], minlength=folds)
            assert mine.max() - mine.min() <= 1


def test_folds_depend_on_the_seed() -> None:
    y = list("ab") * 20
    assert not np.array_equal(split(y, seed=1), split(y, seed=2))


@pytest.mark.parametrize("folds", [1, 5, 0, -1, 2.0, True, "3"])
def test_a_number_of_folds_that_cannot_be(folds: Any) -> None:
    with pytest.raises(LikelyError) as error:
        split(["a", "b", "a", "b"], folds)
    assert error.value.code == "O341"


def refit(model: Any, X: Any, y: np.ndarray, fold: np.ndarray, classes: tuple, weights: Any = None) -> np.ndarray:
    """(rows, classes): what fits on the other folds say, the plain way, from an Arrow table or an array."""
    out = np.full((len(y), len(classes)), -np.inf)
    for part in range(fold.max() + 1):
        rest, held = np.flatnonzero(fold != part), np.flatnonzero(fold == part)
        cut = X.take if hasattr(X, "column_names") else X.__getitem__
        learnt = NaiveBayes(**model.get_params()).fit(cut(rest), y[rest], None if weights is None else weights[rest])
        places = [classes.index(level) for level in learnt.classes_]
        out[np.ix_(held, places)] = learnt.predict_log_proba(cut(held))
    return out


def same(found: CrossValidation, wanted: np.ndarray) -> None:
    assert np.array_equal(np.isinf(found.log_proba), np.isinf(wanted))
    finite = np.isfinite(wanted)
    assert np.abs(found.log_proba[finite] - wanted[finite]).max() < 1e-9
    assert np.abs(found.proba - np.exp(wanted)).max() < 1e-9


SPARED = ("real", "count", "binary", "category", "text")  # whose statistics have no grid


@settings(max_examples=12, deadline=None, derandomize=True)
@given(
    st.integers(0, 10**6),
    st.integers(6, 40),
    st.integers(2, 6),
    st.sampled_from([None, (1.0, 2.0, 3.0), (0.5, 1.25, 0.1, 0.0)]),
    st.sampled_from(["bayes", "map", "mle"]),
    st.sampled_from(["ignore", "informative"]),
)
def test_subtraction_is_a_refit(seed: int, rows: int, folds: int, weights: Any, estimate: str, missing: str) -> None:
    table = checks.table(seed, rows, kinds=SPARED, missing=0.2)
    # a level and a class of one row, so of one fold
    target, colours = list(table.target), list(table.columns["category1"])
    target[0], colours[1] = "yew", "grey"
    table = replace(table, target=target, columns={**table.columns, "category1": colours})
    model = NaiveBayes(kinds=table.kinds, estimate=estimate, missing=missing)
    shares = None if weights is None else np.resize(weights, rows)
    found = cross_validate(model, table.X, table.y, folds, seed, shares)
    assert found.method == "subtraction"
    assert found.why == ""
    assert found.classes == tuple(sorted(set(target)))
    same(found, refit(model, table.X, table.y, found.fold, found.classes, shares))


@pytest.mark.parametrize("form", ["parzen", Parzen("box", "scott"), Parzen("biweight", 0.7), Parzen(bandwidth="cv")])
@pytest.mark.parametrize("weights", [None, (0.5, 1.25, 0.1)])
def test_parzen_columns_are_fitted_afresh_where_their_grid_changes(form: Any, weights: Any) -> None:
    table = checks.table(3, 60, kinds=("parzen", "category"), missing=0.1)
    kinds = {name: form if name.startswith("parzen") else "category" for name in table.columns}
    shares = None if weights is None else np.resize(weights, 60)
    model = NaiveBayes(kinds=kinds)
    found = cross_validate(model, table.X, table.y, 8, weights=shares)
    assert found.method == "subtraction and refit"
    assert 0 < len(found.refitted) < 8
    assert "grid" in found.why
    same(found, refit(model, table.X, table.y, found.fold, found.classes, shares))


def test_the_page_names_model_target_and_class() -> None:
    table = checks.table(0, 60)
    sick = pd.Series(np.resize(["no", "yes"], 60), name="sick")
    found = cross_validate(NaiveBayes(kinds=table.kinds), table.X, sick, 3)
    assert found.about == found.evaluate().about == "NaiveBayes of sick"
    assert found.plot().get_suptitle().startswith("NaiveBayes of sick, class yes\n")
    assert cross_validate(NaiveBayes(kinds=table.kinds), table.X, sick.to_numpy(), 3).about == "NaiveBayes"


def test_the_model_is_left_as_it_is() -> None:
    table = checks.table(0, 30)
    model = NaiveBayes(kinds=table.kinds)
    fresh = vars(model).copy()
    cross_validate(model, table.X, table.y, 3)
    assert vars(model) == fresh
    model.fit(table.X, table.y)
    before = model.predict_proba(table.X)
    cross_validate(model, table.X.slice(0, 20), table.y[:20], 3)
    assert np.array_equal(model.predict_proba(table.X), before)


FRAME = pd.DataFrame(
    {"age": [30.5, 40, None, 25, 60, 61.5, 35, 50], "town": ["x", "y", "x", None, "z", "y", "y", "z"], "n": range(8)}
)
LABELS = ["no", "yes", "no", "no", "yes", "yes", "no", "yes"]


@pytest.mark.parametrize("form", ["pandas", "polars", "lazy", "arrow", "lists"])
def test_every_table_can_be_cut(form: str) -> None:
    polar = pl.from_pandas(FRAME)
    rows = FRAME.astype(object).where(FRAME.notna(), None).to_numpy().tolist()
    tables = {"pandas": FRAME, "polars": polar, "lazy": polar.lazy(), "arrow": polar.to_arrow(), "lists": rows}
    kinds = {0: "real", 1: "category", 2: "real"}
    found = cross_validate(NaiveBayes(kinds=kinds), tables[form], LABELS, folds=4)
    wanted = cross_validate(NaiveBayes(kinds=kinds), FRAME, pd.Series(LABELS, index=range(8, 0, -1)), folds=4)
    assert found.method == wanted.method == "subtraction"
    assert np.abs(found.proba - wanted.proba).max() < 1e-12


def test_sparse_words_can_be_cut() -> None:
    words = np.random.default_rng(0).poisson(0.4, (30, 12))
    y = np.arange(30) % 3
    dense = cross_validate(NaiveBayes(kinds="text"), words, y, 5)
    thin = cross_validate(NaiveBayes(kinds="text"), sparse.coo_array(words), y, 5)
    assert dense.method == thin.method == "subtraction"
    assert np.abs(dense.proba - thin.proba).max() < 1e-12


@pytest.mark.parametrize(
    "model", [GaussianNB(), LogisticRegression(), make_pipeline(StandardScaler(), LogisticRegression())]
)
@pytest.mark.parametrize("weighted", [False, True])
def test_other_classifiers_are_fitted_afresh(model: Any, weighted: bool) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.array(["a", "b", "c"])[np.arange(60) % 3]
    X[:, 0] += np.arange(60) % 3
    weights = rng.random(60) if weighted else None
    ticks: list[int] = []
    found = cross_validate(model, X, y, 4, weights=weights, tick=lambda: ticks.append(1))
    assert found.method == "refit"
    assert found.why == f"{type(model).__name__} cannot forget"
    assert len(ticks) == 4
    name = "logisticregression__sample_weight" if hasattr(model, "steps") else "sample_weight"
    for part in range(4):
        held = found.fold == part
        learnt = model.fit(X[~held], y[~held], **({name: weights[~held]} if weighted else {}))
        assert np.allclose(found.proba[held], learnt.predict_proba(X[held]), atol=1e-12)
        loss = sklearn_log_loss(
            y[held], found.proba[held], labels=["a", "b", "c"], sample_weight=None if weights is None else weights[held]
        )
        assert np.isclose(found.scores()["log_loss"][part], loss)


def test_a_forecast_of_zero_is_an_infinite_loss_without_a_warning() -> None:
    X, y = np.array([[0.0], [0.1], [1.0], [1.1], [0.05], [1.05]]), list("aabbba")
    found = cross_validate(KNeighborsClassifier(1), X, y, 3)
    assert np.isinf(found.scores()["log_loss"]).any()


def test_a_probability_too_small_for_a_double_is_not_taken_for_zero() -> None:
    rng = np.random.default_rng(1)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 1)) * 0.1 + y[:, None] * 1.0
    X = np.repeat(X, 60, axis=1)
    X[0] = 1.0  # looks like the other class, in every column
    found = cross_validate(NaiveBayes(estimate="mle"), X, y, 4)
    assert found.proba[0, 0] == 0.0
    assert np.isfinite(found.scores()["log_loss"]).all()


class Reluctant(NaiveBayes):
    """Forgets nothing."""

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        raise ModelError("M399", "the structure would change", place="forget", hint="fit it again")


def test_a_model_that_fails_to_forget_is_fitted_afresh() -> None:
    table = checks.table(1, 24)
    kinds = {name: kind for name, kind in table.kinds.items() if kind != "parzen"}
    table = table.only(list(kinds))
    found = cross_validate(Reluctant(kinds=kinds), table.X, table.y, 3)
    assert found.method == "refit"
    assert "the structure would change" in found.why
    same(found, cross_validate(NaiveBayes(kinds=kinds), table.X, table.y, 3).log_proba)


def test_folds_without_weight() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], list("abab")
    fold = split(y, 2)
    weights = np.where(fold == 0, 0.0, 1.0)
    with pytest.raises(LikelyError) as error:  # without fold 1 there is nothing to learn from
        cross_validate(NaiveBayes(), X, y, 2, weights=weights)
    assert error.value.code == "O344"
    light = np.array([1.0, 1.0, 1.0, 0.0, 1.0, 1.0])
    found = cross_validate(NaiveBayes(), [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], list("ababab"), 6, weights=light)
    assert np.isnan(found.scores()["log_loss"][found.fold[3]])
    assert found.method == "subtraction"


def test_what_cannot_be_cut() -> None:
    codes = {
        "D126": [([[1.0]], ["a", "b"])],
        "D131": [("table.csv", ["a", "b"]), (Path("table.csv"), ["a", "b"]), (3, ["a", "b"])],
        "D105": [([[1.0], [2.0]], ["a", None]), ([[1.0], [2.0]], [1.0, np.nan])],
        "D103": [([[1.0], [2.0]], ["a", 1])],
    }
    for code, cases in codes.items():
        for X, y in cases:
            with pytest.raises(LikelyError) as error:
                cross_validate(NaiveBayes(), X, y, 2)
            assert error.value.code == code


def test_it_shows_itself() -> None:
    table = checks.table(1, 30, kinds=("real", "binary"))
    found = cross_validate(NaiveBayes(kinds=table.kinds), table.X, table.y, 3)
    assert "30 rows in 3 folds, by subtraction" in repr(found)
    page = found.to_dict()
    assert page["method"] == "subtraction"
    assert len(page["scores"]["brier"]) == 3
    report = found.evaluate()
    assert report.rows == 30
    assert np.isclose(report.accuracy, (found.proba.argmax(axis=1) == np.searchsorted(found.classes, table.y)).mean())


def test_folds_that_are_given_are_kept() -> None:
    table = checks.table(2, 30, kinds=("real", "binary"))
    group = np.resize([7, 3, 12], 30)  # any whole numbers, in their order
    model = NaiveBayes(kinds=table.kinds)
    found = cross_validate(model, table.X, table.y, folds=group)
    assert np.array_equal(found.fold, np.resize([1, 0, 2], 30))
    assert np.array_equal(found.log_proba, cross_validate(model, table.X, table.y, group.tolist()).log_proba)
    same(found, refit(model, table.X, table.y, found.fold, found.classes))


@pytest.mark.parametrize("folds", [[0, 1], [[0, 1, 0, 1]], [0, 1, 0, np.nan], [0, 0.5, 1, 1], list("abab"), [1] * 4])
def test_given_folds_that_cannot_be(folds: Any) -> None:
    with pytest.raises(LikelyError) as error:
        cross_validate(NaiveBayes(), [[1.0], [2.0], [3.0], [4.0]], list("abab"), folds)
    assert error.value.code == "O359"


@pytest.mark.parametrize("y", [None, 5, iter("abab"), []])
def test_labels_that_cannot_be_split(y: Any) -> None:
    with pytest.raises(LikelyError) as error:
        split(y, 2)
    assert error.value.code == ("D117" if y == [] else "D110")


@pytest.mark.parametrize("seed", [-1, 1.5, "a", None, True])
def test_a_seed_that_cannot_be(seed: Any) -> None:
    with pytest.raises(LikelyError) as error:
        split(list("abab"), 2, seed)
    assert error.value.code == "O348"


def test_what_is_no_classifier() -> None:
    X, y = np.arange(12.0)[:, None], np.array(list("ababababbbaa"))
    better = recalibrate(NaiveBayes().fit(X, y), X, y)
    for model, code in ((None, "O342"), (NaiveBayes, "O342"), (LinearRegression(), "D446"), (better, "O342")):
        with pytest.raises(LikelyError) as error:
            cross_validate(model, X, y, 2)
        assert error.value.code == code
    assert "made from" in error.value.hint
    for model in (KNeighborsClassifier(1), make_pipeline(StandardScaler(), KNeighborsClassifier(1))):
        with pytest.raises(LikelyError) as error:
            cross_validate(model, X, y, 2, weights=np.ones(12))
        assert error.value.code == "O343"


def test_a_class_that_a_fold_holds_out_whole_is_named() -> None:
    X, y = np.arange(12.0)[:, None], list("abababababaz")
    found = cross_validate(NaiveBayes(), X, y, 3)
    assert found.unlearnt == ("z",)
    assert "Class 'z' was never learnt in some folds" in repr(found)
    assert found.notes[0] in found.evaluate().notes
    page = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert "inf" in page["scores"]["log_loss"]
    weights = np.where(np.arange(12) == 11, 0.0, 1.0)
    assert cross_validate(NaiveBayes(), X, y, 3, weights=weights).unlearnt == ()
    assert cross_validate(NaiveBayes(), X, list("ababababazza"), 3).unlearnt == ()


def test_a_fold_without_weight_is_written_as_unknown() -> None:
    light = np.array([1.0, 1.0, 1.0, 0.0, 1.0, 1.0])
    found = cross_validate(NaiveBayes(), [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], list("ababab"), 6, weights=light)
    page = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert page["scores"]["log_loss"][found.fold[3]] is None
