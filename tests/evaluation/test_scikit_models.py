"""Estimators of scikit-learn among ours: found by name, given tables encoded, scored as scikit-learn itself does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

import likely
from likely.errors import LikelyError
from likely.estimators.comparison import made
from likely.estimators.registry import compared
from likely.estimators.scikit_learn.encoded_estimator import EncodedClassifier, encoded
from likely.estimators.scikit_learn.names import find_scikit, scikit_estimators
from likely.estimators.scikit_learn.table_encoder import TableEncoding, Wants
from likely.evaluation import split


def loans(rows: int = 160) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(5)
    table = pd.DataFrame(
        {
            "income": rng.normal(30, 8, rows),
            "city": rng.choice(["York", "Leeds", "Ely"], rows),
            "owner": rng.choice(["yes", "no"], rows),
        }
    )
    y = np.where(table["income"] + 6 * (table["city"] == "York") + rng.normal(0, 6, rows) > 31, "good", "bad")
    table.loc[rng.random(rows) < 0.1, "income"] = np.nan
    table.loc[rng.random(rows) < 0.1, "city"] = None
    return table, y


def test_a_table_of_numbers_is_handed_over_as_it_is() -> None:
    X, y = load_iris(return_X_y=True)
    fold = split(y, 5, 0)
    models: dict[str, Any] = {"gauss": GaussianNB(), "logistic": LogisticRegression(max_iter=500)}
    found = likely.compare(X, y, models, folds=5)
    for name, model in models.items():
        for scoring, measure, sign in (("accuracy", "accuracy", 1), ("neg_log_loss", "log_loss", -1)):
            known = cross_val_score(model, X, y, cv=PredefinedSplit(fold), scoring=scoring)
            assert np.allclose(getattr(found[name], measure), sign * known, atol=1e-9)


def test_a_mixed_table_is_encoded_anew_in_every_fold() -> None:
    """The same columns from scikit-learn's own encoders in a pipeline, on the same folds."""
    table, y = loans()
    encoder = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), ["income"]),
        (OneHotEncoder(), ["city"]),
        (OneHotEncoder(drop="if_binary"), ["owner"]),
    )
    for model in (LogisticRegression(), GaussianNB()):
        known = cross_val_score(
            make_pipeline(encoder, model), table, y, cv=PredefinedSplit(split(y, 5, 0)), scoring="neg_log_loss"
        )
        for X in (table, pa.Table.from_pandas(table), pl.from_pandas(table)):
            assert np.allclose(likely.compare(X, y, [model], folds=5).rows[0].log_loss, -known, atol=1e-7)


def test_regressors_of_scikit_learn() -> None:
    X, y = load_diabetes(return_X_y=True)
    found = likely.compare(X, y, ["linear", Ridge(), "mean"], folds=5, score="r2")
    known = cross_val_score(Ridge(), X, y, cv=PredefinedSplit(split(np.zeros(len(y)), 5, 0)), scoring="r2")
    assert np.allclose(found["Ridge"].r2, known)
    named = likely.compare(X, y, ["Ridge", "sklearn.dummy.DummyRegressor"], folds=5)
    assert [row.name for row in named.ranked] == ["Ridge", "sklearn.dummy.DummyRegressor"]


def test_a_classifier_without_probabilities_has_calibrated_ones() -> None:
    X, y = load_iris(return_X_y=True)
    found = likely.compare(X, y, {"svc": SVC(), "prior": "prior"}, folds=5)
    assert found["svc"].mean("log_loss") < 0.3 < found["prior"].mean("log_loss")
    assert found["svc"].mean("accuracy") > 0.9


def test_what_encodes_by_itself_and_our_own_are_left_alone() -> None:
    table, y = loans()
    encodes = make_pipeline(make_column_transformer((OneHotEncoder(), ["owner"])), LogisticRegression())
    naive = likely.NaiveBayes()
    models = made({"pipe": encodes, "ours": naive, "theirs": LogisticRegression()}, table, y)
    assert models["pipe"] is encodes
    assert models["ours"] is naive
    assert isinstance(models["theirs"], EncodedClassifier)
    assert likely.compare(table, y, models, folds=3).failed == ()


def test_where_no_model_is_named_the_target_says_which_are_compared() -> None:
    table, y = loans()
    for labels in (y, pd.Series(y), list(y), pd.Categorical(y), np.arange(len(y)) % 3):
        assert [*made(None, table, labels)] == compared(numeric=False)
    assert [*made(None, table, np.linspace(0, 1, len(y)))] == compared(numeric=True)


def test_each_estimator_gets_what_it_takes() -> None:
    table, y = loans()
    boosted = encoded(HistGradientBoostingClassifier(max_iter=2)).fit(table, y)
    assert np.isnan(boosted.encoding_.matrix(table)).any()  # missing values as they are
    assert boosted.estimator_.is_categorical_.tolist() == [False, True, True]
    forest = encoded(MultinomialNB()).fit(table, y).encoding_.matrix(table)
    assert (forest.min(), forest.max()) == (0.0, 1.0)
    codes = encoded(CategoricalNB()).fit(table, y).encoding_.matrix(table)
    assert (codes == np.round(codes)).all()
    later = table.assign(city="nowhere", income=1e9)
    for model in (
        HistGradientBoostingClassifier(max_iter=2),
        MultinomialNB(),
        CategoricalNB(),
        RandomForestClassifier(5),
    ):
        said = encoded(model).fit(table, y).predict_proba(later)
        assert np.allclose(said.sum(axis=1), 1.0)


def test_texts_are_weighed_words() -> None:
    texts = ["cheap pills now", "meeting at noon", "cheap offer", "noon report", None, "pills pills"]
    table = pd.DataFrame({"text": texts, "length": [15.0, 15, 11, 11, 0, 11]})
    encoding = TableEncoding.learn(table, {"text": "text"}, Wants())
    rows = encoding.matrix(table)
    lengths = np.linalg.norm(rows[:, 1:], axis=1)
    assert np.allclose(lengths, [1, 1, 1, 1, 0, 1])
    sparse = TableEncoding.learn(table, {"text": "text"}, Wants(sparse=True)).matrix(table)
    assert np.allclose(sparse.toarray(), rows)
    y = ["spam", "ham", "spam", "ham", "ham", "spam"] * 4
    many = pd.concat([table] * 4, ignore_index=True)
    found = likely.compare(many, y, ["LogisticRegression"], folds=3, kinds={"text": "text"})
    assert found.rows[0].mean("accuracy") > 0.9
    assert encoded(SVC(), {"text": "text"}).fit(many, y).score(many, y) == 1.0


def test_identifiers_are_set_aside_and_a_table_of_nothing_is_refused() -> None:
    table = pd.DataFrame({"code": [f"c{at}" for at in range(40)], "x": np.arange(40) % 7})
    assert TableEncoding.learn(table, "auto", Wants()).matrix(table).shape == (40, 1)
    with pytest.raises(LikelyError) as error:
        TableEncoding.learn(table[["code"]], "auto", Wants())
    assert error.value.code == "D137"


@pytest.mark.parametrize("labels", [[True, False], [1, 0], [2.0, 3.0], ["ja", "nein"]])
def test_labels_of_any_type(labels: list[Any]) -> None:
    X, y = [[1.0, "a"], [2.0, None], [5.0, "b"], [6.0, "b"]] * 5, [labels[0], labels[0], labels[1], labels[1]] * 5
    found = likely.compare(X, y, ["RandomForestClassifier", "SVC"], folds=4, score="accuracy")
    assert (found.failed, found.rows[0].mean("accuracy")) == ((), 1.0)


def test_names_are_scikit_learns_own_list_alone() -> None:
    assert find_scikit("sklearn.svm.SVC")[0] is SVC
    assert {"VotingClassifier", "StackingRegressor", "SelfTrainingClassifier"}.isdisjoint(scikit_estimators())
    with pytest.raises(LikelyError, match=r"VotingClassifier is made of other models"):
        find_scikit("VotingClassifier")
    meant = {
        "RandomForestClasifier": "RandomForestClassifier",
        "sklearn.svm.SVK": "sklearn.svm.SV",
        "sklearn.os.SVC": "sklearn.svm.SVC",
        "Naive": "naive",
    }
    for name, close in meant.items():
        with pytest.raises(LikelyError, match=r"there is no model") as error:
            likely.compare([[1.0], [2.0]], ["a", "b"], [name], folds=2)
        assert error.value.code == "O119"
        assert f"Did you mean '{close}" in error.value.hint


def test_what_is_drawn_is_drawn_by_the_seed() -> None:
    table, y = loans()
    one, same, other = (
        likely.compare(table, y, ["ExtraTreesClassifier"], folds=3, seed=s).rows[0].brier for s in (1, 1, 2)
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_lists_files_and_names_of_columns(tmp_path: Any) -> None:
    table, y = loans()
    whole = table.assign(good=y)
    whole.to_csv(tmp_path / "loans.csv", index=False)
    models = ["naive", GaussianNB(), GaussianNB(var_smoothing=0.1)]
    found = likely.compare(table, y, models, folds=4)
    assert [row.name for row in found.rows] == ["naive", "GaussianNB 1", "GaussianNB 2"]
    for source in (whole, str(tmp_path / "loans.csv")):
        again = likely.compare(source, "good", models, folds=4)
        assert np.allclose(again["GaussianNB 1"].log_loss, found["GaussianNB 1"].log_loss)
        assert np.allclose(again["naive"].log_loss, found["naive"].log_loss)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: likely.compare([[1.0], [2.0]]), "D119"),
        (lambda: likely.compare({"one": [[1.0], [2.0]]}, models="naive"), "O340"),
        (lambda: likely.compare({"one": ([[1.0]], ["a"])}, models="naive", weights=[1.0]), "O340"),
        (lambda: likely.compare([[1.0], [2.0]], ["a", "b"], [SVC], folds=2), "O342"),
    ],
)
def test_refusals(call: Any, code: str) -> None:
    with pytest.raises(LikelyError) as error:
        call()
    assert error.value.code == code
