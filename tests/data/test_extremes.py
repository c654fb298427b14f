"""Tables of extreme widths and lengths: read in bounded memory, or refused for the reason that it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likely
from likely.data import open_source
from likely.data.files.delimited import MOST_BATCH_BYTES


def long_words(path: Path, size: int, rows: int, once: bool = True) -> Path:
    words = pa.DictionaryArray.from_arrays(np.arange(rows, dtype=np.int32) % 3, ["a" * size, "b" * size, "c"])
    pq.write_table(pa.table({"word": words, "y": ["p", "q"] * (rows // 2)}), path, use_dictionary=once)
    return path


def test_long_words_are_read_a_few_rows_at_a_time(tmp_path: Path) -> None:
    path = long_words(tmp_path / "rows.parquet", 100_000, 2000, once=False)
    sizes = [batch.nbytes for batch in open_source(path).read()]
    assert sum(sizes) > 1.5 * MOST_BATCH_BYTES
    assert max(sizes) <= 1.1 * MOST_BATCH_BYTES
    assert likely.fit(path, target="y").classes_.tolist() == ["p", "q"]


def test_long_words_that_stand_in_the_file_once_stand_in_memory_once(tmp_path: Path) -> None:
    path = long_words(tmp_path / "rows.parquet", 100_000, 2000)
    assert sum(batch.nbytes for batch in open_source(path).read()) < 300_000
    assert likely.fit(path, target="y").classes_.tolist() == ["p", "q"]


def test_words_beyond_all_measure_are_refused(tmp_path: Path) -> None:
    with pytest.raises(likely.LikelyError, match=r"D216.*3,000,000 bytes") as caught:
        likely.fit(long_words(tmp_path / "rows.parquet", 3_000_000, 4), target="y")
    assert "column 'word'" in caught.value.place


def test_a_very_wide_text_file_is_a_table_as_any_other(tmp_path: Path) -> None:
    names = [f"x{at}" for at in range(30_000)]
    (tmp_path / "rows.csv").write_text(",".join(names) + "\n" + 2 * (",".join("2" for _ in names) + "\n"))
    (batch,) = (batch for batch in open_source(tmp_path / "rows.csv").read() if batch.num_rows)
    assert batch.schema.names == names
    assert {str(field.type) for field in batch.schema} == {"int64"}
    assert batch.column(29_999).to_pylist() == [2, 2]


def test_the_largest_numbers_there_are_are_refused_in_words_alone() -> None:
    """Warnings are errors here: no difference of two of them may overflow first."""
    x = np.resize([1.7e308, -1.7e308, 0.0, 1.0], 400)
    y = np.resize(["p", "q", "q"], 400)
    for rows in (pd.DataFrame({"x": x, "y": y}), pa.table({"x": np.where(x > 1, np.inf, x), "y": y})):
        for work in (likely.inspect, likely.fit):
            with pytest.raises(likely.LikelyError, match="D104"):
                work(rows, "y")
