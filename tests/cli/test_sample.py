"""likely sample: rows as the model would draw them, under their names, in any form."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import likely
from likely.cli import sample
from tests.cli.conftest import Command


@pytest.fixture
def model(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    y = np.where(rng.random(200) < 0.3, "yes", "no")
    frame = pd.DataFrame({"x": rng.normal(np.where(y == "yes", 3, 0), 1), "port": rng.choice(["S", "C"], 200)})
    likely.NaiveBayes().fit(frame, y).save(tmp_path / "m.likely")
    return tmp_path / "m.likely"


def test_rows_are_those_of_the_model(model: Path, tmp_path: Path, likely_says: Command) -> None:
    known, classes = likely.load(model).sample(50, 3)
    told = likely_says("sample", model, "-n", 50, "--seed", 3, "--json").document["drawn"]
    assert [row["port"] for row in told] == known["port"].tolist()
    np.testing.assert_allclose([row["x"] for row in told], known["x"])
    assert [row["y"] for row in told] == classes.tolist()
    for ending in ("csv", "parquet", "jsonl"):
        assert likely_says("sample", model, "-n", 50, "--seed", 3, "-o", tmp_path / f"d.{ending}").exit == 0
    assert pd.read_csv(tmp_path / "d.csv")["port"].tolist() == known["port"].tolist()
    back = likely.fit(tmp_path / "d.parquet", "y", likely.NaiveBayes())
    assert set(back.classes_) <= {"no", "yes"}


def test_many_rows_are_drawn_in_parts_and_shares_follow_the_priors(
    model: Path, tmp_path: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "ROWS_SAMPLED_AT_A_TIME", 300)
    said = likely_says("sample", model, "-n", 2000, "--priors", "yes=0.9,no=0.1", "-o", tmp_path / "d.csv")
    assert said.exit == 0, said.err
    drawn = pd.read_csv(tmp_path / "d.csv")
    assert len(drawn) == 2000
    assert abs((drawn["y"] == "yes").mean() - 0.9) < 5 * np.sqrt(0.09 / 2000)
    assert drawn["x"].nunique() > 1990


def test_a_model_that_does_not_know_how_rows_come_about(model: Path, tmp_path: Path, likely_says: Command) -> None:
    likely.DecisionTree().fit([[1.0], [2.0]], ["a", "b"]).save(tmp_path / "t.likely")
    said = likely_says("sample", tmp_path / "t.likely")
    assert said.exit == 2
    assert "U142" in said.err
    assert likely_says("sample", model, "-n", 0).exit == 2


def test_the_output_holds_the_rows_alone(model: Path, tmp_path: Path, likely_says: Command) -> None:
    sample = [sys.executable, "-m", "likely", "sample", model, "-n", "3", "-o", "-"]
    rows = subprocess.run(sample, stdout=subprocess.PIPE, check=True).stdout
    assert rows.count(b"\n") == 4
    (tmp_path / "d.csv").write_bytes(rows)
    for verb in ("predict", "decide"):
        assert likely_says(verb, model, tmp_path / "d.csv", "-o", "-").out.count("\n") == 4
