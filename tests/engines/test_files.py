"""Files as people write them: parts that differ, booleans, headers without rows; and what is noticed in them."""

from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

import likely
from likely.errors import SchemaWarning

WORDS = "the of and to in is was he for it with as his on be at by had not are"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_parquet_parts_of_whole_and_fractional_numbers_keep_the_fractions():
    pd.DataFrame({"a": [1, 2], "y": ["p", "q"]}).to_parquet("part-1.parquet")
    pd.DataFrame({"a": [1.5, None], "y": ["p", "q"]}).to_parquet("part-2.parquet")
    model = likely.fit("part-*.parquet", target="y")
    whole = pd.DataFrame({"a": [1, 2, 1.5, None]})
    np.testing.assert_array_equal(
        model.predict_proba(whole), likely.NaiveBayes().fit(whole, list("pqpq")).predict_proba(whole)
    )


def test_csv_parts_with_columns_in_another_order():
    Path("part-1.csv").write_text("a,b,y\n1.5,u,p\n2.5,v,q\n")
    Path("part-2.csv").write_text("b,a,y\nu,3.5,p\nw,4.5,q\n")
    columns = likely.fit("part-*.csv", target="y").model_.schema.columns
    assert [(column.name, column.kind) for column in columns] == [("a", "real"), ("b", "category")]


def test_true_and_false_are_booleans_and_yes_and_no_are_words():
    Path("t.csv").write_text("flag,word,y\ntrue,yes,0\nfalse,no,1\n,no,1\nTrue,yes,0\n")
    from_file, from_pandas = likely.fit("t.csv", "y"), likely.fit(pd.read_csv("t.csv"), "y")
    assert [column.kind for column in from_file.model_.schema.columns] == ["binary", "category"]
    np.testing.assert_array_equal(from_file.predict_proba("t.csv"), from_pandas.predict_proba("t.csv"))
    assert likely.fit("t.csv", "word").classes_.tolist() == ["no", "yes"]
    Path("t.csv").write_text("a,y\n1,true\n2,false\n")
    assert likely.fit("t.csv", "y").classes_.tolist() == [False, True]


def test_a_header_without_rows():
    Path("none.csv").write_text("a,y\n")
    with pytest.raises(likely.LikelyError, match="D117"):
        likely.fit("none.csv", "y")
    model = likely.NaiveBayes().fit(pd.DataFrame({"a": [1.5, 2.5]}), [0, 1])
    assert model.predict_proba("none.csv").shape == (0, 2)


def test_patterns_of_arff_files():
    head = "@relation r\n@attribute a {x,y,z}\n@attribute c {no,yes}\n@data\n"
    Path("part-1.arff").write_text(head + "x,no\ny,yes\n")
    Path("part-2.arff").write_text(head + "x,no\n?,yes\n")
    model = likely.fit("part-*.arff", target="c")
    assert model.model_.rows.tolist() == [2, 2]
    assert model.model_.schema.columns[0].levels == ("x", "y", "z")


@pytest.mark.parametrize(
    ("name", "code"), [("folder", "D203"), ("table.xslx", "D201"), ("nowhere.csv", "D202"), ("latin.csv", "D204")]
)
def test_files_that_cannot_be_read(name: str, code: str):
    Path("folder").mkdir()
    Path("latin.csv").write_bytes("a,y\ncaf\xe9,0\nth\xe9,1\n".encode("latin-1"))
    with pytest.raises(likely.LikelyError) as caught:
        likely.fit(name, "y")
    assert (caught.value.code, bool(caught.value.hint)) == (code, True)


def test_a_relation_whose_connection_is_closed():
    connection = duckdb.connect()
    relation = connection.sql("select 1.5 as a, 'p' as y")
    connection.close()
    with pytest.raises(likely.LikelyError, match="D204"):
        likely.fit(relation, "y")


def test_rows_without_names_go_by_position_and_the_reverse():
    frame, rows = pd.DataFrame({"c": ["S", "S", "C"], "z": [1.0, 2, 3]}), [["S", 1.0], ["S", 2.0], ["C", 3.0]]
    named = likely.NaiveBayes().fit(frame, list("nny"))
    with pytest.warns(UserWarning, match="feature names"):
        np.testing.assert_array_equal(named.predict_proba(rows), named.predict_proba(frame))
    unnamed = likely.NaiveBayes().fit(rows, list("nny"))
    with pytest.warns(UserWarning, match="feature names"):
        np.testing.assert_array_equal(unnamed.predict_proba(frame), named.predict_proba(frame))


def test_identifiers_and_texts_are_told_from_the_counts_in_whatever_parts_they_come():
    rng = np.random.default_rng(0)
    words = np.array(WORDS.split())
    frame = pd.DataFrame(
        {
            "id": [f"row {i}" for i in range(120)],
            "note": [" ".join(rng.choice(words, 9)) for _ in range(120)],
            "city": rng.choice(["Rome", "Oslo", "Cairo"], 120),
        }
    )
    y = rng.choice(["no", "yes"], 120)
    with pytest.warns(SchemaWarning, match="'id' looks like an identifier"):
        whole = likely.NaiveBayes().fit(frame, y)
    assert [column.kind for column in whole.model_.schema.columns] == ["category", "text", "category"]
    assert not whole.explain(frame[:1]).terms[0, 1].any()
    for size in (7, 40):
        parts = likely.NaiveBayes()
        for start in range(0, 120, size):
            part = slice(start, start + size)
            if start == 0 and size == 40:
                with pytest.warns(SchemaWarning):
                    parts.partial_fit(frame[part], y[part])
            else:
                parts.partial_fit(frame[part], y[part])
        np.testing.assert_allclose(parts.predict_proba(frame), whole.predict_proba(frame), rtol=1e-12)


def test_a_column_that_counts_the_rows_is_noted():
    model = likely.NaiveBayes().fit(pd.DataFrame({"id": range(1000, 1100), "x": np.linspace(0, 1, 100)}), [0, 1] * 50)
    assert "counts the rows" in model.notes_[0].text


def test_a_model_that_forgot_everything_says_so():
    model = likely.NaiveBayes().fit([[1.5], [2.5]], ["a", "b"]).forget([[1.5], [2.5]], ["a", "b"])
    with pytest.raises(likely.LikelyError, match="M306"):
        model.predict([[1.5]])
    assert model.partial_fit([[1.5], [2.5]], ["a", "b"]).predict([[2.5]]).tolist() == ["b"]


def test_a_saved_model_has_the_mode_of_any_new_file():
    Path("plain").write_text("")
    model = likely.NaiveBayes().fit([[1.5], [2.5]], ["a", "b"])
    model.save("m.likely")
    assert Path("m.likely").stat().st_mode == Path("plain").stat().st_mode
    Path("m.likely").chmod(0o640)
    model.save("m.likely")
    assert Path("m.likely").stat().st_mode & 0o777 == 0o640
