"""`likely compare` of several files, by other scores, with models of scikit-learn, stopped, and in pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely.cli import EXIT_INTERRUPTED
from likely.evaluation import compare
from tests.cli.conftest import Command


@pytest.fixture
def fields(tmp_path: Path) -> Path:
    rng = np.random.default_rng(2)
    for name, target, spread in (("north", "crop", 1.0), ("south", "crop", 3.0), ("east", "yield", 1.5)):
        y = np.arange(48) % 2
        table = pd.DataFrame({"rain": rng.normal(y, spread), "soil": rng.choice(["clay", "sand"], 48)})
        table[target] = np.where(y == 1, "rye", "oats")
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path


def test_models_are_ranked_over_files_of_other_targets(fields: Path, likely_says: Command) -> None:
    files = [fields / "north.csv", fields / "south.csv", f"{fields / 'east.csv'}:yield"]
    words = ("compare", *files, "-t", "crop", "--models", "naive,logistic,prior", "--folds", 3)
    told = likely_says(*words, "-o", fields / "ranks.png", "--json").document
    tables = {name: (str(fields / f"{name}.csv"), target) for name, target in
              (("north", "crop"), ("south", "crop"), ("east", "yield"))}  # fmt: skip
    same = likely.compare(tables, models=["naive", "logistic", "prior"], folds=3)
    assert (told["tables"], told["models"]) == (["north", "south", "east"], ["naive", "logistic", "prior"])
    assert np.allclose(told["mean_ranks"], same.mean_ranks)
    assert np.allclose(told["scores"], same.scores)
    assert told["comparisons"]["east"]["folds"] == 3
    assert (told["enough"], told["tables_needed"]) == (False, 6)
    assert (fields / "ranks.png").stat().st_size > 5000
    said = likely_says(*words)
    assert said.out.startswith("3 tables\n")
    assert "3 tables are too few" in said.out.replace("\n", " ")
    assert said.out.split("\n")[2].split() == "model mean rank wins draws losses time north south east".split()  # noqa: SIM905


def test_a_score_decides_and_each_has_a_picture(fields: Path, likely_says: Command) -> None:
    words = ("compare", fields / "north.csv", "-t", "crop", "-m", "naive,tree,prior", "--folds", 3)
    told = likely_says(*words, "--score", "AUC", "--json").document
    assert told["measure"] == "auc"
    by_area = sorted(told["rows"], key=lambda row: -row["means"]["auc"])
    assert told["best"] == by_area[0]["name"]
    said = likely_says(*words, "-o", fields / "by-{score}.svg")
    places = sorted(path.name for path in fields.glob("*.svg"))
    assert places == ["by-accuracy.svg", "by-auc.svg", "by-brier.svg", "by-log_loss.svg"]
    assert said.out.count("picture: ") == 4
    wrong = likely_says(*words, "--score", "acuracy")
    assert (wrong.exit, "Did you mean 'accuracy'?" in wrong.err) == (2, True)


def test_models_of_scikit_learn_by_name(fields: Path, likely_says: Command) -> None:
    words = ("compare", fields / "north.csv", "-t", "crop", "--folds", 3, "-m")
    names = "naive,RandomForestClassifier,sklearn.svm.SVC,IsotonicRegression"
    mixed = likely_says(*words, names)
    assert mixed.exit == 2
    assert "O652" in mixed.err
    told = likely_says(*words, names.removesuffix(",IsotonicRegression"), "--json").document
    table = pd.read_csv(fields / "north.csv")
    same = likely.compare(table, "crop", ["RandomForestClassifier", "SVC"], folds=3)
    found = {row["name"]: row["means"]["brier"] for row in told["rows"]}
    assert np.isclose(found["RandomForestClassifier"], same["RandomForestClassifier"].mean("brier"))
    assert np.isclose(found["sklearn.svm.SVC"], same["SVC"].mean("brier"))
    wrong = likely_says(*words, "RandomForestClasifier")
    assert "Did you mean 'RandomForestClassifier'?" in wrong.err


def test_a_model_that_fails_is_a_line(fields: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object, *given: object, **options: object) -> object:
        raise ValueError("no such luck")

    monkeypatch.setattr(likely.TAN, "fit", fail)
    said = likely_says("compare", fields / "north.csv", "-t", "crop", "-m", "naive,tan", "--folds", 3)
    assert said.exit == 0
    assert "tan    not judged: ValueError: no such luck" in said.out


def test_ctrl_c_shows_what_was_judged(fields: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str] = []

    def judge(self: Any, name: str, model: object, tick: object = None) -> object:
        judged.append(name)
        if len(judged) == stop:
            raise KeyboardInterrupt
        return real(self, name, model, tick)

    from likely.evaluation.comparisons.compare import SharedFolds

    real = SharedFolds.judge
    monkeypatch.setattr(SharedFolds, "judge", judge)
    files = [fields / "north.csv", fields / "south.csv", f"{fields / 'east.csv'}:yield"]
    words = ("-t", "crop", "-m", "naive,prior", "--folds", 3)
    stop = 2
    one = likely_says("compare", files[0], *words)
    assert one.exit == EXIT_INTERRUPTED
    assert "naive" in one.out
    assert "Stopped early: 'prior' not judged." in one.out.replace("\n", " ")
    judged.clear()
    stop = 6
    two = likely_says("compare", *files, *words)
    assert (two.exit, two.out.split("\n")[0]) == (EXIT_INTERRUPTED, "2 tables")
    assert "ranks are over 2 of 3 tables" in two.err
    judged.clear()
    stop = 3
    first = likely_says("compare", *files, *words)
    assert (first.exit, first.out.split("\n")[0]) == (EXIT_INTERRUPTED, "north")
    judged.clear()
    stop = 1
    assert likely_says("compare", *files, *words).exit == EXIT_INTERRUPTED


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("compare north.csv south.csv -m naive,prior", "U103"),
        ("compare north.csv south.csv -t crop -m naive,prior -o {score}.png", "U110"),
        ("compare north.csv amounts.csv:size -t crop", "U118"),
        ("compare north.csv north.csv:crop -t crop -m naive,prior", "U110"),
        ("compare north.csv -t crop -m naive,", "O119"),
        ("compare north.csv south.csv -t crop -m naive --folds 2", "O340"),
    ],
)
def test_refusals(words: str, code: str, fields: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    pd.DataFrame({"rain": np.arange(30) / 7, "size": np.arange(30) / 3}).to_csv(fields / "amounts.csv", index=False)
    monkeypatch.chdir(fields)
    said = likely_says(*words.split())
    assert f"[{code}]" in said.err
    if code == "U103":
        assert "north.csv:COLUMN" in said.err


def test_the_baseline_does_not_stretch_the_axis() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 3)) + 3 * y[:, None]
    models = {name: likely.NaiveBayes(kinds=kind) for name, kind in (("real", "real"), ("parzen", "parzen"))}
    found = compare({**models, "prior": likely.NaiveBayes(kinds="skip")}, X, y, folds=4)
    ax = found.plot().axes[0]
    assert found.baseline > 0.69 > ax.get_xlim()[1]
    assert any("▶" in text.get_text() for text in ax.texts)
    assert "always the shares of the classes: 0.693 →" in ax.get_legend().get_texts()[0].get_text()
    assert [label.get_text() for label in ax.get_yticklabels()][-1] == "prior"
