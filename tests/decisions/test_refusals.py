"""One mistake has one code, whether forecasts are acted on or judged."""

from typing import Any

import numpy as np
import pytest

from likely.decisions import decide_above, estimate_priors, judge, neyman_pearson
from likely.errors import LikelyError
from likely.evaluation import calibration, evaluate, roc

Y, CLASSES = ["no", "yes"], ["no", "yes"]
PROBA = [[0.8, 0.2], [0.4, 0.6]]

FORECASTS = {
    "not a class": ("O321", {"y": ["no", "yse"]}),
    "a label missing": ("D105", {"y": ["no", None]}),
    "labels that are containers": ("D125", {"y": [["no"], ["no", "yes"]]}),
    "labels of two dimensions": ("D110", {"y": [["no"], ["yes"]]}),
    "a text instead of labels": ("D110", {"y": "no"}),
    "arrays as labels": ("D110", {"y": [np.zeros((2, 2)), np.zeros((2, 3))]}),
    "more labels than rows": ("O323", {"y": ["no", "yes", "yes"]}),
    "probabilities without columns": ("O323", {"proba": [0.8, 0.4]}),
    "a column too many": ("O323", {"proba": [[0.8, 0.1, 0.1], [0.4, 0.3, 0.3]]}),
    "words as probabilities": ("O324", {"proba": [["a", "b"], ["c", "d"]]}),
    "a number beyond any": ("O324", {"proba": [[10**400, 0], [0, 1]]}),
    "a probability that is NaN": ("O324", {"proba": [[0.8, 0.2], [float("nan"), 0.6]]}),
    "a row that does not add up": ("O324", {"proba": [[0.8, 0.2], [0.4, 0.7]]}),
    "a negative probability": ("O324", {"proba": [[0.8, 0.2], [-0.5, 1.5]]}),
    "a weight too many": ("D122", {"weights": [1, 1, 1]}),
    "a negative weight": ("D113", {"weights": [1, -1]}),
    "no weight at all": ("D123", {"weights": [0, 0]}),
    "words as weights": ("D129", {"weights": ["a", "b"]}),
    "a class twice": ("O327", {"classes": ["no", "no"]}),
    "no classes": ("O327", {"classes": []}),
    "a text instead of classes": ("O327", {"classes": "ny"}),
    "classes without an order": ("O327", {"classes": {"no", "yes"}}),
    "classes of two dimensions": ("O327", {"classes": [["no"], ["yes"]]}),
    "one value instead of classes": ("O327", {"classes": np.array("no")}),
}


def refusal(deed: Any, *given: Any, **options: Any) -> tuple[str, str, str, str]:
    with pytest.raises(LikelyError) as caught:
        deed(*given, **options)
    error = caught.value
    assert error.place
    assert error.hint
    return error.code, error.message, error.place, error.hint


@pytest.mark.parametrize("case", FORECASTS)
def test_judging_decisions_and_forecasts(case: str) -> None:
    code, wrong = FORECASTS[case]
    given: dict[str, Any] = {"y": Y, "proba": PROBA, "classes": CLASSES, "weights": None} | wrong
    assert refusal(judge, **given)[0] == refusal(evaluate, **given)[0] == code


@pytest.mark.parametrize(
    ("code", "y", "scores", "positive", "weights"),
    [
        ("O330", Y, [0.1, 0.2], "yse", None),
        ("O330", ["yes", "yes"], [0.1, 0.2], "yes", None),
        ("O330", Y, [0.1, 0.2], "yes", [1, 0]),
        ("D105", ["no", float("nan")], [0.1, 0.2], "no", None),
        ("O323", Y, [0.1, 0.2, 0.3], "yes", None),
        ("O325", Y, [0.1, float("nan")], "yes", None),
        ("O325", Y, ["low", "high"], "yes", None),
        ("D113", Y, [0.1, 0.2], "yes", [1, float("inf")]),
        ("D117", [], [], "yes", None),
    ],
)
def test_thresholds_and_curves(code: str, y: Any, scores: Any, positive: Any, weights: Any) -> None:
    of_point = refusal(neyman_pearson, y, scores, positive, 0.5, weights=weights)
    assert of_point[0] == refusal(roc, y, scores, positive, weights)[0] == code


def test_a_class_that_is_not_there_is_told_in_the_same_words() -> None:
    told = refusal(decide_above, PROBA, CLASSES, "yse", 0.5)
    assert told == refusal(calibration, Y, PROBA, CLASSES, positive="yse")
    assert told[0] == "O321"
    assert "Did you mean 'yes'" in told[3]


def test_no_rows() -> None:
    assert refusal(estimate_priors, np.empty((0, 2)), [1, 1])[0] == refusal(evaluate, [], PROBA, CLASSES)[0] == "D117"


def test_weights_beyond_any_count_are_only_ratios() -> None:
    huge = judge(PROBA, CLASSES, y=["no", "no"], weights=[1e308, 1e308])
    assert (huge.risk, huge.expected_risk) == (0.5, pytest.approx(0.3))
