"""Numbers that are spelt in two ways, as versions 1.1 and 1.10: told, or kept as they are spelt."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likely
from likely.cli.main import run
from likely.core.schema import Column
from likely.data.readings.text_columns import tell_readings

VERSIONS = ["1.1", "1.2", "1.10", "2.0"] * 15


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(name: str, cells: list[str], form: str = "csv") -> str:
    labels = ["a" if row % 4 == 0 or row % 7 == 3 else "b" for row in range(len(cells))]
    if form == "parquet":
        pq.write_table(pa.table({name: cells, "y": labels}), "t.parquet")
    else:
        rows = (f"{cell},{label}" for cell, label in zip(cells, labels, strict=True))
        Path("t.csv").write_text("\n".join([f"{name},y", *rows]) + "\n")
    return f"t.{form}"


def learnt(name: str, cells: list[str], form: str = "csv", **kinds: object) -> tuple[Column, likely.NaiveBayes]:
    model = likely.fit(written(name, cells, form), "y", likely.NaiveBayes(kinds=kinds or "auto"))
    return model.model_.schema.columns[0], model


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_numbers_of_which_some_are_spelt_with_more_zeros_are_told(form: str) -> None:
    column, model = learnt("x", VERSIONS, form)
    assert column.kind == "real"
    told = [note.text for note in model.notes_ if note.code == "spellings"]
    assert told == [
        "'x' is read as numbers, of which 1.1 and 1.10 are one; if they are versions or codes, "
        "say kinds={'x': 'category'}"
    ]
    seen = likely.inspect(f"t.{form}", "y").columns[0]
    assert (seen.reading, seen.suspicions) == ("numbers (1.1 and 1.10 are one)", tuple(told))
    model.save("m.likely")
    assert [note.text for note in likely.load("m.likely").notes_ if note.code == "spellings"] == told


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("kind", ["category", ("1.1", "1.10", "1.2", "2.0")])
def test_a_category_keeps_them_as_they_are_spelt(form: str, kind: object) -> None:
    column, model = learnt("x", VERSIONS, form, x=kind)
    assert tuple(column.levels) == ("1.1", "1.10", "1.2", "2.0")
    assert model.notes_ == ()
    said = model.predict_proba(f"t.{form}")
    assert len({tuple(row) for row in said[:3].tolist()}) > 1
    one, other = model.explain(pa.table({"x": ["1.1", "1.10"]})).terms[:, 1]
    assert one.tolist() != other.tolist()


def test_the_command_line_keeps_them_too(capsys: pytest.CaptureFixture[str]) -> None:
    written("x", VERSIONS)
    assert run(["inspect", "t.csv", "-t", "y", "--kind", "x=category"]) == 0
    assert "1.10 25%" in capsys.readouterr().out
    assert run(["fit", "t.csv", "-t", "y", "--kind", "x=category", "-o", "m.likely"]) == 0
    assert "1.10" in likely.load("m.likely").model_.schema.columns[0].levels


def test_names_of_versions_say_so_and_a_kind_says_more() -> None:
    for cells in (VERSIONS, ["1.1", "1.2", "2.0"] * 20):
        column, model = learnt("app_version", cells)
        assert (column.kind, tuple(column.levels)) == ("category", tuple(sorted({*cells})))
        assert model.notes_ == ()
    column, model = learnt("app_version", VERSIONS, app_version="real")
    assert column.kind == "real"
    assert all(note.code != "spellings" for note in model.notes_)


@pytest.mark.parametrize(
    "cells",
    [
        ["1.10", "1.20", "2.00"] * 20,  # of as many decimals each
        ["1", "1.5", "2", "2.25"] * 15,
        [f"{at}.{at % 7}" for at in range(57)] + ["1.1", "1.10", "2"],  # of many
        ["1.1", "1.2", "-", "1.1"] * 15,
        ["1e1", "1.0e1", "10.5"] * 20,
    ],
)
def test_others_are_numbers_without_a_word(cells: list[str]) -> None:
    _, model = learnt("x", cells)
    assert all(note.code not in ("spellings", "read") for note in model.notes_)


def test_spellings_in_different_blocks_are_seen_together() -> None:
    blocks = [[pa.array(["1.1"] * 1000)], [pa.array(["2.5"] * 1000)], [pa.array(["1.10"] * 1000)]]
    assert tell_readings(["x"], [(["x"], blocks)], None)["x"].doubt == "1.1 and 1.10"
    many = [pa.array([f"{at}.5" for at in range(1000)])]
    assert tell_readings(["x"], [(["x"], [*blocks, many])], None)["x"].doubt == ""
