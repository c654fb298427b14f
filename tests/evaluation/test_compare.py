"""Comparisons of models: tests of differences against the papers, scipy and brute force."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

from likely import NaiveBayes
from likely.errors import LikelyError
from likely.evaluation.comparisons.compare import compare
from likely.evaluation.comparisons.significance import corrected_t, correlated_t, signed_rank
from likely.evaluation.folds.cross_validation import cross_validate

differences = st.lists(st.floats(-1, 1, width=32), min_size=2, max_size=20)


def test_corrected_t_by_hand() -> None:
    """Mean 5/2, variance 5/3, and n2/n1 = 1/3 where a quarter is tested: 5/3 (1/4 + 1/3) = 35/36."""
    found = corrected_t([1, 2, 3, 4], 0.25)
    assert np.isclose(found.statistic, 2.5 / np.sqrt(35 / 36))
    assert np.isclose(found.p_value, 2 * stats.t(3).sf(2.5 / np.sqrt(35 / 36)))
    assert np.allclose(found.interval, stats.t(3, 2.5, np.sqrt(35 / 36)).interval(0.95))


@settings(deadline=None, derandomize=True)
@given(differences)
def test_without_correction_it_is_the_t_test(values: list[float]) -> None:
    if np.ptp(values) < 1e-3:
        return
    found, known = corrected_t(values, 0.0), stats.ttest_1samp(values, 0)
    assert np.isclose(found.statistic, known.statistic)
    assert np.isclose(found.p_value, known.pvalue)
    assert np.allclose(found.interval, known.confidence_interval(0.95), atol=1e-12)


@settings(deadline=None, derandomize=True)
@given(differences, st.floats(0, 0.9))
def test_the_t_test_is_symmetric_and_more_careful_with_correction(values: list[float], share: float) -> None:
    one, other = corrected_t(values, share), corrected_t([-value for value in values], share)
    assert (one.mean, one.statistic, one.p_value) == (-other.mean, -other.statistic, other.p_value)
    assert corrected_t(values, 0.0).p_value <= one.p_value + 1e-12


def test_differences_without_spread() -> None:
    none, some = corrected_t([0, 0, 0], 0.1), corrected_t([0.1, 0.1, 0.1], 0.1)
    assert (none.statistic, none.p_value, none.interval) == (0.0, 1.0, (0.0, 0.0))
    assert (some.statistic, some.p_value) == (np.inf, 0.0)


@pytest.mark.parametrize(
    "values",
    [[0.02, -0.01, 0.03, 0.01, -0.02, 0.015], [0.0, 0.0, 0.012], [-0.03, -0.02, 0.011, -0.04, -0.005], [0.02]],
)
@pytest.mark.parametrize("rope", [0.0, 0.01])
def test_signed_rank_by_brute_force(values: list[float], rope: float) -> None:
    """Every pair of observations, the pseudo-observation 0 among them, in every draw."""
    z = np.array([0.0, *values])
    sums = z[:, None] + z[None, :]
    sides = [sums < -2 * rope, np.abs(sums) <= 2 * rope, sums > 2 * rope]
    draws = np.random.default_rng(7).dirichlet([0.5, *[1.0] * len(values)], 40_000)
    theta = np.stack([np.einsum("di,ij,dj->d", draws, side.astype(float), draws, optimize=True) for side in sides])
    wanted = np.bincount(theta.argmax(axis=0), minlength=3) / len(draws)
    found = signed_rank(values, rope)
    assert np.abs(wanted - [found.left, found.rope, found.right]).max() < 0.015
    assert np.isclose(found.left + found.rope + found.right, 1.0)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.lists(st.floats(-0.0625, 0.0625, width=32), min_size=1, max_size=12))
def test_signed_rank_is_symmetric(values: list[float]) -> None:
    one, other = signed_rank(values, draws=2000), signed_rank([-value for value in values], draws=2000)
    assert np.allclose([one.left, one.rope, one.right], [other.right, other.rope, other.left], atol=2e-3)


def test_signed_rank_of_many_differences_in_parts() -> None:
    values = np.random.default_rng(0).normal(0.011, 0.05, 3000)
    assert signed_rank(values, draws=3000).right + signed_rank(values, draws=3000).rope > 0.99


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: corrected_t([0.1], 0.1), "O350"),
        (lambda: corrected_t([0.1, np.nan], 0.1), "O350"),
        (lambda: corrected_t([0.1, 0.2], 1.0), "O351"),
        (lambda: corrected_t([0.1, 0.2], "x"), "O351"),
        (lambda: correlated_t([0.1], 0.1), "O350"),
        (lambda: correlated_t([0.1, 0.2], 1.0), "O351"),
        (lambda: correlated_t([0.1, 0.2], 0.1, rope=-1), "O352"),
        (lambda: correlated_t([0.1, 0.2], 0.1, rope="x"), "O352"),
        (lambda: signed_rank([0.1], seed=-1), "O348"),
        (lambda: signed_rank([]), "O350"),
        (lambda: signed_rank(["a"]), "O350"),
        (lambda: signed_rank([0.1], rope=-1), "O352"),
        (lambda: signed_rank([0.1], draws=0), "O353"),
        (lambda: compare({}, [[1.0], [2.0]], ["a", "b"]), "O354"),
        (lambda: compare([NaiveBayes()], [[1.0], [2.0]], ["a", "b"]), "O354"),
        (lambda: compare({"a": NaiveBayes()}, [[1.0], [2.0]], ["a", "b"], repeats=0), "O355"),
        (lambda: compare({"a": NaiveBayes()}, [[1.0], [2.0]], ["a", "b"], folds=3), "O341"),
        (lambda: compare({"a": NaiveBayes()}, [[1.0], [2.0]], ["a", "b"], folds=[0, 1], repeats=2), "O370"),
        (lambda: compare({"a": NaiveBayes()}, [[1.0], [2.0]], ["a", "b"], folds=2, seed=-1), "O348"),
        (lambda: compare({"a": NaiveBayes()}, [[1.0], [2.0]], ["a", "b"], folds=2, rope=-1), "O352"),
        (lambda: compare({1: NaiveBayes(), "1": NaiveBayes()}, [[1.0], [2.0]], ["a", "b"], folds=2), "O360"),
        (lambda: compare({"a": NaiveBayes}, [[1.0], [2.0]], ["a", "b"], folds=2), "O342"),
        (lambda: compare({"a": NaiveBayes(), "b": None}, [[1.0], [2.0]], ["a", "b"], folds=2), "O342"),
    ],
)
def test_refusals(call: Any, code: str) -> None:
    with pytest.raises(LikelyError) as error:
        call()
    assert error.value.code == code


def rows(classes: int = 2, count: int = 120) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    y = np.arange(count) % classes
    return rng.normal(size=(count, 3)) + y[:, None], np.array(["a", "b", "c"])[y]


def test_models_are_compared_on_the_same_folds() -> None:
    X, y = rows()
    ticks: list[int] = []
    models = {"naive": NaiveBayes(), "logistic": LogisticRegression(), "shares": DummyClassifier(strategy="prior")}
    found = compare(models, X, y, folds=5, repeats=2, tick=lambda: ticks.append(1))
    assert len(ticks) == 3 * 2 * 5
    for row in found.rows:
        runs = [cross_validate(models[row.name], X, y, 5, seed) for seed in (0, 1)]
        for measure in ("accuracy", "log_loss", "brier"):
            assert np.array_equal(getattr(row, measure), np.concatenate([run.scores()[measure] for run in runs]))
        areas = [
            roc_auc_score(y[run.fold == part] == "b", run.proba[run.fold == part, 1])
            for run in runs
            for part in range(5)
        ]
        assert np.allclose(row.auc, areas)
        assert np.isclose(row.means["auc"], np.mean(areas))
    assert [row.method for row in found.rows] == ["subtraction", "refit", "refit"]
    assert found.best in ("naive", "logistic")
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("naive", "logistic"),
        ("naive", "shares"),
        ("logistic", "shares"),
    ]
    against = found.pairs[1]
    assert against.log_loss is not None
    assert against.log_loss.p_value < 0.01
    assert against.bayes is not None
    assert against.bayes.right > 0.99
    apart = found["naive"].accuracy - found["shares"].accuracy
    assert against.bayes == correlated_t(apart, 1 / 5)
    assert against.signed_rank == signed_rank(apart.reshape(2, 5).mean(axis=0))
    wide = compare(models, X, y, folds=5, repeats=2, rope=0.9).pairs[1]
    assert wide.bayes == correlated_t(apart, 1 / 5, 0.9)
    assert wide.bayes.rope > 0.99
    wanted = corrected_t(found["naive"].log_loss - found["shares"].log_loss, 1 / 5)
    assert against.log_loss == wanted
    assert "'shares' is more than the folds' spread" in found.words
    assert "may be chance" in found.words
    json.dumps(found.to_dict(), allow_nan=False)
    assert repr(found).splitlines()[0].split()[:8] == "model accuracy log loss Brier AUC fit predict".split()  # noqa: SIM905


def test_swapping_the_models_swaps_the_tests() -> None:
    X, y = rows()
    models = {"one": NaiveBayes(), "two": KNeighborsClassifier(15)}
    (pair,), (swapped,) = (compare(dict(items), X, y, 5).pairs for items in (models.items(), reversed(models.items())))
    assert pair.accuracy is not None
    assert swapped.accuracy is not None
    assert np.isclose(pair.accuracy.mean, -swapped.accuracy.mean)
    assert np.isclose(pair.accuracy.p_value, swapped.accuracy.p_value)
    assert pair.signed_rank is not None
    assert swapped.signed_rank is not None
    assert np.isclose(pair.signed_rank.left, swapped.signed_rank.right, atol=1e-3)


def test_more_classes_weights_and_one_model() -> None:
    X, y = rows(3)
    weights = np.resize([0.0, 1.0, 2.0, 0.5], len(y))
    found = compare({"naive": NaiveBayes()}, X, y, 4, weights=weights)
    run = cross_validate(NaiveBayes(), X, y, 4, weights=weights)
    held = (run.fold == 2) & (weights > 0)
    one_by_one = [
        roc_auc_score(y[held] == level, run.proba[held, at], sample_weight=weights[held])
        for at, level in enumerate("abc")
    ]
    assert np.isclose(found["naive"].auc[2], np.mean(one_by_one))
    assert found.pairs == ()
    assert found.best == "naive"
    assert found.words.startswith("'naive' has a log loss of")


def test_infinite_log_losses_are_shown_and_not_tested() -> None:
    X, y = rows()
    found = compare({"naive": NaiveBayes(), "nearest": KNeighborsClassifier(1)}, X, y, 5)
    assert np.isinf(found["nearest"].means["log_loss"])
    assert found.best == "naive"
    assert found.pairs[0].log_loss is None
    assert found.pairs[0].accuracy is not None
    assert "infinite" in found.words
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_fold_of_one_class_has_no_area() -> None:
    X, y = rows(2, 12)
    found = compare({"naive": NaiveBayes()}, X, y, 12)
    assert np.isnan(found["naive"].auc).all()
    assert np.isnan(found["naive"].means["auc"])


@settings(deadline=None, derandomize=True)
@given(differences, st.floats(0, 0.9), st.floats(0, 0.5))
def test_correlated_t_is_a_student_t_around_the_mean(values: list[float], share: float, rope: float) -> None:
    if np.ptp(values) < 1e-3:
        return
    found, turned = correlated_t(values, share, rope), correlated_t([-value for value in values], share, rope)
    scale = np.std(values, ddof=1) * np.sqrt(1 / len(values) + share / (1 - share))
    posterior = stats.t(len(values) - 1, np.mean(values), scale)
    assert np.isclose(found.left, posterior.cdf(-rope), atol=1e-12)
    assert np.isclose(found.right, posterior.sf(rope), atol=1e-12)
    assert np.isclose(found.left + found.rope + found.right, 1.0)
    assert (found.left, found.right) == (turned.right, turned.left)
    without = correlated_t(values, share, 0.0)  # with no rope it is the corrected t test, read the other way
    assert np.isclose(2 * min(without.left, without.right), corrected_t(values, share).p_value, atol=1e-12)


def test_correlated_t_of_differences_without_spread() -> None:
    assert correlated_t([0.0, 0.0], 0.1).rope == 1.0
    assert correlated_t([0.01, 0.01], 0.1).rope == 1.0
    assert correlated_t([0.02, 0.02], 0.1).right == 1.0
    assert correlated_t([-0.02, -0.02], 0.1).left == 1.0


def test_equally_good_models_are_rarely_called_different_over_many_repeats() -> None:
    """A hundred differences around 0, correlated by a tenth: the signed rank takes them as independent."""
    rng, wrong = np.random.default_rng(0), np.zeros(2)
    for _ in range(200):
        values = 0.02 * (np.sqrt(0.1) * rng.normal() + np.sqrt(0.9) * rng.normal(size=100))
        for at, found in enumerate((correlated_t(values, 0.1, 0.0), signed_rank(values, 0.0, draws=400))):
            wrong[at] += max(found.left, found.right) > 0.95
    assert wrong[0] / 200 < 0.15
    assert wrong[1] / 200 > 0.4


def test_a_class_that_a_fold_holds_out_whole_is_named() -> None:
    X, y = rows(2, 40)
    y = np.where(np.arange(40) == 7, "z", y)
    found = compare({"naive": NaiveBayes(), "logistic": LogisticRegression()}, X, y, 5)
    assert "Every log loss is infinite over 5 folds" in found.words
    assert "Class 'z' was never learnt in some folds" in found.words
    assert "least log loss" not in found.words
    most = max(("naive", "logistic"), key=lambda name: found[name].means["accuracy"])
    assert found.best == most
    assert f"{most!r} is the most accurate" in found.words
    assert "The log loss is infinite" in compare({"naive": NaiveBayes()}, X, y, 5).words
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.plot().axes
    whole = compare({"naive": NaiveBayes()}, *rows(2, 40), 5)
    assert whole.notes == ()


def test_folds_that_are_given() -> None:
    X, y = rows(2, 60)
    fold = np.arange(60) // 20
    found = compare({"naive": NaiveBayes(), "logistic": LogisticRegression()}, X, y, folds=fold)
    assert (found.folds, found.repeats) == (3, 1)
    wanted = cross_validate(NaiveBayes(), X, y, folds=fold).scores()["log_loss"]
    assert np.array_equal(found["naive"].log_loss, wanted)
    assert found.pairs[0].accuracy == corrected_t(found["naive"].accuracy - found["logistic"].accuracy, 1 / 3)
