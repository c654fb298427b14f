"""The words of many short columns by number, all of them looked up at once: one by one, each column takes its time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

MOST_PLACES = 4  # a table of all words by all columns may have so many places a cell


def number_words(columns: Sequence[Any]) -> list[tuple[list[tuple[str, int]], Any]] | None:
    """Of each column its words, "" where they are missing, how often they come, and the cells as numbers into them.

    Words stand in the order in which they come. None where so many differ that each column is best told by itself.

    >>> import pyarrow as pa
    >>> found = number_words([pa.array(["b", None, "a", "b"]), pa.array(["a"] * 4)])
    >>> found[0][0], found[0][1].indices.to_pylist(), found[1][0]
    ([('b', 2), ('', 1), ('a', 1)], [0, None, 1, 0], [('a', 4)])
    """
    import pyarrow as pa

    rows, count = len(columns[0]), len(columns)
    coded = pa.concat_arrays(columns).dictionary_encode()
    words = coded.dictionary.to_pylist()
    if count * (len(words) + 1) > MOST_PLACES * max(len(coded), 1):
        return None
    codes = coded.indices.fill_null(len(words)).to_numpy()
    keys = codes + np.repeat(np.arange(count) * (len(words) + 1), rows)  # which word of which column
    counts = np.bincount(keys, minlength=count * (len(words) + 1))
    first = np.empty(len(counts), np.int64)
    first[keys[::-1]] = np.arange(len(keys) - 1, -1, -1)
    there = np.flatnonzero(counts)
    order = there[np.argsort(first[there])]  # by column, then as they come
    word_of, column_of = order % (len(words) + 1), order // (len(words) + 1)
    known = word_of < len(words)
    begins = np.searchsorted(column_of[known], np.arange(count + 1))
    rank = np.zeros(len(counts), np.int32)
    rank[order[known]] = np.arange(begins[-1]) - begins[column_of[known]]
    indices = pa.array(rank[keys], mask=codes == len(words))
    texts = coded.dictionary.take(pa.array(word_of[known]))
    told = [*words, ""]
    each = [*zip([told[word] for word in word_of.tolist()], counts[order].tolist(), strict=True)]
    starts, begins = np.searchsorted(column_of, np.arange(count + 1)).tolist(), begins.tolist()
    return [
        (
            each[starts[at] : starts[at + 1]],
            pa.DictionaryArray.from_arrays(
                indices.slice(at * rows, rows), texts.slice(begins[at], begins[at + 1] - begins[at]), safe=False
            ),
        )
        for at in range(count)
    ]
