"""Recalibration from the command line: beside class priors, and where it does not help."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import likely
from likely.evaluation import Recalibrated
from tests.cli.conftest import Command

PRIORS = ("--priors", "yes=0.02,no=0.98")


@pytest.fixture
def even(tmp_path: Path) -> Path:
    """As many yes as no, and one column told twice."""
    rng = np.random.default_rng(0)
    yes = np.arange(600) % 2 == 1
    value = rng.normal(1.5 * yes, 1.0)
    frame = pd.DataFrame({"x": value, "z": value + rng.normal(0, 0.1, 600), "k": np.where(yes, "yes", "no")})
    frame.to_csv(tmp_path / "even.csv", index=False)
    return tmp_path / "even.csv"


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("naive", "platt"),
        ("tree", "isotonic"),
        *(pytest.param(*pair, marks=pytest.mark.slow) for pair in (("naive", "isotonic"), ("tree", "platt"))),
        *(("naive", method) for method in ("beta", "temperature")),
        *(pytest.param("tree", method, marks=pytest.mark.slow) for method in ("beta", "temperature")),
    ],
)
def test_priors_and_recalibration_in_any_order(
    even: Path, tmp_path: Path, likely_says: Command, name: str, method: str
) -> None:
    fit = ("fit", even, "-t", "k", "-m", name, "--set", "max_depth=2") if name == "tree" else ("fit", even, "-t", "k")
    bend, found = ("--recalibrate", method), {}
    for order, words in {"one": (*PRIORS, *bend), "other": (*bend, *PRIORS), "later": bend}.items():
        kept, moved = tmp_path / f"{order}.likely", PRIORS if order == "later" else ()
        assert likely_says(*fit, *words, "-o", kept).exit == 0
        told = likely_says("predict", kept, even, "--json", "--proba", *moved).document["predictions"]
        found[order] = np.array([row["p_yes"] for row in told])
        assert found[order].mean() < 0.15  # it was 0.5
        judged = likely_says("evaluate", kept, even, "--json", "--no-picture", *moved).document
        assert judged["bayes_error"] == pytest.approx(np.minimum(found[order], 1 - found[order]).mean())
        decided = likely_says("decide", kept, even, "--threshold", 0.1, "--json", *moved).document["decisions"]
        assert [row["decision"] == "yes" for row in decided] == (found[order] >= 0.1).tolist()
    np.testing.assert_allclose(found["one"], found["other"], atol=0)
    np.testing.assert_allclose(found["one"], found["later"], atol=1e-12)


def test_the_shares_of_new_rows_are_estimated_under_the_maps(even: Path, tmp_path: Path, likely_says: Command) -> None:
    kept = tmp_path / "m.likely"
    likely_says("fit", even, "-t", "k", "-m", "naive", *PRIORS, "--recalibrate", "platt", "-o", kept)
    shift = likely_says("decide", kept, even, "--priors", "estimate", "--json").document["shift"]
    assert shift["priors"] == pytest.approx({"no": 0.5, "yes": 0.5}, abs=0.05)


def test_maps_that_raise_the_loss_are_not_kept(tmp_path: Path, likely_says: Command) -> None:
    rng = np.random.default_rng(2)
    yes = rng.random(60) < 0.5
    frame = pd.DataFrame({"x": rng.normal(yes, 1.0), "k": np.where(yes, "yes", "no")})
    frame.to_csv(tmp_path / "few.csv", index=False)
    words = ("fit", tmp_path / "few.csv", "-t", "k", "-m", "naive", "-o", tmp_path / "m.likely", "--recalibrate")
    told = likely_says(*words, "isotonic", "--json").document["recalibration"]
    assert told["after"] > told["before"]
    assert isinstance(likely.load(tmp_path / "m.likely"), likely.NaiveBayes)
    assert told["kept"] is False
    assert "the model is saved as it is, without it." in " ".join(likely_says(*words, "isotonic").out.split())


def test_maps_that_help_are_kept(even: Path, tmp_path: Path, likely_says: Command) -> None:
    words = ("fit", even, "-t", "k", "-m", "naive", "-o", tmp_path / "m.likely", "--recalibrate", "platt", "--json")
    assert likely_says(*words).document["recalibration"]["kept"] is True
    assert isinstance(likely.load(tmp_path / "m.likely"), Recalibrated)
    for verb in (("merge", tmp_path / "m.likely"), ("forget", even)):
        refused = likely_says(verb[0], tmp_path / "m.likely", verb[1], "-o", tmp_path / "x.likely")
        assert refused.err.startswith("[M309]")


def test_an_explanation_tells_the_probabilities_that_are_predicted(
    even: Path, tmp_path: Path, likely_says: Command
) -> None:
    """The terms are those before the maps; the answer is not, and changes that the maps may undo are not promised."""
    kept = tmp_path / "bent.likely"
    assert (
        likely_says("fit", even, "-t", "k", "-m", "naive", *PRIORS, "--recalibrate", "temperature", "-o", kept).exit
        == 0
    )
    assert isinstance(likely.load(kept), Recalibrated)
    said = likely_says("predict", kept, even, "--json", "--proba").document["predictions"][3]
    told = likely_says("explain", kept, even, "--row", 3, "--no-picture", "--json").document
    assert told["probabilities"]["yes"] == pytest.approx(said["p_yes"], abs=1e-12)
    assert told["prediction"] == said["prediction"]
    assert told["probabilities_before_recalibration"]["yes"] != pytest.approx(said["p_yes"], abs=1e-6)
    assert told["changes"] is None
    shown = likely_says("explain", kept, even, "--row", 3, "--no-picture").out
    assert f"{max(told['probabilities'].values()):.4f}" in shown
    assert "changes the answer" not in shown
