"""Every public result is a data frame too: a result that is added without one fails here."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely import decisions, evaluation, explanations, networks, surfaces
from likely.output.frames import columns_of

ROOMS = ("likely", "likely.evaluation", "likely.explanations", "likely.decisions", "likely.surfaces", "likely.networks")
ROOMS += ("likely.structures", "likely.digits")
NO_RESULTS = {"Network"}  # a model

RNG = np.random.default_rng(0)
ROWS = pd.DataFrame({"x": RNG.normal(size=60), "z": RNG.integers(5, size=60), "w": RNG.choice(list("abc"), 60)})
Y = np.where(ROWS["x"] + RNG.normal(size=60) > 0, "yes", "no")
MODEL = likely.NaiveBayes().fit(ROWS, Y)
PROBA = MODEL.predict_proba(ROWS)
ASIA = networks.asia()
LINE = likely.LinearRegression().fit(ROWS[["z", "w"]], ROWS["x"])
NODES = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}

RESULTS: dict[str, tuple[Callable[[], Any], tuple[int, str]]] = {  # a result, its rows and one of its columns
    "Evaluation": (lambda: evaluation.evaluate(Y, PROBA, MODEL.classes_), (1, "brier_score")),
    "Confusion": (lambda: evaluation.confusion(Y, MODEL.predict(ROWS), MODEL.classes_), (2, "recall")),
    "Calibration": (lambda: evaluation.calibration(Y, PROBA, MODEL.classes_, bins=3), (3, "observed")),
    "Roc": (lambda: evaluation.roc([0, 0, 1], [0.1, 0.2, 0.3], 1), (4, "thresholds")),
    "PrecisionRecall": (lambda: evaluation.precision_recall([0, 0, 1], [0.1, 0.2, 0.3], 1), (3, "precision")),
    "CrossValidation": (lambda: evaluation.cross_validate(likely.NaiveBayes(), ROWS, Y, folds=3), (60, "fold")),
    "Comparison": (
        lambda: evaluation.compare({"a": likely.NaiveBayes(), "b": likely.TAN()}, ROWS, Y, folds=3),
        (2, "name"),
    ),
    "LearningCurve": (lambda: evaluation.learning_curve(likely.NaiveBayes(), ROWS, Y, folds=2), (0, "sizes")),
    "RegressionEvaluation": (
        lambda: evaluation.evaluate_regression(LINE, ROWS[["z", "w"]], ROWS["x"]),
        (60, "predicted"),
    ),
    "Explanation": (lambda: MODEL.explain(ROWS[:2]), (8, "yes")),
    "AmountExplanation": (lambda: LINE.explain(ROWS[["z", "w"]][:2]), (6, "adds")),
    "Profile": (lambda: explanations.profile(MODEL), (3, "bits")),
    "Nomogram": (lambda: explanations.nomogram(MODEL), (0, "points")),
    "Changes": (lambda: explanations.changes(MODEL, ROWS[:1]), (0, "name")),
    "Axis": (lambda: explanations.axis(MODEL, "w"), (0, "values")),
    "Decisions": (lambda: decisions.judge(PROBA, MODEL.classes_, y=Y), (60, "actions")),
    "Shift": (lambda: decisions.estimate_priors(PROBA, [0.5, 0.5], MODEL.classes_), (2, "class")),
    "Surface": (lambda: surfaces.surface(likely.GaussianBayes().fit(ROWS[["x", "z"]], Y), ["x", "z"]), (0, "kind")),
    "Distribution": (lambda: ASIA.query(["lung", "tub"]), (4, "probability")),
    "Assignment": (lambda: ASIA.most_probable({"dysp": "yes"}), (8, "node")),
    "SearchReport": (lambda: likely.learn_network(NODES).search_, (0, "score")),
    "Structure": (lambda: likely.TAN().fit(ROWS, Y).structure_, (2, "nats")),
    "Inspection": (lambda: likely.inspect(ROWS.assign(y=Y), "y"), (3, "kind")),
    "Coefficients": (lambda: LINE.coefficients_, (0, "estimate")),
    "OddsTable": (lambda: likely.LogisticRegression().fit(ROWS, Y).coefficients_, (0, "odds_ratio")),
    "Gains": (lambda: likely.DecisionTree().fit(ROWS, Y).gains_, (3, "gain")),
    "Rounds": (lambda: likely.AdaBoost(n_estimators=3).fit(ROWS, Y).rounds_, (3, "error")),
}


def public_results() -> Iterator[type]:
    """What draws itself or tells itself as plain data, and is no model, belief or table to be asked."""
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in module.__all__:
            kind = getattr(module, name)
            if not inspect.isclass(kind) or name in NO_RESULTS or hasattr(kind, "fit") or hasattr(kind, "log_density"):
                continue
            if hasattr(kind, "plot") or hasattr(kind, "to_dict"):
                yield kind


@pytest.mark.parametrize("kind", sorted(set(public_results()), key=lambda kind: kind.__name__))
def test_every_result_is_a_frame(kind: type) -> None:
    assert callable(getattr(kind, "frame", None)), f"{kind.__name__} has no frame()"


@pytest.mark.parametrize("name", RESULTS)
def test_a_frame_has_a_row_for_each_thing_that_is_listed(name: str) -> None:
    make, (rows, column) = RESULTS[name]
    frame = make().frame()
    assert isinstance(frame, pd.DataFrame)
    assert column in frame.columns
    assert len(frame) == rows or not rows
    assert len(frame)


def test_numbers_of_a_frame_are_numbers() -> None:
    frame = evaluation.roc([0, 0, 1], [0.1, 0.2, 0.3], 1).frame()
    assert frame["thresholds"].tolist() == [np.inf, 0.3, 0.2, 0.1]
    assert evaluation.confusion(Y, Y, ("no", "yes")).frame()["precision"].tolist() == [1.0, 1.0]


def test_a_frame_is_what_the_result_says() -> None:
    frame = ASIA.query("lung", {"xray": "yes"}).frame().set_index("lung")["probability"]
    assert frame.to_dict() == dict(ASIA.query("lung", {"xray": "yes"}))
    terms = MODEL.explain(ROWS[:2])
    assert terms.frame()[list(terms.classes)].to_numpy().reshape(terms.terms.shape) == pytest.approx(terms.terms)


def test_lists_of_other_lengths_are_left_out() -> None:
    assert columns_of({"a": [1, 2, 3], "b": [4, 5, 6], "c": [7]}) == {"a": [1, 2, 3], "b": [4, 5, 6]}
