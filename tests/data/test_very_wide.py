"""Tables of very many columns: read in time that grows with their number, not with its square."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import likely
from likely.data.files import json_lines
from likely.data.files.source import file_source

KEYS = 3000


def rows(keys: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    names = [f"k_{at}" for at in range(keys)]
    drawn = rng.normal(size=(6, keys)).round(3).tolist()
    return [{**dict(zip(names, values, strict=True)), "y": "ab"[at % 2]} for at, values in enumerate(drawn)]


def write(path: Path, keys: int) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows(keys)), path)
    elif path.suffix == ".arff":
        head = "@relation w\n" + "".join(f"@attribute k_{at} numeric\n" for at in range(keys)) + "@attribute y {a,b}\n"
        path.write_text(head + "@data\n" + "".join(",".join(map(str, row.values())) + "\n" for row in rows(keys)))
    else:
        text = "".join(json.dumps(row) + "\n" for row in rows(keys)).encode()
        path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "arff", "parquet"])
def test_a_wide_table_is_the_model_of_its_array(tmp_path: Path, ending: str) -> None:
    path = write(tmp_path / f"w.{ending}", KEYS)
    table = np.array([list(row.values())[:-1] for row in rows(KEYS)])
    known = likely.NaiveBayes(kinds="real").fit(table, ["a", "b"] * 3)
    model = likely.fit(path, "y", likely.NaiveBayes(kinds="real"))
    np.testing.assert_allclose(model.predict_proba(path), known.predict_proba(table), atol=1e-12)


@pytest.mark.parametrize("ending", ["jsonl", "arff"])
def test_the_work_grows_with_the_number_of_columns(tmp_path: Path, ending: str, calls: Any) -> None:
    """Twice the columns are at most two and a half times the calls; names are not compared with all names."""
    few, many = (write(tmp_path / f"{keys}.{ending}", keys) for keys in (KEYS // 2, KEYS))
    model = {path: likely.fit(path, "y", likely.NaiveBayes()) for path in (few, many)}
    made = {path: calls(lambda path=path: likely.fit(path, "y", likely.NaiveBayes())) for path in (few, many)}
    asked = {path: calls(lambda path=path: model[path].predict(path)) for path in (few, many)}
    assert made[many] < 2.5 * made[few]
    assert asked[many] < 2.5 * asked[few]


def test_the_work_of_looking_grows_with_the_number_of_columns(tmp_path: Path, calls: Any) -> None:
    """Means, spreads and levels are worked out once, not once a column."""
    few, many = (write(tmp_path / f"{keys}.jsonl", keys) for keys in (KEYS // 4, KEYS // 2))
    likely.inspect(few, "y")
    asked = {path: calls(lambda path=path: likely.inspect(path, "y")) for path in (few, many)}
    assert asked[many] < 2.5 * asked[few]


class Asked(tuple):
    """A tuple that counts how often it is searched."""

    searched = 0

    def __contains__(self, name: object) -> bool:
        type(self).searched += 1
        return super().__contains__(name)


def test_columns_are_found_without_a_search_for_each(tmp_path: Path) -> None:
    path = write(tmp_path / "w.arff", 60)
    model, source = likely.fit(path, "y", likely.NaiveBayes()), file_source(path, None)
    model._located(replace(source, columns=Asked(source.columns)))
    assert Asked.searched < 5


def test_names_are_compared_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys that end in a number, as DuckDB makes them up: each is looked up, none is held against all others."""
    path = write(tmp_path / "w.jsonl", 60)
    looked = []
    monkeypatch.setattr(json_lines, "_refuse_renamed", lambda *given: looked.append(type(given[3])))
    file_source(path, "y")
    assert {kind.__name__ for kind in looked} == {"Counter"}


def test_files_that_do_not_agree_are_told_as_in_other_files(tmp_path: Path) -> None:
    """The second file has words where the first has numbers."""
    write(tmp_path / "one.jsonl", KEYS)
    row = {**rows(KEYS)[0], "k_0": "word"}
    (tmp_path / "two.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(likely.LikelyError, match="k_0"):
        likely.fit(tmp_path / "*.jsonl", "y")


def test_values_that_do_not_agree_are_told_as_in_other_files(tmp_path: Path) -> None:
    path = write(tmp_path / "w.jsonl", KEYS)
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps({**rows(KEYS)[0], "k_7": "word"}) + "\n")
    with pytest.raises(likely.LikelyError, match="k_7"):
        likely.fit(path, "y")


def test_the_marks_that_arrow_is_told_are_few_where_columns_are_many(tmp_path, monkeypatch):
    """It keeps all of them for each column; those that it is not told are missing nevertheless."""
    path, columns, known = tmp_path / "wide.csv", 3_000, pyarrow.csv.ConvertOptions
    rows = [[str(row * at % 7) for at in range(columns)] for row in range(6)]
    rows[2][5], rows[3][7] = "n.a.", "NA"
    path.write_text("\n".join([",".join(f"c{at}" for at in range(columns)), *map(",".join, rows)]))
    told = []

    def options(**given):
        told.append(len(given["null_values"]) * columns)
        return known(**given)

    monkeypatch.setattr(pyarrow.csv, "ConvertOptions", options)
    table = pa.Table.from_batches(file_source(path, None).read())
    assert max(told) < 200_000
    assert [table.column(at).null_count for at in (4, 5, 6, 7)] == [0, 1, 0, 1]
    assert pa.types.is_integer(table.column(5).type)


def test_keys_that_are_many_over_all_rows_are_read_at_once(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    lines = [{"y": row % 2, **{f"k{row * 20 + at}": at for at in range(20)}} for row in range(60)]
    path.write_text("\n".join(map(json.dumps, lines)))
    heads = {str(path): path.read_bytes()}
    assert json_lines.read_wide(heads, False).num_columns == 1201
    (seen,) = (batch for batch in file_source(path, "y").read() if batch.num_rows)
    assert seen.column("k25").to_pylist() == [None, 5, *[None] * 58]
    nested = {**heads, str(path): heads[str(path)].replace(b'"k25": 5', b'"k25": {"a": 5}')}
    assert json_lines.read_wide(nested, False) is None
