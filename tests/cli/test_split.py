"""likely split: every row in one of two files, as it was written; stratified, the share of each value is right."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likely
from tests.cli.conftest import Command

ROWS = [f'{at}.50,"a, ""{at}""\nb",{"yes" if at % 5 == 0 else "no"}' for at in range(50)]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Numbers with a nought too many, and values with commas, quotes and line ends in them."""
    path = tmp_path / "loans.csv"
    path.write_bytes("\r\n".join(["x,words,bad", *ROWS]).encode())
    return path


def rows_of(path: Path) -> list[str]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    assert text.startswith("x,words,bad\r\n")
    body = text.removeprefix("x,words,bad\r\n").replace("\r\n", "\n").rstrip("\n")
    return body.replace("yes\n", "yes\0").replace("no\n", "no\0").split("\0")


@pytest.mark.parametrize("packed", [False, True])
def test_every_row_is_in_one_file_as_it_was_written(table: Path, packed: bool, likely_says: Command) -> None:
    if packed:
        raw = table.read_bytes()
        table = table.with_name("loans.csv.gz")
        table.write_bytes(gzip.compress(raw))
    told = likely_says("split", table, "bad", "--test", "0.3", "--stratify", "--seed", 7, "--json").document
    train, test = Path(told["train"]), Path(told["test"])
    assert (train.name, test.name) == tuple(f"loans-{part}.csv{'.gz' * packed}" for part in ("train", "test"))
    assert told["rows"] == {"train": 35, "test": 15}
    both = [rows_of(train), rows_of(test)]
    assert Counter(both[0] + both[1]) == Counter(ROWS)
    assert [sum(row.endswith("yes") for row in part) for part in both] == [7, 3]
    again = train.read_bytes(), test.read_bytes()
    likely_says("split", table, "--test", 15, "--stratify", "--target", "bad", "--seed", 7)
    assert (train.read_bytes(), test.read_bytes()) == again
    likely_says("split", table, "--test", 15, "--seed", 8)
    assert test.read_bytes() != again[1]


def test_other_forms_are_kept(tmp_path: Path, likely_says: Command) -> None:
    frame = pa.table({"x": np.arange(20.0), "y": ["a", "b"] * 10})
    pq.write_table(frame, tmp_path / "t.parquet")
    (tmp_path / "t.jsonl").write_text("".join(f'{{"x": {at}.0, "y": "{"ab"[at % 2]}"}}\n' for at in range(20)))
    lines = "".join(f"{at}.0,{'ab'[at % 2]}\n" for at in range(20))
    (tmp_path / "t.arff").write_text(f"% pets\n@relation t\n@attribute x numeric\n@attribute y {{a,b}}\n@data\n{lines}")
    for ending in ("parquet", "jsonl", "arff"):
        told = likely_says("split", tmp_path / f"t.{ending}", "y", "--test", "0.25", "--stratify", "--json")
        assert told.exit == 0, told.err
        assert told.document["rows"] == {"train": 15, "test": 5}
        model = likely.fit(told.document["train"], "y", likely.NaiveBayes())
        assert sorted(model.model_.rows.tolist()) in ([7, 8], [7.0, 8.0])


@pytest.mark.parametrize(
    "words",
    ["--stratify", "--test 0", "--test 1.5", "--test 50", "bda --stratify", "bad --target x --stratify"],
)
def test_mistakes_are_answered_kindly(words: str, table: Path, likely_says: Command) -> None:
    said = likely_says("split", table, *words.split())
    assert said.exit in (2, 3)
    assert "hint:" in said.err
    assert [path.name for path in table.parent.iterdir()] == ["loans.csv"]


def test_blank_lines_within_values_and_above_the_header_stay(tmp_path: Path, likely_says: Command) -> None:
    rows = [f'"a\n\nb{at}",{at}\n' for at in range(10)]
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(rows))
    assert likely_says("split", tmp_path / "t.csv", "--test", 4).exit == 0
    both = "".join((tmp_path / f"t-{part}.csv").read_text().removeprefix("x,y\n") for part in ("train", "test"))
    assert all(row in both for row in rows)
    assert len(both) == sum(map(len, rows))


@pytest.mark.parametrize("between", [",\n ", ",\n{", ", {"])
def test_a_file_that_is_not_rows_on_lines_is_left_alone(tmp_path: Path, between: str, likely_says: Command) -> None:
    text = '[{"x": 1, "y": "a"},\n{"x": 2, "y": "b"},\n{"x": 3, "y": "a"}]'
    (tmp_path / "t.json").write_text(text.replace(",\n{", between + "{" * (between == ",\n ")))
    said = likely_says("split", tmp_path / "t.json", "--test", 1)
    assert "D223" in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["t.json"]
