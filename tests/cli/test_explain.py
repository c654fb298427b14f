"""`likely explain`: what it looks at to tell what would change an answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd

import likely
from tests.cli.conftest import Command


def test_a_file_of_one_row_does_not_hide_what_would_change_its_answer(tmp_path: Path, likely_says: Command) -> None:
    """The range of numbers is told by the model where the file has too few rows to show one."""
    values = np.append(np.linspace(0, 15, 300), 200.0)
    model = likely.NaiveBayes().fit(pd.DataFrame({"x0": values}), np.where(values >= 7.5, "high", "low"))
    model.save(tmp_path / "one.likely")
    (tmp_path / "row.csv").write_text("x0\n0.5\n")
    words = ("explain", tmp_path / "one.likely", tmp_path / "row.csv", "--json", "--no-picture")
    (change,) = likely_says(*words).document["changes"]["alone"]
    assert change["after"] > 0, "no value was ever below zero"
    assert model.predict(pd.DataFrame({"x0": [change["after"] + 1e-6]})) == ["high"]
    assert model.predict(pd.DataFrame({"x0": [change["after"] - 1e-6]})) == ["low"]


def test_warnings_of_libraries_are_notes(tmp_path: Path) -> None:
    """A model of an array has no names of columns, which scikit-learn says in a warning of its own."""
    likely.NaiveBayes().fit([[0.0], [1.0], [7.0], [8.0]], ["low", "low", "high", "high"]).save(tmp_path / "one.likely")
    (tmp_path / "row.csv").write_text("x0\n0.5\n")
    words = [sys.executable, "-m", "likely", "explain", "one.likely", "row.csv", "--no-picture"]
    told = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stderr
    assert told.splitlines() == ["note: X has feature names, but NaiveBayes was fitted without feature names"]


def test_columns_that_were_not_learnt_are_passed_over(shop: Path, tmp_path: Path, likely_says: Command) -> None:
    """The file that was learnt has the target, the groups and the weights, too."""
    rows = pd.read_csv(shop / "loans.csv").assign(who=np.arange(300) % 20, w=1.0)
    rows.to_csv(tmp_path / "all.csv", index=False)
    kept = tmp_path / "m.likely"
    for target, more in (("default", ("--groups", "who")), ("income", ("--holdout", "0.2"))):
        assert likely_says("fit", tmp_path / "all.csv", "-t", target, "--weight", "w", *more, "-o", kept).exit == 0
        told = likely_says("explain", kept, tmp_path / "all.csv", "--row", 3, "--no-picture", "--json")
        assert told.document["row"] == 3
    rows.drop(columns=["age", "purpose"]).to_csv(tmp_path / "few.csv", index=False)
    refused = likely_says("explain", kept, tmp_path / "few.csv", "--no-picture")
    assert refused.err.startswith("[S211] there are no columns 'age', 'purpose'")
