"""likely fit without --model: what suits the table is tried and pooled, and judged by the rows held out meanwhile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import likely
from likely.data.levels.column_kinds import KINDS
from tests.cli.conftest import Command, loans


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    loans(120, 5).to_csv(tmp_path / "loans.csv", index=False)
    return tmp_path / "loans.csv"


def test_the_screen_says_what_was_chosen_how_good_it_is_and_how_long_it_took(likely_says: Command, rows: Path) -> None:
    told = likely_says("fit", rows, "-t", "default").out
    assert "BayesClassifier of 'default'" in told
    assert "models tried in" in told
    assert "every row judged by models and weights that never saw it (10-fold cross-validation)" in told


def test_the_score_is_that_of_the_pool_on_its_own_rows_held_out(likely_says: Command, rows: Path) -> None:
    told = likely_says("fit", rows, "-t", "default", "--json").document
    pool = next(one for one in told["leaderboard"] if one["name"] == "pool")
    held = told["cross_validation"]
    assert held["rows"] == 120
    assert held["accuracy"] == pytest.approx(1 - pool["error"])
    assert held["log_loss"] == pytest.approx(pool["log_loss"], abs=2e-3)  # but for the priors that each fold has


def test_rows_held_out_have_taught_neither_members_nor_weights() -> None:
    """On labels dealt at random a pool that has seen its rows is better than the shares; this one is not."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 6)), rng.integers(0, 2, 300)
    model = likely.BayesClassifier(candidates=["naive", "forest"]).fit(X, y)
    held = model.model_.held_out
    assert held is not None
    loss = -held.under(model.model_.log_prior)[np.arange(300), held.cells].mean()
    assert loss > np.log(2) - 0.01
    assert held.every
    assert model.partial_fit(X[:1], y[:1]).model_.held_out is None  # which a pool of other rows has not
    assert model.forget(X[:1], y[:1]).model_.held_out is None


def test_priors_that_are_said_move_the_probabilities_held_out(likely_says: Command, rows: Path) -> None:
    model = likely.fit(pd.read_csv(rows), "default", likely.BayesClassifier(candidates=["naive"]))
    held = model.model_.held_out
    moved = model.with_priors({"no": 0.5, "yes": 0.5}).model_
    odds = held.log_proba[:, 1] - held.log_proba[:, 0]
    under = held.under(moved.log_prior)
    shift = held.log_prior[1] - held.log_prior[0]
    assert np.allclose(under[:, 1] - under[:, 0], odds - shift)
    assert np.allclose(np.exp(under).sum(axis=1), 1)
    told = likely_says("fit", rows, "-t", "default", "--priors", "uniform")
    assert "--priors speaks of rows with other shares" in told.out


def test_an_option_that_naive_bayes_alone_has_is_heard(likely_says: Command, rows: Path) -> None:
    told = likely_says("fit", rows, "-t", "default", "--estimate", "mle")
    assert "NaiveBayes of 'default'" in told.out
    assert "this is --model naive" in told.err
    assert "NaiveBayes" in likely_says("fit", rows, "-t", "default", "--set", "smoothing=2").out
    odd = likely_says("fit", rows, "-t", "default", "--set", "k=2")
    assert odd.exit == 2
    assert "auto has no option 'k'" in odd.err


def test_a_numeric_target_is_regression(likely_says: Command, rows: Path) -> None:
    told = likely_says("fit", rows, "-t", "income")
    assert "LinearRegression" in told.out
    assert "this is regression" in told.err


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("text", "skip")])
def test_every_kind_of_a_column_may_be_said(likely_says: Command, rows: Path, kind: str) -> None:
    column = "employed" if kind == "binary" else "age"
    done = likely_says(
        "fit", rows, "-t", "default", "-k", f"{column}={kind}", "--set", 'candidates=["naive", "forest"]'
    )
    assert not done.exit, done.err


def test_few_rows_are_judged_too(likely_says: Command, tmp_path: Path) -> None:
    loans(12, 1).to_csv(tmp_path / "few.csv", index=False)
    told = likely_says("fit", tmp_path / "few.csv", "-t", "default")
    assert told.exit == 0
    assert "leave-one-out" in told.out


@pytest.mark.parametrize("words", [("--groups", "purpose"), ("--holdout", "0.3"), ("--recalibrate", "platt")])
def test_other_ways_to_judge(likely_says: Command, rows: Path, words: tuple[str, ...]) -> None:
    done = likely_says("fit", rows, "-t", "default", "--set", 'candidates=["naive"]', *words, "--json")
    assert not done.exit, done.err
    assert {"cross_validation", "holdout"} & {*done.document}
