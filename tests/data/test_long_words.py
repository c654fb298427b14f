"""Long words that a Parquet file holds once and its rows name by number: refused before unpacking, or kept so."""

import re
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likely
from likely.data.files import parquet
from likely.data.files.parquet_pages import DICTIONARY_ENCODINGS, pages
from likely.data.files.source import file_source

PEAK = """
import resource, sys, likely
from likely.data.files.source import file_source

def look(path):
    try:
        return sum(batch.num_rows for batch in file_source(path, None).read())
    except likely.LikelyError as error:
        return error.code

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

first, *rest = sys.argv[1:]
look(first)
for path in rest:
    before = peak()
    print(look(path), peak() - before)
"""


def written(path, words, length, rows, **options):
    """A table of words of a length; a dictionary by default."""
    texts = pa.array([f"{word:05d}".ljust(length, "x") for word in range(words)])
    places = pa.array(np.arange(rows) % words, pa.int32())
    column = pa.DictionaryArray.from_arrays(places, texts)
    pq.write_table(pa.table({"text": column, "y": (places.to_numpy() % 2).astype(float)}), path, **options)
    return str(path)


def test_memory_does_not_grow_with_the_length_of_words_times_the_rows(tmp_path):
    small = written(tmp_path / "small.parquet", 10, 2000, 1000)
    many = written(tmp_path / "many.parquet", 100, 20_000, 150_000, compression="zstd")  # 3 GB as rows
    large = written(tmp_path / "large.parquet", 160, 1_000_000, 1000, compression="zstd")  # 160 MB as words
    told = subprocess.run([sys.executable, "-c", PEAK, small, many, large], capture_output=True, text=True, check=True)
    (rows, grown), (code, then) = (line.split() for line in told.stdout.splitlines())
    assert (rows, code) == ("150000", "D216")
    assert int(grown) < 200  # MB
    assert int(then) < 50


def test_what_is_refused_names_the_column_and_the_sizes(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "MOST_PAGE_BYTES", 1 << 20)
    path = written(tmp_path / "rows.parquet", 20, 100_000, 100)
    with pytest.raises(likely.LikelyError, match=r"D216.*2,000,080 bytes.*1,048,576") as caught:
        likely.fit(path, target="y")
    assert "column 'text'" in caught.value.place
    plain = written(tmp_path / "plain.parquet", 20, 100_000, 100, use_dictionary=False)
    with pytest.raises(likely.LikelyError, match="D216"):
        likely.fit(plain, target="y")


def test_a_word_that_is_too_long_is_refused_in_a_dictionary_too(tmp_path):
    path = written(tmp_path / "rows.parquet", 2, 3_000_000, 100)
    with pytest.raises(likely.LikelyError, match=r"D216.*a value of 3,000,000 bytes"):
        likely.fit(path, target="y")


@pytest.mark.parametrize("options", [{}, {"data_page_version": "2.0"}, {"compression": "none", "row_group_size": 7}])
def test_headers_of_pages_say_what_arrow_wrote(tmp_path, options):
    path = written(tmp_path / "rows.parquet", 5, 50, 100, **options)
    footer = pq.read_metadata(path)
    with open(path, "rb") as file:
        for group in range(footer.num_row_groups):
            chunk = footer.row_group(group).column(0)
            first, *rest = pages(file, chunk)
            assert first.is_dictionary
            assert first.unpacked == 5 * (4 + 50)
            assert rest
            assert all(page.encoding in DICTIONARY_ENCODINGS and not page.is_dictionary for page in rest)
        at = chunk.dictionary_page_offset
        data = bytearray(file.seek(0) or file.read())
    data[at] = 0xFF
    path = tmp_path / "broken.parquet"
    path.write_bytes(data)
    with path.open("rb") as file:
        assert list(pages(file, chunk)) == [None]


def test_long_words_are_the_same_values_numbered_or_not(tmp_path, monkeypatch):
    rng = np.random.default_rng(3)
    columns = {
        "word": rng.choice(["short", "a longer word", None], 500),
        "number": rng.choice(["1.5", "2", "?"], 500),
        "date": rng.choice(["2024-05-01", "2024-06-30"], 500),
        "own": [f"text {row // 2}" for row in range(500)],
        "size": rng.normal(size=500),
        "y": rng.choice(["no", "yes"], 500),
    }
    table = pa.table({name: pa.array(list(cells)) for name, cells in columns.items()})
    path = tmp_path / "rows.parquet"
    pq.write_table(table, path, use_dictionary=["word", "number", "date", "y"], row_group_size=200)
    plain = likely.fit(str(path), target="y", model=likely.NaiveBayes())
    monkeypatch.setattr(parquet, "LONG_WORD", 4)
    types = {field.name: field.type for field in next(iter(parquet.numbered_batches([str(path)], "")[1]())).schema}
    assert {name for name, type_ in types.items() if pa.types.is_dictionary(type_)} == {"word", "date"}
    numbered = likely.fit(str(path), target="y", model=likely.NaiveBayes())
    assert numbered.model_.schema == plain.model_.schema
    assert np.array_equal(numbered.predict_proba(str(path)), plain.predict_proba(str(path)))


def test_columns_are_found_by_whatever_name(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "LONG_WORD", 4)
    path = tmp_path / "rows.parquet"
    table = pa.table({"a.b": ["a longer word", None] * 5, 'it"s, {x}': ["another word"] * 10})
    pq.write_table(table, path)
    (_, batch) = list(file_source(path, None).read())
    assert re.sub("[ ]", "", str(batch.column(0)[0])) == "alongerword"
    assert batch.num_rows == 10
