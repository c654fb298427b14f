"""`likely explain`: what it looks at to tell what would change an answer."""

from __future__ import annotations

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
