"""Adding and taking away rows is exact: parts are the whole, forgetting is never having seen, leaving out a refit."""

from __future__ import annotations

from fractions import Fraction
from statistics import pvariance, variance
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely.data import Labels, ask, open_source
from likely.models import NaiveModel
from likely.models.alignment import questions
from likely.models.priors import read_priors

CLOSE = {"rtol": 1e-9, "atol": 1e-12}
WORDS = ["win", "free", "entry", "call", "later", "home", "now", "love"]
KINDS: dict[str, Any] = {
    "real": "real",
    "bit": "binary",
    "level": "category",
    "count": "count",
    "parzen": "parzen",
    "box": likely.Parzen("box", "scott"),
    "text": "text",
    "complement": likely.Text("complement"),
}
estimates = pytest.mark.parametrize("estimate", ["bayes", "map", "mle"])
holes = pytest.mark.parametrize("missing", ["ignore", "informative"])


def table(rows: int, seed: int = 0, missing: float = 0.15) -> tuple[pd.DataFrame, np.ndarray]:
    """Every kind of column, with holes; the last class has one row only, the last but one has two."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["a", "b"], rows).astype(object)
    y[:3] = ["rare", "rare", "single"]
    shift = (y == "b").astype(float)
    frame = pd.DataFrame(
        {
            "real": rng.normal(shift, 1.0),
            "bit": (rng.random(rows) < 0.3 + 0.3 * shift).astype(float),
            "level": rng.choice(["p", "q", "r"], rows),
            "count": rng.poisson(2 + 2 * shift).astype(float),
            "parzen": rng.normal(3 * shift, 1.0),
            "box": rng.gamma(2.0, 1.0, rows),
            "text": [" ".join(rng.choice(WORDS, 1 + rng.integers(4))) for _ in range(rows)],
            "complement": [" ".join(rng.choice(WORDS, 1 + rng.integers(4))) for _ in range(rows)],
        }
    )
    gaps = rng.random(frame.shape) < missing
    for at, name in enumerate(frame.columns):
        frame.loc[gaps[:, at], name] = None
    order = rng.permutation(rows)
    return frame.iloc[order].reset_index(drop=True), y[order].astype(str)


def weights_of(kind: str, rows: int) -> Any:
    rng = np.random.default_rng(5)
    return {"unweighted": None, "whole": rng.integers(1, 4, rows).astype(float), "fractional": rng.random(rows) + 0.2}[
        kind
    ]


def some(weights: Any, at: Any) -> Any:
    return None if weights is None else weights[at]


weightings = pytest.mark.parametrize("weighting", ["unweighted", "whole", "fractional"])


def same_model(one: likely.NaiveBayes, other: likely.NaiveBayes, X: Any, exact: bool = False) -> None:
    """Same classes, levels and predictions; `exact`: the same statistics to the bit."""
    assert one.classes_.tolist() == other.classes_.tolist()
    for mine, theirs in zip(one.model_.schema.columns, other.model_.schema.columns, strict=True):
        assert (mine.name, mine.kind, tuple(mine.levels)) == (theirs.name, theirs.kind, tuple(theirs.levels))
    if exact:
        assert one.model_.schema == other.model_.schema
        for question, answer in one.model_.bundle.items():
            assert answer == other.model_.bundle[question]
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), **CLOSE)
    terms, peers = one.explain(X).terms, other.explain(X).terms
    np.testing.assert_allclose(terms, peers, **CLOSE)


# --- learning in parts ---


@pytest.mark.parametrize("seed", range(5))
@weightings
def test_partial_fit_in_any_chunks_is_fit(seed: int, weighting: str) -> None:
    X, y = table(120, seed)
    weights = weights_of(weighting, len(X))
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.choice(np.arange(1, len(X)), rng.integers(1, 12), replace=False))
    whole = likely.NaiveBayes(kinds=KINDS).fit(X, y, weights)
    parts = likely.NaiveBayes(kinds=KINDS)
    for rows in np.split(np.arange(len(X)), cuts):
        parts.partial_fit(X.iloc[rows], y[rows], sample_weight=some(weights, rows))
    same_model(parts, whole, X)


def test_partial_fit_row_by_row_is_fit() -> None:
    X, y = table(40)
    whole = likely.NaiveBayes(kinds=KINDS).fit(X, y)
    parts = likely.NaiveBayes(kinds=KINDS)
    for row in range(len(X)):
        parts.partial_fit(X[row : row + 1], y[row : row + 1])
    same_model(parts, whole, X)


def test_a_part_without_any_value_does_not_widen_the_windows() -> None:
    rows = np.array([[100.1], [101.3], [103.7], [102.2]])
    parts = likely.NaiveBayes(kinds="parzen").fit([[np.nan]], ["a"]).partial_fit(rows, ["a", "b", "a", "b"])
    whole = likely.NaiveBayes(kinds="parzen").fit(np.concatenate([[[np.nan]], rows]), ["a", "a", "b", "a", "b"])
    same_model(parts, whole, rows)


@pytest.mark.parametrize("first", [0.0, 1.0])
def test_a_part_of_one_value_of_a_binary_column_does_not_make_it_real(first: float) -> None:
    parts = likely.NaiveBayes().fit([[first], [first]], ["a", "b"]).partial_fit([[0.0], [1.0]], ["a", "b"])
    whole = likely.NaiveBayes().fit([[first], [first], [0.0], [1.0]], ["a", "b", "a", "b"])
    same_model(parts, whole, [[0.0], [1.0]])


@pytest.mark.parametrize("seed", range(5))
def test_partial_fit_of_inferred_kinds_is_fit(seed: int) -> None:
    """Nothing is declared: a chunk may see zeros and ones only of a wider column, or nothing at all of another."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "real": rng.normal(size=60).round(2),
            "whole": rng.integers(0, 3, 60).astype(float),
            "bit": rng.integers(0, 2, 60).astype(float),
            "level": rng.choice(["p", "q", "r", None], 60, p=[0.5, 0.3, 0.1, 0.1]),
            "rarely": np.where(rng.random(60) < 0.1, rng.normal(size=60), np.nan),
            "seldom": np.where(rng.random(60) < 0.1, "yes", None),
        }
    )
    y = rng.choice(["a", "b"], 60)
    whole = likely.NaiveBayes().fit(X, y)
    parts = likely.NaiveBayes()
    for rows in np.split(np.arange(60), [4, 5, 20, 33]):
        parts.partial_fit(X.iloc[rows], y[rows])
    same_model(parts, whole, X)


@weightings
@estimates
@holes
def test_merged_parts_are_the_whole(weighting: str, estimate: str, missing: str) -> None:
    X, y = table(90)
    weights = weights_of(weighting, len(X))
    options = {"kinds": KINDS, "estimate": estimate, "missing": missing}
    parts = [
        likely.NaiveBayes(**options).fit(X.iloc[rows], y[rows], some(weights, rows))
        for rows in np.array_split(np.random.default_rng(1).permutation(90), 3)
    ]
    whole = likely.NaiveBayes(**options).fit(X, y, weights)
    same_model(parts[0].merge(parts[1]).merge(parts[2]), whole, X)
    same_model(parts[2].merge(parts[0].merge(parts[1])), whole, X)


def test_merged_parts_that_saw_other_levels_classes_and_words() -> None:
    X, y = table(90, missing=0.0)
    order = np.lexsort((X["level"], y))
    X, y = X.iloc[order].reset_index(drop=True), y[order]
    X["text"] = [f"{text} only{y[row]}" for row, text in enumerate(X["text"])]
    parts = [likely.NaiveBayes(kinds=KINDS).fit(X.iloc[rows], y[rows]) for rows in np.array_split(np.arange(90), 6)]
    assert len({tuple(part.classes_) for part in parts}) > 1
    assert len({part.model_.schema.columns[2].levels for part in parts}) > 1
    merged = parts[0]
    for part in parts[1:]:
        merged = merged.merge(part)
    same_model(merged, likely.NaiveBayes(kinds=KINDS).fit(X, y), X)


def test_merging_leaves_both_models_as_they_were() -> None:
    X, y = table(60)
    one, other = (likely.NaiveBayes(kinds=KINDS).fit(X[at], y[at]) for at in (slice(0, 30), slice(30, 60)))
    before = [model.predict_proba(X) for model in (one, other)]
    one.merge(other)
    for model, proba in zip((one, other), before, strict=True):
        np.testing.assert_array_equal(model.predict_proba(X), proba)


def test_a_row_of_weight_two_is_the_row_twice() -> None:
    X, y = table(60)
    twice = np.repeat(np.arange(60), 2)
    once = likely.NaiveBayes(kinds=KINDS).fit(X, y, np.full(60, 2.0))
    same_model(once, likely.NaiveBayes(kinds=KINDS).fit(X.iloc[twice], y[twice]), X)


def test_the_order_of_rows_and_columns_is_irrelevant() -> None:
    X, y = table(60)
    order, names = np.random.default_rng(2).permutation(60), list(X.columns[::-1])
    one = likely.NaiveBayes(kinds=KINDS).fit(X, y)
    other = likely.NaiveBayes(kinds=KINDS).fit(X.iloc[order][names], y[order])
    np.testing.assert_allclose(other.predict_proba(X[names]), one.predict_proba(X), **CLOSE)


# --- taking back ---


@weightings
@estimates
@holes
def test_forgetting_is_never_having_seen(weighting: str, estimate: str, missing: str) -> None:
    X, y = table(90)
    weights = weights_of(weighting, len(X))
    options = {"kinds": KINDS, "estimate": estimate, "missing": missing}
    order = np.random.default_rng(3).permutation(90)
    away, stay = order[:30], order[30:]
    model = likely.NaiveBayes(**options).fit(X, y, weights)
    assert model.forget(X.iloc[away], y[away], some(weights, away)) is model
    # windows are laid on the grid of all that was seen: a narrower one would be finer
    plain = [name for name in X.columns if name not in ("parzen", "box")]
    same_model(model, fit_like(model, X.iloc[stay], y[stay], some(weights, stay)), X)
    narrow = {**options, "kinds": {name: KINDS[name] for name in plain}}
    forgot = (
        likely.NaiveBayes(**narrow).fit(X[plain], y, weights).forget(X[plain].iloc[away], y[away], some(weights, away))
    )
    same_model(forgot, likely.NaiveBayes(**narrow).fit(X[plain].iloc[stay], y[stay], some(weights, stay)), X[plain])


def fit_like(model: likely.NaiveBayes, X: Any, y: Any, weights: Any = None) -> likely.NaiveBayes:
    """A model of these rows under the schema of another: the same levels, classes and grids."""
    schema = model.model_.schema
    source = open_source(X, labels=Labels.read(y), weights=weights)
    core = NaiveModel(schema, model.model_.setting, model.model_.priors, ask(source, schema, questions(schema)))
    twin = likely.NaiveBayes(**model.get_params())
    for name in ("n_features_in_", "feature_names_in_", "_dtype"):
        if hasattr(model, name):
            setattr(twin, name, getattr(model, name))
    return twin._hold(core)


def test_inferred_levels_classes_and_words_disappear_declared_ones_stay() -> None:
    X = pd.DataFrame({"free": ["p", "q", "p", "q"], "told": ["p", "q", "p", "q"], "text": ["a b", "c", "b", "c d"]})
    model = likely.NaiveBayes(kinds={"told": ["p", "q", "z"], "text": "text"})
    model.partial_fit(X, ["yes", "no", "yes", "maybe"], classes=["no", "yes"])
    model.forget(X[1:2], ["no"]).forget(X[3:], ["maybe"])
    assert model.classes_.tolist() == ["no", "yes"]
    assert [tuple(column.levels) for column in model.model_.schema.columns] == [("p",), ("p", "q", "z"), ("a", "b")]


def test_forgetting_in_parts_all_that_was_learnt_leaves_nothing() -> None:
    X, y = table(60)
    weights = weights_of("fractional", 60)
    model = likely.NaiveBayes(kinds=KINDS).partial_fit(X, y, classes=["a", "b"], sample_weight=weights)
    for rows in np.array_split(np.random.default_rng(4).permutation(60), 7):
        model.forget(X.iloc[rows], y[rows], weights[rows])
    assert model.model_.rows.tolist() == [0, 0]
    np.testing.assert_allclose(model.predict_proba(X), 0.5)


def test_a_sliding_window_of_a_thousand_steps() -> None:
    rng = np.random.default_rng(8)
    X = pd.DataFrame(
        {"real": rng.normal(1e4, 1.0, 1100), "count": rng.poisson(3, 1100), "level": rng.choice(list("pqr"), 1100)}
    )
    y = rng.choice(["a", "b"], 1100)
    kinds = {"real": "real", "count": "count", "level": "category"}
    model = likely.NaiveBayes(kinds=kinds).fit(X[:100], y[:100])
    for start in range(0, 1000, 10):
        model.partial_fit(X[start + 100 : start + 110], y[start + 100 : start + 110]).forget(
            X[start : start + 10], y[start : start + 10]
        )
    same_model(model, likely.NaiveBayes(kinds=kinds).fit(X[1000:], y[1000:]), X[1000:])


# --- leaving one out ---


def rare_and_some(y: np.ndarray) -> list[int]:
    """The rows of the classes that have hardly any, and a third of the others."""
    return sorted({*np.flatnonzero(~np.isin(y, ["a", "b"])).tolist(), *range(0, len(y), 3)})


@weightings
@estimates
@holes
def test_leave_one_out_is_as_many_refits(weighting: str, estimate: str, missing: str) -> None:
    X, y = table(24)
    weights = weights_of(weighting, len(X))
    model = likely.NaiveBayes(kinds=KINDS, estimate=estimate, missing=missing).fit(X, y, weights)
    left = model.leave_one_out(X, y, weights)
    for row in rare_and_some(y):
        rest = np.delete(np.arange(len(X)), row)
        refit = fit_like(model, X.iloc[rest], y[rest], some(weights, rest))
        np.testing.assert_allclose(left[row], refit.predict_proba(X[row : row + 1])[0], **CLOSE, err_msg=f"row {row}")


@estimates
@holes
@pytest.mark.parametrize("kind", KINDS)
def test_leave_one_out_of_each_kind_is_as_many_refits(kind: str, estimate: str, missing: str) -> None:
    X, y = table(24, seed=1)
    X = X[[kind]]
    model = likely.NaiveBayes(kinds={kind: KINDS[kind]}, estimate=estimate, missing=missing, smoothing=0.7).fit(X, y)
    left = model.leave_one_out(X, y)
    for row in rare_and_some(y):
        rest = np.delete(np.arange(len(X)), row)
        refit = fit_like(model, X.iloc[rest], y[rest])
        np.testing.assert_allclose(left[row], refit.predict_proba(X[row : row + 1])[0], **CLOSE, err_msg=f"row {row}")


@pytest.mark.parametrize("priors", [None, "empirical", "uniform", {"a": 0.2, "b": 0.8}], ids=str)
def test_leave_one_out_through_public_names_only(priors: Any) -> None:
    """Kinds, levels and classes are declared, so that a plain fit on the other rows has the same schema."""
    X, y = table(40, seed=2)
    keep = np.isin(y, ["a", "b"])
    X, y = X.loc[keep, ["real", "bit", "level", "count"]].reset_index(drop=True), y[keep]
    kinds = {"real": "real", "bit": "binary", "level": ["p", "q", "r"], "count": "count"}
    left = likely.NaiveBayes(kinds=kinds, priors=priors).fit(X, y).leave_one_out(X, y)
    for row in range(len(X)):
        refit = likely.NaiveBayes(kinds=kinds, priors=priors).fit(X.drop(index=row), np.delete(y, row))
        np.testing.assert_allclose(left[row], refit.predict_proba(X[row : row + 1])[0], **CLOSE, err_msg=f"row {row}")


@estimates
def test_leave_one_out_of_a_matrix_of_words(estimate: str) -> None:
    rng = np.random.default_rng(6)
    X, y = rng.poisson(0.7, (20, 6)).astype(float), rng.choice(["a", "b", "c"], 20)
    for form in ("text", likely.Text("complement")):
        model = likely.NaiveBayes(kinds=form, estimate=estimate).fit(X, y)
        left = model.leave_one_out(X, y)
        for row in range(20):
            refit = fit_like(model, np.delete(X, row, axis=0), np.delete(y, row))
            np.testing.assert_allclose(left[row], refit.predict_proba(X[row : row + 1])[0], **CLOSE)


def test_leave_one_out_without_smoothing() -> None:
    X, y = table(24, seed=3)
    for estimate in ("bayes", "map"):
        model = likely.NaiveBayes(kinds=KINDS, estimate=estimate, smoothing=0).fit(X, y)
        left = model.leave_one_out(X, y)
        for row in range(len(X)):
            rest = np.delete(np.arange(len(X)), row)
            refit = fit_like(model, X.iloc[rest], y[rest])
            np.testing.assert_allclose(
                left[row], refit.predict_proba(X[row : row + 1])[0], **CLOSE, err_msg=f"row {row}"
            )


# --- numbers far from zero ---


def learnt_variance(model: likely.NaiveBayes, near: float, cell: int = 0) -> float:
    """Of a normal: its log density has the second difference -1 / variance."""
    low, centre, high = model.explain([[near - 1], [near], [near + 1]]).terms[:, 1, cell]
    return -1 / (low + high - 2 * centre)


def far(rows: int = 1000) -> np.ndarray:
    return 1e8 + np.random.default_rng(9).normal(size=rows)[:, None]


def parts_merged(X: np.ndarray, y: Any, **options: Any) -> likely.NaiveBayes:
    models = [
        likely.NaiveBayes(**options).fit(part, labels)
        for part, labels in zip(np.array_split(X, 7), np.array_split(y, 7), strict=True)
    ]
    whole = models[0]
    for model in models[1:]:
        whole = whole.merge(model)
    return whole


def forgotten(X: np.ndarray, y: Any, **options: Any) -> likely.NaiveBayes:
    more = np.concatenate([X, X - 55.5])
    return likely.NaiveBayes(**options).fit(more, np.concatenate([y, y])).forget(X - 55.5, y)


@pytest.mark.parametrize(
    "way", [lambda X, y, **o: likely.NaiveBayes(**o).fit(X, y), parts_merged, forgotten], ids=["fit", "merge", "forget"]
)
@pytest.mark.parametrize(("estimate", "exact"), [("mle", pvariance), ("map", variance)])
def test_variance_far_from_zero(way: Any, estimate: str, exact: Any) -> None:
    X = far()
    y = np.repeat(["a", "b"], 500)
    model = way(X, y, estimate=estimate, kinds="real")
    for cell in range(2):
        expected = float(exact([Fraction(value) for value in X[500 * cell : 500 * cell + 500, 0]]))
        assert learnt_variance(model, 1e8, cell) == pytest.approx(expected, rel=1e-6)


def test_moments_far_from_zero_are_right_to_the_last_digits() -> None:
    X = far()
    model = likely.NaiveBayes(kinds="real", estimate="mle").fit(X, np.zeros(1000, dtype=int))
    moments = next(answer for question, answer in model.model_.bundle.items() if question.of == "moments")
    values = [Fraction(value) for value in X[:, 0]]
    assert moments.mean[0, 0] == pytest.approx(float(sum(values) / 1000), rel=1e-15)
    assert moments.spread[0, 0] / 1000 == pytest.approx(float(pvariance(values)), rel=1e-14)


@pytest.mark.parametrize("times", [1e3, 1e9])
@pytest.mark.parametrize("container", [np.asarray, pd.DataFrame], ids=["array", "frame"])
def test_forgetting_an_outlier_leaves_the_rest_exact(times: float, container: Any) -> None:
    X = np.random.default_rng(10).normal(5.0, 2.0, (50, 2))
    y = np.repeat(["a", "b"], 25)
    outlier = np.full((1, 2), times * np.abs(X).max())
    frame = container(np.concatenate([X, outlier]))
    frame = frame.rename(columns=str) if container is pd.DataFrame else frame
    model = likely.NaiveBayes(kinds="real").fit(frame, np.append(y, "a"))
    model.forget(frame[50:], ["a"])
    never = likely.NaiveBayes(kinds="real").fit(frame[:50], y)
    np.testing.assert_allclose(model.predict_proba(frame[:50]), never.predict_proba(frame[:50]), rtol=1e-9)


def test_leaving_out_an_outlier_is_a_refit() -> None:
    X = np.random.default_rng(10).normal(5.0, 2.0, (20, 1))
    X[3] = 1e9
    y = np.repeat(["a", "b"], 10)
    model = likely.NaiveBayes(kinds="real").fit(X, y)
    refit = likely.NaiveBayes(kinds="real").fit(np.delete(X, 3, axis=0), np.delete(y, 3))
    left = model.leave_one_out(X, y)[3]
    np.testing.assert_allclose(left, refit.predict_proba(X[3:4])[0], rtol=1e-9)


def test_priors_are_read_as_given() -> None:
    assert read_priors([1, 3], "bayes", ["a", "b"]) == (("a", 0.25), ("b", 0.75))
