"""Words of many short columns, numbered all at once, are those of each column looked at by itself."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from likely.data.readings.column_texts import FEW, MANY, look, look_at
from likely.data.readings.numbered_words import number_words

CELLS = st.sampled_from(
    ["red", "green", " red", "NA", "?", "-", "7", "1.5", "007", "20240101", "grün", "ja", "nein", "", None]
)


@given(st.integers(1, 40).flatmap(lambda rows: st.lists(st.lists(CELLS, min_size=rows, max_size=rows), min_size=MANY)))
def test_short_columns_show_together_what_each_shows(table: list[list[str | None]]) -> None:
    columns = [pa.array(cells, pa.string()) for cells in table]
    found, kept = look_at(columns, [False] * len(columns))
    for told, cells, column in zip(found, kept, columns, strict=True):
        alone = look(column)
        assert told == alone
        assert [*told.texts] == [*alone.texts]  # in the order in which they come
        if pa.types.is_dictionary(cells.type):
            assert cells.dictionary_decode().equals(column)
            assert len(cells.dictionary) == len({*column.to_pylist()} - {None})


def test_words_that_nearly_all_differ_are_left_to_each_column() -> None:
    columns = [pa.array([f"{name} {at}" for at in range(FEW)]) for name in range(MANY)]
    assert number_words(columns) is None
    found, kept = look_at(columns, [False] * MANY)
    assert [one.texts for one in found] == [Counter(column.to_pylist()) for column in columns]
    assert all(cells is column for cells, column in zip(kept, columns, strict=True))
