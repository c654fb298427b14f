"""The loss that `likely fit` tells is of log probabilities: infinite only where the truth was held impossible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely.evaluation import evaluate_model, held_out, log_loss
from likely.evaluation.folds.splits import read_splits
from likely.evaluation.rows.evaluation_rows import read_judged
from tests.cli.conftest import Command

DRAWN = np.random.default_rng(0)
X = pd.DataFrame(DRAWN.normal(size=(60, 2)), columns=["a", "b"])
Y = np.where(X.a + DRAWN.normal(size=60) > 0.5, "yes", "no")


@pytest.fixture
def far(tmp_path: Path) -> Path:
    """Two tight classes, and one row of the first in the middle of the second: P(a) of it is beyond doubles."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(0, 0.01, 400), rng.normal(3, 0.01, 400), [3.0]])
    labels = ["a"] * 400 + ["b"] * 400 + ["a"]
    pd.DataFrame({"x": x, "z": rng.normal(size=801), "k": labels}).to_csv(tmp_path / "far.csv", index=False)
    return tmp_path / "far.csv"


@pytest.mark.parametrize("name", ["naive", "naive-map", "naive-mle", "gaussian", "lda", "tan", "logistic", "bagging"])
def test_a_probability_too_small_for_a_double_is_no_infinite_loss(far: Path, likely_says: Command, name: str) -> None:
    told = likely_says("fit", far, "-t", "k", "-m", name, "--json").document
    (scores,) = (told[way] for way in ("leave_one_out", "cross_validation", "out_of_bag") if way in told)
    assert np.isfinite(scores["log_loss"])


def test_the_loss_is_that_of_the_log_probabilities(far: Path, tmp_path: Path, likely_says: Command) -> None:
    rows, kept = pd.read_csv(far), tmp_path / "m.likely"
    told = likely_says(
        "fit", far, "-t", "k", "-m", "naive", "-o", kept, "--json", "--recalibrate", "temperature"
    ).document
    X, y = rows[["x", "z"]], rows["k"].to_numpy()
    model = likely.NaiveBayes().fit(X, y)
    logs, codes = model.leave_one_out(X, y, log=True), (y == "b").astype(int)
    assert (np.exp(logs)[np.arange(len(y)), codes] == 0).any()  # what made it infinite
    expected = -logs[np.arange(len(y)), codes].mean()
    assert told["leave_one_out"]["log_loss"] == pytest.approx(expected, rel=1e-12)
    assert told["recalibration"]["before"] == pytest.approx(expected, rel=1e-12)
    assert log_loss(y, np.exp(logs), ["a", "b"]) == np.inf
    assert log_loss(y, np.exp(logs), ["a", "b"], log_proba=logs) == pytest.approx(expected, rel=1e-12)
    later = pd.DataFrame({"x": [0.0, 60.0], "z": [0.0, 0.0], "k": ["a", "a"]})
    later.to_csv(tmp_path / "later.csv", index=False)
    seen = likely_says("evaluate", kept, tmp_path / "later.csv", "--json", "--no-picture").document
    assert seen["log_loss"] == pytest.approx(evaluate_model(likely.load(kept), later[["x", "z"]], ["a", "a"]).log_loss)
    assert np.isfinite(seen["log_loss"])


@pytest.mark.parametrize(("estimate", "endless"), [("mle", True), ("map", False), ("bayes", False)])
def test_what_was_never_counted_is_impossible_only_if_nothing_is_smoothed(
    tmp_path: Path, likely_says: Command, estimate: str, endless: bool
) -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"x": [*rng.choice(["p", "q"], 60), "s", "s", "s"], "k": [*rng.choice(["a", "b"], 60), *"aab"]}
    )
    frame.to_csv(tmp_path / "rare.csv", index=False)
    told = likely_says("fit", tmp_path / "rare.csv", "-t", "k", "-m", "naive", "--estimate", estimate)
    assert ("log loss inf" in told.out) is endless
    assert ("1 of 63 rows, the first of them row 62, had probability 0" in told.out) is endless


@pytest.mark.parametrize(
    ("model", "way"),
    [
        (likely.NaiveBayes(), "leave_one_out"),
        (likely.Bagging(n_estimators=5, random_state=0), "out_of_bag"),
        (likely.LogisticRegression(), "splits"),
        (likely.RegressionTree(), "splits"),
    ],
)
def test_the_way_to_judge_is_the_quickest_exact_one(model: Any, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = model.fit(X, X.b + X.a if isinstance(model, likely.RegressionTree) else Y)
    assert held_out.way_to_judge(fitted, said=False) == way
    assert held_out.way_to_judge(fitted, said=True) == "splits"
    monkeypatch.setattr(held_out, "MOST_ROWS_JUDGED", 10)
    assert held_out.way_to_judge(fitted, said=False) is None
    assert held_out.way_to_judge(fitted, said=True) == "splits"


def test_the_command_line_shows_these_numbers(tmp_path: Path, likely_says: Command) -> None:
    X.assign(y=Y).to_csv(tmp_path / "rows.csv", index=False)
    naive = likely.NaiveBayes().fit(X, Y)
    codes = (Y == "yes").astype(int)
    left = held_out.of_classes(naive, codes, naive.leave_one_out(X, Y, log=True), None)
    told = likely_says("fit", tmp_path / "rows.csv", "-t", "y", "-m", "naive", "--json").document["leave_one_out"]
    assert told["log_loss"] == pytest.approx(left.skill.scores["log_loss"], rel=1e-9)
    assert told["skill"] == pytest.approx(left.skill.skill, rel=1e-9)
    tree = likely.DecisionTree(random_state=0).fit(X, Y)
    rows = read_judged(tree, X, Y, None)
    folds = held_out.by_splits(tree, rows, read_splits(rows.codes, 10, 0), said=False)
    told = likely_says("fit", tmp_path / "rows.csv", "-t", "y", "-m", "tree", "--json").document["cross_validation"]
    assert (told["rows"], told["log_loss"]) == (60, pytest.approx(folds.skill.scores["log_loss"], rel=1e-9))
    assert told["baseline"] == pytest.approx(dict(folds.skill.baseline))
