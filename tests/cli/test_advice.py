"""Advice names options as the verb has them, and names that need it are quoted."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from likely.errors import LikelyError
from likely.errors.advice import Advice, Kind
from likely.estimators.bayes.naive import NaiveBayes
from tests.cli.conftest import Command


@pytest.fixture
def calls_of(tmp_path: Path) -> Path:
    codes = np.resize([200, 301, 404, 500, 200, 404, 200], 70)
    table = pd.DataFrame({"status code": codes // 100, "size": np.resize([1.5, 2.5, 7.25], 70)})
    table.assign(kept=np.where(codes < 400, "yes", "no")).to_csv(tmp_path / "calls.csv", index=False)
    return tmp_path / "calls.csv"


@pytest.mark.parametrize("verb", ["fit", "inspect"])
def test_a_name_that_needs_it_is_quoted(calls_of: Path, likely_says: Command, verb: str) -> None:
    said = likely_says(verb, calls_of, "-t", "kept")
    assert "if they are codes, say --kind 'status code=category'" in " ".join((said.out + said.err).split())
    again = likely_says(verb, calls_of, "-t", "kept", "--kind", "status code=category", "--json").document
    assert again["columns"][0]["kind"] == "category"


def test_python_is_told_in_python(calls_of: Path) -> None:
    rows = pd.read_csv(calls_of)
    found = NaiveBayes().fit(rows[["status code"]], rows["kept"])
    assert found.notes_[0].text.endswith("say kinds={'status code': 'category'}")


@pytest.mark.parametrize(
    ("words", "place", "hint"),
    [
        (("--kind", "sise=real"), "--kind", "Did you mean 'size'?"),
        (("--kind", "size=reel"), "--kind size", "Did you mean 'real'?"),
        (("--kind", "status code=dense"), "--kind 'status code'", "choose one of"),
        (("--kind", "size=binary"), "column 'size'", "say --kind size=category"),
        (("--estimate", "bays"), "--estimate", "Did you mean 'bayes'?"),
        (("--model", "tree", "--set", "max_depth=0"), "--set max_depth", "None"),
        (("--model", "adaboost", "--set", "n_estimators=0"), "--set n_estimators", "number"),
        (("--missing", "error", "--weight", "size", "--set", "smoothing=-1"), "--smoothing", "from 0"),
    ],
)
def test_places_are_options_of_the_verb(
    calls_of: Path, likely_says: Command, words: tuple[str, ...], place: str, hint: str
) -> None:
    said = likely_says("fit", calls_of, "-t", "kept", *words)
    assert f"\n  at: {place}\n" in said.err
    assert hint in said.err


def test_standard_input_is_called_so(likely_says: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = b"size,kept\n1,yes\n2,no,3,4\n" + b"3,no\n" * 9
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(rows), isatty=lambda: False))
    said = likely_says("fit", "-", "-t", "kept")
    assert "at: standard input" in said.err
    assert "standard-input" not in said.err


def test_no_verb_of_a_group_is_a_failure_as_any(likely_says: Command) -> None:
    for words in (("fti",), ("network", "lern"), ("belief", "cion")):
        assert "[U101] there is no verb" in likely_says(*words).err


@pytest.mark.parametrize(
    ("word", "meant"),
    [("train", "fit"), ("cross-validate", "evaluate"), ("help", "--help"), ("version", "--version")],
)
def test_words_of_other_tools_name_ours(likely_says: Command, word: str, meant: str) -> None:
    assert likely_says(word).err.rstrip().endswith(f"Did you mean '{meant}'?")


@pytest.mark.parametrize(
    ("words", "code", "place", "hint"),
    [
        ("fit calls.csv -t kept --weight who", "D129", "column 'who'", "give one number a row"),
        ("fit calls.csv -t kept --class-weight balance", "U107", "--class-weight", "Did you mean 'balanced'?"),
        ("fit calls.csv -t kept --priors 0.5,0.5", "O104", "--priors", "as in yes=0.1,no=0.9"),
        ("fit calls.csv -t kept --priors unifrom", "O104", "--priors", "Did you mean 'uniform'?"),
        ("fit calls.csv -t kept --recalibrate plat", "O347", "--recalibrate", "Did you mean 'platt'?"),
        ("explain m.likely calls.csv --for yess", "O110", "--for", "Did you mean 'yes'?"),
        ("explain m.likely calls.csv --against maybe", "O110", "--against", "the classes are 'no', 'yes'"),
        ("surface calls.csv -t kept -f who", "O422", "--features", "name a column of numbers"),
        ("surface calls.csv -t size", "D120", "target 'size'", "--model linear"),
        ("compare calls.csv -t size -m naive,linear", "O652", "--model", "compare classifiers with classifiers"),
        ("inspect m.likely", "D201", "m.likely", "likely explain"),
        ("merge m.likely other.likely -o both.likely", "M305", "other.likely", "give models of NaiveBayes alone"),
        ("evaluate m.likely calls.csv --target kept", "U102", "likely evaluate", "the model knows its target"),
    ],
)
def test_slips_of_newcomers(
    calls_of: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch, words: str, code: str, place: str, hint: str
) -> None:
    monkeypatch.chdir(calls_of.parent)
    rows = pd.read_csv(calls_of).assign(who=np.resize(["ann", "bob"], 70), size=np.linspace(0.5, 9.7, 70))
    rows.to_csv("calls.csv", index=False)
    for name, model in (("m", "naive"), ("other", "tan")):
        assert likely_says("fit", "calls.csv", "-t", "kept", "-m", model, "-o", f"{name}.likely", "-q").exit == 0
    said = likely_says(*words.split())
    assert said.exit in (2, 3, 4)
    error = said.err[said.err.index("[") :]
    assert error.startswith(f"[{code}]")
    assert f"\n  at: {place}\n  hint: " in error
    assert hint in error


def test_too_many_words_or_too_few_show_an_example(calls_of: Path, likely_says: Command) -> None:
    for words in (("surface", "m.likely", calls_of), ("predict", "m.likely"), ("fit",)):
        assert f"hint: say it as in likely {words[0]} " in likely_says(*words).err
    for verb in ("fit", "compare", "surface"):
        told = likely_says(verb, calls_of).err
        assert "--target is missing" in told
        assert "the columns are 'status code', 'size', 'kept'" in told


def test_columns_that_a_file_lacks_are_named_with_the_nearest(
    calls_of: Path, tmp_path: Path, likely_says: Command
) -> None:
    kept = tmp_path / "m.likely"
    assert likely_says("fit", calls_of, "-t", "kept", "-o", kept).exit == 0
    pd.read_csv(calls_of).set_axis(["code", "Size", "kept"], axis=1).to_csv(tmp_path / "new.csv", index=False)
    told = likely_says("predict", kept, tmp_path / "new.csv").err
    assert "there are no columns 'status code', 'size'" in told
    assert "the model expects 'status code', 'size'; the columns are 'code', 'Size', 'kept'." in told
    assert told.rstrip().endswith("Did you mean 'Size'?")


def test_parts_are_kept_where_advice_is_joined() -> None:
    told = Advice("first ", Advice("say ", Kind("a b", "real")), ".")
    assert told == "first say kinds={'a b': 'real'}."
    assert told.parts[2] == Kind("a b", "real")
    assert LikelyError("D102", "x", hint=told).hint is told
