"""Texts as words: how a string is cut into words, and how strings become bags of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from unicodedata import normalize

import numpy as np

from likely.core.numerics import Array

# Han, kana and their kin are written without spaces: each sign is a word of its own. Hangul is written with them.
_SIGNS = "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_WORD = re.compile(rf"[{_SIGNS}]|[^\W{_SIGNS}]+")


@dataclass(frozen=True)
class Bag:
    """Word counts of a block in compressed rows: row i has words indices[indptr[i]:indptr[i+1]]."""

    indptr: Array
    indices: Array
    data: Array
    missing: Array | None = None  # (rows,): whether there was no text at all
    unknown: Array | None = None  # (rows,): how many words were dropped because the schema does not have them

    def take(self, at: Array) -> Bag:
        """Some of the rows."""
        lengths = np.diff(self.indptr)[at]
        indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        places = np.repeat(self.indptr[:-1][at] - indptr[:-1], lengths) + np.arange(indptr[-1])
        missing, unknown = (None if one is None else one[at] for one in (self.missing, self.unknown))
        return Bag(indptr, self.indices[places], self.data[places], missing, unknown)

    @classmethod
    def joined(cls, bags: Sequence[Bag]) -> Bag:
        """All rows of some bags, one bag after the other."""
        lengths = np.concatenate([np.diff(one.indptr) for one in bags])
        indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)

        def together(name: str) -> Array | None:
            parts = [getattr(one, name) for one in bags]
            return None if any(one is None for one in parts) else np.concatenate(parts)

        indices, data = (np.concatenate([getattr(one, name) for one in bags]) for name in ("indices", "data"))
        return cls(indptr, indices, data, together("missing"), together("unknown"))


def tokens(text: str) -> list[str]:
    """The words of a text in order: lower-cased runs of letters, digits and underscores; Chinese signs one by one.

    Characters that Unicode holds to be the same, such as Ａ and A, are the same.

    >>> tokens("Free entry, WIN £100!")
    ['free', 'entry', 'win', '100']
    >>> tokens("我爱Bayes")
    ['我', '爱', 'bayes']
    """
    if not text.isascii():
        text = normalize("NFKC", text)
    return _WORD.findall(text.lower())


def vocabulary(texts: Iterable[str | None]) -> set[str]:
    """All words of the texts; a missing text has none.

    >>> sorted(vocabulary(["b a", None, "A c"]))
    ['a', 'b', 'c']
    """
    found: set[str] = set()
    for text in texts:
        if isinstance(text, str):
            found.update(tokens(text))
    return found


def encode_texts(texts: Sequence[str | None], words: Mapping[str, int]) -> Bag:
    """The bag of each text: how often it has each known word, by the word's number; other words are dropped.

    >>> bag = encode_texts(["b a b", None, "c"], {"a": 0, "b": 1})
    >>> bag.indptr.tolist(), bag.indices.tolist(), bag.data.tolist()
    ([0, 2, 2, 2], [0, 1], [1.0, 2.0])
    """
    found: list[int] = []
    lengths, unknown = np.zeros((2, len(texts)), dtype=np.int64)
    for row, text in enumerate(texts):
        if isinstance(text, str):
            every = tokens(text)
            known = [words[token] for token in every if token in words]
            found.extend(known)
            lengths[row], unknown[row] = len(known), len(every) - len(known)
    width = max(words.values(), default=0) + 1
    keys = np.repeat(np.arange(len(texts)) * width, lengths) + np.array(found, dtype=np.int64)
    distinct, times = np.unique(keys, return_counts=True)
    indptr = np.searchsorted(distinct, np.arange(len(texts) + 1) * width)
    missing = np.array([not isinstance(text, str) for text in texts], dtype=bool)
    return Bag(indptr.astype(np.int64), (distinct % width).astype(np.int32), times.astype(np.float64), missing, unknown)
