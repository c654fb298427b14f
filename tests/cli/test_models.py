"""Models whose columns depend on each other, from the command line: every verb says what the library says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import likely
from likely.cli import compare
from likely.estimators.registry import PRESETS
from tests.cli.conftest import Command, loans

MODELS = {
    "spode": "SPODE",
    "tan": "TAN",
    "kdb": "KDB",
    "aode": "AODE",
    "ande": "AnDE",
    "network": "NetworkClassifier",
}
CUTS = ("--set", 'cuts={"income": [30, 40], "age": [40]}')


@pytest.mark.parametrize("name", MODELS)
def test_from_a_file_to_a_decision(shop: Path, tmp_path: Path, likely_says: Command, name: str) -> None:
    kept, new = tmp_path / "m.likely", shop / "new.csv"
    words = ("fit", shop / "loans.csv", "-t", "default", "-m", name)
    told = likely_says(*words, "-o", kept, "--json").document
    model = likely.load(kept)
    assert told["model"] == type(model).__name__ == MODELS[name]
    assert told["structure"] == model.structure_.to_dict()
    assert set(told["cuts"]) == {"income", "age"}
    rows, later = pd.read_csv(shop / "loans.csv"), pd.read_csv(new).drop(columns="default")
    own = getattr(likely, MODELS[name])().fit(rows.drop(columns="default"), rows["default"].to_numpy())
    np.testing.assert_allclose(model.predict_proba(new), own.predict_proba(later), atol=1e-12)
    alone = own.leave_one_out(rows.drop(columns="default"), rows["default"].to_numpy())
    truth = (rows["default"] == "yes").to_numpy().astype(int)
    loss = -np.log(alone[np.arange(len(truth)), truth]).mean()
    assert told["leave_one_out"]["log_loss"] == pytest.approx(loss, abs=1e-9)
    scored = likely_says("predict", kept, new, "--json").document["predictions"]
    np.testing.assert_allclose([row["p_yes"] for row in scored], model.predict_proba(new)[:, 1], atol=1e-12)
    judged = likely_says("evaluate", kept, new, "--json", "--no-picture").document
    assert judged["accuracy"] == (model.predict(new) == pd.read_csv(new)["default"]).mean()
    decided = likely_says("decide", kept, new, "--loss", shop / "loss.csv", "--json").document["decisions"]
    assert [row["decision"] for row in decided] == model.decide(new, loss=[[0, 1], [5, 0]]).tolist()
    text = likely_says(*words).out
    assert "  parents  " in text
    assert "all rows taught its structure and cut points" in text


def test_naive_bayes_has_no_structure(shop: Path, likely_says: Command) -> None:
    words = ("fit", shop / "loans.csv", "-t", "default", "-m", "naive")
    assert "structure" not in likely_says(*words, "--json").document
    assert "parents" not in likely_says(*words).out


def test_options_of_a_model(shop: Path, likely_says: Command) -> None:
    words = ("fit", shop / "loans.csv", "-t", "default", "--json", *CUTS)
    told = likely_says(*words, "-m", "spode", "--set", "parent=城市").document
    assert told["cuts"] == {"income": [30, 40], "age": [40]}
    assert told["structure"]["parents"][0] == ["城市"]
    told = likely_says(*words, "-m", "ande", "--set", "order=1").document
    assert all(len(by) == 1 for by in told["structure"]["members"])
    for how, even in (("even", True), ("loss", False)):
        weights = likely_says(*words, "-m", "aode", "--set", f"weights={how}").document["structure"]["member_weights"]
        assert (len(set(weights)) == 1) is even


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        (("-m", "tann"), "O119", "Did you mean 'tan'?"),
        (("-m", "kdb", "--set", "kk=2"), "O124", "its options are k, "),
        (("-m", "kdb", "--set", "k"), "U106", "--set NAME=VALUE"),
        (("-m", "kdb", "--set", "k=many"), "O392", "whole number"),
        (("-m", "ande", "--set", "order=3"), "O397", "say 0, 1 or 2"),
        (("-m", "naive", "--set", "order=1"), "O124", "its options are kinds"),
    ],
)
def test_options_that_cannot_be(shop: Path, likely_says: Command, words: tuple[str, ...], code: str, hint: str) -> None:
    said = likely_says("fit", shop / "loans.csv", "-t", "default", *words)
    assert said.exit == 2
    assert code in said.err
    assert hint in said.err


def test_explain_names_what_a_value_is_given(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    kept, new = tmp_path / "m.likely", shop / "new.csv"
    words = ("fit", shop / "loans.csv", "-t", "default", "-m", "spode", "--set", "parent=age", *CUTS, "-o", kept)
    assert likely_says(*words).exit == 0
    value = "age<=40" if pd.read_csv(new)["age"][4] <= 40 else "age>40"
    picture = tmp_path / "why.png"
    text = likely_says("explain", kept, new, "--row", 4, "-o", picture).out
    assert f"given {value}" in text
    assert picture.read_bytes().startswith(b"\x89PNG")
    told = likely_says("explain", kept, new, "--row", 4, "--json", "--no-picture").document
    given = {term["name"]: term["given"] for term in told["terms"]}
    assert given["employed"] == value
    assert given["prior"] is given["age"] is None
    joint = np.array([sum(term["terms"][level] for term in told["terms"]) for level in ("no", "yes")])
    np.testing.assert_allclose(np.exp(joint) / np.exp(joint).sum(), likely.load(kept).predict_proba(new)[4], atol=1e-12)
    row = pd.read_csv(new).iloc[4:5]
    made = told["changes"]["alone"] or told["changes"]["together"]
    for change in made[: 1 if told["changes"]["alone"] else None]:
        row = row.assign(**{change["name"]: [change["after"]]})
    assert likely.load(kept).predict(row)[0] == made[0]["becomes"] != told["prediction"]


def test_a_model_is_explained_with_its_structure(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    kept, picture = tmp_path / "m.likely", tmp_path / "tree.png"
    assert likely_says("fit", shop / "loans.csv", "-t", "default", "-m", "tan", "-o", kept).exit == 0
    told = likely_says("explain", kept, "--json", "-o", picture).document
    assert told["structure"] == likely.load(kept).structure_.to_dict()
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "tree of 5 columns" in likely_says("explain", kept).out
    refused = likely_says("explain", kept, "--nomogram")
    assert refused.exit == 2
    assert "tree of 5 columns" in refused.out
    assert "O373" in refused.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.likely", "tree.png"]


def test_recalibrated_merged_and_forgotten(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    new = shop / "new.csv"
    fit = ("fit", "-t", "default", "-m", "aode", *CUTS, "--set", "numbers=density")
    bent = tmp_path / "bent.likely"
    assert likely_says(*fit, shop / "loans.csv", "--recalibrate", "temperature", "-o", bent).exit == 0
    scored = likely_says("predict", bent, new, "--json").document["predictions"]
    np.testing.assert_allclose([row["p_yes"] for row in scored], likely.load(bent).predict_proba(new)[:, 1], atol=1e-12)
    halves = {"a": loans(300, 0).iloc[:150], "b": loans(300, 0).iloc[150:]}
    for name, rows in halves.items():
        rows.to_csv(tmp_path / f"{name}.csv", index=False)
        assert likely_says(*fit, tmp_path / f"{name}.csv", "-o", tmp_path / f"{name}.likely").exit == 0
    both, rest, whole = (tmp_path / f"{name}.likely" for name in ("both", "rest", "whole"))
    assert likely_says("merge", tmp_path / "a.likely", tmp_path / "b.likely", "-o", both).exit == 0
    assert likely_says(*fit, shop / "loans.csv", "-o", whole).exit == 0
    np.testing.assert_allclose(likely.load(both).predict_proba(new), likely.load(whole).predict_proba(new), atol=1e-9)
    assert likely_says("forget", both, tmp_path / "b.csv", "-o", rest).exit == 0
    first = likely.load(tmp_path / "a.likely").predict_proba(new)
    np.testing.assert_allclose(likely.load(rest).predict_proba(new), first, atol=1e-9)


def test_compare_has_all_models(shop: Path, likely_says: Command) -> None:
    told = likely_says("compare", shop / "loans.csv", "-t", "default", "--folds", 2, "--json").document
    names = [row["name"] for row in told["rows"]]
    assert names[:2] == ["auto", "naive"]
    assert {*MODELS, "logistic", "tree", "c4.5", "adaboost", "bagging"} < set(names)
    said = likely_says("compare", shop / "loans.csv", "-t", "default", "--folds", 2, "-m", "tan", "-m", "naive")
    assert said.exit == 0
    assert "tan: columns depend" in said.out


def test_compare_shows_each_model_as_soon_as_it_is_judged(
    shop: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits: list[int] = []  # how many models were fitted when a table was shown
    shown: list[str] = []
    fitted: set[str] = set()

    def fit(self: likely.NaiveBayes, *given: object, **options: object) -> object:
        fitted.add(repr(self.get_params()))
        return real(self, *given, **options)

    def grow(session: object, text: str) -> None:
        shown.append(text)
        fits.append(len(fitted))

    real = likely.NaiveBayes.fit
    monkeypatch.setattr(likely.NaiveBayes, "fit", fit)
    monkeypatch.setattr("likely.cli.terminal.session.Session.grow", grow)
    few = {name: PRESETS[name] for name in ("naive", "tan", "naive-map", "prior")}
    monkeypatch.setattr("likely.estimators.registry.PRESETS", few)
    said = likely_says("compare", shop / "loans.csv", "-t", "default", "--folds", 2)
    assert fits == [1, 1, 2, 3]
    assert [text.count("\n") for text in shown] == [1, 2, 3, 4]
    assert {*shown[-1].splitlines()} <= {*said.out.splitlines()}  # the best first at the end


def test_a_model_too_large_is_left_out_unless_it_was_named(
    shop: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likely.estimators.bayes.dependent.MOST_BYTES_OF_COUNTS", 10_000)
    few = {name: PRESETS[name] for name in ("naive", "ande", "prior")}
    monkeypatch.setattr("likely.estimators.registry.PRESETS", few)
    words = ("compare", shop / "loans.csv", "-t", "default", "--folds", 2, "--json")
    said = likely_says(*words)
    assert "note: ande is left out: counting every three" in said.err
    assert {"naive", "prior"} <= {row["name"] for row in said.document["rows"]}
    named = likely_says(*words, "-m", "ande")
    assert named.exit == 2
    assert compare.TOO_LARGE in named.err


def test_any_source_and_any_model() -> None:
    model = likely.fit(loans(200, 3), "default", model=likely.AODE())
    assert isinstance(model, likely.AODE)
    assert model.predict(loans(5, 4).drop(columns="default")).shape == (5,)


def test_names_may_have_blanks_about_them_and_a_model_without_a_line_has_none(shop: Path, likely_says: Command) -> None:
    said = likely_says("compare", shop / "loans.csv", "-t", "default", "-m", "naive, gaussian", "--folds", 2)
    assert (said.exit, [line for line in said.out.splitlines() if line.endswith(": ")]) == (0, [])
    assert "  naive: naive Bayes" in said.out
