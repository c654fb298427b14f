"""Regression, trees, boosting and bagging from the command line: every verb says what the library says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely.cli import compare
from likely.estimators.registry import PRESETS
from likely.evaluation import cross_validate
from tests.cli.conftest import Command

CLASSIFIERS = {
    "logistic": likely.LogisticRegression(),
    "tree": likely.DecisionTree(random_state=0),
    "c4.5": likely.DecisionTree(criterion="c4.5", prune="pessimistic", min_samples_leaf=2, random_state=0),
    "adaboost": likely.AdaBoost(n_estimators=8, random_state=0),
    "bagging": likely.Bagging(n_estimators=8, random_state=0),
}
REGRESSORS = {
    "linear": likely.LinearRegression(),
    "ridge": likely.LinearRegression(penalty="ridge"),
    "lasso": likely.LinearRegression(penalty="lasso"),
    "regression-tree": likely.RegressionTree(random_state=0),
}
SHORT = {"adaboost": ("--set", "n_estimators=8"), "bagging": ("--set", "n_estimators=8")}


def incomes(rows: int, seed: int) -> pd.DataFrame:
    """An amount that mixed columns tell of, some of them with holes."""
    rng = np.random.default_rng(seed)
    age, city = rng.integers(18, 80, rows).astype(float), rng.choice(["上海", "北京", "other, mixed"], rows)
    income = 20.5 + 0.5 * age + np.select([city == "上海", city == "北京"], [9.0, 4.0]) + rng.normal(0, 3, rows)
    frame = pd.DataFrame({"age": age, "城市": city, "idle": rng.normal(size=rows), "income": income.round(2)})
    frame.loc[rng.random(rows) < 0.1, "城市"] = None
    return frame


@pytest.fixture(scope="module")
def bank(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with incomes.csv and later.csv, and a model of every kind; tests must not write into it."""
    from likely.cli.main import run

    folder = tmp_path_factory.mktemp("bank")
    incomes(120, 0).to_csv(folder / "incomes.csv", index=False)
    incomes(30, 1).to_csv(folder / "later.csv", index=False)
    incomes(0, 1).to_csv(folder / "empty.csv", index=False)
    for name in CLASSIFIERS:
        words = ["fit", shop / "loans.csv", "-t", "default", "-m", name, *SHORT.get(name, ())]
        assert run([*map(str, words), "-o", str(folder / f"{name}.likely"), "-q"]) == 0
    for name in REGRESSORS:
        words = ["fit", folder / "incomes.csv", "-t", "income", "-m", name]
        assert run([*map(str, words), "-o", str(folder / f"{name}.likely"), "-q"]) == 0
    return folder


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classes_from_a_file_to_a_decision(shop: Path, bank: Path, likely_says: Command, name: str) -> None:
    kept, new = bank / f"{name}.likely", shop / "new.csv"
    rows, later = pd.read_csv(shop / "loans.csv"), pd.read_csv(new)
    own = CLASSIFIERS[name].fit(rows.drop(columns="default"), rows["default"].to_numpy())
    truth = later.pop("default")
    expected = own.predict_proba(later)
    np.testing.assert_allclose(likely.load(kept).predict_proba(new), expected, atol=1e-12)
    scored = likely_says("predict", kept, new, "--json").document["predictions"]
    np.testing.assert_allclose([row["p_yes"] for row in scored], expected[:, 1], atol=1e-12)
    judged = likely_says("evaluate", kept, new, "--json", "--no-picture").document
    assert judged["accuracy"] == (own.predict(later) == truth).mean()
    decided = likely_says("decide", kept, new, "--loss", shop / "loss.csv", "--json").document["decisions"]
    assert [row["decision"] for row in decided] == own.decide(later, loss=[[0, 1], [5, 0]]).tolist()
    why = likely_says("explain", kept, new, "--row", 4, "--json", "--no-picture").document
    joint = np.array([sum(term["terms"][level] for term in why["terms"]) for level in ("no", "yes")])
    np.testing.assert_allclose(np.exp(joint) / np.exp(joint).sum(), expected[4], atol=1e-9)
    assert ("path" in why) is hasattr(own, "tree_")


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_fit_says_how_it_was_judged(
    shop: Path, likely_says: Command, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likely.cli.held_out_rows.MOST_FOLDS", 3)
    words = ("fit", shop / "loans.csv", "-t", "default", "-m", name, *SHORT.get(name, ()))
    told, rows = likely_says(*words, "--json").document, pd.read_csv(shop / "loans.csv")
    X, y = rows.drop(columns="default"), rows["default"].to_numpy()
    said = likely_says(*words).out
    if name == "bagging":
        assert told["out_of_bag"]["accuracy"] == pytest.approx(1 - CLASSIFIERS[name].fit(X, y).oob_error_)
        assert "(out of bag)" in said
    else:
        found: Any = cross_validate(CLASSIFIERS[name], X, y, folds=3).evaluate()
        assert told["cross_validation"]["accuracy"] == pytest.approx(found.accuracy)
        assert told["cross_validation"]["log_loss"] == pytest.approx(found.log_loss)
        assert "(3-fold cross-validation of the same rows)" in said
    word = {"logistic": "terms", "adaboost": "rounds", "bagging": "rounds"}.get(name, "tree")
    assert f"\n  {word} " in said
    assert {"terms": "coefficients"}.get(word, word) in told


@pytest.mark.parametrize("name", REGRESSORS)
def test_amounts_from_a_file_to_an_evaluation(
    bank: Path, tmp_path: Path, likely_says: Command, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likely.cli.held_out_rows.MOST_FOLDS", 3)
    kept, new, rows = bank / f"{name}.likely", bank / "later.csv", pd.read_csv(bank / "incomes.csv")
    own = REGRESSORS[name].fit(rows.drop(columns="income"), rows["income"].to_numpy())
    expected = own.predict(pd.read_csv(new).drop(columns="income"))
    assert likely_says("predict", kept, new, "-o", tmp_path / "p.csv").exit == 0
    np.testing.assert_allclose(pd.read_csv(tmp_path / "p.csv")["prediction"], expected, rtol=1e-9)
    why = likely_says("explain", kept, new, "--row", 3, "--json", "--no-picture").document
    assert sum(term["adds"] for term in why["terms"]) == pytest.approx(expected[3])
    assert "row 3: income" in likely_says("explain", kept, new, "--row", 3, "--no-picture").out
    judged = likely_says("evaluate", kept, new, "--json", "--no-picture").document
    left = expected - pd.read_csv(new)["income"]
    assert judged["rmse"] == pytest.approx(np.sqrt((left**2).mean()))
    assert judged["mae"] == pytest.approx(np.abs(left).mean())
    words = ("fit", bank / "incomes.csv", "-t", "income", "-m", name)
    told = likely_says(*words, "--json").document
    found: Any = cross_validate(own, rows.drop(columns="income"), rows["income"].to_numpy(), folds=3).evaluate()
    assert told["cross_validation"]["r2"] == pytest.approx(found.r2)
    assert "R²" in likely_says(*words).out


def test_pictures_of_amounts(bank: Path, tmp_path: Path, likely_says: Command) -> None:
    for verb in ("explain", "evaluate"):
        picture = tmp_path / f"{verb}.png"
        assert likely_says(verb, bank / "linear.likely", bank / "later.csv", "-o", picture).exit == 0
        assert picture.read_bytes().startswith(b"\x89PNG")


def test_intervals_of_amounts(bank: Path, tmp_path: Path, likely_says: Command) -> None:
    words = ("predict", bank / "linear.likely", bank / "later.csv", "--interval", 0.9)
    told = likely_says(*words, "--json").document["predictions"]
    expected = likely.load(bank / "linear.likely").interval(bank / "later.csv", level=0.9)
    np.testing.assert_allclose([(row["low"], row["high"]) for row in told], expected, rtol=1e-9)
    assert likely_says(*words, "-o", tmp_path / "p.csv", "--only").exit == 0
    assert list(pd.read_csv(tmp_path / "p.csv")) == ["prediction", "low", "high"]


def test_lines_are_merged_and_forgotten(bank: Path, tmp_path: Path, likely_says: Command) -> None:
    part, both, rest = (tmp_path / f"{name}.likely" for name in ("part", "both", "rest"))
    assert likely_says("fit", bank / "later.csv", "-t", "income", "-m", "linear", "-o", part).exit == 0
    assert likely_says("merge", bank / "linear.likely", part, "-o", both, "--json").document["total"] == 150
    assert likely_says("forget", both, bank / "later.csv", "-o", rest, "--json").document["after"] == 120
    first, again = (likely.load(path).coef_ for path in (bank / "linear.likely", rest))
    np.testing.assert_allclose(again, first, rtol=1e-8)


@pytest.mark.parametrize(("name", "shown"), [("c4.5", "yes ("), ("logistic", "odds ratio"), ("adaboost", "bound")])
def test_what_a_classifier_has_learnt(bank: Path, tmp_path: Path, likely_says: Command, name: str, shown: str) -> None:
    kept, picture = bank / f"{name}.likely", tmp_path / "m.png"
    said = likely_says("explain", kept, "-o", picture)
    assert said.exit == 0
    assert shown in said.out
    assert picture.read_bytes().startswith(b"\x89PNG")
    told = likely_says("explain", kept, "--json").document
    assert {"c4.5": "tree", "logistic": "coefficients", "adaboost": "rounds"}[name] in told
    nomogram = likely_says("explain", kept, "--nomogram", "--no-picture")
    assert ("O373" in nomogram.err) if name == "c4.5" else ("points for" in nomogram.out)


def test_what_a_regressor_has_learnt(bank: Path, tmp_path: Path, likely_says: Command) -> None:
    assert "95% from" in likely_says("explain", bank / "linear.likely").out
    tree = likely_says("explain", bank / "regression-tree.likely", "-o", tmp_path / "tree.svg")
    assert tree.exit == 0
    assert "more lines; --json has all rules" in tree.out
    told = likely_says("explain", bank / "regression-tree.likely", "--json").document["tree"]
    assert len(told["rules"]) == told["leaves"]
    single = tmp_path / "one.likely"
    incomes(60, 3)[["age", "income"]].to_csv(tmp_path / "one.csv", index=False)
    assert likely_says("fit", tmp_path / "one.csv", "-t", "income", "-m", "linear", "-o", single).exit == 0
    assert likely_says("explain", single, "-o", tmp_path / "line.png").exit == 0
    assert (tmp_path / "line.png").read_bytes().startswith(b"\x89PNG")


def test_the_path_through_a_tree_in_words(shop: Path, bank: Path, likely_says: Command) -> None:
    said = likely_says("explain", bank / "tree.likely", shop / "new.csv", "--row", 2, "--no-picture").out
    assert "the path through the tree:\n  all rows: no (" in said


def test_amounts_are_compared(bank: Path, tmp_path: Path, likely_says: Command) -> None:
    words = ("compare", bank / "incomes.csv", "-t", "income", "--folds", 3)
    said = likely_says(*words, "-o", tmp_path / "c.png")
    assert "'income' is numeric" in said.err
    assert "lasso: the same, weak coefficients exactly zero" in said.out
    told = likely_says(*words, "-m", "linear", "-m", "mean", "--json").document
    assert (told["best"], told["loss"]) == ("linear", "squared")
    assert [row["name"] for row in told["rows"]] == ["linear", "mean"]


def test_long_models_are_left_out_of_large_tables(
    shop: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {name: PRESETS[name] for name in ("prior", "bagging")}
    monkeypatch.setattr("likely.estimators.registry.PRESETS", few)
    monkeypatch.setattr(compare, "MOST_CELLS_OF_SLOW_MODELS", {"bagging": 100})
    said = likely_says("compare", shop / "loans.csv", "-t", "default", "--folds", 2)
    assert "note: bagging is left out: 300 rows would take it long" in said.err
    assert "prior: the class priors alone" in said.out


def test_probabilities_of_a_tree_are_recalibrated_by_folds(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    kept = tmp_path / "bent.likely"
    words = ("fit", shop / "loans.csv", "-t", "default", "-m", "tree", "--recalibrate", "platt", "-o", kept)
    assert likely_says(*words, "--json").document["recalibration"]["source"] == "10-fold cross-validation"
    scored = likely_says("predict", kept, shop / "new.csv", "--json").document["predictions"]
    expected = likely.load(kept).predict_proba(shop / "new.csv")
    np.testing.assert_allclose([row["p_yes"] for row in scored], expected[:, 1], atol=1e-12)


def test_other_class_priors_of_logistic_regression(shop: Path, bank: Path, likely_says: Command) -> None:
    words = ("fit", shop / "loans.csv", "-t", "default", "-m", "logistic", "--priors", "yes=0.5,no=0.5")
    assert "before its class priors were moved" in likely_says(*words).out
    scored = likely_says("predict", bank / "logistic.likely", shop / "new.csv", "--priors", "uniform", "--json")
    expected = likely.load(bank / "logistic.likely").with_priors("uniform").predict_proba(shop / "new.csv")
    np.testing.assert_allclose([row["p_yes"] for row in scored.document["predictions"]], expected[:, 1], atol=1e-12)


def test_surfaces_of_companions(shop: Path, likely_says: Command) -> None:
    words = ("surface", shop / "loans.csv", "-t", "default", "--features", "income")
    said = likely_says(*words, "-m", "qda,logistic,tree", "--set", "max_depth=2", "-o", shop / "companions.png")
    assert said.exit == 0
    assert (shop / "companions.png").stat().st_size > 10_000
    assert "* by 10-fold cross-validation" in said.out
    told = likely_says(*words, "-m", "logistic", "-o", shop / "logistic.png", "--json").document["surfaces"][0]
    assert told["bayes_error"] is None
    assert len(told["thresholds"]) == 1


def test_a_column_that_counts_the_rows_is_set_aside(bank: Path, tmp_path: Path, likely_says: Command) -> None:
    frame = pd.read_csv(bank / "incomes.csv")
    frame.insert(0, "id", range(1, len(frame) + 1))
    frame.to_csv(tmp_path / "ids.csv", index=False)
    for name in ("linear", "regression-tree"):
        said = likely_says("fit", tmp_path / "ids.csv", "-t", "income", "-m", name)
        assert said.err.count("--kind id=real") == 1
        assert "1 set aside" in said.out


def test_a_numeric_target_is_inspected_among_the_columns(bank: Path, likely_says: Command) -> None:
    said = likely_says("inspect", bank / "incomes.csv", "-t", "income", "--json")
    assert (said.document["target"], said.document["balance"]) == ("income", [])
    assert [one["name"] for one in said.document["columns"]][-1] == "income"
    assert "--model linear" in likely_says("inspect", bank / "incomes.csv", "-t", "income").out


def test_every_verb_takes_the_same_numbers_for_classes(tmp_path: Path, likely_says: Command) -> None:
    """Whole numbers too, where they are many: they are predicted by regression."""
    rng = np.random.default_rng(0)
    for most, numeric in ((60, True), (5, False)):
        frame = pd.DataFrame({"x": rng.normal(size=200).round(3), "y": rng.integers(0, most, 200)})
        frame.to_csv(tmp_path / "rows.csv", index=False)
        seen = likely_says("inspect", tmp_path / "rows.csv", "-t", "y", "--json").document
        fitted = likely_says("fit", tmp_path / "rows.csv", "-t", "y", "--json").document
        assert (not seen["balance"]) == (fitted["model"] == "LinearRegression") == numeric


LINES = [
    ("fit loans.csv -t default -m logistic --smoothing 2", "U131", "--set takes kinds, penalty"),
    ("fit loans.csv -t default -m adaboost --estimate map", "U131", "Did you mean 'estimator'?"),
    ("fit loans.csv -t default -m tree --set max_dept=2", "O124", "Did you mean 'max_depth'?"),
    ("fit loans.csv -t default -m c45", "O119", "Did you mean 'c4.5'?"),
    ("fit loans.csv -t default -m linear", "D446", "--model naive"),
    ("fit incomes.csv -t income -m naive", "D120", "--model linear"),
    ("fit incomes.csv -t income -m linear --recalibrate platt", "U133", "leave --recalibrate out"),
    ("fit incomes.csv -t income -m linear --priors uniform", "U133", "leave --priors out"),
    ("predict linear.likely later.csv --proba", "U133", "leave --proba out"),
    ("predict linear.likely later.csv --priors uniform", "U133", "leave --priors out"),
    ("predict linear.likely later.csv --interval 95", "U135", "as in --interval 0.95"),
    ("predict tree.likely new.csv --interval 0.9", "U136", "--proba"),
    ("predict regression-tree.likely later.csv --interval 0.9", "U136", "--model ridge"),
    ("predict lasso.likely later.csv --interval 0.9", "M375", "penalty"),
    ("evaluate linear.likely later.csv --positive yes", "U133", "leave --positive out"),
    ("evaluate linear.likely new.csv --no-picture", "S210", "give the columns"),
    ("evaluate linear.likely empty.csv --no-picture", "D117", "at least one row"),
    ("evaluate linear.likely loss.csv --no-picture", "S207", "the columns are"),
    ("explain linear.likely later.csv --for yes", "U133", "leave --for out"),
    ("decide linear.likely later.csv", "U134", "--interval"),
    ("merge tree.likely tree.likely -o out.likely", "U137", "only sums"),
    ("forget bagging.likely new.csv -o out.likely", "U137", "only sums"),
    ("compare loans.csv -t default -m linear", "D446", "--model naive"),
    ("compare incomes.csv -t income -m linear -m naive", "O652", "regressors with regressors"),
    ("surface loans.csv -t default -f income -m ridge", "U134", "between classes"),
]


@pytest.mark.parametrize(("line", "code", "hint"), LINES, ids=[line for line, _, _ in LINES])
def test_command_lines_that_cannot_be(
    shop: Path, bank: Path, tmp_path: Path, likely_says: Command, line: str, code: str, hint: str
) -> None:
    places = {path.name: path for folder in (shop, bank) for path in folder.iterdir()}
    words = [places.get(word, tmp_path / word if word.startswith("out.") else word) for word in line.split()]
    said = likely_says(*words)
    assert said.err.startswith(f"[{code}]"), said
    assert hint in said.err
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_rounds_so_far(shop: Path, tmp_path: Path) -> None:
    words = ["fit", str(shop / "loans.csv"), "-t", "default", "-m", "bagging", "--set", "n_estimators=1000"]
    script = (  # the key is pressed after the third round, however long a round takes
        "import itertools, signal, sys, likely.companions.ensembles.bagging as bagging\n"
        "told, rounds = bagging.report_rounds, itertools.count(1)\n"
        "bagging.report_rounds = lambda: (told(), next(rounds) == 3 and signal.raise_signal(signal.SIGINT))\n"
        "from likely.cli import main; main()"
    )
    run = [sys.executable, "-c", script, *words, "-o", "m.likely"]
    done = subprocess.run(run, cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 130
    assert done.stderr.endswith("stopped early: what was learnt so far is in m.likely\n")
    assert len(likely.load(tmp_path / "m.likely").estimators_) == 3
