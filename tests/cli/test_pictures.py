"""Pictures beside answers: what cannot be drawn never takes an answer with it, and is told in the words of the verb."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import likely
from tests.cli.conftest import Command


@pytest.fixture
def wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A network of more nodes than a picture shows, in the folder that the verbs run in."""
    monkeypatch.chdir(tmp_path)
    nodes = "".join(
        f"variable n{at} {{ type discrete [2] {{ no, yes }}; }}\nprobability ( n{at} ) {{ table 0.5, 0.5; }}\n"
        for at in range(401)
    )
    Path("wide.bif").write_text(f"network wide {{ }}\n{nodes}")
    return tmp_path


def test_a_network_too_large_to_draw_is_told_all_the_same(wide: Path, likely_says: Command) -> None:
    said = likely_says("network", "show", "wide.bif", "--plot", "wide.png")
    assert (said.exit, said.err[:6]) == (2, "[O491]")
    assert "401 nodes" in said.out
    assert "picture:" not in said.out
    assert "--node NODE" in said.err
    assert "nodes=" not in said.err
    assert likely_says("network", "show", "wide.bif", "--plot", "wide.png", "--json").document["picture"] is None


def test_a_model_without_a_nomogram_is_told_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, likely_says: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    X, y = pd.DataFrame({"a": list("xyxyxyxy"), "b": list("xxyyxxyy")}), list("nnnyyyyn")
    likely.TAN().fit(X, y).save("tan.likely")
    said = likely_says("explain", "tan.likely", "--nomogram")
    assert (said.exit, said.err[:6]) == (2, "[O373]")
    assert "bits" in said.out
    assert "model.explain" not in said.err
    assert "--nomogram" in said.err


def test_where_nothing_can_be_written_a_picture_that_nobody_asked_for_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, likely_says: Command
) -> None:
    X, y = pd.DataFrame({"a": [1.0, 2.0, 4.0, 5.0]}), list("nnyy")
    X.to_csv(tmp_path / "rows.csv", index=False)
    likely.NaiveBayes().fit(X, y).save(tmp_path / "m.likely")
    (tmp_path / "m-row-0.png").mkdir()  # what stands in the way
    monkeypatch.chdir(tmp_path)
    said = likely_says("explain", "m.likely", "rows.csv")
    assert said.exit == 0
    assert "row 0" in said.out
    assert "no picture is drawn" in said.err
