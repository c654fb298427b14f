"""The words of a text: what each of them says."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.tokens import encode_texts
from likely.data.origin import collected, count_rows, is_table
from likely.errors import OptionError
from likely.explanations.columns import by_class, word_terms
from likely.explanations.terms import Explanation, check_row
from likely.models import NaiveModel


class WordsSaid(NamedTuple):
    """The known words of one row's text: their numbers, how often each occurs, and terms (words, classes)."""

    numbers: Array
    counts: Floats
    terms: Floats


def words(model: Any, X: Any, row: int = 0) -> Explanation:
    """One row's terms (1, 1 + inputs, classes), where each text is broken down into its words; the sum is the same.

    A word's name has that of its column before it, and its value is how often it occurs. Words that the model does not
    know say nothing and are not listed; of a matrix of words only those that occur are.

    >>> import likely
    >>> texts = [["win a prize"], ["win now"], ["see you now"]]
    >>> model = likely.NaiveBayes(kinds="text").fit(texts, ["spam", "spam", "ham"])
    >>> words(model, [["win win now"]]).names
    ('prior', 'x0: now', 'x0: win')
    """
    held, (one, at) = by_class(model), one_row(X, row)
    why = model.explain(one)
    check_row(at, len(why.terms))
    terms, names, values, given = [why.terms[at, :1]], ["prior"], [], []
    for place, column in enumerate(held.schema.columns):
        if column.kind != "text":
            terms.append(why.terms[at, place + 1 : place + 2])
            names.append(column.name)
            values.append(why.values[at, place] if why.values is not None else None)
            given.append(why.given[at, place] if why.given is not None else None)
            continue
        said = words_of(held, one, place)
        head = "" if column.wide else f"{column.name}: "
        terms.append(said.terms)
        names.extend(f"{head}{column.levels[number]}" for number in said.numbers)
        values.extend(f"{count:g}" for count in said.counts)
        given.extend([None] * len(said.counts))
    seen = np.empty((2, 1, len(values)), dtype=object)
    seen[0, 0], seen[1, 0] = values, given
    return Explanation(
        np.concatenate(terms)[None],
        tuple(names),
        why.classes,
        seen[0],
        None if why.given is None else seen[1],
        why.target,
    )


def one_row(X: Any, row: int) -> tuple[Any, int]:
    """Rows that have this row, and its place among them: by itself, where the rows are in memory."""
    X = collected(X)
    if not is_table(X):
        return X, row
    at = check_row(row, count_rows(X))
    return (X.iloc if hasattr(X, "iloc") else X)[at : at + 1], 0


def words_of(model: NaiveModel, one: Any, at: int) -> WordsSaid:
    """The known words of the text in a column of the one row."""
    column = model.schema.columns[at]
    if not is_table(one):
        hint = "read the rows first, as with pandas or polars"
        raise OptionError("O367", "the words of a text are read from rows in memory", place="X", hint=hint)
    if column.wide:
        counts = np.asarray(one.toarray() if hasattr(one, "toarray") else one, dtype=np.float64)[0]
        numbers = np.flatnonzero(counts)
        counts = counts[numbers]
    else:
        bag = encode_texts([text_in(one, column.name, at)], {str(word): n for n, word in enumerate(column.levels)})
        numbers, counts = bag.indices, bag.data
    return WordsSaid(numbers, counts, word_terms(model, at, numbers, counts))


def text_in(one: Any, name: str, at: int) -> str | None:
    """The text in a column of the one row; it goes by its name, or by its place where the row has no such name."""
    names = list(getattr(one, "column_names", getattr(one, "columns", ())))
    value = next(iter(one[name if name in names else names[at]])) if names else one[0][at]
    value = value.as_py() if hasattr(value, "as_py") else value
    return value if isinstance(value, str) else None
