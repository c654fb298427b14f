"""The evaluation of forecasts as a whole."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy.special import log_softmax
from scipy.stats import binomtest

from likely.errors import LikelyError
from likely.evaluation import (
    Roc,
    Rocs,
    accuracy,
    brier,
    calibration,
    confusion,
    evaluate,
    evaluate_model,
    log_loss,
    precision_recall,
    roc,
    rocs,
)

RNG = np.random.default_rng(6)


def some(classes: int, rows: int = 300) -> tuple[np.ndarray, np.ndarray, list[str]]:
    codes = RNG.integers(0, classes, rows)
    logs = RNG.normal(size=(rows, classes)) + 2 * np.eye(classes)[codes]
    levels = list("abcdef"[:classes])
    return np.array(levels)[codes], np.exp(log_softmax(logs, axis=1)), levels


@pytest.mark.parametrize("weighted", [False, True])
def test_two_classes_are_judged_by_the_second(weighted: bool) -> None:
    y, proba, levels = some(2)
    weights = RNG.uniform(0, 2, 300) if weighted else None
    found = evaluate(y, proba, levels, weights=weights)
    assert (found.rows, found.classes, found.positive) == (300, ("a", "b"), "b")
    assert found.accuracy == accuracy(y, proba, levels, weights)
    assert found.log_loss == log_loss(y, proba, levels, weights)
    assert found.brier.score == brier(y, proba, levels, weights)
    assert isinstance(found.roc, Roc)
    assert found.roc.to_dict() == roc(y, proba[:, 1], "b", weights).to_dict()
    assert found.precision_recall.to_dict() == precision_recall(y, proba[:, 1], "b", weights).to_dict()
    decided = np.array(levels)[proba.argmax(axis=1)]
    assert found.confusion.to_dict() == confusion(y, decided, levels, weights).to_dict()
    assert found.calibration.to_dict() == calibration(y, proba, levels, weights=weights).to_dict()
    assert found.bayes_error == pytest.approx(np.average(1 - proba.max(axis=1), weights=weights))
    assert found.notes == ()


def test_the_interval_of_the_accuracy_is_wilsons() -> None:
    y, proba, levels = some(2)
    found = evaluate(y, proba, levels)
    expected = binomtest(round(found.accuracy * 300), 300).proportion_ci(method="wilson")
    assert found.accuracy_interval == pytest.approx((expected.low, expected.high))


def test_many_classes_each_have_curves() -> None:
    y, proba, levels = some(4)
    found = evaluate(y, proba, levels)
    assert isinstance(found.roc, Rocs)
    assert found.positive is None
    assert found.roc.to_dict() == rocs(y, proba, levels).to_dict()
    assert list(found.precision_recall) == levels
    assert found.calibration.positive is None
    one = evaluate(y, proba, levels, positive="c")
    assert isinstance(one.roc, Roc)
    assert one.roc.auc == found.roc["c"].auc
    assert one.calibration.positive == one.precision_recall.positive == "c"


def test_scores_draw_the_curves() -> None:
    y, proba, levels = some(2)
    scores = RNG.normal(size=300)
    expected = roc(y, scores, "b").auc
    assert evaluate(y, proba, levels, scores).roc.auc == expected
    assert evaluate(y, proba, levels, np.column_stack([-scores, scores])).roc.auc == expected
    assert evaluate(y, proba, levels, np.column_stack([-scores, scores]), positive="a").roc.auc == expected


@pytest.mark.parametrize("label", ["a", "b"])
def test_rows_of_one_class_have_no_roc_curve_and_the_report_says_why(label: str) -> None:
    proba = RNG.dirichlet([1, 1], 20)
    found = evaluate([label] * 20, proba, ["a", "b"])
    assert found.roc is None
    assert found.notes == (f"no ROC curve: {'every' if label == 'b' else 'no'} row is 'b'",)
    assert (found.precision_recall is None) == (label == "a")
    assert found.notes[0] in str(found)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["roc"] is None
    many = evaluate([label] * 20, RNG.dirichlet([1, 1, 1], 20), ["a", "b", "c"])
    assert many.roc is None
    assert many.notes == (f"no ROC curves: every row is {label!r}",)


def test_a_single_class_and_a_single_row_are_fine() -> None:
    found = evaluate(["only"], [[1.0]], ["only"])
    assert (found.accuracy, found.log_loss, found.brier.score, found.roc) == (1.0, 0.0, 0.0, None)
    assert str(found)


def test_a_class_without_rows_is_noted() -> None:
    found = evaluate(["a", "b"], [[0.5, 0.3, 0.2], [0.2, 0.7, 0.1]], ["a", "b", "c"])
    assert found.roc.undefined == ("c",)
    assert found.notes == ("no curves where no row is of the class: 'c'",)


def test_an_infinite_log_loss_stays_and_its_rows_are_named() -> None:
    proba = [[0.5, 0.5], [1.0, 0.0], [0.3, 0.7], [0.0, 1.0]]
    found = evaluate([0, 1, 1, 0], proba, [0, 1])
    assert found.log_loss == np.inf
    assert found.impossible.tolist() == [1, 3]
    assert "2 of 4 rows, the first of them row 1, had probability 0" in found.notes[0]
    assert found.notes[0] in str(found)
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (written["log_loss"], written["impossible"]) == ("inf", [1, 3])
    weightless = evaluate([0, 1, 1, 0], proba, [0, 1], weights=[1, 0, 1, 0])
    assert np.isfinite(weightless.log_loss)
    assert weightless.notes == ()


def test_weight_two_is_the_row_twice() -> None:
    y, proba, levels = some(3, 80)
    times = RNG.integers(0, 4, 80)
    weighted = evaluate(y, proba, levels, weights=times)
    repeated = evaluate(np.repeat(y, times), np.repeat(proba, times, axis=0), levels)
    assert weighted.accuracy_interval == pytest.approx(repeated.accuracy_interval)
    assert weighted.brier.reliability == pytest.approx(repeated.brier.reliability)
    assert weighted.roc.macro == pytest.approx(repeated.roc.macro)
    assert weighted.roc.micro == pytest.approx(repeated.roc.micro)
    np.testing.assert_allclose(weighted.confusion.matrix, repeated.confusion.matrix)


class Far:
    """Two classes so far apart that probabilities leave the range of a double."""

    classes_ = np.array(["near", "far"])

    def log_likelihood(self, X: Any) -> np.ndarray:
        return np.column_stack([-np.asarray(X), np.asarray(X)]) * 1000.0

    def predict_log_proba(self, X: Any) -> np.ndarray:
        return log_softmax(self.log_likelihood(X), axis=1)

    def predict_proba(self, X: Any) -> np.ndarray:
        return np.exp(self.predict_log_proba(X))


def test_a_model_is_judged_in_log_space() -> None:
    X, y = [-3.0, -2.0, 1.0, 2.0], ["near", "far", "far", "near"]
    found = evaluate_model(Far(), X, y)
    assert found.log_loss == pytest.approx((2 * 2000 + 2 * 2000) / 4)  # finite: 2 log odds of 2,000 against the truth
    assert found.notes == ()
    assert len(found.roc.thresholds) == 5  # and no ties
    assert found.roc.auc == 0.5
    assert evaluate_model(Far(), X, y, positive="near").positive == "near"


def test_a_naive_bayes_is_judged_the_same_under_any_priors() -> None:
    import likely

    X, y = np.vstack([RNG.normal(0, 1, (60, 2)), RNG.normal(1, 1, (40, 2))]), ["no"] * 60 + ["yes"] * 40
    model = likely.NaiveBayes().fit(X, y)
    even, odd = (evaluate_model(model.with_priors({"yes": p, "no": 1 - p}), X, y) for p in (0.5, 1e-6))
    assert even.roc.to_dict() == odd.roc.to_dict()
    assert even.log_loss < odd.log_loss
    assert even.log_loss == pytest.approx(log_loss(y, model.with_priors([0.5, 0.5]).predict_proba(X), model.classes_))


def test_any_classifier_with_probabilities_will_do() -> None:
    from sklearn.dummy import DummyClassifier

    model = DummyClassifier(strategy="most_frequent").fit([[0]] * 3, ["a", "a", "b"])
    found = evaluate_model(model, [[0]] * 3, ["a", "a", "b"])
    assert (found.accuracy, found.roc.auc, found.log_loss) == (pytest.approx(2 / 3), 0.5, np.inf)


def test_the_report_reads_as_a_table() -> None:
    y, proba, levels = some(2, 1500)
    text = str(evaluate(y, proba, levels))
    assert text.splitlines()[0].split() == ["rows", "1,500"]
    for word in (
        "accuracy",
        "log loss",
        "Brier score",
        "area under ROC",
        "average precision",
        "kappa",
        "true, predicted",
    ):
        assert word in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("O321", {"positive": "B"}),
        ("O323", {"scores": np.zeros((2, 3))}),
        ("O323", {"scores": np.zeros(3)}),
        ("O325", {"scores": [0.1, np.nan]}),
        ("O323", {"log_proba": np.zeros(2)}),
        ("D113", {"weights": [1, -1]}),
        ("O324", {"log_proba": [[0.5, -2.0], [-1.0, -1.0]]}),
        ("O324", {"log_proba": [[-1.0, -2.0], [-0.5, -1.0]]}),
        ("O324", {"log_proba": [[-np.inf, -np.inf], [-0.5, -1.0]]}),
        ("O325", {"log_proba": [[np.nan, -2.0], [-0.5, -1.0]]}),
    ],
)
def test_what_cannot_be_judged_is_refused(code: str, options) -> None:
    with pytest.raises(LikelyError) as caught:
        evaluate(["a", "b"], [[0.6, 0.4], [0.2, 0.8]], ["a", "b"], **options)
    assert caught.value.code == code


def test_everything_can_be_drawn() -> None:
    y, proba, levels = some(2)
    found = evaluate(y, proba, levels)
    many = evaluate(*some(3))
    for drawn in (found, found.roc, found.precision_recall, found.calibration, found.confusion, many, many.roc):
        assert drawn.plot().axes


@pytest.mark.parametrize("weight", [1e-320, 1e-200, 1e200, 1e308])
@pytest.mark.parametrize("classes", [2, 3])
def test_weights_of_any_scale(weight: float, classes: int) -> None:
    y, proba, levels = some(classes, 60)
    plain_one, found = evaluate(y, proba, levels), evaluate(y, proba, levels, weights=np.full(60, weight))
    for name in ("accuracy", "log_loss", "bayes_error"):
        assert getattr(found, name) == pytest.approx(getattr(plain_one, name), rel=1e-12)
    assert found.brier.score == pytest.approx(plain_one.brier.score, rel=1e-12)
    assert 0 <= found.calibration.ece <= found.calibration.mce <= 1  # rounding may move a row to the next bin
    area = [one.roc.auc if classes == 2 else one.roc.macro for one in (found, plain_one)]
    assert area[0] == pytest.approx(area[1], rel=1e-12)
    assert str(found)
    json.dumps(found.to_dict(), allow_nan=False)
    mixed = evaluate(y, proba, levels, weights=np.where(np.arange(60) < 5, weight, 1.0))
    assert str(mixed)


def test_weights_that_stand_for_fewer_rows_than_there_are_get_a_note() -> None:
    y, proba, levels = some(2, 100)
    (note,) = evaluate(y, proba, levels, weights=np.full(100, 0.01)).notes
    assert "the weights of 100 rows sum to 1, and intervals count them as so many rows" in note
    assert evaluate(y, proba, levels, weights=np.full(100, 0.8)).notes == ()
    assert evaluate(y, proba, levels, weights=np.arange(100) % 2).notes == ()


def test_log_probabilities_draw_the_curves() -> None:
    logs = log_softmax(np.array([[0.0, 100.0], [0.0, 90.0], [0.0, 80.0], [0.0, -5.0]]), axis=1)
    y = ["b", "a", "b", "a"]
    found = evaluate(y, np.exp(logs), ["a", "b"], log_proba=logs)
    assert found.roc.auc == roc(y, logs[:, 1] - logs[:, 0], "b").auc == 0.75
    assert len(found.roc.thresholds) == 5


@pytest.mark.parametrize("model", [None, Far])
def test_what_is_no_model_is_refused(model: Any) -> None:
    with pytest.raises(LikelyError) as caught:
        evaluate_model(model, [1.0], ["near"])
    assert caught.value.code == "O342"


def test_an_unfitted_model_and_a_regressor_are_refused() -> None:
    from sklearn.linear_model import LinearRegression, LogisticRegression

    for model, code in ((LinearRegression(), "O342"), (LogisticRegression(), "M308")):
        with pytest.raises(LikelyError) as caught:
            evaluate_model(model, [[1.0]], ["a"])
        assert caught.value.code == code
