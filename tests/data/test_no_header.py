"""Files without names of columns: said so, columns by number, and found again by the model."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likely
from likely.data.files.source import file_source

BODY = "1.5, u, p\n2.5, v, q\n3.5, u, p\n4, v, q\n" * 5
NAMED = "size, mark, class\n" + BODY


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bare.data").write_text(BODY)
    Path("named.csv").write_text(NAMED)


def rows(path: str, header: bool = True) -> list[dict[str, object]]:
    table = pa.Table.from_batches(list(file_source(path, None, header=header).read()))
    return [dict(row) for row in table.to_pylist()]


def test_a_file_without_names_is_the_same_file_with_names() -> None:
    bare, named = likely.fit("bare.data", 3, header=False), likely.fit("named.csv", "class")
    assert bare.feature_names_in_.tolist() == ["c1", "c2"]
    np.testing.assert_array_equal(bare.predict_proba("bare.data"), named.predict_proba("named.csv"))
    assert likely.fit("named.csv", 3).model_.schema.target.name == "class"
    Path("bare.tsv.gz").write_bytes(gzip.compress(BODY.replace(", ", "\t").encode()))
    packed = likely.fit("bare.tsv.gz", "c3", header=False)
    np.testing.assert_array_equal(packed.predict_proba("bare.data"), bare.predict_proba("bare.data"))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("name,place\nu,v\nw,x\n", {"c1": "name", "c2": "place"}),  # whatever it looks like
        (",,5\n1,2,3\n4,5,6\n", {"c1": None, "c2": None, "c3": 5}),  # a first row of one value is no title
        ("|made by us\n1,2,3\n4,5,6\n", {"c1": 1, "c2": 2, "c3": 3}),  # what is no row is one
        ("# made by us\n1,2,3\n4,5,6\n", {"c1": 1, "c2": 2, "c3": 3}),
        ("1,u,\n2,v,\n", {"c1": 1, "c2": "u"}),  # each line ends in a delimiter
        ("7\n8\n9\n", {"c1": 7}),
        ("7,8\n", {"c1": 7, "c2": 8}),
    ],
)
def test_the_first_line_is_a_row_where_that_is_said(text: str, first: dict[str, object]) -> None:
    Path("t.csv").write_text(text)
    assert rows("t.csv", header=False)[0] == first


def test_a_number_is_a_name_where_a_column_is_called_so() -> None:
    Path("two.csv").write_text("size,mark,2\n1.5,u,p\n3.5,v,q\n3,v,p\n")
    assert likely.fit("two.csv", 2).model_.schema.target.name == "2"
    Path("years.csv").write_text("land,2010,2011\nA,1.5,p\nB,3.5,q\nC,3,p\n")
    assert likely.fit("years.csv", 3).model_.schema.target.name == "2011"
    with pytest.raises(likely.LikelyError, match="D219"):
        likely.fit("bare.data", 3)
    for odd in ("0", "4", "99999999999999999999", "-1"):
        with pytest.raises(likely.LikelyError, match=f"S207.*'{odd}'"):
            likely.fit("named.csv", odd)


def test_other_rows_have_names() -> None:
    table = pa.table({"a": [1.5, 2.5], "y": ["p", "q"]})
    pq.write_table(table, "t.parquet")
    for source in ("t.parquet", table.to_pandas()):
        with pytest.raises(likely.LikelyError, match="D224"):
            likely.fit(source, "y", header=False)


def test_rows_whose_target_was_taken_away_are_found_by_number() -> None:
    Path("first.data").write_text("p,1.5,u\nq,2.5,v\np,3,u\nq,9,v\n")
    Path("new.data").write_text("1.5,u\n2.5,v\n3,u\n9,v\n")
    model = likely.fit("first.data", 1, header=False)
    assert model.feature_names_in_.tolist() == ["c2", "c3"]
    np.testing.assert_array_equal(model.predict_proba("new.data"), model.predict_proba("first.data"))
