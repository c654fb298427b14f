"""From a file to a decision: every verb once, on a mixed table with holes."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import likely
from tests.cli.conftest import Command

VERBS = ("demo inspect fit predict evaluate compare explain decide merge forget digits doctor").split()  # noqa: SIM905


def test_one_row_has_one_probability_however_it_is_asked(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    model, rows = likely.load(shop / "loans.likely"), pd.read_csv(shop / "new.csv")
    by_python = model.predict_proba(shop / "new.csv")[17]
    words = ("predict", shop / "loans.likely", shop / "new.csv", "--proba")
    assert likely_says(*words, "-o", tmp_path / "a.csv").exit == 0
    with open(tmp_path / "a.csv", encoding="utf-8", newline="") as file:
        by_csv = list(csv.DictReader(file))[17]
    told = likely_says(*words, "--json").document
    by_json = told["predictions"][17]
    words = ("explain", shop / "loans.likely", shop / "new.csv", "--row", "17", "--json", "--no-picture")
    why = likely_says(*words).document
    joint = np.array([sum(term["terms"][name] for term in why["terms"]) for name in ("no", "yes")])
    by_terms = np.exp(joint) / np.exp(joint).sum()
    for found in ([float(by_csv["p_no"]), float(by_csv["p_yes"])], [by_json["p_no"], by_json["p_yes"]], by_terms):
        np.testing.assert_allclose(found, by_python, rtol=0, atol=1e-12)
    np.testing.assert_allclose(list(why["probabilities"].values()), by_python, rtol=0, atol=1e-12)
    assert by_csv["prediction"] == by_json["prediction"] == why["prediction"] == model.classes_[by_python.argmax()]
    assert list(by_csv)[: rows.shape[1]] == list(rows.columns)


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl", "csv.gz"])
def test_predictions_come_back_the_same_from_every_form(
    shop: Path, tmp_path: Path, likely_says: Command, ending: str
) -> None:
    scored = tmp_path / f"scored.{ending}"
    assert likely_says("predict", shop / "loans.likely", shop / "new.csv", "-o", scored, "--proba").exit == 0
    again = likely_says("predict", shop / "loans.likely", scored, "--json").document  # the columns are all still there
    expected = likely.load(shop / "loans.likely").predict_proba(shop / "new.csv")
    np.testing.assert_allclose([row["p_yes"] for row in again["predictions"]], expected[:, 1], rtol=0, atol=1e-12)


def test_evaluate_says_what_the_library_says(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    told = likely_says("evaluate", shop / "loans.likely", shop / "new.csv", "--json", "-o", tmp_path / "e.png").document
    model, rows = likely.load(shop / "loans.likely"), pd.read_csv(shop / "new.csv")
    proba = model.predict_proba(shop / "new.csv")
    truth = rows["default"].to_numpy()
    assert told["accuracy"] == (model.classes_[proba.argmax(axis=1)] == truth).mean()
    assert told["log_loss"] == pytest.approx(-np.log(proba[np.arange(40), (truth == "yes").astype(int)]).mean())
    assert (tmp_path / "e.png").read_bytes().startswith(b"\x89PNG")


def test_priors_move_the_probabilities_and_not_the_curve(shop: Path, likely_says: Command) -> None:
    words = ("evaluate", shop / "loans.likely", shop / "new.csv", "--json", "--no-picture")
    plain, moved = (likely_says(*words, *more).document for more in ((), ("--priors", "yes=0.9,no=0.1")))
    assert plain["roc"] == moved["roc"]
    assert plain["log_loss"] != moved["log_loss"]


def test_decisions_follow_the_loss(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    words = ("decide", shop / "loans.likely", shop / "new.csv", "--loss", shop / "loss.csv", "--reject", "0.4")
    told = likely_says(*words, "--json").document["decisions"]
    model = likely.load(shop / "loans.likely")
    expected = model.decide(shop / "new.csv", loss=[[0, 1], [5, 0]], reject=0.4)
    assert [row["decision"] for row in told] == expected.tolist()
    assert likely_says(*words, "-o", tmp_path / "d.csv").exit == 0
    assert pd.read_csv(tmp_path / "d.csv")["decision"].isna().sum() == sum(one is None for one in expected)


def test_the_rate_of_false_alarms_is_kept(shop: Path, likely_says: Command) -> None:
    words = ("decide", shop / "loans.likely", shop / "loans.csv", "--false-alarms", 0.1, "--positive", "yes", "--json")
    told = likely_says(*words, "--labelled", shop / "loans.csv").document
    truth = pd.read_csv(shop / "loans.csv")["default"]
    decided = np.array([row["decision"] for row in told["decisions"]])
    assert (decided[truth == "no"] == "yes").mean() == told["operating_point"]["false_positive_rate"] <= 0.1
    assert (decided[truth == "yes"] == "yes").mean() == told["operating_point"]["true_positive_rate"] > 0.3


def test_the_priors_of_new_rows_are_estimated(shop: Path, likely_says: Command) -> None:
    words = ("decide", shop / "loans.likely", shop / "new.csv", "--priors", "estimate", "--json")
    shift = likely_says(*words).document["shift"]
    assert shift["converged"]
    assert sum(shift["priors"].values()) == pytest.approx(1)


def test_merging_and_forgetting_undo_each_other(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    new, both, rest = (tmp_path / f"{name}.likely" for name in ("new", "both", "rest"))
    assert likely_says("fit", shop / "new.csv", "-t", "default", "-m", "naive", "-o", new).exit == 0
    assert likely_says("merge", shop / "loans.likely", new, "-o", both, "--json").document["total"] == 340
    assert likely_says("forget", both, shop / "new.csv", "-o", rest, "--json").document["after"] == 300
    expected = likely.load(shop / "loans.likely").predict_proba(shop / "new.csv")
    np.testing.assert_allclose(likely.load(rest).predict_proba(shop / "new.csv"), expected, rtol=1e-9)


def test_the_model_itself_is_explained(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    told = likely_says("explain", shop / "loans.likely", "--nomogram", "-o", tmp_path / "n.svg")
    assert told.exit == 0
    assert "城市" in told.out
    assert (tmp_path / "n.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")


def test_inspect_sees_what_is_there(shop: Path, likely_says: Command) -> None:
    told = likely_says("inspect", shop / "loans.csv", "--target", "default", "--json").document
    assert {one["class"] for one in told["balance"]} == {"no", "yes"}
    assert [(one["name"], one["kind"]) for one in told["columns"]][:3] == [
        ("income", "real"),
        ("age", "real"),
        ("purpose", "category"),
    ]
    assert told["columns"][0]["missing"] == pd.read_csv(shop / "loans.csv")["income"].isna().sum()


def test_compare_names_the_best(shop: Path, likely_says: Command) -> None:
    words = ("compare", shop / "loans.csv", "--target", "default", "--folds", "3", "-m", "naive", "-m", "prior")
    told = likely_says(*words, "--json").document
    assert told["best"] == "naive"
    assert "naive" in likely_says(*words).out


def test_doctor_finds_a_healthy_machine(likely_says: Command) -> None:
    told = likely_says("doctor", "--json").document
    assert told["healthy"]


def test_rows_may_come_through_a_pipe(shop: Path) -> None:
    words = [sys.executable, "-m", "likely", "predict", str(shop / "loans.likely"), "-", "--only"]
    with open(shop / "new.csv", "rb") as rows:
        done = subprocess.run(words, stdin=rows, capture_output=True, check=True, text=True, encoding="utf-8")
    assert done.stdout.splitlines()[0] == "prediction"
    assert len(done.stdout.splitlines()) == 41


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(likely_says: Command, verb: str) -> None:
    told = likely_says(verb, "--help")
    assert told.exit == 0
    assert f"likely {verb}" in " ".join(told.out.split())
    assert "Example" in told.out
    for option in ("--json", "--quiet", "--seed"):
        assert option in told.out


def test_help_imports_nothing_heavy() -> None:
    """What makes help slow is imports; numpy alone would take as long as all the rest."""
    script = "import sys; from likely.cli.main import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    loaded = set(done.stderr.split())
    assert not loaded & {"numpy", "scipy", "numba", "sklearn", "pandas", "pyarrow", "duckdb", "matplotlib", "narwhals"}


def test_quiet_says_nothing_and_json_is_one_document(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    told = likely_says(
        "fit", shop / "loans.csv", "-t", "default", "-m", "naive", "-o", tmp_path / "q.likely", "--quiet"
    )
    assert told == (0, "", "")
    told = likely_says("fit", shop / "loans.csv", "-t", "default", "-m", "naive", "--json")
    assert json.loads(told.out)["leave_one_out"]["accuracy"] > 0.6


def test_a_column_that_counts_the_rows_is_set_aside(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    """Next year's numbers are far from this year's, and would decide everything."""
    for name, start in (("old", 1), ("later", 5001)):
        frame = pd.read_csv(shop / "loans.csv")
        frame.insert(0, "id", range(start, start + len(frame)))
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    model = tmp_path / "m.likely"
    told = likely_says("fit", tmp_path / "old.csv", "-t", "default", "-m", "naive", "-o", model)
    assert "--kind id=real" in told.err
    found = [
        likely_says("evaluate", model, tmp_path / f"{name}.csv", "--json", "--no-picture").document["log_loss"]
        for name in ("old", "later")
    ]
    assert found[0] == found[1] < 0.6


def test_a_row_is_explained_in_a_picture_too(
    shop: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert likely_says("explain", shop / "loans.likely", shop / "new.csv", "--row", "17").exit == 0
    assert (tmp_path / "loans-row-17.png").read_bytes().startswith(b"\x89PNG")
    assert (
        likely_says("explain", shop / "loans.likely", shop / "new.csv", "--no-picture", "--unit", "decibans").exit == 0
    )
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_leaves_the_old_file(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("old", encoding="utf-8")
    script = (  # the key is pressed while the first rows are being written
        "import os, signal, sys, likely.data.files.writer as writing\n"
        "put = writing._put\n"
        "def press(*given):\n"
        "    put(*given)\n"
        "    print(*os.listdir(), flush=True)\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "writing._put = press\n"
        "from likely.cli import main; main()"
    )
    words = ["predict", str(shop / "loans.likely"), str(shop / "new.csv"), "-o", "out.csv", "--proba"]
    done = subprocess.run(
        [sys.executable, "-c", script, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert done.stdout.count(".part") == 1  # there was something to be left half written
    assert done.stderr == "interrupted; no file is half written\n"
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_a_recalibrated_model_in_one_command(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    bent, new = tmp_path / "bent.likely", shop / "new.csv"
    words = ("fit", shop / "loans.csv", "-t", "default", "-m", "naive", "--recalibrate", "temperature")
    told = likely_says(*words, "-o", bent, "--json").document
    assert told["recalibration"]["source"] == "leave-one-out"
    model = likely.load(bent)
    rows = likely_says("predict", bent, new, "--json").document["predictions"]
    np.testing.assert_allclose([row["p_yes"] for row in rows], model.predict_proba(new)[:, 1], atol=1e-12)
    judged = likely_says("evaluate", bent, new, "--json", "--no-picture").document
    truth = (pd.read_csv(new)["default"] == "yes").to_numpy()
    assert judged["brier"]["score"] == pytest.approx(np.mean((model.predict_proba(new)[:, 1] - truth) ** 2))
    decided = likely_says("decide", bent, new, "--reject", 0.2, "--json").document["decisions"]
    assert [row["decision"] for row in decided] == model.decide(new, reject=0.2).tolist()
    assert "before recalibration" in likely_says("explain", bent, new, "--no-picture").err
    assert likely_says("merge", bent, bent, "-o", tmp_path / "x").err.startswith("[M309]")


def test_the_version_is_told(likely_says: Command) -> None:
    assert likely_says("--version") == (0, f"likely {likely.__version__}\n", "")


def test_columns_that_are_set_aside_need_not_come_again(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    frame = pd.read_csv(shop / "loans.csv")
    frame.assign(code=[f"k{at}" for at in range(300)]).to_csv(tmp_path / "wide.csv", index=False)
    model = tmp_path / "m.likely"
    assert likely_says("fit", tmp_path / "wide.csv", "-t", "default", "-m", "naive", "-o", model).exit == 0
    again, plain = (
        likely_says("predict", found, shop / "new.csv", "--json").document["predictions"]
        for found in (model, shop / "loans.likely")
    )
    assert again == plain


def test_a_model_without_rows_says_so(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    empty = tmp_path / "empty.likely"
    assert likely_says("forget", shop / "loans.likely", shop / "loans.csv", "-o", empty).exit == 0
    for verb in ("predict", "evaluate", "decide"):
        assert likely_says(verb, empty, shop / "new.csv").err.startswith("[M306]")


def test_texts_are_inspected_learnt_and_explained_word_by_word(tmp_path: Path, likely_says: Command) -> None:
    """In a table between tabs a quote that opens and never closes is a letter."""
    words = "free prize call now win cash".split(), "see you at home later today".split()  # noqa: SIM905
    rng = np.random.default_rng(0)
    lines = [
        f"{('spam', 'ham')[kind]}\t{chr(34) * (row % 7 == 0)}{' '.join(rng.permutation(words[kind])[:5])} {row} so on"
        for row in range(80)
        for kind in (0, 1)
    ]
    (tmp_path / "sms.tsv").write_text("label\tmessage\n" + "\n".join(lines) + "\n", encoding="utf-8")
    seen = likely_says("inspect", tmp_path / "sms.tsv", "-t", "label", "--json").document
    assert [(one["name"], one["kind"]) for one in seen["columns"]] == [("message", "text")]
    assert likely_says("fit", tmp_path / "sms.tsv", "-t", "label", "-m", "naive", "-o", tmp_path / "m.likely").exit == 0
    words_ = ("explain", tmp_path / "m.likely", tmp_path / "sms.tsv", "--no-picture", "--json")
    why = likely_says(*words_).document
    assert any(term["name"].startswith("message: ") for term in why["terms"])
    joint = np.array([sum(term["terms"][name] for term in why["terms"]) for name in ("ham", "spam")])
    assert np.exp(joint - np.logaddexp(*joint))[1] == pytest.approx(why["probabilities"]["spam"], abs=1e-12)


def test_more_rows_than_are_left_out_one_by_one(
    shop: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likely.evaluation.held_out.MOST_ROWS_JUDGED", 10)
    assert "not judged" in likely_says("fit", shop / "loans.csv", "-t", "default", "-m", "naive").out


def test_changes_stay_within_what_there_is(shop: Path, likely_says: Command) -> None:
    rows = pd.read_csv(shop / "new.csv")
    for row in range(10):
        words = ("explain", shop / "loans.likely", shop / "new.csv", "--row", row, "--no-picture", "--json")
        told = likely_says(*words).document["changes"]
        for change in told["alone"] + told["together"]:
            if change["name"] in ("income", "age"):
                assert rows[change["name"]].min() <= change["after"] <= rows[change["name"]].max()


def test_classes_that_are_true_and_false(tmp_path: Path, likely_says: Command) -> None:
    rng = np.random.default_rng(0)
    late = rng.random(120) < 0.4
    pd.DataFrame({"x": rng.normal(late * 1.0), "late": late}).to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "loss.csv").write_text("true,false,true\nfalse,0,1\ntrue,5,0\n", encoding="utf-8")
    model, rows = tmp_path / "m.likely", tmp_path / "rows.csv"
    assert (
        likely_says("fit", rows, "-t", "late", "-m", "naive", "-o", model, "--priors", "true=0.3,false=0.7").exit == 0
    )
    told = likely_says("decide", model, rows, "--loss", tmp_path / "loss.csv", "--json").document["decisions"]
    expected = likely.load(model).decide(rows, loss=[[0, 1], [5, 0]])
    assert [row["decision"] for row in told] == expected.tolist()
    assert likely_says("evaluate", model, rows, "--positive", "true", "--no-picture").exit == 0
